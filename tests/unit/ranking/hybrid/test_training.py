"""Training: other methods answer only what they have not seen; the shipped trees are judged by unseen authors."""

import json
import sys
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from naturalproofs.errors import NotSupported
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.hybrid import training
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.ranking.hybrid.trees import Booster, Boosting
from naturalproofs.tasks.dataset import Query, TrainSet, with_fields

SMALL = Hybrid(
    questions=120,
    trees=5,
    further=5,
    leaves=7,
    pool=60,
    dimensions=16,
    folds=3,
    enough=100,
    signals=("oracle",),
)


@dataclass(frozen=True)
class Oracle:
    """Knows what it was trained on by heart, and nothing else: if it were asked that, trees would trust it."""

    trainings: list

    def fit(self, train, *, seed):
        self.trainings.append(train)
        return Fitted({e.theorem.id: set(e.references) for e in train.examples})

    def folds(self, train):
        """How often it was trained on a part."""
        return sum(len(one.examples) < 0.9 * len(train.examples) for one in self.trainings)

    def train(self, train, *, seed, context):
        context.progress(0.5, 1, "learning by heart")
        return self.fit(train, seed=seed)


@dataclass(frozen=True)
class Fitted:
    known: dict

    def index(self, candidates):
        return Asked(self.known, [candidate.id for candidate in candidates])


@dataclass(frozen=True)
class Asked:
    known: dict
    names: list

    def score(self, queries):
        return np.array(
            [[float(name in self.known.get(query.id, ())) for name in self.names] for query in queries], np.float32
        )


@pytest.fixture
def oracle(monkeypatch, tmp_path):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    made = Oracle([])
    monkeypatch.setattr(training, "parse_ranker", lambda _spec: made)
    return made


def test_no_method_answers_what_it_was_trained_on(train, oracle):
    table = SMALL.training_table(train, seed=0)
    column = table.pools[0].names.index("signal0/score")
    scores = np.concatenate([pool.values[:, column] for pool in table.pools])
    assert oracle.folds(train) == SMALL.folds
    assert not scores.any(), "the oracle was asked about a theorem whose proof it has seen"


def test_the_gap_is_that_to_the_best_even_below_zero(train, oracle, monkeypatch):
    monkeypatch.setattr(Asked, "score", lambda self, queries: np.full((len(queries), len(self.names)), -5, np.float32))
    for pool in SMALL.training_table(train, seed=0).pools:
        assert (pool.values[:, pool.names.index("signal0/score")] == -5).all()
        assert not pool.values[:, pool.names.index("signal0/gap")].any()


def test_what_trained_for_long_is_not_trained_twice(train, oracle):
    first = SMALL.training_table(train, seed=0)
    again = SMALL.training_table(train, seed=0)
    assert oracle.folds(train) == SMALL.folds
    assert all(np.array_equal(one.values, other.values) for one, other in zip(first.pools, again.pools, strict=True))
    SMALL.training_table(train, seed=1)
    assert oracle.folds(train) == 2 * SMALL.folds, "another seed is another training"


def test_other_proofs_are_another_training(train, oracle):
    SMALL.training_table(train, seed=0)
    SMALL.training_table(replace(train, examples=train.examples[1:]), seed=0)
    assert oracle.folds(train) == 2 * SMALL.folds


def test_all_protocols_share_what_trained_for_long(placed, oracle):
    for seen in (placed, with_fields(placed, place=None)):
        SMALL.training_table(seen, seed=0)
    assert oracle.folds(placed) == SMALL.folds
    assert not any(passage.place for train in oracle.trainings for passage in train.passages)


def test_how_many_questions_are_asked_is_no_reason_to_train_again(train, oracle):
    for questions in (120, 90):
        assert replace(SMALL, questions=questions).training_table(train, seed=0) is not None
    assert oracle.folds(train) == SMALL.folds


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(train, oracle, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "file"))
    assert SMALL.training_table(train, seed=0) is not None


def test_progress_is_reported_as_a_share_of_the_whole(train, oracle, tmp_path):
    reported = []
    SMALL.train(
        train,
        seed=0,
        context=TrainContext(tmp_path / "work", progress=lambda done, total, _message: reported.append(done / total)),
    )
    assert reported == sorted(reported)
    fitted = SMALL.folds + 2  # Other methods on each fold and on the whole split, and once a hundred queries.
    assert len(reported) == fitted + SMALL.folds + 1, "then trees without each fold, and the calibration"
    assert 0 < reported[0] < 0.5 < reported[-1] <= 1


def test_a_budget_is_refused_since_it_would_not_be_kept(train, oracle, tmp_path):
    with pytest.raises(NotSupported, match="no time limit"):
        SMALL.train(train, seed=0, context=TrainContext(tmp_path / "work", minutes=1))
    assert not oracle.trainings


