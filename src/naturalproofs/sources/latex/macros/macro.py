r"""Macros, and how they are defined: ``\newcommand``, ``\def``, xparse, ``\let``, ``\DeclareMathOperator``."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from naturalproofs.sources.latex.scan.arguments import (
    NO_VALUE,
    ONE_TOKEN,
    PIECES,
    Argument,
    Piece,
    read_group,
    read_option,
    read_pieces,
    read_token,
)
from naturalproofs.sources.latex.scan.symbols import alphabet_of

PRIMITIVE = "primitive"
r"""``\primitive{equiv}`` stands for the ``\equiv`` of LaTeX where an author defines another one."""
UNDECIDED = "undecided"
r"""``\undecided{x}`` stands for the command ``\x`` whose definition depends on what is not understood."""


ParameterKind: TypeAlias = Literal[
    "group", "option", "star", "until", "literal", "braced", "paired", "script", "split", "processed"
]
"""A group, an option, a star or another character, an argument up to a given text, or a text that is no argument.

Of the package xparse: a group that may be left out, an argument between two given characters, one after a given one, a
group that is split at a character, and a group that is changed in a way that is not understood.
"""


class Parameter(NamedTuple):
    """How one argument of a command is written."""

    kind: ParameterKind
    default: str = ""
    """The default of an option, the character that takes the place of a star, or the given text.

    For "paired" the two characters and the default, for "script" the character, for "split" their number and it.
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
_NUMBERED_DEFAULT = re.compile(r"(?:^|,)\s*+(\d)\s*+=\s*+(?:\{([^{}]*+)\}|([^,]*+))")


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


_LETTER = re.compile(r"(?P<processors>(?:>\s*+\{(?:[^{}]|\{[^{}]*+\})*+\}\s*+)*+)[+!]*+(?P<letter>[a-zA-Z])\s*+")
_SPLIT = re.compile(r">\s*+\{\s*+\\SplitArgument\s*+\{?([1-8])\}?\s*+\{?([^\s{}\\])\}?\s*+\}\s*+")
_TRIMMED = re.compile(r"(?:>\s*+\{\s*+\\TrimSpaces\s*+\}\s*+)*+")
_OF_LETTER: Mapping[str, tuple[int, bool]] = {
    **dict.fromkeys("mvbsog", (0, False)),
    **dict.fromkeys("OG", (0, True)),
    **dict.fromkeys("teu", (1, False)),
    "E": (1, True),
    **dict.fromkeys("dr", (2, False)),
    **dict.fromkeys("DR", (2, True)),
}
"""The letters of xparse: how many tokens or groups of them follow, and whether a default does."""


def specified(text: str, at: int) -> tuple[tuple[Parameter, ...] | None, int]:
    """Parameters as a list of letters of xparse; None if there are letters that are not known."""
    group: Argument | None = read_group(text, at)
    if group is None:
        return None, at
    source, at = group.text.strip(), 0
    found: list[Parameter] = []
    while at < len(source):
        match = _LETTER.match(source, at)
        takes = _OF_LETTER.get(match["letter"]) if match else None
        if match is None or takes is None:
            return None, group.end
        given, at = list[str](), match.end()
        for _ in range(takes[0] + takes[1]):
            argument = read_token(source, at)
            if argument is None:
                return None, group.end
            given.append(argument.text)
            at = argument.end
        found += _of_letter(match["letter"], given, match["processors"])
        at = len(source) - len(source[at:].lstrip())
    return tuple(found), group.end


