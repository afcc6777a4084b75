"""Who uses which result of another work, by work and by result."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from naturalproofs.corpus.bibliography import OutsideUse
from naturalproofs.records import BibliographyEntry, StatementId

if TYPE_CHECKING:
    from naturalproofs.ranking.contract import RankedCandidate
    from naturalproofs.workspace.suggest import Suggestion


@dataclass(frozen=True, slots=True)
class OutsideResult:
    """A result of another work, and its uses in order."""

    place: str
    """``Theorem 3``; empty for the work as a whole."""
    uses: tuple[OutsideUse, ...]

    @property
    def statements(self) -> tuple[StatementId, ...]:
        """The statements that use it, each once."""
        return tuple(dict.fromkeys(use.statement for use in self.uses))


@dataclass(frozen=True, slots=True)
class OutsideWork:
    """Another work, with its results that are used; the most used come first."""

    entry: BibliographyEntry
    """Only the key, if the bibliography is not known."""
    results: tuple[OutsideResult, ...]

    @property
    def statements(self) -> tuple[StatementId, ...]:
        """The statements that use something of it, each once."""
        return tuple(dict.fromkeys(key for result in self.results for key in result.statements))


def outside_works(uses: Iterable[OutsideUse], entries: Iterable[BibliographyEntry]) -> tuple[OutsideWork, ...]:
    """Group uses by work; the most used works come first, and among their results the most used ones."""
    by_key = {entry.key: entry for entry in entries}
    grouped: defaultdict[str, defaultdict[str, list[OutsideUse]]] = defaultdict(lambda: defaultdict(list))
    for use in uses:
        grouped[use.cited.key][use.cited.place].append(use)
    works = [
        OutsideWork(
            by_key.get(key, BibliographyEntry(key)),
            tuple(sorted((OutsideResult(place, tuple(found)) for place, found in results.items()), key=_rank)),
        )
        for key, results in grouped.items()
    ]
    return tuple(sorted(works, key=lambda work: -len(work.statements)))


def _rank(result: OutsideResult) -> tuple[int, bool]:
    return -len(result.statements), not result.place


# What a list of suggestions promises: how many citations are expected, how many it holds, and how likely it is enough.

LIKELY = 0.5
"""A list is long enough when it is more likely than not that nothing beyond it is cited."""
LARGEST = 10_000
"""More candidates than this add nothing, as no book of the fit was larger."""


class Fit(NamedTuple):
    """The numbers that were fitted."""

    unlisted: float = 0.0086
    """Expected citations of what was not ranked: this times the root of the number of candidates."""
    scale: float = 1.09
    power: float = 1.29
    """With x citations expected beyond a list, there is none with probability exp(-scale x^power)."""

    def none_cited(self, expected: float) -> float:
        """The probability that nothing is cited of statements of which so many are expected to be."""
        return math.exp(-self.scale * expected**self.power)


FITTED = Fit()


class Coverage(NamedTuple):
    """What is said about a list; all None if the method is not calibrated."""

    expected: float | None = None
    """How many statements the proof is expected to cite."""
    enough: int | None = None
    """The shortest beginning of the list that probably has all that is cited; None if the list is too short."""
    covered: float | None = None
    """The share of the expected citations that the list has."""
    probability: float | None = None
    """That the proof cites nothing beyond the first `enough`."""


def coverage(
    ranked: Sequence[Suggestion] | Sequence[RankedCandidate], k: int, candidates: int, fit: Fit = FITTED
) -> Coverage:
    """What the first k say about the proof.

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
