r"""Conditionals: where they stand, what they ask, and which branch TeX takes where that is known.

One reading serves preambles, documents, the code of macros after their arguments are put in, formats of counters, and
what is shown. Time is linear in the text, however conditionals are nested.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple, Protocol, cast

from naturalproofs.sources.latex.scan.arguments import COMMAND, NO_VALUE, ONE_TOKEN, read_group, read_groups, read_token
from naturalproofs.sources.latex.scan.symbols import BUILT_IN

CHAPTERS = "chapters"
"""The fact that a document has chapters."""
PACKAGE, OPTION, TOGGLE = "package ", "option ", "toggle "
"""What the names of facts begin with: that a package is loaded, that an option is given, that a toggle is on."""
_LONGEST_NUMBER = 9
_LONGEST_NAME = 100
_LONGEST_CONSTANT = 200
_ENGINE = {
    **dict.fromkeys(("iftrue", "ifpdf", "ifpdftex", "ifPDFTeX"), True),
    **dict.fromkeys(("iffalse", "ifxetex", "ifXeTeX", "ifluatex", "ifLuaTeX", "ifptex", "ifuptex"), False),
}
"""Texts that ask for the engine are read as pdfTeX reads them."""
_OF_THE_ENGINE = frozenset({"pdfoutput", "pdftexversion", "relax", "def", "begin", "end", "section", "newtheorem"})
_PRIMITIVES = frozenset(
    "if ifx ifcat ifnum ifdim ifodd ifcase ifmmode ifvmode ifhmode ifinner ifvoid ifhbox ifvbox ifeof iftrue iffalse "
    "ifdefined ifcsname".split()
)
_NO_CONDITIONALS = frozenset({"iff", "ifoot"})
_UNDEFINED = frozenset({"undefined", "@undefined"})
_EMPTY = frozenset({"empty", "@empty"})


class Meaning(Protocol):
    """A macro, as far as conditionals ask for it."""

    @property
    def parameters(self) -> Sequence[object]:
        """How its arguments are written."""

    @property
    def body(self) -> str:
        """What it stands for."""

    @property
    def ending(self) -> str | None:
        """The code of an environment's end; None for a command."""

    @property
    def is_certain(self) -> bool:
        """Whether this is what it stands for."""


class _Text(NamedTuple):
    """A macro that stands for a text."""

    body: str
    parameters: tuple[()] = ()
    ending: None = None
    is_certain: bool = True


@dataclass(frozen=True)
class Facts:
    """What is known where a conditional stands."""

    flags: Mapping[str, bool] = field(default_factory=dict)
    """Conditionals of the author such as ``iflong``, and the facts named above."""
    macros: Mapping[str, Meaning] = field(default_factory=dict)
    counter: Callable[[str], int | None] | None = None
    """The value of a counter."""
    in_formula: bool | None = None
    in_display: bool | None = None
    is_complete: bool = False
    """Whether a command that is not among the macros counts as not defined."""

    def is_defined(self, name: str) -> bool | None:
        """Whether a command is defined; None if that is not known."""
        bare = name.removeprefix("the").removeprefix("c@")
        if bare == "chapter":
            return self.flags.get(CHAPTERS)
        if name in self.macros or name in _OF_THE_ENGINE or name in BUILT_IN:
            return True
        if name in self.flags or f"if{name.removesuffix('true').removesuffix('false')}" in self.flags:
            return True  # What \\newif defines.
        return False if self.is_complete else None

    def constant(self, name: str) -> str | None:
        """The text that a macro stands for, if it takes no arguments and its definition is certain."""
        macro = self.macros.get(name)
        known = macro is not None and not macro.parameters and macro.is_certain and macro.ending is None
        return macro.body if macro is not None and known and len(macro.body) <= _LONGEST_CONSTANT else None

    def plain(self, text: str) -> str:
        """A text with the macros replaced that stand for texts."""
        for _ in range(3) if "\\" in text else ():
            text = COMMAND.sub(self._value, text)
        return text.strip()

    def _value(self, match: re.Match[str]) -> str:
        value = self.constant(match[1])
        return match.group() if value is None else value


