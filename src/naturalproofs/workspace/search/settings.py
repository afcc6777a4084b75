"""How much what counts; chosen by ``benchmarks/search.py`` on half of its questions, reported on the other half."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from naturalproofs.workspace.search.postings import FieldWeight


def _fields() -> dict[str, FieldWeight]:
    return {
        "title": FieldWeight(4.0, 0.3),
        "name": FieldWeight(2.0, 0.3),
        "note": FieldWeight(2.0, 0.3),
        "text": FieldWeight(1.0, 0.75),
        "place": FieldWeight(0.5, 0.3),
        "cited": FieldWeight(0.5, 0.6),
    }


@dataclass(frozen=True, slots=True)
class Settings:
    """Weights of an index and of asking it."""

    fields: Mapping[str, FieldWeight] = field(default_factory=_fields)
    saturation: float = 1.2
    """BM25's k1."""
    dimensions: int = 128
    """Of the space of meanings."""
    meaning: float = 0.3
    """What nearness in meaning counts beside words."""
    formula: float = 1.0
    """What a formula counts beside words."""
    prefix: float = 0.6
    """What a word counts that begins as the last word typed."""
    slip: float = 0.5
    """What a word counts that is one slip from a word that occurs nowhere."""
    enough: float = 0.5
    """The share of what is asked for, by rarity, that a statement must hold to be counted as found."""


DEFAULT = Settings()
