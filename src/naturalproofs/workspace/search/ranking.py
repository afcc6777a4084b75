"""Ranking of one corpus: FTS5 finds candidates, which are then scored by BM25F, formulas and meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from naturalproofs.workspace.search.documents import field_counts, idf, saturated
from naturalproofs.workspace.search.index import COMMON_GRAM, Filter, NameField, SearchIndex
from naturalproofs.workspace.search.query import Query
from naturalproofs.workspace.search.text import grams

CANDIDATES = 200
FIRST_STAGE_WORDS = 10
FIRST_STAGE_SHARE = 0.7
"""Candidates are searched by the rarest words that make up this share of the query's idf; the others only score."""
PREFIX_SHARE = 0.6
"""The score of a word that completes the last word typed, relative to the word itself."""
CORRECTED_SHARE = 0.5
ENOUGH = 0.5
"""The share of the query's words, by idf, that a statement must have to count as a match."""
FORMULA_WEIGHT = 1.0
PHRASE_BONUS = 0.2
"""For a statement that has all words of the query side by side."""
MEANING_WEIGHT = 0.2
NEAREST = 100
"""Statements that are scored because they are near in meaning."""
LEAST = 0.05
"""Lower scores are chance."""
NAMED = 10.0
"""The score of a statement that is asked for by its label, number, tag or title."""
DEFINITION_BOOST = 1.5
"""The factor of definitions if a definition is asked for."""


@dataclass(slots=True)
class Ranking:
    """The statements of one corpus that answer a query, and their scores."""

    scores: dict[int, float] = field(default_factory=dict)
    matches: set[int] = field(default_factory=set)
    """Those that have enough of the query; the others are only near."""
    total: int = 0
    fields: dict[int, NameField] = field(default_factory=dict)
    """Those that are asked for by name."""
    terms: set[str] = field(default_factory=set)
    """The folded words to highlight."""
    corrections: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the query, as the terms of the corpus that it stands for."""

    shares: Mapping[str, float]
    """How much each term counts."""
    idf: float

    @property
    def match(self) -> str:
        """The FTS5 expression."""
        terms = " OR ".join(f'"{term}"' for term in self.shares)
        return f"({terms})"


def knows(index: SearchIndex, word: str) -> bool:
    """Whether a corpus has a word or one that starts with it."""
    return bool(index.document_counts([word]) or (len(word) >= 3 and index.completions(word)))


def rank(index: SearchIndex, query: Query, filters: Filter, misspelt: Collection[str], limit: int) -> Ranking:
    """Rank the statements that pass the filters.

    Args:
        index: The corpus.
        query: The query.
        filters: Which statements may be found.
        misspelt: Words of the query that no corpus knows.
        limit: How many statements are wanted.
    """
    result = Ranking()
    if query.empty:
        positions = index.passing(filters)
        result.total = len(positions)
        result.matches.update(positions[:limit])
        result.scores = dict.fromkeys(positions[:limit], 1.0)
        return result
    allowed = set(index.passing(filters)) if filters.parameters else None
    words = _words(index, query, misspelt, result)
    shares = _formula_shares(index, query.formulas, allowed)
    pool = set(sorted(shares, key=shares.__getitem__, reverse=True)[: max(CANDIDATES, limit)])
    searched = sorted((word for word in words if word.shares), key=lambda word: -word.idf)
    if searched:
        match = " OR ".join(word.match for word in _rarest(searched[:FIRST_STAGE_WORDS]))
        pool.update(index.matching(match, filters, max(CANDIDATES, 2 * limit)))
    near = _near(index, query, words, pool, allowed)
    _score(index, query, words, shares, near, pool.union(near), result)
    result.total = len(result.matches)
    if searched and not query.formulas:
        every = " AND ".join(word.match for word in words if word.shares) if len(searched) == len(words) else ""
        result.total = (index.count(every, filters) if every else 0) or result.total
    _add_named(index, query, allowed, result)
    return result


def _words(index: SearchIndex, query: Query, misspelt: Collection[str], result: Ranking) -> list[_Word]:
    """What each word of the query stands for in this corpus."""
    asked = dict.fromkeys([*query.words, *(word for phrase in query.phrases for word in phrase)])
    counts = index.document_counts(list(asked))
    spelt = dict(zip(query.words, query.spelt, strict=True))
    unfinished = query.words[-1] if query.unfinished and query.words else ""
    found: list[_Word] = []
    for word in asked:
        shares = {word: 1.0} if word in counts else {}
        frequency = counts.get(word, 0)
        if (word == unfinished and len(word) >= 2) or (not shares and len(word) >= 3):
            for term, count in index.completions(word):
                shares.setdefault(term, PREFIX_SHARE)
                frequency = frequency or count
        if not shares and word in misspelt:
            for term, count in index.corrections(word):
                if not shares:
                    result.corrections[spelt.get(word, word)] = index.spelling(term)
                shares[term] = CORRECTED_SHARE
                frequency = frequency or count
        # A word that occurs nowhere counts as the rarest.
        found.append(_Word(shares, idf(frequency, index.size)))
        result.terms.update(shares)
    return found


def _rarest(words: list[_Word]) -> list[_Word]:
    """The first words, of words in order of idf, that make up enough of the whole."""
    wanted = FIRST_STAGE_SHARE * sum(word.idf for word in words) - 1e-9
    found: list[_Word] = []
    for word in words:
        if sum(one.idf for one in found) >= wanted:
            break
        found.append(word)
    return found


def _formula_shares(index: SearchIndex, formulas: Collection[str], allowed: set[int] | None) -> dict[int, float]:
    """For each statement the share of the formulas' grams that it has, weighted by idf; a sum over the formulas."""
    found: defaultdict[int, float] = defaultdict(float)
    for formula in formulas:
        positions = {gram: index.with_gram(gram) for gram in grams(formula)}
        rare = {gram: held for gram, held in positions.items() if len(held) < COMMON_GRAM} or positions
        most = sum(idf(len(held), index.size) for held in rare.values())
        for held in rare.values():
            share = idf(len(held), index.size) / most
            for position in held:
                found[position] += share
    if allowed is not None:
        return {position: share for position, share in found.items() if position in allowed}
    return dict(found)


