from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.ranking.term_vectors import (
    TermCounts,
    Vocabulary,
    against,
    against_all,
    best,
    inverted,
    largest,
    rank_of,
    relative,
    row_max,
    row_sum,
)

TEXTS = [("a", "b"), ("b", "c", "c"), (), ("d",)]
COUNTS = TermCounts.of(TEXTS)


def test_a_text_is_most_like_itself():
    vocabulary = Vocabulary.of(COUNTS)
    matrix = vocabulary.matrix(COUNTS)
    cosines = against_all(vocabulary.bag(TEXTS[1]), inverted(matrix))
    assert np.isclose(cosines[1], 1)
    assert cosines[0] > 0
    assert cosines[2] == cosines[3] == 0
    assert np.allclose(cosines, against(vocabulary.bag(TEXTS[1]), matrix))


def test_what_stands_everywhere_is_not_rare():
    vocabulary = Vocabulary.of(TermCounts.of([("a", "b"), ("a",), ("a",)]))
    assert vocabulary.rarity[vocabulary.index["a"]] == 0
    assert vocabulary.rarity[vocabulary.index["b"]] > 0


def test_one_text_is_weighed_as_many_are():
    vocabulary = Vocabulary.of(COUNTS)
    rows = vocabulary.matrix(COUNTS)
    for row, text in enumerate(TEXTS):
        bag = vocabulary.bag(text)
        assert rows[row].indices.tolist() == bag.terms.tolist()
        assert np.allclose(rows[row].data, bag.weights)


def test_the_largest_shared_weight_is_found_in_each_row():
    vocabulary = Vocabulary.of(COUNTS)
    found = largest(vocabulary.present(("a", "b")), vocabulary.presence(COUNTS))
    rarity = vocabulary.rarity
    assert np.allclose(found, [rarity[vocabulary.index["a"]], rarity[vocabulary.index["b"]], 0, 0])


def test_rows_may_be_empty():
    starts = np.array([0, 0, 2, 2, 3])
    values = np.array([1.0, 3.0, 2.0], dtype=np.float32)
    assert row_max(values, starts).tolist() == [0, 3, 0, 2]
    assert row_sum(values, starts).tolist() == [0, 4, 0, 2]
    assert row_max(values[:0], np.array([0, 0])).tolist() == [0]


def test_ranks_and_shares():
    values = np.array([1.0, 3.0, 2.0], dtype=np.float32)
    assert best(values, 2).tolist() == [1, 2]
    assert best(values, 9).tolist() == [1, 2, 0]
    assert rank_of(values).tolist() == [2, 0, 1]
    assert relative(values).tolist() == [np.float32(1 / 3), 1, np.float32(2 / 3)]
    assert relative(-values).tolist() == [0, 0, 0]


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
