"""The reader with ``paper`` rules: statements as the notebook of the published data set read them, bugs included.

Only one redirect is followed; titles are compared as written, without an anchor; transclusions are not expanded; only a
section headed exactly *Proof* is a proof; and the last section of a page ends with the revision's checksum, because the
notebook took all character data of the page's XML for its text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b

import msgspec

from naturalproofs.io.memory import DiskMap
from naturalproofs.records import Anchor, Diagnostic, Kind, Mention, Note, Origin, Proof, Statement, StatementId
from naturalproofs.sources.wiki.dump import Page
from naturalproofs.sources.wiki.sections import headings
from naturalproofs.sources.wiki.templates import SYMBOLS, equation_row
from naturalproofs.sources.wiki.wiki import CategoryGraph, title_anchors
from naturalproofs.sources.wiki.wikitext import Node, Wikitext

# Wikitext of published files in terms of LaTeX: equations, headings and emphasis; other templates as their text.

_EQUATIONS = re.compile(r"\{\{\s*begin-eqn\s*\}\}(.*?)(?:\{\{\s*end-eqn\s*\}\}|\Z)", re.DOTALL | re.IGNORECASE)
_EQUATION = re.compile(r"\{\{\s*eqn\b", re.IGNORECASE)
_FIELD = re.compile(r"\|\s*(ll|lo|l|ro|rr|r|o|cc|c|n)\s*=")
_DROPPED = re.compile(
    r"\{\{\s*(?:qed(?:\s*\|[^{}]*)?|handwaving|explain|refactor|proofread|tidy|stub|improve|missinglinks?|expand|todo"
    r"|mistake|questionable|disambiguate|link|delete|wtd|begin-eqn|end-eqn|namedfor|eulerian)(?:\s*\|[^{}]*)?\}\}",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"\{\{\s*Defof\s*\|([^{}|]*)(?:\|[^{}]*)?\}\}", re.IGNORECASE)
_TEMPLATE = re.compile(r"\{\{\s*([A-Za-z][\w /:'-]*)((?:\|[^{}]*)?)\}\}")
_TRANSCLUSION = re.compile(r"\{\{\s*+:\s*+((?:[^{}|\s]|\s++(?![|}]))++)\s*+(?:\|[^{}]*+)?+\}\}")
_NAMESPACE = re.compile(r"(?:Definition|Axiom|Symbols):")
_HEADING = re.compile(r"^(={2,6})\s{0,20}(.{0,300}?)\s{0,20}\1\s*$", re.MULTILINE)
_BOLD = re.compile(r"'''([^'\n]+)'''")
_ITALIC = re.compile(r"(?<!')''([^'\n]+)''(?!')")


def readable(text: str) -> str:
    """Wikitext with its common templates replaced; what is not known keeps its words."""
    if "{{" in text:
        text = _EQUATIONS.sub(lambda match: _aligned(match[1]), text)
        text = _DEFINITION.sub(r"Definition of \1", _DROPPED.sub("", text))
        # The text of another page, which the published files do not repeat.
        text = _TRANSCLUSION.sub(lambda match: f"[[{match[1]}|{_NAMESPACE.sub('', match[1])}]]", text)
        text = _TEMPLATE.sub(_words, text)
    if "==" in text:
        text = _HEADING.sub(r"\\textbf{\2}", text)
    if "''" in text:
        text = _ITALIC.sub(r"\\emph{\1}", _BOLD.sub(r"\\textbf{\1}", text))
    return text


def _words(template: re.Match[str]) -> str:
    """The phrase that a template stands for, its last argument, or its name."""
    name = template[1].strip()
    return SYMBOLS.get(name.casefold()) or template[2].rpartition("|")[2].strip() or name


def _aligned(block: str) -> str:
    """The rows of a list of equations as aligned LaTeX."""
    block = _DEFINITION.sub(r"Definition of \1", block)
    rows = [equation_row(_fields(row)) for row in _EQUATION.split(block)[1:]]
    return "\\begin{align*}\n" + "\n".join(rows).removesuffix("\\\\") + "\n\\end{align*}" if rows else ""


def _fields(row: str) -> dict[str, str]:
    """The arguments of one equation; the braces that end the template are dropped."""
    body = row.rstrip()
    if "}}" in body:
        # What follows the template stands between two equations and is no part of either.
        body = body[: _end(body)]
    parts = _FIELD.split(body)
    return {name: " ".join(value.split()) for name, value in zip(parts[1::2], parts[2::2], strict=False)}


def _end(body: str) -> int:
    """Where the template ends: at the first two closing braces that close nothing inside."""
    depth = 0
    for match in re.finditer(r"\\.|[{}]", body, re.DOTALL):
        token = match.group()
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth < 0:
                return match.start()
    return len(body)


MAX_SURFACE = 1000
"""Maximal characters of a link's text."""

_INVISIBLE = {0x200E: None, 0x2062: None}

