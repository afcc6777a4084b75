"""Tables computed row by row: stored runs, stored models, several seeds."""

from dataclasses import replace

import pytest

from naturalproofs.benchmark.evaluation import evaluate
from naturalproofs.benchmark.make import NEW
from naturalproofs.benchmark.reproduce import TEMPORAL, OverSeeds, Reproduction, Row, TablePlan
from naturalproofs.benchmark.training import train_model
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.ranking.hybrid.training import TableSettings
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.protocols import WHOLE, TextView, protocol
from naturalproofs.tasks.splits import leaf_split
from support.favourite import register


@pytest.fixture
def reproduction(primer, tmp_path, monkeypatch):
    register(monkeypatch)
    corpora = {"latex": (primer, leaf_split(primer, ReferenceGraph.of(primer)))}

    def make(train=False):
        return Reproduction(corpora, tmp_path, train=train)

    return make


@pytest.fixture
def tables(monkeypatch):
    """The hybrids whose training table was computed."""
    made = []
    original = TableSettings.training_table

    def counted(self, train, **options):
        made.append(self)
        return original(self, train, **options)

    monkeypatch.setattr(TableSettings, "training_table", counted)
    return made


def plan(*rows):
    return TablePlan("retrieval", "Reference retrieval", "latex", "valid", rows)


def test_stored_runs_are_reused(reproduction):
    table = plan(Row("frequency", "frequency", "clean"))
    first, second = (list(reproduction().outcomes(table)) for _ in range(2))
    assert [outcome.fresh for outcome in (*first, *second)] == [True, False]
    assert first[0].run.measures == second[0].run.measures
    assert len(first[0].runs) == 1


def test_a_model_is_trained_only_on_request(reproduction, tmp_path):
    table = plan(Row("favourite", "favourite", "clean", trained_on="latex"))
    assert list(reproduction().outcomes(table)) == []
    (outcome,) = reproduction(train=True).outcomes(table)
    assert outcome.run.measures["mAP"] > 0
    (folder,) = (tmp_path / "models").iterdir()
    assert folder.name.startswith("favourite-primer-")


def test_a_stored_model_needs_no_training(reproduction, tmp_path):
    table = plan(Row("favourite", "favourite", "clean", trained_on="latex"))
    list(reproduction(train=True).outcomes(table))
    other = plan(Row("favourite", "favourite", "paper", trained_on="latex"))
    (outcome,) = reproduction().outcomes(other)
    assert outcome.fresh
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_the_visible_text_is_part_of_the_model_key(reproduction, tmp_path):
    rows = [
        Row("favourite", "favourite", "clean", view=view, trained_on="latex") for view in (WHOLE, TextView(title=False))
    ]
    assert len(list(reproduction(train=True).outcomes(plan(*rows)))) == 2
    assert len(list((tmp_path / "models").iterdir())) == 2


def test_a_model_of_a_missing_corpus_is_left_out(reproduction):
    assert list(reproduction(train=True).outcomes(plan(Row("x", "favourite", "clean", trained_on="stacks")))) == []


def test_seeds_are_averaged(reproduction):
    (outcome,) = reproduction().outcomes(plan(Row("random", "random", "clean", seeds=3)))
    over = OverSeeds.of([run.measures for run in outcome.runs])
    assert over.spread["R@100"] > 0
    assert outcome.run.measures["R@100"] != over.means["R@100"]


def test_a_network_with_one_trained_seed_has_its_value(reproduction):
    one, two = (Row("favourite", "favourite", "clean", trained_on="latex", seeds=seeds) for seeds in (1, 2))
    list(reproduction(train=True).outcomes(plan(one)))
    (outcome,) = reproduction().outcomes(plan(two))
    assert not outcome.fresh
    assert len(outcome.runs) == 1
    (outcome,) = reproduction(train=True).outcomes(plan(two))
    assert outcome.fresh
    assert len(outcome.runs) == 2


def test_runs_and_models_of_another_split_are_not_reused(primer, tmp_path, monkeypatch):
    register(monkeypatch)
    graph = ReferenceGraph.of(primer)
    rows = plan(Row("frequency", "frequency", "clean"), Row("favourite", "favourite", "clean", trained_on="latex"))
    for seed in (1, 2):
        corpora = {"latex": (primer, leaf_split(primer, graph, seed=seed))}
        outcomes = list(Reproduction(corpora, tmp_path, train=True).outcomes(rows))
        assert all(outcome.fresh for outcome in outcomes)
    assert len(list((tmp_path / "models").iterdir())) == 2


