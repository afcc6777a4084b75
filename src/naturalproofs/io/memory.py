"""Memory: a limit for one project, lists and maps on disk for many records, a pause of the garbage collector."""

from __future__ import annotations

import gc
import os
import resource
import tempfile
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from operator import eq
from pathlib import Path
from threading import Lock
from typing import IO, BinaryIO, TypeVar, overload
from weakref import finalize

import msgspec

from naturalproofs.errors import BadSchema, NoSpace, TooLarge

Record = TypeVar("Record")
Item = TypeVar("Item")

MEMORY = 3 << 30
"""Bytes that one project may take; ``NATURALPROOFS_MEMORY`` names another number of megabytes."""


class _Limit:
    """The limit of this process: the blocks that hold it now, what the first allows, and what was allowed before."""

    def __init__(self) -> None:
        self._lock, self._holders, self._before, self.allowed = Lock(), 0, resource.RLIM_INFINITY, 0

    def hold(self, change: int, allowed: int) -> None:
        """Enter (1) or leave (-1) a block."""
        with self._lock, suppress(OSError, ValueError, StopIteration):
            self._holders += change
            soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
            if not self._holders:
                resource.setrlimit(resource.RLIMIT_DATA, (self._before, hard))
            elif change > 0 and self._holders == 1:
                self._before, self.allowed = soft, allowed
                lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
                used = next(int(line.split()[1]) for line in lines if line.startswith("VmData:")) << 10
                most = [limit for limit in (used + allowed, soft, hard) if limit != resource.RLIM_INFINITY]
                resource.setrlimit(resource.RLIMIT_DATA, (min(most), hard))


_limit = _Limit()


@contextmanager
def limited_memory(what: object, limit: int | None = None) -> Iterator[None]:
    """Let a block take some memory beyond what the process holds; what needs more ends with an error of one line.

    The first of several blocks, in one thread or in several, sets the limit, and the last one removes it. A system that
    does not say how much memory a process holds gets no limit.

    Args:
        what: What is read, for the error.
        limit: Bytes; None for the user's setting, or `MEMORY`.
    """
    set_by_user = os.environ.get("NATURALPROOFS_MEMORY", "")
    allowed = limit or (max(int(set_by_user), 1) << 20 if set_by_user.isdecimal() else MEMORY)
    _limit.hold(1, allowed)
    try:
        yield
        return
    except MemoryError:
        # The error is raised below: here, it would hold the frames of the failed work, and so their memory.
        pass
    finally:
        _limit.hold(-1, allowed)
    raise TooLarge(
        f"{what}: needs more than {_limit.allowed >> 20:,} MB of memory; give a part of it, or allow more by "
        "NATURALPROOFS_MEMORY, a number of megabytes"
    )


FEWEST_SCANNED = 100_000
"""New objects in the oldest generation before it is scanned."""
BUFFER = 1 << 18
"""Bytes that are written at once."""


class DiskBytes:
    """A list of byte strings in an unnamed temporary file, which is deleted with the object.

    There is no file until there is enough to write.
    """

    def __init__(self, entries: Iterable[bytes] = ()) -> None:
        """Start with some entries."""
        self._file: IO[bytes] | None = None
        self._starts = array("Q", [0])
        self._unwritten = bytearray()
        self._written = 0
        for entry in entries:
            self.append(entry)

    def __len__(self) -> int:
        """Number of entries."""
        return len(self._starts) - 1

    @property
    def size(self) -> int:
        """Bytes of all entries."""
        return self._starts[-1]

    def append(self, data: bytes) -> None:
        """Add an entry."""
        self._starts.append(self._starts[-1] + len(data))
        self._unwritten += data
        if len(self._unwritten) > BUFFER:
            self._write()

    def __getitem__(self, number: int) -> bytes:
        """Read an entry."""
        start, end = self._starts[number], self._starts[number + 1]
        if start >= self._written or self._file is None:
            return bytes(self._unwritten[start - self._written : end - self._written])
        return os.pread(self._file.fileno(), end - start, start)

    def _write(self) -> None:
        try:
            if self._file is None:
                # Unbuffered: entries are read in any order, so reading ahead is useless.
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed by the next line
                finalize(self, self._file.close)
            while self._unwritten:
                count = self._file.write(self._unwritten)
                del self._unwritten[:count]
                self._written += count
        except OSError as error:
            raise _no_space(error) from error


