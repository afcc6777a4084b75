"""What was made from a corpus once and is only opened afterwards: its search index, and its terms for suggesting.

Everything is known by the hash of the corpus, so nothing kept is ever stale; workers and later starts share it.
"""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.io.files import write_atomic
from naturalproofs.workspace.index.terms import cut_again
from naturalproofs.workspace.lexical.forward import Forward
from naturalproofs.workspace.methods import chosen_method, in_arrays
from naturalproofs.workspace.search import SearchIndex
from naturalproofs.workspace.shelf import Shelf

MOST = 20
"""Corpora whose things are kept."""
_NAME = re.compile(r"[0-9a-f]{16}")


def kept_folder(cache: Path | None, corpus: Corpus) -> Path | None:
    """Where the things of one corpus are kept; None if nothing is to be kept, or cannot be."""
    if cache is None:
        return None
    folder = cache / content_hash(corpus)[:16]
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _forget(cache)
        folder.touch()
    except OSError:
        return None
    return folder


def _forget(cache: Path) -> None:
    """Remove what was not used for longest: a project that is edited is another corpus each time."""
    folders = [path for path in cache.iterdir() if _NAME.fullmatch(path.name) and path.is_dir()]
    for old in sorted(folders, key=lambda path: path.stat().st_mtime, reverse=True)[MOST:]:
        shutil.rmtree(old, ignore_errors=True)


def search_index(corpus: Corpus, kept: Path | None) -> SearchIndex:
    """The search index of a corpus: opened if it is cached, else built, and cached if that is possible."""
    return SearchIndex.open_or_build(corpus, kept / "search" if kept is not None else None)


def prepared(shelf: Shelf, kept: Path | None) -> Shelf:
    """Give a shelf what its method may take from the cache, where it has no index of its own."""
    if kept is None:
        return shelf
    if shelf.folder is None:
        shelf.folder = kept
    if shelf.forward is None and in_arrays(chosen_method(shelf.method, placed=shelf.placed)):
        shelf.forward = _terms(shelf, kept / "terms.msgpack")
    return shelf


def _terms(shelf: Shelf, file: Path) -> Forward:
    """The terms of the statements, cut once."""
    try:
        old = file.read_bytes()
    except OSError:
        old = None
    forward, new, _ = cut_again(shelf.candidates, old)
    if new is not None:
        # As above: what cannot be kept will be cut again next time.
        with suppress(OSError):
            write_atomic(file, new)
    return forward
