"""Prepared arrays: what an index reuses after an edit, and an index saved to a folder and opened memory-mapped.

A folder holds two descriptions (JSON) and arrays (``.npy``). It does not hold statements, proofs or the trained model;
the process that opens it has them. Arrays are checked before use (types, shapes, and the ranges of everything that is
used as an index), since native code trusts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import NotAnIndex
from naturalproofs.io.arrays import load_array
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import sha256_bytes, write_file
from naturalproofs.ranking.hybrid import candidates as candidates_module
from naturalproofs.ranking.hybrid import first_stage as first_stage_module
from naturalproofs.ranking.hybrid.association import BoundAssociation, TrainedAssociation
from naturalproofs.ranking.hybrid.candidates import COUNTED, VIEWS, Candidates, PassageCounts
from naturalproofs.ranking.hybrid.first_stage import COMPARED, HybridIndex, TrainingProofs
from naturalproofs.ranking.term_vectors import Floats, Sparse, TermCounts, Vocabulary
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample

INDEX, PREPARED = "index.json", "prepared.json"
SPARSE = ("data", "indices", "indptr")
LARGEST_COUNT = 10_000_000
"""Of one term in one text."""
_NAME = re.compile(r"[\w-]+")
Given: TypeAlias = dict[str, dict[str, Any]]
"""By class, the fields that are not saved, since they follow from candidates, proofs and the model."""


@dataclass(frozen=True, slots=True)
class PreparedTexts:
    """The candidates' term counts and, with an association, their vectors: what the next index can reuse."""

    counts: PassageCounts = field(repr=False)
    vectors: Floats | None = field(default=None, repr=False)
    space: str = ""
    """The hash of the spaces of the vectors."""

    @classmethod
    def of(
        cls, passages: Sequence[Passage], association: TrainedAssociation | None, before: PreparedTexts | None
    ) -> PreparedTexts:
        """Prepare the candidates, except those that were prepared before."""
        counts = PassageCounts.of(passages, before.counts if before is not None else None)
        if association is None or not passages:
            return cls(counts)
        mark = _space_hash(association)
        width = association.space.dimensions + association.answers.dimensions
        old = before.vectors if before is not None and before.space == mark else None
        if before is None or old is None or old.shape != (len(before.counts.keys), width):
            return cls(counts, association.vectors(counts.views), mark)
        known = {key: row for row, key in enumerate(before.counts.keys)}
        rows = np.array([known.get(key, -1) for key in counts.keys], dtype=np.intp)
        vectors = np.array(old[rows], dtype=np.float32)
        new = np.flatnonzero(rows < 0)
        views = association.space.vocabularies
        vectors[new] = association.vectors({view: counts.views[view].rows(new) for view in views})
        return cls(counts, vectors, mark)


_INDEX = (HybridIndex, Candidates, TrainingProofs, BoundAssociation, Vocabulary)
_PREPARED = (PreparedTexts, PassageCounts, TermCounts)
PARTS: dict[str, type[Any]] = {kind.__name__: kind for kind in (*_INDEX, *_PREPARED)}
NOT_SAVED = {
    "HybridIndex": ("pool", "strict"),
    "Candidates": tuple(candidates_module.derived_fields(())),
    "TrainingProofs": tuple(first_stage_module.derived_fields(())),
    "BoundAssociation": ("space", "asked", "sharpness"),
}


def save_arrays(folder: Path, index: HybridIndex, prepared: PreparedTexts | None) -> None:
    """Write an index into an existing empty folder."""
    for name, part in ((INDEX, index), (PREPARED, prepared)):
        write_file(folder / name, msgspec.json.encode(_pack(part, folder, name.partition(".")[0])))


