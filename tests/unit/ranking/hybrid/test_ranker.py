import random
from dataclasses import replace

import numpy as np
import pytest

from naturalproofs.errors import NaturalProofsError
from naturalproofs.ranking.contract import CacheableScorer, CachingRanker, Storable, Suggester
from naturalproofs.ranking.hybrid import candidates, ranker
from naturalproofs.ranking.hybrid.candidates import extract_terms
from naturalproofs.ranking.hybrid.ranker import FittedHybrid, Hybrid, Shipped
from naturalproofs.ranking.hybrid.trees import Calibration
from naturalproofs.ranking.registry import TrainedOn, load_model, save_model
from naturalproofs.records import Passage, Place
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

SMALL = Hybrid(questions=240, trees=15, further=15, leaves=7, pool=60, dimensions=24, folds=2, enough=100)


@pytest.fixture(scope="module")
def asked(world):
    return world(40, seed=9, prefix="new")


@pytest.fixture(scope="module")
def fitted(train):
    return SMALL.fit(train, seed=3)


@pytest.fixture(scope="module")
def scorer(fitted, train):
    return fitted.index(train.passages)


def precision(scorer, asked) -> float:
    """The share of the two cited tools among the first two suggestions."""
    names = [candidate.id for candidate in scorer.bound.candidates.passages]
    hits = 0
    for example in asked.examples:
        order = np.argsort(-scorer.score([example.theorem])[0], kind="stable")[:2]
        hits += len({names[i] for i in order} & set(example.references))
    return hits / (2 * len(asked.examples))


def test_it_learns_what_proofs_of_a_topic_cite(scorer, asked):
    assert precision(scorer, asked) > 0.8


def test_with_shuffled_answers_it_knows_nothing(train):
    """If anything leaked, trees trained on shuffled answers would still do well on their own training questions."""
    answers = [example.references for example in train.examples]
    random.Random(1).shuffle(answers)
    shuffled = TrainSet(
        train.passages,
        tuple(TrainingExample(e.theorem, a) for e, a in zip(train.examples, answers, strict=True)),
    )
    scorer = SMALL.fit(shuffled, seed=3).index(train.passages)
    # 36 of the tools are ever cited: two at random among them hit with probability 1/18. A proof that voted for its
    # own theorem, or an association that had seen it, would find nearly all.
    assert precision(scorer, TrainSet((), shuffled.examples[:80])) < 0.15


def test_the_same_seed_gives_the_same_model(train, scorer, asked):
    queries = [example.theorem for example in asked.examples[:5]]
    again = SMALL.fit(train, seed=3).index(train.passages)
    assert np.array_equal(again.score(queries), scorer.score(queries))


def test_everything_is_ranked_the_rest_below_the_pool(scorer, train, asked):
    scores = np.sort(scorer.score([asked.examples[0].theorem])[0])[::-1]
    assert len(scores) == len(train.passages) > SMALL.pool
    assert (scores[: SMALL.pool] >= 2).all()
    assert (scores[SMALL.pool :] <= 1).all()


def test_a_training_table_serves_several_seeds(train):
    method = replace(SMALL, signals=("tfidf",))
    table = method.training_table(train, seed=0)
    first, second = (method.fit_table(train, table, seed=seed) for seed in (1, 2))
    assert first.association is second.association
    assert first.signals is second.signals
    assert [spec for spec, _ in first.signals] == ["tfidf"]
    assert first.boosters.placed.text != second.boosters.placed.text


def test_another_method_can_be_a_signal(train):
    fitted = replace(SMALL, signals=("tfidf", "neighbours(k=5)")).fit(train, seed=0)
    assert "signal1/rank" in fitted.boosters.placed.names
    assert np.isfinite(fitted.index(train.passages).score([train.examples[0].theorem])).all()


def test_a_model_is_kept_and_read_back(fitted, train, asked, tmp_path):
    assert isinstance(fitted, Storable)
    about = TrainedOn("world", "0", "fixed", "none", "clean", len(train.examples))
    save_model(tmp_path / "model", fitted, method="hybrid", seed=3, trained_on=about, seconds=1)
    model = load_model(tmp_path / "model")
    queries = [example.theorem for example in asked.examples[:5]]
    assert np.array_equal(
        model.fitted.index(train.passages).score(queries), fitted.index(train.passages).score(queries)
    )


