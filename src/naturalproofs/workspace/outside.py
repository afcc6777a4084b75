"""Who uses which result of another work, by work and by result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from naturalproofs.corpus.bibliography import OutsideUse
from naturalproofs.records import BibliographyEntry, StatementId


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
