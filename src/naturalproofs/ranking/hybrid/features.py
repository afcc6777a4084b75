"""The features of a pool: one function for each group, and the registry of the groups.

No feature of a candidate may depend on the candidate's own proof: evaluation theorems have none in the training split,
and are cited by no proof, so the trees would learn to tell them from training theorems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.hybrid.candidates import EXCLUDED, form_of
from naturalproofs.ranking.hybrid.first_stage import BINS, NEAR, HybridIndex, PooledQuery, distance_bins, nearness
from naturalproofs.ranking.term_vectors import (
    Bag,
    Floats,
    Ints,
    Sparse,
    against,
    best,
    largest,
    rank_of,
    relative,
    row_max,
    shared,
)

ANALOGOUS = 30
"""Candidates with the most votes of a kind that others can be analogous to."""
FAR = np.float32(1e5)
"""Further back than anything stands: never cited."""
PRIOR = 10.0
"""How many citations the prior of habits weighs."""
DECAY = 3.0
"""The number of proofs after which the weight of a citation has halved."""


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """Features of the pool, a row per candidate."""

    names: tuple[str, ...]
    """``group/feature``."""
    values: Floats

    def rows(self, chosen: Ints) -> FeatureTable:
        """Some of the candidates."""
        return FeatureTable(self.names, self.values[chosen])


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


def trained_names(names: Sequence[str]) -> list[str]:
    """The features that trees trained on one corpus read: all but kind and lengths, habits, and unfinished proofs.

    They rank better without kind and lengths (docs/log/hybrid-4-analogies.md). The likely cause: a length identifies
    a candidate across queries, and its citation count, which leaves out the proof of the query, then shows whether
    that proof cites it.
    Habits count all proofs, and so tell a little about whether a candidate has one.
    """
    return [name for name in names if not name.startswith(("shape/", "habits/", "begun/"))]


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
    return found | _occurrences(index, pooled, whole, candidates.bodies_by_term)


def _occurrences(index: HybridIndex, pooled: PooledQuery, bag: Bag, by_term: Sparse) -> dict[str, Floats]:
    """Which candidates have the terms of the query last, and which have them first.

    `latest`: the rarity of each shared term, divided by how many texts from the candidate on have it. `earliest`: the
    rarity of the terms that no earlier text has, which the candidate may have introduced. Without places there is
    neither.
    """
    place = index.candidates.place
    if place is None or pooled.query.place is None:
        return {}
    latest, earliest = (np.zeros(len(place), dtype=np.float32) for _ in range(2))
    chosen = by_term[bag.terms]
    rows = np.repeat(np.arange(len(bag.terms)), np.diff(chosen.indptr))
    kept = pooled.first[chosen.indices] > EXCLUDED
    rows, columns = rows[kept], chosen.indices[kept]
    order = np.lexsort((place[columns], rows))
    rows, columns = rows[order], columns[order]
    sizes = np.bincount(rows, minlength=len(bag.terms))
    number = np.arange(len(rows)) - (np.cumsum(sizes) - sizes)[rows]
    weights = bag.weights / _mass(bag)
    np.add.at(latest, columns, weights[rows] / (sizes[rows] - number))
    np.add.at(earliest, columns[number == 0], weights[rows[number == 0]])
    return {"latest": latest[pooled.pool], "earliest": earliest[pooled.pool]}


def titles(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """What the two are called, and whether the one names the other."""
    candidates, pool = index.candidates, pooled.pool
    named = candidates.vocabularies["prose"].present(pooled.terms["title"])
    names = candidates.names[pool]
    common = against(named, names)
    whole = candidates.vocabularies["prose"].present(pooled.terms["prose"])
    defined = against(whole, candidates.defined[pool])
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
        "defined_in_query": defined / candidates.defined_mass[pool],
        "defined": relative(defined),
    }


def formulas(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Shared notation."""
    candidates, pool = index.candidates, pooled.pool
    notation = candidates.vocabularies["signs"].present(pooled.terms["signs"])
    common = against(notation, candidates.notation[pool])
    shapes = against(pooled.bags["shapes"], candidates.rows["shapes"][pool])
    return _occurrences(index, pooled, notation, candidates.notation_by_term) | {
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
    alone = index.association.answers[pool] @ pooled.mapped
    topic = index.association.texts[pool] @ pooled.vector
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
    pool, proofs, seen = pooled.pool, index.proofs, pooled.seen
    count = (proofs.by_candidate @ seen.astype(np.float32))[pool]
    found = {
        "count": np.log1p(count),
        "count_relative": relative(count),
        "votes_relative": relative(pooled.votes["tokens"][pool]),
    }
    for name in ("tokens", "opening", "learned"):
        if name in pooled.votes:
            found[f"lift_{name}"] = pooled.votes[name][pool] / (count + 1)
    return found if seen.any() else _missing(found)


def stated(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """What the statements before the query cite, and the query's own."""
    candidates, proofs, pool = index.candidates, index.proofs, pooled.pool
    here = index.indicator(pooled.query.cites)
    with_here = proofs.cited @ here
    with_here[pooled.hidden] = 0
    count = index.stated_counts(pooled.query)[pool]
    return {
        "here": here[pool],
        "same": candidates.stated[pool] @ here,
        "by_stated": (candidates.stated.T @ here)[pool],
        "cited_with_stated": proofs.by_candidate[pool] @ with_here,
        "count": np.log1p(count),
        "stated": np.full(len(pool), np.log1p(here.sum()), dtype=np.float32),
    }


def begun(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """How a candidate goes with what an unfinished proof cites already; missing if nothing is written."""
    candidates, proofs, pool, known = index.candidates, index.proofs, pooled.pool, list(pooled.known)
    names = ("cited_together", "cited_together_rank", "alike", "alike_last", "linked", "nearest", "after_last", "known")
    if not known:
        return _missing({name: np.zeros(len(pool), dtype=np.float32) for name in names})
    there = np.zeros(len(candidates), dtype=np.float32)
    there[known] = 1
    together = np.where(pooled.seen, proofs.cited @ there, 0).astype(np.float32)
    rows = candidates.rows["tokens"]
    alike = (rows[pool] @ rows[known].T).toarray()
    found = {
        "cited_together": proofs.by_candidate[pool] @ together,
        "alike": alike.max(axis=1),
        "alike_last": alike[:, -1],
        "linked": candidates.stated[pool] @ there + (candidates.stated.T @ there)[pool],
        "known": np.full(len(pool), np.log1p(len(known)), dtype=np.float32),
    }
    found["cited_together_rank"] = rank_of(found["cited_together"])
    if candidates.place is not None and pooled.query.place is not None:
        apart = candidates.place[pool][:, None] - candidates.place[known]
        found["nearest"] = np.log1p(np.abs(apart).min(axis=1))
        found["after_last"] = np.sign(apart[:, -1]) * np.log1p(np.abs(apart[:, -1]))
    return {name: found.get(name, np.full(len(pool), np.nan, dtype=np.float32)) for name in names}


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
        "kind_rank": _rank_in_class(distance, index.candidates.kind[pool]),
        "form_rank": _rank_in_class(distance, index.candidates.form[pool]),
        # A corollary cites what stands before it; without a place the name says little, and Stacks' names mislead.
        "form": index.candidates.form[pool],
        "query_form": np.full(len(pool), form_of(pooled.query), dtype=np.float32),
        "same_chapter": chapter,
        "same_section": chapter * section,
        "position": np.full(len(pool), np.log1p(here.position), dtype=np.float32),
        "in_section": np.full(len(pool), np.log1p(float((chapter * section).sum())), dtype=np.float32),
    }
    proofs, seen = index.proofs, pooled.seen
    if proofs.place is None:
        return found
    back = np.float32(here.position) - proofs.place
    near = np.float32(NEAR) / (np.float32(NEAR) + np.abs(back))
    in_chapter = seen & (proofs.chapter == here.chapter)
    in_section = in_chapter & (proofs.section == here.section)
    citing = proofs.by_candidate[pool]
    cited = {
        "near": citing @ np.where(seen, near, 0).astype(np.float32),
        "chapter_cites": citing @ in_chapter.astype(np.float32),
        "section_cites": citing @ in_section.astype(np.float32),
    }
    recent = np.where(seen, 1 / np.maximum(np.abs(back), 1), 0).astype(np.float32)
    latest = np.maximum(row_max(recent[citing.indices], citing.indptr), 1 / FAR)
    cited["last_cited"] = np.log1p(1 / latest)
    return found | (cited if seen.any() else _missing(cited))


def labels(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """Whether the author gave a label, and how many labelled statements stand between."""
    pool, places, here = pooled.pool, index.candidates.place, pooled.query.place
    labelled = index.candidates.labelled[pool].astype(np.float32)
    share = float(labelled.sum()) / max(len(pool), 1)
    found = {"labelled": labelled, "share": np.full(len(pool), share, dtype=np.float32)}
    if here is not None and places is not None:
        found["rank"] = _rank_in_class(np.float32(here.position) - places[pool], labelled)
    return found


def habits(index: HybridIndex, pooled: PooledQuery) -> dict[str, Floats]:
    """How the proofs that the query sees cite: by distance, form and label, and how often and how recently."""
    here, candidates, pool = pooled.query.place, index.candidates, pooled.pool
    citations, standing = index.citations, index.proofs.place
    if here is None or candidates.place is None or citations is None or standing is None:
        return {}
    size = len(candidates)
    chapter = candidates.chapter[pool] == here.chapter
    near = nearness(chapter, chapter & (candidates.section[pool] == here.section))
    earlier = np.flatnonzero(pooled.first > EXCLUDED)
    back = distance_bins(np.float32(here.position) - candidates.place[pool])
    visible = pooled.seen[citations.proof]
    proof, cited = citations.proof[visible], citations.candidate[visible]
    # Visible proofs from the last to the first.
    rows = np.flatnonzero(pooled.seen)
    order = rows[np.argsort(-standing[rows], kind="stable")]
    since = np.zeros(len(pooled.seen), dtype=np.float32)
    since[order] = np.arange(len(order), dtype=np.float32)
    count = np.bincount(cited, minlength=size).astype(np.float32)
    recent = np.bincount(cited, weights=DECAY / (DECAY + since[proof]), minlength=size)
    last = np.full(size, FAR)
    np.minimum.at(last, cited, since[proof])
    # How many visible proofs could have cited a candidate.
    chances = len(order) - np.searchsorted(np.sort(standing[order]), candidates.place[pool], side="right")
    distance = citations.distance[visible]
    form, labelled = candidates.form.astype(np.intp), candidates.labelled.astype(np.intp)
    found = {
        "count": np.log1p(count[pool]),
        "rate": (count[pool] + 1) / (chances + 10).astype(np.float32),
        "recent": recent[pool],
        "last": np.log1p(last[pool]),
        "distance": _lift(distance[distance >= 0], back, BINS)[np.maximum(back, 0)],
        "nearness": _lift(citations.nearness[visible], near, 3)[near],
        "form": _lift(form[cited], form[earlier], int(form.max(initial=0)) + 1)[form[pool]],
        "label": _lift(labelled[cited], labelled[earlier], 2)[labelled[pool]],
        "fresh": np.full(len(pool), len(np.unique(cited)) / max(len(cited), 1)),
        "mean": np.full(len(pool), len(cited) / max(len(order), 1)),
        "proofs": np.full(len(pool), np.log1p(len(order))),
    }
    found["sum"] = found["distance"] + found["form"] + found["label"]
    return found if pooled.seen.any() else _missing(found)


def _lift(cited: Ints, available: Ints, size: int) -> Floats:
    """For each class the log of its share among the citations over its share among what could be cited.

    The prior is that every class is cited as often as it is there.
    """
    there = np.bincount(available, minlength=size) + 0.5
    share = there / there.sum()
    counted = np.bincount(cited, minlength=size)
    found: Floats = np.log((counted + PRIOR * share) / (len(cited) + PRIOR) / share).astype(np.float32)
    return found


def _missing(found: dict[str, Floats]) -> dict[str, Floats]:
    """The same features as unknown: there is no proof to go by, which is not the same as never cited."""
    return {name: np.full_like(values, np.nan, dtype=np.float32) for name, values in found.items()}


def _rank_in_class(distance: Floats, kind: Floats) -> Floats:
    """How many of the same class stand between: a corollary tends to cite the last theorem, whatever came since."""
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
    "begun": begun,
    "place": place,
    "labels": labels,
    "habits": habits,
    "shape": shape,
}
"""Feature groups by name, in the order of the columns. A group is added or dropped here."""
