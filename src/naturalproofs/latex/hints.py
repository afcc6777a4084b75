"""Main files that the settings of other tools name: latexmk, editors, arXiv, and comments in the files themselves."""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from naturalproofs.latex.files import read_bytes
from naturalproofs.latex.outline import Outline

LATEXMK_FILES = ("latexmkrc", ".latexmkrc")
TEXLAB_FILES = (".texlabroot", "texlabroot")
VSCODE_FILE = ".vscode/settings.json"
ARXIV_FILES = ("00README.XXX", "00README.json")
_DEFAULT_FILES = re.compile(r"^[^#\n]*@default_files\s*=\s*(?:\(|qw\s*\()([^()]{0,2000})\)", re.MULTILINE)
_QUOTED = re.compile(r"[^\s,'\"]+")
_VSCODE_KEYS = re.compile(r"latex.*(?:rootfile(?:\.path)?|mainfile|rootfiles\.include)$", re.IGNORECASE)
_WORKSPACE = re.compile(r"^(?:\$\{workspaceFolder\}|%WORKSPACE_FOLDER%)/")
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


class Configured(NamedTuple):
    """Main files that are named, as far as they exist."""

    mains: tuple[str, ...]
    """By the settings of the folder itself: no other document is read."""
    preferred: tuple[str, ...]
    """By the settings of folders below, and by comments in files: they decide between versions of a document."""


def configured_mains(folder: Path, outlines: Mapping[str, Outline]) -> Configured:
    """The main files that other tools are told to use."""
    below = sorted({posixpath.dirname(path) for path in outlines} - {""})
    inside = [name for one in below for name in _by_latexmk(folder, one, outlines)]
    mains = [*_by_latexmk(folder, "", outlines), *_by_editors(folder, outlines), *_by_arxiv(folder)]
    return Configured(_existing(mains, outlines), _existing([*mains, *inside, *_by_comments(outlines)], outlines))


def _existing(names: Iterable[str], outlines: Mapping[str, Outline]) -> tuple[str, ...]:
    paths = (posixpath.normpath(name) for name in names)
    return tuple(dict.fromkeys(one for path in paths for one in (path, f"{path}.tex") if one in outlines))


def _by_latexmk(folder: Path, inside: str, outlines: Mapping[str, Outline]) -> Iterator[str]:
    for name in LATEXMK_FILES:
        for match in _DEFAULT_FILES.finditer(_text(folder / inside / name)):
            for one in _QUOTED.findall(match[1]):
                yield from _expanded(posixpath.join(inside, one), outlines)


def _by_editors(folder: Path, outlines: Mapping[str, Outline]) -> Iterator[str]:
    settings = _json(_text(folder / VSCODE_FILE))
    for key, value in settings.items():
        if _VSCODE_KEYS.search(key):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str):
                    yield from _expanded(_WORKSPACE.sub("", one), outlines)
    if any((folder / name).is_file() for name in TEXLAB_FILES):
        yield from (path for path, one in outlines.items() if one.has_document and "/" not in path)


def _by_arxiv(folder: Path) -> Iterator[str]:
    """The main files that a submission to arXiv names."""
    for line in _text(folder / ARXIV_FILES[0]).splitlines():
        name, _, what = line.strip().rpartition(" ")
        if what == "toplevelfile":
            yield name.strip()
    sources = _json(_text(folder / ARXIV_FILES[1])).get("sources")
    for one in sources if isinstance(sources, list) else ():
        if isinstance(one, dict) and one.get("usage") == "toplevel":
            yield str(one.get("filename", ""))


def _by_comments(outlines: Mapping[str, Outline]) -> Iterator[str]:
    for path, outline in outlines.items():
        if outline.root:
            named = posixpath.normpath(posixpath.join(posixpath.dirname(path), outline.root))
            if named not in (path, path.removesuffix(".tex")):
                yield named


def _expanded(name: str, outlines: Mapping[str, Outline]) -> Iterator[str]:
    """The files that a pattern names; one that says nothing, such as ``*.tex``, names none."""
    if "*" not in name:
        yield name
    elif any(map(str.isalpha, posixpath.splitext(posixpath.basename(name))[0])):
        yield from (path for path in outlines if fnmatchcase(path, name))


def _json(text: str) -> dict[str, Any]:
    """An object in JSON with comments and trailing commas, as editors write it; empty if it is none."""
    try:
        found = json.loads(_COMMENT.sub(lambda match: match[1] or "", text)) if text else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(path: Path) -> str:
    return (read_bytes(path) or b"")[:100_000].decode("utf-8", "replace") if path.is_file() else ""
