"""The generation table: oracles, generators, and stored rows."""

from dataclasses import replace
from random import Random

import pytest

from naturalproofs.benchmark import reproduce
from naturalproofs.benchmark.reproduce import (
    ORACLES,
    Reproduction,
    Row,
    first_use_numbers,
    generation_rows,
    halfseq_oracle,
    original_order_oracle,
    predict,
)
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import NotARun
from naturalproofs.tasks.splits import leaf_split

CHEAP = Row("retrieve", "retrieve(ranker='frequency')", "clean")
TRAINED = Row("trained", "retrieve(ranker='bm25')", "clean", trained_on="latex")


@pytest.fixture
def rows(primer, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduce, "GENERATORS", (CHEAP, TRAINED))
    corpora = {"latex": (primer, leaf_split(primer, ReferenceGraph.of(primer)))}

    def make(train=False):
        return list(generation_rows(Reproduction(corpora, tmp_path, train=train), "latex", "valid"))

    return make


def test_a_generator_is_computed_once(rows, tmp_path):
    first = rows()
    stored = sorted(tmp_path.glob("sequences/*/*.json"))
    assert [path.parent.name for path in stored] == ["primer-test", "primer-valid"]
    before = [path.stat().st_mtime_ns for path in stored]
    assert rows() == first
    assert [path.stat().st_mtime_ns for path in stored] == before
    assert {row.label: row.protocol for row in first}["retrieve"] == "clean"
    assert next(row for row in first if row.label == "oracle, multiset").measures["multiset F1"] == 100


def test_models_are_trained_only_on_request(rows):
    assert "trained" not in [row.label for row in rows()]
    found = {row.label: row for row in rows(train=True)}
    assert found["trained"].measures["set F1"] > found["retrieve"].measures["set F1"]
    assert "trained" in [row.label for row in rows()]


def test_seeds_are_averaged(rows, tmp_path, monkeypatch):
    one, three = (Row("random", "retrieve(ranker='random')", "clean", seeds=seeds) for seeds in (1, 3))
    monkeypatch.setattr(reproduce, "GENERATORS", (one,))
    first = rows()[-1]
    monkeypatch.setattr(reproduce, "GENERATORS", (three,))
    found = rows()[-1]
    assert (first.seeds, found.seeds) == (1, 3)
    assert first.spread == {}
    assert found.spread["set F1"] > 0
    assert found.measures["set F1"] != first.measures["set F1"]
    assert found.intervals == first.intervals
    assert len(list(tmp_path.glob("sequences/primer-valid/*.json"))) == 3


def test_a_generator_with_one_trained_seed_has_its_value(rows, monkeypatch):
    asked = []

    def trained(self, row, seed=None):
        asked.append(seed)
        return seed in (None, 0)

    monkeypatch.setattr(reproduce, "GENERATORS", (replace(TRAINED, seeds=2),))
    monkeypatch.setattr(Reproduction, "can_run", trained)
    found = rows()[-1]
    assert (found.label, found.seeds, found.spread) == ("trained", 1, {})
    assert 1 in asked


def test_a_damaged_row_is_named(rows, tmp_path):
    rows()
    (stored,) = tmp_path.glob("sequences/*-valid/*.json")
    stored.write_text("{")
    with pytest.raises(NotARun, match="delete it to compute it again"):
        rows()


def test_oracles():
    examples = [(f"q{n}", tuple("abacd")) for n in range(30)]
    found = {name: predict(oracle, examples) for name, oracle in ORACLES.items()}
    assert {tuple(sorted(s.predicted)) for s in found["set"]} == {tuple("abcd")}
    assert {tuple(sorted(s.predicted)) for s in found["multiset"]} == {tuple("aabcd")}
    assert {s.predicted for s in found["halfseq"]} == {tuple("ab")}
    assert len({s.predicted for s in found["set"]}) > 10
    assert all(s.gold == tuple("abacd") for sequences in found.values() for s in sequences)


def test_random_orders_depend_on_seed_and_name_alone():
    examples = [(f"q{n}", tuple(range(20))) for n in range(5)]
    whole = predict(ORACLES["multiset"], examples, seed=7)
    assert predict(ORACLES["multiset"], examples[3:], seed=7) == whole[3:]
    assert predict(ORACLES["multiset"], examples, seed=8) != whole


def test_half_of_one_is_none():
    assert halfseq_oracle(("a",), Random(0)) == ()


def test_the_originals_set_follows_the_numbers_of_first_use():
    number = first_use_numbers([tuple("cc"), tuple("ab"), tuple("ac")])
    assert number == {"c": 3, "a": 4, "b": 5}
    assert original_order_oracle(number)(tuple("abac"), Random(0)) == tuple("cab")
