"""Read one project into rows, within limits of size, memory and processor time; nothing that is wrong with it raises.

This runs in a worker process. A worker may be killed at any moment: it writes nothing but temporary files.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
import signal
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from types import FrameType
from typing import Any, Literal, NamedTuple, TypeAlias

import pyarrow as pa

from naturalproofs.apps.collections.papers import About, citations, stated
from naturalproofs.apps.collections.tables import CITATIONS, EDGES, MACROS, STATEMENTS, Row
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build, source_macros
from naturalproofs.corpus.store import is_corpus
from naturalproofs.errors import NaturalProofsError, NoStatements, SourceNotFound, UnsafeArchive, valid_text
from naturalproofs.io.archives import TarMember, is_archive, refuse_printed, unpack
from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.io.files import sha256_file, write_file
from naturalproofs.io.listing import TEX_SUFFIXES, files_below, name_of, path_of
from naturalproofs.io.memory import limited_memory
from naturalproofs.ranking.candidate_index import Entry
from naturalproofs.ranking.hybrid.candidates import extract_terms
from naturalproofs.ranking.hybrid.first_stage import pack
from naturalproofs.records import Statement, StatementId
from naturalproofs.sources.latex import Macro, Project
from naturalproofs.sources.registry import detect_source, source
from naturalproofs.tasks.protocols import passages
from naturalproofs.tokens import forget
from naturalproofs.workspace.search.documents import BREAK, FIELDS, PHRASE_FIELDS, Document, documents
from naturalproofs.workspace.search.index import statement_facets, statement_names

# Which projects a source holds: a project, an archive of one, a folder of them, or a bulk archive of archives.

ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar", ".zip", ".gz", ".xz", ".bz2")
SOURCES = (*TEX_SUFFIXES, ".ptx", ".qmd", ".rmd", ".Rmd")
"""Endings of files that make a folder one project."""
_PRINTED = (".pdf", ".ps")
_BULK_SAMPLE = 3
"""Entries of a tar file that show whether it is an archive of archives."""
_UNUSUAL = re.compile(r"[\x00-\x20\x7f:'\"\\\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class ProjectSource:
    """One project and where it is."""

    name: str
    """Its name in the collection; ids of its statements begin with it."""
    path: str
    """The whole name of a folder, a file or an archive."""
    start: int = 0
    """Where its bytes begin in a bulk archive."""
    size: int = 0
    """How many bytes it has in a bulk archive; zero if the path is the project itself."""
    entry: str = ""
    """Its name in a bulk archive."""
    former: str = ""
    """The name of a project that is no longer where it was, and that this is if it has the same content."""
    stamp: str = ""
    """See `project_stamp`."""
    about: About | None = None
    """What is known of it from elsewhere."""

    @property
    def place(self) -> str:
        """What it is known by when it is read again."""
        return f"{self.path}/{self.entry}" if self.entry else self.path


def find_projects(sources: Iterable[Path]) -> Iterator[ProjectSource]:
    """All projects of some sources, each once, sorted by their paths in each source.

    A folder is one project if a source file stands in it, or if it is a corpus. Any other folder that is given, and any
    folder below it that holds archives, is searched: each of its folders and archives is a project.
    """
    given: set[str] = set()
    for path in sources:
        if not path.exists():
            raise SourceNotFound(f"{path}: no such file or folder; give projects, archives, or folders of them")
        for found in _projects(path.resolve(), "", top=True):
            if found.place not in given:
                given.add(found.place)
                yield found


def named(projects: Iterable[ProjectSource], known: Mapping[str, str]) -> Iterator[ProjectSource]:
    """Projects with names that no other project has.

    A project that is in the collection keeps its name. A new one gets the shortest free name: that of its folder, with
    folders above it, with a number.

    Args:
        projects: Projects with the names of their folders.
        known: Where each project of the collection is, by its name.
    """
    names = {place: name for name, place in known.items()}
    taken = dict(known)
    for one in projects:
        if one.place in names:
            yield replace(one, name=names[one.place])
            continue
        name = one.name
        gone = taken.get(name) == known.get(name, "") and not _is_there(known[name])
        free = next(each for each in _longer_names(one) if each not in taken)
        yield replace(one, name=free, former=name if gone else "")
        taken[free] = one.place
        if gone:
            taken[name] = one.place


def _longer_names(project: ProjectSource) -> Iterator[str]:
    above = project.place.strip("/").split("/")[: -1 - project.name.count("/")]
    name = project.name
    yield name
    for folder in reversed(above):
        name = f"{_clean(_without_suffix(folder))}/{name}"
        yield name
    yield from (f"{project.name}-{number}" for number in count(2))


def _is_there(place: str) -> bool:
    path = path_of(place)
    return path.exists() or any(one.is_file() for one in path.parents)


def _projects(path: Path, above: str, *, top: bool = False) -> Iterator[ProjectSource]:
    name = above + _clean(_without_suffix(path.name))
    if not path.is_dir():
        yield from _bulk(path, name) if path.name.endswith(".tar") else [ProjectSource(name, name_of(path))]
        return
    with os.scandir(path) as entries:
        inside = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)
    files = [entry.name for entry in inside if entry.is_file()]
    archives = any(file.endswith(ARCHIVES) for file in files)
    if is_corpus(path) or any(file.endswith(SOURCES) for file in files) or not (top or archives):
        yield ProjectSource(name, name_of(path))
        return
    for entry in inside:
        if not entry.is_symlink() and (entry.is_dir() or entry.name.endswith(ARCHIVES)):
            yield from _projects(Path(entry.path), "" if top else f"{name}/")


def _bulk(archive: Path, name: str) -> Iterator[ProjectSource]:
    """The entries of a tar file of archives, as arXiv ships its papers; any other tar file is one project."""
    try:
        with tarfile.open(archive, "r:", tarinfo=TarMember) as tar:
            first = list(islice((member.name for member in tar if member.isreg()), _BULK_SAMPLE))
            if first and all(one.endswith((*ARCHIVES, *_PRINTED)) for one in first):
                for member in tar:
                    if member.isreg() and member.name.endswith(ARCHIVES):
                        inner = _clean(_without_suffix(Path(member.name).name))
                        entry = name_of(member.name)
                        yield ProjectSource(inner, name_of(archive), member.offset_data, member.size, entry)
                return
    except (tarfile.TarError, OSError, EOFError, OverflowError):
        pass  # The reader says what is wrong with it.
    yield ProjectSource(name, name_of(archive))


def _without_suffix(name: str) -> str:
    """The name of an archive without its endings."""
    for suffix in ARCHIVES:
        if name.endswith(suffix) and name != suffix:
            return name[: -len(suffix)]
    return name


def _clean(name: str) -> str:
    """A name without characters that mean something in ids, filters or a terminal."""
    return _UNUSUAL.sub("-", name) or "project"


READ = (*TEX_SUFFIXES, ".sty", ".cls", ".bib", ".bbl", ".ptx", ".xml", ".md", ".qmd", ".Rmd", ".rmd", ".yml", ".yaml",
        ".toml", ".json", ".jsonl")  # fmt: skip
"""Endings of the files that a project's hash depends on."""
_PREFIX = "naturalproofs-"
_MESSAGE = 2_000
"""Characters of a message that are read."""
_SCRATCH = re.compile(rf"[^\s:]*/{_PREFIX}\w+(?:/project|/entry\S*)?")
"""Paths of temporary files, for which messages name the project."""

