"""The features of a pool: one function for each group, and the registry of the groups.

No feature of a candidate may depend on the candidate's own proof: evaluation theorems have none in the training split,
and are cited by no proof, so the trees would learn to tell them from training theorems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.hybrid.candidates import form_of
from naturalproofs.ranking.hybrid.first_stage import NEAR, HybridIndex, PooledQuery
from naturalproofs.ranking.term_vectors import Bag, Floats, against, best, largest, rank_of, relative, row_max, shared

ANALOGOUS = 30
"""Candidates with the most votes of a kind that others can be analogous to."""
FAR = np.float32(1e5)
"""Further back than anything stands: never cited."""
ABSOLUTE = frozenset("bm25 rare_word rare_words rare_pair rare_pairs count stated_count".split())
"""Features whose scale depends on the corpus."""


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """Features of the pool, a row per candidate."""

    names: tuple[str, ...]
    """``group/feature``."""
    values: Floats


def features(index: HybridIndex, pooled: PooledQuery) -> FeatureTable:
    """Every feature of every candidate in the pool."""
    found: dict[str, Floats] = {}
    for group, make in GROUPS.items():
        found.update({f"{group}/{name}": values for name, values in make(index, pooled).items()})
    for number, (_, scores) in enumerate(sorted(pooled.extra.items())):
        values = scores[pooled.pool]
        found[f"signal{number}/score"] = values
        found[f"signal{number}/rank"] = rank_of(values)
        # The best may be below zero: networks give log probabilities.
        found[f"signal{number}/gap"] = values - values.max(initial=-np.inf)
    return FeatureTable(tuple(found), np.column_stack(list(found.values())).astype(np.float32, copy=False))


def portable_names(names: Sequence[str]) -> list[str]:
    """The features that mean the same in every corpus; the shipped trees read these."""
    return [name for name in names if name.partition("/")[2] not in ABSOLUTE]


def trained_names(names: Sequence[str]) -> list[str]:
    """The features that trees trained on one corpus read: all but kind and lengths.

    They rank better without (docs/log.md). The likely cause: a length identifies a candidate across queries, and its
    citation count, which leaves out the proof of the query, then shows whether that proof cites it.
    """
    return [name for name in names if not name.startswith("shape/")]


def words(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Shared words and tokens."""
    candidates, pool = index.candidates, pooled.pool
    found = {
        **_compared("tokens", pooled.scores["tokens"][pool]),
        **_compared("prose", against(pooled.bags["prose"], candidates.rows["prose"][pool])),
        **_compared("bm25", pooled.scores["bm25"][pool]),
    }
    pairs = candidates.rows["pairs"][pool]
    found["pairs"] = against(pooled.bags["pairs"], pairs)
    found["pairs_rank"] = rank_of(found["pairs"])
    vocabulary = candidates.vocabularies["prose"]
    whole, body = vocabulary.present(pooled.terms["prose"]), vocabulary.present(pooled.terms["words"])
    bodies = candidates.bodies[pool]
    found["body_in_query"] = against(whole, bodies) / candidates.body_mass[pool]
    found["query_in_body"] = against(body, bodies) / _mass(body)
    found["rare_word"] = np.maximum(largest(whole, bodies), largest(whole, candidates.names[pool]))
    found["rare_words"] = against(whole, bodies) + against(whole, candidates.names[pool])
    rare = candidates.vocabularies["pairs"].present(pooled.terms["pairs"])
    found["rare_pair"] = largest(rare, pairs)
    found["rare_pairs"] = shared(rare, pairs)
    return found


