"""Scorers that can be kept: prepared once for exactly these statements and proofs, opened ever after."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import msgspec

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.folders import replaced_folder
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import Keepable, Ranker, Scorer
from naturalproofs.tasks.dataset import TrainSet

_MANIFEST = "scorer.json"
_FILES = "arrays"


class KeptScorer(msgspec.Struct, frozen=True):
    """What a kept scorer was made for, and the class that opens it."""

    key: str
    loads: str
    sizes: dict[str, int]


def kept_scorer(folder: Path | None, ranker: Ranker, method: str, train: TrainSet) -> Scorer:
    """The scorer of a method over all passages of a training set: opened where it was kept, else made and kept.

    Args:
        folder: The index folder; None keeps nothing.
        ranker: The method.
        method: Its printed form, or its model folder.
        train: Statements and proofs; the statements are the candidates.
    """
    if folder is None:
        return ranker.fit(train, seed=0).index(train.passages)
    place = folder / "scorers" / sha256_bytes(method.encode())[:16]
    key = sha256_bytes(msgspec.json.encode((method, _model_hash(method), train)))
    known = _opened(place, key, ranker)
    if known is not None:
        return known
    scorer = ranker.fit(train, seed=0).index(train.passages)
    if isinstance(scorer, Keepable):
        _keep(place, key, scorer)
    return scorer


def _opened(place: Path, key: str, ranker: Ranker) -> Scorer | None:
    try:
        manifest = msgspec.json.decode((place / _MANIFEST).read_bytes(), type=KeptScorer)
        if manifest.key != key or manifest.sizes != _sizes(place / _FILES):
            return None
        module, _, name = manifest.loads.partition(":")
        # A project may come from anybody: only what lives in the method's own package is ever imported.
        if module.partition(".")[0] != type(ranker).__module__.partition(".")[0]:
            return None
        kind = getattr(import_module(module), name, None)
        if not (isinstance(kind, type) and issubclass(kind, Keepable)):
            return None
        return kind.open(place / _FILES)
    except (OSError, ValueError, EOFError, ImportError, msgspec.MsgspecError, NaturalProofsError):
        return None  # Damaged, or of another version: made anew.


def _keep(place: Path, key: str, scorer: Keepable) -> None:
    kind = type(scorer)
    try:
        with replaced_folder(place, lambda folder: (folder / _MANIFEST).is_file()) as scratch:
            (scratch / _FILES).mkdir()
            scorer.keep(scratch / _FILES)
            manifest = KeptScorer(key, f"{kind.__module__}:{kind.__qualname__}", _sizes(scratch / _FILES))
            (scratch / _MANIFEST).write_bytes(msgspec.json.encode(manifest))
    except (OSError, NaturalProofsError):
        return  # A folder that cannot be written to keeps nothing.


def _sizes(folder: Path) -> dict[str, int]:
    """The sizes of all files: a write that was cut short is seen without reading what may be large."""
    return {file.relative_to(folder).as_posix(): file.stat().st_size for file in folder.rglob("*") if file.is_file()}


def _model_hash(method: str) -> str:
    """What a model folder holds, by its manifest."""
    manifest = Path(method) / "model.json"
    return sha256_bytes(manifest.read_bytes()) if manifest.is_file() else ""