DROPPED = ("Talk:", "User:", "User talk:", "Help:")
MAX_TITLE = 256
"""MediaWiki's own limit."""
NO_PROOF = frozenset({"{{ProofWanted}}", "{{proof wanted}}", "{{finish}}", "{{Finish}}"})


class Passage(msgspec.Struct, array_like=True, gc=False):
    """The text of a section, as the notebook read it."""

    text: str
    links: tuple[Mention, ...]
    line: int


class PaperPage(Wikitext):
    """A page with all the character data of its XML as its text."""

    wikitext: str

    @cached_property
    def _first_line(self) -> int:
        """Number of lines of other character data before the wikitext."""
        return self.text.count("\n", 0, max(self.text.find(self.wikitext), 0))

    def section(self, title: str, *, lead_only: bool = False) -> Passage | None:
        """The first section of exactly this title, with its subsections.

        Args:
            title: The heading's text.
            lead_only: Whether to stop at the first subsection, as for theorems.
        """
        if title not in self.text:
            return None
        found = headings(self.masked.text)
        for i, heading in enumerate(found):
            if self.text[heading.text_start : heading.text_end].strip() == title:
                end = next((h.start for h in found[i + 1 :] if h.level <= heading.level), len(self.text))
                return self._passage(heading.end, end, lead_only=lead_only)
        return None

    def whole(self) -> Passage:
        """The whole page as one passage."""
        return Passage(self.text, tuple(self._links(0, len(self.text))), 1)

    def categories(self) -> tuple[str, ...]:
        """The targets of all links that begin with ``Category:``, without that prefix."""
        targets = (link.target for link in self._links(0, len(self.text)))
        return tuple(target[9:] for target in targets if target.startswith("Category:"))

    def _passage(self, start: int, end: int, *, lead_only: bool) -> Passage:
        line = self._line(start)
        only = next((span for span in self.masked.only if start <= span[0] < end), None)
        if only is not None:
            return Passage(self.text[slice(*only)], tuple(self._links(*only)), line)
        text = self.text[start:end]
        links = tuple(self._links(start, end))
        if lead_only:
            text = text.partition("\n\n===")[0]
            links = tuple(link for link in links if link.target in text)
        return Passage(text, links, line) if text.strip() else Passage("", (), line)

    def _line(self, position: int) -> int:
        return max(self.text.count("\n", 0, position) - self._first_line + 1, 1)

    def _links(self, start: int, end: int) -> Iterator[Mention]:
        text = self.masked.text
        position, line = start, self.text.count("\n", 0, start) - self._first_line + 1
        for node in _flat(self.nodes):
            if node.kind == "link" and start <= node.start < end:
                line += text.count("\n", position, node.start)
                position = node.start
                # The published references show that links to a section of a page count as links to the page.
                target = self.before_bar(node).partition("#")[0].strip()
                bar = node.bars[0] if node.bars else node.end
                surface = text[bar + 1 : min(node.end - 2, bar + MAX_SURFACE)].strip()
                yield Mention(target, surface or target, max(line, 1))


def _flat(nodes: Sequence[Node]) -> Iterator[Node]:
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


class _StoredStatement(msgspec.Struct, array_like=True, gc=False):
    passage: Passage
    categories: tuple[str, ...]


