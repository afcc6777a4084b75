r"""What to read when a path is given: which documents, inside of which folder; and what to say when it was nothing.

A document is a file in which the text of a document begins, with all the files it reads. All documents of a folder that
hold statements are read. Documents that share most of their statements are versions of one, of which one is read. Files
with statements that no document has read are read after them, in natural order and with the preamble that is nearest,
if they hold a relevant share; what is left is named with the reason.

A document may read files above its folder, as in ``\input{../header}``: those of the same repository or, outside of a
repository, those of up to three folders above.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

from naturalproofs.errors import NoStatements, SourceNotFound
from naturalproofs.io.archives import UNREADABLE, USED
from naturalproofs.io.cache import cache_folder
from naturalproofs.io.listing import TEX_SUFFIXES, entries_of, folders_above, highest_folder, home_folder, path_of
from naturalproofs.records import Diagnostic
from naturalproofs.sources.latex.project.outline import (
    STYLES,
    FileGraph,
    Outline,
    natural_order,
    read_outline,
    read_outlines,
    shared_file,
    style_declarations,
    with_parents,
)
from naturalproofs.sources.latex.project.tree import Tree
from naturalproofs.sources.latex.read.dialect import ANCHOR_KINDS
from naturalproofs.sources.reading.kinds import by_environment_name
from naturalproofs.sources.reading.project_folder import Refused, existing_file
from naturalproofs.sources.reading.settings import FILE, Settings, read_settings
from naturalproofs.sources.reading.text_files import decode, read_bytes

_SAME = 0.5
"""A document or file is another version of one with which it shares this part of the beginnings of its statements."""
_CLOSE = 0.9
"""Versions that have this part of the most statements are told apart by name."""
_COPIED = 0.5
"""A copy is not read if another version has this part of its statements."""
_RELEVANT = 0.05
"""Files that no document has read are read if they have this part of the statements beside them."""
_MAX_NEAR_FILES = 200
_MAX_NEAR_ENTRIES = 50_000
"""Folders above a file are not searched for its main file if they hold more files."""
_COPY_WORDS = frozenset("copy kopie copie copia conflict conflicted bak bck orig diff latexdiff".split())
_NAME_PARTS = re.compile(r"[^\W\d_]+|\d+")
"""Words and numbers in the name of a file."""
_CALL = re.compile(r"\\([a-zA-Z]{2,40})\s*((?:\{[^{}\n]{0,80}\}){1,4})")
UP = 3
"""How many folders above a project files are read from, outside of a repository."""
_MAX_FILES = 2_000
_MAX_NAMES = 20_000
"""How many files, and names in them, are examined for inputs above the folder."""
_ENDINGS = ("", ".tex", *STYLES)
_READABLE = frozenset({*TEX_SUFFIXES, *STYLES})
_OTHER_FORMATS: Mapping[str, str] = {
    **{suffix: f"{what}; {advice}" for suffix, (what, advice) in UNREADABLE.items() if advice != USED},
    ".rnw": "run knitr, which writes a .tex file",
    **dict.fromkeys((".bak", ".orig", ".old"), "a backup; rename it if it holds the text"),
    **dict.fromkeys((".zip", ".gz", ".tgz", ".xz"), "an archive; give it in place of the folder"),
}
"""What to do with a document in another format."""
_SHOWN = 5
_LIMITS = frozenset({"too-many-inputs", "too-many-files"})
_NOT_FOLLOWED = _LIMITS | {"missing-file", "outside-project", "too-deep", "not-text"}
_ORDINARY = frozenset(
    "document abstract center flushleft flushright quote quotation verse minipage tabular tabularx array matrix "
    "pmatrix bmatrix vmatrix cases split aligned gathered thebibliography titlepage tikzpicture tikzcd scope picture "
    "frame columns column block multicols appendix appendices pspicture axis algorithm algorithmic small itemize "
    "enumerate description list compactenum compactitem comment verbatim lstlisting minted CD xy longtable".split()
)


_UP_TO_MAIN = 3
"""How many folders above a file are searched for its main file."""


class Main(NamedTuple):
    """A document to read: its main file; or files that no document reads, the first of which stands for it."""

    path: Path
    preamble: Path | None = None
    """The file whose preamble holds, if the main file has none."""
    files: tuple[Path, ...] = ()
    """Further files, which are read after the first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be read."""

    root: Path
    """The folder outside of which nothing is read."""
    mains: tuple[Main, ...]
    settings: Settings
    folder: Path
    documents: Documents | None = None
    """All documents of the folder, if its files decide what is read."""
    chosen_by: str = ""
    """What names the main files, if the user chose them."""

    def rest(self, read: Collection[Path]) -> tuple[list[Main], dict[Path, str]]:
        """What to read after the documents, and why other files are not read, or by what they are.

        Args:
            read: The files that were read.
        """
        if self.documents is None:
            return [], {}
        names = {path.relative_to(self.folder).as_posix() for path in read if path.is_relative_to(self.folder)}
        groups, notes = self.documents.leftover(names)
        return [_located(self.folder, one) for one in groups], {
            self.folder / path_of(path): note for path, note in notes.items()
        }


def _located(folder: Path, group: Group) -> Main:
    first, *others = (folder / path_of(path) for path in group.files)
    return Main(first, folder / path_of(group.preamble) if group.preamble else None, tuple(others))


def plan_reading(path: Path, mains: Sequence[str] = (), up: int = UP) -> Plan:
    """Decide what to read.

    Args:
        path: The resolved path of a main file or of a folder.
        mains: Main files inside the folder, if the user chose some.
        up: How many folders above it files may be read from, outside of a repository.
    """
    folder = path if path.is_dir() else path.parent
    settings = read_settings(folder)
    documents, chosen_by = None, ""
    if not path.is_dir():
        chosen = [Main(path, _preamble_beside(path))]
    elif mains or settings.main:
        chosen_by = "--main" if mains else f"main in {FILE}"
        named = (_named(folder, name, chosen_by) for name in mains or settings.main)
        chosen = [Main(one, _preamble_beside(one)) for one in named]
    else:
        documents = folder_documents(folder)
        chosen = [_located(folder, one) for one in documents.choose()]
    if len(chosen) == 1 and not (folder / FILE).is_file():
        settings = read_settings(chosen[0].path.parent)
    heads = [one for main in chosen for one in (main.path, main.preamble) if one is not None]
    if documents is not None:
        heads += [folder / path_of(one.path) for one in documents.candidates if not one.statements]
    root = find_boundary(folder, list(dict.fromkeys(head.resolve() for head in heads)), up)
    return Plan(root, tuple(chosen), settings, folder, documents, chosen_by)


def _preamble_beside(main: Path) -> Path | None:
    """The preamble in the folder of a document that names no class."""
    outline = read_outline(main, main.name)
    if not outline.is_main or outline.document_class is not None:
        return None
    try:
        documents = folder_documents(main.parent)
    except SourceNotFound:
        return None  # There is too much to look through.
    preamble = documents.preamble_of_headless(main.name) if main.name in documents.outlines else ""
    return main.parent / path_of(preamble) if preamble else None


def _named(folder: Path, name: str, where: str) -> Path:
    found = Tree(folder, []).find(name, (folder,), ("", ".tex"))
    if isinstance(found, Refused):
        raise SourceNotFound(f"{folder}: {where} = {name!r}: {found.message}")
    return found


def listed(items: Sequence[str]) -> str:
    """The first items, and how many more there are."""
    return ", ".join(items[:_SHOWN]) + (f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else "") or "none"


# The folder outside of which nothing is read.


def find_boundary(folder: Path, mains: Sequence[Path], up: int = UP) -> Path:
    """The nearest folder that holds a project's folder and all inputs of its documents, as far as they may be read.

    Args:
        folder: The folder of the project, resolved.
        mains: Its main files, resolved.
        up: How many folders above it files may be read from, outside of a repository.
    """
    limit = _limit(folder, up)
    files = islice(_read_files(mains, limit), _MAX_FILES) if limit != folder else ()
    outside = [file.parent for file, _ in files if not file.is_relative_to(folder) and file.is_relative_to(limit)]
    return Path(os.path.commonpath([folder, *outside]))


def _limit(folder: Path, up: int) -> Path:
    """The highest folder that may be read."""
    cache = cache_folder().resolve()
    if folder.is_relative_to(cache):
        # An unpacked archive is the third folder down; what came by standard input has nothing above it.
        return cache.joinpath(*folder.relative_to(cache).parts[:3])
    return highest_folder(folder / FILE, up)


def _read_files(mains: Sequence[Path], limit: Path) -> Iterator[tuple[Path, Outline]]:
    """The files of documents with their outlines, as far as they are found by their names inside of a folder."""
    pending = [(main, main.parent) for main in mains]
    seen = set(mains)
    looked_up: set[tuple[str, Path, Path]] = set()
    while pending:
        file, start = pending.pop()
        outline = read_outline(file, file.name)
        yield file, outline
        names = {
            (name, start, file.parent): None
            for name in (outline.document_class or "", *outline.inputs, *outline.packages)
        }
        for key in islice((key for key in names if key not in looked_up), _MAX_NAMES - len(looked_up)):
            looked_up.add(key)
            found = _find(key[0], key[1:], limit)
            if found is None and key[0] == outline.document_class:
                found = _find_beside(f"{key[0]}.cls", start, limit)
            if found is not None and found not in seen:
                seen.add(found)
                pending.append((found, start))


def _find(name: str, folders: Sequence[Path], limit: Path) -> Path | None:
    paths = (existing_file(folder, name + ending) for folder in folders for ending in _ENDINGS)
    found = (path for path in paths if path is not None and path.suffix in _READABLE and path.is_relative_to(limit))
    return None if "\\" in name or "#" in name else next(found, None)


def _find_beside(name: str, folder: Path, limit: Path) -> Path | None:
    """The file of this name in the folders beside one that is shared: a class that TEXINPUTS finds."""
    beside = [Path(one.path) for one in entries_of(folder.parent) if folder != limit and one.is_dir()]
    return shared_file([path for one in beside if (path := existing_file(one, name)) and path.is_relative_to(limit)])


# The documents of a folder.


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that could be read: its main file, and what it reaches."""

    path: str
    files: tuple[str, ...]
    statements: int
    size: int
    """How many bytes its files have."""
    marks: frozenset[int]
    """The beginnings of its statements."""
    makes_statements: bool = False
    """Whether macros of its own begin statements."""
    is_copy: bool = False
    """Whether it is a backup, a conflicting copy, or the differences of two versions."""


