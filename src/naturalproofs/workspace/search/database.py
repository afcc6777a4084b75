"""The database of a search index: its tables, how they are filled from a corpus, and how a file is checked."""

from __future__ import annotations

import importlib
import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.io.memory import collector_paused
from naturalproofs.latex.macros.macro import Macro
from naturalproofs.records import Statement
from naturalproofs.workspace.search.documents import (
    BREAK,
    FIELDS,
    defined_terms,
    documents,
    field_counts,
    idf,
    saturated,
    title_keys,
    title_text,
)

if TYPE_CHECKING:
    from naturalproofs.ranking.term_vectors import Sparse

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
"""
_OBJECTS = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
DIMENSIONS = 128
"""The length of the vectors of meaning, which latent semantic analysis gives to terms and statements."""
LARGEST_SAMPLE = 1 << 16
"""Statements from which the directions are learnt; of more, every second, third and so on."""
BLOCK = 1 << 12
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
            idfs = {term: idf(count, size) for term, count in counts.items()}

            def weights() -> Iterator[Mapping[str, float]]:
                for row in connection.execute(f"SELECT {COLUMNS} FROM statement ORDER BY position"):
                    found = field_counts(row, lengths, counts)
                    yield {term: idfs[term] * saturated(count) for term, count in found.items()}

            _add_vectors(connection, weights, list(counts), size)
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
        signs = " ".join([f"{gram:x}" for gram in document.grams])
        connection.execute("INSERT INTO formulas (rowid, grams) VALUES (?, ?)", (position, signs))
    for table in ("words", "formulas"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
    return {name: totals[name] / max(filled[name], 1) for name in FIELDS}


def _add_terms(connection: sqlite3.Connection) -> dict[str, int]:
    """Store the terms; returns in how many statements each occurs, in alphabetical order."""
    connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, words, row)")
    rows = connection.execute("SELECT term, doc FROM vocabulary").fetchall()
    connection.execute("DROP TABLE temp.vocabulary")
    counts = {term: count for term, count in sorted(rows) if term != BREAK}
    connection.executemany("INSERT INTO term VALUES (?, ?, ?, NULL)", [(t, t[::-1], n) for t, n in counts.items()])
    return counts


def _add_names(connection: sqlite3.Connection, statements: Iterable[Statement]) -> None:
    """The names of statements, the terms that they define, and what filters ask for."""
    for table in ("name", "facet"):
        connection.execute(f"CREATE TEMP TABLE unsorted_{table} (a TEXT, b TEXT, position INTEGER)")
    for position, one in enumerate(statements, start=1):
        label = one.label.casefold()
        found = {("label", one.id), ("label", label), ("tag", one.tag), ("title", title_text(one))}
        found |= {("number", one.number), *(("defines", term) for term in defined_terms(one))}
        found |= set(title_keys(one).items())
        _, _, rest = label.partition("-")
        if "-" in rest or ":" in rest:
            # Some authors put the name of the chapter first.
            found.add(("label", rest))
        names = {(name.casefold(), field, position) for field, name in found if name}
        values = [("kind", one.kind), ("kind", one.form), *(("category", category) for category in one.categories)]
        values.append(("chapter", one.chapter))
        facets = {(facet, value.casefold(), position) for facet, value in values if value}
        for table, rows in (("name", names), ("facet", facets)):
            connection.executemany(f"INSERT INTO unsorted_{table} VALUES (?, ?, ?)", rows)
    for table in ("name", "facet"):
        # Sorted rows fill the pages of a table, and SQLite sorts on disk.
        connection.execute(f"INSERT INTO {table} SELECT * FROM unsorted_{table} ORDER BY 1, 2, 3")
        connection.execute(f"DROP TABLE unsorted_{table}")


def vectors_possible() -> bool:
    """Whether the packages that compute vectors are installed; an index that is built without them has none."""
    try:
        for name in ("numpy", "scipy.sparse", "sklearn.utils.extmath"):
            importlib.import_module(name)
    except ImportError:
        return False
    return True


def _add_vectors(
    connection: sqlite3.Connection,
    statements: Callable[[], Iterator[Mapping[str, float]]],
    terms: Sequence[str],
    size: int,
) -> None:
    """Compute vectors by latent semantic analysis, and store them as 16-bit floats.

    Many statements are sampled for the analysis; all get a vector, a block of them at a time.

    Args:
        connection: The database.
        statements: Gives the weights of the terms of each statement, in order.
        terms: All terms.
        size: How many statements there are.
    """
    import numpy as np
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    from naturalproofs.ranking.lsa import directions, unit

    numbers = {term: number for number, term in enumerate(terms)}
    step = -(-size // LARGEST_SAMPLE)
    sample = _matrix(islice(statements(), 0, None, step), numbers)
    # More threads spend their time waiting for each other: the matrices are thin.
    with threadpool_limits(limits=1):
        found = directions(sample, DIMENSIONS, iterations=1)
        if step == 1:
            blocks = (sample[start : start + BLOCK] for start in range(0, size, BLOCK))
        else:
            del sample
            remaining = statements()
            blocks = (_matrix(islice(remaining, BLOCK), numbers) for _ in range(0, size, BLOCK))
        # The vectors are written a block at a time: those of a million statements are not held, nor copied.
        bytes_of_all = size * found.shape[1] * np.dtype(np.float16).itemsize
        row = connection.execute("INSERT INTO vectors VALUES (zeroblob(?))", (bytes_of_all,)).lastrowid
        assert row is not None
        with connection.blobopen("vectors", "statements", row) as places:
            for block in blocks:
                places.write(unit(np.asarray(block @ found, dtype=np.float32)).astype(np.float16).tobytes())
    rows = ((row.tobytes(), term) for term, row in zip(terms, found.astype(np.float16), strict=True))
    connection.executemany("UPDATE term SET vector = ? WHERE term = ?", rows)


def _matrix(statements: Iterable[Mapping[str, float]], numbers: Mapping[str, int]) -> Sparse:
    """The weights of the terms of some statements, a row for each."""
    import numpy as np
    from scipy.sparse import csr_matrix

    # Arrays of numbers take a tenth of the memory of lists.
    columns, weights, starts = array("i"), array("f"), array("q", [0])
    for statement in statements:
        columns.extend([numbers[term] for term in statement])
        weights.extend(statement.values())
        starts.append(len(columns))
    entries = np.frombuffer(weights, np.float32), np.frombuffer(columns, np.int32), np.frombuffer(starts, np.int64)
    return csr_matrix(entries, shape=(len(starts) - 1, len(numbers)))
