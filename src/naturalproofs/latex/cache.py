"""A document as it was read, kept between runs: it holds as long as every file that was read or sought is the same."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeAlias

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.latex.builders import AnchorBuilder, ProofBuilder, Reading, StatementBuilder
from naturalproofs.latex.tree import Refused, Trail, Tree
from naturalproofs.records import AnchorKind, Diagnostic, InputFile, Origin

VERSION = 2
"""Grows when the reader would read the same files differently."""


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file that was read, and what was said about it; one that could not be read has no hash."""

    path: str
    bytes: int
    sha256: str
    complaints: tuple[Diagnostic, ...] = ()

    @property
    def input(self) -> InputFile:
        """As the corpus lists it."""
        return InputFile(self.path, self.bytes, self.sha256)


@dataclass(frozen=True, slots=True)
class CachedLookup:
    """A name that was sought, and what was found: a path inside the project, or nothing."""

    name: str
    folders: tuple[str, ...]
    endings: tuple[str, ...]
    found: str


@dataclass(frozen=True, slots=True)
class CachedAnchor:
    """A label, and what holds it: a statement, a proof of a statement, or, before the first, an orphan proof."""

    label: str
    kind: AnchorKind
    origin: Origin
    holder: tuple[int, int] | None
    """Statement and proof; the proof is -1 for the statement itself, the statement is -1 for an orphan."""


Other: TypeAlias = tuple[str, str | None, Origin]
"""Another document that one names: its prefix, its path in the project if it is there, and where it is named."""


@dataclass(frozen=True, slots=True)
class CachedDocument:
    """All that reading a document gave, before numbers from LaTeX and other documents come in."""

    main: str
    language: str
    """The hash of everything outside of the files that reading depends on: settings, overrides, this reader."""
    scope: str
    length: int
    others: tuple[Other, ...]
    files: tuple[CachedFile, ...]
    discovered: int
    """How many of the files were opened before the document was read."""
    lookups: tuple[CachedLookup, ...]
    statements: tuple[StatementBuilder, ...]
    orphans: tuple[ProofBuilder, ...]
    anchors: tuple[CachedAnchor, ...]
    diagnostics: tuple[Diagnostic, ...]


class DocumentCache(Protocol):
    """Keeps documents between runs."""

    def known(self, main: str) -> CachedDocument | None:
        """What was kept of a document, if anything; it may be stale."""
        ...

    def keep(self, document: CachedDocument) -> None:
        """Keep a document that was read anew."""
        ...


class Freshness:
    """Whether what was kept still holds; documents share most of what they look for, so each thing is seen to once."""

    def __init__(self, tree: Tree, language: str) -> None:
        """Bind the project as it is now."""
        self.tree, self.language = tree, language
        self._looked: dict[CachedLookup, bool] = {}

    def holds(self, kept: CachedDocument) -> bool:
        """Whether reading the document again would give the same."""
        if kept.language != self.language:
            return False
        root = self.tree.root
        same = all(self.tree.digest(root / file.path) == file.sha256 for file in kept.files)
        return same and all(map(self._finds_the_same, kept.lookups))

    def _finds_the_same(self, lookup: CachedLookup) -> bool:
        if lookup not in self._looked:
            self._looked[lookup] = look(self.tree, lookup) == lookup.found
        return self._looked[lookup]


def look(tree: Tree, lookup: CachedLookup) -> str:
    """What a lookup finds now."""
    found = tree.find(lookup.name, tuple(Path(os.path.normpath(tree.root / f)) for f in lookup.folders), lookup.endings)
    return "" if isinstance(found, Refused) else found.relative_to(tree.root).as_posix()


def trail_files(tree: Tree, trail: Trail) -> tuple[CachedFile, ...]:
    """The files of a trail, by content."""
    inputs = {file.path: file for file in tree.inputs}
    files = []
    for path in trail.opened:
        name = path.relative_to(tree.root).as_posix()
        complaints = tuple(tree.complaints.get(path, ()))
        known = inputs.get(name)
        files.append(
            CachedFile(name, known.bytes, known.sha256, complaints) if known else CachedFile(name, 0, "", complaints)
        )
    return tuple(files)


def trail_lookups(tree: Tree, trail: Trail) -> tuple[CachedLookup, ...]:
    """The lookups of a trail, and what they found."""
    found = []
    for name, folders, endings in trail.sought:
        inside = tuple(os.path.relpath(folder, tree.root) for folder in folders)
        lookup = CachedLookup(name, inside, endings, "")
        found.append(replace(lookup, found=look(tree, lookup)))
    return tuple(found)


def freeze(
    reading: Reading, counts: tuple[int, int, int, int]
) -> tuple[tuple[StatementBuilder, ...], tuple[ProofBuilder, ...], tuple[CachedAnchor, ...], tuple[Diagnostic, ...]]:
    """What was read since the reading had these counts of statements, orphans, anchors and diagnostics."""
    statements = reading.statements[counts[0] :]
    orphans = reading.orphans[counts[1] :]
    holders: dict[int, tuple[int, int]] = {id(proof): (-1, place) for place, proof in enumerate(orphans)}
    for row, draft in enumerate(statements):
        holders[id(draft)] = (row, -1)
        holders.update({id(proof): (row, place) for place, proof in enumerate(draft.proofs)})
    anchors = tuple(
        CachedAnchor(a.label, a.kind, a.origin, holders.get(id(a.holder)) if a.holder is not None else None)
        for a in reading.anchors[counts[2] :]
    )
    copies = tuple(
        replace(
            draft,
            pieces=["".join(draft.pieces)],
            labels=list(draft.labels),
            proofs=[_alone(proof, counts[0]) for proof in draft.proofs],
        )
        for draft in statements
    )
    alone = tuple(_alone(proof, counts[0]) for proof in orphans)
    return copies, alone, anchors, tuple(reading.diagnostics[counts[3] :])


def thaw(kept: CachedDocument, reading: Reading) -> Sequence[StatementBuilder]:
    """Add what was kept to a reading, as if it had just been read; gives its statements."""
    before = len(reading.statements)
    for draft in kept.statements:
        for proof in draft.proofs:
            proof.owner = draft
            proof.position += before
    for proof in kept.orphans:
        proof.position += before
    for anchor in kept.anchors:
        holder = _holder(kept.statements, kept.orphans, anchor.holder)
        reading.anchors.append(AnchorBuilder(anchor.label, kept.scope, anchor.kind, holder, anchor.origin))
    reading.statements.extend(kept.statements)
    reading.orphans.extend(kept.orphans)
    reading.diagnostics.extend(kept.diagnostics)
    return kept.statements


def _holder(
    statements: Sequence[StatementBuilder], orphans: Sequence[ProofBuilder], at: tuple[int, int] | None
) -> StatementBuilder | ProofBuilder | None:
    if at is None:
        return None
    row, place = at
    if row < 0:
        return orphans[place]
    return statements[row] if place < 0 else statements[row].proofs[place]


def _alone(proof: ProofBuilder, before: int) -> ProofBuilder:
    """A proof by itself, its position counted within the document."""
    return replace(proof, pieces=["".join(proof.pieces)], owner=None, position=proof.position - before)


def language_of(parts: object) -> str:
    """The hash of what a document's reading depends on besides its files."""
    return sha256_bytes(repr((VERSION, parts)).encode())
