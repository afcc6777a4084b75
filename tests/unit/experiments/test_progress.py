"""Evaluating and generating report the progress of training and of scoring."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from naturalproofs.benchmark.evaluation import generate, rank
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.ranking import sequences as retrieve
from naturalproofs.ranking.hybrid import compose
from naturalproofs.ranking.hybrid.compose import Compose
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.ranking.sequences import Retrieve
from naturalproofs.tasks.dataset import Query, RetrievalTask, TrainSet, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split
from support.topics import world

STEP = (0.5, 1, "half of it")


@dataclass(frozen=True)
class Slow:
    """Reports half of the training; scores earlier candidates higher."""

    def fit(self, train, *, seed):
        raise AssertionError("fitted without a context")

    def train(self, train, *, seed, context):
        context.progress(*STEP)
        return self

    def index(self, candidates):
        return SlowScorer(candidates)


@dataclass(frozen=True)
class SlowScorer:
    candidates: tuple

    def score(self, queries):
        return -np.arange(len(queries) * len(self.candidates), dtype=np.float32).reshape(len(queries), -1)

    def generate(self, queries, excluded=()):
        return [(self.candidates[0].id,) for _ in queries]


@pytest.fixture(scope="module")
def task(primer):
    return retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "valid", protocol("clean"))


def test_evaluating_reports_progress(task):
    reports = []
    assert rank(Slow(), task, progress=lambda *step: reports.append(step)).queries
    size = len(task.queries)
    assert reports == [STEP, (0, size, "scoring"), (size, size, "scoring")]


def test_generating_reports_progress(task):
    reports = []
    assert generate(Slow(), task, progress=lambda *step: reports.append(step))
    assert reports == [STEP]


def test_a_ranking_that_is_fitted_twice_to_generate_reports_shares(monkeypatch, task):
    monkeypatch.setattr(retrieve, "method_named", lambda _name: Slow())
    monkeypatch.setattr(retrieve, "FEWEST", 1)
    reports = []
    assert generate(Retrieve(ranker="slow"), task, progress=lambda *step: reports.append(step))
    assert [done / total for done, total, _ in reports] == [0.25, 0.75]


def test_composing_reports_progress(monkeypatch):
    monkeypatch.setattr(compose, "Hybrid", partial(Hybrid, trees=5, further=5))
    results, examples = world(500)
    train = TrainSet((*results, *(example.theorem for example in examples)), tuple(examples))
    asked = Query(examples[0].theorem, 0, ())
    reports = []
    generate(
        Compose(),
        RetrievalTask("w/valid", protocol("accessible"), train, (asked,), tuple(results), ((),)),
        progress=lambda *step: reports.append(step),
    )
    shares = [done / total for done, total, _ in reports]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == 1
