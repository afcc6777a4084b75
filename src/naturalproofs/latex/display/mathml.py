"""Formulas as MathML, for any browser of today and without a script.

Every element is written by us and every character of the source is escaped, so a formula can carry nothing but itself.
What is not understood is refused as a whole, and the reader sees the source.
"""

from naturalproofs.latex.display.cursor import Budget, NotShown
from naturalproofs.latex.display.formula import Reader
from naturalproofs.latex.display.grid import grid
from naturalproofs.latex.display.macros import Macros
from naturalproofs.latex.display.pieces import row

MAX_FORMULA = 8_000
"""A formula longer than this is none."""


class Formulas:
    """Turns formulas into MathML with one set of macros; equal formulas are made once."""

    def __init__(self, macros: Macros) -> None:
        """Bind the author's macros."""
        self.macros = macros
        self._made: dict[tuple[str, bool], str | None] = {}

    def render(self, source: str, *, display: bool = False) -> str | None:
        """The MathML of a formula, or None if it holds something that is not understood."""
        key = (source.strip(), display)
        if key not in self._made:
            self._made[key] = self._render(*key)
        return self._made[key]

    def _render(self, source: str, display: bool) -> str | None:
        if len(source) > MAX_FORMULA:
            return None
        reader = Reader(source, self.macros, Budget())
        try:
            # A display with line breaks of its own is a column of lines.
            lines = display and "\\\\" in source and "\\begin" not in source
            body = (
                grid("aligned" if "&" in source else "gathered", source, reader.inside)
                if lines
                else row(reader.pieces())
            )
        except NotShown:
            return None
        return f'<math display="block">{body}</math>' if display else f"<math>{body}</math>"
