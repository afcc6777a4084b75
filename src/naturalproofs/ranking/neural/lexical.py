"""Word features beside the encoder's: term weights in few dimensions (latent semantic analysis).

A sentence encoder blurs the exact words that two statements share; these do not. They are learnt from the training
passages, and kept as plain arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import whole_text
from naturalproofs.records import Passage
from naturalproofs.tokens import tokeniser

RAREST = 2
"""Words of fewer passages teach nothing about others."""
TITLE_WEIGHT = 2


@dataclass(frozen=True, slots=True)
class Lexical:
    """Words, how telling each is, and the directions in which they vary together."""

    words: tuple[str, ...] = field(repr=False)
    weights: NDArray[np.float32] = field(repr=False)
    directions: NDArray[np.float32] = field(repr=False)
    """A row a word."""

    @classmethod
    def of(cls, passages: Sequence[Passage], width: int, seed: int) -> Lexical:
        """Learn from passages; with too few of them there are fewer dimensions, and the rest is zero."""
        counts = Counter(word for passage in passages for word in set(_words(passage)))
        words = tuple(sorted(word for word, count in counts.items() if count >= RAREST))
        weights = np.array([np.log((1 + len(passages)) / (1 + counts[word])) + 1 for word in words], dtype=np.float32)
        found = cls(words, weights, np.zeros((len(words), width), dtype=np.float32))
        rank = min(width, len(words) - 1, len(passages) - 1)
        if rank < 1:
            return found
        from sklearn.decomposition import TruncatedSVD

        kept = TruncatedSVD(rank, random_state=seed).fit(found._terms(passages))
        found.directions[:, :rank] = kept.components_.T
        return found

    @property
    def width(self) -> int:
        """How many dimensions there are."""
        return int(self.directions.shape[1])

    def features(self, passages: Sequence[Passage]) -> NDArray[np.float32]:
        """A row of length one for each passage, or of zeros for one without known words."""
        if not passages or not self.words:
            return np.zeros((len(passages), self.width), dtype=np.float32)
        rows = np.asarray(self._terms(passages) @ self.directions, dtype=np.float32)
        found: NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
        return found

    def _terms(self, passages: Sequence[Passage]) -> NDArray[np.float32]:
        """Term weights, a sparse row a passage."""
        from scipy.sparse import csr_matrix

        place = {word: position for position, word in enumerate(self.words)}
        values: list[float] = []
        columns: list[int] = []
        starts = [0]
        for passage in passages:
            counts = Counter(place[word] for word in _words(passage) if word in place)
            row = {column: (1 + np.log(count)) * float(self.weights[column]) for column, count in counts.items()}
            length = np.sqrt(sum(value * value for value in row.values())) or 1.0
            columns.extend(row)
            values.extend(value / length for value in row.values())
            starts.append(len(columns))
        shape = (len(passages), len(self.words))
        found: NDArray[np.float32] = csr_matrix((np.array(values, dtype=np.float32), columns, starts), shape=shape)
        return found


def _words(passage: Passage) -> list[str]:
    return tokeniser("maths")(whole_text(passage, TITLE_WEIGHT))
