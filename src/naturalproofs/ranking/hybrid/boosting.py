"""Gradient boosting over features by LightGBM: LambdaMART (Burges 2010) or a binary objective, and calibration."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np

from naturalproofs.errors import BadModel
from naturalproofs.ranking.hybrid.features import FeatureTable
from naturalproofs.ranking.hybrid.trees import Trees
from naturalproofs.ranking.term_vectors import Floats, Ints, best

BEST = 50
"""Scores of a pool that its level is computed from, so that it does not depend on the size of the pool."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A monotone map from scores to probabilities (isotonic regression), linear between its points.

    The order that trees learn has no level: the best of a query may have any score. So a score is first shifted by what
    the whole query tells: the level of its pool, and how many statements a proof of this project cites.
    """

    scores: tuple[float, ...]
    probabilities: tuple[float, ...]
    level: float = 0.0
    """The weight of the level of the pool."""
    rate: float = 0.0
    """The weight of the citing rate."""

    @classmethod
    def of(cls, scores: Floats, labels: Floats, weights: Floats | None = None) -> Calibration:
        """Fit on queries that the trees were not trained on."""
        from sklearn.isotonic import IsotonicRegression

        fitted = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, labels, weights)
        return cls(
            tuple(round(float(x), 5) for x in fitted.X_thresholds_),
            tuple(round(float(y), 6) for y in fitted.y_thresholds_),
        )

    @classmethod
    def of_queries(
        cls, scores: Floats, labels: Floats, sizes: Sequence[int], rates: Floats, weights: Floats
    ) -> Calibration:
        """Fit shift and curve on the pools of queries that the trees were not trained on.

        Args:
            scores: Of all candidates, those of a query together.
            labels: One for what a proof cites.
            sizes: The number of candidates of each query.
            rates: The citing rate that each query sees.
            weights: Of each query.
        """
        from sklearn.linear_model import LogisticRegression

        ends = np.cumsum(sizes)[:-1]
        levels = np.array([level_of(part) for part in np.split(scores, ends)], dtype=np.float32)
        by_query = np.column_stack([levels, np.log(rates)]).astype(np.float32)
        values = np.column_stack([scores, np.repeat(by_query, sizes, axis=0)])
        weight = np.repeat(weights, sizes)
        fitted = LogisticRegression(C=100, max_iter=500).fit(values, labels, weight)
        slope, level, rate = (float(one) for one in fitted.coef_[0])
        level, rate = round(level / slope, 4), round(rate / slope, 4) if np.ptp(rates) else 0.0
        curve = cls.of((values @ np.array([1, level, rate])).astype(np.float32), labels, weight)
        return replace(curve, level=level, rate=rate)

    def __call__(self, scores: Floats, citing_rate: float = 1.0) -> Floats:
        """Probabilities of the scores of a query's pool."""
        if not self.scores:
            return np.zeros_like(scores)
        if self.level or self.rate:
            scores = scores + np.float32(self.level * level_of(scores) + self.rate * math.log(citing_rate))
        return np.interp(scores, self.scores, self.probabilities).astype(np.float32)


def level_of(scores: Floats) -> float:
    """The level of a pool: the logarithm of the sum of the exponentials of its best scores, a soft maximum."""
    top = scores[best(scores, BEST)]
    return float(top[0]) + math.log(float(np.exp(top - top[0]).sum())) if len(top) else 0.0


@dataclass(frozen=True, slots=True)
class Boosting:
    """Settings of the trees."""

    trees: int = 160
    leaves: int = 15
    rate: float = 0.08
    least: int = 100
    depth: int = 100
    """The truncation level of LambdaMART."""
    order: bool = True
    """LambdaMART, which learns the order within each query; otherwise a binary objective."""


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """Candidates of several queries, those of one query together."""

    names: tuple[str, ...]
    """Of the columns."""
    values: Floats
    labels: Floats
    """One for what the proof cites, else zero."""
    weights: Floats
    """How many candidates a row stands for: easy negatives are sampled, and weigh as many as were left out."""
    sizes: tuple[int, ...]
    """The number of rows of each query."""
    examples: tuple[int, ...]
    """The training proof of each query."""
    candidates: Ints
    """The candidate of each row."""

    @classmethod
    def concatenate(cls, parts: Sequence[LabelledRows]) -> LabelledRows:
        """The queries of all parts, which have the same columns."""
        return cls(
            names=parts[0].names,
            values=np.concatenate([part.values for part in parts]),
            labels=np.concatenate([part.labels for part in parts]),
            weights=np.concatenate([part.weights for part in parts]),
            sizes=tuple(size for part in parts for size in part.sizes),
            examples=tuple(example for part in parts for example in part.examples),
            candidates=np.concatenate([part.candidates for part in parts]),
        )

    def only(self, names: Sequence[str]) -> LabelledRows:
        """Some of the columns."""
        where = [self.names.index(name) for name in names]
        return replace(self, names=tuple(names), values=self.values[:, where])

    def with_column(self, name: str, by_example: Floats) -> LabelledRows:
        """With one more column, whose value depends on the training proof only."""
        column = np.repeat(by_example[list(self.examples)], self.sizes)
        return replace(self, names=(*self.names, name), values=np.column_stack([self.values, column]))

    @property
    def table(self) -> FeatureTable:
        """The features alone."""
        return FeatureTable(self.names, self.values)


