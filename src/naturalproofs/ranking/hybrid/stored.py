"""A fitted hybrid in a folder: trees as text, arrays, proofs as JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from naturalproofs.errors import NotAModel
from naturalproofs.io.jsonl import read_jsonl, write_jsonl
from naturalproofs.ranking.contract import FittedRanker, Storable
from naturalproofs.ranking.hybrid.binding import Associated
from naturalproofs.ranking.hybrid.boosting import Booster
from naturalproofs.ranking.hybrid.calibration import Calibration
from naturalproofs.ranking.lsa import LatentSpace
from naturalproofs.ranking.models import class_name, fitted_class
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

if TYPE_CHECKING:
    from naturalproofs.ranking.hybrid.fitted import FittedHybrid

SETTINGS, PROOFS, PASSAGES, NAMES = "settings.json", "proofs.jsonl", "passages.jsonl", "references.json"
SIGNALS = "signals"
ARRAYS = ("map", "shifts")


class Settings(msgspec.Struct, frozen=True):
    """What is not an array, a tree or a proof."""

    pool: int
    without: tuple[str, ...]
    signals: tuple[str, ...]
    loads: tuple[str, ...]
    """What reads each signal's folder; empty for one that learns again from the proofs, since that is quick."""
    seed: int
    boosters: tuple[str, ...]
    associated: bool


class Trees(msgspec.Struct, frozen=True):
    """The first line of a booster's file; LightGBM's own text follows."""

    names: tuple[str, ...]
    scores: tuple[float, ...]
    probabilities: tuple[float, ...]


def save(fitted: FittedHybrid, folder: Path) -> None:
    """Write the files of a model."""
    boosters = () if fitted.boosters is None else (fitted.boosters.placed, fitted.boosters.unplaced)
    distinct = list(dict.fromkeys(boosters))
    for number, booster in enumerate(distinct):
        (folder / f"trees-{number}.txt").write_text(booster_text(booster), encoding="utf-8")
    write_jsonl(folder / PROOFS, fitted.train.examples)
    write_jsonl(folder / PASSAGES, fitted.train.passages)
    associated = fitted.associated
    if associated is not None:
        associated.embedding.save(folder)
        (folder / NAMES).write_bytes(msgspec.json.encode(associated.names))
        for name, array in zip(ARRAYS, (associated.map, associated.shifts), strict=True):
            np.save(folder / f"{name}.npy", array, allow_pickle=False)
    loads = []
    for number, (_, signal) in enumerate(fitted.signals):
        loads.append(class_name(signal) if isinstance(signal, Storable) else "")
        if isinstance(signal, Storable):
            home = folder / SIGNALS / str(number)
            home.mkdir(parents=True)
            signal.save(home)
    settings = Settings(
        pool=fitted.pool,
        without=fitted.without,
        signals=tuple(spec for spec, _ in fitted.signals),
        loads=tuple(loads),
        seed=fitted.seed,
        boosters=tuple(f"trees-{distinct.index(booster)}.txt" for booster in boosters),
        associated=associated is not None,
    )
    (folder / SETTINGS).write_bytes(msgspec.json.encode(settings))


def load(folder: Path) -> dict[str, Any]:
    """The fields of a fitted hybrid."""
    from naturalproofs.ranking.hybrid.fitted import Boosters

    try:
        settings = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=Settings)
        read = {name: parse_booster((folder / name).read_text("utf-8")) for name in dict.fromkeys(settings.boosters)}
        associated = _associated(folder) if settings.associated else None
    except (OSError, ValueError, msgspec.DecodeError) as error:
        raise NotAModel(f"{folder}: damaged ({error}); train again") from error
    passages = read_jsonl(folder / PASSAGES, Passage)
    train = TrainSet(tuple(passages), tuple(read_jsonl(folder / PROOFS, TrainingExample)))
    boosters = Boosters(*(read[name] for name in settings.boosters)) if settings.boosters else None
    signals: list[tuple[str, FittedRanker]] = []
    for number, (spec, loads) in enumerate(zip(settings.signals, settings.loads, strict=True)):
        if loads:
            home = folder / SIGNALS / str(number)
            signals.append((spec, fitted_class(spec, loads, home).load(home)))
        else:
            signals.append((spec, parse_ranker(spec).fit(train, seed=settings.seed)))
    return {
        "train": train,
        "boosters": boosters,
        "associated": associated,
        "pool": settings.pool,
        "without": settings.without,
        "signals": tuple(signals),
        "seed": settings.seed,
    }


def booster_text(booster: Booster) -> str:
    """Features and calibration as one line of JSON, then the trees."""
    head = Trees(booster.names, booster.calibration.scores, booster.calibration.probabilities)
    return f"{msgspec.json.encode(head).decode()}\n{booster.text}"


def parse_booster(text: str) -> Booster:
    """Read what `booster_text` wrote."""
    head, _, trees = text.partition("\n")
    read = msgspec.json.decode(head, type=Trees)
    return Booster(read.names, trees, Calibration(read.scores, read.probabilities))


def describe(fitted: FittedHybrid) -> str:
    """Paragraphs for a model card."""
    trees = "the shipped trees" if fitted.associated is None else "its own trees and association"
    left_out = f" It does without: {', '.join(fitted.without)}." if fitted.without else ""
    others = (
        f" Other methods among its signals: {', '.join(spec for spec, _ in fitted.signals)}." if fitted.signals else ""
    )
    return (
        f"A hybrid of sparse signals, votes of {len(fitted.train.examples):,} proofs and {trees}; it orders the best "
        f"{fitted.pool:,} candidates of its first stage and says why.{left_out}{others}\n\n"
        "It suggests what proofs like those it was trained on would cite. It does not check mathematics, and its "
        "probabilities hold for texts like its training texts only."
    )


def _associated(folder: Path) -> Associated:
    names = msgspec.json.decode((folder / NAMES).read_bytes(), type=tuple[str, ...])
    map_, shifts = (cast(Any, np.load(folder / f"{name}.npy", allow_pickle=False)) for name in ARRAYS)
    return Associated(LatentSpace.load(folder), map_, shifts, names)
