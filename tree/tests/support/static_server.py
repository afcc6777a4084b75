"""A plain static server."""

from http.server import SimpleHTTPRequestHandler


class QuietHandler(SimpleHTTPRequestHandler):
    """A plain static server without a log."""

    def log_message(self, *_: object) -> None:
        pass
