"""From a score and a rank to a probability that the proof cites it.

The figures were fitted by logistic regression on 1,500 training proofs of the Stacks project, each asked with its own
proof left out, over the hundred best candidates. They carry over: see "How sure" in docs/how-to/get-suggestions.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log1p

from naturalproofs.workspace.lexical.settings import PLACED, PLAIN, LexicalSettings


@dataclass(frozen=True, slots=True)
class Calibration:
    """The logit of the probability: a base, so much for the score, so much for the logarithm of the rank."""

    base: float
    score: float
    rank: float

    def probability(self, score: float, rank: int) -> float:
        """That a candidate with this score, so many others being better, is cited."""
        return 1 / (1 + exp(-(self.base + self.score * score + self.rank * log1p(rank))))


_FITTED = {PLACED: Calibration(-1.532, 0.750, -0.945), PLAIN: Calibration(-1.433, 0.698, -0.947)}
_BEGUN = Calibration(-2.717, 0.851, -0.874)
"""For a proof that cites something already, and so needs less: fitted with the first half of each proof given."""


def calibration_of(settings: LexicalSettings, *, begun: bool = False) -> Calibration | None:
    """The calibration that belongs to these settings; other settings have none."""
    known = _FITTED.get(settings)
    return _BEGUN if known is not None and begun else known
