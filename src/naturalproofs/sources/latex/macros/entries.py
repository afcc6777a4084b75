"""What a text defines, found by pattern: theorems, macros, counters, flags, aliases, and the files that it reads.

Entries are what the table of macros is made of. They depend on the text alone, so those of a file are found once,
however many documents read it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.records import USES
from naturalproofs.sources.latex.macros.declarations import DECLARING, Declaration, read_box_counter, read_declaration
from naturalproofs.sources.latex.macros.macro import BOXES, DEFINING, Macro, defined_name, read_definition
from naturalproofs.sources.latex.scan.arguments import COMMENT, read_groups, read_pieces
from naturalproofs.sources.latex.scan.conditionals import TOGGLE, Conditional, find_conditionals
from naturalproofs.sources.latex.scan.scanner import Token, TokenKind
from naturalproofs.sources.latex.scan.vocabulary import (
    AT_APPENDIX,
    CITING,
    COUNTER_COMMANDS,
    INPUTS,
    LABELS,
    Vocabulary,
)

BIBLIOGRAPHY_COMMANDS = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear autocite parencite textcite footcite smartcite supercite "
    "fullcite Cite Citet Citep".split()
)
LOADING = frozenset(
    {"documentclass", "documentstyle", "LoadClass", "LoadClassWithOptions", "usepackage", "RequirePackage"}
)
SettingKind: TypeAlias = Literal["style", "verbatim", "restated", "deferred", "numeral", "box-style"]
_SETTINGS: Mapping[str, SettingKind] = {
    "theoremstyle": "style",
    "Newassociation": "deferred",
    "theoremnumbering": "numeral",
    "tcbset": "box-style",
    **dict.fromkeys(
        ("excludecomment", "lstnewenvironment", "DefineVerbatimEnvironment", "newminted", "newverbatim"), "verbatim"
    ),
}
END_MARKS = frozenset("qed QED qedsymbol eop Box square blacksquare".split())
"""Commands that end a proof which a command or a heading opened."""
_LISTS = frozenset({"newlist", "renewlist", "setlist"})
"""Commands of enumitem that define lists."""
_FLAGS: Mapping[str, tuple[str, bool | None]] = {
    **{f"{verb}{kind}": ("if", False) for verb in ("new", "provide") for kind in ("bool", "boolean")},
    "newtoggle": (TOGGLE, False),
    "providetoggle": (TOGGLE, False),
    **dict.fromkeys(("setbool", "setboolean"), ("if", None)),
    "settoggle": (TOGGLE, None),
    **{f"bool{value}": ("if", value == "true") for value in ("true", "false")},
    **{f"toggle{value}": (TOGGLE, value == "true") for value in ("true", "false")},
}
"""Commands that declare or set the conditional that they name: what its name begins with, and its value.

Without a value, the second argument is it.
"""
_OTHERS = frozenset("foreach forcsvlist let newif externaldocument endinput title proof endproof".split())

METADATA: Mapping[str, int] = {
    **dict.fromkeys(("lean", "proves", "discussion", "alsoIn", "dochome"), 1),
    **dict.fromkeys(("leanok", "mathlibok", "notready"), 0),
}
"""Further commands of blueprints, and how many arguments each takes: about a statement, and no part of its text."""

DEFINES = frozenset().union(
    DECLARING, DEFINING, LOADING, _SETTINGS, COUNTER_COMMANDS, _LISTS, _FLAGS, ("let", "newif", "externaldocument")
)
"""Commands that make entries."""
BASE = Vocabulary(
    references={**CITING, USES: "list"},
    commands=DEFINES.union(BIBLIOGRAPHY_COMMANDS, END_MARKS, METADATA, _OTHERS),
    proof_headings=True,
)
"""What the first scan of every file stops at; a dialect adds the project's own words."""
DEFINITIONS_ONLY = Vocabulary(
    references={}, labels=frozenset(), sections={}, inputs=frozenset(), commands=DEFINES | {"endinput"}
)
"""For texts in which only the definitions matter."""

KERNEL = frozenset(
    {"ref", "eqref", "pageref", "begin", "end"}.union(LABELS, INPUTS, DECLARING, DEFINING, LOADING, COUNTER_COMMANDS)
)
"""Commands that keep their meaning even if a project redefines them."""

