r"""Definitions of commands and environments, read where they stand: by ``\newcommand``, ``\def`` and their kin."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.latex.arguments import Argument, read_group, read_option

ParameterKind: TypeAlias = Literal["group", "option", "star"]


class Parameter(NamedTuple):
    """How one argument of a command is written."""

    kind: ParameterKind
    default: str = ""


@dataclass(frozen=True, slots=True)
class Macro:
    """A command, or an environment with the code of its two ends."""

    name: str
    parameters: tuple[Parameter, ...]
    body: str
    ending: str | None = None
    """The code of an environment's end; None for a command."""


class Definition(NamedTuple):
    """A macro, if its form is one that can be expanded, and where the text goes on after its definition."""

    macro: Macro | None
    end: int


NO_VALUE = "-NoValue-"
NEW_COMMANDS = frozenset(
    {
        "newcommand",
        "renewcommand",
        "providecommand",
        "DeclareRobustCommand",
        "newrobustcmd",
        "renewrobustcmd",
        "providerobustcmd",
    }
)
DEFS = frozenset({"def", "gdef", "edef", "xdef"})
NEW_DOCUMENT_COMMANDS = frozenset(
    f"{verb}{kind}Command"
    for verb in ("New", "Renew", "Provide", "Declare")
    for kind in ("Document", "ExpandableDocument")
)
NEW_ENVIRONMENTS = frozenset({"newenvironment", "renewenvironment", "provideenvironment"})
NEW_DOCUMENT_ENVIRONMENTS = frozenset(f"{verb}DocumentEnvironment" for verb in ("New", "Renew", "Provide", "Declare"))
DEFINING = NEW_COMMANDS | DEFS | NEW_DOCUMENT_COMMANDS | NEW_ENVIRONMENTS | NEW_DOCUMENT_ENVIRONMENTS
"""Commands that define a command or an environment."""

_NAME = re.compile(r"\s*+(?:\{\s*+\\([a-zA-Z@]++)\s*+\}|\\([a-zA-Z@]++))")
_PARAMETERS = re.compile(r"[ \t]*+((?:#\d)*+)\s*+(?=\{)")
_UP_TO_BODY = re.compile(r"[^{}\\]*+(?:\\[^{}][^{}\\]*+)*+(?=\{)")
_SPECIFICATION = re.compile(r"\s*+\+?+(?:([mos])|O\s*+\{([^{}]*+)\})")


def read_definition(text: str, command: str, at: int) -> Definition:
    """Read the definition whose command ends at `at`."""
    if command in DEFS:
        return _def(text, at)
    if command in NEW_ENVIRONMENTS or command in NEW_DOCUMENT_ENVIRONMENTS:
        return _environment(text, at, documented=command in NEW_DOCUMENT_ENVIRONMENTS)
    named = _NAME.match(text, at)
    if named is None:
        return Definition(None, at)
    name = named[1] or named[2]
    read = _specified if command in NEW_DOCUMENT_COMMANDS else _counted
    parameters, after = read(text, named.end())
    body = read_group(text, after)
    if body is None:
        return Definition(None, named.end())
    return Definition(None if parameters is None else Macro(name, parameters, body.text), body.end)


def _def(text: str, at: int) -> Definition:
    named = _NAME.match(text, at)
    if named is None:
        return Definition(None, at)
    plain = _PARAMETERS.match(text, named.end())
    # Arguments that end at a given sign are not read; what is skipped is the whole definition all the same.
    space = plain or _UP_TO_BODY.match(text, named.end(), named.end() + 200)
    body = read_group(text, space.end()) if space else None
    if body is None:
        return Definition(None, named.end())
    if plain is None:
        return Definition(None, body.end)
    count = plain[1].count("#")
    return Definition(Macro(named[1] or named[2], (Parameter("group"),) * count, body.text), body.end)


def _environment(text: str, at: int, *, documented: bool) -> Definition:
    name = read_group(text, at)
    if name is None:
        return Definition(None, at)
    parameters, after = (_specified if documented else _counted)(text, name.end)
    begin = read_group(text, after)
    end = read_group(text, begin.end) if begin else None
    if begin is None or end is None:
        return Definition(None, begin.end if begin else name.end)
    macro = None if parameters is None else Macro(name.text.strip(), parameters, begin.text, end.text)
    return Definition(macro, end.end)


def _counted(text: str, at: int) -> tuple[tuple[Parameter, ...] | None, int]:
    """Parameters as a number, and a default for the first one."""
    count = read_option(text, at)
    if count is None:
        return (), at
    if not count.text.strip().isdigit():
        return None, count.end
    groups = (Parameter("group"),) * min(int(count.text), 9)
    default = read_option(text, count.end)
    if default is None:
        return groups, count.end
    return (Parameter("option", default.text), *groups[1:]), default.end


def _specified(text: str, at: int) -> tuple[tuple[Parameter, ...] | None, int]:
    """Parameters as a list of letters; lists with letters we do not read give none."""
    group: Argument | None = read_group(text, at)
    if group is None:
        return None, at
    source, position = group.text.strip(), 0
    found: list[Parameter] = []
    while position < len(source):
        match = _SPECIFICATION.match(source, position)
        if match is None:
            return None, group.end
        position = match.end()
        letter = match[1]
        if letter == "m":
            found.append(Parameter("group"))
        elif letter == "s":
            found.append(Parameter("star"))
        else:
            found.append(Parameter("option", NO_VALUE if letter == "o" else match[2]))
    return tuple(found), group.end
