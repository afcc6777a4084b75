"""The proofs of a theorem: on its page, on subpages, and on transcluded pages."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import islice

from naturalproofs.wiki.fast_records import FastOrigin, FastProof
from naturalproofs.wiki.kinds import PageKind
from naturalproofs.wiki.markup import Markup, page_markup
from naturalproofs.wiki.render import Renderer, template_name
from naturalproofs.wiki.sections import Body, Outline, blank, proof_bodies, whole_body
from naturalproofs.wiki.templates import EQUATION_ROW, WANTED, is_citation
from naturalproofs.wiki.wiki import Wiki


def transcluded_pages(wiki: Wiki, page: Outline, markup: Markup, body: Body) -> list[str]:
    """The pages that a text transcludes, if it consists of transclusions, headings and marker templates only.

    Args:
        wiki: The wiki.
        page: The page with the text.
        markup: The same page, prepared for rendering.
        body: The text.
    """
    if "{{" not in page.text:
        return []
    nodes = [node for span in body.spans for node in markup.nodes_in(*span)]
    found: list[str] = []
    headings = [h for part in page.parts for h in (part.section.heading, *part.section.subheadings)]
    starts = [h.start for h in headings]
    for node in nodes:
        above = bisect_right(starts, node.start)
        if above and node.start < headings[above - 1].end:
            continue
        name = template_name(markup, node) if node.kind == "template" else ""
        if not name or is_citation(name.lower()) or name.lower() in EQUATION_ROW:
            return []
        if wiki.is_transclusion(name):
            target = wiki.target(name, page.title)
            if target is None:
                return []
            found.append(target.title)
    if not found:
        return []
    covered = sorted([(h.start, h.end) for h in headings] + [(node.start, node.end) for node in nodes])
    return found if all(_is_blank_between(page, start, end, covered) for start, end in body.spans) else []


def _is_blank_between(page: Outline, start: int, end: int, covered: list[tuple[int, int]]) -> bool:
    for covered_start, covered_end in islice(covered, bisect_left(covered, (start, 0)), None):
        if covered_start >= end:
            break
        if not blank(page, start, covered_start):
            return False
        start = max(start, covered_end)
    return start >= end or blank(page, start, end)


class ProofReader:
    """Collects the proofs of one theorem."""

    def __init__(self, wiki: Wiki, kinds: Mapping[str, PageKind], renderer: Renderer) -> None:
        """Bind the wiki; nothing is read yet."""
        self._wiki = wiki
        self._kinds = kinds
        self._render = renderer
        self.wanted = False
        """Whether a template asks for a proof."""
        self.visited: dict[str, None] = {}
        """Pages that were read for proofs, in order."""

    def read(self, page: Outline, markup: Markup) -> Iterator[FastProof]:
        """The proofs on a page, or on pages that it transcludes."""
        self.visited[page.title] = None
        bodies = list(proof_bodies(page))
        if not bodies and self._is_proof_page(page.title):
            # The page consists of the proof, without a heading.
            bodies = [whole_body(page)]
        for body in bodies:
            yield from self._body(page, markup, body)

    def _body(self, page: Outline, markup: Markup, body: Body) -> Iterator[FastProof]:
        nodes = [node for span in body.spans for node in markup.nodes_in(*span)]
        templates = [node for node in nodes if node.kind == "template"]
        if any(template_name(markup, node).lower() in WANTED for node in templates):
            self.wanted = True
            return
        transcluded = transcluded_pages(self._wiki, page, markup, body)
        elsewhere = [self._wiki.final_title(title) for title in transcluded]
        if transcluded and all(title is not None and self._is_proof_page(title) for title in elsewhere):
            for title in elsewhere:
                if title is not None and title not in self.visited:
                    other = self._wiki.pages[title]
                    yield from self.read(other, page_markup(other))
            return
        lines, mentions = self._render.read(markup, body.spans, include_transcluded=bool(transcluded))
        if lines:
            line = page.line(body.heading.start) if body.heading is not None else 1
            yield FastProof(lines, mentions, FastOrigin(page.title, line))
        else:
            self.wanted = self.wanted or bool(nodes)

    def _is_proof_page(self, title: str) -> bool:
        return title in self._kinds and self._kinds[title].kind is None
