"""The reader with ``fixed`` rules: statements of a wiki as its authors meant them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from naturalproofs.records import Anchor, Diagnostic, Note, Origin, Proof, Statement
from naturalproofs.wiki.render import Renderer, template_name
from naturalproofs.wiki.sections import (
    Body,
    Outline,
    PageKind,
    Role,
    blank,
    names_proof,
    page_kind,
    proof_bodies,
    section_body,
    theorem_body,
    whole_body,
)
from naturalproofs.wiki.templates import EQUATION_ROW, WANTED, is_citation
from naturalproofs.wiki.titles import parent
from naturalproofs.wiki.wiki import CategoryGraph, TitleAnchors, Wiki
from naturalproofs.wiki.wikitext import Node

BESIDE: frozenset[Role] = frozenset({"pointer", "aside", "other"})
"""Roles of sections with related pages, if the statement has its own section."""
POINTERS: frozenset[Role] = frozenset({"pointer"})
"""The same, if the statement is the whole page."""


class FixedReader:
    """Turns the pages of a wiki into statements."""

    def __init__(self, wiki: Wiki, name: str) -> None:
        """Determine the kind of every page, since reading one depends on the kinds of others."""
        self._wiki = wiki
        self._name = name
        self.kinds: dict[str, PageKind] = {
            title: page_kind(title, wiki.roles[title], self._theorem_above) for title in wiki.pages
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
        """Problems in the pages read so far."""
        return [*self._wiki.diagnostics, *self._render.reported.values(), *self._empty]

    def statements(self) -> Iterator[Statement]:
        """A statement for every content page that is not a proof of another page's theorem."""
        for title, kind in self.kinds.items():
            if kind.kind is not None:
                yield self._statement(self._wiki.pages[title], kind)

    def anchors(self) -> Mapping[str, Anchor]:
        """The anchor of every title: its statement, the theorem it proves, or the target of its redirect."""
        owners = {title: title for title, kind in self.kinds.items() if kind.kind is not None}
        owners |= {title: owner for owner, titles in self._proof_pages.items() for title in titles}
        owners |= {title: owners[end] for title, end in self._wiki.redirect_targets.items() if end in owners}
        return TitleAnchors(self._name, owners)

    def _theorem_above(self, title: str) -> str | None:
        above = parent(title)
        while above:
            end = self._wiki.final_title(above)
            if end is not None and not names_proof(end) and "statement" in self._wiki.roles[end]:
                return end
            above = parent(above)
        return None

    def _statement(self, page: Outline, kind: PageKind) -> Statement:
        body = _body(page, kind)
        only_transcluded = bool(transcluded_pages(self._wiki, page, body))
        lines, mentions = self._render.read(page, body.spans, include_transcluded=only_transcluded)
        if not lines:
            self._empty.append(Diagnostic(page.title, 1, 1, "note", "empty-page", "the page states nothing"))
        assert kind.kind is not None
        theorem = kind.kind == "theorem"
        proofs, notes = self._proofs(page) if theorem else ((), [])
        categories = self._wiki.categories(page)
        beside = related_pages(self._wiki, page, POINTERS if kind.body is None else BESIDE, self._render)
        return Statement(
            id=f"{self._name}:{page.title}",
            kind=kind.kind,
            label=page.title,
            title=page.title,
            lines=lines,
            mentions=mentions,
            proofs=proofs,
            categories=categories,
            form=kind.form or _first_word(page, body),
            origin=Origin(page.title, page.line(body.heading.start) if body.heading is not None else 1),
            notes=(*beside, *notes, Note("wikitext", (page.text,))),
            toplevel_categories=self._graph.toplevel(categories) if theorem else None,
            recursive_categories=self._graph.recursive(categories) if theorem else None,
        )

    def _proofs(self, page: Outline) -> tuple[tuple[Proof, ...], list[Note]]:
        reader = ProofReader(self._wiki, self.kinds, self._render)
        proofs = list(reader.read(page))
        for title in self._proof_pages.get(page.title, ()):
            if title not in reader.visited:
                proofs += reader.read(self._wiki.pages[title])
        others = [title for title in reader.visited if title != page.title]
        notes = [Note("proof page", (title, self._wiki.pages[title].text)) for title in others]
        if reader.wanted:
            notes.insert(0, Note("proof wanted", ()))
        return tuple(proofs), notes


