"""Ranks and best candidates under ties, exclusions and scores that are not numbers."""

import numpy as np
import pytest

from naturalproofs.errors import BadSchema, UnknownName
from naturalproofs.tasks.measures.ranks import (
    ABSENT,
    RankedQuery,
    by_category,
    by_kind,
    by_size,
    by_times_seen,
    gold_ranks,
    ranked_queries,
    top_candidates,
)

NAN, INF = float("nan"), float("inf")
ROW = np.array([[0.5, 0.9, 0.5, 0.1, 0.5]], dtype=np.float32)


def test_equal_scores_come_in_candidate_order():
    assert gold_ranks(ROW, [[0, 1, 2, 3, 4]]) == [(2, 1, 3, 5, 4)]
    assert top_candidates(ROW[0], 5).tolist() == [1, 0, 2, 4, 3]


def test_the_papers_rule_turns_equal_scores_round():
    assert gold_ranks(ROW, [[0, 1, 2, 3, 4]], tie="paper") == [(4, 1, 3, 5, 2)]
    assert top_candidates(ROW[0], 5, tie="paper").tolist() == [1, 4, 2, 0, 3]


def test_what_is_excluded_takes_no_rank():
    assert gold_ranks(ROW, [[0, 1, 2, 3, 4]], [[1]]) == [(1, None, 2, 4, 3)]
    assert gold_ranks(ROW, [[2, 3]], [[0, 0]]) == [(2, 4)]
    assert gold_ranks(ROW, [[2]], [[4]]) == [(3,)]
    assert gold_ranks(ROW, [[2]], [[0]], tie="paper") == [(3,)]
    assert gold_ranks(ROW, [[2, 1]], [range(2, 5)]) == [(None, 1)]
    assert top_candidates(ROW[0], 3, [1, 4]).tolist() == [0, 2, 3]
    assert top_candidates(ROW[0], 2, range(3), tie="paper").tolist() == [4, 3]


def test_what_is_absent_has_no_rank():
    assert gold_ranks(ROW, [[ABSENT, 1]]) == [(None, 1)]


@pytest.mark.parametrize(("tie", "ranks"), [("order", (3, 4, 1, 5, 2)), ("paper", (5, 4, 1, 3, 2))])
def test_not_a_number_is_minus_infinity(tie, ranks):
    scores = np.array([[NAN, -INF, INF, NAN, -1e30]], dtype=np.float32)
    assert gold_ranks(scores, [[0, 1, 2, 3, 4]], tie=tie) == [ranks]
    best = top_candidates(scores[0], 5, tie=tie).tolist()
    assert [best.index(column) + 1 for column in range(5)] == list(ranks)


def test_few_and_none():
    assert top_candidates(ROW[0], 0).tolist() == []
    assert top_candidates(ROW[0], 99).tolist() == [1, 0, 2, 4, 3]
    assert top_candidates(ROW[0], 3, range(5)).tolist() == []
    assert gold_ranks(np.empty((0, 3), dtype=np.float32), []) == []


def test_scores_become_ranked_queries():
    candidates = ["a", "b", "c", "d", "e"]
    found = ranked_queries(
        ROW, queries=["a"], gold=[("c", "zzz", "c", "d")], candidates=candidates, excluded=[[0]], top=2
    )
    assert found == (RankedQuery("a", ("c", "zzz", "d"), (2, None, 4), candidates=4, top=("b", "c")),)
    with pytest.raises(BadSchema, match=r"a table of \(1, 5\) for 2 queries and 5 candidates"):
        ranked_queries(ROW, queries=["a", "b"], gold=[(), ()], candidates=candidates)


@pytest.mark.parametrize(
    ("gold", "ranks", "message"),
    [
        (("a",), (1, 2), "1 gold references but 2 ranks"),
        (("a", "a"), (1, 2), "is repeated"),
        (("a", "b"), (2, 2), "share a rank"),
        (("a",), (4,), "outside 1 to 3"),
        (("a",), (0,), "outside 1 to 3"),
    ],
)
def test_a_ranked_query_does_not_contradict_itself(gold, ranks, message):
    with pytest.raises(BadSchema, match=f"ranked query q: .*{message}"):
        RankedQuery("q", gold, ranks, candidates=3)


def test_two_missed_references_are_no_contradiction():
    assert RankedQuery("q", ("a", "b"), (None, None), candidates=0).found == []


QUERIES = (
    RankedQuery("q1", ("t1", "d1", "t2"), (3, 1, None), 9, ("d1",)),
    RankedQuery("q2", ("t1",), (2,), 9),
    RankedQuery("q3", ("o1", "d1"), (9, 8), 9),
)
KINDS = {"t1": "theorem", "t2": "theorem", "d1": "definition", "o1": "other"}


def outline(groups):
    return {
        name: {query.query: dict(zip(query.gold, query.ranks, strict=True)) for query in group}
        for name, group in groups.items()
    }


def test_by_kind_keeps_ranks_and_leaves_out_empty_queries():
    assert outline(by_kind(QUERIES, KINDS)) == {
        "theorem": {"q1": {"t1": 3, "t2": None}, "q2": {"t1": 2}},
        "definition": {"q1": {"d1": 1}, "q3": {"d1": 8}},
        "other": {"q3": {"o1": 9}},
    }
    assert by_kind(QUERIES, KINDS)["theorem"][0].top == ("d1",)


def test_a_reference_of_no_known_kind_is_named():
    with pytest.raises(UnknownName, match="the kind of 'o1' is unknown"):
        by_kind(QUERIES, {name: kind for name, kind in KINDS.items() if name != "o1"})


def test_by_times_seen():
    groups = outline(by_times_seen(QUERIES, {"t1": 2, "d1": 3, "t2": 11}))
    assert list(groups) == ["unseen", "1–2", "3–10", "more"]
    assert groups["unseen"] == {"q3": {"o1": 9}}
    assert groups["1–2"] == {"q1": {"t1": 3}, "q2": {"t1": 2}}
    assert groups["more"] == {"q1": {"t2": None}}


@pytest.mark.parametrize(
    ("seen", "band"), [(0, "unseen"), (1, "1–2"), (2, "1–2"), (3, "3–10"), (10, "3–10"), (11, "more"), (999, "more")]
)
def test_edges_of_times_seen(seen, band):
    groups = by_times_seen((QUERIES[1],), {"t1": seen})
    assert [name for name, group in groups.items() if group] == [band]


@pytest.mark.parametrize(("size", "band"), [(1, "1"), (2, "2"), (3, "3–5"), (5, "3–5"), (6, "6+"), (60, "6+")])
def test_edges_of_sizes(size, band):
    query = RankedQuery("q", tuple(map(str, range(size))), (None,) * size, 9)
    assert [name for name, group in by_size((query,)).items() if group] == [band]


def test_no_gold_no_size():
    assert not any(by_size((RankedQuery("q", (), (), 9),)).values())


def test_by_category():
    groups = by_category(QUERIES, {"q1": ("b", "a", "b"), "q2": ["a"]})
    assert {name: [query.query for query in group] for name, group in groups.items()} == {
        "(none)": ["q3"],
        "a": ["q1", "q2"],
        "b": ["q1"],
    }
