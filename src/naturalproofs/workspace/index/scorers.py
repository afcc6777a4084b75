"""Scorers that can be kept: prepared once for exactly these statements and proofs, opened ever after."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.files import check_no_links, replaced_folder
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.contract import CacheableScorer, CachingRanker, Ranker, Scorer
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.workspace.index.objects import trusted_root

_MANIFEST = "scorer.json"
_FILES = "arrays"
VERSION = 2
"""Grows when scorers keep other arrays."""


class KeptScorer(msgspec.Struct, frozen=True):
    """What a kept scorer was made for."""

    key: str
    version: int
    sizes: dict[str, int]


def kept_scorer(
    folder: Path | None, ranker: Ranker, method: str, train: TrainSet, before: Scorer | Path | None = None
) -> Scorer:
    """The scorer of a method over all passages of a training set: opened where it was kept, else made and kept.

    Args:
        folder: The index folder; None keeps nothing.
        ranker: The method.
        method: Its printed form, or its model folder.
        train: Statements and proofs; the statements are the candidates.
        before: A scorer of the same method for what the statements were before, or where its arrays are kept.
    """
    fitted = ranker.fit(train, seed=0)
    if not isinstance(fitted, CachingRanker):
        return fitted.index(train.passages)
    if folder is None:
        return fitted.index(train.passages) if before is None else fitted.reindex(train.passages, before)
    place, key = _place(folder, method), _key(method, train)
    kept = _manifest(place)
    if kept is not None and kept.key == key:
        with suppress(NaturalProofsError):  # Damaged: made anew.
            return fitted.open_arrays(place / _FILES, train.passages)
    scorer, done = _made(place, key, fitted, train, again=kept is not None)
    if done:
        with suppress(NaturalProofsError):
            # What was made is given back to the machine, and what is kept is shared with other processes.
            return fitted.open_arrays(place / _FILES, train.passages)
    return scorer


def keep_scorer(folder: Path, ranker: Ranker, method: str, train: TrainSet) -> None:
    """Have the scorer that `kept_scorer` gives kept, where it can be, so that it need only be opened."""
    fitted = ranker.fit(train, seed=0)
    if isinstance(fitted, CachingRanker):
        place, key = _place(folder, method), _key(method, train)
        kept = _manifest(place)
        if kept is None or kept.key != key:
            _made(place, key, fitted, train, again=kept is not None)


def kept_arrays(folder: Path, method: str) -> Path | None:
    """Where the arrays of a method lie, if an index folder has them; they may be those of an older text."""
    place = _place(folder, method)
    return place / _FILES if _manifest(place) is not None else None


def _made(place: Path, key: str, fitted: CachingRanker, train: TrainSet, *, again: bool) -> tuple[Scorer, bool]:
    """The scorer, and whether it is kept now."""
    scorer = fitted.reindex(train.passages, place / _FILES) if again else fitted.index(train.passages)
    return scorer, isinstance(scorer, CacheableScorer) and _keep(place, key, scorer)


def _key(method: str, train: TrainSet) -> str:
    """The hash of all that a scorer follows from."""
    known = {passage.id: passage for passage in train.passages}
    # Most theorems are passages too, and need not be gone through twice.
    examples = [
        (one.theorem.id if known.get(one.theorem.id) == one.theorem else one.theorem, one.references)
        for one in train.examples
    ]
    return sha256_bytes(msgspec.msgpack.encode((method, _model_hash(method), train.passages, examples)))


def _place(folder: Path, method: str) -> Path:
    return folder / "scorers" / sha256_bytes(method.encode())[:16]


def _manifest(place: Path) -> KeptScorer | None:
    """What is kept here, if it is whole."""
    try:
        found = msgspec.json.decode((place / _MANIFEST).read_bytes(), type=KeptScorer)
        return found if found.version == VERSION and found.sizes == _sizes(place / _FILES) else None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _keep(place: Path, key: str, scorer: CacheableScorer) -> bool:
    try:
        root = trusted_root(place.parent.parent)
        check_no_links(root, place)
        with replaced_folder(place, lambda folder: (folder / _MANIFEST).is_file()) as scratch:
            (scratch / _FILES).mkdir()
            scorer.save_arrays(scratch / _FILES)
            manifest = KeptScorer(key, VERSION, _sizes(scratch / _FILES))
            (scratch / _MANIFEST).write_bytes(msgspec.json.encode(manifest))
    except (OSError, NaturalProofsError):
        return False  # A folder that cannot be written to keeps nothing.
    return True


def _sizes(folder: Path) -> dict[str, int]:
    """The sizes of all files: a write that was cut short is seen without reading what may be large."""
    return {file.relative_to(folder).as_posix(): file.stat().st_size for file in folder.rglob("*") if file.is_file()}


def _model_hash(method: str) -> str:
    """What a model folder holds, by its manifest."""
    manifest = Path(method) / "model.json"
    return sha256_bytes(manifest.read_bytes()) if manifest.is_file() else ""
