"""The graph page of a corpus as it is sent: its start at once, and the rest, which may have megabytes, when made."""

from __future__ import annotations

import zlib

from naturalproofs.report.graph_page import GraphPage
from naturalproofs.web.lazy import Lazy

LEVEL = 6
"""Of the compression: a higher one takes twice as long for 2 % less."""
GZIP = 16 + zlib.MAX_WBITS
FAILED = '<p class="sorry" role="alert">The server could not draw the graph: {}. Load the page again later.</p>'


class WholeGraph:
    """The two parts of a graph page, plain and compressed; the second is made on first use."""

    def __init__(self, page: GraphPage) -> None:
        """Bind the page."""
        self.policy = page.policy
        self.start = page.start.encode()
        self.rest = Lazy(lambda: page.rest().encode("utf-8", "replace"))
        compressor = zlib.compressobj(LEVEL, wbits=GZIP)
        # The browser can show what comes before a flush.
        self.compressed_start = compressor.compress(self.start) + compressor.flush(zlib.Z_SYNC_FLUSH)
        self._compressor = compressor
        self.compressed_rest = Lazy(lambda: self._compressed(self.rest()))

    def _compressed(self, rest: bytes) -> bytes:
        compressor = self._compressor.copy()
        return compressor.compress(rest) + compressor.flush()

    def failed(self, reason: str, *, compressed: bool) -> bytes:
        """What stands in place of the rest if it cannot be made; the reason must not hold markup."""
        text = FAILED.format(reason).encode()
        return self._compressed(text) if compressed else text
