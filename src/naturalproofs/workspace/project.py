"""A project read through its cache: only LaTeX documents that changed are parsed; other formats are read whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.load import (
    LoadedCorpus,
    build,
    listed_files,
    macro_text,
    project_name,
    source_encoding,
    source_files,
)
from naturalproofs.corpus.resolve import Resolution, Unresolved
from naturalproofs.io.memory import Recomputed, collector_paused
from naturalproofs.io.names import name_of
from naturalproofs.io.unsaved import any_unsaved
from naturalproofs.latex.display import Macro, macros_of
from naturalproofs.latex.project.cache import CachedDocument
from naturalproofs.latex.project.choice import shown_folder
from naturalproofs.latex.project.project import LATEX
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Anchor, Diagnostic, InputFile, Statement
from naturalproofs.source import source
from naturalproofs.workspace.cache import KEY, Cache, decode, encode
from naturalproofs.workspace.document_macros import different
from naturalproofs.workspace.formats import format_of
from naturalproofs.workspace.snapshot import Changes, Snapshot, compare, take_snapshot

COMMON = ""
"""Stands for the macros of all documents together."""
DOCUMENT = "\\begin{document}"
"""Stands before the main file of a document that has macros of its own."""


@dataclass(frozen=True, slots=True)
class ProjectManifest:
    """The manifest of a project's cache."""

    key: str
    snapshot: Snapshot
    documents: dict[str, str]
    """Objects with the parsed documents, by main file."""
    corpus: str
    """The object with the corpus."""
    statements: str = ""
    """The object with the statements of a large corpus."""
    unresolved: str = ""
    """The object with its mentions that are not references."""


@dataclass(frozen=True, slots=True)
class CachedCorpus:
    """A corpus as it was built."""

    name: str
    provenance: Provenance
    resolution: Resolution | None
    statements: tuple[Statement, ...]
    """Empty if they are in an object of their own."""
    inputs: tuple[InputFile, ...]
    anchors: dict[str, Anchor]
    unresolved: tuple[Unresolved, ...]
    """Empty if they are in an object of their own."""
    diagnostics: tuple[Diagnostic, ...]
    macros: dict[str, dict[str, Macro]]
    """The macros for display, by the file that defines them."""
    summary: str = ""
    """Which documents were read, and what others there are."""
    definitions: str = ""
    """LaTeX that defines the macros of the documents, for corpora made from this one."""


@dataclass(frozen=True, slots=True)
class Work:
    """What opening a project took."""

    documents: int = 0
    read: tuple[str, ...] = ()
    """The documents that were parsed."""
    changes: Changes = field(default_factory=Changes)
    fresh: bool = False
    """Whether there was no cache to start from."""
    cached: bool = True
    """Whether the cache is up to date now."""


@dataclass(frozen=True, slots=True)
class ProjectState:
    """A project as it was read at one moment."""

    opened: LoadedCorpus
    macros: dict[str, dict[str, Macro]]
    work: Work
    snapshot: Snapshot
    documents: dict[str, bytes] = field(default_factory=dict, repr=False)
    """Parsed documents that are in no cache: those with unsaved text."""
    fingerprint: str = ""
    """The hash of the cached corpus; empty if it is not cached."""


class _Documents:
    """Gives the reader the documents that were parsed before, and collects those that are parsed now."""

    def __init__(self, cache: Cache | None, names: Mapping[str, str], memory: Mapping[str, bytes]) -> None:
        self.cache, self.names, self.memory = cache, names, memory
        self.used: dict[str, CachedDocument] = {}
        """What they were read from; their contents are not held."""
        self.parsed: dict[str, bytes] = {}

    def get(self, main: str) -> CachedDocument | None:
        if main in self.memory:
            found = decode(self.memory[main], CachedDocument)
        else:
            found = self.cache.get(self.names.get(main, ""), CachedDocument) if self.cache else None
        if found is not None:
            self.used[main] = _without_contents(found)
        return found

    def put(self, document: CachedDocument) -> None:
        self.used[document.main] = _without_contents(document)
        # Encoded at once: resolving labels changes the parsed statements.
        self.parsed[document.main] = encode(document)


def _without_contents(document: CachedDocument) -> CachedDocument:
    return replace(document, statements=(), orphans=(), anchors=(), diagnostics=())


def cached_state(path: Path, cache: Cache) -> tuple[ProjectManifest, Changes] | None:
    """The manifest of a project's cache and what changed since; None when there is no usable cache."""
    manifest = load_manifest(cache)
    return None if manifest is None else (manifest, compare(path, manifest.snapshot))


def load_manifest(cache: Cache) -> ProjectManifest | None:
    """The manifest of a project's cache, if this version made it."""
    manifest = cache.manifest(ProjectManifest)
    return manifest if manifest is not None and manifest.key == KEY else None


