"""The joint model: one softmax over all references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from naturalproofs.ranking.contract import Scores, TrainContext
from naturalproofs.ranking.neural.choosing import ChoosingSettings
from naturalproofs.ranking.neural.zero_shot import need_torch
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.choosing_training import Chooser
    from naturalproofs.ranking.neural.references import Rows


@dataclass(frozen=True, slots=True)
class Joint(ChoosingSettings):
    """Scores all references at once; with ``decoder_layers`` by one step of a decoder, as the original does."""

    train_references: bool = True
    memory: bool = True
    """Whether what the proofs of like training theorems cite is mixed in."""
    memory_share: float = 0.1
    """What the learnt share of the memory is multiplied by when the model is asked: less is better at the top."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedJoint:
        """Train without validation."""
        need_torch()
        from naturalproofs.ranking.contract import temporary_context

        with temporary_context() as context:
            return self.train(train, seed=seed, context=context)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedJoint:
        """Train, stopping early on the context's validation task."""
        need_torch()
        from naturalproofs.ranking.neural.joint_training import train_joint

        return train_joint(self, train, seed, context)


@dataclass(frozen=True, slots=True)
class FittedJoint:
    """A trained network."""

    chooser: Chooser
    layers: int
    """How many layers the towers have of their own."""

    def index(self, candidates: Sequence[Passage]) -> JointScorer:
        """Find the candidates' rows."""
        from naturalproofs.ranking.neural.choosing_scoring import candidate_rows

        return JointScorer(self, candidate_rows(self.chooser, candidates))

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser, settings and the names of the references."""
        from naturalproofs.ranking.neural.choosing_training import save_chooser

        save_chooser(folder, self.chooser, self.layers)

    @classmethod
    def load(cls, folder: Path) -> FittedJoint:
        """Read what ``save`` wrote."""
        from naturalproofs.ranking.neural.choosing_training import chooser_of
        from naturalproofs.ranking.neural.storage import load_parts

        return cls(*chooser_of(load_parts(folder, Joint), "model."))

    def describe(self) -> str:
        """For the model card."""
        from naturalproofs.ranking.neural.choosing_scoring import card

        return card("Joint model: a softmax over all references at once.", self.chooser)


@dataclass(frozen=True, slots=True)
class JointScorer:
    """Rows of the candidates."""

    fitted: FittedJoint
    rows: Rows = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Unnormalised log-probabilities."""
        from naturalproofs.ranking.neural.choosing_scoring import first_scores, reads_pooled

        chooser = self.fitted.chooser
        texts = chooser.core.reader.read(queries, pooled=reads_pooled(chooser.network))
        return first_scores(chooser.network, texts, self.rows, [query.id for query in queries])
