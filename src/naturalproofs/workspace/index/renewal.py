"""A project after an edit: the documents that changed are read, and only what cites their labels is gone through.

A fresh build resolves every mention of every document. Here a document is left as it was kept when its files are the
same, the prefixes of all documents are the same, and it cites no key by which a label could be meant that came, went or
changed its statement. Where documents bear on one another in any other way, nothing is told apart (see `split`), and
everything is gone through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus, check_corpus
from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.corpus.resolve import Resolver, counted
from naturalproofs.latex.builders import Reading
from naturalproofs.latex.cache import CachedDocument, settings_digest
from naturalproofs.latex.documents import (
    Document,
    DocumentReader,
    are_linked,
    external_labels,
    in_order,
    open_document,
    prefixes,
)
from naturalproofs.latex.project import categories, with_titles
from naturalproofs.latex.resolve_labels import resolve_labels
from naturalproofs.latex.settings import read_settings
from naturalproofs.latex.tree import AccessLog, Tree
from naturalproofs.progress import Progress
from naturalproofs.records import Anchor, Diagnostic, InputFile
from naturalproofs.workspace.index.manifest import KeptCorpus, Manifest, decoded, encoded
from naturalproofs.workspace.index.objects import Objects
from naturalproofs.workspace.index.outlines import Outline, input_files
from naturalproofs.workspace.index.parts import Found, KeptPart, are_distinct, join, split
from naturalproofs.workspace.index.snapshot import Changes, looks_of

MOST_CHANGED = 50
"""Labels that an edit may change before it is better to go through everything."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """A project as a fresh build would give it, and what of its index is new."""

    opened: LoadedCorpus
    outlines: tuple[Outline, ...]
    """Of all documents, by path."""
    read: dict[str, CachedDocument]
    """Documents that were read again."""
    parts: dict[str, bytes | None]
    """What each document gave, in reading order; None if that is as it was."""


@dataclass(slots=True)
class _Kept:
    """Takes what is read, and knows nothing."""

    read: dict[str, CachedDocument] = field(default_factory=dict)

    def get(self, main: str) -> CachedDocument | None:
        return None

    def put(self, document: CachedDocument) -> None:
        self.read[document.main] = document


def renew(
    path: Path, manifest: Manifest, kept: KeptCorpus, objects: Objects, changes: Changes, progress: Progress
) -> Renewed | None:
    """Bring a project up to date; None where everything must be gone through."""
    edited = [main for main, files in manifest.snapshot.mains.items() if not set(changes.changed).isdisjoint(files)]
    if not 0 < len(edited) < len(manifest.parts) or changes.added or changes.gone or changes.otherwise:
        return None
    root = path.resolve()
    old = _parts(manifest, objects) if _look_the_same(root, kept, changes.changed) else None
    work = _Renewal(root, kept) if old is not None else None
    if old is None or work is None or not work.opens(edited):
        return None
    progress(0, len(edited))
    new = work.made(edited, {}, old)
    progress(len(edited), len(edited))
    touched = _touched(old, new, work.prefixes) if new is not None else None
    if new is None or touched is None or not work.agrees(edited):
        return None
    if touched:
        drafts = {main: decoded(objects.get(manifest.documents[main]), CachedDocument) for main in touched}
        again = work.made(touched, {main: one for main, one in drafts.items() if one is not None}, {**old, **new})
        if again is None:
            return None
        new.update(again)
    parts = {document.path: new.get(document.path) or old[document.path] for document in work.ordered}
    if not are_distinct(list(parts.values())) or not any(part.statements for part in parts.values()):
        return None
    fresh = {main: encoded(part) for main, part in new.items()}
    opened = _opened(path, kept, work.outlines, parts)
    return Renewed(opened, work.outlines, work.keeper.read, {main: fresh.get(main) for main in parts})


class _Renewal:
    """Reads and finishes some documents of a project whose other documents are known."""

    def __init__(self, root: Path, kept: KeptCorpus) -> None:
        self.corpus, self.old = kept.name, kept.outlines.unpacked()
        self.tree = Tree(root, [])
        self.settings = read_settings(root)
        self.keeper = _Kept()
        before = in_order([outline.document for outline in self.old])
        self.documents = {document.path: document for document in before}
        self.prefixes = prefixes(before)
        self.ordered = before

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """Of all documents as they are now, by path."""
        read = self.keeper.read
        return tuple(Outline.of(read[one.main]) if one.main in read else one for one in self.old)

    def opens(self, edited: Iterable[str]) -> bool:
        """Whether edited documents can be opened, and nothing has changed that all documents depend on."""
        for main in edited:
            self.tree.log = AccessLog()
            file = self.tree.open(self.tree.root / main)
            if file is None:
                return False
            self.documents[main] = open_document(self.tree, file)
        by_path = [self.documents[main] for main in sorted(self.documents, key=Path)]
        if not are_linked(by_path) or any(_is_foreign(document, self.documents) for document in by_path):
            return False
        self.ordered = in_order(by_path)
        return prefixes(self.ordered) == self.prefixes

    def agrees(self, edited: Collection[str]) -> bool:
        """Whether a file that other documents have too was still as they know it when it was read."""
        known = {file.path: file.sha256 for one in self.old if one.main not in edited for file in one.files}
        read = (file for document in self.keeper.read.values() for file in document.files)
        return all(known.get(file.path, file.sha256) == file.sha256 for file in read)

    def made(
        self, mains: Sequence[str], drafts: Mapping[str, CachedDocument], parts: Mapping[str, KeptPart]
    ) -> dict[str, KeptPart] | None:
        """The parts of some documents: read anew, unless drafts of them are given; all others are known."""
        reading = Reading()
        language = settings_digest(self.settings, {}, several=True)
        reader = DocumentReader(self.tree, reading, with_titles(self.settings), {})
        documents = [document for document in self.ordered if document.path in mains]
        for document in documents:
            one = replace(document, cached=drafts.get(document.path))
            reader.read(one, one.scope, language, self.keeper)
        known = {label: a for main, part in parts.items() if main not in mains for label, a in part.anchors.items()}
        draft = resolve_labels(
            reading,
            corpus=self.corpus,
            document=self.corpus,
            inputs=(),
            categories=categories,
            numbered=True,
            prefixes=self.prefixes,
            external_labels=external_labels(self.tree, self.ordered, scoped=True),
            known=known,
        )
        resolver = Resolver(draft.anchors, "fixed")
        statements = tuple(map(resolver.statement, draft.statements))
        said = draft.diagnostics[len(reading.diagnostics) :]
        found = Found(statements, draft.anchors, resolver.unresolved, said)
        read = [drafts.get(document.path) or self.keeper.read[document.path] for document in documents]
        made = split(read, found, self.prefixes, known)
        return {one.main: part for one, part in zip(read, made, strict=True)} if made is not None else None


def told_apart(documents: Sequence[CachedDocument], opened: LoadedCorpus) -> dict[str, KeptPart]:
    """The parts of a corpus that was built from documents, given by path; none if they cannot be told apart."""
    by_main = {kept.main: kept for kept in documents}
    outlines = {kept.main: Outline.of(kept) for kept in documents}
    ordered = in_order([outline.document for outline in outlines.values()])
    files = input_files(outlines.values(), [outlines[one.path] for one in ordered])
    said = sum(len(one.diagnostics) for one in files.values()) + sum(len(one.diagnostics) for one in outlines.values())
    found = Found(opened.corpus.statements, opened.anchors or {}, opened.unresolved, opened.diagnostics[said:])
    parts = split([by_main[one.path] for one in ordered], found, prefixes(ordered)) if len(documents) > 1 else None
    if parts is None or not are_distinct(parts):
        return {}
    return {one.path: part for one, part in zip(ordered, parts, strict=True)}


def _touched(old: Mapping[str, KeptPart], new: Mapping[str, KeptPart], prefixes: Mapping[str, str]) -> list[str] | None:
    """The documents whose mentions may mean something else now, beside those that are new; None if these are many."""
    changed = {label for main, part in new.items() for label in _changed(old[main].anchors, part.anchors)}
    endings = tuple({label.removeprefix(prefix) for label in changed for prefix in {"", *prefixes.values()}})
    if len(changed) > MOST_CHANGED:
        return None
    # A key is the label, or its end, with nothing or what stands for the document before it.
    return [main for main, part in old.items() if main not in new and any(key.endswith(endings) for key in part.keys)]


def _changed(old: Mapping[str, Anchor], new: Mapping[str, Anchor]) -> set[str]:
    """Labels that came, went, or lead elsewhere."""
    before, after = ({(label, a.kind, a.owner) for label, a in anchors.items()} for anchors in (old, new))
    return {label for label, _, _ in before ^ after}


def _look_the_same(root: Path, kept: KeptCorpus, changed: Iterable[str]) -> bool:
    """Whether nothing that was edited says anything else about which files are the main ones."""
    listed = [name for name in changed if name in kept.looks]
    return looks_of(root, listed) == {name: kept.looks[name] for name in listed}


def _parts(manifest: Manifest, objects: Objects) -> dict[str, KeptPart] | None:
    """The parts that are kept; None when one is damaged."""
    found = {main: decoded(objects.get(name), KeptPart) for main, name in manifest.parts.items()}
    known = {main: part for main, part in found.items() if part is not None}
    return known if len(known) == len(found) else None


def _is_foreign(document: Document, documents: Mapping[str, Document]) -> bool:
    """Whether it uses labels of a file of the project that is no document of it: that would have to be read."""
    return any(path is not None and path not in documents and not prefix for prefix, path, _ in document.others)


def _opened(path: Path, kept: KeptCorpus, outlines: Sequence[Outline], parts: Mapping[str, KeptPart]) -> LoadedCorpus:
    """The corpus of all parts, which are in reading order."""
    found = join(list(parts.values()))
    by_main = {outline.main: outline for outline in outlines}
    ordered = [by_main[main] for main in parts]
    files = input_files(outlines, ordered)
    inputs: tuple[InputFile, ...] = tuple(file.input for file in files.values() if file.sha256)
    diagnostics: tuple[Diagnostic, ...] = (
        *(one for file in files.values() for one in file.diagnostics),
        *(one for outline in ordered for one in outline.diagnostics),
        *found.homeless,
    )
    resolution = counted(found.statements, found.anchors, found.unresolved)
    corpus = Corpus(kept.name, found.statements, kept.provenance, resolution, inputs)
    check_corpus(corpus)
    return LoadedCorpus(corpus, tuple(found.unresolved), diagnostics, dict(found.anchors), path)
