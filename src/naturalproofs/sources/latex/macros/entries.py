"""What a text defines, found by pattern: theorems, macros, counters, flags, aliases, and the files that it reads.

Entries are what the table of macros is made of. They depend on the text alone, so those of a file are found once,
however many documents read it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.records import USES
from naturalproofs.sources.latex.macros.macro import BOXES, DEFINING, Macro, defined_name, read_definition
from naturalproofs.sources.latex.scan.arguments import (
    COMMAND,
    COMMENT,
    german_letters,
    plain_letters,
    plain_title,
    read_group,
    read_groups,
    read_pieces,
)
from naturalproofs.sources.latex.scan.conditionals import ARGUMENTS, TOGGLE, Conditional, decided, find_conditionals
from naturalproofs.sources.latex.scan.scanner import (
    AT_APPENDIX,
    CITING,
    COUNTER_COMMANDS,
    INPUTS,
    LABELS,
    Token,
    TokenKind,
    Vocabulary,
)
from naturalproofs.sources.reading.kinds import BOXED, by_word

_NO_LETTERS = re.compile(r"[^\w\s'’.-]")
_COMMA = re.compile(r"[{}\[\],]")
_LONGEST_FORM = 40
"""A longer printed name has commands that could not be followed."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One theorem-like environment."""

    name: str
    printed: str
    like: str = ""
    """The environment or counter whose numbers it shares."""
    within: str = ""
    """The counter that resets its number."""
    numbered: bool = True
    style: str = ""
    """Its own style; otherwise the style in force counts."""
    prefix: str | None = None
    """For a box whose title and label are arguments: what is put before the label."""
    box_styles: tuple[str, ...] = ()
    """For such a box: the styles that may say what stands between the prefix and the label."""
    source: str = ""
    """The source of the printed name, if it has commands: a project may define them."""
    numeral: str = "arabic"
    """How its numbers are printed."""
    restyled: bool = False
    """Whether it prints the counter that it shares in its own way."""
    unless_unique: bool = False
    """Whether the only statement of this kind has no number."""
    is_float: bool = False
    """Whether it is a float: its option says where it stands, and it has a number if it has a caption."""
    same_as: str = ""
    """The environment whose printed name and style it has."""
    again: bool = False
    """Whether it replaces what is declared before."""


class Declared(NamedTuple):
    """The environments of one declaration, and where the text goes on after it."""

    environments: list[Declaration]
    end: int


def read_declaration(text: str, command: str, at: int, *, starred: bool) -> Declared:
    """Read the declaration whose command (and star) ends at `at`."""
    return DECLARING[command](text, command, at, starred)


_MARK = re.compile(
    r"\\(?:(?:color|footnote|thanks|label|index|v?h?space\*?)\s*+(?:\[[^\[\]]*+\]\s*+)?+\{[^{}]*+\}"
    r"|textsuperscript\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})"
)
"""Colours, notes and marks, which are not part of a name."""


_UMLAUT = re.compile(r'"[aouAOU][a-z]')
"""A shorthand of German in a word."""


def printed_name(source: str) -> str:
    r"""A printed name in plain letters; ``\theoremname`` counts as the word itself."""
    source = decided(source, ARGUMENTS, first=True)
    plain = COMMAND.sub(
        lambda command: f"{command[1].removesuffix('name')} " if command[1].endswith("name") else "",
        plain_title(plain_letters(_MARK.sub("", source))),
    )
    if plain.count('"') == 1 and _UMLAUT.search(plain):
        plain = german_letters(plain)
    name = " ".join(_NO_LETTERS.sub("", plain).split()).strip(" .")
    return name if any(map(str.isalpha, name)) else ""


