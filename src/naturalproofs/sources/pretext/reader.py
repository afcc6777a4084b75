"""From the elements of a document to statements, proofs and labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources

import msgspec

from naturalproofs.records import AnchorKind, Kind, Mention, Origin
from naturalproofs.sources.pretext.xml_files import Element
from naturalproofs.sources.reading.builders import (
    AnchorBuilder,
    ProofBuilder,
    Reading,
    StatementBuilder,
    TextBuilder,
    graphics,
)
from naturalproofs.sources.reading.kinds import FAMILIES

# Numbers of divisions and blocks as PreTeXt prints them.


@dataclass(frozen=True, slots=True)
class Levels:
    """How many numbers of divisions stand before the number of a block; None: as the document's kind has it."""

    blocks: int | None = None
    projects: int | None = None
    figures: int | None = None
    """Figures and tables are counted with the blocks unless they have a level of their own."""
    first_chapter: int = 1


@dataclass(slots=True)
class Division:
    """An open division: its number, and how many numbered divisions it holds so far."""

    tag: str
    parts: tuple[str, ...] = ()
    count: int = 0
    structured: bool = False
    """Whether it holds divisions besides exercises."""
    exercises: int = 0


@dataclass(slots=True)
class Numbering:
    """The counters of one document."""

    levels: Levels
    stack: list[Division] = field(default_factory=lambda: [Division("")])
    floats: int = 0
    """How many figures and tables are open."""
    chapters: int = 0
    appendices: int = 0
    counts: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)

    @classmethod
    def of(cls, document: Element, levels: Levels) -> Numbering:
        """The counters of a book or an article; books number by section, articles by section if they have some."""
        sections = any(child.tag == "section" for child in document.elements())
        usual = 2 if document.tag == "book" else int(sections)
        blocks = usual if levels.blocks is None else levels.blocks
        projects = blocks if levels.projects is None else levels.projects
        started = Levels(blocks, projects, levels.figures, levels.first_chapter)
        return cls(started, chapters=levels.first_chapter - 1)

    def enter(self, element: Element) -> None:
        """Open a division."""
        parent, tag = self.stack[-1], element.tag
        parts = parent.parts
        if tag == "chapter":
            self.chapters += 1
            parts = (str(self.chapters),)
        elif tag == "appendix":
            self.appendices += 1
            parts = (_letter(self.appendices),)
        elif tag in NUMBERED or (tag in EXERCISES and parent.structured):
            parent.count += 1
            parts = (*parent.parts, str(parent.count))
        structured = any(child.tag in DIVISIONS - EXERCISES for child in element.elements())
        self.stack.append(Division(tag, parts, structured=structured))

    def leave(self) -> None:
        """Close the division."""
        self.stack.pop()

    def block(self) -> str:
        """The number of the next block, such as a theorem or a remark."""
        return self._next("block", self.levels.blocks or 0)

    def project(self) -> str:
        """The number of the next project or activity."""
        return self._next("project", self.levels.projects or 0)

    @contextmanager
    def block_of(self, tag: str) -> Iterator[None]:
        """Enter an element; a figure or a table is counted with the blocks, unless it is part of another one."""
        is_float = tag in FLOATS
        if is_float and not self.floats and self.levels.figures is None:
            self.block()
        self.floats += is_float
        yield
        self.floats -= is_float

    def exercise(self) -> str:
        """The number of the next exercise: in a division of exercises its place there, else that of a block."""
        holder = next((division for division in reversed(self.stack) if division.tag in EXERCISES), None)
        if holder is None:
            return self.block()
        holder.exercises += 1
        return ".".join((*holder.parts, str(holder.exercises)))

    def _next(self, counter: str, level: int) -> str:
        parts = self.stack[-1].parts[:level]
        self.counts[counter, parts] += 1
        # A block before the first section of a chapter is in section 0.
        padding = ("0",) * (level - len(parts)) if parts else ()
        return ".".join((*parts, *padding, str(self.counts[counter, parts])))