def _of_letter(letter: str, given: list[str], processors: str) -> list[Parameter]:
    """The parameters that a letter of the package xparse stands for."""
    match letter:
        case "m" | "v":
            found = [GROUP]
        case "b":
            found = [BODY]
        case "s" | "t":
            found = [Parameter("star", given[0].strip() if given else "")]
        case "d" | "r" | "D" | "R":
            default = given[2] if len(given) > 2 else NO_VALUE
            found = [Parameter("paired", given[0].strip() + given[1].strip() + default)]
        case "u":
            found = [Parameter("until", given[0].strip())]
        case "e" | "E":
            found = [Parameter("script", token) for token in ONE_TOKEN.findall(given[0])]
        case _:
            found = [Parameter("option" if letter in "oO" else "braced", given[0] if given else NO_VALUE)]
    if _TRIMMED.fullmatch(processors):
        return found
    split = _SPLIT.fullmatch(processors)
    return [Parameter("split", split[1] + split[2])] if split and found == [GROUP] else [Parameter("processed")]


@dataclass(frozen=True, slots=True)
class Macro:
    """A command, or an environment with the code of its two ends."""

    name: str
    parameters: tuple[Parameter, ...]
    body: str
    ending: str | None = None
    """The code of an environment's end; None for a command."""
    is_certain: bool = True
    """Whether this is what it stands for; otherwise other definitions may count, or this one is not understood."""

    @classmethod
    def of(cls, name: str, arguments: int, body: str) -> "Macro":
        """A command with so many mandatory arguments."""
        return cls(name, (GROUP,) * arguments, body)

    @classmethod
    def undecided(cls, name: str) -> "Macro":
        """A command that may stand for several things."""
        return cls(name, (), "", is_certain=False)

    def definition(self) -> str:
        """LaTeX that defines this command, unless it is defined already."""
        if not self.is_certain:
            return f"\\providecommand{{\\{self.name}}}{{\\{UNDECIDED}{{{self.name}}}}}"
        kinds = [parameter.kind for parameter in self.parameters]
        if "until" in kinds or "literal" in kinds:
            return f"\\def\\{self.name}{self._parameter_text()}{{{self.body}}}"
        if not {"group", "option"}.issuperset(kinds) or "option" in kinds[1:]:
            signature = " ".join(one.specification() for one in self.parameters)
            return f"\\ProvideDocumentCommand{{\\{self.name}}}{{{signature}}}{{{self.body}}}"
        count = f"[{len(kinds)}]" if kinds else ""
        default = f"[{self.parameters[0].default}]" if "option" in kinds else ""
        if self.name.endswith("*"):
            return f"\\WithSuffix\\providecommand\\{self.name}{count}{default}{{{self.body}}}"
        return f"\\providecommand{{\\{self.name}}}{count}{default}{{{self.body}}}"

    def _parameter_text(self) -> str:
        r"""The parameters as ``\def`` has them."""
        written, number = "", 0
        for parameter in self.parameters:
            number += parameter.kind != "literal"
            written += (f"#{number}" if parameter.kind != "literal" else "") + parameter.default
        return written


Macros: TypeAlias = Mapping[str, Macro]


class Definition(NamedTuple):
    """A macro, if its form is one that can be expanded, and where the text goes on after its definition."""

    macro: Macro | None
    end: int


