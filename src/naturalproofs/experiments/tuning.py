"""Choose settings on train or valid, never on test, and record everything that was tried."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any, cast

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.parse import parse_ranking_measure
from naturalproofs.experiments.ranking import rank
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import Ranker
from naturalproofs.ranking.registry import parse_ranker, ranker_spec
from naturalproofs.tasks.dataset import retrieval_task
from naturalproofs.tasks.protocols import Protocol
from naturalproofs.tasks.splits import Splits

TUNING_SPLITS = ("train", "valid")


@dataclass(frozen=True, slots=True)
class Trial:
    """One choice of settings and what it gave."""

    method: str
    measure: str
    value: float
    seconds: float


def tune(
    ranker: Ranker,
    grid: Mapping[str, Sequence[Any]],
    corpus: Corpus,
    splits: Splits,
    protocol: Protocol,
    *,
    split: str = "valid",
    measure: str = "mAP",
    seed: int = 0,
    tell: Progress = silent,
) -> Iterator[Trial]:
    """Try every choice of the grid, in its order; the caller keeps the best."""
    if split not in TUNING_SPLITS:
        raise UnknownName(
            f"settings are chosen on {' or '.join(TUNING_SPLITS)}, not on {split!r}: test is for reporting"
        )
    judge = parse_ranking_measure(measure)
    task = retrieval_task(corpus, splits, split, protocol)
    for values in product(*grid.values()):
        settings = dict(zip(grid, values, strict=True))
        chosen = cast(Ranker, replace(cast(Any, ranker), **settings))
        ranked = rank(chosen, task, seed=seed, tell=tell)
        value = judge.shown(evaluate(ranked.queries, [judge]).total(judge))
        yield Trial(ranker_spec(chosen), str(judge), value if value is not None else 0.0, ranked.seconds)


def parse_grid(method: str, choices: Sequence[str]) -> tuple[Ranker, dict[str, list[Any]]]:
    """A method and its grid from texts such as ``k1=0.9|1.2|1.5``."""
    ranker = parse_ranker(method)
    known = {one.name for one in fields(cast(Any, ranker))}
    grid: dict[str, list[Any]] = {}
    for choice in choices:
        setting, _, values = (part.strip() for part in choice.partition("="))
        if setting not in known:
            raise UnknownName(f"{method} has no setting {setting!r}; it has: {', '.join(sorted(known)) or 'none'}")
        try:
            grid[setting] = [literal_eval(value.strip()) for value in values.split("|")]
        except (ValueError, SyntaxError) as error:
            raise UnknownName(f"{choice!r}: write setting=value|value, texts in quotes") from error
    return ranker, grid