RESTATABLE = frozenset({"restatable", "restatable*"})
AT_END = "theoremEnd"
"""The environment of a statement whose proof is printed at the end: ``\\begin{theoremEnd}[config]{lemma}[title]``."""
_ARGUMENT = re.compile(r"\s*+[\[{]")
_RESTATING = ("restate=", "restate =", "store=", "store =")
_RESTATE_KEY = re.compile(r"\\begin\s*+\{[^{}]*+\}\s*+\[[^][]{0,300}?\b(?:restate|store)\s*+=\s*+\{?+([a-zA-Z]++)")
EXERCISE_HEADING = re.compile(
    r"\s*+\{\s*+(?P<word>Exercises|Problems|Exercices|(?:Übungs)?aufgaben|Übungen|Ejercicios|Problemas"
    r"|Esercizi|Exerc[ií]cios|Opgaven|Zadania|Задачи|Упражнения|习题|练习|問題|演習)"
    r"(?:\s++(?:for|to|from|of|on|in|zum?)\s++(?:(?:this|the)\s++)?+(?:chapter|section|part|lecture|week|unit|kapitel)\b"
    r"[^{}\n]{0,60}+)?+\s*+[.:]?+\s*+\}(?=(?:[^\\]|\\(?!begin|end|chapter|(?:sub){0,2}section|paragraph)){0,400}+\\begin\s*+\{enumerate\})",
    re.IGNORECASE,
)
"""The title of a section that begins with a list of exercises."""
_NEWIF = re.compile(r"\s*+\\if([a-zA-Z@]++)")
_COUNT_REACH = 400


class Setting(NamedTuple):
    r"""A name that changes how the rest is read.

    A theorem style, styles of boxes, an environment whose text is verbatim or is
    printed elsewhere, or the command that prints a statement again.
    """

    kind: SettingKind
    name: str


class Load(NamedTuple):
    """A class or packages, which may lie in the project."""

    command: str
    names: tuple[str, ...]
    option: str


class Input(NamedTuple):
    """A file that is read at this point; `text` is what the command stands in, if that is not the file itself."""

    token: Token
    text: str = ""


class External(NamedTuple):
    """Another document whose labels may be used here, with a prefix."""

    prefix: str
    file: str


class Alias(NamedTuple):
    r"""A ``\let``: one command for another."""

    name: str
    other: str


class Count(NamedTuple):
    """A counter command and what follows it; those of packages are carried out before the document begins."""

    command: str
    rest: str
    starred: bool = False


class BoxCounter(NamedTuple):
    """The counter of a box that the project defines as an environment."""

    counter: Declaration


class ListKeys(NamedTuple):
    r"""Lists that enumitem defines, and their settings: ``\setlist[exercises]{label=\arabic*}``."""

    names: tuple[str, ...]
    is_new: bool
    keys: str = ""


class Flag(NamedTuple):
    r"""A conditional of the author that is declared or set; its value is None if that is not known."""

    name: str
    value: bool | None


class Defined(NamedTuple):
    """The definition of a macro, and the command that defines it."""

    macro: Macro
    command: str

    @property
    def is_provided(self) -> bool:
        """Whether it counts only if the name is not defined yet."""
        return self.command.startswith(("provide", "Provide"))


class BeginDocument(NamedTuple):
    """The text of the document begins."""


Entry: TypeAlias = (
    ListKeys | Setting | Load | Input | External | Alias | Count | BoxCounter | Declaration | Flag | Defined
    | BeginDocument
)  # fmt: skip
"""What a text may define."""


class Placed(NamedTuple):
    """An entry and where it stands, from and up to."""

    start: int
    end: int
    entry: Entry


class FileEntries(NamedTuple):
    """What a file defines."""

    entries: tuple[Placed, ...]
    conditionals: tuple[Conditional, ...]
    """The conditionals that hold entries, or may hold calls of macros that define."""
    environments: frozenset[str]
    """The environments that are used."""
    has_document: bool
    """Whether the text of the document begins in this file."""
    has_chapters: bool
    has_exercises: bool
    """Whether a section is headed as exercises."""


