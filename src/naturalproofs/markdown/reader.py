"""From the items of Markdown files to statements, proofs and labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from naturalproofs.markdown.blocks import Block, Heading, Item, Label
from naturalproofs.markdown.inline import mentions, to_latex
from naturalproofs.reading.builders import AnchorBuilder, ProofBuilder, Reading, StatementBuilder
from naturalproofs.records import AnchorKind, Kind, Origin

_NOT_IN_SLUG = re.compile(r"[^\w\s.-]")
_KEY = re.compile(r"\\(?:cref|hyperref)[\[{]([^\]},]+)")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A file, or a part of one, and what was found in it."""

    path: str
    items: Sequence[Item]
    appendix: bool = False
    starts: bool = True
    """Whether it is a file of its own, and not one that is included in the one before or the rest of it."""


class Reader:
    """Reads the files of one project."""

    def __init__(self, chapters: Iterable[Chapter], cited: Collection[str], *, by_chapter: bool) -> None:
        """Bind the files in order.

        Args:
            chapters: The files.
            cited: All keys that are cited somewhere; a heading that is cited by its words gets a label.
            by_chapter: Whether statements are numbered by chapter, as in books.
        """
        self.chapters, self.cited, self.by_chapter = list(chapters), cited, by_chapter
        self.reading = Reading()
        self.labels = {label for chapter in self.chapters for item in chapter.items for label in item.labels}
        self.counts: Counter[str] = Counter()
        self.chapter_number = self.chapter = self.section = ""
        self._chapters: Counter[bool] = Counter()
        self._last: StatementBuilder | None = None
        """The statement that a proof without a target belongs to."""
        self._builders: dict[int, StatementBuilder | ProofBuilder] = {}

    def read(self) -> Reading:
        """Read all files."""
        for chapter in self.chapters:
            if chapter.starts:
                self._last = None
                self.chapter = self.section = self.chapter_number = ""
                if self.by_chapter:
                    self.counts.clear()
            headed = any(isinstance(item, Heading) and item.level == 1 and not item.of_file for item in chapter.items)
            for item in chapter.items:
                if isinstance(item, Heading) and not (headed and item.of_file):
                    self._heading(chapter, item)
                elif isinstance(item, Block):
                    self._block(chapter, item)
                elif isinstance(item, Label):
                    holder = self._builders.get(id(item.holder))
                    self._anchor(item.name, item.kind, holder, Origin(chapter.path, item.line))
        return self.reading

    def _heading(self, chapter: Chapter, heading: Heading) -> None:
        title = self._latex([heading.title])
        if heading.level == 1:
            self.chapter, self.section = title, ""
            if heading.numbered and self.by_chapter:
                self._chapters[chapter.appendix] += 1
                number = self._chapters[chapter.appendix]
                self.chapter_number = chr(ord("A") + (number - 1) % 26) if chapter.appendix else str(number)
                self.counts.clear()
        elif heading.level == 2:
            self.section = title
        if heading.level <= 2:
            self._last = None
        slug = "-".join(_NOT_IN_SLUG.sub("", heading.title).lower().split())
        label = heading.label or (slug if slug in self.cited and slug not in self.labels else "")
        if label:
            self.labels.add(label)
            self._anchor(label, "section", None, Origin(chapter.path, heading.line))

    def _block(self, chapter: Chapter, block: Block) -> None:
        latex = self._latex(block.lines)
        origin = Origin(chapter.path, block.line)
        make = self._proof if block.sense.role == "proof" else self._statement
        builder = make(block, origin)
        for label in block.labels if block.environment else ():
            latex = latex.replace(f"\\label{{{label}}}", "", 1)
        builder.pieces.append(latex)
        builder.mentions.extend(mentions(latex, block.start))
        self._builders[id(block)] = builder
        for label in block.labels:
            kind: AnchorKind = "statement" if isinstance(builder, StatementBuilder) else "other"
            self._anchor(label, kind, builder, origin)

    def _statement(self, block: Block, origin: Origin) -> StatementBuilder:
        statement = StatementBuilder(
            origin,
            kind=cast(Kind, block.sense.role),
            form=(block.sense.family if block.environment else "") or block.name,
            title=self._latex([block.title]),
            labels=list(block.labels),
            chapter=self.chapter,
            section=self.section,
            number=self._number(block),
            family=block.sense.family,
        )
        self.reading.statements.append(statement)
        if block.sense.role == "theorem" or block.sense.provable:
            self._last = statement
        return statement

    def _proof(self, block: Block, origin: Origin) -> ProofBuilder:
        """A proof of the statement around it, of the one that it names, or else of the one before it."""
        around = self._builders.get(id(block.parent))
        owner = around if isinstance(around, StatementBuilder) else self._last
        named = _KEY.search(self._latex([block.title]))
        of = block.of.lstrip("@#") or (named[1] if named else "")
        proof = ProofBuilder(origin, of=of, position=len(self.reading.statements), owner=owner)
        (self.reading.orphans if owner is None else owner.proofs).append(proof)
        return proof

    def _number(self, block: Block) -> str:
        """The next number of its kind, with the number of the chapter in a book; remarks have none."""
        if not block.numbered or block.sense.family == "remark":
            return ""
        self.counts[block.name] += 1
        return ".".join(filter(None, [self.chapter_number, str(self.counts[block.name])]))

    def _latex(self, lines: Sequence[str]) -> str:
        return to_latex(lines, self.labels.__contains__)

    def _anchor(
        self, label: str, kind: AnchorKind, holder: StatementBuilder | ProofBuilder | None, origin: Origin
    ) -> None:
        self.reading.anchors.append(AnchorBuilder(label, "", kind, holder, origin))
