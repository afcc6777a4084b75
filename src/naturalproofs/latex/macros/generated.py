r"""Definitions whose names are put together: ``\expandafter\newcommand\csname B#1\endcsname{…}``.

Authors write macros that define families of macros, or the macro that they are given: ``\newcommand{#1}{…}``. Each call
of such a macro is turned into plain definitions, which are then read like any other. So are definitions by a command
that only is another name: ``\newcommand{\nc}{\newcommand}``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from naturalproofs.latex.scan.arguments import Argument, read_group, read_option

_DEFINING = (
    r"newcommand|renewcommand|providecommand|DeclareRobustCommand|newrobustcmd|[egx]?def|let|DeclareMathOperator\*?"
)
_NAMED = re.compile(
    rf"(?:\\expandafter\s*+)?+\\({_DEFINING})\*?+\s*+(\{{?)\s*+\\csname\s*+([a-zA-Z]++)\s*+\\endcsname\s*+(\}}?)"
    r"|\\(?:@namedef|csdef|csgdef)\s*+\{\s*+([a-zA-Z]++)\s*+\}"
)
_MAKES = re.compile(rf"\\(?:{_DEFINING})\*?+\s*+\{{?\s*+(?:\\csname|#[1-9])|\\(?:@namedef|csdef|csgdef)\s*+\{{")
_ALIAS = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|g?def|let)\*?+\s*+(?:\{\s*+\\(?P<braced>[a-zA-Z@]++)\s*+\}|\\(?P<name>[a-zA-Z@]++))"
    rf"\s*+=?+\s*+(?:\{{\s*+\\(?P<inside>{_DEFINING}|DeclarePairedDelimiterX?)\s*+\}}"
    rf"|\\(?P<other>{_DEFINING}|DeclarePairedDelimiterX?)(?![a-zA-Z@]))"
)
_CONSTANT = re.compile(r"\\csname\s*+([a-zA-Z]++)\s*+\\endcsname")
_DOUBLED = re.compile(r"\s*+\\@dblarg\s*+\{?\s*+\\([a-zA-Z@]++)\s*+\}?\s*+")
_STARRED = re.compile(r"\s*+\\@ifstar\s*+\{?\s*+\\([a-zA-Z@]++)\s*+\}?\s*+\{?\s*+\\([a-zA-Z@]++)\s*+\}?\s*+")
_DOUBLED_KINDS = ["literal", "until", "group"]
r"""The parameters of ``\def\name[#1]#2``."""
_PARAMETER = re.compile(r"#([#1-9])")
_COMMAND = re.compile(r"\s*+(\\[a-zA-Z@]++)")
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
    return _CONSTANT.sub(r"\\\1 ", _NAMED.sub(_plain, text)) if _MAKES.search(text) else text


def _plain(match: re.Match[str]) -> str:
    return f"\\def\\{match[5]} " if match[5] else f"\\{match[1]}{match[2]}\\{match[3]} {match[4]}"


def makes_names(text: str) -> bool:
    """Whether a text defines macros that define others."""
    return _MAKES.search(text) is not None or _ALIAS.search(text) is not None


def defining_aliases(text: str) -> dict[str, str]:
    r"""The commands of a text that only are other names of ``\newcommand`` and the like."""
    found = {match["braced"] or match["name"]: match["inside"] or match["other"] for match in _ALIAS.finditer(text)}
    return {name: other for name, other in found.items() if not re.fullmatch(_DEFINING, name)}


def without_aliases(text: str, aliases: Mapping[str, str]) -> str:
    """A text in which definitions have their usual names, without those of the other names."""
    if not aliases:
        return text
    names = "|".join(map(re.escape, sorted(aliases, key=len, reverse=True)))
    return re.sub(
        rf"{_ALIAS.pattern}|\\(?P<alias>{names})(?![a-zA-Z@])",
        lambda match: f"\\{aliases[match['alias']]}" if match["alias"] else "",
        text,
    )


class Makers:
    """The author's macros that define others, from all texts so far."""

    def __init__(self) -> None:
        """Begin without any."""
        self._makers: dict[str, Defined] = {}
        self._doubled: dict[str, Defined] = {}
        self._starred: dict[str, tuple[str, str]] = {}
        """The names of the makers that are called with a star and without one."""

    def add(self, macros: Mapping[str, Defined]) -> None:
        """Add those among the macros of a text, those with delimited arguments included, that define others."""
        for name, macro in macros.items():
            if "#" in macro.body and _MAKES.search(macro.body):
                self._makers[name] = macro
        for name, macro in macros.items():
            if (match := _DOUBLED.fullmatch(macro.body)) and match[1] in self._makers:
                self._doubled[name] = self._makers[match[1]]
            elif match := _STARRED.fullmatch(macro.body):
                self._starred[name] = (match[1], match[2])

    def definitions(self, text: str) -> str:
        """The definitions that the calls in a text make, as plain LaTeX."""
        return plain_definitions("\n".join(self._calls(text))) if self._makers else ""

    def _calls(self, text: str) -> Iterator[str]:
        names = sorted({*self._makers, *self._doubled, *self._starred}, key=len, reverse=True)
        call = re.compile(rf"\\({'|'.join(map(re.escape, names))})(?![a-zA-Z@])")
        length = 0
        for number, match in enumerate(call.finditer(text)):
            name, at = match[1], match.end()
            if name in self._starred:
                starred = text.startswith("*", at)
                name, at = self._starred[name][0 if starred else 1], at + starred
            maker = self._doubled.get(name) or self._makers.get(name)
            if maker is None:
                continue
            arguments = (_doubled if name in self._doubled else _groups)(maker, text, at)
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
        found = read_option(text, at) if kind == "option" else read_group(text, at) or _command(text, at)
        if kind not in ("group", "option") or (found is None and kind == "group"):
            return None
        arguments.append(found.text if found else default)
        at = found.end if found else at
    return arguments


def _command(text: str, at: int) -> Argument | None:
    match = _COMMAND.match(text, at)
    return Argument(match[1], match.start(1), match.end()) if match else None


def _doubled(maker: Defined, text: str, at: int) -> list[str] | None:
    r"""The arguments of a macro with ``\@dblarg``: the option equals the group if it is left out."""
    option = read_option(text, at)
    group = read_group(text, option.end if option else at)
    if group is None or [kind for kind, _ in maker.parameters] != _DOUBLED_KINDS:
        return None
    return [(option or group).text, group.text]
