"""Texts that an editor holds and has not saved, read in place of the files they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_texts: ContextVar[Mapping[Path, bytes] | None] = ContextVar("unsaved", default=None)


@contextmanager
def unsaved(texts: Mapping[Path, bytes]) -> Iterator[None]:
    """Let reading find these texts, by resolved path, wherever this thread reads a project inside the block."""
    token = _texts.set(texts)
    try:
        yield
    finally:
        _texts.reset(token)


def any_unsaved() -> bool:
    """Whether some text stands in place of a file."""
    return bool(_texts.get())


def unsaved_bytes(path: Path) -> bytes | None:
    """What is to be read instead of the file, if anything."""
    texts = _texts.get()
    return texts.get(path.resolve()) if texts else None


def current_bytes(path: Path) -> bytes:
    """What a file says now: what an editor holds of it, else what is on disk."""
    held = unsaved_bytes(path)
    return path.read_bytes() if held is None else held
