"""Lists of exercises while a document is read: each item opens a statement, with its number."""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from naturalproofs.latex.macros.entries import EXERCISE_HEADING
from naturalproofs.latex.read.exercise_lists import ENUMERATE, ITEM, ExerciseList, item_format, list_keys
from naturalproofs.latex.read.frames import Frame, Frames
from naturalproofs.latex.read.numbering import Numbering
from naturalproofs.latex.scan.arguments import REACH, read_option
from naturalproofs.latex.scan.scanner import Token
from naturalproofs.latex.scan.vocabulary import SECTIONS
from naturalproofs.reading.kinds import by_word

_BEFORE_FIRST = re.compile(
    r"(?:\s|%[^\n]*+\n|\\label\s*+\{[^{}]*+\}|\\(?:itemsep|setlength|setcounter)[^\n]*+\n)*+\\([a-zA-Z]++)"
)
_GIVEN = re.compile(r"\W*(\d+(?:\.\d+)*[a-z]?)\W*")
_WORD_BEFORE = re.compile(r"^\W*[^\W\d_]{3,}\s*")


_MARK = re.compile(
    r"%[^\n]*+|\\(?P<begin>begin)\s*+\{|\\(?P<end>end)\s*+\{|\\(?P<stop>(?:sub){0,2}section|chapter|part)(?![a-zA-Z@])"
    r"|\\.|(?P<blank>\n[ \t]*+\n\s*+)(?!\\begin\s*+\{(?:enumerate|itemize|align|equation|gather))",
    re.DOTALL,
)


def end_of_paragraph(text: str, at: int, command: str = "") -> int:
    """Where the paragraph that begins here ends, lists and formulas in it included, or another call of the command."""
    depth = 0
    for match in _MARK.finditer(text, at, at + REACH):
        if match["begin"]:
            depth += 1
        elif match["end"]:
            depth -= 1
        if depth < 0 or (depth == 0 and (match["stop"] or match["blank"])):
            return match.start()
        if command and depth == 0 and text.startswith(f"\\{command}", match.start()):
            return match.start()
    return min(len(text), at + REACH)


class Item(NamedTuple):
    """An item of a list: its family of words, its number, and where its text begins."""

    family: str
    number: str
    end: int


class ExerciseLists:
    """The lists of exercises that are open while a document is read."""

    def __init__(self, lists: Mapping[str, ExerciseList], frames: Frames, numbering: Numbering) -> None:
        """Bind the lists, the open environments and the counters."""
        self._lists, self._frames, self._numbering = lists, frames, numbering
        self._section = ""
        """In a section of exercises, until another heading: what its items are."""

    def heading(self, token: Token, level: int) -> None:
        """Enter or leave a section of exercises, by its heading; an item ends where a section begins."""
        if level <= SECTIONS["section"] and (top := self._frames.top) is not None and top.name == ITEM:
            self._frames.close(token.start, token.start)
        if found := EXERCISE_HEADING.match(self._frames.walker.file.text, token.end):
            sense = by_word(found["word"])
            self._section = sense.family if sense else "exercise"
        else:
            self._section = ""

    def begin(self, token: Token, items: Collection[str]) -> bool:
        """Open a list, unless it does not begin with one of the commands for items."""
        text = self._frames.walker.file.text
        option = read_option(text, token.end)
        at = option.end if option else token.end
        one = self._lists[token.name]
        if token.name == ENUMERATE and (not self._section or not self._frames.is_outside()):
            return False
        if not one.is_certain:
            first = _BEFORE_FIRST.match(text, at)
            if first is None or first[1] not in items:
                return False
        self._frames.push(Frame(token.name, "list", self._frames.walker.file, token.start))
        keys = {**one.keys, **list_keys(option.text if option else "")}
        counters = self._numbering.counters
        counters.define(one.counter)
        if form := item_format(keys, one.counter):
            counters.formats[one.counter] = form
        if not {"resume", "resume*"} & keys.keys():
            start = keys.get("start", "1")
            counters.set(one.counter, int(start) - 1 if start.isdigit() and len(start) < 8 else 0)
        return True

    def item(self, token: Token) -> Item | None:
        """The item that begins here, if it is one of an open list.

        The item before it is closed.
        """
        stack = self._frames.stack
        around = stack[-2] if len(stack) > 1 and stack[-1].name == ITEM else self._frames.top
        if around is None or around.role != "list":
            return None
        if around is not self._frames.top:
            self._frames.close(token.start, token.start)
        one, text = self._lists[around.name], self._frames.walker.file.text
        family = one.family or self._section
        option = read_option(text, token.end)
        if option is not None and token.name == "item":
            given = _GIVEN.fullmatch(option.text)
            return Item(family, given[1] if given else "", option.end)
        self._numbering.counters.step(one.counter)
        number = _WORD_BEFORE.sub("", self._numbering.counters.printed(one.counter)).rstrip(".: ")
        return Item(family, number, option.end if option else token.end)
