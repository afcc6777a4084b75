"""The indexes of a collection: statistics of terms, vectors of statements, and what Lance looks up.

The statistics are learned once, from a sample, and kept in the table ``terms``. They are learned again when the
collection has become `GROWTH` times as large, and with them all vectors. Statements that are added in between get their
vectors when they are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nsmallest
from typing import Any

import lance
import numpy as np
import pyarrow as pa

from naturalproofs.collection.schemas import TERMS
from naturalproofs.collection.tables import Writer
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.candidate_index import SAMPLE, TermStatistics
from naturalproofs.ranking.hybrid.candidates import VIEWS
from naturalproofs.ranking.hybrid.packed_terms import hashed
from naturalproofs.ranking.lsa import LatentSpace
from naturalproofs.ranking.term_vectors import Floats, Vocabulary

GROWTH = 4
"""How many times as large a collection must have become before its statistics are learned again."""
APPROXIMATE = 50_000
"""Statements from which on vectors are searched by an approximate index; with fewer, all are compared."""
PARTITION = 2_500
"""Statements in one partition of the approximate index, about."""
VECTOR = "vector"
_FULL_TEXT: dict[str, Any] = {
    "base_tokenizer": "whitespace", "lower_case": False, "stem": False, "remove_stop_words": False,
    "ascii_folding": False, "max_token_length": None, "with_position": False,
}  # fmt: skip
"""Terms are indexed as they are: they were made by our own tokeniser and joined by spaces."""
_BATCH = 10_000


def update_indexes(writer: Writer, progress: Progress = silent) -> None:
    """Bring statistics, vectors and indexes up to date with the statements."""
    rows = writer.tables["statements"].count_rows()
    known = writer.tables.get("terms")
    learned_from = _learned_from(known) if known is not None else 0
    if rows and rows >= GROWTH * max(1, learned_from):
        statistics = _learn(writer, rows)
        _write_vectors(writer, statistics, progress)
    table = writer.tables["statements"]
    names = {index.name for index in table.describe_indices()}
    if not rows:
        return
    for column in ("tokens", "names"):
        if f"{column}_idx" not in names:
            table.create_scalar_index(column, "INVERTED", **_FULL_TEXT)
    for column, kind in (("id", "BTREE"), ("project", "BTREE"), ("kind", "BITMAP"), ("form", "BITMAP")):
        if f"{column}_idx" not in names:
            table.create_scalar_index(column, kind)
    if f"{VECTOR}_idx" not in names and rows >= APPROXIMATE and VECTOR in table.schema.names:
        # Quantised to a byte per dimension: built in a fortieth of the time of product quantisation, and so near to
        # the exact order that nothing needs to be compared again.
        table.create_index(VECTOR, "IVF_SQ", metric="l2", num_partitions=max(1, rows // PARTITION))
    table.optimize.optimize_indices()
    edges = writer.tables["edges"]
    if edges.count_rows() and not edges.describe_indices():
        edges.create_scalar_index("cited", "BTREE")
    edges.optimize.optimize_indices()
    writer.changed = True


def _learned_from(terms: Any) -> int:
    """The number of statements that the collection had when its statistics were learned."""
    rows = terms.to_table(filter="view = '' AND term = 'rows'").to_pylist()
    return int(rows[0]["frequency"]) if rows else 0


def _learn(writer: Writer, rows: int) -> TermStatistics:
    """Learn the statistics from a sample, and write them.

    The sample and its order depend on the ids alone, so that the vectors are the same whatever read the projects.
    """
    table = writer.tables["statements"]
    keys = (key for batch in table.to_batches(columns=["id"]) for key in batch["id"].to_pylist())
    chosen = nsmallest(SAMPLE, ((hashed(key), key, row) for row, key in enumerate(keys)))
    texts = table.take(sorted(row for *_, row in chosen), columns=["id", "heading", "text"]).sort_by("id").to_pylist()
    statistics = TermStatistics.of((row["heading"], row["text"]) for row in texts)
    writer.overwrite("terms", statistics_table(statistics, rows))
    return statistics


def statistics_table(statistics: TermStatistics, rows: int) -> pa.Table:
    """Statistics as rows: the terms of each view, those of the vectors with their projections, and two counts."""
    space = statistics.space
    projected = space.vocabularies["tokens"].index if space is not None else {}
    found: dict[str, list[Any]] = {"view": ["", ""], "term": ["size", "rows"], "frequency": [statistics.size, rows]}
    projection: list[Floats | None] = [None, None]
    for view, terms in statistics.frequency.items():
        found["view"] += [view] * len(terms)
        found["term"] += list(terms)
        found["frequency"] += list(terms.values())
        inside = view == "tokens" and space is not None
        projection += [
            space.projection[projected[term]] if inside and space is not None and term in projected else None
            for term in terms
        ]
    return pa.table({**found, "projection": projection}, TERMS)


def read_statistics(terms: Any) -> TermStatistics:
    """The statistics of a collection."""
    rows = terms.to_table()
    views, names, counts = (rows[name].to_pylist() for name in ("view", "term", "frequency"))
    size = 0
    frequency: dict[str, dict[str, int]] = {view: {} for view in VIEWS}
    for view, term, count in zip(views, names, counts, strict=True):
        if view:
            frequency[view][term] = count
        elif term == "size":
            size = count
    return TermStatistics(size, frequency, _space(rows, frequency["tokens"], size))


def _space(rows: pa.Table, frequency: Mapping[str, int], size: int) -> LatentSpace | None:
    column = rows["projection"].combine_chunks()
    chosen = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))
    if not len(chosen):
        return None
    kept = column.take(pa.array(chosen))
    matrix = kept.flatten().to_numpy().reshape(len(chosen), -1)
    terms = rows["term"].take(pa.array(chosen)).to_pylist()
    order = sorted(range(len(terms)), key=terms.__getitem__)
    names = [terms[at] for at in order]
    rarity = np.log((1 + size) / (1 + np.array([frequency[name] for name in names]))).astype(np.float32)
    vocabulary = Vocabulary(dict(zip(names, range(len(names)), strict=True)), rarity)
    return LatentSpace({"tokens": vocabulary}, {"tokens": 1.0}, np.ascontiguousarray(matrix[order], dtype=np.float32))


def _write_vectors(writer: Writer, statistics: TermStatistics, progress: Progress) -> None:
    """Give every statement its vector, in place of older ones."""
    table = writer.tables["statements"]
    if VECTOR in table.schema.names:
        table.drop_columns([VECTOR])
    if statistics.space is None:
        return
    total, done = table.count_rows(), 0

    def vectors(batch: pa.RecordBatch) -> pa.RecordBatch:
        nonlocal done
        done += batch.num_rows
        progress(done, total, "vectors")
        return pa.RecordBatch.from_arrays([_vectors(batch["tokens"], statistics)], [VECTOR])

    field = pa.field(VECTOR, pa.list_(pa.float32(), statistics.space.dimensions))
    make = lance.batch_udf(output_schema=pa.schema([field]))(vectors)
    table.add_columns(make, read_columns=["tokens"], batch_size=_BATCH)
    writer.changed = True


def with_vectors(writer: Writer, rows: pa.Table) -> pa.Table:
    """Rows for the table of statements, with vectors if it has them."""
    if VECTOR not in writer.tables["statements"].schema.names or not rows.num_rows:
        return rows
    statistics = read_statistics(writer.tables["terms"])
    return rows.append_column(VECTOR, _vectors(rows["tokens"], statistics))


def _vectors(tokens: Any, statistics: TermStatistics) -> pa.Array:
    found = statistics.vectors([text.split() for text in tokens.to_pylist()])
    # A text without known terms has no vector: zeros would be nearer to a query than most vectors of length one.
    return pa.FixedSizeListArray.from_arrays(pa.array(found.ravel()), found.shape[1], mask=pa.array(~found.any(axis=1)))
