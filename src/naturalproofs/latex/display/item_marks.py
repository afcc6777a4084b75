r"""The marks of numbered lists: ``\begin{enumerate}[label=(\alph*)]``, ``[(i)]``, and what LaTeX prints otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from naturalproofs.latex.macros.list_labels import LEVELS, given_label, label_macro, settings, split_options
from naturalproofs.latex.scan.arguments import read_option

_COUNTER = re.compile(r"\\(arabic|alph|Alph|roman|Roman|asbuk|Asbuk)\s*(?:(\*)|\{\s*([a-zA-Z]+)\s*\})")
_SHORT = {"1": "\\arabic*", "a": "\\alph*", "A": "\\Alph*", "i": "\\roman*", "I": "\\Roman*"}
_SHORT_SIGN = re.compile(r"\\[a-zA-Z]+|\\.|[{}]|[1aAiI]", re.DOTALL)
_COMMAND_LAST = re.compile(r"\\[a-zA-Z]+$")
_FLAG = re.compile(r"\s*[a-z]{3,}\*?\s*")
_START = re.compile(r"\s*start\s*=\s*(\d+)\s*")
_RESUMED = re.compile(r"\s*resume\*?\s*(?:=.*)?")
_APPENDED = re.compile(r"\s*label\*\s*=")
_COUNTED = re.compile(r"\\(set|addto)counter\s*\{enum(?:i{1,3}|iv)\}\s*\{\s*(-?\d+)\s*\}")
_DEFAULTS = ("(\\arabic*)", "(\\alph*)", "(\\roman*)", "(\\Alph*)")
_LETTERS = {"alph": "abcdefghijklmnopqrstuvwxyz", "asbuk": "абвгдежзиклмнопрстуфхцчшщэюя"}
_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_LAST_ROMAN = 39


class Item(NamedTuple):
    """An item of a numbered list that stands around a place in a text."""

    list_name: str
    number: int
    mark: str


@dataclass(slots=True)
class Lists:
    """The numbered lists around a place in a text, and the last number of each kind and level so far."""

    outer: list[Item] = field(default_factory=list)
    last: dict[tuple[str, int], int] = field(default_factory=dict)

    def around(self, name: str) -> list[Item]:
        """The items of lists of this name around here."""
        return [item for item in self.outer if item.list_name == name]


def numbered(
    lists: Lists, name: str, before: str, preset: Callable[[int], str | None], items: Sequence[tuple[str | None, str]]
) -> list[Item]:
    """The numbers and marks of the items of a numbered list; without marks if LaTeX's own numbers from 1 say it all.

    Args:
        lists: The lists around it.
        name: The environment.
        before: What stands before the first item: the options of the list, and changes of its counter.
        preset: The label that the preamble sets for such a list at a level.
        items: The mark that the item brings, if any, and its source.

    Raises:
        UnknownNumbers: The numbers depend on another place.
    """
    outer = lists.around(name)
    level = min(len(outer) + 1, len(LEVELS))
    option = read_option(before, 0)
    options = option.text if option else ""
    own_settings = dict(settings(before))
    label = _label(outer, options, own_settings.get(label_macro("enumerate", level), preset(level)))
    template = label if label is not None else _DEFAULTS[level - 1]
    numbers = list(_numbers(lists.last.get((name, level)), options, before, items))
    lists.last[name, level] = max(numbers, default=0)
    is_plain = label is None and level == 1 and numbers == list(range(1, len(numbers) + 1))
    if is_plain and all(own is None for own, _ in items):
        return [Item(name, number, "") for number in numbers]
    return [
        Item(name, number, own if own is not None else filled(template, number, outer))
        for (own, _), number in zip(items, numbers, strict=True)
    ]


class UnknownNumbers(Exception):
    """A list goes on with the numbers of another one, which is not in the text."""


def filled(template: str, number: int, outer: Sequence[Item]) -> str:
    """A label with the numbers in place of its counters."""

    def value(match: re.Match[str]) -> str:
        level = (match[3] or "")[4:] if (match[3] or "").startswith("enum") else ""
        place = LEVELS.index(level) if level in LEVELS else len(outer)
        counted = outer[place].number if place < len(outer) else number
        written = _written(match[1], counted) or match.group()
        # \bfseries\alph*: the letter is no part of the name before it.
        return f" {written}" if _COMMAND_LAST.search(template[: match.start()]) else written

    return _COUNTER.sub(value, template)


def _label(outer: Sequence[Item], options: str, preset: str | None) -> str | None:
    label = given_label(options)
    if label is not None:
        return label
    for part in split_options(options):
        if _APPENDED.match(part):
            return (outer[-1].mark if outer else "") + (given_label(part.replace("label*", "label", 1)) or "")
        if "=" not in part and part.strip() and not _FLAG.fullmatch(part):
            return _long_label(part.strip())
    return preset


def _long_label(short: str) -> str:
    """A label such as ``(i)`` or ``{A}.1``, with its counter written out; if it may have several, it is kept."""
    found, depth = [], 0
    for match in _SHORT_SIGN.finditer(short):
        sign = match.group()
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and sign in _SHORT:
            found.append(match)
    if len(found) != 1:
        raise UnknownNumbers(short)
    match = found[0]
    return f"{short[: match.start()]}{_SHORT[match.group()]}{short[match.end() :]}"


def _numbers(last: int | None, options: str, before: str, items: Sequence[tuple[str | None, str]]) -> Iterator[int]:
    """The number of each item; one with a mark of its own does not count."""
    number = 0
    for part in split_options(options):
        if start := _START.fullmatch(part):
            number = int(start[1]) - 1
            break
        if _RESUMED.fullmatch(part):
            if last is None:
                raise UnknownNumbers("resume")
            number = last
    number = _counted(number, before)
    for own, source in items:
        number += own is None
        yield number
        number = _counted(number, source)


def _counted(number: int, source: str) -> int:
    """The number of the counter after a text that may change it."""
    for match in _COUNTED.finditer(source):
        number = int(match[2]) + (0 if match[1] == "set" else number)
    return number


def _written(style: str, number: int) -> str:
    """A number in the style of a counter; empty if LaTeX could not write it."""
    made = str(number)
    if style.lower() == "roman":
        made = _roman(number)
    elif letters := _LETTERS.get(style.lower()):
        made = letters[number - 1] if 1 <= number <= len(letters) else ""
    return made.upper() if style[0].isupper() else made


def _roman(number: int) -> str:
    made = ""
    for value, sign in _ROMAN if number <= _LAST_ROMAN else ():
        made += sign * (number // value)
        number %= value
    return made
