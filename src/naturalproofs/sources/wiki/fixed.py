"""The reader with ``fixed`` rules: statements of a wiki as its authors meant them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, zip_longest
from operator import attrgetter

from naturalproofs.records import Anchor, Diagnostic, Mention, Note, Origin, Proof, Severity, Statement
from naturalproofs.sources.wiki.latex import expand_macros
from naturalproofs.sources.wiki.sections import (
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
from naturalproofs.sources.wiki.templates import (
    EQUATION_ROW,
    ROWS,
    SHOWN,
    SYMBOLS,
    WANTED,
    citation_text,
    cited_titles,
    is_citation,
    magic_word,
    parent,
    substitute_magic_words,
)
from naturalproofs.sources.wiki.wiki import CategoryGraph, Target, Wiki, title_anchors
from naturalproofs.sources.wiki.wikitext import MASK, Node, Wikitext, lines

# Readable text and citations of wikitext, in one walk over its links and templates.

MAX_DEPTH = 20
"""Maximal nesting of links and templates; deeper ones are left out."""
MAX_TRAIL = 20
"""Maximal length of a chain of transclusions."""
MAX_TRANSCLUDED = 1 << 19
"""Maximal characters that transclusions may add to one text; MediaWiki's own limit is four times as high."""
TRANSCLUSION_COST = 512
"""Characters that every transclusion counts for at least, so that many empty ones reach the limit as well."""
MAX_TRANSCLUDED_BY_ALL, MAX_TRANSCLUDED_PER_PAGE = 1 << 25, 1 << 12
"""Maximal characters that transclusions may add to all texts of a wiki: a constant, and so many for each page."""

_MODIFIER = re.compile(r"(?:subst|safesubst|msg|msgnw|raw|template)\s*:\s*", re.IGNORECASE)
_SPACE = re.compile(r"[\s_]+")
_CONTENT_ROLES: tuple[Role, ...] = ("statement", "definition", "axiom", "rule", "proof")


class Renderer:
    """Renders pages of one wiki."""

    def __init__(self, wiki: Wiki, is_statement: Callable[[str], bool]) -> None:
        """Bind the wiki, and a predicate for titles whose transclusion is a citation instead of text."""
        self.wiki = wiki
        self.is_statement = is_statement
        self.reported: dict[tuple[str, str, str], Diagnostic] = {}
        """Problems in the text read so far, each once per page: by page, rule and message."""
        self.transcluded = 0
        """Characters that transclusions have added to all texts read so far."""
        self.max_transcluded = MAX_TRANSCLUDED_BY_ALL + MAX_TRANSCLUDED_PER_PAGE * len(wiki.pages)

    def read(
        self, page: Outline, spans: Sequence[tuple[int, int]], *, include_transcluded: bool = False
    ) -> tuple[tuple[str, ...], tuple[Mention, ...]]:
        """The readable lines and the citations of spans of a page.

        Args:
            page: The page.
            spans: Start and end of each span, in order.
            include_transcluded: Whether links of transcluded pages count, because the text consists of them.
        """
        walk = _Walk(self, page, (page.title,), include_transcluded)
        text = "\n".join([walk.span(start, end, page.nodes, 0) for start, end in spans])
        return lines(expand_macros(text)), tuple(walk.mentions)

    def cited(self, page: Outline, node: Node) -> list[str]:
        """The titles that a single node cites, including those on pages it transcludes."""
        walk = _Walk(self, page, (page.title,), include_transcluded=True)
        walk.span(node.start, node.end, (node,), 0)
        return [mention.target for mention in walk.mentions]