def titles(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """What the two are called, and whether the one names the other."""
    candidates, pool = index.candidates, pooled.pool
    named = candidates.vocabularies["prose"].present(pooled.terms["title"])
    names = candidates.names[pool]
    common = against(named, names)
    # How many leading words are the same: each of the first, the first two and the first three is one term.
    openings = candidates.rows["opening"][pool]
    present = candidates.vocabularies["opening"].present(pooled.terms["opening"])
    alike = Bag(present.terms, np.ones_like(present.weights))
    return {
        **_compared("title", pooled.scores["title"][pool]),
        "opening": against(pooled.bags["opening"], openings),
        "leading": shared(alike, openings),
        "title_in_query": pooled.scores["naming"][pool],
        "title_in_title": common / candidates.name_mass[pool],
        "query_title_in_title": common / _mass(named),
        "query_title_in_body": against(named, candidates.bodies[pool]) / _mass(named),
    }


def formulas(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Shared notation."""
    candidates, pool = index.candidates, pooled.pool
    notation = candidates.vocabularies["signs"].present(pooled.terms["signs"])
    common = against(notation, candidates.notation[pool])
    shapes = against(pooled.bags["shapes"], candidates.rows["shapes"][pool])
    return {
        "signs": against(pooled.bags["signs"], candidates.rows["signs"][pool]),
        "shapes": shapes,
        "shapes_rank": rank_of(shapes),
        "query_notation_in": common / _mass(notation),
        "notation_in_query": common / candidates.notation_mass[pool],
    }


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


def analogous(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """How similar a candidate is to others that similar theorems' proofs cite.

    Where one chapter repeats another for other objects, what a proof needs is seldom what its model cites, but what
    reads alike; and what has never been cited gets votes by no other way.
    """
    if index.association is None:
        return {}
    pool, texts, proofs, column = pooled.pool, index.association.texts, index.proofs, index.candidates.column
    row = np.full(len(texts), -1, dtype=np.intp)
    row[pool] = np.arange(len(pool))
    voted = {name: best(values, ANALOGOUS) for name, values in pooled.votes.items()}
    some = np.unique(np.concatenate(list(voted.values())))
    alike = np.maximum(texts[pool] @ texts[some].T, 0) ** 2
    alike[pool[:, None] == some] = 0
    found: dict[str, Floats] = {}
    for name, chosen in voted.items():
        near = alike[:, np.searchsorted(some, chosen)]
        values = near @ pooled.votes[name][chosen]
        # What a candidate's own proof cites makes the candidate analogous to nothing.
        voting, weights = pooled.voters[name]
        proved = np.array([column.get(proofs.examples[one].theorem.id, -1) for one in voting.tolist()], dtype=np.intp)
        own = np.where(proved >= 0, row[proved], -1)
        inside = own >= 0
        cited = proofs.cited[voting[inside]][:, chosen].toarray()
        np.subtract.at(values, own[inside], weights[inside] * (near[own[inside]] * cited).sum(axis=1))
        found |= _compared(name, np.maximum(values, 0))
    return found


def counts(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """How often a candidate is cited at all, and how much of that by similar theorems' proofs."""
    pool, proofs = pooled.pool, index.proofs
    count = proofs.counts[pool]
    if len(pooled.hidden):
        count = count - np.asarray(proofs.cited[pooled.hidden].sum(axis=0), dtype=np.float32).ravel()[pool]
    stated = index.stated_counts(pooled.query)[pool]
    found = {
        "count": np.log1p(count),
        "count_relative": relative(count),
        "stated_count": np.log1p(stated),
        "votes_relative": relative(pooled.votes["tokens"][pool]),
    }
    for name in ("tokens", "opening", "learned"):
        if name in pooled.votes:
            found[f"lift_{name}"] = pooled.votes[name][pool] / (count + 1)
    return found


def stated(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """What the statements themselves cite."""
    candidates, proofs, pool = index.candidates, index.proofs, pooled.pool
    here = index.indicator(pooled.query.cites)
    with_here = proofs.cited @ here
    with_here[pooled.hidden] = 0
    return {
        "here": here[pool],
        "same": candidates.stated[pool] @ here,
        "by_stated": (candidates.stated.T @ here)[pool],
        "cited_with_stated": proofs.by_candidate[pool] @ with_here,
    }


def place(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """How far back a candidate stands, and who nearby cites it."""
    here, places, pool = pooled.query.place, index.candidates.place, pooled.pool
    if here is None or places is None:
        return {}
    distance = np.float32(here.position) - places[pool]
    chapter = (index.candidates.chapter[pool] == here.chapter).astype(np.float32)
    section = (index.candidates.section[pool] == here.section).astype(np.float32)
    found = {
        "distance": np.log1p(np.maximum(distance, 0)),
        "distance_rank": rank_of(-distance),
        "kind_rank": _rank_in_kind(distance, index.candidates.kind[pool]),
        # A corollary cites what stands before it; without a place the name says little, and Stacks' names mislead.
        "form": index.candidates.form[pool],
        "query_form": np.full(len(pool), form_of(pooled.query), dtype=np.float32),
        "same_chapter": chapter,
        "same_section": chapter * section,
    }
    proofs = index.proofs
    if proofs.place is None:
        return found
    back = np.float32(here.position) - proofs.place
    seen = np.ones(len(proofs), dtype=np.bool_)
    seen[pooled.hidden] = False
    near = np.float32(NEAR) / (np.float32(NEAR) + np.abs(back))
    in_chapter = seen & (proofs.chapter == here.chapter)
    in_section = in_chapter & (proofs.section == here.section)
    citing = proofs.by_candidate[pool]
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


def shape(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Kind and lengths, and how much is known about the query at all."""
    candidates, pool = index.candidates, pooled.pool
    length = np.log1p(candidates.length[pool])
    asked = math.log1p(len(pooled.terms["tokens"]))

    def same(value: float) -> Floats:
        return np.full(len(pool), value, dtype=np.float32)

    return {
        "kind": candidates.kind[pool],
        "length": length,
        "title_length": candidates.title_length[pool],
        "query_length": same(asked),
        "length_ratio": length - np.float32(asked),
        "query_title_length": same(len(pooled.terms["title"])),
        "query_tokens": same(float(pooled.scores["tokens"][pool].max(initial=0))),
    }


def _compared(name: str, values: Floats) -> dict[str, Floats]:
    """Values, as they are and beside those of the other candidates."""
    return {name: values, f"{name}_relative": relative(values), f"{name}_rank": rank_of(values)}


def _mass(bag: Bag) -> float:
    return max(float(bag.weights.sum()), 1e-6)


GROUPS: dict[str, Callable[[HybridIndex, PooledQuery], dict[str, Floats]]] = {
    "words": words,
    "titles": titles,
    "formulas": formulas,
    "learned": learned,
    "analogous": analogous,
    "counts": counts,
    "stated": stated,
    "place": place,
    "shape": shape,
}
"""Feature groups by name, in the order of the columns. A group is added or dropped here."""
