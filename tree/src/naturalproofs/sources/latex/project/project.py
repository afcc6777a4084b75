"""Any LaTeX project: from a main file or a folder to its statements, proofs and citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from naturalproofs.errors import RulesUnsupported, SourceNotFound
from naturalproofs.io.listing import shown_folder
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
from naturalproofs.sources.latex.project.choice import UP, nothing_found, plan_reading
from naturalproofs.sources.latex.project.documents import (
    Document,
    Opened,
    are_linked,
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
    distinct_prefixes,
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
        settings = plan.settings
        reading = Reading()
        tree = Tree(plan.root, [])
        several = len(plan.mains) > 1
        tree.encoding = project_encoding(tree, plan.mains)
        digest = settings_digest(settings, overrides, several=several, encoding=tree.encoding)
        documents = in_order(_documents(tree, plan.mains, self.cache, digest))
        reader = _DocumentReader(tree, reading, _with_titles(settings) if several else settings, overrides)
        files: dict[str, CachedFile] = {}
        for done, document in enumerate(documents):
            progress(done, len(documents))
            for file in reader.read(document, document.scope if several else "", digest, self.cache):
                files.setdefault(file.path, file)
        progress(len(documents), len(documents))
        inputs = {file.path: file.input for file in files.values() if file.sha256}
        for opened in tree.inputs:
            inputs.setdefault(opened.path, opened)
        reading.diagnostics[:0] = [diagnostic for file in files.values() for diagnostic in file.diagnostics]
        if not reading.statements:
            raise nothing_found(path, plan.root, [document.path for document in documents], files, reading.diagnostics)
        linked = several and are_linked(documents)
        mains = {document.scope: document.path for document in documents}
        scoped = (prefixes(documents) if linked else distinct_prefixes(mains, reading)) if several else None
        draft = resolve_labels(
            reading,
            corpus=name,
            document=name,
            inputs=inputs.values(),
            categories=by_chapter_or_section,
            numbered=True,
            about=_about(settings, tree, documents, files),
            prefixes=scoped,
            external_labels=external_labels(tree, documents, scoped=several),
        )
        if several and not linked:
            draft = replace(draft, statements=with_documents(draft.statements, reading, mains))
        root, parts = shown_folder(path, plan.root), tuple(reading.parts)
        return replace(draft, root=root, summary=plan.summary, macros=_written(reader.macros), parts=parts)


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


def _documents(tree: Tree, mains: Sequence[Path], cache: DocumentCache | None, digest: str) -> list[Document]:
    """The documents to read; one with a valid cache entry is not opened."""
    documents = []
    validator = Validator(tree, digest)
    for main in mains:
        cached = cache.get(tree.name(main.resolve())) if cache else None
        if cached is not None and validator.is_valid(cached):
            documents.append(Document(cached.main, cached.length, cached.others, cached))
            continue
        tree.log = AccessLog()
        file = tree.open(main.resolve())
        if file is not None:
            documents.append(open_document(tree, file))
    if not documents:
        raise SourceNotFound(str(tree.diagnostics[0]))
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
    macros: list[tuple[Macro, ...]] = field(default_factory=list)
    """The commands of each document."""

    def read(self, document: Document, scope: str, digest: str, cache: DocumentCache | None) -> tuple[CachedFile, ...]:
        """Read a document and store it in the cache, or take it from there.

        Args:
            document: The document.
            scope: What its labels are local to.
            digest: The digest of the settings.
            cache: Where the document is stored after it was read.

        Returns:
            The files that it was read from.
        """
        if isinstance(document.source, CachedDocument):
            own, files = unpack(document.source), document.source.files
            self.macros.append(document.source.macros)
            self.reading.spill.add([*own.statements, *own.proofs()])
        else:
            own, files = self._read(document, document.source, scope, digest, cache)
        numbers = printed_numbers(self.tree, self.tree.path(document.path), [file.path for file in files])
        for statement in own.statements if numbers else ():
            if statement.labels and statement.labels[0] in numbers:
                statement.number = numbers[statement.labels[0]]
        self.reading.extend(own)
        return files

    def _read(
        self, document: Document, opened: Opened, scope: str, digest: str, cache: DocumentCache | None
    ) -> tuple[Reading, tuple[CachedFile, ...]]:
        tree, own = self.tree, Reading(spill=self.reading.spill)
        log = tree.log = AccessLog(dict(opened.log.opened), dict(opened.log.lookups))
        dialect = make_dialect(opened.definitions, self.settings, self.overrides)
        file = tree.open(tree.path(document.path))
        if file is not None:
            Reader(dialect, own, scope, tree=tree, numbering=_numbering(opened.definitions)).read(file)
        tree.log = AccessLog()
        files = logged_files(tree, log)
        macros = tuple(opened.definitions.table.commands.values())
        self.macros.append(macros)
        if cache is not None:
            lookups = logged_lookups(tree, log)
            if sum(file.bytes for file in files) > MAX_HELD:
                # Too large to be kept beside the corpus; without a digest it is read again when a file changes.
                digest, own_parts = "", NOTHING
            else:
                own_parts = pack(own)
            about = (document.path, digest, scope, document.length, document.others)
            cache.put(CachedDocument(*about, files, lookups, macros, *own_parts))
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