NO_FACTS = Facts()
"""Nothing is known yet: only constants such as ``\\iffalse`` and ``\\if01`` are decided."""
ARGUMENTS = Facts()
"""Only the text itself is known, as of the code of a macro whose arguments are put in."""
_CONSTANT = frozenset({"iftrue", "iffalse", "if", "ifnum", "ifodd", "ifcase"})


class Conditional(NamedTuple):
    """A conditional: where it begins and ends, what it asks, and where its branches stand."""

    start: int
    name: str
    asked: tuple[str, ...]
    branches: tuple[tuple[int, int], ...]
    end: int
    is_negated: bool = False


# Where conditionals stand.

_TOKEN = re.compile(
    r"%[^\n]*+|\\(?:newif|string|noexpand|meaning)\s*+\\[a-zA-Z@]++|\\verb\*?+(?P<bar>[^a-zA-Z\s*])"
    r"|\\let\s*+\\[a-zA-Z@]++\s*+=?+\s*+\\if[a-zA-Z@]*+"
    r"|\\begin\s*+\{(?P<verbatim>(?:[bBlL]?[vV]erbatim|lstlisting|minted|comment|alltt|filecontents)\*?+)\}"
    r"|(?P<unless>\\unless\s*+)?+\\(?P<open>if[a-zA-Z@]*+)|\\(?P<next>else|or)(?![a-zA-Z@])|\\(?P<close>fi)(?![a-zA-Z@])"
    r"|\\(?P<groups>@if[a-zA-Z]++|If[A-Z][a-zA-Z]*+|not(?:bool|toggle|blank)(?![a-zA-Z@])|[a-z]{2,4}_if(?:_[a-z_]++)?+:[a-zA-Z]++)"
    r"|\\[^a-zA-Z]|(?P<brace>[{}])",
    re.DOTALL,
)
_DETOKENIZED = re.compile(r"\s*+\\(?:detokenize|unexpanded)\s*+(?=\{)")
_CSNAME = re.compile(r"\s*+([^\\{}%]*+)\\endcsname(?![a-zA-Z@])")
_QUOTED = re.compile(r"\\(?:detokenize|unexpanded)\s*+\{([^{}]*+)\}")
_COMPARED = re.compile(r"\\(?:pdf@?+)?+strcmp((?:\s*+\{(?:[^{}]|\{[^{}]*+\})*+\}){2})")
_AMOUNT = re.compile(
    rf"\s*+({_COMPARED.pattern}"
    r"|-?+\d++|\\value\s*+\{[^{}\\]*+\}|\\c@[a-zA-Z]++|\\[a-zA-Z@]++)(?:[ \t]|\s*+\\relax(?![a-zA-Z@]))?+"
)
_RELATION = re.compile(r"\s*+([<=>])")


class _Groups:
    """The groups that are open at a place, each with a number of its own."""

    def __init__(self) -> None:
        self._open = [0]
        self._count = 0

    @property
    def innermost(self) -> int:
        """The number of the innermost group."""
        return self._open[-1]

    def change(self, brace: str) -> None:
        """Enter or leave a group; what follows the end of a group that began elsewhere is another one."""
        self._count += 1
        if brace == "{":
            self._open.append(self._count)
        else:
            self._open[-2:] = [self._open[-2] if len(self._open) > 1 else self._count]


class _Open(NamedTuple):
    """A conditional whose end is not reached."""

    start: int
    name: str
    asked: tuple[str, ...]
    is_negated: bool
    inside: int
    group: int
    marks: list[tuple[int, int]]
    """Where its ``\\else`` and ``\\or`` begin and end."""


_ASKS = re.compile(r"\\(?:if(?!f(?![a-zA-Z@]))|If[A-Z]|@if|not(?:bool|toggle|blank)|[a-z]{2,4}_if[_:])")
_ENDS = ("\\fi", "\\If", "\\@if", "_if", "\\notb", "\\nott")


