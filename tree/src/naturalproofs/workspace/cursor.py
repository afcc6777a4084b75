"""Which labels a cursor is likely to cite: what the proof says and cites so far, the words before it, what is near.

A label has a sum of a few signals. The weights were chosen on citations of real projects and tested on those of other
authors (``benchmarks/at_cursor.py``, docs/log/at-the-cursor.md).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from math import log
from typing import NamedTuple

from naturalproofs.records import Anchor
from naturalproofs.workspace.citations import is_wanted
from naturalproofs.workspace.locate import Location
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.suggest import Suggestion, Suggestions


class Weights(NamedTuple):
    """What each signal counts."""

    cited: float = 0.45
    """The logarithm of the probability that the proof cites the statement that the label belongs to."""
    near: float = 0.1
    """Minus the logarithm of the number of labels between a statement and the cursor; the probability knows it too."""
    near_part: float = 0.65
    """The same for a part of a statement, and for an equation."""
    wanted: float = 4.0
    """It is what the words or the command before the cursor ask for."""
    own: float = 3.2
    """It belongs to the theorem that is being proved: an item or an equation of it."""
    following: float = 1.4
    """It is the next label after the one that was cited last: item (b) after item (a)."""
    part: float = 0.3
    """It belongs to a part of a statement, or to none."""
    other: float = -0.6
    """It is neither a statement nor an item nor an equation."""
    after: float = -0.5
    """It stands after the cursor."""


WEIGHTS = Weights()
_LEAST = 1e-3
"""The probability of what is not among the suggestions."""
_ELSEWHERE = 80
"""Labels that stand between the cursor and what is in another file."""
_AFTER = 20
"""The same for what stands after the cursor."""


def label_scores(
    corpus: OpenCorpus,
    file: str,
    line: int,
    here: Location | None,
    suggested: Suggestions | None,
    wanted: str,
    weights: Weights = WEIGHTS,
) -> Callable[[str, Anchor], float]:
    """A function that scores a label of the project; more is likelier.

    Args:
        corpus: The project.
        file: The file of the cursor.
        line: Its line.
        here: The statement or proof at the cursor, if there is one.
        suggested: What the proof may cite.
        wanted: What the words before the cursor ask for; see `wanted_at`.
        weights: Other weights than those of the package.
    """
    likely = {one.statement.id: _probability(rank, one) for rank, one in enumerate(suggested or ())}
    lines = corpus.labels.by_file.get(file, [])
    places = {label: at for at, (_, label) in enumerate(lines)}
    cursor = bisect_right(lines, (line, "\U0010ffff"))
    last = places.get(here.labels[-1], -2) if here is not None and here.labels else -2
    own = here.statement.id if here is not None else None
    rest = weights.cited * log(_LEAST) - weights.near_part * log(_ELSEWHERE)

    def score(label: str, anchor: Anchor) -> float:
        place = places.get(label)
        if place is None and anchor.owner not in likely:
            return rest  # Most labels of a large project: nothing speaks for one of them more than for another.
        statement = corpus.by_id.get(anchor.owner or "")
        part = statement is None or statement.label != label
        away = _ELSEWHERE if place is None else cursor - place if place < cursor else _AFTER
        return (
            weights.cited * log(likely.get(anchor.owner or "", 0.0) + _LEAST)
            - (weights.near_part if part else weights.near) * log(away)
            + weights.wanted * is_wanted(wanted, anchor, statement)
            + weights.own * (anchor.owner is not None and anchor.owner == own)
            + weights.following * (place == last + 1)
            + weights.part * part
            + weights.other * (anchor.kind not in ("statement", "item", "equation"))
            + weights.after * (place is not None and place >= cursor)
        )

    return score


def _probability(rank: int, one: Suggestion) -> float:
    """That a suggestion is cited; of a method that is not calibrated only the order is known."""
    return one.probability if one.probability is not None else 1 / (rank + 2)
