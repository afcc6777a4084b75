"""Which method suggests, and how it is bound to the statements and the proofs of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from naturalproofs.ranking.contract import Ranker, Scorer, Suggester
from naturalproofs.ranking.registry import FUSION, FUSION_RECENCY
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from naturalproofs.workspace.explained import Explained
from naturalproofs.workspace.index.scorers import keep_scorer, kept_scorer
from naturalproofs.workspace.lexical.forward import Forward, cut
from naturalproofs.workspace.lexical.scorer import Lexical
from naturalproofs.workspace.lexical.settings import PLACED, PLAIN, LexicalSettings, lexical_settings

SHIPPED = "shipped"
"""What suggests where nothing is said: trees that come with the package."""
NEEDED = ("lightgbm", "scipy")
"""What the shipped ranker needs beside what every installation that suggests has."""
BETTER = "suggestions are better with the shipped ranker: pip install 'naturalproofs[hybrid]'"

_ARRAYS: dict[str, LexicalSettings] = {FUSION: PLAIN, FUSION_RECENCY: PLACED}
"""Methods that need not be looked up among the installed ones, which takes longer than asking them."""


def chosen_method(method: str | None, *, placed: bool) -> str:
    """The method that is meant when none is named: the shipped ranker, or a fusion where that cannot run."""
    return method or (SHIPPED if shipped_runs() else FUSION_RECENCY if placed else FUSION)


def in_arrays(method: str) -> bool:
    """Whether a method works on the terms that are cut for the classical fusion."""
    return method in _ARRAYS


def shipped_runs() -> bool:
    """Whether all that the shipped ranker needs is installed, and works."""
    if any(find_spec(package) is None for package in NEEDED):
        return False
    from naturalproofs.ranking.hybrid.native import loads

    return loads()


def bind(
    method: str,
    candidates: Sequence[Passage],
    examples: Sequence[TrainingExample],
    forward: Forward | None = None,
    folder: Path | None = None,
    before: Scorer | Path | None = None,
) -> Suggester:
    """A method ready to be asked, with all proofs as its memory.

    Args:
        method: The printed form of a method, or a model folder.
        candidates: What may be suggested.
        examples: The proofs to remember.
        forward: The candidates' terms, where they are cut already.
        folder: Where a method that can keep what it prepares does so.
        before: The same method as it was bound before something was edited, or where its arrays are kept.
    """
    settings = _ARRAYS.get(method)
    ranker = _named(method) if settings is None else None
    if ranker is not None and method != SHIPPED:
        settings = lexical_settings(ranker)
    scorer: Scorer | None = None
    if ranker is not None and settings is None:
        scorer = kept_scorer(folder, ranker, method, TrainSet(tuple(candidates), tuple(examples)), before)
        if isinstance(scorer, Suggester):
            return scorer
    facts = Lexical.of(settings or PLAIN, candidates, examples, forward or cut(candidates))
    return Explained(scorer or facts, facts, tuple(candidates))


def keep(method: str, candidates: Sequence[Passage], examples: Sequence[TrainingExample], folder: Path) -> None:
    """Have what `bind` would keep of a method kept, without binding it."""
    if method in _ARRAYS:
        return
    ranker = _named(method)
    if method == SHIPPED or lexical_settings(ranker) is None:
        keep_scorer(folder, ranker, method, TrainSet(tuple(candidates), tuple(examples)))


def _named(method: str) -> Ranker:
    if method == SHIPPED:
        from naturalproofs.ranking.hybrid.shipped import Shipped

        return Shipped()
    from naturalproofs.ranking.models import method_named

    return method_named(method)
