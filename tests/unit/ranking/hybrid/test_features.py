from dataclasses import replace

import numpy as np
import pytest

from naturalproofs.ranking.hybrid.features import analogous, begun, features, trained_names
from naturalproofs.ranking.hybrid.first_stage import HybridIndex, TrainingProofs, first_stage
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

RECALLING = ("counts", "stated", "place")


def tables(train: TrainSet, theorem: Passage, groups=RECALLING):
    index = HybridIndex.of(train.passages, train.examples, None, pool=10_000)
    pooled = first_stage(index, theorem)
    table = features(index, pooled)
    order = np.argsort(pooled.pool)
    return {name: table.values[order, i] for i, name in enumerate(table.names) if name.partition("/")[0] in groups}


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
    assert not np.allclose(before["counts/lift_tokens"], after["counts/lift_tokens"])


def test_being_in_the_training_passages_is_no_feature(train):
    """A statement that training has never seen gets what its text deserves: the same as its double."""
    double = Passage("w:new", *(getattr(train.passages[10], name) for name in ("kind", "title", "text")))
    index = HybridIndex.of((*train.passages, double), (), None, pool=10_000)
    pooled = first_stage(index, train.examples[0].theorem)
    table = features(index, pooled)
    rows = [pooled.pool.tolist().index(index.candidates.column[key]) for key in (train.passages[10].id, "w:new")]
    ranks = [i for i, name in enumerate(table.names) if not name.endswith("rank")]
    assert np.allclose(table.values[rows[0], ranks], table.values[rows[1], ranks], equal_nan=True)


def test_analogies_rest_on_the_proofs_of_others(placed):
    """Nothing is its own model, a theorem's own proof makes nothing analogous, and other proofs do."""
    small = Hybrid(questions=120, trees=2, further=2, pool=60, dimensions=16, folds=2, enough=100)
    index = small.fit(placed, seed=0).index(placed.passages).bound
    example, other = placed.examples[200], ("w:5-7",)

    def found(examples):
        here = replace(index, proofs=TrainingProofs.of(examples, index.candidates), pool=10_000)
        pooled = first_stage(here, example.theorem)
        return pooled.pool, analogous(here, pooled)["tokens"]

    own = [TrainingExample(e.theorem, other) if e is example else e for e in placed.examples]
    pool, before = found(placed.examples)
    again, after = found(own)
    order = np.argsort(again)[np.argsort(np.argsort(pool))]
    assert np.allclose(before, after[order], atol=1e-6)
    pool, single = found([TrainingExample(e.theorem, other) for e in placed.examples])
    cited = pool == index.candidates.column["w:5-7"]
    assert single[cited] == 0, "the one that is cited has no other to be like"
    assert single[~cited].max() > 0


@pytest.fixture(scope="module")
def fitted(placed):
    """Trained where the statements of theorems cite what their proofs cite."""
    cites = {example.theorem.id: example.references[:1] for example in placed.examples}
    stating = replace(placed, passages=tuple(replace(p, cites=cites.get(p.id, ())) for p in placed.passages))
    small = Hybrid(questions=120, trees=12, further=12, leaves=7, pool=10_000, dimensions=16, folds=2, enough=100)
    return small.fit(stating, seed=0)


def with_examples(fitted, examples):
    passages = fitted.train.passages
    return replace(fitted, train=TrainSet(passages, tuple(examples))).index(passages)


def table_of(scorer, query):
    pooled = first_stage(scorer.bound, query)
    table = features(scorer.bound, pooled)
    ids = [scorer.bound.candidates.passages[position].id for position in pooled.pool]
    return {name: dict(zip(ids, table.values[:, i].tolist(), strict=True)) for i, name in enumerate(table.names)}


def tied(table, name, key):
    """Whether a rank depends on rounding: another candidate has nearly the same value."""
    values = table.get(name.removesuffix("_rank"), {}) if name.endswith("_rank") else {}
    return any(0 < abs(value - values[key]) < 1e-6 for value in values.values())


@pytest.mark.parametrize("outside", [False, True], ids=["citing candidates", "citing nothing here"])
def test_a_candidates_own_proof_tells_nothing_about_it(fitted, outside):
    """Evaluation theorems have no proof in the training split, and no proof cites them: trees could tell them apart."""
    queries = [replace(example.theorem, cites=example.references) for example in fitted.train.examples[200:206]]
    # So few proofs that all of them vote, and that all they cite is compared: what leaves makes room for no other.
    few = fitted.train.examples[60:72]
    for example in few:
        own = replace(example, references=("w:elsewhere",)) if outside else example
        others = [other for other in few if other is not example]
        present, absent = (with_examples(fitted, some) for some in ([*others, own], others))
        key = example.theorem.id
        for query in queries:
            before, after = table_of(present, query), table_of(absent, query)
            assert before.keys() == after.keys() > {"analogous/tokens", "counts/lift_tokens", "place/last_cited"}
            for name in trained_names(list(before)):
                # Ranks and shares of the best move with the others, which the proof does tell something about.
                if (outside or not name.endswith(("_rank", "_relative"))) and not any(
                    tied(table, name, key) for table in (before, after)
                ):
                    assert before[name][key] == pytest.approx(after[name][key], abs=1e-6), name
            if outside:
                column = present.bound.candidates.column[key]
                assert present.score([query])[0][column] == absent.score([query])[0][column]


def test_what_an_unfinished_proof_cites_tells_what_goes_with_it(placed):
    """What earlier proofs cite together with the known citations is told, and nothing is without them."""
    query = placed.examples[200].theorem
    partner, *_ = (p for p in placed.passages if p.place.position < 100)
    known = next(p for p in placed.passages if p.place.position == 100)
    changed = tuple(
        TrainingExample(e.theorem, (partner.id, known.id)) if e.theorem.place.position == 150 else e
        for e in placed.examples
    )
    index = HybridIndex.of(placed.passages, changed, None, pool=10_000, strict=True)
    nothing, something = (first_stage(index, one) for one in (query, replace(query, cited_so_far=(known.id,))))
    assert all(np.isnan(values).all() for values in begun(index, nothing).values())
    found = begun(index, something)
    assert index.candidates.column[known.id] not in something.pool
    row = something.pool.tolist().index(index.candidates.column[partner.id])
    assert found["cited_together"][row] == found["cited_together"].max() > 0
    assert not any(np.isnan(values).any() for values in found.values())
    assert list(found) == list(begun(index, nothing))


def test_later_proofs_do_not_tell_what_goes_with_a_citation(placed):
    query = replace(placed.examples[150].theorem, cited_so_far=(placed.passages[3].id,))
    earlier = [e for e in placed.examples if e.theorem.place.position < query.place.position]
    tables = []
    for examples in (placed.examples, earlier):
        index = HybridIndex.of(placed.passages, examples, None, pool=10_000, strict=True)
        tables.append(begun(index, first_stage(index, query)))
    assert all(np.allclose(tables[0][name], tables[1][name]) for name in tables[0])
