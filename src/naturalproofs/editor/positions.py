"""What is at the cursor, and our lines and columns as positions of the editor, which may count in other units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lsprotocol import types
from pygls.workspace import PositionCodec

from naturalproofs.latex.citations import PAGE_REFERENCES, Key, find_keys
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.workspace.check import Finding
from naturalproofs.workspace.formats import format_of

_COMMAND = rf"(?P<command>{'|'.join(sorted(REFERENCES, key=len, reverse=True))}|[a-zA-Z]*[rR]ef)"
_TYPING = re.compile(
    rf"\\{_COMMAND}\*?\s*(?:(?:\[[^\[\]]*\]\s*)*(?:\{{[^{{}}]*\}}\s*)?\{{(?P<keys>[^{{}}\\]*)|\[(?P<bracket>[^\[\]{{}}\\]*))$"
)
_SEPARATORS = re.compile(r"[,\s]+")
_WINDOW = 2_000
"""Characters before the cursor in which a command may begin."""
_LINE = 400
"""Characters around the cursor that are searched for a key."""
_THING = re.compile(r"\\[a-zA-Z@]+\*?(?:\s*\[[^\]\n]*\])?(?:\s*\{[^{}\n]*\}){0,2}|[^\W\d_][\w:.-]*|\S", re.UNICODE)
_QUOTED = re.compile("“([^“”]+)”")


@dataclass(frozen=True, slots=True)
class Typing:
    """A key that is being typed."""

    command: str
    typed: str
    """The part of the key before the cursor."""
    start: int
    """Where the key begins in the text."""
    keys: tuple[str, ...] = ()
    """The other keys of the same command."""


def typing_at(text: str, offset: int, file: str = "") -> Typing | None:
    """The key that is being typed at an offset of a file, if a key may be there."""
    if (own := format_of(file)) is not None:
        typed_here = own.typing.search(text, max(0, offset - _WINDOW), offset)
        *complete, typed = _SEPARATORS.split(typed_here["keys"]) if typed_here else [""]
        return Typing("cref", typed, offset - len(typed), tuple(filter(None, complete))) if typed_here else None
    match = _TYPING.search(text, max(0, offset - _WINDOW), offset)
    if match is None:
        return None
    group = "keys" if match["keys"] is not None else "bracket"
    if group == "bracket" and match["command"] != "hyperref":
        return None
    *complete, typed = match[group].split(",")
    bare = typed.lstrip()
    keys = tuple(filter(None, (key.strip() for key in complete)))
    return Typing(match["command"], bare, offset - len(bare), keys)


def key_at(text: str, offset: int, file: str = "") -> Key | None:
    """The key of a reference or a label of a file under the cursor; on a command of LaTeX, its first key."""
    if (own := format_of(file)) is not None:
        line, first = text.count("\n", 0, offset) + 1, text.rfind("\n", 0, offset) + 1
        keys = (
            Key(one.key, first + one.column - 1, first + one.column - 1 + len(one.key))
            for one in own.find_keys(text)
            if one.line == line
        )
        return next((key for key in keys if key.start <= offset <= key.end), None)
    start = text.rfind("\n", 0, max(0, offset - _LINE)) + 1
    end = text.find("\n", min(len(text), offset + _LINE))
    part = text[start : len(text) if end < 0 else end]
    for one in find_keys(part, {**REFERENCES, **PAGE_REFERENCES}, guess=True):
        if not one.keys or not one.start <= offset - start <= max(one.end, one.keys[-1].end):
            continue
        under = [key for key in one.keys if key.start <= offset - start <= key.end]
        if not under and offset - start < one.keys[0].start:
            under = [one.keys[0]]
        return Key(under[0].key, under[0].start + start, under[0].end + start) if under else None
    return None


class Positions:
    """Positions in the files of one project."""

    def __init__(self, codec: PositionCodec, texts: Mapping[str, str]) -> None:
        """Bind the unit in which the editor counts, and the files."""
        self.codec = codec
        self._texts = texts
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str:
        """A line, counted from 1; empty if there is none."""
        if path not in self._lines:
            self._lines[path] = self._texts.get(path, "").split("\n")
        lines = self._lines[path]
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def position(self, path: str, line: int, column: int) -> types.Position:
        """From a line and column counted from 1."""
        before = self.line(path, line)[: max(column - 1, 0)]
        return types.Position(max(line - 1, 0), self.codec.client_num_units(before))

    def span(self, path: str, line: int, start: int, end: int) -> types.Range:
        """A range within one line, by columns counted from 1."""
        return types.Range(self.position(path, line, start), self.position(path, line, end))

    def whole_line(self, path: str, line: int) -> types.Range:
        """A line without the space around it."""
        text = self.line(path, line)
        start = len(text) - len(text.lstrip()) + 1
        return self.span(path, line, start, max(len(text.rstrip()) + 1, start))

    def thing(self, path: str, line: int, column: int, wanted: str = "") -> types.Range:
        """What begins at a position: a command with its arguments, or a word; or the wanted key inside it."""
        match = _THING.match(self.line(path, line), max(column - 1, 0))
        if match is None:
            return self.whole_line(path, line)
        inside = re.search(rf"(?<![^{{\[,\s]){re.escape(wanted)}(?![^}}\],\s])", match[0]) if wanted else None
        start = match.start() + (inside.start() if inside else 0) + 1
        return self.span(path, line, start, start + len(inside[0] if inside else match[0]))

    def finding(self, finding: Finding) -> types.Range:
        """The range to underline for a finding."""
        if (quoted := _QUOTED.search(finding.message)) is not None:
            # Words of the text itself; another sign or word may stand between them.
            pattern = r"\W+(?:\w+\W+)?".join(map(re.escape, quoted[1].split()))
            if (said := re.search(pattern, self.line(finding.path, finding.line), re.IGNORECASE)) is not None:
                return self.span(finding.path, finding.line, said.start() + 1, said.end() + 1)
        if finding.column <= 1:
            return self.whole_line(finding.path, finding.line)
        return self.thing(finding.path, finding.line, finding.column, finding.subject)
