"""A cache of documents as they were read: an entry is valid while every file that was read or looked up is the same."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TypeAlias

from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.listing import name_of
from naturalproofs.records import AnchorKind, Diagnostic, InputFile, Origin, TextPart
from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.project.tree import Tree
from naturalproofs.sources.reading.builders import AnchorBuilder, ProofBuilder, Reading, Spill, StatementBuilder
from naturalproofs.sources.reading.kinds import Role
from naturalproofs.sources.reading.project_folder import AccessLog, CachedLookup
from naturalproofs.sources.reading.settings import Settings


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file that was read, and its diagnostics; one that could not be read has no hash."""

    path: str
    bytes: int
    sha256: str
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def input(self) -> InputFile:
        """As the corpus lists it."""
        return InputFile(self.path, self.bytes, self.sha256)


@dataclass(frozen=True, slots=True)
class CachedAnchor:
    """A label, and what holds it: a statement, a proof of a statement, or a proof without statement."""

    label: str
    kind: AnchorKind
    origin: Origin
    holder: int | None
    """Its place among the proofs without statement, and the statements with their proofs."""
    number: str = ""


class OtherDocument(NamedTuple):
    """Another document that one names: its prefix, its path in the project if it is there, and where it is named."""

    prefix: str
    path: str | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class CachedDocument:
    """The result of reading a document, before ``.aux`` numbers and labels of other documents are used."""

    main: str
    settings: str
    """The digest of everything besides the files that reading depends on."""
    scope: str
    length: int
    others: tuple[OtherDocument, ...]
    files: tuple[CachedFile, ...]
    lookups: tuple[CachedLookup, ...]
    macros: tuple[Macro, ...]
    """The commands of its table."""
    statements: tuple[StatementBuilder, ...]
    orphans: tuple[ProofBuilder, ...]
    anchors: tuple[CachedAnchor, ...]
    diagnostics: tuple[Diagnostic, ...]
    parts: tuple[TextPart, ...] = ()


class DocumentCache(Protocol):
    """Stores documents between runs, by main file."""

    def get(self, main: str) -> CachedDocument | None:
        """The entry of a document, if there is one; it may be outdated."""
        ...

    def put(self, document: CachedDocument) -> None:
        """Store a document that was read."""
        ...


class Validator:
    """Checks cache entries against the project; documents share most lookups, so each is made once."""

    def __init__(self, tree: Tree, settings: str) -> None:
        """Bind the project as it is now, and the digest of its settings."""
        self.tree, self.settings = tree, settings
        self._is_same: dict[CachedLookup, bool] = {}

    def is_valid(self, cached: CachedDocument) -> bool:
        """Whether reading the document again would give the same result."""
        if cached.settings != self.settings:
            return False
        same = all(self.tree.digest(self.tree.path(file.path)) == file.sha256 for file in cached.files)
        return same and all(map(self._finds_the_same, cached.lookups))

    def _finds_the_same(self, lookup: CachedLookup) -> bool:
        if lookup not in self._is_same:
            self._is_same[lookup] = self.tree.look_up(lookup) == lookup.found
        return self._is_same[lookup]


def settings_digest(settings: Settings, overrides: Mapping[str, Role], *, several: bool, encoding: str) -> str:
    """The digest of what reading depends on besides the files; `several` documents are read differently from one."""
    return sha256_bytes(repr((CACHE_VERSION, (settings, sorted(overrides.items()), several, encoding))).encode())


def logged_files(tree: Tree, log: AccessLog) -> tuple[CachedFile, ...]:
    """The files that were opened, by content."""
    inputs = {file.path: file for file in tree.inputs}
    files = []
    for path in log.opened:
        name = tree.name(path)
        known = inputs.get(name, InputFile(name, 0, ""))
        files.append(CachedFile(name, known.bytes, known.sha256, tuple(tree.diagnostics_of.get(path, ()))))
    return tuple(files)


def logged_lookups(tree: Tree, log: AccessLog) -> tuple[CachedLookup, ...]:
    """The lookups that were made, and what they found."""
    found = []
    for name, folders, endings in log.lookups:
        inside = tuple(name_of(os.path.relpath(folder, tree.root)) for folder in folders)
        lookup = CachedLookup(name_of(name), inside, endings, "")
        found.append(replace(lookup, found=tree.look_up(lookup)))
    return tuple(found)


Packed: TypeAlias = tuple[
    tuple[StatementBuilder, ...],
    tuple[ProofBuilder, ...],
    tuple[CachedAnchor, ...],
    tuple[Diagnostic, ...],
    tuple[TextPart, ...],
]
NOTHING: Packed = ((), (), (), (), ())


def pack(reading: Reading) -> Packed:
    """Copies of the statements, orphans, anchors, diagnostics and text of a document, without cycles between them."""
    places = {id(one): place for place, one in enumerate(_holders(reading.statements, reading.orphans))}
    anchors = tuple(
        CachedAnchor(a.label, a.kind, a.origin, places.get(id(a.holder)), a.number) for a in reading.anchors
    )

    def copied(statement: StatementBuilder) -> StatementBuilder:
        held = reading.spill.contents(statement)
        own = replace(statement, pieces=[held.text], mentions=held.mentions, notes=held.notes, entry=-1)
        own.labels = list(statement.labels)
        own.proofs = [_without_owner(proof, reading.spill) for proof in statement.proofs]
        return own

    orphans = tuple(_without_owner(proof, reading.spill) for proof in reading.orphans)
    statements, diagnostics = tuple(map(copied, reading.statements)), tuple(reading.diagnostics)
    return statements, orphans, anchors, diagnostics, tuple(reading.parts)


def unpack(cached: CachedDocument) -> Reading:
    """The document as if it had just been read."""
    for statement in cached.statements:
        for proof in statement.proofs:
            proof.owner = statement
    holders = [*_holders(cached.statements, cached.orphans), None]
    anchors = [
        AnchorBuilder(one.label, cached.scope, one.kind, holders[place], one.origin, one.number)
        for one in cached.anchors
        for place in [-1 if one.holder is None else one.holder]
    ]
    own = (list(cached.statements), anchors, list(cached.orphans), list(cached.diagnostics))
    return Reading(*own, parts=list(cached.parts))


def _holders(
    statements: Iterable[StatementBuilder], orphans: Iterable[ProofBuilder]
) -> list[StatementBuilder | ProofBuilder]:
    found: list[StatementBuilder | ProofBuilder] = [*orphans]
    for statement in statements:
        found += [statement, *statement.proofs]
    return found


def _without_owner(proof: ProofBuilder, spill: Spill) -> ProofBuilder:
    held = spill.contents(proof)
    return replace(proof, pieces=[held.text], mentions=held.mentions, entry=-1, owner=None)
