"""The tables of a collection in Lance, and what makes changes to several of them one.

A collection is a folder, or an address in an object store, with these tables:

* ``statements``: a row per statement, see `schemas.STATEMENTS`;
* ``edges``: a row per reference, see `schemas.EDGES`;
* ``projects``: a row per project with its content hash and what became of it;
* ``terms``: how rare terms are, and what maps them to vectors, see `indexing`;
* ``words`` and ``meaning``: the same of the terms of search;
* ``duplicates``: statements whose text stands in an earlier project too;
* ``commit``: one row with the version of each table.

Readers open the versions that the last commit names, so that they never see half of a change. A writer that was killed
leaves versions that no commit names; the next writer goes back to the committed ones.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lance
import msgspec
import pyarrow as pa

from naturalproofs.apps.collections import COMMIT
from naturalproofs.errors import CollectionDamaged, NotACollection, OutputInTheWay, valid_text
from naturalproofs.io.files import locked, remove
from naturalproofs.ranking.candidate_index import Entry
from naturalproofs.records import Kind, Mention, Note, Origin, Passage, Place, Proof, Statement
from naturalproofs.workspace.search.documents import FIELDS

# Rows of the table of statements, and the record that holds all of a row that answers need.

RECORD = "record"


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement as it is stored; the names are those of the columns."""

    id: str
    project: str
    kind: Kind
    form: str
    labelled: bool
    heading: str
    text: str
    licence: str
    references: list[str]
    cited: list[str]
    fingerprint: int
    terms: bytes
    """See `naturalproofs.ranking.hybrid.first_stage`."""
    document: str | None = None
    chapter: str | None = None
    section: str | None = None
    position: int | None = None
    label: str | None = None
    number: str | None = None
    title: str | None = None
    file: str | None = None
    line: int | None = None
    proofs: int = 0
    tag: str = ""
    categories: list[str] = []
    notes: list[tuple[str, list[str]]] = []
    used: int = 0
    """How many statements of its project use it."""
    grams: int = 0
    """How many n-grams its formulas have."""

    def columns(self) -> dict[str, Any]:
        """The row for the table, without what is indexed: the columns that have names of their own, and the record."""
        found = {name: getattr(self, name) for name in STATEMENTS.names if name in self.__struct_fields__}
        return found | {RECORD: msgspec.msgpack.encode(self)}

    def entry(self) -> Entry:
        """What the first stage and the ranker need."""
        passage = Passage(
            self.id, self.kind, self.heading, self.text, tuple(self.references), self._place, self.form, self.labelled
        )
        return Entry(passage, self.project, self.licence, tuple(self.cited), self.terms)

    def statement(self) -> Statement:
        """The statement; its proofs have references, but no text."""
        return Statement(
            id=self.id,
            kind=self.kind,
            label=self.label or self.id,
            title=self.title or "",
            lines=tuple(self.text.split("\n")),
            mentions=_mentions(self.references),
            proofs=(Proof((), _mentions(self.cited)),) if self.proofs else (),
            form=self.form,
            number=self.number or "",
            origin=Origin(self.file, self.line or 1) if self.file else None,
            place=self._place,
            tag=self.tag,
            categories=tuple(self.categories),
            notes=tuple(Note(kind, tuple(lines)) for kind, lines in self.notes),
        )

    @property
    def _place(self) -> Place | None:
        if self.position is None:
            return None
        return Place(self.document or "", self.chapter or "", self.section or "", self.position)


_decoder = msgspec.msgpack.Decoder(Row)


def rows_of(table: pa.Table) -> list[Row]:
    """The rows of a table that has the column of records."""
    return [_decoder.decode(record) for record in table[RECORD].to_pylist()]


def _mentions(references: list[str]) -> tuple[Mention, ...]:
    return tuple(Mention(key, "", 0, key) for key in references)


# The columns of the tables of a collection.


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in columns.items()])


