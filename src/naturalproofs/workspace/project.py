"""A project read through its cache: only LaTeX documents that changed are parsed; other formats are read whole."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from naturalproofs.corpus.corpus import Corpus, Unresolved
from naturalproofs.corpus.load import (
    build,
    listed_files,
    macro_text,
    project_name,
    source_encoding,
    source_files,
)
from naturalproofs.io.files import any_unsaved, sha256_bytes, unsaved_bytes
from naturalproofs.io.listing import name_of, path_of, resolved, shown_folder
from naturalproofs.io.memory import Recomputed, collector_paused
from naturalproofs.progress import Progress, silent
from naturalproofs.records import InputFile, Statement
from naturalproofs.sources.latex import LATEX, CachedDocument, Macro, Tree, macros_of, tex_files
from naturalproofs.sources.reading.project_folder import CachedLookup
from naturalproofs.sources.reading.settings import FILE
from naturalproofs.sources.registry import detect_source, source
from naturalproofs.workspace.document_macros import different
from naturalproofs.workspace.formats import format_named, format_of
from naturalproofs.workspace.object_cache import KEY, Cache, decode, encode

# What a project looked like when it was read, and what has changed since: the one way to detect changes.

_RACY = 2_000_000_000
"""Nanoseconds. A file that was written so shortly before the snapshot may have been written again unnoticed."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file by content, and the modification time and size by which an unchanged file is recognised."""

    sha256: str
    """Empty for a file that cannot be read."""
    modified: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a project; equal states are read to equal corpora."""

    files: dict[str, FileState]
    """All files that were read, or examined to find the main one."""
    listed: tuple[str, ...]
    """The files of the folder that may belong to the project, if the main one had to be found."""
    settings: str
    """The hash of ``naturalproofs.toml``."""
    root: str
    """The folder that paths are relative to, itself relative to the folder that was opened."""
    lookups: tuple[CachedLookup, ...]
    """Names that were looked up in the folders of the project, and what was found."""
    mains: dict[str, tuple[str, ...]]
    """Main files, and the files of each document."""
    numbers: str
    """The hash of the numbers in ``.aux`` files."""
    taken: int
    source: str = "latex"
    """The name of the source."""

    def root_of(self, path: Path) -> Path:
        """The folder that paths are relative to, for the folder or main file that was opened."""
        return Path(os.path.normpath(_folder(path) / path_of(self.root)))


@dataclass(frozen=True, slots=True)
class Changes:
    """How a project differs from a snapshot."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    other: bool = False
    """Settings, numbers, or the file that a name leads to."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed or self.other)


def take_snapshot(
    path: Path, root: Path, documents: Sequence[CachedDocument], inputs: Iterable[InputFile], source: str
) -> Snapshot:
    """The state of a project that was just read; a file that changed meanwhile counts as it was read.

    Args:
        path: The folder or the main file.
        root: The folder that paths are relative to.
        documents: What was read.
        inputs: The files that were read.
        source: The name of the source.
    """
    taken = time.time_ns()
    tree = Tree(root, [])
    listed = _listed(path, tree, source)
    hashes = {file.path: file.sha256 for document in documents for file in document.files}
    hashes |= {file.path: file.sha256 for file in inputs}
    hashes |= {name: tree.digest(tree.path(name)) for name in listed if name not in hashes}
    files = {name: FileState(digest, *_stamp(tree.path(name))) for name, digest in hashes.items()}
    mains = {document.main: tuple(file.path for file in document.files) for document in documents}
    lookups = dict.fromkeys(lookup for document in documents for lookup in document.lookups)
    root_inside = name_of(os.path.relpath(tree.root, _folder(path)))
    numbers = _numbers(tree, mains)
    return Snapshot(files, listed, _settings(path, tree), root_inside, tuple(lookups), mains, numbers, taken, source)


def compare(path: Path, old: Snapshot) -> Changes:
    """What changed since a snapshot was taken."""
    tree = Tree(old.root_of(path), [])
    listed = _listed(path, tree, old.source)
    changed: list[str] = []
    removed: list[str] = []
    for name, state in old.files.items():
        file = tree.path(name)
        if 0 < state.modified < old.taken - _RACY and _stamp(file) == (state.modified, state.size) and state.sha256:
            continue
        now = tree.digest(file)
        if now != state.sha256:
            (changed if now else removed).append(name)
    other = (
        _settings(path, tree) != old.settings
        or any(tree.look_up(lookup) != lookup.found for lookup in old.lookups)
        or _numbers(tree, old.mains) != old.numbers
    )
    added = tuple(name for name in listed if name not in old.files)
    return Changes(tuple(changed), added, tuple(removed), other or set(listed) != set(old.listed))


def _folder(path: Path) -> Path:
    path = path.resolve()
    return path if path.is_dir() else path.parent


def _settings(path: Path, tree: Tree) -> str:
    folder = _folder(path)
    found = tree.digest(folder / FILE)
    return sha256_bytes(found.encode()) if found else ""


def _stamp(file: Path) -> tuple[int, int]:
    """Modification time and size; zeros for what is not read from disk."""
    try:
        about = file.stat()
    except OSError:
        return 0, 0
    return (about.st_mtime_ns, about.st_size) if unsaved_bytes(file) is None else (0, 0)


def _listed(path: Path, tree: Tree, source: str) -> tuple[str, ...]:
    if not path.is_dir():
        return ()
    own = format_named(source)
    listing = own.files if own is not None else tex_files
    # Only a link can lead outside: the folder is resolved, and linked folders are not entered.
    found = (resolved(file) if file.is_symlink() else file for file in listing(path.resolve()))
    return tuple(tree.name(file) for file in found if file.is_relative_to(tree.root))


def _numbers(tree: Tree, mains: dict[str, tuple[str, ...]]) -> str:
    found = [sorted(tree.printed_numbers(tree.path(main), files).items()) for main, files in mains.items()]
    return sha256_bytes(repr(found).encode("utf-8", "replace")) if any(found) else ""


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


class _Cached(NamedTuple):
    """What is cached of a project: its corpus without the root, and the macros of its documents."""

    corpus: Corpus
    """Without statements and unresolved mentions if these are in objects of their own."""
    macros: dict[str, dict[str, Macro]]


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
class Reading:
    """How a project was read at one moment: what from, and what that took."""

    macros: dict[str, dict[str, Macro]]
    """The macros for display: under an empty name those of all files, then those of documents that differ."""
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
    return replace(document, statements=(), orphans=(), anchors=(), diagnostics=(), parts=())


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
    parsed: Mapping[str, bytes] | None = None,
    kind: str = "latex",
) -> tuple[Corpus, Reading]:
    """Read a project, including the unsaved texts of the current context.

    Args:
        path: The folder or the main file.
        cache: Where parsed documents and the corpus are stored; without unsaved texts it is brought up to date.
        progress: Called with the number of documents read.
        parsed: Documents that were parsed before an edit and are in no cache.
        kind: The name of the source: latex, pretext or markdown.
    """
    with collector_paused():
        manifest = load_manifest(cache) if cache is not None else None
        manifest = manifest if manifest is not None and manifest.snapshot.source == kind else None
        changes = compare(path, manifest.snapshot) if manifest is not None else Changes()
        if cache is not None and manifest is not None and not changes:
            known = _unchanged(path, cache, manifest)
            if known is not None:
                return known
        return _read(path, cache, manifest, changes, parsed or {}, progress, kind)


def _unchanged(path: Path, cache: Cache, manifest: ProjectManifest) -> tuple[Corpus, Reading] | None:
    """The project as it is in the cache; None if an object is missing or damaged."""
    found = cache.get(manifest.corpus, _Cached)
    if found is None:
        return None
    old = found.corpus
    statements = tuple(old.statements) or cache.get_lines(manifest.statements, Statement)
    unresolved = cache.get_lines(manifest.unresolved, Unresolved) if manifest.unresolved else tuple(old.unresolved)
    if not statements or unresolved is None:
        return None
    root = shown_folder(path, manifest.snapshot.root_of(path))
    corpus = replace(old, statements=statements, unresolved=unresolved, root=root)
    return corpus, Reading(found.macros, Work(len(manifest.documents)), manifest.snapshot, {}, manifest.corpus)


def _read(
    path: Path,
    cache: Cache | None,
    manifest: ProjectManifest | None,
    changes: Changes,
    parsed: Mapping[str, bytes],
    progress: Progress,
    kind: str,
) -> tuple[Corpus, Reading]:
    names = manifest.documents if manifest is not None else {}
    documents = _Documents(cache, names, parsed)
    reader = replace(LATEX, cache=documents) if kind == "latex" else source(kind)
    name = project_name(path) if not path.is_dir() or kind == detect_source(path) else f"{project_name(path)}-{kind}"
    corpus = build(reader, path, name=name, progress=progress)
    used = [documents.used[main] for main in sorted(documents.used, key=Path)]
    macros = _macros(corpus, used)
    snapshot = take_snapshot(path, corpus.root or path, used, corpus.inputs, kind)
    work = Work(len(used), tuple(documents.parsed), changes, manifest is None, cached=False)
    reading = Reading(macros, work, snapshot, {**parsed, **documents.parsed})
    stored = _write(cache, corpus, reading, documents, names) if cache is not None and not any_unsaved() else ""
    if stored:
        reading = replace(reading, work=replace(work, cached=True), documents={}, fingerprint=stored)
    return corpus, reading


def _write(cache: Cache, corpus: Corpus, reading: Reading, documents: _Documents, names: Mapping[str, str]) -> str:
    """Bring the cache up to date, the manifest last; returns the hash of the corpus, or nothing if that failed."""
    in_memory = isinstance(corpus.statements, tuple)
    record = replace(corpus, root=None) if in_memory else replace(corpus, root=None, statements=(), unresolved=())
    parsed = reading.documents
    try:
        objects = {
            main: names[main] if main in names and main not in parsed else cache.put(parsed[main])
            for main in documents.used
        }
        large = ("", "") if in_memory else (cache.put_lines(corpus.statements), cache.put_lines(corpus.unresolved))
        stored = cache.put(encode(_Cached(record, reading.macros)))
        manifest = ProjectManifest(KEY, reading.snapshot, objects, stored, *large)
        cache.commit(manifest, {*objects.values(), stored, *large})
    except OSError:
        return ""
    return stored


def _macros(corpus: Corpus, documents: Sequence[CachedDocument]) -> dict[str, dict[str, Macro]]:
    """The macros of a project: as its documents define them, then as the files beside them do.

    Where documents differ, those of each one are there, too, by its main file.
    """
    own = {document.main: {macro.name: macro for macro in document.macros} for document in documents}
    common = {name: macro for macros in reversed(own.values()) for name, macro in macros.items()}
    files = {name_of(file.relative_to(corpus.root or file.parent)): file for file in source_files(corpus)}
    listed, encoding = frozenset(listed_files(corpus)), source_encoding(corpus)
    beside = {name: file for name, file in files.items() if not own or file not in listed}
    texts = Recomputed(lambda one: _text(one[0], macro_text(one[1], listed, encoding)), beside.items())
    return {"": {**macros_of(texts), **common}, **different(own)}


def _text(name: str, text: str) -> str:
    """The text of a file as far as it may define macros."""
    own = format_of(name)
    return own.macros(text) if own is not None else text
