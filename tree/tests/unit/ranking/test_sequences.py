"""How training proofs use references, and the order learned from it."""

import numpy as np

from naturalproofs.ranking.sequences import PRIOR, CitationStatistics, Order
from naturalproofs.records import Passage


def passage(name, kind="theorem", cites=()):
    return Passage(name, kind, name, f"text of {name}", cites)


def test_counts_are_by_proof_and_uses_are_all():
    statistics = CitationStatistics.of([("a", "b", "a"), ("a",)])
    assert statistics.counts == {"a": 2, "b": 1}
    assert statistics.uses == {"a": 3, "b": 1}


def test_a_reference_that_always_comes_first_has_an_early_place():
    statistics = CitationStatistics.of([("a", "b", "c")] * 10)
    assert statistics.place("a") < statistics.place("b") < statistics.place("c")
    assert statistics.place("never seen") == 0.5


def test_repeats_need_evidence():
    statistics = CitationStatistics.of([("a", "a", "a")] * 20 + [("b", "b", "b")])
    assert statistics.repeats("a") > 2.5
    assert statistics.repeats("b") < 1.6
    assert statistics.repeats("never seen") == 1


def test_precedence_is_antisymmetric():
    statistics = CitationStatistics.of([("a", "b"), ("a", "b"), ("b", "a")])
    assert statistics.precedence("a", "b") == -statistics.precedence("b", "a") > 0
    assert statistics.precedence("a", "c") == 0


def test_an_order_is_learned_from_proofs():
    names = [f"r{i}" for i in range(8)]
    passages = {name: passage(name) for name in names}
    rng = np.random.default_rng(0)
    sequences = [tuple(sorted(rng.choice(names, 3, replace=False))) for _ in range(60)]
    order = Order.learn(sequences[:30], CitationStatistics.of(sequences[30:]), passages)
    mixed = [passages[name] for name in ("r6", "r1", "r3")]
    assert order.sort(mixed, CitationStatistics.of(sequences)) == ["r1", "r3", "r6"]


def test_a_reversed_world_gives_a_reversed_order():
    names = [f"r{i}" for i in range(8)]
    passages = {name: passage(name) for name in names}
    rng = np.random.default_rng(0)
    sequences = [tuple(sorted(rng.choice(names, 3, replace=False), reverse=True)) for _ in range(60)]
    order = Order.learn(sequences[:30], CitationStatistics.of(sequences[30:]), passages)
    assert order.sort([passages["r1"], passages["r6"]], CitationStatistics.of(sequences)) == ["r6", "r1"]


def test_too_little_to_learn_from_falls_back_on_the_usual():
    order = Order.learn([("a", "b")], CitationStatistics.of([]), {"a": passage("a"), "b": passage("b")})
    assert order is PRIOR
    chosen = [passage("lemma"), passage("notion", "definition")]
    assert PRIOR.sort(chosen, CitationStatistics.of([])) == ["notion", "lemma"]
