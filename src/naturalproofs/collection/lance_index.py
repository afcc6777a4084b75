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

from naturalproofs.collection import is_collection
from naturalproofs.collection.indexing import VECTOR, read_statistics, update_indexes, with_vectors
from naturalproofs.collection.read import entry_row
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
from naturalproofs.records import Passage, Place, StatementId

COLUMNS = (
    "id", "project", "kind", "form", "heading", "text", "document", "chapter", "section", "position", "licence",
    "references", "cited", "labelled",
)  # fmt: skip
"""What an entry is made of."""
PROBES = 40
"""Partitions of the approximate index that are searched."""
REFINE = 5
"""How many times as many approximate neighbours are compared exactly."""


class LanceIndex:
    """A collection as an index."""

    def __init__(self, collection: Collection, *, exact: bool = False, terms: int | None = QUERY_TERMS) -> None:
        """Open a collection that has indexes.

        Args:
            collection: The collection.
            exact: Whether a query is compared with all vectors; slow.
            terms: How many terms of a query are looked up; all if None.
        """
        self.collection, self.exact, self.terms = collection, exact, terms

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
        """The best k candidates of each signal, and of these the best k by their sum."""
        terms, tokens, names = query_terms(query, self.statistics, self.terms)
        condition = sql(where)
        found = {
            "bm25": self._words("tokens", tokens, k, condition),
            "title": self._words("names", names, k, condition),
            "vector": self._near(self.statistics.vector(terms["tokens"]), k, condition),
        }
        rows = np.unique(np.concatenate([ids for ids, _ in found.values()]))
        scores = {name: np.zeros(len(rows), dtype=np.float32) for name in found}
        for name, (ids, values) in found.items():
            scores[name][np.searchsorted(rows, ids)] = values
        chosen, first = ordered(scores, k)
        chosen, first = chosen[first > 0], first[first > 0]
        entries = self._take(rows[chosen])
        return FirstStage(tuple(entries), {name: values[chosen] for name, values in scores.items()}, first)

    def find(self, ids: Sequence[StatementId]) -> list[Entry]:
        """The statements with these ids."""
        if not ids:
            return []
        condition = f"id IN ({', '.join(map(quoted, ids))})"
        return entries_of(self.collection.table("statements").to_table(columns=list(COLUMNS), filter=condition))

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
        nearest = {"column": VECTOR, "q": vector, "k": k, "metric": "dot", "nprobes": PROBES, "refine_factor": REFINE}
        if self.exact:
            nearest = {"column": VECTOR, "q": vector, "k": k, "metric": "dot", "use_index": False}
        found = table.to_table(
            columns=["_distance"], nearest=nearest, filter=condition, prefilter=True, with_row_id=True
        )
        # The distance of the metric "dot" is one minus the product.
        rows, distance = _scored(found, "_distance")
        return rows, np.maximum(1 - distance, 0)

    def _take(self, rows: Any) -> list[Entry]:
        """The entries of some rows, in this order."""
        if not len(rows):
            return []
        table = self.collection.table("statements")
        condition = f"_rowid IN ({', '.join(map(str, rows.tolist()))})"
        found = table.to_table(columns=list(COLUMNS), filter=condition, with_row_id=True)
        place = {row: at for at, row in enumerate(found["_rowid"].to_pylist())}
        return entries_of(found.take([place[row] for row in rows.tolist()]))


def entries_of(rows: pa.Table) -> list[Entry]:
    """Entries from rows of the table of statements."""
    return [
        Entry(
            Passage(
                row["id"], row["kind"], row["heading"] or "", row["text"] or "", tuple(row["references"] or ()),
                Place(row["document"] or "", row["chapter"] or "", row["section"] or "", row["position"])
                if row["position"] is not None else None,
                row["form"] or "", row["labelled"],
            ),
            row["project"] or "", row["licence"] or "", tuple(row["cited"] or ()),
        )
        for row in rows.to_pylist()
    ]  # fmt: skip


def sql(where: Where) -> str | None:
    """A filter as a condition in SQL."""
    parts = []
    if where.kinds:
        parts.append(f"(kind IN ({_list(where.kinds)}) OR form IN ({_list(where.kinds)}))")
    for column, values in (("project", where.projects), ("licence", where.licences)):
        if values:
            parts.append(f"{column} IN ({_list(values)})")
    if where.excluded:
        parts.append(f"id NOT IN ({_list(where.excluded)})")
    return " AND ".join(parts) or None


def _list(values: Iterable[str]) -> str:
    return ", ".join(quoted(value) for value in sorted(values))


def _row(entry: Entry) -> dict[str, Any]:
    return entry_row(entry) | {"title": entry.passage.title, "proofs": int(bool(entry.cited))}


def _committed(address: str | Path) -> Collection:
    with writing(address) as writer:
        writer.commit()
    return Collection.open(address)


def _scored(found: pa.Table, column: str) -> tuple[Any, Floats]:
    return found["_rowid"].to_numpy(), found[column].to_numpy().astype(np.float32)


def _nothing() -> tuple[Any, Floats]:
    return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.float32)
