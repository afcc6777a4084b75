"""Readable text and citations of wikitext, in one walk over its links and templates."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache

from naturalproofs.records import Diagnostic, Severity
from naturalproofs.wiki.fast_records import FastMention
from naturalproofs.wiki.kinds import names_proof
from naturalproofs.wiki.latex import expand_macros
from naturalproofs.wiki.markup import Markup, RenderState, arguments, leaf_arguments
from naturalproofs.wiki.plain import lines
from naturalproofs.wiki.sections import Outline, Role, section_body, theorem_body
from naturalproofs.wiki.templates import (
    EQUATION_BEGIN,
    EQUATION_CLOSING,
    EQUATION_END,
    EQUATION_OPENING,
    EQUATION_ROW,
    SHOWN,
    SYMBOLS,
    cited_titles,
    equation_row,
    is_citation,
    magic_word,
    substitute_magic_words,
)
from naturalproofs.wiki.wiki import Target, Wiki
from naturalproofs.wiki.wikitext import MASK, Node, mask, scan, transcluded

MAX_DEPTH = 20
"""Maximal nesting of links and templates; deeper ones are left out."""
MAX_TRAIL = 20
"""Maximal length of a chain of transclusions."""
MAX_TRANSCLUDED = 1 << 19
"""Maximal characters that transclusions may add to one text; MediaWiki's own limit is four times as high."""
TRANSCLUSION_COST = 512
"""Characters that every transclusion counts for at least, so that many empty ones reach the limit as well."""

_MODIFIER = re.compile(r"(?:subst|safesubst|msg|msgnw|raw|template)\s*:\s*", re.IGNORECASE)
_SPACE = re.compile(r"[\s_]+")
_CONTENT_ROLES: tuple[Role, ...] = ("statement", "definition", "axiom", "rule", "proof")


