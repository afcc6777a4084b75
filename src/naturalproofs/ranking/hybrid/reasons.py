"""Why a candidate is suggested, in words: from the groups of features that moved its score."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.latex.display import plain_unicode
from naturalproofs.ranking.contract import Reason
from naturalproofs.ranking.hybrid.boosting import Booster
from naturalproofs.ranking.hybrid.desk import Desk, Question
from naturalproofs.ranking.hybrid.features import Table
from naturalproofs.ranking.term_vectors import Ints, best, row_terms
from naturalproofs.records import StatementId

MOST = 3
VOTERS = 10
"""Of how many similar theorems a reason speaks."""
SHOWN = 4
"""Words that a reason names."""
NEAR = 10
"""Farther back than this, a candidate is not said to be near."""
ALIKE = 0.5
"""The cosine from which on one statement is said to read like another."""
SILENT = frozenset(
    r"\colon \frac \dfrac \tfrac \displaystyle \limits \mathrm \mathbf \mathcal \mathfrak \operatorname".split()
)
"""Commands that are no notation by themselves."""
_JOINED = re.compile(
    r"\\(math(?:cal|frak|bf|bb|scr|rm|it)|text(?:it|rm|bf)?|operatorname\*?|overline|widehat|widetilde|underline)"
    r"\{?([A-Za-z]+)\}?"
)
SPOKEN = {r"\sqrt": "√", r"\int": "∫", r"\abs": "|·|", r"\norm": "‖·‖"}
PLAIN = frozenset(
    "every only exist exists exactly particular called denoted following given assume suppose define defined "
    "case see lemma".split()
)
"""Words that say nothing of what a statement is about, however rare they are."""
TELLING = 1.5
"""The rarity of a word that about one statement in five has."""


@dataclass(frozen=True, slots=True)
class Case:
    """One candidate, about to be explained."""

    desk: Desk
    question: Question
    position: int
    voters: Sequence[int]
    """The proofs of the most similar theorems, the most similar first."""


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
    voters = _voters(question)
    found = []
    for number, row in enumerate(rows):
        case = Case(desk, question, int(question.pool[row]), voters)
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
    proofs = _visible(case, row_terms(memory.citing, case.position))
    counts = {known: int(memory.cited[proofs][:, known].sum()) for known in case.question.known}
    most = max(counts, key=lambda place: counts[place], default=None)
    if most is None or not counts[most]:
        return None
    text = f"in {_times(counts[most], 'proof')} beside what is cited already"
    return text, (case.desk.library.candidates[most].id,)


def _voters(question: Question) -> list[int]:
    similar = question.similar.get("learned", question.similar["tokens"])
    order = best(similar, VOTERS)
    return [row for row in order.tolist() if similar[row] > 0]


def _votes(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """Cited by the proofs of similar theorems."""
    memory = case.desk.memory
    citing = set(row_terms(memory.citing, case.position).tolist())
    theorems = [memory.examples[row].theorem.id for row in case.voters if row in citing]
    if not theorems:
        return None
    return f"cited by {len(theorems)} of the {len(case.voters)} most similar proofs", tuple(dict.fromkeys(theorems))


def _analogous(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """Reads like what the proofs of similar theorems cite."""
    learned, memory = case.desk.learned, case.desk.memory
    cited = [row_terms(memory.cited, row) for row in case.voters]
    if learned is None or not cited:
        return None
    others = np.setdiff1d(np.concatenate(cited), [case.position])
    alike = learned.texts[others] @ learned.texts[case.position]
    if not len(others) or alike.max() < ALIKE:
        return None
    model = int(others[int(alike.argmax())])
    return "reads like what a similar proof cites", (case.desk.library.candidates[model].id,)


def _counts(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    count = len(_visible(case, row_terms(case.desk.memory.citing, case.position)))
    return (f"often cited ({_times(count, 'proof')})", ()) if count >= 5 else None


def _words(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """The rarest words that both have."""
    rarest = _rarest(case, "prose", case.question.terms.prose)
    return (f"shares {', '.join(rarest)}", ()) if rarest else None


def _formulas(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """The rarest notation that both have."""
    rarest = [_read(sign) for sign in _rarest(case, "signs", case.question.terms.signs)]
    shown = list(dict.fromkeys(sign for sign in rarest if sign))
    return (f"shares the notation {', '.join(shown)}", ()) if shown else None


def _titles(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    """What the candidate is called stands in the query."""
    candidate = case.desk.library.candidates[case.position]
    share = float(case.question.scores["naming"][case.position])
    if share < 0.6 or not candidate.title:
        return None
    verb = "defines" if candidate.kind == "definition" else "is about"
    return f"{verb} “{plain_unicode(candidate.title, {})}”, named in the statement", ()


def _stated(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    here = case.desk.library.candidates[case.position].id
    return ("cited in the statement itself", ()) if here in case.question.query.cites else None


def _place(case: Case) -> tuple[str, tuple[StatementId, ...]] | None:
    here, there = case.question.query.place, case.desk.library.candidates[case.position].place
    if here is None or there is None:
        return None
    back = here.position - there.position
    if 0 < back <= NEAR:
        return "stated just above" if back == 1 else f"stated {back} results above", ()
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
    "analogous": _analogous,
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


def _rarest(case: Case, view: str, terms: Collection[str]) -> list[str]:
    """The shared terms that fewest statements have; what stands everywhere tells nothing."""
    vocabulary = case.desk.library.vocabularies[view]
    asked = {vocabulary.index[term]: term for term in terms if term in vocabulary.index}
    shared = [number for number in row_terms(case.desk.library.rows[view], case.position).tolist() if number in asked]
    telling = [
        (-float(vocabulary.rarity[number]), asked[number])
        for number in shared
        if vocabulary.rarity[number] > TELLING and asked[number] not in PLAIN
    ]
    return [term for _, term in sorted(telling)[:SHOWN]]


def _read(sign: str) -> str:
    """A sign as one reads it: a command by its character, or by its name without the stroke; nothing for layout."""
    if sign in SILENT:
        return ""
    # The terms have no spaces: \\widetilde M has become one command.
    joined = _JOINED.fullmatch(sign)
    source = f"\\{joined[1]}{{{joined[2]}}}" if joined else sign
    return SPOKEN.get(sign) or plain_unicode(f"${source}$", {}).strip() or sign.lstrip("\\")


def _times(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
