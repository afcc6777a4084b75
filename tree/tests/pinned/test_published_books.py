"""The published files of Trench and Stein equal ours by the paper's rules, field by field."""

import json
import lzma

import pytest

from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.benchmark.naturalproofs_json import to_naturalproofs_json

CORRECTED = {
    "thmtype:2.2.12", "thmtype:2.5.3", "thmtype:4.4.2", "thmtype:4.4.3", "thmtype:5.4.2", "thmtype:5.4.3",
    "thmtype:5.4.10", "thmtype:5.4.11", "thmtype:6.2.4", "thmtype:6.2.5", "thmtype:6.3.3", "thmtype:7.2.2",
    "thmtype:7.2.3", "thmtype:8.1.22", "thmtype:8.2.9", "thmtype:8.2.11",
}  # fmt: skip
"""Statements of Trench in whose text, or whose proof, the edition read here corrects misprints."""


@pytest.fixture
def both(real_source, real_corpus):
    def read(name):
        published = json.loads(lzma.decompress(real_source(f"naturalproofs-{name}.json.xz").read_bytes()))
        corpus = real_corpus(name, "paper")
        return published, json.loads(to_naturalproofs_json(corpus, make_splits(corpus, Recipe()), extras=False))

    return read


def test_stein_is_equal(both):
    published, ours = both("stein")
    assert ours == published


def test_trench_is_equal_up_to_corrected_misprints(both):
    published, ours = both("trench")
    assert ours["splits"] == published["splits"]
    assert ours["dataset"]["retrieval_examples"] == published["dataset"]["retrieval_examples"]
    differing = set()
    for kind in ("theorems", "definitions", "others"):
        for own, theirs in zip(ours["dataset"][kind], published["dataset"][kind], strict=True):
            if own != theirs:
                differing.add(own["label"].removeprefix("TRENCH_REAL_ANALYSIS-"))
            assert _without_texts(own) == _without_texts(theirs)
    assert differing == CORRECTED


def _without_texts(statement):
    proofs = [{**proof, "contents": ()} for proof in statement.get("proofs", ())]
    return {**statement, "contents": (), "proofs": proofs}
