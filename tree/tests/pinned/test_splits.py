"""The splits of the paper's corpora hold still: the labels of each half, by hash, whatever the corpus is called."""

from dataclasses import replace

import pytest

from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import build
from naturalproofs.io.files import sha256_bytes
from naturalproofs.sources.registry import source
from naturalproofs.tasks.splits import leaf_split, zero_shot_split


def fingerprint(corpus, split):
    examples = sorted((corpus.by_id[theorem].label, proof) for theorem, proof in split.examples)
    return len(examples), sha256_bytes(repr(examples).encode())[:16]


@pytest.mark.parametrize(
    ("name", "rules", "valid", "test"),
    [
        ("stacks", "paper", (775, "77732e072dd33b32"), (776, "e3968d46c11e3d5d")),
        ("stacks", "fixed", (742, "7dd27507608df0b0"), (740, "102c2c7077af76d2")),
    ],
)
def test_the_halves_of_leaf_splits(real_corpus, name, rules, valid, test):
    corpus = real_corpus(name, rules)
    splits = leaf_split(corpus, ReferenceGraph.of(corpus))
    assert (fingerprint(corpus, splits.valid), fingerprint(corpus, splits.test)) == (valid, test)


@pytest.mark.parametrize(
    ("name", "rules", "test"),
    [
        ("trench", "paper", (167, "5b8c8cc90cb27d86")),
        ("stein", "paper", (40, "7183ae4a517824b0")),
    ],
)
def test_the_questions_of_textbooks(real_corpus, name, rules, test):
    corpus = real_corpus(name, rules)
    assert fingerprint(corpus, zero_shot_split(corpus).test) == test


def test_the_layers_of_the_part_of_proofwiki(real_source):
    published = real_source("naturalproofs-proofwiki.json.xz")
    corpus = build(source("naturalproofs-json"), published, name="proofwiki")
    splits = make_splits(corpus, Recipe("layers", budget=0.15))
    assert splits.recipe == "layers(budget=0.15, seed=42)"
    assert fingerprint(corpus, splits.valid) == (493, "450f94f2e67a9df6")
    assert fingerprint(corpus, splits.test) == (490, "7e98a45a39515f4f")


def test_the_name_of_a_corpus_does_not_matter(primer):
    def renamed(key):
        return key.replace("primer:", "other:")

    statements = tuple(
        replace(
            one,
            id=renamed(one.id),
            mentions=_renamed(one.mentions, renamed),
            proofs=tuple(replace(p, mentions=_renamed(p.mentions, renamed)) for p in one.proofs),
        )
        for one in primer.statements
    )
    other = replace(primer, name="other", statements=statements)
    for seed in (1, 2):
        ours, theirs = (leaf_split(c, ReferenceGraph.of(c), seed=seed) for c in (primer, other))
        for part in ("train", "valid", "test"):
            assert fingerprint(primer, ours.part(part)) == fingerprint(other, theirs.part(part))


def _renamed(mentions, renamed):
    return tuple(replace(m, reference=renamed(m.reference) if m.reference else None) for m in mentions)
