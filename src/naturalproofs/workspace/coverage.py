"""What a list of suggestions promises: whether anything is cited, how many are expected, and how many are enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from naturalproofs.ranking.contract import RankedCandidate
    from naturalproofs.workspace.suggest import Suggestion

LIKELY = 0.5
"""A list is long enough when it is more likely than not that nothing beyond it is cited."""
LARGEST = 10_000
"""More candidates than this add nothing, as no book of the fit was larger."""


class Fit(NamedTuple):
    """The numbers that were fitted (``benchmarks/enough.py``, docs/log/whether-anything-is-cited.md)."""

    unlisted: float = 0.0086
    """Expected citations of what was not ranked: this times the root of the number of candidates."""
    scale: float = 1.09
    power: float = 1.29
    """With x citations expected beyond a list, there is none with probability exp(-scale x^power)."""
    level: float = -0.415
    by_author: float = 1.521
    by_first: float = 0.311
    by_expected: float = 0.663
    """The logit of the probability that a proof cites anything is linear in the logits of the share of the author's
    earlier proofs that do and of the probability of the first suggestion, and in the logarithm of what is expected."""
    usual: float = 0.5
    """The share of all proofs that cite something."""
    weight: float = 8.0
    """So many proofs stand for it beside those of the author."""
    sharpness: float = 1.37
    missing: float = 0.0002
    """Where one citation is missing, a statement is it with a probability in proportion to this power of its own; to
    what was not ranked belongs this times the root of the number of candidates."""

    def none_cited(self, expected: float) -> float:
        """The probability that nothing is cited of statements of which so many are expected to be."""
        return math.exp(-self.scale * expected**self.power)

    def anything_cited(self, first: float, expected: float, citing: float, proved: float) -> float:
        """The probability that a proof cites anything.

        Args:
            first: The probability of the first suggestion.
            expected: How many citations are expected if there is any.
            citing: How many of the author's earlier proofs cite something, the nearest with the largest weights.
            proved: How many there are, with the same weights.
        """
        share = (citing + self.weight * self.usual) / (proved + self.weight)
        score = self.level + self.by_author * _logit(share) + self.by_first * _logit(first)
        return 1 / (1 + math.exp(-score - self.by_expected * math.log(max(expected, 1e-3))))

    def one_missing(self, chances: Sequence[float], candidates: int) -> list[float]:
        """The probability of each of a list to be what a written proof lacks, if it lacks one citation."""
        powers = [chance**self.sharpness for chance in chances]
        total = self.missing * math.sqrt(min(candidates, LARGEST)) + sum(powers)
        return [power / total for power in powers] if total else powers


def _logit(share: float) -> float:
    share = min(max(share, 1e-3), 1 - 1e-3)
    return math.log(share / (1 - share))


FITTED = Fit()


class Coverage(NamedTuple):
    """What is said about a list; all None if the method is not calibrated."""

    expected: float | None = None
    """How many statements the proof is expected to cite, if it cites any."""
    enough: int | None = None
    """The shortest beginning of the list that probably has all that is cited; None if the list is too short."""
    covered: float | None = None
    """The share of the expected citations that the list has."""
    probability: float | None = None
    """That the proof cites nothing beyond the first `enough`."""


def coverage(
    ranked: Sequence[Suggestion] | Sequence[RankedCandidate], k: int, candidates: int, fit: Fit = FITTED
) -> Coverage:
    """What the first k say about a proof that cites something.

    Args:
        ranked: Suggestions, best first; more than are shown.
        k: How many are shown.
        candidates: How many statements could be suggested.
        fit: Other numbers than those of the package.
    """
    known = [one.probability for one in ranked if one.probability is not None]
    if not known or len(known) < len(ranked):
        return Coverage()
    beyond = fit.unlisted * math.sqrt(min(candidates, LARGEST))
    expected = beyond + sum(known)
    enough = len(known)
    while enough and fit.none_cited(beyond + known[enough - 1]) >= LIKELY:
        enough -= 1
        beyond += known[enough]
    covered = sum(known[:k]) / expected if expected else 1.0
    probability = fit.none_cited(beyond)
    if enough > k or probability < LIKELY:
        return Coverage(expected, None, covered, None)
    return Coverage(expected, enough, covered, probability)
