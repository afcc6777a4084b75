import numpy as np

from naturalproofs.evaluation.generation_measures import edit_distance
from naturalproofs.ranking.decoding import Utility, assembled, best_length, best_sampled, common, edits


def test_names_are_added_while_they_are_worth_their_cost():
    probable = np.array([0.9, 0.5, 0.2, 0.05])
    assert best_length(probable, Utility(right=2, name=0.3), longest=10) == 3
    assert best_length(probable, Utility(right=2, name=1.2), longest=10) == 1
    assert best_length(probable, Utility(right=2, name=0.01), longest=2) == 2


def test_at_least_one_is_named_if_there_is_one():
    assert best_length(np.array([0.01]), Utility(name=5), longest=10) == 1
    assert best_length(np.zeros(0), Utility(name=5), longest=10) == 0


def test_an_exact_list_is_worth_stopping_for():
    probable = np.array([0.95, 0.4])
    assert best_length(probable, Utility(right=2, name=0.5), longest=5) == 2
    assert best_length(probable, Utility(right=2, name=0.5, exact=5), longest=5) == 1


def test_a_learned_value_by_length_is_added():
    probable = np.array([0.6, 0.5, 0.4])
    assert best_length(probable, Utility(right=0, name=0), longest=3, extra=np.array([0.1, 0.7, 0.3])) == 2


def test_the_sample_with_most_in_common_wins():
    samples = [(1, 2, 3), (1, 2), (1, 2, 4), (9,)]
    found = best_sampled(samples, np.array([0.3, 0.3, 0.3, 0.1]), Utility(right=1, name=0.4))
    assert found == (1, 2)
    assert best_sampled([], np.zeros(0), Utility()) == ()


def test_a_sequence_no_sample_has_can_be_assembled():
    samples = [(1, 2, 5), (1, 3, 2), (4, 1, 2)]
    weights = np.full(3, 1 / 3)
    assert (1, 2) in assembled(samples, weights)
    assert best_sampled(samples, weights, Utility(right=1, name=0.5)) == (1, 2)


def test_all_pairs_are_compared_as_single_ones_are():
    options, samples = [(1,), (2, 1), (1, 1, 3)], [(1, 2), (3,), (1, 1, 1, 3)]
    for row, option in enumerate(options):
        for column, sample in enumerate(samples):
            share = min(1.0, edit_distance(option, sample) / len(sample))
            assert edits(options, samples)[row, column] == share
    assert common(options, samples).tolist() == [[1, 0, 1], [2, 0, 1], [1, 1, 3]]
