"""The contract that every registered ranker keeps, ours and other people's."""

from dataclasses import replace

import numpy as np
import pytest

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.ranking.contract import FittedRanker, Ranker, Remembering, Scorer, Trainable
from naturalproofs.ranking.registry import parse_ranker, ranker_names, ranker_spec
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split


@pytest.fixture(scope="module")
def task(primer):
    return retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "valid", protocol("accessible"))


NEURAL = {
    "encoder": "encoder(size='tiny')",
    "pairwise": "pairwise(size='tiny', epochs=1)",
    "joint": "joint(size='tiny', epochs=1)",
    "autoregressive": "autoregressive(size='tiny', epochs=1, decoder_layers=1)",
}
"""Methods that would train long by default, as small as they come."""


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NATURALPROOFS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module", params=ranker_names())
def ranker(request):
    if request.param in NEURAL:
        torch = pytest.importorskip("torch", reason="needs the extra 'neural'")
        torch.set_num_threads(1)
    return parse_ranker(NEURAL.get(request.param, request.param))


@pytest.fixture(scope="module")
def fitted(ranker, task):
    return ranker.fit(task.train, seed=1)


@pytest.fixture(scope="module")
def scorer(fitted, task):
    return fitted.index(task.candidates)


def queries(task, count=8):
    return [question.theorem for question in task.queries[:count]]


def test_it_keeps_the_protocol(ranker, fitted, scorer):
    assert isinstance(ranker, Ranker)
    assert isinstance(fitted, FittedRanker)
    assert isinstance(scorer, Scorer)


def test_its_printed_form_parses_back(ranker):
    assert parse_ranker(ranker_spec(ranker)) == ranker


def test_scores_have_a_row_a_query_and_a_column_a_candidate(task, scorer):
    scores = scorer.score(queries(task))
    assert scores.shape == (8, len(task.candidates))
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()


def test_scoring_is_pure(task, scorer):
    assert np.array_equal(scorer.score(queries(task)), scorer.score(queries(task)))


def test_a_query_is_scored_the_same_in_any_company(task, scorer):
    together = scorer.score(queries(task))
    alone = np.concatenate([scorer.score([query]) for query in queries(task)])
    assert np.allclose(together, alone, atol=1e-5)


def test_the_same_seed_gives_the_same_scores(ranker, task, scorer):
    again = ranker.fit(task.train, seed=1).index(task.candidates)
    assert np.allclose(again.score(queries(task)), scorer.score(queries(task)), atol=1e-6)


def test_no_query_no_row(task, scorer):
    assert scorer.score([]).shape == (0, len(task.candidates))


def test_it_works_without_training_data(ranker, task):
    scorer = ranker.fit(TrainSet((), ()), seed=1).index(task.candidates)
    assert scorer.score(queries(task)).shape == (8, len(task.candidates))


def test_whose_proof_it_is_does_not_matter(ranker, fitted, scorer, task):
    """A candidate's score does not depend on whether its own proof stands in the training split.

    Evaluation theorems have none there. So the same proofs, as proofs of other statements with the same texts, give
    the same scores. Methods with long training see proofs only then, apart from those that keep the training split.
    """
    train = task.train
    others = tuple(replace(e, theorem=replace(e.theorem, id=f"{e.theorem.id}/other")) for e in train.examples)
    assert len({e.theorem.id for e in train.examples} & {c.id for c in task.candidates}) > 100
    anonymous = train.part(others)
    if not isinstance(ranker, Trainable):
        refitted = ranker.fit(anonymous, seed=1)
    else:
        refitted = replace(fitted, train=anonymous) if hasattr(fitted, "train") else fitted
    assert np.allclose(refitted.index(task.candidates).score(queries(task)), scorer.score(queries(task)), atol=1e-6)


@pytest.mark.parametrize("name", ["accessible", "in-project"])
def test_proofs_after_the_query_do_not_change_its_scores(name, ranker, fitted, primer):
    """They may be there or not, and cite anything; what is trained long is trained once, on the training split."""
    task = retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "test", protocol(name))
    memory = task.train.memory
    asked = sorted((query.theorem for query in task.queries), key=lambda theorem: theorem.place.position)
    query = asked[len(asked) // 2]
    before = [proof for proof in memory if proof.theorem.place.position < query.place.position]
    after = [proof for proof in memory if proof.theorem.place.position >= query.place.position]
    assert len(before) > 20
    assert len(after) > 20
    first = tuple(passage.id for passage in task.candidates[:3])
    changed = [replace(proof, references=first) for proof in after]

    def scores(proofs):
        if isinstance(ranker, Trainable):
            other = fitted.remember(proofs) if isinstance(fitted, Remembering) else fitted
        else:
            other = ranker.fit(replace(task.train, memory=tuple(proofs)), seed=1)
        return other.index(task.candidates).score([query])

    assert np.array_equal(scores([*before, *changed]), scores([*before, *after]))
    assert np.array_equal(scores(before), scores([*before, *after]))


def test_strange_texts_are_no_problem(fitted, task):
    place = task.candidates[0].place
    strange = [Passage(f"x:{i}", "other", title, text, (), place) for i, (title, text) in enumerate(STRANGE)]
    scores = fitted.index(strange).score(strange)
    assert scores.shape == (len(STRANGE), len(STRANGE))
    assert np.isfinite(scores).all()


STRANGE = [("", ""), ("", "$$"), ("\\", "}{"), ("é" * 500, "\0"), ("the of a", "."), ("Группа", "\\mathfrak{g}")]
