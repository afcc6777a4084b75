"""Stated probabilities beside what was cited."""

import numpy as np
import pytest

from naturalproofs.errors import BadSchema
from naturalproofs.tasks.measures.ranks import CalibrationBin, RankedQuery, calibration_curve, curve_of, ranked_queries


def query(cited: str, *probabilities: float) -> RankedQuery:
    return RankedQuery("q#0", tuple(cited), tuple(range(1, len(cited) + 1)), 9, tuple("abcdef"), probabilities)


def test_the_error_is_the_mean_distance_in_each_bin() -> None:
    found = calibration_curve([query("a", 0.9, 0.1), query("b", 0.9, 0.1)])
    assert found is not None
    assert found.bins == (CalibrationBin(0.1, 0.2, 2, 0.1, 0.5), CalibrationBin(0.9, 1.0, 2, 0.9, 0.5))
    assert (found.error, found.suggestions) == (0.4, 4)


def test_only_the_first_suggestions_count() -> None:
    found = calibration_curve([query("c", 0.5, 0.5, 1.0)], shown=2)
    assert found is not None
    assert (found.suggestions, found.error) == (2, 0.5)


def test_a_run_without_probabilities_has_no_curve() -> None:
    assert calibration_curve([query("a"), query("b")]) is None


def test_one_is_in_the_last_bin() -> None:
    found = curve_of(np.array([1.0, 1.0]), np.array([1.0, 1.0]))
    assert (found.error, found.bins[0].low, found.bins[0].high) == (0, 0.9, 1.0)


def test_probabilities_are_stored_up_to_the_first_that_is_missing() -> None:
    scores = np.array([[1.0, 3.0, 2.0, 0.0]])
    stated = np.array([[np.nan, 0.71234567, 0.2, 0.1]])
    (found,) = ranked_queries(scores, queries=["q#0"], gold=[["a"]], candidates="abcd", top=4, probabilities=stated)
    assert found.top == ("b", "c", "a", "d")
    assert found.probabilities == (0.7123, 0.2)


@pytest.mark.parametrize("probabilities", [(0.1,) * 7, (1.5,), (-0.1,), (float("nan"),)])
def test_impossible_probabilities_are_refused(probabilities: tuple[float, ...]) -> None:
    with pytest.raises(BadSchema, match="probabilit"):
        query("a", *probabilities)
