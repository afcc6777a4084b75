"""The tables of a collection in Lance, and what makes changes to several of them one.

A collection is a folder, or an address in an object store, with these tables:

* ``statements``: a row per statement, see `schemas.STATEMENTS`;
* ``edges``: a row per reference, see `schemas.EDGES`;
* ``projects``: a row per project with its content hash and what became of it;
* ``terms``: how rare terms are, and what maps them to vectors, see `indexing`;
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
import pyarrow as pa

from naturalproofs.collection import COMMIT
from naturalproofs.collection.schemas import SCHEMAS
from naturalproofs.errors import CollectionDamaged, NotACollection, OutputInTheWay, valid_text
from naturalproofs.io.files import locked, remove

FORMAT = 4
"""Raised whenever the layout of a table changes; a collection of another format must be made again."""
TERMS, LOCK = "terms", ".lock"
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
        if committed is not None and TERMS in committed.tables:
            self.tables[TERMS] = self._committed(TERMS, None, committed)

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
    return entry.name == LOCK or entry.name in {f"{name}.lance" for name in (*SCHEMAS, TERMS, COMMIT)}


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