def _theorem(text: str, command: str, at: int, starred: bool) -> Declared:
    """Read ``[options]{name}[like]{Printed}[within]``, with the pieces in brackets left out or not."""
    pieces, end = read_pieces(text, at, "ogogo")
    if pieces is None:
        return Declared([], at)
    _, name, like, printed, within = map(str.strip, pieces)
    style = _STYLES.get(command, "")
    environment = Declaration(
        name,
        # A proof declared like a theorem may say which theorem it proves: keep the reference.
        printed if command == "newproof" else printed_name(printed),
        source=printed if "\\" in printed and command != "newproof" else "",
        like=like or _SHARED.get(command, ""),
        within=within,
        numbered=not starred and command != "newproof",
        style=style,
        again=command in _REPLACING,
    )
    if not _is_name(environment.name):
        return Declared([], end)
    if command.endswith("rep"):
        again = replace(environment, name=f"{environment.name}rep", like=environment.name, within="")
        return Declared([environment, again], end)
    return Declared([environment], end)


_REPLACING = frozenset(
    {"renewtheorem", "renewkeytheorem", "declarekeytheorem", "renewtcbtheorem", "RenewTcbTheorem", "DeclareTcbTheorem"}
)
_SHARED: Mapping[str, str] = {"newsiamthm": "theorem", "newsiamremark": "theorem"}
_STYLES: Mapping[str, str] = {"newdefinition": "definition", "newsiamremark": "remark", "newproof": "proof"}


def _thmtools(text: str, command: str, at: int, _starred: bool) -> Declared:
    r"""Read ``\declaretheorem[keys]{name, …}`` or ``\declaretheorem{name}[keys]``."""
    pieces, end = read_pieces(text, at, "ogo")
    if pieces is None:
        return Declared([], at)
    before, names, after = pieces
    keys = key_values(",".join(filter(str.strip, (before, after))))
    found = [name for name in map(str.strip, names.split(",")) if _is_name(name)]
    return Declared([replace(_keyed(name, keys), again=command in _REPLACING) for name in found], end)


def _keyed(name: str, keys: Mapping[str, str]) -> Declaration:
    printed = first_key(keys, "name", "title", "heading")
    return Declaration(
        name,
        printed_name(printed) or name.capitalize(),
        source=printed if "\\" in printed else "",
        like=first_key(keys, "sibling", "sharenumber", "sharecounter", "numberlike", "numbersameas"),
        within=first_key(keys, "numberwithin", "parent", "within"),
        numbered=keys.get("numbered", "yes").strip().casefold() not in ("no", "false"),
        unless_unique=keys.get("numbered", "").strip() in ("unless unique", "unless-unique"),
        style=keys.get("style", ""),
    )


def _at_end(text: str, command: str, at: int, _starred: bool) -> Declared:
    r"""Read ``\newEndThm[config]{thmE}{theorem}`` or ``\newEndProof[config]{proofE}``."""
    pieces, end = read_pieces(text, at, "ogg" if command == "newEndThm" else "og")
    names = [name.strip() for name in pieces[1:]] if pieces else []
    if not names or not all(map(_is_name, names)):
        return Declared([], at)
    if command == "newEndProof":
        return Declared([Declaration(names[0], "Proof", numbered=False, style="proof")], end)
    return Declared([Declaration(names[0], "", like=names[-1], same_as=names[-1])], end)


_SHARED_COUNTER = ("use counter from", "use counter", "use counter*")


def _box(text: str, command: str, at: int, _starred: bool) -> Declared:
    r"""Read ``\newtcbtheorem[init]{name}{Printed}{options}{prefix}``."""
    pieces, end = read_pieces(text, at, "ogggg")
    if pieces is None:
        return Declared([], at)
    initial, name, printed, given, prefix = pieces
    keys = key_values(initial)
    options = {**keys, **key_values(given)}
    environment = Declaration(
        name.strip(),
        printed_name(printed),
        like=first_key(keys, *_SHARED_COUNTER),
        within=first_key(keys, "number within"),
        numbered="no counter" not in keys,
        restyled="use counter" in keys,
        style=BOXED,
        prefix=prefix.strip() + options.get("label separator", ":"),
        box_styles=() if "label separator" in options else tuple(key for key, value in options.items() if not value),
        source=printed if "\\" in printed else "",
        again=command in _REPLACING,
    )
    return Declared([environment] if _is_name(environment.name) else [], end)


