"""The search index of a collection: the same questions as to the index of a project, answered by Lance."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection as AnyCollection
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from lance.query import BooleanQuery, FullTextOperator, FullTextQuery, MatchQuery, Occur, PhraseQuery

from naturalproofs.apps.collections.indexing import common_grams, probes, read_meanings, read_words
from naturalproofs.apps.collections.papers import facet_keys
from naturalproofs.apps.collections.tables import MEANING, TERMS, Collection, Row, quoted, within
from naturalproofs.records import KINDS, Kind, Statement
from naturalproofs.workspace.search.index import COMMON_GRAM, Filter, StatementIndex

DEEPER = 1.25
"""How many times as many candidates are taken as are asked for: copies of one text stand in several projects."""
COPIES = 3
"""Statements with the same text that are kept."""
MOST_COUNTED = 100_000
"""Statements that have the rarest word of a query, at most, for those with every word to be counted."""
MOST_COPIES = 100
"""How many times as many candidates are looked through for different texts, at most."""
PROBES = 64
"""Partitions of the approximate index of a shard that are searched."""


@dataclass(frozen=True, eq=False)
class CollectionSearch(StatementIndex):
    """The statements of a collection; their positions are the numbers of their rows."""

    collection: Collection
    _common: AnyCollection[int] = ()
    """N-grams of formulas that so many statements have that they are not looked up."""
    _rows: dict[int, Row] = field(default_factory=dict, repr=False, kw_only=True)
    """Rows that were read."""
    several: ClassVar[bool] = True

    @classmethod
    def open(cls, collection: Collection) -> CollectionSearch:
        """Read the terms of a collection."""
        counts, lengths = read_words(collection.table("words"))
        vectors: dict[str, bytes] = {}
        if MEANING in collection.versions.tables:
            terms, found = read_meanings(collection.table(MEANING))
            vectors = dict(zip(terms, (row.tobytes() for row in found.astype(np.float16)), strict=True))
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        connection.execute("CREATE TABLE term (term TEXT PRIMARY KEY, reversed TEXT, documents INTEGER, vector BLOB)")
        rows = ((term, term[::-1], count, vectors.get(term)) for term, count in counts.items())
        connection.executemany("INSERT INTO term VALUES (?, ?, ?, ?)", rows)
        connection.execute("CREATE INDEX term_reversed ON term (reversed)")
        return cls(connection, lengths, collection, common_grams(collection.table(TERMS)))

    @property
    def name(self) -> str:
        """The address."""
        return self.collection.address

    @cached_property
    def size(self) -> int:
        """How many statements there are."""
        return self.collection.count()

    def statement(self, position: int) -> Statement:
        """A statement by the number of its row."""
        return self._row(position).statement()

    def kind_of(self, position: int) -> Kind:
        """The kind of a statement."""
        return self._row(position).kind

    def corpus_of(self, position: int) -> str:
        """The project of a statement."""
        return self._row(position).project

    def _row(self, position: int) -> Row:
        return self._read([position])[position]

    def _read(self, positions: AnyCollection[int]) -> dict[int, Row]:
        """The records of some rows; recent ones are kept, and other threads may drop them meanwhile."""
        found = {position: row for position in positions if (row := self._rows.get(position))}
        if missing := [position for position in positions if position not in found]:
            found |= self.collection.rows(within("_rowid", missing))
            if len(self._rows) > MOST_ROWS:
                self._rows.clear()
            self._rows.update(found)
        return found

    def passing(self, filters: Filter) -> list[int]:
        """The statements that pass a filter, in order of their rows."""
        allowed = np.sort(self._numbers(None, self._condition(filters)))
        for phrase in filters.phrases:
            allowed = np.intersect1d(allowed, self._numbers(_phrase(phrase)))
        for phrase in filters.excluded:
            allowed = np.setdiff1d(allowed, self._numbers(_phrase(phrase)))
        positions: list[int] = allowed.tolist()
        return positions

    def _numbers(self, query: FullTextQuery | None, condition: str | None = None, limit: int | None = None) -> Any:
        """The numbers of rows that match, the best first."""
        if not self.size:
            return np.zeros(0, dtype=np.uint64)
        asked = {"full_text_query": query, "prefilter": True} if query is not None else {}
        columns = ["_score"] if query is not None else []
        return self.collection.read(columns, condition, limit=limit, **asked)["_rowid"].to_numpy()

    def _condition(self, filters: Filter) -> str | None:
        condition = _condition(filters)
        if filters.projects and not len(self._numbers(None, _condition(Filter(projects=filters.projects)), 1)):
            return _condition(filters, exact=False)
        return condition

    def _matched(self, query: FullTextQuery, filters: Filter, limit: int | None) -> Any:
        condition = self._condition(filters)
        if not filters.phrases and not filters.excluded:
            return self._numbers(query, condition, limit)
        found = self._numbers(query, condition)
        return found[np.isin(found, np.array(self.passing(filters), dtype=np.uint64))][:limit]

    def matching(self, words: Sequence[AnyCollection[str]], filters: Filter, limit: int, *, every: bool) -> list[int]:
        """The best statements by Lance's BM25 over all fields; copies of one text do not crowd out others."""
        query, asked = _having(words) if every else _any(words), int(DEEPER * limit)
        while not isinstance(query, BooleanQuery):
            found = self._matched(query, filters, asked)
            kept, texts = self._apart(found.tolist(), limit)
            if texts >= limit or len(found) < asked or asked >= MOST_COPIES * limit:
                return kept
            asked *= 2
        return []  # Lance would look at all that match; those with some of the words are found much faster.

    def _apart(self, numbers: Sequence[int], most: int) -> tuple[list[int], int]:
        """The statements of the first texts, at most so many of these and a few with the same text; and how many."""
        rows = self._read(numbers)
        counts: Counter[int] = Counter()
        kept = []
        for number in numbers:
            text = rows[number].fingerprint
            if text in counts or len(counts) < most:
                counts[text] += 1
                if counts[text] <= COPIES:
                    kept.append(number)
        return kept, len(counts)

    def having(self, words: Sequence[AnyCollection[str]], filters: Filter) -> Counter[str]:
        """How many statements of each kind have every word."""
        query, counts = _having(words), self.document_counts([term for terms in words for term in terms])
        least = min(sum(counts.get(term, 0) for term in terms) for terms in words)
        if least > MOST_COUNTED and isinstance(query, BooleanQuery):
            return Counter()
        return self._count(self._matched(query, filters, None))

    def count_kinds(self, positions: Iterable[int]) -> Counter[str]:
        """How many of the statements are of each kind."""
        return self._count(np.fromiter(positions, dtype=np.uint64))

    def _count(self, positions: Any) -> Counter[str]:
        numbers, kinds = self._kinds
        counts = np.bincount(kinds[np.searchsorted(numbers, positions)], minlength=len(KINDS)).tolist()
        return +Counter(dict(zip(KINDS, counts, strict=True)))

    @cached_property
    def _kinds(self) -> tuple[Any, Any]:
        """The numbers of all rows in order, and the kind of each by its number."""
        found = self.collection.read(["kind"]).sort_by("_rowid")
        return found["_rowid"].to_numpy(), pa.compute.index_in(found["kind"], pa.array(KINDS)).to_numpy()

    def with_grams(self, grams: AnyCollection[int]) -> list[list[int]]:
        """The statements of each n-gram that few have; the common ones are known without looking them up."""
        return super().with_grams([gram for gram in grams if gram not in self._common] or grams)

    def _with_gram(self, gram: int) -> list[int]:
        return list(map(int, self._numbers(MatchQuery(f"{gram:x}", "search_formulas"), None, COMMON_GRAM)))

    def fields(self, positions: AnyCollection[int]) -> list[tuple[Any, ...]]:
        """Position, number of users, number of grams and the tokens of each field of some statements."""
        return [(number, row.used, row.grams, *row.searched) for number, row in self._read(positions).items()]

    def nearest(self, weights: Mapping[str, float], pool: AnyCollection[int], count: int) -> dict[int, float]:
        """The cosines of a pool and of the nearest other statements."""
        place = self.meaning(weights) if MEANING in self.collection.table("statements").schema.names else None
        if place is None:
            return {}
        nearest = {"column": MEANING, "q": place, "k": count, "metric": "l2", "nprobes": probes(self.size, PROBES)}
        near = self.collection.read(["_distance"], nearest=nearest)
        rest = self.collection.read([MEANING], f"{MEANING} IS NOT NULL AND {within('_rowid', pool)}")
        vectors = rest[MEANING].combine_chunks().flatten().to_numpy().reshape(-1, len(place))
        # The squared distance of vectors of length one is two minus twice their product.
        found = dict(zip(near["_rowid"].to_pylist(), (1 - near["_distance"].to_numpy() / 2).tolist(), strict=True))
        return found | dict(zip(rest["_rowid"].to_pylist(), (vectors @ place).tolist(), strict=True))

    def labels_with(self, text: str, limit: int) -> list[str]:
        """The shortest labels that contain a text."""
        condition = f"contains(lower(label), {quoted(text.casefold())})"
        found = self.collection.read(["label"], condition, limit=MOST_LABELS)["label"].to_pylist()
        return sorted({label.casefold() for label in found}, key=len)[:limit]

    def _holding(self, term: str, limit: int) -> list[int]:
        return list(map(int, self._numbers(MatchQuery(term, _SEEN), None, limit)))

    def _names(self, names: Sequence[str], fields: AnyCollection[str], limit: int) -> list[tuple[int, str, str]]:
        wanted = {f"{field}:{name}": (field, name) for field in fields for name in names}
        if not wanted:
            return []
        condition = f"array_has_any(search_keys, [{', '.join(map(quoted, wanted))}])"
        found = self.collection.read(["search_keys"], condition, limit=limit)
        known = self._read(found["_rowid"].to_pylist())
        rows = [
            (number, *wanted[key])
            for number, keys in zip(found["_rowid"].to_pylist(), found["search_keys"].to_pylist(), strict=True)
            for key in keys
            if key in wanted
        ]
        return sorted(rows, key=lambda row: (-known[row[0]].used, row[0]))[:limit]


