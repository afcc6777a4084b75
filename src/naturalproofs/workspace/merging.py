"""Several ranked lists as one, and how far down it one has to read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from naturalproofs.workspace.suggest import Suggestion

LIKELY = 0.5
"""A list is enough when it is more likely than not that nothing beyond it is cited."""


def merged(lists: Sequence[Sequence[Suggestion]]) -> list[Suggestion]:
    """By probability where all lists have one; else in turn, the first list first."""
    if len(lists) == 1:
        return list(lists[0])
    everything = [suggestion for one in lists for suggestion in one]
    if all(suggestion.probability is not None for suggestion in everything):
        return sorted(everything, key=lambda suggestion: -(suggestion.probability or 0))
    return [suggestion for row in zip_longest(*lists) for suggestion in row if suggestion is not None]


def coverage(everything: Sequence[Suggestion], k: int) -> tuple[float | None, int | None, float | None]:
    """How many citations are expected, how many of the list are enough, and the share that the first k hold.

    The probabilities are taken to be independent, as nothing better is known.
    """
    chances = [suggestion.probability for suggestion in everything]
    known = [chance for chance in chances if chance is not None]
    if not known or len(known) < len(chances):
        return None, None, None
    expected = sum(known)
    enough, nothing_beyond = len(known), 1.0
    while enough and nothing_beyond * (1 - known[enough - 1]) >= LIKELY:
        enough -= 1
        nothing_beyond *= 1 - known[enough]
    share = sum(known[:k]) / expected if expected else 1.0
    return expected, enough if enough <= k else None, share
