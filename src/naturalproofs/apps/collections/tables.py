"""The tables of a collection in Lance, and what makes changes to several of them one.

A collection is a folder, or an address in an object store, with these tables:

* ``statements``: a row per statement, see `schemas.STATEMENTS`;
* ``edges``: a row per reference, see `schemas.EDGES`;
* ``projects``: a row per project with its content hash and what became of it;
* ``terms``: how rare terms are, and what maps them to vectors, see `indexing`;
* ``words`` and ``meaning``: the same of the terms of search;
* ``duplicates``: statements whose text stands in an earlier project too;
* ``macros``: the macros of each project;
* ``citations`` and ``links``: numbered results of other works that are cited, and those that were found, see `papers`;
* ``commit``: one row with the version of each table.

Readers open the versions that the last commit names, so that they never see half of a change. These versions have tags,
which no cleaning removes. A writer that was killed leaves versions that no commit names; the next writer goes back to
the committed ones. Each change builds on the version that the writer has seen, in an object store too: of two writers
at the same time one is refused, and no commit is lost.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from operator import methodcaller
from pathlib import Path
from typing import Any

import lance
import msgspec
import pyarrow as pa
from lance.fragment import write_fragments

from naturalproofs.apps.collections import COMMIT
from naturalproofs.errors import CollectionDamaged, NotACollection, OutputInTheWay, valid_text
from naturalproofs.io.files import locked, remove
from naturalproofs.ranking.candidate_index import Entry
from naturalproofs.records import Kind, Mention, Note, Origin, Passage, Place, Proof, Statement

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
    searched: list[str] = []
    """The tokens of each field that is searched, see `naturalproofs.workspace.search.documents`."""

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
    search_formulas=_TEXT, search_seen=_TEXT, search_words=_TEXT,
)  # fmt: skip
"""``labelled`` is false if the label was generated. ``heading`` is the title or, without one, the words of the label.
``tokens`` and ``names`` are the terms of the whole and of the heading, joined by spaces. ``references`` are those of
the statement, ``cited`` those of its proofs. ``record`` is the row as `Row`. What search looks up: ``search_seen`` has
the tokens that a reader sees, for phrases, ``search_words`` those of all fields, each as often as it weighs,
``search_formulas`` the n-grams, ``search_keys`` the names, kinds and forms as "field:name"; ``search_chapter`` and
``search_category`` are in lower case. Columns with vectors are added when the collection is indexed."""
EDGES = _schema(project=_TEXT, citing=_TEXT, cited=_TEXT, proof=pa.int32(), rank=pa.int32())
"""``proof`` is the number of the proof that cites, or -1 for the statement itself."""
PROJECTS = _schema(
    name=_TEXT, path=_TEXT, hash=_TEXT, status=_TEXT, message=_TEXT, seconds=pa.float64(), statements=pa.int32(),
    edges=pa.int32(), citations=pa.int32(), title=_TEXT, authors=_LIST, year=_TEXT, subjects=_LIST, licence=_TEXT,
    ids=_LIST, stamp=_TEXT,
)  # fmt: skip
"""``ids`` are its arXiv id and its DOI.
``path`` and ``name`` stay together: a project that is read again from the same place keeps its name."""
CITATIONS = _schema(project=_TEXT, citing=_TEXT, part=_TEXT, form=_TEXT, number=_TEXT, names=_LIST, entry=_TEXT)
"""A numbered result of another work that a statement cites: in which part of it, ids and possible titles of the work,
and the words of its entry in the bibliography."""
LINKS = _schema(project=_TEXT, citing=_TEXT, part=_TEXT, cited=_TEXT, origin=_TEXT)
"""A statement that cites one of another project; ``origin`` says how the work is known: arxiv, doi or title."""
MACROS = _schema(project=_TEXT, definitions=_TEXT)
"""The macros that the texts of a project use, as LaTeX."""
DUPLICATES = _schema(id=_TEXT, project=_TEXT, first=_TEXT)
"""A statement, and the one with the same text in the first project that has it."""
TERM_SCHEMA = _schema(
    view=_TEXT, hash=pa.uint32(), frequency=pa.int64(), term=_TEXT, rarity=pa.float32(),
    projection=pa.list_(pa.float32()),
)  # fmt: skip
"""In how many statements each term is, by view and hash. Then the terms of the vectors, with their rarity in the
sample and their row of the map from terms to vectors."""
WORDS = _schema(project=_TEXT, term=_TEXT, count=pa.int64())
"""In how many statements of a project each term of search is; see `indexing.word_counts`."""
MEANINGS = _schema(term=_TEXT, vector=pa.list_(pa.float32()))
"""What maps the terms of search to vectors."""
SCHEMAS = {
    "statements": STATEMENTS, "edges": EDGES, "projects": PROJECTS, "duplicates": DUPLICATES, "words": WORDS,
    "citations": CITATIONS, "links": LINKS, "macros": MACROS,
}  # fmt: skip


FORMAT = 9
"""Raised whenever the layout of a table changes; a collection of another format must be made again."""
TERMS, MEANING, LOCK = "terms", "meaning", ".lock"
TAG = "committed-"
"""What the tag of a committed version of a table begins with; its number follows."""
BUSY = "another process is writing to this collection; wait for it and run again, nothing committed is lost"
_NOT_FOUND = "was not found"
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_RUST = re.compile(r"LanceError\(\w+\): |,? ?/\S+\.rs:\d+:\d+")
"""What a user can do nothing with: the name of the error in Lance, and its place in the source."""
_CONFLICT = re.compile(r"commit conflict|Incompatible transaction|Dataset already exists")
_STORE_ERROR = re.compile(r"Generic (?!LocalFileSystem)\w+ error: ")


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of the tables that belong together."""

    number: int
    """How many commits there were before."""
    tables: dict[str, int]
    finished: bool = True
    """Whether indexes and duplicates are up to date with the statements."""


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

    def read(self, columns: Sequence[str] = (), condition: str | None = None, **asked: Any) -> pa.Table:
        """Some columns of the statements with the numbers of their rows, as a scanner of Lance is asked for them."""
        return self.table("statements").to_table(columns=[*columns], filter=condition, with_row_id=True, **asked)

    def rows(self, condition: str, limit: int | None = None) -> dict[int, Row]:
        """The statements that meet a condition, by the numbers of their rows."""
        found = self.read([RECORD], condition, limit=limit)
        return dict(zip(found["_rowid"].to_pylist(), rows_of(found), strict=True))