def open_index(
    folder: Path,
    candidates: Sequence[Passage],
    examples: tuple[TrainingExample, ...],
    association: TrainedAssociation | None,
    *,
    pool: int,
    strict: bool = False,
) -> HybridIndex:
    """Open a saved index for the same candidates, proofs and model."""
    given: Given = {
        "HybridIndex": {"pool": pool, "strict": strict},
        "Candidates": candidates_module.derived_fields(tuple(candidates)),
        "TrainingProofs": first_stage_module.derived_fields(examples),
    }
    if association is not None:
        given["BoundAssociation"] = {
            "space": association.space,
            "asked": association.asked,
            "sharpness": association.sharpness,
        }
    try:
        found = _unpack(read_json(folder / INDEX, dict[str, Any]), folder, given)
        _require(isinstance(found, HybridIndex), "no index")
        _check_index(found, association)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise NotAnIndex(f"{folder}: damaged ({error}); make the index again") from error
    index: HybridIndex = found
    return index


def open_prepared(folder: Path) -> PreparedTexts | None:
    """The prepared texts of a saved index; None if they are damaged or of another version."""
    try:
        found = _unpack(read_json(folder / PREPARED, dict[str, Any]), folder, {})
        if not isinstance(found, PreparedTexts):
            return None
        _check_prepared(found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError):
        return None
    return found


def _pack(value: Any, folder: Path, name: str) -> Any:
    """A description as JSON; arrays are written beside it."""
    kind = type(value).__name__
    if kind in PARTS and is_dataclass(value):
        saved = [one.name for one in fields(value) if one.name not in NOT_SAVED.get(kind, ())]
        return {"part": kind, "fields": {one: _pack(getattr(value, one), folder, f"{name}-{one}") for one in saved}}
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
    return {"plain": value}


def _unpack(described: dict[str, Any], folder: Path, given: Given) -> Any:
    match described:
        case {"part": str(name), "fields": dict(parts)}:
            saved = {key: _unpack(one, folder, given) for key, one in parts.items()}
            return PARTS[name](**given.get(name, {}), **saved)
        case {"array": str(name)}:
            return _load(folder, name)
        case {"sparse": str(name), "shape": [int(rows), int(columns)]}:
            return _load_sparse(folder, name, (rows, columns))
        case {"bytes": list(texts)}:
            return tuple(bytes.fromhex(text) for text in texts)
        case {"index": list(terms)}:
            return dict(zip(terms, range(len(terms)), strict=True))
        case {"by_name": dict(parts)}:
            return {key: _unpack(one, folder, given) for key, one in parts.items()}
    # An empty tuple or dict comes back as an empty list or dict; nothing depends on the difference.
    return described["plain"]


def _load(folder: Path, name: str) -> NDArray[Any]:
    _require(bool(_NAME.fullmatch(name)), "an array outside the folder")
    return load_array(folder / f"{name}.npy", mapped=True)


def _load_sparse(folder: Path, name: str, shape: tuple[int, int]) -> Sparse:
    from scipy.sparse import csr_matrix

    data, indices, indptr = (_load(folder, f"{name}-{piece}") for piece in SPARSE)
    _require(data.dtype == np.float32 and data.shape == indices.shape, f"{name} has arrays of different sizes")
    _require(len(indptr) == shape[0] + 1, f"{name} has a wrong number of rows")
    _check_rows(indptr, indices, shape[1], name)
    return csr_matrix((data, indices, indptr), shape=shape, copy=False)


def _check_index(index: HybridIndex, association: TrainedAssociation | None) -> None:
    """Shapes and ranges that follow from the numbers of candidates, proofs and terms."""
    candidates, proofs = index.candidates, index.proofs
    number, size = len(proofs), len(candidates)
    for view in VIEWS:
        vocabulary = candidates.vocabularies[view]
        _check_floats(vocabulary.rarity, (len(vocabulary.index),), f"rarity of {view}")
    for name, matrix, shape in _matrices(index):
        _require(matrix.shape == shape, f"{name} has a wrong shape")
    for name in ("name_mass", "body_mass", "defined_mass", "notation_mass", "kind", "length", "title_length"):
        _check_floats(getattr(candidates, name), (size,), name)
    _check_floats(proofs.counts, (size,), "counts")
    bound = index.association
    _require((bound is None) == (association is None or not size), "the association is missing")
    if bound is not None:
        _check_floats(bound.texts, (size, bound.space.dimensions), "texts")
        for name, rows in (("answers", size), ("references", size), ("theorems", number)):
            _check_floats(getattr(bound, name), (rows, bound.asked.dimensions), name)


