"""Ranking of one corpus: FTS5 finds candidates, which are then scored by BM25F, formulas and meaning."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import log1p
from typing import NamedTuple

from naturalproofs.tokens import idf
from naturalproofs.workspace.search.documents import BREAK, FIELDS, field_counts, saturated
from naturalproofs.workspace.search.formulas import grams
from naturalproofs.workspace.search.index import Filter, NameField, StatementIndex
from naturalproofs.workspace.search.query import ALIKE, Query
from naturalproofs.workspace.search.text import KINDS_OF_RESULT, STOP, fold

CANDIDATES, FEWER_CANDIDATES = 150, 30
"""Statements that are scored, and of those found by another name of the notion asked for."""
FIRST_STAGE_WORDS = 10
FIRST_STAGE_SHARE = 0.7
"""Candidates are searched by the rarest words that make up this share of the query's idf; the others only score."""
CHANCE = 0.1
"""If no statement has more of the query than this share of its idf, those with the rest have it by chance."""
PREFIX_SHARE = 0.6
"""The score of a word that completes the last word typed, relative to the word itself."""
CORRECTED_SHARE = 0.8
ALIKE_SHARE = 0.6
"""The score of a word that often stands for the one asked for."""
SELDOM, OFTENER = 3, 20
"""A word of at most so many statements is taken for a slip, if a word one letter apart is so many times as frequent."""
SHORTEST_SLIP = 5
"""The shortest word that is taken for a slip although it occurs."""
ENOUGH = 0.5
"""The share of the query's words, by idf, that a statement must have to count as a match."""
FORMULA_WEIGHT = 1.3
FORMULA_LENGTH = 150
"""Statements with more grams than this have some of a formula's grams by chance."""
TEXT_WEIGHT = 0.5
"""For a text that says what is asked for and not much else."""
LONG_TEXT = 60
"""Words of a text that says more than a query can."""
TERM_WEIGHT = 0.9
"""For a definition of a term that the query contains, by the share of the query that it is."""
USED_WEIGHT, MOST_USED = 0.4, 100
"""For statements that many others use."""
OTHER_KINDS = 0.75
"""The factor of exercises, examples and remarks."""
KIND_OF_RESULT = 0.3
"""The factor of the idf of words such as "theorem", which few theorems contain."""
MEANING_WEIGHT = 0.3
NEAREST = 100
"""Statements that are scored because they are near in meaning."""
LEAST = 0.05
"""Lower scores are chance."""
NAMED = 10.0
"""The score of a statement that is asked for by its label, number, tag or title."""
KEYED = 9.0
"""The same if its title has the words asked for, perhaps in another form."""
BEST_REWRITTEN = 1.8
"""The highest score of what is found by another name of the notion asked for."""
NOT_CLAIMED = 0.65
"""The factor of definitions if a result is asked for, and of results if a definition is."""
MAX_PHRASE = 8
"""Words of a query that may be the name of a notion."""


@dataclass(slots=True)
class Ranking:
    """The statements of one corpus that answer a query, and their scores."""

    scores: dict[int, float] = field(default_factory=dict)
    matches: set[int] = field(default_factory=set)
    """Those that have enough of the query; the others are only near."""
    kinds: Counter[str] = field(default_factory=Counter)
    """How many statements of each kind have every word; if none has, how many of the matches."""
    exact: bool = False
    """Whether these are all, not only those among the candidates."""
    fields: dict[int, NameField] = field(default_factory=dict)
    """Those that are asked for by name."""
    terms: set[str] = field(default_factory=set)
    """The folded words to highlight."""
    corrections: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many statements were found."""
        return self.kinds.total()

    def include(self, other: Ranking, factor: float) -> None:
        """Take over what was found in another way, if it is better, at a lower score."""
        for position, score in other.scores.items():
            if (score := factor * min(score, BEST_REWRITTEN)) > self.scores.get(position, 0.0):
                self.scores[position] = score
                if position in other.fields:
                    self.fields[position] = other.fields[position]
        self.matches |= other.matches
        self.terms |= other.terms
        if other.total > self.total:
            self.kinds, self.exact = other.kinds, other.exact


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the query, as the terms of the corpus that it stands for."""

    word: str
    shares: Mapping[str, float]
    """How much each term counts."""
    idf: float


