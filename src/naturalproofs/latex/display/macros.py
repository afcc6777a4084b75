r"""An author's own commands: what \newcommand and its relatives define, read without running TeX."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from naturalproofs.latex.arguments import Argument, read_group, read_option

_COMMAND = re.compile(
    r"%[^\n]*+|\\(?:"
    r"(?P<new>(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathSymbolCommand)"
    r"|(?P<operator>DeclareMathOperator)"
    r"|(?P<def>[gex]?def)(?=\s*\\)"
    r"|(?P<let>let)(?=\s*\\)"
    r"|(?P<paired>DeclarePairedDelimiter(?![a-zA-Z]))"
    r"|(?P<document>(?:New|Renew|Provide|Declare)DocumentCommand)"
    r")(?![a-zA-Z@])\*?+"
)
_NAME = re.compile(r"\s*+\{?\s*+\\([a-zA-Z@]+|.)\s*+\}?")
_PARAMETERS = re.compile(r"((?:#[1-9])*+)\s*+(?=\{)")
_LET = re.compile(r"\s*+\\([a-zA-Z@]+)\s*+=?\s*+(\\(?:[a-zA-Z@]+|.))")
_MANDATORY = re.compile(r"[m\s]*")


@dataclass(frozen=True, slots=True)
class Macro:
    """A command: how many arguments it takes, the default of the first if that is optional, and what it stands for."""

    arguments: int
    body: str
    default: str | None = None


Macros: TypeAlias = Mapping[str, Macro]


def read_macros(texts: Iterable[str]) -> dict[str, Macro]:
    """The definitions of several files; as in TeX, the last one wins."""
    return {name: macro for text in texts for name, macro in _definitions(text)}


def _definitions(text: str) -> Iterator[tuple[str, Macro]]:
    at = 0
    while match := _COMMAND.search(text, at):
        at = match.end()
        kind = match.lastgroup
        found = _READERS[kind](text, at) if kind else None
        # A macro that mentions itself was defined in terms of an older one, which is not known here.
        if found and not re.search(rf"\\{re.escape(found[0])}(?![a-zA-Z@])", found[1].body):
            yield found[0], found[1]


def _new(text: str, at: int) -> tuple[str, Macro] | None:
    name = _NAME.match(text, at)
    if name is None:
        return None
    count = read_option(text, name.end())
    default = read_option(text, count.end) if count else None
    before = default or count
    body = read_group(text, before.end if before else name.end())
    if body is None or (count and not count.text.strip().isdigit()):
        return None
    return name[1], Macro(int(count.text) if count else 0, body.text, default.text if default else None)


def _operator(text: str, at: int) -> tuple[str, Macro] | None:
    name = _NAME.match(text, at)
    body = read_group(text, name.end()) if name else None
    starred = "*" if text[at - 1] == "*" else ""
    return (name[1], Macro(0, f"\\operatorname{starred}{{{body.text}}}")) if name and body else None


def _def(text: str, at: int) -> tuple[str, Macro] | None:
    name = re.compile(r"\s*+\\([a-zA-Z@]+|.)").match(text, at)
    parameters = _PARAMETERS.match(text, name.end()) if name else None
    body = read_group(text, parameters.end()) if parameters else None
    return (name[1], Macro(len(parameters[1]) // 2, body.text)) if name and parameters and body else None


def _let(text: str, at: int) -> tuple[str, Macro] | None:
    match = _LET.match(text, at)
    return (match[1], Macro(0, match[2])) if match else None


def _paired(text: str, at: int) -> tuple[str, Macro] | None:
    name = _NAME.match(text, at)
    left = read_group(text, name.end()) if name else None
    right = read_group(text, left.end) if left else None
    return (name[1], Macro(1, f"{_sized('left', left)}#1{_sized('right', right)}")) if name and left and right else None


def _sized(side: str, delimiter: Argument) -> str:
    return f"\\{side}{delimiter.text.strip()} "


def _document(text: str, at: int) -> tuple[str, Macro] | None:
    name = _NAME.match(text, at)
    signature = read_group(text, name.end()) if name else None
    body = read_group(text, signature.end) if signature else None
    if not (name and signature and body and _MANDATORY.fullmatch(signature.text)):
        return None
    return name[1], Macro(signature.text.count("m"), body.text)


_READERS = {
    "new": _new,
    "operator": _operator,
    "def": _def,
    "let": _let,
    "paired": _paired,
    "document": _document,
}
