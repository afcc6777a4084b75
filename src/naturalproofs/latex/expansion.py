"""Expansion of macro calls, with positions that lead back to the call and its arguments."""

import re
from bisect import bisect_right
from typing import NamedTuple

from naturalproofs.latex.arguments import Argument, read_group, read_groups, read_option
from naturalproofs.latex.macros import NO_VALUE, Macro
from naturalproofs.latex.scanner import Positions

LONGEST = 200_000
"""The longest expansion of one call."""
_PARAMETER = re.compile(r"#(#|\d)")
_CONTROL_WORD = re.compile(r"\\[a-zA-Z@]+$")
_LONGEST_NAME = 60
_SPACE = re.compile(r"(?:\s|%[^\n]*+\n)*+")
_TOKEN = re.compile(r"\\[a-zA-Z@]++|\\.|[^\s{}]", re.DOTALL)
_CONDITION = re.compile(r"\\If(?P<no>No)?+(?P<what>Value|Boolean)(?P<branches>TF|T|F)(?![a-zA-Z])")
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


def expand(macro: Macro, text: str, call: int, at: int, positions: Positions) -> Expansion | None:
    """Expand a call whose name begins at `call` and ends at `at`; None when its arguments are not there."""
    arguments: list[Argument] = []
    for parameter in macro.parameters:
        argument = _argument(parameter.kind, parameter.default, text, at)
        if argument is None:
            return None
        arguments.append(argument)
        at = argument.end
    text_of_call, copies = fill(macro, arguments)
    if len(text_of_call) > LONGEST:
        return None
    # \bthm[Title] with \def\bthm{\begin{theorem}}: the environment takes what follows the call.
    option = read_option(text, at) if _OPENS.search(text_of_call[-200:]) else None
    if option is not None:
        start, at = option.start - 1, option.end
        copies.append(Copy(len(text_of_call), at - start, start))
        text_of_call += text[start:at]
    return Expansion(text_of_call, ExpandedPositions(positions, call, copies), at)


def expand_ending(macro: Macro, positions: Positions, call: int, at: int) -> Expansion:
    """Expand the end of an environment, which takes no arguments."""
    return Expansion(macro.ending or "", ExpandedPositions(positions, call, []), at)


def fill(macro: Macro, arguments: list[Argument]) -> tuple[str, list[Copy]]:
    """The body with its arguments put in, and which of them stand where in the outer text."""
    return _substitute(_decide(macro.body, arguments), arguments)


def _argument(kind: str, default: str, text: str, at: int) -> Argument | None:
    if kind == "star":
        starred = text.startswith("*", at)
        return Argument("TRUE" if starred else "FALSE", at, at + starred)
    if kind == "option":
        return read_option(text, at) or Argument(default, -1, at)
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
    for match in _PARAMETER.finditer(body):
        number = int(match[1]) if match[1] != "#" else 0
        argument = arguments[number - 1] if 0 < number <= len(arguments) else Argument("#", -1, -1)
        before = body[done : match.start()]
        if argument.text[:1].isalpha() and _CONTROL_WORD.search(before[-_LONGEST_NAME:]):
            before += " "  # The argument is no part of the name of the command before it.
        length += len(before)
        if argument.start >= 0 and argument.text:
            copies.append(Copy(length, len(argument.text), argument.start))
        pieces += (before, argument.text)
        length += len(argument.text)
        done = match.end()
        if length > LONGEST:
            break
    return "".join((*pieces, body[done:])), copies


def _decide(body: str, arguments: list[Argument]) -> str:
    r"""Take the branch of every \IfNoValueTF and \IfBooleanTF that asks for an argument."""
    at = 0
    while match := _CONDITION.search(body, at):
        groups = read_groups(body, match.end(), 1 + len(match["branches"]))
        asked = _PARAMETER.fullmatch(groups[0].text.strip()) if groups else None
        number = int(asked[1]) if asked and asked[1] != "#" else 0
        if len(groups) != 1 + len(match["branches"]) or not 0 < number <= len(arguments):
            at = match.end()
            continue
        value = arguments[number - 1].text
        holds = value == "TRUE" if match["what"] == "Boolean" else (value == NO_VALUE) == bool(match["no"])
        branches = dict(zip(match["branches"], groups[1:], strict=True))
        chosen = branches.get("T" if holds else "F")
        body = body[: match.start()] + (chosen.text if chosen else "") + body[groups[-1].end :]
        at = match.start()
    return body
