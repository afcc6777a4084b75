"""Projects that are edited while they are served: changed files are read again in the background."""

from __future__ import annotations

import logging
import threading

from naturalproofs.errors import NaturalProofsError
from naturalproofs.web.site import Site

INTERVAL = 2.0
"""Seconds between two checks."""

log = logging.getLogger("naturalproofs.web")


class Watcher:
    """Polls the files of the projects that a site serves."""

    def __init__(self, site: Site) -> None:
        """Bind a site."""
        self._site = site

    def start(self) -> None:
        """Poll in a thread, if there is a project to watch."""
        if any(corpus.opened.root is not None for corpus in self._site.corpora):
            threading.Thread(target=self._run, name="watcher", daemon=True).start()

    def check(self) -> list[str]:
        """Read again what changed since the last check; the names of those projects."""
        try:
            return self._site.refresh()
        except (NaturalProofsError, OSError) as error:
            # The last good reading stays until the next change.
            log.warning("not read again (%s)", error)
            return []

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self.check()
