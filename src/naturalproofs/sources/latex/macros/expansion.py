"""Expansion of macro calls, with positions that lead back to the call and its arguments.

The arguments are put in, then the conditionals on them are decided, then loops over lists and functions of strings are
carried out. What is not understood stays as it is written.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from naturalproofs.sources.latex.macros.macro import Macro, Macros
from naturalproofs.sources.latex.macros.packages import split_options
from naturalproofs.sources.latex.scan.arguments import (
    NO_VALUE,
    SPACE,
    Argument,
    joint,
    read_group,
    read_option,
    read_token,
    split_argument,
)
from naturalproofs.sources.latex.scan.conditionals import ARGUMENTS, Facts, dead_spans, decided, may_ask
from naturalproofs.sources.latex.scan.scanner import either
from naturalproofs.sources.reading.text_files import Positions

LONGEST = 200_000
"""The longest expansion of one call."""
_LONGEST_TEXT = 5_000
_ROUNDS = 4
"""How often the macros in expansions are expanded."""
_EXPANDED = 20
"""How many characters of macros each character of a text may stand for, before the rest of its calls stay."""
NO_MACROS: Macros = {}
_PARAMETER = re.compile(r"#(#|\d)")
_BLANK = re.compile(r"\n[ \t]*+\n\s*+")
"""A blank line, which TeX reads as ``\\par``."""
_LAST_COMMAND = re.compile(r"\\([a-zA-Z@]++)\*?+\s*+$")
_CALL = re.compile(r"\\([a-zA-Z@]++)")
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
        copied = self._source(offset)
        return self._call if copied is None else copied

    def is_argument(self, offset: int) -> bool:
        """Whether a place stands in an argument of the call, not in the code of the macro."""
        return self._source(offset) is not None

    def _source(self, offset: int) -> int | None:
        index = bisect_right(self._begins, offset) - 1
        if index < 0:
            return None
        begin, length, source = self._copies[index]
        return source + offset - begin if offset < begin + length else None


def expand(
    macro: Macro, text: str, call: int, at: int, positions: Positions, facts: Facts = ARGUMENTS, *, first: bool = True
) -> Expansion | None:
    """Expand a call; None when its arguments are not there.

    Args:
        macro: What is called.
        text: The text that the call stands in.
        call: Where the name of the call begins.
        at: Where it ends.
        positions: Positions of the text.
        facts: The other macros, and what conditionals ask for.
        first: Whether an undecided conditional takes its first branch; otherwise it stays.
    """
    read = read_arguments(macro, text, at)
    if read is None:
        return None
    arguments, at = read
    text_of_call, copies = carried_out(*_substitute(macro.body, arguments), facts, first=first)
    if len(text_of_call) > LONGEST:
        return None
    start, at = at, _end_of_what_is_taken(text_of_call, text, at, cast(Macros, facts.macros))
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


def expand_all(text: str, macros: Macros, facts: Facts | None = None) -> str:
    """A short text with all macros replaced by what they stand for, those in their expansions included."""
    facts = facts or Facts(macros=macros)
    left = min(_LONGEST_TEXT + _EXPANDED * len(text), LONGEST)
    for _ in range(_ROUNDS):
        pieces: list[str] = []
        done = 0
        for match in _CALL.finditer(text):
            macro = macros.get(match[1]) if left > 0 else None
            read = read_arguments(macro, text, match.end()) if macro and match.start() >= done else None
            if macro and read:
                pieces += (text[done : match.start()], fill(macro, read[0], facts)[0])
                done, left = read[1], left - len(macro.body)
        if not pieces or len(text) > _LONGEST_TEXT:
            break
        text = "".join((*pieces, text[done:]))
    return text


def expand_ending(macro: Macro, positions: Positions, call: int, facts: Facts) -> Expansion:
    """Expand the end of an environment at its call; it takes no arguments."""
    return Expansion(carried_out(macro.ending or "", [], facts)[0], ExpandedPositions(positions, call, []), call)


def fill(macro: Macro, arguments: list[Argument], facts: Facts = ARGUMENTS) -> tuple[str, list[Copy]]:
    """The body with its arguments put in and what is known carried out, and which arguments stand where.

    Of a conditional that cannot be decided the first branch is taken, so that nothing is cited twice.
    """
    return carried_out(*_substitute(macro.body, arguments), facts)


def carried_out(text: str, copies: list[Copy], facts: Facts, *, first: bool = True) -> tuple[str, list[Copy]]:
    """Code without the branches that are not taken, and with its loops and functions of strings carried out."""
    if may_ask(text) and (dead := dead_spans(text, facts, first=first)):
        text, copies = _without(text, copies, dead)
    if _COMPUTED.search(text):
        text, copies = computed(text, cast(Macros, facts.macros)), []
    if "_use:N" in text:
        text, copies = _with_variables(text), []
    return text, copies


def _with_variables(text: str) -> str:
    r"""Code of expl3 with the variables that it sets put in: ``\tl_set:Nn \l_a_tl {x} … \tl_use:N \l_a_tl``."""
    known: dict[str, str] = {}
    pieces, done = list[str](), 0
    for match in _VARIABLE.finditer(text):
        value = read_group(text, match.end()) if match["set"] else None
        if (
            match.start() < done
            or (match["set"] and value is None)
            or (not match["set"] and match["name"] not in known)
        ):
            continue
        pieces += (text[done : match.start()], "" if value else known[match["name"]])
        done = value.end if value else match.end()
        if value:
            known[match["name"]] = value.text.strip().replace("~", " ")
    return "".join((*pieces, text[done:]))


def substituted(macro: Macro, arguments: list[Argument]) -> str:
    """The body with its arguments put in, and nothing else done."""
    return _substitute(macro.body, arguments)[0]


def _without(text: str, copies: list[Copy], dead: list[tuple[int, int]]) -> tuple[str, list[Copy]]:
    """A text without some spans, and where the copies are then."""
    kept: list[tuple[int, int]] = []
    at = 0
    for start, end in dead:
        if start > at:
            kept.append((at, start))
        at = max(at, end)
    kept.append((at, len(text)))
    pieces: list[str] = []
    found: list[Copy] = []
    length = first = 0
    for start, end in kept:
        piece = text[start:end]
        if pieces and (space := joint(pieces[-1], piece)):
            pieces.append(space)
            length += 1
        while first < len(copies) and copies[first].begin + copies[first].length <= start:
            first += 1
        for copy in copies[first:]:
            if copy.begin >= end:
                break
            begin, stop = max(copy.begin, start), min(copy.begin + copy.length, end)
            if stop > begin:
                found.append(Copy(length + begin - start, stop - begin, copy.source + begin - copy.begin))
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces), found


def discards(macro: Macro, facts: Facts = ARGUMENTS) -> bool:
    r"""Whether a macro leaves an argument out, so that what stands there is not read: ``\newcommand{\ignore}[1]{}``."""
    if not macro.is_certain or macro.ending is not None or not macro.parameters:
        return False
    if any(one.kind not in ("group", "option") for one in macro.parameters):
        return False
    return bool(_unused(macro, facts))


def _unused(macro: Macro, facts: Facts) -> list[int]:
    """Which arguments a macro leaves out, from 0."""
    body = decided(macro.body, Facts(facts.flags))
    return [at for at, one in enumerate(macro.parameters) if one.kind == "group" and f"#{at + 1}" not in body]


def discarded(text: str, macros: Sequence[Macro]) -> list[tuple[int, int]]:
    """Where the arguments stand that these macros leave out, in order."""
    if not macros:
        return []
    by_name = {macro.name: macro for macro in macros}
    spans: list[tuple[int, int]] = []
    for match in _called(tuple(sorted(by_name))).finditer(text):
        macro = by_name[match[1]]
        read = read_arguments(macro, text, match.end())
        left_out = [read[0][at] for at in _unused(macro, ARGUMENTS)] if read else []
        spans.extend((one.start, one.start + len(one.text)) for one in left_out if one.start >= 0)
    return spans


@lru_cache(maxsize=64)
def _called(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\\({either(names)})(?![a-zA-Z@])")


# Loops and functions of strings.

_COMPUTED = re.compile(
    r"\\(?P<name>foreach|forcsvlist|docsvlist|@t?for|(?:clist|tl)_map_inline:[nN]n|(?:clist|tl)_map_function:[nN]N"
    r"|Str(?:Behind|Before|GobbleLeft|GobbleRight|Left|Right|Del))(?![a-zA-Z@])"
)
LOOPS = ("foreach", "forcsvlist")
"""Loops that may stand in the text of a document."""
_VARIABLE = re.compile(r"\\(?:tl|str)_(?:(?P<set>g?set:Nn)|use:N)\s*+\\(?P<name>[a-zA-Z_]++)\s?+")
_MOST_LOOPS = 200
MAX_VALUES = 200
_RANGE = re.compile(r"(\d{1,6})\s*+,\s*+(?:(\d{1,6})\s*+,\s*+)?+\.\.\.\s*+,\s*+(\d{1,6})")
_LETTERS = re.compile(r"(?<![a-zA-Z])([a-zA-Z])\s*+,\s*+\.\.\.\s*+,\s*+([a-zA-Z])(?![a-zA-Z])")
_FOREACH = re.compile(r"\s*+((?:\\[a-zA-Z]++\s*+/?+\s*+)++)(?:\[[^\]\[\n]*+\]\s*+)?+in(?![a-zA-Z])")
_FOR = re.compile(r"\s*+\\([a-zA-Z@]++)\s*+:=")
_DO = re.compile(r"\\do(?![a-zA-Z@])")
_STORED = re.compile(r"\[\s*+\\([a-zA-Z@]++)\s*+\]")


class Loop(NamedTuple):
    """What the rounds of a loop stand for, and where the text goes on after it."""

    text: str
    end: int


def computed(text: str, macros: Macros) -> str:
    """A text with its loops unrolled and its functions of strings replaced by their values."""
    pieces, done, count = list[str](), 0, 0
    for match in _COMPUTED.finditer(text):
        if match.start() < done or count >= _MOST_LOOPS:
            continue
        name, count = match["name"], count + 1
        found = (
            read_string(text, name, match.end(), macros)
            if name in STRINGS
            else read_loop(text, name, match.end(), macros)
        )
        if found is not None:
            pieces += (text[done : match.start()], found.text)
            done = found.end
    return "".join((*pieces, text[done:]))


def read_loop(text: str, name: str, at: int, macros: Macros) -> Loop | None:
    r"""The rounds of the loop whose command ends at `at`: ``\foreach``, ``\forcsvlist``, ``\@for``, ``\clist_map…``."""
    if name == "foreach":
        head = _FOREACH.match(text, at)
        listed = _group_or_token(text, head.end()) if head else None
        body = read_group(text, listed.end) if listed else None
        if head is None or listed is None or body is None:
            return None
        variables = _CALL.findall(head[1])
        rows = [one.split("/") if len(variables) > 1 else [one] for one in loop_values(expand_all(listed.text, macros))]
        return Loop("\n".join(_with_values(body.text, variables, one) for one in rows), body.end)
    if name in ("@for", "@tfor"):
        variable = _FOR.match(text, at)
        do = _DO.search(text, variable.end(), variable.end() + _LONGEST_TEXT) if variable else None
        body = read_group(text, do.end()) if do else None
        if variable is None or do is None or body is None:
            return None
        source = expand_all(text[variable.end() : do.start()], macros)
        return Loop("\n".join(_with_values(body.text, [variable[1]], [one]) for one in _values(name, source)), body.end)
    first = _group_or_token(text, at)
    second = _group_or_token(text, first.end) if first and name != "docsvlist" else None
    if first is None or (second is None and name != "docsvlist"):
        return None
    listed, handler = (second, first) if name == "forcsvlist" else (first, second)
    values = _values(name, expand_all(listed.text if listed else "", macros))
    code = handler.text if handler else "\\do"
    if "_inline" in name:
        macro = Macro.of("", 1, code)
        rounds = [_substitute(macro.body, [Argument(one, -1, -1)])[0] for one in values]
    else:
        rounds = [f"{code}{{{one}}}" for one in values]
    return Loop("\n".join(rounds), max(one.end for one in (first, second) if one))


def _values(name: str, source: str) -> list[str]:
    if name == "@tfor" or name.startswith("tl_"):
        return [one.strip("{}") for one in re.findall(r"\{[^{}]*+\}|\\[a-zA-Z@]++|[^\s{}\\]", source)][:MAX_VALUES]
    return loop_values(source)


def _with_values(text: str, variables: list[str], values: list[str]) -> str:
    """A text with the variables of a loop replaced by their values in one round."""
    for position, variable in enumerate(variables):
        value = values[min(position, len(values) - 1)].strip()
        text = re.sub(rf"\\{variable}(?![a-zA-Z@])\s*", lambda _, value=value: value, text)  # type: ignore[misc]
    return text


def loop_values(source: str) -> list[str]:
    """The values of a list such as ``1,...,4``, ``A,...,Z`` or ``sets, groups``."""
    unrolled = _LETTERS.sub(_letters, _RANGE.sub(_numbers, source))
    found = (value.strip() for value in split_options(unrolled)[:MAX_VALUES])
    return [_without_braces(one) for one in found if one]


def _without_braces(value: str) -> str:
    group = read_group(value, 0) if value.startswith("{") else None
    return group.text if group and group.end == len(value) else value


def _letters(match: re.Match[str]) -> str:
    first, last = ord(match[1]), ord(match[2])
    step = 1 if last >= first else -1
    same_case = match[1].isupper() == match[2].isupper()
    return ",".join(map(chr, range(first, last + step, step))) if same_case else match.group()


def _numbers(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[3])
    step = int(match[2]) - first if match[2] else 1 if last >= first else -1
    if not step:
        return match.group()
    width = len(match[1]) if match[1].startswith("0") else 0
    numbers = range(first, last + (1 if step > 0 else -1), step)[:MAX_VALUES]
    return ",".join(f"{number:0{width}}" for number in numbers)


def _count(source: str) -> int:
    return int(source) if source.isdigit() and len(source) < 6 else 0


STRINGS: Mapping[str, Callable[[str, str], str]] = {
    "StrBehind": lambda text, part: text.partition(part)[2] if part else "",
    "StrBefore": lambda text, part: text.partition(part)[0] if part and part in text else "",
    "StrGobbleLeft": lambda text, count: text[_count(count) :],
    "StrGobbleRight": lambda text, count: text[: max(0, len(text) - _count(count))],
    "StrLeft": lambda text, count: text[: _count(count)],
    "StrRight": lambda text, count: text[max(0, len(text) - _count(count)) :],
    "StrDel": lambda text, part: text.replace(part, "") if part else text,
}
"""Functions of xstring with two arguments."""


def read_string(text: str, name: str, at: int, macros: Macros) -> Loop | None:
    r"""The value of a function of strings; ``[\name]`` behind it makes it a definition."""
    first = _group_or_token(text, at)
    second = _group_or_token(text, first.end) if first else None
    if first is None or second is None:
        return None
    values = [expand_all(one.text, macros).strip() for one in (first, second)]
    value = STRINGS[name](values[0], values[1])
    stored = _STORED.match(text, second.end)
    return Loop(f"\\def\\{stored[1]}{{{value}}}", stored.end()) if stored else Loop(value, second.end)


def read_argument(kind: str, default: str, text: str, at: int) -> Argument | None:
    """The argument of a kind that starts here, or its default; None when it is not there."""
    space = SPACE.match(text, at)
    start = space.end() if space else at
    if kind == "star":
        mark = default or "*"
        starred = text.startswith(mark, start)
        return Argument("TRUE" if starred else "FALSE", -1, start + len(mark) if starred else at)
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
    group = _group_or_token(text, start + len(default) if kind == "script" else at)
    if group is not None and kind == "split":
        return Argument(split_argument(group.text, int(default[0]), default[1:]), -1, group.end)
    return group


def _up_to(mark: str, text: str, start: int) -> Argument | None:
    end = text.find(mark, start, start + _LONGEST_DELIMITED)
    return Argument(text[start:end], start, end + len(mark)) if end >= 0 else None


def _group_or_token(text: str, at: int) -> Argument | None:
    space = SPACE.match(text, at)
    if space and "\n" in space[0] and (blank := _BLANK.search(text, at, space.end())):
        return Argument("\\par", -1, blank.end())
    return read_token(text, at)


def _substitute(body: str, arguments: list[Argument]) -> tuple[str, list[Copy]]:
    pieces: list[str] = []
    copies: list[Copy] = []
    length = done = 0

    def add(text: str, source: int = -1) -> None:
        nonlocal length
        if pieces and (space := joint(pieces[-1], text)):
            pieces.append(space)
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
