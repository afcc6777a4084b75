"""Our measures against libraries that know nothing of us: trec_eval, NLTK, scikit-learn, RapidFuzz and SciPy."""

import math
import warnings
from fractions import Fraction

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import corpus_bleu
from rapidfuzz.distance import Levenshtein
from scipy import stats
from sklearn.metrics import average_precision_score, f1_score, ndcg_score
from sklearn.preprocessing import MultiLabelBinarizer

from naturalproofs.tasks.measures.generated import GeneratedSequence, edit_distance
from naturalproofs.tasks.measures.ranks import ranked_queries
from naturalproofs.tasks.measures.retrieval import compute_measures, parse_measure
from naturalproofs.tasks.measures.significance import bootstrap_intervals
from support.measures import GENERATION, randomisation_test

QUERIES, CANDIDATES = 60, 150
CUTOFFS = (1, 5, 10, 100)
SEQUENCES = st.lists(st.integers(0, 3), max_size=12).map(tuple)


@pytest.fixture(scope="module")
def retrieval():
    """Scores without ties (libraries break them by name), gold references, and our outcomes."""
    generator = np.random.default_rng(11)
    scores = generator.permutation(QUERIES * CANDIDATES).reshape(QUERIES, CANDIDATES).astype(np.float32)
    names = [f"d{n}" for n in range(CANDIDATES)]
    # The last of these is no candidate: it is gold that cannot be found.
    pool = [*names, "missing"]
    gold = [generator.choice(pool, generator.integers(1, 13), replace=False).tolist() for _ in range(QUERIES)]
    gold[0] = ["missing"]
    queries = [f"q{n}" for n in range(QUERIES)]
    ours = ranked_queries(scores, queries=queries, gold=gold, candidates=names)
    qrels = {query: dict.fromkeys(references, 1) for query, references in zip(queries, gold, strict=True)}
    run = {q: {d: float(s) for d, s in zip(names, row, strict=True)} for q, row in zip(queries, scores, strict=True)}
    return ours, qrels, run


def per_query(ours, name):
    measure = parse_measure(name)
    return dict(
        zip((q.query for q in ours), compute_measures(ours, [measure]).per_query(measure).tolist(), strict=True)
    )


PYTREC = {"mAP": "map", "RR": "recip_rank"} | {
    f"{name}@{k}": f"{theirs}_{k}"
    for k in CUTOFFS
    for name, theirs in (("R", "recall"), ("P", "P"), ("nDCG", "ndcg_cut"), ("Hit", "success"))
}


@pytest.mark.parametrize("name", PYTREC)
def test_every_query_as_trec_eval(retrieval, name):
    ours, qrels, run = retrieval
    theirs = PYTREC[name]
    asked = {theirs if "_" not in theirs or theirs == "recip_rank" else ".".join(theirs.rsplit("_", 1))}
    found = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    assert per_query(ours, name) == pytest.approx({query: values[theirs] for query, values in found.items()})


@pytest.mark.parametrize("name", ["mAP", "RR", "P@10", "nDCG@10", "nDCG@100", "R@10", "R@100"])
def test_every_query_as_ir_measures(retrieval, name):
    ours, qrels, run = retrieval
    measure = ir_measures.parse_measure({"mAP": "AP"}.get(name, name))
    found = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, run)}
    assert per_query(ours, name) == pytest.approx(found)


@pytest.mark.parametrize("k", CUTOFFS)
def test_recall_and_full_recovery_of_all_by_hand(retrieval, k):
    ours, qrels, run = retrieval
    found = pytrec_eval.RelevanceEvaluator(qrels, {f"recall.{k}"}).evaluate(run)
    recalls = {query: values[f"recall_{k}"] for query, values in found.items()}
    hits = sum(round(recall * len(qrels[query])) for query, recall in recalls.items())
    recall, full = parse_measure(f"R@{k}"), parse_measure(f"Full@{k}")
    results = compute_measures(ours, [recall, full])
    assert results.total(recall) == float(Fraction(hits, sum(map(len, qrels.values()))))
    assert results.total(full) == pytest.approx(np.mean([value == 1 for value in recalls.values()]))


def test_average_precision_and_gain_as_scikit_learn(retrieval):
    """Where all gold can be found, for scikit-learn knows no other."""
    ours, qrels, run = retrieval
    precision, gain = per_query(ours, "mAP"), per_query(ours, "nDCG@10")
    for query, scores in run.items():
        if "missing" in qrels[query]:
            continue
        relevant = [int(candidate in qrels[query]) for candidate in scores]
        assert precision[query] == pytest.approx(average_precision_score(relevant, list(scores.values())))
        assert gain[query] == pytest.approx(ndcg_score([relevant], [list(scores.values())], k=10))


