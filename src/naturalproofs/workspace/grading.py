"""How good an answer to an exercise is, by the measures that methods are judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.generation_measures import (
    EditDistance,
    ExactMatch,
    GeneratedSequence,
    GenerationMeasure,
    MeanF1,
)
from naturalproofs.evaluation.measure import compute_measures
from naturalproofs.records import StatementId
from naturalproofs.workspace.exercises import Exercise

_SETS: tuple[GenerationMeasure, ...] = (ExactMatch("set"), MeanF1("set"))
_SEQUENCES: tuple[GenerationMeasure, ...] = (ExactMatch(), EditDistance(), MeanF1("multiset"))


@dataclass(frozen=True, slots=True)
class Grade:
    """What was right."""

    right: tuple[str, ...]
    """Letters that were chosen rightly; for sequences, those that stand in the right place."""
    wrong: tuple[str, ...]
    missing: tuple[str, ...]
    """Letters that should have been given and were not."""
    measures: dict[str, float | None]
    """By name, in percent."""
    points: float
    """From 0 to 1: F1 of the set for choosing, one minus the edit distance for ordering, the share for blanks."""

    @property
    def perfect(self) -> bool:
        """Whether nothing is to be mended."""
        return self.points == 1.0


def grade(exercise: Exercise, answer: Sequence[str]) -> Grade:
    """Grade an answer given as letters, ids or labels; a dash leaves a blank empty."""
    given = tuple(_meant(exercise, one) for one in answer)
    letters = {option.id: option.letter for option in exercise.options}
    true = exercise.answer
    chosen = tuple(dict.fromkeys(given)) if exercise.form == "choose" else given
    measures = _SETS if exercise.form == "choose" else _SEQUENCES
    found = compute_measures([GeneratedSequence(exercise.theorem, chosen, true)], measures).shown()
    shown = [letters.get(key, "–") if key else "–" for key in chosen]
    if exercise.form == "choose":
        hits = [key in true for key in chosen]
        points = (found[str(MeanF1("set"))] or 0.0) / 100
        missing = [letters[key] for key in true if key not in chosen]
    else:
        hits = [place < len(true) and key == true[place] for place, key in enumerate(chosen)]
        share = sum(hits) / len(true)
        points = 1.0 - (found[str(EditDistance())] or 0.0) / 100 if exercise.form == "order" else share
        missing = [letters[key] for place, key in enumerate(true) if place >= len(chosen) or chosen[place] != key]
    return Grade(
        right=tuple(one for one, hit in zip(shown, hits, strict=True) if hit),
        wrong=tuple(one for one, hit in zip(shown, hits, strict=True) if not hit),
        missing=tuple(missing),
        measures=found,
        points=points,
    )


def _meant(exercise: Exercise, given: str) -> StatementId:
    name = given.strip().strip(".,;()")
    if name in ("", "-", "–", "_", "?"):
        return ""
    for option in exercise.options:
        if name.upper() == option.letter or name in (option.id, option.id.partition(":")[2]):
            return option.id
    known = ", ".join(option.letter for option in exercise.options)
    raise UnknownName(f"{given!r} is none of the options; they are {known}")
