r"""Which file of a folder is the main one: by ``\documentclass``, ``\begin{document}``, and who includes whom."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from naturalproofs.errors import SourceNotFound
from naturalproofs.latex.files import read_bytes

MAX_FILES = 2_000
"""How many .tex files are read to find the main one."""
_MAX_ENTRIES = 200_000
"""How many files and folders are listed."""
_CLASS = re.compile(rb"\\document(?:class|style)\b\s*(?:\[[^\]]*\])?\s*\{\s*([a-zA-Z0-9_-]*)")
_DOCUMENT = re.compile(rb"\\begin\s*\{document\}")
_INCLUDED = re.compile(
    rb"\\(?:input|include|subfile|subfileinclude|includestandalone|(?:sub)?import\s*\{[^{}\n]*\})(?![a-zA-Z])"
    rb"\s*(?:\[[^\]\n]*\])?\s*\{?([^{}\s\\%]+)"
)
_PARTS = frozenset({b"subfiles", b"standalone"})
"""Classes of files that are parts of another document."""


class FileHead(NamedTuple):
    """What decides whether a file is the main one."""

    path: Path
    document_class: bytes | None
    has_document: bool
    included: frozenset[str]


def find_main(folder: Path) -> list[Path]:
    """The main files of a folder: usually one; several when nothing says which one it is."""
    root = folder.resolve()
    found = [read_head(path) for path in tex_files(folder) if not path.is_symlink() or _lies_in(path, root)]
    if not found:
        raise SourceNotFound(f"{folder}: no .tex files here; give the main file or the folder that holds it")
    mains = [one for one in found if one.has_document] or [one for one in found if one.document_class is not None]
    mains = [one for one in mains if one.document_class not in _PARTS] or mains
    included = {name for one in found for name in one.included - {one.path.stem}}
    roots = [one for one in mains if one.path.stem not in included] or mains
    if not roots and len(found) == 1:
        return [found[0].path]
    if not roots:
        raise SourceNotFound(f"{folder}: no .tex file with \\documentclass here; give the main file ({_listed(found)})")
    return [one.path for one in roots]


def ambiguous(folder: Path, mains: Sequence[Path]) -> SourceNotFound:
    """The error for a folder with several documents that have nothing to do with one another."""
    shown = ", ".join(path.name for path in mains[:8]) + (f" and {len(mains) - 8} more" if len(mains) > 8 else "")
    advice = "give one of them, or name it in naturalproofs.toml (main = …)"
    return SourceNotFound(f"{folder}: {len(mains)} files could be the main one: {shown}; {advice}")


def read_head(path: Path) -> FileHead:
    """Read what decides whether a file is the main one."""
    data = read_bytes(path) or b""
    document_class = next(_uncommented(_CLASS, data), None)
    included = (match[1].decode("utf-8", "replace").strip('"') for match in _uncommented(_INCLUDED, data))
    stems = frozenset(PurePosixPath(name).name.removesuffix(".tex") for name in included)
    has_document = next(_uncommented(_DOCUMENT, data), None) is not None
    return FileHead(path, document_class[1] if document_class else None, has_document, stems)


def _uncommented(pattern: re.Pattern[bytes], data: bytes) -> Iterator[re.Match[bytes]]:
    """What a pattern finds outside of comments."""
    for match in pattern.finditer(data):
        line = data.rfind(b"\n", max(0, match.start() - 10_000), match.start()) + 1
        if b"%" not in data[line : match.start()].replace(b"\\%", b""):
            yield match


def tex_files(folder: Path) -> list[Path]:
    """The .tex files of the folder, or, when it has none, those of the nearest folders below that have some."""
    level, seen = [folder], 0
    for _ in range(4):
        files: list[Path] = []
        below: list[Path] = []
        for one in level:
            for entry in _entries(one):
                seen += 1
                if seen > _MAX_ENTRIES:
                    raise SourceNotFound(f"{folder}: more than {_MAX_ENTRIES} files here; give the main file")
                if entry.name.endswith((".tex", ".ltx")):
                    files.append(Path(entry.path))
                elif not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                    below.append(Path(entry.path))
        if len(files) > MAX_FILES:
            raise SourceNotFound(
                f"{folder}: {len(files)} .tex files here, too many to find the main one among; give the main file"
            )
        if files:
            return sorted(files)
        level = below
    return []


def _lies_in(link: Path, root: Path) -> bool:
    try:
        return link.resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return False  # A link that leads to itself.


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return


def _listed(found: Sequence[FileHead]) -> str:
    return ", ".join(one.path.name for one in found[:8]) + (" …" if len(found) > 8 else "")
