r"""What to read when a path is given: which documents, inside of which folder; and what to say when it was nothing.

A document is a file in which the text of a document begins, with all the files it reads. The document of a folder that
reaches most statements is read. Versions of one document count as one. Others that are about as large are read along
with the largest one, and the rest is only named. A folder that holds chapters without a document is read file by file.

A document may read files above its folder, as in ``\input{../header}``: those of the same repository or, outside of a
repository, those of up to three folders above.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

from naturalproofs.errors import NoStatements, SourceNotFound
from naturalproofs.io.cache import cache_folder
from naturalproofs.io.listing import TEX_SUFFIXES, home_folder, name_of, path_of
from naturalproofs.records import Diagnostic
from naturalproofs.sources.latex.project.cached_document import CachedFile
from naturalproofs.sources.latex.project.outline import (
    NUMBER,
    STYLES,
    FileGraph,
    Outline,
    connected,
    natural_order,
    read_outline,
    read_outlines,
    style_declarations,
)
from naturalproofs.sources.latex.project.tree import Tree
from naturalproofs.sources.latex.read.dialect import ANCHOR_KINDS
from naturalproofs.sources.reading.kinds import by_environment_name
from naturalproofs.sources.reading.project_folder import Refused, existing_file
from naturalproofs.sources.reading.settings import FILE, Settings, read_settings
from naturalproofs.sources.reading.text_files import read_bytes

_MINOR_CLASSES = frozenset(
    "beamer beamerposter tikzposter powerdot letter scrlttr2 moderncv exam examdesign standalone minimal".split()
)
_MINOR_WORDS = frozenset(
    "errata erratum corrigenda cover covers template templates solution solutions answer answers slide slides beamer "
    "talk talks presentation poster handout handouts exercise exercises homework homeworks hw pset psets exam exams "
    "midterm quiz test tests example examples demo sample old archive archived deprecated obsolete backup draft drafts "
    "unused abstract announcement cv resume letter review referee response rebuttal cheatsheet figure figures fig figs "
    "image images img tikz assets media vendor external thirdparty literature anc ancillary".split()
)
"""Words in a path that tell of slides, exercise sheets and the like, in which few look for the main text."""
_MINOR = 0.2
"""What a statement of such a document counts."""
_SAME = 0.4
"""Documents that share this part of the smaller one's labels and beginnings of environments are versions of one."""
_CLOSE = 0.9
"""Versions that have this part of the most statements are told apart by name."""
_COPIED = 0.5
"""A copy is not read if another version has this part of its statements."""
_INDEPENDENT = 0.25
"""A document is read along with the largest one if it has this part of its statements."""
_INDEPENDENT_HERE = 0.5
"""The same for documents in the folder of the largest one, or below it."""
_FEWEST = 5
"""A document with fewer statements is not read along."""
_MAX_NEAR_FILES = 200
_MAX_NEAR_ENTRIES = 50_000
"""Folders above a file are not searched for its main file if they hold more files."""
_LATER_WORDS = frozenset("print a4 letter letterpaper screen mobile ebook kindle online arxiv submission short".split())
_FIRST_NAMES = ("web", "main", "book", "thesis", "notes", "paper", "index", "root", "master")
_COPY_WORDS = frozenset("copy kopie copie copia conflict conflicted bak bck orig diff latexdiff".split())
_WORD = re.compile(r"[a-z]+")
UP = 3
"""How many folders above a project files are read from, outside of a repository."""
_MAX_FILES = 2_000
_MAX_NAMES = 20_000
"""How many files, and names in them, are examined for inputs above the folder."""
_ENDINGS = ("", ".tex", *STYLES)
_READABLE = frozenset({*TEX_SUFFIXES, *STYLES})
_LATEXMK_FILES = ("latexmkrc", ".latexmkrc")
_ARXIV_FILES = ("00README.XXX", "00README.json", "00README.yaml")
CHOICE_FILES = (*_LATEXMK_FILES, *_ARXIV_FILES)
"""Files of a folder, besides its LaTeX files and settings, that the choice of documents depends on."""
_MAX_TEXT = 100_000
_DEFAULT_FILES = re.compile(r"^[^#\n]*@default_files\s*+=\s*+(?:qw\s*+)?+\(([^()]{0,2000})\)", re.MULTILINE)
_SOURCES = re.compile(r"[{}]|^[ \t]*+-\s", re.MULTILINE)
_SEPARATORS = str.maketrans(dict.fromkeys(",'\"", " "))
_FIELD = re.compile(r"\b(usage|filename)[\"']?+[ \t]*+:[ \t]*+[\"']?+([^\"'\s,]++)")
_OTHER_FORMATS: Mapping[str, str] = {
    ".lyx": "export it as LaTeX",
    ".rnw": "run knitr, which writes a .tex file",
    **dict.fromkeys((".typ", ".rst", ".ipynb", ".docx"), "this format is not read"),
}
"""What to do with a document in another format."""
_SHOWN = 5
_NOT_FOLLOWED = frozenset(
    {"missing-file", "outside-project", "too-deep", "too-many-inputs", "too-many-files", "not-text"}
)
_ORDINARY = frozenset(
    "document abstract center flushleft flushright quote quotation verse minipage tabular tabularx array matrix "
    "pmatrix bmatrix vmatrix cases split aligned gathered thebibliography titlepage tikzpicture tikzcd scope picture "
    "frame columns column block multicols appendix appendices pspicture axis algorithm algorithmic small itemize "
    "enumerate description list compactenum compactitem comment verbatim lstlisting minted CD xy longtable".split()
)


