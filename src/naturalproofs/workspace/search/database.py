"""The database of a search index: its tables, how they are filled from a corpus, and how a file is checked."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache
from typing import Any

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.io.memory import collector_paused
from naturalproofs.workspace.search.documents import Document, documents
from naturalproofs.workspace.search.meaning import add_vectors
from naturalproofs.workspace.search.results import Card
from naturalproofs.workspace.search.weights import BREAK, FIELDS, field_counts, idf, saturated
from naturalproofs.workspace.search.words import fold

_LETTERS = re.compile(r"[^\W\d_]{3,}")
_TOKENISER = "unicode61 remove_diacritics 0 categories ''L* N* Co''"
_HASH_SIZE = 1 << 26
"""Bytes that FTS5 collects in memory before it writes a segment."""
COLUMNS = ", ".join(FIELDS)
_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE statement (
  position INTEGER PRIMARY KEY, card TEXT NOT NULL, body TEXT NOT NULL, notes TEXT NOT NULL, kind TEXT NOT NULL,
  {", ".join(f"{name} TEXT NOT NULL" for name in FIELDS)}
);
CREATE TABLE name (
  name TEXT, field TEXT, position INTEGER, PRIMARY KEY (name, field, position)
) WITHOUT ROWID;
CREATE TABLE facet (
  facet TEXT, value TEXT, position INTEGER, PRIMARY KEY (facet, value, position)
) WITHOUT ROWID;
CREATE TABLE term (
  term TEXT PRIMARY KEY, reversed TEXT NOT NULL, spelling TEXT NOT NULL, documents INTEGER NOT NULL, vector BLOB
);
CREATE TABLE vectors (statements BLOB NOT NULL);
CREATE INDEX term_reversed ON term (reversed);
CREATE VIRTUAL TABLE words USING fts5 ({COLUMNS}, content='', tokenize='{_TOKENISER}');
CREATE VIRTUAL TABLE formulas USING fts5 (grams, content='', columnsize=0, detail=none, tokenize='ascii');
"""
_OBJECTS = "SELECT type, name, sql FROM sqlite_master ORDER BY name"


def check(connection: sqlite3.Connection) -> dict[str, str]:
    """Make a connection read-only, and check that its database is a search index of this version and nothing else.

    Returns:
        The metadata: name, fingerprint, size and lengths.

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
    return meta


@cache
def _expected_objects() -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return connection.execute(_OBJECTS).fetchall()


def fill(connection: sqlite3.Connection, corpus: Corpus, fingerprint: str) -> None:
    """Create the tables in an empty database and fill them; the fingerprint is the content hash if it is empty."""
    connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}")
    for table in ("words", "formulas"):
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('hashsize', {_HASH_SIZE})")
    counts: Counter[str] = Counter()
    surfaces: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    names: list[tuple[str, str, int]] = []
    facets: list[tuple[str, str, int]] = []
    marks = ", ".join("?" * len(FIELDS))
    with collector_paused():
        for position, document in enumerate(documents(corpus), start=1):
            tokens = {name: value.split() for name, value in zip(FIELDS, document.fields, strict=True)}
            counts.update({token for found in tokens.values() for token in found if token.isalnum()})
            totals.update({name: len(found) - found.count(BREAK) for name, found in tokens.items()})
            filled.update(name for name, found in tokens.items() if found)
            surfaces.update(map(str.casefold, _LETTERS.findall(document.body)))
            card = msgspec.json.encode(document.card).decode()
            row = (position, card, document.body, document.notes, document.card.kind, *document.fields)
            connection.execute(f"INSERT INTO statement VALUES (?, ?, ?, ?, ?, {marks})", row)
            connection.execute(
                f"INSERT INTO words (rowid, {COLUMNS}) VALUES (?, {marks})", (position, *document.fields)
            )
            connection.execute(
                "INSERT INTO formulas (rowid, grams) VALUES (?, ?)", (position, " ".join(document.grams))
            )
            names += [(*name, position) for name in _names(document)]
            facets += [(*facet, position) for facet in _facets(document.card)]
    connection.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(names))
    connection.executemany("INSERT INTO facet VALUES (?, ?, ?)", sorted(facets))
    spellings = {fold(word): word for word, _ in reversed(surfaces.most_common())}
    terms = ((term, term[::-1], spellings.get(term, term), counts[term]) for term in sorted(counts))
    connection.executemany("INSERT INTO term VALUES (?, ?, ?, ?, NULL)", terms)
    lengths = {name: totals[name] / max(filled[name], 1) for name in FIELDS}
    size = len(corpus.statements)
    idfs = {term: idf(counts[term], size) for term in counts}
    rows = connection.execute(f"SELECT {COLUMNS} FROM statement ORDER BY position")
    impacts = (
        {term: idfs[term] * saturated(count) for term, count in field_counts(row, lengths, counts).items()}
        for row in rows
    )
    add_vectors(connection, impacts, {term: number for number, term in enumerate(sorted(counts))}, size)
    meta = {
        "version": str(CACHE_VERSION),
        "name": corpus.name,
        "fingerprint": fingerprint or content_hash(corpus),
        "size": str(size),
        "lengths": msgspec.json.encode(lengths).decode(),
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")
    connection.execute("INSERT INTO formulas (formulas) VALUES ('optimize')")
    connection.commit()


def _names(document: Document) -> set[tuple[str, str]]:
    card = document.card
    label = card.label.casefold()
    names = {("label", card.id.casefold()), ("label", label), ("tag", card.tag.casefold())}
    names |= {("title", card.title.casefold()), ("number", card.number.casefold())}
    _, _, rest = label.partition("-")
    if "-" in rest or ":" in rest:
        # Some authors put the name of the chapter first.
        names.add(("label", rest))
    names |= {("defines", phrase) for phrase in document.defines}
    return {(name, name_field) for name_field, name in names if name}


def _facets(card: Card) -> set[tuple[str, str]]:
    values = {("kind", card.kind), ("kind", card.form), ("chapter", card.chapter)}
    values |= {("category", category) for category in card.categories}
    return {(facet, value.casefold()) for facet, value in values if value}
