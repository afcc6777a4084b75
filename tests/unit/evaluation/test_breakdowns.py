"""Breakdowns: members of the groups, unchanged ranks."""

import pytest

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.breakdowns import by_category, by_kind, by_size, by_times_seen
from naturalproofs.evaluation.measure import compute_measures
from naturalproofs.evaluation.ranking_measures import parse_measure
from naturalproofs.evaluation.ranks import RankedQuery

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


def test_the_papers_rule_keeps_empty_queries_which_only_its_own_measure_counts():
    kept = by_kind(QUERIES, KINDS, empty="keep")
    assert all(len(group) == 3 for group in kept.values())
    names = ["mAP", "R@8", "Full@8", "Full(empty=1)@8"]
    shown = compute_measures(kept["other"], [parse_measure(name) for name in names]).shown()
    assert shown == pytest.approx({"mAP": 100 / 9, "R@8": 0, "Full@8": 0, "Full(empty=1)@8": 200 / 3})


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
