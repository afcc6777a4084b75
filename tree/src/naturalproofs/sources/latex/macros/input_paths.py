r"""Which files an ``\input`` or one of its variants names: macros in the name are expanded."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from naturalproofs.sources.latex.macros.expansion import expand
from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.scan.arguments import COMMAND, read_group, read_groups, read_option
from naturalproofs.sources.latex.scan.scanner import Token
from naturalproofs.sources.latex.scan.vocabulary import FROM_FOLDER, INPUTS, OPTIONAL_INPUTS
from naturalproofs.sources.reading.text_files import Positions

INPUT_PATH = "input@path"
"""The macro that lists folders where inputs are looked up."""
_LONGEST_NAME = 1_000
_MAX_EXPANSIONS = 20
_REACH = 2_000
"""How far before an input a loop around it may begin."""
_PLAIN_NAME = re.compile(r"[ \t]*+\"?+([^\s{}%\"]++)\"?+")
_EXPAND_AFTER = re.compile(r"(?:\s*+\\expandafter(?![a-zA-Z@]))*+")
_LOOP = re.compile(r"\\(?:foreach|forcsvlist|multido|forloop|whiledo|loop)(?![a-zA-Z])")
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


def read_input(text: str, token: Token, folder: Path, home: Path, macros: Mapping[str, Macro]) -> InputPath | None:
    r"""The file that an \input, \include, \import … names, if it names one.

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
            return None
        inner = (folder if name.startswith("sub") else home) / expand_name(groups[0].text, macros)
        return InputPath(expand_name(groups[1].text, macros), inner, groups[1].end)
    option = read_option(text, token.end) if name == "includestandalone" or name not in INPUTS else None
    skipped = _EXPAND_AFTER.match(text, token.end)
    group = read_group(text, option.end if option else skipped.end() if skipped else token.end)
    if group is not None:
        if name not in INPUTS:
            # As in \olimport[folder]{file}.
            before = f"{expand_name(option.text, macros)}/" if option and option.text.strip() else ""
            return InputPath(before + expand_name(group.text, macros), folder, group.end, is_optional=True)
        return InputPath(expand_name(group.text, macros), folder, group.end, is_optional=name in OPTIONAL_INPUTS)
    bare = _PLAIN_NAME.match(text, token.end) if name == "input" else None
    plain = expand_name(bare[1], macros) if bare else ""
    return InputPath(plain, folder, bare.end()) if bare and "\\" not in plain else None


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
        match = COMMAND.search(source, at)
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
