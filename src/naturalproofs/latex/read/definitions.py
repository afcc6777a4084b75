"""What one file defines: theorems, macros, counters, aliases, and the files that it reads, in order."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.latex.macros.conditions import branches_of
from naturalproofs.latex.macros.macro import BOXES, DEFINING, Macro, read_definition
from naturalproofs.latex.project.files import TexFile
from naturalproofs.latex.read.declarations import DECLARING, Declaration, read_box_counter, read_declaration
from naturalproofs.latex.read.numbering import AT_APPENDIX, COUNTER_COMMANDS
from naturalproofs.latex.scan.arguments import read_group, read_groups, read_option
from naturalproofs.latex.scan.scanner import Token, TokenKind
from naturalproofs.latex.scan.vocabulary import CITING, INPUTS, LABELS, Vocabulary, either

BIBLIOGRAPHY_COMMANDS = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear autocite parencite textcite footcite smartcite supercite "
    "fullcite Cite Citet Citep".split()
)
LOADING = frozenset(
    {"documentclass", "documentstyle", "LoadClass", "LoadClassWithOptions", "usepackage", "RequirePackage"}
)
SettingKind: TypeAlias = Literal["style", "includeonly", "verbatim", "restated", "deferred", "numeral", "box-style"]
_SETTINGS: Mapping[str, SettingKind] = {
    "theoremstyle": "style",
    "includeonly": "includeonly",
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
_OTHERS = frozenset("let externaldocument endinput title proof endproof proclaim".split())

USES = "uses"
"""The command by which blueprints say what a statement or a proof depends on."""
METADATA: Mapping[str, int] = {
    **dict.fromkeys(("lean", "proves", "discussion", "alsoIn", "dochome"), 1),
    **dict.fromkeys(("leanok", "mathlibok", "notready"), 0),
}
"""Further commands of blueprints, and how many arguments each takes: about a statement, and no part of its text."""

BASE = Vocabulary(
    references={**CITING, USES: "list"},
    commands=frozenset().union(
        DECLARING,
        DEFINING,
        LOADING,
        _SETTINGS,
        COUNTER_COMMANDS,
        BIBLIOGRAPHY_COMMANDS,
        END_MARKS,
        METADATA,
        _LISTS,
        _OTHERS,
    ),
    proof_headings=True,
)
"""What the first scan of every file stops at; a dialect adds the project's own words."""

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
_DECLARES = re.compile(
    rf"\\(?:{'|'.join(DECLARING)})(?![a-zA-Z])"
    r"|\\(?:(?:re)?newenvironment|(?:New|Declare)DocumentEnvironment|newtcolorbox)\*?+\s*+(?:\[[^\]]*+\]\s*+)?+\{[^{}#]*+#\d"
)
"""Declares theorems, or defines an environment whose name is an argument."""


