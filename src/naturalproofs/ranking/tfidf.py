"""TF-IDF: the cosine of term weights (Salton and Buckley 1988), by scikit-learn.

The settings ``tfidf(tokeniser='simple', sublinear=False, title_weight=1)`` are the paper's baseline.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naturalproofs.ranking.contract import Scores, whole_text
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.tokens import tokeniser


@dataclass(frozen=True, slots=True)
class TfIdf:
    """Settings of the weighting."""

    tokeniser: str = "maths"
    sublinear: bool = True
    """Damp repeated terms: 1 + log(count)."""
    title_weight: int = 2

    def fit(self, train: TrainSet, *, seed: int) -> "TfIdf":
        """Nothing is learnt: the weights come from the candidates."""
        return self

    def index(self, candidates: Sequence[Passage]) -> "TfIdfScorer":
        """Weigh the terms of the candidates."""
        vectoriser = new_vectoriser(self)
        return TfIdfScorer(vectoriser, vectoriser.fit_transform(candidates).T.tocsr())


@dataclass(frozen=True, slots=True)
class TfIdfScorer:
    """The weights of the candidates."""

    vectoriser: Any
    candidates: Any

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Cosines."""
        if not queries:
            return np.zeros((0, self.candidates.shape[1]), dtype=np.float32)
        scores: Scores = (self.vectoriser.transform(queries) @ self.candidates).toarray().astype(np.float32, copy=False)
        return scores


def new_vectoriser(settings: TfIdf) -> Any:
    """A scikit-learn vectoriser that reads passages."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    analyser = _analyser(settings)
    return TfidfVectorizer(analyzer=analyser, sublinear_tf=settings.sublinear, dtype=np.float32)


def _analyser(settings: TfIdf) -> Callable[[Passage], list[str]]:
    split = tokeniser(settings.tokeniser)
    return lambda passage: split(whole_text(passage, settings.title_weight))
