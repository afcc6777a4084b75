"""Links that stand beside a result: related pages, sources, history. They are kept, but are no prerequisites."""

from collections.abc import Iterator, Sequence

from naturalproofs.wiki.citations import is_citation
from naturalproofs.wiki.drafts import NoteDraft
from naturalproofs.wiki.headings import Role
from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.reading import Source
from naturalproofs.wiki.render import Renderer
from naturalproofs.wiki.scan import Node
from naturalproofs.wiki.templates import template_name
from naturalproofs.wiki.wiki import Wiki

BESIDE: frozenset[Role] = frozenset({"pointer", "aside", "other"})
"""Sections beside a statement that has a section of its own."""
POINTERS: frozenset[Role] = frozenset({"pointer"})
"""Sections beside a text that is the whole page."""


def relations(
    wiki: Wiki, page: Outline, source: Source, roles: frozenset[Role], renderer: Renderer
) -> Iterator[NoteDraft]:
    """Give, for each section of some roles that links anywhere, its heading and the titles it links to."""
    plain = source.masked.text
    for part in page.parts:
        section = part.section
        if part.role not in roles:
            continue
        titles: dict[str, None] = {}
        for node in source.nodes_in(section.heading.end, section.end):
            if node.kind == "link" and not node.children:
                raw = plain[node.start + 2 : node.bars[0] if node.bars else node.end - 2]
                target = wiki.target(raw, source.title)
                if target is not None:
                    titles[target.title] = None
            else:
                titles |= dict.fromkeys(_cited(wiki, source, (node,), renderer))
        if titles:
            yield NoteDraft(page.heading(section.heading).lower(), tuple(titles))


def _cited(wiki: Wiki, source: Source, nodes: Sequence[Node], renderer: Renderer) -> Iterator[str]:
    plain = source.masked.text
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        if node.kind == "template":
            name = template_name(source, node)
            if wiki.is_transclusion(name) or is_citation(name.lower()):
                yield from renderer.cited(source, node)
            else:
                stack.extend(reversed(node.children))
        elif node.children:
            yield from renderer.cited(source, node)
        else:
            target = wiki.target(plain[node.start + 2 : node.bars[0] if node.bars else node.end - 2], source.title)
            if target is not None:
                yield target.title
