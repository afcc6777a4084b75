r"""Conditionals on the arguments of a macro: ``\ifx&#1&…\else…\fi``, ``\IfNoValueTF{#1}{…}{…}`` and others.

A call gives the arguments, so each such conditional takes one branch. What asks for anything else is left alone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from naturalproofs.latex.scan.arguments import NO_VALUE, Argument, read_group, read_groups
from naturalproofs.latex.scan.scanner import CONDITIONAL, closings

_MOST = 50
"""How many conditionals of one macro are decided; keeps time linear."""
_PARAMETER = re.compile(r"#(\d)")
_SIGN = r"(?:\\[a-zA-Z@]++|\\[^a-zA-Z@]|[^\s\\#{}])"
_WITH_FI = re.compile(
    rf"\\if(?:x|cat)?+\s*+(?P<sign>{_SIGN})\s*+(?:\\detokenize\s*+\{{\s*+)?+#(?P<empty>\d)\s*+\}}?+\s*+(?P=sign)(?!(?<=[a-zA-Z@])[a-zA-Z@])"
    rf"|\\ifx?+\s*+#(?P<left>\d)\s*+(?P<right>{_SIGN})|\\ifx?+\s*+(?P<first>{_SIGN})\s*+#(?P<second>\d)"
    r"|\\ifnum\s*+#(?P<number>\d)\s*+(?P<relation>[<=>])\s*+(?P<than>\d{1,9})"
    r"|\\ifnum\s*+\\(?:pdf@|pdf)?+strcmp\s*+\{\s*+(?:\\detokenize\s*+\{\s*+)?+#(?P<compared>\d)\s*+\}?\s*\}"
    r"\s*+\{(?P<with>[^{}#\\%]*+)\}\s*+=\s*+0(?:\s*+\\relax(?![a-zA-Z@])|\s)?+"
)
_EQUAL = re.compile(r"\s*(\\NOT\s*|\\not\s*)?\\(equal|isempty)\s*\{")
_SINGLE = re.compile(r"\s*+(\\[a-zA-Z@]++|\\.|#\d|[^\s\\{}#%])", re.DOTALL)
_LAST_COMMAND = re.compile(r"\\[a-zA-Z@]++$")
_HAS_CHAPTERS = re.compile(
    r"\\ifx\s*+\\(?:the|c@)?chapter\s*+\\(?P<undefined>@?undefined|relax)(?![a-zA-Z@])"
    r"|\\ifdefined\s*+\\(?:the|c@)?chapter(?![a-zA-Z@])|\\ifcsname\s++(?:the|c@)?chapter\s*+\\endcsname"
    r"|\\(?P<groups>@ifundefined|if(?:cs)?(?:un)?def)\s*+\{\s*+\\?(?:the|c@)?chapter\s*+\}"
)
_BY_AUTHOR = re.compile(r"\\(if[a-zA-Z]++)(?!@)")
_OPTION = re.compile(r"\\DeclareOption\s*+\{([^{}*\\]++)\}\s*+(?=\{)")
_TURNED_ON = re.compile(r"\\let\s*+\\([a-zA-Z@]++)\s*+=?\s*+\\relax(?![a-zA-Z@])|\\([a-zA-Z@]+?)true(?![a-zA-Z@])")
_ASKS_FOR_OPTION = re.compile(r"\\ifx\s*+\\([a-zA-Z@]++)\s*+\\relax(?![a-zA-Z@])|\\if([a-zA-Z@]++)")
_PRIMITIVE = frozenset(
    "if ifx ifnum ifdim ifodd ifcase ifcat ifmmode ifvmode ifhmode ifinner ifvoid ifhbox ifvbox ifeof iftrue iffalse "
    "ifdefined ifcsname".split()
)
_EMPTY = frozenset({"\\empty", "\\@empty", "\\relax", "\\undefined", "\\null"})


def _is_blank(value: str) -> bool:
    return not value.strip()


def _ifthenelse(test: str) -> bool | None:
    r"""What ``\equal{…}{…}`` or ``\isempty{…}`` says; None for any other test."""
    match = _EQUAL.match(test)
    if match is None:
        return None
    groups = read_groups(test, match.end() - 1, 2)
    if len(groups) < 1 or (match[2] == "equal" and len(groups) < 2):
        return None
    other = groups[1].text.strip() if match[2] == "equal" else ""
    return (groups[0].text.strip() == other) != bool(match[1])


class _Test(NamedTuple):
    """A conditional with groups: what it asks of its first groups, how many these are, and which branches follow."""

    holds: Callable[..., bool | None]
    asked: int = 1
    branches: str = "TF"


_IS_GIVEN = _Test(lambda value: value != NO_VALUE)
_IS_STARRED = _Test(lambda value: value == "TRUE")
_IS_BLANK = _Test(_is_blank)
_IS_NOT_BLANK = _Test(lambda value: not _is_blank(value))
_ARE_EQUAL = _Test(lambda one, other: one.strip() == other.strip(), 2)
_IS_NOT_GIVEN = _Test(lambda value: value == NO_VALUE)


def _variants(name: str, test: _Test) -> dict[str, _Test]:
    """The forms with two branches, with the first one alone, and with the second one alone."""
    return {name + branches: test._replace(branches=branches) for branches in ("TF", "T", "F")}


_TESTS: Mapping[str, _Test] = {
    **_variants("IfNoValue", _IS_NOT_GIVEN),
    **_variants("IfValue", _IS_GIVEN),
    **_variants("IfBoolean", _IS_STARRED),
    **_variants("IfBlank", _IS_BLANK),
    **_variants("tl_if_empty:n", _IS_BLANK),
    **_variants("tl_if_blank:n", _IS_BLANK),
    **_variants("str_if_eq:nn", _ARE_EQUAL),
    **_variants("tl_if_eq:nn", _ARE_EQUAL),
    **dict.fromkeys(("ifstrempty", "ifblank", "ifempty", "@ifempty", "@ifmtarg"), _IS_BLANK),
    "notblank": _IS_NOT_BLANK,
    "@ifnotmtarg": _IS_NOT_BLANK._replace(branches="T"),
    "ifstrequal": _ARE_EQUAL,
    "ifthenelse": _Test(_ifthenelse),
}
_WITH_GROUPS = re.compile(r"\\(" + "|".join(sorted(map(re.escape, _TESTS), key=len, reverse=True)) + r")(?![a-zA-Z@])")


def decide(body: str, arguments: Sequence[str]) -> str:
    """Take the branch of every conditional that asks for an argument.

    Args:
        body: The code of a macro.
        arguments: What stands for its parameters; the value of an option without default may be `NO_VALUE`.
    """
    if "\\" not in body or "#" not in body:
        return body
    for pattern, take in ((_WITH_GROUPS, _take_group), (_WITH_FI, _take_up_to_fi)):
        at = 0
        for _ in range(_MOST):
            match = pattern.search(body, at)
            if match is None:
                break
            taken = take(body, match, arguments)
            if taken is None:
                at = match.end()
                continue
            chosen, end = taken
            body, at = body[: match.start()] + chosen + body[end:], match.start()
    return body


def _take_group(body: str, match: re.Match[str], arguments: Sequence[str]) -> tuple[str, int] | None:
    """The chosen branch, and where the conditional ends; None when it does not ask for an argument."""
    test = _TESTS[match[1]]
    count = test.asked + len(test.branches)
    groups = _groups_or_commands(body, match.end(), count)
    asked = [group.text for group in groups[: test.asked]]
    numbers = [int(number) for text in asked for number in _PARAMETER.findall(text)]
    if len(groups) != count or not numbers or not all(0 < number <= len(arguments) for number in numbers):
        return None
    holds = test.holds(*(_PARAMETER.sub(lambda match: arguments[int(match[1]) - 1], text) for text in asked))
    if holds is None:
        return None
    chosen = dict(zip(test.branches, groups[test.asked :], strict=True)).get("T" if holds else "F")
    return (chosen.text if chosen else ""), groups[-1].end


def _groups_or_commands(body: str, at: int, count: int) -> list[Argument]:
    """Arguments that follow one another; a command or a sign needs no braces."""
    found: list[Argument] = []
    while len(found) < count:
        argument = read_group(body, at)
        if argument is None and (single := _SINGLE.match(body, at)):
            argument = Argument(single[1], single.start(1), single.end())
        if argument is None:
            break
        found.append(argument)
        at = argument.end
    return found


def _take_up_to_fi(body: str, match: re.Match[str], arguments: Sequence[str]) -> tuple[str, int] | None:
    holds = _compare(match, arguments)
    branches = _branches(body, match.end()) if holds is not None else None
    if branches is None:
        return None
    start, end = branches.first if holds else branches.second
    chosen = body[start:end]
    # A command before \\fi must not join the letter after it.
    return chosen + (" " if _LAST_COMMAND.search(chosen) else ""), branches.end


class _Branches(NamedTuple):
    """Where the two branches of a conditional stand, and where it ends."""

    first: tuple[int, int]
    second: tuple[int, int]
    end: int


def _branches(text: str, at: int) -> _Branches | None:
    """The branches of a conditional whose test ends at `at`; None if no \\fi closes it."""
    depth, branch_end, other_start = 1, -1, -1
    for inner in CONDITIONAL.finditer(text, at):
        if inner["open"]:
            depth += 1
        elif inner["close"] == "else" and depth == 1:
            branch_end, other_start = inner.start(), inner.end()
        elif inner["close"] == "fi":
            depth -= 1
            if depth == 0:
                end = inner.start()
                if other_start < 0:
                    return _Branches((at, end), (end, end), inner.end())
                return _Branches((at, branch_end), (other_start, end), inner.end())
    return None


CHAPTERS = "chapters"
"""The condition that a document has chapters; other conditions are the author's, such as ``iflong``."""
OPTION = "option "
"""What the conditions begin with that a class or package was loaded with an option."""