_TEXT, _LIST = pa.string(), pa.list_(pa.string())
STATEMENTS = _schema(
    id=_TEXT, project=_TEXT, kind=_TEXT, form=_TEXT, label=_TEXT, labelled=pa.bool_(), number=_TEXT, title=_TEXT,
    heading=_TEXT, text=_TEXT, tokens=_TEXT, names=_TEXT, document=_TEXT, chapter=_TEXT, section=_TEXT,
    position=pa.int32(), file=_TEXT, line=pa.int32(), licence=_TEXT, references=_LIST, cited=_LIST, proofs=pa.int32(),
    fingerprint=pa.int64(), record=pa.binary(), search_keys=_LIST, search_chapter=_TEXT, search_category=_TEXT,
    search_formulas=_TEXT,
    **{f"search_{name}": _TEXT for name in FIELDS},
)  # fmt: skip
"""``labelled`` is false if the label was generated. ``heading`` is the title or, without one, the words of the label.
``tokens`` and ``names`` are the terms of the whole and of the heading, joined by spaces. ``references`` are those of
the statement, ``cited`` those of its proofs. ``record`` is the row as `Row`. What search looks up: ``search_title`` and
the like are the tokens of each field (`workspace.search.documents`), ``search_formulas`` its n-grams, ``search_keys``
its names, kinds and forms as "field:name"; ``search_chapter`` and ``search_category`` are in lower case. Columns with
vectors are added when the collection is indexed."""
EDGES = _schema(project=_TEXT, citing=_TEXT, cited=_TEXT, proof=pa.int32(), rank=pa.int32())
"""``proof`` is the number of the proof that cites, or -1 for the statement itself."""
PROJECTS = _schema(
    name=_TEXT, path=_TEXT, hash=_TEXT, status=_TEXT, message=_TEXT, seconds=pa.float64(), statements=pa.int32(),
    edges=pa.int32(), title=_TEXT, licence=_TEXT,
)  # fmt: skip
DUPLICATES = _schema(id=_TEXT, project=_TEXT, first=_TEXT)
"""A statement, and the one with the same text in the first project that has it."""
TERM_SCHEMA = _schema(view=_TEXT, term=_TEXT, frequency=pa.int64(), projection=pa.list_(pa.float32()))
"""The projection of a term is its row of the map from terms to vectors; most terms have none."""
WORDS = _schema(project=_TEXT, term=_TEXT, count=pa.int64())
"""In how many statements of a project each term of search is; see `indexing.word_counts`."""
MEANINGS = _schema(term=_TEXT, vector=pa.list_(pa.float32()))
"""What maps the terms of search to vectors."""
SCHEMAS = {"statements": STATEMENTS, "edges": EDGES, "projects": PROJECTS, "duplicates": DUPLICATES, "words": WORDS}


FORMAT = 5
"""Raised whenever the layout of a table changes; a collection of another format must be made again."""
TERMS, MEANING, LOCK = "terms", "meaning", ".lock"
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_RUST = re.compile(r"LanceError\(\w+\): |,? ?/\S+\.rs:\d+:\d+")
"""What a user can do nothing with: the name of the error in Lance, and its place in the source."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of the tables that belong together."""

    number: int
    """How many commits there were before."""
    tables: dict[str, int]


@dataclass(frozen=True)
class Collection:
    """A collection for reading, at one commit."""

    address: str
    versions: Versions
    _open: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def open(cls, address: str | Path) -> Collection:
        """The collection as it was committed last."""
        text = str(address)
        versions = last_commit(text)
        if versions is None:
            raise NotACollection(f"{text}: not a collection; make one with: naturalproofs collect SOURCE -o {text}")
        return cls(text, versions)

    def table(self, name: str) -> Any:
        """One of the tables, a Lance dataset."""
        if name not in self._open:
            self._open[name] = lance.dataset(_place(self.address, name), version=self.versions.tables[name])
        return self._open[name]

    def count(self, name: str = "statements") -> int:
        """How many rows a table has."""
        return int(self.table(name).count_rows())


def last_commit(address: str) -> Versions | None:
    """The versions of the last commit; None if nothing was committed yet."""
    _check_utf8(address)
    try:
        found = lance.dataset(_place(address, COMMIT))
    except (ValueError, OSError):
        return None
    row = found.to_table().to_pylist()[0]
    if row.pop("format") != FORMAT:
        raise NotACollection(f"{address}: made by another version of this program; collect its sources again")
    return Versions(int(row.pop("number")), {name: int(version) for name, version in row.items() if version})


