"""A project opened through its index: unchanged, it is not read at all; changed, only what changed is read."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import LoadedCorpus, build, project_name
from naturalproofs.io.cache import BESIDE, limit_project_caches, project_cache
from naturalproofs.io.collector import collector_paused
from naturalproofs.latex.cache import CachedDocument
from naturalproofs.latex.display import Macro
from naturalproofs.latex.project import LATEX
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Passage
from naturalproofs.tasks.passages import passages
from naturalproofs.workspace.index.macros import macros_by_file, together
from naturalproofs.workspace.index.manifest import (
    MADE_BY,
    MANIFEST,
    SCHEMA,
    KeptCorpus,
    Manifest,
    decoded,
    encoded,
    load_manifest,
)
from naturalproofs.workspace.index.objects import Objects
from naturalproofs.workspace.index.outlines import KeptOutlines, Outline
from naturalproofs.workspace.index.parts import KeptPart, join
from naturalproofs.workspace.index.renewal import Renewed, renew, told_apart
from naturalproofs.workspace.index.snapshot import Changes, Snapshot, compare, looks_of, take
from naturalproofs.workspace.index.terms import cut_again
from naturalproofs.workspace.lexical.forward import Forward

_UNUSUAL = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Work:
    """What opening a project took."""

    documents: int = 0
    read: tuple[str, ...] = ()
    """The documents that were read again."""
    changes: Changes = field(default_factory=Changes)
    fresh: bool = False
    """Whether there was no index to start from."""
    cut: int = 0
    """How many statements are new or have changed."""
    seconds: float = 0.0
    kept: bool = True
    """Whether the index could be written."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """A project that is open, with all that its index knows."""

    opened: LoadedCorpus
    candidates: tuple[Passage, ...]
    """The statements as methods see them."""
    forward: Forward
    macros: dict[str, Macro]
    work: Work
    folder: Path | None = None
    """Where the index lies, if it could be kept."""


class _Documents:
    """Keeps documents in the objects of an index."""

    def __init__(self, objects: Objects, names: dict[str, str]) -> None:
        self.objects, self.names = objects, names
        self.used: dict[str, CachedDocument] = {}
        self.read: list[str] = []

    def get(self, main: str) -> CachedDocument | None:
        found = decoded(self.objects.get(self.names.get(main, "-")), CachedDocument)
        if found is not None:
            self.used[main] = found
        return found

    def put(self, document: CachedDocument) -> None:
        self.used[document.main] = document
        self.read.append(document.main)


def index_folder(path: Path) -> Path:
    """Where the index of a project lies: one for the folder as a whole, one for each main file named by itself."""
    path = path.resolve()
    root = path if path.is_dir() else path.parent
    return project_cache(root) / ("project" if path.is_dir() else f"main-{_UNUSUAL.sub('-', path.stem)}")


def status(path: Path) -> tuple[Manifest, Changes] | None:
    """What an index was made from, and what changed since; None when there is no index that can be used."""
    manifest = load_manifest(index_folder(path))
    return None if manifest is None else (manifest, compare(path, manifest.snapshot))


def open_project(path: Path, progress: Progress = silent, *, keep: bool = True) -> Indexed:
    """Open a LaTeX project through its index, bringing it up to date first.

    Args:
        path: The folder or the main file.
        progress: Told how far reading has come.
        keep: Whether to write the index.
    """
    with collector_paused():
        return _open(path, progress, keep=keep)


def _open(path: Path, progress: Progress, *, keep: bool) -> Indexed:
    start = time.perf_counter()
    folder = index_folder(path)
    objects = Objects(folder)
    manifest = load_manifest(folder)
    changes = compare(path, manifest.snapshot) if manifest is not None else Changes()
    if manifest is not None and not changes:
        same = _unchanged(path, manifest, objects)
        if same is not None:
            return replace(same, work=replace(same.work, seconds=time.perf_counter() - start))
    before = decoded(objects.get(manifest.corpus), KeptCorpus) if manifest is not None else None
    renewed = renew(path, manifest, before, objects, changes, progress) if manifest and before else None
    now = renewed or _anew(path, objects, manifest.documents if manifest else {}, progress)
    macros = macros_by_file(now.opened, before)
    candidates = tuple(passages(now.opened.corpus.statements, place=True))
    forward, terms, count = cut_again(candidates, objects.get(manifest.terms) if manifest else None)
    work = Work(len(now.outlines), tuple(now.read), changes, manifest is None, count)
    kept = keep and _write(path, objects, now, macros, terms, manifest, before)
    done = replace(work, kept=kept, seconds=time.perf_counter() - start)
    return Indexed(now.opened, candidates, forward, together(macros), done, folder if kept else None)


def _anew(path: Path, objects: Objects, names: dict[str, str], progress: Progress) -> Renewed:
    """The project built from all of its documents, of which those that changed are read."""
    keeper = _Documents(objects, names)
    built = build(replace(LATEX, cache=keeper), path, name=project_name(path), progress=progress)
    root = path if path.is_dir() else path.parent
    opened = LoadedCorpus(built.corpus, built.unresolved, built.diagnostics, built.anchors, root)
    used = [keeper.used[main] for main in sorted(keeper.used, key=Path)]
    outlines = tuple(map(Outline.of, used))
    parts = told_apart(used, opened)
    read = {main: keeper.used[main] for main in keeper.read}
    return Renewed(opened, outlines, read, {main: encoded(part) for main, part in parts.items()})


def _unchanged(path: Path, manifest: Manifest, objects: Objects) -> Indexed | None:
    """The project as it was kept; None when an object is damaged."""
    kept = decoded(objects.get(manifest.corpus), KeptCorpus)
    terms = objects.get(manifest.terms)
    if kept is None or terms is None:
        return None
    whole = [kept.whole] if kept.whole is not None else []
    parts = [*whole, *(decoded(objects.get(name), KeptPart) for name in manifest.parts.values())]
    known = [part for part in parts if part is not None]
    if not known or len(known) != len(parts):
        return None
    found = join(known)
    candidates = tuple(passages(found.statements, place=True))
    forward, changed, _ = cut_again(candidates, terms)
    if changed is not None:
        return None
    corpus = Corpus(kept.name, found.statements, kept.provenance, kept.resolution, kept.inputs)
    root = path if path.is_dir() else path.parent
    opened = LoadedCorpus(corpus, tuple(found.unresolved), kept.diagnostics, dict(found.anchors), root)
    work = Work(len(manifest.documents))
    return Indexed(opened, candidates, forward, together(kept.macros), work, objects.folder)


def _write(
    path: Path,
    objects: Objects,
    now: Renewed,
    macros: dict[str, dict[str, Macro]],
    terms: bytes | None,
    old: Manifest | None,
    before: KeptCorpus | None,
) -> bool:
    """Write what changed, the manifest last; False when the project's folder cannot be written to."""
    opened, corpus = now.opened, now.opened.corpus
    whole = KeptPart(tuple(corpus.statements), opened.anchors or {}, opened.unresolved, {}) if not now.parts else None
    try:
        if objects.folder.parent.name == BESIDE:
            ignore = Objects(objects.folder.parent)
            ignore.write_manifest(".gitignore", b"# Made by naturalproofs; it may be removed at any time.\n*\n")
        snapshot = take(path, now.outlines, corpus.inputs)
        record = KeptCorpus(
            corpus.name,
            corpus.provenance,
            corpus.resolution,
            corpus.inputs,
            opened.diagnostics,
            macros,
            _looks(path, snapshot, old, before),
            KeptOutlines.of(now.outlines),
            whole,
        )
        documents, parts = (old.documents, old.parts) if old is not None else ({}, {})
        manifest = Manifest(
            schema=SCHEMA,
            made_by=MADE_BY,
            snapshot=snapshot,
            documents={
                one.main: objects.put(encoded(now.read[one.main])) if one.main in now.read else documents[one.main]
                for one in now.outlines
            },
            parts={main: objects.put(part) if part is not None else parts[main] for main, part in now.parts.items()},
            corpus=objects.put(encoded(record)),
            terms=objects.put(terms) if terms is not None else old.terms if old else "",
            made=time.time(),
        )
        objects.write_manifest(MANIFEST, msgspec.json.encode(manifest))
        if old is None:
            limit_project_caches()
        objects.sweep({*manifest.documents.values(), *manifest.parts.values(), manifest.corpus, manifest.terms})
    except OSError:
        return False
    return True


def _looks(path: Path, snapshot: Snapshot, old: Manifest | None, before: KeptCorpus | None) -> dict[str, str]:
    """What the files of the folder look like; those that were not edited look as before."""
    known = before.looks if before is not None else {}
    hashes = old.snapshot.files if old is not None else {}
    same = {name: known[name] for name in snapshot.listed if name in known and hashes.get(name) == snapshot.files[name]}
    others = looks_of(path.resolve(), [name for name in snapshot.listed if name not in same])
    return {name: (same | others)[name] for name in snapshot.listed}