Status: TypeAlias = Literal["read", "unchanged", "empty", "failed"]
"""``empty``: nothing in it was recognised as a statement. ``failed``: it could not be read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one project may use."""

    bytes: int = 1 << 30
    """Of its files, unpacked."""
    seconds: float = 300.0
    """Of processor time."""
    memory: int = 3 << 30
    """Bytes beyond what the worker process holds before it begins."""


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A project to read, with its hash when it was read the last time."""

    source: ProjectSource
    known: str = ""
    limits: Limits = field(default_factory=Limits)


class Rows(NamedTuple):
    """The rows of a project, by the names of the tables."""

    statements: pa.Table
    edges: pa.Table
    citations: pa.Table
    macros: pa.Table


NO_ROWS = Rows(*(schema.empty_table() for schema in (STATEMENTS, EDGES, CITATIONS, MACROS)))


@dataclass(frozen=True, slots=True)
class ReadProject:
    """What became of one project."""

    source: ProjectSource
    status: Status
    hash: str = ""
    message: str = ""
    """Why it was not read."""
    seconds: float = 0.0
    """Of processor time."""
    about: About = field(default_factory=About)
    rows: Any = field(default=NO_ROWS, repr=False)
    """`Rows`, or what stands for them on a cluster."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """The number of rows for each table."""


class TimeUsedUp(BaseException):
    """The processor time of a project is used up; not an `Exception`, so that no reader catches it."""


def read_in_worker(task: ReadTask) -> ReadProject:
    """Read a project in a process that reads many."""
    if not gc.get_freeze_count():
        # `collector_paused` then leaves the objects of a build to the young generations, which are scanned often:
        # a worker keeps nothing of a project, and should not wait until there is much to free.
        gc.freeze()
    return read_project(task)


def read_project(task: ReadTask) -> ReadProject:
    """Read a project."""
    project, began = task.source, time.process_time()
    digest = ""

    def problem(status: Status, message: str) -> ReadProject:
        shown = " ".join(_SCRATCH.sub(lambda _: project.path, valid_text(message[:_MESSAGE])).split())[:300]
        return ReadProject(project, status, digest, shown, time.process_time() - began)

    try:
        with limited(project.name, task.limits), tempfile.TemporaryDirectory(prefix=_PREFIX) as scratch:
            path = _file(project, Path(scratch), task.limits)
            digest = project_hash(path, project.about)
            if digest == task.known:
                return ReadProject(replace(project, name=project.former or project.name), "unchanged", digest)
            corpus = _load(project.name, path, Path(scratch), task.limits)
            about = stated(corpus, project.name, project.about)
            macros = source_macros(corpus)
            statements, edges = rows(project.name, corpus, macros, about)
            cited = citations(project.name, corpus)
            defined = {"project": project.name, "definitions": "\n".join(map(Macro.definition, macros.values()))}
            definitions = pa.Table.from_pylist([defined] if macros else [], MACROS)
    except NoStatements as error:
        return problem("empty", str(error))
    except TimeUsedUp:
        return problem("failed", f"takes more than {task.limits.seconds:g} seconds of processor time")
    except NaturalProofsError as error:
        return problem("failed", str(error))
    except Exception as error:
        # One bad project never stops the others, whatever is wrong with it.
        return problem("failed", f"{type(error).__name__}: {error}")
    finally:
        forget()
    spent = time.process_time() - began
    found = Rows(statements, edges, cited, definitions)
    sizes = {name: len(table) for name, table in found._asdict().items()}
    return ReadProject(project, "read", digest, "", spent, about, found, sizes)


@contextmanager
def limited(what: str, limits: Limits) -> Iterator[None]:
    """Limit the memory and the processor time of what runs inside; only in the main thread of a process."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUsedUp

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    try:
        with limited_memory(what, limits.memory):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _file(project: ProjectSource, scratch: Path, limits: Limits) -> Path:
    """The path of a project; an entry of a bulk archive is copied out of it first."""
    if not project.size:
        return path_of(project.path)
    if project.size > limits.bytes:
        raise UnsafeArchive(f"{project.name}: has {project.size:,} bytes, more than are allowed")
    with path_of(project.path).open("rb") as stream:
        stream.seek(project.start)
        entry = scratch / f"entry{Path(project.entry).suffix}"
        write_file(entry, stream.read(project.size))
    return entry


