"""Labels and references of a Markdown file where they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from naturalproofs.markdown.blocks import Block
from naturalproofs.markdown.inline import mentions, to_latex
from naturalproofs.markdown.scanner import Scanner
from naturalproofs.records import KeyAt

_FAR = 6
"""Lines of a directive in which its label may stand."""


def find_keys(text: str) -> Iterator[KeyAt]:
    """All labels and references of a file.

    A key that may also be a citation of the literature, or a link to something else, is not certain.
    """
    scanner = Scanner(text)
    defined = {name: item.line for item in scanner.scan() for name in item.labels[:1]}
    for name, first in defined.items():
        # A directive names its label in one of its first lines.
        lines = enumerate(scanner.lines[first - 1 : first - 1 + _FAR], first)
        places = ((number, _column(line, name, 0)) for number, line in lines)
        yield KeyAt(name, *next((place for place in places if place[1]), (first, 1)), is_label=True)
    visible = ["" if number in scanner.code else line for number, line in enumerate(scanner.lines, 1)]
    certain = {(one.line, one.target) for one in mentions(to_latex(visible, defined.__contains__), 1)}
    after = (0, 0)
    """The line of the last key, and where it ends."""
    for one in mentions(to_latex(visible, lambda _key: True), 1):
        column = _column(scanner.lines[one.line - 1], one.target, after[1] if after[0] == one.line else 0) or 1
        after = (one.line, column - 1 + len(one.target))
        yield KeyAt(one.target, one.line, column, is_label=False, is_certain=(one.line, one.target) in certain)


def last_line(lines: Sequence[str], start: int) -> int:
    """The line on which the block that begins on a line ends."""
    ends = (item.end for item in Scanner("\n".join(lines)).scan() if isinstance(item, Block) and item.line == start)
    return next(ends, start) or len(lines)


def _column(line: str, key: str, start: int) -> int:
    """Where a key stands in its line, or 0. Bookdown defines ``thm:x`` as ``x``, Quarto may cite it as ``Thm-x``."""
    for written in (key, key.rpartition(":")[2]):
        pattern = re.compile(rf"(?<![\w:.-]){re.escape(written)}(?![\w:-])", re.IGNORECASE)
        if found := pattern.search(line, start) or pattern.search(line):
            return found.start() + 1
    return 0
