"""LightGBM's trees, checked and then scored through its C interface.

Importing LightGBM's Python package imports scikit-learn, which takes longer than a whole answer of a cold process; the
shared library loads in milliseconds. Training uses the package.

The library trusts its input: a split on a feature that does not exist, or children that form a cycle, end the process.
So the text is checked first (`checked_trees`).
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import BadModel, LibraryNotLoadable
from naturalproofs.io.decoding import decode_json
from naturalproofs.ranking.hybrid.features import FeatureTable
from naturalproofs.ranking.hybrid.first_stage import Visible
from naturalproofs.ranking.term_vectors import Floats, Ints, best

_FLOAT32, _ROW_MAJOR = 0, 1
_RAW, _CONTRIBUTIONS = 1, 3
_PARAMETERS = b"num_threads=1 verbosity=-1"
MOST_LEAVES = 1024
"""Of one tree; contributions need memory in the square of the depth."""
_HEADER = frozenset(
    "version num_class num_tree_per_iteration label_index max_feature_idx objective feature_names feature_infos "
    "tree_sizes".split()
)
_OBJECTIVE = re.compile(r"lambdarank|binary sigmoid:1")
_SPLITS = ("split_gain", "threshold", "internal_value", "internal_weight", "internal_count")
_LEAVES = ("leaf_value", "leaf_weight", "leaf_count")
_TREE = frozenset(
    ("num_leaves", "num_cat", "split_feature", "decision_type", "left_child", "right_child", "is_linear", "shrinkage")
).union(_SPLITS, _LEAVES)
_INTEGERS = re.compile(r"-?\d{1,18}(?: -?\d{1,18})*")
_FLOATS = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?: -?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)*")
"""As LightGBM writes numbers; what Python reads more liberally could mean something else to the library."""
_CATEGORICAL = 1
"""The bit of a decision type that marks a categorical split."""


class Trees:
    """Boosted trees in LightGBM's text form."""

    def __init__(self, text: str) -> None:
        """Check the text and load it."""
        self.features, checked = checked_trees(text)
        self._library = _library()
        self._handle = ctypes.c_void_p()
        rounds = ctypes.c_int(0)
        code = self._library.LGBM_BoosterLoadModelFromString(
            ctypes.c_char_p(checked), ctypes.byref(rounds), ctypes.byref(self._handle)
        )
        if code != 0:
            raise BadModel(f"the trees of the hybrid ranker are damaged ({self._problem()}); train again")

    def scores(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """One raw score per row."""
        return self._predict(values, _RAW, len(values))

    def contributions(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """How much each feature moved each row's score (Lundberg et al. 2020); the last column is the average score."""
        rows, columns = values.shape
        return self._predict(values, _CONTRIBUTIONS, rows * (columns + 1)).reshape(rows, columns + 1)

    def _predict(self, values: NDArray[np.float32], what: int, size: int) -> NDArray[np.float64]:
        data = np.ascontiguousarray(values, dtype=np.float32)
        found, length = np.zeros(size, dtype=np.float64), ctypes.c_int64(0)
        code = self._library.LGBM_BoosterPredictForMat(
            self._handle,
            data.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_int(_FLOAT32),
            ctypes.c_int32(data.shape[0]),
            ctypes.c_int32(data.shape[1]),
            ctypes.c_int(_ROW_MAJOR),
            ctypes.c_int(what),
            ctypes.c_int(0),
            ctypes.c_int(-1),
            ctypes.c_char_p(_PARAMETERS),
            ctypes.byref(length),
            found.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
        )
        if code != 0 or length.value != size:
            raise BadModel(f"the trees of the hybrid ranker do not fit these features ({self._problem()}); train again")
        return found

    def _problem(self) -> str:
        return str(self._library.LGBM_GetLastError() or b"", "utf-8", "replace")

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            self._library.LGBM_BoosterFree(handle)


def checked_trees(text: str) -> tuple[int, bytes]:
    """The number of features, and the text as far as it was checked; bad trees are an error.

    Checked are the sizes of trees and arrays, the ranges of features, children and decisions, that every node has one
    parent before it (so there are no cycles), and that nothing is categorical or linear, as in all trees trained here.
    """
    try:
        header, _, trees = text.partition("\nTree=0\n")
        fields = _fields(header.removeprefix("tree\n"), _HEADER)
        features = int(_numbers(fields["max_feature_idx"], np.int64, 1)[0]) + 1
        sizes = _numbers(fields["tree_sizes"], np.int64).tolist()
        _require(header.startswith("tree\n") and header.isascii(), "not LightGBM's text")
        _require(fields["num_class"] == "1" and fields["num_tree_per_iteration"] == "1", "several classes")
        _require(bool(_OBJECTIVE.fullmatch(fields["objective"])), "an unknown objective")
        _require(len(fields["feature_names"].split()) == features > 0, "a wrong number of feature names")
        _require(len(fields["feature_infos"].split()) == features, "a wrong number of feature descriptions")
        _require(min(sizes) > 0, "no trees")
        body = f"Tree=0\n{trees}"
        start = 0
        for number, size in enumerate(sizes):
            block = body[start : start + size]
            _require(len(block) == size and block.isascii(), f"tree {number} is cut short")
            title, _, rest = block.partition("\n")
            _require(title == f"Tree={number}", f"tree {number} is missing")
            _check_tree(_fields(rest, _TREE), features)
            start += size
        _require(body[start:].startswith("end of trees"), "the end is missing")
    except (KeyError, ValueError, OverflowError) as error:
        raise BadModel(f"the trees of the hybrid ranker are damaged ({error}); train again") from error
    return features, f"{header}\n{body[:start]}end of trees\n".encode("ascii")


def _check_tree(fields: dict[str, str], features: int) -> None:
    """Check one tree; a negative child -n is leaf n - 1."""
    leaves = int(_numbers(fields["num_leaves"], np.int64, 1)[0])
    _require(1 <= leaves <= MOST_LEAVES, "a wrong number of leaves")
    _require(fields["num_cat"] == "0" and fields["is_linear"] == "0", "categorical splits or linear leaves")
    _numbers(fields["shrinkage"], np.float64, 1)
    _numbers(fields["leaf_value"], np.float64, leaves)
    if leaves == 1:
        return
    for name in _LEAVES:
        _numbers(fields[name], np.float64, leaves)
    for name in _SPLITS:
        _numbers(fields[name], np.float64, leaves - 1)
    feature, decision, left, right = (
        _numbers(fields[name], np.int64, leaves - 1)
        for name in ("split_feature", "decision_type", "left_child", "right_child")
    )
    _require(bool((feature >= 0).all() and (feature < features).all()), "a feature out of range")
    _require(bool((decision >= 0).all() and (decision < 16).all()), "an unknown decision type")
    _require(not (decision & _CATEGORICAL).any(), "categorical splits")
    parents = np.arange(leaves - 1)
    for child in (left, right):
        _require(bool(((child < 0) | (child > parents)).all()), "children before their parent")
    children = np.sort(np.concatenate([left, right]))
    # The root has no parent; every other node and every leaf has one.
    expected = np.delete(np.arange(-leaves, leaves - 1), leaves)
    _require(np.array_equal(children, expected), "children that do not form a tree")


def _fields(text: str, known: frozenset[str]) -> dict[str, str]:
    """Lines ``key=value``, each key once."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        key, equals, value = line.partition("=")
        if line:
            _require(bool(equals) and key in known and key not in found, f"unexpected line {line[:40]!r}")
            found[key] = value
    return found


def _numbers(text: str, kind: type[np.int64 | np.float64], size: int | None = None) -> NDArray[Any]:
    """Numbers separated by single spaces, as many as expected."""
    _require(bool((_INTEGERS if kind is np.int64 else _FLOATS).fullmatch(text)), f"not numbers: {text[:40]!r}")
    values = np.array(text.split(" "), dtype=kind)
    _require(size in (None, len(values)) and bool(np.isfinite(values).all()), "an array of a wrong size")
    return values


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(problem)


def trees_available() -> bool:
    """Whether LightGBM is installed and can be loaded."""
    try:
        _library()
    except (ModuleNotFoundError, LibraryNotLoadable):
        return False
    return True


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    """The shared library of the installed package, found without importing it."""
    package = find_spec("lightgbm")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("No module named 'lightgbm'", name="lightgbm")
    folder = Path(package.origin).parent
    for name in ("lib/lib_lightgbm.so", "lib/lib_lightgbm.dylib", "bin/lib_lightgbm.dll", "lib/lib_lightgbm.dll"):
        if (folder / name).is_file():
            try:
                library = ctypes.CDLL(str(folder / name))
            except OSError as error:
                raise LibraryNotLoadable(
                    f"LightGBM cannot be loaded ({error}); install what it needs (libgomp)"
                ) from error
            library.LGBM_GetLastError.restype = ctypes.c_char_p
            return library
    raise LibraryNotLoadable(f"{folder}: LightGBM is installed without its library; install it again")


# Gradient boosting over features by LightGBM: LambdaMART (Burges 2010) or a binary objective, and calibration.

BEST = 50
"""Scores of a pool that its level is computed from, so that it does not depend on the size of the pool."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A monotone map from scores to probabilities (isotonic regression), linear between its points.

    The order that trees learn has no level: the best of a query may have any score. So a score is first shifted by what
    the whole query tells: the level of its pool, and how many statements a proof of this project cites.
    """

    scores: tuple[float, ...]
    probabilities: tuple[float, ...]
    level: float = 0.0
    """The weight of the level of the pool."""
    rate: float = 0.0
    """The weight of the citing rate."""

    @classmethod
    def of(cls, scores: Floats, labels: Floats, weights: Floats | None = None) -> Calibration:
        """Fit on queries that the trees were not trained on."""
        from sklearn.isotonic import IsotonicRegression

        fitted = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, labels, weights)
        return cls(
            tuple(round(float(x), 5) for x in fitted.X_thresholds_),
            tuple(round(float(y), 6) for y in fitted.y_thresholds_),
        )

    def __call__(self, scores: Floats, citing_rate: float = 1.0) -> Floats:
        """Probabilities of the scores of a query's pool."""
        if not self.scores:
            return np.zeros_like(scores)
        if self.level or self.rate:
            scores = scores + np.float32(self.level * level_of(scores) + self.rate * math.log(citing_rate))
        return np.interp(scores, self.scores, self.probabilities).astype(np.float32)


def level_of(scores: Floats) -> float:
    """The level of a pool: the logarithm of the sum of the exponentials of its best scores, a soft maximum."""
    top = scores[best(scores, BEST)]
    return float(top[0]) + math.log(float(np.exp(top - top[0]).sum())) if len(top) else 0.0


@dataclass(frozen=True, slots=True)
class Boosting:
    """Settings of the trees."""

    trees: int = 160
    leaves: int = 15
    rate: float = 0.08
    order: bool = True
    """LambdaMART, which learns the order within each query; otherwise a binary objective."""


@dataclass(frozen=True, slots=True)
class LabelledPool:
    """Candidates of one query, to learn from."""

    names: tuple[str, ...]
    """Of the columns."""
    values: Floats
    labels: Floats
    """One for what the proof cites, else zero."""
    weights: Floats
    """How many candidates a row stands for: easy negatives are sampled, and weigh as many as were left out."""
    example: int
    """The training proof."""
    candidates: Ints
    visible: Visible
    """What the query sees of the training proofs."""

    def only(self, names: Sequence[str]) -> LabelledPool:
        """Some of the columns."""
        where = [self.names.index(name) for name in names]
        return replace(self, names=tuple(names), values=self.values[:, where])

    def rows(self, chosen: Ints) -> LabelledPool:
        """Some of the candidates."""
        kept = {name: getattr(self, name)[chosen] for name in ("values", "labels", "weights", "candidates")}
        return replace(self, **kept)

    @property
    def table(self) -> FeatureTable:
        """The features alone."""
        return FeatureTable(self.names, self.values)


@dataclass(frozen=True)
class Booster:
    """Trees as text, the features they read, and the calibration of their scores."""

    names: tuple[str, ...]
    text: str
    calibration: Calibration = Calibration((), ())

    @classmethod
    def of(cls, pools: Sequence[LabelledPool], settings: Boosting, seed: int) -> Booster:
        """Train; the scores are not calibrated."""
        return cls(pools[0].names, boost(pools, settings, seed))

    @cached_property
    def trees(self) -> Trees:
        """The trees, loaded once."""
        trees = Trees(self.text)
        if trees.features != len(self.names):
            raise BadModel(f"trees over {trees.features} features, but {len(self.names)} are named; train again")
        return trees

    def scores(self, table: FeatureTable) -> Floats:
        """One raw score per row."""
        if not len(table.values):
            return np.zeros(0, dtype=np.float32)
        return self.trees.scores(self._columns(table)).astype(np.float32)

    def contributions(self, table: FeatureTable, rows: Sequence[int]) -> dict[str, Floats]:
        """The contribution of each feature group to the scores of some rows (Lundberg et al. 2020)."""
        values = self._columns(table)[list(rows)]
        each = self.trees.contributions(values).astype(np.float32)
        found: dict[str, Floats] = {}
        for position, name in enumerate(self.names):
            group = name.partition("/")[0]
            found[group] = found.get(group, np.zeros(len(values), dtype=np.float32)) + each[:, position]
        return found

    def _columns(self, table: FeatureTable) -> Floats:
        """The features that the trees read, in their order; those that the table does not have are NaN."""
        where = {name: position for position, name in enumerate(table.names)}
        if all(name in where for name in self.names):
            return table.values[:, [where[name] for name in self.names]]
        values = np.full((len(table.values), len(self.names)), np.nan, dtype=np.float32)
        for position, name in enumerate(self.names):
            if name in where:
                values[:, position] = table.values[:, where[name]]
        return values

    def to_text(self) -> str:
        """Features and calibration as one line of JSON, then the trees."""
        curve = self.calibration
        head = _Head(self.names, curve.scores, curve.probabilities, curve.level, curve.rate)
        return f"{msgspec.json.encode(head).decode()}\n{self.text}"

    @classmethod
    def from_text(cls, text: str) -> Booster:
        """Read what `to_text` wrote; the trees are checked when they are first used."""
        head, _, trees = text.partition("\n")
        try:
            read = decode_json(head, _Head)
        except ValueError as error:
            raise BadModel(f"the trees of the hybrid ranker have no readable first line ({error})") from error
        if len(read.scores) != len(read.probabilities) or list(read.scores) != sorted(read.scores):
            raise BadModel("the calibration of the hybrid ranker is damaged; train again")
        return cls(read.names, trees, Calibration(read.scores, read.probabilities, read.level, read.rate))


class _Head(msgspec.Struct, frozen=True):
    """The first line of a booster's file."""

    names: tuple[str, ...]
    scores: tuple[float, ...]
    probabilities: tuple[float, ...]
    level: float = 0.0
    rate: float = 0.0


def boost(pools: Sequence[LabelledPool], settings: Boosting, seed: int) -> str:
    """Train; the same seed gives the same trees."""
    import lightgbm

    values = np.concatenate([pool.values for pool in pools])
    order = {"objective": "lambdarank", "label_gain": [0, 1], "lambdarank_truncation_level": 100}
    parameters = {
        **(order if settings.order else {"objective": "binary"}),
        "learning_rate": settings.rate,
        "num_leaves": settings.leaves,
        "min_data_in_leaf": min(100, max(5, len(values) // 200)),
        "feature_fraction": 0.3,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "lambda_l2": 5.0,
        "max_bin": 127,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbose": -1,
    }
    data = lightgbm.Dataset(
        values,
        np.concatenate([pool.labels for pool in pools]),
        group=[len(pool.values) for pool in pools] if settings.order else None,
        weight=np.concatenate([pool.weights for pool in pools]),
        feature_name=[name.replace("/", ".") for name in pools[0].names],
    )
    text: str = lightgbm.train(parameters, data, settings.trees).model_to_string()
    # A split of what is missing from what is known has an infinite threshold; any number above all values will do.
    return re.sub("(?<=[ =])inf(?=[ \n])", "1e9", text)
