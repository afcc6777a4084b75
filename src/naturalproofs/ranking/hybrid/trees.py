"""LightGBM's trees, checked and then scored through its C interface.

Importing LightGBM's Python package imports scikit-learn, which takes longer than a whole answer of a cold process; the
shared library loads in milliseconds. Training uses the package.

The library trusts its input: a split on a feature that does not exist, or children that form a cycle, end the process.
So the text is checked first (`checked_trees`).
"""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import BadModel, LibraryNotLoadable

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