def read_project(
    path: Path,
    cache: Cache | None = None,
    progress: Progress = silent,
    *,
    before: ProjectState | None = None,
    kind: str = "latex",
) -> ProjectState:
    """Read a project, including the unsaved texts of the current context.

    Args:
        path: The folder or the main file.
        cache: Where parsed documents and the corpus are stored; without unsaved texts it is brought up to date.
        progress: Called with the number of documents read.
        before: The state of the same project before an edit; returned as it is when nothing has changed.
        kind: The name of the source: latex, pretext or markdown.
    """
    with collector_paused():
        if before is not None and not (changes := compare(path, before.snapshot)):
            return before
        manifest = load_manifest(cache) if cache is not None else None
        manifest = manifest if manifest is not None and manifest.snapshot.source == kind else None
        changes = compare(path, manifest.snapshot) if manifest is not None else Changes()
        old = cache.get(manifest.corpus, CachedCorpus) if cache is not None and manifest is not None else None
        if cache is not None and manifest is not None and old is not None and not changes:
            statements = old.statements or cache.get_lines(manifest.statements, Statement)
            unresolved = cache.get_lines(manifest.unresolved, Unresolved) if manifest.unresolved else old.unresolved
            if statements and unresolved is not None:
                return _unchanged(path, manifest, old, statements, unresolved)
        return _read(path, cache, manifest, changes, before, progress, kind)


def _unchanged(
    path: Path,
    manifest: ProjectManifest,
    old: CachedCorpus,
    statements: Sequence[Statement],
    unresolved: Sequence[Unresolved],
) -> ProjectState:
    corpus = Corpus(old.name, statements, old.provenance, old.resolution, old.inputs)
    root = shown_folder(path, manifest.snapshot.root_of(path))
    opened = LoadedCorpus(
        corpus, unresolved, old.diagnostics, old.anchors, root, summary=old.summary, macros=old.definitions
    )
    return ProjectState(opened, old.macros, Work(len(manifest.documents)), manifest.snapshot, {}, manifest.corpus)


def _read(
    path: Path,
    cache: Cache | None,
    manifest: ProjectManifest | None,
    changes: Changes,
    before: ProjectState | None,
    progress: Progress,
    kind: str,
) -> ProjectState:
    names = manifest.documents if manifest is not None else {}
    memory = before.documents if before is not None else {}
    documents = _Documents(cache, names, memory)
    reader = replace(LATEX, cache=documents) if kind == "latex" else source(kind)
    opened = build(reader, path, name=project_name(path), progress=progress)
    used = [documents.used[main] for main in sorted(documents.used, key=Path)]
    macros = _macros(opened, used)
    snapshot = take_snapshot(path, opened.root or path, used, opened.corpus.inputs, kind)
    work = Work(len(used), tuple(documents.parsed), changes, manifest is None, cached=False)
    state = ProjectState(opened, macros, work, snapshot, {**memory, **documents.parsed})
    stored = _write(cache, state, documents, names) if cache is not None and not any_unsaved() else ""
    if not stored:
        return state
    return replace(state, work=replace(work, cached=True), documents={}, fingerprint=stored)


def _write(cache: Cache, state: ProjectState, documents: _Documents, names: Mapping[str, str]) -> str:
    """Bring the cache up to date, the manifest last; returns the hash of the corpus, or nothing if that failed."""
    opened, corpus = state.opened, state.opened.corpus
    in_memory = isinstance(corpus.statements, tuple)
    record = CachedCorpus(
        corpus.name,
        corpus.provenance,
        corpus.resolution,
        tuple(corpus.statements) if in_memory else (),
        corpus.inputs,
        opened.anchors or {},
        tuple(opened.unresolved) if in_memory else (),
        opened.diagnostics,
        state.macros,
        opened.summary,
        opened.macros,
    )
    try:
        objects = {
            main: names[main] if main in names and main not in state.documents else cache.put(state.documents[main])
            for main in documents.used
        }
        large = ("", "") if in_memory else (cache.put_lines(corpus.statements), cache.put_lines(opened.unresolved))
        stored = cache.put(encode(record))
        manifest = ProjectManifest(KEY, state.snapshot, objects, stored, *large)
        cache.commit(manifest, {*objects.values(), stored, *large})
    except OSError:
        return ""
    return stored


def _macros(opened: LoadedCorpus, documents: Sequence[CachedDocument]) -> dict[str, dict[str, Macro]]:
    """The macros of a project: as its documents define them, then as the files beside them do.

    Where documents differ, those of each one are there, too, under the name of its main file.
    """
    own = {document.main: {macro.name: macro for macro in document.macros} for document in documents}
    common = {name: macro for macros in reversed(own.values()) for name, macro in macros.items()}
    files = {name_of(file.relative_to(opened.root or file.parent)): file for file in source_files(opened)}
    listed, encoding = frozenset(listed_files(opened)), source_encoding(opened)
    beside = {name: file for name, file in files.items() if not own or file not in listed}
    texts = Recomputed(lambda one: _text(one[0], macro_text(one[1], listed, encoding)), beside.items())
    found = {COMMON: {**macros_of(texts), **common}}
    return found | {DOCUMENT + main: macros for main, macros in different(own).items()}


def _text(name: str, text: str) -> str:
    """The text of a file as far as it may define macros."""
    own = format_of(name)
    return own.macros(text) if own is not None else text
