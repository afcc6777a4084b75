r"""Definitions in the branches of conditionals that cannot be decided: ``\ifdraft\def\x{a}\else\def\x{b}\fi``.

Which branch TeX takes depends on options, on packages or on the document. If the branches leave different definitions
of a command behind, nobody knows here what the command stands for: it is undecided, and its source is shown.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import Generic, Literal, NamedTuple, TypeVar

from naturalproofs.latex.scan.arguments import read_groups
from naturalproofs.latex.scan.vocabulary import TOGGLE

_MOST = 5_000
"""How many conditionals of one text are followed."""
_SIGN = re.compile(
    r"%[^\n]*+|\\(?:newif|string|noexpand)\s*+\\if[a-zA-Z@]*+|\\let\s*+\\if[a-zA-Z@]*+\s*+=?+\s*+\\if[a-zA-Z@]*+"
    r"|(?P<unless>\\unless\s*+)?+\\(?P<open>if(?!f(?![a-zA-Z@]))[a-zA-Z@]*+)"
    r"|\\(?P<next>else|or)(?![a-zA-Z@])|\\(?P<close>fi)(?![a-zA-Z@])"
    r"|\\(?P<groups>@if[a-zA-Z@]++|If[A-Z][a-zA-Z]*+)|\\[^a-zA-Z@]"
)
_GROUPS: Mapping[str, int] = {
    **dict.fromkeys(("@ifundefined", "@ifpackageloaded", "@ifclassloaded", "IfFileExists", "ifthenelse"), 1),
    **dict.fromkeys(("iftoggle", "ifbool", "ifdef", "ifcsdef", "ifundef", "ifcsundef", "ifboolexpr"), 1),
    **dict.fromkeys(("IfPackageLoadedTF", "IfClassLoadedTF", "IfFormatAtLeastTF"), 1),
    **dict.fromkeys(("@ifpackagewith", "@ifpackagelater", "@ifclasswith", "@ifclasslater"), 2),
}
"""Conditionals whose two branches are groups, and how many groups stand before these."""
PACKAGE = "package "
"""What the conditions begin with that a package is loaded."""
_TRUE = frozenset({"iftrue", "ifpdf", "ifpdftex", "ifPDFTeX"})
_CONSTANTS = _TRUE | {"iffalse", "ifxetex", "ifXeTeX", "ifluatex", "ifLuaTeX", "ifptex", "ifuptex"}
"""Texts that ask for the engine are read as pdfTeX reads them."""
_DEFINED = re.compile(
    r"defined\s*+\\(?P<name>[a-zA-Z@]++)|x\s*+\\(?P<other>[a-zA-Z@]++)\s*+\\@?+undefined(?![a-zA-Z@])"
)
_NAME = re.compile(r"\s*+\\?+([a-zA-Z@]++)\s*+")


class Test(NamedTuple):
    """What a conditional asks, if that is understood: whether a command is defined, or nothing."""

    chosen: int | None = None
    """The branch that is taken, 0 for the first one."""
    name: str = ""
    """The command that may be defined."""
    branch: int = 0
    """The branch that is taken if it is."""


class Sign(NamedTuple):
    """The opening, the next branch or the end of a conditional."""

    start: int
    kind: Literal["open", "next", "close"]
    test: Test = Test()
    group: int = 0
    """Which conditional with groups this belongs to; 0 for one that ends with ``\\fi``."""


def signs(text: str, flags: Mapping[str, bool]) -> list[Sign]:
    r"""The conditionals of a text, in order; those of the author with a known value are decided."""
    if not any(opening in text for opening in ("\\if", "\\@if", "\\If")):
        return []
    return sorted(_signs(text, flags), key=attrgetter("start"))


def _signs(text: str, flags: Mapping[str, bool]) -> Iterator[Sign]:
    found = (match for match in _SIGN.finditer(text) if match.lastgroup)
    for number, match in enumerate(islice(found, _MOST), 1):
        name = match["open"] or match["groups"]
        if match["next"] or match["close"]:
            yield Sign(match.start(), "next" if match["next"] else "close")
        elif name in _GROUPS:
            asked = _GROUPS[name]
            groups = read_groups(text, match.end(), asked + 2)
            if len(groups) == asked + 2:
                yield Sign(groups[asked].start - 1, "open", _group_test(name, groups[0].text, flags), number)
                yield Sign(groups[asked + 1].start - 1, "next", group=number)
                yield Sign(groups[asked + 1].end, "close", group=number)
        elif match["open"] and not text.startswith("{", match.end()):
            test = Test() if match["unless"] else _test(text, name, match.end(), flags)
            yield Sign(match.start(), "open", test)


def _test(text: str, name: str, end: int, flags: Mapping[str, bool]) -> Test:
    if name in _CONSTANTS or name in flags:
        return Test(0 if flags.get(name, name in _TRUE) else 1)
    match = _DEFINED.match(text, end - len(name) + 2)
    if match is None:
        return Test()
    return Test(name=match["name"] or match["other"], branch=0 if match["name"] else 1)


def _group_test(command: str, asked: str, flags: Mapping[str, bool]) -> Test:
    if command in ("iftoggle", "ifbool"):
        value = flags.get(("if" if command == "ifbool" else TOGGLE) + asked.strip())
        return Test() if value is None else Test(0 if value else 1)
    if command in ("@ifpackageloaded", "IfPackageLoadedTF"):
        loaded = flags.get(PACKAGE + asked.strip())
        return Test() if loaded is None else Test(0 if loaded else 1)
    name = _NAME.fullmatch(asked)
    if name is None or not command.endswith(("def", "undefined")):
        return Test()
    return Test(name=name[1], branch=1 if "un" in command else 0)


Value = TypeVar("Value")


@dataclass(slots=True)
class _Open(Generic[Value]):
    """A conditional whose end is not reached."""

    group: int
    chosen: int | None
    """The branch that is taken, if that is known."""
    before: dict[str, Value | None] = field(default_factory=dict)
    """What the names that the present branch defines stood for before it."""
    branches: list[dict[str, Value | None]] = field(default_factory=list)
    """What each earlier branch leaves behind."""
    asked: str = ""
    """The command that the conditional asks for: whether it is defined."""
    elsewhere: set[str] = field(default_factory=set)
    """Names that a branch defines and that stand for something not known here in a branch that does not."""


class Branched(Generic[Value]):
    """Definitions by name, some of them in branches; what is left of two different ones is undecided."""

    def __init__(self, undecided: Callable[[str], Value]) -> None:
        """Begin without any definition; `undecided` makes the one for a name that has several."""
        self.found: dict[str, Value] = {}
        self._undecided = undecided
        self._open: list[_Open[Value]] = []

    def define(self, name: str, value: Value, *, again: bool = False) -> None:
        """Define a name; one that is defined again stands for something else in the other branches, known or not.

        A branch for the case that the name is not defined gives it the meaning that it should have anyway.
        """
        if self._open:
            self._open[-1].before.setdefault(name, self.found.get(name))
            if again and all(one.asked != name for one in self._open):
                self._open[-1].elsewhere.add(name)
        self.found[name] = value

    def follow(self, sign: Sign) -> None:
        """Enter, change or leave a branch."""
        if sign.kind == "open":
            chosen = sign.test.chosen
            if chosen is None and sign.test.name in self.found:
                chosen = sign.test.branch
            self._open.append(_Open(sign.group, chosen, asked=sign.test.name))
            return
        if sign.group:
            while self._open and self._open[-1].group != sign.group:
                self._keep(self._open.pop())
        if not self._open or self._open[-1].group != sign.group:
            return
        self._end_branch(self._open[-1])
        if sign.kind == "close":
            self._join(self._open.pop())

    def end(self) -> None:
        """End a text: what is still open was no conditional."""
        while self._open:
            self._keep(self._open.pop())

    def _keep(self, other: _Open[Value]) -> None:
        """Go on as if there had been no conditional."""
        if self._open:
            self._open[-1].elsewhere |= other.elsewhere
            for name, value in other.before.items():
                self._open[-1].before.setdefault(name, value)

    def _end_branch(self, conditional: _Open[Value]) -> None:
        """Note what the branch leaves behind, and go back to what was before it."""
        conditional.branches.append({name: self.found.get(name) for name in conditional.before})
        for name, value in conditional.before.items():
            if value is None:
                self.found.pop(name, None)
            else:
                self.found[name] = value
        conditional.before = {}

    def _join(self, conditional: _Open[Value]) -> None:
        branches = [*conditional.branches, {}] if len(conditional.branches) == 1 else conditional.branches
        chosen = conditional.chosen
        if chosen is not None and chosen < len(branches):
            branches = [branches[chosen]]
        for name in dict.fromkeys(name for branch in branches for name in branch):
            before, again = self.found.get(name), name in conditional.elsewhere
            values = [branch.get(name, before) for branch in branches]
            known = [value for value in values if value is not None]
            if known:
                same = all(one == known[0] for one in known) and not (again and None in values)
                self.define(name, known[0] if same else self._undecided(name), again=again)
