"""Statements and proofs as HTML with links. A corpus is untrusted: only the package's own renderer writes markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from html import escape
from typing import Any

from markupsafe import Markup

from naturalproofs.apps.web.templating import kind_class, url
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import counts
from naturalproofs.records import (
    BibliographyEntry,
    FormalName,
    Mention,
    Origin,
    Proof,
    Statement,
    StatementId,
    formal_names,
)
from naturalproofs.sources.latex import CITED, Formulas, Image, Link, Macro, Prose, plain_unicode, with_numbers, works
from naturalproofs.sources.wiki.latex import expand_macros
from naturalproofs.sources.wiki.paper import readable
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.paths import Neighbourhood
from naturalproofs.workspace.render import (
    citation_targets,
    citation_text,
    cited_name,
    close_groups,
    excerpt,
    named_citations,
    preview,
    short_name,
    shown_cut,
    titled,
    wiki_as_latex,
)
from naturalproofs.workspace.search import Mark, marked

STATEMENT = partial(url, "statement")
"""The address of the page of a statement."""
OPENING = 420
"""About how many characters of a statement a list shows."""
_ON, _OFF = "\ue000", "\ue001"
"""Placeholders around highlighted text while it is rendered; private use characters, removed from the source first."""
_PLACEHOLDERS = re.compile(f"[{_ON}{_OFF}]")
_WIKI_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")
_LINK_END = re.compile(r"\A(?:[^\[\]|$]*\|)*([^\[\]|$]*)\]\]")
"""The rest of a link that begins before an excerpt; its text is kept."""
_LINK_START = re.compile(r"\[\[(?:[^\[\]|$]*\|)?([^\[\]|$]*)\Z")
"""The beginning of a link that ends after an excerpt."""
_ENVIRONMENT = re.compile(r"\$[^$]++\$|\\begin\{([a-zA-Z]++\*?)\}")
"""A formula in dollars, whose environments belong to it, or the beginning of an environment of the text."""
_ENVIRONMENT_END = re.compile(r"\\end\{([a-zA-Z]++\*?)\}")
_IMAGE_OPTION = re.compile(
    r"(?:\d++(?:x\d++)?+|x\d++)px|thumb(?:nail)?|frame(?:d|less)?|border|left|right|cent(?:er|re)|none|upright[\d.=]*|\w+=.*"
)
_BLANK = re.compile(r"⟨(\d+)⟩")
_BULLET = re.compile(r"^[*#:;]+\s*", re.MULTILINE)


_GAP = '<span class="gap"></span>'


def _trimmed(html: str) -> str:
    """HTML without gaps at its ends."""
    while (short := html.strip().removeprefix(_GAP).removesuffix(_GAP)) != html:
        html = short
    return html


def unbroken(html: str) -> str:
    """HTML in which no line begins with the punctuation after a formula; browsers may break lines there."""
    parts: list[str] = []
    at = start = depth = 0
    for tag in _MATH.finditer(html):
        if tag[0] != "</math>":
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            after = _PUNCTUATION.match(html, tag.end())
            if not depth and after and not html.startswith(_DISPLAYED, start):
                parts += [html[at:start], '<span class="unbroken">', html[start : after.end()], "</span>"]
                at = after.end()
    return "".join([*parts, html[at:]])


_MATH = re.compile(r"<math\b[^>]*>|</math>")
_PUNCTUATION = re.compile(r"[.,;:!?)\]’”]+")
_DISPLAYED = '<math display="block"'


class Renderer:
    """Renders the statements of one corpus."""

    def __init__(
        self,
        corpus: Corpus,
        macros: Mapping[str, Macro],
        url: Callable[[StatementId], str] = STATEMENT,
        image: Image = lambda _file: None,
        preview: Callable[[int], str] = lambda _place: "",
    ) -> None:
        """Bind the corpus.

        Args:
            corpus: The statements.
            macros: Its author's macros.
            url: The address of the page of a statement; empty if there is none.
            image: The address of a figure that can be shown.
            preview: Where a page finds what a reference to the statement at a position shows in place.
        """
        self.preview = preview
        self._image = image
        self.corpus = corpus
        self.url = url
        self.macros = macros
        self._formulas = Formulas(self.macros)
        self._by_document: dict[str, Formulas] = {}
        self._plain: dict[tuple[StatementId, int], str] = {}
        self.elsewhere: Link = lambda _key, _command, shown: shown
        """Links labels that are no statements."""
        self.other_works: Link = self._entry
        """Links results of other works, by the key and the place."""

    def _formulas_of(self, statement: Statement) -> Formulas:
        """What renders the formulas of a statement: its document may have macros of its own."""
        macros = macros_for(self.macros, statement)
        if macros is self.macros or statement.place is None:
            return self._formulas
        return self._by_document.setdefault(statement.place.document, Formulas(macros))

    def name(self, statement: Statement) -> str:
        """What a person calls it: ``Lemma 2.1``, or its form and label where no number is printed."""
        return short_name(statement)

    def title(self, statement: Statement, *, linked: bool = False) -> Markup:
        """Its title, formulas included, with the results of other works that it cites; these may be links."""
        title = _without_namespace(statement, titled(statement))
        link: Link = self._linker(()) if linked else lambda _key, _command, shown: shown
        return Markup(Prose(self._formulas_of(statement), link).render(title))

    def plain_title(self, statement: Statement) -> str:
        """Its title as plain characters."""
        return plain_unicode(_without_namespace(statement, statement.title), macros_for(self.macros, statement))

    def full_title(self, statement: Statement) -> str:
        """Its name and title as plain characters."""
        return f"{self.name(statement)} {self.plain_title(statement)}".strip()

    def statement(self, statement: Statement) -> Markup:
        """The text of a statement."""
        numbers = self._numbers.get(self._positions.get(statement.id, -1), ())
        return self._lines(statement, statement.lines, statement.mentions, numbers)

    def proof(self, statement: Statement, proof: Proof) -> Markup:
        """One of its proofs."""
        return self._lines(statement, proof.lines, proof.mentions, self._numbers.get(proof.origin, ()))

    @cached_property
    def _numbers(self) -> dict[int | Origin | None, tuple[str, ...]]:
        """The numbers of the equations of statements, by their positions, and of proofs, by their places."""
        return {
            part.number if part.kind == "statement" else part.origin: part.equations
            for part in self.corpus.text_parts
            if part.equations and part.kind in ("statement", "proof")
        }

    @cached_property
    def _positions(self) -> dict[StatementId, int]:
        return {one.id: place for place, one in enumerate(self.corpus.links)}

    def linked(self, url: str, shown: str, place: int | None) -> str:
        """A link, with what it shows in place."""
        seen = self.preview(place) if place is not None else ""
        shows = f' data-preview="{escape(seen)}"' if seen else ""
        return f'<a href="{escape(url)}"{shows}>{shown}</a>' if url else shown

    def shows(self, statement: Statement) -> Markup:
        """The attribute of a link to a statement that is shown in place."""
        seen = self.preview(self._positions[statement.id])
        return Markup(f'data-preview="{escape(seen)}"') if seen else Markup()

    def prose(self, text: str, near: Statement | None, *, line: bool = False) -> Markup:
        """Text between statements; `near` is a statement of the same document.

        What stands around a statement, such as a slide or columns, begins in one text and ends in another.
        """
        text = close_groups(text)
        formulas = self._formulas_of(near) if near is not None else self._formulas
        prose = Prose(formulas, self._linker(()), self._image)
        return Markup(unbroken(prose.render_line(text) if line else _trimmed(prose.render(text))))

    def blanked(self, statement: Statement, text: str) -> Markup:
        """A proof with numbered blanks such as ⟨1⟩ in place of its citations."""
        made = self._lines(statement, text.split("\n"), ())
        return Markup(_BLANK.sub(r'<span class="blank">(\1)</span>', str(made)))

    def note(self, statement: Statement, lines: Sequence[str]) -> Markup:
        """A note about it, or a sentence of its proof."""
        mentions = (*statement.mentions, *(mention for proof in statement.proofs for mention in proof.mentions))
        return self._lines(statement, lines, mentions)

    def formal_names(self, statement: Statement) -> list[FormalName]:
        """The names of its formal counterparts, with their addresses."""
        return formal_names(statement)

    def opening(self, statement: Statement) -> Markup:
        """The first lines of a statement, for a list."""
        source = excerpt(statement.lines, OPENING)
        whole = len(source) == len(statement.text)
        return self.excerpt(statement, source if whole else f"{source} \\dots")

    def excerpt(
        self, statement: Statement, text: str, marks: Sequence[Mark] = (), cut: tuple[bool, bool] = (False, False)
    ) -> Markup:
        """A part of a statement, with the matches of a search highlighted, and an ellipsis where it is cut."""
        source = marked(_PLACEHOLDERS.sub("\ufffd", text), marks, _ON, _OFF)
        if statement.place is None:
            whole_links = _LINK_START.sub(r"\1", _LINK_END.sub(r"\1", source))
            source = expand_macros(readable(_without_namespace(statement, whole_links)))
            source = _BULLET.sub(lambda mark: "" if _is_indent(mark[0]) else "• ", source)
        source = _wiki_links(close_groups(shown_cut(source, cut)))
        made = unbroken(Prose(self._formulas_of(statement), self._linker(statement.mentions)).render(source))
        return Markup(made.replace(_ON, "<mark>").replace(_OFF, "</mark>"))

    def summary(self, statement: Statement, length: int = 130) -> Markup:
        """One line that can stand inside a link: its title, or its first words with formulas drawn."""
        if statement.title:
            return Markup(f"<i>{self.title(statement)}</i>")
        source = excerpt(statement.lines, length)
        if 3 * len(source) < length < len(statement.text):
            # A long formula near the beginning is not drawn in part.
            return Markup(escape(self.plain_summary(statement, length)))
        targets = citation_targets(statement.mentions)

        def name(key: str, command: str, shown: str | None) -> str | None:
            found = self.corpus.by_id.get(targets.get(key, ""))
            return shown or (escape(citation_text(found, key, command) or cited_name(found)) if found else None)

        made = unbroken(Prose(self._formulas_of(statement), name).render_line(_wiki_links(close_groups(source))))
        return Markup(made if len(source) == len(statement.text) else f"{made} …")

    def plain_summary(self, statement: Statement, length: int = 160) -> str:
        """Its first words as plain characters; references are replaced by names."""
        key = statement.id, length
        if key not in self._plain:
            source = excerpt(statement.lines, 4 * length)
            source = wiki_as_latex(source) if statement.place is None else _wiki_links(source)
            text = named_citations(self.corpus, source, statement.mentions)
            self._plain[key] = preview(replace(statement, lines=(text,)), self.macros, length)
        return self._plain[key]

    def inline(self, text: str) -> Markup:
        """A sentence of the corpus, formulas included; what it cites is shown by its text."""
        return Markup(Prose(self._formulas, lambda _key, _command, shown: shown or "…").render(_wiki_links(text)))

    def plain_text(self, text: str) -> str:
        """A heading as plain characters."""
        return plain_unicode(text, self.macros)

    def _lines(
        self, statement: Statement, lines: Sequence[str], mentions: Sequence[Mention], numbers: Sequence[str] = ()
    ) -> Markup:
        wiki = statement.place is None
        prose = Prose(self._formulas_of(statement), self._linker(mentions), self._image)
        text = with_numbers("\n".join(lines), numbers)
        text = expand_macros(_wiki_links(readable(text))) if wiki else _wiki_links(text)
        if not wiki or "$$" in text:
            return Markup(unbroken(_trimmed(prose.render(text))))
        parts, at = [], 0
        for start, end in _environments(text):
            parts += [_wiki_lines(prose, text[at:start]), prose.render(text[start:end])]
            at = end
        return Markup(unbroken("".join([*parts, _wiki_lines(prose, text[at:])])))

    def _entry(self, key: str, _place: str, shown: str | None) -> str:
        """The key of another work, which says what it stands for."""
        entry = self.entries.get(key)
        return f'<span title="{escape(str(entry))}">{shown}</span>' if entry is not None else shown or key

    @cached_property
    def entries(self) -> dict[str, BibliographyEntry]:
        """The bibliography, by key."""
        listed = self.corpus.bibliography if isinstance(self.corpus, OpenCorpus) else self.corpus.works
        return {entry.key: entry for entry in listed}

    def _linker(self, mentions: Sequence[Mention]) -> Link:
        targets = citation_targets(mentions)

        def link(key: str, command: str, shown: str | None) -> str | None:
            if command.startswith(CITED):
                return self.other_works(key, works.plain_place(command.removeprefix(CITED)), shown)
            statement = self.corpus.by_id.get(targets.get(key, ""))
            anchor = self.corpus.anchors.get(key)
            name = citation_text(statement, key, command, anchor) if statement is not None else ""
            if statement is None or not name:
                found = self.elsewhere(key, command, shown)
                if statement is None or found is not None:
                    return found
            name = escape(name or f"a part of {cited_name(statement)}")
            return self.link_to(statement, shown or name)

        return link

    def link_to(self, statement: Statement, shown: str) -> str:
        """A link to a statement, which is shown in place."""
        return self.linked(self.url(statement.id), shown, self._positions[statement.id])


def render_latex(text: str, macros: Mapping[str, Macro]) -> Markup:
    """LaTeX that a user typed; nothing of it is cached."""
    return Markup(Prose(Formulas(dict(macros)), _plain_link).render(text))


def _plain_link(key: str, _command: str, shown: str | None) -> str | None:
    return shown or f'<span class="cite">{escape(key)}</span>'


def _without_namespace(statement: Statement, title: str) -> str:
    """The title of a wiki page without the namespace that its name repeats: ``Definition:Group``."""
    namespace, colon, rest = title.partition(":")
    word = _PLACEHOLDERS.sub("", namespace).casefold()
    return rest if colon and statement.place is None and word == (statement.form or statement.kind) else title


def _wiki_links(text: str) -> str:
    """Wiki links as the LaTeX command that means the same."""
    if "[[" not in text:
        return text
    return _WIKI_LINK.sub(_wiki_link, text)


def _wiki_link(match: re.Match[str]) -> str:
    space, _, name = match[1].partition(":")
    if space.casefold() not in ("file", "image") or not name:
        return f"\\hyperref[{match[1]}]{{{match[2] or match[1]}}}"
    # Of the options of an image the last one is its caption, unless it is a size or a place.
    caption = (match[2] or "").rpartition("|")[2].strip()
    if not caption or _IMAGE_OPTION.fullmatch(caption):
        return f"\\includegraphics{{{name.strip()}}}"
    return f"\\begin{{figure}}\\includegraphics{{{name.strip()}}}\\caption{{{caption}}}\\end{{figure}}"


def _environments(text: str) -> Iterator[tuple[int, int]]:
    r"""Where the environments of a text begin and end; each ends at the next ``\end`` of its name."""
    last = {match[1]: match.start() for match in _ENVIRONMENT_END.finditer(text)}
    at = 0
    while match := _ENVIRONMENT.search(text, at):
        at = match.end()
        if match[1] and last.get(match[1], -1) >= at:
            closing = f"\\end{{{match[1]}}}"
            at = text.index(closing, at) + len(closing)
            yield match.start(), at


def _wiki_lines(prose: Prose, text: str) -> str:
    return "".join(_wiki_line(prose, line) for line in text.split("\n") if line.strip())


def _wiki_line(prose: Prose, line: str) -> str:
    bullet = _BULLET.match(line)
    if bullet:
        look = "indent" if _is_indent(bullet[0]) else "item"
        return f'<p class="{look}">{prose.render(line[bullet.end() :])}</p>'
    return f"<p>{prose.render(line)}</p>"


def _is_indent(mark: str) -> bool:
    """Whether the characters at the start of a line of wikitext only move it to the right."""
    return not mark.strip().strip(":;")


# What the served pages and a written site show alike of a corpus and of a statement.

LISTED = 12
"""Longer lists of a statement's page are folded after so many entries."""


