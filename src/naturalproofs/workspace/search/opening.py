"""The search index of a path, from the cache if it is there."""

from __future__ import annotations

from contextlib import suppress
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
    """Open the index of a corpus or a project; if the index of a corpus is cached, its statements are not read.

    Args:
        path: A corpus folder, or a LaTeX project.
        kind: The name of the source, if the path is not a corpus.
        progress: Reports the progress of reading.
    """
    if path.is_dir() and store.is_corpus(path):
        fingerprint = store.load_manifest(path).files.get(store.STATEMENTS, "")
        with suppress(NotAnIndex, OSError):
            index = SearchIndex.open(cache_folder() / fingerprint[:16] / "search")
            if index.fingerprint == fingerprint:
                return index
    # A project is opened through its own index: if it is unchanged, it is not read again.
    shelf = Library.open([path], kind=kind, progress=progress).shelves[0]
    index = search_index(shelf.corpus, kept_folder(cache_folder(), shelf.corpus))
    return replace(index, macros=shelf.macros) if shelf.root is not None else index