class _Walk:
    """Renders one text, a page or what it transcludes, and collects its citations; `depth` is the nesting level."""

    def __init__(
        self, renderer: Renderer, text: Wikitext, trail: tuple[str, ...], include_transcluded: bool, line: int = 0
    ) -> None:
        """Bind a text.

        Args:
            renderer: The wiki, and the problems found.
            text: What is rendered.
            trail: The page, and the chain of transcluded pages that leads to this text.
            include_transcluded: Whether links of transcluded pages count as citations.
            line: For transcluded text, the line of the transclusion.
        """
        self.renderer, self.wiki = renderer, renderer.wiki
        self.text, self.masked, self.has_masked = text, text.masked.text, bool(text.masked.spans)
        self.trail, self.title = trail, trail[0]
        self.include_transcluded = include_transcluded
        self.mentions: list[Mention] = []
        self.transcluded = 0
        """Characters that transclusions have added."""
        self._transclusion_line = line
        self._position, self._line = 0, 1

    def span(self, start: int, end: int, nodes: Sequence[Node], depth: int) -> str:
        """The text of a span, collecting its citations; `nodes` are those of its nesting level."""
        if not nodes:
            return self._plain(start, end)
        pieces: list[str] = []
        if nodes[0].start < start:
            nodes = nodes[bisect_left(nodes, start, key=attrgetter("start")) :]
        for node in nodes:
            if node.start >= end:
                break
            pieces.append(self._plain(start, node.start))
            start = node.end
            if depth >= MAX_DEPTH:
                self._report(node, "nested-too-deep", "markup nested too deep is left out")
            elif node.kind == "link":
                pieces.append(self._link(node, depth))
            elif node.kind == "template":
                pieces.append(self._template(node, depth + 1))
        if start < end:
            pieces.append(self._plain(start, end))
        return "".join(pieces)

    def _plain(self, start: int, end: int) -> str:
        return self.text.plain(start, end) if self.has_masked else self.masked[start:end]

    def _line_of(self, position: int) -> int:
        """The line of a position; positions mostly ascend."""
        if self._transclusion_line:
            return self._transclusion_line
        if position < self._position:
            self._position, self._line = 0, 1
        self._line += self.text.text.count("\n", self._position, position)
        self._position = position
        return self._line

    def _mention(self, node: Node, target: Target, surface: str) -> None:
        """Add a citation; a citation of a missing page is also reported."""
        if "''" in surface and "$" not in surface:
            surface = surface.replace("'''", "").replace("''", "")
        self.mentions.append(Mention(target.title, surface, self._line_of(node.start)))
        if not target.exists:
            self._report(node, "missing-page", f"cites a page that does not exist: {target.title}")

    def _report(self, node: Node, rule: str, message: str) -> None:
        """Add a diagnostic, once per page."""
        key = (self.title, rule, message)
        if key not in self.renderer.reported:
            severity: Severity = "note" if rule == "missing-page" else "warning"
            column = 1 if self._transclusion_line else node.start - self.text.text.rfind("\n", 0, node.start)
            line = self._line_of(node.start)
            self.renderer.reported[key] = Diagnostic(self.title, line, column, severity, rule, message)

    def _link(self, node: Node, depth: int) -> str:
        raw = self.text.before_bar(node)
        if "{{" in raw:
            raw = substitute_magic_words(raw, self.title)
        target = self.wiki.target(raw, self.title)
        if target is None:
            return self._other_link(node, raw, depth)
        if node.children and any(child.kind == "link" for child in node.children):
            # Links do not nest: the inner one is the link, the outer one is text.
            return f"[[{self.span(node.start + 2, node.end - 2, node.children, depth + 1)}]]"
        surface = raw.strip().lstrip(": ")
        if node.bars:
            before = len(self.mentions)
            surface = self.span(node.bars[0] + 1, node.end - 2, node.children, depth + 1).strip() or _pipe_trick(raw)
            # What the text of the link cites is not a citation.
            del self.mentions[before:]
        self._mention(node, target, surface)
        return surface

    def _other_link(self, node: Node, raw: str, depth: int) -> str:
        """The text of a link to a file, a category, a user, another site, or to nothing at all."""
        if self.wiki.category(raw) is not None:
            return ""
        if self.wiki.rules.parse(raw, self.title) is None:
            return f"[[{self.span(node.start + 2, node.end - 2, node.children, depth + 1)}]]"
        start, end = (node.bars[0] if node.bars else node.start + 1) + 1, node.end - 2
        text = self.span(start, end, node.children, depth + 1)
        if self.wiki.is_picture(raw):
            # A caption is not part of the text, but its citations count.
            return ""
        return text if node.bars else self.masked[start:end].strip().lstrip(":")

    def _template(self, node: Node, depth: int) -> str:
        name = _render_name(self.text.before_bar(node), self.title)
        folded = name.lower()
        if folded in ROWS and node.bars:
            return ROWS[folded](self._arguments(node, depth))
        if self.wiki.is_transclusion(name):
            return self._transclusion(node, name, depth)
        if folded in SYMBOLS:
            return SYMBOLS[folded]
        if is_citation(folded):
            return self._citation(node, name, self._arguments(node, depth))
        if node.bars:
            texts = self._arguments(node, depth)
            return next((texts[key] for key in SHOWN.get(folded, ()) if texts.get(key)), "")
        word = magic_word(name, self.title)
        if word is not None:
            return word
        before = self.masked[node.start - 1 : node.start]
        if before and (before.isalnum() or before in "^_}\\") and folded not in SHOWN:
            # Braces of a formula, as in x^{{a}}, are not a template.
            return self.text.plain(node.start, node.end)
        return ""

    def _arguments(self, node: Node, depth: int) -> dict[str, str]:
        """The rendered arguments of a template, by name or number."""
        found: dict[str, str] = {}
        number = 0
        for start, end in node.parts()[1:]:
            equals = self.masked.find("=", start, end)
            if equals >= 0 and not any(child.start < equals < child.end for child in node.children):
                name, value_start = self.masked[start:equals].strip().lower(), equals + 1
            else:
                number += 1
                name, value_start = str(number), start
            found[name] = self.span(value_start, end, node.children, depth).strip()
        return found

    def _citation(self, node: Node, name: str, given: dict[str, str]) -> str:
        cited: list[str] = []
        for titles in cited_titles(name.lower(), given, self.title):
            targets = [target for title in titles if (target := self.wiki.target(title, self.title)) is not None]
            target = next((target for target in targets if target.exists), targets[0] if targets else None)
            if target is not None:
                self._mention(node, target, name)
                cited.append(target.title)
        return citation_text(name.lower(), cited, given)

    def _transclusion(self, node: Node, name: str, depth: int) -> str:
        """The text of the page that ``{{:Page}}`` names; loops and missing pages are reported and left out."""
        target = self.wiki.target(name, self.title)
        title = self.wiki.final_title(target.title) if target is not None else None
        if target is None or title is None:
            self._report(node, "missing-transclusion", f"transcludes no existing page: {name}")
            return ""
        renderer = self.renderer
        exhausted = self.transcluded > MAX_TRANSCLUDED or renderer.transcluded > renderer.max_transcluded
        if len(self.trail) > MAX_TRAIL or exhausted:
            self._report(node, "transclusion-limit", "transcludes too much; the rest is left out")
            return ""
        if title in self.trail:
            way = " > ".join((*self.trail, title))
            self._report(node, "transclusion-loop", f"transcludes itself: {way}")
            self.transcluded += TRANSCLUSION_COST
            return ""
        text = Wikitext(_transcluded_text(self.wiki.pages[title]))
        inner = _Walk(renderer, text, (*self.trail, title), self.include_transcluded, self._line_of(node.start))
        cost = max(len(text.text), TRANSCLUSION_COST)
        inner.transcluded = self.transcluded + cost
        renderer.transcluded += cost
        if not self.include_transcluded and renderer.is_statement(title):
            self._mention(node, target, "{{:" + title + "}}")
        else:
            inner.mentions = self.mentions
        result = inner.span(0, len(text.text), text.nodes, depth)
        self.transcluded = inner.transcluded
        return result


