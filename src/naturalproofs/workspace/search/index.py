"""The search index of one corpus: an SQLite database with FTS5 tables, built once and opened read-only."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import NaturalProofsError, NotAnIndex
from naturalproofs.io.files import replaced_folder
from naturalproofs.latex.macros.macro import Macro
from naturalproofs.records import KINDS, Statement
from naturalproofs.workspace.search.database import COLUMNS, check, fill, vectors_possible
from naturalproofs.workspace.search.documents import FIELDS, PHRASE_FIELDS, body_text, notes_text, title_text
from naturalproofs.workspace.search.text import near, one_edit, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from naturalproofs.ranking.term_vectors import Floats

DATABASE = "search.sqlite"
MAX_ALTERNATIVES = 30
"""Words of the corpus that are tried for one that is unfinished or misspelt."""
SHORTEST_CORRECTED, LONGEST_CORRECTED = 4, 24
"""Lengths of words whose spelling is corrected; a shorter word is near too many others."""
SHORTEST_TWICE_WRONG = 7
"""The length from which a word may have two mistakes."""
MAX_REMEMBERED = 500
"""Corrections that are kept."""
MAX_COMPARED = 600
"""Terms that are compared with a word with two mistakes, the most frequent first."""
_NEIGHBOURS = """
    SELECT term, documents FROM term
    WHERE (term >= ? AND term < ? OR reversed >= ? AND reversed < ?) AND length(term) BETWEEN ? AND ?
    ORDER BY documents DESC, term
