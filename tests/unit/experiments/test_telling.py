"""Whoever evaluates or generates with a method that trains for long is told how far it has come."""

from dataclasses import dataclass

import numpy as np
import pytest

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.experiments.generation import generate_on
from naturalproofs.experiments.ranking import rank
from naturalproofs.ranking.generation import belief, retrieve
from naturalproofs.ranking.generation.compose import Compose
from naturalproofs.ranking.generation.registry import OwnSequences
from naturalproofs.ranking.generation.retrieve import Retrieve
from naturalproofs.ranking.hybrid.boosting import Boosting
from naturalproofs.tasks.dataset import Query, RetrievalTask, TrainSet, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split
from support.topics import world

STEP = (0.5, 1, "half of it")


@dataclass(frozen=True)
class Slow:
    """Tells that half is done, and is done; likes what comes first."""

    def fit(self, train, *, seed):
        raise AssertionError("fitted where nobody is told")

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


def test_evaluating_tells(task):
    told = []
    assert rank(Slow(), task, tell=lambda *step: told.append(step)).queries
    assert told == [STEP]


def test_generating_tells(task):
    told = []
    assert generate_on(OwnSequences(Slow()), task, tell=lambda *step: told.append(step))
    assert told == [STEP]


def test_a_ranking_that_is_fitted_twice_to_generate_tells_shares(monkeypatch, task):
    monkeypatch.setattr(retrieve, "method_named", lambda _name: Slow())
    monkeypatch.setattr(retrieve, "FEWEST", 1)
    told = []
    assert generate_on(Retrieve(ranker="slow"), task, tell=lambda *step: told.append(step))
    assert [done / total for done, total, _ in told] == [0.25, 0.75]


def test_composing_tells(monkeypatch):
    monkeypatch.setattr(belief, "MEMBERS", (Boosting(trees=5, leaves=7, rate=0.1, order=False),) * 2)
    results, examples = world(500)
    train = TrainSet((*results, *(example.theorem for example in examples)), tuple(examples))
    asked = Query(examples[0].theorem, 0, ())
    told = []
    generate_on(
        Compose(),
        RetrievalTask("w/valid", protocol("accessible"), train, (asked,), tuple(results), ((),)),
        tell=lambda *step: told.append(step),
    )
    shares = [done / total for done, total, _ in told]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == 1
