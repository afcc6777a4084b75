"""A sequence of references that a method produced, beside the true one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GeneratedSequence:
    """What was produced for one query, and what the proof refers to, in order and with repeats."""

    query: str
    predicted: tuple[Hashable, ...]
    true: tuple[Hashable, ...]
