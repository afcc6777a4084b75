r"""Loops that declare theorems or define macros: ``\forcsvlist{\newthm}{lemma, claim}``, ``\@for\name:=a,b\do{…}``.

Only loops over a list that stands in the text or in a macro are unrolled. What the rounds stand for is text again.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from naturalproofs.latex.macros.expansion import expand_all, fill
from naturalproofs.latex.macros.input_paths import FOREACH, loop_values, with_values
from naturalproofs.latex.macros.macro import DEFINING, Macro, Macros, read_definition
from naturalproofs.latex.scan.arguments import Argument, read_group

_LOOP = re.compile(
    r"\\(?:(?:(?P<call>forcsvlist|clist_map_function:[nN]N)|(?P<do>docsvlist)|(?P<each>foreach)"
    r"|(?P<inline>clist_map_inline:[nN]n))(?![a-zA-Z@])|@t?for\s*+\\(?P<variable>[a-zA-Z@]++)\s*+:=)"
)
_RECURSION = re.compile(
    r"\\def\s*+\\(?P<name>[a-zA-Z@]++)\s*+#1\s*+\{\s*+\\ifx\s*+(?:\\(?P=name)\s*+#1|#1\s*+\\(?P=name))\s*+\\else\s*+"
    r"\\(?P<round>[a-zA-Z@]++)\s*+(?:\{\s*+#1\s*+\}|#1)\s*+\\expandafter\s*+\\(?P=name)\s*+\\fi\s*+\}"
)
r"""``\def\ddefloop#1{\ifx\ddefloop#1\else\ddef{#1}\expandafter\ddefloop\fi}``, called ``\ddefloop ABC\ddefloop``."""
_TOKENS = re.compile(r"\s*+(\{[^{}]*+\}|\\[a-zA-Z@]++|[^\s{}\\])")
_HANDLER = re.compile(r"\s*+(\\[a-zA-Z@_:]++)")
_EXPANDED = re.compile(r"\\(?:expandafter|noexpand|protect|unexpanded)(?![a-zA-Z@])\s*+")
_LONGEST_LIST = 5_000
_LONGEST = 100_000
"""The longest text that a loop may stand for; after that no more loops of a text are unrolled."""
_MOST = 200
"""How many loops of one text are looked at."""


class Loop(NamedTuple):
    """A loop, and what its rounds stand for."""

    start: int
    end: int
    text: str


def find_loops(text: str, macros: Macros) -> Iterator[Loop]:
    """The loops of a text that are not inside of one another; `macros` may hold their lists."""
    done = length = 0
    rounds = {match["name"]: match["round"] for match in islice(_RECURSION.finditer(text), _MOST)}
    found = [*islice(_LOOP.finditer(text), _MOST), *(call for name in rounds for call in _recursive_calls(name, text))]
    for match in sorted(found, key=lambda match: match.start()):
        is_recursive = match.re is not _LOOP
        start = match.start()
        loop = None if start < done else _recursion(match, text, rounds) if is_recursive else _loop(match, text, macros)
        if loop is not None and length <= _LONGEST:
            done = loop.end
            length += len(loop.text)
            yield loop


def may_loop(text: str) -> bool:
    """Whether a text has a loop over a list."""
    return _LOOP.search(text) is not None or _RECURSION.search(text) is not None


def unroll(text: str, macros: Macros) -> str:
    """The text with every loop replaced by what its rounds stand for."""
    pieces, done = list[str](), 0
    for loop in find_loops(text, macros):
        pieces += (text[done : loop.start], loop.text)
        done = loop.end
    return "".join((*pieces, text[done:]))


def _loop(match: re.Match[str], text: str, macros: Macros) -> Loop | None:
    at = match.end()
    if match["each"]:
        return _foreach(match.start(), text, macros)
    if match["variable"]:
        stop = text.find("\\do", at, at + _LONGEST_LIST)
        body = read_group(text, stop + 3) if stop >= 0 else None
        if body is None:
            return None
        listed = expand_all(text[at:stop], macros)
        values = _TOKENS.findall(listed) if match.group().startswith("\\@t") else loop_values(listed)
        return _rounds(match.start(), body.end, [with_values(body.text, [match["variable"]], [one]) for one in values])
    if match["call"] == "forcsvlist":
        found = _handler(text, at)
        source = read_group(text, found.end) if found else None
        end = source.end if source else 0
    else:
        source = _handler(text, at)
        found = _handler(text, source.end) if source and not match["do"] else None
        end = found.end if found else source.end if source else 0
    if source is None or (found is None and not match["do"]):
        return None
    values = loop_values(expand_all(source.text, macros))
    if match["do"]:
        macro = _last_definition("do", text, match.start())
        rounds = [_filled(macro, one) for one in values] if macro else []
    elif match["inline"]:
        macro = Macro("", (), found.text if found else "")
        rounds = [_filled(macro, one) for one in values]
    else:
        rounds = [f"{found.text if found else ''}{{{one}}}" for one in values]
    return _rounds(match.start(), end, rounds)


def _recursive_calls(name: str, text: str) -> Iterator[re.Match[str]]:
    """The calls of a loop that ends where its own name stands again."""
    own = rf"\\{re.escape(name)}(?![a-zA-Z@])"
    tokens = r"(?P<tokens>(?:[^\\#%{}]|\{[^{}#]*+\}|(?!" + own + r")\\[a-zA-Z@]++)*+)"
    return islice(re.finditer(rf"\\(?P<name>{re.escape(name)})(?![a-zA-Z@]){tokens}{own}", text), _MOST)


def _recursion(match: re.Match[str], text: str, rounds: Mapping[str, str]) -> Loop | None:
    macro = _last_definition(rounds[match["name"]], text, match.start())
    if macro is None or [parameter.kind for parameter in macro.parameters] != ["group"]:
        return None
    values = (token.strip("{}") for token in _TOKENS.findall(match["tokens"]))
    return _rounds(match.start(), match.end(), [_filled(macro, value) for value in values])


def _rounds(start: int, end: int, rounds: list[str]) -> Loop:
    text = "\n".join(rounds) if sum(map(len, rounds)) <= _LONGEST else ""
    return Loop(start, end, _EXPANDED.sub("", text))


def _foreach(start: int, text: str, macros: Macros) -> Loop | None:
    head = FOREACH.match(text, start)
    body = read_group(text, head.end()) if head else None
    if head is None or body is None:
        return None
    variables = re.findall(r"\\([a-zA-Z@]++)", head[1])
    several = len(variables) > 1
    values = loop_values(expand_all(head[2] or head[3], macros))
    rounds = [with_values(body.text, variables, one.split("/") if several else [one]) for one in values]
    return _rounds(start, body.end, rounds)


def _handler(text: str, at: int) -> Argument | None:
    """A command, or code in braces, that is called with every value."""
    command = _HANDLER.match(text, at)
    return Argument(command[1], command.start(1), command.end()) if command else read_group(text, at)


def _filled(macro: Macro, value: str) -> str:
    return fill(macro, [Argument(value, -1, -1)])[0]


def _last_definition(name: str, text: str, before: int) -> Macro | None:
    """The last definition of a command before an offset."""
    at = before
    while (at := text.rfind(f"\\{name}", max(0, before - _LONGEST_LIST), at)) >= 0:
        line = text[max(0, at - 30) : at].rstrip(" {*")
        command = next((one for one in DEFINING if line.endswith(f"\\{one}")), None)
        if command is not None:
            start = text.rfind(f"\\{command}", 0, at) + 1 + len(command)
            macro, _ = read_definition(text, command, start + text.startswith("*", start))
            return macro if macro is not None and macro.name == name else None
    return None
