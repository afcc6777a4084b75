"""Writing, replacing and deleting files and folders.

Files and folders are written under a temporary name, flushed to disk and renamed, so that a crash leaves the old or the
new contents, never a part. Deleting never follows symbolic links. An output that is a device, a pipe or a symbolic link
is written through and not replaced.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import io
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.listing import resolved

# Unsaved editor buffers, read instead of their files.

_texts: ContextVar[Mapping[Path, bytes] | None] = ContextVar("unsaved", default=None)


@contextmanager
def unsaved(texts: Mapping[Path, bytes]) -> Iterator[None]:
    """Use these buffers, by resolved path, and those of outer blocks for all reading of this thread in the block."""
    token = _texts.set({**(_texts.get() or {}), **texts})
    try:
        yield
    finally:
        _texts.reset(token)


def any_unsaved() -> bool:
    """Whether there are unsaved buffers."""
    return bool(_texts.get())


def unsaved_bytes(path: Path) -> bytes | None:
    """The unsaved buffer of a file, if any."""
    texts = _texts.get()
    return texts.get(resolved(path)) if texts else None


def current_bytes(path: Path) -> bytes:
    """The current contents of a file: its unsaved buffer, or what is on disk."""
    buffer = unsaved_bytes(path)
    return path.read_bytes() if buffer is None else buffer


# Content hashes.

CHUNK = 1 << 20


def sha256_bytes(data: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def sha256_file(path: Path) -> str:
    """The SHA-256 of a file, read in chunks."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


_STALE_AFTER = 24 * 3600
"""Seconds after which temporary files count as left over, where the file system has no locks."""
_JUST_MADE = 60
"""Seconds for which a temporary file counts as in use although it is not locked: its process may be about to do so."""
_JUST_LOCKED = 2
"""The same for the folder that is to be written now: nothing that is known to be of another process is removed."""
_SCRATCH, _OLD = ".part", ".old"
_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TEMPORARY = re.compile(rf"\.(.+)\.[0-9a-f]{{8}}({re.escape(_SCRATCH)}|{re.escape(_OLD)})", re.DOTALL)
"""Temporary names, as `_temporary` makes them."""
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


class Directory:
    """An open directory descriptor. Names given to its methods are single file names, never paths."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def open(self, name: str) -> io.BufferedReader:
        """A regular file, open for reading."""
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._descriptor)
        stream = os.fdopen(handle, "rb")
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            stream.close()
            raise OSError(f"{name}: not a regular file")
        return stream

    def read(self, name: str) -> bytes:
        """The contents of a regular file."""
        with self.open(name) as stream:
            return stream.read()

    def write(self, name: str, data: bytes | Iterable[bytes], *, sync: bool = False) -> None:
        """Write a file under a temporary name, then rename it; a link of that name is replaced, not followed.

        Args:
            name: The name of the file.
            data: Its contents, whole or in pieces.
            sync: Flush the file and the folder to disk. A cache does without: its files are checked when read.
        """
        scratch = _temporary(name, _SCRATCH)
        handle = os.open(scratch, _WRITE, 0o666, dir_fd=self._descriptor)
        try:
            with os.fdopen(handle, "wb") as stream:
                _mark_in_use(handle)
                for piece in [data] if isinstance(data, bytes) else data:
                    stream.write(piece)
                stream.flush()
                if sync:
                    os.fsync(handle)
                self._rename(scratch, name)
        except BaseException:
            self.remove(scratch)
            raise
        if sync:
            os.fsync(self._descriptor)

    def _rename(self, old: str, new: str) -> None:
        try:
            os.rename(old, new, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        except IsADirectoryError:
            # An empty folder in the place of a file holds nothing that could be lost.
            os.rmdir(new, dir_fd=self._descriptor)
            os.rename(old, new, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def names(self) -> list[str]:
        """The names of the entries."""
        with os.scandir(self._descriptor) as entries:
            return [entry.name for entry in entries]

    def remove(self, name: str) -> None:
        """Remove an entry that is not a folder; a link is removed, not what it leads to."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)


