"""Many texts in one array of bytes, so that they can be kept in a file and opened without being read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts by position."""

    letters: NDArray[np.uint8]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Texts:
        """Pack them."""
        packed = [text.encode("utf-8", "replace") for text in texts]
        starts = np.cumsum([0, *map(len, packed)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(packed), dtype=np.uint8), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, position: int) -> str:
        start, end = int(self.starts[position]), int(self.starts[position + 1])
        return self.letters[start:end].tobytes().decode("utf-8", "replace")
