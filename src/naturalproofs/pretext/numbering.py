"""Numbers of divisions and blocks as PreTeXt prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from naturalproofs.pretext.vocabulary import DIVISIONS, EXERCISES, FLOATS, NUMBERED
from naturalproofs.pretext.xml_files import Element


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
