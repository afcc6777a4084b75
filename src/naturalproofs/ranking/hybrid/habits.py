"""The author's habits: how the proofs that stand before a query cite, as features of its candidates.

Which forms an author cites, how far back, in the same section or anywhere, labelled statements only or all, old
favourites or what was stated last. Every rate is counted over the visible proofs and shrunk towards a prior, so that a
few proofs say little. Without a visible proof all features are missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.hybrid.candidates import Candidates
from naturalproofs.ranking.term_vectors import Floats, Ints, Sparse

BINS = 14
"""Distances are counted by powers of two; the last bin is open."""
PRIOR = 10.0
"""How many citations the prior weighs."""
DECAY = 3.0
"""The number of proofs after which the weight of a citation has halved."""
NEVER = np.float32(1e5)
"""Proofs since the last citation of what was never cited."""


@dataclass(frozen=True, slots=True)
class Citations:
    """All citations of the proofs, a row each, and what habits count of them."""

    proof: Ints
    candidate: Ints
    distance: NDArray[np.int64]
    """The bin of the distance; -1 for a citation of something later."""
    nearness: NDArray[np.int64]
    """0 for a citation inside the section, 1 inside the chapter, 2 for any other."""

    place: Floats
    """Of each proof."""

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        cited: Sparse,
        place: Floats | None,
        chapter: NDArray[np.object_],
        section: NDArray[np.object_],
    ) -> Citations | None:
        """The citations; None if places are not known.

        Args:
            candidates: The candidates.
            cited: A row for each proof, a column for each candidate.
            place: Of each proof.
            chapter: Of each proof.
            section: Of each proof.
        """
        if place is None or candidates.place is None:
            return None
        proof = np.repeat(np.arange(len(place)), np.diff(cited.indptr))
        candidate = cited.indices.astype(np.intp)
        back = place[proof] - candidates.place[candidate]
        in_chapter = chapter[proof] == candidates.chapter[candidate]
        in_section = in_chapter & (section[proof] == candidates.section[candidate])
        return cls(proof, candidate, distance_bins(back), nearness(in_chapter, in_section), place)


def distance_bins(back: Floats) -> NDArray[np.int64]:
    """The bins of distances; -1 for what does not stand before."""
    found = np.minimum(np.log2(np.maximum(back, 1)), BINS - 1).astype(np.int64)
    return np.where(back > 0, found, -1)


def nearness(chapter: NDArray[np.bool_], section: NDArray[np.bool_]) -> NDArray[np.int64]:
    """0 inside the section, 1 inside the chapter, 2 elsewhere."""
    return np.where(section, 0, np.where(chapter, 1, 2)).astype(np.int64)


def lift(cited: NDArray[np.int64], available: NDArray[np.int64], size: int) -> Floats:
    """For each class the log of its share among the citations over its share among what could be cited.

    The prior is that every class is cited as often as it is there.
    """
    there = np.bincount(available, minlength=size).astype(np.float64) + 0.5
    share = there / there.sum()
    counted = np.bincount(cited, minlength=size)
    found: Floats = np.log((counted + PRIOR * share) / (len(cited) + PRIOR) / share).astype(np.float32)
    return found


def habit_features(
    citations: Citations,
    candidates: Candidates,
    pool: Ints,
    seen: NDArray[np.bool_],
    back: Floats,
    near: NDArray[np.int64],
    earlier: Ints,
) -> dict[str, Floats]:
    """The features of a pool.

    Args:
        citations: All citations.
        candidates: The candidates.
        pool: The candidates of the query.
        seen: The visible proofs.
        back: How far back each candidate of the pool stands.
        near: Its nearness.
        earlier: All candidates that stand before the query.
    """
    assert candidates.place is not None
    size = len(candidates)
    visible = seen[citations.proof]
    proof, cited = citations.proof[visible], citations.candidate[visible]
    # Visible proofs from the last to the first.
    rows = np.flatnonzero(seen)
    order = rows[np.argsort(-citations.place[rows], kind="stable")]
    since = np.zeros(len(seen), dtype=np.float32)
    since[order] = np.arange(len(order), dtype=np.float32)
    count = np.bincount(cited, minlength=size).astype(np.float32)
    recent = np.bincount(cited, weights=DECAY / (DECAY + since[proof]), minlength=size).astype(np.float32)
    last = np.full(size, NEVER, dtype=np.float32)
    np.minimum.at(last, cited, since[proof])
    # How many visible proofs could have cited a candidate.
    chances = len(order) - np.searchsorted(np.sort(citations.place[order]), candidates.place[pool], side="right")
    mean = len(cited) / max(len(order), 1)
    distance = citations.distance[visible]
    by_distance = lift(distance[distance >= 0], distance_bins(back), BINS)
    by_nearness = lift(citations.nearness[visible], near, 3)
    form = candidates.form.astype(np.int64)
    by_form = lift(form[cited], form[earlier], int(form.max(initial=0)) + 1)
    labelled = candidates.labelled.astype(np.int64)
    by_label = lift(labelled[cited], labelled[earlier], 2)
    found = {
        "count": np.log1p(count[pool]),
        "rate": (count[pool] + 1) / (chances + 10).astype(np.float32),
        "recent": recent[pool],
        "last": np.log1p(last[pool]),
        "distance": by_distance[np.maximum(distance_bins(back), 0)],
        "nearness": by_nearness[near],
        "form": by_form[form[pool]],
        "label": by_label[labelled[pool]],
        "fresh": np.full(len(pool), len(np.unique(cited)) / max(len(cited), 1), dtype=np.float32),
        "mean": np.full(len(pool), mean, dtype=np.float32),
        "proofs": np.full(len(pool), np.log1p(len(order)), dtype=np.float32),
    }
    found["sum"] = found["distance"] + found["form"] + found["label"]
    return {name: values.astype(np.float32) for name, values in found.items()}