_NAME = re.compile(r"\s*+(?:\{\s*+\\([a-zA-Z@]++|.)\s*+\}|\\([a-zA-Z@]++|.))")
_SUFFIXED = re.compile(
    r"\s*+\\(?:newcommand|renewcommand|providecommand|def|gdef)\*?+\s*+(?:\{\s*+\\([a-zA-Z]++)\s*+\}|\\([a-zA-Z]++))\s*+\*"
)
_INTERNAL = re.compile(r"\\[a-zA-Z]*+@")
_KEYED_PIECE = re.compile(r"\\([a-zA-Z]++)\*?+\s*+(?:\[#\d\]|(?:\[[^][]*+\])?+\s*+\{[^{}]*+\})")
_BEGIN_PIECE = re.compile(r"\\begin\s*+\{([^{}]*+)\}(?:\s*+\[[^][]*+\])?+")
_END_PIECE = re.compile(r"\\end\s*+\{([^{}]*+)\}")
_COUNTS = re.compile(
    r"\\(?:(?:setcounter|addtocounter)\s*+\{([^{}\\#]++)\}\s*+\{[^{}]*+\}"
    r"|(?:ref)?stepcounter\s*+\{([^{}\\#]++)\}"
    r"|(?P<heading>appendix(?![a-zA-Z@])|(?:part|chapter|(?:sub){0,2}section)\*?+\s*+(?:\[[^][]*+\]\s*+)?+\{[^{}]*+\}))"
)
"""Commands that change a counter, and headings, which reset others."""
_DECIDES = re.compile(r"\\(?:if|@if|@nextchar|@tempswa|loop|futurelet)")
"""Code that may leave some of its commands out."""
_CODE = re.compile(r"\s*+\\([a-zA-Z@]++)\s*+=?+\s*+\"([0-9A-F]{1,2})(?![0-9A-F])")
_STAR_OR_SIZE = (Parameter("star"), Parameter("option", NO_VALUE))
"""What the command of a paired delimiter takes first."""
_PARAMETER_NUMBER = re.compile(r"#([1-9])")
_SINGLE = re.compile(r"[ \t]*+(\\[a-zA-Z@]++)")
_LET = re.compile(r"\s*+\\([a-zA-Z@]++)\s*+=?+\s*+(\\(?:[a-zA-Z@]++|.))")


def read_definition(text: str, command: str, at: int) -> Definition:
    """Read the definition whose command (and star) ends at `at`."""
    letters, make = _READERS[command]
    pieces, end = read_pieces(text, at, letters, _PIECES)
    return Definition(None if pieces is None else make(*pieces), end)


def defined_name(text: str, command: str, at: int) -> str:
    """The command that a definition defines whose parameters are not understood; empty for other definitions."""
    named = _NAME.match(text, at) if command.endswith(("DocumentCommand", "def")) else None
    return (named[1] or named[2]) if named and read_definition(text, command, at).end > named.end() else ""


def mentions(code: str, name: str) -> bool:
    """Whether code uses a command."""
    return re.search(rf"\\{re.escape(name)}(?![a-zA-Z@])", code) is not None


def has_internals(code: str) -> bool:
    """Whether code uses internal commands of TeX, which cannot be followed without running it."""
    return _INTERNAL.search(code) is not None


def without_internals(macro: Macro, keyed: Collection[str], counters: Collection[str] = ()) -> Macro:
    r"""What a macro labels, cites and counts, if the rest cannot be followed: ``\protected@write\@auxout{…}``.

    Args:
        macro: The macro.
        keyed: The commands that label or cite.
        counters: The counters that matter.
    """
    if not has_internals(macro.body):
        return macro
    found = [
        (match.start(), match.group().replace("\\newlabel", "\\label", 1))
        for match in _KEYED_PIECE.finditer(macro.body)
        if macro.parameters and (match[1] in keyed or match[1] == "newlabel") and "#" in match.group()
    ]
    if counters and not _DECIDES.search(macro.body):
        found.extend(_counted_pieces(macro.body, counters))
    pieces = [piece for _, piece in sorted(found)]
    return replace(macro, body="".join(dict.fromkeys(pieces))) if pieces else macro


def opening_alone(macro: Macro, environments: Collection[str]) -> Macro:
    r"""An environment as those that it opens and closes, if the rest of its code cannot be followed.

    What it is given is not dropped: an environment whose other code uses its arguments stays as it is.
    """
    code = macro.body + (macro.ending or "")
    if not has_internals(code) or _DECIDES.search(code):
        return macro
    begins, ends = (
        [match for match in pattern.finditer(part) if match[1] in environments]
        for pattern, part in ((_BEGIN_PIECE, macro.body), (_END_PIECE, macro.ending or ""))
    )
    if not begins or [match[1] for match in begins] != [match[1] for match in reversed(ends)]:
        return macro
    if "#" in _END_PIECE.sub("", _BEGIN_PIECE.sub("", code)):
        return macro
    return replace(macro, body="".join(match[0] for match in begins), ending="".join(match[0] for match in ends))


