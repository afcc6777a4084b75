r"""Theorem environments: ``\newtheorem`` and its variants."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from naturalproofs.sources.latex.scan.arguments import (
    COMMAND,
    COMMENT,
    german_letters,
    plain_letters,
    plain_title,
    read_pieces,
)
from naturalproofs.sources.latex.scan.conditionals import ARGUMENTS, decided
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
        if part.strip().startswith("{") and part.strip().endswith("}") and "=" in part and len(part) < len(source):
            # One key in braces, as thmtools wants a value that begins with a bracket: [{name=[…]},label=a].
            found.update(key_values(part.strip()[1:-1]))
            continue
        key, _, value = part.partition("=")
        if key.strip():
            found[" ".join(key.split())] = value.strip().removeprefix("{").removesuffix("}").strip()
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
