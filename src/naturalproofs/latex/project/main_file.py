"""Which documents a folder holds, and which of them to read: those that reach most statements.

A document is a file in which the text of a document begins, with all the files it reads. Versions of one document count
as one. Others that are about as large are read along with the largest one, and the rest is only named. A folder that
holds chapters without a document is read file by file.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from pathlib import Path, PurePosixPath

from naturalproofs.errors import SourceNotFound
from naturalproofs.latex.project.boundary import in_repository
from naturalproofs.latex.project.file_graph import FileGraph, has_macro
from naturalproofs.latex.project.hints import Configured, configured_mains
from naturalproofs.latex.project.outline import Outline, read_outline, read_outlines, style_declarations

PARTS = frozenset({"subfiles", "standalone"})
"""Classes of files that are parts of another document."""
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
_BUILT = 0.5
"""What builds the project decides if what it names has this part of the largest document's statements."""
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
_COPY = re.compile(r"\(\d{1,3}\)$|~$")
"""How a name ends that programs give to a second copy."""
_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_WORD = re.compile(r"[a-z]+")


NOTHING_CONFIGURED = Configured((), (), ())


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


_OTHER_FORMATS: Mapping[str, str] = {
    ".lyx": "export it as LaTeX",
    ".rnw": "run knitr, which writes a .tex file",
    ".typ": "Typst is not read",
    ".rst": "reStructuredText is not read",
    ".ipynb": "notebooks are not read",
    ".docx": "documents of Word are not read",
}
"""What to do with a document in another format."""


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
    documents = Documents(outlines, style_declarations(folder))
    return documents.choose(configured_mains(folder, outlines))


def uses_other_documents(main: Path) -> bool:
    """Whether a document uses the labels of others, by itself or by a file that it reads from its folder."""
    pending, seen = [main], {main}
    while pending and len(seen) <= _MAX_NEAR_FILES:
        outline = read_outline(pending.pop(), main.name)
        if outline.externals:
            return True
        named = (main.parent / f"{name.removesuffix('.tex')}.tex" for name in outline.inputs if not has_macro(name))
        found = {file for file in named if file not in seen and file.is_file()}
        seen |= found
        pending.extend(found)
    return False


def main_of(file: Path, folder: Path) -> str | None:
    """The main file in a folder whose document includes a file; the largest one, if there are several."""
    is_project = folder == file.parent or in_repository(folder)
    documents = Documents(read_outlines(folder, max_entries=_MAX_NEAR_ENTRIES), frozenset(), is_project=is_project)
    name = file.relative_to(folder).as_posix()
    found = [one for one in documents.candidates if name in one.files and one.path != name and documents.is_whole(one)]
    return _preferred(_versions(found)[0], ()).path if found else None


