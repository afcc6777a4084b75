"""Exports of a corpus and its splits to other formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from naturalproofs.errors import UnknownName

if TYPE_CHECKING:
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.tasks.splits import Splits


@dataclass(frozen=True, slots=True)
class Request:
    """What to export, and where to write it."""

    corpus: Corpus
    splits: Splits
    output: Path
    extras: bool = True
    """Whether to write fields that are not in the format's schema, where the format allows it."""


Export: TypeAlias = Callable[[Request], str]
"""Writes an export atomically and returns a summary for the user."""

FORMATS: dict[str, str] = {
    "naturalproofs-json": "naturalproofs.benchmark.naturalproofs_json:write",
    "beir": "naturalproofs.benchmark.exports.writers:write_beir",
    "trec": "naturalproofs.benchmark.exports.writers:write_trec",
    "huggingface": "naturalproofs.benchmark.exports.writers:write_huggingface",
    "graphml": "naturalproofs.benchmark.exports.writers:write_graphml",
}
"""Formats by name, imported on demand."""


def export(name: str) -> Export:
    """The function that writes that format."""
    if name not in FORMATS:
        raise UnknownName(f"no export format is called {name!r}; there are: {', '.join(FORMATS)}")
    module, attribute = FORMATS[name].split(":")
    return cast(Export, getattr(import_module(module), attribute))