def _letter(number: int) -> str:
    return chr(ord("A") + (number - 1) % 26)


# The elements of PreTeXt: divisions, statements, proofs, and how the elements of a text are written in LaTeX.

ROOTS = frozenset({"pretext", "mathbook"})
"""Elements that only PreTeXt documents begin with."""
DOCUMENTS = frozenset({"book", "article"})


class Vocabulary(msgspec.Struct, frozen=True):
    """What elements are, and how those of a text are written: ``data/pretext.json``."""

    families: str
    """Blocks that can be cited and are called like a family of statements."""
    other_blocks: str
    """Other blocks that can be cited."""
    projects: frozenset[str]
    """Blocks that are numbered by themselves."""
    provable: frozenset[str]
    """Statements that a proof after them may belong to."""
    proofs: frozenset[str]
    without_text: frozenset[str]
    """Elements that are no part of the text of a statement."""
    inline: frozenset[str]
    """Elements whose text is part of the line."""
    characters: dict[str, str]
    """Elements that stand for characters or abbreviations."""
    wrapped: dict[str, tuple[str, str]]
    """Elements whose text stands between two pieces of LaTeX; that of unknown elements stands on lines of its own."""


_FILE = resources.files("naturalproofs.data") / "pretext.json"
ELEMENTS = msgspec.json.decode(_FILE.read_bytes(), type=Vocabulary)
STATEMENTS: Mapping[str, Kind] = {
    **{word: FAMILIES[word].kind for word in ELEMENTS.families.split()},
    "identity": "theorem",
    **dict.fromkeys(ELEMENTS.other_blocks.split(), "other"),
}
"""Blocks that can be cited, by element."""
UNNUMBERED = frozenset({"assemblage"})
SOLUTIONS = frozenset({"hint", "answer", "solution"})
WITH_SOLUTION = frozenset({"example", "question", "problem"})
"""Statements whose solution is part of what a reader is shown."""

LEVELS: Mapping[str, int] = {"chapter": 0, "appendix": 0, "preface": 0, "section": 1, "worksheet": 1}
"""Divisions that give statements their place: chapters and sections."""
NUMBERED = frozenset({"chapter", "appendix", "section", "subsection", "subsubsection", "worksheet", "handout"})
EXERCISES = frozenset({"exercises", "reading-questions"})
DIVISIONS = (
    NUMBERED | EXERCISES | {"part", "preface", "frontmatter", "backmatter", "references", "solutions", "glossary"}
)
FLOATS = frozenset({"figure", "table", "listing", "list"})

_ESCAPES = str.maketrans(
    {
        **{symbol: f"\\{symbol}" for symbol in "#%&$_{}"},
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\^{}",
    }
)
_MATH_SIGN = re.compile(r"\\(lt|gt|amp)(?![a-zA-Z])")
_MATH_SIGNS = {"lt": "<", "gt": ">", "amp": "&"}
_DIRECTIONS = {"forward": "($\\Rightarrow$) ", "backward": "($\\Leftarrow$) "}
_PUNCTUATION = frozenset(".,;:?!")
_FORMULAS = frozenset({"m", "me", "men", "md", "mdn", "equation", "alignmath"})
"""The last two are those of older documents."""
_KINDS: Mapping[str, AnchorKind] = {
    **dict.fromkeys(("men", "mrow", "me", "md", "mdn"), "equation"),
    **dict.fromkeys(("li", "task", "case"), "item"),
    **dict.fromkeys((*DIVISIONS, *DOCUMENTS, "paragraphs", "introduction", "conclusion"), "section"),
    **dict.fromkeys((*FLOATS, "image", "tabular", "sidebyside", "sbsgroup"), "float"),
    "biblio": "bibliography",
}
_SEPARATORS = re.compile(r"[,\s]+")


