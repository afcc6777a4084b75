"""What a walk over wikitext carries along: the text it reads and what it has found."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import msgspec

from naturalproofs.wiki.drafts import MentionDraft
from naturalproofs.wiki.masking import BLOT, Masked, Span
from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.plain import verbatim
from naturalproofs.wiki.scan import Node, scan

MAX_BORROWED = 1 << 19
"""Characters that transclusions may bring into one text; MediaWiki's own limit is four times as high."""


class Source(msgspec.Struct, gc=False):
    """Text that is being read: a page, or what a page brought in."""

    title: str
    """The page a reader is on; relative links and magic words refer to it."""
    text: str
    masked: Masked
    nodes: Sequence[Node]
    trail: tuple[str, ...]
    """The page, and those that were brought in on the way here."""
    line: int | None = None
    """The line that all of it counts as, when it stands elsewhere."""
    starts: list[int] = []
    """Where each node begins."""

    def __post_init__(self) -> None:
        """Index the nodes."""
        self.starts = [node.start for node in self.nodes]

    def nodes_in(self, start: int, end: int) -> Sequence[Node]:
        """Give the outermost nodes that begin inside a stretch."""
        first = bisect_left(self.starts, start)
        return self.nodes[first : bisect_left(self.starts, end, first)]

    def plain(self, start: int, end: int) -> str:
        """Give a stretch without nodes as it is to be read: comments left out, formulas and verbatim text kept."""
        stretch = self.masked.text[start:end]
        if BLOT not in stretch:
            return stretch
        pieces: list[str] = []
        spans = self.masked.spans
        first = max(bisect_right(spans, start, key=_start) - 1, 0)
        for span in spans[first:]:
            if span.start >= end:
                break
            if span.end <= start:
                continue
            pieces += (self.masked.text[start : max(span.start, start)], self._below(span))
            start = span.end
        pieces.append(self.masked.text[start:end])
        return "".join(pieces)

    def _below(self, span: Span) -> str:
        inside = self.text[span.inner_start : span.inner_end]
        if span.tag in ("math", "chem"):
            return f"${inside.strip()}$"
        return "" if span.tag in ("!--", "includeonly") else verbatim(inside)


class Walk(msgspec.Struct, gc=False):
    """What a walk has found so far."""

    mentions: list[MentionDraft] = []
    borrowed: int = 0
    """Characters that transclusions have brought in."""
    position: int = 0
    line: int = 1
    """The line of the position, to count on from."""

    def line_of(self, source: Source, position: int) -> int:
        """Give the line of a position; positions come in ascending order, mostly."""
        if source.line is not None:
            return source.line
        if position < self.position:
            self.position, self.line = 0, 1
        self.line += source.text.count("\n", self.position, position)
        self.position = position
        return self.line


def page_source(page: Outline) -> Source:
    """Prepare a page for reading."""
    return Source(page.title, page.text, page.masked, scan(page.masked.text), (page.title,))


def arguments(source: Source, node: Node) -> dict[str, tuple[int, int]]:
    """Give where each argument of a template stands, by its name or number."""
    found: dict[str, tuple[int, int]] = {}
    text = source.masked.text
    number = 0
    for start, end in node.parts()[1:]:
        sign = text.find("=", start, end)
        if sign >= 0 and not (node.children and any(child.start < sign < child.end for child in node.children)):
            found[text[start:sign].strip().lower()] = (sign + 1, end)
        else:
            number += 1
            found[str(number)] = (start, end)
    return found


def leaf_arguments(text: str) -> dict[str, str]:
    """Give the arguments of a template, by name or number, from the text between its braces, with nothing inside."""
    found: dict[str, str] = {}
    number = 0
    for part in text.split("|")[1:]:
        name, sign, value = part.partition("=")
        if sign:
            found[name.strip().lower()] = value.strip()
        else:
            number += 1
            found[str(number)] = part.strip()
    return found


def _start(span: Span) -> int:
    return span.start
