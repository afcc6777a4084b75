"""Reading of arrays from untrusted files."""

from __future__ import annotations

from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"\x93NUMPY"


def load_array(path: Path, *, mapped: bool = False) -> NDArray[Any]:
    """Read an array in numpy's format.

    Args:
        path: The file.
        mapped: Whether the file is mapped into memory and not read.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is damaged.
    """
    with path.open("rb") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise ValueError(f"{path.name}: not an array")
    try:
        found: NDArray[Any] = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except (TokenError, SyntaxError, EOFError, TypeError, ArithmeticError, MemoryError) as error:
        raise ValueError(f"{path.name}: damaged ({error})") from error
    return found
