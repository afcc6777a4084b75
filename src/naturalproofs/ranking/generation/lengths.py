"""How many references a proof will have, guessed from the words of the theorem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.lexical import TfIdf
from naturalproofs.ranking.term_vectors import Vocabulary
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample


@dataclass(frozen=True, slots=True)
class LengthGuess:
    """Ridge regression of the logarithm of the length on the theorem's weighted terms."""

    vocabulary: Vocabulary
    regression: Any

    @classmethod
    def learn(cls, examples: Sequence[TrainingExample]) -> LengthGuess:
        """Fit on training proofs."""
        from sklearn.linear_model import Ridge

        theorems = TfIdf().index([example.theorem for example in examples])
        lengths = np.log([max(1, len(example.references)) for example in examples])
        return cls(theorems.vocabulary, Ridge(alpha=1.0).fit(theorems.by_term.T.tocsr(), lengths))

    def predict(self, theorems: Sequence[Passage]) -> NDArray[np.float64]:
        """The expected logarithm of the number of references."""
        if not theorems:
            return np.zeros(0)
        rows = TfIdf().query_rows(theorems, self.vocabulary)
        guess: NDArray[np.float64] = self.regression.predict(rows).astype(np.float64)
        return guess
