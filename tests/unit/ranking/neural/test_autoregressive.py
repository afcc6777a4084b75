"""The choice of one sequence by expected utility."""

import numpy as np

from naturalproofs.ranking.decoding import Utility
from naturalproofs.ranking.neural.autoregressive import best_sequence
from naturalproofs.ranking.neural.decode import Sample


def test_one_sequence_is_chosen_by_what_all_have_in_common():
    sure = [Sample((7, 8), 47, np.log(0.95)), Sample((1,), 1, np.log(0.02))]
    assert best_sequence(sure) == (7, 8)
    unsure = [Sample((1, i), 1, np.log(0.01)) for i in range(2, 32)]
    assert best_sequence(unsure) == (1,)
    free = best_sequence(unsure, Utility())
    assert len(free) > 1
    assert best_sequence([Sample((), 5, 0.0)]) == ()