class Reader:
    """Reads one document into a reading."""

    def __init__(
        self, reading: Reading, scope: str, levels: Levels, kinds: Mapping[str, Kind], taken: Set[str], *, escaped: bool
    ) -> None:
        """Bind where statements go and what is known.

        Args:
            reading: Collects the statements, proofs and labels.
            scope: The document, where there are several; empty for the first.
            levels: How blocks are numbered.
            kinds: What further elements are, by the settings of the project.
            taken: Files that belong to documents read before.
            escaped: Whether characters stand for themselves; in older documents, text is LaTeX.
        """
        self.reading, self.scope, self.levels, self.taken = reading, scope, levels, taken
        self.kinds = {**STATEMENTS, **kinds}
        self._escapes = _ESCAPES if escaped else {}
        self.numbering = Numbering(levels)
        self.chapter = self.section = ""
        self.last: StatementBuilder | None = None
        """The last statement of the division that may be proved after its end."""
        self._versions: dict[str, str] = {}

    def read(self, document: Element) -> None:
        """Read a book or an article."""
        self.numbering = Numbering.of(document, self.levels)
        self._blocks(document)

    # Outside of statements

    def _blocks(self, element: Element) -> None:
        for child in element.elements():
            if child.path != element.path and child.path in self.taken:
                continue
            if self._is_other_version(child):
                continue
            if child.tag in DIVISIONS:
                self._division(child)
            elif child.tag in self.kinds and not self._is_empty(child):
                self._statement(child)
            elif child.tag == "proof" or (child.tag in ELEMENTS.proofs and self.last is not None):
                self._detached_proof(child)
            else:
                self._label(child, None)
                with self.numbering.block_of(child.tag):
                    self._blocks(child)

    def _is_empty(self, element: Element) -> bool:
        """Whether a block without a name only holds other blocks."""
        inside = [child.tag for child in element.elements()]
        return not element.id and all(tag in self.kinds or tag in SOLUTIONS for tag in inside)

    def _is_other_version(self, element: Element) -> bool:
        """Whether an element is another version of one that was read; all components of a book are read."""
        component, name = element.attributes.get("component", ""), element.id
        return bool(component and name) and self._versions.setdefault(name, component) != component

    def _division(self, element: Element) -> None:
        before = self.chapter, self.section
        level = LEVELS.get(element.tag)
        if level is not None:
            title = self._title(element)
            self.chapter, self.section = (title, "") if level == 0 else (self.chapter, title)
        self._label(element, None)
        self.last = None
        self.numbering.enter(element)
        self._blocks(element)
        self.numbering.leave()
        self.last = None
        self.chapter, self.section = before

    # Statements and proofs

    def _statement(self, element: Element) -> None:
        tag = element.tag
        builder = StatementBuilder(
            self._origin(element),
            scope=self.scope,
            kind=self.kinds[tag],
            form=tag,
            title=self._title(element),
            labels=list(filter(None, [element.id])),
            chapter=self.chapter,
            section=self.section,
            number=self._number(tag),
            family=tag,
        )
        self.reading.statements.append(builder)
        self._label(element, builder, "statement")
        self._write(element, builder)
        self.last = builder if tag in ELEMENTS.provable else self.last

    def _number(self, tag: str) -> str:
        if tag in UNNUMBERED:
            return ""
        if tag == "exercise":
            return self.numbering.exercise()
        return self.numbering.project() if tag in ELEMENTS.projects else self.numbering.block()

    def _detached_proof(self, element: Element) -> None:
        """A proof beside its statement: of the one that it names, or else of the one before it."""
        title = element.find("title")
        cited = title.descendants() if title is not None else ()
        named = next((keys[0] for one in cited if one.tag == "xref" and (keys := keys_of(one))), "")
        self._proof(element, self.last, element.attributes.get("ref", "") or named)

    def _proof(self, element: Element, owner: StatementBuilder | None, named: str = "") -> None:
        reading = self.reading
        proof = ProofBuilder(
            self._origin(element), scope=self.scope, of=named, position=len(reading.statements), owner=owner
        )
        (reading.orphans if owner is None else owner.proofs).append(proof)
        self._label(element, proof, "other")
        self._write(element, proof)

    def _aside(self, element: Element, builder: StatementBuilder) -> None:
        """A solution is no part of its exercise: only its labels and the proofs in it are kept."""
        self._label(element, builder)
        for child in element.elements():
            if child.tag in ELEMENTS.proofs:
                self._proof(child, builder)
            else:
                self._aside(child, builder)

    # Text as LaTeX

    def _title(self, element: Element) -> str:
        parts = []
        for tag in ("title", "creator"):
            if (found := element.find(tag)) is not None:
                text = TextBuilder(self._origin(found), scope=self.scope)
                self._write(found, text)
                parts.append(" ".join(" ".join(text.held().lines()).split()))
        title, creator = parts[0] if parts else "", parts[1] if len(parts) > 1 else ""
        return f"{title} ({creator})" if creator else title

    def _write(self, element: Element, out: TextBuilder) -> None:
        for child in element.children:
            self._write_node(child, out)

    def _write_node(self, node: Element | str, out: TextBuilder) -> None:
        if isinstance(node, str):
            if node[:1] in _PUNCTUATION and out.pieces and out.pieces[-1].lstrip("\n").startswith(("\\]", "\\end{")):
                out.pieces.insert(-1, node[0])  # A character after a displayed formula is printed in it.
                node = node[1:]
            out.pieces.append(node.translate(self._escapes))
            return
        tag = node.tag
        if tag in _FORMULAS:
            self._formula(node, out)
        elif tag == "xref":
            self._reference(node, out)
        elif tag in ELEMENTS.characters and not node.children:
            out.pieces.append(ELEMENTS.characters[tag])
        elif tag in ELEMENTS.proofs:
            self._proof(node, out.owner if isinstance(out, ProofBuilder) else _statement_of(out))
        elif tag in self.kinds:
            self._statement(node)
        elif tag in SOLUTIONS and isinstance(out, StatementBuilder) and out.form not in WITH_SOLUTION:
            self._aside(node, out)
        else:
            self._label(node, _holder(out))
            if tag == "image":
                self._image(node, out)
            elif tag not in ELEMENTS.without_text:
                write = self._figure if tag == "figure" and _has_image(node) else self._wrapped
                with self.numbering.block_of(tag):
                    write(node, out)

    def _figure(self, element: Element, out: TextBuilder) -> None:
        out.pieces.append("\n\\begin{figure}\n")
        for child in element.elements():
            if child.tag == "caption":
                out.pieces.append("\\caption{")
                self._write(child, out)
                out.pieces.append("}\n")
            else:
                self._write_node(child, out)
        out.pieces.append("\\end{figure}\n")

    def _image(self, element: Element, out: TextBuilder) -> None:
        """An image by its file; one that a program draws is only a figure."""
        named = graphics(element.attributes.get("source", ""))
        drawn = "" if self.numbering.floats else "\\begin{figure}\\end{figure}"
        out.pieces.append(f"\n{named or drawn}\n")

    def _wrapped(self, element: Element, out: TextBuilder) -> None:
        tag = element.tag
        if tag == "url" and not element.children:
            out.pieces.append(f"\\url{{{element.attributes.get('href', '').translate(_ESCAPES)}}}")
            return
        before, after = ("", "") if tag in ELEMENTS.inline else ELEMENTS.wrapped.get(tag, ("\n", "\n"))
        title = self._title(element) if tag in ("case", "paragraphs", "li", "assemblage") else ""
        if element.attributes.get("direction") in _DIRECTIONS:
            before += _DIRECTIONS[element.attributes["direction"]]
        out.pieces.append(f"{before}\\textbf{{{title}}} " if title else before)
        self._write(element, out)
        out.pieces.append(after)

    def _reference(self, element: Element, out: TextBuilder) -> None:
        keys = keys_of(element)
        if not keys:
            out.pieces.append(element.attributes.get("provisional", "").translate(self._escapes))
            self._write(element, out)
            return
        text = TextBuilder(out.origin, scope=out.scope)
        self._write(element, text)
        shown = " ".join(text.held().lines())
        ends = [element.attributes.get(name, "") for name in ("first", "last")]
        if shown and len(keys) == 1:
            command, written = "hyperref", f"\\hyperref[{keys[0]}]{{{shown}}}"
        elif all(ends):
            command, written = "crefrange", f"\\crefrange{{{ends[0]}}}{{{ends[1]}}}"
        else:
            command, written = "cref", f"\\cref{{{','.join(keys)}}}"
        out.pieces.append(written)
        out.mentions.extend(Mention(key, command, element.line) for key in keys)

    def _formula(self, element: Element, out: TextBuilder) -> None:
        rows = [child for child in element.elements() if child.tag in ("mrow", "intertext")]
        self._label(element, _holder(out))
        if element.tag == "m":
            self._mathematics("$", [element], "$", out)
        elif not rows and element.tag != "alignmath":
            self._mathematics("\n\\[", [element], "\\]\n", out)
        elif not rows:
            self._mathematics("\n\\begin{align*}\n", [element], "\n\\end{align*}\n", out)
        else:
            aligned = any("&" in row.text() or "\\amp" in row.text() for row in rows)
            name = "align*" if aligned and element.attributes.get("alignment") != "gather" else "gather*"
            group: list[Element] = []
            for row in [*rows, Element("intertext", {}, element.path, element.line)]:
                if row.tag == "mrow":
                    group.append(row)
                    continue
                if group:
                    self._mathematics(f"\n\\begin{{{name}}}\n", group, f"\n\\end{{{name}}}\n", out)
                self._write(row, out)
                group = []

    def _mathematics(self, before: str, rows: list[Element], after: str, out: TextBuilder) -> None:
        """Rows of a formula; references in it are text."""
        out.pieces.append(before)
        for number, row in enumerate(rows):
            if number:
                out.pieces.append(" \\\\\n")
            if row.tag == "mrow":
                self._label(row, _holder(out))
            for place, child in enumerate(row.children):
                if isinstance(child, str):
                    source = _MATH_SIGN.sub(lambda symbol: _MATH_SIGNS[symbol[1]], child)
                    source = source if place else source.lstrip()
                    out.pieces.append(source if place < len(row.children) - 1 else source.rstrip())
                elif child.tag == "xref":
                    out.pieces.append("\\text{")
                    self._reference(child, out)
                    out.pieces.append("}")
                elif child.tag == "fillin":
                    out.pieces.append("\\underline{\\qquad}")
                elif child.tag not in ELEMENTS.without_text:
                    out.pieces.append(child.text())
        out.pieces.append(after)

    # Labels

    def _label(
        self, element: Element, holder: StatementBuilder | ProofBuilder | None, kind: AnchorKind | None = None
    ) -> None:
        if name := element.id:
            found = kind or _KINDS.get(element.tag, "other")
            title, word, place = self._title(element) if found in ("section", "float") else "", "", self.section
            if not title and found != "section" and (place := place or self.chapter):
                title, word = f"“{place}”", element.tag if found == "float" else ""
            anchor = AnchorBuilder(name, self.scope, found, holder, self._origin(element), word=word, title=title)
            self.reading.anchors.append(anchor)

    def _origin(self, element: Element) -> Origin:
        return Origin(element.path, element.line)


def keys_of(element: Element) -> list[str]:
    """What a reference cites: a list of names, or the two ends of a range."""
    names = (element.attributes.get(name, "") for name in ("ref", "first", "last"))
    return [key for name in names for key in _SEPARATORS.split(name) if key]


def _holder(out: TextBuilder) -> StatementBuilder | ProofBuilder | None:
    return out if isinstance(out, (StatementBuilder, ProofBuilder)) else None


def _has_image(element: Element) -> bool:
    return any(child.tag == "image" or _has_image(child) for child in element.elements())


def _statement_of(out: TextBuilder) -> StatementBuilder | None:
    return out if isinstance(out, StatementBuilder) else None
