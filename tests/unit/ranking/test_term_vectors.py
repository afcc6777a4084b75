import numpy as np

from naturalproofs.ranking.term_counts import TermCounts
from naturalproofs.ranking.term_vectors import (
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
