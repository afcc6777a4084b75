"""How many references a proof will have, guessed from the words of the theorem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.tfidf import TfIdf, new_vectoriser
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample


@dataclass(frozen=True, slots=True)
class LengthGuess:
    """Ridge regression of the logarithm of the length on the theorem's weighted terms."""

    vectoriser: Any
    regression: Any

    @classmethod
    def learn(cls, examples: Sequence[TrainingExample]) -> LengthGuess:
        """Fit on training proofs."""
        from sklearn.linear_model import Ridge

        vectoriser = new_vectoriser(TfIdf())
        terms = vectoriser.fit_transform([example.theorem for example in examples])
        lengths = np.log([max(1, len(example.references)) for example in examples])
        return cls(vectoriser, Ridge(alpha=1.0).fit(terms, lengths))

    def predict(self, theorems: Sequence[Passage]) -> NDArray[np.float64]:
        """The expected logarithm of the number of references."""
        if not theorems:
            return np.zeros(0)
        guess: NDArray[np.float64] = self.regression.predict(self.vectoriser.transform(theorems)).astype(np.float64)
        return guess