class Group(NamedTuple):
    """Files that are read one after the other as one document, with the preamble of another file."""

    files: tuple[str, ...]
    preamble: str = ""


def _instead(folder: Path) -> str:
    """What to do about a folder without LaTeX files."""
    for path in sorted(islice(folder.iterdir(), _MAX_NEAR_ENTRIES)) if folder.is_dir() else ():
        if advice := _OTHER_FORMATS.get(path.suffix.lower()):
            return f"{path.name}: {advice}"
    return "give the main file or the folder that holds it; PreTeXt, Quarto, bookdown and MyST are read too"


def folder_documents(folder: Path) -> Documents:
    """The documents of a folder."""
    outlines = read_outlines(folder)
    if not outlines:
        raise SourceNotFound(f"{folder}: no .tex files here; {_instead(folder)}")
    return Documents(outlines, style_declarations(folder), folder=folder)


def count_statements(path: Path) -> dict[str, int]:
    """How many statements each LaTeX file has, by the environments that begin in it."""
    if not path.is_dir():
        outline = read_outline(path, path.name) if path.name.lower().endswith(TEX_SUFFIXES) else None
        return {outline.path: outline.statements(outline.declared)} if outline else {}
    return Documents(read_outlines(path), style_declarations(path)).statements


def main_of(file: Path, folder: Path) -> str | None:
    """The main file in a folder whose document includes a file; the largest one, if there are several."""
    is_project = folder == file.parent or any((one / ".git").exists() for one in folders_above(file))
    try:
        outlines = read_outlines(folder, max_entries=_MAX_NEAR_ENTRIES)
    except SourceNotFound:
        return None
    documents = Documents(outlines, frozenset(), is_project=is_project)
    name = file.relative_to(folder).as_posix()
    others = (one for one in documents.candidates if name in one.files and one.path != name)
    found = [one for one in others if any(documents.outlines[file].is_main for file in one.files)]
    return _preferred(_versions(found)[0], frozenset()).path if found else None


