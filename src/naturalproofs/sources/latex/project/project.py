r"""Any LaTeX project: from a main file or a folder to its statements, proofs and citations.

Its documents are read one after the other, or taken from a cache: an entry is valid while every file that was read or
looked up is the same. They may be linked by ``\externaldocument``, and may have printed numbers in ``.aux`` files.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.listing import name_of, shown_folder
from naturalproofs.progress import Progress, silent
from naturalproofs.records import AnchorKind, Diagnostic, Draft, InputFile, Origin, Rules, TextPart
from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.project.choice import UP, Main, listed, nothing_found, plan_reading
from naturalproofs.sources.latex.project.outline import STYLES, outline_of
from naturalproofs.sources.latex.project.tree import Tree, load
from naturalproofs.sources.latex.read.citations import find_labels
from naturalproofs.sources.latex.read.dialect import Dialect, make_dialect
from naturalproofs.sources.latex.read.discovery import Discovery, DocumentDefinitions
from naturalproofs.sources.latex.read.numbering import Numbering, keys_with_numbers
from naturalproofs.sources.latex.read.reader import Reader
from naturalproofs.sources.latex.scan.arguments import plain_title, read_group, read_option
from naturalproofs.sources.latex.scan.conditionals import Facts, decided
from naturalproofs.sources.reading.builders import (
    MAX_HELD,
    AnchorBuilder,
    ProofBuilder,
    Reading,
    Spill,
    StatementBuilder,
)
from naturalproofs.sources.reading.kinds import Role
from naturalproofs.sources.reading.project_folder import AccessLog, CachedLookup, Refused
from naturalproofs.sources.reading.resolve_labels import (
    ExternalLabels,
    by_chapter_or_section,
    resolve_labels,
    with_documents,
)
from naturalproofs.sources.reading.settings import Heading, Settings, check_roles
from naturalproofs.sources.reading.text_files import decode, first_encoding, read_bytes
from naturalproofs.sources.registry import SourceInfo, source_info


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
    word: str = ""
    title: str = ""


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

    def __init__(self, tree: Tree) -> None:
        """Bind the project as it is now."""
        self.tree = tree
        self._is_same: dict[CachedLookup, bool] = {}

    def is_valid(self, cached: CachedDocument, settings: str) -> bool:
        """Whether reading the document again, with settings of this digest, would give the same result."""
        if cached.settings != settings:
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
        CachedAnchor(a.label, a.kind, a.origin, places.get(id(a.holder)), a.number, a.word, a.title)
        for a in reading.anchors
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
        AnchorBuilder(one.label, cached.scope, one.kind, holders[place], one.origin, one.number, one.word, one.title)
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


_MAX_PREAMBLE_FILES = 200
_PREAMBLE_ENDINGS = ("", ".tex", *STYLES)
_TITLE = re.compile(r"^[^%\n]*?\\title(?![a-zA-Z])", re.MULTILINE)
_TITLE_FILES = 20
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Document:
    """A main file and the other documents it names; it was opened, or it comes from the cache."""

    path: str
    others: tuple[OtherDocument, ...]
    source: Opened | CachedDocument
    digest: str
    """The digest of everything besides the files that reading it depends on."""
    scope: str = ""
    """What its labels are local to; empty if there is no other document."""
    files: tuple[str, ...] = ()
    """Further files, which are read after the main file."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A main file that was opened: what its files define, and the files that were needed to find out."""

    definitions: DocumentDefinitions
    log: AccessLog


def open_document(tree: Tree, main: Main, scope: str, digest: str) -> Document | None:
    """Discover what a document defines and which other documents it names; None if its file cannot be read."""
    log = tree.log = AccessLog()
    file, *files = (tree.open(path.resolve()) for path in (main.path, *main.files))
    if file is None:
        return None
    preamble = tree.open(main.preamble.resolve()) if main.preamble is not None else None
    definitions = Discovery(tree).run(file, preamble, list(filter(None, files)))
    folder = tree.path(file.path).parent
    others = []
    for where, external in definitions.externals:
        found = tree.find(external.file, (folder, tree.root), (".tex", ""))
        path = None if isinstance(found, Refused) else tree.name(found)
        others.append(OtherDocument(external.prefix, path, Origin(where, 1)))
    tree.log = AccessLog()  # Later accesses have nothing to do with this document.
    names = tuple(one.path for one in files if one is not None)
    return Document(file.path, tuple(others), Opened(definitions, log), digest, scope, names)


