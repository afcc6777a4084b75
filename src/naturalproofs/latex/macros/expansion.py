"""Expansion of macro calls, with positions that lead back to the call and its arguments."""

import re
from bisect import bisect_right
from typing import NamedTuple

from naturalproofs.latex.macros.conditions import decide
from naturalproofs.latex.macros.macro import Macro, Macros
from naturalproofs.latex.scan.arguments import NO_VALUE, Argument, read_group, read_option, split_argument
from naturalproofs.latex.scan.scanner import Positions

LONGEST = 200_000
"""The longest expansion of one call."""
_LONGEST_TEXT = 5_000
_ROUNDS = 4
"""How often the macros in expansions are expanded."""
NO_MACROS: Macros = {}
_PARAMETER = re.compile(r"#(#|\d)")
_CONTROL_WORD = re.compile(r"\\[a-zA-Z@]+$")
_LONGEST_NAME = 60
_SPACE = re.compile(r"(?:\s|%[^\n]*+\n)*+")
_TOKEN = re.compile(r"\\[a-zA-Z@]++|\\.|[^\s{}]", re.DOTALL)
_LAST_COMMAND = re.compile(r"\\([a-zA-Z@]++)\*?+\s*+$")
_CALL = re.compile(r"\\([a-zA-Z]++)")
_LONGEST_DELIMITED = 2_000
_DEEPEST = 5
"""How many macros may end with one another."""
_OPENS = re.compile(r"\\begin\s*+\{[^{}]*+\}(?:\s|\\ignorespaces|%[^\n]*+\n?+)*+$")


class Expansion(NamedTuple):
    """The expansion of a call, and where the text goes on after it."""

    text: str
    positions: Positions
    end: int


class Copy(NamedTuple):
    """A piece of the outer text that an expansion repeats: its begin there, its length, and where it comes from."""

    begin: int
    length: int
    source: int


