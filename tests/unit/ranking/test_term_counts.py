from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.term_counts import TermCounts

texts = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8).map(tuple), max_size=6)


def told(counts: TermCounts) -> list[Counter]:
    found = []
    for row in range(len(counts)):
        span = slice(counts.starts[row], counts.starts[row + 1])
        columns = counts.columns[span].tolist()
        assert columns == sorted(columns)
        found.append(Counter({counts.terms[c]: int(n) for c, n in zip(columns, counts.counts[span], strict=True)}))
    return found


@given(texts)
def test_texts_are_counted(some):
    counts = TermCounts.of(some)
    assert told(counts) == [Counter(text) for text in some]
    assert list(counts.terms) == sorted({term for text in some for term in text})
    assert counts.lengths.tolist() == [len(text) for text in some]
    assert counts.document_frequency.tolist() == [sum(term in text for text in some) for term in counts.terms]


@given(texts, texts, st.data())
def test_old_and_new_texts_together_are_as_if_counted_at_once(old, new, data):
    order = data.draw(st.lists(st.integers(0, max(len(old) + len(new) - 1, 0)), max_size=8))
    both = TermCounts.of(old).followed_by(TermCounts.of(new))
    assert told(both) == [Counter(text) for text in (*old, *new)]
    if old or new:
        chosen = both.rows(order)
        chosen = chosen.only(chosen.document_frequency > 0)
        afresh = TermCounts.of([(*old, *new)[at] for at in order])
        assert list(chosen.terms) == list(afresh.terms)
        assert told(chosen) == told(afresh)


@given(texts)
def test_terms_outside_an_index_are_not_counted(some):
    counts = TermCounts.known(some, {"b": 0, "d": 1})
    assert told(counts) == [Counter(term for term in text if term in "bd") for text in some]
    again = TermCounts.of(some).within({"b": 0, "d": 1})
    assert (told(again), list(again.terms)) == (told(counts), ["b", "d"])


def test_rare_terms_can_be_left_out():
    counts = TermCounts.of([("a", "b"), ("b", "c", "c"), ()])
    assert told(counts.only(counts.document_frequency > 1)) == [Counter("b"), Counter("b"), Counter()]
    assert np.array_equal(counts.only(np.ones(3, dtype=bool)).columns, counts.columns)
