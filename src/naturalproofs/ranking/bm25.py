"""BM25 (Robertson and Zaragoza 2009), by bm25s."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naturalproofs.ranking.contract import Scores, whole_text
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.tokens import tokeniser


@dataclass(frozen=True, slots=True)
class BM25:
    """Settings of the weighting."""

    tokeniser: str = "maths"
    k1: float = 1.2
    b: float = 0.6
    title_weight: int = 2

    def fit(self, train: TrainSet, *, seed: int) -> "BM25":
        """Nothing is learnt: the weights come from the candidates."""
        return self

    def index(self, candidates: Sequence[Passage]) -> "BM25Scorer":
        """Weigh the terms of the candidates."""
        import bm25s

        split = tokeniser(self.tokeniser)
        index = bm25s.BM25(k1=self.k1, b=self.b)
        texts = [split(whole_text(candidate, self.title_weight)) for candidate in candidates]
        # bm25s cannot index a corpus in which no text has a token.
        usable = any(texts)
        if usable:
            index.index(texts, show_progress=False)
        return BM25Scorer(self, index if usable else None, len(texts))


@dataclass(frozen=True, slots=True)
class BM25Scorer:
    """The weights of the candidates."""

    settings: BM25
    weights: Any
    size: int

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Sums of the weights of a query's distinct terms."""
        scores = np.zeros((len(queries), self.size), dtype=np.float32)
        split = tokeniser(self.settings.tokeniser)
        for row, query in enumerate(queries):
            known = [
                t for t in dict.fromkeys(split(whole_text(query))) if self.weights and t in self.weights.vocab_dict
            ]
            if known:
                scores[row] = self.weights.get_scores(known)
        return scores