def project_of(path: Path, index: ReadingIndex) -> Path:
    """The folder or the main file to read when a user gives a LaTeX file.

    A chapter leads to the main file that includes it. One of several documents that use one another's labels leads to
    their folder. Any other file is read by itself.

    Args:
        path: The file.
        index: What earlier readings tell.
    """
    here = path.resolve()
    outline = read_outline(here, here.name)
    if outline.root:
        named = Path(os.path.normpath(path.parent / outline.root))
        root = next((one for one in (named, named.with_name(f"{named.name}.tex")) if one.is_file()), None)
        if root is not None and root.resolve() != here:
            return root
    if outline.is_main:
        return path.parent if _has_neighbours(here, index) else path
    for folder in here.parents[: _UP_TO_MAIN + 1]:
        if folder != here.parent and folder in (home_folder(), Path(folder.anchor)):
            break
        if (main := index.main_of(here, folder)) is not None:
            return _as_given(path, main)
        if (including := main_of(here, folder)) is not None:
            return _as_given(path, folder / including)
        if (folder / ".git").exists():
            break
    return path


def is_part(path: Path) -> bool:
    """Whether a LaTeX file is only a part of a document."""
    return not read_outline(path, path.name).is_main


class ReadingIndex(Protocol):
    """What is known of projects that were read before."""

    def main_of(self, file: Path, folder: Path) -> Path | None:
        """The project in a folder that includes a file, as its main file or its folder."""
        ...

    def has_several(self, main: Path) -> bool | None:
        """Whether a main file was read together with others of its folder; None if that is not known."""
        ...