class DiskList(Sequence[Record]):
    """Records of one type in a temporary file; every access decodes them from disk."""

    def __init__(
        self, record: type[Record], records: Iterable[object], key: Callable[[int], int] | None = None
    ) -> None:
        """Write the records.

        Args:
            record: The type to decode them as.
            records: Such records, or objects with fields of the same names.
            key: Maps an index to its sort key; without it the order is unchanged.
        """
        self._decode = msgspec.msgpack.Decoder(record).decode
        self._record = record
        self._entries = DiskBytes()
        self._encode = msgspec.msgpack.Encoder().encode
        append, encode = self._entries.append, self._encode
        for each in records:
            append(encode(each))
        self._order: Sequence[int] = range(len(self._entries))
        if key is not None:
            self._order = array("L", sorted(self._order, key=key))

    def append(self, record: Record) -> None:
        """Add a record at the end of a list without a sort key."""
        self._entries.append(self._encode(record))
        self._order = range(len(self._entries))

    def __len__(self) -> int:
        """Number of records."""
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, index: int | slice) -> Record | tuple[Record, ...]:
        """Read one record, or several."""
        if isinstance(index, slice):
            return tuple(map(self._read, self._order[index]))
        return self._read(self._order[index])

    def __iter__(self) -> Iterator[Record]:
        """Read all records in order."""
        return map(self._read, self._order)

    @property
    def size(self) -> int:
        """Bytes of all records."""
        return self._entries.size

    def __eq__(self, other: object) -> bool:
        """Whether another sequence holds the same records."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def _read(self, number: int) -> Record:
        return self._decode(self._entries[number])

    def map(self, change: Callable[[Record], Record]) -> DiskList[Record]:
        """A new list of the changed records."""
        return DiskList(self._record, map(change, self))


class StoredList(DiskList[Record]):
    """The records of a file of JSON lines, each read on demand; the file stays open, so that it may be replaced."""

    def __init__(self, path: Path, record: type[Record], file: BinaryIO | None = None) -> None:
        """Find the lines of a file.

        Args:
            path: The file; it must not change while it is used, but may be replaced by another one.
            record: The type to decode lines as.
            file: The file, if it is open already.
        """
        self._decode, self._record, self._path = msgspec.json.Decoder(record).decode, record, path
        self._file = file or path.open("rb", buffering=0)
        finalize(self, self._file.close)
        self._starts = array("Q", [0])
        at = 0
        while block := self._file.read(BUFFER):
            found = block.find(b"\n")
            while found >= 0:
                self._starts.append(at + found + 1)
                found = block.find(b"\n", found + 1)
            at += len(block)
        if self._starts[-1] != at:
            self._starts.append(at)
        self._order = range(len(self._starts) - 1)

    def _read(self, number: int) -> Record:
        start, end = self._starts[number], self._starts[number + 1]
        try:
            # Threads and forked processes may do so at once.
            return self._decode(os.pread(self._file.fileno(), end - start, start))
        except (ValueError, RecursionError) as error:
            where = f"{self._path}:{number + 1}"
            raise BadSchema(f"{where}: not a valid record: {error}; rebuild the corpus") from error


class DiskMap(Mapping[str, Record]):
    """Records of one type by name in a temporary file; every access decodes one from disk."""

    def __init__(self, record: type[Record]) -> None:
        """Make an empty map.

        Args:
            record: The type to decode records as.
        """
        self._numbers: dict[str, int] = {}
        self._entries = DiskBytes()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(record).decode

    def add(self, name: str, record: Record) -> None:
        """Write a record; it replaces an earlier one of the same name, and takes its position."""
        self._numbers[name] = len(self._entries)
        self._entries.append(self._encode(record))

    def __contains__(self, name: object) -> bool:
        """Whether there is a record of that name."""
        return name in self._numbers

    def __getitem__(self, name: str) -> Record:
        """Read a record."""
        return self._decode(self._entries[self._numbers[name]])

    def __iter__(self) -> Iterator[str]:
        """The names, in the order of their first records."""
        return iter(self._numbers)

    def __len__(self) -> int:
        """Number of names."""
        return len(self._numbers)


class Recomputed(Iterable[Record]):
    """The results of a function for some items; they are computed again whenever they are iterated, and not held."""

    def __init__(self, compute: Callable[[Item], Record], items: Collection[Item]) -> None:
        """Bind the function and the items."""
        self._results: Callable[[], Iterator[Record]] = partial(map, compute, items)

    def __iter__(self) -> Iterator[Record]:
        """Compute the results in order."""
        return self._results()


def _no_space(error: OSError) -> NoSpace:
    where = tempfile.gettempdir()
    return NoSpace(f"{where}: no temporary file can be written ({error.strerror}); make room or set TMPDIR")


@dataclass(slots=True)
class _Unscanned:
    """Objects that were moved to the oldest generation, and how many of them are not yet counted as held."""

    held: int = 0
    new: int = 0


_unscanned = _Unscanned()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector while many long-lived objects are made: it would take up to a third of the time.

    The new objects are moved to the oldest generation, so that they are not scanned at once. Python does not count
    them when it decides whether to scan that generation. So it is scanned here when it has grown by a quarter:
    otherwise a process that reads a project again and again would keep all that it has read.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            _unscanned.new += gc.get_count()[0]
            gc.freeze()
            gc.unfreeze()
            if not _unscanned.held:
                _unscanned.held, _unscanned.new = _unscanned.new, 0
            elif _unscanned.new > max(FEWEST_SCANNED, _unscanned.held // 4):
                _unscanned.held += _unscanned.new - gc.collect()
                _unscanned.new = 0
        if running:
            gc.enable()