def _body(page: Outline, kind: PageKind) -> Body:
    if kind.body == "statement":
        return theorem_body(page)
    return whole_body(page) if kind.body is None else section_body(page, kind.body)


def _first_word(page: Outline, body: Body) -> str:
    words = page.heading(body.heading).lower().split() if body.heading is not None else []
    return words[0] if words else "theorem"


def related_pages(wiki: Wiki, page: Outline, roles: frozenset[Role], renderer: Renderer) -> Iterator[Note]:
    """A note for each section of the given roles that has links: its heading and the linked titles.

    Links to related pages, sources and history are stored, but they are not prerequisites.
    """
    for section in page.sections:
        if section.role in roles:
            nodes = page.nodes_in(section.start, section.end)
            titles = tuple(dict.fromkeys(_cited(wiki, page, nodes, renderer)))
            if titles:
                yield Note(page.heading(section.heading).lower(), titles)


def _cited(wiki: Wiki, page: Outline, nodes: Sequence[Node], renderer: Renderer) -> Iterator[str]:
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        name = template_name(page, node) if node.kind == "template" else None
        if name is not None and not wiki.is_transclusion(name) and not is_citation(name.lower()):
            stack.extend(reversed(node.children))
        elif name is not None or node.children:
            yield from renderer.cited(page, node)
        else:
            target = wiki.target(page.before_bar(node), page.title)
            if target is not None:
                yield target.title


def transcluded_pages(wiki: Wiki, page: Outline, body: Body) -> list[str]:
    """The pages that a text transcludes, if it consists of transclusions, headings and marker templates only.

    Args:
        wiki: The wiki.
        page: The page with the text.
        body: The text.
    """
    if "{{" not in page.text:
        return []
    nodes = [node for span in body.spans for node in page.nodes_in(*span)]
    found: list[str] = []
    headings = [h for section in page.sections for h in (section.heading, *section.subheadings)]
    starts = [h.start for h in headings]
    for node in nodes:
        above = bisect_right(starts, node.start)
        if above and node.start < headings[above - 1].end:
            continue
        name = template_name(page, node) if node.kind == "template" else ""
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


def has_other_parts(page: Outline, body: Body, markers: Sequence[Node]) -> bool:
    """Whether a proof has subsections with text beside those with a marker: only a part of it is missing."""
    subheadings = [h for section in page.sections for h in section.subheadings]
    for start, end in body.spans:
        inside = [h for h in subheadings if start <= h.start < end]
        for heading, after in zip_longest(inside, inside[1:]):
            part = heading.end, after.start if after is not None else end
            if not any(part[0] <= node.start < part[1] for node in markers) and not blank(page, *part):
                return True
    return False


def _name(page: Outline, node: Node) -> str:
    """The name of a template in lower case; empty for a link."""
    return template_name(page, node).lower() if node.kind == "template" else ""


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

    def read(self, page: Outline) -> Iterator[Proof]:
        """The proofs on a page, or on pages that it transcludes."""
        self.visited[page.title] = None
        bodies = list(proof_bodies(page))
        if not bodies and self._is_proof_page(page.title):
            # The page consists of the proof, without a heading.
            bodies = [whole_body(page)]
        for body in bodies:
            yield from self._body(page, body)

    def _body(self, page: Outline, body: Body) -> Iterator[Proof]:
        nodes = [node for span in body.spans for node in page.nodes_in(*span)]
        if wanted := [node for node in nodes if _name(page, node) in WANTED]:
            self.wanted = True
            if not has_other_parts(page, body, wanted):
                return
        transcluded = transcluded_pages(self._wiki, page, body)
        elsewhere = [self._wiki.final_title(title) for title in transcluded]
        if transcluded and all(title is not None and self._is_proof_page(title) for title in elsewhere):
            for title in elsewhere:
                if title is not None and title not in self.visited:
                    yield from self.read(self._wiki.pages[title])
            return
        lines, mentions = self._render.read(page, body.spans, include_transcluded=bool(transcluded))
        if lines:
            line = page.line(body.heading.start) if body.heading is not None else 1
            yield Proof(lines, mentions, Origin(page.title, line))
        else:
            self.wanted = self.wanted or bool(nodes)

    def _is_proof_page(self, title: str) -> bool:
        return title in self._kinds and self._kinds[title].kind is None