def last_commit(address: str) -> Versions | None:
    """The versions of the last commit; None if nothing was committed yet."""
    with lance_errors(address):
        return _versions(address, _opened(address, COMMIT))


def _versions(address: str, commit: Any | None) -> Versions | None:
    if commit is None:
        return None
    row = commit.to_table().to_pylist()[0]
    if row.pop("format") != FORMAT:
        raise NotACollection(f"{address}: made by another version of this program; collect its sources again")
    number, finished = int(row.pop("number")), bool(row.pop("finished"))
    return Versions(number, {name: int(version) for name, version in row.items() if version}, finished)


def _opened(address: str, name: str) -> Any | None:
    """The newest version of a table; None if the store says that there is none, and no other answer means that."""
    _check_utf8(address)
    try:
        return lance.dataset(_place(address, name))
    except ValueError as error:
        if _NOT_FOUND in str(error):
            return None
        raise


class Writer:
    """Changes a collection; one at a time."""

    def __init__(self, address: str | Path) -> None:
        """Open or make a collection; what was written after the last commit is undone."""
        self.address = str(address)
        self.commits = _opened(self.address, COMMIT)
        committed = _versions(self.address, self.commits)
        self.number = committed.number if committed else 0
        self.changed = committed is None
        self.finished = committed is None or committed.finished
        """Whether indexes and duplicates are up to date with the statements."""
        self.tables: dict[str, Any] = {}
        if committed is None:
            self.tables.update({name: self._new(name, schema) for name, schema in SCHEMAS.items()})
        else:
            self.tables.update({name: self._restored(name, at) for name, at in committed.tables.items()})

    def _new(self, name: str, schema: pa.Schema) -> Any:
        found = _opened(self.address, name)
        if found is not None and not found.schema.equals(schema):
            # A killed writer leaves a table of ours; this is one of another program.
            raise OutputInTheWay(f"{found.uri}: a table that is not of a collection; choose another output")
        place = _place(self.address, name) if found is None else found
        return lance.write_dataset(schema.empty_table(), place, mode="overwrite")

    def _restored(self, name: str, version: int) -> Any:
        """A table as it was committed; what a killed writer has added is undone."""
        newest = lance.dataset(_place(self.address, name))
        if newest.version != version:
            lance.dataset(_place(self.address, name), version=version).restore()
            newest, self.changed = lance.dataset(_place(self.address, name)), True
        return newest

    def append(self, name: str, rows: pa.Table) -> None:
        """Add rows to a table."""
        self.extend(name, fragments(rows, self.tables[name]))

    def extend(self, name: str, written: Sequence[Any]) -> None:
        """Add fragments to a table in one commit; other processes may have written them."""
        if written:
            with self._alone(name):
                table, added = self.tables[name], lance.LanceOperation.Append(written)
                self.tables[name] = lance.LanceDataset.commit(table, added, read_version=table.version)

    @property
    def written(self) -> Collection:
        """What is written so far, for readers elsewhere; most of it has no commit yet."""
        return Collection(self.address, Versions(self.number, {name: one.version for name, one in self.tables.items()}))

    def overwrite(self, name: str, rows: pa.Table) -> None:
        """Replace all rows of a table."""
        with self._alone(name):
            place = self.tables.get(name, _place(self.address, name))
            self.tables[name] = lance.write_dataset(rows, place, mode="overwrite")

    def delete(self, name: str, column: str, values: Sequence[str]) -> None:
        """Remove the rows whose column has one of some values."""
        for first in range(0, len(values), 500):
            with self._alone(name):
                self.tables[name].delete(within(column, values[first : first + 500]))

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """Refuse a change that Lance has put on top of a change by another writer."""
        before = self.tables[name].version if name in self.tables else None
        yield
        if before is not None and self.tables[name].version > before + 1:
            raise OutputInTheWay(f"{self.address}: {BUSY}")
        self.changed = True

    @contextmanager
    def rows_kept(self, name: str, *, moved: bool = False) -> Iterator[Any]:
        """The table for changes by Lance that keep its rows; refused if another writer has changed them meanwhile.

        Args:
            name: The table.
            moved: Whether its rows may be put into other fragments.
        """
        count = methodcaller("count_rows") if moved else _fragments
        before = count(self.tables[name])
        yield self.tables[name]
        if before != count(self.tables[name]):
            raise OutputInTheWay(f"{self.address}: {BUSY}")
        self.changed = True

    def commit(self) -> None:
        """Make all changes visible at once; refused if another writer has made a commit since this one began."""
        if not self.changed:
            return
        for table in self.tables.values():
            tag = f"{TAG}{table.version}"
            if tag not in table.tags.list():
                table.tags.create(tag, table.version)
        row = {"format": FORMAT, "number": self.number + 1, "finished": self.finished}
        rows = pa.Table.from_pylist([row | {name: one.version for name, one in self.tables.items()}])
        if self.commits is None:
            self.commits = lance.write_dataset(rows, _place(self.address, COMMIT), mode="create")
        else:
            self.commits = lance.write_dataset(rows, self.commits, mode="overwrite")
        self.number, self.changed = self.number + 1, False