def _counted_pieces(code: str, counters: Collection[str]) -> list[tuple[int, str]]:
    """The commands of some code that change one of these counters, outside of groups, and where they stand.

    With them come its headings, which step and reset counters as well.
    """
    depth = at = 0
    found: list[tuple[int, str]] = []
    counts = False
    for match in _COUNTS.finditer(code):
        depth += code.count("{", at, match.start()) - code.count("}", at, match.start())
        at = match.start()
        known = (match[1] or match[2] or "").strip() in counters
        if depth == 0 and (known or match["heading"]):
            found.append((at, match.group()))
            counts = counts or known
    return found if counts else []


# How the definitions are written: their pieces, and the macro that is made of them.


def _name_piece(text: str, at: int) -> tuple[str, int] | None:
    named = _NAME.match(text, at)
    return (named[1] or named[2], named.end()) if named else None


def _body_piece(text: str, at: int) -> tuple[str, int] | None:
    r"""A group, or one command: ``\newcommand\cat\mathcal``."""
    group = read_group(text, at)
    single = None if group else _SINGLE.match(text, at)
    return (group.text, group.end) if group else (single[1], single.end()) if single else None


def _delimiter_piece(text: str, at: int) -> tuple[str, int] | None:
    found = read_token(text, at)
    return (found.text.strip() or ".", found.end) if found else None


def _suffixed_piece(text: str, at: int) -> tuple[str, int] | None:
    match = _SUFFIXED.match(text, at)
    return (f"{match[1] or match[2]}*", match.end()) if match else None


def _matched(pattern: re.Pattern[str]) -> Piece:
    def read(text: str, at: int) -> tuple[tuple[str | Any, ...], int] | None:
        match = pattern.match(text, at)
        return (match.groups(), match.end()) if match else None

    return read


_PIECES: Mapping[str, Piece] = {
    **PIECES,
    "n": _name_piece,
    "b": _body_piece,
    "d": _delimiter_piece,
    "w": _suffixed_piece,
    "l": _matched(_LET),
    "h": _matched(_CODE),
    "*": lambda text, at: ("*" if text[at - 1] == "*" else "", at),
    "1": counted,
    "2": with_defaults,
    "3": specified,
    "4": delimited,
    "5": lambda text, at: (counted if text[at : at + 1] == "[" else delimited)(text, at),
}
"""A command, its body, a delimiter, a command with a star, what ``\\let`` and ``\\chardef`` take, and a star before.

The digits are parameters: as a number, with defaults by number, of xparse, of ``\\def``, and as a number or those.
"""
_Parameters: TypeAlias = tuple[Parameter, ...] | None


def _macro(name: str, parameters: _Parameters, body: str) -> Macro | None:
    return None if parameters is None else Macro(name, parameters, body)


def _alphabet(name: str, _encoding: str, *font: str) -> Macro | None:
    r"""``\DeclareMathAlphabet{\mathpzc}{OT1}{pzc}{m}{it}``: the alphabet that its font is like."""
    family, series, shape = map(str.strip, font)
    alphabet = alphabet_of(family, series, shape)
    return Macro(name, (), f"\\{alphabet}") if alphabet else None


def _paired(name: str, count: str, before: str, left: str, right: str, after: str, inside: str) -> Macro | None:
    r"""``\DeclarePairedDelimiterXPP``: before its arguments, the command may have a star or a size."""
    if not (count.strip().isdigit() and 1 <= int(count) <= 7):
        return None
    inner = _shifted(inside).replace("\\delimsize", "\\middle")
    body = f"{_shifted(before)}\\left{left} {inner}\\right{right} {_shifted(after)}"
    return Macro(name, (*_STAR_OR_SIZE, *(GROUP,) * int(count)), body)


def _shifted(code: str) -> str:
    """Code of a paired delimiter: a star and a size come before its arguments."""
    return _PARAMETER_NUMBER.sub(lambda match: f"#{int(match[1]) + len(_STAR_OR_SIZE)}", code)


