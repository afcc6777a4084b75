"""What is at the cursor, and our lines and columns as positions of the editor, which may count in other units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lsprotocol import types
from pygls.workspace import PositionCodec

from naturalproofs.sources.latex import citations
from naturalproofs.sources.reading.text_files import Positions as Offsets
from naturalproofs.workspace.check import Finding
from naturalproofs.workspace.formats import format_of

_TYPING = re.compile(
    r"\\(?P<command>[a-zA-Z]+)\*?\s*"
    r"(?:(?:\[[^\[\]]*\]\s*)*(?:\{[^{}]*\}\s*)?\{(?P<keys>[^{}\\]*)|\[(?P<bracket>[^\[\]{}\\]*))$"
)
_SEPARATORS = re.compile(r"[,\s]+")
_PLAIN = citations.KeySyntax()
_SOME_KEY = "KEY"
_WINDOW = 2_000
"""Characters before the cursor in which a command may begin."""
_LINE = 400
"""Characters around the cursor that are searched for a key."""
_THING = re.compile(r"\\[a-zA-Z@]+\*?(?:\s*\[[^\]\n]*\])?(?:\s*\{[^{}\n]*\}){0,2}|[^\W\d_][\w:.-]*|\S", re.UNICODE)


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
    before: str = ""
    """What the command, a macro of the author, puts before the key."""
    after: str = ""


def typing_at(text: str, offset: int, file: str = "", syntax: citations.KeySyntax = _PLAIN) -> Typing | None:
    """The key that is being typed at an offset of a file, if a key may be there.

    Args:
        text: The text.
        offset: The cursor.
        file: The name of the file, which tells its format.
        syntax: The commands by which a LaTeX project cites.
    """
    if (own := format_of(file)) is not None:
        typed_here = own.typing.search(text, max(0, offset - _WINDOW), offset)
        *complete, typed = _SEPARATORS.split(typed_here["keys"]) if typed_here else [""]
        return Typing("cref", typed, offset - len(typed), tuple(filter(None, complete))) if typed_here else None
    match = _TYPING.search(text, max(0, offset - _WINDOW), offset)
    if match is None:
        return None
    group = "keys" if match["keys"] is not None else "bracket"
    *complete, typed = match[group].split(",")
    bare = typed.lstrip()
    start = offset - len(bare)
    # Read the command as if it were complete, with a key that is known.
    call = f"{text[match.start() : start]}{_SOME_KEY}{'}' if group == 'keys' else ']'}{{}}{{}}"
    found = (key.key for one in syntax.find(call) if not one.is_label and one.start == 0 for key in one.keys)
    made = next((key for key in found if _SOME_KEY in key), None)
    if made is None:
        return None
    before, _, after = made.partition(_SOME_KEY)
    keys = tuple(filter(None, (key.strip() for key in complete)))
    return Typing(match["command"], bare, start, keys, before, after)


def key_at(text: str, offset: int, file: str = "", syntax: citations.KeySyntax = _PLAIN) -> citations.Key | None:
    """The key of a reference or a label of a file under the cursor; on a command of LaTeX, its first key."""
    if (own := format_of(file)) is not None:
        line, first = text.count("\n", 0, offset) + 1, text.rfind("\n", 0, offset) + 1
        keys = (
            citations.Key(one.key, first + one.column - 1, first + one.column - 1 + len(one.key))
            for one in own.find_keys(text)
            if one.line == line
        )
        return next((key for key in keys if key.start <= offset <= key.end), None)
    start = text.rfind("\n", 0, max(0, offset - _LINE)) + 1
    end = text.find("\n", min(len(text), offset + _LINE))
    part = text[start : len(text) if end < 0 else end]
    for one in syntax.find(part):
        if not one.keys or not one.start <= offset - start <= max(one.end, one.keys[-1].end):
            continue
        under = [key for key in one.keys if key.start <= offset - start <= key.end]
        if not under and offset - start < one.keys[0].start:
            under = [one.keys[0]]
        return under[0]._replace(start=under[0].start + start, end=under[0].end + start) if under else None
    return None


def offset_at(text: str, position: types.Position, codec: PositionCodec) -> int:
    """The offset of a position of the editor; only the lines up to it are looked at, for the sake of long files."""
    *before, rest = text.split("\n", position.line)
    if len(before) < position.line:
        return len(text)
    line = rest.partition("\n")[0]
    here = codec.position_from_client_units([line], types.Position(0, position.character))
    return len(text) - len(rest) + min(here.character, len(line))


class Positions:
    """Positions in the files of one project."""

    def __init__(self, codec: PositionCodec, texts: Mapping[str, str]) -> None:
        """Bind the unit in which the editor counts, and the files."""
        self.codec = codec
        self._texts = texts
        self._lines: dict[str, list[str]] = {}
        self._offsets: dict[str, Offsets] = {}

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

    def between(self, path: str, start: int, end: int) -> types.Range:
        """The range between two offsets of a file."""
        if path not in self._offsets:
            self._offsets[path] = Offsets(self._texts.get(path, ""))
        first, last = (self._offsets[path].line_column(offset) for offset in (start, end))
        return types.Range(self.position(path, *first), self.position(path, *last))

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
        if finding.quoted:
            # Words of the text itself; another character or word may stand between them.
            pattern = r"\W+(?:\w+\W+)?".join(map(re.escape, finding.quoted.split()))
            if (said := re.search(pattern, self.line(finding.path, finding.line), re.IGNORECASE)) is not None:
                return self.span(finding.path, finding.line, said.start() + 1, said.end() + 1)
        if finding.column <= 1:
            return self.whole_line(finding.path, finding.line)
        return self.thing(finding.path, finding.line, finding.column, finding.subject)
