"""Unsaved editor buffers, read instead of their files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from naturalproofs.io.names import resolved

_texts: ContextVar[Mapping[Path, bytes] | None] = ContextVar("unsaved", default=None)


@contextmanager
def unsaved(texts: Mapping[Path, bytes]) -> Iterator[None]:
    """Use these buffers, by resolved path, for all reading of this thread inside the block."""
    token = _texts.set(texts)
    try:
        yield
    finally:
        _texts.reset(token)


def any_unsaved() -> bool:
    """Whether there are unsaved buffers."""
    return bool(_texts.get())


def unsaved_bytes(path: Path) -> bytes | None:
    """The unsaved buffer of a file, if any."""
    texts = _texts.get()
    return texts.get(resolved(path)) if texts else None


def current_bytes(path: Path) -> bytes:
    """The current contents of a file: its unsaved buffer, or what is on disk."""
    buffer = unsaved_bytes(path)
    return path.read_bytes() if buffer is None else buffer
