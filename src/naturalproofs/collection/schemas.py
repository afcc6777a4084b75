"""The columns of the tables of a collection."""

from __future__ import annotations

import pyarrow as pa


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in columns.items()])


_TEXT, _LIST = pa.string(), pa.list_(pa.string())
STATEMENTS = _schema(
    id=_TEXT, project=_TEXT, kind=_TEXT, form=_TEXT, label=_TEXT, labelled=pa.bool_(), number=_TEXT, title=_TEXT,
    heading=_TEXT, text=_TEXT, tokens=_TEXT, names=_TEXT, document=_TEXT, chapter=_TEXT, section=_TEXT,
    position=pa.int32(), file=_TEXT, line=pa.int32(), licence=_TEXT, references=_LIST, cited=_LIST, proofs=pa.int32(),
    fingerprint=pa.int64(), record=pa.binary(),
)  # fmt: skip
"""``labelled`` is false if the label was generated. ``heading`` is the title or, without one, the words of the label.
``tokens`` and ``names`` are the terms of the whole and of the heading, joined by spaces. ``references`` are those of
the statement, ``cited`` those of its proofs. ``record`` is the row as `rows.Row`. A column ``vector`` is added when the
collection is indexed."""
EDGES = _schema(project=_TEXT, citing=_TEXT, cited=_TEXT, proof=pa.int32(), rank=pa.int32())
"""``proof`` is the number of the proof that cites, or -1 for the statement itself."""
PROJECTS = _schema(
    name=_TEXT, path=_TEXT, hash=_TEXT, status=_TEXT, message=_TEXT, seconds=pa.float64(), statements=pa.int32(),
    edges=pa.int32(), title=_TEXT, licence=_TEXT,
)  # fmt: skip
DUPLICATES = _schema(id=_TEXT, project=_TEXT, first=_TEXT)
"""A statement, and the one with the same text in the first project that has it."""
TERMS = _schema(view=_TEXT, term=_TEXT, frequency=pa.int64(), projection=pa.list_(pa.float32()))
"""The projection of a term is its row of the map from terms to vectors; most terms have none."""
SCHEMAS = {"statements": STATEMENTS, "edges": EDGES, "projects": PROJECTS, "duplicates": DUPLICATES}
