"""Main files that the settings of other tools name: latexmk, make, editors, arXiv, and comments in the files."""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from naturalproofs.latex.project.outline import Outline
from naturalproofs.reading.text_files import read_bytes

LATEXMK_FILES = ("latexmkrc", ".latexmkrc")
TEXLAB_FILES = (".texlabroot", "texlabroot")
_MAX_TEXT = 100_000
VSCODE_FILE = ".vscode/settings.json"
ARXIV_FILES = ("00README.XXX", "00README.json", "00README.yaml")
MAKE_FILES = ("Makefile", "makefile", "GNUmakefile")
WORKFLOWS = ".github/workflows"
_MAX_WORKFLOWS = 20
_YAML_SOURCE = re.compile(r"^[ \t]*+-\s", re.MULTILINE)
_YAML_ENTRY = re.compile(r"^[ \t-]*+(usage|filename)[ \t]*+:[ \t]*+['\"]?+([^'\"\s]++)", re.MULTILINE)
_ROOT_FILE = re.compile(r"^[ \t]*+root_file[ \t]*+:[ \t]*+(?:\|[ \t]*+\n)?+([^\n]++)$", re.MULTILINE)
_VARIABLE = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*[:?]?=[ \t]*([^\n#]*)$", re.MULTILINE)
_USED = re.compile(r"\$[({]([\w-]+)[)}]")
_RUN = re.compile(r"\b(?:latexmk|(?:pdf|xe|lua|up?|p)?latex|tectonic|rubber|arara|latexrun)\b([^\n;&|]*)")
_MADE = re.compile(r"(?<![\w./-])([\w./-]+)\.(?:pdf|dvi|tex)\b")
_DEFAULT_FILES = re.compile(r"^[^#\n]*@default_files\s*=\s*(?:\(|qw\s*\()([^()]{0,2000})\)", re.MULTILINE)
_QUOTED = re.compile(r"[^\s,'\"]+")
_VSCODE_KEYS = re.compile(r"latex.*(?:rootfile(?:\.path)?|mainfile|rootfiles\.include)$", re.IGNORECASE)
_LONGEST_KEY = 200
_WORKSPACE = re.compile(r"^(?:\$\{workspaceFolder\}|%WORKSPACE_FOLDER%)/")
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*+"?+)|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*+"?+)|,(?=\s*[}\]])')


class Configured(NamedTuple):
    """Main files that are named, as far as they exist."""

    mains: tuple[str, ...]
    """By the settings of the folder itself: no other document is read."""
    built: tuple[str, ...]
    """By what builds the project: no other document is read if these are about as large."""
    preferred: tuple[str, ...]
    """By the settings of folders below, and by comments in files: they decide between versions of a document."""


def configured_mains(folder: Path, outlines: Mapping[str, Outline]) -> Configured:
    """The main files that other tools are told to use."""
    below = sorted({posixpath.dirname(path) for path in outlines} - {""})
    inside = [name for one in below for name in _by_latexmk(folder, one, outlines)]
    mains = [*_by_latexmk(folder, "", outlines), *_by_editors(folder, outlines), *_by_arxiv(folder)]
    built = _existing([*_by_make(folder), *_by_workflows(folder, outlines)], outlines)
    preferred = _existing([*mains, *built, *inside, *_by_comments(outlines)], outlines)
    return Configured(_existing(mains, outlines), built, preferred)


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
        if _VSCODE_KEYS.search(key[-_LONGEST_KEY:]):
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
    for part in _YAML_SOURCE.split(_text(folder / ARXIV_FILES[2])):
        entry = {match[1]: match[2] for match in _YAML_ENTRY.finditer(part)}
        if entry.get("usage") == "toplevel":
            yield entry.get("filename", "")


def _by_make(folder: Path) -> Iterator[str]:
    """The files that a Makefile gives to LaTeX, and those whose output is one of its first targets."""
    text = next(filter(None, (_text(folder / name) for name in MAKE_FILES)), "")
    if not _RUN.search(text):
        return
    variables = {match[1]: match[2].strip() for match in _VARIABLE.finditer(text)}
    for _ in range(3):
        text = _USED.sub(lambda match: variables.get(match[1], match[0])[:200], text[:_MAX_TEXT])
    for run in _RUN.finditer(text):
        for word in run[1].split():
            if not word.startswith("-") and "$" not in word:
                yield word.removesuffix(".tex").removesuffix(".pdf")
    for line in text.splitlines():
        if line.startswith(("all:", "default:", "pdf:")) or (line.endswith(".tex") and ".pdf:" in line):
            yield from (match[1] for match in _MADE.finditer(line))


def _by_workflows(folder: Path, outlines: Mapping[str, Outline]) -> Iterator[str]:
    """The files that an action of GitHub builds."""
    try:
        files = sorted((folder / WORKFLOWS).glob("*.y*ml"))[:_MAX_WORKFLOWS]
    except OSError:
        files = []
    for file in files:
        for match in _ROOT_FILE.finditer(_text(file)):
            yield from _expanded(match[1].strip().strip("'\""), outlines)


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
        plain = _COMMENT.sub(lambda match: match[1] or "", text)
        found = json.loads(_LAST_COMMA.sub(lambda match: match[1] or "", plain)) if text else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(path: Path) -> str:
    return (read_bytes(path) or b"")[:_MAX_TEXT].decode("utf-8", "replace") if path.is_file() else ""
