"""BM25F: the fields of a statement, their weights, and how terms are counted in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

BREAK = "\ue000"
"""A token that no phrase spans: it stands for a formula, and between parts of a field."""
K1 = 1.2
"""BM25's saturation."""


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """The weight of a field in BM25F, and its length normalisation (BM25's b)."""

    weight: float
    length: float


FIELDS: Mapping[str, FieldWeight] = {
    "title": FieldWeight(4.0, 0.3),
    "name": FieldWeight(2.0, 0.3),
    "note": FieldWeight(2.0, 0.3),
    "text": FieldWeight(1.0, 0.75),
    "place": FieldWeight(0.5, 0.3),
    "cited": FieldWeight(0.5, 0.6),
}
"""What is searched: the title, the words of the label, slogans and other notes, the contents, chapter and categories,
and the sentences in which others cite the statement."""


def idf(count: int, size: int) -> float:
    """The inverse document frequency of a term; never negative."""
    return log1p((size - count + 0.5) / (count + 0.5))


def saturated(count: float) -> float:
    """BM25's saturation of a weighted count, below 1."""
    return count / (K1 + count)


def field_counts(fields: Sequence[str], lengths: Mapping[str, float], terms: Collection[str]) -> dict[str, float]:
    """How often each of some terms occurs in a statement; the counts of its fields are weighted, and divided by length.

    Args:
        fields: For each of `FIELDS` its tokens, separated by spaces.
        lengths: The mean number of tokens of each field.
        terms: The terms to count.
    """
    counts: defaultdict[str, float] = defaultdict(float)
    for (name, field), value in zip(FIELDS.items(), fields, strict=True):
        tokens = value.split()
        length = (len(tokens) - tokens.count(BREAK)) / max(lengths[name], 1)
        amount = field.weight / (1 - field.length + field.length * length)
        for token in tokens:
            if token in terms:
                counts[token] += amount
    return counts