class ExpandedPositions(Positions):
    """Positions of an expansion: copied arguments stand where they were written, all else stands at the call."""

    def __init__(self, outer: Positions, call: int, copies: list[Copy]) -> None:
        """Bind the outer text, the call and the copies, which are in order."""
        self._outer = outer
        self._call = call
        self._copies = copies
        self._begins = [copy.begin for copy in copies]

    def line(self, offset: int) -> int:
        """Line of the outer text."""
        return self._outer.line(self._origin(offset))

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of the outer text."""
        return self._outer.line_column(self._origin(offset))

    def _origin(self, offset: int) -> int:
        index = bisect_right(self._begins, offset) - 1
        if index >= 0:
            begin, length, source = self._copies[index]
            if offset < begin + length:
                return source + offset - begin
        return self._call


def expand(
    macro: Macro, text: str, call: int, at: int, positions: Positions, macros: Macros = NO_MACROS
) -> Expansion | None:
    """Expand a call; None when its arguments are not there.

    Args:
        macro: What is called.
        text: The text that the call stands in.
        call: Where the name of the call begins.
        at: Where it ends.
        positions: Positions of the text.
        macros: The other macros, for how many arguments they take.
    """
    read = read_arguments(macro, text, at)
    if read is None:
        return None
    arguments, at = read
    text_of_call, copies = fill(macro, arguments)
    if len(text_of_call) > LONGEST:
        return None
    start, at = at, _end_of_what_is_taken(text_of_call, text, at, macros)
    if at > start:
        copies.append(Copy(len(text_of_call), at - start, start))
        text_of_call += text[start:at]
    return Expansion(text_of_call, ExpandedPositions(positions, call, copies), at)


def read_arguments(macro: Macro, text: str, at: int) -> tuple[list[Argument], int] | None:
    """The arguments of a call whose name ends at `at`, and where they end; None when they are not there."""
    arguments: list[Argument] = []
    for parameter in macro.parameters:
        argument = read_argument(parameter.kind, parameter.default, text, at)
        if argument is None:
            return None
        if parameter.kind != "literal":
            arguments.append(argument)
        at = argument.end
    return arguments, at


def _end_of_what_is_taken(expanded: str, text: str, at: int, macros: Macros, depth: int = 0) -> int:
    r"""Where the arguments end that the end of an expansion takes from the text after the call.

    With ``\def\bthm{\begin{theorem}}`` an environment takes an option, with ``\def\lref{Lemma~\ref}`` a command takes
    its arguments. A macro at the end may stand for either.
    """
    if _OPENS.search(expanded[-200:]):
        option = read_option(text, at)
        return option.end if option else at
    last = _LAST_COMMAND.search(expanded[-200:])
    if last is None:
        return at
    if known := macros.get(last[1]):
        read = read_arguments(known, text, at)
        if read is None or depth >= _DEEPEST:
            return at
        return _end_of_what_is_taken(fill(known, read[0])[0], text, read[1], macros, depth + 1)
    after = at + text.startswith("*", at)
    option = read_option(text, after)
    group = read_group(text, option.end if option else after)
    return group.end if group else at


def expand_all(text: str, macros: Macros) -> str:
    """A short text with all macros replaced by what they stand for, those in their expansions included."""
    for _ in range(_ROUNDS):
        pieces: list[str] = []
        done = 0
        for match in _CALL.finditer(text):
            macro = macros.get(match[1])
            read = read_arguments(macro, text, match.end()) if macro and match.start() >= done else None
            if macro and read:
                pieces += (text[done : match.start()], fill(macro, read[0])[0])
                done = read[1]
        if not pieces or len(text) > _LONGEST_TEXT:
            break
        text = "".join((*pieces, text[done:]))
    return text


def expand_ending(macro: Macro, positions: Positions, call: int, at: int) -> Expansion:
    """Expand the end of an environment, which takes no arguments."""
    return Expansion(macro.ending or "", ExpandedPositions(positions, call, []), at)


def fill(macro: Macro, arguments: list[Argument]) -> tuple[str, list[Copy]]:
    """The body with its arguments put in, and which of them stand where in the outer text."""
    return _substitute(decide(macro.body, [argument.text for argument in arguments]), arguments)


def read_argument(kind: str, default: str, text: str, at: int) -> Argument | None:
    """The argument of a kind that starts here, or its default; None when it is not there."""
    space = _SPACE.match(text, at)
    start = space.end() if space else at
    if kind == "star":
        starred = text.startswith(default or "*", at)
        return Argument("TRUE" if starred else "FALSE", at, at + starred)
    if kind in ("option", "braced"):
        return (read_option if kind == "option" else read_group)(text, at) or Argument(default, -1, at)
    if kind == "until":
        return _up_to(default, text, start)
    if kind == "literal":
        return Argument(default, start, start + len(default)) if text.startswith(default, start) else None
    if kind == "paired":
        given = text.startswith(default[0], start)
        return _up_to(default[1], text, start + 1) if given else Argument(default[2:], -1, at)
    if kind == "script" and not text.startswith(default, start):
        return Argument(NO_VALUE, -1, at)
    group = _group_or_token(text, start + len(default) if kind == "script" else start)
    if group is not None and kind == "split":
        return Argument(split_argument(group.text, int(default[0]), default[1:]), -1, group.end)
    return group


def _up_to(sign: str, text: str, start: int) -> Argument | None:
    end = text.find(sign, start, start + _LONGEST_DELIMITED)
    return Argument(text[start:end], start, end + len(sign)) if end >= 0 else None


def _group_or_token(text: str, at: int) -> Argument | None:
    group = read_group(text, at)
    if group is not None:
        return group
    space = _SPACE.match(text, at)
    token = _TOKEN.match(text, space.end() if space else at)
    return token and Argument(token.group(), token.start(), token.end())


def _substitute(body: str, arguments: list[Argument]) -> tuple[str, list[Copy]]:
    pieces: list[str] = []
    copies: list[Copy] = []
    length = done = 0

    def add(text: str, source: int = -1) -> None:
        nonlocal length
        if text[:1].isalpha() and pieces and _CONTROL_WORD.search(pieces[-1][-_LONGEST_NAME:]):
            pieces.append(" ")  # These letters are no part of the name of the command before them.
            length += 1
        if source >= 0:
            copies.append(Copy(length, len(text), source))
        if text:
            pieces.append(text)
        length += len(text)

    for match in _PARAMETER.finditer(body):
        number = int(match[1]) if match[1] != "#" else 0
        argument = arguments[number - 1] if 0 < number <= len(arguments) else Argument("#", -1, -1)
        add(body[done : match.start()])
        add(argument.text, argument.start if argument.text else -1)
        done = match.end()
        if length > LONGEST:
            break
    add(body[done:])
    return "".join(pieces), copies
