"""Why a candidate is suggested, in words: from the groups of features that moved its score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.contract import Reason
from naturalproofs.ranking.hybrid.boosting import Booster
from naturalproofs.ranking.hybrid.desk import Desk, Question
from naturalproofs.ranking.hybrid.features import Table
from naturalproofs.ranking.hybrid.library import shared_mass
from naturalproofs.ranking.hybrid.terms import passage_terms
from naturalproofs.ranking.hybrid.vectors import Ints, Vocabulary
from naturalproofs.records import StatementId

MOST = 3
VOTERS = 10
"""Of how many similar theorems a reason speaks."""
SHOWN = 4
"""Words that a reason names."""
TELLING = 1.5
"""The rarity of a word that about one statement in five has."""


@dataclass(frozen=True, slots=True)
class Case:
    """One candidate, about to be explained."""

    desk: Desk
    question: Question
    position: int

    def name(self, position: int) -> str:
        """What a statement is called."""
        passage = self.desk.library.candidates[position]
        return passage.title or passage.id


def reasons(
    desk: Desk,
    question: Question,
    table: Table,
    booster: Booster | None,
    rows: Sequence[int],
) -> list[tuple[Reason, ...]]:
    """For each row of the pool up to three reasons, those that moved it most first."""
    if not rows:
        return []
    moved = booster.contributions(table, rows) if booster is not None else {}
    found = []
    for number, row in enumerate(rows):
        case = Case(desk, question, int(question.pool[row]))
        said: list[Reason] = []
        for kind, speak in SPEAKERS.items():
            text = speak(case) if kind not in desk.without else None
            if text is not None:
                weight = sum(float(moved[group][number]) for group in SPEAKS_FOR[kind] if group in moved)
                said.append(Reason(kind, text[0], text[1], round(weight, 4)))
        # What spoke against a candidate is no reason for it, unless there is nothing else to say.
        said.sort(key=lambda reason: -reason.weight)
        speaking = [reason for reason in said if reason.weight > 0 or booster is None] or said[:1]
        # The association has nothing to show; it speaks where little else does.
        if len(speaking) > 2:
            speaking = [reason for reason in speaking if reason.kind != "learned"]
        found.append(tuple(speaking[:MOST]))
    return found


def _together(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """Cited together with what the proof cites already."""
    memory = case.desk.memory
    proofs = _visible(case, memory.citing[case.position].indices)
    counts = {known: int(memory.cited[proofs][:, known].sum()) for known in case.question.known}
    best = max(counts, key=lambda place: counts[place], default=None)
    if best is None or not counts[best]:
        return None
    text = f"cited together with {case.name(best)} (already used) in {_times(counts[best], 'proof')}"
    return text, (case.desk.library.candidates[best].id,)


def _votes(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """Cited by the proofs of similar theorems."""
    memory, question = case.desk.memory, case.question
    similar = question.similar.get("learned", question.similar["tokens"])
    order = np.argsort(-similar, kind="stable")[:VOTERS]
    order = order[similar[order] > 0]
    citing = set(memory.citing[case.position].indices.tolist())
    voters = [row for row in order.tolist() if row in citing]
    if not voters:
        return None
    theorems = [memory.examples[row].theorem for row in voters]
    text = f"cited by {len(voters)} of the {len(order)} most similar proofs, e.g. {theorems[0].title or theorems[0].id}"
    return text, tuple(dict.fromkeys(theorem.id for theorem in theorems))


def _counts(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    count = len(_visible(case, case.desk.memory.citing[case.position].indices))
    return (f"often cited ({_times(count, 'proof')})", ()) if count >= 5 else None


def _words(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """The rarest words that both have."""
    library = case.desk.library
    candidate = passage_terms(library.candidates[case.position])
    shared = set(case.question.terms.prose) & set(candidate.prose)
    rarest = _rarest(library.vocabularies["prose"], shared)
    return (f"shares {', '.join(rarest)}", ()) if rarest else None


def _formulas(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """The rarest notation that both have."""
    library = case.desk.library
    candidate = passage_terms(library.candidates[case.position])
    shared = set(case.question.terms.signs) & set(candidate.signs)
    rarest = _rarest(library.vocabularies["signs"], shared)
    return (f"shares the notation {', '.join(rarest)}", ()) if rarest else None


def _titles(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """What the candidate is called stands in the query."""
    library = case.desk.library
    candidate = library.candidates[case.position]
    whole = library.vocabularies["prose"].present(case.question.terms.prose)
    dense = np.zeros(len(library.vocabularies["prose"].index), dtype=np.float32)
    dense[whole.terms] = whole.weights
    share = float(shared_mass(library.names[case.position], dense)[0] / library.name_mass[case.position])
    if share < 0.6 or not candidate.title:
        return None
    verb = "defines" if candidate.kind == "definition" else "is about"
    return f"{verb} *{candidate.title}*, used in the statement", ()


def _stated(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    here = case.desk.library.candidates[case.position].id
    return ("cited in the statement itself", ()) if here in case.question.query.cites else None


def _place(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    here, there = case.question.query.place, case.desk.library.candidates[case.position].place
    if here is None or there is None:
        return None
    back = here.position - there.position
    if 0 < back <= 10:
        return f"stated {_count(back, 'result')} above", ()
    if here.chapter == there.chapter:
        return f"in the same {'section' if here.section == there.section else 'chapter'}", ()
    return None


def _learned(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """The learnt association; it says nothing in words of its own but that such theorems use such statements."""
    if case.desk.learned is None:
        return None
    return "statements like this serve theorems like this one, as learnt from the training proofs", ()


SPEAKERS: dict[str, Callable[[Case], tuple[str, tuple[StatementId, ...]] | None]] = {
    "together": _together,
    "votes": _votes,
    "stated": _stated,
    "place": _place,
    "titles": _titles,
    "words": _words,
    "formulas": _formulas,
    "counts": _counts,
    "learned": _learned,
}
SPEAKS_FOR: dict[str, tuple[str, ...]] = {kind: (kind,) for kind in SPEAKERS}
"""The groups of features whose push a reason stands for."""


def _visible(case: Case, rows: Ints) -> Ints:
    return np.setdiff1d(rows, case.question.hidden)


def _rarest(vocabulary: Vocabulary, shared: Collection[str]) -> list[str]:
    """The terms that fewest statements have; what stands everywhere tells nothing."""
    index = vocabulary.index
    telling = [term for term in shared if term in index and vocabulary.rarity[index[term]] > TELLING]
    return sorted(telling, key=lambda term: (-vocabulary.rarity[index[term]], term))[:SHOWN]


def _count(number: int, noun: str) -> str:
    words = "no one two three four five six seven eight nine ten".split()
    return f"{words[number] if number < len(words) else number} {noun}{'' if number == 1 else 's'}"


def _times(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
