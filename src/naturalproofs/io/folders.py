"""Folders that appear whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from naturalproofs.errors import OutputInTheWay


@contextmanager
def replaced_folder(target: Path, may_replace: Callable[[Path], bool]) -> Iterator[Path]:
    """Give a scratch folder beside the target; move it into place when the block ends without an error.

    Args:
        target: The folder to make or replace.
        may_replace: Says whether an existing, non-empty target is ours to replace.
    """
    check_free(target, may_replace)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise OutputInTheWay(f"{target}: cannot be written here ({error.strerror}); choose another output") from error
    try:
        # mkdtemp makes private folders; a corpus is to be shared like any other output.
        scratch.chmod(0o777 & ~_umask())
        yield scratch
        _move(scratch, target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def check_free(target: Path, may_replace: Callable[[Path], bool]) -> None:
    """Refuse, before any work is done, to replace something that is not ours."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise OutputInTheWay(f"{target}: exists and is not a folder; choose another output")
    if target.is_dir() and any(target.iterdir()) and not may_replace(target):
        raise OutputInTheWay(f"{target}: exists and was not made by this command; choose another output or remove it")


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file under a temporary name, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _move(scratch: Path, target: Path) -> None:
    if not target.exists():
        scratch.rename(target)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".old", dir=target.parent))
    target.rename(old / target.name)
    scratch.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
