"""Exercises about proofs: which results a proof uses, in which order, and where; and their grading."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import NoExercise, RepeatedAnswer, UnknownName
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.tasks.measures.generated import (
    EDIT_DISTANCE,
    GeneratedSequence,
    GenerationMeasure,
    exact_match,
    mean_f1,
)
from naturalproofs.tasks.measures.retrieval import compute_measures
from naturalproofs.workspace import render
from naturalproofs.workspace.citations import citation_sites
from naturalproofs.workspace.workspace import Workspace

Form: TypeAlias = Literal["choose", "order", "blanks"]
FORMS: tuple[Form, ...] = ("choose", "order", "blanks")
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z\\$(])|\n\s*\n")
DISTRACTORS = 4
PLAUSIBLE = 3
"""Distractors are drawn from this many times as many of the likeliest candidates."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option and its letter."""

    letter: str
    id: StatementId


@dataclass(frozen=True, slots=True)
class Exercise:
    """A theorem and a question about its proof, with everything that grading needs."""

    theorem: StatementId
    form: Form
    seed: int
    options: tuple[Option, ...]
    answer: tuple[StatementId, ...]
    """What the proof cites: each once in the order of first use, or, for blanks, one for each blank."""
    hints: tuple[str, ...]
    """From little to everything."""
    text: str = ""
    """For blanks: the proof, each citation replaced by its number in brackets like ⟨1⟩."""


def make_exercise(
    workspace: Workspace, statement: Statement, *, form: Form = "choose", distractors: int = DISTRACTORS, seed: int = 0
) -> Exercise:
    """An exercise from a theorem whose proof is written; the same one for the same seed.

    Args:
        workspace: What contains the theorem; distractors come from the same corpus.
        statement: A theorem with a proof that cites something.
        form: *choose* what is used, put it into *order*, or fill *blanks*.
        distractors: How many options the proof does not use; plausible ones, drawn from what a method would suggest.
        seed: Decides what is drawn and the order of the options.
    """
    proof = next((proof for proof in statement.proofs if proof.references), None)
    if proof is None:
        raise NoExercise(f"{statement.id} has no proof that cites a statement; choose another theorem")
    used = tuple(dict.fromkeys(key for key in proof.references if key != statement.id))
    if form == "order" and len(used) < 2:
        raise NoExercise(f"the proof of {statement.id} cites one statement, which leaves nothing to order")
    answer, text = _blanked(statement, proof) if form == "blanks" else (used, "")
    chance = random.Random(f"{seed} {form} {statement.id}")
    wrong = [] if form == "order" else _distractors(workspace, statement, used, distractors, chance)
    shown = [*used, *wrong]
    chance.shuffle(shown)
    options = tuple(Option(letter(place), key) for place, key in enumerate(shown))
    return Exercise(statement.id, form, seed, options, answer, hint_ladder(workspace, used), text)