class PaperReader:
    """Reads pages by the notebook's rules; titles are in memory, texts on disk."""

    def __init__(self, pages: Iterable[Page], name: str) -> None:
        """Collect theorems, definitions, proofs and the other pages that proofs link to."""
        self.diagnostics: list[Diagnostic] = []
        self._name = name
        self._redirects: dict[str, str] = {}
        self._pages = DiskMap(PaperPage)
        for item in pages:
            if not item.title.startswith(DROPPED):
                title = item.title.replace("\u200e", "")
                texts = item.everything.translate(_INVISIBLE), item.text.translate(_INVISIBLE)
                self._pages.add(title, PaperPage(*texts))
                if item.redirect is not None:
                    self._redirects[title] = item.redirect
        self._kinds: dict[str, Kind] = {}
        self._stated = DiskMap(_StoredStatement)
        self._proofs = DiskMap(Passage)
        cited: dict[str, None] = {}
        parents: dict[str, tuple[str, ...]] = {}
        for title, page in self._pages.items():
            self._find_statement(title, page)
            self._find_proof(title, page, cited)
            if title.startswith("Category:"):
                parents[title[9:]] = page.categories()
        for title in cited:
            if title not in self._kinds:
                self._state(title, "other", self._pages[title].whole(), self._pages[title])
        self._graph = CategoryGraph(parents)

    def statements(self) -> Iterator[Statement]:
        """Theorems, definitions and others; duplicate theorems have a note."""
        owned = self._owned_proofs()
        theorems = (title for title, kind in self._kinds.items() if kind == "theorem")
        # Theorems are made twice, since duplicates are known only after all were made; storing them would cost more.
        copies = duplicates(self._statement(title, owned.get(title, ())) for title in theorems)
        for title in self._kinds:
            statement = self._statement(title, owned.get(title, ()))
            if statement.id in copies:
                duplicate = Note("duplicate", (copies[statement.id],))
                statement = replace(statement, notes=(*statement.notes, duplicate))
            yield statement

    def anchors(self) -> Mapping[str, Anchor]:
        """Every statement by its title."""
        return title_anchors(self._name, {title: title for title in self._kinds})

    def _find_statement(self, title: str, page: PaperPage) -> None:
        if title in self._redirects:
            return
        kind: Kind = "theorem"
        passage = page.section("Theorem", lead_only=True) if "== Theorem ==" in page.text else None
        if passage is None:
            if "Definition:" not in title:
                return
            kind, passage = "definition", page.section("Definition") or Passage("", (), 1)
        self._state(title, kind, passage, page)

    def _find_proof(self, title: str, page: PaperPage, cited: dict[str, None]) -> None:
        """Store the proof of a page, and collect the pages that it links to."""
        passage = page.section("Proof")
        if passage is None or passage.text.strip() in NO_PROOF:
            return
        self._proofs.add(title, passage)
        for link in passage.links:
            target = self._redirects.get(link.target, link.target)
            if target in self._pages and not target.startswith(("Category:", "File:")):
                cited[target] = None

    def _state(self, title: str, kind: Kind, passage: Passage, page: PaperPage) -> None:
        self._kinds[title] = kind
        self._stated.add(title, _StoredStatement(passage, page.categories()))

    def _owned_proofs(self) -> dict[str, list[str]]:
        """By theorem: the proofs on its page, and on subpages whose title contains that of the theorem."""
        owned: dict[str, list[str]] = {}
        for title in self._proofs:
            if self._kinds.get(title) == "theorem":
                owned.setdefault(title, []).append(title)
            if len(title) < MAX_TITLE and title.count("/") == 1 and "proof" in title.partition("/")[2].lower():
                for theorem in {title[i:j] for i in range(len(title)) for j in range(i + 1, len(title) + 1)}:
                    if self._kinds.get(theorem) == "theorem" and theorem != title:
                        owned.setdefault(theorem, []).append(title)
        return owned

    def _statement(self, title: str, proofs: Iterable[str]) -> Statement:
        kind, stated = self._kinds[title], self._stated[title]
        passage, categories = stated.passage, stated.categories
        theorem = kind == "theorem"
        return Statement(
            id=f"{self._name}:{title}",
            kind=kind,
            label=title,
            title=title,
            lines=_lines(passage.text),
            mentions=self._mentions(passage.links),
            proofs=tuple(self._proof(page) for page in proofs),
            categories=categories,
            form=kind,
            origin=Origin(title, passage.line),
            notes=(Note("wikitext", (self._pages[title].wikitext,)),),
            toplevel_categories=self._graph.toplevel(categories) if theorem else None,
            recursive_categories=self._graph.recursive(categories) if theorem else None,
        )

    def _proof(self, title: str) -> Proof:
        passage = self._proofs[title]
        return Proof(_lines(passage.text), self._mentions(passage.links), Origin(title, passage.line))

    def _mentions(self, links: Iterable[Mention]) -> tuple[Mention, ...]:
        pointed = ((self._redirects.get(link.target, link.target), link) for link in links)
        return tuple([Mention(title, link.surface, link.line) for title, link in pointed if title in self._kinds])


def _lines(text: str) -> tuple[str, ...]:
    return tuple([line for line in text.split("\n") if line.strip()])


def duplicates(theorems: Iterable[Statement]) -> dict[StatementId, str]:
    """The theorems that the published data set left out of its examples.

    Theorems with contents, a proof and a reference are sorted by title. Of those with the same proof text, all but the
    first are left out; of the rest, all but the first with the same statement text.

    Returns:
        For each theorem left out, the title of the one it repeats.
    """
    # Hashes take less memory than texts.
    examples = sorted(
        (t.title, t.id, _digest(t.lines), [_digest(proof.lines) for proof in t.proofs])
        for t in theorems
        if t.lines and any(proof.mentions for proof in t.proofs)
    )
    found = _repeated((title, key, proofs) for title, key, _, proofs in examples)
    return found | _repeated((title, key, [text]) for title, key, text, _ in examples if key not in found)


def _repeated(theorems: Iterable[tuple[str, StatementId, list[bytes]]]) -> dict[StatementId, str]:
    result: dict[StatementId, str] = {}
    first: dict[bytes, str] = {}
    for title, key, digests in theorems:
        for digest in digests:
            owner = first.setdefault(digest, title)
            if owner != title:
                result[key] = owner
                break
    return result


def _digest(lines: Iterable[str]) -> bytes:
    return blake2b("\n".join(lines).encode(), digest_size=16).digest()
