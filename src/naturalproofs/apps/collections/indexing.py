"""The indexes of a collection: statistics of terms, vectors of statements, and what Lance looks up.

There are two analyses of a text: that of the ranker, for suggestions, and that of search, which is the same as in the
index of a project (`workspace.search.index`). Each has its terms and its vectors.

The statistics are learned once, from a sample, and kept in the table ``terms``. They are learned again when the
collection has become `GROWTH` times as large, and with them all vectors. Statements that are added in between get their
vectors when they are written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from heapq import nsmallest
from typing import Any

import lance
import numpy as np
import pyarrow as pa

from naturalproofs.apps.collections.tables import MEANING, MEANINGS, TERM_SCHEMA, WORDS, Writer
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.candidate_index import SAMPLE, TermStatistics
from naturalproofs.ranking.hybrid.candidates import VIEWS
from naturalproofs.ranking.hybrid.first_stage import hashed
from naturalproofs.ranking.term_vectors import Floats, LatentSpace, Vocabulary, directions
from naturalproofs.workspace.search.documents import BREAK, FIELDS
from naturalproofs.workspace.search.index import DIMENSIONS, FEWEST, Weights, meanings

GROWTH = 4
"""How many times as large a collection must have become before its statistics are learned again."""
APPROXIMATE = 50_000
"""Statements from which on vectors are searched by an approximate index; with fewer, all are compared."""
PARTITION = 2_500
"""Statements in one partition of the approximate index, about."""
VECTOR = "vector"
_FULL_TEXT: dict[str, Any] = {
    "base_tokenizer": "whitespace", "lower_case": False, "stem": False, "remove_stop_words": False,
    "ascii_folding": False, "max_token_length": None,
}  # fmt: skip
"""Terms are indexed as they are: they were made by our own tokeniser and joined by spaces."""
_SCALAR_INDEXES = {"id": "BTREE", "project": "BTREE", "kind": "BITMAP", "form": "BITMAP", "search_keys": "LABEL_LIST"}
_BATCH = 10_000
SEARCHED = [f"search_{name}" for name in FIELDS]
"""The columns with the tokens of search."""


def update_indexes(writer: Writer, progress: Progress = silent, *, rebuild: bool = False) -> None:
    """Bring statistics, vectors and indexes up to date with the statements, or build the indexes again."""
    rows = writer.tables["statements"].count_rows()
    known = writer.tables.get("terms")
    if rows and (known is None or rows >= GROWTH * max(1, _learned_from(known))):
        statistics, sample = _learn(writer, rows)
        dimensions = statistics.space.dimensions if statistics.space is not None else 0
        _write_vectors(writer, VECTOR, ["tokens"], dimensions, progress, lambda rows: _vectors(rows, statistics))
        _learn_meanings(writer, sample, progress)
    if not rows:
        return
    with writer.rows_kept("statements") as table:
        _index_statements(table, rows, rebuild=rebuild)
    for name, column in (("edges", "cited"), ("macros", "project")):
        with writer.rows_kept(name) as other:
            if other.count_rows() and (rebuild or not other.describe_indices()):
                other.create_scalar_index(column, "BTREE")
            other.optimize.optimize_indices()


def _index_statements(table: Any, rows: int, *, rebuild: bool) -> None:
    names = set() if rebuild else {index.name for index in table.describe_indices()}
    for column in ("tokens", "names", "search_formulas", *SEARCHED):
        if f"{column}_idx" not in names:
            # Only what search looks up as a phrase needs positions, but all its fields must be indexed alike.
            table.create_scalar_index(column, "INVERTED", **_FULL_TEXT, with_position=column in SEARCHED)
    for column, kind in _SCALAR_INDEXES.items():
        if f"{column}_idx" not in names:
            table.create_scalar_index(column, kind)
    for column in (VECTOR, MEANING):
        if f"{column}_idx" not in names and rows >= APPROXIMATE and column in table.schema.names:
            # Quantised to a byte per dimension: built in a fortieth of the time of product quantisation, and so near to
            # the exact order that nothing needs to be compared again.
            table.create_index(column, "IVF_SQ", metric="l2", num_partitions=max(1, rows // PARTITION), replace=True)
    table.optimize.optimize_indices()


def _learned_from(terms: Any) -> int:
    """The number of statements that the collection had when its statistics were learned."""
    rows = terms.to_table(filter="view = '' AND term = 'rows'").to_pylist()
    return int(rows[0]["frequency"]) if rows else 0


def _learn(writer: Writer, rows: int) -> tuple[TermStatistics, list[int]]:
    """Learn the statistics from a sample, and write them; also gives the rows of the sample.

    The sample and its order depend on the ids alone, so that the vectors are the same whatever read the projects.
    """
    table = writer.tables["statements"]
    keys = (key for batch in table.to_batches(columns=["id"]) for key in batch["id"].to_pylist())
    chosen = nsmallest(SAMPLE, ((hashed(key), key, row) for row, key in enumerate(keys)))
    sample = sorted(row for *_, row in chosen)
    texts = table.take(sample, columns=["id", "heading", "text"]).sort_by("id").to_pylist()
    statistics = TermStatistics.of((row["heading"], row["text"]) for row in texts)
    writer.overwrite("terms", statistics_table(statistics, rows))
    return statistics, sample


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
    return pa.table({**found, "projection": projection}, TERM_SCHEMA)


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


def _write_vectors(
    writer: Writer,
    name: str,
    columns: list[str],
    dimensions: int,
    progress: Progress,
    compute: Callable[[pa.RecordBatch | pa.Table], pa.Array],
) -> None:
    """Give every statement its vector, computed from some columns, in place of older ones; of no dimension: none."""
    with writer.rows_kept("statements") as table:
        if name in table.schema.names:
            table.drop_columns([name])
        if dimensions:
            _add_vectors(table, name, columns, dimensions, progress, compute)


def _add_vectors(
    table: Any,
    name: str,
    columns: list[str],
    dimensions: int,
    progress: Progress,
    compute: Callable[[pa.RecordBatch | pa.Table], pa.Array],
) -> None:
    total, done = table.count_rows(), 0

    def vectors(batch: pa.RecordBatch) -> pa.RecordBatch:
        nonlocal done
        done += batch.num_rows
        progress(done, total, "vectors")
        return pa.RecordBatch.from_arrays([compute(batch)], [name])

    field = pa.field(name, pa.list_(pa.float32(), dimensions))
    make = lance.batch_udf(output_schema=pa.schema([field]))(vectors)
    table.add_columns(make, read_columns=columns, batch_size=_BATCH)


def with_vectors(writer: Writer, rows: pa.Table) -> pa.Table:
    """Rows for the table of statements, with the vectors that it has."""
    names = writer.tables["statements"].schema.names
    if VECTOR in names and rows.num_rows:
        rows = rows.append_column(VECTOR, _vectors(rows, read_statistics(writer.tables["terms"])))
    if MEANING in names and rows.num_rows:
        terms, vectors = read_meanings(writer.tables[MEANING])
        counts, lengths = read_words(writer.tables["words"])
        size = writer.tables["statements"].count_rows()
        rows = rows.append_column(MEANING, _meanings(rows, Weights(counts, lengths, size, terms), vectors))
    return rows


def _vectors(rows: pa.RecordBatch | pa.Table, statistics: TermStatistics) -> pa.Array:
    return _array(statistics.vectors([text.split() for text in rows["tokens"].to_pylist()]))


def _array(vectors: Floats) -> pa.Array:
    # A text without known terms has no vector: zeros would be nearer to a query than most vectors of length one.
    missing = pa.array(~vectors.any(axis=1))
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1], mask=missing)


# The terms of search: in how many statements each is, how long the fields are, and vectors of terms and statements.


def word_counts(rows: pa.Table) -> pa.Table:
    """In how many statements of each project a term is, and the number of tokens and of texts of each field."""
    counts: dict[str, Counter[str]] = {}
    for project, *fields in zip(*(rows[name].to_pylist() for name in ("project", *SEARCHED)), strict=True):
        found = counts.setdefault(project, Counter())
        found.update({term for tokens in fields for term in tokens.split()} - {BREAK})
        for name, tokens in zip(FIELDS, fields, strict=True):
            if tokens:
                found[f"{_TOKENS}{name}"] += tokens.count(" ") + 1 - tokens.count(BREAK)
                found[f"{_TEXTS}{name}"] += 1
    flat = [(project, term, count) for project, found in counts.items() for term, count in found.items()]
    return (
        pa.Table.from_arrays([pa.array(column) for column in zip(*flat, strict=True)], schema=WORDS)
        if flat
        else (WORDS.empty_table())
    )


def recount(writer: Writer) -> None:
    """Count the terms of all statements."""
    writer.overwrite("words", word_counts(writer.tables["statements"].to_table(columns=["project", *SEARCHED])))


_TOKENS, _TEXTS = f"{BREAK}tokens ", f"{BREAK}texts "
"""What stands for a field among the terms: its tokens, and the statements that have it."""


def read_words(table: Any) -> tuple[dict[str, int], dict[str, float]]:
    """In how many statements each term is, and the mean number of tokens of each field."""
    summed = table.to_table(columns=["term", "count"]).group_by("term").aggregate([("count", "sum")])
    counts = dict(sorted(zip(summed["term"].to_pylist(), summed["count_sum"].to_pylist(), strict=True)))
    lengths = {name: counts.pop(f"{_TOKENS}{name}", 0) / max(counts.pop(f"{_TEXTS}{name}", 0), 1) for name in FIELDS}
    return counts, lengths


def read_meanings(table: Any) -> tuple[list[str], Floats]:
    """Terms and their vectors."""
    rows = table.to_table()
    vectors = rows["vector"].combine_chunks().flatten().to_numpy().reshape(len(rows), -1)
    return rows["term"].to_pylist(), vectors.astype(np.float32)


def _learn_meanings(writer: Writer, sample: list[int], progress: Progress) -> None:
    """Learn the vectors of terms from some rows, and give every statement its own."""
    counts, lengths = read_words(writer.tables["words"])
    table = writer.tables["statements"]
    size, dimensions = table.count_rows(), 0
    if min(size, len(counts)) >= FEWEST:
        weights = Weights(counts, lengths, size, list(counts))
        # In the order of projects, so that the vectors are the same whatever read them.
        rows = table.take(sample, columns=["project", *SEARCHED])
        rows = rows.take(pa.array(np.argsort(np.array(rows["project"].to_pylist(), dtype=object), kind="stable")))
        found = directions(weights.matrix(_fields(rows)), DIMENSIONS, iterations=1)
        writer.overwrite(MEANING, pa.table({"term": list(counts), "vector": list(found)}, MEANINGS))
        dimensions = found.shape[1]
    _write_vectors(writer, MEANING, SEARCHED, dimensions, progress, lambda rows: _meanings(rows, weights, found))


def _meanings(rows: pa.RecordBatch | pa.Table, weights: Weights, vectors: Floats) -> pa.Array:
    return _array(meanings(weights.matrix(_fields(rows)), vectors).astype(np.float32))


def _fields(rows: pa.RecordBatch | pa.Table) -> Iterator[tuple[str, ...]]:
    """The tokens of the fields of each statement."""
    return zip(*(rows[name].to_pylist() for name in SEARCHED), strict=True)
