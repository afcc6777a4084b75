"""How long work reports its progress."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called now and then while work goes on."""

    def __call__(self, done: float, total: float, message: str = "", /) -> None:
        """Report the work done, the work in all and, where there is more to say, one short line."""


def silent(_done: float, _total: float, _message: str = "", /) -> None:
    """Report nothing."""
