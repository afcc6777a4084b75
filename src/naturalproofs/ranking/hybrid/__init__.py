"""The hybrid ranker: a first stage of sparse signals, a learned association, and trees over interpretable features."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from naturalproofs.ranking.hybrid.fitted import FittedHybrid, HybridScorer
    from naturalproofs.ranking.hybrid.ranker import Hybrid
    from naturalproofs.ranking.hybrid.shipped import Shipped

__all__ = ["FittedHybrid", "Hybrid", "HybridScorer", "Shipped"]

_HOMES = {"FittedHybrid": "fitted", "HybridScorer": "fitted", "Hybrid": "ranker", "Shipped": "shipped"}


def __getattr__(name: str) -> Any:
    """Import what is asked for: an answer from a cold process need not wait for all that training needs."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