class Setting(NamedTuple):
    r"""A name that changes how the rest is read.

    A theorem style, styles of boxes, the files of an ``\includeonly``, an environment whose text is verbatim or is
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
    """A file that is read at this point."""

    token: Token


class External(NamedTuple):
    """Another document whose labels may be used here, with a prefix."""

    prefix: str
    file: str


class Alias(NamedTuple):
    r"""A ``\let``: one command for another."""

    name: str
    other: str


class Count(NamedTuple):
    """A counter command; those of packages are carried out before the document begins."""

    command: str
    offset: int


class BoxCounter(NamedTuple):
    """The counter of a box that the project defines as an environment."""

    counter: Declaration


class ListKeys(NamedTuple):
    r"""Lists that enumitem defines, and their settings: ``\setlist[exercises]{label=\arabic*}``."""

    names: tuple[str, ...]
    is_new: bool
    keys: str = ""


Entry: TypeAlias = ListKeys | Setting | Load | Input | External | Alias | Count | BoxCounter | Declaration | Macro


class Branched(NamedTuple):
    r"""An entry in branches of conditionals such as ``\iflong`` or ``\@ifundefined{chapter}``."""

    entry: Entry
    conditions: tuple[tuple[str, bool], ...]
    """The conditions, each with whether it must hold."""


class FileDefinitions(NamedTuple):
    """What a file defines."""

    entries: tuple[Entry | Branched, ...]
    environments: frozenset[str]
    """The environments that are used."""
    has_document: bool
    """Whether the text of the document begins in this file."""
    has_chapters: bool
    has_exercises: bool
    """Whether a section is headed as exercises."""
    spans: tuple[tuple[int, int], ...]
    """Where the definitions stand, from and up to."""


def read_file_definitions(file: TexFile) -> FileDefinitions:
    """Find what a file defines, by its tokens."""
    found: list[Entry] = []
    starts: list[int] = []
    environments: set[str] = set()
    spans: list[tuple[int, int]] = []
    has_chapters = has_exercises = False
    skip = 0
    for token in file.tokens:
        if token.start < skip:
            continue
        if token.kind is TokenKind.COMMAND:
            skip = _command(file.text, token, found)
            if token.name in DEFINING or token.name == "let":
                spans.append((token.start, skip))
        elif token.kind is TokenKind.INPUT:
            found.append(Input(token))
        elif token.kind is TokenKind.BEGIN:
            environments.add(token.name)
            if token.name in RESTATABLE and (name := _restated(file.text, token.end)):
                found.append(Setting("restated", name))
        elif token.kind is TokenKind.SECTION:
            has_chapters |= token.name == "chapter" and _ARGUMENT.match(file.text, token.end) is not None
            has_exercises |= EXERCISE_HEADING.match(file.text, token.end) is not None
        starts.extend([token.start] * (len(found) - len(starts)))
        if token.name == "endinput":
            break
    entries = _in_branches(file.text, found, starts)
    if any(key in file.text for key in _RESTATING):
        entries.extend(Setting("restated", name) for name in _RESTATE_KEY.findall(file.text))
    return FileDefinitions(
        tuple(entries), frozenset(environments), "document" in environments, has_chapters, has_exercises, tuple(spans)
    )


def _in_branches(text: str, found: Sequence[Entry], starts: Sequence[int]) -> list[Entry | Branched]:
    """The entries, with those marked that stand in branches."""
    entries: list[Entry | Branched] = list(found)
    for branch in branches_of(text) if found else ():
        for at in range(bisect_left(starts, branch.start), bisect_left(starts, branch.end)):
            entry = entries[at]
            outer = entry.conditions if isinstance(entry, Branched) else ()
            entries[at] = Branched(found[at], (*outer, (branch.condition, branch.holds)))
    return entries


def declares(macro: Macro) -> bool:
    """Whether a macro declares theorems."""
    return bool(_DECLARES.search(macro.body))


def declaring_macros(macros: Iterable[Macro]) -> tuple[str, ...]:
    """The names of the macros with arguments that declare theorems, by themselves or by one another."""
    with_arguments = [macro for macro in macros if macro.parameters and macro.ending is None]
    found = {macro.name for macro in with_arguments if declares(macro)}
    for _ in range(3) if found else ():
        called = re.compile(rf"\\(?:{either(tuple(sorted(found)))})(?![a-zA-Z@])")
        found.update(macro.name for macro in with_arguments if called.search(macro.body))
    return tuple(sorted(found))


def _restated(text: str, at: int) -> str:
    option = read_option(text, at)
    groups = read_groups(text, option.end if option else at, 2)
    name = groups[1].text.strip() if len(groups) == 2 else ""
    return name if name.isalpha() else ""


def _command(text: str, token: Token, found: list[Entry]) -> int:
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
            found.append(macro)
            # A command without arguments that declares theorems is there to be used.
            return at if declares(macro) and not macro.parameters else end
        return end
    if name == "let":
        macro, end = read_definition(text, name, at)
        if macro is not None and (macro.body[-1].isalpha() or macro.body[-1] == "@"):
            found.append(Alias(macro.name, macro.body.removeprefix("\\")))
            return end
    elif name in COUNTER_COMMANDS:
        found.append(Count(name, at))
        if name == AT_APPENDIX and (group := read_group(text, at)):
            return group.end
    elif name in _LISTS:
        return _list(text, token, found)
    elif name in _SETTINGS or name in LOADING or name == "externaldocument":
        return _with_group(text, token, found)
    return at


def _list(text: str, token: Token, found: list[Entry]) -> int:
    if token.name != "setlist":
        groups = read_groups(text, token.end, 3)
        if groups:
            found.append(ListKeys((groups[0].text.strip(),), is_new=True))
        return groups[-1].end if groups else token.end
    option = read_option(text, token.end)
    group = read_group(text, option.end) if option else None
    if option is None or group is None:
        return token.end
    found.append(ListKeys(tuple(map(str.strip, option.text.split(","))), is_new=False, keys=group.text))
    return group.end


def _with_group(text: str, token: Token, found: list[Entry]) -> int:
    option = read_option(text, token.end)
    group = read_group(text, option.end if option else token.end)
    if group is None:
        return token.end
    given, inside = option.text.strip() if option else "", group.text.strip()
    if kind := _SETTINGS.get(token.name):
        found.append(Setting(kind, inside))
    elif token.name in LOADING:
        found.append(Load(token.name, tuple(filter(None, map(str.strip, inside.split(",")))), given))
    else:
        found.append(External(given, inside))
    return group.end
