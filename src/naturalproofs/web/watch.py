"""Projects that are edited while they are served: changed files are read again in the background."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from naturalproofs.errors import NaturalProofsError
from naturalproofs.web.site import Site
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.shelf import Shelf

INTERVAL = 2.0
"""Seconds between two checks."""

log = logging.getLogger("naturalproofs.web")


class Watcher:
    """Polls the files of the projects that a site serves."""

    def __init__(self, site: Site, paths: Sequence[str], method: str | None) -> None:
        """Bind a site and the paths it was opened from, in order."""
        self._site, self._paths = site, paths
        self._open: Callable[[str], Shelf] = lambda path: Library.open([path], method=method).shelves[0]
        self._seen = [_stamps(corpus.shelf) for corpus in site.corpora]

    def start(self) -> None:
        """Poll in a thread, if there is a project to watch."""
        if any(corpus.shelf.root is not None for corpus in self._site.corpora):
            threading.Thread(target=self._run, name="watcher", daemon=True).start()

    def check(self) -> list[str]:
        """Read again what changed since the last check; the names of those projects."""
        renewed = []
        for position, path in enumerate(self._paths):
            corpus = self._site.corpora[position]
            now = _stamps(corpus.shelf)
            if now == self._seen[position]:
                continue
            self._seen[position] = now
            try:
                shelf = self._open(path)
                self._site.replace(position, shelf)
            except (NaturalProofsError, OSError) as error:
                # The last good reading stays until the next change.
                log.warning("%s: not read again (%s)", corpus.name, error)
                continue
            self._seen[position] = _stamps(shelf)
            renewed.append(corpus.name)
        return renewed

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self.check()


def _stamps(shelf: Shelf) -> tuple[tuple[str, int, int], ...]:
    """Modification times and sizes of the files of a project; empty for a corpus folder."""
    if shelf.root is None:
        return ()
    found = []
    for file in shelf.corpus.inputs:
        try:
            about = (shelf.root / file.path).stat()
            found.append((file.path, about.st_mtime_ns, about.st_size))
        except OSError:
            found.append((file.path, 0, 0))
    return tuple(found)
