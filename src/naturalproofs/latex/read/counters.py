r"""Counters as LaTeX has them: stepped, reset by others, and printed by their formats."""

import re
from collections.abc import Callable, Mapping

_DEPTH = 12
_PIECES = 60
"""How many pieces a printed number may have; ends formats that use themselves."""
_STYLE = r"(?:arabic|alph|Alph|roman|Roman|number|value|fnsymbol)"
_PIECE = re.compile(
    rf"\\(?P<style>{_STYLE})\s*+(?:\{{\s*+(?P<counter>[a-zA-Z@*]++)\s*+\}}|\\value\s*+\{{\s*+(?P<value>[a-zA-Z@*]++)\s*+\}})"
    rf"|\\@?(?P<inner>{_STYLE})\s*+\\c@(?P<register>[a-zA-Z]++)"
    r"|\\the(?P<the>[a-zA-Z@]++)"
    r"|\\[a-zA-Z@]++\*?+|\\[^a-zA-Z@]|[{}$]|\s++"
)

_NUMBER_TEST = re.compile(
    r"\\ifnum\s*+(?:\\value\s*+\{\s*+(?P<counter>[a-zA-Z@*]++)\s*+\}|\\c@(?P<register>[a-zA-Z]++))"
    r"\s*+(?P<relation>[<=>])\s*+(?P<than>\d{1,9})\s?+(?P<then>(?:(?!\\(?:if|else|fi)).)*+)"
    r"(?:\\else(?![a-zA-Z@])\s*+(?P<otherwise>(?:(?!\\(?:if|fi)).)*+))?+\\fi(?![a-zA-Z@])\s*+",
    re.DOTALL,
)
_LONGEST = 40


class Counters:
    r"""Values, parents and formats of all counters: stepped, reset by their parents, and printed by ``\the…``."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.children: dict[str, list[str]] = {}
        self.formats: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self._pieces = 0

    def define(self, name: str, within: str = "") -> None:
        """Make a counter, zero at first; a second definition leaves the value alone."""
        self.values.setdefault(name, 0)
        self.formats.setdefault(name, f"\\arabic{{{name}}}")
        if within:
            self.number_within(name, within)

    def number_within(self, name: str, within: str, *, printed: bool = True) -> None:
        """Reset a counter whenever another one steps, and print the other one before it."""
        self.define(name)
        within = self._real(within)
        siblings = self.children.setdefault(within, [])
        real = self._real(name)
        if real not in siblings and real != within:
            siblings.append(real)
        if printed:
            self.formats[name] = f"\\the{within}.\\arabic{{{name}}}"

    def free(self, name: str, within: str, *, printed: bool = True) -> None:
        """Undo `number_within`."""
        siblings = self.children.get(self._real(within), [])
        if name in siblings:
            siblings.remove(name)
        if printed:
            self.formats[name] = f"\\arabic{{{name}}}"

    def step(self, name: str) -> None:
        """Add one, and reset everything that is counted within it."""
        name = self._real(name)
        self.values[name] = self.values.get(name, 0) + 1
        self._reset(name, 0)

    def set(self, name: str, value: int) -> None:
        """Give a counter a value; nothing else changes."""
        self.values[self._real(name)] = value

    def value(self, name: str) -> int:
        """The value."""
        return self.values.get(self._real(name), 0)

    def printed(self, name: str) -> str:
        """The value as it is printed; empty when that depends on an unknown counter."""
        self._pieces = _PIECES
        try:
            return self._expand(f"\\the{self._real(name)}")[:_LONGEST]
        except LookupError:
            return ""

    def _real(self, name: str) -> str:
        for _ in range(_DEPTH):
            if name not in self.aliases:
                break
            name = self.aliases[name]
        return name

    def _reset(self, name: str, depth: int) -> None:
        for child in self.children.get(name, ()):
            self.values[child] = 0
            if depth < _DEPTH:
                self._reset(child, depth + 1)

    def _expand(self, source: str) -> str:
        def piece(match: re.Match[str]) -> str:
            self._pieces -= 1
            if self._pieces < 0:
                return ""
            if name := match["the"]:
                real = self._real(name)
                if real not in self.formats:
                    raise LookupError(real)
                return self._expand(self.formats[real])
            counter = match["counter"] or match["value"] or match["register"]
            return STYLES[match["style"] or match["inner"]](self.value(counter)) if counter else ""

        return _PIECE.sub(piece, self._decided(source) if "\\if" in source else source)[:_LONGEST]

    def _decided(self, source: str) -> str:
        r"""A format without ``\ifnum\value{section}>0 …\else…\fi``; raises an error where another test stands."""

        def choose(match: re.Match[str]) -> str:
            value, than = self.value(match["counter"] or match["register"]), int(match["than"])
            relations = {"<": value < than, "=": value == than, ">": value > than}
            return (match["then"] if relations[match["relation"]] else match["otherwise"]) or ""

        decided = _NUMBER_TEST.sub(choose, source)
        if "\\if" in decided:
            raise LookupError(source)
        return decided


def letters(value: int) -> str:
    """A capital letter, as appendices are numbered."""
    return chr(ord("A") + value - 1) if 1 <= value <= 26 else str(value)


def roman(value: int) -> str:
    """Capital Roman numerals."""
    if not 0 < value < 4000:
        return str(value)
    numerals = "M CM D CD C XC L XL X IX V IV I".split()
    values = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    text = ""
    for size, numeral in zip(values, numerals, strict=True):
        text += numeral * (value // size)
        value %= size
    return text


STYLES: Mapping[str, Callable[[int], str]] = {
    "arabic": str,
    "number": str,
    "value": str,
    "Alph": letters,
    "alph": lambda value: letters(value).lower(),
    "Roman": roman,
    "roman": lambda value: roman(value).lower(),
    "fnsymbol": lambda value: "*" * value if value < 4 else str(value),
}