def _has_neighbours(main: Path, index: ReadingIndex) -> bool:
    """Whether a document uses the labels of others in its folder."""
    files = islice(_read_files([main], main.parent), _MAX_NEAR_FILES)
    if not any(outline.externals for _, outline in files):
        return False
    known = index.has_several(main)
    if known is not None:
        return known
    try:
        chosen = [one.files[0] for one in folder_documents(main.parent).choose()]
    except SourceNotFound:
        return False
    return main.name in chosen and len(chosen) > 1


def _as_given(path: Path, main: Path) -> Path:
    """The main file as a relative path if the given path was relative."""
    if path.is_absolute():
        return main
    try:
        return Path(main.relative_to(Path.cwd()))
    except ValueError:
        return main


class Documents:
    """The documents among the files of a folder."""

    def __init__(
        self, outlines: dict[str, Outline], declared: frozenset[str], *, is_project: bool = True, folder: Path = Path()
    ) -> None:
        """Bind the outlines of all files, and the environments that style files declare."""
        self.outlines, self.graph, self.folder = outlines, FileGraph(outlines, is_project=is_project), folder
        self._declared = declared.union(*(one.declared for one in outlines.values()))
        self._version_of: dict[str, str] = {}
        """For main files that are not read, which one is read in place of each."""

    def choose(self) -> list[Group]:
        """The documents to read: of each group of versions one, in natural order."""
        named = self._commented()
        groups = _versions([one for one in self.candidates if one.statements or one.makes_statements])
        chosen = []
        for group in groups:
            chosen.append(_preferred(group, named).path)
            self._version_of.update((one.path, chosen[-1]) for one in group if one.path != chosen[-1])
        if not chosen and not any(self.statements.values()):
            # Statements may be made by macros, which outlines do not show.
            largest = max(self.candidates or map(self._candidate, self._tops()), key=lambda one: one.size)
            chosen = [largest.path]
        return [Group((path,), self.preamble_of_headless(path)) for path in sorted(chosen, key=natural_order)]

    def _commented(self) -> set[str]:
        """The main files that comments in other files name."""
        found = set[str]()
        for path, outline in self.outlines.items():
            named = posixpath.normpath(posixpath.join(posixpath.dirname(path), outline.root))
            if outline.root and named not in (path, path.removesuffix(".tex")):
                found |= {named, f"{named}.tex"} & self.outlines.keys()
        return found

    def leftover(self, read: Collection[str]) -> tuple[list[Group], dict[str, str]]:
        """Files with statements that were not read: those to read now, and what to say about each file.

        Args:
            read: The files that were read.
        """
        notes: dict[str, str] = {}
        groups: defaultdict[str, list[str]] = defaultdict(list)
        known = {mark: path for path in sorted(read) if path in self.outlines for mark in self._marks(path)}
        rest = [path for path, count in self.statements.items() if count and path not in read]
        for path in sorted(rest, key=lambda one: (-self.statements[one], len(one), one)):
            marks = self._marks(path)
            same = Counter(known[mark] for mark in marks if mark in known)
            if same.total() >= _SAME * len(marks):
                notes[path] = f"a copy of {same.most_common(1)[0][0]}"
                continue
            known.update(dict.fromkeys(marks, path))
            groups[self._nearest_preamble(path)].append(path)
        found = []
        for preamble, files in groups.items():
            beside = [path for path in (self.graph.reached(preamble) if preamble else read) if path in read]
            count = sum(self.statements[path] for path in files)
            tops = sorted(self._tops(files), key=natural_order)
            note = "no document reads it"
            if count >= _RELEVANT * (count + sum(self.statements.get(path, 0) for path in beside)):
                found.append(Group(tuple(tops), preamble))
                note += f"; read with the preamble of {preamble}" if preamble else ""
                note += f", where {loader} may name it" if (loader := self._loader(preamble, files)) else ""
            notes |= dict.fromkeys(files, note)
        for path, other in self._version_of.items():
            notes |= {path: f"a version of {other}"} if path in notes else {}
        return sorted(found, key=lambda one: natural_order(one.files[0])), notes

    def _loader(self, preamble: str, files: Sequence[str]) -> str:
        """The command in a document that seems to name files by itself: it is called as they are."""
        text = decode(read_bytes(self.folder / path_of(preamble)) or b"").text or "" if preamble else ""
        names = {part for path in files for part in _NAME_PARTS.findall(PurePosixPath(path).stem)}
        calls = _CALL.finditer(text, text.find("\\begin{document}"))
        found = (one for one in calls if one[1] in names and names.intersection(_NAME_PARTS.findall(one[2])))
        return next((one[0] for one in found), "")

    def preamble_of_headless(self, path: str) -> str:
        """The nearest file with a class and no text, if a document names no class.

        A file that it reads first of all names the class itself. Another one that is missing may do so, too; but a
        preamble that no file reads can only be a format.
        """
        outline = self.outlines[path]
        if self._has_class(path) or (outline.begins_with_input and not self.graph.find(outline.inputs[0], path)):
            return ""
        preamble = self._nearest_preamble(path, with_text=False)
        is_whole = all(self.graph.find(name, path) for name in outline.inputs)
        return preamble if is_whole or not any(preamble in self.graph.inputs(one) for one in self.outlines) else ""

    def _nearest_preamble(self, path: str, *, with_text: bool = True) -> str:
        """The nearest file that names a class, whose preamble a file without one may need; empty if there is none."""
        best = self._preambles[with_text]
        return next((best[folder] for folder in with_parents(posixpath.dirname(path)) if folder in best), "")

    @cached_property
    def _preambles(self) -> tuple[dict[str, str], dict[str, str]]:
        """For each folder the first preamble in it or below: of files without the text of a document, and of all."""
        heads = [path for path, outline in self.outlines.items() if outline.has_preamble]
        weights = {path: sum(self.statements[file] for file in self.graph.reached(path)) for path in heads}
        found: tuple[dict[str, str], dict[str, str]] = ({}, {})
        # The preamble of an older version or of a copy holds only where there is no other.
        is_old = {path: path in self._version_of or self._is_copy(path) for path in heads}
        for path in sorted(heads, key=lambda one: (is_old[one], one.count("/"), -weights[one], one)):
            for best in found[self.outlines[path].has_document :]:
                for folder in with_parents(posixpath.dirname(path)):
                    best.setdefault(folder, path)
        return found

    @cached_property
    def candidates(self) -> list[Candidate]:
        """All documents, by path."""
        return [self._candidate(path) for path in sorted(self._roots())]

    def _candidate(self, path: str) -> Candidate:
        files = self.graph.reached(path)
        statements = sum(self.statements[file] for file in files)
        size = sum(self.outlines[file].size for file in files)
        marks = frozenset[int]().union(*map(self._marks, files))
        makes_statements = any(self.outlines[file].makes_statements(self._declared) for file in files)
        return Candidate(path, files, statements, size, marks, makes_statements, self._is_copy(path))

    def _is_copy(self, path: str) -> bool:
        """Whether a file is a backup, a conflicting copy, or the differences of two versions, by its name or text."""
        stem = PurePosixPath(path).stem.lower()
        is_numbered = stem.endswith(")") and stem[:-1].rpartition("(")[2].isdecimal()
        is_named = is_numbered or stem.endswith("~") or not _COPY_WORDS.isdisjoint(_NAME_PARTS.findall(stem))
        return is_named or self.outlines[path].is_difference

    def _marks(self, path: str) -> frozenset[int]:
        """The beginnings of the statements of a file."""
        outline = self.outlines[path]
        return frozenset[int]().union(*(outline.marks[name] for name in outline.statement_names(self._declared)))

    @cached_property
    def statements(self) -> dict[str, int]:
        """How many statements each file holds."""
        return {path: one.statements(self._declared) for path, one in self.outlines.items()}

    def _tops(self, among: Collection[str] = ()) -> list[str]:
        """The files that no other one reads."""
        files = among or self.outlines
        included = {inner for path in files for inner in self.graph.reached(path) if inner != path}
        return [path for path in files if path not in included] or list(files)

    def _roots(self) -> Iterable[str]:
        outlines = self.outlines
        mains = {path for path, one in outlines.items() if one.is_main}
        if not mains:
            mains = {path for path, one in outlines.items() if one.has_document or one.document_class is not None}
        # A document whose class stands in another file: what reads both of them is the main file.
        headless = {path for path in mains if not self._has_class(path)}
        if headless:
            outer = {path for path in outlines if path not in mains and headless.intersection(self.graph.reached(path))}
            outer = {path for path in outer if self._has_class(path)}
            inner = {file for path in outer for file in self.graph.reached(path) if file != path}
            mains = (mains - inner) | (outer - inner)
        inner = {file for path in mains for file in self.graph.reached(path) if file != path and file in mains}
        return (mains - inner) or mains

    def _has_class(self, path: str) -> bool:
        return any(self.outlines[file].document_class is not None for file in self.graph.reached(path))