def letter(place: int) -> str:
    """A to Z, then AA, AB and so on."""
    return (letter(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _distractors(
    workspace: Workspace, statement: Statement, used: Sequence[StatementId], count: int, chance: random.Random
) -> list[StatementId]:
    """Statements that might have been used: drawn from the likeliest that are not, and are not cited by the theorem."""
    if count < 1:
        return []
    taken = {statement.id, *used, *statement.references}
    home = workspace.find(statement.id).corpus
    found = workspace.suggest(statement, k=len(taken) + PLAUSIBLE * count, corpora=[home.name], cited=used)
    plausible = [item.statement.id for item in found if item.statement.id not in taken][: PLAUSIBLE * count]
    return chance.sample(plausible, min(count, len(plausible)))


def _blanked(statement: Statement, proof: Proof) -> tuple[tuple[StatementId, ...], str]:
    text = proof.text
    answer: list[StatementId] = []
    parts: list[str] = []
    at = 0
    for site in citation_sites(text, proof.mentions):
        cited = [m.reference for m in site.mentions if m.reference is not None and m.reference != statement.id]
        if not cited or len(cited) < len(site.mentions):
            continue
        marks = [f"⟨{len(answer) + place}⟩" for place in range(1, len(cited) + 1)]
        parts += [text[at : site.start], ", ".join(marks)]
        answer += cited
        at = site.end
    if not answer:
        raise NoExercise(
            f"the citations in the proof of {statement.id} cannot be located in its text; use another form"
        )
    return tuple(answer), "".join([*parts, text[at:]])


def hint_ladder(workspace: Workspace, used: Sequence[StatementId]) -> tuple[str, ...]:
    """How many, of which kinds, from where, then one by one, the most decisive first.

    Decisive is what few proofs use: a lemma made for this theorem says more than the definition of a group.
    """
    graph = workspace.find(used[0]).corpus.graph
    statements = [workspace.statement(key) for key in used]
    order = sorted(statements, key=lambda s: (len(graph.used_by.get(s.id, ())), used.index(s.id)))
    counts = sorted(Counter(s.form or s.kind for s in statements).items())
    forms = ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for word, count in counts)
    places = ", ".join(dict.fromkeys(where for s in statements if (where := _where(s))))
    number = len(used)
    hints = [f"The proof uses {number} result{'' if number == 1 else 's'}.", f"Of these kinds: {forms}."]
    if places:
        hints.append(f"They are found in: {places}.")
    return (*hints, *(f"It uses {full_name(workspace, statement)}." for statement in order))


def full_name(workspace: Workspace, statement: Statement) -> str:
    """``Lemma 3.2 (Zorn)``, or the label where it has neither number nor title."""
    return render.name_or_label(statement, workspace.macros(statement))


def _where(statement: Statement) -> str:
    place = statement.place
    if place is None:
        return statement.categories[0] if statement.categories else ""
    return place.chapter or place.section


_SETS: tuple[GenerationMeasure, ...] = (exact_match("set"), mean_f1("set"))
_SEQUENCES: tuple[GenerationMeasure, ...] = (exact_match(), EDIT_DISTANCE, mean_f1("multiset"))


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of grading."""

    right: tuple[str, ...]
    """Letters that were chosen rightly; for sequences, those that stand in the right place."""
    wrong: tuple[str, ...]
    """Letters that the answer does not have, or not so often."""
    displaced: tuple[str, ...]
    """For sequences: letters that the answer has, but in another place."""
    missing: tuple[str, ...]
    """Letters that should have been given and were not."""
    measures: dict[str, float | None]
    """By name, in percent."""
    points: float
    """From 0 to 1: F1 of the set for choosing, else the share that stands in the right place."""

    @property
    def perfect(self) -> bool:
        """Whether everything is right."""
        return self.points == 1.0

    @property
    def percent(self) -> int:
        """The points in percent, rounded; all and nothing are said only of all and nothing."""
        return round(100 * self.points) if self.points in (0.0, 1.0) else min(99, max(1, round(100 * self.points)))


def grade(exercise: Exercise, answer: Sequence[str]) -> Grade:
    """Grade an answer given as letters, ids or labels; a dash leaves a blank empty."""
    given = tuple(_option(exercise, one) for one in answer)
    letters = {option.id: option.letter for option in exercise.options}
    twice = [letters[key] for key, count in Counter(given).items() if key and count > 1]
    if exercise.form == "order" and twice:
        raise RepeatedAnswer(f"{', '.join(twice)} is given more than once; an order has each letter once")
    true = exercise.answer
    chosen = tuple(dict.fromkeys(given)) if exercise.form == "choose" else given
    measures = _SETS if exercise.form == "choose" else _SEQUENCES
    found = compute_measures([GeneratedSequence(exercise.theorem, chosen, true)], measures).shown()
    if exercise.form == "choose":
        hits = [key in true for key in chosen]
        points = (found[str(mean_f1("set"))] or 0.0) / 100
        left = Counter(true) - Counter(chosen)
    else:
        hits = [place < len(true) and key == true[place] for place, key in enumerate(chosen)]
        points = sum(hits) / len(true)
        left = Counter(true) - Counter(key for key, hit in zip(chosen, hits, strict=True) if hit)
    wrong: list[str] = []
    displaced: list[str] = []
    for key in (key for key, hit in zip(chosen, hits, strict=True) if key and not hit):
        (displaced if left[key] else wrong).append(letters[key])
        left[key] -= bool(left[key])
    return Grade(
        right=tuple(letters[key] for key, hit in zip(chosen, hits, strict=True) if hit),
        wrong=tuple(wrong),
        displaced=tuple(displaced),
        missing=tuple(letters[key] for key in left.elements()),
        measures=found,
        points=points,
    )


def cited_sentences(statement: Statement) -> dict[StatementId, str]:
    """What the proofs of a theorem cite, each with the first sentence that cites it."""
    found: dict[StatementId, str] = {}
    for proof in statement.proofs:
        text = proof.text
        ends = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
        for site in citation_sites(text, proof.mentions):
            start = max(end for end in ends if end <= site.start)
            sentence = text[start : min(end for end in ends if end >= site.end)].strip()
            for mention in site.mentions:
                # A sentence that begins or ends inside of a formula says nothing.
                if mention.reference is not None and not sentence.count("$") % 2:
                    found.setdefault(mention.reference, sentence)
    return found


def next_theorem(corpus: Corpus, statement: Statement) -> Statement | None:
    """The next theorem in reading order whose proof gives an exercise."""
    after = iter(corpus.statements[[one.id for one in corpus.links].index(statement.id) + 1 :])
    return next((one for one in after if any(proof.references for proof in one.proofs)), None)


def _option(exercise: Exercise, given: str) -> StatementId:
    name = given.strip().strip(".,;()")
    if name in ("", "-", "–", "_", "?"):
        return ""
    for option in exercise.options:
        if name.upper() == option.letter or name in (option.id, option.id.partition(":")[2]):
            return option.id
    known = ", ".join(option.letter for option in exercise.options)
    raise UnknownName(f"{given!r} is none of the options; they are {known}")
