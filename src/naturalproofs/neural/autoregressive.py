"""The autoregressive model: one reference after another, until the end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from naturalproofs.generation.contract import Sequences
from naturalproofs.neural.choosing import ChoosingSettings
from naturalproofs.neural.zero_shot import need_torch
from naturalproofs.ranking.contract import Scores, Workshop
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.neural.choosing_training import Chooser
    from naturalproofs.neural.references import Rows


@dataclass(frozen=True, slots=True)
class Autoregressive(ChoosingSettings):
    """Predicts the references of a proof in order."""

    generates: ClassVar[bool] = True

    decoder_layers: int = 2
    longest: int = 19
    """References of a proof that are learnt and generated."""
    set_weight: float = 0.5
    """How much the first step also learns to rank the whole set of references."""
    retrieved: int = 5
    """How many references, decoded greedily, stand before all others when ranking."""
    beam: int = 20
    length_power: float = 1.0
    """How much longer sequences are favoured in generation."""

    @property
    def decoded(self) -> int:
        """How many references are decoded for a ranking."""
        return min(self.retrieved, self.longest)

    def fit(self, train: TrainSet, *, seed: int) -> FittedAutoregressive:
        """Train without validation."""
        need_torch()
        from naturalproofs.neural.workshops import temporary_workshop

        with temporary_workshop() as workshop:
            return self.train(train, seed=seed, workshop=workshop)

    def train(self, train: TrainSet, *, seed: int, workshop: Workshop) -> FittedAutoregressive:
        """Train, stopping early on the workshop's validation task."""
        need_torch()
        from naturalproofs.neural.autoregressive_training import train_autoregressive

        return train_autoregressive(self, train, seed, workshop)


@dataclass(frozen=True, slots=True)
class FittedAutoregressive:
    """A trained network."""

    generates: ClassVar[bool] = True

    settings: Autoregressive
    chooser: Chooser
    layers: int
    """How many layers the towers have of their own."""

    def index(self, candidates: Sequence[Passage]) -> AutoregressiveScorer:
        """Find the candidates' rows; those of a corpus it has never seen come from their texts."""
        from naturalproofs.neural.choosing_scoring import candidate_rows

        names = tuple(candidate.id for candidate in candidates)
        return AutoregressiveScorer(self, names, candidate_rows(self.chooser, candidates))

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser, settings and the names of the references."""
        from naturalproofs.neural.choosing_training import save_chooser

        save_chooser(folder, self.chooser, self.layers)

    @classmethod
    def load(cls, folder: Path) -> FittedAutoregressive:
        """Read what ``save`` wrote."""
        from naturalproofs.neural.choosing_training import load_chooser

        settings, chooser, layers = load_chooser(folder, Autoregressive)
        return cls(settings, chooser, layers)

    def describe(self) -> str:
        """For the model card."""
        from naturalproofs.neural.choosing_scoring import card

        return card("Autoregressive model: predicts the references of a proof in order.", self.chooser)


@dataclass(frozen=True, slots=True)
class AutoregressiveScorer:
    """Rows of the candidates; ranks, and generates."""

    fitted: FittedAutoregressive
    names: tuple[StatementId, ...] = field(repr=False)
    rows: Rows = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """What greedy decoding gives, in order, then all others by the first step's probability."""
        from naturalproofs.neural.decoding import ranked_scores

        own = [self._own(query) for query in queries]
        return ranked_scores(self.fitted.chooser, self.rows, queries, own, self.fitted.settings.decoded)

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """The most probable sequences that a beam finds; a theorem never cites itself."""
        from naturalproofs.neural.decoding import generated

        settings = self.fitted.settings
        without = [{*self._own(query), *(excluded[i] if excluded else ())} for i, query in enumerate(queries)]
        found = generated(self.fitted.chooser, self.rows, queries, without, settings)
        return [tuple(self.names[token] for token in tokens) for tokens in found]

    def _own(self, query: Passage) -> tuple[int, ...]:
        return tuple(place for place, name in enumerate(self.names) if name == query.id)
