"""Any LaTeX project: from a main file or a folder to its statements, proofs and citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from naturalproofs.errors import SourceNotFound, UnknownName
from naturalproofs.records import Draft, Rules
from naturalproofs.sources.latex.auxiliary import printed_numbers
from naturalproofs.sources.latex.dialect import Dialect, make_dialect
from naturalproofs.sources.latex.documents import Document, are_linked, borrowed, in_order, open_document, prefixes
from naturalproofs.sources.latex.drafts import StatementDraft
from naturalproofs.sources.latex.finish import finish
from naturalproofs.sources.latex.frames import Reading
from naturalproofs.sources.latex.main_file import ambiguous, find_main
from naturalproofs.sources.latex.numbering import Numbering
from naturalproofs.sources.latex.profile import Heading
from naturalproofs.sources.latex.project_reader import ProjectReader
from naturalproofs.sources.latex.settings import Settings, check_roles, read_settings
from naturalproofs.sources.latex.tree import Refused, Tree
from naturalproofs.sources.latex.words import Role
from naturalproofs.sources.source import Progress, SourceInfo, silent

INFO = SourceInfo(name="latex", title="A LaTeX project", authors="", licence="", url="", split="leaf")


@dataclass(frozen=True)
class Project:
    """A LaTeX project: a main file or the folder that holds it."""

    info: SourceInfo = INFO
    environments: Mapping[str, Role] = field(default_factory=dict)
    """What environments hold, whatever the project says."""

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read the main file and all it includes; a folder of documents tied by \\externaldocument is read whole."""
        if rules == "paper":
            raise UnknownName(
                "the paper's rules are known for stacks, trench and stein only; read a LaTeX project by the fixed rules"
            )
        overrides = check_roles(self.environments, "environments")
        path = path.resolve()
        root = path if path.is_dir() else path.parent
        settings = read_settings(root)
        reading = Reading()
        tree = Tree(root, reading.diagnostics)
        documents = _documents(tree, path, settings)
        many = len(documents) > 1
        for done, document in enumerate(documents):
            progress(done, len(documents))
            _read(
                document,
                tree,
                reading,
                _with_titles(settings) if many else settings,
                overrides,
                scope=document.scope if many else "",
            )
        progress(len(documents), len(documents))
        return finish(
            reading,
            corpus=name,
            document=name,
            inputs=tree.inputs,
            categories=_categories,
            numbered=True,
            about=dict(settings.about),
            prefixes=prefixes(documents) if many else None,
            borrowed=borrowed(tree, documents, scoped=many),
        )


def _documents(tree: Tree, path: Path, settings: Settings) -> list[Document]:
    """The documents to read, in order."""
    mains = _mains(tree, path, settings)
    documents = []
    for main in mains:
        complaints = len(tree.diagnostics)
        file = tree.open(main.resolve())
        if file is not None:
            documents.append(open_document(tree, file))
        elif len(mains) == 1:
            raise SourceNotFound(str(tree.diagnostics[complaints]))
    if not documents or (len(documents) > 1 and not are_linked(documents)):
        raise ambiguous(path, mains)
    return in_order(documents)


def _mains(tree: Tree, path: Path, settings: Settings) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    if not settings.main:
        return find_main(path)
    found = tree.find(settings.main, (tree.root,), ("", ".tex"))
    if isinstance(found, Refused):
        raise SourceNotFound(f"{path}: main = {settings.main!r} in naturalproofs.toml: {found.message}")
    return [found]


def _read(
    document: Document, tree: Tree, reading: Reading, settings: Settings, overrides: Mapping[str, Role], *, scope: str
) -> None:
    dialect = make_dialect(document.gathered, settings, overrides)
    before = len(reading.statements)
    ProjectReader(dialect, reading, tree, _numbering(dialect)).read_document(document.file, scope)
    numbers = printed_numbers(tree, tree.root / document.file.path)
    for draft in reading.statements[before:]:
        if draft.labels and draft.labels[0] in numbers:
            draft.number = numbers[draft.labels[0]]


def _numbering(dialect: Dialect) -> Numbering:
    """The counters as they are when the document begins to be read."""
    gathered = dialect.gathered
    numbering = Numbering(gathered.document_class, dialect.declarations, chapters=gathered.chapters)
    for text, count in gathered.counts:
        numbering.command(count.command, text, count.offset)
    for name, other in gathered.aliases.items():
        if name.startswith("c@") and other.startswith("c@"):
            numbering.share(name[2:], other[2:])
    for macro in gathered.packaged:
        numbering.define_format(macro.name, macro.body)
    return numbering


def _with_titles(settings: Settings) -> Settings:
    """Where there are several documents, each is a chapter."""
    return replace(settings, headings={"title": Heading(0), **settings.headings})


def _categories(draft: StatementDraft) -> tuple[str, ...]:
    return (draft.chapter or draft.section,) if draft.chapter or draft.section else ()


LATEX = Project()
