"""Texts cut and counted in every view, each known by its hash: after an edit only what changed is cut again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from naturalproofs.ranking.hybrid.terms import CUTS, cut_text
from naturalproofs.ranking.term_counts import TermCounts
from naturalproofs.records import Passage

VERSION = 1
"""Grows when texts are cut differently."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """The texts of some candidates, in their order."""

    keys: tuple[bytes, ...]
    """The hash of each text."""
    views: dict[str, TermCounts]

    @classmethod
    def of(cls, passages: Sequence[Passage], before: Cuts | None = None) -> Cuts:
        """Cut texts, but for those that were cut before."""
        keys = tuple(_key(passage) for passage in passages)
        known = {key: row for row, key in enumerate(before.keys)} if before is not None else {}
        new = [position for position, key in enumerate(keys) if key not in known]
        cut = [cut_text(passages[position].title, passages[position].text) for position in new]
        views = {view: TermCounts.of([take(terms) for terms in cut]) for view, take in CUTS.items()}
        if before is not None:
            # First the old texts and then the new ones; then each where it belongs.
            at = {position: len(before.keys) + row for row, position in enumerate(new)}
            order = [at[position] if position in at else known[key] for position, key in enumerate(keys)]
            views = {view: _ordered(before.views[view], views[view], order) for view in CUTS}
        return cls(keys, views)


def _ordered(old: TermCounts, new: TermCounts, order: Sequence[int]) -> TermCounts:
    found = old.followed_by(new).rows(np.array(order, dtype=np.int64))
    return found.only(found.document_frequency > 0)


def _key(passage: Passage) -> bytes:
    text = f"{VERSION}\0{passage.title}\0{passage.text}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
