r"""Which files an ``\input`` or one of its variants names: macros in the name are expanded, loops are unrolled."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from naturalproofs.latex.macros.expansion import expand
from naturalproofs.latex.macros.macro import Macro
from naturalproofs.latex.scan.arguments import read_group, read_groups, read_option
from naturalproofs.latex.scan.scanner import Positions, Token
from naturalproofs.latex.scan.vocabulary import FROM_FOLDER, INPUTS, OPTIONAL_INPUTS

INPUT_PATH = "input@path"
"""The macro that lists folders where inputs are looked up."""
_LONGEST_NAME = 1_000
_MAX_EXPANSIONS = 20
_MAX_VALUES = 200
_REACH = 2_000
"""How far before an input a loop around it may begin."""
_PLAIN_NAME = re.compile(r"[ \t]*+\"?+([^\s{}%\"]++)\"?+")
_EXPAND_AFTER = re.compile(r"(?:\s*+\\expandafter(?![a-zA-Z@]))*+")
_MACRO = re.compile(r"\\([a-zA-Z@]++)\s*+")
_LOOP = re.compile(r"\\(?:foreach|forcsvlist|multido|forloop|whiledo|loop)(?![a-zA-Z])")
FOREACH = re.compile(
    r"\\foreach\s*+((?:\\[a-zA-Z]++\s*+/?+\s*+)++)(?:\[[^\]\[\n]*+\]\s*+)?+in\s*+"
    r"(?:\{([^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+)\}|(\\[a-zA-Z@]++))"
)
_RANGE = re.compile(r"(\d{1,6})\s*+,\s*+(?:(\d{1,6})\s*+,\s*+)?+\.\.\.\s*+,\s*+(\d{1,6})")
_LETTERS = re.compile(r"(?<![a-zA-Z])([a-zA-Z])\s*+,\s*+\.\.\.\s*+,\s*+([a-zA-Z])(?![a-zA-Z])")
_COMMA = re.compile(r",(?![^{}]*\})")
_LIKE_INPUT = re.compile(r"input|include|import|subfile", re.IGNORECASE)
_NO_INPUT = re.compile(
    r"graphic|only|pdf|svg|enc|listing|verbatim|code|pgf|tikz|figure|picture|image|standalone|movie|media|comment|minted"
    r"|envir|table|csv|bib|important|glossar|addto|chemfig",
    re.IGNORECASE,
)


class InputPath(NamedTuple):
    """A file that a command names: its name, where to look it up, and where the text goes on after the command."""

    name: str
    folder: Path
    """Where files that it names are looked up first."""
    end: int
    is_optional: bool = False
    """Whether the command may mean something else, so that a missing file is no problem."""


def read_inputs(text: str, token: Token, folder: Path, home: Path, macros: Mapping[str, Macro]) -> list[InputPath]:
    r"""The files that an \input, \include, \import … names; none when it names none, several inside of a loop.

    Args:
        text: The text in which the command stands.
        token: The command.
        folder: Where names are looked up at this place.
        home: The folder of the main file, where TeX runs.
        macros: The macros as they are defined at this place.
    """
    name = token.name
    if name in FROM_FOLDER:
        groups = read_groups(text, token.end, 2)
        if len(groups) < 2:
            return []
        inner = (folder if name.startswith("sub") else home) / expand_name(groups[0].text, macros)
        return [InputPath(one, inner, groups[1].end) for one in _names(groups[1].text, text, token.start, macros)]
    option = read_option(text, token.end) if name == "includestandalone" or name not in INPUTS else None
    skipped = _EXPAND_AFTER.match(text, token.end)
    group = read_group(text, option.end if option else skipped.end() if skipped else token.end)
    if group is not None:
        if name not in INPUTS:
            # As in \olimport[folder]{file}.
            before = f"{expand_name(option.text, macros)}/" if option and option.text.strip() else ""
            return [InputPath(before + expand_name(group.text, macros), folder, group.end, is_optional=True)]
        names, optional = _names(group.text, text, token.start, macros), name in OPTIONAL_INPUTS
        return [InputPath(one, folder, group.end, is_optional=optional) for one in names]
    bare = _PLAIN_NAME.match(text, token.end) if name == "input" else None
    plain = expand_name(bare[1], macros) if bare else ""
    return [InputPath(plain, folder, bare.end())] if bare and "\\" not in plain else []


def search_folders(macros: Mapping[str, Macro], home: Path) -> tuple[Path, ...]:
    r"""The folders of ``\input@path``."""
    macro = macros.get(INPUT_PATH)
    if macro is None:
        return ()
    return tuple(home / expand_name(group.text, macros) for group in read_groups(macro.body, 0, 50))


def is_like_input(name: str) -> bool:
    r"""Whether a command reads a file by its name, such as ``\olimport``."""
    return name.isalpha() and name not in INPUTS and bool(_LIKE_INPUT.search(name)) and not _NO_INPUT.search(name)


def expand_name(source: str, macros: Mapping[str, Macro]) -> str:
    r"""A file name whose macros, such as ``\chapters/sets``, are replaced by their texts."""
    at = 0
    for _ in range(_MAX_EXPANSIONS):
        match = _MACRO.search(source, at)
        if match is None or len(source) > _LONGEST_NAME:
            break
        macro = macros.get(match[1])
        found = expand(macro, source, match.start(), match.end(), Positions(source)) if macro is not None else None
        if found is None:
            at = match.end()
        else:
            source = source[: match.start()] + found.text + source[found.end :]
    return source[:_LONGEST_NAME].strip().strip('"')


def in_loop(text: str, at: int) -> bool:
    """Whether a loop may be open at this place."""
    return _LOOP.search(text, max(0, at - _REACH), at) is not None


def _names(source: str, text: str, at: int, macros: Mapping[str, Macro]) -> list[str]:
    """The names that a name stands for: one, or as many as the loop around it has values."""
    name = expand_name(source, macros)
    if "\\" not in name:
        return [name]
    for loop in reversed(list(FOREACH.finditer(text, max(0, at - _REACH), at))):
        variables = _MACRO.findall(loop[1])
        if any(re.search(rf"\\{one}(?![a-zA-Z])", name) for one in variables):
            several = len(variables) > 1
            values = [
                value.split("/") if several else [value]
                for value in loop_values(expand_name(loop[2] or loop[3], macros))
            ]
            return [with_values(name, variables, value) for value in values]
    return [name]


def with_values(name: str, variables: list[str], values: list[str]) -> str:
    """A text with the variables of a loop replaced by their values in one round."""
    for position, variable in enumerate(variables):
        value = values[min(position, len(values) - 1)].strip()
        name = re.sub(rf"\\{variable}(?![a-zA-Z])\s*", lambda _, value=value: value, name)  # type: ignore[misc]
    return name


def loop_values(source: str) -> list[str]:
    """The values of a list such as ``1,...,4``, ``A,...,Z`` or ``sets, groups``."""
    unrolled = _LETTERS.sub(_unrolled_letters, _RANGE.sub(_unrolled, source))
    return [_without_braces(value.strip()) for value in _COMMA.split(unrolled)[:_MAX_VALUES]]


def _without_braces(value: str) -> str:
    group = read_group(value, 0) if value.startswith("{") else None
    return group.text if group and group.end == len(value) else value


def _unrolled_letters(match: re.Match[str]) -> str:
    first, last = ord(match[1]), ord(match[2])
    step = 1 if last >= first else -1
    # Between the cases there are other signs.
    same_case = match[1].isupper() == match[2].isupper()
    return ",".join(map(chr, range(first, last + step, step))) if same_case else match.group()


def _unrolled(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[3])
    step = int(match[2]) - first if match[2] else 1 if last >= first else -1
    if not step:
        return match.group()
    width = len(match[1]) if match[1].startswith("0") else 0
    numbers = range(first, last + (1 if step > 0 else -1), step)[:_MAX_VALUES]
    return ",".join(f"{number:0{width}}" for number in numbers)
