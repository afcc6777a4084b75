"""The indexes of a collection: statistics of terms, vectors of statements, and what Lance looks up.

There are two analyses of a text: that of the ranker, for suggestions, and that of search, which is the same as in the
index of a project (`workspace.search.index`). Each has its terms and its vectors.

Terms are counted in all statements, and vectors learned from a sample; both are kept in the table ``terms``. They are
learned again when the collection has become `GROWTH` times as large, and with them all vectors. Statements that are
added in between get their vectors when they are written.

Indexes have parts, each of a shard of the table, which workers build and the writer commits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import starmap
from typing import Any, TypeAlias

import lance
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from naturalproofs.apps.collections.tables import (
    MEANING,
    MEANINGS,
    RECORD,
    TERM_SCHEMA,
    TERMS,
    WORDS,
    Collection,
    Writer,
    rows_of,
)
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.candidate_index import SAMPLE, TermStatistics, count_terms, latent_space
from naturalproofs.ranking.hybrid.candidates import VIEWS
from naturalproofs.ranking.hybrid.first_stage import hashed
from naturalproofs.ranking.term_vectors import Floats, LatentSpace, Vocabulary, directions
from naturalproofs.workspace.search.documents import BREAK, FIELDS
from naturalproofs.workspace.search.index import COMMON_GRAM, DIMENSIONS, FEWEST, Weights, meanings

GROWTH = 4
"""How many times as large a collection must have become before its statistics are learned again."""
APPROXIMATE = 50_000
"""Statements from which on vectors are searched by an approximate index; with fewer, all are compared."""
PARTITION = 2_500
"""Statements in one partition of the approximate index, about."""
JOINED = 10
"""Parts of an index, of one update each, that are joined."""
SHARD = 1_000_000
"""Statements whose indexes are built together, about."""
VECTOR = "vector"
_FULL_TEXT: dict[str, Any] = {
    "base_tokenizer": "whitespace", "lower_case": False, "stem": False, "remove_stop_words": False,
    "ascii_folding": False, "max_token_length": None,
}  # fmt: skip
"""Terms are indexed as they are: they were made by our own tokeniser and joined by spaces."""
_STATEMENT_INDEXES = {
    **dict.fromkeys(("tokens", "names", "search_formulas", "search_seen", "search_words"), "INVERTED"),
    "id": "BTREE", "project": "BTREE", "search_keys": "LABEL_LIST",
}  # fmt: skip
_BATCH, _COUNTED = 10_000, 50_000
"""Statements whose vectors are computed, and whose terms are counted, at once."""
Spread: TypeAlias = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterable[Any]]
"""Applies a function to many arguments, as `itertools.starmap` does in this process, in the order of these."""


def update_indexes(
    writer: Writer, progress: Progress = silent, *, rebuild: bool = False, spread: Spread = starmap
) -> None:
    """Bring statistics, vectors and indexes up to date with the statements, or build the indexes again.

    Args:
        writer: The collection.
        progress: Called while vectors are computed.
        rebuild: Whether all indexes are built again.
        spread: Applies a function to arguments; where the parts of an index are built.
    """
    rows = writer.tables["statements"].count_rows()
    if not rows:
        return
    known = writer.tables.get(TERMS)
    if known is None or rows >= GROWTH * max(1, _size(known.to_table(filter="view = ''"))):
        statistics, sample = _learn(writer)
        dimensions = statistics.space.dimensions if statistics.space is not None else 0
        _write_vectors(writer, VECTOR, ["tokens"], dimensions, progress, lambda rows: _vectors(rows, statistics))
        _learn_meanings(writer, sample, progress)
    vectors = [name for name in (VECTOR, MEANING) if name in writer.tables["statements"].schema.names]
    kinds = _STATEMENT_INDEXES | (dict.fromkeys(vectors, "IVF_SQ") if rows >= APPROXIMATE else {})
    for name, wanted in (("statements", kinds), ("edges", {"cited": "BTREE"}), ("macros", {"project": "BTREE"})):
        with writer.rows_kept(name):
            if writer.tables[name].count_rows():
                writer.tables[name] = _indexed(writer.tables[name], wanted, spread, rebuild=rebuild)


def _indexed(table: Any, wanted: Mapping[str, str], spread: Spread, *, rebuild: bool) -> Any:
    """The table with indexes; each of its shards is indexed by one worker, and all answer as one."""
    names = set() if rebuild else {index.name for index in table.describe_indices()}
    missing = [column for column in wanted if f"{column}_idx" not in names]
    parts = shards([(one.fragment_id, one.count_rows()) for one in table.get_fragments()])
    tasks = [(table.uri, table.version, column, wanted[column], part) for column in missing for part in parts]
    built = list(spread(index_part, tasks))
    for number, column in enumerate(missing):
        some = built[number * len(parts) : (number + 1) * len(parts)]
        table = table.commit_existing_index_segments(f"{column}_idx", column, some)
    if len(missing) < len(wanted):
        # New rows get a part of their own; only such small parts are joined, so that an update costs what it adds.
        small = max(len(index.segments) for index in table.describe_indices()) - len(parts)
        table.optimize.optimize_indices(num_indices_to_merge=JOINED if small >= JOINED else 0)
    return table


def shards(fragments: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Fragments in groups of about `SHARD` rows, at least one group.

    Args:
        fragments: Their numbers, and how many rows they have.
    """
    found: dict[int, list[int]] = {}
    before = 0
    for number, rows in fragments:
        found.setdefault(before // SHARD, []).append(number)
        before += rows
    return list(found.values())


def index_part(uri: str, version: int, column: str, kind: str, fragments: list[int]) -> Any:
    """Build the index of some fragments, which no version of the table has yet."""
    table, options = lance.dataset(uri, version=version), dict[str, Any]()
    if kind == "INVERTED":
        options = _FULL_TEXT | {"with_position": column == "search_seen"}  # Where phrases are looked up.
    if kind == "IVF_SQ":
        # Quantised to a byte per dimension: built in a fortieth of the time of product quantisation, and so near to
        # the exact order that nothing needs to be compared again.
        rows = sum(table.get_fragment(number).count_rows() for number in fragments)
        options = {"metric": "l2", "num_partitions": max(1, rows // PARTITION)}
    return table.create_index_uncommitted(
        column, kind, name=f"{column}_idx", fragment_ids=fragments, replace=True, **options
    )


def probes(rows: int, most: int) -> int:
    """How many partitions of each shard are searched, of ``most`` in a table of one shard.

    In all shards together they grow as the root of the table, so that neither their share nor the time stays the same.
    """
    return max(1, round(most / math.sqrt(max(1.0, rows / SHARD))))


def _size(terms: pa.Table) -> int:
    """The number of statements that the collection had when its statistics were learned."""
    found: int = terms.filter(pc.equal(terms["view"], ""))["frequency"][0].as_py()
    return found


def _learn(writer: Writer) -> tuple[TermStatistics, list[int]]:
    """Count the terms of all statements, learn vectors from a sample, and write both; also gives the sample's rows.

    The sample and its order depend on the ids alone, so that the vectors are the same whatever read the projects.
    """
    table = writer.tables["statements"]
    keys = (key for batch in table.to_batches(columns=["id"]) for key in batch["id"].to_pylist())
    chosen = nsmallest(SAMPLE, ((hashed(key), key, row) for row, key in enumerate(keys)))
    sample = sorted(row for *_, row in chosen)
    rows = table.take(sample, columns=["id", "tokens", "search_formulas"]).sort_by("id")
    batches = table.to_batches(columns=[RECORD], batch_size=_COUNTED)
    size, frequency = count_terms([row.terms for row in rows_of(batch)] for batch in batches)
    texts, formulas = rows["tokens"].to_pylist(), rows["search_formulas"].to_pylist()
    statistics = TermStatistics(size, frequency, latent_space([text.split() for text in texts]))
    counts = Counter(gram for grams in formulas for gram in grams.split())
    # What is known of a sample is known with some error: a gram that is nearly as common is looked up.
    least = 1.5 * COMMON_GRAM * len(rows) / size
    common = [{"view": _COMMON, "hash": int(gram, 16)} for gram, count in counts.items() if count > least]
    writer.overwrite(TERMS, pa.concat_tables([statistics_table(statistics), pa.Table.from_pylist(common, TERM_SCHEMA)]))
    return statistics, sample


def statistics_table(statistics: TermStatistics) -> pa.Table:
    """Statistics as rows: the number of statements, the terms of each view, and those of the vectors."""
    parts = [pa.table({"view": [""], "hash": [0], "frequency": [statistics.size]})]
    for view, (hashes, seen) in statistics.frequency.items():
        parts.append(pa.table({"view": [view] * len(hashes), "hash": hashes, "frequency": seen.astype(np.int64)}))
    if statistics.space is not None:
        terms = statistics.space.vocabularies["tokens"]
        columns = {"term": list(terms.index), "rarity": terms.rarity, "projection": list(statistics.space.projection)}
        parts.append(pa.table({"view": ["vector"] * len(terms.index)} | columns))
    return pa.concat_tables(
        pa.table({one.name: part[one.name] if one.name in part.column_names else pa.nulls(len(part), one.type)
                  for one in TERM_SCHEMA}).cast(TERM_SCHEMA) for part in parts
    )  # fmt: skip


_COMMON = "gram"
"""The view of n-grams of formulas that many statements have."""


def common_grams(terms: Any) -> frozenset[int]:
    """The n-grams that are too common to be looked up."""
    return frozenset(terms.to_table(columns=["hash"], filter=f"view = '{_COMMON}'")["hash"].to_pylist())


def read_statistics(terms: Any) -> TermStatistics:
    """The statistics of a collection."""
    rows = terms.to_table()
    frequency = {}
    for view in VIEWS:
        found = rows.filter(pc.equal(rows["view"], view))
        frequency[view] = found["hash"].to_numpy(), found["frequency"].to_numpy().astype(np.float32)
    learned, space = rows.filter(pc.equal(rows["view"], "vector")), None
    if len(learned):
        names = learned["term"].to_pylist()
        matrix = learned["projection"].combine_chunks().flatten().to_numpy().reshape(len(names), -1)
        vocabulary = Vocabulary(dict(zip(names, range(len(names)), strict=True)), learned["rarity"].to_numpy())
        space = LatentSpace({"tokens": vocabulary}, {"tokens": 1.0}, matrix)
    return TermStatistics(_size(rows), frequency, space)


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
        if not dimensions:
            return
        total, done = table.count_rows(), 0

        @lance.batch_udf(output_schema=pa.schema([pa.field(name, pa.list_(pa.float32(), dimensions))]))  # type: ignore[untyped-decorator]
        def vectors(batch: pa.RecordBatch) -> pa.RecordBatch:
            nonlocal done
            done += batch.num_rows
            progress(done, total, "vectors")
            return pa.RecordBatch.from_arrays([compute(batch)], [name])

        table.add_columns(vectors, read_columns=columns, batch_size=_BATCH)


def with_vectors(collection: Collection, rows: pa.Table) -> pa.Table:
    """Rows for the table of statements, with the vectors that it has."""
    names = collection.table("statements").schema.names
    if VECTOR in names and rows.num_rows:
        rows = rows.append_column(VECTOR, _vectors(rows, read_statistics(collection.table(TERMS))))
    if MEANING in names and rows.num_rows:
        terms, vectors = read_meanings(collection.table(MEANING))
        counts, lengths = read_words(collection.table("words"))
        size = collection.count()
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
    for row in rows_of(rows):
        found = counts.setdefault(row.project, Counter())
        found.update({term for tokens in row.searched for term in tokens.split()} - {BREAK})
        for name, tokens in zip(FIELDS, row.searched, strict=True):
            if tokens:
                found[f"{_TOKENS}{name}"] += tokens.count(" ") + 1 - tokens.count(BREAK)
                found[f"{_TEXTS}{name}"] += 1
    flat = ({"project": name, "term": term, "count": n} for name, found in counts.items() for term, n in found.items())
    return pa.Table.from_pylist(list(flat), WORDS)


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
        rows = sorted(rows_of(table.take(sample, columns=[RECORD])), key=lambda row: row.project)
        found = directions(weights.matrix(row.searched for row in rows), DIMENSIONS, iterations=1)
        writer.overwrite(MEANING, pa.table({"term": list(counts), "vector": list(found)}, MEANINGS))
        dimensions = found.shape[1]
    _write_vectors(writer, MEANING, [RECORD], dimensions, progress, lambda rows: _meanings(rows, weights, found))


def _meanings(rows: pa.RecordBatch | pa.Table, weights: Weights, vectors: Floats) -> pa.Array:
    return _array(meanings(weights.matrix(row.searched for row in rows_of(rows)), vectors).astype(np.float32))
