"""What holds for any ranking and any sequence: ranks against a sort, bounds, monotony, invariance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.benchmark.reproduce import ORACLES, predict
from naturalproofs.records import KINDS
from naturalproofs.tasks.measures.generated import GeneratedSequence, edit_distance
from naturalproofs.tasks.measures.ranks import (
    RankedQuery,
    by_kind,
    by_size,
    by_times_seen,
    gold_ranks,
    top_candidates,
)
from naturalproofs.tasks.measures.retrieval import DEFAULT_MEASURES, compute_measures, parse_measure
from naturalproofs.tasks.measures.significance import bootstrap_intervals, holm
from support.measures import GENERATION, randomisation_test

SCORES = st.sampled_from([-np.inf, np.nan, -1.0, 0.0, -0.0, 0.5, 1.0, np.inf])
SEQUENCES = st.lists(st.integers(0, 4), max_size=9).map(tuple)


@st.composite
def ranked_queries(draw):
    candidates = draw(st.integers(1, 30))
    found = draw(st.lists(st.integers(1, candidates), unique=True, max_size=6))
    ranks = draw(st.permutations([*found, *[None] * draw(st.integers(0, 2))]))
    return RankedQuery("q", tuple(f"g{n}" for n in range(len(ranks))), tuple(ranks), candidates)


RUNS = st.lists(ranked_queries(), min_size=1, max_size=12)


@given(st.data())
def test_ranks_are_those_of_a_sort(data):
    row = data.draw(st.lists(SCORES, min_size=1, max_size=20))
    out = data.draw(st.lists(st.integers(0, len(row) - 1), max_size=6))
    tie = data.draw(st.sampled_from(["order", "paper"]))
    k = data.draw(st.integers(0, 22))
    scores = np.array([row], dtype=np.float32)
    sign = 1 if tie == "order" else -1
    least = [-np.inf if math.isnan(score) else score for score in row]
    order = sorted((c for c in range(len(row)) if c not in out), key=lambda c: (-least[c], sign * c))
    expected = tuple(order.index(c) + 1 if c in order else None for c in range(len(row)))
    assert gold_ranks(scores, [range(len(row))], [out], tie=tie) == [expected]
    assert top_candidates(scores[0], k, out, tie=tie).tolist() == order[:k]


@given(st.integers(1, 10**9 - 1), st.sampled_from(["R", "Full", "P", "nDCG", "Hit"]))
def test_names_with_a_cutoff_print_and_parse(k, name):
    assert str(parse_measure(f"{name}@{k}")) == f"{name}@{k}"


@given(RUNS)
def test_ranking_measures_stay_between_nothing_and_all(queries):
    for value in compute_measures(queries, DEFAULT_MEASURES).shown().values():
        assert value is None or 0 <= value <= 100 + 1e-10


@given(RUNS, st.integers(1, 20), st.sampled_from(["R", "Full", "Hit"]))
def test_a_deeper_cutoff_finds_no_less(queries, k, name):
    shallow, deep = (parse_measure(f"{name}@{cutoff}") for cutoff in (k, k + 1))
    results = compute_measures(queries, [shallow, deep])
    if not math.isnan(results.total(deep)):
        assert results.total(shallow) <= results.total(deep)


@given(ranked_queries(), st.integers(1, 20))
def test_full_recall_hit_agree_on_one_query(query, k):
    full, recall, hit = (parse_measure(f"{name}@{k}").parts(query)[0] for name in ("Full", "R", "Hit"))
    if query.gold:
        assert (full == 1) == (recall == len(query.gold))
        assert (hit == 1) == (recall > 0)


@given(st.integers(1, 8), st.integers(0, 20))
def test_a_perfect_ranking_is_perfect(gold, rest):
    query = RankedQuery("q", tuple(map(str, range(gold))), tuple(range(1, gold + 1)), gold + rest)
    found = compute_measures([query], [parse_measure(name) for name in ("mAP", "RR", "nDCG@10", "R@10", "Full@10")])
    assert found.shown() == pytest.approx(dict.fromkeys(found.shown(), 100))


@given(ranked_queries())
def test_moving_a_reference_up_never_hurts(query):
    taken = set(query.found)
    free = [rank for rank in range(1, query.candidates + 1) if rank not in taken]
    last = max(taken, default=0)
    if free and free[0] < last:
        better = tuple(free[0] if rank == last else rank for rank in query.ranks)
        moved = RankedQuery("q", query.gold, better, query.candidates)
        for measure in DEFAULT_MEASURES:
            assert measure.parts(moved)[0] >= measure.parts(query)[0] - 1e-12, measure


@given(RUNS, st.randoms(use_true_random=False))
def test_order_and_halves_do_not_matter(queries, random):
    """Parts add: the whole is what its pieces sum to, in any order."""
    shuffled = random.sample(queries, len(queries))
    whole, again = compute_measures(queries, DEFAULT_MEASURES), compute_measures(shuffled, DEFAULT_MEASURES)
    assert whole.shown() == pytest.approx(again.shown(), nan_ok=True)
    half = len(queries) // 2
    pieces = [compute_measures(part, DEFAULT_MEASURES) for part in (queries[:half], queries[half:])]
    for measure in DEFAULT_MEASURES:
        sums = sum(piece.parts[measure].sum(axis=0) for piece in pieces)
        assert float(measure.value(sums)) == pytest.approx(whole.total(measure), nan_ok=True)


@given(RUNS, st.data())
def test_breakdowns_share_out_all_hits(queries, data):
    """Recall counts each gold reference once, so its numerators add over the groups of a partition."""
    names = sorted({reference for query in queries for reference in query.gold})
    kinds = {name: data.draw(st.sampled_from(KINDS)) for name in names}
    seen = {name: data.draw(st.integers(0, 30)) for name in names}
    recall = parse_measure("R@10")
    whole = compute_measures(queries, [recall]).parts[recall].sum(axis=0)
    for groups in (
        by_kind(queries, kinds),
        by_times_seen(queries, seen),
        by_size(queries),
    ):
        assert (
            sum(compute_measures(g, [recall]).parts[recall].sum(axis=0) for g in groups.values()).tolist()
            == whole.tolist()
        )


@given(st.lists(st.tuples(SEQUENCES, SEQUENCES), min_size=1, max_size=6))
def test_generation_measures_stay_in_bounds_and_order(pairs):
    found = compute_measures([GeneratedSequence("q", *pair) for pair in pairs], list(GENERATION.values())).shown()
    if found["EM"] is None:
        assert not any(true for _, true in pairs)
        return
    assert all(0 <= value <= 100 + 1e-9 for name, value in found.items() if name != "Len")
    assert found["EM"] <= found["multiset EM"] <= found["set EM"]
    assert found["EM"] <= 100 - found["Edit"] + 1e-9


@given(SEQUENCES, SEQUENCES, SEQUENCES)
def test_edit_distance_is_a_distance(a, b, c):
    assert (edit_distance(a, b) == 0) == (a == b)
    assert edit_distance(a, b) == edit_distance(b, a)
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)
    assert abs(len(a) - len(b)) <= edit_distance(a, b) <= max(len(a), len(b))


@given(st.lists(SEQUENCES.filter(bool), min_size=1, max_size=6), st.integers(0, 99))
def test_oracles_know_what_they_know(sequences, seed):
    examples = [(f"q{n}", true) for n, true in enumerate(sequences)]
    found = {
        n: compute_measures(predict(g, examples, seed=seed), list(GENERATION.values())).shown()
        for n, g in ORACLES.items()
    }
    assert found["set"]["set F1"] == found["set"]["set EM"] == 100
    assert found["multiset"]["multiset F1"] == found["multiset"]["BLEU1"] == pytest.approx(100)
    assert found["multiset"]["Len"] == 1
    assert found["halfseq"]["EM"] == 0
    assert found["halfseq"]["Len"] <= 0.5


@given(RUNS)
def test_intervals_hold_their_measure_within_its_range(queries):
    results = compute_measures(queries, DEFAULT_MEASURES)
    per_query = {measure: results.per_query(measure) for measure in DEFAULT_MEASURES}
    for measure, (low, high) in bootstrap_intervals(results, resamples=50).items():
        counted = per_query[measure][~np.isnan(per_query[measure])]
        if len(counted):
            assert counted.min() - 1e-12 <= low <= high <= counted.max() + 1e-12


@given(RUNS, st.randoms(use_true_random=False))
def test_a_randomisation_test_does_not_care_who_is_first(queries, random):
    other = [RankedQuery(q.query, q.gold, tuple(random.sample(range(1, 40), len(q.gold))), 40) for q in queries]
    first, second = compute_measures(queries, DEFAULT_MEASURES), compute_measures(other, DEFAULT_MEASURES)
    for measure in DEFAULT_MEASURES:
        forth, back = randomisation_test(first, second, measure), randomisation_test(second, first, measure)
        assert forth[0] == pytest.approx(-back[0], nan_ok=True)
        assert forth[1] == back[1]
        assert 0 < forth[1] <= 1


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_lies_between_the_plain_and_bonferroni(p_values):
    adjusted = holm(p_values)
    for plain, corrected in zip(p_values, adjusted, strict=True):
        assert plain <= corrected <= min(1, plain * len(p_values))
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [a for _, a in pairs] == sorted(adjusted)
