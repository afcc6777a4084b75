"""Two sequences of anything hashable, compared."""

from collections import Counter
from collections.abc import Hashable, Sequence


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The least number of insertions, deletions and substitutions (Levenshtein distance)."""
    row = list(range(len(second) + 1))
    for number, item in enumerate(first, 1):
        diagonal, row[0] = row[0], number
        for column, other in enumerate(second, 1):
            diagonal, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, diagonal + (item != other))
    return row[-1]


def clipped_matches(predicted: Sequence[Hashable], true: Sequence[Hashable], n: int) -> int:
    """How many n-grams of a prediction are also true, each at most as often as it is true."""
    return (_ngrams(predicted, n) & _ngrams(true, n)).total()


def _ngrams(items: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(zip(*(items[start:] for start in range(n)), strict=False))