def read_entries(text: str, tokens: Iterable[Token]) -> FileEntries:
    """Find what a text defines, by its tokens."""
    found: list[Placed] = []
    environments: set[str] = set()
    has_chapters = has_exercises = False
    skip = 0
    for token in tokens:
        if token.start < skip:
            continue
        if token.kind is TokenKind.COMMAND:
            own: list[Entry] = []
            skip = max(token.end, read_command(text, token, own))
            found.extend(Placed(token.start, skip, one) for one in own)
            if token.name in DEFINING and not own and (name := defined_name(text, token.name, token.end)):
                # The parameters are not understood: the command is known, and what it stands for is not.
                found.append(Placed(token.start, skip, Defined(Macro.undecided(name), token.name)))
        elif token.kind is TokenKind.INPUT:
            found.append(Placed(token.start, token.end, Input(token)))
        elif token.kind is TokenKind.BEGIN:
            environments.add(token.name)
            if token.name == "document":
                found.append(Placed(token.start, token.end, BeginDocument()))
            elif token.name in RESTATABLE and (name := _restated(text, token.end)):
                found.append(Placed(token.start, token.end, Setting("restated", name)))
        elif token.kind is TokenKind.SECTION:
            has_chapters |= token.name == "chapter" and _ARGUMENT.match(text, token.end) is not None
            has_exercises |= EXERCISE_HEADING.match(text, token.end) is not None
        if token.name == "endinput":
            break
    if any(key in text for key in _RESTATING):
        found.extend(Placed(len(text), len(text), Setting("restated", name)) for name in _RESTATE_KEY.findall(text))
    conditionals = tuple(find_conditionals(text))
    return FileEntries(
        tuple(found), conditionals, frozenset(environments), "document" in environments, has_chapters, has_exercises
    )


def _restated(text: str, at: int) -> str:
    pieces, _ = read_pieces(text, at, "ogg")
    name = pieces[2].strip() if pieces else ""
    return name if name.isalpha() else ""


def read_command(text: str, token: Token, found: list[Entry]) -> int:
    """Read what a command defines; give where to go on. What stands inside a definition is passed over."""
    name, at = token.name, token.end
    if name in DECLARING:
        declared = read_declaration(text, name, at, starred=text[at - 1] == "*")
        found.extend(declared.environments)
        return declared.end
    if name in DEFINING:
        macro, end = read_definition(text, name, at)
        if name in BOXES and (counter := read_box_counter(text, at)):
            found.append(BoxCounter(counter))
        if macro is not None:
            found.append(Defined(macro, name))
        return end
    if name == "let":
        macro, end = read_definition(text, name, at)
        if macro is not None:
            found.append(Alias(macro.name, macro.body.removeprefix("\\")))
        return end
    if name in COUNTER_COMMANDS:
        found.append(Count(name, text[at : at + _COUNT_REACH], text[at - 1 : at] == "*"))
        _, end = read_pieces(text, at, "g" if name == AT_APPENDIX else "")
        return end
    if name in _LISTS:
        return _list(text, token, found)
    if name in _FLAGS or name == "newif":
        return _flag(text, token, found)
    if name in _SETTINGS or name in LOADING or name == "externaldocument":
        return _with_group(text, token, found)
    return at


def _flag(text: str, token: Token, found: list[Entry]) -> int:
    if token.name == "newif":
        named = _NEWIF.match(text, token.end)
        found.extend([Flag(f"if{named[1]}", False)] if named else ())
        return named.end() if named else token.end
    prefix, value = _FLAGS[token.name]
    groups = read_groups(text, token.end, 1 if value is not None else 2)
    if len(groups) < 1 + (value is None):
        return token.end
    if value is None:
        value = {"true": True, "false": False}.get(groups[1].text.strip())
    found.append(Flag(prefix + groups[0].text.strip(), value))
    return groups[-1].end


def _list(text: str, token: Token, found: list[Entry]) -> int:
    is_new = token.name != "setlist"
    pieces, end = read_pieces(text, token.end, "ggg" if is_new else "og")
    if pieces and pieces[0].strip():
        names = tuple(map(str.strip, pieces[0].split(",")))
        found.append(ListKeys(names, is_new, "" if is_new else pieces[1]))
    return end


def _with_group(text: str, token: Token, found: list[Entry]) -> int:
    pieces, end = read_pieces(text, token.end, "og")
    if pieces is None:
        return token.end
    given, inside = (COMMENT.sub("\n", piece).strip() for piece in pieces)
    if kind := _SETTINGS.get(token.name):
        found.append(Setting(kind, inside))
    elif token.name in LOADING:
        found.append(Load(token.name, tuple(filter(None, map(str.strip, inside.split(",")))), given))
    else:
        found.append(External(given, inside))
    return end
