"""Building, training, keeping and reading the models that choose from a matrix of references."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch import Tensor

from naturalproofs.errors import NotAModel, UnknownName
from naturalproofs.ranking.contract import Trainable, TrainContext
from naturalproofs.ranking.models import load_model
from naturalproofs.ranking.neural.bert import Shape
from naturalproofs.ranking.neural.checkpoints import TrainState
from naturalproofs.ranking.neural.choosing import READING, ChoosingSettings
from naturalproofs.ranking.neural.core import Core, bare, centre, new_core, tower_name
from naturalproofs.ranking.neural.decoder import Decoder
from naturalproofs.ranking.neural.examples import Examples
from naturalproofs.ranking.neural.memory import ProofMemory
from naturalproofs.ranking.neural.network import Network
from naturalproofs.ranking.neural.pairwise import FittedPairwise
from naturalproofs.ranking.neural.reading import through
from naturalproofs.ranking.neural.references import ReferenceTable, citation_counts
from naturalproofs.ranking.neural.settings import TrainingSettings
from naturalproofs.ranking.neural.storage import Found, save_parts
from naturalproofs.ranking.neural.towers import Tower
from naturalproofs.tasks.dataset import TrainSet

S = TypeVar("S", bound=ChoosingSettings)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Chooser:
    """A network and what it reads with."""

    settings: ChoosingSettings
    core: Core = field(repr=False)
    network: Network = field(repr=False)
    reference_name: str
    """A short name for what the vectors of references depend on."""
    progress: TrainState | None = None


@dataclass(frozen=True, slots=True)
class Begun(Generic[S]):
    """A model before it is trained."""

    settings: S
    """With the reading of the model it begins from."""
    core: Core
    network: Network
    layers: int
    """How many layers the towers have of their own."""


def begin(settings: S, train: TrainSet, examples: Examples, seed: int, context: TrainContext) -> Begun[S]:
    """A network that has not been trained, from a pairwise model or from nothing."""
    settings.check()
    if settings.init == "none":
        core = new_core(settings, examples.passages, seed=seed)
        if settings.centred:
            centre(core.reader, core.tower, examples.passages)
        theorem, reference, sharpness = core.tower, deepcopy(core.tower), float(np.log(20.0))
        layers = settings.trained_layers
    else:
        first = first_model(FittedPairwise, "pairwise", settings.start, settings.first, train, seed, context)
        settings = _agreeing(settings, first)
        core, theorem, reference = first.core, first.model.theorem, deepcopy(first.model.reference)
        sharpness, layers = float(first.model.sharpness.detach()), first.settings.trained_layers
    for tower in (theorem, reference):
        tower.dropout.p = settings.dropout
    freeze(settings, theorem, reference)
    texts = core.reader.read(examples.passages, pooled=bare(reference))
    textual = settings.init == "thm+refs"
    live = settings.train_references
    seen = torch.from_numpy(through(reference, reference.features if live else reference, texts, reference.width))
    table = ReferenceTable([p.id for p in examples.passages], seen, reference, textual=textual, live=live)
    table.begin(counts_of(examples), settings.count_bias, seed)
    table.free.requires_grad_(settings.row_rate > 0)
    network = Network(theorem, new_decoder(settings, core.shape, theorem, seed), table, sharpness)
    return Begun(settings, core, network, layers)


def first_model(
    kind: type[M], name: str, start: str, first: Trainable, train: TrainSet, seed: int, context: TrainContext
) -> M:
    """The model that another begins from: one that is named, one that is kept already, or one trained now."""
    found: object = load_model(Path(start)).fitted if start else context.made(first)
    if found is None:
        minutes = context.minutes / 2 if context.minutes else None
        before = replace(context, folder=context.folder / name, minutes=minutes)
        found = first.train(train, seed=seed, context=before)
    if not isinstance(found, kind):
        raise NotAModel(f"{start}: not a {name} model; make one with 'naturalproofs train {name}'")
    return found


def _agreeing(settings: S, first: FittedPairwise) -> S:
    """Settings whose reading is that of the model they begin from."""
    layers = first.settings.trained_layers
    if settings.train_layers not in {None, 0, layers}:
        raise UnknownName(f"train_layers={settings.train_layers}: 0, or {layers} as the pairwise model it begins from")
    same: dict[str, Any] = {name: getattr(first.settings, name) for name in READING}
    return replace(settings, **same, train_layers=layers if settings.train_layers is None else settings.train_layers)


def freeze(settings: TrainingSettings, theorem: Tower, reference: Tower) -> None:
    """Say what is not trained: layers of the reference tower, and of the theorem tower where none is asked for."""
    for tower, layers, head in (
        (theorem, settings.trained_layers != 0, True),
        (reference, False, getattr(settings, "train_references", False)),
    ):
        for name, parameter in tower.named_parameters():
            parameter.requires_grad_(head if name.startswith("head.") else layers)


def new_decoder(settings: ChoosingSettings, shape: Shape, tower: Tower, seed: int) -> Decoder | None:
    """The decoder that settings ask for."""
    if not settings.decoder_layers:
        return None
    return Decoder(
        shape,
        layers=settings.decoder_layers,
        width=tower.width,
        steps=1,
        dropout=settings.decoder_dropout,
        seed=seed,
    )


def finished(settings: S, core: Core, network: Network, progress: TrainState | None) -> Chooser:
    """A network ready to be asked."""
    network.eval()
    return Chooser(settings, core, network, tower_name(core.reader, network.table.reference), progress)


def settled(network: Network, examples: Examples) -> None:
    """Remember what training ends with."""
    network.table.settle(counts_of(examples))


def save_chooser(folder: Path, chooser: Chooser, layers: int) -> None:
    """Write a model's files."""
    table = chooser.network.table
    extra = {"ids": table.ids, "layers": layers}
    save_parts(folder, chooser.settings, chooser.core, kept(chooser.network), chooser.progress, extra)