@dataclass(frozen=True)
class Booster:
    """Trees as text, the features they read, and the calibration of their scores."""

    names: tuple[str, ...]
    text: str
    calibration: Calibration

    @cached_property
    def trees(self) -> Trees:
        """The trees, loaded once."""
        trees = Trees(self.text)
        if trees.features != len(self.names):
            raise BadModel(f"trees over {trees.features} features, but {len(self.names)} are named; train again")
        return trees

    def scores(self, table: FeatureTable) -> Floats:
        """One raw score per row."""
        if not len(table.values):
            return np.zeros(0, dtype=np.float32)
        return self.trees.scores(self._columns(table)).astype(np.float32)

    def contributions(self, table: FeatureTable, rows: Sequence[int]) -> dict[str, Floats]:
        """The contribution of each feature group to the scores of some rows (Lundberg et al. 2020)."""
        values = self._columns(table)[list(rows)]
        each = self.trees.contributions(values).astype(np.float32)
        found: dict[str, Floats] = {}
        for position, name in enumerate(self.names):
            group = name.partition("/")[0]
            found[group] = found.get(group, np.zeros(len(values), dtype=np.float32)) + each[:, position]
        return found

    def _columns(self, table: FeatureTable) -> Floats:
        """The features that the trees read, in their order; those that the table does not have are NaN."""
        where = {name: position for position, name in enumerate(table.names)}
        if all(name in where for name in self.names):
            return table.values[:, [where[name] for name in self.names]]
        values = np.full((len(table.values), len(self.names)), np.nan, dtype=np.float32)
        for position, name in enumerate(self.names):
            if name in where:
                values[:, position] = table.values[:, where[name]]
        return values

    def to_text(self) -> str:
        """Features and calibration as one line of JSON, then the trees."""
        curve = self.calibration
        head = _Head(self.names, curve.scores, curve.probabilities, curve.level, curve.rate)
        return f"{msgspec.json.encode(head).decode()}\n{self.text}"

    @classmethod
    def from_text(cls, text: str) -> Booster:
        """Read what `to_text` wrote; the trees are checked when they are first used."""
        head, _, trees = text.partition("\n")
        try:
            read = msgspec.json.decode(head, type=_Head)
        except msgspec.DecodeError as error:
            raise BadModel(f"the trees of the hybrid ranker have no readable first line ({error})") from error
        if len(read.scores) != len(read.probabilities) or list(read.scores) != sorted(read.scores):
            raise BadModel("the calibration of the hybrid ranker is damaged; train again")
        return cls(read.names, trees, Calibration(read.scores, read.probabilities, read.level, read.rate))


class _Head(msgspec.Struct, frozen=True):
    """The first line of a booster's file."""

    names: tuple[str, ...]
    scores: tuple[float, ...]
    probabilities: tuple[float, ...]
    level: float = 0.0
    rate: float = 0.0


@dataclass(frozen=True, slots=True)
class Boosters:
    """Trees for queries whose place is known, and for others."""

    placed: Booster
    unplaced: Booster

    def for_table(self, table: FeatureTable) -> Booster:
        """The trees for the features of a table."""
        return self.placed if "place/distance" in table.names else self.unplaced


def boost(rows: LabelledRows, settings: Boosting, seed: int) -> str:
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
    # A split of what is missing from what is known has an infinite threshold; any number above all values will do.
    return re.sub("(?<=[ =])inf(?=[ \n])", "1e9", text)
