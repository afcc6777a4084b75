"""What people use from Python: ``from naturalproofs import load_corpus, suggest``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import LoadedCorpus, load_path
from naturalproofs.records import Statement, StatementId
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.shelf import Shelf
from naturalproofs.workspace.suggest import Suggestions


def load_corpus(path: Path | str, *, source: str = "latex") -> Corpus:
    """Load a corpus folder, or read a source.

    Args:
        path: A corpus made by ``naturalproofs build``, a LaTeX project or its main file.
        source: The name of the source, if the path is not a corpus: ``latex``, ``stacks``, ``proofwiki`` …
    """
    return load_path(Path(path), source).corpus


def suggest(
    query: str | Statement,
    corpus: Corpus | Library | Path | str,
    *,
    k: int = 10,
    method: str | None = None,
    cited: Sequence[StatementId] = (),
) -> Suggestions:
    """What a proof may want to cite, best first.

    Opening a corpus takes longer than asking it: for many questions, open a `Library` once and ask that.

    Args:
        query: A theorem in LaTeX, or a statement of the corpus, for which only what may be used is suggested.
        corpus: A corpus, a library, or the path of a corpus or a project.
        k: How many.
        method: What suggests; the default method if None. A library has its own.
        cited: What the proof cites already.
    """
    if isinstance(corpus, Corpus):
        library = Library.of([Shelf(LoadedCorpus(corpus, (), ()), method)])
    elif isinstance(corpus, Library):
        library = corpus
    else:
        library = Library.open([corpus], method=method)
    return library.suggest(query, k=k, cited=cited)
