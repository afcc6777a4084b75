"""Pieces of data and records that wait in a temporary file, so that memory does not grow with them."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import eq
from typing import IO, TypeVar, overload
from weakref import finalize

import msgspec

from naturalproofs.errors import NoSpace

Record = TypeVar("Record")

BUFFER = 1 << 18
"""Bytes that are written at once."""


class Spool:
    """Pieces of bytes, by number. The file has no name and is gone when nobody holds the spool any more."""

    def __init__(self) -> None:
        """Make an empty file."""
        try:
            # No buffer of the file's own: pieces are read in any order, and nothing is read in vain.
            self._file: IO[bytes] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed by the next line
            finalize(self, self._file.close)
        except OSError as error:
            raise _no_space(error) from error
        self._starts = array("Q", [0])
        self._unwritten = bytearray()

    def __len__(self) -> int:
        """How many pieces there are."""
        return len(self._starts) - 1

    def append(self, data: bytes) -> None:
        """Add a piece."""
        self._starts.append(self._starts[-1] + len(data))
        self._unwritten += data
        if len(self._unwritten) > BUFFER:
            self._write()

    def __getitem__(self, number: int) -> bytes:
        """Read a piece."""
        if self._unwritten:
            self._write()
        start = self._starts[number]
        self._file.seek(start)
        return self._file.read(self._starts[number + 1] - start)

    def _write(self) -> None:
        try:
            self._file.seek(0, os.SEEK_END)
            while self._unwritten:
                del self._unwritten[: self._file.write(self._unwritten)]
        except OSError as error:
            raise _no_space(error) from error


class Spooled(Sequence[Record]):
    """Records of one type in a temporary file: every look makes them anew."""

    def __init__(
        self, record: type[Record], records: Iterable[object], key: Callable[[int], int] | None = None
    ) -> None:
        """Write records down.

        Args:
            record: The type to read them as.
            records: What to write: such records, or anything with fields of the same names.
            key: Gives for each number what to sort by; without it the order is as it is.
        """
        self._decoder = msgspec.msgpack.Decoder(record)
        self._record = record
        self._spool = Spool()
        append, encode = self._spool.append, msgspec.msgpack.Encoder().encode
        for each in records:
            append(encode(each))
        self._order: Sequence[int] = range(len(self._spool))
        if key is not None:
            self._order = array("L", sorted(self._order, key=key))

    def __len__(self) -> int:
        """How many records there are."""
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, index: int | slice) -> Record | tuple[Record, ...]:
        """Read one record, or several."""
        if isinstance(index, slice):
            return tuple(self._decoder.decode(self._spool[number]) for number in self._order[index])
        return self._decoder.decode(self._spool[self._order[index]])

    def __iter__(self) -> Iterator[Record]:
        """Read all records, one after another."""
        decode, spool = self._decoder.decode, self._spool
        return (decode(spool[number]) for number in self._order)

    def __eq__(self, other: object) -> bool:
        """Whether another sequence holds the same records."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def changed(self, change: Callable[[Record], Record]) -> Spooled[Record]:
        """Write all records down again, each of them changed."""
        return Spooled(self._record, map(change, self))


class SpooledMap(Mapping[str, Record]):
    """Records of one type by name in a temporary file: every look makes the record anew."""

    def __init__(self, record: type[Record]) -> None:
        """Start with none.

        Args:
            record: The type to read them as.
        """
        self._numbers: dict[str, int] = {}
        self._spool = Spool()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(record).decode

    def add(self, name: str, record: Record) -> None:
        """Write a record down; a later one of the same name is read in its place, and in its turn."""
        self._numbers[name] = len(self._spool)
        self._spool.append(self._encode(record))

    def __contains__(self, name: object) -> bool:
        """Whether there is a record of that name."""
        return name in self._numbers

    def __getitem__(self, name: str) -> Record:
        """Read a record."""
        return self._decode(self._spool[self._numbers[name]])

    def __iter__(self) -> Iterator[str]:
        """Give the names in the order of their first records."""
        return iter(self._numbers)

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._numbers)


def _no_space(error: OSError) -> NoSpace:
    where = tempfile.gettempdir()
    return NoSpace(f"{where}: no temporary file can be written ({error.strerror}); make room or set TMPDIR")
