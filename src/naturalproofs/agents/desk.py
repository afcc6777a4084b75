"""The verbs themselves: each takes what an agent says and gives a short answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

from naturalproofs.agents.results import Item, Listing, Shelves, Shown, Whole, cut
from naturalproofs.errors import UnknownName
from naturalproofs.latex.display import plain_unicode
from naturalproofs.records import Statement
from naturalproofs.workspace.beginnings import beginning
from naturalproofs.workspace.citing import preview, printed_name
from naturalproofs.workspace.kept import kept_folder, prepared, search_index
from naturalproofs.workspace.library import Library, Shelf
from naturalproofs.workspace.paths import impact, reading_path
from naturalproofs.workspace.search import SearchIndex, search

SAYS = 140
TEXT, PROOF = 4_000, 6_000
"""Characters of a statement and of a proof before they are cut."""


class Desk:
    """Answers from open corpora."""

    def __init__(self, library: Library, cache: Path | None = None) -> None:
        """Bind the corpora.

        Args:
            library: What may be asked about.
            cache: Where search indexes are kept; they are made in memory if None.
        """
        self.library = library
        for shelf in library.shelves:
            prepared(shelf, kept_folder(cache, shelf.corpus))
        self._cache = cache
        self._indexes: dict[str, SearchIndex] = {}
        self._lock = Lock()

    def corpora(self) -> Shelves:
        """What there is."""
        shown = [
            Shown(
                name=shelf.name,
                title=shelf.corpus.provenance.title,
                statements=len(shelf.corpus.statements),
                licence=shelf.corpus.provenance.licence or "licence not stated",
            )
            for shelf in self.library.shelves
        ]
        return Shelves(corpora=shown)

    def suggest(self, theorem: str, k: int, corpora: Sequence[str], cited: Sequence[str]) -> Listing:
        """What a proof may want to cite; the theorem is a text, or the id or label of a statement."""
        known = [self._find(name)[1].id for name in cited]
        query: str | Statement = theorem
        if len(theorem) < 200 and not any(sign.isspace() for sign in theorem.strip()):
            query = self._find(theorem.strip())[1]
        found = self.library.suggest(query, k=k, corpora=corpora or None, cited=known)
        items = []
        for one in found:
            chance = f"{100 * one.probability:.0f} %" if one.probability is not None else ""
            reasons = "; ".join([chance, *one.why[:2]]).strip("; ")
            items.append(self._item(self.library.shelf(one.corpus), one.statement, reasons))
        told = f"the first {found.enough} are expected to cover the proof" if found.enough is not None else ""
        return Listing(items=items, told=told)

    def search(self, query: str, k: int, corpora: Sequence[str], kinds: Sequence[str]) -> Listing:
        """What is about something."""
        shelves = [self.library.shelf(name) for name in corpora] if corpora else self.library.shelves
        found = search([self._index(shelf) for shelf in shelves], query, k=k, kinds=kinds)
        by_name = {shelf.name: shelf for shelf in shelves}
        items = [self._item(by_name[hit.corpus], by_name[hit.corpus].corpus.by_id[hit.id]) for hit in found.items]
        instead = ", ".join(found.suggestions) if not found.total else ""
        told = f"nothing matches word for word; perhaps: {instead}" if instead else ""
        return Listing(items=items, more=max(0, found.total - len(items)), told=told)

    def statement(self, name: str, proofs: bool) -> Whole:
        """A statement in full."""
        shelf, found = self._find(name)
        return Whole(
            id=found.id,
            name=_name(shelf, found),
            latex=cut(found.lines, TEXT),
            cites=list(shelf.graph.uses.get(found.id, ())),
            used_by=len(shelf.graph.used_by.get(found.id, ())),
            citation=shelf.citing(other=shelf is not self.library.shelves[0]).citation(found),
            where=str(found.origin) if found.origin else "",
            proofs=[cut(proof.lines, PROOF) for proof in found.proofs] if proofs else [],
        )

    def path(self, name: str, known: Sequence[str], most: int) -> Listing:
        """What to read before a statement, in order."""
        shelf, target = self._find(name)
        stops = [shelf.corpus.find(one).id for one in known]
        found = reading_path(shelf.corpus, shelf.graph, target.id, known=stops, most=most)
        items = [self._item(shelf, shelf.corpus.by_id[step.id], f"layer {step.layer}") for step in found.steps]
        told = f"cut at distance {found.cut_at}: there is more before" if found.cut_at is not None else ""
        return Listing(items=items, told=told)

    def impact(self, name: str, most: int) -> Listing:
        """What falls if a statement is wrong, nearest first."""
        shelf, node = self._find(name)
        found = impact(shelf.corpus, shelf.graph, node.id)
        items = [self._item(shelf, shelf.corpus.by_id[key], f"distance {far}") for key, far in found[:most]]
        return Listing(items=items, more=max(0, len(found) - most))

    def _find(self, name: str) -> tuple[Shelf, Statement]:
        for shelf in self.library.shelves:
            if name in shelf.corpus.by_id:
                return shelf, shelf.corpus.by_id[name]
        problem: UnknownName | None = None
        for shelf in self.library.shelves:
            try:
                return shelf, shelf.corpus.find(name)
            except UnknownName as error:
                problem = problem or error
        raise problem or UnknownName(f"no statement is called {name!r}")

    def _index(self, shelf: Shelf) -> SearchIndex:
        with self._lock:
            if shelf.name not in self._indexes:
                self._indexes[shelf.name] = search_index(shelf.corpus, kept_folder(self._cache, shelf.corpus))
            return self._indexes[shelf.name]

    def _item(self, shelf: Shelf, statement: Statement, note: str = "") -> Item:
        head = replace(statement, lines=(beginning(statement.lines, 5 * SAYS),))
        says = preview(head, shelf.macros, SAYS)
        return Item(id=statement.id, name=_name(shelf, statement), says=says, note=note)


def _name(shelf: Shelf, statement: Statement) -> str:
    title = plain_unicode(statement.title, dict(shelf.macros)) if statement.title else ""
    return f"{printed_name(statement)} ({title})" if title else printed_name(statement)
