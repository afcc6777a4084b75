r"""Outlines of LaTeX files: document class, inputs, and environments, found by one cheap pass; and who reads whom.

Outlines are enough to tell which files are documents and which files belong to them, without reading any of them
properly. The pass takes linear time in the size of the file, whatever is in it.
"""

import posixpath
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from zlib import crc32

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.files import unsaved_bytes
from naturalproofs.io.listing import TEX_SUFFIXES, entries_of, files_below, lies_in
from naturalproofs.sources.latex.macros.entries import DECLARING
from naturalproofs.sources.latex.read.headings import TITLED, block_title, statement_words
from naturalproofs.sources.latex.scan.scanner import either
from naturalproofs.sources.reading.kinds import by_environment_name
from naturalproofs.sources.reading.text_files import decode, read_bytes

MAX_FILES = 20_000
"""How many .tex files are read to find the documents."""
MAX_TOTAL_BYTES = 1 << 30
"""How many bytes of them are read."""
_MAX_ENTRIES = 200_000
"""How many files and folders are listed."""
_MAX_LEVELS = 13
STYLES = (".sty", ".cls")
_SKIPPED_FOLDERS = frozenset(
    "node_modules build _build out output dist target venv env site-packages __pycache__ lake-packages _minted _site "
    "__MACOSX".split()
)
"""Folders of build outputs and of other people's code; names that begin with a dot are skipped, too."""

