"""Exercises about proofs: which results does it use, in which order, and which one where?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import UnknownName
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.workspace.citing import one_line, printed_name
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.spots import cited_spots

Form: TypeAlias = Literal["choose", "order", "blanks"]
FORMS: tuple[Form, ...] = ("choose", "order", "blanks")
DISTRACTORS = 4
PLAUSIBLE = 3
"""Distractors are drawn from this many times as many of the likeliest candidates."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something to choose, with the letter it is chosen by."""

    letter: str
    id: StatementId


@dataclass(frozen=True, slots=True)
class Exercise:
    """A theorem and a question about its proof. Everything needed to grade it is inside."""

    theorem: StatementId
    form: Form
    seed: int
    options: tuple[Option, ...]
    answer: tuple[StatementId, ...]
    """What the proof cites: each once in the order of first use, or, for blanks, one for each blank."""
    hints: tuple[str, ...]
    """From hardly anything to everything."""
    text: str = ""
    """For blanks: the proof, each citation replaced by its number in brackets like ⟨1⟩."""


def make_exercise(
    library: Library, statement: Statement, *, form: Form = "choose", distractors: int = DISTRACTORS, seed: int = 0
) -> Exercise:
    """An exercise from a theorem whose proof is written; the same one for the same seed.

    Args:
        library: The theorem's corpus first; distractors come from there.
        statement: A theorem with a proof that cites something.
        form: *choose* what is used, put it into *order*, or fill *blanks*.
        distractors: How many options the proof does not use; plausible ones, drawn from what a method would suggest.
        seed: Decides what is drawn and the order of the options.
    """
    proof = next((proof for proof in statement.proofs if proof.references), None)
    if proof is None:
        raise UnknownName(f"{statement.id} has no proof that cites a statement; choose another theorem")
    used = tuple(dict.fromkeys(key for key in proof.references if key != statement.id))
    if form == "order" and len(used) < 2:
        raise UnknownName(f"the proof of {statement.id} cites one statement, which leaves nothing to order")
    answer, text = _blanked(statement, proof) if form == "blanks" else (used, "")
    chance = random.Random(f"{seed} {form} {statement.id}")
    wrong = [] if form == "order" else _distractors(library, statement, used, distractors, chance)
    shown = [*used, *wrong]
    chance.shuffle(shown)
    options = tuple(Option(letter(place), key) for place, key in enumerate(shown))
    return Exercise(statement.id, form, seed, options, answer, hint_ladder(library, used), text)


def letter(place: int) -> str:
    """A to Z, then AA, AB and so on."""
    return (letter(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _distractors(
    library: Library, statement: Statement, used: Sequence[StatementId], count: int, chance: random.Random
) -> list[StatementId]:
    """Statements that might have been used: drawn from the likeliest that are not, and are not cited by the theorem."""
    if count < 1:
        return []
    taken = {statement.id, *used, *statement.references}
    home = library.home(statement.id)
    found = library.suggest(statement, k=len(taken) + PLAUSIBLE * count, corpora=[home.name], cited=used)
    plausible = [item.statement.id for item in found if item.statement.id not in taken][: PLAUSIBLE * count]
    return chance.sample(plausible, min(count, len(plausible)))


def _blanked(statement: Statement, proof: Proof) -> tuple[tuple[StatementId, ...], str]:
    text = "\n".join(proof.lines)
    spots = cited_spots(text, proof.mentions)
    answer: list[StatementId] = []
    parts: list[str] = []
    at = 0
    for spot in spots:
        cited = [m.reference for m in spot.mentions if m.reference is not None and m.reference != statement.id]
        if not cited or len(cited) < len(spot.mentions):
            continue
        marks = [f"⟨{len(answer) + place}⟩" for place in range(1, len(cited) + 1)]
        parts += [text[at : spot.start], ", ".join(marks)]
        answer += cited
        at = spot.end
    if not answer:
        raise UnknownName(
            f"the citations in the proof of {statement.id} cannot be told from its words; use another form"
        )
    return tuple(answer), "".join([*parts, text[at:]])


def hint_ladder(library: Library, used: Sequence[StatementId]) -> tuple[str, ...]:
    """How many, of which kinds, from where, then one by one, the most decisive first.

    Decisive is what few proofs use: a lemma made for this theorem says more than the definition of a group.
    """
    shelf = library.home(used[0])
    statements = [library.statement(key) for key in used]
    graph: ReferenceGraph = shelf.graph
    order = sorted(statements, key=lambda s: (len(graph.used_by.get(s.id, ())), used.index(s.id)))
    forms = _counted((s.form or s.kind) for s in statements)
    places = _listed(dict.fromkeys(where for s in statements if (where := _where(s))))
    number = len(used)
    hints = [f"The proof uses {number} result{'' if number == 1 else 's'}.", f"Of these kinds: {forms}."]
    if places:
        hints.append(f"They are found in: {places}.")
    return (*hints, *(f"It uses {full_name(library, statement)}." for statement in order))


def full_name(library: Library, statement: Statement) -> str:
    """``Lemma 3.2 (Zorn)``, or the label where it has neither number nor title."""
    title = one_line(statement.title, library.home(statement.id).macros)
    name = printed_name(statement)
    if not statement.number and not title:
        return f"{name} {statement.label}"
    return f"{name} ({title})" if title else name


def _where(statement: Statement) -> str:
    place = statement.place
    if place is None:
        return statement.categories[0] if statement.categories else ""
    return place.chapter or place.section


def _counted(words: Iterable[str]) -> str:
    return _listed(f"{count} {word}{'' if count == 1 else 's'}" for word, count in sorted(Counter(words).items()))


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
