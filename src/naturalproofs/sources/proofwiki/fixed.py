"""Statements of a wiki as its authors meant them."""

from collections.abc import Iterator

from naturalproofs.markup.mediawiki.titles import parent
from naturalproofs.records import Anchor, Diagnostic, Note, Origin, Proof, Statement
from naturalproofs.sources.proofwiki.bodies import Body, section_body, statement_part, theorem_body, whole_body
from naturalproofs.sources.proofwiki.borrowing import brought_in
from naturalproofs.sources.proofwiki.categories import CategoryGraph
from naturalproofs.sources.proofwiki.kinds import PageKind, names_proof, page_kind
from naturalproofs.sources.proofwiki.outline import Outline
from naturalproofs.sources.proofwiki.proofs import ProofReader
from naturalproofs.sources.proofwiki.reading import Source, page_source
from naturalproofs.sources.proofwiki.relations import BESIDE, POINTERS, relations
from naturalproofs.sources.proofwiki.render import Renderer
from naturalproofs.sources.proofwiki.wiki import Wiki


class FixedReader:
    """Turns the pages of a wiki into statements."""

    def __init__(self, wiki: Wiki, name: str) -> None:
        """Sort the pages by kind, so that every page knows what the others are."""
        self._wiki = wiki
        self.kinds: dict[str, PageKind] = {
            title: page_kind(title, {part.role for part in page.parts}, self._theorem_above)
            for title, page in wiki.pages.items()
        }
        self._proof_pages: dict[str, list[str]] = {}
        for title, kind in self.kinds.items():
            owner = self._theorem_above(title) if kind.kind is None else None
            if owner is not None:
                self._proof_pages.setdefault(owner, []).append(title)
        # Statements and anchors share these: a wiki has as many anchors again as statements.
        self._ids = {title: f"{name}:{title}" for title, kind in self.kinds.items() if kind.kind is not None}
        self._render = Renderer(wiki, frozenset(self._ids))
        self._graph = CategoryGraph(wiki.category_parents)
        self._empty: list[Diagnostic] = []

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was wrong in the pages read so far."""
        return [*self._wiki.diagnostics, *self._render.diagnostics, *self._empty]

    def statements(self) -> Iterator[Statement]:
        """Give a statement for every page of reading matter that is not a proof of another page's theorem."""
        for title, page in self._wiki.pages.items():
            kind = self.kinds[title]
            if kind.kind is not None:
                yield self._statement(page, kind)
                page.forget()

    def anchors(self) -> dict[str, Anchor]:
        """Give what every title stands for: its statement, that of the theorem it proves, or where it redirects to."""
        owners = dict(self._ids)
        owners |= {title: self._ids[owner] for owner, titles in self._proof_pages.items() for title in titles}
        owners |= {title: owners[end] for title, end in self._wiki.ends.items() if end in owners}
        return {title: Anchor("statement", owner, Origin(title, 1)) for title, owner in owners.items()}

    def _theorem_above(self, title: str) -> str | None:
        above = parent(title)
        while above:
            page = self._wiki.page(above)
            if page is not None and not names_proof(page.title) and statement_part(page) is not None:
                return page.title
            above = parent(above)
        return None

    def _statement(self, page: Outline, kind: PageKind) -> Statement:
        source = page_source(page)
        body = _body(page, kind)
        nodes = [node for span in body.spans for node in source.nodes_in(*span)]
        borrow = bool(brought_in(self._wiki, page, source, body, nodes))
        lines, mentions = self._render.read(source, body.spans, borrow=borrow)
        if not lines:
            self._empty.append(Diagnostic(page.title, 1, 1, "note", "empty-page", "the page states nothing"))
        assert kind.kind is not None
        theorem = kind.kind == "theorem"
        proofs, notes = self._proofs(page, source) if theorem else ((), ())
        categories = tuple(self._wiki.categories(page))
        beside = relations(self._wiki, page, source, POINTERS if kind.body is None else BESIDE, self._render)
        return Statement(
            id=self._ids[page.title],
            kind=kind.kind,
            label=page.title,
            title=page.title,
            lines=lines,
            mentions=mentions,
            proofs=proofs,
            categories=categories,
            form=kind.form or _first_word(page, body),
            origin=Origin(page.title, page.line(body.heading.start) if body.heading is not None else 1),
            notes=(*beside, *notes, _wikitext(page)),
            toplevel_categories=self._graph.toplevel(categories) if theorem else None,
            recursive_categories=self._graph.recursive(categories) if theorem else None,
        )

    def _proofs(self, page: Outline, source: Source) -> tuple[tuple[Proof, ...], tuple[Note, ...]]:
        reader = ProofReader(self._wiki, self.kinds, self._render)
        proofs = list(reader.read(page, source))
        for title in self._proof_pages.get(page.title, ()):
            if title not in reader.visited:
                other = self._wiki.pages[title]
                proofs += reader.read(other, page_source(other))
        others = [title for title in reader.visited if title != page.title]
        notes = [Note("proof page", (title, self._wiki.pages[title].text)) for title in others]
        if reader.wanted:
            notes.insert(0, Note("proof wanted", ()))
        return tuple(proofs), tuple(notes)


def _body(page: Outline, kind: PageKind) -> Body:
    if kind.body == "statement":
        return theorem_body(page)
    return whole_body(page) if kind.body is None else section_body(page, kind.body)


def _first_word(page: Outline, body: Body) -> str:
    words = page.heading(body.heading).lower().split() if body.heading is not None else []
    return words[0] if words else "theorem"


def _wikitext(page: Outline) -> Note:
    # One string, line ends included: it is the page's own and takes no memory again.
    return Note("wikitext", (page.text,))
