"""Features from the place in the document, where the protocol shows it."""

from __future__ import annotations

import numpy as np

from naturalproofs.ranking.hybrid.desk import NEAR, Desk, Question
from naturalproofs.ranking.hybrid.library import form_of
from naturalproofs.ranking.term_vectors import Floats, rank_of, row_max

FAR = np.float32(1e5)
"""Further back than anything stands: never cited."""


def place(desk: Desk, question: Question) -> dict[str, Floats]:
    """How far back a candidate stands, and who nearby cites it."""
    here, places, pool = question.query.place, desk.library.place, question.pool
    if here is None or places is None:
        return {}
    distance = np.float32(here.position) - places[pool]
    chapter = (desk.library.chapter[pool] == here.chapter).astype(np.float32)
    section = (desk.library.section[pool] == here.section).astype(np.float32)
    found = {
        "distance": np.log1p(np.maximum(distance, 0)),
        "distance_rank": rank_of(-distance),
        "kind_rank": _rank_in_kind(distance, desk.library.kind[pool]),
        # A corollary cites what stands before it; without a place the name says little, and Stacks' names mislead.
        "form": desk.library.form[pool],
        "query_form": np.full(len(pool), form_of(question.query), dtype=np.float32),
        "same_chapter": chapter,
        "same_section": chapter * section,
    }
    memory = desk.memory
    if memory.place is None:
        return found
    back = np.float32(here.position) - memory.place
    seen = np.ones(len(memory), dtype=np.bool_)
    seen[question.hidden] = False
    near = np.float32(NEAR) / (np.float32(NEAR) + np.abs(back))
    in_chapter = seen & (memory.chapter == here.chapter)
    in_section = in_chapter & (memory.section == here.section)
    citing = memory.citing[pool]
    for name, who in (("before", back > 0), ("after", back <= 0)):
        found[f"near_{name}"] = citing @ np.where(seen & who, near, 0).astype(np.float32)
        found[f"chapter_{name}"] = citing @ (in_chapter & who).astype(np.float32)
    found["section_cites"] = citing @ in_section.astype(np.float32)
    recent = np.where(seen & (back > 0), 1 / np.maximum(back, 1), 0).astype(np.float32)
    latest = np.maximum(row_max(recent[citing.indices], citing.indptr), 1 / FAR)
    found["last_cited"] = np.log1p(1 / latest)
    return found


def _rank_in_kind(distance: Floats, kind: Floats) -> Floats:
    """How many of the same kind stand between: a corollary tends to cite the last theorem, whatever came since."""
    found = np.zeros_like(distance)
    for one in np.unique(kind):
        rows = kind == one
        found[rows] = rank_of(-distance[rows])
    return found