class Documents:
    """The documents among the files of a folder."""

    def __init__(self, outlines: dict[str, Outline], declared: frozenset[str], *, is_project: bool = True) -> None:
        """Bind the outlines of all files, and the environments that style files declare."""
        self.outlines, self.graph = outlines, FileGraph(outlines, is_project=is_project)
        self._declared = declared.union(*(one.declared for one in outlines.values()))

    def choose(self, configured: Configured = NOTHING_CONFIGURED) -> Choice:
        """Choose among the candidates."""
        groups = _versions(self.candidates)
        named = _named(groups, configured.mains)
        if not named and (built := _named(groups, configured.built)):
            # What builds the project may leave out the main text, for which other tools are used.
            largest = max(one.weight for group in groups for one in group)
            named = built if max(group[0].weight for group in built) >= _BUILT * largest else []
        first = [_preferred(group, configured.preferred) for group in named or groups]
        best = max(first, key=lambda one: (one.weight, one.size))
        linked = self._linked(best, {one.path for one in first if one.statements or _folder(one) == _folder(best)})
        if len(linked) > 1:
            chosen = linked
        elif not self._has_documents:
            chosen = [one.path for one in first if one.statements] or [best.path]
        else:
            chosen = _with_independent(best, first)
        rest = [_preferred(group, configured.preferred) for group in groups]
        others = [one for one in rest if one.statements and one.path not in chosen]
        return Choice(
            tuple(sorted(chosen, key=_natural)), tuple(sorted(others, key=lambda one: (-one.weight, one.path)))
        )

    # Candidates.

    @cached_property
    def candidates(self) -> list[Candidate]:
        """All documents, by path."""
        return [self._candidate(path) for path in sorted(self._roots())]

    def is_whole(self, one: Candidate) -> bool:
        """Whether a candidate is a document, not only a part that reads other parts."""
        outlines = map(self.outlines.__getitem__, one.files)
        return any(outline.has_document and outline.document_class not in PARTS for outline in outlines)

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
        mains = {path for path, one in outlines.items() if one.has_document and one.document_class not in PARTS}
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

    @cached_property
    def _has_documents(self) -> bool:
        return any(one.has_document or one.document_class is not None for one in self.outlines.values())

    def _has_class(self, path: str) -> bool:
        return any(self.outlines[file].document_class is not None for file in self.graph.reached(path))

    def _linked(self, best: Candidate, among: set[str]) -> list[str]:
        """The documents that use one another's labels, directly or through others, from one of them."""
        links: defaultdict[str, set[str]] = defaultdict(set)
        for one in self.candidates:
            for other in among.intersection(one.linked) if one.path in among else ():
                links[one.path].add(other)
                links[other].add(one.path)
        found, pending = {best.path}, [best.path]
        while pending:
            more = links[pending.pop()] - found
            found |= more
            pending.extend(more)
        return sorted(found)


def _named(groups: Sequence[list[Candidate]], paths: Sequence[str]) -> list[list[Candidate]]:
    return [group for group in groups if any(one.weight and one.path in paths for one in group)]


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


def _preferred(group: Sequence[Candidate], configured: Sequence[str]) -> Candidate:
    """The version to read: of those with most statements, the one that the author's tools name, or by its name."""
    most = max(one.weight for one in group)
    group = [one for one in group if not one.is_copy and one.weight >= _COPIED * most] or group
    most = max(one.weight for one in group)
    close = [one for one in group if one.weight >= _CLOSE * most]
    return min(close, key=lambda one: (*_name_rank(one.path), one.path not in configured, -one.weight, one.path))


def _name_rank(path: str) -> tuple[bool, bool, int, int]:
    stem = PurePosixPath(path).stem.lower()
    words = _words(PurePosixPath(path).name)
    known = _FIRST_NAMES.index(stem) if stem in _FIRST_NAMES else len(_FIRST_NAMES)
    later = not _LATER_WORDS.isdisjoint(words) or bool(_YEAR.search(path))
    return stem != "web", later, path.count("/"), known


def _is_copy(path: str) -> bool:
    stem = PurePosixPath(path).stem.lower()
    return not _COPY_WORDS.isdisjoint(_words(stem)) or bool(_COPY.search(stem))


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
    if one.statements and _DIGITS.search(one.path) and _DIGITS.sub("", one.path) == _DIGITS.sub("", best.path):
        return True
    part = _INDEPENDENT_HERE if _folder(one).is_relative_to(_folder(best)) else _INDEPENDENT
    return not one.is_minor and one.statements >= _FEWEST and one.statements >= part * best.weight


def _folder(one: Candidate) -> PurePosixPath:
    return PurePosixPath(one.path).parent


def _natural(path: str) -> list[tuple[str, int]]:
    """A key that sorts numbers in names by their value."""
    words, numbers = _DIGITS.split(path), _DIGITS.findall(path)
    return [(word, int(number)) for word, number in zip_longest(words, numbers, fillvalue="0")]


def _words(path: str) -> set[str]:
    return set(_WORD.findall(path.lower()))
