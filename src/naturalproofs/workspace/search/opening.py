"""The search index of a path: the one that is kept for exactly these statements, else one made anew and kept."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.errors import NotAnIndex
from naturalproofs.io.cache import cache_folder
from naturalproofs.progress import Progress, silent
from naturalproofs.workspace.kept import kept_folder, search_index
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.search.index import SearchIndex


def open_search(path: Path, kind: str = "latex", progress: Progress = silent) -> SearchIndex:
    """Open the index of a corpus or a project; of a corpus whose index is kept, not even the statements are read.

    Args:
        path: A corpus folder, or a LaTeX project.
        kind: The name of the source, if the path is not a corpus.
        progress: Told how far reading has come.
    """
    if path.is_dir() and store.is_corpus(path):
        fingerprint = store.load_manifest(path).files.get(store.STATEMENTS, "")
        with contextlib.suppress(NotAnIndex, OSError):
            return SearchIndex.open(cache_folder() / fingerprint[:16] / "search")
    # A project is opened through its own index: unchanged, it is not read again.
    shelf = Library.open([path], kind=kind, progress=progress).shelves[0]
    made = search_index(shelf.corpus, kept_folder(cache_folder(), shelf.corpus))
    return replace(made, macros=shelf.macros) if shelf.root is not None else made