def corpus_figures(opened: OpenCorpus) -> list[tuple[str, int]]:
    """How many theorems, definitions, proofs and references there are."""
    number = counts(opened)
    kinds = [(name, number[name]) for name in ("theorems", "definitions", "others", "proofs")]
    return [*kinds, ("references", opened.graph.edge_count)]


def published_url(corpus: Corpus, statement: Statement) -> str:
    """The page of the statement in the work itself, if it is known."""
    provenance = corpus.provenance
    known = provenance.source == "stacks" and provenance.url and statement.tag
    return f"{provenance.url}/tag/{statement.tag}" if known else ""


def drawn(renderer: Renderer, found: Neighbourhood) -> dict[str, Any]:
    """The statements around one as data for `graph.js`, which lays them out."""
    index = {key: position for position, key in enumerate(found.distances)}
    statements = [renderer.corpus.by_id[key] for key in index]
    return {
        "centre": index[found.centre],
        "boxes": [
            {
                "url": renderer.url(one.id),
                "kind": kind_class(one),
                "name": renderer.name(one),
                "title": renderer.plain_title(one) or renderer.plain_summary(one, 60),
            }
            for one in statements
        ],
        "links": [[index[link.source], index[link.target], link.proof] for link in found.links],
    }


def statement_values(opened: OpenCorpus, renderer: Renderer, statement: Statement) -> dict[str, Any]:
    """A statement with its proofs, its neighbours in reading order and in the graph, for a template."""
    statements, by_id, graph = opened.statements, opened.by_id, opened.graph
    own, at = statement.id, opened.positions[statement.id]
    return {
        "title": renderer.full_title(statement),
        "statement": statement,
        "proofs": [
            (number, proof, len(set(proof.references)))
            for number, proof in enumerate(statement.proofs, start=1)
            if any(line.strip() for line in proof.lines) or proof.references
        ],
        "previous": statements[at - 1] if at else None,
        "next": statements[at + 1] if at + 1 < len(statements) else None,
        "uses": [by_id[key] for key in graph.uses.get(statement.id, ())],
        "used_by": [by_id[key] for key in graph.used_by.get(statement.id, ())],
        "inferred": [(by_id[key], reason.note) for key, reason in opened.term_uses.faint(statement.id).items()],
        "said_by": [(by_id[key], told[own].note) for key, told in opened.term_uses.prose.items() if own in told],
        "listed": LISTED,
    }
