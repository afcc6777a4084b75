"""The files of a folder by their endings, and the folders above a file."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from naturalproofs.io.names import resolved

TEX_SUFFIXES = (".tex", ".ltx", ".latex")
"""Endings of LaTeX documents and their parts."""
MAX_FILES = 5_000
"""How many files are given."""
MAX_LEVELS = 8
"""How many folders deep files are looked for."""
MAX_ENTRIES = 200_000
"""How many files and folders are looked at."""


def files_below(
    folder: Path, endings: tuple[str, ...], skipped: Collection[str] = (), levels: int = MAX_LEVELS
) -> Iterator[Path]:
    """Files whose names have these endings, those in higher folders first, sorted in each folder.

    Links, hidden files and folders, and the skipped folders are left out.
    """
    level, seen, given = [folder], 0, 0
    for _ in range(levels):
        below: list[Path] = []
        for one in level:
            for entry in _entries(one):
                seen += 1
                if seen > MAX_ENTRIES or given >= MAX_FILES:
                    return
                if entry.is_symlink() or entry.name.startswith("."):
                    continue
                if entry.name.endswith(endings) and entry.is_file():
                    given += 1
                    yield Path(entry.path)
                elif entry.name not in skipped and entry.is_dir():
                    below.append(Path(entry.path))
        level = below


def folders_above(file: Path, levels: int = 1_000) -> Iterator[Path]:
    """The folders that hold a file, the nearest first, up to its repository and below the user's home."""
    for folder in file.parents[:levels]:
        if folder in (Path.home(), Path(folder.anchor)):
            return
        yield folder
        if (folder / ".git").exists():
            return


def lies_in(path: Path, root: Path) -> bool:
    """Whether a path leads to something inside a folder, links followed."""
    found = resolved(path)
    return found.is_relative_to(resolved(root)) and not found.is_symlink()  # A link that leads to itself stays one.


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
