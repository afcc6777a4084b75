"""LightGBM's trees asked through its C interface.

Importing the Python package brings scikit-learn and takes longer than all of a cold answer; the library itself loads in
milliseconds. Training goes through the package.
"""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import NotAModel

_FLOAT32, _ROW_MAJOR = 0, 1
_RAW, _CONTRIBUTIONS = 1, 3
_PARAMETERS = b"num_threads=1 verbosity=-1"


class Trees:
    """Trees read from LightGBM's text form."""

    def __init__(self, text: str) -> None:
        """Read them; damaged text is an error in one line."""
        self._library = _library()
        self._handle = ctypes.c_void_p()
        rounds = ctypes.c_int(0)
        if not whole(text):
            raise NotAModel("the trees of the hybrid ranker are damaged (cut short or not LightGBM's); train again")
        code = self._library.LGBM_BoosterLoadModelFromString(
            ctypes.c_char_p(text.encode()), ctypes.byref(rounds), ctypes.byref(self._handle)
        )
        if code != 0:
            raise NotAModel(f"the trees of the hybrid ranker are damaged ({self._problem()}); train again")

    def scores(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """One score a row."""
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
            raise NotAModel(
                f"the trees of the hybrid ranker do not fit these features ({self._problem()}); train again"
            )
        return found

    def _problem(self) -> str:
        return str(self._library.LGBM_GetLastError() or b"", "utf-8", "replace")

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            self._library.LGBM_BoosterFree(handle)


def whole(text: str) -> bool:
    """Whether the text has all the trees it announces: LightGBM ends the process over one that has not."""
    header, _, trees = text.partition("\nTree=0\n")
    sizes = [line for line in header.splitlines() if line.startswith("tree_sizes=")]
    if not header.startswith("tree\n") or not sizes or not re.fullmatch(r"tree_sizes=\d+(?: \d+)*", sizes[0]):
        return False
    long = sum(int(size) for size in sizes[0].removeprefix("tree_sizes=").split()) - len("Tree=0\n")
    return trees.encode()[long:].startswith(b"end of trees")


def loads() -> bool:
    """Whether trees can be asked here: LightGBM is installed, and so is what it needs."""
    try:
        _library()
    except (ModuleNotFoundError, NotAModel):
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
                raise NotAModel(f"LightGBM cannot be loaded ({error}); install what it needs (libgomp)") from error
            library.LGBM_GetLastError.restype = ctypes.c_char_p
            return library
    raise NotAModel(f"{folder}: LightGBM is installed without its library; install it anew")
