"""A bound scorer in a folder: its arrays are opened as memory-mapped files, so that opening costs next to nothing."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from naturalproofs.errors import NotAnIndex, UnknownName
from naturalproofs.io.jsonl import read_jsonl, write_jsonl
from naturalproofs.ranking.hybrid.desk import Desk, Learned
from naturalproofs.ranking.hybrid.embedding import Embedding
from naturalproofs.ranking.hybrid.library import Library
from naturalproofs.ranking.hybrid.memory import Memory
from naturalproofs.ranking.hybrid.stored import booster_text, parse_booster
from naturalproofs.ranking.hybrid.vectors import Vocabulary
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample

if TYPE_CHECKING:
    from naturalproofs.ranking.hybrid.fitted import HybridScorer

SCORER = "scorer.json"
PARTS: dict[str, type[Any]] = {kind.__name__: kind for kind in (Desk, Library, Memory, Learned, Embedding, Vocabulary)}
RECORDS: dict[str, type[Any]] = {kind.__name__: kind for kind in (Passage, TrainingExample)}
SPARSE = ("data", "indices", "indptr")


def keep(scorer: HybridScorer, folder: Path) -> None:
    """Write a scorer into an existing empty folder."""
    if scorer.others:
        raise UnknownName("hybrid: a ranker with other methods among its signals cannot be kept; index it when needed")
    boosters = scorer.boosters
    for name, booster in (("placed", boosters.placed), ("unplaced", boosters.unplaced)) if boosters else ():
        (folder / f"{name}.txt").write_text(booster_text(booster), encoding="utf-8")
    described = {"boosters": boosters is not None, "desk": _pack(scorer.desk, folder, "desk")}
    (folder / SCORER).write_bytes(msgspec.json.encode(described))


def reopen(folder: Path) -> dict[str, Any]:
    """The fields of a scorer."""
    from naturalproofs.ranking.hybrid.fitted import Boosters

    try:
        described = msgspec.json.decode((folder / SCORER).read_bytes(), type=dict[str, Any])
        texts = [(folder / f"{n}.txt").read_text("utf-8") for n in ("placed", "unplaced") if described["boosters"]]
        boosters = Boosters(*map(parse_booster, texts)) if texts else None
        return {"desk": _unpack(described["desk"], folder), "boosters": boosters}
    except (OSError, ValueError, KeyError, TypeError, msgspec.DecodeError) as error:
        raise NotAnIndex(f"{folder}: damaged ({error}); make the index again") from error


def _pack(value: Any, folder: Path, name: str) -> Any:
    """A description as JSON; arrays and records lie beside it."""
    if type(value).__name__ in PARTS and is_dataclass(value):
        parts = {one.name: _pack(getattr(value, one.name), folder, f"{name}-{one.name}") for one in fields(value)}
        return {"part": type(value).__name__, "fields": parts}
    if isinstance(value, np.ndarray):
        if value.dtype == np.object_:
            return {"texts": value.tolist()}
        np.save(folder / f"{name}.npy", value, allow_pickle=False)
        return {"array": name}
    if all(hasattr(value, piece) for piece in SPARSE):
        for piece in SPARSE:
            np.save(folder / f"{name}-{piece}.npy", getattr(value, piece), allow_pickle=False)
        return {"sparse": name, "shape": value.shape}
    if isinstance(value, tuple) and value and type(value[0]).__name__ in RECORDS:
        write_jsonl(folder / f"{name}.jsonl", value)
        return {"records": name, "of": type(value[0]).__name__}
    if isinstance(value, dict) and value and not isinstance(next(iter(value.values())), int | tuple):
        return {"by_name": {key: _pack(one, folder, f"{name}-{key}") for key, one in value.items()}}
    return {"set": sorted(value)} if isinstance(value, frozenset) else {"plain": value}


def _unpack(described: dict[str, Any], folder: Path) -> Any:
    match described:
        case {"part": str(name), "fields": dict(parts)}:
            return PARTS[name](**{key: _unpack(one, folder) for key, one in parts.items()})
        case {"array": str(name)}:
            return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        case {"sparse": str(name), "shape": shape}:
            from scipy.sparse import csr_matrix

            pieces = (np.load(folder / f"{name}-{p}.npy", mmap_mode="r", allow_pickle=False) for p in SPARSE)
            return csr_matrix(tuple(pieces), shape=tuple(shape), copy=False)
        case {"records": str(name), "of": str(kind)}:
            return tuple(read_jsonl(folder / f"{name}.jsonl", RECORDS[kind]))
        case {"by_name": dict(parts)}:
            return {key: _unpack(one, folder) for key, one in parts.items()}
        case {"texts": list(texts)}:
            return np.array(texts, dtype=np.object_)
        case {"set": list(members)}:
            return frozenset(members)
    # An empty tuple comes back as an empty list; nothing asks which of the two it is.
    return described["plain"]
