"""How many suggestions are enough, and with which probability."""

import pytest

from naturalproofs.ranking.contract import RankedCandidate
from naturalproofs.workspace.coverage import FITTED, LARGEST, LIKELY, Coverage, coverage


def ranked(*chances):
    return [RankedCandidate(position, 0.0, chance) for position, chance in enumerate(chances)]


def test_enough_leaves_nothing_likely_beyond():
    found = coverage(ranked(0.9, 0.8, 0.3, 0.2, 0.05), 10, candidates=0)
    assert found.expected == pytest.approx(2.25)
    assert found.enough == 2
    assert found.probability == pytest.approx(FITTED.none_cited(0.55))
    assert FITTED.none_cited(0.8 + 0.55) < LIKELY <= FITTED.none_cited(0.55)
    assert found.covered == pytest.approx(1.0)


def test_a_list_too_short_is_not_said_to_be_enough():
    found = coverage(ranked(*[0.5] * 20), 5, candidates=0)
    assert (found.enough, found.probability) == (None, None)
    assert found.covered == pytest.approx(0.25)


def test_more_candidates_promise_less():
    """What was not ranked may be cited too, the more so the more there is."""
    chances = ranked(0.9, 0.4, 0.2, 0.1)
    small, large = (coverage(chances, 4, candidates) for candidates in (100, LARGEST))
    assert small.expected < large.expected
    assert small.covered > large.covered
    assert small.enough <= 4
    assert large.enough is None
    assert coverage(chances, 4, LARGEST) == coverage(chances, 4, 1_000_000)


def test_nothing_is_promised_without_probabilities():
    assert coverage(ranked(0.5, None), 2, 10) == Coverage()
    assert coverage([], 3, 10) == Coverage()


def test_a_probability_is_one_where_nothing_is_expected():
    assert FITTED.none_cited(0.0) == 1.0
    assert FITTED.none_cited(50.0) == pytest.approx(0.0)


def test_a_proof_is_likelier_to_cite_anything_where_the_author_does_and_the_first_suggestion_is_likely():
    usual = FITTED.anything_cited(0.3, 1.5, 50, 100)
    assert 0.3 < usual < 0.7
    assert FITTED.anything_cited(0.3, 1.5, 90, 100) > usual > FITTED.anything_cited(0.3, 1.5, 10, 100)
    assert FITTED.anything_cited(0.9, 1.5, 50, 100) > usual > FITTED.anything_cited(0.05, 1.5, 50, 100)
    assert FITTED.anything_cited(0.3, 3.0, 50, 100) > usual > FITTED.anything_cited(0.3, 0.5, 50, 100)
    assert 0 < FITTED.anything_cited(0.0, 0.0, 0, 0) < FITTED.anything_cited(1.0, 9.0, 0, 0) < 1


def test_what_a_written_proof_lacks_is_one_statement():
    chances = FITTED.one_missing([0.5, 0.25, 0.0], 100)
    assert chances[0] > 2 * chances[1] > chances[2] == 0.0
    assert sum(chances) < 1
    assert sum(FITTED.one_missing([0.5, 0.25, 0.0], LARGEST)) < sum(chances)
    assert FITTED.one_missing([], 10) == []
