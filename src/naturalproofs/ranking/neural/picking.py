"""Choosing one sequence of many: the one that is worth most in the mean over what a model thinks likely.

The most probable sequence is too short: a long one is never certain. What is wanted is a sequence that is likely to
have much in common with the truth (minimum Bayes risk, Kumar and Byrne 2004), at a price for its length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.neural.sampling import Drawn

Floats = NDArray[np.float64]
MOST = 8
"""References of a sequence that is put together from those most likely."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What makes a sequence good, in units of a right reference; chosen on Stacks valid."""

    reference: float = 0.14
    """The price of naming a reference: about half of the F1 that is to be had."""
    edit: float = 0.5
    """What a sequence without an edit away from the truth is worth."""
    exact: float = 1.5
    """What the truth itself is worth besides."""
    length: float = 0.1
    """The price of being as long as the truth."""


def pick(drawn: Sequence[Drawn], worth: Worth) -> tuple[int, ...]:
    """The sequence that is worth most, among those drawn and those put together from what they cite."""
    evidence = [each for each in drawn if each.tokens]
    if not evidence:
        return ()
    weights = np.array([each.times for each in evidence], dtype=np.float64)
    weights /= weights.sum()
    true = [each.tokens for each in evidence]
    likely = {each.tokens: max(share, np.exp(each.score)) for each, share in zip(evidence, weights, strict=True)}
    options = list(dict.fromkeys([*true, *assembled(true, weights)]))
    lengths = np.array([len(option) for option in options])
    inverse = float((weights / np.array([len(sequence) for sequence in true])).sum())
    values = common(options, true) @ weights - worth.reference * lengths
    values += worth.edit * ((1 - edits(options, true)) @ weights)
    values += worth.exact * np.array([likely.get(option, 0.0) for option in options])
    values -= worth.length * lengths * inverse
    return options[int(values.argmax())]


def assembled(sequences: Sequence[tuple[int, ...]], weights: Floats) -> list[tuple[int, ...]]:
    """The references that are most likely to occur, from one to several, ordered by where they usually stand."""
    presence: dict[int, float] = defaultdict(float)
    position: dict[int, float] = defaultdict(float)
    for sequence, weight in zip(sequences, weights.tolist(), strict=True):
        for token in dict.fromkeys(sequence):
            presence[token] += weight
            position[token] += weight * sequence.index(token) / len(sequence)
    best = sorted(presence, key=lambda token: -presence[token])[:MOST]
    return [
        tuple(sorted(best[:size], key=lambda token: position[token] / presence[token]))
        for size in range(1, len(best) + 1)
    ]


def common(options: Sequence[tuple[int, ...]], true: Sequence[tuple[int, ...]]) -> Floats:
    """How many references two sequences share, repeats counted: a row an option, a column a truth."""
    place = {token: column for column, token in enumerate(dict.fromkeys(t for each in true for t in each))}

    def counts(sequences: Sequence[tuple[int, ...]]) -> Floats:
        found = np.zeros((len(sequences), len(place)))
        for row, sequence in enumerate(sequences):
            for token in sequence:
                if token in place:
                    found[row, place[token]] += 1
        return found

    ours, theirs = counts(options), counts(true)
    return np.stack([np.minimum(row, theirs).sum(axis=1) for row in ours])


def edits(options: Sequence[tuple[int, ...]], true: Sequence[tuple[int, ...]]) -> Floats:
    """Edit distances over the length of the truth, at most one: of all pairs at once."""
    ours, theirs = _padded(options, -1), _padded(true, -2)
    ours_end = np.array([len(option) for option in options])
    theirs_end = np.array([len(sequence) for sequence in true])
    before = np.broadcast_to(np.arange(theirs.shape[1] + 1.0), (len(options), len(true), theirs.shape[1] + 1)).copy()
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
