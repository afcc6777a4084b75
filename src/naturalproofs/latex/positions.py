"""From offsets to lines and columns."""

from bisect import bisect_right
from itertools import accumulate


class Positions:
    """Line starts of a text, found once, so that any offset can be named."""

    def __init__(self, text: str) -> None:
        """Index the line starts of a text whose lines end with a line feed."""
        self._starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))

    def line(self, offset: int) -> int:
        """Number of the line that holds the offset, from 1."""
        return bisect_right(self._starts, offset)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of the offset, both from 1."""
        line = self.line(offset)
        return line, offset - self._starts[line - 1] + 1
