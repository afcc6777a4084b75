"""What the search asks of an index, and the index of one corpus: an SQLite database with FTS5 tables.

`naturalproofs.apps.collections.search` is the other index, over the tables of a collection.
"""

from __future__ import annotations

import importlib
import re
import sqlite3
from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import NaturalProofsError, NotAnIndex
from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.io.decoding import decode_json
from naturalproofs.io.files import replaced_folder
from naturalproofs.io.memory import collector_paused
from naturalproofs.records import KINDS, Kind, Statement
from naturalproofs.sources.latex import Macro
from naturalproofs.tokens import idf
from naturalproofs.workspace.search.documents import (
    BREAK,
    FIELDS,
    PHRASE_FIELDS,
    body_text,
    defined_terms,
    documents,
    field_counts,
    notes_text,
    saturated,
    title_key,
    title_text,
)
from naturalproofs.workspace.search.text import near, one_edit, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from naturalproofs.ranking.term_vectors import Floats, Sparse

# The database of a search index: its tables, how they are filled from a corpus, and how a file is checked.

_TOKENISER = "unicode61 remove_diacritics 0 categories ''L* N* Co''"
_HASH_SIZE = 1 << 26
"""Bytes that FTS5 collects in memory before it writes a segment."""
COLUMNS = ", ".join(FIELDS)
_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE statement (
  position INTEGER PRIMARY KEY, {", ".join(f"{name} TEXT NOT NULL" for name in FIELDS)},
  used INTEGER NOT NULL, grams INTEGER NOT NULL
);
CREATE TABLE name (
  name TEXT, field TEXT, position INTEGER, PRIMARY KEY (name, field, position)
) WITHOUT ROWID;
CREATE TABLE facet (
  facet TEXT, value TEXT, position INTEGER, PRIMARY KEY (facet, value, position)
) WITHOUT ROWID;
CREATE TABLE term (term TEXT PRIMARY KEY, reversed TEXT NOT NULL, documents INTEGER NOT NULL, vector BLOB);
CREATE TABLE vectors (statements BLOB NOT NULL);
CREATE INDEX term_reversed ON term (reversed);
CREATE VIRTUAL TABLE words USING fts5 ({COLUMNS}, content='', tokenize='{_TOKENISER}');
CREATE VIRTUAL TABLE formulas USING fts5 (grams, content='', columnsize=0, detail=none, tokenize='ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
CREATE VIRTUAL TABLE gram USING fts5vocab (formulas, instance);
"""
_OBJECTS = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
DIMENSIONS = 128
"""The length of the vectors of meaning, which latent semantic analysis gives to terms and statements."""
LARGEST_SAMPLE = 1 << 16
"""Statements from which the directions are learnt; of more, every second, third and so on."""
AT_ONCE = 1 << 12
"""Statements whose vectors are computed at once."""
FEWEST = 50
"""With fewer statements or terms than this nothing can be learnt."""


def check(connection: sqlite3.Connection, size: int) -> dict[str, str]:
    """Make a connection read-only, and check that its database is a search index of this version and nothing else.

    Args:
        connection: The database.
        size: How many statements there must be.

    Returns:
        The metadata: fingerprint, lengths, and whether vectors could be computed.

    Raises:
        ValueError: If it is not.
    """
    for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 268435456"):
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute(_OBJECTS).fetchall() != _expected_objects():
        raise ValueError("unexpected tables")
    meta: dict[str, str] = dict(connection.execute("SELECT key, value FROM meta"))
    if meta.get("version") != str(CACHE_VERSION):
        raise ValueError("made by another version")
    if meta.get("size") != str(size):
        raise ValueError("made from another corpus")
    return meta


@cache
def _expected_objects() -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return connection.execute(_OBJECTS).fetchall()


def fill(
    connection: sqlite3.Connection, corpus: Corpus, fingerprint: str, macros: Mapping[str, Macro] | None = None
) -> None:
    """Create the tables in an empty database and fill them; the fingerprint is the content hash if it is empty."""
    connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}")
    with collector_paused():
        lengths = _add_documents(connection, corpus, macros or {})
        _add_names(connection, corpus.statements)
        counts = _add_terms(connection)
        size = len(corpus.statements)
        if vectors_possible() and min(size, len(counts)) >= FEWEST:
            _add_vectors(connection, Weights(counts, lengths, size, list(counts)))
    meta = {
        "version": str(CACHE_VERSION),
        "fingerprint": fingerprint or content_hash(corpus),
        "size": str(size),
        "lengths": msgspec.json.encode(lengths).decode(),
        "vectors": str(int(vectors_possible())),
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    connection.commit()


def _add_documents(connection: sqlite3.Connection, corpus: Corpus, macros: Mapping[str, Macro]) -> dict[str, float]:
    """Index the words and formulas; returns the mean number of tokens of each field."""
    for table in ("words", "formulas"):
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('hashsize', {_HASH_SIZE})")
    totals: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    marks = ", ".join("?" * len(FIELDS))
    for position, document in enumerate(documents(corpus, macros), start=1):
        for name, tokens in zip(FIELDS, document.fields, strict=True):
            if tokens:
                totals[name] += tokens.count(" ") + 1 - tokens.count(BREAK)
                filled[name] += 1
        row = (position, *document.fields)
        connection.execute(
            f"INSERT INTO statement VALUES (?, {marks}, ?, ?)", (*row, document.used, len(document.grams))
        )
        connection.execute(f"INSERT INTO words (rowid, {COLUMNS}) VALUES (?, {marks})", row)
        grams = " ".join([f"{gram:x}" for gram in document.grams])
        connection.execute("INSERT INTO formulas (rowid, grams) VALUES (?, ?)", (position, grams))
    for table in ("words", "formulas"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
    return {name: totals[name] / max(filled[name], 1) for name in FIELDS}


def _add_terms(connection: sqlite3.Connection) -> dict[str, int]:
    """Store the terms; returns in how many statements each occurs, in alphabetical order."""
    rows = connection.execute("SELECT term, doc FROM vocabulary").fetchall()
    counts = {term: count for term, count in sorted(rows) if term != BREAK}
    connection.executemany("INSERT INTO term VALUES (?, ?, ?, NULL)", [(t, t[::-1], n) for t, n in counts.items()])
    return counts


def _add_names(connection: sqlite3.Connection, statements: Iterable[Statement]) -> None:
    """The names of statements, the terms that they define, and what filters ask for."""
    for table in ("name", "facet"):
        connection.execute(f"CREATE TEMP TABLE unsorted_{table} (a TEXT, b TEXT, position INTEGER)")
    for position, one in enumerate(statements, start=1):
        names = {(name, field, position) for field, name in statement_names(one)}
        facets = {(facet, value, position) for facet, value in statement_facets(one)}
        for table, rows in (("name", names), ("facet", facets)):
            connection.executemany(f"INSERT INTO unsorted_{table} VALUES (?, ?, ?)", rows)
    for table in ("name", "facet"):
        # Sorted rows fill the pages of a table, and SQLite sorts on disk.
        connection.execute(f"INSERT INTO {table} SELECT * FROM unsorted_{table} ORDER BY 1, 2, 3")
        connection.execute(f"DROP TABLE unsorted_{table}")


def statement_names(one: Statement) -> set[tuple[str, str]]:
    """The names of a statement with their fields, and the terms that it defines; in lower case."""
    label = one.label.casefold()
    found = {("label", one.id), ("label", label), ("tag", one.tag), ("title", title_text(one))}
    found |= {("number", one.number), ("key", title_key(one)), *(("defines", term) for term in defined_terms(one))}
    _, _, rest = label.partition("-")
    if "-" in rest or ":" in rest:
        # Some authors put the name of the chapter first.
        found.add(("label", rest))
    return {(field, name.casefold()) for field, name in found if name}


def statement_facets(one: Statement) -> set[tuple[str, str]]:
    """What filters ask for, in lower case: the kind and the form of a statement, its chapter and its categories."""
    values = {("kind", one.kind), ("kind", one.form), ("chapter", one.chapter)}
    values |= {("category", category) for category in one.categories}
    return {(facet, value.casefold()) for facet, value in values if value}


def vectors_possible() -> bool:
    """Whether the packages that compute vectors are installed; an index that is built without them has none."""
    try:
        for name in ("numpy", "scipy.sparse", "sklearn.utils.extmath"):
            importlib.import_module(name)
    except ImportError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each term weighs in each statement, for latent semantic analysis."""

    counts: Mapping[str, int]
    """In how many statements each term is."""
    lengths: Mapping[str, float]
    size: int
    """How many statements there are."""
    terms: Sequence[str]
    """The terms that are used."""

    def matrix(self, statements: Iterable[Sequence[str]]) -> Sparse:
        """The weights of the terms of statements, given by the tokens of their fields; a row for each."""
        import numpy as np
        from scipy.sparse import csr_matrix

        numbers = {term: number for number, term in enumerate(self.terms)}
        idfs = {term: idf(self.counts.get(term, 0), self.size) for term in self.terms}
        # Arrays of numbers take a tenth of the memory of lists.
        columns, weights, starts = array("i"), array("f"), array("q", [0])
        for fields in statements:
            found = field_counts(fields, self.lengths, numbers)
            columns.extend([numbers[term] for term in found])
            weights.extend([idfs[term] * saturated(count) for term, count in found.items()])
            starts.append(len(columns))
        entries = np.frombuffer(weights, np.float32), np.frombuffer(columns, np.int32), np.frombuffer(starts, np.int64)
        return csr_matrix(entries, shape=(len(starts) - 1, len(numbers)))


def meanings(weights: Sparse, found: Floats) -> NDArray[Any]:
    """The vectors of statements, given their weights and the vectors of the terms, as 16-bit floats."""
    import numpy as np

    from naturalproofs.ranking.term_vectors import unit

    return unit(np.asarray(weights @ found, dtype=np.float32)).astype(np.float16)


def _add_vectors(connection: sqlite3.Connection, weights: Weights) -> None:
    """Compute vectors by latent semantic analysis, and store them as 16-bit floats.

    Many statements are sampled for the analysis; all get a vector, a block of them at a time.
    """
    import numpy as np

    from naturalproofs.ranking.term_vectors import directions

    step, size = -(-weights.size // LARGEST_SAMPLE), weights.size
    statements = f"SELECT {COLUMNS} FROM statement ORDER BY position"
    sample = weights.matrix(islice(connection.execute(statements), 0, None, step))
    found = directions(sample, DIMENSIONS, iterations=1)
    if step == 1:
        blocks = (sample[start : start + AT_ONCE] for start in range(0, size, AT_ONCE))
    else:
        del sample
        remaining = connection.execute(statements)
        blocks = (weights.matrix(islice(remaining, AT_ONCE)) for _ in range(0, size, AT_ONCE))
    # The vectors are written a block at a time: those of a million statements are not held, nor copied.
    bytes_of_all = size * found.shape[1] * np.dtype(np.float16).itemsize
    row = connection.execute("INSERT INTO vectors VALUES (zeroblob(?))", (bytes_of_all,)).lastrowid
    assert row is not None
    with connection.blobopen("vectors", "statements", row) as places:
        for block in blocks:
            places.write(meanings(block, found).tobytes())
    rows = ((row.tobytes(), term) for term, row in zip(weights.terms, found.astype(np.float16), strict=True))
    connection.executemany("UPDATE term SET vector = ? WHERE term = ?", rows)


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
MAX_NAMED, MOST_NAMED = 20, 500
"""Statements of one name that are given, and among which they are chosen."""
MAX_DEFINING = 300
"""Definitions of the terms of one query that are looked at."""
BLOCK = 1 << 16
"""Statements whose nearness to a query is computed at once."""
COMMON_GRAM = 3000
"""A gram of more statements than this is not searched for, unless there is no other."""
NUMBER = re.compile(r"(?:(?P<form>[^\W\d_]+)\.?\s*)?(?P<number>[A-Z0-9]+(?:\.[A-Z0-9]+)*)\.?", re.IGNORECASE)
NameField: TypeAlias = Literal["label", "tag", "number", "title"]
_NAME_FIELDS: Sequence[NameField] = ("label", "tag", "number", "title")
ALL_NAMES = (*_NAME_FIELDS, "key", "defines")
"""All fields under which names are stored."""
_PHRASE_COLUMNS = "{" + " ".join(PHRASE_FIELDS) + "}"
_BM25 = f"bm25(words, {', '.join(str(weight * 2) for weight, _ in FIELDS.values())})"
"""FTS5 normalises by the length of all fields together; higher weights make up for the long field of citations."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What a statement must meet; of several kinds, chapters, categories or projects one is enough."""

    kinds: Sequence[str] = ()
    chapters: Sequence[str] = ()
    categories: Sequence[str] = ()
    phrases: Sequence[Sequence[str]] = ()
    """Folded words that stand side by side in its title, notes or text."""
    excluded: Sequence[Sequence[str]] = ()
    """The same of what must not stand there."""
    projects: Sequence[str] = ()
    """Names, or parts of names; only an index of several projects has them."""
    about: Sequence[tuple[str, str]] = ()
    """What must be known of the work, by field; only an index of several projects has it."""

    @property
    def restricts(self) -> bool:
        """Whether there is any condition."""
        return any((self.kinds, self.chapters, self.categories, self.phrases, self.excluded, self.projects, self.about))

    def facets(self) -> Iterator[tuple[str, list[str]]]:
        """By facet, the values of which a statement must have one; in lower case."""
        for facet, names in (("kind", self.kinds), ("chapter", self.chapters), ("category", self.categories)):
            if wanted := [name.casefold().strip() for name in names if name.strip()]:
                yield facet, wanted


@dataclass(frozen=True, eq=False)
class StatementIndex(ABC):
    """Statements that can be searched, by their positions, and the table of their terms, which is in SQLite."""

    connection: sqlite3.Connection = field(repr=False)
    """Has the table ``term``."""
    lengths: Mapping[str, float]
    """The mean number of tokens of each field."""
    _lock: Lock = field(default_factory=Lock, repr=False, kw_only=True)
    _corrected: dict[str, list[tuple[str, int]]] = field(default_factory=dict, repr=False, kw_only=True)
    """Corrections that were looked up."""
    several: ClassVar[bool] = False
    """Whether it has statements of several projects."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the corpus."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many statements there are."""

    @abstractmethod
    def statement(self, position: int) -> Statement:
        """A statement by its position."""

    def kind_of(self, position: int) -> Kind:
        """The kind of a statement."""
        return self.statement(position).kind

    def corpus_of(self, position: int) -> str:
        """The name of the corpus or project of a statement."""
        del position
        return self.name

    def is_known_as(self, about: Sequence[tuple[str, str]]) -> bool:
        """Whether the work may have what is asked for: author, year, subject, licence."""
        del about
        return True

    @abstractmethod
    def passing(self, filters: Filter) -> list[int]:
        """The statements that pass a filter, in order."""

    @abstractmethod
    def matching(self, words: Sequence[Collection[str]], filters: Filter, limit: int, *, every: bool) -> list[int]:
        """The best statements by BM25 over all fields.

        Args:
            words: For each word the terms that stand for it.
            filters: Which statements may be found.
            limit: How many.
            every: Whether a statement must have every word; one is enough otherwise.
        """

    @abstractmethod
    def having(self, words: Sequence[Collection[str]], filters: Filter) -> Counter[str]:
        """How many statements of each kind have every word."""

    @abstractmethod
    def count_kinds(self, positions: Iterable[int]) -> Counter[str]:
        """How many of the statements are of each kind."""

    def with_grams(self, grams: Collection[int]) -> list[list[int]]:
        """The statements of each n-gram of symbols that few have, or of each if all are common."""
        held = [self._with_gram(gram) for gram in grams]
        return [some for some in held if len(some) < COMMON_GRAM] or held

    @abstractmethod
    def _with_gram(self, gram: int) -> list[int]:
        """The statements that have an n-gram of symbols; at most `COMMON_GRAM` of them."""

    @abstractmethod
    def fields(self, positions: Collection[int]) -> list[tuple[Any, ...]]:
        """Position, number of users, number of grams and the tokens of each field of some statements."""

    @abstractmethod
    def nearest(self, weights: Mapping[str, float], pool: Collection[int], count: int) -> dict[int, float]:
        """The cosine of weighted terms with the statements of a pool and with the nearest others; none without vectors.

        Args:
            weights: The terms.
            pool: Statements that are compared in any case.
            count: How many others.
        """

    @abstractmethod
    def labels_with(self, text: str, limit: int) -> list[str]:
        """The shortest labels that contain a text."""

    @abstractmethod
    def _holding(self, term: str, limit: int) -> list[int]:
        """Some statements that have a term where a reader sees it."""

    @abstractmethod
    def _names(self, names: Sequence[str], fields: Collection[str], limit: int) -> list[tuple[int, str, str]]:
        """Position, field and name of statements with one of some names, the most used first."""

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
        statements = [self.statement(position) for position in self._holding(term, MAX_ALTERNATIVES)]
        texts = [read(one) for one in statements for read in (title_text, body_text, notes_text)]
        spellings = {text[word.start : word.end] for text in texts for word in words(text) if word.term == term}
        return min(map(str.casefold, spellings), key=lambda one: (len(one), one), default=term)

    def meaning(self, weights: Mapping[str, float]) -> Floats | None:
        """The vector of length one of some weighted terms; None if none has a vector."""
        import numpy as np

        marks = ", ".join("?" * len(weights))
        rows = self.rows(f"SELECT vector, term FROM term WHERE vector NOT NULL AND term IN ({marks})", *weights)
        vectors = [
            np.float32(weights[term]) * np.frombuffer(data, np.float16).astype(np.float32) for data, term in rows
        ]
        place: Floats = np.sum(vectors, axis=0, dtype=np.float32) if vectors else np.zeros(0, np.float32)
        length = float(np.linalg.norm(place))
        return place / np.float32(length) if length else None

    def named(self, text: str) -> list[tuple[int, NameField]]:
        """The statements with this label, id, tag, number or title, the surest first."""
        name = text.strip().strip("[]").casefold().removeprefix("tag ").strip()
        if name.startswith(f"{self.name.casefold()}:"):
            name = name.partition(":")[2] if not self._names([name], ALL_NAMES, 1) else name
        rows = [(where, position) for position, where, _ in self._names([name], ("label", "tag", "title"), MOST_NAMED)]
        if match := NUMBER.fullmatch(name):
            for position, _, _ in self._names([match["number"]], ("number",), MOST_NAMED):
                one = self.statement(position)
                if (one.form or one.kind).casefold().startswith(match["form"] or ""):
                    rows.append(("number", position))
        found: dict[int, NameField] = {}
        for name_field in _NAME_FIELDS:
            for position in sorted(position for other, position in rows if other == name_field):
                found.setdefault(position, name_field)
        return list(found.items())[:MAX_NAMED]

    def keyed(self, key: str) -> list[int]:
        """The statements whose title has these folded words."""
        found = self._names([key], ("key",), MOST_NAMED) if key else []
        return sorted(position for position, _, _ in found)[:MAX_NAMED]

    def defining(self, phrases: Sequence[str]) -> dict[int, list[str]]:
        """For each definition of one of some terms, which are given as folded words, the terms that it defines.

        The most used definitions come first.
        """
        found: dict[int, list[str]] = {}
        for position, _, name in self._names(phrases, ("defines",), MAX_DEFINING):
            found.setdefault(position, []).append(name)
        return found


@dataclass(frozen=True, eq=False)
class SearchIndex(StatementIndex):
    """A corpus that can be searched, from several threads if need be."""

    corpus: Corpus = field(repr=False)
    fingerprint: str
    """The hash by which the state of the corpus is recognised."""
    complete: bool
    """Whether the packages that compute vectors were there when it was built."""

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

    def is_known_as(self, about: Sequence[tuple[str, str]]) -> bool:
        """Whether what the source says of itself has what is asked for."""
        known = {"author": self.corpus.provenance.authors, "licence": self.corpus.provenance.licence}
        return all(value.casefold() in known.get(field, "").casefold() for field, value in about)

    def passing(self, filters: Filter) -> list[int]:
        """The statements that pass a filter, in reading order."""
        condition, parameters = _condition(filters)
        return self.column(f"SELECT rowid FROM statement WHERE {condition} ORDER BY rowid", *parameters)

    def matching(self, words: Sequence[Collection[str]], filters: Filter, limit: int, *, every: bool) -> list[int]:
        """The best statements by FTS5's BM25."""
        condition, parameters = _condition(filters)
        sql = f"SELECT rowid FROM words WHERE words MATCH ? AND {condition} ORDER BY {_BM25} LIMIT ?"
        return self.column(sql, _match(words, every=every), *parameters, limit)

    def having(self, words: Sequence[Collection[str]], filters: Filter) -> Counter[str]:
        """How many statements of each kind have every word."""
        condition, parameters = _condition(filters)
        sql = f"SELECT rowid FROM words WHERE words MATCH ? AND {condition}"
        return self.count_kinds(self.column(sql, _match(words, every=True), *parameters))

    def _holding(self, term: str, limit: int) -> list[int]:
        match = f'{_PHRASE_COLUMNS} : "{term}"'
        return self.column("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", match, limit)

    def _names(self, names: Sequence[str], fields: Collection[str], limit: int) -> list[tuple[int, str, str]]:
        asked, wanted = (", ".join("?" * len(values)) for values in (names, fields))
        sql = f"""
            SELECT name.position, name.field, name.name FROM name JOIN statement ON statement.position = name.position
            WHERE name.name IN ({asked}) AND name.field IN ({wanted})
            ORDER BY statement.used DESC, name.position LIMIT ?
        """
        return [tuple(row) for row in self.rows(sql, *names, *fields, limit)]

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

    def _with_gram(self, gram: int) -> list[int]:
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

    def nearest(self, weights: Mapping[str, float], pool: Collection[int], count: int) -> dict[int, float]:
        """The cosines of a pool and of the nearest other statements."""
        place = self.meaning(weights) if self.vectors is not None else None
        if place is None or self.vectors is None:
            return {}
        import numpy as np

        # Unlike a matrix product this starts no threads, which cost more than they save on one vector.
        blocks = [self.vectors[start : start + BLOCK] for start in range(0, self.size, BLOCK)]
        near = [np.einsum("ij,j->i", block.astype(np.float32, copy=False), place) for block in blocks]
        cosines = np.concatenate(near).astype(np.float32, copy=False)
        nearest = (cosines.argpartition(-min(count, len(cosines)))[-count:] + 1).tolist()
        return {position: float(cosines[position - 1]) for position in {*nearest, *pool}}

    def labels_with(self, text: str, limit: int) -> list[str]:
        """The shortest labels that contain a text."""
        sql = "SELECT DISTINCT name FROM name WHERE field = 'label' AND instr(name, ?) ORDER BY length(name) LIMIT ?"
        return self.column(sql, text.casefold(), limit)


def _match(words: Sequence[Collection[str]], *, every: bool) -> str:
    """The FTS5 expression for statements that have every word, or one."""
    quoted = ([f'"{term}"' for term in terms] for terms in words)
    return (" AND " if every else " OR ").join(f"({' OR '.join(terms)})" for terms in quoted)


def _condition(filters: Filter) -> tuple[str, list[str]]:
    """The SQL condition on ``rowid``, with its parameters."""
    conditions: list[str] = []
    parameters: list[str] = []
    for facet, wanted in filters.facets():
        test = "? IN (value, value || 's')" if facet == "kind" else "instr(value, ?)"
        tests = " OR ".join([test] * len(wanted))
        conditions.append(f"+rowid IN (SELECT position FROM facet WHERE facet = ? AND ({tests}))")
        parameters += [facet, *wanted]
    for how, asked in (("IN", filters.phrases), ("NOT IN", filters.excluded)):
        for phrase in asked:
            conditions.append(f"+rowid {how} (SELECT rowid FROM words WHERE words MATCH ?)")
            parameters.append(f'{_PHRASE_COLUMNS} : "{" ".join(phrase)}"')
    return " AND ".join(conditions) or "1", parameters


def _opened(connection: sqlite3.Connection, corpus: Corpus) -> SearchIndex:
    try:
        meta = check(connection, len(corpus.statements))
        found = decode_json(meta["lengths"], dict[str, float])
        lengths = {name: found[name] for name in FIELDS}
        return SearchIndex(connection, lengths, corpus, meta["fingerprint"], meta["vectors"] == "1")
    except BaseException:
        connection.close()
        raise
