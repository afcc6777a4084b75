"""Features from training proofs: who votes, how often one is cited, what is cited together."""

from __future__ import annotations

import numpy as np

from naturalproofs.ranking.hybrid.close import likelihood
from naturalproofs.ranking.hybrid.desk import Desk, Question
from naturalproofs.ranking.term_vectors import Floats, best, rank_of, relative, row_max, row_sum

ANALOGOUS = ("tokens_100", "title_20", "opening_100", "learned_100")
VOTED = 30
"""Candidates with the most votes of a kind that others can be analogous to."""


def learned(desk: Desk, question: Question) -> dict[str, Floats]:
    """What the association says, and which part of it comes from the text alone."""
    if desk.learned is None:
        return {}
    pool = question.pool
    scores = question.scores["learned"][pool]
    texts = desk.learned.texts[pool]
    alone, topic = texts @ question.mapped, texts @ question.vector
    top = float(scores.max()) if len(scores) else 0.0
    gap = scores - np.float32(top)
    share = np.exp(gap)
    return {
        "score": scores,
        "rank": rank_of(scores),
        "gap": gap,
        "share": np.log(share / max(float(share.sum()), 1e-9) + np.float32(1e-9)),
        "deviation": (scores - scores.mean()) / np.float32(scores.std() + 1e-6) if len(scores) else scores,
        "text": alone,
        "text_rank": rank_of(alone),
        "memory": scores - alone,
        "topic": topic,
        "topic_rank": rank_of(topic),
    }


def votes(desk: Desk, question: Question) -> dict[str, Floats]:
    """Votes of similar theorems' proofs, and the most similar theorem whose proof cites the candidate."""
    pool = question.pool
    found = {name: values[pool] for name, values in question.votes.items()}
    for name in [name for name in found if name.endswith("_100")]:
        found[f"{name}_relative"] = relative(found[name])
        found[f"{name}_rank"] = rank_of(found[name])
    citing = desk.memory.citing[pool]
    count = np.maximum(_visible_counts(desk, question), np.float32(1))
    for view, similar in question.similar.items():
        if view != "opening":
            each = similar[citing.indices]
            found[f"nearest_{view}"] = row_max(each, citing.indptr)
            found[f"mean_{view}"] = (row_sum(each, citing.indptr) / count).astype(np.float32)
    return found


def analogous(desk: Desk, question: Question) -> dict[str, Floats]:
    """How similar a candidate is to others that similar theorems' proofs cite.

    Where one chapter repeats another for other objects, what a proof needs is seldom what its model cites, but what
    reads alike; and what has never been cited gets votes by no other way.
    """
    if desk.learned is None:
        return {}
    pool, texts = question.pool, desk.learned.texts
    voted = {name: best(values, VOTED) for name, values in question.votes.items() if name in ANALOGOUS}
    some = np.unique(np.concatenate(list(voted.values())))
    alike = np.maximum(texts[pool] @ texts[some].T, 0) ** 2
    alike[pool[:, None] == some] = 0
    found: dict[str, Floats] = {}
    for name, chosen in voted.items():
        values = alike[:, np.searchsorted(some, chosen)] @ question.votes[name][chosen]
        found |= {name: values, f"{name}_relative": relative(values), f"{name}_rank": rank_of(values)}
    return found


def counts(desk: Desk, question: Question) -> dict[str, Floats]:
    """How often a candidate is cited at all, and how much of that by similar theorems' proofs."""
    count = _visible_counts(desk, question)
    stated = desk.library.stated_counts[question.pool]
    found = {"count": np.log1p(count), "count_relative": relative(count), "stated_count": np.log1p(stated)}
    for name, values in question.votes.items():
        if name.endswith("_100"):
            found[f"lift_{name.removesuffix('_100')}"] = values[question.pool] / (count + 1)
    return found


def together(desk: Desk, question: Question) -> dict[str, Floats]:
    """A second look: what is cited together with likely candidates, and what their own proofs cite."""
    memory, pool, hidden = desk.memory, question.pool, question.hidden
    likely = likelihood(question)
    citing = memory.citing[pool]
    reached = memory.cited @ likely
    reached[hidden] = 0
    damping = 1 / np.sqrt(memory.sizes)
    damping[hidden] = 0
    shared = np.maximum(citing @ (reached * damping) - likely[pool] * (citing @ damping), 0)
    count = _visible_counts(desk, question)
    proved = memory.theorem >= 0
    own = np.where(proved, likely[memory.theorem], 0).astype(np.float32)
    own[hidden] = 0
    used = citing @ own
    using = np.bincount(memory.theorem[proved], (reached / memory.sizes)[proved], len(desk.library))
    return {
        "cocited": shared,
        "cocited_relative": relative(shared),
        "cocited_share": shared / np.sqrt(count + 1),
        "cocited_rank": rank_of(shared / np.sqrt(count + 1)),
        "used_by_likely": used,
        "used_by_likely_relative": relative(used),
        "uses_likely": using[pool].astype(np.float32),
    }


def _visible_counts(desk: Desk, question: Question) -> Floats:
    memory = desk.memory
    count = memory.counts[question.pool]
    if len(question.hidden):
        taken = np.asarray(memory.cited[question.hidden].sum(axis=0), dtype=np.float32).ravel()
        count = count - taken[question.pool]
    return count