def project_encoding(tree: Tree, mains: Iterable[Path]) -> str:
    """The encoding that a main file or a file of its preamble declares: it holds for all files that declare none."""
    for main in mains:
        outline = outline_of((read_bytes(main) or b"").partition(b"\\begin{document}")[0], main.name)
        names = [name for name in (outline.document_class, *outline.packages, *outline.inputs) if name]
        folders = tuple(dict.fromkeys((main.resolve().parent, tree.root)))
        found = (tree.find(name, folders, _PREAMBLE_ENDINGS) for name in names[:_MAX_PREAMBLE_FILES])
        encoding = first_encoding(chain([main], (path for path in found if not isinstance(path, Refused))))
        if encoding:
            return encoding
    return ""


def document_title(tree: Tree, files: Iterable[str]) -> str:
    r"""The ``\title`` of a document, from the first of its files that has one; empty if it cannot be read as text."""
    for name in islice(files, _TITLE_FILES):
        text = decode(read_bytes(tree.path(name)) or b"", tree.encoding).text or ""
        if (match := _TITLE.search(text)) is None:
            continue
        option = read_option(text, match.end())
        group = read_group(text, option.end if option else match.end())
        title = " ".join(plain_title(group.text).split()) if group else ""
        if title and "\\" not in title and "#" not in title and len(title) <= _LONGEST_TITLE:
            return title
    return ""


def in_order(documents: Sequence[Document]) -> list[Document]:
    """Reading order: as the longest list of documents has it, with those that are not listed first."""
    others = max((document.others for document in documents), key=len, default=())
    listed: dict[str, int] = {}
    for other in others:
        if other.path is not None:
            listed.setdefault(other.path, len(listed))
    return sorted(documents, key=lambda document: listed.get(document.path, -1))


def prefixes(documents: Sequence[Document]) -> dict[str, str]:
    """The prefix of each document's labels: the one that other documents use; empty if they use none."""
    by_path = {document.path: document.scope for document in documents}
    found = dict.fromkeys(by_path.values(), "")
    for document in documents:
        for prefix, path, _ in document.others:
            if path in by_path and not found[by_path[path]]:
                found[by_path[path]] = prefix
    return found


def external_labels(tree: Tree, documents: Sequence[Document]) -> dict[str, tuple[ExternalLabels, ...]]:
    r"""The labels that each document may use from others by ``\externaldocument``, by scope."""
    by_path = {document.path: document.scope for document in documents}
    found = {}
    for document in documents:
        names = tuple(
            ExternalLabels(prefix, by_path[path], origin)
            if path in by_path
            else ExternalLabels(prefix, None, origin, None if prefix else labels_of(tree, path))
            for prefix, path, origin in document.others
        )
        if names:
            found[document.scope] = names
    return found


def labels_of(tree: Tree, path: str | None) -> frozenset[str]:
    """The labels of a document that lies in the project but is not read."""
    file = tree.open(tree.path(path)) if path else None
    if file is None:
        return frozenset()
    discovery = Discovery(tree)
    discovery.run(file)
    return frozenset(label.key for one in discovery.files() for label in find_labels(one.text))


