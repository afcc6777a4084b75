"""Statements of a wiki as the published data set's notebook read them, its mistakes included.

One redirect is followed and no more; titles are compared as they are written; transclusions stay unexpanded; only a
section headed exactly *Proof* is a proof; and the last section of a page ends with the revision's checksum, because all
character data of the page's XML was taken for its text.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from naturalproofs.markup.mediawiki.contents import Page, Site
from naturalproofs.records import Anchor, Diagnostic, Kind, Mention, Note, Origin, Proof, Statement
from naturalproofs.sources.proofwiki.categories import CategoryGraph
from naturalproofs.sources.proofwiki.duplicates import duplicates
from naturalproofs.sources.proofwiki.paper_page import Link, PaperPage, Passage, paper_page

DROPPED = ("Talk:", "User:", "User talk:", "Help:")
MAX_TITLE = 256
"""MediaWiki's own limit; a longer title is no title."""
NO_PROOF = frozenset({"{{ProofWanted}}", "{{proof wanted}}", "{{finish}}", "{{Finish}}"})


@dataclass(frozen=True, slots=True)
class _Found:
    page: PaperPage
    passage: Passage


class PaperReader:
    """Reads pages by the notebook's rules."""

    def __init__(self, pages: Iterable[Site | Page], name: str) -> None:
        """Collect theorems, definitions, proofs and the other pages that proofs link to."""
        self.diagnostics: list[Diagnostic] = []
        self._name = name
        self._redirects: dict[str, str] = {}
        self._pages: dict[str, PaperPage] = {}
        for item in pages:
            if isinstance(item, Page) and not item.title.startswith(DROPPED):
                page = paper_page(item)
                self._pages[page.title] = page
                if item.redirect is not None:
                    self._redirects[page.title] = item.redirect
        self._theorems: dict[str, _Found] = {}
        self._definitions: dict[str, _Found] = {}
        self._proofs: dict[str, _Found] = {}
        for title, page in self._pages.items():
            self._sort(title, page)
            page.forget()
        self._others = self._find_others()
        self._known = self._theorems.keys() | self._definitions.keys() | self._others.keys()
        self._graph = CategoryGraph(
            {title[9:]: page.categories() for title, page in self._pages.items() if title.startswith("Category:")}
        )

    def statements(self) -> list[Statement]:
        """Give theorems, definitions and others, in this order; duplicates among the theorems carry a note."""
        owned = self._owned_proofs()
        theorems = [
            self._statement("theorem", found, tuple(self._proof(proof) for proof in owned.get(title, ())))
            for title, found in self._theorems.items()
        ]
        copies = duplicates(theorems)
        theorems = [
            _noted(theorem, Note("duplicate", (copies[theorem.id],))) if theorem.id in copies else theorem
            for theorem in theorems
        ]
        definitions = [self._statement("definition", found) for found in self._definitions.values()]
        return theorems + definitions + [self._statement("other", found) for found in self._others.values()]

    def anchors(self) -> dict[str, Anchor]:
        """Give every statement under its title."""
        return {
            title: Anchor("statement", f"{self._name}:{title}", Origin(title, 1))
            for titles in (self._theorems, self._definitions, self._others)
            for title in titles
        }

    def _sort(self, title: str, page: PaperPage) -> None:
        """Find what a page states, and what it proves."""
        if title not in self._redirects:
            passage = page.section("Theorem", cut=True) if "== Theorem ==" in page.text else None
            if passage is not None:
                self._theorems[title] = _Found(page, passage)
            elif "Definition:" in title:
                self._definitions[title] = _Found(page, page.section("Definition") or Passage("", (), 1))
        passage = page.section("Proof")
        if passage is not None and passage.text.strip() not in NO_PROOF:
            self._proofs[title] = _Found(page, passage)

    def _find_others(self) -> dict[str, _Found]:
        found: dict[str, _Found] = {}
        for proof in self._proofs.values():
            for link in proof.passage.links:
                title = self._redirects.get(link.target, link.target)
                if title.startswith(("Category:", "File:")) or title not in self._pages:
                    continue
                if title not in self._theorems and title not in self._definitions and title not in found:
                    found[title] = _Found(self._pages[title], self._pages[title].whole())
        return found

    def _owned_proofs(self) -> dict[str, list[_Found]]:
        """Give each theorem the proofs on its page, and on sub-pages whose title merely contains its own."""
        owned: dict[str, list[_Found]] = {}
        for title, proof in self._proofs.items():
            if title in self._theorems:
                owned.setdefault(title, []).append(proof)
            if len(title) < MAX_TITLE and title.count("/") == 1 and "proof" in title.partition("/")[2].lower():
                for theorem in _substrings(title):
                    if theorem in self._theorems and theorem != title:
                        owned.setdefault(theorem, []).append(proof)
        return owned

    def _statement(self, kind: Kind, found: _Found, proofs: tuple[Proof, ...] = ()) -> Statement:
        page, passage = found.page, found.passage
        categories = page.categories()
        page.forget()
        theorem = kind == "theorem"
        return Statement(
            id=f"{self._name}:{page.title}",
            kind=kind,
            label=page.title,
            title=page.title,
            lines=_lines(passage.text),
            mentions=self._mentions(passage.links),
            proofs=proofs,
            categories=categories,
            form=kind,
            origin=Origin(page.title, passage.line),
            notes=(Note("wikitext", (page.wikitext,)),),
            toplevel_categories=self._graph.toplevel(categories) if theorem else None,
            recursive_categories=self._graph.recursive(categories) if theorem else None,
        )

    def _proof(self, found: _Found) -> Proof:
        origin = Origin(found.page.title, found.passage.line)
        return Proof(_lines(found.passage.text), self._mentions(found.passage.links), origin)

    def _mentions(self, links: Iterable[Link]) -> tuple[Mention, ...]:
        pointed = ((self._redirects.get(link.target, link.target), link) for link in links)
        return tuple(Mention(title, link.surface, link.line) for title, link in pointed if title in self._known)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line.strip())


def _substrings(text: str) -> Iterator[str]:
    size = len(text)
    seen = {text[i:j] for i in range(size) for j in range(i + 1, size + 1)}
    yield from seen


def _noted(statement: Statement, note: Note) -> Statement:
    return replace(statement, notes=(*statement.notes, note))
