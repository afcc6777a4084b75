"""The autoregressive model: one reference after another, until the end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from naturalproofs.ranking.contract import Scores, Sequences, TrainContext
from naturalproofs.ranking.neural.choosing import alike
from naturalproofs.ranking.neural.joint import Joint
from naturalproofs.ranking.neural.settings import TrainingSettings, one_of
from naturalproofs.ranking.neural.zero_shot import need_torch
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.checkpoints import TrainState
    from naturalproofs.ranking.neural.choosing_training import Chooser
    from naturalproofs.ranking.neural.decoding import Decoding
    from naturalproofs.ranking.neural.sequencer import Sequencer

CHOICES = ("worth", "beam")


@dataclass(frozen=True, slots=True)
class Autoregressive(TrainingSettings):
    """Predicts the references of a proof in order, over a joint model that stays as it is."""

    generates: ClassVar[bool] = True

    start: str = ""
    """The folder of a joint model to stand on; its encoder settings hold. Empty: one is trained first."""
    init: str = "thm+refs"
    """What that joint model takes from the pairwise one: ``none``, ``thm`` or ``thm+refs``."""
    batch_theorems: int = 96
    head_rate: float = 5e-4
    decoder_layers: int = 2
    decoder_width: int = 256
    decoder_dropout: float = 0.2
    longest: int = 19
    """References of a proof that are learnt and generated."""
    memory_share: float = 0.45
    """What the learnt share of the memory is multiplied by when the model is asked: less is better at the top."""
    retrieved: int = 5
    """How many references, decoded greedily, stand before all others when ranking."""
    choose: str = "worth"
    """How a sequence is chosen: by its expected ``worth`` over samples, or the most probable of a ``beam``."""
    samples: int = 64
    """How many sequences the worth is a mean over."""
    beam: int = 20
    length_power: float = 1.0
    """How much longer sequences are favoured by the beam."""

    @property
    def decoded(self) -> int:
        """How many references are decoded for a ranking."""
        return min(self.retrieved, self.longest)

    @property
    def first(self) -> Joint:
        """The joint model that it stands on where no other is named."""
        return Joint(**alike(self), init=self.init)

    def fit(self, train: TrainSet, *, seed: int) -> FittedAutoregressive:
        """Train without validation."""
        need_torch()
        from naturalproofs.ranking.contract import temporary_context

        with temporary_context() as context:
            return self.train(train, seed=seed, context=context)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext) -> FittedAutoregressive:
        """Train, stopping early on the context's validation task."""
        need_torch()
        one_of("choose", self.choose, CHOICES)
        from naturalproofs.ranking.neural.autoregressive_training import train_autoregressive

        return train_autoregressive(self, train, seed, context)


@dataclass(frozen=True, slots=True)
class FittedAutoregressive:
    """A trained network."""

    generates: ClassVar[bool] = True

    settings: Autoregressive
    chooser: Chooser
    """The joint model."""
    sequencer: Sequencer = field(repr=False)
    layers: int
    """How many layers the towers have of their own."""
    progress: TrainState | None = None

    def index(self, candidates: Sequence[Passage]) -> AutoregressiveScorer:
        """Find the candidates' rows; those of a corpus it has never seen come from their texts."""
        from naturalproofs.ranking.neural.choosing_scoring import candidate_rows
        from naturalproofs.ranking.neural.decoding import Decoding

        names = tuple(candidate.id for candidate in candidates)
        places = {name: place for place, name in enumerate(names)}
        return AutoregressiveScorer(names, places, Decoding(self, candidate_rows(self.chooser, candidates)))

    def save(self, folder: Path) -> None:
        """Write weights, tokeniser, settings and the names of the references."""
        from naturalproofs.ranking.neural.autoregressive_training import save_autoregressive

        save_autoregressive(folder, self)

    @classmethod
    def load(cls, folder: Path) -> FittedAutoregressive:
        """Read what ``save`` wrote."""
        from naturalproofs.ranking.neural.autoregressive_training import load_autoregressive

        return load_autoregressive(folder)

    def describe(self) -> str:
        """For the model card."""
        from naturalproofs.ranking.neural.choosing_scoring import card
        from naturalproofs.ranking.neural.storage import story

        about = "Autoregressive model: predicts the references of a proof in order, over a joint model."
        return f"{about}\n\n{story(self.settings, self.progress)}\n\n## The joint model\n\n{card('', self.chooser)}"


@dataclass(frozen=True, slots=True)
class AutoregressiveScorer:
    """The candidates; ranks, and generates."""

    names: tuple[StatementId, ...] = field(repr=False)
    places: dict[StatementId, int] = field(repr=False)
    decoding: Decoding = field(repr=False)

    def score(self, queries: Sequence[Passage]) -> Scores:
        """What greedy decoding gives, in order, then all others by the first step's probability."""
        return self.decoding.rank(queries, self._own(queries))

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each theorem; none cites itself."""
        found = self.decoding.generate(queries, self._own(queries), excluded or [()] * len(queries))
        return [tuple(self.names[token] for token in tokens) for tokens in found]

    def _own(self, queries: Sequence[Passage]) -> list[int]:
        return [self.places.get(query.id, -1) for query in queries]
