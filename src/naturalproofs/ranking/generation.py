"""Generators of reference sequences by name, through the entry point group ``naturalproofs.generators``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from naturalproofs.errors import NotAGenerator
from naturalproofs.ranking.contract import (
    FittedGenerator,
    FittedRanker,
    Generator,
    GeneratorMethod,
    Ranker,
    TrainContext,
    fit_in_context,
)
from naturalproofs.ranking.models import Model, is_model, load_model
from naturalproofs.ranking.registry import GENERATORS, parse_ranker, ranker_names, ranker_spec
from naturalproofs.ranking.retrieve import Retrieve
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class OwnSequences:
    """A ranker whose scorers generate by themselves, such as a trained autoregressive model."""

    ranker: Ranker

    def fit(self, train: TrainSet, *, seed: int) -> FittedGenerator:
        """Fit the ranker."""
        return self.train(train, seed=seed, context=None)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext | None) -> FittedGenerator:
        """Fit the ranker in a context."""
        return _FittedOwnSequences(fit_in_context(context, self.ranker, train, seed=seed), self.spec)

    @property
    def spec(self) -> str:
        """The printed form of the ranker."""
        return ranker_spec(self.ranker)


@dataclass(frozen=True, slots=True)
class _FittedOwnSequences:
    fitted: FittedRanker
    name: str

    def index(self, candidates: Sequence[Passage]) -> Generator:
        scorer = self.fitted.index(candidates)
        if not isinstance(scorer, Generator):
            raise NotAGenerator(f"{self.name} ranks but does not generate; write \"retrieve(ranker='…')\" around it")
        return scorer


def generator_named(text: str) -> GeneratorMethod:
    """A generator from its printed form, from a model folder, or from a ranker, which `retrieve` wraps."""
    path = Path(text)
    if is_model(path):
        model = load_model(path)
        return OwnSequences(model) if generates(model) else Retrieve(ranker=text)
    name = text.strip().partition("(")[0]
    if name in ranker_names() and name not in GENERATORS.names():
        ranker = parse_ranker(text)
        return OwnSequences(ranker) if generates(ranker) else Retrieve(ranker=text)
    return cast(GeneratorMethod, GENERATORS.parse(text))


def generates(ranker: Ranker) -> bool:
    """Whether the scorers of a method generate sequences."""
    inner = ranker.fitted if isinstance(ranker, Model) else ranker
    return bool(getattr(inner, "generates", False))


def generator_spec(generator: GeneratorMethod) -> str:
    """The printed form of a generator."""
    return GENERATORS.spec(generator)
