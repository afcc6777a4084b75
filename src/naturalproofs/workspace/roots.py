"""The project that a file belongs to: the document that includes it, or the documents beside it."""

from __future__ import annotations

import re
from pathlib import Path

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.cache import project_cache
from naturalproofs.latex.discover import Discovery
from naturalproofs.latex.documents import open_document
from naturalproofs.latex.files import read_bytes
from naturalproofs.latex.main_file import find_main
from naturalproofs.latex.tree import Tree
from naturalproofs.workspace.cache import Cache
from naturalproofs.workspace.project import load_manifest

_ROOT = re.compile(rb"^%\s*!\s*TEX\s+root\s*=\s*(\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_DOCUMENT = re.compile(rb"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_HEAD = 2_000
_UP = 3
"""How many folders above a file are searched for its main file."""


def project_of(path: Path) -> Path:
    """The folder or the main file to read when a user gives this path.

    A chapter leads to the main file that includes it. One of several documents that use one another's labels leads to
    their folder. Any other file is read by itself.
    """
    if not path.is_file():
        return path
    data = read_bytes(path) or b""
    if (named := _ROOT.search(data[:_HEAD])) is not None:
        main = path.parent / named[1].decode("utf-8", "replace")
        if main.is_file() and main.resolve() != path.resolve():
            return main
    here = path.resolve()
    if _DOCUMENT.search(data):
        return path.parent if _has_neighbours(here) else path
    for folder in here.parents[: _UP + 1]:
        known = _indexed(folder, here)
        if known is not None:
            return _as_given(path, known)
        for main in _mains(folder):
            if _includes(main, here):
                return _as_given(path, main)
    return path


def _has_neighbours(main: Path) -> bool:
    """Whether a document uses the labels of others in its folder."""
    manifest = load_manifest(Cache.of(main.parent))
    if manifest is not None and main.name in manifest.snapshot.mains:
        return len(manifest.snapshot.mains) > 1
    tree = Tree(main.parent, [])
    file = tree.open(main)
    others = open_document(tree, file).others if file is not None else ()
    names = {found.name for found in _mains(main.parent)} - {main.name}
    return any(path in names for _, path, _ in others)


def _indexed(folder: Path, file: Path) -> Path | None:
    """The project in a folder whose cache says that it includes a file."""
    for place in sorted(project_cache(folder).glob("*/")):
        manifest = load_manifest(Cache(place))
        if manifest is None:
            continue
        inside = file.relative_to(folder).as_posix()
        holding = [main for main, files in manifest.snapshot.mains.items() if inside in files]
        if holding:
            return folder if place.name == "project" else folder / holding[0]
    return None


def _includes(main: Path, file: Path) -> bool:
    tree = Tree(main.resolve().parent, [])
    opened = tree.open(main.resolve())
    if opened is None:
        return False
    discovery = Discovery(tree)
    discovery.run(opened)
    return any(tree.root / one.path == file for one in discovery.files)


def _mains(folder: Path) -> list[Path]:
    try:
        return find_main(folder)
    except NaturalProofsError:
        return []


def _as_given(path: Path, main: Path) -> Path:
    """The main file as a relative path if the given path was relative."""
    if path.is_absolute():
        return main
    try:
        return Path(main.relative_to(Path.cwd()))
    except ValueError:
        return main