"""
MAX_NAMED = 20
MAX_DEFINING = 300
"""Definitions of the terms of one query that are looked at."""
BLOCK = 1 << 16
"""Statements whose nearness to a query is computed at once."""
COMMON_GRAM = 3000
"""A gram of more statements than this is not searched for, unless there is no other."""
_NUMBER = re.compile(r"(?:(?P<form>[^\W\d_]+)\.?\s*)?(?P<number>[A-Z0-9]+(?:\.[A-Z0-9]+)*)\.?", re.IGNORECASE)
NameField: TypeAlias = Literal["label", "tag", "number", "title"]
_NAME_FIELDS: Sequence[NameField] = ("label", "tag", "number", "title")
_PHRASE_COLUMNS = "{" + " ".join(PHRASE_FIELDS) + "}"
_BM25 = f"bm25(words, {', '.join(str(weight * 2) for weight, _ in FIELDS.values())})"
"""FTS5 normalises by the length of all fields together; higher weights make up for the long field of citations."""


class Filter(NamedTuple):
    """An SQL condition on ``rowid`` that a statement must meet, with its parameters."""

    sql: str
    parameters: Sequence[str]


@dataclass(frozen=True, eq=False)
class SearchIndex:
    """A corpus that can be searched, from several threads if need be."""

    corpus: Corpus = field(repr=False)
    fingerprint: str
    """The hash by which the state of the corpus is recognised."""
    lengths: Mapping[str, float]
    """The mean number of tokens of each field."""
    complete: bool
    """Whether the packages that compute vectors were there when it was built."""
    connection: sqlite3.Connection = field(repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)
    _corrected: dict[str, list[tuple[str, int]]] = field(default_factory=dict, repr=False)
    """Corrections that were looked up."""

    @classmethod
    def build(
        cls,
        corpus: Corpus,
        folder: Path | None = None,
        fingerprint: str = "",
        macros: Mapping[str, Macro] | None = None,
    ) -> SearchIndex:
        """Build the index of a corpus in a folder, replacing an older one; in memory if there is no folder.

        Args:
            corpus: The statements.
            folder: Where to store it.
            fingerprint: The hash by which this state of the corpus is recognised; its content hash if empty.
            macros: The author's macros, which formulas are indexed without.
        """
        if folder is None:
            connection = sqlite3.connect(":memory:", check_same_thread=False)
            connection.execute("PRAGMA temp_store = MEMORY")
            fill(connection, corpus, fingerprint, macros)
            return _opened(connection, corpus)
        with (
            replaced_folder(folder, lambda old: (old / DATABASE).is_file()) as scratch,
            closing(sqlite3.connect(scratch / DATABASE)) as connection,
        ):
            fill(connection, corpus, fingerprint, macros)
        return cls.open(folder, corpus)

    @classmethod
    def open(cls, folder: Path, corpus: Corpus) -> SearchIndex:
        """Open the index of a corpus."""
        file = folder / DATABASE
        if not file.is_file():
            raise NotAnIndex(f"{folder}: no search index here (no {DATABASE})")
        try:
            address = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
            return _opened(sqlite3.connect(address, uri=True, check_same_thread=False), corpus)
        except (sqlite3.Error, msgspec.DecodeError, KeyError, ValueError, TypeError) as error:
            raise NotAnIndex(f"{folder}: the search index is damaged ({error}); delete it") from error

    @classmethod
    def open_or_build(
        cls,
        corpus: Corpus,
        folder: Path | None,
        fingerprint: str = "",
        *,
        macros: Mapping[str, Macro] | None = None,
        damaged: bool = False,
    ) -> SearchIndex:
        """Open the index in a folder if it is of this corpus, else build it there, or in memory if that is impossible.

        Args:
            corpus: The statements.
            folder: Where the index is cached.
            fingerprint: The hash by which this state of the corpus is recognised; its content hash if empty.
            macros: The author's macros.
            damaged: Whether the index in the folder is known to be of no use.
        """
        fingerprint = fingerprint or content_hash(corpus)
        if folder is None:
            return cls.build(corpus, None, fingerprint, macros)
        with suppress(NaturalProofsError, OSError):
            index = None if damaged else cls.open(folder, corpus)
            if index and index.fingerprint == fingerprint and (index.complete or not vectors_possible()):
                return index
        try:
            return cls.build(corpus, folder, fingerprint, macros)
        except (NaturalProofsError, OSError, sqlite3.Error):
            # The cache may be read-only, or another process may be writing it.
            return cls.build(corpus, None, fingerprint, macros)

    @property
    def name(self) -> str:
        """The name of the corpus."""
        return self.corpus.name

    @property
    def size(self) -> int:
        """How many statements there are."""
        return len(self.corpus.statements)

    def statement(self, position: int) -> Statement:
        """A statement by its position, from 1."""
        return self.corpus.statements[position - 1]

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Run a query."""
        try:
            with self._lock:
                return self.connection.execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def column(self, sql: str, *parameters: object) -> list[Any]:
        """The values of a query for one column."""
        return [value for (value,) in self.rows(sql, *parameters)]

    def _damaged(self, error: Exception) -> NotAnIndex:
        return NotAnIndex(f"the search index of {self.name} is damaged ({error})")

    def document_counts(self, terms: Collection[str]) -> dict[str, int]:
        """For each term that occurs, how many statements have it."""
        marks = ", ".join("?" * len(terms))
        return dict(self.rows(f"SELECT term, documents FROM term WHERE term IN ({marks})", *terms))

    def completions(self, start: str) -> list[tuple[str, int]]:
        """The terms with this prefix and their document counts, the most frequent first."""
        sql = "SELECT term, documents FROM term WHERE term >= ? AND term < ? ORDER BY documents DESC LIMIT ?"
        return [(term, count) for term, count in self.rows(sql, start, start + "\U0010ffff", MAX_ALTERNATIVES)]

    def corrections(self, word: str) -> list[tuple[str, int]]:
        """The terms at one edit from a word, else at two, and their document counts, the most frequent first."""
        if not SHORTEST_CORRECTED <= len(word) <= LONGEST_CORRECTED or not word.isalpha():
            return []
        if word not in self._corrected:
            if len(self._corrected) >= MAX_REMEMBERED:
                self._corrected.clear()
            self._corrected[word] = self._nearest(word)
        return self._corrected[word]

    def _nearest(self, word: str) -> list[tuple[str, int]]:
        # One edit changes the first half of a word or the second, but not both.
        half = (len(word) - 1) // 2
        first, last = word[:half], word[half + 1 :][::-1]
        end = "\U0010ffff"
        found = self.rows(_NEIGHBOURS, first, first + end, last, last + end, len(word) - 2, len(word) + 2)
        nearest = [(term, count) for term, count in found if term != word and one_edit(word, term)]
        if not nearest and len(word) >= SHORTEST_TWICE_WRONG:
            # Two edits, if they leave the start or the end of the word alone.
            first, last = word[:2], word[-2:][::-1]
            found = self.rows(_NEIGHBOURS, first, first + end, last, last + end, len(word) - 2, len(word) + 2)
            nearest = [(term, count) for term, count in found[:MAX_COMPARED] if near(word, term)]
        return nearest[:MAX_ALTERNATIVES]

    def spelling(self, term: str) -> str:
        """The shortest word of a few statements that is indexed as this term."""
        match = f'{_PHRASE_COLUMNS} : "{term}"'
        found = self.column("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", match, MAX_ALTERNATIVES)
        statements = [self.statement(position) for position in found]
        texts = [read(one) for one in statements for read in (title_text, body_text, notes_text)]
        spellings = {text[word.start : word.end] for text in texts for word in words(text) if word.term == term}
        return min(map(str.casefold, spellings), key=lambda one: (len(one), one), default=term)

    def filter(
        self,
        kinds: Iterable[str],
        chapters: Iterable[str],
        categories: Iterable[str],
        phrases: Iterable[Sequence[str]],
        excluded: Iterable[Sequence[str]],
    ) -> Filter:
        """Statements that meet every condition; of several kinds, chapters or categories one is enough."""
        conditions: list[str] = []
        parameters: list[str] = []
        for facet, names in (("kind", kinds), ("chapter", chapters), ("category", categories)):
            wanted = [name.casefold().strip() for name in names if name.strip()]
            if wanted:
                test = "? IN (value, value || 's')" if facet == "kind" else "instr(value, ?)"
                tests = " OR ".join([test] * len(wanted))
                conditions.append(f"+rowid IN (SELECT position FROM facet WHERE facet = ? AND ({tests}))")
                parameters += [facet, *wanted]
        for how, asked in (("IN", phrases), ("NOT IN", excluded)):
            for phrase in asked:
                conditions.append(f"+rowid {how} (SELECT rowid FROM words WHERE words MATCH ?)")
                parameters.append(f'{_PHRASE_COLUMNS} : "{" ".join(phrase)}"')
        return Filter(" AND ".join(conditions) or "1", parameters)

    def passing(self, filters: Filter) -> list[int]:
        """The statements that pass a filter, in reading order."""
        sql = f"SELECT rowid FROM statement WHERE {filters.sql} ORDER BY rowid"
        return self.column(sql, *filters.parameters)

    def matching(self, match: str, filters: Filter, limit: int) -> list[int]:
        """The best statements for an FTS5 expression by BM25."""
        sql = f"SELECT rowid FROM words WHERE words MATCH ? AND {filters.sql} ORDER BY {_BM25} LIMIT ?"
        return self.column(sql, match, *filters.parameters, limit)

    def having(self, match: str, filters: Filter) -> list[int]:
        """All statements that match an FTS5 expression."""
        return self.column(f"SELECT rowid FROM words WHERE words MATCH ? AND {filters.sql}", match, *filters.parameters)

    def count_kinds(self, positions: Iterable[int]) -> Counter[str]:
        """How many of the statements are of each kind."""
        return Counter(map(self._kinds.__getitem__, positions))

    @cached_property
    def _kinds(self) -> list[str]:
        """The kind of each statement by its position."""
        found = [""] * (self.size + 1)
        for kind in KINDS:
            for position in self.column("SELECT position FROM facet WHERE facet = 'kind' AND value = ?", kind):
                found[position] = kind
        return found

    def with_gram(self, gram: int) -> list[int]:
        """The statements that have an n-gram of signs; at most `COMMON_GRAM` of them."""
        return self.column("SELECT rowid FROM formulas WHERE formulas MATCH ? LIMIT ?", f'"{gram:x}"', COMMON_GRAM)

    def fields(self, positions: Collection[int]) -> list[tuple[Any, ...]]:
        """Position, number of users, number of grams and the tokens of each field of some statements."""
        numbers = ", ".join(map(str, positions))
        return self.rows(f"SELECT position, used, grams, {COLUMNS} FROM statement WHERE position IN ({numbers})")

    @cached_property
    def vectors(self) -> NDArray[Any] | None:
        """The vectors of the statements, a row of length one for each; None if there are none, or without numpy."""
        found = self.column("SELECT statements FROM vectors")
        try:
            import numpy as np

            if not found:
                return None
            vectors = np.frombuffer(found[0], np.float16).reshape(self.size, -1)
            # Of many statements the short form stays in memory.
            return vectors.astype(np.float32) if self.size <= BLOCK else vectors
        except ImportError:
            return None
        except (ValueError, TypeError) as error:
            raise self._damaged(error) from error

    def nearness(self, weights: Mapping[str, float]) -> Floats | None:
        """The cosine of each statement with the sum of some weighted terms; None if there are no vectors."""
        if self.vectors is None:
            return None
        import numpy as np

        marks = ", ".join("?" * len(weights))
        rows = self.rows(f"SELECT vector, term FROM term WHERE vector NOT NULL AND term IN ({marks})", *weights)
        place = np.zeros(self.vectors.shape[1], np.float32)
        for data, term in rows:
            place += np.float32(weights[term]) * np.frombuffer(data, np.float16).astype(np.float32)
        length = float(np.linalg.norm(place))
        # Unlike a matrix product this starts no threads, which cost more than they save on one vector.
        if not length:
            return None
        blocks = [self.vectors[start : start + BLOCK] for start in range(0, self.size, BLOCK)]
        near = [np.einsum("ij,j->i", block.astype(np.float32, copy=False), place / length) for block in blocks]
        return np.concatenate(near).astype(np.float32, copy=False)

    def labels_with(self, text: str, limit: int) -> list[str]:
        """The shortest labels that contain a text."""
        sql = "SELECT DISTINCT name FROM name WHERE field = 'label' AND instr(name, ?) ORDER BY length(name) LIMIT ?"
        return self.column(sql, text.casefold(), limit)

    def named(self, text: str) -> list[tuple[int, NameField]]:
        """The statements with this label, id, tag, number or title, the surest first."""
        name = text.strip().strip("[]").casefold().removeprefix("tag ").strip()
        if name.startswith(f"{self.name.casefold()}:"):
            name = name.partition(":")[2] if not self.rows("SELECT 1 FROM name WHERE name = ? LIMIT 1", name) else name
        rows = self.rows("SELECT field, position FROM name WHERE name = ? AND field IN ('label', 'tag', 'title')", name)
        if match := _NUMBER.fullmatch(name):
            for position in self.column(
                "SELECT position FROM name WHERE name = ? AND field = 'number'", match["number"]
            ):
                one = self.statement(position)
                if (one.form or one.kind).casefold().startswith(match["form"] or ""):
                    rows.append(("number", position))
        found: dict[int, NameField] = {}
        for name_field in _NAME_FIELDS:
            for position in sorted(position for other, position in rows if other == name_field):
                found.setdefault(position, name_field)
        return list(found.items())[:MAX_NAMED]

    def keyed(self, key: str, field: Literal["key", "start"]) -> list[int]:
        """The statements whose title has these folded words, or is a part of a page that has."""
        sql = "SELECT position FROM name WHERE name = ? AND field = ? LIMIT ?"
        return self.column(sql, key, field, MAX_NAMED) if key else []

    def defining(self, phrases: Sequence[str]) -> dict[int, list[str]]:
        """For each definition of one of some terms, which are given as folded words, the terms that it defines.

        The most used definitions come first.
        """
        marks = ", ".join("?" * len(phrases))
        found: dict[int, list[str]] = {}
        sql = f"""
            SELECT name.position, name.name FROM name JOIN statement ON statement.position = name.position
            WHERE name.field = 'defines' AND name.name IN ({marks}) ORDER BY statement.used DESC, name.position LIMIT ?
        """
        for position, name in self.rows(sql, *phrases, MAX_DEFINING):
            found.setdefault(position, []).append(name)
        return found


def _opened(connection: sqlite3.Connection, corpus: Corpus) -> SearchIndex:
    try:
        meta = check(connection, len(corpus.statements))
        lengths = msgspec.json.decode(meta["lengths"], type=dict[str, float])
        return SearchIndex(corpus, meta["fingerprint"], lengths, meta["vectors"] == "1", connection)
    except BaseException:
        connection.close()
        raise
