"""A work to be read: chapters with all their text in reading order, authors, licence, and how to cite it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from naturalproofs.apps.web.render import Renderer
from naturalproofs.corpus.drawing import UNNAMED, Level, group_name
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.io.files import current_bytes
from naturalproofs.records import KINDS, Anchor, Origin, Proof, Statement, TextPart
from naturalproofs.sources.latex import plain_title, read_group, with_numbers
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.render import heading_before, reference_text

EXERCISES = frozenset({"exercise", "problem", "question", "exercises"})
MAIN = 8
"""How many main theorems the page of a work shows."""
_DEEPEST = 3
"""The deepest level of headings in the contents beside a chapter."""
_CHAPTER = re.compile(r"([^\W_]{1,5})\.")
"""The first component of a number such as ``3.1.2`` or ``A.4``."""
_DISPLAY = re.compile(r"\\begin\{((?:equation|multline|align|gather|eqnarray|alignat|flalign|xalignat|dmath)\*?)\}")
_AUTHOR = re.compile(r"^[^%\n]*?\\author\s*(?:\[[^\]]*\]\s*)?(?=\{)", re.MULTILINE)
_JOINED = re.compile(r"\\(?:and|AND|And|\\)(?![a-zA-Z])(?:\s*\[[^\]]*\])?")
_LICENCES = (
    ("Attribution-NonCommercial-ShareAlike 4.0", "CC BY-NC-SA 4.0"), ("Attribution-NonCommercial-NoDerivatives 4.0",
    "CC BY-NC-ND 4.0"), ("Attribution-ShareAlike 4.0", "CC BY-SA 4.0"), ("Attribution-ShareAlike 3.0", "CC BY-SA 3.0"),
    ("Attribution-NonCommercial 4.0", "CC BY-NC 4.0"), ("Attribution 4.0", "CC BY 4.0"), ("CC0 1.0", "CC0 1.0"),
    ("GNU Free Documentation License", "GFDL"), ("GNU AFFERO GENERAL PUBLIC", "AGPL"),
    ("GNU LESSER GENERAL PUBLIC", "LGPL"), ("GNU GENERAL PUBLIC", "GPL"), ("Apache License", "Apache 2.0"),
    ("MIT License", "MIT"), ("Permission is hereby granted, free of charge", "MIT"),
    ("Redistribution and use in source and binary forms", "BSD"),
)  # fmt: skip
"""Words at the beginning of the files of licences, and their names."""
_LICENCE_FILES = [f"{name}{ending}" for name in ("LICENSE", "LICENCE", "COPYING") for ending in ("", ".md", ".txt")]
_HEAD = 3_000


class Piece(NamedTuple):
    """A part of a chapter as it is shown."""

    kind: str
    anchor: str = ""
    html: Markup = Markup()
    statement: Statement | None = None
    proof: str = ""
    """The heading of a proof: "Proof", "Proof 2", "Proof of Theorem 3"."""
    level: int = 0
    number: str = ""
    folded: bool = False


@dataclass(frozen=True, eq=False)
class Chapter:
    """A chapter, or a section of a work without chapters."""

    name: str
    """As statements and the addresses of the served pages name it."""
    title: str
    number: str
    statements: tuple[Statement, ...]
    parts: tuple[TextPart, ...]


@dataclass(frozen=True, eq=False)
class Work:
    """A corpus as a work to be read."""

    opened: OpenCorpus
    renderer: Renderer
    address: Callable[[Chapter], str]
    """The address of the page of a chapter."""
    _anchors: dict[Origin, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Let labels that are no statements lead to their places."""
        self.renderer.elsewhere = self.link

    def named(self, name: str) -> Chapter | None:
        """The chapter of this name; the first section of it, if sections have the pages."""
        inside = (one for one in self.chapters if one.name.startswith(f"{name} / "))
        return self._homes.get(name) or next(inside, None)

    @cached_property
    def level(self) -> Level:
        """What a page of the contents is: a chapter, or a section where there is one chapter only."""
        stated = {group_name(one, "chapter") for one in self.opened.statements}
        return "chapter" if len(stated | {one.chapter or UNNAMED for one in self.opened.text_parts}) > 1 else "section"

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """In reading order, chapters without statements included; in a wiki, categories by name."""
        statements: dict[str, list[Statement]] = {}
        for one in self.opened.statements:
            statements.setdefault(group_name(one, self.level), []).append(one)
        parts: dict[str, list[TextPart]] = {}
        for part in self.opened.text_parts:
            parts.setdefault(self._group(part), []).append(part)
        front = parts.pop(UNNAMED) if UNNAMED in parts and UNNAMED not in statements else []
        names = list(dict.fromkeys([*parts, *statements]))
        if not self.opened.placed:
            names.sort(key=lambda name: (name == UNNAMED, name.lower()))
        if names and front and parts:
            parts[names[0]][:0] = front
        numbers = chapter_numbers([statements.get(name, []) for name in names]) if self.opened.placed else names
        return tuple(
            self._chapter(name, tuple(statements.get(name, ())), parts.get(name, []), number)
            for name, number in zip(names, numbers if self.opened.placed else [""] * len(names), strict=True)
        )

    def _chapter(self, name: str, statements: tuple[Statement, ...], parts: list[TextPart], number: str) -> Chapter:
        level = 0 if self.level == "chapter" else 1
        heading = next((one for one in parts if one.kind == "heading" and one.number <= level), None)
        number = heading.printed if heading is not None else number
        return Chapter(name, self.renderer.plain_text(name), number, statements, tuple(parts))

    def _group(self, part: TextPart) -> str:
        names = (part.chapter,) if self.level == "chapter" else (part.chapter, part.section)
        return " / ".join(filter(None, names)) or UNNAMED

    def around(self, chapter: Chapter) -> tuple[Chapter | None, Chapter | None]:
        """The chapters before and after one."""
        at = self.chapters.index(chapter)
        return self.chapters[at - 1] if at else None, self.chapters[at + 1] if at + 1 < len(self.chapters) else None

    @cached_property
    def _homes(self) -> Mapping[str, Chapter]:
        return {one.name: one for one in self.chapters}

    # The text of a chapter.

    def pieces(self, chapter: Chapter) -> list[Piece]:
        """Everything in a chapter, in order; without its text, the statements and proofs under their sections."""
        return list(self._from_text(chapter) if chapter.parts else self._from_statements(chapter))

    def _from_statements(self, chapter: Chapter) -> Iterator[Piece]:
        section = ""
        for number, statement in enumerate(chapter.statements):
            if statement.section not in (section, chapter.name):
                section = statement.section
                yield Piece("heading", f"s{number}", Markup(escape(self.renderer.plain_text(section))), level=1)
            yield self._statement(statement)
            for proof in statement.proofs:
                yield self._proof(statement, proof)

    def _from_text(self, chapter: Chapter) -> Iterator[Piece]:
        statements = self.opened.statements
        own, shown = {one.id for one in chapter.statements}, set()
        last: Statement | None = chapter.statements[0] if chapter.statements else None
        begun = False
        for part in chapter.parts:
            if part.kind == "statement":
                last = statements[part.number]
                shown.add(last.id)
                yield self._statement(last)
            elif part.kind == "heading":
                is_title = not begun and part.number <= (0 if self.level == "chapter" else 1)
                begun = True
                anchor = "" if is_title else self.anchor(part)
                yield Piece(
                    "title" if is_title else "heading",
                    anchor,
                    self._line(part, last),
                    level=part.number,
                    number=part.printed,
                )
            elif part.kind == "text":
                if html := self.renderer.prose(with_numbers(part.text, part.equations), last):
                    yield Piece("text", html=html)
            elif part.origin in self._proofs:
                yield self._proof(*self._proofs[part.origin], after=last)
            elif part.text:
                yield Piece("proof", html=self.renderer.prose(part.text, last), proof="Proof")
        for statement in chapter.statements:
            if statement.id in own - shown and statement.origin is None:
                yield self._statement(statement)

    def _line(self, part: TextPart, near: Statement | None) -> Markup:
        return self.renderer.prose(part.text, near, line=True)

    def _statement(self, statement: Statement) -> Piece:
        folded = statement.form.lower() in EXERCISES
        anchor = f"p{self.opened.positions[statement.id]}"
        return Piece("statement", anchor, self.renderer.statement(statement), statement, folded=folded)

    def _proof(self, statement: Statement, proof: Proof, after: Statement | None = None) -> Piece:
        several = f"Proof {statement.proofs.index(proof) + 1}" if len(statement.proofs) > 1 else "Proof"
        apart = after is not None and after.id != statement.id
        name = f"Proof of {self.renderer.name(statement)}" if apart else several
        return Piece("proof", html=self.renderer.proof(statement, proof), statement=statement, proof=name)

    @cached_property
    def _proofs(self) -> Mapping[Origin | None, tuple[Statement, Proof]]:
        found: dict[Origin | None, tuple[Statement, Proof]] = {}
        for statement in self.opened.statements:
            for proof in statement.proofs:
                if proof.origin is not None:
                    found.setdefault(proof.origin, (statement, proof))
        return found

    def contents(self, pieces: list[Piece]) -> list[Piece]:
        """The headings that stand beside a chapter."""
        return [one for one in pieces if one.kind == "heading" and one.level <= _DEEPEST]

    # Labels that are no statements, and what is shown beside a reference.

    def anchor(self, part: TextPart) -> str:
        """The anchor of a heading: its number, or its place where it has none or shares it."""
        if part.origin is None:
            return ""
        if part.origin not in self._anchors:
            name = f"s{part.printed}" if part.printed else f"s-{part.origin.line}"
            taken = set(self._anchors.values())
            self._anchors[part.origin] = name if name not in taken else f"{name}-{len(taken)}"
        return self._anchors[part.origin]

    @cached_property
    def _labels(self) -> Mapping[str, Anchor]:
        """Every label, also without the prefix of its document."""
        found: dict[str, Anchor] = {}
        for key, anchor in self.opened.anchors.items():
            rest = key
            while "-" in rest:
                rest = rest.partition("-")[2]
                found.setdefault(rest, anchor)
        return found | dict(self.opened.anchors)

    def link(self, key: str, command: str, shown: str | None) -> str | None:
        """A link to what a label stands for: a statement, the section, or the place of an equation or a figure."""
        anchor = self._labels.get(key)
        if anchor is None:
            return shown
        owner = self.opened.by_id.get(anchor.owner or "")
        # The parentheses of \eqref are written around all of its keys.
        text = reference_text(owner, anchor, key, "ref" if command == "eqref" else command)
        if owner is not None:
            address, near = self.renderer.url(owner.id), self.opened.positions[owner.id]
        else:
            heading = heading_before(self.opened, anchor.origin)
            if heading is None:
                return shown or text or None
            home = self._homes.get(self._group(heading))
            address, near = (f"{self.address(home)}#{self.anchor(heading)}" if home is not None else ""), None
        seen = self._equation_places.get(anchor) if anchor.kind == "equation" and anchor.number else near
        return self.renderer.linked(address, shown or escape(text), seen)

    @cached_property
    def equations(self) -> tuple[Anchor, ...]:
        """Equations with labels whose numbers are known."""
        return tuple(
            dict.fromkeys(one for one in self.opened.anchors.values() if one.kind == "equation" and one.number)
        )

    @cached_property
    def _equation_places(self) -> Mapping[Anchor, int]:
        start = len(self.opened.statements)
        return {one: start + place for place, one in enumerate(self.equations)}

    def preview(self, place: int) -> Markup | None:
        """What a reference shows in place: a statement by its position, or after them an equation; None if unknown."""
        statements = self.opened.statements
        if place < len(statements):
            one = statements[place]
            title = f" <i>{title}</i>" if (title := self.renderer.title(one)) else ""
            head = f'<p class="head k{KINDS.index(one.kind)}"><b>{escape(self.renderer.name(one))}</b>{title}</p>'
            return Markup(f'{head}<div class="tex-text">{self.renderer.statement(one)}</div>')
        place -= len(statements)
        source = self._equation(self.equations[place]) if place < len(self.equations) else ""
        return Markup(f'<div class="tex-text">{self.renderer.prose(source, None)}</div>') if source else None

    def _equation(self, anchor: Anchor) -> str:
        """The source of an equation with its number; nothing if several have it and none of them is certain."""
        found = []
        for part in self.opened.text_parts:
            if anchor.number in part.equations:
                text, owner = part.text, None
                if part.kind == "statement":
                    owner = self.opened.statements[part.number]
                    text = owner.text
                elif part.origin in self._proofs:
                    owner, proof = self._proofs[part.origin]
                    text = "\n".join(proof.lines)
                if (owner.id if owner is not None else None) == anchor.owner:
                    found.append(with_numbers(text, part.equations))
        tag = f"\\tag{{{anchor.number}}}"
        if len(found) != 1 or tag not in found[0]:
            return ""
        at = found[0].index(tag)
        start, end = found[0].rfind("\\begin{", 0, at), found[0].find("\\end{", at)
        begins = [one.start() for one in _DISPLAY.finditer(found[0], 0, at)]
        start = begins[-1] if begins else start
        name = _DISPLAY.match(found[0], start)
        end = found[0].find(f"\\end{{{name[1]}}}", at) if name else -1
        return f"{found[0][start:end]}\\end{{{name[1]}}}" if name and end >= 0 else ""

    # About the work.

    @cached_property
    def title(self) -> str:
        """Its title."""
        return self.opened.title

    @cached_property
    def authors(self) -> str:
        """As the source states them, or as its first ``\\author`` does."""
        if stated := self.opened.provenance.authors:
            return stated
        for text in self.opened.texts.values():
            if (match := _AUTHOR.search(text)) and (group := read_group(text, match.end())):
                names = (self.renderer.plain_text(plain_title(one)).strip() for one in _JOINED.split(group.text))
                return ", ".join(one for one in names if one and "@" not in one)
        return ""

    @cached_property
    def licence(self) -> str:
        """As the source states it, or by the file of the licence beside it."""
        if (stated := self.opened.provenance.licence) or self.opened.root is None:
            return stated
        folders = (self.opened.root, *self.opened.root.parents[:2])
        for file in (folder / name for folder in folders for name in _LICENCE_FILES):
            head = current_bytes(file)[:_HEAD].decode("utf-8", "replace") if file.is_file() else ""
            for words, name in _LICENCES:
                if _letters(words) in _letters(head):
                    return name
        return ""

    @cached_property
    def main_theorems(self) -> list[Statement]:
        """The theorems that most statements use, in reading order; those with a title first among equals."""
        used = self.opened.graph.used_by
        theorems = [one for one in self.opened.statements if one.kind == "theorem" and one.form.lower() != "lemma"]
        best = sorted(theorems, key=lambda one: (not one.title, -len(used.get(one.id, ()))))[:MAIN]
        return sorted(best, key=lambda one: self.opened.positions[one.id])

    def citations(self, address: str = "", statement: Statement | None = None) -> list[tuple[str, str]]:
        """How to cite the work, or one of its statements: BibTeX, the address, the command of LaTeX."""
        found = [("BibTeX", self._bibtex(address, statement))]
        if address:
            found.append(("Permalink", address))
        if statement is not None and not has_generated_label(statement):
            found.append(("LaTeX", self.opened.citing().citation(statement)))
        return found

    def _bibtex(self, address: str, statement: Statement | None) -> str:
        url = address or self.opened.provenance.url
        note = self.renderer.full_title(statement) if statement is not None else ""
        fields = {"title": self.title, "author": self.authors.replace(", ", " and "), "note": note, "url": url}
        rows = "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items() if value)
        return f"@misc{{{re.sub(r'[^a-zA-Z0-9-]+', '-', self.opened.name)}{rows}\n}}"


def _letters(text: str) -> str:
    """The letters and digits of a text: "Non-commercial-Share Alike 4.0" is written in several ways."""
    return re.sub(r"[\W_]+", "", text).casefold()


def chapter_numbers(chapters: Sequence[Sequence[Statement]]) -> list[str]:
    """The number of each chapter, as far as the numbers of its statements show it.

    An introduction may repeat a theorem of a later chapter with its number: of several chapters with one number, only
    the one with the most statements has it. If all have the same number, it is not theirs.
    """
    found = []
    for statements in chapters:
        begins = {one[1] for statement in statements if (one := _CHAPTER.match(statement.number))}
        found.append(begins.pop() if len(begins) == 1 else "")
    if len(chapters) > 1 and len(set(found)) == 1:
        return [""] * len(found)
    largest: dict[str, int] = {}
    for position, number in enumerate(found):
        best = largest.setdefault(number, position)
        if len(chapters[position]) > len(chapters[best]):
            largest[number] = position
    return [number if largest[number] == position else "" for position, number in enumerate(found)]
