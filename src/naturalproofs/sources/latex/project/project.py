"""Any LaTeX project: from a main file or a folder to its statements, proofs and citations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from naturalproofs.errors import RulesUnsupported, SourceNotFound
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.listing import name_of, shown_folder
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Draft, InputFile, Rules
from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.project.cached_document import (
    NOTHING,
    CachedDocument,
    CachedFile,
    DocumentCache,
    Validator,
    logged_files,
    logged_lookups,
    pack,
    settings_digest,
    unpack,
)
from naturalproofs.sources.latex.project.choice import UP, Main, listed, nothing_found, plan_reading
from naturalproofs.sources.latex.project.documents import (
    Document,
    Opened,
    document_title,
    external_labels,
    in_order,
    open_document,
    prefixes,
    printed_numbers,
    project_encoding,
)
from naturalproofs.sources.latex.project.tree import Tree, load
from naturalproofs.sources.latex.read.dialect import Dialect, make_dialect
from naturalproofs.sources.latex.read.discovery import DocumentDefinitions
from naturalproofs.sources.latex.read.numbering import Numbering
from naturalproofs.sources.latex.read.reader import Reader
from naturalproofs.sources.latex.scan.conditionals import Facts, decided
from naturalproofs.sources.reading.builders import MAX_HELD, Reading
from naturalproofs.sources.reading.kinds import Role
from naturalproofs.sources.reading.project_folder import AccessLog
from naturalproofs.sources.reading.resolve_labels import (
    by_chapter_or_section,
    resolve_labels,
    with_documents,
)
from naturalproofs.sources.reading.settings import Heading, Settings, check_roles
from naturalproofs.sources.registry import SourceInfo

INFO = SourceInfo(name="latex", title="A LaTeX project", authors="", licence="", url="", archives=True)


@dataclass(frozen=True)
class Project:
    """A LaTeX project: a main file or the folder that holds it."""

    info: SourceInfo = INFO
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
        if rules == "paper":
            raise RulesUnsupported(
                "the paper's rules are known for stacks, trench and stein only; read a LaTeX project by the fixed rules"
            )
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
            numbered=True,
            about=_about(settings, tree, documents, files),
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
    settings: Settings, tree: Tree, documents: Sequence[Document], files: Mapping[str, CachedFile]
) -> dict[str, str]:
    """What the settings say about the project, and the title of its only document."""
    title = document_title(tree, [documents[0].path, *files]) if len(documents) == 1 else ""
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
            about = (cached.main, cached.length, cached.others, cached)
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
        numbers = printed_numbers(self.tree, self.tree.path(document.path), [file.path for file in files])
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
        numbering = _numbering(opened.definitions)
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
            about = (document.path, digest, document.scope, document.length, document.others)
            self.cache.put(CachedDocument(*about, files, lookups, macros, *own_parts))
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


LATEX = Project()


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