_PARTS = frozenset({"subfiles", "standalone"})
"""Classes of files that are parts of another document."""
_HEAD = 2_000
_ROOT = re.compile(
    rb"^%(?:\s*+!\s*+TEX\s++root\s*+=\s*+|[^\n]{0,20}TeX-master:\s*+(?=\"))\"?+([^\s\"][^\n\"]*+)",
    re.IGNORECASE | re.MULTILINE,
)
_DECLARE = either(tuple(sorted(DECLARING))).encode()
_TOKEN = re.compile(
    rb"%[^\n]*+|\\(?:"
    rb"begin\s*+\{\s*+(?P<begin>[^{}\n]{1,60}+)\}"
    rb"|end\s*+\{(?P<end>document)\}"
    rb"|document(?:class|style)(?![a-zA-Z])\s*+(?:\[[^\]\[]{0,2000}+\])?+\s*+\{(?P<class>[^{}\n]{0,100}+)"
    rb"|(?:sub)?+(?:import|inputfrom|includefrom)(?![a-zA-Z@])\*?+\s*+\{(?P<folder>[^{}\n]{0,300}+)\}\s*+\{(?P<imported>[^{}\n]{1,300}+)\}"
    rb"|(?:usepackage|RequirePackage)\s*+(?:\[[^\]\[\n]{0,500}+\]\s*+)?+\{(?P<package>[^{}\n]{1,300}+)\}"
    rb"|externaldocument\s*+(?:\[[^\]\[\n]{0,100}+\])?+\s*+\{(?P<external>[^{}\n]{1,300}+)\}"
    rb"|(?:" + _DECLARE + rb")\*?+\s*+(?:\[[^\]\[\n]{0,500}+\]\s*+)?+\{(?P<declared>[^{}\n]{1,200}+)\}"
    rb"|(?!include(?:graphics|only|pdf)|inputenc)[a-z]{0,3}?(?:[Ii]nput|[Ii]nclude|[Ii]mport|[Ss]ubfile)[a-zA-Z]{0,20}+"
    rb"(?!@)\*?+\s*+(?:\\expandafter\s*+|\[[^\]\[\n]{0,200}+\]\s*+)?+"
    rb"(?:\{(?P<input>[^{}\n]{1,300}+)\}|\"?+(?P<bare>[^\s{}%\"\[\]]{1,300}+))"
    rb"|[\\%])"
)
_TITLED = frozenset(name.encode() for name in TITLED)
_LONGEST_TITLE = 400
_MAX_HEAD = 20_000
_MAX_WITHOUT_SUFFIX = 200
_MAX_STYLES = 1_000
_MAX_BESIDE = 50
_DIFFERENCE = (b"%DIF PREAMBLE", b"\\providecommand{\\DIFadd}")
"""What latexdiff writes into the preamble."""
_MARK = 60
"""How many bytes at the beginning of an environment identify it."""
_IN_CODE = re.compile(rb"^\}|#\d")
"""What stands after the beginning of an environment in the definition of a macro."""
_MACRO = re.compile(r"(?:\\[a-zA-Z@]++(?:\s*+\{[^{}]*+\})?+|\\.|#\d)\s*+")
"""A macro in the name of a file."""
NUMBER = re.compile(r"(\d+)")
_MAX_PIECES = 4
MAX_PATTERNS = 300
"""How many names with macros are matched against the files of a project."""
_SETTLED = 2_000_000_000
"""Nanoseconds after which a file that is written again has another time."""
_MAX_SAME_NAME = 1_000
_MAX_VISITS = 1_000_000
"""How many files are visited in total to find what documents reach."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What decides about a file: whether it is a document, and what it contributes to one."""

    path: str
    """Relative to the folder that was searched."""
    size: int
    document_class: str | None = None
    has_document: bool = False
    """Whether the text of a document begins in it."""
    inputs: tuple[str, ...] = ()
    """Names of the files that it reads, as written."""
    packages: tuple[str, ...] = ()
    """Names of the style files that it uses."""
    externals: tuple[str, ...] = ()
    """Names of other documents whose labels it uses."""
    environments: Counter[str] | None = None
    declared: frozenset[str] = frozenset()
    """Environments that it declares as theorems."""
    marks: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Hashes of the first words in its environments, labels among them, by environment: copies share most of them."""
    root: str = ""
    """The main file that a comment ``% !TeX root = …`` or ``TeX-master: …`` names."""
    is_difference: bool = False
    """Whether latexdiff made it from two versions of a document."""
    made: frozenset[str] = frozenset()
    """Environments that begin in definitions of macros."""
    begins_with_input: bool = False
    """Whether its first command reads a file: if no class is named here, it is named there."""

    @property
    def is_main(self) -> bool:
        """Whether it is a document that is no part of another one."""
        return self.has_document and self.document_class not in _PARTS

    @property
    def has_preamble(self) -> bool:
        """Whether a preamble begins in it that is no part of another document."""
        return self.is_main or (self.document_class is not None and self.document_class not in _PARTS)

    def makes_statements(self, declared: frozenset[str]) -> bool:
        """Whether it defines macros in which statements begin, so that there may be more than are counted."""
        return any(name.rstrip("*") in declared or _is_statement(name) for name in self.made)

    def statement_names(self, declared: frozenset[str]) -> list[str]:
        """Its environments that are statements, if these environments are declared as theorems."""
        return [name for name in self.marks if name.rstrip("*") in declared or _is_statement(name)]

    def statements(self, declared: frozenset[str]) -> int:
        """How many statements it holds, if these environments are declared as theorems."""
        found = self.environments or Counter[str]()
        return sum(found[name] for name in self.statement_names(declared))


@lru_cache(maxsize=4_096)
def _is_statement(name: str) -> bool:
    sense = by_environment_name(name)
    return sense is not None and sense.role in ("theorem", "definition", "other")


_known: dict[Path, tuple[tuple[int, int], Outline]] = {}
"""Outlines that were made in this process, with the time and the size of the file: several steps need the same."""


def read_outline(path: Path, name: str) -> Outline:
    """The outline of one file, which is called `name`."""
    stamp = _stamp(path)
    known = _known.get(path)
    if stamp is None or known is None or known[0] != stamp:
        outline = outline_of(read_bytes(path) or b"", name)
        if stamp is None:
            return outline
        if len(_known) >= MAX_FILES:
            _known.clear()
        known = _known[path] = (stamp, outline)
    return known[1] if known[1].path == name else replace(known[1], path=name)


def _stamp(path: Path) -> tuple[int, int] | None:
    """The time and the size by which a file is known again; None if it may be changing, or has unsaved text."""
    try:
        about = path.stat()
    except OSError:
        return None
    is_settled = time.time_ns() - about.st_mtime_ns > _SETTLED and unsaved_bytes(path) is None
    return (about.st_mtime_ns, about.st_size) if is_settled else None


_COMMAND = re.compile(rb"^[^%\n\\]*+\\[a-zA-Z@]", re.MULTILINE)
"""A command that is not in a comment."""


def outline_of(data: bytes, name: str) -> Outline:
    """The outline of a file with these contents."""
    if b"\0" in data[:_HEAD]:
        data = (decode(data).text or "").encode()
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    """What stands in the groups of the pattern, in order and without repetition."""
    begins: Counter[bytes] = Counter()
    marks: defaultdict[bytes, set[int]] = defaultdict(set)
    made: set[str] = set()
    has_document = begins_with_input = False
    for match in _TOKEN.finditer(data):
        group = match.lastgroup
        if not found and group in ("bare", "input"):
            begins_with_input = not _COMMAND.search(data[: min(match.start(), _HEAD)])
        if group == "begin":
            begun = _titled(data, match) if match[group] in _TITLED else match[group]
            mark = b"".join(data[match.end() : match.end() + 2 * _MARK].split())[:_MARK]
            if _IN_CODE.search(mark):
                made.add(_text(begun))
            else:
                begins[begun] += 1
                marks[begun].add(crc32(mark))
            has_document = has_document or match[group] == b"document"
        elif group == "imported":
            found["input"][f"{_text(match['folder']).rstrip('/')}/{_text(match[group])}"] = None
        elif group == "end" and has_document:
            break
        elif group is not None:
            found["input" if group == "bare" else group][_text(match[group])] = None
    root = _ROOT.search(data[:_HEAD]) or _ROOT.search(data[-_HEAD:])
    return Outline(
        name,
        len(data),
        next(iter(found["class"]), None),
        has_document,
        tuple(found["input"]),
        tuple(part.strip() for names in found["package"] for part in names.split(",")),
        tuple(found["external"]),
        Counter({_text(begun): count for begun, count in begins.items()}),
        frozenset(part.strip() for names in found["declared"] for part in names.split(",")),
        {_text(begun): frozenset(hashes) for begun, hashes in marks.items()},
        _text(root[1]) if root else "",
        any(mark in data for mark in _DIFFERENCE),
        frozenset(made),
        begins_with_input,
    )


def _titled(data: bytes, match: re.Match[bytes]) -> bytes:
    """The kind of statement that a block or box is by its title; its own name if it is none."""
    text = data[match.end() : match.end() + _LONGEST_TITLE].decode("utf-8", "replace")
    found = statement_words(block_title(text, 0, _text(match["begin"]))[0], is_title=True)
    return found.sense.family.encode() if found else match["begin"]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").strip()


def read_outlines(folder: Path, max_entries: int = _MAX_ENTRIES) -> dict[str, Outline]:
    """The outlines of all LaTeX files in a folder and below, by path; links that lead outside are left out."""
    root = folder.resolve()
    found: dict[str, Outline] = {}
    total = 0
    for path in tex_files(folder, max_entries) or _without_suffix(folder):
        if path.is_symlink() and not lies_in(path, root):
            continue
        outline = read_outline(path, path.relative_to(folder).as_posix())
        total += outline.size
        if total > MAX_TOTAL_BYTES:
            raise SourceNotFound(f"{folder}: more than {MAX_TOTAL_BYTES >> 20} MB of .tex files; give the main file")
        found[outline.path] = outline
    return found


def _without_suffix(folder: Path) -> list[Path]:
    """The LaTeX documents of a folder whose names have no suffix, as sources of arXiv may."""
    files = (Path(one.path) for one in entries_of(folder)[:_MAX_WITHOUT_SUFFIX] if one.is_file(follow_symlinks=False))
    plain = (path for path in files if not path.suffix and not path.name.startswith("."))
    return sorted(path for path in plain if outline_of((read_bytes(path) or b"")[:_MAX_HEAD], "").document_class)


def style_declarations(folder: Path) -> frozenset[str]:
    """Environments that style files and classes of a folder declare as theorems."""
    root = folder.resolve()
    styles = (path for path in listed_files(folder, STYLES) if not path.is_symlink() or lies_in(path, root))
    return frozenset(name for path in islice(styles, _MAX_STYLES) for name in read_outline(path, "").declared)


def tex_files(folder: Path, max_entries: int = _MAX_ENTRIES) -> list[Path]:
    """The LaTeX files in a folder and below, in order."""
    found = sorted(listed_files(folder, TEX_SUFFIXES, max_entries))
    if len(found) > MAX_FILES:
        raise SourceNotFound(
            f"{folder}: {len(found):,} .tex files here, too many to find the main one among; give the main file"
        )
    return found


def listed_files(folder: Path, suffixes: tuple[str, ...], max_entries: int = _MAX_ENTRIES) -> Iterator[Path]:
    """Files with these suffixes, in a folder and below; links to folders are not followed."""
    error = SourceNotFound(f"{folder}: more than {max_entries:,} files here; give the main file")
    return files_below(folder, suffixes, _SKIPPED_FOLDERS, _MAX_LEVELS, most=(max_entries, error), links=True)


def shared_file(paths: Sequence[Path]) -> Path | None:
    """Of files of one name the only one; of several, the only one in a folder without documents: it is for all."""
    if len(paths) > 1:
        paths = [path for path in paths if not any(map(_has_document, islice(path.parent.glob("*.tex"), _MAX_BESIDE)))]
    return paths[0] if len(paths) == 1 else None


def _has_document(path: Path) -> bool:
    return read_outline(path, path.name).has_document


class FileGraph:
    """The files of a folder, and the files that each of them reads."""

    def __init__(self, outlines: Mapping[str, Outline], *, is_project: bool = True) -> None:
        """Bind the outlines of all files, by path.

        Args:
            outlines: The outlines.
            is_project: Whether the folder is a project, rather than a folder that may hold several. Of several, none
                reads the files of another unless it names their folder.
        """
        self.outlines, self._is_project = outlines, is_project
        self._names = NameIndex(outlines)
        self._inputs: dict[str, tuple[str, ...]] = {}
        self._reached: dict[str, tuple[str, ...]] = {}
        self._patterns: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        self._visits = 0

    def reached(self, path: str) -> tuple[str, ...]:
        """A file and all files that it reads, directly or through others."""
        if path not in self._reached:
            self._reached[path] = reachable(path, self._counted_inputs)
        return self._reached[path]

    def _counted_inputs(self, path: str) -> tuple[str, ...]:
        found = self.inputs(path) if self._visits < _MAX_VISITS else ()
        self._visits += len(found)
        return found

    def inputs(self, path: str) -> tuple[str, ...]:
        """The files that a file reads."""
        if path not in self._inputs:
            found = dict.fromkeys(file for name in self.outlines[path].inputs for file in self.find(name, path))
            self._inputs[path] = tuple(file for file in found if file != path)
        return self._inputs[path]

    def find(self, name: str, path: str) -> tuple[str, ...]:
        """The files that a name in a file may mean."""
        key = (name, posixpath.dirname(path))
        if key not in self._found:
            name = name.strip().strip('"')
            find = self._fitting if _MACRO.search(name) else self._named
            self._found[key] = find(name, key[1])
        return self._found[key]

    def _named(self, name: str, start: str) -> tuple[str, ...]:
        for folder in with_parents(start):
            for ending in ("", *TEX_SUFFIXES):
                found = posixpath.normpath(posixpath.join(folder, name + ending))
                if found in self.outlines:
                    return (found,)
        # Found on a search path: the nearest file of that name.
        near = self._near(self._names.ending_like(name, ("", *TEX_SUFFIXES)), start)
        return (max(near, key=lambda one: len(posixpath.commonprefix([one, start]))),) if near else ()

    def _near(self, paths: Sequence[str], start: str) -> tuple[str, ...]:
        """The files that may belong to the same project as the files in a folder."""
        if self._is_project or not start:
            return tuple(paths)
        return tuple(path for path in paths if path.partition("/")[0] == start.partition("/")[0])

    def _fitting(self, name: str, start: str) -> tuple[str, ...]:
        """The files, documents left out, whose paths fit a name with macros.

        A macro at the beginning may stand for any folder. A plain beginning is the name of a file or of a folder in
        the folder of the file that names it, or in one above.
        """
        if name not in self._patterns:
            parts = (path for path, one in self.outlines.items() if not one.has_document)
            self._patterns[name] = tuple(fitting_paths(name, parts)) if len(self._patterns) < MAX_PATTERNS else ()
        plain = _MACRO.split(name, maxsplit=1)[0]
        beginnings = tuple(posixpath.join(folder, plain) for folder in with_parents(start))
        is_anywhere = not plain or plain.startswith(".")
        found = self._near(self._patterns[name], start)
        return found if is_anywhere else tuple(path for path in found if path.startswith(beginnings))


def with_parents(folder: str) -> list[str]:
    """A folder and those above it, up to the one that was searched, which is empty."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts), -1, -1)]


