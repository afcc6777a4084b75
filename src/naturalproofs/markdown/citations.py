"""Labels and references of a Markdown file where they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from naturalproofs.markdown.blocks import Block
from naturalproofs.markdown.inline import mentions, to_latex
from naturalproofs.markdown.scanner import Scanner
from naturalproofs.records import KeyAt


def find_keys(text: str) -> Iterator[KeyAt]:
    """All labels and cross-references of a file; citations of the literature and links to web pages are left out."""
    scanner = Scanner(text)
    defined = {name: item.line for item in scanner.scan() for name in item.labels[:1]}
    for name, line in defined.items():
        yield KeyAt(name, line, _column(scanner.lines[line - 1], name), is_label=True)
    visible = ["" if number in scanner.code else line for number, line in enumerate(scanner.lines, 1)]
    for mention in mentions(to_latex(visible, defined.__contains__), 1):
        column = _column(scanner.lines[mention.line - 1], mention.target)
        yield KeyAt(mention.target, mention.line, column, is_label=False)


def last_line(lines: Sequence[str], start: int) -> int:
    """The line on which the block that begins on a line ends."""
    ends = (item.end for item in Scanner("\n".join(lines)).scan() if isinstance(item, Block) and item.line == start)
    return next(ends, start) or len(lines)


def _column(line: str, key: str) -> int:
    """Where a key stands in its line; bookdown defines ``thm:x`` as ``x``, Quarto cites ``thm-x`` as ``Thm-x``."""
    place = line.lower().find(key.lower())
    return (place if place >= 0 else max(line.find(key.rpartition(":")[2]), 0)) + 1
