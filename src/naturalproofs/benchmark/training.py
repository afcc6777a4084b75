"""Train a method on a corpus and save the model; choose settings by grid search."""

from __future__ import annotations

import tempfile
import time
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any, cast

from naturalproofs.benchmark.evaluation import rank
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import BadSettings, EmptySplit, NotSupported, UnknownName
from naturalproofs.io.files import check_free
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import FittedRanker, Ranker, Storable, TrainContext, fit_in_context
from naturalproofs.ranking.neural.methods import is_first_process
from naturalproofs.ranking.registry import (
    FOLDERS,
    ModelManifest,
    TrainedOn,
    check_settings,
    parse_ranker,
    ranker_spec,
    save_model,
)
from naturalproofs.tasks.dataset import retrieval_task, train_set
from naturalproofs.tasks.measures.retrieval import compute_measures, parse_measure
from naturalproofs.tasks.protocols import WHOLE, Protocol, TextView
from naturalproofs.tasks.splits import Splits

TUNING_SPLITS = ("train", "valid")


def checkpoint_folder(output: Path) -> Path:
    """The folder for checkpoints: beside the model folder, which is written only when training is done."""
    return output.with_name(f"{output.name}.checkpoints")


def train_model(
    ranker: Ranker,
    corpus: Corpus,
    splits: Splits,
    output: Path,
    protocol: Protocol,
    *,
    seed: int = 0,
    minutes: float | None = None,
    resume: bool = False,
    progress: Progress = silent,
    pretrained: Callable[[Ranker], FittedRanker | None] = lambda _ranker: None,
    view: TextView = WHOLE,
    cluster: str = "",
) -> ModelManifest:
    """Fit on the training split, with early stopping on the validation split where supported, and save the model.

    Args:
        ranker: The method.
        corpus: The corpus it is trained on.
        splits: The splits of the corpus.
        output: The model folder.
        protocol: What the method sees.
        seed: Random seed.
        minutes: Time budget.
        resume: Whether to resume from checkpoints.
        progress: Reports training.
        pretrained: Looks up a trained model to initialise from.
        view: The visible parts of a statement.
        cluster: The Ray cluster on which the hybrid's training queries are scored.
    """
    check_free(output, FOLDERS.may_replace)
    train = train_set(corpus, splits, protocol, view)
    method = ranker_spec(ranker)
    if not train.examples:
        raise EmptySplit(f"{corpus.name} has no training examples; split it with 'naturalproofs split --recipe leaf'")
    start = time.perf_counter()
    valid = retrieval_task(corpus, splits, "valid", protocol, view=view) if splits.valid.examples else None
    context = TrainContext(checkpoint_folder(output), valid, minutes, resume, progress, pretrained, cluster)
    fitted = fit_in_context(context, ranker, train, seed=seed)
    if not isinstance(fitted, Storable):
        raise NotSupported(f"{method} has no trained model to save; pass its name to 'naturalproofs evaluate'")
    trained_on = TrainedOn(
        corpus=corpus.name,
        corpus_hash=content_hash(corpus)[:12],
        rules=corpus.provenance.rules,
        split_recipe=splits.recipe,
        protocol=protocol.name,
        examples=len(train.examples),
    )
    seconds = time.perf_counter() - start
    with _model_folder(output) as folder:
        return save_model(folder, fitted, method=method, seed=seed, trained_on=trained_on, seconds=seconds)


@contextmanager
def _model_folder(output: Path) -> Iterator[Path]:
    """The output in the first process of a distributed training, a temporary folder in the others."""
    if is_first_process():
        yield output
        return
    with tempfile.TemporaryDirectory(prefix="naturalproofs-") as folder:
        yield Path(folder) / output.name


@dataclass(frozen=True, slots=True)
class Trial:
    """One combination of settings and its result."""

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
    progress: Progress = silent,
) -> Iterator[Trial]:
    """Evaluate every combination of a grid on train or valid, never on test."""
    if split not in TUNING_SPLITS:
        raise BadSettings(
            f"settings are chosen on {' or '.join(TUNING_SPLITS)}, not on {split!r}: test is for reporting"
        )
    objective = parse_measure(measure)
    task = retrieval_task(corpus, splits, split, protocol)
    for values in product(*grid.values()):
        settings = dict(zip(grid, values, strict=True))
        candidate = cast(Ranker, replace(cast(Any, ranker), **settings))
        ranked = rank(candidate, task, seed=seed, progress=progress)
        value = objective.shown(compute_measures(ranked.queries, [objective]).total(objective))
        yield Trial(ranker_spec(candidate), str(objective), value if value is not None else 0.0, ranked.seconds)


def parse_grid(method: str, choices: Sequence[str]) -> tuple[Ranker, dict[str, list[Any]]]:
    """Parse a method and a grid from strings such as ``k1=0.9|1.2|1.5``."""
    ranker = parse_ranker(method)
    known = {one.name for one in fields(cast(Any, ranker))}
    grid: dict[str, list[Any]] = {}
    for choice in choices:
        setting, _, values = (part.strip() for part in choice.partition("="))
        if setting not in known:
            raise UnknownName(f"{method} has no setting {setting!r}; available: {', '.join(sorted(known)) or 'none'}")
        try:
            grid[setting] = [literal_eval(value.strip()) for value in values.split("|")]
        except (ValueError, SyntaxError) as error:
            raise BadSettings(f"{choice!r}: write setting=value|value, strings in quotes") from error
        for value in grid[setting]:
            check_settings(type(ranker), {setting: value})
    return ranker, grid