def _character(found: tuple[str, str]) -> Macro | None:
    """A character by its code, if it is one of ASCII."""
    code = int(found[1], 16)
    return Macro(found[0], (), f"\\text{{{chr(code)}}}") if 32 < code < 127 else None


def _environment(name: str, parameters: _Parameters, begin: str, end: str) -> Macro | None:
    if parameters and parameters[-1] == BODY:
        begin, _, behind = begin.partition(f"#{len(parameters)}")
        parameters, end = parameters[:-1], behind + end
    return None if parameters is None else Macro(name.strip(), parameters, begin, end)


def _collecting(name: str, parameters: _Parameters, code: str, final: str) -> Macro | None:
    r"""``\NewEnviron{name}{… \BODY …}[…]``, whose code gets the whole text of the environment."""
    before, _, behind = code.partition("\\BODY")
    return _environment(name, parameters, before, behind + final)


def _box(_options: str, name: str, parameters: _Parameters, options: str) -> Macro | None:
    r"""``\newtcolorbox[…]{name}[2][default]{options}``: an environment whose code are its options."""
    return _environment(name, parameters, options, "")


_VERBS = ("New", "Renew", "Provide", "Declare")
_READERS: Mapping[str, tuple[str, Callable[..., Macro | None]]] = {
    **dict.fromkeys(("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"), ("n1b", _macro)),
    **dict.fromkeys(("newrobustcmd", "renewrobustcmd", "providerobustcmd"), ("n1b", _macro)),
    **dict.fromkeys(("newcommandx", "renewcommandx", "providecommandx", "DeclareRobustCommandx"), ("n2b", _macro)),
    **dict.fromkeys(("def", "gdef", "edef", "xdef"), ("n4g", _macro)),
    **{f"{verb}DocumentCommand": ("n3b", _macro) for verb in _VERBS},
    **{f"{verb}ExpandableDocumentCommand": ("n3b", _macro) for verb in _VERBS},
    **dict.fromkeys(("newenvironment", "renewenvironment", "provideenvironment"), ("g1gg", _environment)),
    **{f"{verb}DocumentEnvironment": ("g3gg", _environment) for verb in _VERBS},
    **dict.fromkeys(("NewEnviron", "RenewEnviron"), ("g1go", _collecting)),
    **dict.fromkeys(("newtcolorbox", "renewtcolorbox", "providetcolorbox"), ("og1g", _box)),
    **{f"{verb}TColorBox": ("og3g", _box) for verb in _VERBS},
    **dict.fromkeys(("newmdenv", "renewmdenv"), ("og", lambda options, name: Macro(name.strip(), (), options, ""))),
    "WithSuffix": ("w5g", _macro),
    "DeclareMathOperator": ("*ng", lambda star, name, body: Macro(name, (), f"\\operatorname{star}{{{body}}}")),
    **dict.fromkeys(("newclass", "renewclass"), ("ng", lambda name, body: Macro(name, (), f"\\mathsf{{{body}}}"))),
    "DeclarePairedDelimiter": ("ndd", lambda name, left, right: _paired(name, "1", "", left, right, "", "#1")),
    "DeclarePairedDelimiterX": (
        "noddg",
        lambda name, count, left, right, inside: _paired(name, count, "", left, right, "", inside),
    ),
    "DeclarePairedDelimiterXPP": ("nogddgg", _paired),
    "DeclareMathAlphabet": ("ngggg", _alphabet),
    "let": ("l", lambda found: Macro(found[0], (), found[1])),
    **dict.fromkeys(("mathchardef", "chardef"), ("h", _character)),
}  # fmt: skip
"""How each definition is written, and what makes the macro."""
BOXES = frozenset(name for name in _READERS if name.lower().endswith("colorbox"))
"""Commands that define an environment by the options of a box."""
DEFINITIONS = frozenset(_READERS)
DEFINING = DEFINITIONS - {"let"}
r"""Commands that define a command or an environment; ``\let`` only gives one another name."""
