"""Where the user keeps what can be made again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path


def cache_folder() -> Path:
    """The folder of this package; ``NATURALPROOFS_CACHE`` names another one."""
    own = os.environ.get("NATURALPROOFS_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "naturalproofs"


def forget(kept: Iterable[Path], limit: int) -> None:
    """Of files and folders, remove those used least recently until the rest takes at most so many bytes."""
    total = 0
    for path in sorted(kept, key=_used, reverse=True):
        total += _bytes(path)
        if total > limit:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # Another process may clear the cache at any moment.
        return 0.0


def _bytes(path: Path) -> int:
    total = 0
    for file in path.rglob("*") if path.is_dir() else [path]:
        try:
            total += file.stat().st_size
        except OSError:
            continue
    return total
