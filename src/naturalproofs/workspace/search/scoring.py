"""How well each statement answers a query: words, phrases, formulas and meaning, one array each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naturalproofs.workspace.search.formulas import grams
from naturalproofs.workspace.search.making import Made, Stream
from naturalproofs.workspace.search.meaning import Meaning
from naturalproofs.workspace.search.postings import best_of
from naturalproofs.workspace.search.query import Query
from naturalproofs.workspace.search.settings import Settings

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
MOST_ENDINGS = 30
"""Words that are tried for one that is still being typed."""


@dataclass(slots=True)
class Scores:
    """What a query says about every statement."""

    total: Floats
    matches: Flags
    """Whether enough of what is asked for is there."""
    corrections: list[tuple[str, str]] = field(default_factory=list)
    looked_for: set[str] = field(default_factory=set)
    """The words to highlight, folded."""


@dataclass(frozen=True, slots=True)
class _Alternatives:
    """The words of the corpus that a typed word may stand for, each with its share."""

    terms: list[tuple[int, float]]
    rarity: float


def score(made: Made, meaning: Meaning, query: Query, settings: Settings) -> Scores:
    """Score every statement."""
    size = made.words.size
    result = Scores(np.zeros(size, np.float32), np.ones(size, np.bool_))
    _words(made, meaning, query, settings, result)
    _formulas(made, query, settings, result)
    for phrase in query.phrases:
        holding = phrase_in(made, phrase)
        result.looked_for.update(phrase)
        result.matches &= holding > 0
        result.total += np.minimum(holding, 3) / 3 * np.float32(settings.formula)
    for phrase in query.excluded:
        result.matches &= phrase_in(made, phrase) == 0
    if query.empty:
        # Filters alone: reading order.
        result.total += 1
    result.total[~result.matches & ~_may_be_near(query, result)] = 0
    return result


def _may_be_near(query: Query, result: Scores) -> Flags:
    """Statements that are found by meaning alone, which a phrase or an exclusion rules out."""
    free = bool(query.words) and not (query.phrases or query.excluded)
    return np.full(len(result.total), free)


def _words(made: Made, meaning: Meaning, query: Query, settings: Settings, result: Scores) -> None:
    size = made.words.size
    scores, held = np.zeros(size, np.float32), np.zeros(size, np.float32)
    most = asked = 0.0
    places: list[tuple[int, float]] = []
    for place, (word, spelt) in enumerate(zip(query.words, query.spelt, strict=True)):
        last = place == len(query.words) - 1
        found = _alternatives(made, word, settings, unfinished=query.unfinished and last)
        result.looked_for.update(made.vocabulary.words[term] for term, _ in found.terms)
        known = word in made.vocabulary.numbers
        if found.terms and not known:
            best = found.terms[0][0]
            if not made.vocabulary.words[best].startswith(word):
                result.corrections.append((spelt, made.vocabulary.spellings[best]))
        worth = best_of(made.words, found.terms)
        scores += worth
        held += np.float32(found.rarity) * (worth > 0)
        asked += found.rarity
        most += found.rarity * (settings.saturation + 1)
        places += [(term, share * found.rarity) for term, share in found.terms[:3]]
    if not query.words:
        return
    if asked:
        result.total += scores / np.float32(most)
        result.matches &= held >= np.float32(settings.enough * asked - 1e-6)
    else:
        result.matches &= False
    near = meaning.near(places) if settings.meaning else None
    if near is not None:
        # One or two words are names more often than descriptions: meaning has its full say from six words on.
        share = settings.meaning * min(1.0, (len(query.words) - 1) / 5)
        result.total += np.float32(share) * np.maximum(near, 0)


def _alternatives(made: Made, word: str, settings: Settings, *, unfinished: bool) -> _Alternatives:
    vocabulary, postings = made.vocabulary, made.words
    number = vocabulary.numbers.get(word)
    terms = [] if number is None else [(number, 1.0)]
    if (unfinished and len(word) >= 2) or (number is None and len(word) >= 3):
        begun = sorted(vocabulary.beginning(word), key=postings.count, reverse=True)[:MOST_ENDINGS]
        # A rare ending is no better a match than the word itself.
        most = postings.rarity(number if number is not None else begun[0]) if begun else 0.0
        terms += [
            (other, settings.prefix * min(1.0, most / postings.rarity(other))) for other in begun if other != number
        ]
    if not terms:
        near = sorted(vocabulary.near(word), key=postings.count, reverse=True)[:MOST_ENDINGS]
        terms = [(other, settings.slip) for other in near]
    if not terms:
        # A word that is nowhere is as telling as the rarest there is.
        return _Alternatives([], float(np.log1p(postings.size)))
    return _Alternatives(terms, postings.rarity(terms[0][0]))


def _formulas(made: Made, query: Query, settings: Settings, result: Scores) -> None:
    """Each formula by the share of its grams, weighed by rarity, that a statement has."""
    for formula in query.formulas:
        wanted = grams(formula)
        found = np.searchsorted(made.grams, wanted)
        inside = np.minimum(found, max(len(made.grams) - 1, 0))
        known = inside[made.grams[inside] == wanted] if len(made.grams) else np.zeros(0, np.int64)
        scores = np.zeros(made.words.size, np.float32)
        most = (len(wanted) - len(known)) * float(np.log1p(made.words.size))
        for term in known:
            where, worth = made.formulas.of(int(term))
            scores[where] += worth
            most += 1.5 * made.formulas.rarity(int(term))
        share = scores / np.float32(max(most, 1e-6))
        if not (query.words or query.phrases):
            # Beside words a formula only ranks: a theorem that is pasted whole asks for none of its formulas alone.
            result.matches &= share >= 0.5 * share.max(initial=0) if known.size else False
        result.total += np.float32(settings.formula) * share


def phrase_in(made: Made, phrase: tuple[str, ...]) -> Floats:
    """How often each statement holds the words one after another."""
    stream: Stream = made.stream
    numbers = [made.vocabulary.numbers.get(word) for word in phrase]
    if None in numbers or len(stream.words) < len(numbers):
        return np.zeros(made.words.size, np.float32)
    count = len(stream.words) - len(numbers) + 1
    at = np.ones(count, np.bool_)
    for shift, number in enumerate(numbers):
        at &= stream.words[shift : shift + count] == number
    owners = np.searchsorted(stream.starts, np.flatnonzero(at), side="right") - 1
    return np.bincount(owners, minlength=made.words.size).astype(np.float32)
