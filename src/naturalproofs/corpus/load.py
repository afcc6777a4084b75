"""Corpora from paths: build one from a source, or load a corpus folder."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus, Provenance, check_corpus
from naturalproofs.corpus.resolve import Unresolved, resolve
from naturalproofs.errors import NoStatements, SourceNotFound
from naturalproofs.io.archives import given_source
from naturalproofs.io.listing import TEX_SUFFIXES, lies_in
from naturalproofs.io.memory import DiskList, Recomputed, collector_paused
from naturalproofs.io.unsaved import current_bytes
from naturalproofs.latex.macros.list_labels import without_list_settings
from naturalproofs.latex.macros.table import macros_of
from naturalproofs.pretext.citations import macro_definitions as pretext_macros
from naturalproofs.progress import Progress, silent
from naturalproofs.reading.text_files import decode, first_encoding
from naturalproofs.records import Anchor, BibliographyEntry, Diagnostic, Draft, Rules, Split
from naturalproofs.source import Source, detect_source, source

_LATEX = (".tex", ".sty", ".cls")
_ENCODED = (*TEX_SUFFIXES, *_LATEX)


@dataclass(frozen=True, slots=True)
class LoadedCorpus:
    """A corpus, what was reported while it was built, and its source if that is available."""

    corpus: Corpus
    unresolved: Sequence[Unresolved] = ()
    """A tuple, or a list on disk if there are many."""
    diagnostics: tuple[Diagnostic, ...] = ()
    anchors: dict[str, Anchor] | None = None
    """Every label of the source, those of sections and equations included; a corpus folder does not store them."""
    root: Path | None = None
    """The folder that paths of the source are relative to."""
    splits: dict[str, Split] = field(default_factory=dict)
    """Splits that the source provides; empty for most."""
    summary: str = ""
    """One line: which documents were read, and what others there are."""
    macros: str = ""
    """Definitions of the macros of a stored or exported corpus; those of another source are in its files."""
    bibliography: tuple[BibliographyEntry, ...] = ()
    """The other works that a stored or exported corpus lists; those of another source are in its files."""


def build(
    source: Source,
    path: Path,
    *,
    name: str,
    rules: Rules = "fixed",
    progress: Progress = silent,
    low_memory: bool = False,
) -> LoadedCorpus:
    """Read a source, resolve its references and check the result.

    Args:
        source: The reader for this kind of source.
        path: The source's file or folder.
        name: The name of the corpus.
        rules: Which reading rules to apply.
        progress: Called with work done and total work.
        low_memory: Leave statements on disk wherever the source put them there, not only if there are many, and drop
            the labels. This saves memory, but every access to a statement reads it from disk.
    """
    if source.info.archives:
        path = given_source(path)
    elif not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder")
    with collector_paused():
        draft = source.read(path, name=name, rules=rules, progress=progress)
        statements, resolution, unresolved = resolve(draft, rules)
    if not low_memory and not (isinstance(statements, DiskList) and statements.size > store.LARGE):
        statements, unresolved = tuple(statements), tuple(unresolved)
    corpus = Corpus(name, statements, _provenance(source, rules, draft), resolution, draft.inputs)
    check_corpus(corpus)
    if not statements:
        read = ", ".join(file.path for file in draft.inputs[:3]) + (" …" if len(draft.inputs) > 3 else "")
        kind = source.info.name
        raise NoStatements(f"{path}: no statements found in {read or 'it'}; is this really a source of kind {kind!r}?")
    return LoadedCorpus(
        corpus,
        unresolved,
        draft.diagnostics,
        anchors=None if low_memory else dict(draft.anchors),
        root=draft.root or (path if path.is_dir() else path.parent),
        splits=draft.splits,
        summary=draft.summary,
        macros=draft.macros,
        bibliography=draft.bibliography,
    )


def load_path(path: Path, kind: str | None = None, progress: Progress = silent) -> LoadedCorpus:
    """Load a corpus folder, or build a corpus from a source in memory.

    Args:
        path: A corpus folder, or a project, or its main file.
        kind: The name of the source, if the path is not a corpus; detected if None.
        progress: Called with work done and total work.
    """
    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a corpus folder or a LaTeX project")
    if path.is_dir() and store.is_corpus(path):
        reports = store.load_reports(path)
        return LoadedCorpus(
            store.load(path), *reports, macros=store.load_macros(path), bibliography=store.load_bibliography(path)
        )
    return build(source(kind or detect_source(path)), path, name=project_name(path), progress=progress)


def load_corpus(path: Path | str, *, source: str | None = None) -> Corpus:
    """Load a corpus folder, or read a source.

    >>> from naturalproofs import load_corpus
    >>> from naturalproofs.data import primer_folder
    >>> load_corpus(primer_folder()).find("thm:lagrange").title
    'Lagrange'

    Args:
        path: A corpus made by ``naturalproofs build``, a LaTeX project or its main file.
        source: The name of the source, if the path is not a corpus: ``latex``, ``stacks``, ``proofwiki`` …; detected
            if None.
    """
    return load_path(Path(path), source).corpus


def project_name(path: Path) -> str:
    """The name of a project: that of its folder, or of its main file without the suffix."""
    resolved = path.resolve()
    return (resolved.name if resolved.is_dir() else resolved.stem) or "project"


def source_files(loaded: LoadedCorpus) -> list[Path]:
    """The source's files, and the files beside its main file and in its root folder: some may define macros."""
    if loaded.root is None:
        return []
    root = loaded.root
    listed = [root / file.path for file in loaded.corpus.inputs]
    folders = dict.fromkeys([root, *(file.parent for file in listed[:1])])
    found = (file for folder in folders for suffix in _LATEX for file in sorted(folder.glob(f"*{suffix}")))
    beside = [file for file in found if lies_in(file, root)]
    return [file for file in dict.fromkeys([*beside, *listed]) if file.is_file()]