def test_the_large_size_adds_whole_trainings(train, asked, tmp_path, monkeypatch):
    monkeypatch.setattr(ranker, "LARGE", 2)
    queries = [example.theorem for example in asked.examples[:5]]
    single = [SMALL.fit(train, seed=seed).index(train.passages).score(queries) for seed in (2, 3)]
    large = replace(SMALL, size="large")
    fitted = large.fit(train, seed=1)
    assert np.array_equal(fitted.index(train.passages).score(queries), single[0] + single[1])
    about = TrainedOn("world", "0", "fixed", "none", "clean", len(train.examples))
    save_model(tmp_path / "model", fitted, method="hybrid(size='large')", seed=1, trained_on=about, seconds=1)
    read = load_model(tmp_path / "model").fitted
    assert np.array_equal(read.index(train.passages).score(queries), single[0] + single[1])
    few = TrainSet(train.passages, train.examples[:20])
    assert large.fit(few, seed=0).boosters is SMALL.fit(few, seed=0).boosters
    with pytest.raises(NaturalProofsError, match="large"):
        Hybrid(size="huge")


def test_a_damaged_model_is_refused(fitted, tmp_path):
    fitted.save(tmp_path)
    (tmp_path / "settings.json").write_text("{", encoding="utf-8")
    with pytest.raises(NaturalProofsError, match="train again"):
        FittedHybrid.load(tmp_path)


def test_few_proofs_leave_the_shipped_trees_in_charge(train):
    few = TrainSet(train.passages, train.examples[:20])
    assert Hybrid().fit(few, seed=0).boosters is Shipped().fit(few, seed=0).boosters is not None


def test_what_stands_later_is_last(placed):
    scorer = Shipped().fit(TrainSet((), ()), seed=0).index(placed.passages)
    query = placed.examples[100].theorem
    scores = scorer.score([query])[0]
    later = [i for i, passage in enumerate(placed.passages) if passage.place.position >= query.place.position]
    assert (scores[later] == -1).all()
    assert (np.delete(scores, later) >= 0).all()


def test_probabilities_mean_what_they_say(scorer, asked):
    names = [passage.id for passage in scorer.bound.candidates.passages]
    pairs = [
        (one.probability, names[one.position] in example.references)
        for example in asked.examples
        for one in scorer.suggest(example.theorem, k=1000, explained=0)
    ]
    said, true = np.array(pairs, dtype=float).T
    error = 0.0
    for number in range(10):
        here = np.minimum((said * 10).astype(int), 9) == number
        error += abs(said[here].sum() - true[here].sum()) / len(said)
    assert error < 0.05


def test_calibration_rises_and_is_kept_within_bounds():
    curve = Calibration.of(np.array([0, 1, 2, 3], dtype=np.float32), np.array([0, 1, 0, 1], dtype=np.float32))
    assert curve(np.array([-9, 0, 1.5, 9], dtype=np.float32)).tolist() == [0, 0, 0.5, 1]
    assert Calibration((), ())(np.ones(2, dtype=np.float32)).tolist() == [0, 0]


def test_it_advises(scorer):
    assert isinstance(scorer, Suggester)


def test_a_scorer_is_kept_and_opened_without_being_made_again(placed, tmp_path):
    fitted = SMALL.fit(placed, seed=0)
    scorer = fitted.index(placed.passages)
    assert isinstance(fitted, CachingRanker)
    assert isinstance(scorer, CacheableScorer)
    scorer.save_arrays(tmp_path)
    opened = fitted.open_arrays(tmp_path, placed.passages)
    queries = [example.theorem for example in placed.examples[-5:]]
    assert np.array_equal(opened.score(queries), scorer.score(queries))
    assert opened.suggest(queries[0], k=3) == scorer.suggest(queries[0], k=3)


