"""The rules of search as data, for a runtime that is not Python: what a query means, and how much each evidence counts.

The script of a written site computes the same ranking from them; only its steps are written twice.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from types import ModuleType
from typing import Any

from naturalproofs import tokens
from naturalproofs.sources.latex import symbols
from naturalproofs.workspace.search import formulas, index, query, ranking, text

_NAMES: dict[ModuleType, str] = {
    text: "PIECE ENDINGS SHORTEST STOP KINDS_OF_RESULT",
    query: "SAME NOTATION_ONLY MOST NAME OTHERS ALIKE LONGEST MOST_WORDS FILTERS PART GROUPED CITED MATHS LONG_WORD "
    "LETTERS OPERATOR MODIFIER DEFINITION CLAIM",
    formulas: "LONGEST FENCE SYMBOL NAMED NAMED_OPERATORS WRITTEN SCRIPTS LARGE CUTS NOTATION NOTIONS",
    symbols: "LETTERS",
    index: "COMMON_GRAM MAX_ALTERNATIVES SHORTEST_CORRECTED LONGEST_CORRECTED SHORTEST_TWICE_WRONG MAX_COMPARED "
    "MAX_NAMED MAX_DEFINING NUMBER",
    ranking: "CANDIDATES FEWER_CANDIDATES FIRST_STAGE_WORDS FIRST_STAGE_SHARE CHANCE PREFIX_SHARE CORRECTED_SHARE "
    "ALIKE_SHARE SELDOM OFTENER SHORTEST_SLIP ENOUGH FORMULA_WEIGHT FORMULA_LENGTH TEXT_WEIGHT LONG_TEXT TERM_WEIGHT "
    "USED_WEIGHT MOST_USED OTHER_KINDS KIND_OF_RESULT MEANING_WEIGHT NEAREST LEAST NAMED KEYED "
    "BEST_REWRITTEN NOT_CLAIMED MAX_PHRASE",
    tokens: "K1",
}
_SAME = ((r"[^\W\d_]", r"\p{L}"), (r"[^\W_]", r"[\p{L}\p{N}]"), ("(?P<", "(?<"))
_ATOM = re.compile(r"\\.|\[|\]|[+*?}]\+|.", re.DOTALL)
_ESCAPED = frozenset(r"^$\.*+?()[]{}|/")


def rules() -> dict[str, Any]:
    """The constants, tables and patterns by module and name, as values for JSON."""
    return {
        module.__name__.rpartition(".")[2]: {name: _plain(vars(module)[name]) for name in names.split()}
        for module, names in _NAMES.items()
    }


def _plain(value: object) -> Any:
    if isinstance(value, re.Pattern):
        flags = {re.IGNORECASE: "i", re.DOTALL: "s"}
        return {
            "pattern": javascript(value.pattern),
            "flags": "u" + "".join(name for flag, name in flags.items() if value.flags & flag),
        }
    if isinstance(value, dict):
        return {(chr(key) if isinstance(key, int) else key): _plain(item) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return sorted(value)
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def javascript(pattern: str) -> str:
    """A regular expression in the notation of JavaScript (with its flag `u`); possessive repetitions become greedy."""
    made, inside = "", False
    for atom in _ATOM.findall(pattern):
        if atom in ("[", "]"):
            inside = atom == "["
        if len(atom) == 2 and atom[0] == "\\":
            made += atom if inside or atom[1].isalnum() or atom[1] in _ESCAPED else atom[1]
        else:
            made += atom if inside or len(atom) == 1 else atom[0]
    for ours, theirs in _SAME:
        made = made.replace(ours, theirs)
    parts = re.split(r"(\[(?:\\.|[^\\\]])*\])", made, flags=re.DOTALL)
    return "".join(
        part.replace(r"\w", r"\p{L}\p{N}_" if number % 2 else r"[\p{L}\p{N}_]").replace('\\"', '"').replace("\\'", "'")
        for number, part in enumerate(parts)
    )