def may_ask(text: str) -> bool:
    """Whether a text may have a conditional."""
    return _ASKS.search(text) is not None


class Found(NamedTuple):
    """The conditionals of a text by their place, and where each ``\\iffalse`` stands that no ``\\fi`` closes."""

    conditionals: list[Conditional]
    unclosed: list[int]


def find_conditionals(text: str) -> list[Conditional]:
    """The conditionals of a text by their place; one whose parts stand in different groups is left out."""
    return find_all(text).conditionals


@lru_cache(maxsize=1)
def find_all(text: str) -> Found:
    """The conditionals of a text, and those that are never closed; a file is asked for them several times in a row."""
    first = _ASKS.search(text)
    if first is None:
        return Found([], [])
    unless = text.rfind("\\unless", max(0, first.start() - 20), first.start())
    at = first.start() if unless < 0 else unless
    pending: list[_Open] = []
    found = sorted(_closing(text, at, _last_part(text, at) + _LONGEST_NAME, pending))
    return Found(found, [one.start for one in pending if one.name == "iffalse"])


def conditional_at(text: str, start: int, reach: int) -> Conditional | None:
    """The conditional that begins at a place and ends within reach; what follows it is not read."""
    pending: list[_Open] = []
    for one in _closing(text, start, min(len(text), start + reach), pending):
        if one.start == start or not pending or pending[0].start != start:
            return one if one.start == start else None
    return None


def _closing(text: str, at: int, last: int, pending: list[_Open]) -> Iterator[Conditional]:
    """The conditionals between two places in the order in which they end; those that do not stay in `pending`."""
    endless: set[str] = set()
    groups = _Groups()
    while match := _TOKEN.search(text, at, max(at, last)):
        at = match.end()
        if match["brace"]:
            groups.change(match["brace"])
        elif match["bar"] or match["verbatim"]:
            at = _after_verbatim(text, match, endless)
        elif match["groups"] or match["open"] in TESTS:
            if one := _with_groups(text, match, match["groups"] or match["open"]):
                yield one
                at = min(start for start, _ in one.branches)
                groups.change("{")
        elif name := match["open"]:
            if name in _NO_CONDITIONALS or (name not in _PRIMITIVES and text.startswith("{", at)):
                continue
            asked, at = _operands(text, name, at)
            pending.append(_Open(match.start(), name, asked, bool(match["unless"]), at, groups.innermost, []))
        elif match["next"] and pending and pending[-1].group == groups.innermost:
            pending[-1].marks.append(match.span())
        elif match["close"] and pending:
            one_open = pending.pop()
            if one_open.group == groups.innermost or one_open.name == "iffalse":
                yield _closed(one_open, match)


def _last_part(text: str, at: int) -> int:
    r"""Where the last part of a conditional begins; ``\iff`` and ``\not`` are none."""
    last, found = max(text.rfind(mark, at) for mark in _ENDS), text.rfind("\\if", at)
    while found > last and _ASKS.match(text, found) is None:
        found = text.rfind("\\if", at, found)
    return max(last, found)


def _after_verbatim(text: str, match: re.Match[str], endless: set[str]) -> int:
    r"""Where text that is printed as it is written ends: ``\\verb|…|``, or an environment; `endless` ones are noted."""
    at, name = match.end(), match["verbatim"]
    if match["bar"]:
        return max(at, text.find(match["bar"], at, at + 1_000) + 1)
    end = -1 if name in endless else text.find(f"\\end{{{name}}}", at)
    endless.update((name,) if end < 0 else ())
    return max(at, end)


def _closed(one: _Open, close: re.Match[str]) -> Conditional:
    edges = [(0, one.inside), *one.marks, close.span()]
    branches = tuple((before[1], after[0]) for before, after in pairwise(edges))
    if len(branches) == 1:
        branches = (*branches, (close.start(), close.start()))
    return Conditional(one.start, one.name, one.asked, branches, close.end(), one.is_negated)