def kept(network: Network) -> dict[str, Tensor]:
    """The weights that a model's files hold: not what is computed from texts, nor free vectors that are nothing."""
    left_out = {"table.texts"} | ({"table.free"} if not bool(network.table.free.any()) else set())
    return {name: value for name, value in network.state_dict().items() if name not in left_out}


def chooser_of(found: Found[S], prefix: str) -> tuple[Chooser, int]:
    """A network from its files, and how many layers its towers have of their own."""
    layers = int(found.extra.get("layers", found.settings.trained_layers))
    settings = found.settings
    core = replace(found, settings=replace(settings, train_layers=layers)).core()
    theorem, reference = core.tower, deepcopy(core.tower)
    ids = tuple(found.extra.get("ids", ()))
    textual, live = settings.init == "thm+refs", settings.train_references
    table = ReferenceTable(ids, torch.zeros(0, reference.width), reference, textual=textual, live=live)
    network = Network(theorem, new_decoder(settings, core.shape, theorem, 0), table, 0.0)
    if f"{prefix}memory.keys" in found.weights:
        keys, cited = found.weights[f"{prefix}memory.keys"], found.weights[f"{prefix}memory.cited"]
        network.memory = ProofMemory(len(keys), len(cited), theorem.width)
        network.memory_share = getattr(settings, "memory_share", 1.0)

    def restore(weights: dict[str, Tensor]) -> None:
        free = {"table.free": table.free.detach(), "table.texts": table.texts}
        network.load_state_dict(free | weights)

    found.into(restore, prefix)
    freeze(settings, theorem, reference)
    return finished(settings, core, network, found.progress), layers


def counts_of(examples: Examples) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """In how many examples each passage is cited."""
    return citation_counts(len(examples.passages), [examples.gold(i) for i in range(len(examples))])
