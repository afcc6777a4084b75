"""Projects that are edited while they are served: changed files are read again in the background."""

from __future__ import annotations

import logging
import threading

from naturalproofs.errors import NaturalProofsError
from naturalproofs.web.site import Site

INTERVAL = 2.0
"""Seconds between two checks."""

log = logging.getLogger("naturalproofs.web")


class LiveSite:
    """The current state of a site. Requests take it once and keep it."""

    def __init__(self, site: Site) -> None:
        """Start with a site."""
        self.site = site

    def watch(self) -> None:
        """Poll the files in a thread, if there is a project to watch."""
        if any(corpus.opened.root is not None for corpus in self.site.corpora):
            threading.Thread(target=self._poll, name="watcher", daemon=True).start()

    def refresh(self) -> bool:
        """Read changed projects again; whether there were any."""
        before = self.site
        try:
            self.site = before.refresh()
        except (NaturalProofsError, OSError) as error:
            # The last good state stays until the next change.
            log.warning("not read again (%s)", error)
        return self.site is not before

    def _poll(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self.refresh()