def _operands(text: str, name: str, at: int) -> tuple[tuple[str, ...], int]:
    """What a conditional of TeX compares, as written, and where its first branch begins."""
    match name:
        case "if" | "ifx" | "ifcat":
            first, at = _operand(text, at)
            second, at = _operand(text, at) if first is not None else (None, at)
            return ((first, second), at) if first is not None and second is not None else ((), at)
        case "ifdefined":
            one, at = _operand(text, at)
            return ((one,) if one else ()), at
        case "ifcsname":
            named = _CSNAME.match(text, at)
            return ((f"\\{named[1].strip()}",), named.end()) if named else ((), at)
        case "ifnum" | "ifodd" | "ifcase":
            return _amounts(text, name, at)
    return (), at


def _operand(text: str, at: int) -> tuple[str | None, int]:
    """One token; of detokenized text its first character, or what follows if there is none."""
    if (match := _DETOKENIZED.match(text, at)) and (group := read_group(text, match.end())):
        return (group.text.strip()[0], group.end) if group.text.strip() else _operand(text, group.end)
    match = ONE_TOKEN.match(text, at)
    return (match[1], match.end()) if match else (None, at)


def _amounts(text: str, name: str, at: int) -> tuple[tuple[str, ...], int]:
    """The numbers that are compared, with the relation."""
    first = _AMOUNT.match(text, at)
    if first is None or name != "ifnum":
        return ((first[1],), first.end()) if first else ((), at)
    relation = _RELATION.match(text, first.end())
    second = _AMOUNT.match(text, relation.end()) if relation else None
    return ((first[1], relation[1], second[1]), second.end()) if relation and second else ((), at)


def _with_groups(text: str, match: re.Match[str], name: str) -> Conditional | None:
    r"""A conditional whose test and branches are groups: ``\ifthenelse{…}{…}{…}``, ``\IfValueT{…}{…}``."""
    test = TESTS.get(name)
    if test is None:
        return None
    count = test.asked + len(test.branches)
    groups = read_groups(text, match.end(), count, read_token)
    if len(groups) < count:
        return None
    spans = {
        letter: (one.start, one.start + len(one.text))
        for letter, one in zip(test.branches, groups[test.asked :], strict=True)
    }
    end = groups[-1].end
    branches = tuple(spans.get(letter, (end, end)) for letter in "TF")
    return Conditional(match.start(), name, tuple(one.text for one in groups[: test.asked]), branches, end)


# What they ask.


class Test(NamedTuple):
    """A conditional with groups: what it asks of its first groups, how many these are, and which branches follow."""

    holds: Callable[..., bool | None]
    asked: int = 1
    branches: str = "TF"


def _negated(holds: Callable[..., bool | None]) -> Callable[..., bool | None]:
    def other(facts: Facts, *asked: str) -> bool | None:
        found = holds(facts, *asked)
        return None if found is None else not found

    return other


def _forms(name: str, test: Test) -> dict[str, Test]:
    """The forms with two branches, with the first one alone, and with the second one alone."""
    return {name + branches: test._replace(branches=branches) for branches in ("TF", "T", "F")}


def _is_blank(facts: Facts, value: str) -> bool:
    return facts.plain(value) in ("", NO_VALUE)


def _is_flag(facts: Facts, name: str) -> bool | None:
    return facts.flags.get(f"if{name.strip()}")


def _is_toggled(facts: Facts, name: str) -> bool | None:
    return facts.flags.get(TOGGLE + name.strip())


def _is_loaded(facts: Facts, name: str) -> bool | None:
    return facts.flags.get(PACKAGE + name.strip(), False if facts.is_complete else None)


def _is_defined(facts: Facts, name: str) -> bool | None:
    return facts.is_defined(name.strip().removeprefix("\\"))


def _are_equal(facts: Facts, one: str, other: str) -> bool:
    return facts.plain(one) == facts.plain(other)


