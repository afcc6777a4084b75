"""Rows to Parquet files, by a schema given as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

from naturalproofs.errors import MissingExtra

Column: TypeAlias = Literal["text", "texts", "integer"]
Columns: TypeAlias = Mapping[str, Column]
"""Columns in order, each with what it holds; any of them may be empty in a row."""


def write_parquet(path: Path, columns: Columns, rows: Iterable[Mapping[str, object]]) -> int:
    """Write a file and say how many rows it has."""
    arrow, parquet = _arrow()
    types = {"text": arrow.string(), "texts": arrow.list_(arrow.string()), "integer": arrow.int64()}
    schema = arrow.schema([(name, types[column]) for name, column in columns.items()])
    table = arrow.Table.from_pylist(list(rows), schema=schema)
    parquet.write_table(table, path, compression="zstd")
    return int(table.num_rows)


def _arrow() -> tuple[Any, Any]:
    # pyarrow has no types of its own; importing it by name says so once.
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra("writing Parquet", "parquet") from error