@dataclass(frozen=True)
class Project:
    """A LaTeX project: a main file or the folder that holds it."""

    info: SourceInfo
    environments: Mapping[str, Role] = field(default_factory=dict)
    """What environments hold; overrides the project's settings."""
    mains: tuple[str, ...] = ()
    """The main files of a folder; chosen by the project's settings, or by what the folder holds, if none are given."""
    up: int = UP
    """How many folders above it files are read from, outside of a repository."""

    cache: DocumentCache | None = field(default=None, compare=False, repr=False)
    """Stores documents between runs, so that only those whose files changed are read again."""

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read the documents of a folder, or one main file, and all they include."""
        overrides = check_roles(self.environments, "environments")
        plan = plan_reading(path.resolve(), self.mains, self.up)
        settings, reading, tree = plan.settings, Reading(), Tree(plan.root, [])
        several = len(plan.mains) > 1
        tree.encoding = project_encoding(tree, [main.path for main in plan.mains])
        digest = settings_digest(settings, overrides, several=several, encoding=tree.encoding)
        documents = in_order(_documents(tree, plan.mains, self.cache, digest, scoped=several))
        reader = _DocumentReader(tree, reading, _with_titles(settings) if several else settings, overrides, self.cache)
        files: dict[str, CachedFile] = {}
        for done, document in enumerate(documents):
            progress(done, len(documents))
            files = {file.path: file for file in reader.read(document)} | files
        rest, notes = plan.rest([tree.path(name) for name in files])
        for document in _documents(tree, rest, self.cache, digest, scoped=bool(documents) or len(rest) > 1):
            files = {file.path: file for file in reader.read(document)} | files
            documents.append(document)
        if not documents:
            raise SourceNotFound(str(tree.diagnostics[0]))
        progress(len(documents), len(documents))
        inputs = {file.path: file.input for file in files.values() if file.sha256}
        for opened in tree.inputs:
            inputs.setdefault(opened.path, opened)
        reading.diagnostics[:0] = [diagnostic for file in files.values() for diagnostic in file.diagnostics]
        if not reading.statements:
            raise nothing_found(path, plan.root, [document.path for document in documents], files, reading.diagnostics)
        draft = resolve_labels(
            reading,
            corpus=name,
            document=name,
            inputs=inputs.values(),
            categories=by_chapter_or_section,
            about=_about(settings, tree, documents, files, reading),
            prefixes=prefixes(documents),
            external_labels=external_labels(tree, documents),
        )
        if len(documents) > 1:
            mains = {document.scope: document.path for document in documents}
            draft = replace(draft, statements=with_documents(draft.statements, reading, mains))
        others = {"": f"{plan.chosen_by} names other documents"} if plan.chosen_by else {}
        return replace(
            draft,
            root=shown_folder(path, plan.root),
            documents=reader.documents,
            notes={tree.name(file): note for file, note in notes.items()} | others,
            summary=f"reading {listed([name_of(main.path.relative_to(plan.folder)) for main in (*plan.mains, *rest)])}",
            macros=_written(reader.macros),
            parts=tuple(reading.parts),
        )


def _written(documents: Sequence[Sequence[Macro]]) -> str:
    """LaTeX that defines the macros of documents, one on each line; the first document that defines a name counts."""
    macros: dict[str, Macro] = {}
    for document in documents:
        for macro in document:
            macros.setdefault(macro.name, macro)
    return "".join(f"{' '.join(macro.definition().split())}\n" for macro in macros.values())


def _about(
    settings: Settings, tree: Tree, documents: Sequence[Document], files: Mapping[str, CachedFile], reading: Reading
) -> dict[str, str]:
    """What the settings say about the project, and the title of the document that has most of the statements."""
    (scope, count), *_ = Counter(one.scope for one in reading.statements).most_common(1)
    main = next(one.path for one in documents if one.scope == scope)
    several = len(documents) > 1
    title = "" if 2 * count <= len(reading.statements) else document_title(tree, [main, *([] if several else files)])
    return ({"title": title} if title else {}) | dict(settings.about)


def _documents(
    tree: Tree, mains: Iterable[Main], cache: DocumentCache | None, digest: str, *, scoped: bool
) -> list[Document]:
    """The documents to read; one with a valid cache entry is not opened."""
    documents = []
    validator = Validator(tree)
    for main in mains:
        files = [tree.name(path.resolve()) for path in (main.path, *main.files)]
        preamble = tree.name(main.preamble.resolve()) if main.preamble is not None else ""
        scope = Path(files[0]).with_suffix("").as_posix() if scoped else ""
        state = sha256_bytes(repr((digest, scope, preamble, files)).encode())
        cached = cache.get(files[0]) if cache else None
        if cached is not None and validator.is_valid(cached, state):
            about = (cached.main, cached.others, cached)
            documents.append(Document(*about, state, scope, tuple(files[1:])))
        elif opened := open_document(tree, main, scope, state):
            documents.append(opened)
    return documents


def _with_titles(settings: Settings) -> Settings:
    """Where there are several documents, each is a chapter."""
    return replace(settings, headings={"title": Heading(0), **settings.headings})


@dataclass(frozen=True, slots=True)
class _DocumentReader:
    """Reads documents into one reading."""

    tree: Tree
    reading: Reading
    settings: Settings
    overrides: Mapping[str, Role]
    cache: DocumentCache | None
    """Where documents are stored after they were read."""
    macros: list[tuple[Macro, ...]] = field(default_factory=list)
    """The commands of each document."""
    documents: dict[str, str] = field(default_factory=dict)
    """The main file of the first document in which each file was read."""

    def read(self, document: Document) -> tuple[CachedFile, ...]:
        """Read a document and store it in the cache, or take it from there; returns the files that it was read from."""
        if isinstance(document.source, CachedDocument):
            own, files = unpack(document.source), document.source.files
            self.macros.append(document.source.macros)
            self.reading.spill.add([*own.statements, *own.proofs()])
        else:
            own, files = self._read(document, document.source)
        numbers = self.tree.printed_numbers(self.tree.path(document.path), [file.path for file in files])
        for statement in own.statements if numbers else ():
            if statement.labels and statement.labels[0] in numbers:
                statement.number = numbers[statement.labels[0]]
        self.reading.extend(own)
        for file in files:
            self.documents.setdefault(file.path, document.path)
        return files

    def _read(self, document: Document, opened: Opened) -> tuple[Reading, tuple[CachedFile, ...]]:
        tree, own = self.tree, Reading(spill=self.reading.spill)
        log = tree.log = AccessLog(dict(opened.log.opened), dict(opened.log.lookups))
        dialect = make_dialect(opened.definitions, self.settings, self.overrides)
        texts = (file.text for path in opened.log.opened if (file := tree.open(path)) is not None)
        numbering = _numbering(opened.definitions)
        numbering.only_cited = keys_with_numbers(opened.definitions, texts)
        for name in (document.path, *document.files):
            if (file := tree.open(tree.path(name))) is not None:
                Reader(dialect, own, document.scope, tree=tree, numbering=numbering).read(file)
        tree.log = AccessLog()
        files = logged_files(tree, log)
        macros = tuple(opened.definitions.table.commands.values())
        self.macros.append(macros)
        if self.cache is not None:
            digest, lookups = document.digest, logged_lookups(tree, log)
            if sum(file.bytes for file in files) > MAX_HELD:
                # Too large to be kept beside the corpus; without a digest it is read again when a file changes.
                digest, own_parts = "", NOTHING
            else:
                own_parts = pack(own)
            name, scope, others = document.path, document.scope, document.others
            self.cache.put(CachedDocument(name, digest, scope, others, files, lookups, macros, *own_parts))
        return own, files


def _numbering(definitions: DocumentDefinitions) -> Numbering:
    """The counters as they are when the document begins."""
    numbering = Numbering(definitions.document_class, definitions.declarations.values(), chapters=definitions.chapters)
    for counter in definitions.box_counters:
        numbering.declare(counter)
    for environment, stepped in definitions.stepped_counters():
        numbering.counter_of.setdefault(environment, stepped)
    for command, rest, starred in definitions.counts:
        numbering.command(command, ("*" if starred else " ") + rest, 1)
    for name, other in definitions.aliases.items():
        if name.startswith("c@") and other.startswith("c@"):
            numbering.share(name[2:], other[2:])
    for macro in definitions.formats:
        numbering.define_format(macro.name, decided(macro.body, Facts(definitions.flags)))
    return numbering


LATEX = Project(source_info("latex"))


def read_file(file: Path, root: Path, dialect: Dialect, reading: Reading, scope: str = "") -> InputFile | None:
    """Read one file by a dialect that is known beforehand; None if it cannot be read, with a diagnostic.

    Args:
        file: The file.
        root: The folder that paths are relative to.
        dialect: What its commands and environments mean.
        reading: What the statements, proofs and labels are added to.
        scope: What the labels are local to.
    """
    loaded = load(file, root, dialect.vocabulary)
    reading.diagnostics.extend(loaded.diagnostics)
    if loaded.file is None:
        return None
    Reader(dialect, reading, scope).read(loaded.file)
    return loaded.file.input