def test_tables_share_their_runs(reproduction):
    row = Row("frequency", "frequency", "clean")
    (first,) = reproduction().outcomes(plan(row))
    (second,) = reproduction().outcomes(replace(plan(row), name="by-type"))
    assert first.fresh
    assert not second.fresh


def test_halves_of_one_ranking(reproduction):
    row = Row("random", "random", "clean", seeds=2)
    (valid,) = reproduction().outcomes(plan(row))
    (both,) = reproduction().outcomes(replace(plan(row), split="eval"))
    assert not both.fresh
    assert set(valid.run.queries) < set(both.run.queries)


def test_what_is_new_is_asked_of_methods_trained_on_an_older_version(primer, tmp_path):
    old = replace(primer, statements=primer.statements[:-200])
    known = {statement.id for statement in old.statements}
    old = replace(old, statements=tuple(_without(one, known) for one in old.statements))
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    plan = TablePlan(TEMPORAL, "New", "latex", NEW, (Row("BM25", "bm25", "clean"),))
    reproduction = Reproduction({"latex": (primer, splits)}, tmp_path, older=old)
    (outcome,) = reproduction.outcomes(plan)
    assert outcome.fresh
    assert outcome.run.spec.split == NEW
    assert outcome.run.spec.split_recipe.startswith("temporal(older=")
    assert {query.query.partition("#")[0] for query in outcome.run.queries}.isdisjoint(known)
    (again,) = reproduction.outcomes(plan)
    assert not again.fresh


def _without(statement, known):
    def kept(mentions):
        return tuple(replace(m, reference=m.reference if m.reference in known else None) for m in mentions)

    proofs = tuple(replace(proof, mentions=kept(proof.mentions)) for proof in statement.proofs)
    return replace(statement, mentions=kept(statement.mentions), proofs=proofs)


def test_methods_that_learn_from_the_same_table_share_it(primer, tmp_path, tables):
    reproduction = Reproduction({"latex": (primer, leaf_split(primer, ReferenceGraph.of(primer)))}, tmp_path, tables=[])
    small = "hybrid(questions=60, trees=4, dimensions=16, enough=10)"
    clean, other = Row("hybrid", small, "clean", seeds=2), Row("hybrid", small.replace("trees=4", "trees=5"), "clean")
    first, _ = reproduction.outcomes(plan(clean, other))
    assert len(tables) == 1
    # Seeds that are ranked together have the scores that each has alone.
    alone = evaluate(small, primer, split="eval", splits=reproduction.corpora["latex"][1])
    together = next(Reproduction(reproduction.corpora, tmp_path).outcomes(replace(plan(clean), split="eval")))
    assert together.run.measures == alone.measures
    assert first.runs[0].measures["mAP"] != first.runs[1].measures["mAP"]


def test_seeds_of_a_row_that_needs_leave_to_train_share_their_table(primer, tmp_path, tables):
    corpora = {"latex": (primer, leaf_split(primer, ReferenceGraph.of(primer)))}
    small = "hybrid(questions=60, trees=4, dimensions=16, enough=10, signals=('tfidf',))"
    table = plan(Row("hybrid and TF-IDF", small, "clean", trained_on="latex", seeds=2))
    assert list(Reproduction(corpora, tmp_path).outcomes(table)) == []
    (outcome,) = Reproduction(corpora, tmp_path, train=True).outcomes(table)
    assert len(outcome.runs) == 2
    assert len(tables) == 1


def test_a_method_trained_on_another_corpus_ranks_as_its_saved_model(primer, tmp_path):
    other = replace(primer, name="other", statements=primer.statements[:-300])
    corpora = {name: (one, leaf_split(one, ReferenceGraph.of(one))) for name, one in (("latex", primer), ("o", other))}
    small = "hybrid(questions=60, trees=4, dimensions=16, enough=10)"
    row = Row("hybrid", small, "clean", trained_on="o", seeds=2)
    (outcome,) = Reproduction(corpora, tmp_path / "runs", train=True).outcomes(plan(row))
    train_model(parse_ranker(small), *corpora["o"], tmp_path / "model", protocol("clean"))
    saved = evaluate(str(tmp_path / "model"), primer, splits=corpora["latex"][1], split="valid")
    assert outcome.runs[0].measures == saved.measures
    assert outcome.runs[1].measures != saved.measures
