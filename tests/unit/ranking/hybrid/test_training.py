"""Training: other methods answer only what they have not seen; the shipped trees learn from books within corpora."""

from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from naturalproofs.errors import TimeLimitUnsupported
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.hybrid import training
from naturalproofs.ranking.hybrid.boosting import Boosting
from naturalproofs.ranking.hybrid.features import ABSOLUTE
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.tasks.dataset import TrainSet, with_fields

SMALL = Hybrid(
    questions=120,
    trees=5,
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
    scores = table.rows.values[:, table.rows.names.index("signal0/score")]
    assert len(oracle.trainings) == SMALL.folds
    assert not scores.any(), "the oracle was asked about a theorem whose proof it has seen"


def test_the_gap_is_that_to_the_best_even_below_zero(train, oracle, monkeypatch):
    monkeypatch.setattr(Asked, "score", lambda self, queries: np.full((len(queries), len(self.names)), -5, np.float32))
    rows = SMALL.training_table(train, seed=0).rows
    assert (rows.values[:, rows.names.index("signal0/score")] == -5).all()
    assert not rows.values[:, rows.names.index("signal0/gap")].any()


def test_what_trained_for_long_is_not_trained_twice(train, oracle):
    first = SMALL.training_table(train, seed=0)
    again = SMALL.training_table(train, seed=0)
    assert len(oracle.trainings) == SMALL.folds
    assert np.array_equal(first.rows.values, again.rows.values)
    SMALL.training_table(train, seed=1)
    assert len(oracle.trainings) == 2 * SMALL.folds, "another seed is another training"


def test_other_proofs_are_another_training(train, oracle):
    SMALL.training_table(train, seed=0)
    SMALL.training_table(replace(train, examples=train.examples[1:]), seed=0)
    assert len(oracle.trainings) == 2 * SMALL.folds


def test_all_protocols_share_what_trained_for_long(placed, oracle):
    for seen in (placed, with_fields(placed, place=None)):
        SMALL.training_table(seen, seed=0)
    assert len(oracle.trainings) == SMALL.folds
    assert not any(passage.place for train in oracle.trainings for passage in train.passages)


def test_how_many_questions_are_asked_is_no_reason_to_train_again(train, oracle):
    for questions in (120, 90):
        assert replace(SMALL, questions=questions).training_table(train, seed=0) is not None
    assert len(oracle.trainings) == SMALL.folds


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(train, oracle, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "file"))
    assert SMALL.training_table(train, seed=0) is not None


def test_progress_is_told_as_a_share_of_the_whole(train, oracle, tmp_path):
    told = []
    SMALL.train(
        train,
        seed=0,
        context=TrainContext(tmp_path / "work", progress=lambda done, total, _message: told.append(done / total)),
    )
    assert told == sorted(told)
    assert 0 < told[0] < 0.5 < told[-1] <= 1


def test_a_budget_is_refused_since_it_would_not_be_kept(train, oracle, tmp_path):
    with pytest.raises(TimeLimitUnsupported, match="no time limit"):
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


FEW = Boosting(trees=5, leaves=5)
SCRIPT = spec_from_file_location("ship_ranker", Path(__file__).parents[4] / "benchmarks/ship_ranker.py")
ship_ranker = module_from_spec(SCRIPT)
SCRIPT.loader.exec_module(ship_ranker)
books, train_shipped = ship_ranker.books, ship_ranker.train_shipped


def in_chapters(train: TrainSet, size: int) -> TrainSet:
    """The same with a chapter every so many statements."""
    place = {p.id: replace(p.place, chapter=f"chapter {p.place.position // size}") for p in train.passages}
    return TrainSet(
        tuple(replace(passage, place=place[passage.id]) for passage in train.passages),
        tuple(replace(e, theorem=replace(e.theorem, place=place[e.theorem.id])) for e in train.examples),
    )


def test_a_chapter_is_a_book_whose_proofs_cite_inside_it(placed):
    whole = in_chapters(placed, 200)
    chapters = list(books(whole, chapters=True))
    assert chapters
    for number, book in enumerate(chapters):
        inside = {passage.id for passage in book.passages}
        assert len({passage.place.chapter for passage in book.passages}) == 1
        assert all(inside.issuperset({e.theorem.id, *e.references}) for e in book.examples)
        assert any(passage.title for passage in book.passages) == (number % 2 == 0)
    assert list(books(whole, chapters=False)) == [whole]


def test_only_features_that_mean_the_same_in_every_corpus_are_read(placed):
    booster = train_shipped([(placed, 60)], FEW, 0)
    assert not any(name.partition("/")[2] in ABSOLUTE or name.startswith("learned/") for name in booster.names)
    assert "place/distance" in booster.names
    unplaced = train_shipped([(with_fields(placed, place=None), 60)], FEW, 0)
    assert not any(name.startswith("place/") for name in unplaced.names)


def test_all_books_are_read_and_seeds_repeat(placed, world):
    other = world(120, placed=True, seed=4)
    both, again, one = (
        train_shipped(shown, FEW, 0).text for shown in ([(placed, 60), (other, 60)],) * 2 + ([(placed, 60)],)
    )
    assert both == again
    assert both != one
