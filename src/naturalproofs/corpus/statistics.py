"""Lengths and numbers of references of statements and proofs; the paper's name of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.records import KINDS, Proof, Statement

MEASURES = ("chars", "tokens", "lines", "refs")
PARTS = (*KINDS, "proof")


@dataclass(frozen=True, slots=True)
class Distribution:
    """Mean and quartiles of a quantity."""

    count: int
    mean: float
    p25: float
    p50: float
    p75: float

    @classmethod
    def of(cls, values: Sequence[int]) -> Distribution:
        """Mean and quartiles, with linear interpolation as in numpy and pandas."""
        if not values:
            return cls(0, 0.0, 0.0, 0.0, 0.0)
        quartiles = quantiles(values, method="inclusive") if len(values) > 1 else [float(values[0])] * 3
        return cls(len(values), sum(values) / len(values), *quartiles)


Lengths = dict[str, dict[str, Distribution]]
"""By part (``theorem`` … ``proof``), then by measure (``chars``, ``tokens``, ``lines``, ``refs``)."""


def lengths(corpora: Iterable[Corpus]) -> Lengths:
    """Distributions over all statements and proofs of the corpora together.

    Characters are those of the lines without line ends; tokens are separated by white space; references are
    counted with repeats.
    """
    parts: dict[str, list[Statement | Proof]] = {part: [] for part in PARTS}
    for corpus in corpora:
        for statement in corpus.statements:
            parts[statement.kind].append(statement)
            parts["proof"].extend(statement.proofs)
    return {part: _distributions(items) for part, items in parts.items()}


def _distributions(items: Sequence[Statement | Proof]) -> dict[str, Distribution]:
    values: dict[str, list[int]] = {
        "chars": [sum(map(len, item.lines)) for item in items],
        "tokens": [sum(len(line.split()) for line in item.lines) for item in items],
        "lines": [len(item.lines) for item in items],
        "refs": [len(item.references) for item in items],
    }
    return {measure: Distribution.of(values[measure]) for measure in MEASURES}


def paper_key(provenance: Provenance) -> str:
    """The name under which the paper reports a corpus; empty for a wiki other than ProofWiki.

    ProofWiki may come from a dump or from the published file. A merged corpus joins the names of its parts.
    """
    source = provenance.source
    if provenance.title.startswith("ProofWiki"):
        source = source.replace("naturalproofs-json", "proofwiki", 1)
    elif source.startswith("proofwiki"):
        return ""
    return source.replace(" + ", "+")
