"""Features from training proofs: votes, association, citation counts, co-citation; and statements' own citations."""

from __future__ import annotations

import numpy as np

from naturalproofs.ranking.hybrid.first_stage import HybridIndex, PooledQuery
from naturalproofs.ranking.term_vectors import Floats, best, rank_of, relative, row_max, row_sum

ANALOGOUS = ("tokens_100", "title_20", "opening_100", "learned_100")
VOTED = 30
"""Candidates with the most votes of a kind that others can be analogous to."""


def learned(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """What the association says, and which part of it comes from the text alone."""
    if index.association is None:
        return {}
    pool = pooled.pool
    scores = pooled.scores["learned"][pool]
    texts = index.association.texts[pool]
    alone, topic = texts @ pooled.mapped, texts @ pooled.vector
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


def votes(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Votes of similar theorems' proofs, and the most similar theorem whose proof cites the candidate."""
    pool = pooled.pool
    found = {name: values[pool] for name, values in pooled.votes.items()}
    for name in [name for name in found if name.endswith("_100")]:
        found[f"{name}_relative"] = relative(found[name])
        found[f"{name}_rank"] = rank_of(found[name])
    citing = index.proofs.by_candidate[pool]
    count = np.maximum(_visible_counts(index, pooled), np.float32(1))
    for view, similar in pooled.similar.items():
        if view != "opening":
            each = similar[citing.indices]
            found[f"nearest_{view}"] = row_max(each, citing.indptr)
            found[f"mean_{view}"] = (row_sum(each, citing.indptr) / count).astype(np.float32)
    return found


def analogous(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """How similar a candidate is to others that similar theorems' proofs cite.

    Where one chapter repeats another for other objects, what a proof needs is seldom what its model cites, but what
    reads alike; and what has never been cited gets votes by no other way.
    """
    if index.association is None:
        return {}
    pool, texts = pooled.pool, index.association.texts
    voted = {name: best(values, VOTED) for name, values in pooled.votes.items() if name in ANALOGOUS}
    some = np.unique(np.concatenate(list(voted.values())))
    alike = np.maximum(texts[pool] @ texts[some].T, 0) ** 2
    alike[pool[:, None] == some] = 0
    found: dict[str, Floats] = {}
    for name, chosen in voted.items():
        values = alike[:, np.searchsorted(some, chosen)] @ pooled.votes[name][chosen]
        found |= {name: values, f"{name}_relative": relative(values), f"{name}_rank": rank_of(values)}
    return found


def counts(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """How often a candidate is cited at all, and how much of that by similar theorems' proofs."""
    count = _visible_counts(index, pooled)
    stated = index.candidates.stated_counts[pooled.pool]
    found = {"count": np.log1p(count), "count_relative": relative(count), "stated_count": np.log1p(stated)}
    for name, values in pooled.votes.items():
        if name.endswith("_100"):
            found[f"lift_{name.removesuffix('_100')}"] = values[pooled.pool] / (count + 1)
    return found


def together(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """A second look: what is cited together with likely candidates, and what their own proofs cite."""
    proofs, pool, hidden = index.proofs, pooled.pool, pooled.hidden
    likely = likelihood(pooled)
    citing = proofs.by_candidate[pool]
    reached = proofs.cited @ likely
    reached[hidden] = 0
    damping = 1 / np.sqrt(proofs.sizes)
    damping[hidden] = 0
    shared = np.maximum(citing @ (reached * damping) - likely[pool] * (citing @ damping), 0)
    count = _visible_counts(index, pooled)
    proved = proofs.theorem >= 0
    own = np.where(proved, likely[proofs.theorem], 0).astype(np.float32)
    own[hidden] = 0
    used = citing @ own
    using = np.bincount(proofs.theorem[proved], (reached / proofs.sizes)[proved], len(index.candidates))
    return {
        "cocited": shared,
        "cocited_relative": relative(shared),
        "cocited_share": shared / np.sqrt(count + 1),
        "cocited_rank": rank_of(shared / np.sqrt(count + 1)),
        "used_by_likely": used,
        "used_by_likely_relative": relative(used),
        "uses_likely": using[pool].astype(np.float32),
    }


def stated(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """What the statements themselves cite."""
    candidates, proofs, pool = index.candidates, index.proofs, pooled.pool
    here = index.indicator(pooled.query.cites)
    with_here = proofs.cited @ here
    with_here[pooled.hidden] = 0
    likely = likelihood(pooled)
    return {
        "here": here[pool],
        "same": candidates.stated[pool] @ here,
        "by_stated": (candidates.stated.T @ here)[pool],
        "cited_with_stated": proofs.by_candidate[pool] @ with_here,
        "by_likely": (candidates.stated.T @ likely)[pool],
        "states_likely": candidates.stated[pool] @ likely,
    }


def likelihood(pooled: PooledQuery) -> Floats:
    """A rough probability of each candidate after the first stage; what is known to be cited takes half of it."""
    found = np.zeros(len(pooled.first), dtype=np.float32)
    first = pooled.first[pooled.pool]
    soft = np.exp((first - first.max(initial=0)) * 4)
    found[pooled.pool] = soft / max(float(soft.sum()), 1e-9)
    if pooled.known:
        found *= np.float32(0.5)
        found[list(pooled.known)] += np.float32(0.5 / len(pooled.known))
    return found


def _visible_counts(index: HybridIndex, pooled: PooledQuery) -> Floats:
    proofs = index.proofs
    count = proofs.counts[pooled.pool]
    if len(pooled.hidden):
        taken = np.asarray(proofs.cited[pooled.hidden].sum(axis=0), dtype=np.float32).ravel()
        count = count - taken[pooled.pool]
    return count