@contextlib.contextmanager
def open_directory(root: Path, folder: Path, *, create: bool = False) -> Iterator[Directory]:
    """Open a folder at or below a trusted root.

    Args:
        root: A folder that the user chose; links on the way to it are followed.
        folder: The folder to open; no component of it below the root may be a link.
        create: Whether to make missing folders.

    Raises:
        OSError: A component is a link, is not a folder, or does not exist.
    """
    if create:
        make_folder(root)
    descriptor = os.open(root, _OPEN)
    try:
        for part in folder.relative_to(root).parts:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=descriptor)
            below = os.open(part, _OPEN | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield Directory(descriptor)
    finally:
        os.close(descriptor)


def check_no_links(root: Path, folder: Path) -> None:
    """Raise an error if a component of a folder below a trusted root is a symbolic link."""
    path = root
    for part in folder.relative_to(root).parts:
        path /= part
        if path.is_symlink():
            raise OSError(f"{path}: is a symbolic link, and caches do not follow links")


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that a crash leaves the old or the new contents; write through what is not a regular file."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_bytes(data)
        return
    with _named_in_errors(path), open_directory(path.parent, path.parent, create=True) as directory:
        directory.write(path.name, data, sync=True)


def write_file(path: Path, data: bytes | str) -> None:
    """Write a file of a scratch folder, which `replaced_folder` flushes to disk and moves; missing folders are made."""
    make_folder(path.parent)
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, if it is missing."""
    path.mkdir(parents=True, exist_ok=True)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold the lock of a folder or of a file, which is made if it is missing; whether no other process holds it."""
    make_folder(path.parent)
    mode = _OPEN if path.is_dir() else os.O_WRONLY | os.O_CREAT
    descriptor = os.open(path, mode | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = True
        except BlockingIOError:
            free = False
        yield free
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file, a link or a whole folder, as far as possible; links are removed, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def check_free(target: Path, may_replace: Callable[[Path], bool]) -> None:
    """Refuse to replace a path that is not ours, before any work is done.

    Args:
        target: The folder to make or replace.
        may_replace: Whether an existing, non-empty folder is ours to replace; it may itself say what is not.
    """
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise OutputInTheWay(f"{target}: exists and is not a folder; choose another output")
    # A folder with nothing but what a killed command left holds nothing.
    held = target.is_dir() and any(not _TEMPORARY.fullmatch(entry.name) for entry in target.iterdir())
    if held and not may_replace(target):
        raise OutputInTheWay(
            f"{target}: exists and was not made by this command; choose another output, or remove it yourself"
        )


@contextlib.contextmanager
def replaced_folder(target: Path, may_replace: Callable[[Path], bool]) -> Iterator[Path]:
    """Give a scratch folder beside the target; move it into place when the block ends without an error.

    The contents are flushed to disk before they appear under the target's name. An existing folder is exchanged with
    the new one in a single step where the system can, so that the target exists at every moment.

    Args:
        target: The folder to make or replace.
        may_replace: Whether an existing, non-empty target is ours to replace. It is asked again about the old folder
            before that is removed: something may have been added to it in the meantime.
    """
    recover_folder(target)
    check_free(target, may_replace)
    scratch = target.with_name(_temporary(target.name, _SCRATCH))
    try:
        make_folder(target.parent)
        for leftover in leftovers(target.parent, _JUST_LOCKED):
            if leftover.target == target:
                remove(leftover.path)
        scratch.mkdir()
        lock = os.open(scratch, _OPEN)
    except OSError as error:
        raise OutputInTheWay(f"{target}: cannot be written here ({error.strerror}); choose another output") from error
    try:
        _mark_in_use(lock)
        with _named_in_errors(target, scratch):
            yield scratch
            _sync_tree(scratch)
            _put_in_place(scratch, target, may_replace)
    finally:
        # After an exchange this is the old folder.
        remove(scratch)
        os.close(lock)


@contextlib.contextmanager
def _named_in_errors(target: Path, scratch: Path | None = None) -> Iterator[None]:
    """Name the output, not a temporary file, in errors of the operating system; files outside scratch keep their name.

    Args:
        target: The output.
        scratch: The folder with the temporary files; None if all files are temporary.
    """
    try:
        yield
    except OSError as error:
        temporary = scratch is None or error.filename is None or Path(str(error.filename)).is_relative_to(scratch)
        if error.errno is not None and temporary:
            error.filename, error.filename2 = str(target), None
        raise


@dataclass(frozen=True, slots=True)
class Leftover:
    """A temporary file or folder of a process that was killed."""

    path: Path
    target: Path
    """The file or folder that was being written."""
    only_copy: bool
    """Whether it is the old contents of a target that does not exist, so that it is to be moved back."""


def leftovers(folder: Path, just_made: float | None = None) -> Iterator[Leftover]:
    """The leftovers directly in a folder; what a running process writes, or has just begun to write, is not one.

    Args:
        folder: The folder.
        just_made: Seconds for which something counts as just begun; 0 for one who holds a lock on its target.
    """
    limit = _JUST_MADE if just_made is None else min(just_made, _JUST_MADE)
    return (found for found in _temporaries(folder) if not _in_use(found.path, limit))


def _temporaries(folder: Path) -> Iterator[Leftover]:
    """The temporary files and folders in a folder, those in use included, the newest first."""
    with os.scandir(folder) as entries:
        named = [(Path(entry), found) for entry in entries if (found := _TEMPORARY.fullmatch(entry.name))]
    for path, found in sorted(named, key=lambda each: _changed(each[0]), reverse=True):
        if not path.is_symlink():
            target = folder / found[1]
            yield Leftover(path, target, found[2] == _OLD and not os.path.lexists(target))


def clean(leftover: Leftover) -> None:
    """Remove a leftover; the only copy of a folder is moved back instead."""
    if leftover.only_copy:
        recover_folder(leftover.target)
    else:
        remove(leftover.path)


def recover_folder(target: Path) -> None:
    """Move a folder back whose replacement was interrupted between two renames, where exchanging is not supported."""
    if os.path.lexists(target):
        return
    with contextlib.suppress(OSError):
        for found in _temporaries(target.parent):
            if found.target == target and found.only_copy:
                found.path.rename(target)
                return


def _mark_in_use(descriptor: int) -> None:
    """Lock a temporary file or folder until it is closed or the process ends; not every file system has locks."""
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _in_use(path: Path, just_made: float) -> bool:
    """Whether a process that still runs writes a temporary file or folder, or has just made it."""
    age = time.time() - _changed(path)
    if age < just_made:
        return True
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return age < _STALE_AFTER
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return age < _STALE_AFTER
    finally:
        os.close(descriptor)
    return False


def _changed(path: Path) -> float:
    """When a file was last written or renamed; now if it is gone."""
    try:
        return path.lstat().st_ctime
    except OSError:
        return time.time()


def _put_in_place(scratch: Path, target: Path, may_replace: Callable[[Path], bool]) -> None:
    """Rename the new folder; the old one, if there is one, is left under a temporary name and may be removed."""
    if not target.exists():
        scratch.rename(target)
    elif _exchange(scratch, target):
        with _undone(lambda: _exchange(scratch, target), target):
            check_free(scratch, may_replace)
    else:
        old = target.with_name(_temporary(target.name, _OLD))
        target.rename(old)
        with _undone(lambda: old.rename(target), target):
            check_free(old, may_replace)
            scratch.rename(target)
        remove(old)
    _sync(target.parent)


@contextlib.contextmanager
def _undone(undo: Callable[[], object], target: Path) -> Iterator[None]:
    """Undo a renaming if the block fails."""
    try:
        yield
    except BaseException as error:
        undo()
        if isinstance(error, OutputInTheWay):
            raise OutputInTheWay(
                f"{target}: something was added or changed there while the new folder was made; it is left as it is"
            ) from error
        raise


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two paths in one step; False where the operating system or the file system cannot."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    if renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(code, os.strerror(code), str(second))


def _temporary(name: str, suffix: str) -> str:
    return f".{name}.{secrets.token_hex(4)}{suffix}"


def _sync_tree(folder: Path) -> None:
    for parent, _, names in os.walk(folder, topdown=False):
        for name in names:
            _sync(Path(parent, name))
        _sync(Path(parent))


def _sync(path: Path) -> None:
    """Flush a file or a folder to disk; links and special files have nothing to flush."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(handle)
