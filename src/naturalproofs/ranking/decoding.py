"""Decoding of sequences of references: search for the most probable one, sampling, and the highest expected utility.

The most probable sequence is too short: a long one is never certain. So a sequence is chosen by what it is worth on
average over what may be true (minimum Bayes risk, Kumar and Byrne 2004). `Utility` says what a sequence is worth, and
there are two ways to take the average:

* `best_length`: references are independent, each with a probability. The best sequence of a length is the most
  probable references, so only the length is chosen. `compose` and `retrieve` use it.
* `best_sampled`: a model has drawn whole sequences (`sample_sequences`). Options are the samples, and sequences of
  their most frequent references. Generative models use it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.tasks.measures.ranks import top_candidates

Floats = NDArray[np.float64]
NextProbabilities = Callable[[NDArray[np.intp]], NDArray[np.float32]]
"""From prefixes (a row each, all of one length) to the log-probabilities of the next token: a column a token, the last
one for the end."""
ASSEMBLED = 8
"""The most references of an assembled sequence."""


@dataclass(frozen=True, slots=True)
class DecodedSequence:
    """A sequence that was found by search, or sampled."""

    tokens: tuple[int, ...]
    score: float
    """Its log-probability; of a beam search, with length normalisation."""
    times: int = 1
    """How often it was sampled."""


@dataclass(frozen=True, slots=True)
class Utility:
    """The value of a named sequence, given the true one.

    F1 = 2 · right / (named + true) grows with a name whose probability is more than half of it: in units of F1, a right
    name is worth 2, and every name costs the F1 that can be reached.
    """

    right: float = 1.0
    """The value of each right name."""
    name: float = 0.0
    """The cost of each name."""
    exact: float = 0.0
    """The value of naming exactly the truth."""
    edit: float = 0.0
    """The value of a sequence at edit distance zero; it falls to nothing at the length of the truth."""
    length: float = 0.0
    """The cost of a sequence as long as the truth."""


def best_length(probabilities: Floats, utility: Utility, *, longest: int, extra: Floats | None = None) -> int:
    """How many of the most probable references to name; at least one, if there is one.

    Args:
        probabilities: Of all references that may be right, sorted from the most probable.
        utility: `right`, `name` and `exact` are used. With `exact`, probabilities must lie strictly between 0 and 1.
        longest: The most references that may be named.
        extra: By length from 1, a value to add, such as a learned estimate of similarity.
    """
    sure = np.cumsum(probabilities)[:longest]
    if not len(sure):
        return 0
    worth = utility.right * sure - utility.name * np.arange(1, len(sure) + 1)
    if utility.exact:
        absent = np.log1p(-probabilities)
        odds = np.cumsum(np.log(probabilities) - absent)[:longest]
        worth = utility.exact * np.exp(odds + absent.sum()) + worth
    if extra is not None:
        worth = extra + worth
    return int(np.argmax(worth)) + 1


def best_sampled(samples: Sequence[DecodedSequence], utility: Utility) -> tuple[int, ...]:
    """The sequence of highest expected utility over distinct samples; for `Utility.exact`, by their probabilities."""
    distinct = [sample for sample in samples if sample.tokens]
    if not distinct:
        return ()
    sequences = [sample.tokens for sample in distinct]
    weights = np.array([sample.times for sample in distinct], dtype=np.float64)
    weights /= weights.sum()
    likely = {s.tokens: max(w, float(np.exp(s.score))) for s, w in zip(distinct, weights.tolist(), strict=True)}
    options = list(dict.fromkeys([*sequences, *assembled(sequences, weights)]))
    lengths = np.array([len(option) for option in options])
    inverse = float((weights / np.array([len(sequence) for sequence in sequences])).sum())
    values = utility.right * (common(options, sequences) @ weights) - utility.name * lengths
    values += utility.edit * ((1 - edits(options, sequences)) @ weights)
    values += utility.exact * np.array([likely.get(option, 0.0) for option in options])
    values -= utility.length * lengths * inverse
    return options[int(values.argmax())]


def assembled(samples: Sequence[tuple[int, ...]], weights: Floats) -> list[tuple[int, ...]]:
    """The references that are most likely to occur, from one to several, ordered by their mean relative position."""
    presence: dict[int, float] = defaultdict(float)
    position: dict[int, float] = defaultdict(float)
    for sample, weight in zip(samples, weights.tolist(), strict=True):
        for token in dict.fromkeys(sample):
            presence[token] += weight
            position[token] += weight * sample.index(token) / len(sample)
    best = sorted(presence, key=lambda token: -presence[token])[:ASSEMBLED]
    return [
        tuple(sorted(best[:size], key=lambda token: position[token] / presence[token]))
        for size in range(1, len(best) + 1)
    ]


def common(options: Sequence[tuple[int, ...]], samples: Sequence[tuple[int, ...]]) -> Floats:
    """How many references two sequences share, repeats counted: a row per option, a column per sample."""
    place = {token: column for column, token in enumerate(dict.fromkeys(t for each in samples for t in each))}

    def counts(sequences: Sequence[tuple[int, ...]]) -> Floats:
        found = np.zeros((len(sequences), len(place)))
        for row, sequence in enumerate(sequences):
            for token in sequence:
                if token in place:
                    found[row, place[token]] += 1
        return found

    ours, theirs = counts(options), counts(samples)
    return np.stack([np.minimum(row, theirs).sum(axis=1) for row in ours])


def edits(options: Sequence[tuple[int, ...]], samples: Sequence[tuple[int, ...]]) -> Floats:
    """Edit distances over the length of the sample, at most one: a row per option, a column per sample."""
    ours, theirs = _padded(options, -1), _padded(samples, -2)
    ours_end = np.array([len(option) for option in options])
    theirs_end = np.array([len(sample) for sample in samples])
    before = np.broadcast_to(np.arange(theirs.shape[1] + 1.0), (len(options), len(samples), theirs.shape[1] + 1)).copy()
    found = np.take_along_axis(before, theirs_end[None, :, None], axis=2)[..., 0]
    for i in range(ours.shape[1]):
        row = np.empty_like(before)
        row[..., 0] = i + 1
        differs = ours[:, i, None, None] != theirs[None]
        for j in range(theirs.shape[1]):
            row[..., j + 1] = np.minimum(
                np.minimum(before[..., j + 1], row[..., j]) + 1, before[..., j] + differs[..., j]
            )
        before = row
        here = np.take_along_axis(before, theirs_end[None, :, None], axis=2)[..., 0]
        found = np.where((ours_end == i + 1)[:, None], here, found)
    shares: Floats = np.minimum(1.0, found / theirs_end)
    return shares


def _padded(sequences: Sequence[tuple[int, ...]], fill: int) -> NDArray[np.int64]:
    found = np.full((len(sequences), max(map(len, sequences))), fill, dtype=np.int64)
    for row, sequence in enumerate(sequences):
        found[row, : len(sequence)] = sequence
    return found


def beam_search(
    following: NextProbabilities,
    tokens: int,
    *,
    beam: int = 20,
    longest: int = 19,
    shortest: int = 0,
    power: float = 0.0,
) -> list[DecodedSequence]:
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
    done: list[DecodedSequence] = []
    for length in range(longest + 1):
        scores = np.asarray(following(prefixes), dtype=np.float64)
        if length >= shortest:
            ended = (totals + scores[:, tokens]) / (length + 1) ** power
            done.extend(DecodedSequence(tuple(p.tolist()), float(s)) for p, s in zip(prefixes, ended, strict=True))
            done = sorted(done, key=lambda each: -each.score)[:beam]
        if length == longest or not tokens:
            break
        going = (totals[:, None] + scores[:, :tokens]).ravel()
        best = top_candidates(going, beam)
        best = best[np.isfinite(going[best])]
        if not len(best):
            break
        # A log-probability only falls; divided by the greatest length it is as high as it can become.
        full = len(done) == beam and np.isfinite(done[-1].score)
        if full and done[-1].score >= going[best[0]] / (longest + 1) ** power:
            break
        prefixes = np.concatenate([prefixes[best // tokens], (best % tokens)[:, None]], axis=1)
        totals = going[best]
    return [each for each in done if np.isfinite(each.score)] or [DecodedSequence((), 0.0)]


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
) -> list[DecodedSequence]:
    """Sample sequences; common prefixes are computed once.

    Args:
        following: Gives the probabilities.
        tokens: How many tokens there are, the end not counted.
        count: How many sequences are sampled.
        longest: Tokens of a sequence at most: a longer one is truncated.
        generator: The source of random numbers.
    """
    live: dict[tuple[int, ...], tuple[int, float]] = {(): (count, 0.0)}
    done: list[DecodedSequence] = []
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
                    done.append(DecodedSequence(prefix, score, int(drawn[token])))
                else:
                    going[*prefix, token] = (int(drawn[token]), score)
        live = going
        if not live:
            break
    return done + [DecodedSequence(prefix, score, times) for prefix, (times, score) in live.items()]