class Renderer:
    """Renders wikitext of one wiki.

    Methods share these arguments: `markup` is the text that is read and `state` collects what is found in it;
    `include_transcluded` says whether links of transcluded pages count as citations; `depth` is the nesting level.
    """

    def __init__(self, wiki: Wiki, is_statement: Callable[[str], bool]) -> None:
        """Bind the wiki, and a predicate for titles whose transclusion is a citation instead of text."""
        self._wiki = wiki
        self._is_statement = is_statement
        self._reported: dict[tuple[str, str, str], Diagnostic] = {}

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Problems in the text read so far, each once per page."""
        return list(self._reported.values())

    def read(
        self, markup: Markup, spans: Sequence[tuple[int, int]], *, include_transcluded: bool = False
    ) -> tuple[tuple[str, ...], list[FastMention]]:
        """The readable lines and the citations of spans of a page.

        Args:
            markup: The page.
            spans: Start and end of each span, in order.
            include_transcluded: Whether links of transcluded pages count, because the text consists of them.
        """
        state = RenderState()
        nodes = markup.nodes
        text = "\n".join([self._span(markup, start, end, nodes, state, include_transcluded, 0) for start, end in spans])
        return lines(expand_macros(text)), state.mentions

    def cited(self, markup: Markup, node: Node) -> list[str]:
        """The titles that a single node cites, including those on pages it transcludes."""
        state = RenderState()
        self._span(markup, node.start, node.end, (node,), state, include_transcluded=True, depth=0)
        return [mention.target for mention in state.mentions]

    def _span(
        self,
        markup: Markup,
        start: int,
        end: int,
        nodes: Sequence[Node],
        state: RenderState,
        include_transcluded: bool,
        depth: int,
    ) -> str:
        """The text of a span, collecting its citations; `nodes` are those of its nesting level."""
        masked, spans = markup.masked.text, markup.masked.spans
        pieces: list[str] = []
        if nodes and nodes[0].start < start:
            nodes = nodes[bisect_left(nodes, start, key=_start) :]
        for node in nodes:
            begin = node.start
            if begin >= end:
                break
            pieces.append(markup.plain(start, begin) if spans else masked[start:begin])
            start = node.end
            if depth >= MAX_DEPTH:
                self._report(markup, state, node, "nested-too-deep", "markup nested too deep is left out")
            elif node.kind == "link":
                if node.children or spans:
                    pieces.append(self._link(markup, node, state, include_transcluded, depth))
                    continue
                # The usual case: nothing nested, nothing masked.
                bars = node.bars
                raw = masked[begin + 2 : bars[0] if bars else start - 2]
                target = self._wiki.target(raw, markup.title)
                if target is None:
                    pieces.append(self._other_link(markup, node, raw, state, include_transcluded, depth))
                    continue
                surface = (masked[bars[0] + 1 : start - 2].strip() or _pipe_trick(raw)) if bars else raw.strip(" :")
                self._mention(markup, node, state, target, surface)
                pieces.append(surface)
            elif node.kind == "template":
                pieces.append(self._template(markup, node, state, include_transcluded, depth + 1))
        if start < end:
            pieces.append(markup.plain(start, end) if spans else masked[start:end])
        return "".join(pieces)

    def _mention(self, markup: Markup, node: Node, state: RenderState, target: Target, surface: str) -> None:
        """Add a citation; a citation of a missing page is also reported."""
        if "''" in surface and "$" not in surface:
            surface = surface.replace("'''", "").replace("''", "")
        state.mentions.append(FastMention(target.title, surface, state.line_of(markup, node.start)))
        if not target.exists:
            self._report(markup, state, node, "missing-page", f"cites a page that does not exist: {target.title}")

    def _report(self, markup: Markup, state: RenderState, node: Node, rule: str, message: str) -> None:
        """Add a diagnostic, once per page."""
        key = (markup.title, rule, message)
        if key not in self._reported:
            severity: Severity = "note" if rule == "missing-page" else "warning"
            line = state.line_of(markup, node.start)
            column = node.start - markup.text.rfind("\n", 0, node.start) if markup.line is None else 1
            self._reported[key] = Diagnostic(markup.title, line, column, severity, rule, message)

    def _link(self, markup: Markup, node: Node, state: RenderState, include_transcluded: bool, depth: int) -> str:
        masked = markup.masked.text
        bar = node.bars[0] if node.bars else -1
        close = node.end - 2
        raw = masked[node.start + 2 : close if bar < 0 else bar]
        if node.children and "{{" in raw:
            raw = substitute_magic_words(raw, markup.title)
        target = self._wiki.target(raw, markup.title)
        if target is None:
            return self._other_link(markup, node, raw, state, include_transcluded, depth)
        if node.children and any(child.kind == "link" for child in node.children):
            # Links do not nest: the inner one is the link, the outer one is text.
            inner_start = node.start + 2
            text = self._span(markup, inner_start, close, node.children, state, include_transcluded, depth + 1)
            return f"[[{text}]]"
        surface = raw.strip().lstrip(":")
        if bar >= 0:
            inner = RenderState(position=state.position, line=state.line)
            surface = (
                self._span(markup, bar + 1, close, node.children, inner, include_transcluded, depth + 1)
                if node.children
                else markup.plain(bar + 1, close)
            )
            surface = surface.strip() or _pipe_trick(raw)
        self._mention(markup, node, state, target, surface)
        return surface

    def _other_link(
        self, markup: Markup, node: Node, raw: str, state: RenderState, include_transcluded: bool, depth: int
    ) -> str:
        """The text of a link to a file, a category, a user, another site, or to nothing at all."""
        if self._wiki.category(raw) is not None:
            return ""
        title = self._wiki.rules.parse(raw, markup.title)
        inside = (node.bars[0] + 1 if node.bars else node.start + 2, node.end - 2)
        if title is None:
            inside = (node.start + 2, node.end - 2)
            return f"[[{self._span(markup, *inside, node.children, state, include_transcluded, depth + 1)}]]"
        text = self._span(markup, *inside, node.children, state, include_transcluded, depth + 1)
        if self._wiki.is_picture(raw):
            # A caption is not part of the text, but its citations count.
            return ""
        return text if node.bars else markup.masked.text[slice(*inside)].strip().lstrip(":")

    def _template(self, markup: Markup, node: Node, state: RenderState, include_transcluded: bool, depth: int) -> str:
        """The text that a template stands for, collecting the citations of the template and its arguments."""
        name = template_name(markup, node)
        folded = name.lower()
        if folded in EQUATION_ROW:
            return equation_row(self._arguments(markup, node, state, include_transcluded, depth))
        if folded in EQUATION_OPENING:
            return EQUATION_BEGIN
        if folded in EQUATION_CLOSING:
            return EQUATION_END
        if self._wiki.is_transclusion(name):
            return self._transclusion(markup, node, name, state, include_transcluded, depth)
        if is_citation(folded):
            given = self._arguments(markup, node, state, include_transcluded, depth)
            return self._citation(markup, node, name, state, given)
        if folded in SYMBOLS:
            return SYMBOLS[folded]
        word = None if node.bars else magic_word(name, markup.title)
        return self._other_template(markup, node, folded, state, include_transcluded, depth) if word is None else word

    def _arguments(
        self, markup: Markup, node: Node, state: RenderState, include_transcluded: bool, depth: int
    ) -> dict[str, str]:
        """The rendered arguments of a template."""
        if not node.children and not markup.masked.spans:
            # The usual case: nothing nested, nothing masked.
            return leaf_arguments(markup.masked.text[node.start + 2 : node.end - 2]) if node.bars else {}
        return {
            key: self._span(markup, *span, node.children, state, include_transcluded, depth).strip()
            for key, span in arguments(markup, node).items()
        }

    def _citation(self, markup: Markup, node: Node, name: str, state: RenderState, given: dict[str, str]) -> str:
        texts: list[str] = []
        for titles in cited_titles(name.lower(), given, markup.title):
            targets = [target for title in titles if (target := self._wiki.target(title, markup.title)) is not None]
            target = next((target for target in targets if target.exists), targets[0] if targets else None)
            if target is not None:
                self._mention(markup, node, state, target, name)
                texts.append(_citation_text(name, target.title, given))
        return ", ".join(texts)

    def _other_template(
        self, markup: Markup, node: Node, folded: str, state: RenderState, include_transcluded: bool, depth: int
    ) -> str:
        before = markup.masked.text[node.start - 1 : node.start]
        if not node.bars and (before.isalnum() or before in "^_}\\") and before and folded not in SHOWN:
            # Braces of a formula, as in x^{{a}}, are not a template.
            return markup.plain(node.start, node.end)
        if not node.bars:
            return ""
        texts = self._arguments(markup, node, state, include_transcluded, depth)
        return next((texts[key] for key in SHOWN.get(folded, ()) if texts.get(key)), "")

    def _transclusion(
        self, markup: Markup, node: Node, name: str, state: RenderState, include_transcluded: bool, depth: int
    ) -> str:
        """The text of the page that ``{{:Page}}`` names; loops and missing pages are reported and left out."""
        target = self._wiki.target(name, markup.title)
        title = self._wiki.final_title(target.title) if target is not None else None
        if target is None or title is None:
            self._report(markup, state, node, "missing-transclusion", f"transcludes no existing page: {name}")
            return ""
        if len(markup.trail) > MAX_TRAIL or state.transcluded > MAX_TRANSCLUDED:
            self._report(markup, state, node, "transclusion-limit", "transcludes too much; the rest is left out")
            return ""
        if title in markup.trail:
            way = " > ".join((*markup.trail, title))
            self._report(markup, state, node, "transclusion-loop", f"transcludes itself: {way}")
            state.transcluded += TRANSCLUSION_COST
            return ""
        inner_state = state
        if not include_transcluded and self._is_statement(title):
            self._mention(markup, node, state, target, "{{:" + title + "}}")
            inner_state = RenderState(transcluded=state.transcluded)
        text = _transcluded_text(self._wiki.pages[title])
        inner_state.transcluded += max(len(text), TRANSCLUSION_COST)
        masked = mask(text)
        inner = Markup(
            markup.title,
            text,
            masked,
            scan(masked.text),
            (*markup.trail, title),
            state.line_of(markup, node.start),
        )
        result = self._span(inner, 0, len(text), inner.nodes, inner_state, include_transcluded, depth)
        state.transcluded = inner_state.transcluded
        return result


def template_name(markup: Markup, node: Node) -> str:
    """A template's name as MediaWiki compares it, with magic words substituted."""
    raw = markup.masked.text[node.start + 2 : node.bars[0] if node.bars else node.end - 2]
    if node.children and "{{" in raw:
        raw = substitute_magic_words(raw, markup.title)
    return _normalised(raw)


