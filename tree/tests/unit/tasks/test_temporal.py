"""The temporal task: trained on the older texts and proofs, asked about everything that is new."""

import pytest

from naturalproofs.benchmark.evaluation import evaluate
from naturalproofs.benchmark.make import temporal_splits, temporal_task
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.records import Mention, Place, Proof, Statement
from naturalproofs.tasks.protocols import protocol


def corpus(name, *lines):
    """Theorems as ``label: text <- cited labels``, in reading order."""
    statements = []
    for position, line in enumerate(lines):
        label, rest = line.split(": ")
        text, _, cited = rest.partition(" <- ")
        proof = Proof(("p",), tuple(Mention(key, "ref", 1, f"{name}:{key}") for key in cited.split()))
        place = Place(name, "ch", "s", position)
        statements.append(Statement(f"{name}:{label}", "theorem", label, "", (text,), (), (proof,), place=place))
    return Corpus(name, tuple(statements), Provenance("test", "fixed"))


OLD = corpus("v1", "a: one", "gone: zero <- a", "b: two <- a gone")
NEW = corpus("v2", "start: first", "b: two now <- a", "a: one now", "c: three <- a", "d: four <- c b", "e: five <- d")


def test_all_examples_with_new_labels_are_asked():
    splits = temporal_splits(OLD, NEW)
    assert [theorem for theorem, _ in splits.test.examples] == ["v2:c", "v2:d", "v2:e"]
    assert splits.recipe.startswith("temporal(older=")


def test_training_sees_the_older_texts_and_proofs():
    task = temporal_task(OLD, NEW, protocol("clean"))
    assert task.name == "v2/new"
    assert [(p.id, p.text) for p in task.train.passages] == [("v2:a", "one"), ("v2:gone", "zero"), ("v2:b", "two")]
    assert [(e.theorem.id, e.references) for e in task.train.examples] == [
        ("v2:gone", ("v2:a",)),
        ("v2:b", ("v2:a", "v2:gone")),
    ]
    assert [c.text for c in task.candidates] == ["first", "two now", "one now", "three", "four", "five"]


def test_older_proofs_stand_where_their_theorems_now_stand():
    task = temporal_task(OLD, NEW, protocol("accessible"))
    assert [(e.theorem.id, e.theorem.place.position) for e in task.train.examples] == [("v2:gone", 1), ("v2:b", 2)]
    assert [(e.theorem.id, e.theorem.place.position) for e in task.train.memory] == [("v2:b", 1)]
    assert temporal_task(OLD, NEW, protocol("zero-shot")).train.memory == ()
    remembered = temporal_task(OLD, NEW, protocol("in-project")).train.memory
    assert [e.theorem.id for e in remembered] == ["v2:b", "v2:c", "v2:d", "v2:e"]


@pytest.mark.parametrize("name", ["clean", "accessible"])
def test_methods_are_evaluated(name):
    run = evaluate("fusion", NEW, older=OLD, protocol=name)
    assert (run.spec.split, run.spec.split_recipe) == ("new", temporal_splits(OLD, NEW).recipe)
    assert [query.query for query in run.queries] == ["v2:c#0", "v2:d#0", "v2:e#0"]
