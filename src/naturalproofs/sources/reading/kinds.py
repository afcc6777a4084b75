"""What an environment is, by its printed name, its own name and the theorem style in force.

The words are in ``data/statement_words.json``. They cover English, French, German, Spanish, Italian, Portuguese,
Polish, Russian, Dutch, Chinese and Japanese fully, and the most frequent words of some other languages. A word that
ends in ``~`` is a stem: it stands for all words that begin with it. Chinese and Japanese do not separate words, so
their words count anywhere.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from naturalproofs.records import Kind

Role: TypeAlias = Literal["theorem", "definition", "other", "proof", "ignore"]
"""What an environment holds: a statement of some kind, a proof, or nothing of interest."""

ROLES: tuple[Role, ...] = ("theorem", "definition", "other", "proof", "ignore")


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """What one thing is called; words are separated by spaces."""

    words: str
    environments: str = ""
    """Usual names of environments beside the words, without regard to case and star."""
    abbreviations: str = ""
    """Abbreviations that are words of their own elsewhere, so they count only as headings and before numbers."""


class Family(Words, frozen=True, kw_only=True):
    """Statements that go by one word, such as lemmas."""

    kind: Kind
    provable: bool = False
    """Whether a proof right after it is its own although it is no theorem."""


class _Vocabulary(msgspec.Struct, frozen=True):
    """The file of words."""

    families: dict[str, Family]
    proof: Words
    solutions: frozenset[str]
    """What the solution of an exercise is called, as an environment or in its heading."""
    assumed: dict[str, Role]
    """What environments hold in a document whose declarations are missing, beside those with usual names."""
    not_environments: frozenset[str]
    """Words that name statements only where a project declares them so."""
    provable: frozenset[str]
    """Words that name theorems where a project declares them so, unless their style says otherwise."""
    asides: frozenset[str]
    """Words that name no theorem in any style."""
    ignored: frozenset[str]
    """Words that name nothing that is stated."""


_FILE = resources.files("naturalproofs.data") / "statement_words.json"
_VOCABULARY = msgspec.json.decode(_FILE.read_bytes(), type=_Vocabulary)

FAMILIES: Mapping[str, Family] = _VOCABULARY.families
"""Statements by what they are called; a family is cited by any of its words."""
NOT_ENVIRONMENTS = _VOCABULARY.not_environments

_WORD = re.compile(r"[^\W\d_]+")
_ABBREVIATED = re.compile(r"([^\W\d_]++(?:-во)?+)(?=\s*+(?:[.:]|\d|$))")
_NOT_A_LETTER = re.compile(r"[\W\d_]+")
_PROOF_NAME = re.compile(
    r"(?:sketch|idea|outline|claim|lemma|theorem|thm|sub|inner|nested|my|own|short|alternative|alternate|alt|full|detailed"
    r"|second|another|partial|deferred|postponed|delayed|named|custom|local|def)*(?:of)?(?:the)?(?:proof|prf|pf)s?(?:of)?(?:the)?"
    r"(?:sketch|idea|outline|claim|lemma|theorem|thm|prop|proposition|corollary|part|step|case|noqed|nobox|named|env)*"
)
"""Names of environments made of the word for "proof" and others; a prooftree, for one, is no proof."""
_NAME_PARTS = re.compile(r"[^\W\d_A-Z]{2,}|[A-Z][^\W\d_A-Z]+|[A-Z]{2,}")
"""The words of a name such as propositionDef or main-theorem; single letters are none."""
_STAR_OR_NUMBER = re.compile(r"[*\d]+$")
_RANK: dict[Role, int] = {"proof": 0, "theorem": 1, "definition": 2, "other": 3, "ignore": 4}


class Sense(NamedTuple):
    """What an environment holds, and the family of words it is cited by."""

    role: Role
    family: str = ""
    provable: bool = False


PROOF = Sense("proof")
SOLUTION = Sense("proof", "solution")
"""The solution of an exercise: a proof of nothing else."""
BOXED = "box"
"""The style of boxes, which says nothing about what stands in them."""


def by_printed_name(printed: str, style: str = "", name: str = "") -> Sense:
    """What a declared theorem-like environment is: by its printed name, or else by its own, or else by its style.

    Args:
        printed: The printed name, in any language.
        style: The theorem style in force; empty when none was ever set, which is plain.
        name: The name of the environment.
    """
    known = [sense for word in words_of(printed) if (sense := by_word(word))]
    if not known and (short := abbreviated(printed.strip(" .:"))):
        known.append(short[0])
    if known:
        # "Proposition and definition" can be proved, so it is a theorem.
        return min(known, key=lambda sense: _RANK[sense.role])
    if sense := by_environment_name(name):
        return sense
    family = " ".join(printed.casefold().split())
    words = {word.casefold() for word in words_of(printed)}
    if words & _VOCABULARY.ignored:
        return Sense("ignore")
    provable = not words.isdisjoint(_VOCABULARY.provable)
    plain = style.casefold().startswith("plain") or (not style and family) or (style == BOXED and provable)
    return Sense("theorem" if plain and words.isdisjoint(_VOCABULARY.asides) else "other", family, provable)


def by_environment_name(name: str) -> Sense | None:
    """What an environment is that was not declared, by usual names."""
    plain = _STAR_OR_NUMBER.sub("", name).casefold()
    if _ENVIRONMENTS.get(plain) is PROOF or _PROOF_NAME.fullmatch(_NOT_A_LETTER.sub("", plain)):
        return PROOF
    if plain in NOT_ENVIRONMENTS:
        return None
    if plain in _ENVIRONMENTS:
        return _ENVIRONMENTS[plain]
    if plain.startswith("my") and (sense := by_environment_name(plain[2:].lstrip("-_"))):
        return sense
    parts = _NAME_PARTS.findall(_STAR_OR_NUMBER.sub("", name))
    senses = [by_environment_name(part) for part in parts if part != name]
    if senses and senses[-1] and (all(senses) or senses[-1].role != "proof"):
        return min(filter(None, senses), key=lambda sense: _RANK[sense.role])
    return by_word(plain)


def by_assumed_name(name: str) -> Sense | None:
    """What an environment is that must have been declared in a file that is missing."""
    plain = _STAR_OR_NUMBER.sub("", name).casefold()
    role = _VOCABULARY.assumed.get(plain)
    return None if role is None else PROOF if role == "proof" else Sense(role, plain)


def is_solution(name: str) -> bool:
    """Whether an environment of this name, or printed name, holds the solution of an exercise."""
    return _STAR_OR_NUMBER.sub("", name).strip(" .:").casefold() in _VOCABULARY.solutions


def words_of(text: str) -> list[str]:
    """The words of a text; of Chinese and Japanese, those of the tables, the longest ones first."""
    return [part for word in _WORD.findall(text) for part in (_UNSPACED.findall(word) or [word])]


@lru_cache(maxsize=10_000)
def by_word(word: str) -> Sense | None:
    """The sense of one word, if it is in the tables."""
    word = _folded(word)
    if word in _WORDS or not word.startswith(_BEGINNINGS):
        return _WORDS.get(word)
    return next((sense for stem, sense in _STEMS if word.startswith(stem)), None)


def by_abbreviation(word: str) -> Sense | None:
    """The sense of a usual abbreviation, without its stop, at a place where a word for statements is expected."""
    return _ABBREVIATIONS.get(word.casefold())


def abbreviated(heading: str, at: int = 0) -> tuple[Sense, int] | None:
    """What a heading is by an abbreviation that stands before a stop or a number or alone, and where that ends."""
    short = _ABBREVIATED.match(heading, at)
    sense = by_abbreviation(short[1]) if short else None
    return (sense, short.end(1)) if short and sense else None


def _folded(word: str) -> str:
    """A word by which those are found that differ in case, in the Greek accent, in dots of i, or in ţ and ț."""
    return word.casefold().translate(_SAME_LETTERS)


def by_numbered_word(word: str) -> Sense | None:
    """The sense of a word that a number follows in a heading."""
    return by_word(word) or (
        Sense("theorem", word.casefold(), True) if word.casefold() in _VOCABULARY.provable else None
    )


_SAME_LETTERS = str.maketrans("άέήίόύώţşı", "αεηιουωțși", "\u0307")
_NAMED: list[tuple[Words, Sense]] = [
    *((entry, Sense(entry.kind, family, entry.provable)) for family, entry in FAMILIES.items()),
    (_VOCABULARY.proof, PROOF),
]
_WORDS = {_folded(word): sense for entry, sense in _NAMED for word in entry.words.split()}
_ENVIRONMENTS = {name: sense for entry, sense in _NAMED for name in entry.environments.split()}
_ABBREVIATIONS = {word: sense for entry, sense in _NAMED for word in entry.abbreviations.split()}
_STEMS = [(word[:-1], sense) for word, sense in _WORDS.items() if word[-1] == "~"]
_BEGINNINGS = tuple(stem for stem, _ in _STEMS)
_UNSPACED_WORDS = [word for word in _WORDS if word[0] >= "\u3000" and len(word) > 1]
_UNSPACED = re.compile("|".join(sorted(_UNSPACED_WORDS, key=len, reverse=True)))
"""Words of languages that do not separate them; a single character may be part of any other word."""