class Writer:
    """Changes a collection; one at a time."""

    def __init__(self, address: str | Path) -> None:
        """Open or make a collection; what was written after the last commit is undone."""
        self.address = str(address)
        committed = last_commit(self.address)
        self.number = committed.number if committed else 0
        self.changed = committed is None
        self.tables: dict[str, Any] = {}
        for name, schema in SCHEMAS.items():
            self.tables[name] = self._committed(name, schema, committed)
        for name in (TERMS, MEANING):
            if committed is not None and name in committed.tables:
                self.tables[name] = self._committed(name, None, committed)

    def _committed(self, name: str, schema: pa.Schema | None, committed: Versions | None) -> Any:
        place = _place(self.address, name)
        if schema is not None and (committed is None or name not in committed.tables):
            if committed is None:
                _check_free(place, schema)
            return lance.write_dataset(schema.empty_table(), place, mode="overwrite")
        newest = lance.dataset(place)
        wanted = committed.tables[name] if committed is not None else newest.version
        if newest.version == wanted:
            return newest
        old = lance.dataset(place, version=wanted)
        old.restore()
        self.changed = True
        return lance.dataset(place)

    def append(self, name: str, rows: pa.Table) -> None:
        """Add rows to a table."""
        if rows.num_rows:
            self.tables[name] = lance.write_dataset(rows, self.tables[name], mode="append")
            self.changed = True

    def overwrite(self, name: str, rows: pa.Table) -> None:
        """Replace all rows of a table."""
        self.tables[name] = lance.write_dataset(rows, _place(self.address, name), mode="overwrite")
        self.changed = True

    def delete(self, name: str, column: str, values: Sequence[str]) -> None:
        """Remove the rows whose column has one of some values."""
        for first in range(0, len(values), 500):
            chosen = ", ".join(quoted(value) for value in values[first : first + 500])
            self.tables[name].delete(f"{column} IN ({chosen})")
            self.changed = True

    def commit(self) -> None:
        """Make all changes visible at once."""
        if not self.changed:
            return
        self.number += 1
        row = {"format": FORMAT, "number": self.number} | {name: one.version for name, one in self.tables.items()}
        lance.write_dataset(pa.Table.from_pylist([row]), _place(self.address, COMMIT), mode="overwrite")
        self.changed = False


@contextmanager
def writing(address: str | Path) -> Iterator[Writer]:
    """A writer that nobody else on this machine has at the same time.

    Whatever ends it, the last commit stays; a new collection without a commit is removed.
    """
    text = str(address)
    _check_utf8(text)
    if "://" in text:
        with lance_errors(text):
            yield Writer(text)
        return
    folder = Path(text)
    is_new = not folder.exists()
    if not is_new and not (folder.is_dir() and all(_is_ours(entry) for entry in folder.iterdir())):
        raise OutputInTheWay(f"{text}: exists and is not a collection; choose another output")
    with locked(folder / LOCK) as free:
        if not free:
            raise OutputInTheWay(f"{text}: another process is writing to this collection; wait for it")
        try:
            with lance_errors(text):
                yield Writer(text)
        except BaseException:
            if is_new and last_commit(text) is None:
                remove(folder)
            raise


@contextmanager
def lance_errors(address: str) -> Iterator[None]:
    """Errors of Lance as errors of the operating system, where they come from it, or as one line."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        text = str(error)
        if "LanceError" not in text:
            raise
        found = _OS_ERROR.search(text)
        if found is not None:
            number = int(found[1])
            raise OSError(number, os.strerror(number), address) from error
        reason = " ".join(_RUST.sub("", text[:4_000]).split())[:200]
        raise CollectionDamaged(f"{address}: {reason}; collect its sources again, into a new folder") from error


def _is_ours(entry: Path) -> bool:
    """Whether something in a folder belongs to a collection, finished or not."""
    return entry.name == LOCK or entry.name in {f"{name}.lance" for name in (*SCHEMAS, TERMS, MEANING, COMMIT)}


def _check_free(place: str, schema: pa.Schema) -> None:
    """Refuse to write over a table of the same name that another program made; a killed writer leaves ours."""
    try:
        found = lance.dataset(place).schema
    except (ValueError, OSError):
        return
    if not found.equals(schema):
        raise OutputInTheWay(f"{place}: a table that is not of a collection; choose another output")


def quoted(value: str) -> str:
    """A string in a filter."""
    return "'" + value.replace("'", "''") + "'"


def _check_utf8(address: str) -> None:
    if address != valid_text(address):
        raise NotACollection(f"{address}: Lance takes paths in UTF-8 only; choose another path")


def _place(address: str, name: str) -> str:
    return f"{address.rstrip('/')}/{name}.lance"
