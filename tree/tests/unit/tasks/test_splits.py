"""Splits by hand: the recipes on small graphs, and what a seed does and does not change."""

from dataclasses import replace

import pytest

from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import BadSchema, NotGiven, UnknownName
from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.tasks.splits import Splits, layered_split, leaf_split, temporal_split


def corpus_of(**uses: str) -> Corpus:
    """A corpus of theorems, each with one proof citing the named ones."""
    statements = []
    for name, cited in uses.items():
        proof = Proof((), tuple(Mention(key, "ref", 1, f"c:{key}") for key in cited.split()))
        statements.append(Statement(f"c:{name}", "theorem", name, "", (), (), (proof,)))
    return Corpus("c", tuple(statements), Provenance("test", "fixed"))


def theorems(split):
    return {theorem.removeprefix("c:") for theorem, _ in split.examples}


def test_leaves_are_for_evaluation():
    corpus = corpus_of(a="", b="a", c="a b", d="b", e="a")
    splits = leaf_split(corpus, ReferenceGraph.of(corpus))
    assert theorems(splits.valid) | theorems(splits.test) == {"c", "d", "e"}
    assert theorems(splits.train) == {"b"}
    assert set(splits.train.absent) == {"c:c", "c:d", "c:e"}
    assert splits.valid.absent == splits.test.absent == ()


def test_the_split_does_not_depend_on_order(primer):
    graph = ReferenceGraph.of(primer)
    turned = replace(primer, statements=primer.statements[::-1])
    one, other = leaf_split(primer, graph), leaf_split(turned, ReferenceGraph.of(turned))
    for part in ("train", "valid", "test"):
        assert set(one.part(part).examples) == set(other.part(part).examples)


def test_a_seed_moves_theorems_between_the_halves_only(primer):
    graph = ReferenceGraph.of(primer)
    one, other = leaf_split(primer, graph, seed=1), leaf_split(primer, graph, seed=2)
    assert one.valid != other.valid
    assert one.train == other.train


def test_layers_take_their_share():
    """Twelve leaves at distance one and four at distance two share a budget of eight as six and two."""
    near = {f"n{i}": "a" for i in range(12)}
    far = {f"f{i}": "m" for i in range(4)}
    corpus = corpus_of(a="", m="a", **near, **far)
    splits = layered_split(corpus, ReferenceGraph.of(corpus), budget=8)
    chosen = theorems(splits.valid) | theorems(splits.test)
    assert (sum(name[0] == "n" for name in chosen), sum(name[0] == "f" for name in chosen)) == (6, 2)
    assert len(theorems(splits.valid)) == len(theorems(splits.test)) == 4


def test_a_budget_below_one_is_a_share():
    corpus = corpus_of(a="", **{f"n{i}": "a" for i in range(20)})
    splits = layered_split(corpus, ReferenceGraph.of(corpus), budget=0.25)
    assert len(theorems(splits.valid) | theorems(splits.test)) == 5


def test_layers_round_down_and_leave_out_what_no_head_reaches():
    corpus = corpus_of(a="", b="a", c="a", d="a", lonely="", x="y", y="x")
    splits = layered_split(corpus, ReferenceGraph.of(corpus), budget=2)
    assert len(theorems(splits.valid) | theorems(splits.test)) == 2
    assert {"c:lonely", "c:x", "c:y"} == set(splits.test.absent)
    assert {"c:lonely", "c:x", "c:y"} < set(splits.train.absent)


def test_temporal_holds_out_what_is_new():
    old = corpus_of(a="", b="a")
    new = corpus_of(a="", b="a n1", n1="a", n2="b", n3="n1 n2")
    splits = temporal_split(new, old, ReferenceGraph.of(new))
    assert theorems(splits.valid) | theorems(splits.test) == {"n2", "n3"}
    assert theorems(splits.train) == {"b", "n1"}


def test_recipes_by_name():
    corpus = corpus_of(a="", b="a", c="b")
    assert make_splits(corpus, Recipe("test-only")).recipe == "test-only"
    assert make_splits(corpus, Recipe()).recipe == "leaf(seed=42)"
    with pytest.raises(NotGiven, match="older"):
        make_splits(corpus, Recipe("temporal"))
    with pytest.raises(UnknownName, match="there are: leaf"):
        make_splits(corpus, Recipe("random"))


def test_damaged_splits_are_said():
    with pytest.raises(BadSchema, match="damaged"):
        Splits.from_json(b'{"recipe": 3}')
