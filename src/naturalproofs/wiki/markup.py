"""Wikitext prepared for rendering, and the state of a rendering."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import msgspec

from naturalproofs.wiki.fast_records import FastMention
from naturalproofs.wiki.plain import verbatim
from naturalproofs.wiki.sections import Outline
from naturalproofs.wiki.wikitext import MASK, Masked, Node, Span, scan


class Markup(msgspec.Struct, gc=False):
    """A text to render, with its mask and its nodes: a page, or text transcluded into one."""

    title: str
    """The page that is rendered; relative links and magic words refer to it."""
    text: str
    masked: Masked
    nodes: Sequence[Node]
    trail: tuple[str, ...]
    """The page, and the chain of transcluded pages that leads to this text."""
    line: int | None = None
    """The line of the transclusion, for transcluded text."""
    starts: list[int] = []
    """Start of each node."""

    def __post_init__(self) -> None:
        """Index the nodes."""
        self.starts = [node.start for node in self.nodes]

    def nodes_in(self, start: int, end: int) -> Sequence[Node]:
        """The outermost nodes that begin inside a span."""
        first = bisect_left(self.starts, start)
        return self.nodes[first : bisect_left(self.starts, end, first)]

    def plain(self, start: int, end: int) -> str:
        """The text of a span without nodes: comments are left out, formulas and verbatim text are included."""
        masked = self.masked.text[start:end]
        if MASK not in masked:
            return masked
        pieces: list[str] = []
        spans = self.masked.spans
        first = max(bisect_right(spans, start, key=_start) - 1, 0)
        for span in spans[first:]:
            if span.start >= end:
                break
            if span.end <= start:
                continue
            pieces += (self.masked.text[start : max(span.start, start)], self._unmasked(span))
            start = span.end
        pieces.append(self.masked.text[start:end])
        return "".join(pieces)

    def _unmasked(self, span: Span) -> str:
        inside = self.text[span.inner_start : span.inner_end]
        if span.tag in ("math", "chem"):
            return f"${inside.strip()}$"
        return "" if span.tag in ("!--", "includeonly") else verbatim(inside)


class RenderState(msgspec.Struct, gc=False):
    """What a rendering has found so far."""

    mentions: list[FastMention] = []
    transcluded: int = 0
    """Characters that transclusions have added."""
    position: int = 0
    line: int = 1
    """The line of `position`."""

    def line_of(self, markup: Markup, position: int) -> int:
        """The line of a position; positions mostly ascend."""
        if markup.line is not None:
            return markup.line
        if position < self.position:
            self.position, self.line = 0, 1
        self.line += markup.text.count("\n", self.position, position)
        self.position = position
        return self.line


def page_markup(page: Outline) -> Markup:
    """A page prepared for rendering."""
    return Markup(page.title, page.text, page.masked, scan(page.masked.text), (page.title,))


def arguments(markup: Markup, node: Node) -> dict[str, tuple[int, int]]:
    """The span of each argument of a template, by name or number."""
    found: dict[str, tuple[int, int]] = {}
    text = markup.masked.text
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
    """The arguments of a template without nested markup, by name or number, from the text between its braces."""
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
