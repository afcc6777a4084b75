"""The hybrid rankers: `Hybrid`, trained on a corpus, `Shipped` with the trees of the package, and what both become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Self

import msgspec
import numpy as np

from naturalproofs.errors import BadModel, BadSettings, NotAModel, NotSupported
from naturalproofs.io.arrays import load_array
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import make_folder, write_file
from naturalproofs.io.folders import read_jsonl, write_jsonl
from naturalproofs.ranking.contract import (
    FittedRanker,
    FunctionScorer,
    Remembering,
    Scorer,
    Storable,
    TrainContext,
    stage,
)
from naturalproofs.ranking.hybrid.association import TrainedAssociation
from naturalproofs.ranking.hybrid.first_stage import POOL, HybridIndex
from naturalproofs.ranking.hybrid.prepared import PreparedTexts, open_index, open_prepared
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.ranking.hybrid.together import FURTHER, Boosters
from naturalproofs.ranking.hybrid.training import TableSettings, TrainingTable, fitted_signals
from naturalproofs.ranking.hybrid.trees import Booster, Boosting
from naturalproofs.ranking.registry import class_name, fitted_class, parse_ranker
from naturalproofs.ranking.term_vectors import LatentSpace
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

SETTINGS, PROOFS, PASSAGES, REFERENCES = "settings.json", "proofs.jsonl", "passages.jsonl", "references.json"
MEMORY = "memory.jsonl"
"""The proofs that a query sees only if they come before it; missing if all proofs vote for any query."""
ASKED, ANSWERS, SHIFTS = "asked.npy", "answers.npy", "shifts.npy"
SIGNALS = "signals"
LARGE = 5
"""Whole trainings of the large size; each has other folds, negatives, maps and trees."""


@dataclass(frozen=True, slots=True)
class Hybrid(TableSettings):
    """Settings; the defaults were chosen on Stacks valid."""

    trees: int = 160
    leaves: int = 15
    rate: float = 0.08
    further: int = FURTHER.trees
    """Further trees, which judge the best candidates together; 0 for none."""
    size: str = ""
    """``large`` adds the scores of several whole trainings and states no probabilities."""

    def __post_init__(self) -> None:
        """Check the size."""
        if self.size not in ("", "large"):
            raise BadSettings(f"size={self.size!r}: the only other size is 'large'")

    def fit(self, train: TrainSet, *, seed: int) -> FittedHybrid | SeveralTrainings:
        """Train; with few proofs, use the shipped trees, and let the proofs vote."""
        return self.train(train, seed=seed, context=None)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext | None) -> FittedHybrid | SeveralTrainings:
        """Train as `fit` does and report progress; other methods among the signals can be resumed."""
        if context is not None and context.minutes is not None:
            raise NotSupported(
                "hybrid has no time limit; leave out --minutes, or train on less, as in hybrid(questions=1000)"
            )
        if not self.size or self.uses_shipped_trees(len(train.examples)):
            return self._once(train, seed, context)
        runs = [self._once(train, LARGE * seed + number, stage(context, number, LARGE)) for number in range(LARGE)]
        return SeveralTrainings(tuple(runs))

    def _once(self, train: TrainSet, seed: int, context: TrainContext | None) -> FittedHybrid:
        table = self.training_table(train, seed=seed, context=stage(context, 0, 2))
        return self.fit_table(train, table, seed=seed, context=stage(context, 1, 2))

    def uses_shipped_trees(self, proofs: int) -> bool:
        """Whether there are too few proofs for trees of its own."""
        return proofs < self.enough

    @property
    def table_settings(self) -> TableSettings:
        """The settings without those of the trees."""
        return TableSettings(*(getattr(self, one.name) for one in fields(TableSettings)))

    def fit_table(
        self, train: TrainSet, table: TrainingTable | None, *, seed: int, context: TrainContext | None = None
    ) -> FittedHybrid:
        """Train trees on the table, or use the shipped ones if there is none."""
        if table is None:
            signals = fitted_signals(self.signals, train, seed, context)
            return FittedHybrid(train, shipped_boosters(), None, self.pool, signals, seed)
        boosters = table.boosters(Boosting(self.trees, self.leaves, self.rate), self.further, seed, context)
        return FittedHybrid(train, boosters, table.association, self.pool, table.signals, seed)


@dataclass(frozen=True, slots=True)
class Shipped:
    """Suggestions without training; the proofs of a training split, if there is one, vote."""

    pool: int = POOL
    trees: str = ""
    """A folder with other trees of the same form; those of the package if empty."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedHybrid:
        """Store the proofs."""
        boosters = shipped_boosters(self.trees) if self.trees else shipped_boosters()
        return FittedHybrid(train, boosters, None, self.pool, (), seed)

    def uses_shipped_trees(self, proofs: int) -> bool:
        """Whether no other trees are given."""
        return not self.trees


