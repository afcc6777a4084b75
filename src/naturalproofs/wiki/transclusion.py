"""Text that one page brings in from another."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from naturalproofs.wiki.bodies import section_body, theorem_body
from naturalproofs.wiki.headings import Role
from naturalproofs.wiki.kinds import names_proof
from naturalproofs.wiki.masking import mask, transcluded
from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.reading import MAX_BORROWED, Source, Walk
from naturalproofs.wiki.scan import Node, scan
from naturalproofs.wiki.wiki import Wiki

if TYPE_CHECKING:
    from naturalproofs.wiki.render import Renderer

MAX_TRAIL = 20
"""How many pages may bring each other in."""

_TELLING: tuple[Role, ...] = ("statement", "definition", "axiom", "rule", "proof")


class Transclusion:
    """Follows ``{{:Page}}``."""

    def __init__(self, wiki: Wiki, is_statement: Callable[[str], bool], renderer: "Renderer") -> None:
        """Bind the wiki, and what tells the titles whose transclusion is a citation."""
        self._wiki = wiki
        self._is_statement = is_statement
        self._render = renderer

    def text(self, source: Source, node: Node, name: str, walk: Walk, borrow: bool, depth: int) -> str:
        """Give the text of the page that a template names; loops and missing pages are reported and left out."""
        target = self._wiki.target(name, source.title)
        page = self._wiki.page(target.title) if target is not None else None
        if target is None or page is None:
            self._render.report(source, walk, node, "missing-transclusion", f"transcludes no existing page: {name}")
            return ""
        if page.title in source.trail:
            way = " > ".join((*source.trail, page.title))
            self._render.report(source, walk, node, "transclusion-loop", f"transcludes itself: {way}")
            return ""
        if len(source.trail) > MAX_TRAIL or walk.borrowed > MAX_BORROWED:
            self._render.report(source, walk, node, "transclusion-limit", "transcludes too much; the rest is left out")
            return ""
        if not borrow and self._is_statement(page.title):
            self._render.mention(source, node, walk, target, "{{:" + page.title + "}}")
            return self._read(source, page, node, Walk(borrowed=walk.borrowed), walk, borrow, depth)
        return self._read(source, page, node, walk, walk, borrow, depth)

    def _read(self, source: Source, page: Outline, node: Node, into: Walk, walk: Walk, borrow: bool, depth: int) -> str:
        text = borrowed_text(page)
        walk.borrowed += len(text)
        into.borrowed = walk.borrowed
        masked = mask(text)
        inner = Source(
            source.title, text, masked, scan(masked.text), (*source.trail, page.title), walk.line_of(source, node.start)
        )
        result = self._render.walk(inner, 0, len(text), inner.nodes, into, borrow, depth)
        walk.borrowed = into.borrowed
        return result


def borrowed_text(page: Outline) -> str:
    """Give what a page lends: its ``<onlyinclude>`` text, else its statement or proof, else all of it.

    MediaWiki would bring in a page without ``<onlyinclude>`` with all its sections; what is meant is its first one.
    """
    if page.masked.only:
        return transcluded(page.text, page.masked)
    telling: tuple[Role, ...] = ("proof",) if names_proof(page.title) else _TELLING
    role = next((part.role for part in page.parts if part.role in telling), None)
    if role is None:
        return transcluded(page.text, page.masked)
    body = theorem_body(page) if role == "statement" else section_body(page, role)
    text = "\n".join(page.text[start:end] for start, end in body.spans)
    return transcluded(text, mask(text))