def read_box_counter(text: str, at: int) -> Declaration | None:
    r"""The counter of ``\newtcolorbox[auto counter, number within=section]{name}…``, whose command ends at `at`."""
    pieces, _ = read_pieces(text, at, "og")
    if pieces is None or not _is_name(pieces[1].strip()):
        return None
    keys = key_values(pieces[0])
    like, within = first_key(keys, *_SHARED_COUNTER), first_key(keys, "number within")
    if not (like or within or "auto counter" in keys):
        return None
    return Declaration(pieces[1].strip(), "", like=like, within=within, restyled="use counter" in keys)


def form_of(declared: Declaration | None, family: str, name: str) -> str:
    """The word for a statement: its printed name, or else that of its family, or else that of its environment.

    One that prints a number alone is a paragraph.
    """
    printed = declared.printed.casefold() if declared else ""
    if declared is not None and not printed and len(name) > len(family) and by_word(name):
        return name.casefold()  # A word that says more than its family, and no abbreviation.
    if declared is not None and not declared.printed and not COMMAND.search(_MARK.sub("", declared.source)):
        name = "paragraph"
    return (printed if len(printed) <= _LONGEST_FORM else "") or family or name


_LIKE_NEWTHEOREM = (
    "newtheorem renewtheorem spnewtheorem newmdtheoremenv mdtheorem newshadetheorem newshadedtheorem newframedtheorem "
    "newboxedtheorem newboxtheorem newtheoremrep newdefinition newproof newsiamthm newsiamremark"
)
DECLARING: Mapping[str, Callable[[str, str, int, bool], Declared]] = {
    **dict.fromkeys(_LIKE_NEWTHEOREM.split(), _theorem),
    **dict.fromkeys(("declaretheorem", "newkeytheorem", "renewkeytheorem", "declarekeytheorem"), _thmtools),
    **dict.fromkeys(("newEndThm", "newEndProof"), _at_end),
    **dict.fromkeys(("newtcbtheorem", "renewtcbtheorem", "providetcbtheorem"), _box),
    **{f"{verb}TcbTheorem": _box for verb in ("New", "Renew", "Provide", "Declare")},
}
"""Commands that declare theorem-like environments, and how each is read."""


def key_values(source: str) -> dict[str, str]:
    """Keys and values of an option; a key alone has an empty value."""
    found: dict[str, str] = {}
    for part in _split(COMMENT.sub("\n", source)):
        if part.strip().startswith("{") and part.strip().endswith("}") and "=" in part:
            # One key in braces, as thmtools wants a value that begins with a bracket: [{name=[…]},label=a].
            found.update(key_values(part.strip()[1:-1]))
            continue
        key, _, value = part.partition("=")
        if key.strip():
            group = read_group(value.strip(), 0)
            is_whole = group is not None and group.end == len(value.strip())
            found[" ".join(key.split())] = group.text.strip() if group is not None and is_whole else value.strip()
    return found


def _split(source: str) -> Iterator[str]:
    """Parts between commas that stand outside of braces and brackets."""
    depth = start = 0
    for match in _COMMA.finditer(source):
        if match.group() in "{[":
            depth += 1
        elif match.group() in "}]":
            depth -= 1
        elif depth == 0:
            yield source[start : match.start()]
            start = match.end()
    yield source[start:]


def first_key(keys: Mapping[str, str], *names: str) -> str:
    """The value of the first of these keys that has one."""
    return next((keys[name] for name in names if keys.get(name)), "")


def _is_name(name: str) -> bool:
    return bool(name) and not any(character in name for character in "#\\{}")


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
