"""Something that takes long to make: made when first asked for, once, whoever else asks meanwhile waits."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A value to come."""

    def __init__(self, make: Callable[[], T]) -> None:
        """Bind what makes it."""
        self._make = make
        self._lock = Lock()
        self._made: list[T] = []

    def __call__(self) -> T:
        """The value; an error is not kept, so that the next one who asks tries again."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]
