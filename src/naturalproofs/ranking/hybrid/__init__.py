"""The hybrid ranker: a first stage of sparse signals, a learned association, and trees over interpretable features."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from naturalproofs.ranking.hybrid.fitted import FittedHybrid
    from naturalproofs.ranking.hybrid.ranker import Hybrid
    from naturalproofs.ranking.hybrid.scorer import HybridScorer
    from naturalproofs.ranking.hybrid.shipped import Shipped

__all__ = ["FittedHybrid", "Hybrid", "HybridScorer", "Shipped"]

_MODULES = {"FittedHybrid": "fitted", "HybridScorer": "scorer", "Hybrid": "ranker", "Shipped": "shipped"}


def __getattr__(name: str) -> Any:
    """Import on first use, so that scoring does not import training."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
