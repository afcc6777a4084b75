"""Arguments of a command, read where they stand: groups in braces and options in brackets, properly nested."""

import re
from typing import NamedTuple

_STOP = re.compile(r"\\.|[{}\[\]]|%[^\n]*+|\n[ \t]*+\n", re.DOTALL)
_SPACE = re.compile(r"(?:[ \t\n]|%[^\n]*+\n)*+")
REACH = 20_000
"""The longest argument; a longer one counts as unclosed."""
_DEEPEST = 40
"""The deepest nesting inside an argument; keeps time linear in a file of open groups."""


class Argument(NamedTuple):
    """The inside of an argument, and where the text goes on after it."""

    text: str
    start: int
    end: int


def read_group(text: str, at: int) -> Argument | None:
    """The group in braces that starts here, after white space and comments."""
    return _read(text, at, "{", "}", blank_ends=False)


def read_option(text: str, at: int) -> Argument | None:
    """The option in brackets that starts here; it holds no blank line."""
    return _read(text, at, "[", "]", blank_ends=True)


def read_groups(text: str, at: int, count: int) -> list[Argument]:
    """Up to `count` groups that follow one another."""
    groups: list[Argument] = []
    while len(groups) < count and (group := read_group(text, at)):
        groups.append(group)
        at = group.end
    return groups


def _read(text: str, at: int, opening: str, closing: str, *, blank_ends: bool) -> Argument | None:
    space = _SPACE.match(text, at)
    begin = space.end() if space else at
    if not text.startswith(opening, begin) or (blank_ends and "\n\n" in text[at:begin]):
        return None
    # A cheap search for the closing sign first: keeps time linear in hostile files.
    if text.find(closing, begin, begin + REACH) < 0:
        return None
    braces = depth = 0
    for match in _STOP.finditer(text, begin, begin + REACH):
        sign = match.group()
        if depth + braces > _DEEPEST:
            return None
        if sign == opening and braces == 0:
            depth += 1
        elif sign == closing and braces == 0:
            depth -= 1
            if depth == 0:
                return Argument(text[begin + 1 : match.start()], begin + 1, match.end())
        elif opening == "[" and sign == "{":
            braces += 1
        elif opening == "[" and sign == "}":
            braces -= 1
            if braces < 0:
                return None
        elif blank_ends and sign[0] == "\n":
            return None
    return None
