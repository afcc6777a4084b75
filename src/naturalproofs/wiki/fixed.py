"""Statements of a wiki as its authors meant them."""

from collections.abc import Iterator, Mapping

from naturalproofs.records import Anchor, Diagnostic
from naturalproofs.wiki.anchors import TitleAnchors
from naturalproofs.wiki.bodies import Body, section_body, theorem_body, whole_body
from naturalproofs.wiki.borrowing import brought_in
from naturalproofs.wiki.categories import CategoryGraph
from naturalproofs.wiki.drafts import NoteDraft, OriginDraft, ProofDraft, StatementDraft
from naturalproofs.wiki.kinds import PageKind, names_proof, page_kind
from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.proofs import ProofReader
from naturalproofs.wiki.reading import Source, page_source
from naturalproofs.wiki.relations import BESIDE, POINTERS, relations
from naturalproofs.wiki.render import Renderer
from naturalproofs.wiki.titles import parent
from naturalproofs.wiki.wiki import Wiki


class FixedReader:
    """Turns the pages of a wiki into statements."""

    def __init__(self, wiki: Wiki, name: str) -> None:
        """Sort the pages by kind, so that every page knows what the others are."""
        self._wiki = wiki
        self._name = name
        self.kinds: dict[str, PageKind] = {
            title: page_kind(title, wiki.pages.roles(title), self._theorem_above) for title in wiki.pages
        }
        self._proof_pages: dict[str, list[str]] = {}
        for title, kind in self.kinds.items():
            owner = self._theorem_above(title) if kind.kind is None else None
            if owner is not None:
                self._proof_pages.setdefault(owner, []).append(title)
        self._render = Renderer(wiki, lambda title: self.kinds[title].kind is not None)
        self._graph = CategoryGraph(wiki.category_parents)
        self._empty: list[Diagnostic] = []

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was wrong in the pages read so far."""
        return [*self._wiki.diagnostics, *self._render.diagnostics, *self._empty]

    def statements(self) -> Iterator[StatementDraft]:
        """Give a statement for every page of reading matter that is not a proof of another page's theorem."""
        for title, kind in self.kinds.items():
            if kind.kind is not None:
                yield self._statement(self._wiki.pages[title], kind)

    def anchors(self) -> Mapping[str, Anchor]:
        """Give what every title stands for: its statement, that of the theorem it proves, or where it redirects to."""
        owners = {title: title for title, kind in self.kinds.items() if kind.kind is not None}
        owners |= {title: owner for owner, titles in self._proof_pages.items() for title in titles}
        owners |= {title: owners[end] for title, end in self._wiki.ends.items() if end in owners}
        return TitleAnchors(self._name, owners)

    def _theorem_above(self, title: str) -> str | None:
        above = parent(title)
        while above:
            end = self._wiki.end(above)
            if end is not None and not names_proof(end) and "statement" in self._wiki.pages.roles(end):
                return end
            above = parent(above)
        return None

    def _statement(self, page: Outline, kind: PageKind) -> StatementDraft:
        source = page_source(page)
        body = _body(page, kind)
        borrow = bool(brought_in(self._wiki, page, source, body))
        lines, mentions = self._render.read(source, body.spans, borrow=borrow)
        if not lines:
            self._empty.append(Diagnostic(page.title, 1, 1, "note", "empty-page", "the page states nothing"))
        assert kind.kind is not None
        theorem = kind.kind == "theorem"
        proofs, notes = self._proofs(page, source) if theorem else ([], [])
        categories = self._wiki.categories(page)
        beside = relations(self._wiki, page, source, POINTERS if kind.body is None else BESIDE, self._render)
        return StatementDraft(
            id=f"{self._name}:{page.title}",
            kind=kind.kind,
            label=page.title,
            title=page.title,
            lines=lines,
            mentions=mentions,
            proofs=proofs,
            categories=categories,
            form=kind.form or _first_word(page, body),
            origin=OriginDraft(page.title, page.line(body.heading.start) if body.heading is not None else 1),
            notes=[*beside, *notes, NoteDraft("wikitext", (page.text,))],
            toplevel_categories=self._graph.toplevel(categories) if theorem else None,
            recursive_categories=self._graph.recursive(categories) if theorem else None,
        )

    def _proofs(self, page: Outline, source: Source) -> tuple[list[ProofDraft], list[NoteDraft]]:
        reader = ProofReader(self._wiki, self.kinds, self._render)
        proofs = list(reader.read(page, source))
        for title in self._proof_pages.get(page.title, ()):
            if title not in reader.visited:
                other = self._wiki.pages[title]
                proofs += reader.read(other, page_source(other))
        others = [title for title in reader.visited if title != page.title]
        notes = [NoteDraft("proof page", (title, self._wiki.pages[title].text)) for title in others]
        if reader.wanted:
            notes.insert(0, NoteDraft("proof wanted", ()))
        return proofs, notes


def _body(page: Outline, kind: PageKind) -> Body:
    if kind.body == "statement":
        return theorem_body(page)
    return whole_body(page) if kind.body is None else section_body(page, kind.body)


def _first_word(page: Outline, body: Body) -> str:
    words = page.heading(body.heading).lower().split() if body.heading is not None else []
    return words[0] if words else "theorem"
