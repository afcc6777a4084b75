"""Commands and environments of text: what each prints, as data of ``data/latex_text.json``."""

import re
from collections.abc import Callable, Mapping
from importlib import resources
from unicodedata import normalize

import msgspec

from naturalproofs.sources.latex.macros.packages import GERMAN_SHORTHANDS, QUOTE_LIGATURES, RUSSIAN_SHORTHANDS
from naturalproofs.sources.latex.scan.arguments import ACCENT_MARKS, GERMAN, SPECIAL_LETTERS
from naturalproofs.sources.latex.scan.symbols import DIAGRAMS


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names side by side, by what they stand for."""

    styles: dict[str, list[str]]
    switches: dict[str, list[str]]
    lists: dict[str, list[str]]
    pictures: dict[str, list[str]]
    known: dict[str, list[str]]
    arguments: dict[str, list[str]]
    commands: dict[str, list[str]]
    parameters: dict[str, list[str]]
    grids: list[tuple[str, str, str, int, str]]
    letters: dict[str, str]


_FILE = resources.files("naturalproofs.data") / "latex_text.json"
_DATA = msgspec.json.decode(_FILE.read_bytes(), type=_Data)


def _by_name(table: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: value for value, lines in table.items() for line in lines for name in line.split()}


def _names(kind: str) -> frozenset[str]:
    return frozenset(" ".join(_DATA.known[kind]).split())


STYLES: Mapping[str, str] = _by_name(_DATA.styles)
"""Elements of HTML by the command that sets its argument so."""
SWITCHES: Mapping[str, str] = _by_name(_DATA.switches)
"""The same for commands that hold to the end of their group."""
LISTS: Mapping[str, bool] = {name: kind == "numbered" for name, kind in _by_name(_DATA.lists).items()}
PICTURES: Mapping[str, str] = {**dict.fromkeys(DIAGRAMS, "diagram"), **_by_name(_DATA.pictures)}
VERBATIM, DROPPED = _names("verbatim"), _names("dropped")
METADATA = _names("metadata")
"""Commands that say something about a statement; they are dropped, whatever an author defines them to be."""
CITATIONS = _names("citations")
"""Commands of formulas that cite the bibliography."""
ENVIRONMENT_ARGUMENTS: Mapping[str, int] = {name: int(count) for name, count in _by_name(_DATA.arguments).items()}
"""How many arguments without text stand at the beginning of an environment of text."""
COMMANDS: Mapping[str, str] = _by_name(_DATA.commands)
"""Commands that print one of their arguments or nothing, by these: letters of xparse, and ``p`` for what is printed."""
QUIET = {name for name, letters in COMMANDS.items() if "p" not in letters} | {"kern", "hskip", "vskip", "glossary"}
"""Commands that print nothing of a statement."""
PARAMETERS: Mapping[str, bool] = {name: kind == "number" for name, kind in _by_name(_DATA.parameters).items()}
"""Parameters of TeX's layout, and whether they are numbers, not lengths; an assignment to one prints nothing."""
LOCAL_DEFINITIONS = ("newcommand", "renewcommand", "providecommand", "def")
"""Definitions that may stand in a statement; they hold to the end of their group."""
LOOKS = _DATA.grids
"""Environments with cells: their class, their brackets, how many arguments they take, and the names of those."""
LETTERS: Mapping[str, str] = {**SPECIAL_LETTERS, **_DATA.letters}
_ADDRESS = re.compile(r"\\(?:url|nolinkurl|href)\s*+\{[^{}\n]*+\}")
TYPOGRAPHY = {
    "~": "\u00a0", "``": "“", "''": "”", "`": "‘", "'": "’", "--": "–", "---": "—", "&": "&", "}": "",
    '"=': "-", '"~': "-",
}  # fmt: skip
_RUSSIAN = {'"---': "—", '"--': "—", '"`': "„", "\"'": "“", '"<': "«", '">': "»", '"-': "", '""': "", '"|': ""}
"""The shorthands of babel in Russian."""
_QUOTES = {"<<": "«", ">>": "»", ",,": "„"}
"""Quotation marks that some fonts make of two symbols."""
ORDINALS = {"ier": "er", "iers": "ers", "iere": "re", "ie": "e", "ieme": "e", "iemes": "es"}
"""The endings of French ordinals, which stand directly behind a number."""


def shorthand(symbol: str, macro: Callable[[str], object]) -> str | None:
    """What two symbols print by a shorthand of babel or in some fonts; None if they stand for themselves.

    Args:
        symbol: The symbols.
        macro: Gives the macro of a name, if there is one.
    """
    tables = ((GERMAN_SHORTHANDS, GERMAN), (RUSSIAN_SHORTHANDS, _RUSSIAN), (QUOTE_LIGATURES, _QUOTES))
    return next((table[symbol] for name, table in tables if symbol in table and macro(name)), TYPOGRAPHY.get(symbol))


def accented(mark: str, letter: str) -> str:
    """A letter under an accent, as one symbol where there is one."""
    base = {"\\i": "i", "\\j": "j"}.get(letter.strip(), letter.strip())
    return normalize("NFC", base[:1] + ACCENT_MARKS[mark] + base[1:]) if base else ""


def with_escaped_addresses(source: str) -> str:
    """A text in which the percent characters of addresses begin no comments."""
    if "%" not in source or not ("\\url" in source or "\\href" in source):
        return source
    return _ADDRESS.sub(lambda match: match.group().replace("\\%", "%").replace("%", "\\%"), source)