_UP_TO_MAIN = 3
"""How many folders above a file are searched for its main file."""


class Plan(NamedTuple):
    """What is to be read."""

    root: Path
    """The folder outside of which nothing is read."""
    mains: tuple[Path, ...]
    settings: Settings
    summary: str = ""
    """One line that says which documents of a folder are read, and what others there are."""


def plan_reading(path: Path, mains: Sequence[str] = (), up: int = UP) -> Plan:
    """Decide what to read.

    Args:
        path: The resolved path of a main file or of a folder.
        mains: Main files inside the folder, if the user chose some.
        up: How many folders above it files may be read from, outside of a repository.
    """
    folder = path if path.is_dir() else path.parent
    settings = read_settings(folder)
    others: Sequence[Candidate] = ()
    if not path.is_dir():
        chosen = [path]
    elif mains or settings.main:
        where = "--main" if mains else f"main in {FILE}"
        chosen = [_named(folder, name, where) for name in mains or settings.main]
    else:
        choice = choose_documents(folder)
        chosen, others = [folder / main for main in choice.mains], choice.others
    if len(chosen) == 1 and not (folder / FILE).is_file():
        settings = read_settings(chosen[0].parent)
    root = find_boundary(folder, [main.resolve() for main in chosen], up)
    summary = _summary([name_of(main.relative_to(folder)) for main in chosen], others) if path.is_dir() else ""
    return Plan(root, tuple(chosen), settings, summary)


def _named(folder: Path, name: str, where: str) -> Path:
    found = Tree(folder, []).find(name, (folder,), ("", ".tex"))
    if isinstance(found, Refused):
        raise SourceNotFound(f"{folder}: {where} = {name!r}: {found.message}")
    return found


def _summary(mains: Sequence[str], others: Sequence[Candidate]) -> str:
    """One line: what is read, and what else there is."""
    if not others:
        return f"reading {_listed(mains)}"
    listed = _listed([f"{name_of(one.path)} ({one.statements} statements)" for one in others])
    return f"reading {_listed(mains)}; other documents here: {listed}; --main FILE chooses"


def _listed(items: Sequence[str]) -> str:
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


def _above(folder: Path) -> list[Path]:
    """A folder and those above it, as far as they are below the user's home folder."""
    home = home_folder()
    return [one for one in (folder, *folder.parents) if one not in (home, *home.parents)]


def _repository(above: Sequence[Path]) -> Path | None:
    return next((one for one in above if (one / ".git").exists()), None)


def _limit(folder: Path, up: int) -> Path:
    """The highest folder that may be read."""
    cache = cache_folder().resolve()
    if folder.is_relative_to(cache):
        # An unpacked archive is the third folder down; what came by standard input has nothing above it.
        return cache.joinpath(*folder.relative_to(cache).parts[:3])
    above = _above(folder)
    return _repository(above) or (above[min(up, len(above) - 1)] if above else folder)