def misspelt_words(indexes: Sequence[StatementIndex], words: Sequence[str]) -> list[str]:
    """The words that no corpus has, not even as the start of one, and those that hardly any statement has."""
    found = []
    for word in words:
        count = sum(index.document_counts([word]).get(word, 0) for index in indexes)
        if count <= SELDOM and len(word) >= SHORTEST_SLIP:
            oftener = max((number for index in indexes for _, number in index.corrections(word)[:1]), default=0)
            if oftener >= OFTENER * max(count, 1):
                found.append(word)
                continue
        if not count and not (len(word) >= 3 and any(index.completions(word) for index in indexes)):
            found.append(word)
    return found


def rank(
    index: StatementIndex,
    query: Query,
    filters: Filter,
    misspelt: Collection[str],
    limit: int,
    *,
    further: bool = False,
) -> Ranking:
    """Rank the statements that pass the filters.

    Args:
        index: The corpus.
        query: The query.
        filters: Which statements may be found.
        misspelt: Words of the query that no corpus knows.
        limit: How many statements are wanted.
        further: Whether the query is another way to put one that is answered already.
    """
    result = Ranking()
    candidates = FEWER_CANDIDATES if further else CANDIDATES
    if query.empty:
        positions = index.passing(filters)
        result.kinds, result.exact = index.count_kinds(positions), True
        result.matches.update(positions[:limit])
        result.scores = dict.fromkeys(positions[:limit], 1.0)
        return result
    allowed = set(index.passing(filters)) if filters.restricts else None
    words = _words(index, query, misspelt, result)
    shares = _formula_shares(index, query.formulas, allowed)
    pool = set(sorted(shares, key=shares.__getitem__, reverse=True)[: max(candidates, limit)])
    searched = sorted((word for word in words if word.shares), key=lambda word: -word.idf)
    if sum(word.idf for word in searched) > CHANCE * sum(word.idf for word in words):
        wanted = max(candidates, 2 * limit)
        rarest = [word.shares for word in _rarest(searched[:FIRST_STAGE_WORDS])]
        # Ranking what has all of the words is several times as fast as ranking what has any of them.
        found = index.matching(rarest, filters, wanted, every=True)
        pool.update(found if len(found) >= wanted else index.matching(rarest, filters, wanted, every=False))
    defined = _defining(index, words, allowed)
    near = {} if further else _near(index, query, words, pool, allowed)
    _score(index, query, words, Evidence(shares, near, defined), pool.union(near, defined), result)
    if searched and not query.formulas and len(searched) == len(words):
        result.kinds = index.having([word.shares for word in words], filters)
    result.exact = bool(result.kinds)
    result.kinds = result.kinds or index.count_kinds(result.matches)
    _add_named(index, query, allowed, result)
    return result


def _words(index: StatementIndex, query: Query, misspelt: Collection[str], result: Ranking) -> list[_Word]:
    """What each word of the query stands for in this corpus."""
    asked = dict.fromkeys([*query.words, *(word for phrase in query.phrases for word in phrase)])
    alike = {word: [fold(other) for other in ALIKE.get(spelt, ())] for word, spelt in _spelt(query).items()}
    counts = index.document_counts([*asked, *(other for others in alike.values() for other in others)])
    unfinished = query.words[-1] if query.unfinished and query.words else ""
    found: list[_Word] = []
    for word in asked:
        shares = {word: 1.0} if word in counts else {}
        frequency = counts.get(word, 0)
        if (word == unfinished and len(word) >= 2) or (not shares and len(word) >= 3):
            for term, count in index.completions(word):
                shares.setdefault(term, PREFIX_SHARE)
                frequency = frequency or count
        for other in alike.get(word, ()):
            if other in counts:
                shares.setdefault(other, ALIKE_SHARE)
        if word in misspelt:
            for number, (term, count) in enumerate(index.corrections(word)):
                if not number:
                    result.corrections[_spelt(query).get(word, word)] = index.spelling(term)
                    frequency = max(frequency, count)
                shares[term] = CORRECTED_SHARE
        # A word that occurs nowhere counts as the rarest.
        weight = KIND_OF_RESULT if word in KINDS_OF_RESULT and len(asked) > 1 else 1.0
        found.append(_Word(word, shares, weight * idf(frequency, index.size)))
        result.terms.update(shares)
    return found