@pytest.mark.filterwarnings("error")
def test_what_can_never_be_cited_stays_last_in_half_precision(train, oracle, monkeypatch):
    monkeypatch.setattr(
        Asked, "score", lambda self, queries: np.full((len(queries), len(self.names)), -1e9, np.float32)
    )
    asked = [example.theorem for example in train.examples[:3]]
    found = training.cross_fitted_scorer("oracle", replace(train, examples=train.examples[3:]), asked, 0, None).score(
        asked
    )
    assert np.isfinite(found).all()
    assert (found < -1e4).all()


SCRIPT = spec_from_file_location("ship_ranker", Path(__file__).parents[4] / "benchmarks/ship_ranker.py")
ship_ranker = module_from_spec(SCRIPT)
sys.modules["ship_ranker"] = ship_ranker
SCRIPT.loader.exec_module(ship_ranker)


def asked(train: TrainSet, name: str, *, placed: bool = True):
    """The pools of a book in both ways of asking."""
    book = ship_ranker.Book(name, name, TrainSet(train.passages, (), train.examples), queries=30)
    return list(ship_ranker.pools(book, placed=placed))


def test_a_book_is_asked_without_proofs_and_with_those_before(placed):
    without, within = asked(placed, "a")
    assert (without.way, within.way) == ("zero-shot", "in-project")
    assert len(without.rows) == len(within.rows) == len(without.gold)
    column = within.rows[0].names.index("habits/proofs")
    seen = [rows.values[0, column] for rows in within.rows]
    assert np.nanmax(seen) == seen[-1] > np.nanmin(seen)
    assert all(np.isnan(rows.values[:, column]).all() for rows in without.rows)


def test_a_book_is_asked_in_the_middle_of_its_proofs(placed):
    halves = [
        Query(replace(e.theorem, cited_so_far=e.references[:1]), 0, e.references[1:]) if len(e.references) > 1 else None
        for e in placed.examples
    ]
    book = ship_ranker.Book("a", "a", TrainSet(placed.passages, (), placed.examples), tuple(halves), queries=10)
    *_, half = ship_ranker.pools(book, placed=True)
    assert half.way == "half-written"
    assert half.rows
    column = half.rows[0].names.index("begun/known")
    assert not any(np.isnan(rows.values[:, column]).any() for rows in half.rows)


def test_probabilities_follow_the_level_of_a_query_and_the_citing_rate():
    """Proofs of one project cite one statement each, those of the other three; the scores are the same."""
    random = np.random.default_rng(0)
    scores = random.normal(size=(200, 20)).astype(np.float32)
    cited = np.where(np.arange(200) % 2, 3, 1)
    labels = (scores.argsort(axis=1).argsort(axis=1) >= 20 - cited[:, None]).astype(np.float32)
    rates = cited.astype(np.float32)
    curve = ship_ranker.calibration_of_queries(
        scores.ravel(), labels.ravel(), [20] * 200, rates, np.ones(200, dtype=np.float32)
    )
    said = np.array([[curve(row, rate).sum() for rate in (1.0, 3.0)] for row in scores])
    assert said.mean(axis=0) == pytest.approx([1, 3], abs=0.35)
    assert Booster.from_text(Booster(("a",), "", curve).to_text()).calibration == curve


def test_only_features_that_mean_the_same_in_every_corpus_are_read(placed):
    names = asked(placed, "a")[0].rows[0].names
    assert not any(name in ship_ranker.ABSOLUTE or name.startswith("learned/") for name in names)
    assert "place/distance" in names
    unplaced = asked(placed, "a", placed=False)[0].rows[0].names
    assert not any(name.startswith(("place/", "habits/")) or name.endswith("/latest") for name in unplaced)


def test_trees_are_judged_by_authors_they_have_not_seen_and_seeds_repeat(placed, world, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(ship_ranker, "SETTINGS", Boosting(trees=5, leaves=5))
    monkeypatch.setattr(ship_ranker, "FEWEST", 1)
    parts = [
        *asked(placed, "a"),
        *asked(world(120, placed=True, seed=4), "b"),
        *asked(world(90, placed=True, seed=5), "c"),
    ]
    groups = ship_ranker.folds(parts, {"c"})
    (once, trees), (again, _) = (ship_ranker.held_out(parts, 0, groups) for _ in range(2))
    assert len(trees) == len(groups)
    assert {part.book.name for part, _ in once} == {"a", "b"}
    assert all(
        np.array_equal(x, y) for (_, a), (_, b) in zip(once, again, strict=True) for x, y in zip(a, b, strict=True)
    )
    curves = dict.fromkeys("ab", ship_ranker.calibrated(once))
    ship_ranker.report([once], curves, ship_ranker.trained(parts, seed=1))
    ship_ranker.write_folds(tmp_path, "placed", groups, trees, [curves["a"]] * len(groups))
    assert json.loads((tmp_path / "folds.json").read_text()) == {"a": 0, "b": 1}
    assert (tmp_path / "1/placed.txt").is_file()
    printed = capsys.readouterr().out
    assert "zero-shot, 2 books" in printed
    assert "in-project: calibration error" in printed
    assert "zero-shot: better in mean average precision on" in printed
