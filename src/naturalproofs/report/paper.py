"""The figures of the paper, printed beside ours."""

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

import msgspec

from naturalproofs.corpus.corpus import Provenance


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """The paper's statistics of one corpus; empty where there are none."""

    counts: dict[str, int] = field(default_factory=dict)
    lengths: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    """By ``part/measure``: mean and quartiles."""
    retrieval: dict[str, int | float] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _all_figures() -> dict[str, PaperFigures]:
    text = files("naturalproofs.data").joinpath("paper-statistics.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, PaperFigures])


def paper_key(provenance: Provenance) -> str:
    """The source name under which the paper reports a corpus; empty for a wiki other than ProofWiki."""
    wiki_first = provenance.source.startswith("proofwiki")
    if wiki_first and not provenance.title.startswith("ProofWiki"):
        return ""
    # A merged corpus joins the names of its parts with spaces around the plus.
    return provenance.source.replace(" + ", "+")


def paper_figures(source: str) -> PaperFigures:
    """The statistics of a source (``stacks``, ``trench`` …); empty if the paper has none."""
    return _all_figures().get(source, PaperFigures())


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of results: the value of each row and measure, in percent."""

    name: str
    corpus: str
    split: str
    measures: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]

    def value(self, row: str, measure: str) -> float | None:
        """One cell; None if the paper has no value."""
        if row not in self.rows or measure not in self.measures:
            return None
        return self.rows[row][self.measures.index(measure)]


@lru_cache(maxsize=1)
def _all_results() -> tuple[PaperTable, ...]:
    text = files("naturalproofs.data").joinpath("paper-results.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text)["table"], tuple[PaperTable, ...])


def paper_results(name: str, corpus: str, split: str) -> PaperTable:
    """The paper's table of a name, corpus and split; empty if there is none."""
    for table in _all_results():
        if (table.name, table.corpus, table.split) == (name, corpus, split):
            return table
    return PaperTable(name, corpus, split, (), {})
