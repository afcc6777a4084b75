"""How the arguments of commands are written: in a number, in the text after ``\\def``, in letters of xparse."""

import re
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.latex.scan.arguments import NO_VALUE, Argument, read_group, read_option

ParameterKind: TypeAlias = Literal[
    "group", "option", "star", "until", "literal", "braced", "paired", "script", "split", "processed"
]
"""A group, an option, a star or another sign, an argument up to a given text, or a text that is no argument.

Of the package xparse: a group that may be left out, an argument between two given signs, one after a given sign, a
group that is split at a sign, and a group that is changed in a way that is not known here.
"""


class Parameter(NamedTuple):
    """How one argument of a command is written."""

    kind: ParameterKind
    default: str = ""
    """The default of an option, the sign that takes the place of a star, or the given text.

    For "paired" the two signs and the default, for "script" the sign, for "split" the number of splits and the sign.
    """

    def specification(self) -> str:
        """The letter of the package xparse, with what it needs."""
        match self.kind:
            case "option" | "braced":
                letter = "o" if self.kind == "option" else "g"
                return letter if self.default == NO_VALUE else f"{letter.upper()}{{{self.default}}}"
            case "star":
                return f"t{self.default}" if self.default else "s"
            case "paired":
                return f"D{self.default[:2]}{{{self.default[2:]}}}"
            case "script":
                return f"e{{{self.default}}}"
            case "split":
                return f">{{\\SplitArgument{{{self.default[0]}}}{{{self.default[1:]}}}}}m"
        return "m"


GROUP = Parameter("group")
BODY = Parameter("group", "body")
"""Stands for the whole text of an environment; it is no argument of the macro that is made."""


_UP_TO_BODY = re.compile(r"[^{}\\]*+(?:\\[^{}][^{}\\]*+)*+(?=\{)")
_PARAMETER_TEXT = re.compile(r"\s*#(\d)|([^#]+)")
_LONGEST_PARAMETER_TEXT = 200
_SIGN = r"(?:\\[a-zA-Z@]++|\\?[^\s{}\\])"
_DEFAULT = r"\s*+\{(?P<%s>(?:[^{}]|\{[^{}]*+\})*+)\}"
_NUMBERED_DEFAULT = re.compile(r"(?:^|,)\s*+(\d)\s*+=\s*+(?:\{([^{}]*+)\}|([^,]*+))")
_SPECIFICATION = re.compile(
    r"\s*+(?P<processors>(?:>\s*+\{(?:[^{}]|\{[^{}]*+\})*+\}\s*+)*+)[+!]*+(?:(?P<letter>[mosbvg])"
    rf"|(?P<default>[OG]){_DEFAULT % 'value'}|t\s*+(?P<sign>\S)"
    r"|(?P<pair>[dr])\s*+(?P<left>\S)\s*+(?P<right>\S)"
    rf"|(?P<given>[DR])\s*+(?P<first>\S)\s*+(?P<last>\S){_DEFAULT % 'between'}"
    rf"|e\s*+(?:\{{\s*+(?P<script>{_SIGN})\s*+\}}|(?P<bare>[\^_]))|u\s*+\{{\s*+(?P<until>{_SIGN})\s*+\}})"
)
_SPLIT = re.compile(r">\s*+\{\s*+\\SplitArgument\s*+\{?([1-8])\}?\s*+\{?([^\s{}\\])\}?\s*+\}\s*+")
_TRIMMED = re.compile(r"(?:>\s*+\{\s*+\\TrimSpaces\s*+\}\s*+)*+")


def counted(text: str, at: int) -> tuple[tuple[Parameter, ...] | None, int]:
    """Parameters as a number, and a default for the first one."""
    count = read_option(text, at)
    if count is None:
        return (), at
    if not count.text.strip().isdigit():
        return None, count.end
    groups = (GROUP,) * min(int(count.text), 9)
    default = read_option(text, count.end)
    if default is None:
        return groups, count.end
    return (Parameter("option", default.text), *groups[1:]), default.end


def with_defaults(text: str, at: int) -> tuple[tuple[Parameter, ...] | None, int]:
    """Parameters as a number, and defaults by number, as the package xargs has them: ``[3][1=a, 3=n]``."""
    parameters, end = counted(text, at)
    if not parameters or parameters[0].kind != "option":
        return parameters, end
    found = [GROUP, *parameters[1:]]
    for match in _NUMBERED_DEFAULT.finditer(parameters[0].default):
        if 1 <= int(match[1]) <= len(found):
            found[int(match[1]) - 1] = Parameter("option", (match[2] or match[3]).strip())
    return tuple(found), end


def delimited(text: str, at: int) -> tuple[tuple[Parameter, ...] | None, int]:
    """Parameters of ``\\def``: groups, or arguments that end at a given text; None if they are too long or wrong."""
    match = _UP_TO_BODY.match(text, at, at + _LONGEST_PARAMETER_TEXT)
    if match is None:
        return None, at
    found: list[Parameter] = []
    count = 0
    for part in _PARAMETER_TEXT.finditer(match.group().rstrip()):
        if part[1] and int(part[1]) == count + 1:
            found.append(GROUP)
            count += 1
        elif part[1]:
            return None, match.end()
        elif given := part[2].strip():
            if found and found[-1] == GROUP:
                found[-1] = Parameter("until", given)
            else:
                found.append(Parameter("literal", given))
    return tuple(found), match.end()


def specified(text: str, at: int) -> tuple[tuple[Parameter, ...] | None, int]:
    """Parameters as a list of letters; None if there are letters that are not known."""
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
        found.append(_processed(_of_letter(match), match["processors"]))
    return tuple(found), group.end


def _of_letter(match: re.Match[str]) -> Parameter:
    """The parameter that a letter of the package xparse stands for."""
    letter = match["letter"] or match["default"] or match["pair"] or match["given"]
    if letter in ("m", "v"):
        return GROUP
    if letter == "b":
        return BODY
    if letter == "s" or match["sign"]:
        return Parameter("star", match["sign"] or "")
    if letter in ("d", "r", "D", "R"):
        signs = (match["left"] or match["first"]) + (match["right"] or match["last"])
        return Parameter("paired", signs + (NO_VALUE if letter in "dr" else match["between"]))
    if match["until"]:
        return Parameter("until", match["until"])
    if match["script"] or match["bare"]:
        return Parameter("script", match["script"] or match["bare"])
    return Parameter("option" if letter in "oO" else "braced", NO_VALUE if letter in "og" else match["value"])


def _processed(parameter: Parameter, processors: str) -> Parameter:
    r"""A parameter that is changed before it is used: ``>{\SplitArgument{1}{,}}m``."""
    if _TRIMMED.fullmatch(processors):
        return parameter
    split = _SPLIT.fullmatch(processors)
    return Parameter("split", split[1] + split[2]) if split and parameter == GROUP else Parameter("processed")
