"""The proofs of a theorem, wherever their text stands."""

from collections.abc import Iterator, Mapping

from naturalproofs.wiki.bodies import Body, proof_bodies, whole_body
from naturalproofs.wiki.borrowing import brought_in
from naturalproofs.wiki.drafts import OriginDraft, ProofDraft
from naturalproofs.wiki.kinds import PageKind
from naturalproofs.wiki.markers import WANTED
from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.reading import Source, page_source
from naturalproofs.wiki.render import Renderer
from naturalproofs.wiki.templates import template_name
from naturalproofs.wiki.wiki import Wiki


class ProofReader:
    """Collects the proofs of one theorem."""

    def __init__(self, wiki: Wiki, kinds: Mapping[str, PageKind], renderer: Renderer) -> None:
        """Start with nothing read."""
        self._wiki = wiki
        self._kinds = kinds
        self._render = renderer
        self.wanted = False
        """Whether a place was found where a proof is asked for."""
        self.visited: dict[str, None] = {}
        """Pages whose text was taken for a proof, in order."""

    def read(self, page: Outline, source: Source) -> Iterator[ProofDraft]:
        """Give the proofs that stand on a page, or on pages that it brings in."""
        self.visited[page.title] = None
        bodies = list(proof_bodies(page))
        if not bodies and self._is_proof_page(page.title):
            # Nothing but the proof, without a heading.
            bodies = [whole_body(page)]
        for body in bodies:
            yield from self._body(page, source, body)

    def _body(self, page: Outline, source: Source, body: Body) -> Iterator[ProofDraft]:
        nodes = [node for span in body.spans for node in source.nodes_in(*span)]
        templates = [node for node in nodes if node.kind == "template"]
        if any(template_name(source, node).lower() in WANTED for node in templates):
            self.wanted = True
            return
        brought = brought_in(self._wiki, page, source, body)
        elsewhere = [self._wiki.end(title) for title in brought]
        if brought and all(title is not None and self._is_proof_page(title) for title in elsewhere):
            for title in elsewhere:
                if title is not None and title not in self.visited:
                    other = self._wiki.pages[title]
                    yield from self.read(other, page_source(other))
            return
        lines, mentions = self._render.read(source, body.spans, borrow=bool(brought))
        if lines:
            line = page.line(body.heading.start) if body.heading is not None else 1
            yield ProofDraft(lines, mentions, OriginDraft(page.title, line))
        else:
            self.wanted = self.wanted or bool(nodes)

    def _is_proof_page(self, title: str) -> bool:
        return title in self._kinds and self._kinds[title].kind is None
