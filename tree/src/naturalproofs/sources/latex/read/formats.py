r"""Formats of numbers that hold in a group only: ``{\renewcommand{\thetheorem}{A} \begin{theorem} … }``."""

import re
from typing import NamedTuple

from naturalproofs.sources.latex.project.tree import TexFile
from naturalproofs.sources.latex.read.document_text import Walker
from naturalproofs.sources.latex.read.numbering import Numbering

_BRACKET = re.compile(
    r"%[^\n]*+|\\(?P<open>begin(?:group)?+|bgroup)(?![a-zA-Z@])|\\(?P<close>end(?:group)?+|egroup)(?![a-zA-Z@])"
    r"|\\.|(?P<brace>[{}])",
    re.DOTALL,
)
_REACH = 20_000
_MOST = 500
"""How many formats of a document may be local; keeps time linear."""


class _Scope(NamedTuple):
    """A group that holds a format, the counter, and its format before."""

    file: TexFile
    depth: int
    end: int
    counter: str
    format: str


class LocalFormats:
    """The formats that are undone where their group or environment ends."""

    def __init__(self, walker: Walker, numbering: Numbering) -> None:
        """Bind the walk and the counters."""
        self._walker, self._numbering = walker, numbering
        self._scopes: list[_Scope] = []
        self._environments: list[tuple[str, dict[str, str]]] = []
        """The open environments whose code is read, and the formats before what it defined."""
        self._count = 0

    def define(self, macro: str, body: str, offset: int) -> None:
        r"""Carry out ``\renewcommand{\thetheorem}{…}``, which stands before `offset` in the text that is read."""
        walker, name = self._walker, macro.removeprefix("the")
        before = self._numbering.counters.formats.get(name)
        self._numbering.define_format(macro, body)
        self._count += 1
        if before is None or walker.in_preamble or self._count > _MOST:
            return
        end = _group_end(walker.file.text, offset)
        if end is not None:
            self._scopes.append(_Scope(walker.file, walker.depth, end, name, before))
        elif walker.depth and self._environments:
            self._environments[-1][1].setdefault(name, before)

    def leave(self, offset: int) -> None:
        """Undo the formats of the groups that end before `offset`."""
        formats, walker = self._numbering.counters.formats, self._walker
        while self._scopes:
            scope = self._scopes[-1]
            if scope.depth < walker.depth or (scope.file is walker.file and offset < scope.end):
                break
            self._scopes.pop()
            formats[scope.counter] = scope.format

    def begin(self, name: str) -> None:
        """Enter an environment whose code is read."""
        self._environments.append((name, {}))

    def end(self, name: str) -> None:
        """Leave the environment, and undo what its code defined."""
        while self._environments:
            other, formats = self._environments.pop()
            self._numbering.counters.formats.update(formats)
            if other == name:
                break


def _group_end(text: str, at: int) -> int | None:
    """Where the group or environment around a place ends; None if there is none nearby."""
    depth = 0
    for match in _BRACKET.finditer(text, at, at + _REACH):
        if match["open"] or match["brace"] == "{":
            depth += 1
        elif match["close"] or match["brace"]:
            depth -= 1
            if depth < 0:
                return match.start()
    return None
