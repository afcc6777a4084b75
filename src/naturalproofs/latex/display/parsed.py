"""Formulas of texts, parsed once for each set of macros."""

from __future__ import annotations

import re

from naturalproofs.latex.display.cursor import Budget, CannotRender
from naturalproofs.latex.display.formula import Context, FormulaReader
from naturalproofs.latex.display.grid import grid
from naturalproofs.latex.display.nodes import Formula

_STRUCTURE = re.compile(r"\\(?:begin|end)\s*+\{|\\\\|(?<!\\)&")
"""What macros may bring that has to be seen before a formula is read: environments and their rows and cells."""
MAX_FORMULA = 8_000
"""Longer formulas are not parsed."""
_REMEMBERED = 4_000
"""How many parsed formulas are remembered with a set of macros."""


def formula(source: str, context: Context, *, display: bool) -> Formula:
    """The tree of a formula; one that was read before with the same macros is known."""
    source = source.strip()
    if len(source) > MAX_FORMULA:
        return Formula(source, display, None)
    known = context.macros.parsed
    if (source, display) not in known:
        if len(known) >= _REMEMBERED:
            known.clear()
        known[source, display] = _parsed(source, context, display=display)
    return known[source, display]


def _parsed(source: str, context: Context, *, display: bool) -> Formula:
    # Each formula has limits of its own: one that breaks them does not spoil the text around it.
    own = Context(context.macros, Budget(), context.read_text, in_display=display)
    source, written = own.macros.with_structure(source, _STRUCTURE), source
    reader = FormulaReader(source, own)
    try:
        # A display with line breaks of its own is a column of lines.
        if display and "\\\\" in source and "\\begin" not in source and "\\xymatrix" not in source:
            return Formula(written, display, grid("aligned" if "&" in source else "gathered", source, reader.inside))
        return Formula(written, display, reader.nodes())
    except (CannotRender, RecursionError):
        return Formula(written, display, None)
