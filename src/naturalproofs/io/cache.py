"""The user's cache folder: its contents can always be computed again."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from naturalproofs.io.files import remove, sha256_bytes
from naturalproofs.io.listing import home_folder

CACHE_VERSION = 42
"""Raised whenever something that is cached changes its layout or its meaning; all of it is then computed again."""
BESIDE = ".naturalproofs"
"""The cache folder inside a project, if the user asks for one."""
_PROJECT_LIMIT = 4 << 30
JUST_USED = 600
"""Seconds for which nothing is removed after it was used."""
_ENTRY = re.compile(r".*[0-9a-f]{16}(?:\.npy|-\d+\.shard)?(?:\.[0-9a-f]{8}\.(?:part|old))?", re.DOTALL)
"""Names in the cache: they end with a hash."""
_UNUSUAL = re.compile(r"[^\w-]+")


def cache_folder() -> Path:
    """The cache folder of this package; ``NATURALPROOFS_CACHE`` names another one."""
    own = os.environ.get("NATURALPROOFS_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else home_folder() / ".cache") / "naturalproofs"


def project_cache(root: Path) -> Path:
    """The cache folder of the project in a folder: in the user's cache, under a key made of the project's real path.

    A project is untrusted input, so its cache is not inside it. With ``NATURALPROOFS_CACHE_BESIDE=1`` the user asks
    for a cache inside the project all the same; symbolic links there are never followed.
    """
    root = root.resolve()
    if os.environ.get("NATURALPROOFS_CACHE_BESIDE", "") not in ("", "0"):
        return root / BESIDE
    key = sha256_bytes(os.fsencode(root))[:16]
    return cache_folder() / "projects" / f"{_UNUSUAL.sub('-', root.name)[:40]}-{key}"


def mark_project_used(root: Path) -> None:
    """Note that the cache of the project in a folder was used now; one inside the project is never removed."""
    folder = project_cache(root)
    if folder.name != BESIDE:
        mark_used(folder)


def limit_project_caches() -> None:
    """Remove the least recently used project caches once all of them together are too large."""
    folder = cache_folder() / "projects"
    evict(folder.iterdir() if folder.is_dir() else (), _PROJECT_LIMIT)


def evict(entries: Iterable[Path], limit: int) -> None:
    """Remove the least recently used files and folders until the others take at most `limit` bytes.

    The user may name any folder as the cache: what does not have a name that the cache gives stays and does not count.
    What was just used stays too: another process may be writing or reading it.
    """
    recent = time.time() - JUST_USED
    total, ours = 0, (path for path in entries if _ENTRY.fullmatch(path.name))
    for path in sorted(ours, key=_last_used, reverse=True):
        total += size_on_disk(path)
        if total > limit and _last_used(path) < recent:
            remove(path)


def mark_used(path: Path) -> None:
    """Note that a file or folder of the cache was used now, for `evict`; one that is not there is left alone."""
    with suppress(OSError):
        os.utime(path)


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # Another process may evict it at any moment.
        return 0.0


def free_space(folder: Path) -> int:
    """The bytes that can still be written to the disk of a folder."""
    return shutil.disk_usage(folder).free


def size_on_disk(path: Path) -> int:
    """The bytes of a file, or of all files and folders in a folder; what another process removes does not count."""
    if not path.is_dir() or path.is_symlink():
        return _size(path)
    return sum(_size(Path(parent, name)) for parent, folders, names in os.walk(path) for name in (*folders, *names))


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0