class Branch(NamedTuple):
    """A piece of a file that counts only if a condition holds, or only if it does not."""

    start: int
    end: int
    condition: str
    holds: bool


def branches_of(text: str) -> list[Branch]:
    r"""The branches of conditionals of the author, and of those that ask whether there are chapters.

    The former are as ``\iflong``, the latter as ``\ifx\thechapter\undefined``. A class may ask for an option.
    """
    found: list[Branch] = []
    options = _options(text) if "\\DeclareOption" in text else {}
    for match in islice(_HAS_CHAPTERS.finditer(text) if "chapter" in text else (), _MOST):
        if match["groups"]:
            groups = read_groups(text, match.end(), 2)
            spans = [(group.start, group.end) for group in groups] if len(groups) == 2 else []
        else:
            branches = _branches(text, match.end())
            spans = [branches.first, branches.second] if branches else []
        asks_for_none = bool(match["undefined"] or "un" in (match["groups"] or ""))
        for span, holds in zip(spans, (True, False), strict=False):
            found.append(Branch(*span, CHAPTERS, holds != asks_for_none))
    for start, (other, end) in (closings(text) if "\\fi" in text else {}).items():
        asked = _ASKS_FOR_OPTION.match(text, start) if options else None
        option = options.get(asked[1] or asked[2]) if asked else None
        opening = asked if option else _BY_AUTHOR.match(text, start)
        if opening and (option or opening[1] not in _PRIMITIVE):
            condition = f"{OPTION}{option}" if option else opening[1]
            found.append(Branch(opening.end(), end if other is None else other, condition, True))
            if other is not None:
                found.append(Branch(other, end, condition, False))
    return found


