"""Rules about the bibliography: keys that are cited and not listed, and entries that are listed and not cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from naturalproofs.io.unsaved import current_bytes
from naturalproofs.latex.files import decode
from naturalproofs.records import Origin
from naturalproofs.workspace.check.files import package_texts
from naturalproofs.workspace.check.finding import Problem
from naturalproofs.workspace.check.prose import SourceText, sources
from naturalproofs.workspace.open_corpus import OpenCorpus

_OPTIONS = r"\*?\s*(?:\[[^][]*(?:\[[^][]*\][^][]*)*\]\s*){0,2}"
_CITE = re.compile(
    r"\\(?:[Cc]ite|[Cc]ite[pt]|[Cc]iteal[pt]|[Cc]iteauthor|[Cc]iteyear|citeyearpar|[Pp]arencite|[Tt]extcite|footcite|[Aa]utocite|supercite"
    rf"|fullcite|[Ss]martcite|nocite)(?![a-zA-Z@]){_OPTIONS}\{{([^{{}}]*)\}}"
)
_USED = re.compile(rf"\\[a-zA-Z]*[cC]ite[a-zA-Z]*{_OPTIONS}\{{([^{{}}]*)\}}")
_ITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^][{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\]\s*)?\{([^{}]*)\}")
_RESOURCES = re.compile(
    r"\\(?:bibliography|addbibresource|addglobalbib|addsectionbib|nobibliography|bibliographyunit)\*?\s*(?:\[[^][]*\]\s*)?\{([^{}]*)\}"
)
_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*[{(]\s*([^,\s{}()]+)\s*,")
_IDS = re.compile(r"\bids\s*=\s*[{\"]([^{}\"]*)[}\"]")
_NOT_ENTRIES = frozenset({"comment", "string", "preamble"})
_LARGEST = 50_000_000
"""Longer files are not read."""


class _Bibliography(NamedTuple):
    """The keys of a project's bibliography."""

    keys: frozenset[str]
    items: tuple[tuple[Origin, str], ...]
    r"""Where ``\bibitem`` writes an entry."""


def _bibliography(project: OpenCorpus, files: dict[str, SourceText]) -> _Bibliography | None:
    """All entries; None if there are none, or a file of them cannot be read."""
    items = tuple((origin, match[1].strip()) for file in files.values() for origin, match in file.find(_ITEM))
    keys = {key for _, key in items}
    names = _resources(project)
    if project.root is None or not (names or items):
        return None
    for name in names:
        text = _read(project, name)
        if text is None:
            return None
        keys.update(key for kind, key in _ENTRY.findall(text) if kind.casefold() not in _NOT_ENTRIES)
        keys.update(key.strip() for found in _IDS.findall(text) for key in found.split(","))
    return _Bibliography(frozenset(keys), items)


def _resources(project: OpenCorpus) -> set[str]:
    """The names of the files of entries, as the project's files and packages give them."""
    texts = [*project.texts.values(), *package_texts(project)]
    uncommented = (re.sub(r"(?<!\\)%[^\n]*", "", text) for text in texts)
    found = {name.strip() for text in uncommented for names in _RESOURCES.findall(text) for name in names.split(",")}
    return found - {""}


def _read(project: OpenCorpus, name: str) -> str | None:
    """The text of a file of entries, looked for in the project's folder and beside its files."""
    if project.root is None or "\\" in name or "#" in name:
        return None
    root = project.root.resolve()
    folders = dict.fromkeys([root, *((root / path).parent for path in project.texts)])
    for folder in folders:
        for file in (folder / name, folder / f"{name}.bib"):
            if file.suffix == ".bib" and _is_readable(file, root):
                return decode(current_bytes(file)).text or ""
    return None


def _is_readable(file: Path, root: Path) -> bool:
    found = file.resolve()
    return found.is_file() and found.is_relative_to(root) and found.stat().st_size <= _LARGEST


def undefined_citation(project: OpenCorpus) -> Iterator[Problem]:
    r"""Keys of ``\cite`` that the bibliography does not list; silent if the bibliography cannot be read."""
    files = sources(project)
    listed = _bibliography(project, files)
    if listed is None:
        return
    folded = {key.casefold() for key in listed.keys}
    for source in files.values():
        for origin, match in source.find(_CITE):
            for key in _keys([match[1]]):
                if key.casefold() not in folded and key != "*" and "#" not in key and "\\" not in key:
                    line = origin.line + source.text.count("\n", match.start(), match.start(1))
                    yield Problem(Origin(source.path, line), f"no entry {key} is in the bibliography", key)


def unused_citation(project: OpenCorpus) -> Iterator[Problem]:
    r"""Entries written by ``\bibitem`` that nothing cites; entries of .bib files are not printed unless cited."""
    files = sources(project)
    listed = _bibliography(project, files)
    if listed is None:
        return
    used = set(_keys(keys for source in files.values() for keys in _USED.findall(source.text)))
    for origin, key in listed.items if "*" not in used else ():
        if key not in used:
            yield Problem(origin, f"the entry {key} of the bibliography is never cited", key)


def _keys(lists: Iterable[str]) -> Iterator[str]:
    for keys in lists:
        for key in keys.split(","):
            if name := " ".join(key.split()):
                yield name