def sequences(pairs):
    return [GeneratedSequence(str(number), *pair) for number, pair in enumerate(pairs)]


def total(pairs, name):
    measure = GENERATION[name]
    return compute_measures(sequences(pairs), [measure]).total(measure)


@pytest.mark.parametrize("order", [1, 2, 4])
@settings(max_examples=150)
@given(pairs=st.lists(st.tuples(SEQUENCES, SEQUENCES.filter(bool)), min_size=1, max_size=8))
def test_bleu_as_nltk(order, pairs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns where no n-gram of an order matches, and gives about 1e-77.
        theirs = corpus_bleu([[true] for _, true in pairs], [p for p, _ in pairs], weights=(1 / order,) * order)
    assert total(pairs, f"BLEU{order}") == pytest.approx(theirs, rel=1e-9, abs=1e-50)


@given(SEQUENCES, SEQUENCES)
def test_edit_distance_as_rapidfuzz(predicted, true):
    assert edit_distance(predicted, true) == Levenshtein.distance(predicted, true)


@given(st.lists(st.tuples(SEQUENCES, SEQUENCES.filter(bool)), min_size=1, max_size=8))
def test_f1_as_scikit_learn(pairs):
    def numbered(sequence):
        """A multiset as a set: the second `a` is not the first."""
        return {(item, sequence[:place].count(item)) for place, item in enumerate(sequence)}

    for view, labels in (("set", set), ("multiset", numbered)):
        predicted, true = [labels(p) for p, _ in pairs], [labels(t) for _, t in pairs]
        # Two labels that nobody uses, for scikit-learn takes a single column for another task.
        binarizer = MultiLabelBinarizer().fit([*predicted, *true, labels((98, 99))])
        matrices = binarizer.transform(true), binarizer.transform(predicted)
        assert total(pairs, f"{view} F1") == pytest.approx(f1_score(*matrices, average="micro", zero_division=0))
        assert total(pairs, f"{view} F1 mean") == pytest.approx(f1_score(*matrices, average="samples", zero_division=0))


@pytest.fixture(scope="module")
def two_runs(retrieval):
    """The outcomes, and those of a noisy copy that is a little better."""
    generator = np.random.default_rng(5)
    ours, qrels, run = retrieval
    names = list(run["q0"])
    scores = np.array([list(row.values()) for row in run.values()])
    better = [[candidate in qrels[query] for candidate in names] for query in run]
    noisy = scores + generator.normal(0, 1000, scores.shape) + 400 * np.array(better)
    gold = [list(references) for references in qrels.values()]
    other = ranked_queries(noisy, queries=list(run), gold=gold, candidates=names)
    measures = [parse_measure(name) for name in ("mAP", "R@10", "R@100")]
    return compute_measures(ours, measures), compute_measures(other, measures)


@pytest.mark.parametrize("name", ["mAP", "R@10", "R@100"])
def test_bootstrap_as_scipy(two_runs, name):
    measure = parse_measure(name)
    parts = two_runs[0].parts[measure]

    def statistic(numerator, denominator, axis):
        return numerator.sum(axis=axis) / denominator.sum(axis=axis)

    theirs = stats.bootstrap(
        (parts[:, 0], parts[:, 1]), statistic, paired=True, vectorized=True, n_resamples=20_000,
        method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    low, high = theirs.confidence_interval
    ours = bootstrap_intervals(two_runs[0], resamples=20_000)[measure]
    # Each end has its own sampling error, a few hundredths of the width.
    assert ours == pytest.approx((low, high), abs=0.04 * (high - low))


@pytest.mark.parametrize("name", ["mAP", "R@10", "R@100"])
@pytest.mark.parametrize("size", [8, 60])
def test_randomisation_as_scipy(two_runs, name, size):
    """With few queries both try all swaps and must agree; with many, within the error of drawing them."""
    measure = parse_measure(name)
    one, other = (type(run)(run.queries[:size], {m: p[:size] for m, p in run.parts.items()}) for run in two_runs)
    denominator = one.parts[measure][:, 1].sum()

    def statistic(first, second, axis):
        return (first.sum(axis=axis) - second.sum(axis=axis)) / denominator

    theirs = stats.permutation_test(
        (one.parts[measure][:, 0], other.parts[measure][:, 0]), statistic, permutation_type="samples", vectorized=True,
        n_resamples=20_000, alternative="two-sided", rng=np.random.default_rng(2),
    )  # fmt: skip
    difference, p = randomisation_test(one, other, measure, permutations=20_000)
    assert difference == pytest.approx(theirs.statistic)
    error = 4 * math.sqrt(2 * p * (1 - p) / 20_000) if size > 8 else 1e-9
    assert p == pytest.approx(theirs.pvalue, abs=max(error, 1e-9))
