"""Features from the texts of the query and a candidate, and from their places in the document."""

from __future__ import annotations

import math

import numpy as np

from naturalproofs.ranking.hybrid.candidates import form_of, shared_mass
from naturalproofs.ranking.hybrid.first_stage import NEAR, HybridIndex, PooledQuery
from naturalproofs.ranking.term_vectors import Bag, Floats, against, largest, rank_of, relative, row_max

FAR = np.float32(1e5)
"""Further back than anything stands: never cited."""


def words(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Shared words and tokens."""
    candidates, pool = index.candidates, pooled.pool
    found: dict[str, Floats] = {}
    prose = against(pooled.bags["prose"], candidates.rows["prose"][pool])
    for name, values in (
        ("tokens", pooled.scores["tokens"][pool]),
        ("prose", prose),
        ("bm25", pooled.scores["bm25"][pool]),
    ):
        found |= {name: values, f"{name}_relative": relative(values), f"{name}_rank": rank_of(values)}
    pairs = candidates.rows["pairs"][pool]
    found["pairs"] = against(pooled.bags["pairs"], pairs)
    found["pairs_rank"] = rank_of(found["pairs"])
    vocabulary = candidates.vocabularies["prose"]
    whole, body = vocabulary.present(pooled.terms.prose), vocabulary.present(pooled.terms.words)
    bodies = candidates.bodies[pool]
    found["body_in_query"] = against(whole, bodies) / candidates.body_mass[pool]
    found["query_in_body"] = against(body, bodies) / _mass(body)
    found["rare_word"] = np.maximum(largest(whole, bodies), largest(whole, candidates.names[pool]))
    found["rare_words"] = against(whole, bodies) + against(whole, candidates.names[pool])
    rare = candidates.vocabularies["pairs"].present(pooled.terms.pairs)
    found["rare_pair"] = largest(rare, pairs)
    found["rare_pairs"] = shared_mass(pairs, _dense(rare, pairs.shape[1]))
    return found


def titles(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """What the two are called, and whether the one names the other."""
    candidates, pool = index.candidates, pooled.pool
    title = pooled.scores["title"][pool]
    named = candidates.vocabularies["prose"].present(pooled.terms.title)
    names = candidates.names[pool]
    shared = against(named, names)
    # How many leading words are the same: each of the first, the first two and the first three is one term.
    openings = candidates.rows["opening"][pool]
    present = candidates.vocabularies["opening"].present(pooled.terms.opening)
    alike = Bag(present.terms, np.ones_like(present.weights))
    return {
        "title": title,
        "title_relative": relative(title),
        "title_rank": rank_of(title),
        "opening": against(pooled.bags["opening"], openings),
        "leading": shared_mass(openings, _dense(alike, openings.shape[1])),
        "title_in_query": pooled.scores["naming"][pool],
        "title_in_title": shared / candidates.name_mass[pool],
        "query_title_in_title": shared / _mass(named),
        "query_title_in_body": against(named, candidates.bodies[pool]) / _mass(named),
    }


def formulas(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Shared notation."""
    candidates, pool = index.candidates, pooled.pool
    notation = candidates.vocabularies["signs"].present(pooled.terms.signs)
    shared = against(notation, candidates.notation[pool])
    shapes = against(pooled.bags["shapes"], candidates.rows["shapes"][pool])
    return {
        "signs": against(pooled.bags["signs"], candidates.rows["signs"][pool]),
        "shapes": shapes,
        "shapes_rank": rank_of(shapes),
        "query_notation_in": shared / _mass(notation),
        "notation_in_query": shared / candidates.notation_mass[pool],
    }


def shape(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Kind and lengths, and how much is known about the query at all."""
    candidates, pool = index.candidates, pooled.pool
    length = np.log1p(candidates.length[pool])
    asked = math.log1p(len(pooled.terms.tokens))

    def same(value: float) -> Floats:
        return np.full(len(pool), value, dtype=np.float32)

    return {
        "kind": candidates.kind[pool],
        "length": length,
        "title_length": candidates.title_length[pool],
        "query_length": same(asked),
        "length_ratio": length - np.float32(asked),
        "query_title_length": same(len(pooled.terms.title)),
        "query_tokens": same(float(pooled.scores["tokens"][pool].max(initial=0))),
        "query_similar": same(float(pooled.similar["tokens"].max(initial=0))),
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


def _mass(bag: Bag) -> float:
    return max(float(bag.weights.sum()), 1e-6)


def _dense(bag: Bag, size: int) -> Floats:
    dense = np.zeros(size, dtype=np.float32)
    dense[bag.terms] = bag.weights
    return dense
