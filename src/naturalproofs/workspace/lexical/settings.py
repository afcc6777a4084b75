"""Which fusions the plain arrays can compute, and with which settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from naturalproofs.ranking.contract import Ranker


@dataclass(frozen=True, slots=True)
class LexicalSettings:
    """The weights of TF-IDF, BM25, neighbours and recency, and the settings of the last three."""

    weights: tuple[float, float, float, float] = (1.0, 1.0, 0.5, 0.0)
    k1: float = 1.2
    b: float = 0.6
    neighbours: int = 100
    power: float = 3.0
    half: float = 5.0


PLAIN = LexicalSettings()
"""`fusion` as it is called."""
PLACED = LexicalSettings(weights=(1.0, 1.0, 0.4, 0.4))
"""`fusion` with recency, for projects that know where their statements stand: `CLASSICAL_PLACE`."""


def lexical_settings(ranker: Ranker) -> LexicalSettings | None:
    """The settings of a fusion that the plain arrays can compute; None for any other method."""
    # The default method is known without these, and need not wait for them.
    from naturalproofs.ranking.baselines import Recency
    from naturalproofs.ranking.fusion import Fusion
    from naturalproofs.ranking.lexical import BM25, TfIdf
    from naturalproofs.ranking.neighbours import Neighbours
    from naturalproofs.ranking.registry import parse_ranker

    if not isinstance(ranker, Fusion) or ranker.by != "scores":
        return None
    weights: dict[type, float] = {}
    found = LexicalSettings()
    for text, weight in zip(ranker.parts, ranker.weights, strict=True):
        part = parse_ranker(text)
        if type(part) in weights:
            return None
        weights[type(part)] = weight
        match part:
            case TfIdf() if part == TfIdf():
                pass
            case BM25() if (part.tokeniser, part.title_weight) == (BM25().tokeniser, BM25().title_weight):
                found = replace(found, k1=part.k1, b=part.b)
            case Neighbours() if part.tokeniser == Neighbours().tokeniser:
                found = replace(found, neighbours=part.k, power=part.power)
            case Recency():
                found = replace(found, half=part.half)
            case _:
                return None
    order = tuple(weights.get(kind, 0.0) for kind in (TfIdf, BM25, Neighbours, Recency))
    return replace(found, weights=(order[0], order[1], order[2], order[3]))
