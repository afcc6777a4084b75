"""Choosing a sequence of references by expected utility.

The most probable sequence is too short: a long one is never certain. So a sequence is chosen by what it is worth on
average over what may be true (minimum Bayes risk, Kumar and Byrne 2004). `Utility` says what a sequence is worth, and
there are two ways to take the average:

* `best_length`: references are independent, each with a probability. The best sequence of a length is the most
  probable references, so only the length is chosen. `compose` and `retrieve` use it.
* `best_sampled`: a model has drawn whole sequences. Options are the samples and sequences assembled from their most
  frequent references. Generative models use it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ASSEMBLED = 8
"""The most references of an assembled sequence."""


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


def best_sampled(
    samples: Sequence[tuple[int, ...]],
    weights: Floats,
    utility: Utility,
    likelihoods: Mapping[tuple[int, ...], float] | None = None,
) -> tuple[int, ...]:
    """The sequence of highest expected utility over samples.

    Args:
        samples: Distinct non-empty sequences.
        weights: The share of each sample; they sum to one.
        utility: What a sequence is worth.
        likelihoods: The probability of sequences, for `Utility.exact`; by default the weights.
    """
    if not samples:
        return ()
    likely = dict(zip(samples, weights.tolist(), strict=True)) if likelihoods is None else likelihoods
    options = list(dict.fromkeys([*samples, *assembled(samples, weights)]))
    lengths = np.array([len(option) for option in options])
    inverse = float((weights / np.array([len(sample) for sample in samples])).sum())
    values = utility.right * (common(options, samples) @ weights) - utility.name * lengths
    values += utility.edit * ((1 - edits(options, samples)) @ weights)
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
