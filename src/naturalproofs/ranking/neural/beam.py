"""Searching for the best sequence of tokens, whatever gives their probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Next = Callable[[NDArray[np.intp]], Floats]
"""From the beginnings of some sequences (a row each, all of one length) to the log-probabilities of the next token: a
column a token, the last one for the end."""


@dataclass(frozen=True, slots=True)
class Search:
    """How to search."""

    beam: int = 20
    longest: int = 19
    """Tokens of a sequence, its end not counted."""
    shortest: int = 0
    power: float = 0.0
    """Divide a sequence's log-probability by its length, the end counted, to this power: more is longer."""
    repeats: bool = True
    """Whether a token may occur twice."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A whole sequence."""

    tokens: tuple[int, ...]
    score: float


def beam_search(following: Next, tokens: int, search: Search) -> list[Hypothesis]:
    """The best sequences, best first, of which there are at most as many as the beam is wide.

    Args:
        following: Gives the probabilities.
        tokens: How many tokens there are, the end not counted.
        search: How to search.
    """
    prefixes = np.zeros((1, 0), dtype=np.intp)
    totals = np.zeros(1, dtype=np.float64)
    done: list[Hypothesis] = []
    for length in range(search.longest + 1):
        scores = np.asarray(following(prefixes), dtype=np.float64).copy()
        if not search.repeats:
            np.put_along_axis(scores, prefixes, -np.inf, axis=1)
        if length >= search.shortest:
            ended = (totals + scores[:, tokens]) / (length + 1) ** search.power
            done.extend(Hypothesis(tuple(p.tolist()), float(s)) for p, s in zip(prefixes, ended, strict=True))
            done = sorted(done, key=lambda each: -each.score)[: search.beam]
        if length == search.longest or not tokens:
            break
        going = (totals[:, None] + scores[:, :tokens]).ravel()
        best = _largest(going, search.beam)
        best = best[np.isfinite(going[best])]
        if not len(best) or _settled(done, going[best[0]], search):
            break
        prefixes = np.concatenate([prefixes[best // tokens], (best % tokens)[:, None]], axis=1)
        totals = going[best]
    return [each for each in done if np.isfinite(each.score)] or [Hypothesis((), 0.0)]


def greedy(following: Next, queries: int, tokens: int, longest: int) -> list[tuple[int, ...]]:
    """For each of many queries always the most probable token, none twice, until the end is more probable.

    Args:
        following: Gives the probabilities for all queries at once.
        queries: How many there are.
        tokens: How many tokens there are, the end not counted.
        longest: Tokens of a sequence at most.
    """
    prefixes = np.zeros((queries, 0), dtype=np.intp)
    lengths = np.full(queries, longest)
    for length in range(min(longest, tokens)):
        scores = np.array(following(prefixes), dtype=np.float64)
        np.put_along_axis(scores, prefixes, -np.inf, axis=1)
        best = scores.argmax(axis=1)
        over = (best == tokens) | ~np.isfinite(scores.max(axis=1))
        lengths = np.where(over, np.minimum(lengths, length), lengths)
        if (lengths <= length).all():
            break
        # A query that is over goes on with any token; what comes after its length is cut off.
        prefixes = np.concatenate([prefixes, np.minimum(best, tokens - 1)[:, None]], axis=1)
    return [tuple(row[:length].tolist()) for row, length in zip(prefixes, lengths, strict=True)]


def _settled(done: list[Hypothesis], best: float, search: Search) -> bool:
    """Whether nothing that is still going can beat the worst of a full set of sequences."""
    if len(done) < search.beam or not np.isfinite(done[-1].score):
        return False
    # A log-probability only falls; divided by the greatest length it is as high as it can become.
    return bool(done[-1].score >= best / (search.longest + 1) ** search.power)


def _largest(values: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Positions of the largest values, largest first; of equal ones the earlier."""
    count = min(count, len(values))
    if not count:
        return np.zeros(0, dtype=np.intp)
    limit = np.partition(values, len(values) - count)[len(values) - count]
    above, equal = np.flatnonzero(values > limit), np.flatnonzero(values == limit)
    chosen = np.concatenate([above, equal[: count - len(above)]])
    return chosen[np.argsort(-values[chosen], kind="stable")]