_UNKNOWN = Test(lambda *_: None)
TESTS: Mapping[str, Test] = {
    **_forms("IfNoValue", Test(lambda _, value: value == NO_VALUE)),
    **_forms("IfValue", Test(lambda _, value: value != NO_VALUE)),
    **_forms("IfBoolean", Test(lambda _, value: value.strip() in ("TRUE", "\\BooleanTrue"))),
    **_forms("IfBlank", Test(_is_blank)),
    **_forms("tl_if_novalue:n", Test(lambda _, value: value == NO_VALUE)),
    **_forms("tl_if_empty:n", Test(_is_blank)),
    **_forms("tl_if_blank:n", Test(_is_blank)),
    **_forms("str_if_eq:nn", Test(_are_equal, 2)),
    **_forms("tl_if_eq:nn", Test(_are_equal, 2)),
    **dict.fromkeys(("ifstrempty", "ifblank", "ifempty", "@ifempty", "@ifmtarg"), Test(_is_blank)),
    "notblank": Test(_negated(_is_blank)),
    "@ifnotmtarg": Test(_negated(_is_blank), branches="T"),
    **dict.fromkeys(("ifstrequal", "IfStrEq"), Test(_are_equal, 2)),
    "IfBeginWith": Test(lambda facts, text, part: facts.plain(text).startswith(facts.plain(part)), 2),
    "IfEndWith": Test(lambda facts, text, part: facts.plain(text).endswith(facts.plain(part)), 2),
    "IfSubStr": Test(lambda facts, text, part: facts.plain(part) in facts.plain(text), 2),
    "ifthenelse": Test(lambda facts, test: _thenelse(test, facts)),
    "ifbool": Test(_is_flag),
    "notbool": Test(_negated(_is_flag)),
    "iftoggle": Test(_is_toggled),
    "nottoggle": Test(_negated(_is_toggled)),
    **dict.fromkeys(("ifdef", "ifcsdef"), Test(_is_defined)),
    **dict.fromkeys(("@ifundefined", "ifundef", "ifcsundef"), Test(_negated(_is_defined))),
    **dict.fromkeys(("@ifpackageloaded", "IfPackageLoadedTF"), Test(_is_loaded)),
    **dict.fromkeys(("@ifclassloaded", "IfClassLoadedTF", "IfFileExists", "ifboolexpr", "IfFormatAtLeastTF"), _UNKNOWN),
    **dict.fromkeys(
        ("@ifpackagewith", "@ifpackagelater", "@ifclasswith", "@ifclasslater", "ifdefstring", "ifdefstrequal"),
        _UNKNOWN._replace(asked=2),
    ),
    **dict.fromkeys(("iflanguage", "IfLanguageName"), _UNKNOWN),
    **_forms("bool_if:N", _UNKNOWN),
    **_forms("cs_if_exist:N", Test(lambda facts, name: name.strip().removeprefix("\\") in facts.macros)),
}  # fmt: skip
"""Conditionals whose test and branches are groups."""

_JOINT = re.compile(r"\\(AND|OR|and|or)(?![a-zA-Z@])")
_THENELSE = re.compile(
    r"\s*+(?P<not>\\(?:NOT|not)(?![a-zA-Z@])\s*+)?+\\(?P<name>equal|isempty|boolean|isodd|isundefined)\s*+(?=\{)"
)
_NUMBERS = re.compile(
    r"\s*+(?P<not>\\(?:NOT|not)(?![a-zA-Z@])\s*+)?+(?P<left>\\?[\w@{}\\]++)\s*+(?P<relation>[<=>])\s*+(?P<right>\\?[\w@{}\\]++)\s*+"
)


def _thenelse(test: str, facts: Facts) -> bool | None:
    r"""What a test of ``\ifthenelse`` says."""
    parts = _JOINT.split(test)
    value = _single(parts[0], facts)
    for joint, part in zip(parts[1::2], parts[2::2], strict=False):
        other = _single(part, facts)
        if value is None or other is None:
            return None
        value = (value and other) if joint.upper() == "AND" else (value or other)
    return value


