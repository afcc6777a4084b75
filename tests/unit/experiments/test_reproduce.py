"""Tables computed row by row: kept runs, kept models, several seeds."""

import pytest

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.experiments.reproduce import Workbench
from naturalproofs.experiments.reproduction import Row, TablePlan
from naturalproofs.tasks.passages import WHOLE, TextView
from naturalproofs.tasks.splits import leaf_split
from support.favourite import register


@pytest.fixture
def bench(primer, tmp_path, monkeypatch):
    register(monkeypatch)
    corpora = {"latex": (primer, leaf_split(primer, ReferenceGraph.of(primer)))}

    def make(train=False):
        return Workbench(corpora, tmp_path, train=train)

    return make


def plan(*rows):
    return TablePlan("retrieval", "Reference retrieval", "latex", "valid", rows)


def test_what_is_done_is_kept(bench):
    table = plan(Row("frequency", "frequency", "clean"))
    first, second = (list(bench().reproduce(table)) for _ in range(2))
    assert [outcome.fresh for outcome in (*first, *second)] == [True, False]
    assert first[0].measures == second[0].measures
    assert not first[0].spread


def test_a_model_is_trained_only_when_asked_for(bench, tmp_path):
    table = plan(Row("favourite", "favourite", "clean", trained_on="latex"))
    assert list(bench().reproduce(table)) == []
    (outcome,) = bench(train=True).reproduce(table)
    assert outcome.measures["mAP"] > 0
    (folder,) = (tmp_path / "models").iterdir()
    assert folder.name.startswith("favourite-primer-")


def test_a_kept_model_needs_no_training(bench, tmp_path):
    table = plan(Row("favourite", "favourite", "clean", trained_on="latex"))
    list(bench(train=True).reproduce(table))
    other = plan(Row("favourite", "favourite", "paper", trained_on="latex"))
    (outcome,) = bench().reproduce(other)
    assert outcome.fresh
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_a_model_that_is_shown_less_is_another_model(bench, tmp_path):
    rows = [
        Row("favourite", "favourite", "clean", view=view, trained_on="latex") for view in (WHOLE, TextView(title=False))
    ]
    assert len(list(bench(train=True).reproduce(plan(*rows)))) == 2
    assert len(list((tmp_path / "models").iterdir())) == 2


def test_a_model_of_a_corpus_that_is_not_there_is_left_out(bench):
    assert list(bench(train=True).reproduce(plan(Row("x", "favourite", "clean", trained_on="stacks")))) == []


def test_seeds_are_averaged(bench):
    (outcome,) = bench().reproduce(plan(Row("random", "random", "clean", seeds=3)))
    assert outcome.spread["R@100"] > 0
    assert outcome.manifest.measures["R@100"] != outcome.measures["R@100"]
