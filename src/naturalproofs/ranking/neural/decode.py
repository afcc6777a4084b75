"""Decoding of sequences, whatever gives the probabilities: beam search, greedy decoding, sampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NextProbabilities = Callable[[NDArray[np.intp]], NDArray[np.float32]]
"""From prefixes (a row each, all of one length) to the log-probabilities of the next token: a column a token, the last
one for the end."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A whole sequence of the beam."""

    tokens: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Sample:
    """A sampled sequence."""

    tokens: tuple[int, ...]
    times: int
    """How often it was sampled."""
    score: float
    """Its log-probability."""


def beam_search(
    following: NextProbabilities,
    tokens: int,
    *,
    beam: int = 20,
    longest: int = 19,
    shortest: int = 0,
    power: float = 0.0,
) -> list[Hypothesis]:
    """The best sequences, best first, at most as many as the beam is wide.

    Args:
        following: Gives the probabilities.
        tokens: How many tokens there are, the end not counted.
        beam: The width of the beam.
        longest: Tokens of a sequence at most, its end not counted.
        shortest: Tokens of a sequence at least.
        power: A log-probability is divided by the length, the end counted, to this power: more favours longer ones.
    """
    prefixes = np.zeros((1, 0), dtype=np.intp)
    totals = np.zeros(1, dtype=np.float64)
    done: list[Hypothesis] = []
    for length in range(longest + 1):
        scores = np.asarray(following(prefixes), dtype=np.float64)
        if length >= shortest:
            ended = (totals + scores[:, tokens]) / (length + 1) ** power
            done.extend(Hypothesis(tuple(p.tolist()), float(s)) for p, s in zip(prefixes, ended, strict=True))
            done = sorted(done, key=lambda each: -each.score)[:beam]
        if length == longest or not tokens:
            break
        going = (totals[:, None] + scores[:, :tokens]).ravel()
        best = _largest(going, beam)
        best = best[np.isfinite(going[best])]
        if not len(best):
            break
        # A log-probability only falls; divided by the greatest length it is as high as it can become.
        full = len(done) == beam and np.isfinite(done[-1].score)
        if full and done[-1].score >= going[best[0]] / (longest + 1) ** power:
            break
        prefixes = np.concatenate([prefixes[best // tokens], (best % tokens)[:, None]], axis=1)
        totals = going[best]
    return [each for each in done if np.isfinite(each.score)] or [Hypothesis((), 0.0)]


def greedy(following: NextProbabilities, queries: int, tokens: int, longest: int) -> list[tuple[int, ...]]:
    """For each of many queries the most probable token at each step, none twice, until the end is more probable.

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
        # A query that has ended continues with any token, which is removed below.
        prefixes = np.concatenate([prefixes, np.minimum(best, tokens - 1)[:, None]], axis=1)
    return [tuple(row[:length].tolist()) for row, length in zip(prefixes, lengths, strict=True)]


def sample_sequences(
    following: NextProbabilities, tokens: int, count: int, longest: int, generator: np.random.Generator
) -> list[Sample]:
    """Sample sequences; common prefixes are computed once.

    Args:
        following: Gives the probabilities.
        tokens: How many tokens there are, the end not counted.
        count: How many sequences are sampled.
        longest: Tokens of a sequence at most: a longer one is truncated.
        generator: The source of random numbers.
    """
    live: dict[tuple[int, ...], tuple[int, float]] = {(): (count, 0.0)}
    done: list[Sample] = []
    for length in range(longest if tokens else 0):
        prefixes = np.array(list(live), dtype=np.intp).reshape(len(live), length)
        scores = np.asarray(following(prefixes), dtype=np.float64)
        scores -= np.logaddexp.reduce(scores, axis=1, keepdims=True)
        going: dict[tuple[int, ...], tuple[int, float]] = {}
        for row, (prefix, (times, total)) in enumerate(live.items()):
            drawn = generator.multinomial(times, np.exp(scores[row]))
            for token in np.flatnonzero(drawn).tolist():
                score = total + float(scores[row, token])
                if token == tokens:
                    done.append(Sample(prefix, int(drawn[token]), score))
                else:
                    going[*prefix, token] = (int(drawn[token]), score)
        live = going
        if not live:
            break
    return done + [Sample(prefix, times, score) for prefix, (times, score) in live.items()]


def _largest(values: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Positions of the largest values, largest first; of equal ones the earlier."""
    count = min(count, len(values))
    if not count:
        return np.zeros(0, dtype=np.intp)
    limit = np.partition(values, len(values) - count)[len(values) - count]
    above, equal = np.flatnonzero(values > limit), np.flatnonzero(values == limit)
    chosen = np.concatenate([above, equal[: count - len(above)]])
    return chosen[np.argsort(-values[chosen], kind="stable")]
