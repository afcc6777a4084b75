"""Rules about the bibliography: keys that are cited and not listed, and entries that are listed and not cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from naturalproofs.corpus.bibliography import read_resource, resource_folders
from naturalproofs.latex.read.works import BIBITEM, read_bib, resource_names
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


class _Bibliography(NamedTuple):
    """The keys of a project's bibliography."""

    keys: frozenset[str]
    items: tuple[tuple[Origin, str], ...]
    r"""Where ``\bibitem`` writes an entry."""


def _bibliography(project: OpenCorpus, files: dict[str, SourceText]) -> _Bibliography | None:
    """All entries; None if there are none, or a file of them cannot be read."""
    items = tuple((origin, match[1].strip()) for file in files.values() for origin, match in file.find(BIBITEM))
    keys = {key for _, key in items}
    names = {name for text in (*project.texts.values(), *package_texts(project)) for name in resource_names(text)}
    if project.root is None or not (names or items):
        return None
    folders = resource_folders(project.root, project.texts)
    for name in names:
        text = read_resource(project.root, folders, name)
        if text is None:
            return None
        keys.update(entry.key for entry in read_bib(text))
    return _Bibliography(frozenset(keys), items)


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
