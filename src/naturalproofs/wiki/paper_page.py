"""Pages and sections by the rules of the published data set's notebook."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from naturalproofs.wiki.dump import Page
from naturalproofs.wiki.sections import headings
from naturalproofs.wiki.wikitext import Masked, Node, mask, scan

MAX_SURFACE = 1000
"""Maximal characters of a link's text."""

_INVISIBLE = {0x200E: None, 0x2062: None}


class Link(msgspec.Struct, array_like=True, gc=False):
    """A link as written."""

    target: str
    surface: str
    line: int


class Passage(msgspec.Struct, array_like=True, gc=False):
    """The text of a section, as the notebook read it."""

    text: str
    links: tuple[Link, ...]
    line: int


@dataclass(frozen=True)
class PaperPage:
    """A page with all the character data of its XML as its text."""

    title: str
    wikitext: str
    text: str

    @cached_property
    def _masked(self) -> Masked:
        return mask(self.text)

    @cached_property
    def _nodes(self) -> list[Node]:
        return scan(self._masked.text)

    @cached_property
    def _first_line(self) -> int:
        """Number of lines of other character data before the wikitext."""
        return self.text.count("\n", 0, max(self.text.find(self.wikitext), 0))

    def section(self, title: str, *, lead_only: bool = False) -> Passage | None:
        """The first section of exactly this title, with its subsections.

        Args:
            title: The heading's text.
            lead_only: Whether to stop at the first subsection, as for theorems.
        """
        if title not in self.text:
            return None
        found = headings(self._masked.text)
        for i, heading in enumerate(found):
            if self.text[heading.text_start : heading.text_end].strip() == title:
                end = next((h.start for h in found[i + 1 :] if h.level <= heading.level), len(self.text))
                return self._passage(heading.end, end, lead_only=lead_only)
        return None

    def whole(self) -> Passage:
        """The whole page as one passage."""
        return Passage(self.text, tuple(self._links(0, len(self.text))), 1)

    def categories(self) -> tuple[str, ...]:
        """The targets of all links that begin with ``Category:``, without that prefix."""
        targets = (link.target for link in self._links(0, len(self.text)))
        return tuple(target[9:] for target in targets if target.startswith("Category:"))

    def _passage(self, start: int, end: int, *, lead_only: bool) -> Passage:
        line = self._line(start)
        only = next((span for span in self._masked.only if start <= span[0] < end), None)
        if only is not None:
            return Passage(self.text[slice(*only)], tuple(self._links(*only)), line)
        text = self.text[start:end]
        links = tuple(self._links(start, end))
        if lead_only:
            text = text.partition("\n\n===")[0]
            links = tuple(link for link in links if link.target in text)
        return Passage(text, links, line) if text.strip() else Passage("", (), line)

    def _line(self, position: int) -> int:
        return max(self.text.count("\n", 0, position) - self._first_line + 1, 1)

    def _links(self, start: int, end: int) -> Iterator[Link]:
        text = self._masked.text
        position, line = start, self.text.count("\n", 0, start) - self._first_line + 1
        for node in _flat(self._nodes):
            if node.kind == "link" and start <= node.start < end:
                line += text.count("\n", position, node.start)
                position = node.start
                close = node.end - 2
                target = text[node.start + 2 : node.bars[0] if node.bars else close].strip()
                surface = text[node.bars[0] + 1 : min(close, node.bars[0] + MAX_SURFACE)].strip() if node.bars else ""
                yield Link(target, surface or target, max(line, 1))


def paper_page(page: Page) -> PaperPage:
    """Convert a page of a dump that was read with all its character data."""
    title = page.title.replace("\u200e", "")
    return PaperPage(title, page.text.translate(_INVISIBLE), page.everything.translate(_INVISIBLE))


def _flat(nodes: Sequence[Node]) -> Iterator[Node]:
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))
