"""Values that are computed on first use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """A value that is computed once, by the first thread that asks; others wait. An error is not cached."""

    def __init__(self, compute: Callable[[], T]) -> None:
        """Bind the computation."""
        self._compute = compute
        self._lock = threading.Lock()
        self._values: list[T] = []

    def __call__(self) -> T:
        """The value."""
        if not self._values:
            with self._lock:
                if not self._values:
                    self._values.append(self._compute())
        return self._values[0]

    @property
    def known(self) -> bool:
        """Whether it is computed already."""
        return bool(self._values)