def source_encoding(loaded: LoadedCorpus) -> str:
    """The encoding of the source's files that declare none and are not UTF-8."""
    root = loaded.root
    return (
        ""
        if root is None
        else first_encoding(root / one.path for one in loaded.corpus.inputs if one.path.endswith(_ENCODED))
    )


def source_text(file: Path, encoding: str = "") -> str:
    """The current text of a source file; one that is not UTF-8 and declares nothing has the encoding that is given."""
    data = current_bytes(file)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return decode(data, encoding).text or ""


def listed_files(loaded: LoadedCorpus) -> frozenset[Path]:
    """The files that were read for the statements."""
    return frozenset() if loaded.root is None else frozenset(loaded.root / file.path for file in loaded.corpus.inputs)


def macro_text(file: Path, listed: Collection[Path], encoding: str) -> str:
    """The text of a file, for the macros that it defines; how another document labels its lists is left out."""
    text = source_text(file, encoding)
    return text if file in listed else without_list_settings(text)


def source_texts(loaded: LoadedCorpus) -> Iterable[str]:
    """The texts of the source's files and style files, or what a stored corpus brings, for the macros they define."""
    if loaded.macros:
        return (loaded.macros,)
    is_pretext, listed = loaded.corpus.provenance.source == "pretext", listed_files(loaded)
    encoding = source_encoding(loaded)

    def read(file: Path) -> str:
        text = macro_text(file, listed, encoding)
        return pretext_macros(text) if is_pretext and file.suffix not in _LATEX else text

    return Recomputed(read, source_files(loaded))


def macro_definitions(loaded: LoadedCorpus) -> str:
    """LaTeX that defines the macros of a source in LaTeX, PreTeXt or Markdown, one on each line."""
    if loaded.macros:
        return loaded.macros
    written = loaded.corpus.provenance.source in ("pretext", "markdown")
    if not written and not any(file.path.endswith(TEX_SUFFIXES) for file in loaded.corpus.inputs):
        return ""
    macros = macros_of(source_texts(loaded)).values()
    return "".join(f"{' '.join(macro.definition().split())}\n" for macro in macros if macro.ending is None)


def _provenance(source: Source, rules: Rules, draft: Draft) -> Provenance:
    """What is known about the source, overridden by what its files say."""
    names = ("title", "authors", "licence", "url", "citation", "revision")
    about = {name: draft.about.get(name, getattr(source.info, name)) for name in names}
    return Provenance(source=source.info.name, rules=rules, split=source.info.split, **about)