class NameIndex:
    """Files by the ends of their paths, for names that are found by settings outside of the files."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Bind the paths."""
        self._paths: defaultdict[str, list[str]] = defaultdict(list)
        for path in paths:
            self._paths[path.rpartition("/")[2].casefold()].append(path)

    def ending_like(self, name: str, endings: Iterable[str]) -> list[str]:
        """The files whose paths end with a name, without its part that leads to other folders, and one of the endings.

        If there are none, upper and lower case are the same, as on some systems.
        """
        wanted = "/".join(part for part in name.split("/") if part not in ("", "..", "."))
        for end in (f"/{wanted}{ending}" for ending in endings):
            named = self._paths.get(end.rpartition("/")[2].casefold(), ())[:_MAX_SAME_NAME]
            near = [path for path in named if f"/{path}".casefold().endswith(end.casefold())]
            if found := [path for path in near if f"/{path}".endswith(end)] or near:
                return found
        return []


def fitting_paths(name: str, paths: Iterable[str], unknown: str = ".*") -> list[str]:
    """The paths that fit a name in which macros stand for something unknown; none if too little of it is known.

    Args:
        name: The name, as written.
        paths: Paths of files.
        unknown: A pattern for what a macro stands for.
    """
    pieces = [re.escape(piece.strip()) for piece in _MACRO.split(name.removesuffix(".tex"))]
    if len(pieces) > _MAX_PIECES or not any(map(str.isalpha, "".join(pieces))):
        return []
    pattern = re.compile(rf"(?:.*/)?{unknown.join(pieces)}\.(?:tex|ltx|latex)")
    # A macro for a folder stands before a slash, also where the folder is that of the project.
    return [path for path in paths if pattern.fullmatch(f"/{path}")]


def natural_order(path: str) -> list[str | int]:
    """A key that sorts numbers in names by their value."""
    return [int(part) if part.isdecimal() else part for part in NUMBER.split(path)]


def reachable(start: str, following: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Where one comes from a start, the start included, if each place leads to `following` ones."""
    found, pending = {start: None}, [start]
    while pending:
        for one in following(pending.pop()):
            if one not in found:
                found[one] = None
                pending.append(one)
    return tuple(found)
