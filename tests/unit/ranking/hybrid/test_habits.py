"""Habits: what the proofs before a query say about how its author cites, and nothing that stands later."""

from dataclasses import replace

import numpy as np
import pytest

from naturalproofs.ranking.hybrid.features import _lift, features
from naturalproofs.ranking.hybrid.first_stage import BINS, HybridIndex, distance_bins, first_stage


def table(passages, examples, query):
    index = HybridIndex.of(passages, examples, None, pool=10_000, strict=True)
    pooled = first_stage(index, query)
    found = features(index, pooled)
    columns = {name: found.values[:, i] for i, name in enumerate(found.names)}
    return [index.candidates.passages[row] for row in pooled.pool], columns


def test_later_proofs_and_the_own_tell_nothing(placed):
    query = placed.examples[150].theorem
    earlier = [e for e in placed.examples if e.theorem.place.position < query.place.position]
    _, all_of_them = table(placed.passages, placed.examples, query)
    _, before = table(placed.passages, earlier, query)
    for name, values in before.items():
        assert np.allclose(values, all_of_them[name], equal_nan=True), name


def test_without_a_proof_nothing_is_known(placed):
    _, columns = table(placed.passages, (), placed.examples[150].theorem)
    unknown = [name for name in columns if name.startswith(("habits/", "counts/"))]
    assert unknown
    assert all(np.isnan(columns[name]).all() for name in unknown)
    assert not np.isnan(columns["place/distance"]).any()


def test_an_author_who_cites_only_lemmas(placed):
    """Forms that the proofs cite are lifted, others lowered."""
    forms = {p.id: "lemma" if i % 3 else "remark" for i, p in enumerate(placed.passages)}
    passages = tuple(replace(p, form=forms[p.id]) for p in placed.passages)
    examples = [replace(e, references=tuple(r for r in e.references if forms[r] == "lemma")) for e in placed.examples]
    found, columns = table(passages, [e for e in examples if e.references], placed.examples[200].theorem)
    by_form = {form: columns["habits/form"][[p.form == form for p in found]] for form in ("lemma", "remark")}
    assert by_form["lemma"].min() > 0 > by_form["remark"].max()


def test_few_citations_say_little():
    there = np.repeat([0, 1], 50)
    little, much = (_lift(np.zeros(n, dtype=np.int64), there, 2)[0] for n in (1, 1000))
    assert 0 < little < 0.1
    assert much == pytest.approx(np.log(2), abs=0.01)


def test_distances_by_powers_of_two():
    assert distance_bins(np.array([1, 2, 3, 4, 1e9, 0, -5], dtype=np.float32)).tolist() == [
        0,
        1,
        1,
        2,
        BINS - 1,
        -1,
        -1,
    ]
