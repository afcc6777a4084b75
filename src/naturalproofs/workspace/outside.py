"""Who uses which result of another work, by work and by result."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from naturalproofs.corpus.bibliography import OutsideUse
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import BibliographyEntry, StatementId
from naturalproofs.sources.reading.kinds import by_word

_RESULT = re.compile(r"([^\W\d_]+) [A-Z]?\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class OutsideResult:
    """A result of another work, and its uses in order."""

    place: str
    """``Theorem 3``; empty for the work as a whole."""
    uses: tuple[OutsideUse, ...]
    meant: StatementId = ""
    """The statement, if the work is open too and has it."""

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
    corpus: Corpus | None = field(default=None, repr=False)
    """The work itself, if it is open too."""

    @property
    def statements(self) -> tuple[StatementId, ...]:
        """The statements that use something of it, each once."""
        return tuple(dict.fromkeys(key for result in self.results for key in result.statements))


def outside_works(
    uses: Iterable[OutsideUse], entries: Iterable[BibliographyEntry], opened: Sequence[Corpus] = ()
) -> tuple[OutsideWork, ...]:
    """Group uses by work; the most used works come first, and among their results the most used ones.

    Args:
        uses: What is used.
        entries: The bibliography.
        opened: Works that are open, in which results are looked up.
    """
    by_key = {entry.key: entry for entry in entries}
    grouped: defaultdict[str, defaultdict[str, list[OutsideUse]]] = defaultdict(lambda: defaultdict(list))
    for use in uses:
        grouped[use.cited.key][use.cited.place].append(use)
    works = []
    for key, results in grouped.items():
        entry = by_key.get(key, BibliographyEntry(key))
        work = open_work(entry, opened)
        listed = (OutsideResult(place, tuple(found), meant(work, place)) for place, found in results.items())
        works.append(OutsideWork(entry, tuple(sorted(listed, key=_rank)), work))
    return tuple(sorted(works, key=lambda work: -len(work.statements)))


def open_work(entry: BibliographyEntry, opened: Sequence[Corpus]) -> Corpus | None:
    """The open work that an entry means: by its name, which is the key, or by its whole title."""
    listed = f" {_plain(f'{entry.title} {entry.text}')} "
    for corpus in opened:
        title = _plain(corpus.provenance.title)
        if corpus.name.casefold() == entry.key.casefold() or (" " in title and f" {title} " in listed):
            return corpus
    return None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def is_numbered_result(place: str) -> bool:
    """Whether a place is one numbered statement: "Theorem 3", and neither "Chapter 2" nor "Lemma 4 (ii)"."""
    match = _RESULT.fullmatch(place)
    return match is not None and by_word(match[1].casefold()) is not None


def meant(work: Corpus | None, place: str) -> StatementId:
    """The statement of an open work that a place such as "Theorem 3" names; empty if there is no such one."""
    found = work.names.matches(place) if work is not None and is_numbered_result(place) else []
    return found[0].id if len(found) == 1 else ""


def _rank(result: OutsideResult) -> tuple[int, bool]:
    return -len(result.statements), not result.place