def _options(text: str) -> dict[str, str]:
    r"""What a class turns on for one option only: ``\DeclareOption{long}{\longtrue}``, with the option."""
    found: dict[str, str] = {}
    for match in islice(_OPTION.finditer(text), _MOST):
        group = read_group(text, match.end())
        for turned in _TURNED_ON.finditer(group.text if group else ""):
            name = turned[1] or turned[2]
            once = len(re.findall(rf"\\{name}true(?![a-zA-Z@])|\\let\s*+\\{name}(?![a-zA-Z@])", text)) == 1
            if once:
                found[name] = match[1].strip()
    return found


def _compare(match: re.Match[str], arguments: Sequence[str]) -> bool | None:
    """Whether a test that is closed by \\fi holds; None when there is no such argument."""
    number = match["empty"] or match["left"] or match["second"] or match["number"] or match["compared"]
    if not 0 < int(number) <= len(arguments):
        return None
    value = arguments[int(number) - 1].strip()
    value = "" if value == NO_VALUE else value
    if match["empty"]:
        return not value
    if match["compared"]:
        return value == match["with"].strip()
    if match["number"]:
        if not value.isdecimal() or len(value) > 9:
            return None
        left, right = int(value), int(match["than"])
        return left < right if match["relation"] == "<" else left > right if match["relation"] == ">" else left == right
    other = match["right"] or match["first"]
    return value == other or (not value and other in _EMPTY)
