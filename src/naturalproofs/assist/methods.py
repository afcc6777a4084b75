"""Which method suggests, and how it is bound to the statements and the proofs of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from naturalproofs.assist.explained import Explained
from naturalproofs.assist.index.scorers import kept_scorer
from naturalproofs.assist.lexical.forward import Forward, cut
from naturalproofs.assist.lexical.scorer import Lexical
from naturalproofs.assist.lexical.settings import PLACED, PLAIN, LexicalSettings, lexical_settings
from naturalproofs.experiments.reproduction import CLASSICAL, CLASSICAL_PLACE
from naturalproofs.ranking.contract import Advisor, Ranker, Scorer
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

DEFAULT_METHOD = CLASSICAL
"""What suggests where nothing is said."""
DEFAULT_PLACED = CLASSICAL_PLACE
"""The same where statements have their places in a text."""

_ARRAYS: dict[str, LexicalSettings] = {CLASSICAL: PLAIN, CLASSICAL_PLACE: PLACED}
"""Methods that need not be looked up among the installed ones, which takes longer than asking them."""


def chosen_method(method: str | None, *, placed: bool) -> str:
    """The method that is meant when none is named."""
    return method or (DEFAULT_PLACED if placed else DEFAULT_METHOD)


def bind(
    method: str,
    candidates: Sequence[Passage],
    examples: Sequence[TrainingExample],
    forward: Forward | None = None,
    folder: Path | None = None,
) -> Advisor:
    """A method ready to be asked, with all proofs as its memory.

    Args:
        method: The printed form of a method, or a model folder.
        candidates: What may be suggested.
        examples: The proofs to remember.
        forward: The candidates' terms, where they are cut already.
        folder: Where a method that can keep what it prepares does so.
    """
    settings = _ARRAYS.get(method)
    ranker: Ranker | None = None
    if settings is None:
        from naturalproofs.ranking.models import method_named

        ranker = method_named(method)
        settings = lexical_settings(ranker)
    scorer: Scorer | None = None
    if ranker is not None and settings is None:
        scorer = kept_scorer(folder, ranker, method, TrainSet(tuple(candidates), tuple(examples)))
        if isinstance(scorer, Advisor):
            return scorer
    facts = Lexical.of(settings or PLAIN, candidates, examples, forward or cut(candidates))
    return Explained(scorer or facts, facts, tuple(candidates))
