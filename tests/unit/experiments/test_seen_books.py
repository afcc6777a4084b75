"""Which corpora the shipped trees were trained on, and which methods use these trees."""

from dataclasses import replace

import pytest

from naturalproofs.benchmark.audit import seen_by_shipped_trees
from naturalproofs.corpus.corpus import Part
from naturalproofs.data import primer_folder
from naturalproofs.ranking.registry import method_named
from support.command_line import call

FEW, MANY = 100, 10_000


def other(primer, name="my-notes", **about):
    return replace(primer, name=name, provenance=replace(primer.provenance, **({"title": "Notes"} | about)))


@pytest.mark.parametrize(("method", "proofs"), [("shipped", FEW), ("shipped", MANY), ("hybrid", FEW)])
def test_methods_with_the_shipped_trees(primer, method, proofs):
    assert seen_by_shipped_trees(method_named(method), primer, proofs)


@pytest.mark.parametrize(("method", "proofs"), [("bm25", FEW), ("hybrid", MANY), ("shipped(trees='x')", FEW)])
def test_methods_without_them(primer, method, proofs):
    assert not seen_by_shipped_trees(method_named(method), primer, proofs)


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("Primer", {}),
        ("mine", {"title": "A Primer"}),
        ("mine", {"source": "stacks"}),
        ("infdesc", {}),
        ("mine", {"url": "https://github.com/cnewstead/infdesc.git"}),
    ],
)
def test_corpora_that_they_were_trained_on(primer, name, about):
    assert seen_by_shipped_trees(method_named("shipped"), other(primer, name, **about), FEW)


@pytest.mark.parametrize("name", ["my-notes", "trench", "stein", "openlogic"])
def test_corpora_that_they_were_not_trained_on(primer, name):
    assert not seen_by_shipped_trees(method_named("shipped"), other(primer, name), FEW)


def test_a_part_of_a_merged_corpus_counts(primer):
    parts = [Part(name, other(primer, name).provenance, "leaf", 1, 1, 0, 0) for name in ("my-notes", "stacks")]
    assert seen_by_shipped_trees(method_named("shipped"), other(primer, "both", parts=tuple(parts)), FEW)
    assert not seen_by_shipped_trees(method_named("shipped"), other(primer, "both", parts=tuple(parts[:1])), FEW)


def test_evaluate_says_so_on_stderr():
    code, out, err = call("evaluate", "shipped", primer_folder())
    assert code == 0
    assert "trained on" not in out
    assert err.splitlines() == [
        "warning: the shipped trees were trained on proofs of primer, those of its evaluation splits included: "
        "these figures are not those of an unseen book"
    ]
    assert call("evaluate", "bm25", primer_folder())[2] == ""
