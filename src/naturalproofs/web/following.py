"""A project that is edited while it is served: what changed is read again, and answers go on meanwhile."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from naturalproofs.errors import NaturalProofsError
from naturalproofs.web.site import Site
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.shelf import Shelf

EVERY = 2.0
"""Seconds between two looks at the files."""

log = logging.getLogger("naturalproofs.web")


class Follower:
    """Looks at the files of the projects that a site serves."""

    def __init__(self, site: Site, paths: Sequence[str], method: str | None) -> None:
        """Bind a site and the paths it was opened from, in order."""
        self._site, self._paths = site, paths
        self._open: Callable[[str], Shelf] = lambda path: Library.open([path], method=method).shelves[0]
        self._seen = [_stamps(room.shelf) for room in site.rooms]

    def start(self) -> None:
        """Look every other moment, if there is a project to look at."""
        if any(room.shelf.root is not None for room in self._site.rooms):
            threading.Thread(target=self._run, name="following", daemon=True).start()

    def look(self) -> list[str]:
        """Read again what changed since the last look; the names of what was."""
        renewed = []
        for position, path in enumerate(self._paths):
            room = self._site.rooms[position]
            now = _stamps(room.shelf)
            if now == self._seen[position]:
                continue
            self._seen[position] = now
            try:
                shelf = self._open(path)
                self._site.renew(position, shelf)
            except (NaturalProofsError, OSError) as error:
                # Half an edit is no edit: what was read before stays, and the next change is looked at.
                log.warning("%s: not read again (%s)", room.name, error)
                continue
            self._seen[position] = _stamps(shelf)
            renewed.append(room.name)
        return renewed

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(EVERY):
            self.look()


def _stamps(shelf: Shelf) -> tuple[tuple[str, int, int], ...]:
    """When the files of a project were last written, and how large they are; nothing for a corpus folder."""
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
