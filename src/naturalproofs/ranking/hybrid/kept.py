"""A bound scorer in a folder: its arrays are opened as memory-mapped files, so that opening costs next to nothing.

Statements and proofs are not in it, and neither is what the method has learnt: who opens it has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np

from naturalproofs.errors import NotAnIndex, NotCacheable
from naturalproofs.ranking.hybrid.cuts import Cuts
from naturalproofs.ranking.hybrid.desk import Desk, Learned
from naturalproofs.ranking.hybrid.library import Library, known_candidates
from naturalproofs.ranking.hybrid.memory import Memory, known_proofs
from naturalproofs.ranking.hybrid.prepared import Prepared
from naturalproofs.ranking.term_counts import TermCounts
from naturalproofs.ranking.term_vectors import Vocabulary
from naturalproofs.records import Passage

if TYPE_CHECKING:
    from naturalproofs.ranking.hybrid.fitted import FittedHybrid, HybridScorer

SCORER, PREPARED = "scorer.json", "prepared.json"
PARTS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Desk, Library, Memory, Learned, Vocabulary, Prepared, Cuts, TermCounts)
}
SPARSE = ("data", "indices", "indptr")
Given: TypeAlias = dict[str, dict[str, Any]]
"""Fields by part that are not kept: they follow from candidates, proofs and what the method has learnt."""
NOT_KEPT = {
    "Library": tuple(known_candidates(())),
    "Memory": tuple(known_proofs(())),
    "Learned": ("embedding", "map"),
}


def keep(scorer: HybridScorer, folder: Path) -> None:
    """Write a scorer into an existing empty folder."""
    if scorer.others:
        raise NotCacheable("a hybrid with other methods among its signals cannot be cached; index it when needed")
    for name, part in ((SCORER, scorer.desk), (PREPARED, scorer.prepared)):
        (folder / name).write_bytes(msgspec.json.encode(_pack(part, folder, name.partition(".")[0])))


def opened(folder: Path, fitted: FittedHybrid, candidates: Sequence[Passage]) -> Desk:
    """The desk of a kept scorer."""
    associated = fitted.associated
    given = {"Library": known_candidates(tuple(candidates)), "Memory": known_proofs(fitted.train.examples)}
    if associated is not None:
        given["Learned"] = {"embedding": associated.embedding, "map": associated.map}
    try:
        found = _unpack(msgspec.json.decode((folder / SCORER).read_bytes(), type=dict[str, Any]), folder, given)
    except (OSError, ValueError, KeyError, TypeError, msgspec.DecodeError) as error:
        raise NotAnIndex(f"{folder}: damaged ({error}); make the index again") from error
    if not isinstance(found, Desk):
        raise NotAnIndex(f"{folder}: no scorer is kept here; make the index again")
    return found


def prepared(folder: Path) -> Prepared | None:
    """What a kept scorer has prepared of its texts; None if that is damaged or of another version."""
    try:
        described = msgspec.json.decode((folder / PREPARED).read_bytes(), type=dict[str, Any])
        found = _unpack(described, folder, {})
    except (OSError, ValueError, KeyError, TypeError, msgspec.DecodeError):
        return None
    return found if isinstance(found, Prepared) else None


def _pack(value: Any, folder: Path, name: str) -> Any:
    """A description as JSON; arrays lie beside it."""
    if type(value).__name__ in PARTS and is_dataclass(value):
        kept = [one.name for one in fields(value) if one.name not in NOT_KEPT.get(type(value).__name__, ())]
        parts = {one: _pack(getattr(value, one), folder, f"{name}-{one}") for one in kept}
        return {"part": type(value).__name__, "fields": parts}
    if isinstance(value, np.ndarray):
        np.save(folder / f"{name}.npy", value, allow_pickle=False)
        return {"array": name}
    if all(hasattr(value, piece) for piece in SPARSE):
        for piece in SPARSE:
            np.save(folder / f"{name}-{piece}.npy", getattr(value, piece), allow_pickle=False)
        return {"sparse": name, "shape": value.shape}
    if isinstance(value, tuple) and value and isinstance(value[0], bytes):
        return {"bytes": [one.hex() for one in value]}
    if isinstance(value, dict) and value and isinstance(next(iter(value.values())), int):
        return {"index": list(value)}
    if isinstance(value, dict):
        return {"by_name": {key: _pack(one, folder, f"{name}-{key}") for key, one in value.items()}}
    return {"set": sorted(value)} if isinstance(value, frozenset) else {"plain": value}


def _unpack(described: dict[str, Any], folder: Path, given: Given) -> Any:
    match described:
        case {"part": str(name), "fields": dict(parts)}:
            kept = {key: _unpack(one, folder, given) for key, one in parts.items()}
            return PARTS[name](**given.get(name, {}), **kept)
        case {"array": str(name)}:
            return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        case {"sparse": str(name), "shape": shape}:
            from scipy.sparse import csr_matrix

            pieces = (np.load(folder / f"{name}-{p}.npy", mmap_mode="r", allow_pickle=False) for p in SPARSE)
            return csr_matrix(tuple(pieces), shape=tuple(shape), copy=False)
        case {"bytes": list(texts)}:
            return tuple(bytes.fromhex(text) for text in texts)
        case {"index": list(terms)}:
            return dict(zip(terms, range(len(terms)), strict=True))
        case {"by_name": dict(parts)}:
            return {key: _unpack(one, folder, given) for key, one in parts.items()}
        case {"set": list(members)}:
            return frozenset(members)
    # An empty tuple comes back as an empty list; nothing asks which of the two it is.
    return described["plain"]
