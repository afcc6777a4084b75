r"""The folder outside of which nothing is read: the one that is given, or one above it that holds all inputs.

A document may read files above its folder, as in ``\input{../header}``. They are read if they lie in the same
repository. Outside of a repository they are read only if the main file itself was given, and from not more than three
folders above it.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from naturalproofs.io.cache import cache_folder
from naturalproofs.io.listing import TEX_SUFFIXES
from naturalproofs.latex.project.outline import read_outline

_UP = 3
"""How many folders above a main file files are read from, outside of a repository."""
_MAX_FILES = 2_000
_ENDINGS = ("", ".tex", ".sty", ".cls")
_READABLE = frozenset({*TEX_SUFFIXES, ".sty", ".cls"})


def find_boundary(folder: Path, mains: Sequence[Path], *, is_given: bool) -> Path:
    """The nearest folder that holds a project's folder and all inputs of its documents, as far as they may be read.

    Args:
        folder: The folder of the project, resolved.
        mains: Its main files, resolved.
        is_given: Whether the main file was given, rather than a folder.
    """
    limit = _limit(folder, is_given=is_given)
    if limit == folder:
        return folder
    found = folder
    for file in _inputs_above(mains, folder, limit):
        found = Path(os.path.commonpath([found, file.parent]))
    return found


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


def in_repository(folder: Path) -> bool:
    """Whether a folder is in a repository below the user's home folder."""
    return _repository(_above(folder)) is not None


def _above(folder: Path) -> list[Path]:
    home = home_folder()
    return [one for one in (folder, *folder.parents) if one not in (home, *home.parents)]


def _repository(above: Sequence[Path]) -> Path | None:
    return next((one for one in above if (one / ".git").exists()), None)


def _limit(folder: Path, *, is_given: bool) -> Path:
    """The highest folder that may be read."""
    if folder.is_relative_to(cache_folder().resolve()):
        return folder  # An unpacked archive.
    above = _above(folder)
    repository = _repository(above)
    if repository is not None:
        return repository
    return above[min(_UP, len(above) - 1)] if is_given and above else folder


def _inputs_above(mains: Sequence[Path], folder: Path, limit: Path) -> Iterator[Path]:
    """The files that documents read from outside of the folder, inside of the limit."""
    pending = [(main, main.parent) for main in mains]
    seen = set(mains)
    while pending and len(seen) < _MAX_FILES:
        file, start = pending.pop()
        outline = read_outline(file, file.name)
        for name in (*outline.inputs, *outline.packages):
            found = _find(name, (start, file.parent), limit)
            if found is None or found in seen:
                continue
            seen.add(found)
            pending.append((found, start))
            if not found.is_relative_to(folder):
                yield found


def _find(name: str, folders: Sequence[Path], limit: Path) -> Path | None:
    if "\\" in name or "#" in name or "\0" in name:
        return None
    for folder in folders:
        for ending in _ENDINGS:
            try:
                path = (folder / f"{name}{ending}").resolve()
                if path.suffix in _READABLE and path.is_file() and path.is_relative_to(limit):
                    return path
            except (OSError, RuntimeError, ValueError):
                continue
    return None
