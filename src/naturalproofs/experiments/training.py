"""Train a method on a corpus and keep the model."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import UnknownName
from naturalproofs.io.files import check_free
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import FittedRanker, Ranker, Storable, Trainable, TrainContext
from naturalproofs.ranking.models import ModelManifest, TrainedOn, is_model, save_model
from naturalproofs.ranking.registry import ranker_spec
from naturalproofs.tasks.dataset import retrieval_task, train_set
from naturalproofs.tasks.passages import WHOLE, TextView
from naturalproofs.tasks.protocols import Protocol
from naturalproofs.tasks.splits import Splits


def checkpoints(output: Path) -> Path:
    """Where a long training keeps its checkpoints: beside the model, so that the model appears whole or not at all."""
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
    tell: Progress = silent,
    made: Callable[[Ranker], FittedRanker | None] = lambda _ranker: None,
    view: TextView = WHOLE,
) -> ModelManifest:
    """Fit on the training split, stopping early on the validation split where the method does, and write the model.

    Args:
        ranker: The method.
        corpus: What it is trained on.
        splits: Its parts.
        output: Where the model goes.
        protocol: What the method sees.
        seed: For all that is random.
        minutes: A budget.
        resume: Whether to go on from checkpoints.
        tell: Is told how training goes.
        made: Gives models that a method may begin from, where there are any.
        view: Which parts of a statement are shown.
    """
    check_free(output, is_model)
    train = train_set(corpus, splits, protocol, view)
    method = ranker_spec(ranker)
    if not train.examples:
        raise UnknownName(f"{corpus.name} has no training examples; split it with 'naturalproofs split --recipe leaf'")
    start = time.perf_counter()
    if isinstance(ranker, Trainable):
        task = retrieval_task(corpus, splits, "valid", protocol, view=view, candidate_view=view)
        valid = task if splits.valid.examples else None
        context = TrainContext(checkpoints(output), valid, minutes, resume, tell, made)
        fitted = ranker.train(train, seed=seed, context=context)
    else:
        fitted = ranker.fit(train, seed=seed)
    if not isinstance(fitted, Storable):
        raise UnknownName(f"{method} learns nothing worth keeping; name it directly, as in 'naturalproofs evaluate'")
    trained_on = TrainedOn(
        corpus=corpus.name,
        corpus_hash=content_hash(corpus)[:12],
        rules=corpus.provenance.rules,
        split_recipe=splits.recipe,
        protocol=protocol.name,
        examples=len(train.examples),
    )
    seconds = time.perf_counter() - start
    return save_model(output, fitted, method=method, seed=seed, trained_on=trained_on, seconds=seconds)
