"""The order of a pool: trees judge each candidate by itself, then further trees judge the best ones together.

What one proof cites belongs together, so a candidate is likelier if others that it is linked with are likely. A link is
a citation between two statements, a proof that cites both, or a likeness of their texts. A candidate's features are
sums over its links with the others, each weighted by its share of the first trees' belief. They are sums, not means:
how much support there is counts. No link of a candidate reads its own proof, which evaluation theorems do not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from naturalproofs.ranking.hybrid.features import FeatureTable
from naturalproofs.ranking.hybrid.first_stage import NEAR, HybridIndex, Visible
from naturalproofs.ranking.hybrid.trees import Booster, Boosting
from naturalproofs.ranking.term_vectors import Floats, Ints, best

TOGETHER = 100
"""Candidates that are judged together."""
LEADING = 5
"""The best ones, the strongest link with which is a feature."""
FURTHER = Boosting(trees=300, leaves=31, rate=0.05, order=False)
"""Trees with a binary objective: beside those that learn the order they bring more than the same kind again."""


def links(index: HybridIndex, chosen: Ints, visible: Visible) -> dict[str, Floats]:
    """How strongly each of some candidates is linked with each other one; nothing is linked with itself."""
    proofs, candidates = index.proofs, index.candidates
    citing = proofs.by_candidate[chosen]
    seen = np.ones(len(proofs), dtype=np.float32)
    seen[visible.hidden] = 0
    cited = proofs.cited[visible.voting][:, chosen].toarray()
    stated = candidates.stated[chosen][:, chosen].toarray()
    found = {
        "cited": np.log1p((citing.multiply(seen).tocsr() @ citing.T).toarray()),
        "voted": np.log1p((cited * visible.weights[:, None]).T @ cited),
        "states": stated,
        "stated": stated.T,
    }
    if index.association is not None:
        topics = index.association.texts[chosen]
        found["alike"] = np.maximum(topics @ topics.T, 0)
    if candidates.place is not None:
        place, chapter, section = (one[chosen] for one in (candidates.place, candidates.chapter, candidates.section))
        found["near"] = NEAR / (NEAR + np.abs(place[:, None] - place))
        found["chapter"] = (chapter[:, None] == chapter).astype(np.float32)
        found["section"] = found["chapter"] * (section[:, None] == section)
    for values in found.values():
        np.fill_diagonal(values, 0)
    return found


def together(index: HybridIndex, chosen: Ints, visible: Visible, table: FeatureTable, scores: Floats) -> FeatureTable:
    """The features of the candidates that are judged together, best first, beside those that they have already."""
    gap = scores - scores[0]
    found = {"score": scores, "gap": gap, "rank": np.arange(len(scores), dtype=np.float32)}
    shares = {}
    for name, sharpness in (("sum", 1.0), ("wide", 0.5)):
        weights = np.exp(np.float32(sharpness) * gap)
        shares[name] = weights / weights.sum()
    for link, values in links(index, chosen, visible).items():
        found |= {f"{link}_{name}": values @ weights for name, weights in shares.items()}
        found[f"{link}_best"] = values[:, :LEADING].max(axis=1)
    names = tuple(f"together/{name}" for name in found)
    values = np.column_stack([table.values, *found.values()]).astype(np.float32, copy=False)
    return FeatureTable((*table.names, *names), values)


class Judged(NamedTuple):
    """The scores of a pool, and what those that were judged together were judged by."""

    scores: Floats
    top: Ints
    """Rows of the pool, the best of the first trees first."""
    table: FeatureTable | None = None


@dataclass(frozen=True, slots=True)
class Boosters:
    """Trees for queries whose place is known, trees for others, and trees that judge the best candidates together."""

    placed: Booster
    unplaced: Booster
    further: Booster | None = None

    @property
    def all(self) -> tuple[Booster, ...]:
        """What this is made of, for files."""
        return (self.placed, self.unplaced, *(() if self.further is None else (self.further,)))

    def for_table(self, table: FeatureTable) -> Booster:
        """The trees for the features of a table."""
        return self.placed if "place/distance" in table.names else self.unplaced

    def judge(self, index: HybridIndex, pool: Ints, visible: Visible, table: FeatureTable) -> Judged:
        """One raw score for each candidate of a pool."""
        scores = self.for_table(table).scores(table)
        top = best(scores, TOGETHER)
        if self.further is None or not len(scores):
            return Judged(scores, top)
        chosen = together(index, pool[top], visible, table.rows(top), scores[top])
        added = self.further.scores(chosen)
        # The others stay below: they had less before, and get the least.
        whole = scores + added.min()
        whole[top] = scores[top] + added
        return Judged(whole, top, chosen)

    def contributions(self, judged: Judged, table: FeatureTable, rows: Sequence[int]) -> dict[str, Floats]:
        """The contribution of each feature group to the scores of some rows."""
        found = self.for_table(table).contributions(table, rows)
        if self.further is not None and judged.table is not None:
            at = {row: place for place, row in enumerate(judged.top.tolist())}
            inside = [number for number, row in enumerate(rows) if row in at]
            again = self.further.contributions(judged.table, [at[rows[number]] for number in inside])
            for group, moved in again.items():
                found.setdefault(group, np.zeros(len(rows), dtype=np.float32))[inside] += moved
        return found
