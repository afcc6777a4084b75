"""The retrieval-based generator: learned decisions on a made-up world whose rules are known."""

import pytest

from naturalproofs.errors import UnknownName
from naturalproofs.ranking.contract import Generator
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.ranking.sequences import Retrieve, generator_named, generator_spec
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from support.topics import TOPICS, place, world


@pytest.fixture(scope="module")
def generator():
    results, examples = world()
    passages = (*results, *(e.theorem for e in examples))
    # Half of the theorems are cited by someone, so that they are no leaves and the ranker keeps their proofs.
    citing = tuple(
        TrainingExample(Passage(f"c{e.theorem.id}", "theorem", "", "meta", (), place(1000)), (e.theorem.id,))
        for e in examples[::2]
    )
    train = TrainSet(passages, (*examples, *citing))
    return Retrieve(ranker="tfidf").fit(train, seed=0).index(results)


def test_it_is_a_generator(generator):
    assert isinstance(generator, Generator)


def test_it_learns_how_many_to_name(generator):
    both, single = generator.generate(
        [Passage("x", "theorem", "", "topic3 both part0 part1"), Passage("y", "theorem", "", "topic3 single part0")]
    )
    assert single == ("w:t3-0",)
    assert both == ("w:t3-0", "w:t3-1")


def test_what_is_excluded_is_not_named(generator):
    (found,) = generator.generate([Passage("x", "theorem", "", "topic3 single part0")], [(6,)])
    assert "w:t3-0" not in found


def test_nothing_usable_gives_an_empty_sequence(generator):
    assert generator.generate([Passage("x", "theorem", "", "topic3")], [range(2 * TOPICS)]) == [()]


def test_without_training_the_two_best_are_named():
    results, _ = world()
    generator = Retrieve(ranker="tfidf").fit(TrainSet((), ()), seed=0).index(results)
    (found,) = generator.generate([Passage("x", "theorem", "", "topic5 part0")])
    assert set(found) == {"w:t5-0", "w:t5-1"}


def test_the_same_seed_gives_the_same_sequences(primer):
    from naturalproofs.corpus.graph import ReferenceGraph
    from naturalproofs.tasks.dataset import retrieval_task
    from naturalproofs.tasks.protocols import protocol
    from naturalproofs.tasks.splits import leaf_split

    task = retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "valid", protocol("accessible"))
    asked = [question.theorem for question in task.queries]
    runs = [
        Retrieve(ranker="tfidf").fit(task.train, seed=3).index(task.candidates).generate(asked, task.excluded)
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    allowed = [{c.id for i, c in enumerate(task.candidates) if i not in set(out)} for out in task.excluded]
    assert all(set(found) <= may for found, may in zip(runs[0], allowed, strict=True))


def test_a_ranker_is_wrapped_and_a_generator_is_parsed():
    assert generator_named("bm25") == Retrieve(ranker="bm25")
    assert generator_named("retrieve(ranker='bm25', length_ratio=1.2)") == Retrieve("bm25", 1.2)
    assert generator_spec(Retrieve("bm25")) == "retrieve(ranker='bm25')"
    with pytest.raises(UnknownName, match="no generator is called 'nonsense'"):
        generator_named("nonsense")


def test_a_ranker_that_generates_is_its_own_generator():
    generator = generator_named("autoregressive(size='tiny')")
    assert generator == parse_ranker("autoregressive(size='tiny')")
    assert generator_spec(generator) == "autoregressive(size='tiny')"