def _read_files(mains: Sequence[Path], limit: Path) -> Iterator[tuple[Path, Outline]]:
    """The files of documents with their outlines, as far as they are found by their names inside of a folder."""
    pending = [(main, main.parent) for main in mains]
    seen = set(mains)
    looked_up: set[tuple[str, Path, Path]] = set()
    while pending:
        file, start = pending.pop()
        outline = read_outline(file, file.name)
        yield file, outline
        names = {(name, start, file.parent): None for name in (*outline.inputs, *outline.packages)}
        for key in islice((key for key in names if key not in looked_up), _MAX_NAMES - len(looked_up)):
            looked_up.add(key)
            found = _find(key[0], key[1:], limit)
            if found is not None and found not in seen:
                seen.add(found)
                pending.append((found, start))


def _find(name: str, folders: Sequence[Path], limit: Path) -> Path | None:
    paths = (existing_file(folder, name + ending) for folder in folders for ending in _ENDINGS)
    found = (path for path in paths if path is not None and path.suffix in _READABLE and path.is_relative_to(limit))
    return None if "\\" in name or "#" in name else next(found, None)


# Main files that are named, by the settings of other tools and by comments.


def _configured(folder: Path) -> Iterator[str]:
    """The main files that the settings of latexmk or a submission to arXiv name."""
    text = {name: _text(folder / name) for name in CHOICE_FILES}
    for name in _LATEXMK_FILES:
        for match in _DEFAULT_FILES.finditer(text[name]):
            yield from match[1].translate(_SEPARATORS).split()
    for line in text[_ARXIV_FILES[0]].splitlines():
        file, _, usage = line.strip().rpartition(" ")
        if usage == "toplevelfile":
            yield file.strip()
    for name in _ARXIV_FILES[1:]:
        for source in _SOURCES.split(text[name]):
            fields = dict(_FIELD.findall(source))
            if fields.get("usage") == "toplevel":
                yield fields.get("filename", "")


def _text(path: Path) -> str:
    return (read_bytes(path) or b"")[:_MAX_TEXT].decode("utf-8", "replace") if path.is_file() else ""


def _commented(outlines: Mapping[str, Outline]) -> Iterator[str]:
    """The main files that comments in other files name."""
    for path, outline in outlines.items():
        named = posixpath.join(posixpath.dirname(path), outline.root)
        if outline.root and posixpath.normpath(named) not in (path, path.removesuffix(".tex")):
            yield named


def _existing(names: Iterable[str], outlines: Mapping[str, Outline]) -> frozenset[str]:
    paths = (posixpath.normpath(name) for name in names)
    return frozenset(one for path in paths for one in (path, f"{path}.tex") if one in outlines)


