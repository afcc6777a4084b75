"""What every first stage must do: the same suite over the arrays and over Lance, and the trees over both."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from naturalproofs.benchmark.evaluation import rank
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.ranking.candidate_index import ANYTHING, CandidateIndex, Entry, MemoryIndex, TermStatistics, Where
from naturalproofs.ranking.hybrid.ranker import shipped_boosters
from naturalproofs.ranking.hybrid.rerank import Collected, suggest
from naturalproofs.ranking.lexical import BM25
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import retrieval_task
from naturalproofs.tasks.measures.retrieval import MAP, compute_measures
from naturalproofs.tasks.protocols import passages, protocol
from naturalproofs.tasks.splits import leaf_split


@pytest.fixture(scope="module")
def entries(primer: Corpus) -> list[Entry]:
    return [
        Entry(
            passage,
            "primer" if number % 3 else "other",
            "CC BY" if number % 2 else "GFDL",
            tuple(dict.fromkeys(key for proof in statement.proofs for key in proof.references)),
        )
        for number, (passage, statement) in enumerate(zip(passages(primer.statements), primer.statements, strict=True))
    ]


def arrays(entries: list[Entry], _folder: Path) -> CandidateIndex:
    return MemoryIndex.build(entries)


def lance(entries: list[Entry], folder: Path) -> CandidateIndex:
    pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
    from support.entries import lance_index

    return lance_index(folder / f"collection{len(entries)}", entries)


@pytest.fixture(params=[arrays, lance])
def build(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[list[Entry]], CandidateIndex]:
    return lambda entries: request.param(entries, tmp_path)


def ids(index: CandidateIndex, text: str, k: int = 10, where: Where = ANYTHING) -> list[str]:
    return [one.passage.id for one in index.query(Passage("", "theorem", "", text), k=k, where=where).entries]


def test_finds_what_is_asked_for(build: Callable[[list[Entry]], CandidateIndex], entries: list[Entry]) -> None:
    index = build(entries)
    assert len(index) == len(entries)
    for entry in entries[::7]:
        found = index.query(entry.passage, k=5)
        assert entry.passage.id in [one.passage.id for one in found.entries]
        assert set(found.scores) == {"bm25", "title", "vector"}
        assert all(len(values) == len(found.entries) for values in found.scores.values())
        assert (np.diff(found.first) <= 0).all()


def test_entries_come_back_as_they_were(build: Callable[[list[Entry]], CandidateIndex], entries: list[Entry]) -> None:
    index = build(entries)
    wanted = [one.passage.id for one in entries[:20]]
    found = {one.passage.id: one for one in index.find([*wanted, "primer:none"])}
    assert [found[key] for key in wanted] == entries[:20]


def test_filters(build: Callable[[list[Entry]], CandidateIndex], entries: list[Entry]) -> None:
    index = build(entries)
    by_id = {one.passage.id: one for one in entries}
    text = "Every subgroup of a cyclic group is cyclic."
    for where in (
        Where(projects=["other"]),
        Where(projects=["other", "primer"], own="primer"),
        Where(excluded=ids(index, text, 3)),
    ):
        found = ids(index, text, 10, where)
        assert found
        assert all(where.allows(by_id[key]) for key in found)
    assert ids(index, text, 10, Where(projects=["it's none"])) == []


def test_the_project_of_a_question_comes_first(
    build: Callable[[list[Entry]], CandidateIndex], entries: list[Entry]
) -> None:
    """Statements of other projects are still found, and are less probable than they would be in their own."""
    index, query = build(entries), Passage("", "theorem", "", "Every subgroup of a cyclic group is cyclic.")
    found = index.query(query, k=10, where=Where(own="other"))
    assert set(found.scores) == {"bm25", "title", "vector", "own"}
    counts = [[one.project for one in first.entries].count("other") for first in (found, index.query(query, k=10))]
    assert len(found.entries) > counts[0] > counts[1]
    plain, prior = (
        {one.entry.passage.id: one for one in suggest(index, shipped_boosters(), query, k=200, where=where)}
        for where in (ANYTHING, Where(own="other"))
    )
    for key in plain.keys() & prior.keys():
        before, after = (each[key].answer.probability or 0.0 for each in (plain, prior))
        assert after == pytest.approx(before, abs=0.2) if plain[key].entry.project == "other" else after < before


def test_queries_without_known_terms(build: Callable[[list[Entry]], CandidateIndex], entries: list[Entry]) -> None:
    index = build(entries)
    assert ids(index, "") == []
    assert ids(index, "xyzzyx quuxly") == []
    assert ids(build([]), "group") == []


def test_the_trees_order_what_it_returns(build: Callable[[list[Entry]], CandidateIndex], entries: list[Entry]) -> None:
    found = suggest(
        build(entries), shipped_boosters(), Passage("", "theorem", "", "Every group of prime order is cyclic."), k=5
    )
    assert "primer:cor:prime-order-cyclic" in [one.entry.passage.id for one in found]
    assert all(0 <= (one.answer.probability or 0) <= 1 and one.answer.reasons for one in found)
    assert [one.answer.score for one in found] == sorted((one.answer.score for one in found), reverse=True)


def test_both_agree(entries: list[Entry], tmp_path: Path) -> None:
    """With few statements Lance compares all vectors too, and BM25 differs only in its constants."""
    exact, other = arrays(entries, tmp_path), lance(entries, tmp_path)
    shares = []
    for entry in entries[::5]:
        first, second = (
            {one.passage.id for one in index.query(entry.passage, k=20).entries} for index in (exact, other)
        )
        shares.append(len(first & second) / max(1, len(first)))
    assert np.mean(shares) > 0.8
    query = Passage("", "theorem", "", "The order of a subgroup divides the order of the group.")
    tops = [
        [one.entry.passage.id for one in suggest(index, shipped_boosters(), query, k=3)] for index in (exact, other)
    ]
    assert tops[0][0] == tops[1][0]


def test_the_rarest_terms_are_looked_up() -> None:
    statistics = TermStatistics.of([("", "group ring"), ("", "group field"), ("", "group ring module")])
    assert statistics.rarest("tokens", ["group", "ring", "group", "unseen", "field"], 3) == ["unseen", "field", "ring"]


def test_the_vectors_survive_the_table(entries: list[Entry], tmp_path: Path) -> None:
    from naturalproofs.ranking.hybrid.candidates import extract_terms

    exact, other = arrays(entries, tmp_path), lance(entries, tmp_path)
    tokens = extract_terms("", "Every subgroup of a cyclic group is cyclic.")["tokens"]
    assert np.allclose(exact.statistics.vector(tokens), other.statistics.vector(tokens), atol=1e-5)
    for view, frequencies in exact.statistics.frequency.items():
        for one, same in zip(frequencies, other.statistics.frequency[view], strict=True):
            assert np.array_equal(one, same)


@pytest.mark.parametrize("approximate", [False, True])
def test_the_scores_of_vectors(
    entries: list[Entry], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, approximate: bool
) -> None:
    """They are the products, whether all vectors are compared or bytes of an index; without known terms they are 0."""
    pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
    from naturalproofs.apps.collections import indexing

    if approximate:
        monkeypatch.setattr(indexing, "APPROXIMATE", 1)
    nothing = Entry(Passage("primer:nothing", "theorem", "", "xyzzyx quuxly"))
    other = lance([*entries, nothing], tmp_path)
    exact = MemoryIndex(other.statistics, [*entries, nothing])
    for entry in entries[::9]:
        first, second = (
            {one.passage.id: score for one, score in zip(found.entries, found.scores["vector"], strict=True)}
            for found in (index.query(entry.passage, k=len(entries)) for index in (exact, other))
        )
        assert "primer:nothing" not in second
        shared = sorted(first.keys() & second.keys())
        assert len(shared) > 20
        assert np.allclose([first[key] for key in shared], [second[key] for key in shared], atol=0.03)


@pytest.mark.parametrize("how", ["clean", "accessible"])
def test_what_a_collection_suggests_is_a_method(primer: Corpus, how: str) -> None:
    task = retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "eval", protocol(how))
    ranked = rank(Collected(), task).queries
    words = rank(BM25(), task).queries
    assert compute_measures(ranked, [MAP]).total(MAP) > compute_measures(words, [MAP]).total(MAP) + 0.03


def test_later_proofs_do_not_vote(primer: Corpus) -> None:
    task = retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "eval", protocol("accessible"))
    query = task.queries[len(task.queries) // 2].theorem
    assert query.place is not None
    here = query.place.position
    proofs = task.train.proofs
    later = {e.theorem.id for e in proofs if e.theorem.place is not None and e.theorem.place.position >= here}
    earlier = replace(task.train, memory=tuple(e for e in proofs if e.theorem.id not in later))
    assert later
    whole, part = (Collected().fit(t, seed=0).index(task.candidates).score([query]) for t in (task.train, earlier))
    assert np.array_equal(whole, part)
