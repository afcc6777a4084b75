"""The learned order of the pool: gradient boosting over features (LambdaMART, Burges 2010), by LightGBM.

The same trees with a binary objective say how probable a candidate is, for whoever must decide and not only order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from naturalproofs.ranking.hybrid.calibration import Calibration
from naturalproofs.ranking.hybrid.features import Table
from naturalproofs.ranking.hybrid.native import Trees
from naturalproofs.ranking.term_vectors import Floats


@dataclass(frozen=True, slots=True)
class Boosting:
    """Settings of the trees."""

    trees: int = 160
    leaves: int = 15
    rate: float = 0.08
    least: int = 100
    depth: int = 100
    """How far down a wrong order still counts."""
    order: bool = True
    """Whether the order within each question is what is learnt, and not the probability of each candidate."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Candidates of many questions, those of one question together."""

    names: tuple[str, ...]
    """Of the columns."""
    values: Floats
    labels: Floats
    """One for what the proof cites."""
    weights: Floats
    """How many candidates a row stands for: of the easy ones few are kept, and each counts for those left out."""
    sizes: tuple[int, ...]
    examples: tuple[int, ...]
    """The training proof of each question."""


@dataclass(frozen=True)
class Booster:
    """Trees as text, the features they read, and what their scores are worth."""

    names: tuple[str, ...]
    text: str
    calibration: Calibration

    @cached_property
    def trees(self) -> Trees:
        """The trees, read once."""
        return Trees(self.text)

    def scores(self, table: Table) -> Floats:
        """One score a row."""
        if not len(table.values):
            return np.zeros(0, dtype=np.float32)
        return self.trees.scores(self._columns(table)).astype(np.float32)

    def contributions(self, table: Table, rows: Sequence[int]) -> dict[str, Floats]:
        """How much each group of features moved the scores of some rows (Lundberg et al. 2020)."""
        values = self._columns(table)[list(rows)]
        each = self.trees.contributions(values).astype(np.float32)
        found: dict[str, Floats] = {}
        for position, name in enumerate(self.names):
            group = name.partition("/")[0]
            found[group] = found.get(group, np.zeros(len(values), dtype=np.float32)) + each[:, position]
        return found

    def _columns(self, table: Table) -> Floats:
        """The features that the trees read, in their order; what a corpus does not have is missing."""
        where = {name: position for position, name in enumerate(table.names)}
        if all(name in where for name in self.names):
            return table.values[:, [where[name] for name in self.names]]
        values = np.full((len(table.values), len(self.names)), np.nan, dtype=np.float32)
        for position, name in enumerate(self.names):
            if name in where:
                values[:, position] = table.values[:, where[name]]
        return values


def boost(rows: Rows, settings: Boosting, seed: int) -> str:
    """Train; the same seed gives the same trees."""
    import lightgbm

    order = {"objective": "lambdarank", "label_gain": [0, 1], "lambdarank_truncation_level": settings.depth}
    parameters = {
        **(order if settings.order else {"objective": "binary"}),
        "learning_rate": settings.rate,
        "num_leaves": settings.leaves,
        "min_data_in_leaf": min(settings.least, max(5, len(rows.values) // 200)),
        "feature_fraction": 0.3,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "lambda_l2": 5.0,
        "max_bin": 127,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbose": -1,
    }
    data = lightgbm.Dataset(
        rows.values,
        rows.labels,
        group=list(rows.sizes) if settings.order else None,
        weight=rows.weights,
        feature_name=[name.replace("/", ".") for name in rows.names],
    )
    text: str = lightgbm.train(parameters, data, settings.trees).model_to_string()
    return text