# The documents of a folder.


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that could be read: its main file, and what it reaches."""

    path: str
    files: tuple[str, ...]
    statements: int
    weight: float
    """Its statements, fewer for slides, exercise sheets and the like; compares documents."""
    size: int
    """How many bytes its files have."""
    texts: frozenset[str]
    """Those of its files that hold statements."""
    marks: frozenset[int]
    linked: tuple[str, ...] = ()
    """Other documents whose labels it uses."""
    is_copy: bool = False
    """Whether it is a backup, a conflicting copy, or the differences of two versions."""

    @property
    def is_minor(self) -> bool:
        """Whether it is one of slides, exercise sheets and the like."""
        return self.weight < self.statements


@dataclass(frozen=True, slots=True)
class Choice:
    """The documents of a folder that are read, and those that are not."""

    mains: tuple[str, ...]
    others: tuple[Candidate, ...] = ()
    """Documents that are not read, largest first, without other versions of those that are."""


def _instead(folder: Path) -> str:
    """What to do about a folder without LaTeX files."""
    for path in sorted(islice(folder.iterdir(), _MAX_NEAR_ENTRIES)) if folder.is_dir() else ():
        if advice := _OTHER_FORMATS.get(path.suffix.lower()):
            return f"{path.name}: {advice}"
    return "give the main file or the folder that holds it; PreTeXt, Quarto, bookdown and MyST are read too"


def choose_documents(folder: Path) -> Choice:
    """The documents to read when this folder is opened."""
    outlines = read_outlines(folder)
    if not outlines:
        raise SourceNotFound(f"{folder}: no .tex files here; {_instead(folder)}")
    return Documents(outlines, style_declarations(folder)).choose(_existing(_configured(folder), outlines))


def uses_other_documents(main: Path) -> bool:
    """Whether a document uses the labels of others, by itself or by a file that it reads from its folder."""
    return any(outline.externals for _, outline in islice(_read_files([main], main.parent), _MAX_NEAR_FILES))


def main_of(file: Path, folder: Path) -> str | None:
    """The main file in a folder whose document includes a file; the largest one, if there are several."""
    is_project = folder == file.parent or _repository(_above(folder)) is not None
    documents = Documents(read_outlines(folder, max_entries=_MAX_NEAR_ENTRIES), frozenset(), is_project=is_project)
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
        main = index.main_of(here, folder) or _including(here, folder)
        if main is not None:
            return _as_given(path, main)
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
    known = index.has_several(main)
    if known is not None:
        return known
    if not uses_other_documents(main):
        return False
    try:
        choice = choose_documents(main.parent)
    except SourceNotFound:
        return False
    return main.name in choice.mains and len(choice.mains) > 1


def _including(file: Path, folder: Path) -> Path | None:
    """The main file in a folder whose document includes a file."""
    try:
        found = main_of(file, folder)
    except SourceNotFound:
        return None
    return folder / found if found is not None else None


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

    def __init__(self, outlines: dict[str, Outline], declared: frozenset[str], *, is_project: bool = True) -> None:
        """Bind the outlines of all files, and the environments that style files declare."""
        self.outlines, self.graph = outlines, FileGraph(outlines, is_project=is_project)
        self._declared = declared.union(*(one.declared for one in outlines.values()))

    def choose(self, configured: Collection[str] = ()) -> Choice:
        """Choose among the candidates; if some of them are configured, only among these."""
        groups = _versions(self.candidates)
        named = [group for group in groups if any(one.weight and one.path in configured for one in group)]
        preferred = _existing(_commented(self.outlines), self.outlines).union(configured)
        first = [_preferred(group, preferred) for group in named or groups]
        best = max(first, key=lambda one: (one.weight, one.size))
        linked = self._linked(best, {one.path for one in first if one.statements or _folder(one) == _folder(best)})
        if len(linked) > 1:
            chosen = linked
        elif not any(one.has_document or one.document_class is not None for one in self.outlines.values()):
            chosen = [one.path for one in first if one.statements] or [best.path]
        else:
            chosen = _with_independent(best, first)
        rest = [_preferred(group, preferred) for group in groups]
        others = [one for one in rest if one.statements and one.path not in chosen]
        return Choice(
            tuple(sorted(chosen, key=natural_order)), tuple(sorted(others, key=lambda one: (-one.weight, one.path)))
        )

    @cached_property
    def candidates(self) -> list[Candidate]:
        """All documents, by path."""
        return [self._candidate(path) for path in sorted(self._roots())]

    def _candidate(self, path: str) -> Candidate:
        files = self.graph.reached(path)
        outline = self.outlines[path]
        statements = sum(self._statements[file] for file in files)
        is_named_minor = not _MINOR_WORDS.isdisjoint(_words(path))
        is_minor = is_named_minor or outline.document_class in _MINOR_CLASSES or outline.is_difference
        texts = frozenset(file for file in files if self._statements[file])
        marks = frozenset[int]().union(*(self.outlines[file].marks for file in texts))
        named = dict.fromkeys(name for file in files for name in self.outlines[file].externals)
        linked = tuple(found for name in named for found in self.graph.find(name, path) if found != path)
        size = sum(self.outlines[file].size for file in files)
        weight = statements * (_MINOR if is_minor else 1.0)
        is_copy = outline.is_difference or _is_copy(path)
        return Candidate(path, files, statements, weight, size, texts, marks, linked, is_copy)

    @cached_property
    def _statements(self) -> dict[str, int]:
        return {path: one.statements(self._declared) for path, one in self.outlines.items()}

    def _roots(self) -> Iterable[str]:
        outlines = self.outlines
        mains = {path for path, one in outlines.items() if one.is_main}
        if not mains:
            mains = {path for path, one in outlines.items() if one.has_document or one.document_class is not None}
        if not mains:
            included = {file for path in outlines for file in self.graph.inputs(path)}
            return [path for path in outlines if path not in included] or list(outlines)
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

    def _linked(self, best: Candidate, among: set[str]) -> list[str]:
        """The documents that use one another's labels, directly or through others, from one of them."""
        pairs = ((one.path, two) for one in self.candidates if one.path in among for two in one.linked if two in among)
        return sorted(connected(best.path, pairs))


