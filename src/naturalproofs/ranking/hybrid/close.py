"""Features from the texts of the query and one candidate."""

from __future__ import annotations

import math

import numpy as np

from naturalproofs.ranking.hybrid.desk import Desk, Question, seeds
from naturalproofs.ranking.hybrid.library import shared_mass
from naturalproofs.ranking.term_vectors import Bag, Floats, against, largest, rank_of, relative


def words(desk: Desk, question: Question) -> dict[str, Floats]:
    """Shared words and tokens."""
    library, pool = desk.library, question.pool
    found: dict[str, Floats] = {}
    prose = against(question.bags["prose"], library.rows["prose"][pool])
    for name, values in (
        ("tokens", question.scores["tokens"][pool]),
        ("prose", prose),
        ("bm25", question.scores["bm25"][pool]),
    ):
        found |= {name: values, f"{name}_relative": relative(values), f"{name}_rank": rank_of(values)}
    pairs = library.rows["pairs"][pool]
    found["pairs"] = against(question.bags["pairs"], pairs)
    found["pairs_rank"] = rank_of(found["pairs"])
    vocabulary = library.vocabularies["prose"]
    whole, body = vocabulary.present(question.terms.prose), vocabulary.present(question.terms.words)
    bodies = library.bodies[pool]
    found["body_in_query"] = against(whole, bodies) / library.body_mass[pool]
    found["query_in_body"] = against(body, bodies) / _mass(body)
    found["rare_word"] = np.maximum(largest(whole, bodies), largest(whole, library.names[pool]))
    found["rare_words"] = against(whole, bodies) + against(whole, library.names[pool])
    rare = library.vocabularies["pairs"].present(question.terms.pairs)
    found["rare_pair"] = largest(rare, pairs)
    found["rare_pairs"] = shared_mass(pairs, _dense(rare, pairs.shape[1]))
    return found


def titles(desk: Desk, question: Question) -> dict[str, Floats]:
    """What the two are called, and whether the one names the other."""
    library, pool = desk.library, question.pool
    title = question.scores["title"][pool]
    named = library.vocabularies["prose"].present(question.terms.title)
    names = library.names[pool]
    shared = against(named, names)
    # How many leading words are the same: each of the first, the first two and the first three is one term.
    openings = library.rows["opening"][pool]
    present = library.vocabularies["opening"].present(question.terms.opening)
    alike = Bag(present.terms, np.ones_like(present.weights))
    return {
        "title": title,
        "title_relative": relative(title),
        "title_rank": rank_of(title),
        "opening": against(question.bags["opening"], openings),
        "leading": shared_mass(openings, _dense(alike, openings.shape[1])),
        "title_in_query": question.scores["naming"][pool],
        "title_in_title": shared / library.name_mass[pool],
        "query_title_in_title": shared / _mass(named),
        "query_title_in_body": against(named, library.bodies[pool]) / _mass(named),
    }


def formulas(desk: Desk, question: Question) -> dict[str, Floats]:
    """Shared notation."""
    library, pool = desk.library, question.pool
    notation = library.vocabularies["signs"].present(question.terms.signs)
    shared = against(notation, library.notation[pool])
    shapes = against(question.bags["shapes"], library.rows["shapes"][pool])
    return {
        "signs": against(question.bags["signs"], library.rows["signs"][pool]),
        "shapes": shapes,
        "shapes_rank": rank_of(shapes),
        "query_notation_in": shared / _mass(notation),
        "notation_in_query": shared / library.notation_mass[pool],
    }


def stated(desk: Desk, question: Question) -> dict[str, Floats]:
    """What the statements themselves cite."""
    library, memory, pool = desk.library, desk.memory, question.pool
    here = seeds(desk, question.query.cites)
    with_here = memory.cited @ here
    with_here[question.hidden] = 0
    likely = likelihood(question)
    return {
        "here": here[pool],
        "same": library.stated[pool] @ here,
        "by_stated": (library.stated.T @ here)[pool],
        "cited_with_stated": memory.citing[pool] @ with_here,
        "by_likely": (library.stated.T @ likely)[pool],
        "states_likely": library.stated[pool] @ likely,
    }


def shape(desk: Desk, question: Question) -> dict[str, Floats]:
    """Kind and lengths, and how much is known about the query at all."""
    library, pool = desk.library, question.pool
    length = np.log1p(library.length[pool])
    asked = math.log1p(len(question.terms.tokens))

    def same(value: float) -> Floats:
        return np.full(len(pool), value, dtype=np.float32)

    return {
        "kind": library.kind[pool],
        "length": length,
        "title_length": library.title_length[pool],
        "query_length": same(asked),
        "length_ratio": length - np.float32(asked),
        "query_title_length": same(len(question.terms.title)),
        "query_tokens": same(float(question.scores["tokens"][pool].max(initial=0))),
        "query_similar": same(float(question.similar["tokens"].max(initial=0))),
    }


def likelihood(question: Question) -> Floats:
    """A rough probability of each candidate after the first stage; what is known to be cited takes half of it."""
    found = np.zeros(len(question.first), dtype=np.float32)
    first = question.first[question.pool]
    soft = np.exp((first - first.max(initial=0)) * 4)
    found[question.pool] = soft / max(float(soft.sum()), 1e-9)
    if question.known:
        found *= np.float32(0.5)
        found[list(question.known)] += np.float32(0.5 / len(question.known))
    return found


def _mass(bag: Bag) -> float:
    return max(float(bag.weights.sum()), 1e-6)


def _dense(bag: Bag, size: int) -> Floats:
    dense = np.zeros(size, dtype=np.float32)
    dense[bag.terms] = bag.weights
    return dense
