"""What one file says about the project's language: declarations, definitions, files it reads, in order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from naturalproofs.latex import Token, TokenKind, Vocabulary
from naturalproofs.latex.arguments import read_group, read_groups, read_option
from naturalproofs.latex.declarations import DECLARING, Declaration, read_declaration
from naturalproofs.latex.files import TexFile
from naturalproofs.latex.macros import DEFINING, Macro, read_definition
from naturalproofs.latex.numbering import COUNTER_COMMANDS
from naturalproofs.latex.vocabulary import INPUTS, REFERENCES, KeyStyle

BIBLIOGRAPHY_COMMANDS = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear autocite parencite textcite footcite smartcite supercite "
    "fullcite Cite Citet Citep".split()
)
LOADING = frozenset({"documentclass", "LoadClass", "LoadClassWithOptions", "usepackage", "RequirePackage"})
NEW_VERBATIM = frozenset(
    {"excludecomment", "lstnewenvironment", "DefineVerbatimEnvironment", "newminted", "newverbatim"}
)
_OTHERS = frozenset("theoremstyle let externaldocument includeonly endinput title proof endproof qed proves".split())

BLUEPRINT: Mapping[str, KeyStyle] = {"uses": "list"}
"""Commands by which blueprints say what a statement or a proof depends on."""

BASE = Vocabulary(
    references={**REFERENCES, **BLUEPRINT},
    commands=frozenset().union(
        DECLARING, DEFINING, LOADING, NEW_VERBATIM, COUNTER_COMMANDS, BIBLIOGRAPHY_COMMANDS, _OTHERS
    ),
)
"""What the first scan of every file stops at; words of the project's own come on top where it has some."""


@dataclass(frozen=True, slots=True)
class Style:
    """The theorem style for the declarations that follow."""

    name: str


@dataclass(frozen=True, slots=True)
class Load:
    """A class or packages that may lie in the project."""

    command: str
    names: tuple[str, ...]
    option: str


@dataclass(frozen=True, slots=True)
class Input:
    """A file that is read at this point."""

    token: Token


@dataclass(frozen=True, slots=True)
class External:
    """Another document whose labels may be used here, with something put before them."""

    prefix: str
    file: str
    offset: int


@dataclass(frozen=True, slots=True)
class Only:
    r"""The files that ``\\include`` may read."""

    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """An environment whose text is not to be read."""

    name: str


@dataclass(frozen=True, slots=True)
class Alias:
    r"""A ``\\let``: one command for another."""

    name: str
    other: str


@dataclass(frozen=True, slots=True)
class Count:
    """A counter command, carried out from packages before the document begins."""

    command: str
    offset: int


@dataclass(frozen=True, slots=True)
class Restated:
    """A command that prints a statement again, or prints one for the first time that was given before."""

    command: str


Fact: TypeAlias = Restated | Style | Load | Input | External | Only | Verbatim | Alias | Count | Declaration | Macro


@dataclass(frozen=True, slots=True)
class FileDefinitions:
    """The facts of a file, and whether the document's text begins in it."""

    facts: tuple[Fact, ...]
    environments: frozenset[str]
    """The environments that are used."""
    has_document: bool
    has_chapters: bool
    definitions: tuple[tuple[int, int], ...]
    """Where definitions stand, from and up to."""


def read_file_definitions(file: TexFile) -> FileDefinitions:
    """Find the facts of a file by its tokens."""
    found: list[Fact] = []
    skip = 0
    environments: set[str] = set()
    definitions: list[tuple[int, int]] = []
    has_chapters = False
    for token in file.tokens:
        if token.start < skip:
            continue
        if token.kind is TokenKind.COMMAND:
            skip = _command(file.text, token, found)
            if token.name in DEFINING or token.name == "let":
                definitions.append((token.start, skip))
        elif token.kind is TokenKind.INPUT:
            found.append(Input(token))
        elif token.kind is TokenKind.BEGIN:
            environments.add(token.name)
            if token.name == "restatable*" and (found_name := _restated(file.text, token.end)):
                found.append(Restated(found_name))
        elif token.kind is TokenKind.SECTION and token.name == "chapter":
            has_chapters = True
        if token.name == "endinput":
            break
    return FileDefinitions(
        tuple(found), frozenset(environments), "document" in environments, has_chapters, tuple(definitions)
    )


def _restated(text: str, at: int) -> str:
    option = read_option(text, at)
    groups = read_groups(text, option.end if option else at, 2)
    name = groups[1].text.strip() if len(groups) == 2 else ""
    return name if name.isalpha() else ""


def _command(text: str, token: Token, found: list[Fact]) -> int:
    """Read what a command says; the facts inside a definition are none before it is used."""
    name, at = token.name, token.end
    if name in DECLARING:
        declared = read_declaration(text, name, at, starred=text[at - 1] == "*")
        found.extend(declared.environments)
        return declared.end
    if name in DEFINING:
        macro, end = read_definition(text, name, at)
        if macro is not None:
            found.append(macro)
            # A command without arguments that declares theorems is there to be used.
            return at if declares(macro) and not macro.parameters else end
        return end
    if name in COUNTER_COMMANDS:
        found.append(Count(name, at))
    elif name == "let":
        macro, end = read_definition(text, name, at)
        if macro is not None and macro.body[-1].isalpha():
            found.append(Alias(macro.name, macro.body.removeprefix("\\")))
            return end
    elif name not in BIBLIOGRAPHY_COMMANDS:
        return _with_group(text, token, found)
    return at


def _with_group(text: str, token: Token, found: list[Fact]) -> int:
    option = read_option(text, token.end)
    group = read_group(text, option.end if option else token.end)
    if group is None:
        return token.end
    given, inside = option.text.strip() if option else "", group.text.strip()
    if token.name == "theoremstyle":
        found.append(Style(inside))
    elif token.name in LOADING:
        found.append(Load(token.name, tuple(filter(None, map(str.strip, inside.split(",")))), given))
    elif token.name == "externaldocument":
        found.append(External(given, inside, token.start))
    elif token.name == "includeonly":
        found.append(Only(frozenset(map(str.strip, inside.split(",")))))
    elif token.name in NEW_VERBATIM:
        found.append(Verbatim(inside))
    else:
        return token.end
    return group.end


_DECLARES = re.compile(r"\\(?:" + "|".join(DECLARING) + r")(?![a-zA-Z])")


def declares(macro: Macro) -> bool:
    """Whether a macro is there to declare theorems."""
    return bool(_DECLARES.search(macro.body))


KERNEL = frozenset(
    {"ref", "eqref", "pageref", "label", "begin", "end", *INPUTS, *DECLARING, *DEFINING, *LOADING, *COUNTER_COMMANDS}
)
"""Commands that keep their meaning whatever a project makes of them."""
