"""Labels that no file of the project writes: those of other documents (``xr``), and those that LaTeX puts together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from naturalproofs.latex.project.documents import labels_of
from naturalproofs.latex.project.tree import Refused, Tree
from naturalproofs.workspace.check.files import package_texts
from naturalproofs.workspace.open_corpus import OpenCorpus

_EXTERNAL = re.compile(
    r"%[^\n]*+|\\[a-zA-Z]{0,20}?externaldocument\*?+\s*+(?:\[([^][\n]{0,100}+)\]\s*+)?+(?:\[[^][\n]{0,100}+\]\s*+)?+"
    r"\{([^{}#\n]{1,300}+)\}"
)
_COMPUTED = re.compile(r"%[^\n]*+|\\label\s*+\{((?:[^{}\n]|\{[^{}\n]{0,80}+\}){0,200}+)\}")
_COUNTER = r"\\(?:the[a-zA-Z]++|(?:arabic|[aA]lph|[rR]oman|value|number)\s*+\{[^{}]*+\})\s*+"
_PART = re.compile(rf"(?P<number>{_COUNTER}(?:[.-]?+{_COUNTER})*+)|\\[a-zA-Z@]++\s*+(?:\{{[^{{}}]*+\}})?+|#++\d")
_NUMERAL = r"(?:\d+|[A-Za-z]|[ivxlcIVXLC]+)(?![A-Za-z\d])"
_NUMBER = rf"{_NUMERAL}(?:[.-]{_NUMERAL})*+"
"""What counters print."""
_NUMBER_AFTER_ANYTHING = r"\d[\w.-]*+"
_IN_MAIN_FILE = ("\\begin{document}", "externaldocument")
_MAX_DOCUMENTS = 1_000
_MAX_PATTERNS = 50
_LONGEST_KEY = 200


class ExternalDocument(NamedTuple):
    """Another document whose labels may be used with a prefix, and which is not read."""

    prefix: str
    name: str
    path: str | None
    """Where it lies in the project, if it does."""


class OutsideLabels:
    """What may define labels besides the files of a project."""

    def __init__(self, project: OpenCorpus) -> None:
        """Bind the project."""
        self._project = project

    @cached_property
    def _texts(self) -> list[str]:
        return [*self._project.texts.values(), *package_texts(self._project)]

    @cached_property
    def _documents(self) -> list[ExternalDocument]:
        return list(_external_documents(self._project, self._texts))

    @cached_property
    def missing(self) -> str | None:
        """A document that is not in the project, and whose labels are used without a prefix: any label may be one."""
        return next((one.name for one in self._documents if one.path is None and not one.prefix), None)

    def defines(self, key: str) -> bool:
        """Whether a key may be a label of another document, or one that LaTeX puts together."""
        if any(one.prefix and key.startswith(one.prefix) for one in self._documents) or key in self._known:
            return True
        return len(key) <= _LONGEST_KEY and any(pattern.fullmatch(key) for pattern in self._patterns)

    @cached_property
    def _known(self) -> frozenset[str]:
        """The labels of documents that lie in the project but are not read."""
        if self._project.root is None:
            return frozenset()
        tree = Tree(self._project.root, [])
        return frozenset().union(*(labels_of(tree, one.path) for one in self._documents if not one.prefix))

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        r"""What the labels look like that are put together: ``\label{\thesection.\Alph{par}}``."""
        written = {match[1] for text in self._texts for match in _COMPUTED.finditer(text) if "\\" in (match[1] or "")}
        found = [pattern for source in sorted(written) if (pattern := _pattern(source)) is not None]
        return found[:_MAX_PATTERNS]


def _external_documents(project: OpenCorpus, texts: Iterable[str]) -> Iterator[ExternalDocument]:
    named = {(match[1] or "", match[2]) for text in texts for match in _EXTERNAL.finditer(text) if match[2]}
    if not named or project.root is None:
        return
    tree = Tree(project.root, [])
    read = {file.path for file in project.corpus.inputs}
    near = (path for path, text in project.texts.items() if any(word in text for word in _IN_MAIN_FILE))
    folders = dict.fromkeys([project.root, *(tree.path(path).parent for path in near)])
    for prefix, name in sorted(named)[:_MAX_DOCUMENTS]:
        found = tree.find(name.strip(), tuple(folders), (".tex", ""))
        path = None if isinstance(found, Refused) else tree.name(found)
        if path not in read:
            yield ExternalDocument(prefix.strip(), name.strip(), path)


def _pattern(source: str) -> re.Pattern[str] | None:
    """The keys that a label with commands in it may have; None if it says nothing about them.

    A part that may be anything ends where the next one begins first, so that matching does not go back.
    """
    pieces: list[str] = []
    at, anything, is_certain = 0, "", False
    for match in (*_PART.finditer(source), None):
        literal = source[at : match.start() if match else len(source)].strip()
        if "\\" in literal:
            return None
        if literal:
            pieces.append(f"(?>{anything}{re.escape(literal)})")
            anything, is_certain = "", True
        if match is not None and match["number"]:
            pieces.append(f"(?>{anything}{_NUMBER_AFTER_ANYTHING})" if anything else f"(?>{_NUMBER})")
            anything, is_certain = "", True
        elif match is not None:
            anything = "[^,]*?"
        at = match.end() if match else at
    return re.compile("".join(pieces) + ("[^,]*+" if anything else "")) if is_certain else None