def fragments(rows: pa.Table, table: Any) -> list[Any]:
    """Write rows as fragments for a table, which no version of it has yet."""
    return write_fragments(rows, table, mode="append") if rows.num_rows else []


def _fragments(table: Any) -> list[tuple[int, int]]:
    return [(one.fragment_id, one.count_rows()) for one in table.get_fragments()]


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
            raise OutputInTheWay(f"{text}: {BUSY}")
        try:
            with lance_errors(text):
                yield Writer(text)
        except BaseException:
            with suppress(OSError, ValueError):
                if is_new and _opened(text, COMMIT) is None:
                    remove(folder)
            raise


@contextmanager
def lance_errors(address: str) -> Iterator[None]:
    """Errors of Lance as errors of the operating system, where they come from it, or as one line."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        text = str(error)
        if "LanceError" not in text and not _RUST.search(text):
            raise
        if _CONFLICT.search(text):
            raise OutputInTheWay(f"{address}: {BUSY}") from error
        found = _OS_ERROR.search(text)
        if found is not None:
            number = int(found[1])
            raise OSError(number, os.strerror(number), address) from error
        reason = " ".join(_RUST.sub("", text[:4_000]).split())[:200]
        if _STORE_ERROR.search(text):
            raise CollectionDamaged(
                f"{address}: the store did not answer ({reason}); run it again when it does"
            ) from error
        raise CollectionDamaged(f"{address}: {reason}; collect its sources again, into a new folder") from error


def _is_ours(entry: Path) -> bool:
    """Whether something in a folder belongs to a collection, finished or not."""
    return entry.name == LOCK or entry.name in {f"{name}.lance" for name in (*SCHEMAS, TERMS, MEANING, COMMIT)}


def quoted(value: str) -> str:
    """A string in a filter."""
    return "'" + value.replace("'", "''") + "'"


def within(column: str, values: Iterable[Any]) -> str:
    """The condition that a column has one of some values, texts or numbers."""
    listed = ", ".join(quoted(one) if isinstance(one, str) else str(one) for one in values)
    return f"{column} IN ({listed})" if listed else "false"


def _check_utf8(address: str) -> None:
    if address != valid_text(address):
        raise NotACollection(f"{address}: Lance takes paths in UTF-8 only; choose another path")


def _place(address: str, name: str) -> str:
    return f"{address.rstrip('/')}/{name}.lance"