@lru_cache(maxsize=8)
def shipped_boosters(trees: str = "") -> Boosters:
    """The trees in the package's data, or in another folder."""
    folder = Path(trees) if trees else files("naturalproofs.data") / "ranker"
    try:
        texts = [(folder / name).read_text("utf-8") for name in ("placed.txt", "unplaced.txt")]
    except (OSError, UnicodeDecodeError) as error:
        raise NotAModel(f"{folder}: no trees ({error}); give a folder with placed.txt and unplaced.txt") from error
    return Boosters(*(Booster.from_text(text) for text in texts))


class Settings(msgspec.Struct, frozen=True):
    """What is not an array, a tree or a proof."""

    pool: int
    signals: tuple[str, ...]
    loads: tuple[str, ...]
    """The class that loads each signal's folder; empty for a method that is fitted again, since that is quick."""
    seed: int
    boosters: tuple[str, ...]
    associated: bool
    sharpness: float
    """Of the association."""


@dataclass(frozen=True, slots=True)
class FittedHybrid:
    """Trees, association, other fitted methods, and the proofs that vote."""

    train: TrainSet = field(repr=False)
    boosters: Boosters = field(repr=False)
    association: TrainedAssociation | None = field(repr=False)
    pool: int
    signals: tuple[tuple[str, FittedRanker], ...] = field(default=(), repr=False)
    seed: int = 0

    def index(self, candidates: Sequence[Passage]) -> HybridScorer:
        """Bind the candidates."""
        return self._index(candidates, None)

    def reindex(self, candidates: Sequence[Passage], before: Scorer | Path) -> HybridScorer:
        """Bind the candidates, reusing what an older scorer has prepared."""
        if isinstance(before, Path):
            return self._index(candidates, open_prepared(before))
        return self._index(candidates, before.prepared if isinstance(before, HybridScorer) else None)

    def open_arrays(self, folder: Path, candidates: Sequence[Passage]) -> HybridScorer:
        """Open the saved arrays of a scorer."""
        train = self.train
        index = open_index(folder, candidates, train.proofs, self.association, pool=self.pool, strict=train.strict)
        return HybridScorer(index, self.boosters, self._others(candidates), folder)

    def _index(self, candidates: Sequence[Passage], before: PreparedTexts | None) -> HybridScorer:
        prepared = PreparedTexts.of(candidates, self.association, before)
        index = HybridIndex.of(
            candidates,
            self.train.proofs,
            self.association,
            pool=self.pool,
            counts=prepared.counts,
            texts=prepared.vectors,
            strict=self.train.strict,
        )
        return HybridScorer(index, self.boosters, self._others(candidates), prepared)

    def remember(self, proofs: Sequence[TrainingExample]) -> FittedHybrid:
        """With these proofs instead of its own; the association works by text alone, as its shifts store proofs."""
        train = replace(self.train, memory=tuple(proofs))
        association = self.association.without_shifts() if self.association is not None else None
        signals = []
        for spec, signal in self.signals:
            if isinstance(signal, Remembering):
                signals.append((spec, signal.remember(proofs)))
            else:
                quick = not isinstance(signal, Storable)
                signals.append((spec, parse_ranker(spec).fit(train, seed=self.seed) if quick else signal))
        return replace(self, train=train, association=association, signals=tuple(signals))

    def uses_shipped_trees(self, proofs: int) -> bool:
        """Whether it has no trees of its own, which come with an association."""
        return self.association is None

    def _others(self, candidates: Sequence[Passage]) -> tuple[tuple[str, Scorer], ...]:
        return tuple((spec, fitted.index(candidates)) for spec, fitted in self.signals)

    def save(self, folder: Path) -> None:
        """Write the files of the model."""
        boosters = self.boosters.all
        distinct = list(dict.fromkeys(boosters))
        for number, booster in enumerate(distinct):
            write_file(folder / f"trees-{number}.txt", booster.to_text())
        write_jsonl(folder / PROOFS, self.train.examples)
        if self.train.memory is not None:
            write_jsonl(folder / MEMORY, self.train.memory)
        write_jsonl(folder / PASSAGES, self.train.passages)
        if self.association is not None:
            self.association.space.save(folder)
            write_file(folder / REFERENCES, msgspec.json.encode(self.association.names))
            np.save(folder / ASKED, self.association.asked.projection, allow_pickle=False)
            np.save(folder / ANSWERS, self.association.answers.projection, allow_pickle=False)
            np.save(folder / SHIFTS, self.association.shifts, allow_pickle=False)
        loads = []
        for number, (_, signal) in enumerate(self.signals):
            loads.append(class_name(signal) if isinstance(signal, Storable) else "")
            if isinstance(signal, Storable):
                home = folder / SIGNALS / str(number)
                make_folder(home)
                signal.save(home)
        settings = Settings(
            pool=self.pool,
            signals=tuple(spec for spec, _ in self.signals),
            loads=tuple(loads),
            seed=self.seed,
            boosters=tuple(f"trees-{distinct.index(booster)}.txt" for booster in boosters),
            associated=self.association is not None,
            sharpness=self.association.sharpness if self.association is not None else 0.0,
        )
        write_file(folder / SETTINGS, msgspec.json.encode(settings))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote."""
        try:
            settings = read_json(folder / SETTINGS, Settings)
            boosters = _load_boosters(folder, settings.boosters)
            association = _load_association(folder, settings.sharpness) if settings.associated else None
        except (OSError, ValueError, EOFError) as error:
            raise NotAModel(f"{folder}: damaged ({error}); train again") from error
        passages = read_jsonl(folder / PASSAGES, Passage)
        memory = tuple(read_jsonl(folder / MEMORY, TrainingExample)) if (folder / MEMORY).exists() else None
        train = TrainSet(tuple(passages), tuple(read_jsonl(folder / PROOFS, TrainingExample)), memory)
        signals: list[tuple[str, FittedRanker]] = []
        for number, (spec, loads) in enumerate(zip(settings.signals, settings.loads, strict=True)):
            if loads:
                home = folder / SIGNALS / str(number)
                signals.append((spec, fitted_class(spec, loads, home).load(home)))
            else:
                signals.append((spec, parse_ranker(spec).fit(train, seed=settings.seed)))
        return cls(train, boosters, association, settings.pool, tuple(signals), settings.seed)

    def describe(self) -> str:
        """Paragraphs for a model card."""
        trees = "the shipped trees" if self.association is None else "its own trees and association"
        specs = ", ".join(spec for spec, _ in self.signals)
        others = f" Other methods among its signals: {specs}." if specs else ""
        return (
            f"A hybrid of sparse signals, votes of {len(self.train.examples):,} proofs and {trees}; it orders the best "
            f"{self.pool:,} candidates of its first stage and gives reasons.{others}\n\n"
            "It suggests what proofs like those it was trained on would cite. It does not check mathematics, and its "
            "probabilities hold for texts like its training texts only."
        )


@dataclass(frozen=True, slots=True)
class SeveralTrainings:
    """Whole trainings whose scores are added."""

    runs: tuple[FittedHybrid, ...]

    def index(self, candidates: Sequence[Passage]) -> Scorer:
        """Bind the candidates, whose texts are prepared once."""
        first = self.runs[0].index(candidates)
        scorers = [first, *(one.reindex(candidates, first) for one in self.runs[1:])]
        return FunctionScorer(lambda queries: np.sum([one.score(queries) for one in scorers], axis=0))

    def remember(self, proofs: Sequence[TrainingExample]) -> SeveralTrainings:
        """Each with these proofs instead of its own."""
        return SeveralTrainings(tuple(one.remember(proofs) for one in self.runs))

    def save(self, folder: Path) -> None:
        """Write a folder for each training."""
        for number, one in enumerate(self.runs):
            make_folder(folder / str(number))
            one.save(folder / str(number))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote."""
        return cls(tuple(FittedHybrid.load(folder / str(number)) for number in range(LARGE)))

    def describe(self) -> str:
        """Paragraphs for a model card."""
        return f"The scores of {len(self.runs)} whole trainings are added.\n\n{self.runs[0].describe()}"


def _load_boosters(folder: Path, names: tuple[str, ...]) -> Boosters:
    """The boosters of a model; the trees are checked here, so that a bad model is refused when it is loaded."""
    if len(names) not in (2, 3):
        raise BadModel(f"{folder}: {len(names)} kinds of trees; train again")
    read = {name: Booster.from_text((folder / name).read_text("utf-8")) for name in set(names)}
    for booster in read.values():
        _ = booster.trees
    return Boosters(*(read[name] for name in names))


def _load_association(folder: Path, sharpness: float) -> TrainedAssociation:
    space = LatentSpace.load(folder)
    names = read_json(folder / REFERENCES, tuple[str, ...])
    asked, answers, shifts = arrays = [load_array(folder / name) for name in (ASKED, ANSWERS, SHIFTS)]
    terms, width = len(space.projection), asked.shape[-1]
    shapes = [(terms, width), (terms, width), (len(names), width)]
    if [one.shape for one in arrays] != shapes or any(one.dtype != np.float32 for one in arrays):
        raise BadModel(f"{folder}: the arrays of the association disagree; train again")
    asking, answering = (replace(space, projection=one) for one in (asked, answers))
    return TrainedAssociation(space, asking, answering, sharpness, shifts, names)