def _spelt(query: Query) -> dict[str, str]:
    return dict(zip(query.words, (word.casefold() for word in query.spelt), strict=True))


def _defining(index: StatementIndex, words: Sequence[_Word], allowed: set[int] | None) -> dict[int, float]:
    """For each definition of a term that the query contains, the term's share of the query by idf."""
    if not words or len(words) > MAX_PHRASE:
        return {}
    weights: dict[str, float] = {}
    for start in range(len(words)):
        options = [""]
        for end in range(start, len(words)):
            options = [f"{one} {term}".strip() for one in options for term in list(words[end].shares)[:3]][:9]
            for option in options:
                weights[option] = sum(word.idf for word in words[start : end + 1])
    whole = sum(word.idf for word in words) or 1.0
    found = index.defining(list(weights)[:400])
    return {
        position: max(weights[name] for name in names) / whole
        for position, names in found.items()
        if allowed is None or position in allowed
    }


def _rarest(words: list[_Word]) -> list[_Word]:
    """The first words, of words in order of idf, that make up enough of the whole."""
    wanted = FIRST_STAGE_SHARE * sum(word.idf for word in words) - 1e-9
    found: list[_Word] = []
    for word in words:
        if sum(one.idf for one in found) >= wanted:
            break
        found.append(word)
    return found


def _formula_shares(index: StatementIndex, formulas: Collection[str], allowed: set[int] | None) -> dict[int, float]:
    """For each statement the share of the formulas' grams that it has, weighted by idf; a sum over the formulas."""
    found: defaultdict[int, float] = defaultdict(float)
    for formula in formulas:
        rare = index.with_grams(grams(formula))
        most = sum(idf(len(held), index.size) for held in rare)
        for held in rare:
            share = idf(len(held), index.size) / most
            for position in held:
                found[position] += share
    if allowed is not None:
        return {position: share for position, share in found.items() if position in allowed}
    return dict(found)


def _near(
    index: StatementIndex, query: Query, words: list[_Word], pool: Collection[int], allowed: set[int] | None
) -> dict[int, float]:
    """What nearness in meaning adds to the scores of candidates and of the nearest other statements."""
    # One or two words are names more often than descriptions.
    weight = MEANING_WEIGHT * min(1.0, (len(query.words) - 1) / 5)
    if weight <= 0:
        return {}
    weights = {term: share * word.idf for word in words for term, share in list(word.shares.items())[:3]}
    near = index.nearest(weights, pool, NEAREST)
    return {
        position: weight * cosine
        for position, cosine in near.items()
        if cosine > 0 and (allowed is None or position in allowed)
    }


class Evidence(NamedTuple):
    """What is known of candidates before their texts are compared with the query; each by position."""

    formulas: Mapping[int, float]
    """The share of the query's formulas."""
    near: Mapping[int, float]
    """What nearness in meaning adds."""
    defined: Mapping[int, float]
    """The share of the query that is the name of what they define."""


