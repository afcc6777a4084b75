"""The paper's own figures, to be printed beside ours."""

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

import msgspec


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """What the paper reports about one corpus; empty where it says nothing."""

    counts: dict[str, int] = field(default_factory=dict)
    lengths: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    """By ``part/measure``: mean and quartiles."""
    retrieval: dict[str, int | float] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _all_figures() -> dict[str, PaperFigures]:
    text = files("naturalproofs.data").joinpath("paper-statistics.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, PaperFigures])


def paper_figures(source: str) -> PaperFigures:
    """The figures for a source (``stacks``, ``trench`` …); empty when the paper has none."""
    return _all_figures().get(source, PaperFigures())