def test_what_is_kept_is_mapped_and_not_copied(placed, tmp_path):
    """Workers on one machine then share it."""
    fitted = SMALL.fit(placed, seed=0)
    fitted.index(placed.passages).save_arrays(tmp_path)
    index = fitted.open_arrays(tmp_path, placed.passages).bound
    matrices = [*index.candidates.rows.values(), index.candidates.bm25_by_term, *index.proofs.by_term.values()]
    for array in (index.association.texts, *(piece for m in matrices for piece in (m.data, m.indices, m.indptr))):
        held = array
        while held is not None and not isinstance(held, np.memmap):
            held = held.base
        assert held is not None


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("ranker", [SMALL, Shipped()])
def test_after_an_edit_only_what_changed_is_cut_and_nothing_else_differs(ranker, kept, placed, tmp_path, monkeypatch):
    fitted = ranker.fit(placed, seed=0)
    before = fitted.index(placed.passages)
    if kept:
        before.save_arrays(tmp_path)
    new = Passage(
        "w:new", "theorem", "zebra", "Every purple zebra $\\Zebra_1 + x$ is flat.", (), Place("b", "c", "s", 9)
    )
    changed = replace(placed.passages[30], text="Every compact module is dense.")
    edited = (*placed.passages[5:30], changed, new, *placed.passages[31:])
    cut = []
    monkeypatch.setattr(candidates, "extract_terms", lambda title, text: cut.append(text) or extract_terms(title, text))
    again = fitted.reindex(edited, tmp_path if kept else before)
    assert cut == [changed.text, new.text]
    afresh = fitted.index(edited)
    queries = [new, changed, *(example.theorem for example in placed.examples[-5:])]
    assert np.allclose(again.score(queries), afresh.score(queries), atol=1e-5)
    assert set(again.bound.candidates.vocabularies["prose"].index) == set(
        afresh.bound.candidates.vocabularies["prose"].index
    )


def test_what_cannot_be_taken_over_is_passed_over(placed, tmp_path):
    fitted = Shipped().fit(placed, seed=0)
    fitted.index(placed.passages).save_arrays(tmp_path)
    (tmp_path / "prepared.json").write_text("{")
    again = fitted.reindex(placed.passages, tmp_path)
    assert len(again.bound.candidates) == len(placed.passages)


def test_a_damaged_scorer_is_refused(placed, tmp_path):
    fitted = Shipped().fit(TrainSet((), ()), seed=0)
    fitted.index(placed.passages).save_arrays(tmp_path)
    next(tmp_path.glob("index*.npy")).unlink()
    with pytest.raises(NaturalProofsError, match="make the index again"):
        fitted.open_arrays(tmp_path, placed.passages)


def test_a_text_that_shares_nothing_gets_no_suggestions(train):
    scorer = Shipped().fit(train, seed=0).index(train.passages)
    assert scorer.suggest(Passage("", "theorem", "", "asdf qwer"), k=10) == ()
    assert scorer.suggest(Passage("", "theorem", "", "the of and"), k=10) == ()
    shared = scorer.suggest(Passage("", "theorem", "", "asdf qwer gluing"), k=1000)
    assert shared
    words = [" ".join((train.passages[a.position].title, train.passages[a.position].text)) for a in shared[:5]]
    assert all("gluing" in text for text in words)


def test_what_the_statement_cites_is_evidence_enough(train):
    scorer = Shipped().fit(train, seed=0).index(train.passages)
    assert scorer.suggest(Passage("", "theorem", "", "asdf qwer", (train.passages[3].id,)), k=5)


def test_probabilities_of_a_whole_ranking_are_those_of_suggestions(scorer, asked):
    query, banned = asked.examples[0].theorem, [0, 1]
    scores, stated = scorer.score_calibrated([query], [banned])
    assert (scores == scorer.score([query])).all()
    assert np.isnan(stated[0, banned]).all()
    (free,) = scorer.score_calibrated([query], [()])[1]
    for one in scorer.suggest(query, k=5, explained=0):
        assert free[one.position] == pytest.approx(one.probability)
