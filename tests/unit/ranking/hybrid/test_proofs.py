from dataclasses import replace

import numpy as np

from naturalproofs.ranking.hybrid import Hybrid
from naturalproofs.ranking.hybrid.features import GROUPS, features
from naturalproofs.ranking.hybrid.first_stage import HybridIndex, first_stage
from naturalproofs.ranking.hybrid.proof_features import analogous
from naturalproofs.ranking.hybrid.proofs import TrainingProofs
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

RECALLING = ("votes", "counts", "together", "place")


def tables(train: TrainSet, theorem: Passage, groups=RECALLING):
    index = HybridIndex.of(
        train.passages, train.examples, None, pool=10_000, without=[g for g in GROUPS if g not in groups]
    )
    pooled = first_stage(index, theorem)
    table = features(index, pooled)
    order = np.argsort(pooled.pool)
    return {name: table.values[order, i] for i, name in enumerate(table.names)}


def test_a_theorems_own_proof_tells_nothing_about_it(placed):
    """Whatever its own proof cites, every feature of every candidate is the same."""
    example = placed.examples[200]
    before = tables(placed, example.theorem)
    for other in (("w:5-7", "w:5-8"), ()):
        changed = tuple(TrainingExample(e.theorem, other) if e is example else e for e in placed.examples)
        after = tables(TrainSet(placed.passages, changed), example.theorem)
        assert before.keys() == after.keys()
        assert all(np.allclose(before[name], after[name], atol=1e-6) for name in before)


def test_proofs_that_use_a_theorem_tell_nothing_about_it(placed):
    """Nobody uses yet what is asked at evaluation, so training may not rely on users either."""
    theorem = placed.examples[200].theorem
    user = placed.examples[210]

    def with_user(*references):
        changed = (
            TrainingExample(user.theorem, (theorem.id, *references)) if e is user else e for e in placed.examples
        )
        return tables(TrainSet(placed.passages, tuple(changed)), theorem)

    first, second = with_user("w:0-0"), with_user("w:3-3", "w:1-1")
    assert all(np.allclose(first[name], second[name], atol=1e-6) for name in first)


def test_other_proofs_do_tell_something(placed):
    theorem = placed.examples[200].theorem
    changed = tuple(TrainingExample(e.theorem, ("w:5-7",)) if e.theorem is not theorem else e for e in placed.examples)
    before, after = tables(placed, theorem), tables(TrainSet(placed.passages, changed), theorem)
    assert not np.allclose(before["votes/tokens_20"], after["votes/tokens_20"])


def test_being_in_the_training_passages_is_no_feature(train):
    """A statement that training has never seen gets what its text deserves: the same as its double."""
    double = Passage("w:new", *(getattr(train.passages[10], name) for name in ("kind", "title", "text")))
    index = HybridIndex.of((*train.passages, double), (), None, pool=10_000, without=())
    pooled = first_stage(index, train.examples[0].theorem)
    table = features(index, pooled)
    rows = [pooled.pool.tolist().index(index.candidates.column[key]) for key in (train.passages[10].id, "w:new")]
    ranks = [i for i, name in enumerate(table.names) if not name.endswith("rank")]
    assert np.allclose(table.values[rows[0], ranks], table.values[rows[1], ranks])


def test_analogies_rest_on_the_proofs_of_others(placed):
    """Nothing is its own model, a theorem's own proof makes nothing analogous, and other proofs do."""
    small = Hybrid(questions=120, trees=2, pool=60, dimensions=16, folds=2, enough=100)
    index = small.fit(placed, seed=0).index(placed.passages).bound
    example, other = placed.examples[200], ("w:5-7",)

    def found(examples):
        here = replace(index, proofs=TrainingProofs.of(examples, index.candidates), pool=10_000)
        pooled = first_stage(here, example.theorem)
        return pooled.pool, analogous(here, pooled)["tokens_100"]

    own = [TrainingExample(e.theorem, other) if e is example else e for e in placed.examples]
    pool, before = found(placed.examples)
    again, after = found(own)
    order = np.argsort(again)[np.argsort(np.argsort(pool))]
    assert np.allclose(before, after[order], atol=1e-6)
    pool, single = found([TrainingExample(e.theorem, other) for e in placed.examples])
    cited = pool == index.candidates.column["w:5-7"]
    assert single[cited] == 0, "the one that is cited has no other to be like"
    assert single[~cited].max() > 0
