"""Tasks: who is a candidate of which question, and what a method is shown, protocol by protocol."""

from dataclasses import replace

import pytest

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import PlacesUnknown, UnknownName
from naturalproofs.records import Mention, Origin, Place, Proof, Split, Statement
from naturalproofs.tasks.dataset import half_written, retrieval_task, task_about
from naturalproofs.tasks.protocols import PROTOCOLS, TextView, label_words, protocol
from naturalproofs.tasks.splits import Splits, leaf_split, zero_shot_split


def statement(name, position, cites="", *, proof_at=None, placed=True):
    mentions = tuple(Mention(key, "ref", 1, f"c:{key}") for key in cites.split())
    proof = Proof(("secret",), mentions, None, proof_at)
    place = Place("d", "ch", "s", position) if placed else None
    return Statement(f"c:{name}", "theorem", name, "", (f"text {name}",), (), (proof,), place=place)


def corpus_of(*statements):
    return Corpus("c", statements, Provenance("test", "fixed"))


BOOK = corpus_of(
    statement("a", 0),
    statement("b", 1, "a"),
    statement("q", 2, "a d a", proof_at=5),
    statement("d", 3, "b"),
    statement("unused", 4),
    statement("later", 5, "q"),
)
SPLITS = Splits("hand", Split((("c:b", 0),), ("c:q",)), Split(), Split((("c:q", 0),)))


def candidates(corpus, name):
    task = retrieval_task(corpus, SPLITS, "test", protocol(name))
    (excluded,) = task.excluded
    return {c.id.removeprefix("c:") for i, c in enumerate(task.candidates) if i not in excluded}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("paper", {"a", "b", "q", "d", "unused", "later"}),
        ("clean", {"a", "b", "d", "unused", "later"}),
        ("paper-joint", {"a", "b", "d"}),
        ("accessible", {"a", "b", "d", "unused"}),
        ("half-written", {"b", "d", "unused"}),
    ],
)
def test_candidates(name, expected):
    assert candidates(BOOK, name) == expected


def test_a_proof_that_follows_its_theorem_has_what_stands_before_the_theorem():
    moved = corpus_of(*(statement("q", 2, "a", proof_at=3) if s.label == "q" else s for s in BOOK.statements))
    assert candidates(moved, "accessible") == {"a", "b"}


def test_the_place_of_a_deferred_proof_is_the_proofs():
    (question,) = retrieval_task(BOOK, SPLITS, "test", protocol("accessible")).queries
    assert question.theorem.place.position == 5


def test_a_wiki_leaves_out_what_rests_on_the_theorem():
    wiki = corpus_of(*(statement(s.label, 0, " ".join(m.target for m in s.proofs[0].mentions), placed=False)
                       for s in BOOK.statements))  # fmt: skip
    assert candidates(wiki, "accessible") == {"a", "b", "d", "unused"}


def test_gold_is_a_set_and_the_sequence_keeps_repeats():
    (question,) = retrieval_task(BOOK, SPLITS, "test", protocol("clean")).queries
    assert question.id == "c:q#0"
    assert question.gold == ("c:a", "c:d")
    assert question.sequence == ("c:a", "c:d", "c:a")


def test_of_a_half_written_proof_the_first_citations_and_the_text_before_the_others_are_known():
    lines = (r"Easy. By \ref{a}", r"and \ref{b} we have $x$.", r"Now \ref{d} ends it.")
    mentions = tuple(Mention(key, "ref", line, f"c:{key}") for key, line in (("a", 7), ("b", 8), ("a", 8), ("d", 9)))
    theorem = Statement("c:q", "theorem", "q", "", ("text q",), (), (Proof(lines, mentions, Origin("f", 7)),))
    others = [s for s in BOOK.statements if s.label != "q"]
    corpus = corpus_of(*others, replace(theorem, place=Place("d", "ch", "s", 9)))
    (query,) = retrieval_task(corpus, SPLITS, "test", protocol("half-written")).queries
    assert query.theorem.cited_so_far == ("c:a",)
    assert query.gold == ("c:b", "c:d")
    assert query.theorem.text.split() == ["text", "q", "Easy.", "By"]


def test_a_proof_with_one_citation_cannot_be_half_written():
    (query,) = retrieval_task(BOOK, replace(SPLITS, test=Split((("c:d", 0),))), "test", protocol("in-project")).queries
    assert half_written(BOOK, query) is None


