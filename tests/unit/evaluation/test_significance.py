"""Intervals, tests and correction: by hand, by seed, and what is not comparable."""

import math

import numpy as np
import pytest

from naturalproofs.errors import NotComparable
from naturalproofs.tasks.measures import significance
from naturalproofs.tasks.measures.ranks import RankedQuery
from naturalproofs.tasks.measures.retrieval import Results, compute_measures, parse_measure
from naturalproofs.tasks.measures.significance import bootstrap_intervals, compare, holm
from support.measures import randomisation_test

MAP, RECALL = parse_measure("mAP"), parse_measure("R@10")


def run(*ranks):
    """One query for each tuple of ranks."""
    queries = [RankedQuery(f"q{n}", tuple(map(str, r)), r, 10_000) for n, r in enumerate(ranks)]
    return compute_measures(queries, [MAP, RECALL])


def drawn(seed, size, worst=60):
    generator = np.random.default_rng(seed)
    return run(*(tuple(generator.choice(worst, generator.integers(1, 4), replace=False) + 1) for _ in range(size)))


def test_intervals_hold_the_value_repeat_and_narrow():
    small, large = drawn(0, 50), drawn(0, 800)
    for measure in (MAP, RECALL):
        low, high = bootstrap_intervals(large)[measure]
        assert low < large.total(measure) < high
        wide = bootstrap_intervals(small)[measure]
        assert wide[1] - wide[0] > 2 * (high - low)
    assert bootstrap_intervals(large, seed=3) == bootstrap_intervals(large, seed=3)
    assert bootstrap_intervals(large, seed=3) != bootstrap_intervals(large, seed=4)
    assert bootstrap_intervals(large, level=0.5)[MAP][1] < bootstrap_intervals(large)[MAP][1]


def test_equal_queries_leave_no_doubt():
    assert bootstrap_intervals(run((2,), (2,), (2,)))[MAP] == (0.5, 0.5)


def test_no_queries_no_interval():
    assert math.isnan(bootstrap_intervals(run())[MAP][0])


def test_blocks_do_not_lose_resamples(monkeypatch):
    monkeypatch.setattr(significance, "_CELLS", 120)
    results = drawn(1, 50)
    low, high = bootstrap_intervals(results, resamples=501)[MAP]
    assert low < results.total(MAP) < high
    _, p = randomisation_test(results, drawn(2, 50), MAP, permutations=501)
    assert p * 502 == pytest.approx(round(p * 502))


def test_small_runs_are_tested_exactly():
    """Three queries, the first always better: of eight swaps, none and all are as extreme."""
    better, worse = run((1,), (1,), (1,)), run((2,), (3,), (4,))
    difference, p = randomisation_test(better, worse, MAP)
    assert difference == pytest.approx(1 - (1 / 2 + 1 / 3 + 1 / 4) / 3)
    assert p == 2 / 8
    assert randomisation_test(worse, better, MAP) == (pytest.approx(-difference), 2 / 8)


def test_micro_averages_are_formed_anew():
    """Where the mean of recalls sees no difference, all hits over all gold do."""
    first, second = run((1, 2, 3, 4, 5), (11,), (1,)), run((11, 12, 13, 14, 15), (1,), (1,))
    assert randomisation_test(first, second, RECALL) == (pytest.approx(6 / 7 - 2 / 7), 1)
    assert first.per_query(RECALL).mean() == second.per_query(RECALL).mean()
    first, second = run((1, 2, 3, 4, 5), (1,), (1,)), run((11, 12, 13, 14, 15), (11,), (1,))
    assert randomisation_test(first, second, RECALL) == (pytest.approx(6 / 7), 2 / 4)


def test_equal_runs_do_not_differ():
    assert randomisation_test(drawn(1, 30), drawn(1, 30), MAP) == (0, 1)


def test_a_clear_difference_is_found_and_the_seed_decides():
    good, poor = drawn(5, 100, worst=10), drawn(6, 100, worst=200)
    difference, p = randomisation_test(good, poor, MAP, permutations=999)
    assert difference > 0.2
    assert p == 1 / 1000
    unclear = drawn(7, 100), drawn(8, 100)
    assert randomisation_test(*unclear, MAP, seed=1) == randomisation_test(*unclear, MAP, seed=1)
    assert randomisation_test(*unclear, MAP, seed=1) != randomisation_test(*unclear, MAP, seed=2)


def test_incomparable_runs_are_an_error():
    with pytest.raises(NotComparable, match="different queries \\(2 and 3\\)"):
        randomisation_test(run((1,), (2,)), run((1,), (2,), (3,)), MAP)
    results = run((1,))
    with pytest.raises(NotComparable, match="lacks the measure mAP"):
        randomisation_test(results, Results(results.queries, {RECALL: results.parts[RECALL]}), MAP)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


def test_all_pairs_are_corrected_together():
    runs = {"a": drawn(1, 40, 10), "b": drawn(2, 40), "c": drawn(3, 40)}
    found = compare(runs, [MAP, RECALL])
    assert [(c.first, c.second, str(c.measure)) for c in found[:3]] == [
        ("a", "b", "mAP"),
        ("a", "b", "R@10"),
        ("a", "c", "mAP"),
    ]
    assert len(found) == 6
    assert [c.adjusted for c in found] == holm([c.p for c in found])
    assert found[0].difference == pytest.approx(runs["a"].total(MAP) - runs["b"].total(MAP))
