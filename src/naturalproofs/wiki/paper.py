"""Statements of a wiki as the published data set's notebook read them, its mistakes included.

One redirect is followed and no more; titles are compared as they are written; transclusions stay unexpanded; only a
section headed exactly *Proof* is a proof; and the last section of a page ends with the revision's checksum, because all
character data of the page's XML was taken for its text.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from naturalproofs.io.disk_list import DiskMap
from naturalproofs.records import Anchor, Diagnostic, Kind
from naturalproofs.wiki.anchors import TitleAnchors
from naturalproofs.wiki.categories import CategoryGraph
from naturalproofs.wiki.contents import Page, Site
from naturalproofs.wiki.drafts import MentionDraft, NoteDraft, OriginDraft, ProofDraft, StatementDraft
from naturalproofs.wiki.duplicates import duplicates
from naturalproofs.wiki.paper_page import Link, PaperPage, Passage, paper_page

DROPPED = ("Talk:", "User:", "User talk:", "Help:")
MAX_TITLE = 256
"""MediaWiki's own limit; a longer title is no title."""
NO_PROOF = frozenset({"{{ProofWanted}}", "{{proof wanted}}", "{{finish}}", "{{Finish}}"})


class _Stated(msgspec.Struct, array_like=True, gc=False):
    passage: Passage
    categories: tuple[str, ...]


class PaperReader:
    """Reads pages by the notebook's rules; memory holds titles and what they stand for, and no texts."""

    def __init__(self, pages: Iterable[Site | Page], name: str) -> None:
        """Collect theorems, definitions, proofs and the other pages that proofs link to."""
        self.diagnostics: list[Diagnostic] = []
        self._name = name
        self._redirects: dict[str, str] = {}
        self._pages = DiskMap(PaperPage)
        for item in pages:
            if isinstance(item, Page) and not item.title.startswith(DROPPED):
                page = paper_page(item)
                self._pages.add(page.title, page)
                if item.redirect is not None:
                    self._redirects[page.title] = item.redirect
        self._kinds: dict[str, Kind] = {}
        self._stated = DiskMap(_Stated)
        self._proofs = DiskMap(Passage)
        cited: dict[str, None] = {}
        parents: dict[str, tuple[str, ...]] = {}
        for title, page in self._pages.items():
            self._find_statement(title, page)
            self._find_proof(title, page, cited)
            if title.startswith("Category:"):
                parents[title[9:]] = page.categories()
        self._find_others(cited)
        self._graph = CategoryGraph(parents)

    def statements(self) -> Iterator[StatementDraft]:
        """Give theorems, definitions and others; duplicates among the theorems carry a note."""
        owned = self._owned_proofs()
        theorems = (title for title, kind in self._kinds.items() if kind == "theorem")
        # Theorems are made twice, since no one can be told to be a copy before all are known: that costs less than
        # to write them down in between.
        copies = duplicates(self._statement(title, owned.get(title, ())) for title in theorems)
        for title in self._kinds:
            statement = self._statement(title, owned.get(title, ()))
            if statement.id in copies:
                statement.notes.append(NoteDraft("duplicate", (copies[statement.id],)))
            yield statement

    def anchors(self) -> Mapping[str, Anchor]:
        """Give every statement under its title."""
        return TitleAnchors(self._name, {title: title for title in self._kinds})

    def _find_statement(self, title: str, page: PaperPage) -> None:
        if title in self._redirects:
            return
        kind: Kind = "theorem"
        passage = page.section("Theorem", cut=True) if "== Theorem ==" in page.text else None
        if passage is None:
            if "Definition:" not in title:
                return
            kind, passage = "definition", page.section("Definition") or Passage("", (), 1)
        self._state(title, kind, passage, page)

    def _find_proof(self, title: str, page: PaperPage, cited: dict[str, None]) -> None:
        """Find what a page proves, and note the pages that the proof links to."""
        passage = page.section("Proof")
        if passage is None or passage.text.strip() in NO_PROOF:
            return
        self._proofs.add(title, passage)
        for link in passage.links:
            target = self._redirects.get(link.target, link.target)
            if target in self._pages and not target.startswith(("Category:", "File:")):
                cited[target] = None

    def _find_others(self, cited: Iterable[str]) -> None:
        for title in cited:
            if title not in self._kinds:
                page = self._pages[title]
                self._state(title, "other", page.whole(), page)

    def _state(self, title: str, kind: Kind, passage: Passage, page: PaperPage) -> None:
        self._kinds[title] = kind
        self._stated.add(title, _Stated(passage, page.categories()))

    def _owned_proofs(self) -> dict[str, list[str]]:
        """Give each theorem the proofs on its page, and on sub-pages whose title merely contains its own."""
        owned: dict[str, list[str]] = {}
        for title in self._proofs:
            if self._kinds.get(title) == "theorem":
                owned.setdefault(title, []).append(title)
            if len(title) < MAX_TITLE and title.count("/") == 1 and "proof" in title.partition("/")[2].lower():
                for theorem in _substrings(title):
                    if self._kinds.get(theorem) == "theorem" and theorem != title:
                        owned.setdefault(theorem, []).append(title)
        return owned

    def _statement(self, title: str, proofs: Iterable[str]) -> StatementDraft:
        kind, stated = self._kinds[title], self._stated[title]
        passage, categories = stated.passage, stated.categories
        theorem = kind == "theorem"
        return StatementDraft(
            id=f"{self._name}:{title}",
            kind=kind,
            label=title,
            title=title,
            lines=_lines(passage.text),
            mentions=self._mentions(passage.links),
            proofs=[self._proof(page) for page in proofs],
            categories=categories,
            form=kind,
            origin=OriginDraft(title, passage.line),
            notes=[NoteDraft("wikitext", (self._pages[title].wikitext,))],
            toplevel_categories=self._graph.toplevel(categories) if theorem else None,
            recursive_categories=self._graph.recursive(categories) if theorem else None,
        )

    def _proof(self, title: str) -> ProofDraft:
        passage = self._proofs[title]
        return ProofDraft(_lines(passage.text), self._mentions(passage.links), OriginDraft(title, passage.line))

    def _mentions(self, links: Iterable[Link]) -> list[MentionDraft]:
        pointed = ((self._redirects.get(link.target, link.target), link) for link in links)
        return [MentionDraft(title, link.surface, link.line) for title, link in pointed if title in self._kinds]


def _lines(text: str) -> tuple[str, ...]:
    return tuple([line for line in text.split("\n") if line.strip()])


def _substrings(text: str) -> Iterator[str]:
    size = len(text)
    seen = {text[i:j] for i in range(size) for j in range(i + 1, size + 1)}
    yield from seen