MOST_ROWS = 20_000
"""Rows that are kept."""
MOST_LABELS = 1_000
"""Labels among which the shortest are looked for."""


_SEEN, _WORDS = "search_seen", "search_words"


def _any(words: Iterable[AnyCollection[str]]) -> FullTextQuery:
    """Statements that have one of some words, in any field."""
    return MatchQuery(" ".join(term for terms in words for term in terms), _WORDS)


def _having(words: Sequence[AnyCollection[str]]) -> FullTextQuery:
    """Statements that have every word, in any field."""
    alone = " ".join(term for terms in words if len(terms) == 1 for term in terms)
    parts: list[FullTextQuery] = [MatchQuery(alone, _WORDS, operator=FullTextOperator.AND)] if alone else []
    parts += [_any([terms]) for terms in words if len(terms) != 1]
    return parts[0] if len(parts) == 1 else BooleanQuery([(Occur.MUST, part) for part in parts])


def _phrase(phrase: Sequence[str]) -> FullTextQuery:
    """Statements in which words stand side by side."""
    return PhraseQuery(" ".join(phrase), _SEEN)


def _condition(filters: Filter, *, exact: bool = True) -> str | None:
    """What SQL can tell: kinds, chapters, categories and projects, by their exact names or parts of them."""
    parts = []
    for facet, wanted in filters.facets():
        if facet == "kind":
            listed = ", ".join(quoted(f"kind:{form}") for name in wanted for form in (name, name.removesuffix("s")))
            parts.append(f"array_has_any(search_keys, [{listed}])")
        else:
            tests = (f"contains(search_{facet}, {quoted(name)})" for name in wanted)
            parts.append(f"({' OR '.join(tests)})")
    if keys := [key for field, value in filters.about for key in facet_keys(field, value)]:
        parts.append(f"array_has_all(search_keys, [{', '.join(map(quoted, keys))}])")
    if filters.projects:
        listed = ", ".join(quoted(name.casefold()) for name in filters.projects)
        tests = (f"contains(lower(project), {quoted(name.casefold())})" for name in filters.projects)
        parts.append(f"lower(project) IN ({listed})" if exact else f"({' OR '.join(tests)})")
    return " AND ".join(parts) or None