@lru_cache(maxsize=1 << 14)
def _normalised(raw: str) -> str:
    name = _SPACE.sub(" ", raw.replace(MASK, "")).strip()
    return _MODIFIER.sub("", name) if ":" in name[:12] else name


def _citation_text(name: str, title: str, given: dict[str, str]) -> str:
    if name.lower() == "defof":
        return f"Definition of {given.get('2') or given.get('1', '')}"
    return title.partition(":")[2] or title


def _transcluded_text(page: Outline) -> str:
    """What a page contributes when transcluded: its ``<onlyinclude>`` text, else its statement or proof, else all.

    MediaWiki would include all sections of a page without ``<onlyinclude>``; the first one is what is meant.
    """
    if page.masked.only:
        return transcluded(page.text, page.masked)
    roles: tuple[Role, ...] = ("proof",) if names_proof(page.title) else _CONTENT_ROLES
    role = next((part.role for part in page.parts if part.role in roles), None)
    if role is None:
        return transcluded(page.text, page.masked)
    body = theorem_body(page) if role == "statement" else section_body(page, role)
    text = "\n".join(page.text[start:end] for start, end in body.spans)
    return transcluded(text, mask(text))


def _pipe_trick(raw: str) -> str:
    """The text that ``[[Definition:Group (Algebra)|]]`` shows."""
    name = raw.strip().lstrip(":").rpartition(":")[2]
    return name.partition(" (")[0] or name


def _start(node: Node) -> int:
    return node.start
