"""Training and reading of pairwise models."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.neural.core import Core, bare, centre, new_core, tower_name
from naturalproofs.ranking.neural.examples import Examples
from naturalproofs.ranking.neural.pairwise_learner import PairwiseLearner
from naturalproofs.ranking.neural.running import left, run_loop, validation_of
from naturalproofs.ranking.neural.storage import load_parts
from naturalproofs.ranking.neural.two_towers import TwoTowers
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.checkpoints import TrainState
    from naturalproofs.ranking.neural.pairwise import FittedPairwise, Pairwise


def train_pairwise(settings: Pairwise, train: TrainSet, seed: int, context: TrainContext) -> FittedPairwise:
    """Train two towers."""
    began = time.monotonic()
    examples = Examples.of(train)
    core = new_core(settings, examples.passages, seed=seed)
    if settings.centred:
        centre(core.reader, core.tower, examples.passages)
    model = TwoTowers(core.tower, shared=settings.shared, temperature=settings.temperature)
    progress = None
    if len(examples):
        pooled = bare(core.tower)
        validation = validation_of(settings, context.valid, core.reader, theorems=pooled, candidates=pooled)
        learner = PairwiseLearner(settings, model, core.reader, examples, validation, seed)
        progress = run_loop(learner, settings, core.reader, examples, seed, left(context, began))
    return fitted(settings, core, model, progress)


def fitted(settings: Pairwise, core: Core, model: TwoTowers, progress: TrainState | None) -> FittedPairwise:
    """A model ready to be asked."""
    from naturalproofs.ranking.neural.pairwise import FittedPairwise

    model.eval()
    names = (tower_name(core.reader, model.theorem), tower_name(core.reader, model.reference))
    return FittedPairwise(settings, core, model, names, progress)


def load_pairwise(folder: Path) -> FittedPairwise:
    """Read a pairwise model."""
    from naturalproofs.ranking.neural.pairwise import Pairwise

    found = load_parts(folder, Pairwise)
    core = found.core()
    model = TwoTowers(core.tower, shared=found.settings.shared, temperature=found.settings.temperature)
    found.into(model.restore)
    return fitted(found.settings, core, model, found.progress)
