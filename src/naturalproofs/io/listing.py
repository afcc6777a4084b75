"""Paths: written as text without loss, the files of a folder by their endings, the folders above a file."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path, PurePath

from naturalproofs.errors import valid_text

# Paths as text, and back. Every name in a record, a cache, a page or an answer is made and read here.

_BYTE = r"\\x(?:[89a-f][0-9a-f]|5c)"
_LIKE_A_BYTE = re.compile(rf"(?={_BYTE})\\")
_BYTES = re.compile(rf"(?:{_BYTE})+")


def name_of(path: PurePath | str) -> str:
    """The name of a path, with ``/``."""
    text = path.as_posix() if isinstance(path, PurePath) else path
    return valid_text(_LIKE_A_BYTE.sub(r"\\x5c", text))


def path_of(name: str) -> Path:
    """The path of a name."""
    return Path(_BYTES.sub(lambda found: os.fsdecode(bytes.fromhex(found[0].replace("\\x", ""))), name))


def written_paths(name: str, encoding: str = "") -> Iterator[Path]:
    """The paths that a name in a text may mean: TeX takes the bytes of the name as they stand in the file."""
    for one in ("utf-8",) if name.isascii() else ("utf-8", encoding, "latin-1"):
        with suppress(LookupError, UnicodeEncodeError):
            yield path_of(os.fsdecode(name.encode(one, "surrogateescape")))


def resolved(path: Path) -> Path:
    """The path without links; one that leads to itself stays in it, so that the path cannot be opened."""
    return Path(os.path.realpath(path))


TEX_SUFFIXES = (".tex", ".ltx", ".latex")
"""Endings of LaTeX documents and their parts."""
MAX_FILES = 5_000
"""How many files are given."""
MAX_LEVELS = 8
"""How many folders deep files are looked for."""
MAX_ENTRIES = 200_000
"""How many files and folders are looked at."""


def files_below(
    folder: Path,
    endings: tuple[str, ...],
    skipped: Collection[str] = (),
    levels: int = MAX_LEVELS,
    *,
    most: tuple[int, Exception] | None = None,
    links: bool = False,
) -> Iterator[Path]:
    """Files whose names have these endings, those in higher folders first, sorted in each folder.

    Hidden files and folders, links to folders, the skipped folders and, unless they are asked for, links to files are
    left out. `most` is how many files and folders there may be, and what is raised then; otherwise the list ends there.
    """
    level, seen, given = [folder], 0, 0
    for _ in range(levels):
        below: list[Path] = []
        for one in level:
            for entry in entries_of(one):
                seen += 1
                if most is not None and seen > most[0]:
                    raise most[1]
                if most is None and (seen > MAX_ENTRIES or given >= MAX_FILES):
                    return
                if entry.name.startswith(".") or (not links and entry.is_symlink()):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    below += [Path(entry.path)] if entry.name not in skipped else []
                elif entry.name.endswith(endings) or entry.name.lower().endswith(endings):
                    given += 1
                    yield Path(entry.path)
        level = below


def folders_above(file: Path, levels: int = 1_000) -> Iterator[Path]:
    """The folders that hold a file, the nearest first, up to its repository and below the user's home."""
    home = home_folder()
    for folder in file.parents[:levels]:
        if folder in (home, *home.parents):
            return
        yield folder
        if (folder / ".git").exists():
            return


def highest_folder(file: Path, up: int) -> Path:
    """The folder that holds all that may be read with a file: its repository; outside of one, so many folders above."""
    above = list(folders_above(file)) or [file.parent]
    return above[-1] if (above[-1] / ".git").exists() else above[: up + 1][-1]


def lies_in(path: Path, root: Path) -> bool:
    """Whether a path leads to something inside a folder, links followed."""
    found = resolved(path)
    return found.is_relative_to(resolved(root)) and not found.is_symlink()  # A link that leads to itself stays one.


def entries_of(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder, by name; nothing if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def shown_folder(given: Path, root: Path) -> Path:
    """A project's root folder as it is shown: relative if the path that the user gave is relative."""
    folder = given if given.is_dir() else given.parent
    if folder.resolve() == root:
        return folder
    return root if given.is_absolute() else Path(os.path.relpath(root))


def home_folder() -> Path:
    """The user's home folder, or the root of the file system for a user who has none."""
    try:
        return Path.home().resolve()
    except (RuntimeError, OSError):
        return Path("/")
