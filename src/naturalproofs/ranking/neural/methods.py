"""The neural methods as rankers: named, printed and parsed without torch, which is imported when they are fitted."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from naturalproofs.errors import MissingExtra
from naturalproofs.ranking.contract import FittedRanker, TrainContext, temporary_context
from naturalproofs.ranking.neural.settings import (
    AutoregressiveSettings,
    JointSettings,
    PairwiseSettings,
    ZeroShotSettings,
    first_stage,
)
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.autoregressive import FittedAutoregressive
    from naturalproofs.ranking.neural.encode import FittedZeroShot
    from naturalproofs.ranking.neural.joint import FittedJoint
    from naturalproofs.ranking.neural.pairwise import FittedPairwise


@dataclass(frozen=True, slots=True)
class ZeroShot(ZeroShotSettings):
    """A pretrained encoder without training: candidates are ranked by the cosine of their vectors."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedZeroShot:
        """Load the encoder; only ``tiny`` takes its vocabulary from the texts."""
        require_torch()
        from naturalproofs.ranking.neural.encode import FittedZeroShot

        return FittedZeroShot.of(self, train.passages, seed)


class _Trained:
    """A method that is trained."""

    __slots__ = ()

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        """Train without validation."""
        with temporary_context() as context:
            return self.train(train, seed=seed, context=context)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedRanker:
        """Train, stopping early on the context's validation task; first the model to start from, if there is none."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Pairwise(PairwiseSettings, _Trained):
    """Two towers trained so that the vector of a theorem is close to those of the references of its proof."""

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedPairwise:
        """Train, stopping early on the context's validation task."""
        require_torch()
        from naturalproofs.ranking.neural.pairwise import train_pairwise

        return train_pairwise(self, train, seed, context)


@dataclass(frozen=True, slots=True)
class Joint(JointSettings, _Trained):
    """A softmax over all references at once."""

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedJoint:
        """Train, stopping early on the context's validation task; the pairwise model first, if there is none."""
        require_torch()
        from naturalproofs.ranking.neural.joint import train_joint

        return train_joint(self, Pairwise(**first_stage(self)), train, seed, context)


@dataclass(frozen=True, slots=True)
class Autoregressive(AutoregressiveSettings, _Trained):
    """Predicts the references of a proof in order, over a joint model whose weights are frozen."""

    generates: ClassVar[bool] = True

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedAutoregressive:
        """Train, stopping early on the context's validation task; the joint model first, if there is none."""
        require_torch()
        from naturalproofs.ranking.neural.autoregressive import train_autoregressive

        return train_autoregressive(self, Joint(**first_stage(self), init=self.init), train, seed, context)


def is_first_process() -> bool:
    """Whether this is the first process of the first node, which writes the model, or the only process."""
    if "RANK" in os.environ:
        return os.environ["RANK"] == "0"
    return all(os.environ.get(name, "0") == "0" for name in ("NODE_RANK", "LOCAL_RANK"))


def require_torch() -> None:
    """Name the missing extra before anything is imported."""
    needed = ("torch", "tokenizers", "safetensors", "transformers", "lightning_fabric")
    if any(find_spec(name) is None for name in needed):
        raise MissingExtra("a neural method", "neural")