def _near(
    index: SearchIndex, query: Query, words: list[_Word], pool: Collection[int], allowed: set[int] | None
) -> dict[int, float]:
    """What nearness in meaning adds to the scores of candidates and of the nearest other statements."""
    # One or two words are names more often than descriptions.
    weight = MEANING_WEIGHT * min(1.0, (len(query.words) - 1) / 5)
    if weight <= 0:
        return {}
    weights = {term: share * word.idf for word in words for term, share in list(word.shares.items())[:3]}
    cosines = index.nearness(weights)
    if cosines is None:
        return {}
    nearest = {int(row) + 1 for row in cosines.argsort()[-NEAREST:]}
    found = {position: weight * float(cosines[position - 1]) for position in nearest.union(pool)}
    return {
        position: value for position, value in found.items() if value > 0 and (allowed is None or position in allowed)
    }


def _score(
    index: SearchIndex,
    query: Query,
    words: list[_Word],
    formula_shares: Mapping[int, float],
    near: Mapping[int, float],
    pool: Collection[int],
    result: Ranking,
) -> None:
    """Score the candidates; a score is the share of the best possible, so that corpora compare."""
    asked = sum(word.idf for word in words)
    wanted = {term for word in words for term in word.shares}
    best_share = max(formula_shares.values(), default=0.0)
    strict = bool(query.phrases or query.excluded)
    phrase = f" {' '.join(query.words)} " if len(query.words) > 1 else ""
    for position, *values in index.fields(pool):
        counts = field_counts(values, index.lengths, wanted)
        score = held = 0.0
        for word in words:
            worth = max(
                (share * saturated(counts[term]) for term, share in word.shares.items() if term in counts),
                default=0.0,
            )
            score += word.idf * worth
            held += word.idf if worth else 0.0
        score = score / asked if asked else 0.0
        share = formula_shares.get(position, 0.0)
        matches = held >= ENOUGH * asked - 1e-6 if words else share >= 0.5 * best_share
        score += FORMULA_WEIGHT * share + near.get(position, 0.0)
        if phrase and any(phrase in f" {value} " for value in values):
            score += PHRASE_BONUS
        if query.definition and index.statement(position).kind == "definition":
            score *= DEFINITION_BOOST
        if matches:
            result.matches.add(position)
        elif strict:
            continue
        else:
            score *= 0.5
        if score >= LEAST:
            result.scores[position] = score


def _add_named(index: SearchIndex, query: Query, allowed: set[int] | None, result: Ranking) -> None:
    """Put the statements that are asked for by name first, then the definitions of the term that is asked for."""
    whole = index.named(query.text)
    named = whole or index.named(query.subject)
    terms: list[tuple[int, NameField]] = []
    if query.words and not query.formulas:
        terms = [(position, "title") for position in index.defining(" ".join(query.words))]
    names: dict[int, NameField] = {}
    for position, name_field in terms + named if query.definition and not whole else named + terms:
        if allowed is None or position in allowed:
            names.setdefault(position, name_field)
    for place, (position, name_field) in enumerate(names.items()):
        if position not in result.matches:
            result.total += 1
        result.matches.add(position)
        result.scores[position] = NAMED - 0.01 * place
        result.fields[position] = name_field