def _score(
    index: StatementIndex,
    query: Query,
    words: list[_Word],
    evidence: Evidence,
    pool: Collection[int],
    result: Ranking,
) -> None:
    """Score the candidates; a score is a sum of shares of the best possible, so that corpora compare."""
    asked = sum(word.idf for word in words)
    wanted = {term for word in words for term in word.shares}
    best_share = max(evidence.formulas.values(), default=0.0)
    strict = bool(query.phrases or query.excluded)
    for position, used, grams_held, *values in index.fields(pool):
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
        share = evidence.formulas.get(position, 0.0) * min(1.0, 0.6 + 0.4 * FORMULA_LENGTH / max(grams_held, 1))
        matches = held >= ENOUGH * asked - 1e-6 if words else share >= 0.5 * best_share
        if words and asked:
            text = telling(values[_TEXT], None if query.claim else LONG_TEXT + 1)
            if query.claim or len(text) <= LONG_TEXT:
                score += TEXT_WEIGHT * _agreement(text, words, wanted) / asked
        score += FORMULA_WEIGHT * share + evidence.near.get(position, 0.0)
        if position in evidence.defined and held >= 0.99 * asked and not query.claim:
            score += TERM_WEIGHT * evidence.defined[position]
        score *= _prior(index.kind_of(position), used, query)
        if matches:
            result.matches.add(position)
        elif strict:
            continue
        else:
            score *= 0.5
        if score >= LEAST:
            result.scores[position] = score


def _prior(kind: str, used: int, query: Query) -> float:
    """The factor of a statement by its kind and by how many others use it."""
    factor = 1 + USED_WEIGHT * min(1.0, log1p(used) / log1p(MOST_USED))
    if (kind == "definition" and query.claim) or (kind != "definition" and query.definition):
        factor *= NOT_CLAIMED
    return factor * OTHER_KINDS if kind == "other" and query.words else factor


_TEXT = list(FIELDS).index("text")


def telling(value: str, most: int | None = None) -> list[str]:
    """The first tokens of a field that say something."""
    return list(islice((token for token in value.split() if token not in _STOP_TOKENS), most))


def _agreement(tokens: Sequence[str], words: Sequence[_Word], terms: Collection[str]) -> float:
    """How much of the query's idf a text has, times how much of the text the query says.

    Args:
        tokens: The text.
        words: The query.
        terms: All terms that the words stand for.
    """
    present = [token for token in tokens if token in terms]
    if not present:
        return 0.0
    said = sum(
        word.idf * max((share for term, share in word.shares.items() if term in present), default=0.0) for word in words
    )
    return said * len(present) / len(tokens)


_STOP_TOKENS = frozenset(map(fold, STOP)) | KINDS_OF_RESULT | {BREAK}


def _qualified(index: StatementIndex, query: Query) -> list[int]:
    """Definitions of all words but the last, which they say it of: "a subgroup is *normal* if" of a normal subgroup."""
    if query.claim or not 1 < len(query.words) <= MAX_PHRASE:
        return []
    found = list(index.defining([" ".join(query.words[:-1])]))
    having = {position for position, _, _, *values in index.fields(found) if query.words[-1] in values[_TEXT].split()}
    return [position for position in found if position in having]


def _add_named(index: StatementIndex, query: Query, allowed: set[int] | None, result: Ranking) -> None:
    """Put first what has the label, tag or number asked for, then the definitions of the term, then the titles."""
    whole = index.named(query.text)
    named = whole or (index.named(query.subject) if query.subject != query.text else [])
    terms: list[tuple[int, NameField]] = []
    keyed: list[tuple[int, NameField]] = []
    if query.words and not query.formulas and not query.phrases:
        terms = [(position, "title") for position in index.defining([" ".join(query.words)])]
        key = " ".join(word for word in query.words if word not in KINDS_OF_RESULT)
        titled = index.keyed(key)
        if query.definition:
            titled = [position for position in titled if index.kind_of(position) == "definition"]
        keyed = [(position, "title") for position in titled or (() if terms else _qualified(index, query))]
    names: dict[int, NameField] = {}
    # A title may read like a question.
    keys = [one for one in named if one[1] != "title" or (whole and query.definition)]
    for position, name_field in keys + terms + named + keyed:
        if allowed is None or position in allowed:
            names.setdefault(position, name_field)
    exact = {position for position, _ in named + terms}
    for place, (position, name_field) in enumerate(names.items()):
        if position not in result.matches:
            result.kinds[index.kind_of(position)] += 1
        result.matches.add(position)
        result.scores[position] = (NAMED if position in exact or query.definition else KEYED) - 0.01 * place
        result.fields[position] = name_field