def _versions(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Groups of documents that are versions or parts of one, known by their statements; the largest one comes first."""
    groups: list[list[Candidate]] = []
    known: dict[int, int] = {}
    """The first group that has each beginning of a statement."""
    for one in sorted(candidates, key=lambda one: (-one.statements, one.path)):
        shared = Counter(known[mark] for mark in one.marks if mark in known)
        group, count = shared.most_common(1)[0] if shared else (0, 0)
        if count and count >= _SAME * len(one.marks):
            groups[group].append(one)
        else:
            for mark in one.marks:
                known.setdefault(mark, len(groups))
            groups.append([one])
    return groups


def _preferred(group: Sequence[Candidate], named: Collection[str]) -> Candidate:
    """The version to read: of those with most statements, the one that other files name, or by its name."""
    most = max(one.statements for one in group)
    group = [one for one in group if not one.is_copy and one.statements >= _COPIED * most] or group
    most = max(one.statements for one in group)
    close = [one for one in group if one.statements >= _CLOSE * most]

    def rank(one: Candidate) -> tuple[object, ...]:
        # The version for the web is complete; a longer name is that of a copy, or of a version for another paper.
        path, stem = one.path, PurePosixPath(one.path).stem
        is_named = path in named
        return stem.lower() != "web", path.count("/"), not is_named, len(stem), -one.statements, len(path), path

    return min(close, key=rank)


# What is said about what was not read.


def is_ordinary_environment(name: str) -> bool:
    """Whether an environment is known to hold layout, a list, a formula or a figure."""
    return name.rstrip("*") in _ORDINARY or name in ANCHOR_KINDS or name.rstrip("*") in ANCHOR_KINDS


def not_followed(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is said about inputs that were not read."""
    return [one for one in diagnostics if one.rule in _NOT_FOLLOWED]


def nothing_found(
    path: Path, root: Path, mains: Sequence[str], files: Collection[str], diagnostics: Iterable[Diagnostic]
) -> NoStatements:
    """The error for a project in which no statement was recognised: what was read, what was not, and what to try."""
    seen: Counter[str] = Counter()
    for name in files:
        seen += read_outline(root / path_of(name), name).environments or Counter()
    unknown = [
        name
        for name, _ in seen.most_common()
        if not is_ordinary_environment(name) and by_environment_name(name) is None
    ]
    # A limit that ended the reading says more than the files which it left out.
    limits_first = sorted(not_followed(diagnostics), key=lambda one: one.rule not in _LIMITS)
    missing = [one.message for one in limits_first]
    more = f" and {len(files) - len(mains)} files that they read" if len(files) > len(mains) else ""
    lines = [
        f"{path}: no statements found",
        f"  read: {listed(mains)}{more}",
        f"  inputs not followed: {listed(missing)}",
        f"  environments seen: {listed([f'{name} ({count})' for name, count in seen.most_common()])}",
    ]
    if missing:
        lines.append("  if a Makefile or a script makes some of these files, run it first")
    if unknown:
        lines += [f"  if some of them hold statements, say so in {FILE}:", "    [environments]"]
        lines += [f'    {_key(name)} = "theorem"' for name in unknown[:3]]
    else:
        lines += [f"  if another file is the main one, give it, or name it in {FILE}:", '    main = "FILE.tex"']
    return NoStatements("\n".join(lines))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'