@pytest.mark.parametrize("name", PROTOCOLS)
def test_what_a_method_sees(name):
    task = retrieval_task(BOOK, SPLITS, "test", protocol(name))
    shown = [*task.candidates, *task.train.passages, *(q.theorem for q in task.queries)]
    assert all((passage.place is not None) == protocol(name).place for passage in shown)
    assert not any("secret" in passage.text or "secret" in passage.title for passage in shown)
    assert "c:q" not in {passage.id for passage in task.train.passages}
    assert {example.theorem.id for example in task.train.examples} == ({"c:b"} if protocol(name).learns else set())


@pytest.mark.parametrize(
    ("name", "learned", "remembered"),
    [
        ("clean", ["c:b"], None),
        ("accessible-hindsight", ["c:b"], None),
        ("accessible", ["c:b"], ["c:b"]),
        ("zero-shot", [], []),
        ("in-project", [], ["c:b", "c:q", "c:d", "c:later"]),
    ],
)
def test_which_proofs_are_learned_from_and_which_may_vote(name, learned, remembered):
    train = retrieval_task(BOOK, SPLITS, "test", protocol(name)).train
    assert [example.theorem.id for example in train.examples] == learned
    assert train.memory is None if remembered is None else [e.theorem.id for e in train.memory] == remembered


def test_a_remembered_proof_stands_where_it_is_written():
    memory = retrieval_task(BOOK, SPLITS, "test", protocol("in-project")).train.memory
    assert {proof.theorem.id: proof.theorem.place.position for proof in memory}["c:q"] == 5


def test_in_a_wiki_no_proof_comes_after_another():
    wiki = corpus_of(statement("a", 0, placed=False), statement("b", 1, "a", placed=False))
    splits = Splits("hand", Split((("c:b", 0),)), Split(), Split())
    assert retrieval_task(wiki, splits, "train", protocol("accessible")).train.memory is None
    assert retrieval_task(wiki, splits, "train", protocol("zero-shot")).train.memory == ()


def test_all_earlier_proofs_need_a_reading_order():
    wiki = corpus_of(statement("a", 0, placed=False), statement("b", 1, "a", placed=False))
    with pytest.raises(PlacesUnknown, match="no reading order"):
        retrieval_task(wiki, zero_shot_split(wiki), "test", protocol("in-project"))


def test_views_hide_title_or_contents():
    task = retrieval_task(BOOK, SPLITS, "test", protocol("clean"), view=TextView(contents=False))
    assert all(question.theorem.text == "" for question in task.queries)
    assert all(candidate.text == "" for candidate in task.candidates)


def test_labels_lend_their_words_but_not_their_numbers():
    labels = ("lemma-flat-base", "lemma-3.1", "lemma-zariski", "lemma-x2", "lemma-noether-flat", "lemma-open")
    words = label_words([statement(label, i) for i, label in enumerate(labels)])
    assert [words[f"c:{label}"] for label in labels] == ["base", "", "zariski", "", "noether", "open"]


def test_unknown_names():
    with pytest.raises(UnknownName, match="there are: train, valid, test, eval"):
        retrieval_task(BOOK, SPLITS, "dev", protocol("clean"))
    with pytest.raises(UnknownName, match="there are: paper"):
        protocol("fair")


def test_a_theorem_reads_the_same_as_a_question_and_as_a_candidate(primer):
    task = retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "valid", protocol("clean"))
    titles = {candidate.id: candidate.title for candidate in task.candidates}
    assert all(question.theorem.title == titles[question.theorem.id] for question in task.queries)
    shown = {passage.id: passage.title for passage in task.train.passages}
    assert all(titles[key] == title for key, title in shown.items())


def test_a_task_about_one_theorem_hides_its_proof_from_training():
    splits = Splits("leaf", Split(examples=(("c:b", 0), ("c:d", 0))), Split(), Split())
    task = task_about(BOOK, splits, "c:b", protocol("accessible"))
    assert [question.theorem.id for question in task.queries] == ["c:b"]
    assert task.queries[0].gold == ("c:a",)
    assert [example.theorem.id for example in task.train.examples] == ["c:d"]


def test_a_task_about_an_unproved_theorem_has_no_gold():
    bare = Statement("c:z", "theorem", "z", "", ("text z",), place=Place("d", "ch", "s", 9))
    corpus = corpus_of(*BOOK.statements, bare)
    task = task_about(corpus, Splits("leaf", Split(), Split(), Split()), "c:z", protocol("accessible"))
    assert task.queries[0].gold == ()
    assert {c.id for i, c in enumerate(task.candidates) if i not in set(task.excluded[0])} == {
        s.id for s in BOOK.statements
    }