def project_hash(path: Path, about: About | None = None) -> str:
    """The hash of a project's files, of what else is known of it, and of the version of the reader."""
    return _digest(path, about, sha256_file)


def project_stamp(project: ProjectSource) -> str:
    """What shows, without reading them, that a project's files have not changed: their names, sizes and times."""
    return _digest(path_of(project.path), project.about, _times)


def _digest(path: Path, about: About | None, of: Callable[[Path], str]) -> str:
    digest = hashlib.sha256(f"{CACHE_VERSION}{about or ''}".encode())
    for file in files_below(path, READ) if path.is_dir() else [path]:
        digest.update(f"\0{name_of(file.relative_to(path))}\0{of(file)}".encode())
    return digest.hexdigest()


def _times(file: Path) -> str:
    with suppress(OSError):
        found = file.stat()
        return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"
    return ""


def _load(name: str, path: Path, scratch: Path, limits: Limits) -> Corpus:
    if path.is_dir() and store.is_corpus(path):
        return store.load(path)
    if path.is_file():
        refuse_printed(path)
        if is_archive(path):
            folder = scratch / "project"
            unpack(path, folder, largest=limits.bytes)
            only = next(folder.iterdir(), None)
            if only is not None and only.is_file():
                refuse_printed(only, path)
            path = folder
    reader = source(detect_source(path))
    # A project of a collection does not depend on what lies beside it.
    return build(replace(reader, up=0) if isinstance(reader, Project) else reader, path, name=name)


