"""The generation table: oracles, generators, and what is kept of them."""

import pytest

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import NotARun
from naturalproofs.experiments import generation
from naturalproofs.experiments.generation import generation_rows
from naturalproofs.experiments.reproduce import Workbench
from naturalproofs.experiments.reproduction import Row
from naturalproofs.tasks.splits import leaf_split

CHEAP = Row("retrieve", "retrieve(ranker='frequency')", "clean")
TRAINED = Row("trained", "retrieve(ranker='bm25')", "clean", trained_on="latex")


@pytest.fixture
def rows(primer, tmp_path, monkeypatch):
    monkeypatch.setattr(generation, "GENERATORS", (CHEAP, TRAINED))
    corpora = {"latex": (primer, leaf_split(primer, ReferenceGraph.of(primer)))}

    def make(train=False):
        return list(generation_rows(Workbench(corpora, tmp_path, train=train), "latex", "valid"))

    return make


def test_a_generator_is_computed_once(rows, tmp_path):
    first = rows()
    (kept,) = tmp_path.glob("sequences/*/*.json")
    before = kept.stat().st_mtime_ns
    assert rows() == first
    assert kept.stat().st_mtime_ns == before
    assert {row.label: row.protocol for row in first}["retrieve"] == "clean"
    assert next(row for row in first if row.label == "oracle, multiset").measures["multiset F1"] == 100


def test_what_is_trained_for_long_waits_until_it_may_be(rows):
    assert "trained" not in [row.label for row in rows()]
    found = {row.label: row for row in rows(train=True)}
    assert found["trained"].measures["set F1"] > found["retrieve"].measures["set F1"]
    assert "trained" in [row.label for row in rows()]


def test_a_damaged_row_is_named(rows, tmp_path):
    rows()
    (kept,) = tmp_path.glob("sequences/*/*.json")
    kept.write_text("{")
    with pytest.raises(NotARun, match="remove it to compute it again"):
        rows()