def _single(test: str, facts: Facts) -> bool | None:
    match = _THENELSE.match(test)
    if match is None:
        numbers = _NUMBERS.fullmatch(test)
        value = _related(facts, numbers["left"], numbers["relation"], numbers["right"]) if numbers else None
        return None if value is None or numbers is None else value != bool(numbers["not"])
    groups = [one.text for one in read_groups(test, match.end(), 2 if match["name"] == "equal" else 1)]
    found: bool | None = None
    if match["name"] == "equal" and len(groups) == 2:
        found = _are_equal(facts, *groups)
    elif match["name"] == "isempty" and groups:
        found = _is_blank(facts, groups[0])
    elif match["name"] == "boolean" and groups:
        found = _is_flag(facts, groups[0])
    elif match["name"] == "isundefined" and groups:
        found = _negated(_is_defined)(facts, groups[0])
    elif match["name"] == "isodd" and groups:
        found = _is_odd(facts, groups[0])
    return None if found is None else found != bool(match["not"])


def _related(facts: Facts, left: str, relation: str, right: str) -> bool | None:
    one, other = _number(left, facts), _number(right, facts)
    if one is None or other is None:
        return None
    return one < other if relation == "<" else one > other if relation == ">" else one == other


def _number(source: str, facts: Facts) -> int | None:
    """The value of a number, a counter, or a macro that stands for a number."""
    source = source.strip()
    if source.startswith(("\\value", "\\c@")):
        name = source.removeprefix("\\c@").removeprefix("\\value").strip("{} \t\n")
        return facts.counter(name) if facts.counter else None
    if compared := _COMPARED.fullmatch(source):
        one, other = (facts.plain(group.text) for group in read_groups(_QUOTED.sub(r"\1", compared[1]), 0, 2))
        return (one > other) - (one < other)
    plain = facts.plain(source)
    digits = plain.removeprefix("-")
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_NUMBER else None


def taken(one: Conditional, facts: Facts) -> int | None:
    """The branch that TeX takes, from 0; None if that is not known."""
    if facts is NO_FACTS and (one.name not in _CONSTANT or any("\\" in part for part in one.asked)):
        return None
    if one.name == "ifcase" and one.name not in facts.flags:
        case = _number(one.asked[0], facts) if one.asked else None
        return None if case is None else case if 0 <= case < len(one.branches) else -1
    test = TESTS.get(one.name)
    holds = test.holds(facts, *one.asked) if test else _holds(one, facts)
    return None if holds is None else int(holds == one.is_negated)


def _holds(one: Conditional, facts: Facts) -> bool | None:
    name, asked = one.name, one.asked
    known = {**_ENGINE, "ifmmode": facts.in_formula, "if@display": facts.in_display, **facts.flags}
    if name in known or not asked:
        return known.get(name)
    compare = _COMPARISONS.get(name)
    return compare(facts, *asked) if compare else None


def _is_odd(facts: Facts, source: str) -> bool | None:
    number = _number(source, facts)
    return None if number is None else number % 2 == 1


def _same_meaning(facts: Facts, one: str, other: str) -> bool | None:
    if one == other:
        return True
    names = [token[1:] for token in (one, other) if token.startswith("\\")]
    if len(names) < 2:
        return False  # A command and a character, or two characters.
    for name, second in ((names[0], names[1]), (names[1], names[0])):
        if second in _UNDEFINED:
            defined = facts.is_defined(name)
            return None if defined is None else not defined
        if second in _EMPTY and name not in _EMPTY:
            macro = facts.macros.get(name)
            return None if macro is None or not macro.is_certain else not macro.parameters and not macro.body
    first, last = (facts.macros.get(name) for name in names)
    if first is not None and last is not None:
        return (
            (first.parameters, first.body) == (last.parameters, last.body)
            if first.is_certain and last.is_certain
            else None
        )
    for macro, other_name in ((first, names[1]), (last, names[0])):
        if macro is not None and macro.is_certain and not macro.parameters and macro.body == f"\\{other_name}":
            return True  # By \\let.
    # Internal marks such as \relax and \@nil are different from one another, and from macros.
    is_mark = any(not name.isalpha() or name == "relax" for name in names)
    known = zip((first, last), names, strict=True)
    is_defined = any(macro is not None and macro.is_certain and "@" in name for macro, name in known)
    return False if is_mark and (facts.is_complete or is_defined) else None


