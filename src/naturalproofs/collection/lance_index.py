"""The first stage from a collection: BM25 and vectors by Lance, filters in SQL, the tables on disk or elsewhere."""

from __future__ import annotations

from collections.abc import Collection as AnyCollection
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from lance.query import MatchQuery
from numpy.typing import NDArray

from naturalproofs.collection import is_collection
from naturalproofs.collection.indexing import VECTOR, read_statistics, update_indexes, with_vectors
from naturalproofs.collection.read import entry_row
from naturalproofs.collection.rows import RECORD, Row, rows_of
from naturalproofs.collection.schemas import STATEMENTS
from naturalproofs.collection.tables import Collection, quoted, writing
from naturalproofs.ranking.candidate_index import (
    ANYTHING,
    QUERY_TERMS,
    Entry,
    FirstStage,
    TermStatistics,
    Where,
    ordered,
    query_terms,
)
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage, StatementId

PROBES = 128
"""Partitions of the approximate index that are searched."""
LABELLED = 500
"""Rows that are read to find out which statement a label means."""
DEEPER = 2
"""How many times as many candidates each signal gives as are wanted: the best sums are not the best of each signal."""


class LanceIndex:
    """A collection as an index."""

    def __init__(self, collection: Collection, *, terms: int | None = QUERY_TERMS) -> None:
        """Open a collection that has indexes.

        Args:
            collection: The collection.
            terms: How many terms of a query are looked up; all if None.
        """
        self.collection, self.terms = collection, terms

    @classmethod
    def build(cls, address: str | Path, entries: Sequence[Entry]) -> LanceIndex:
        """A new collection of entries; `collect` makes one of projects."""
        if is_collection(address):
            with writing(address) as writer:
                writer.overwrite("statements", STATEMENTS.empty_table())
                writer.commit()
        index = cls(_committed(address))
        index.add(entries)
        return index

    @cached_property
    def statistics(self) -> TermStatistics:
        """What is known about terms."""
        if "terms" not in self.collection.versions.tables:
            return TermStatistics.of(())
        return read_statistics(self.collection.table("terms"))

    def __len__(self) -> int:
        """The number of statements."""
        return self.collection.count()

    def add(self, entries: Sequence[Entry]) -> None:
        """Add or replace statements, and bring the indexes up to date."""
        rows = pa.Table.from_pylist([_row(entry) for entry in entries], STATEMENTS)
        with writing(self.collection.address) as writer:
            writer.delete("statements", "id", [entry.passage.id for entry in entries])
            writer.append("statements", with_vectors(writer, rows))
            update_indexes(writer)
            writer.commit()
        self._reopen()

    def remove(self, ids: AnyCollection[StatementId]) -> None:
        """Remove statements."""
        with writing(self.collection.address) as writer:
            writer.delete("statements", "id", list(ids))
            writer.commit()
        self._reopen()

    def _reopen(self) -> None:
        self.collection = Collection.open(self.collection.address)
        self.__dict__.pop("statistics", None)

    def query(self, query: Passage, *, k: int, where: Where = ANYTHING) -> FirstStage:
        """The best candidates of each signal, and of these the best k by their sum."""
        rows, scores, first = self.ranked(query, k=k, where=where)
        return FirstStage(tuple(row.entry() for row in self.take(rows)), scores, first)

    def ranked(
        self, query: Passage, *, k: int, where: Where = ANYTHING
    ) -> tuple[NDArray[np.uint64], dict[str, Floats], Floats]:
        """The same as numbers of rows, with the scores of each signal and the sums."""
        terms, tokens, names = query_terms(query, self.statistics, self.terms)
        condition, excluded = sql(where), self._numbers(where.excluded)
        depth = DEEPER * k + len(excluded)
        found = {
            "bm25": self._words("tokens", tokens, depth, condition),
            "title": self._words("names", names, depth, condition),
            "vector": self._near(self.statistics.vector(terms["tokens"]), depth, condition),
        }
        rows = np.unique(np.concatenate([ids for ids, _ in found.values()]))
        scores = {}
        for name, (ids, values) in found.items():
            # What a signal has not found scores less than all that it has found, and more than nothing.
            rest = values.min() / 2 if len(values) >= depth else 0
            scores[name] = np.full(len(rows), rest, dtype=np.float32)
            scores[name][np.searchsorted(rows, ids)] = values
        kept = ~np.isin(rows, excluded)
        rows, scores = rows[kept], {name: values[kept] for name, values in scores.items()}
        chosen, first = ordered(scores, k)
        chosen, first = chosen[first > 0], first[first > 0]
        return rows[chosen], {name: values[chosen] for name, values in scores.items()}, first

    def _numbers(self, ids: AnyCollection[StatementId]) -> NDArray[np.uint64]:
        """The numbers of the rows with these ids; a condition on ids would be checked for every row of the table."""
        if not ids:
            return np.zeros(0, dtype=np.uint64)
        table = self.collection.table("statements")
        found = table.to_table(columns=[], filter=f"id IN ({_list(ids)})", with_row_id=True)
        return np.asarray(found["_rowid"].to_numpy(), dtype=np.uint64)

    def find(self, ids: Sequence[StatementId]) -> list[Entry]:
        """The statements with these ids."""
        return [row.entry() for row in self.rows(ids)]

    def rows(self, ids: AnyCollection[StatementId]) -> list[Row]:
        """The rows with these ids, in any order."""
        if not ids:
            return []
        table = self.collection.table("statements")
        return rows_of(table.to_table(columns=[RECORD], filter=f"id IN ({_list(ids)})"))

    def labelled(self, labels: AnyCollection[str], where: Where = ANYTHING) -> list[Row]:
        """The rows with these labels, some hundred at most, in any order."""
        if not labels:
            return []
        condition = " AND ".join(filter(None, (f"label IN ({_list(labels)})", sql(where))))
        table = self.collection.table("statements")
        return rows_of(table.to_table(columns=[RECORD], filter=condition, limit=LABELLED))

    def _words(self, column: str, terms: Sequence[str], k: int, condition: str | None) -> tuple[Any, Floats]:
        if not terms or not len(self):
            return _nothing()
        return _scored(
            self.collection.table("statements").to_table(
                columns=["_score"],
                full_text_query=MatchQuery(" ".join(terms), column),
                filter=condition,
                prefilter=True,
                limit=k,
                with_row_id=True,
            ),
            "_score",
        )

    def _near(self, vector: Floats, k: int, condition: str | None) -> tuple[Any, Floats]:
        table = self.collection.table("statements")
        if VECTOR not in table.schema.names or not vector.any():
            return _nothing()
        nearest = {"column": VECTOR, "q": vector, "k": k, "metric": "l2", "nprobes": PROBES}
        found = table.to_table(
            columns=["_distance"], nearest=nearest, filter=condition, prefilter=True, with_row_id=True
        )
        # The squared distance of vectors of length one is two minus twice their product. Lance has a metric "dot" too,
        # which takes four times as long on bytes.
        rows, distance = _scored(found, "_distance")
        return rows, np.maximum(1 - distance / 2, 0)

    def take(self, numbers: NDArray[np.uint64]) -> list[Row]:
        """The rows with these numbers, in this order."""
        if not len(numbers):
            return []
        condition = f"_rowid IN ({', '.join(map(str, numbers.tolist()))})"
        table = self.collection.table("statements")
        found = table.to_table(columns=[RECORD], filter=condition, with_row_id=True)
        by_number = dict(zip(found["_rowid"].to_pylist(), rows_of(found), strict=True))
        return [by_number[number] for number in numbers.tolist()]


def sql(where: Where) -> str | None:
    """A filter as a condition in SQL, without what it excludes."""
    parts = []
    if where.kinds:
        parts.append(f"(kind IN ({_list(where.kinds)}) OR form IN ({_list(where.kinds)}))")
    for column, values in (("project", where.projects), ("licence", where.licences)):
        if values:
            parts.append(f"{column} IN ({_list(values)})")
    return " AND ".join(parts) or None


def _list(values: Iterable[str]) -> str:
    return ", ".join(quoted(value) for value in sorted(values))


def _row(entry: Entry) -> dict[str, Any]:
    return entry_row(entry, title=entry.passage.title, proofs=int(bool(entry.cited)))


def _committed(address: str | Path) -> Collection:
    with writing(address) as writer:
        writer.commit()
    return Collection.open(address)


def _scored(found: pa.Table, column: str) -> tuple[Any, Floats]:
    return found["_rowid"].to_numpy(), found[column].to_numpy().astype(np.float32)


def _nothing() -> tuple[Any, Floats]:
    return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.float32)
