"""Any LaTeX project: from a main file or a folder to its statements, proofs and citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from naturalproofs.errors import SourceNotFound, UnknownName
from naturalproofs.latex.builders import Reading, StatementBuilder
from naturalproofs.latex.cache import CachedFile, DocumentCache, Freshness, language_of, trail_files
from naturalproofs.latex.documents import (
    Document,
    DocumentReader,
    are_linked,
    external_labels,
    in_order,
    open_document,
    prefixes,
)
from naturalproofs.latex.kinds import Role
from naturalproofs.latex.main_file import ambiguous, find_main
from naturalproofs.latex.resolve_labels import resolve_labels
from naturalproofs.latex.settings import Settings, check_roles, read_settings
from naturalproofs.latex.tree import Refused, Trail, Tree
from naturalproofs.latex.vocabulary import Heading
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Draft, Rules
from naturalproofs.source import SourceInfo

INFO = SourceInfo(name="latex", title="A LaTeX project", authors="", licence="", url="", split="leaf")


@dataclass(frozen=True)
class Project:
    """A LaTeX project: a main file or the folder that holds it."""

    info: SourceInfo = INFO
    environments: Mapping[str, Role] = field(default_factory=dict)
    """What environments hold, whatever the project says."""

    keeper: DocumentCache | None = field(default=None, compare=False, repr=False)
    """Keeps documents between runs, so that only those whose files changed are read again."""

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
        tree = Tree(root, [])
        mains = _mains(tree, path, settings)
        language = settings_digest(settings, overrides, several=len(mains) > 1)
        documents = _documents(tree, path, mains, self.keeper, language)
        many = len(documents) > 1
        files: dict[str, CachedFile] = {}
        _add_files(files, tree, documents)
        documents = in_order(documents)
        reader = DocumentReader(tree, reading, with_titles(settings) if many else settings, overrides)
        for done, document in enumerate(documents):
            progress(done, len(documents))
            read = reader.read(document, document.scope if many else "", language, self.keeper)
            files.update({file.path: file for file in read if file.path not in files})
        progress(len(documents), len(documents))
        lent = external_labels(tree, documents, scoped=many)
        inputs = {file.path: file.input for file in files.values() if file.sha256}
        inputs.update({file.path: file for file in tree.inputs if file.path not in inputs})
        reading.diagnostics[:0] = [complaint for file in files.values() for complaint in file.complaints]
        return resolve_labels(
            reading,
            corpus=name,
            document=name,
            inputs=inputs.values(),
            categories=categories,
            numbered=True,
            about=dict(settings.about),
            prefixes=prefixes(documents) if many else None,
            external_labels=lent,
        )


def _documents(
    tree: Tree, path: Path, mains: Sequence[Path], keeper: DocumentCache | None, language: str
) -> list[Document]:
    """The documents to read; one that was kept and still holds is not opened."""
    documents = []
    freshness = Freshness(tree, language)
    for main in mains:
        kept = keeper.known(main.resolve().relative_to(tree.root).as_posix()) if keeper else None
        if kept is not None and freshness.holds(kept):
            documents.append(Document(kept.main, kept.length, kept.others, kept=kept))
            continue
        complaints = len(tree.diagnostics)
        tree.trail = Trail()
        file = tree.open(main.resolve())
        if file is not None:
            documents.append(open_document(tree, file))
        elif len(mains) == 1:
            raise SourceNotFound(str(tree.diagnostics[complaints]))
    if not documents or (len(documents) > 1 and not are_linked(documents)):
        raise ambiguous(path, mains)
    return documents


def _add_files(files: dict[str, CachedFile], tree: Tree, documents: Sequence[Document]) -> None:
    """The files that finding out about the documents took, each once, in order."""
    for document in documents:
        if document.kept is not None:
            found = document.kept.files[: document.kept.discovered]
        else:
            found = trail_files(tree, document.language.trail) if document.language else ()
        files.update({file.path: file for file in found if file.path not in files})


def _mains(tree: Tree, path: Path, settings: Settings) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    if not settings.main:
        return find_main(path)
    found = tree.find(settings.main, (tree.root,), ("", ".tex"))
    if isinstance(found, Refused):
        raise SourceNotFound(f"{path}: main = {settings.main!r} in naturalproofs.toml: {found.message}")
    return [found]


def settings_digest(settings: Settings, overrides: Mapping[str, Role], *, several: bool) -> str:
    """The hash of all that reading one of one or several documents depends on besides its files."""
    return language_of((settings, sorted(overrides.items()), several))


def with_titles(settings: Settings) -> Settings:
    """Where there are several documents, each is a chapter."""
    return replace(settings, headings={"title": Heading(0), **settings.headings})


def categories(draft: StatementBuilder) -> tuple[str, ...]:
    """A statement is filed under its chapter, or else its section."""
    return (draft.chapter or draft.section,) if draft.chapter or draft.section else ()


LATEX = Project()
