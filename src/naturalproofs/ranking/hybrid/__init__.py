"""The hybrid ranker: a first stage of sparse signals, a learned association, and trees over interpretable features."""

from naturalproofs.ranking.hybrid.fitted import FittedHybrid, HybridScorer
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.ranking.hybrid.shipped import Shipped

__all__ = ["FittedHybrid", "Hybrid", "HybridScorer", "Shipped"]
