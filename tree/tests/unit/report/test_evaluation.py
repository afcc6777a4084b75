"""Tables of runs and text of generated sequences."""

import pytest

from naturalproofs.apps.report.evaluation import (
    comparison_table,
    differences_table,
    evaluation_table,
    group_table,
    rankings_text,
    run_names,
    sequence_data,
    sequence_text,
)
from naturalproofs.benchmark.evaluation import Run, RunSpec, evaluate
from naturalproofs.errors import NotComparable, UnknownName
from naturalproofs.tasks.measures.generated import GeneratedSequence
from naturalproofs.tasks.measures.ranks import RankedQuery, by_size


def run(method, ranks, split="test", seed=0):
    spec = RunSpec(method, "c", "abc", "fixed", split, "leaf", "clean", seed)
    queries = tuple(RankedQuery(f"c:{n}#0", ("c:g",), (rank,), 50) for n, rank in enumerate(ranks))
    return Run(spec, queries, 50, 1.0, {"mAP": 50.0, "R@10": None}, {"mAP": (40.0, 60.0), "R@10": (None, None)})


def test_every_measure_is_a_row():
    table = evaluation_table(run("bm25", [1, 2]))
    assert table.title == "bm25 on c/test, protocol clean"
    assert table.rows == (("mAP", "50.00", "40.00 – 60.00"), ("R@10", None, None))


def test_groups_are_rows_and_empty_groups_have_no_values():
    found = run("bm25", [1, 4])
    rows = {row[0]: row[1:] for row in group_table(found, "size", by_size(found.queries)).rows}
    assert rows["1"][:3] == (2, 2, "62.50")
    assert rows["2"] == (0, 0, None, None, None, None, None)


def test_letters_mark_significant_differences():
    good, bad = run("good", [1] * 30), run("bad", [40] * 30)
    rows = comparison_table([bad, good]).rows
    assert [row[0] for row in rows] == ["a  bad", "b  good"]
    assert [row[1] for row in rows] == ["2.50", "100.00 a"]
    assert "a" not in comparison_table([good, good]).rows[0][1]


def test_settings_and_seeds_are_named_where_they_differ():
    def names(*runs):
        return run_names([run(method, [1], seed=seed) for method, seed in runs], short=True)

    assert names(("fusion(a=1)", 0), ("bm25", 0)) == ["fusion", "bm25"]
    assert names(("fusion(a=1)", 0), ("fusion(a=2)", 0)) == ["fusion(a=1)", "fusion(a=2)"]
    assert names(("hybrid", 0), ("hybrid", 1), ("bm25", 0)) == ["hybrid, seed 0", "hybrid, seed 1", "bm25"]


def test_the_largest_differences_come_first():
    table = differences_table(run("x", [1, 1, 3]), run("y", [1, 20, 4]), most=2)
    assert [row[0] for row in table.rows] == ["c:1#0", "c:2#0"]
    assert table.rows[0][1:] == ("100.0", "5.0", "1", "20")


def test_runs_of_different_tasks_are_not_compared():
    with pytest.raises(NotComparable, match="different tasks"):
        comparison_table([run("x", [1]), run("x", [1], split="valid")])


def test_the_rankings_of_one_theorem(primer):
    found = evaluate("bm25", primer, split="eval")
    statement = primer.by_id[found.queries[0].query.rpartition("#")[0]]
    text = rankings_text(primer, statement, [found])
    assert f"Ranks of what {found.queries[0].query} cites" in text
    assert text.count(" *") >= sum(rank <= 10 for rank in found.queries[0].ranks)
    with pytest.raises(UnknownName, match="has no query for"):
        rankings_text(primer, primer.find("def:group"), [found])


def test_a_generated_sequence(primer):
    group, lagrange = (primer.find(name).id for name in ("def:group", "thm:lagrange"))
    text = sequence_text(primer, GeneratedSequence(f"{lagrange}#0", (group, lagrange), (group,)))
    assert text.splitlines()[0].startswith("  1. ✓ def:group")
    assert text.splitlines()[1].startswith("  2.   thm:lagrange")
    assert text.splitlines()[-1] == "✓ 1 of the 1 references of the proof in the corpus"
    assert sequence_text(primer, GeneratedSequence("q#0", (), ())) == "no references predicted"
    data = sequence_data(primer, GeneratedSequence(f"{lagrange}#0", (group,), ()))
    assert data == {"theorem": lagrange, "predicted": [group], "labels": ["def:group"], "gold": []}