def _same_character(facts: Facts, one: str, other: str) -> bool | None:
    characters = [facts.plain(token)[:1] or token if token.startswith("\\") else token for token in (one, other)]
    known = [one_known for one_known in characters if one_known != "\\"]
    if len(known) == 2:
        return known[0] == known[1]
    if len(known) == 1:
        unknown = one if characters[0] == "\\" else other
        return False if unknown in ("\\relax", "\\\\", "\\@empty", "\\empty") else None
    return True if one == other else None


_COMPARISONS: Mapping[str, Callable[..., bool | None]] = {
    **dict.fromkeys(("ifdefined", "ifcsname"), lambda facts, token: facts.is_defined(token[1:])),
    "ifnum": _related,
    "ifodd": _is_odd,
    "ifx": _same_meaning,
    **dict.fromkeys(("if", "ifcat"), _same_character),
}
"""What the conditionals of TeX compare."""


# What is left of a text.

_LOCAL = re.compile(
    r"\\(?:def|edef|gdef|xdef)\s*+\\([a-zA-Z@]++)\s*+(?=\{)|\\let\s*+\\([a-zA-Z@]++)\s*+=?+\s*+\\([a-zA-Z@]++)"
)


def with_local_definitions(text: str, facts: Facts, start: int, end: int) -> Facts:
    r"""Facts with what code defines before it asks: ``\def\next{…}\ifx\next\empty``."""
    own: dict[str, Meaning] = {}
    for match in _LOCAL.finditer(text, start, end):
        if match[1] and (body := read_group(text, match.end())):
            own[match[1]] = _Text(body.text)
        elif match[2] and (other := own.get(match[3]) or facts.macros.get(match[3])):
            own[match[2]] = other
    return replace(facts, macros=ChainMap(own, cast("dict[str, Meaning]", facts.macros))) if own else facts


def dead_spans(text: str, facts: Facts, *, first: bool = False) -> list[tuple[int, int]]:
    r"""What TeX leaves out of a text: tests, branches that are not taken, ``\else`` and ``\fi``, in order.

    Args:
        text: LaTeX source.
        facts: What is known.
        first: Whether the first branch is taken where that is not known, and definitions in the text count, as in the
            code of a macro; otherwise such a conditional is kept whole.
    """
    spans: list[tuple[int, int]] = []
    later: list[tuple[int, int]] = []
    """Dead spans that begin behind a live branch; a heap."""
    known = live_from = 0
    found = find_all(text)
    for one in found.conditionals:
        while later and later[0][0] <= one.start:
            live_from = max(live_from, heappop(later)[1])
        if one.start < live_from:
            continue
        if first:
            facts, known = with_local_definitions(text, facts, known, one.start), one.start
        chosen = taken(one, facts)
        if chosen is None and first:
            chosen = 0
        if chosen is None:
            continue
        begin, stop = one.branches[chosen] if 0 <= chosen < len(one.branches) else (one.end, one.end)
        spans += ((one.start, begin), (stop, one.end))
        live_from = begin
        heappush(later, (stop, one.end))
    joined: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def decided(text: str, facts: Facts, *, first: bool = False) -> str:
    """A text without what TeX leaves out."""
    if not may_ask(text):
        return text
    pieces, at = list[str](), 0
    for start, end in dead_spans(text, facts, first=first):
        pieces.append(text[at:start])
        at = max(at, end)
    return "".join((*pieces, text[at:]))
