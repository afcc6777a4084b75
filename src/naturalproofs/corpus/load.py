"""Corpora from paths: build one from a source, or load a corpus folder."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus, Provenance, check_corpus, resolve
from naturalproofs.errors import NoStatements, RulesUnsupported, SourceNotFound
from naturalproofs.io.archives import given_source
from naturalproofs.io.files import current_bytes
from naturalproofs.io.listing import TEX_SUFFIXES, lies_in, name_of, path_of
from naturalproofs.io.memory import DiskList, Recomputed, collector_paused, limited_memory
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Draft, Rules
from naturalproofs.sources.account import as_diagnostics, folder_account, other_source
from naturalproofs.sources.latex import Macro, macros_of, without_list_settings
from naturalproofs.sources.pretext.keys import macro_definitions as pretext_macros
from naturalproofs.sources.reading.text_files import decode, first_encoding
from naturalproofs.sources.registry import Source, detect_source
from naturalproofs.sources.registry import source as source_named

_LATEX = (".tex", ".sty", ".cls")
_ENCODED = (*TEX_SUFFIXES, *_LATEX)


def build(
    source: Source,
    path: Path,
    *,
    name: str,
    rules: Rules = "fixed",
    progress: Progress = silent,
    low_memory: bool = False,
) -> Corpus:
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
    if rules == "paper" and not source.info.paper:
        known = "proofwiki, stacks, trench and stein only"
        raise RulesUnsupported(f"{path}: the paper's rules are known for {known}; build it by the fixed rules")
    if source.info.archives:
        path = given_source(path)
    elif not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder")
    with limited_memory(path), collector_paused():
        try:
            draft = source.read(path, name=name, rules=rules, progress=progress)
        except (NoStatements, SourceNotFound) as error:
            raise type(error)(f"{error}{other_source(path, source.info.name)}") from error
        statements, resolution, unresolved = resolve(draft, rules)
        account = folder_account(path, source.info.name, draft)
    root = draft.root or (path if path.is_dir() else path.parent)
    if not low_memory and not (isinstance(statements, DiskList) and statements.size > store.LARGE):
        statements, unresolved = tuple(statements), tuple(unresolved)
    corpus = Corpus(
        name,
        statements,
        _provenance(source, rules, draft),
        resolution,
        draft.inputs,
        unresolved,
        (*draft.diagnostics, *as_diagnostics(account, path, root)),
        anchors={} if low_memory else dict(draft.anchors),
        root=root,
        own_splits=draft.splits,
        summary=draft.summary,
        definitions=draft.macros,
        works=draft.bibliography,
        text_parts=() if low_memory else draft.parts,
        account=account,
    )
    check_corpus(corpus)
    if not statements:
        read = ", ".join(file.path for file in draft.inputs[:3]) + (" …" if len(draft.inputs) > 3 else "")
        kind = source.info.name
        raise NoStatements(f"{path}: no statements found in {read or 'it'}; is this really a source of kind {kind!r}?")
    return corpus


def load_corpus(path: Path | str, *, source: str | None = None, progress: Progress = silent) -> Corpus:
    """Load a corpus folder, or read a source.

    >>> from naturalproofs import load_corpus
    >>> from naturalproofs.data import primer_folder
    >>> load_corpus(primer_folder()).find("thm:lagrange").title
    'Lagrange'

    Args:
        path: A corpus made by ``naturalproofs build``, a LaTeX project or its main file.
        source: The name of the source, if the path is not a corpus: ``latex``, ``stacks``, ``proofwiki`` …; detected
            if None.
        progress: Called with work done and total work.
    """
    path = Path(path)
    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a corpus folder or a LaTeX project")
    if path.is_dir() and store.is_corpus(path):
        return store.load(path)
    return build(source_named(source or detect_source(path)), path, name=project_name(path), progress=progress)


def project_name(path: Path) -> str:
    """The name of a project: that of its folder, or of its main file without the suffix."""
    path = path.resolve()
    return name_of(path.name if path.is_dir() else path.stem) or "project"


def source_files(corpus: Corpus) -> list[Path]:
    """The source's files, and the files beside its main file and in its root folder: some may define macros."""
    if corpus.root is None:
        return []
    root, listed = corpus.root, listed_files(corpus)
    folders = dict.fromkeys([root, *(file.parent for file in listed[:1])])
    found = (file for folder in folders for suffix in _LATEX for file in sorted(folder.glob(f"*{suffix}")))
    beside = [file for file in found if lies_in(file, root)]
    return [file for file in dict.fromkeys([*beside, *listed]) if file.is_file()]


def source_encoding(corpus: Corpus) -> str:
    """The encoding of the source's files that declare none and are not UTF-8."""
    return first_encoding(file for file in listed_files(corpus) if file.name.endswith(_ENCODED))


def source_text(file: Path, encoding: str = "") -> str:
    """The current text of a source file; one that is not UTF-8 and declares nothing has the encoding that is given."""
    data = current_bytes(file)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return decode(data, encoding).text or ""


def listed_files(corpus: Corpus) -> list[Path]:
    """The files that were read for the statements."""
    return [] if corpus.root is None else [corpus.root / path_of(file.path) for file in corpus.inputs]


def macro_text(file: Path, listed: Collection[Path], encoding: str) -> str:
    """The text of a file, for the macros that it defines; how another document labels its lists is left out."""
    text = source_text(file, encoding)
    return text if file in listed else without_list_settings(text)


def source_macros(corpus: Corpus) -> dict[str, Macro]:
    """The macros of a corpus: those that its reader or its folder brings, then those of files beside its source."""
    is_pretext, listed = corpus.provenance.source == "pretext", frozenset(listed_files(corpus))
    encoding = source_encoding(corpus)

    def read(file: Path) -> str:
        text = macro_text(file, listed, encoding)
        return pretext_macros(text) if is_pretext and file.suffix not in _LATEX else text

    files = [file for file in source_files(corpus) if not corpus.definitions or file not in listed]
    return {**macros_of(Recomputed(read, files)), **macros_of([corpus.definitions])}


def macro_definitions(corpus: Corpus) -> str:
    """LaTeX that defines the macros of a source in LaTeX, PreTeXt or Markdown, one on each line."""
    written = corpus.provenance.source in ("pretext", "markdown")
    if corpus.root is None or not (written or any(file.path.endswith(TEX_SUFFIXES) for file in corpus.inputs)):
        return corpus.definitions
    macros = source_macros(corpus).values()
    return "".join(f"{' '.join(macro.definition().split())}\n" for macro in macros if macro.ending is None)


def _provenance(source: Source, rules: Rules, draft: Draft) -> Provenance:
    """What is known about the source, overridden by what its files say."""
    names = ("title", "authors", "licence", "url", "citation", "revision")
    about = {name: draft.about.get(name, getattr(source.info, name)) for name in names}
    return Provenance(source=source.info.name, rules=rules, split=source.info.split, **about)