def _matrices(index: HybridIndex) -> Iterator[tuple[str, Sparse, tuple[int, int]]]:
    """All sparse matrices with the shapes that they must have."""
    candidates, proofs = index.candidates, index.proofs
    number, size = len(proofs), len(candidates)
    terms = {view: len(vocabulary.index) for view, vocabulary in candidates.vocabularies.items()}
    for view in VIEWS:
        yield view, candidates.rows[view], (size, terms[view])
    for view in COMPARED:
        yield view, proofs.by_term[view], (terms[view], number)
    yield "tokens_by_term", candidates.tokens_by_term, (terms["tokens"], size)
    yield "titles_by_term", candidates.titles_by_term, (terms["title"], size)
    yield "bm25_by_term", candidates.bm25_by_term, (terms["tokens"], size)
    yield "names", candidates.names, (size, terms["prose"])
    yield "names_by_term", candidates.names_by_term, (terms["prose"], size)
    yield "bodies", candidates.bodies, (size, terms["prose"])
    yield "bodies_by_term", candidates.bodies_by_term, (terms["prose"], size)
    yield "defined", candidates.defined, (size, terms["prose"])
    yield "notation", candidates.notation, (size, terms["signs"])
    yield "notation_by_term", candidates.notation_by_term, (terms["signs"], size)
    yield "stated", candidates.stated, (size, size)
    yield "cited", proofs.cited, (number, size)
    yield "by_candidate", proofs.by_candidate, (size, number)


def _check_prepared(prepared: PreparedTexts) -> None:
    size = len(prepared.counts.keys)
    for view in COUNTED:
        counts = prepared.counts.views[view]
        _require(len(counts.starts) == size + 1, f"{view} has a wrong number of texts")
        _check_rows(counts.starts, counts.columns, len(counts.terms), view)
        _check_integers(counts.counts, counts.columns.shape, 1, LARGEST_COUNT, view)
    if prepared.vectors is not None:
        _require(prepared.vectors.ndim == 2, "vectors have a wrong shape")
        _check_floats(prepared.vectors, (size, prepared.vectors.shape[1]), "vectors")


def _check_rows(starts: NDArray[Any], columns: NDArray[Any], width: int, name: str) -> None:
    """Check a compressed sparse row layout."""
    _check_integers(starts, (len(starts),), 0, len(columns), name)
    _check_integers(columns, (len(columns),), 0, width - 1, name)
    whole = len(starts) > 0 and starts[0] == 0 and starts[-1] == len(columns)
    _require(bool(whole and (np.diff(starts) >= 0).all()), f"{name} has rows that do not follow each other")


def _check_integers(values: NDArray[Any], shape: tuple[int, ...], low: int, high: int, name: str) -> None:
    _require(values.dtype in (np.int32, np.int64) and values.shape == shape, f"{name} has a wrong type or shape")
    _require(not values.size or bool(low <= values.min() and values.max() <= high), f"{name} is out of range")


def _check_floats(values: NDArray[Any], shape: tuple[int, ...], name: str) -> None:
    _require(values.dtype == np.float32 and values.shape == shape, f"{name} has a wrong type or shape")


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(problem)


def _space_hash(association: TrainedAssociation) -> str:
    terms = repr([(view, len(vocabulary.index)) for view, vocabulary in association.space.vocabularies.items()])
    projections = (association.space.projection, association.answers.projection)
    return sha256_bytes(b"".join([terms.encode(), *(np.ascontiguousarray(one).tobytes() for one in projections)]))