def template_name(page: Outline, node: Node) -> str:
    """The name of a template on a page, as MediaWiki compares it."""
    return _render_name(page.before_bar(node), page.title)


def _render_name(raw: str, title: str) -> str:
    return _normalised(substitute_magic_words(raw, title) if "{{" in raw else raw)


@lru_cache(maxsize=1 << 14)
def _normalised(raw: str) -> str:
    name = _SPACE.sub(" ", raw.replace(MASK, "")).strip()
    return _MODIFIER.sub("", name) if ":" in name[:12] else name


def _transcluded_text(page: Outline) -> str:
    """What a page contributes when transcluded: its ``<onlyinclude>`` text, else its statement or proof, else all.

    MediaWiki would include all sections of a page without ``<onlyinclude>``; the first one is what is meant.
    """
    roles: tuple[Role, ...] = ("proof",) if names_proof(page.title) else _CONTENT_ROLES
    role = next((section.role for section in page.sections if section.role in roles), None)
    if page.masked.only or role is None:
        return page.transcluded()
    body = theorem_body(page) if role == "statement" else section_body(page, role)
    return Wikitext("\n".join(page.text[start:end] for start, end in body.spans)).transcluded()


def _pipe_trick(raw: str) -> str:
    """The text that ``[[Definition:Group (Algebra)|]]`` shows."""
    name = raw.strip().lstrip(":").rpartition(":")[2]
    return name.partition(" (")[0] or name


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
        return title_anchors(self._name, owners)

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
