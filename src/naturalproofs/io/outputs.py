"""Files that a command writes for its user: nothing is replaced that no command wrote, unless the user says so.

The cache keeps the hashes of what was last written to each path. A file with another hash was made or changed by
somebody else. Two commands do not write one file at the same time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.cache import cache_folder, evict
from naturalproofs.io.files import leftovers, locked, open_directory, remove, sha256_bytes, sha256_file, write_atomic
from naturalproofs.io.listing import resolved

OUTPUTS = "outputs"
"""The folder of the cache with a file for each output: the hash of its contents, and that of its earlier contents."""
_LIMIT = 4 << 20
"""Bytes that they may take."""
_replace_any: ContextVar[bool] = ContextVar("replace_any", default=False)


@contextmanager
def replacing_any_file() -> Iterator[None]:
    """Inside the block, files that no command wrote are replaced too: the user asks for it."""
    token = _replace_any.set(True)
    try:
        yield
    finally:
        _replace_any.reset(token)


def check_output(path: Path | None) -> None:
    """Refuse a file that no command wrote, before any work is done; devices, pipes and empty files may be written."""
    if path is None:
        return
    if path.is_dir():
        raise OutputInTheWay(f"{path}: is a folder; give the name of a file")
    if not path.is_file() or not path.stat().st_size or _replace_any.get():
        return
    if _mark(sha256_file(path)) not in _written(path):
        raise OutputInTheWay(
            f"{path}: exists, and is not what a command wrote there; choose another output, or replace it by --force"
        )


def write_output(path: Path, data: bytes, *, known: bool = False) -> None:
    """Write a file for the user; one that no command wrote is refused.

    Args:
        path: Where to write; what is not a regular file is written through.
        data: What to write.
        known: Whether the present file may be replaced because it was read as one of the same kind.
    """
    with _alone(path):
        if path.is_dir() or not known:
            check_output(path)
        remembered = _remember(path, data)
        for leftover in leftovers(path.parent, 0) if path.parent.is_dir() else ():
            if leftover.target == path:
                remove(leftover.path)
        try:
            write_atomic(path, data)
        except (FileExistsError, NotADirectoryError) as error:
            raise OutputInTheWay(f"{path}: cannot be written here ({error.strerror}); choose another output") from error
        if not remembered:
            _remember(path, data)


def _entry(path: Path, kind: bytes = b"") -> Path:
    return cache_folder() / OUTPUTS / sha256_bytes(os.fsencode(resolved(path)) + kind)[:16]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let no other command write the file; without a cache there is no lock."""
    with contextlib.ExitStack() as stack:
        try:
            free = stack.enter_context(locked(_entry(path, b"\0lock")))
        except OSError:
            free = True
        if not free:
            raise OutputInTheWay(f"{path}: another command is writing it; run again when that has ended")
        yield


def _mark(digest: str) -> str:
    """As much of a hash as is kept: an entry should find place where hardly anything else does."""
    return digest[:32]


def _written(path: Path) -> list[str]:
    """The hashes of what was written to a path, the last one first."""
    try:
        return [_mark(digest) for digest in _entry(path).read_text("ascii").split()]
    except (OSError, ValueError):
        return []


def _remember(path: Path, data: bytes) -> bool:
    """Note what is about to be written; whether it could be. The earlier hash stays: a kill leaves the earlier file."""
    entry = _entry(path)
    present = sha256_file(path) if path.is_file() else ""
    try:
        with open_directory(entry.parent, entry.parent, create=True) as directory:
            directory.write(entry.name, f"{_mark(sha256_bytes(data))}\n{_mark(present)}\n".encode())
        evict(entry.parent.iterdir(), _LIMIT)
    except OSError:
        return False
    return True
