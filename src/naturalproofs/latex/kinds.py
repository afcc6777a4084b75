"""What an environment is, by its printed name, its own name and the theorem style in force."""

import re
from functools import lru_cache
from typing import NamedTuple

from naturalproofs.latex.words import (
    ENVIRONMENT_NAMES,
    FAMILIES,
    NOT_ENVIRONMENTS,
    PROOF_ENVIRONMENTS,
    PROOF_WORDS,
    Role,
)

_WORD = re.compile(r"[^\W\d_]+")
_STAR_OR_NUMBER = re.compile(r"[*\d]+$")
_RANK: dict[Role, int] = {"proof": 0, "theorem": 1, "definition": 2, "other": 3, "ignore": 4}


class Sense(NamedTuple):
    """What an environment holds, and the family of words it is cited by."""

    role: Role
    family: str = ""
    provable: bool = False


PROOF = Sense("proof")


def by_printed_name(printed: str, style: str = "") -> Sense:
    """What a declared theorem-like environment is; `style` is the theorem style, empty when none was ever set."""
    known = [sense for word in _WORD.findall(printed) if (sense := by_word(word))]
    if known:
        # "Proposition and definition" can be proved, so it is a theorem.
        return min(known, key=lambda sense: _RANK[sense.role])
    family = " ".join(printed.casefold().split())
    return Sense("theorem" if style.casefold().startswith("plain") else "other", family)


def by_environment_name(name: str) -> Sense | None:
    """What an environment is that nobody declared, by the names people use."""
    plain = _STAR_OR_NUMBER.sub("", name).casefold()
    if plain in PROOF_ENVIRONMENTS:
        return PROOF
    if plain in NOT_ENVIRONMENTS:
        return None
    if plain in ENVIRONMENT_NAMES:
        return _sense(ENVIRONMENT_NAMES[plain])
    return by_word(plain)


@lru_cache(maxsize=10_000)
def by_word(word: str) -> Sense | None:
    """The sense of one word, if it is in the tables."""
    word = word.casefold()
    if word in _exact():
        return _exact()[word]
    return next((sense for stem, sense in _stems() if word.startswith(stem)), None)


def _sense(family: str) -> Sense:
    entry = FAMILIES[family]
    return Sense(entry.kind, family, entry.provable)


@lru_cache(maxsize=1)
def _exact() -> dict[str, Sense]:
    found = {
        word: _sense(family) for family, entry in FAMILIES.items() for word in entry.words.split() if word[-1] != "~"
    }
    return {**found, **{word: PROOF for word in PROOF_WORDS.split() if word[-1] != "~"}}


@lru_cache(maxsize=1)
def _stems() -> list[tuple[str, Sense]]:
    found = [
        (word[:-1], _sense(family))
        for family, entry in FAMILIES.items()
        for word in entry.words.split()
        if word[-1] == "~"
    ]
    return [*found, *((word[:-1], PROOF) for word in PROOF_WORDS.split() if word[-1] == "~")]
