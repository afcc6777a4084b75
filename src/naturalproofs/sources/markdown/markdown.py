"""The files of a Markdown project and their order, and reading them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.listing import files_below, folders_above
from naturalproofs.progress import Progress, silent
from naturalproofs.records import AnchorKind, Diagnostic, Draft, Kind, Origin, Rules
from naturalproofs.sources.latex import citations
from naturalproofs.sources.markdown.inline import find_keys, mentions, to_latex
from naturalproofs.sources.markdown.scanner import Block, Heading, Include, Item, Label, Scanner
from naturalproofs.sources.reading.builders import AnchorBuilder, ProofBuilder, Reading, StatementBuilder
from naturalproofs.sources.reading.project_folder import ProjectFolder, Refused
from naturalproofs.sources.reading.resolve_labels import by_chapter_or_section, resolve_labels
from naturalproofs.sources.reading.settings import read_settings
from naturalproofs.sources.reading.text_files import decode, read_bytes
from naturalproofs.sources.registry import SourceInfo, source_info

# From the items of Markdown files to statements, proofs and labels.

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
        blocks = [item for chapter in self.chapters for item in chapter.items if isinstance(item, Block)]
        self._texts = citations.TextReferences({one.name: one.sense for one in blocks if one.number}, {})

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
        builder.mentions.extend(mentions(latex, block.start, self._texts))
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
        printed = None if of else citations.named_in(f" {block.title}", self._texts)
        proof = ProofBuilder(origin, of=of, of_printed=printed, position=len(self.reading.statements), owner=owner)
        (self.reading.orphans if owner is None else owner.proofs).append(proof)
        return proof

    def _number(self, block: Block) -> str:
        """The next number of its kind, with the number of the chapter in a book; remarks have none."""
        if block.number or not block.numbered or block.sense.family == "remark":
            return block.number
        self.counts[block.name] += 1
        return ".".join(filter(None, [self.chapter_number, str(self.counts[block.name])]))

    def _latex(self, lines: Sequence[str]) -> str:
        return to_latex(lines, self.labels.__contains__)

    def _anchor(
        self, label: str, kind: AnchorKind, holder: StatementBuilder | ProofBuilder | None, origin: Origin
    ) -> None:
        form = "{}" if kind == "section" or not (self.section or self.chapter) else "“{}”"
        title = form.format(self.section or self.chapter)
        self.reading.anchors.append(AnchorBuilder(label, "", kind, holder, origin, title=title))


SUFFIXES = (".qmd", ".Rmd", ".rmd", ".md", ".markdown")
BOOKS = ("_quarto.yml", "_quarto.yaml", "_bookdown.yml", "_toc.yml", "myst.yml")
"""Files that say which files a book has, and in which order."""
_MAX_INCLUDES = 10
_LEVELS = 4
"""How many folders deep files are looked for to recognise a project."""
_UP = 4
"""How many folders above a file are searched for the book that lists it."""
_MAX_LINES = 20_000
_LONGEST_LINE = 5_000
_SKIPPED = frozenset({"node_modules", "_book", "_site", "_build", "renv", "docs-output", "venv"})
_ENTRY = re.compile(r"(?:^|[\s\[,\"'])(?P<name>[\w./-]+\.(?:qmd|Rmd|rmd|md|markdown))(?=$|[\s\],\"'])")
_FILE = re.compile(r"^\s*-?\s*(?:file|root):\s*[\"']?(?P<name>[^\"'#\n]+?)[\"']?\s*$")
_TITLE = re.compile(r"^[^\S\n]*+title:\s*+[\"']?(.{1,500}?)[\"']?[^\S\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class Project:
    """A project of Markdown files: a folder, or one file."""

    info: SourceInfo
    mains: tuple[str, ...] = ()
    """The files to read, in order; chosen by the project's settings, or by what the folder holds, if none are given."""

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read the files of a book in its order, or all files of a folder."""
        path = path.resolve()
        root = path if path.is_dir() else path.parent
        settings = read_settings(root)
        book = _book(path, self.mains or settings.main)
        files = _Files(root)
        if book.listing is not None:
            files.tree.read(book.listing)
        chapters: list[Chapter] = []
        for done, file in enumerate(book.files):
            progress(done, len(book.files))
            chapters.extend(replace(one, appendix=done >= book.appendices) for one in files.chapters(file))
        progress(len(book.files), len(book.files))
        headings = [one for chapter in chapters for one in chapter.items if isinstance(one, Heading) and one.level == 1]
        title = book.title or (headings[0].title if len(headings) == 1 else "")
        reading = Reader(chapters, files.cited, by_chapter=book.by_chapter).read()
        reading.diagnostics[:0] = files.diagnostics
        draft = resolve_labels(
            reading,
            corpus=name,
            document=name,
            inputs=files.tree.files_read.values(),
            categories=by_chapter_or_section,
            about={**({"title": title} if title else {}), **settings.about},
        )
        by = f" in the order of {book.listing.name}" if book.listing is not None else ""
        return replace(draft, summary=f"reading {len(book.files)} Markdown files{by}")


class _Book(NamedTuple):
    """The files of a project in order."""

    files: tuple[Path, ...]
    by_chapter: bool = False
    """Whether statements are numbered by chapter."""
    appendices: int = 1 << 30
    """From which file on they are appendices."""
    title: str = ""
    listing: Path | None = None
    """The file that lists them."""


class _Files:
    """Reads the files of a project, each once."""

    def __init__(self, root: Path) -> None:
        self.tree = ProjectFolder(root)
        self.diagnostics: list[Diagnostic] = []
        self.cited: set[str] = set()

    def chapters(self, path: Path, depth: int = 0) -> Iterator[Chapter]:
        """A file with those that it includes, each in its place."""
        name = self.tree.name(path)
        if name in self.tree.files_read:
            return
        data = self.tree.read(path)
        decoded = decode(data) if data is not None else None
        if decoded is None or decoded.text is None:
            self._report(name, 1, "unreadable", "cannot be read as text; it was left out")
            return
        for problem in decoded.problems:
            self._report(name, 1, problem.rule, problem.message)
        self.cited.update(one.key for one in find_keys(decoded.text) if not one.is_label)
        items: list[Item] = []
        starts = depth == 0
        for item in Scanner(decoded.text).scan():
            if not isinstance(item, Include):
                items.append(item)
                continue
            yield Chapter(name, items, starts=starts)
            items, starts = [], False
            yield from self._included(path, item, name, depth)
        yield Chapter(name, items, starts=starts)

    def _included(self, path: Path, include: Include, name: str, depth: int) -> Iterator[Chapter]:
        found = self.tree.find(include.name.lstrip("/"), (path.parent, self.tree.root), ("",))
        if isinstance(found, Refused):
            self._report(name, include.line, found.rule, f"{include.name}: {found.message}")
        elif depth >= _MAX_INCLUDES:
            self._report(name, include.line, "too-deep", f"{include.name}: more than {_MAX_INCLUDES} files deep")
        elif found.suffix in SUFFIXES:
            yield from self.chapters(found, depth + 1)

    def _report(self, name: str, line: int, rule: str, message: str) -> None:
        self.diagnostics.append(Diagnostic(name, line, 1, "warning", rule, message))


def count_statements(path: Path) -> dict[str, int]:
    """How many statements each Markdown file has."""
    if path.is_dir():
        return {file.relative_to(path).as_posix(): _count(file) for file in markdown_files(path)}
    return {path.name: _count(path)} if path.name.endswith(SUFFIXES) else {}


def _count(file: Path) -> int:
    items = Scanner(decode(read_bytes(file) or b"").text or "").scan()
    return sum(isinstance(item, Block) and item.sense.role != "proof" for item in items)


def project_of(path: Path) -> Path:
    """The folder of the book that lists a file, or else the file itself."""
    here = path.resolve()
    for folder in folders_above(here, _UP) if path.is_file() else ():
        listing = next((file for name in BOOKS if (file := folder / name).is_file()), None)
        if listing is not None and here in _read_listing(listing, folder).files:
            return folder
    return path


def find_book(folder: Path) -> Path | None:
    """The file that lists the files of a book, the one in the highest folder."""
    return next(files_below(folder, BOOKS, _SKIPPED, _LEVELS), None)


def markdown_files(folder: Path) -> list[Path]:
    """The Markdown files of a folder, ``index`` files first in their folder."""
    found = files_below(folder, SUFFIXES, _SKIPPED)
    return sorted(found, key=lambda file: (file.parent, file.stem.lower() != "index", file.name))


def _book(path: Path, mains: tuple[str, ...]) -> _Book:
    if path.is_file():
        return _Book((path,))
    if mains:
        return _Book(tuple(_inside(path, main) for main in mains))
    listing = find_book(path)
    book = _read_listing(listing, path) if listing is not None else _Book(())
    if book.files and book.by_chapter:
        return book
    others = [file for file in markdown_files(path) if file not in book.files]
    rest = list(filter(_is_read, others)) or ([] if book.files else others)
    if not book.files and not rest:
        raise SourceNotFound(f"{path}: no Markdown files here; give a folder with .qmd, .Rmd or .md files")
    return book._replace(files=(*book.files, *rest))


def _inside(folder: Path, name: str) -> Path:
    found = ProjectFolder(folder).find(name, (folder,), ("", *SUFFIXES))
    if isinstance(found, Refused):
        raise SourceNotFound(f"{folder}: {name}: {found.message}")
    return found


def _is_read(file: Path) -> bool:
    """Whether a file is text: those with an underscore are parts of others; one about the project counts alone only."""
    return not file.name.startswith("_") and file.stem.lower() not in ("readme", "changelog", "contributing", "license")


def _read_listing(listing: Path, root: Path) -> _Book:
    """The files that a book lists. Names are read line by line; the rest of the YAML does not matter."""
    text = decode(read_bytes(listing) or b"").text or ""
    files: dict[Path, None] = {}
    appendices = 1 << 30
    for written in text.split("\n")[:_MAX_LINES]:
        line = written.partition(" #")[0]
        if line.strip().startswith("appendices:"):
            appendices = len(files)
        named = _FILE.match(line) if listing.name in ("_toc.yml", "myst.yml") else None
        names = [named["name"]] if named else [found["name"] for found in _ENTRY.finditer(line[:_LONGEST_LINE])]
        for name in names:
            for ending in ("", *SUFFIXES):
                file = listing.parent / (name.strip() + ending)
                if file.is_file() and file.resolve().is_relative_to(root):
                    files.setdefault(file.resolve())
                    break
    quarto = "quarto" in listing.name
    found = list(files)
    if listing.name == "_bookdown.yml" and not found:
        found = [file for file in markdown_files(listing.parent) if _is_read(file) and file.parent == listing.parent]
    by_chapter = "chapters:" in text if quarto else listing.name == "_bookdown.yml" or "numbered:" in text
    title = _TITLE.search(text)
    return _Book(tuple(found), by_chapter and bool(found), appendices, title[1] if title else "", listing)


MARKDOWN = Project(source_info("markdown"))
