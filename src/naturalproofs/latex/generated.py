r"""Definitions whose names are put together: ``\expandafter\newcommand\csname B#1\endcsname{…}``.

Authors write macros that define families of macros. Each call of such a macro is turned into plain definitions, which
are then read like any other.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from naturalproofs.latex.arguments import read_group, read_option

_DEFINING = r"newcommand|renewcommand|providecommand|DeclareRobustCommand|newrobustcmd|def|gdef|let"
_NAMED = re.compile(
    rf"\\expandafter\s*\\({_DEFINING})\*?\s*(\{{?)\s*\\csname\s*([a-zA-Z]+)\s*\\endcsname\s*(\}}?)"
    r"|\\(?:@namedef|csdef|csgdef)\s*\{\s*([a-zA-Z]+)\s*\}"
)
_MAKES = re.compile(rf"\\expandafter\s*\\(?:{_DEFINING})\*?\s*\{{?\s*\\csname|\\(?:@namedef|csdef|csgdef)\s*\{{")
_DOUBLED = re.compile(r"\s*\\@dblarg\s*\{?\s*\\([a-zA-Z@]+)\s*\}?\s*")
_DOUBLED_KINDS = ["literal", "until", "group"]
r"""The parameters of ``\def\name[#1]#2``."""
_PARAMETER = re.compile(r"#([#1-9])")
_MOST_CALLS = 2_000
_LONGEST = 200_000
"""How many characters of definitions the calls in one text may make."""


class Defined(Protocol):
    """A macro, as far as it matters here."""

    @property
    def parameters(self) -> Sequence[tuple[str, str]]:
        """The kinds of its arguments, and their defaults."""

    @property
    def body(self) -> str:
        """What it stands for."""


def plain_definitions(text: str) -> str:
    r"""A text with ``\expandafter\def\csname name\endcsname`` written as ``\def\name``."""
    return _NAMED.sub(_plain, text) if _MAKES.search(text) else text


def _plain(match: re.Match[str]) -> str:
    return f"\\def\\{match[5]} " if match[5] else f"\\{match[1]}{match[2]}\\{match[3]} {match[4]}"


def makes_names(text: str) -> bool:
    """Whether a text defines macros whose names are put together."""
    return _MAKES.search(text) is not None


def generated_definitions(text: str, macros: Mapping[str, Defined]) -> str:
    """The definitions that the calls of an author's defining macros make, as plain LaTeX.

    Args:
        text: LaTeX source.
        macros: The macros that it defines, those with delimited arguments included.
    """
    makers = {name: macro for name, macro in macros.items() if "#" in macro.body and makes_names(macro.body)}
    doubled = {
        name: makers[match[1]]
        for name, macro in macros.items()
        if (match := _DOUBLED.fullmatch(macro.body)) and match[1] in makers
    }
    return plain_definitions("\n".join(_calls(text, makers | doubled, doubled)))


def _calls(text: str, makers: Mapping[str, Defined], doubled: Mapping[str, Defined]) -> Iterator[str]:
    if not makers:
        return
    call = re.compile(rf"\\({'|'.join(map(re.escape, sorted(makers, key=len, reverse=True)))})(?![a-zA-Z@])")
    length = 0
    for number, match in enumerate(call.finditer(text)):
        maker = makers[match[1]]
        read = _doubled if match[1] in doubled else _groups
        arguments = read(maker, text, match.end())
        if arguments is None or any("#" in argument for argument in arguments):
            continue
        made = _PARAMETER.sub(lambda found, given=arguments: _filled(found[1], given), maker.body)  # type: ignore[misc]
        length += len(made)
        if number >= _MOST_CALLS or length > _LONGEST:
            return
        yield made


def _filled(number: str, arguments: Sequence[str]) -> str:
    if number == "#":
        return "#"
    return arguments[int(number) - 1] if int(number) <= len(arguments) else ""


def _groups(maker: Defined, text: str, at: int) -> list[str] | None:
    """The arguments of a call; None if they are not there, or not written as groups and options."""
    arguments: list[str] = []
    for kind, default in maker.parameters:
        found = read_option(text, at) if kind == "option" else read_group(text, at)
        if kind not in ("group", "option") or (found is None and kind == "group"):
            return None
        arguments.append(found.text if found else default)
        at = found.end if found else at
    return arguments


def _doubled(maker: Defined, text: str, at: int) -> list[str] | None:
    r"""The arguments of a macro with ``\@dblarg``: the option equals the group if it is left out."""
    option = read_option(text, at)
    group = read_group(text, option.end if option else at)
    if group is None or [kind for kind, _ in maker.parameters] != _DOUBLED_KINDS:
        return None
    return [(option or group).text, group.text]