def rows(
    project: str, corpus: Corpus, macros: Mapping[str, Macro], about: About | None = None
) -> tuple[pa.Table, pa.Table]:
    """The statements and the edges of a corpus as rows; macros are the author's."""
    about = about or About(licence=corpus.provenance.licence)
    statements: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    prefix = f"{corpus.name}:"

    def key(reference: StatementId) -> str:
        return f"{project}:{reference.removeprefix(prefix)}"

    for passage, one, document in zip(
        passages(corpus.statements, place=True), corpus.statements, documents(corpus, macros), strict=True
    ):
        proved = [[key(cited) for cited in proof.references] for proof in one.proofs]
        stored = replace(passage, id=key(one.id), cites=tuple(key(cited) for cited in one.references))
        cited = tuple(dict.fromkeys(cited for proof in proved for cited in proof))
        entry = Entry(stored, project, about.licence, cited)
        statements.append(entry_row(entry, replace(one, id=key(one.id)), document, about))
        for number, cited in enumerate([statements[-1]["references"], *proved], start=-1):
            edges.extend(
                {"project": project, "citing": key(one.id), "cited": each, "proof": number, "rank": rank}
                for rank, each in enumerate(cited)
            )
    return pa.Table.from_pylist(statements, STATEMENTS), pa.Table.from_pylist(edges, EDGES)


_WITHIN = ("chapter", "category")


def entry_row(entry: Entry, statement: Statement, document: Document, about: About | None = None) -> dict[str, Any]:
    """The row of a statement.

    Args:
        entry: What the first stage of suggestions has of it.
        statement: The statement.
        document: What search has of it.
        about: The work.
    """
    passage, place, origin = entry.passage, entry.passage.place, statement.origin
    terms = extract_terms(passage.title, passage.text)
    tokens = " ".join(terms["tokens"])
    placed = {name: getattr(place, name) for name in ("document", "chapter", "section", "position")} if place else {}
    row = Row(
        passage.id, entry.project, passage.kind, passage.form, passage.labelled, passage.title, passage.text,
        entry.licence, list(passage.cites), list(entry.cited), fingerprint(tokens), pack(terms), **placed,
        label=statement.label, number=statement.number, title=statement.title, proofs=len(statement.proofs),
        file=origin.path if origin else None, line=origin.line if origin else None, tag=statement.tag,
        categories=list(statement.categories), notes=[(one.kind, list(one.lines)) for one in statement.notes],
        used=document.used, grams=len(document.grams), searched=list(document.fields),
    )  # fmt: skip
    facets = statement_facets(statement)
    keys = {*statement_names(statement), *(facet for facet in facets if facet[0] == "kind")}
    return row.columns() | {
        "tokens": tokens,
        "names": " ".join(terms["title"]),
        "search_keys": sorted({f"{field}:{name}" for field, name in keys} | (about or About()).facets()),
        **{f"search_{one}": "\n".join(name for facet, name in sorted(facets) if facet == one) for one in _WITHIN},
        "search_formulas": " ".join(f"{gram:x}" for gram in document.grams),
        **searched_columns(document.fields),
    }


def searched_columns(fields: Sequence[str]) -> dict[str, str]:
    """What is indexed of the tokens of each field: what a reader sees, and each term as often as it weighs in all."""
    seen = [tokens for name, tokens in zip(FIELDS, fields, strict=True) if name in PHRASE_FIELDS]
    pairs = zip(FIELDS.values(), fields, strict=True)
    words = (term for (weight, _), tokens in pairs for term in tokens.split() * round(2 * weight) if term != BREAK)
    return {"search_seen": f" {BREAK} ".join(seen), "search_words": " ".join(sorted(words))}


def fingerprint(tokens: str) -> int:
    """A hash that is equal for texts that differ in layout and stop words only."""
    digest = blake2b(tokens.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