def _versions(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Groups of documents that are versions or parts of one; the largest one of each comes first."""
    groups: list[list[Candidate]] = []
    for one in sorted(candidates, key=lambda one: (-one.weight, one.path)):
        group = next((group for group in groups[:200] if _is_version(one, group[0])), None)
        if group is not None:
            group.append(one)
        else:
            groups.append([one])
    return groups


def _is_version(one: Candidate, other: Candidate) -> bool:
    """Whether two documents share most of the smaller one; analogous chapters of one work may share many labels."""
    if (one.path in other.linked or other.path in one.linked) and not one.texts & other.texts:
        return False
    smaller = min(len(one.marks), len(other.marks))
    return smaller > 0 and len(one.marks & other.marks) >= _SAME * smaller


def _preferred(group: Sequence[Candidate], named: Collection[str]) -> Candidate:
    """The version to read: of those with most statements, the one that the author's tools name, or by its name."""
    most = max(one.weight for one in group)
    group = [one for one in group if not one.is_copy and one.weight >= _COPIED * most] or group
    most = max(one.weight for one in group)
    close = [one for one in group if one.weight >= _CLOSE * most]
    return min(close, key=lambda one: (*_name_rank(one.path), one.path not in named, -one.weight, one.path))


def _name_rank(path: str) -> tuple[bool, bool, int, int]:
    stem = PurePosixPath(path).stem.lower()
    words = _words(PurePosixPath(path).name)
    known = _FIRST_NAMES.index(stem) if stem in _FIRST_NAMES else len(_FIRST_NAMES)
    has_year = any(len(one) == 4 and one.startswith(("19", "20")) for one in NUMBER.findall(path))
    later = has_year or not _LATER_WORDS.isdisjoint(words)
    return stem != "web", later, path.count("/"), known


def _is_copy(path: str) -> bool:
    stem = PurePosixPath(path).stem.lower()
    is_numbered = stem.endswith(")") and stem[:-1].rpartition("(")[2].isdecimal()
    return is_numbered or stem.endswith("~") or not _COPY_WORDS.isdisjoint(_words(stem))


def _with_independent(best: Candidate, candidates: Sequence[Candidate]) -> list[str]:
    """The largest document, and the others that are read along with it."""
    chosen = [one.path for one in candidates if one is best or _is_independent(one, best)]
    top = [one for one in candidates if "/" not in one.path and not one.is_minor and one.statements >= _FEWEST]
    if "/" in best.path and top:
        # What stands in the folder itself is not less important than what lies deeper in it.
        chosen.append(max(top, key=lambda one: one.weight).path)
    return list(dict.fromkeys(chosen))


def _is_independent(one: Candidate, best: Candidate) -> bool:
    """Whether a document is read along with the largest one: it is large, too, or one of the same series."""
    if one.statements and NUMBER.search(one.path) and NUMBER.sub("", one.path) == NUMBER.sub("", best.path):
        return True
    part = _INDEPENDENT_HERE if _folder(one).is_relative_to(_folder(best)) else _INDEPENDENT
    return not one.is_minor and one.statements >= _FEWEST and one.statements >= part * best.weight


def _folder(one: Candidate) -> PurePosixPath:
    return PurePosixPath(one.path).parent


def _words(path: str) -> set[str]:
    return set(_WORD.findall(path.lower()))


# What is said about what was not read.


def is_ordinary_environment(name: str) -> bool:
    """Whether an environment is known to hold layout, a list, a formula or a figure."""
    return name.rstrip("*") in _ORDINARY or name in ANCHOR_KINDS or name.rstrip("*") in ANCHOR_KINDS


def not_followed(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is said about inputs that were not read."""
    return [one for one in diagnostics if one.rule in _NOT_FOLLOWED]


def nothing_found(
    path: Path, root: Path, mains: Sequence[str], files: Mapping[str, CachedFile], diagnostics: Iterable[Diagnostic]
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
    missing = [one.message for one in not_followed(diagnostics)]
    more = f" and {len(files) - len(mains)} files that they read" if len(files) > len(mains) else ""
    lines = [
        f"{path}: no statements found",
        f"  read: {_listed(mains)}{more}",
        f"  inputs not followed: {_listed(missing)}",
        f"  environments seen: {_listed([f'{name} ({count})' for name, count in seen.most_common()])}",
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
