"""A web server on this machine that misbehaves as told."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Page:
    """What one address answers; lists are used up, one entry a request, and then the page behaves."""

    data: bytes = b""
    etag: str = ""
    modified: str = ""
    ranges: bool = True
    length: int | None = None
    """A Content-Length that is not true."""
    range_start: int | None = None
    """A Content-Range that was not asked for."""
    location: str = ""
    chunked: bool = False
    silent: bool = False
    cuts: list[int] = field(default_factory=list)
    """How many bytes of a body to send before the connection is cut."""
    failures: list[int] = field(default_factory=list)
    """Status codes to answer with."""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """Pages by path, and what was asked."""

    url: str
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def address(self, path: str) -> str:
        return f"{self.url}{path}"

    def ranges(self) -> list[str | None]:
        """The Range of each request so far."""
        return [headers.get("Range") for _, headers in self.asked]


class _Server(ThreadingHTTPServer):
    site: Site
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no news here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        site = self.server.site
        site.asked.append((self.path, dict(self.headers)))
        # A proxy is asked for whole addresses.
        page = site.pages.get(re.sub(r"^http://[^/]+", "", self.path).split("?")[0])
        self.close_connection = True
        if page is None:
            self.send_error(404)
        elif page.silent:
            site.closing.wait()
        elif page.failures:
            self._fail(page)
        elif page.location:
            self.send_response(302)
            self.send_header("Location", page.location)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._send(page)

    def _fail(self, page: Page) -> None:
        self.send_response(page.failures.pop(0))
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, page: Page) -> None:
        start = self._start(page)
        if start is not None and start >= len(page.data):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(page.data)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = page.data[start or 0 :]
        self.send_response(200 if start is None else 206)
        if start is not None:
            said = start if page.range_start is None else page.range_start
            self.send_header("Content-Range", f"bytes {said}-{len(page.data) - 1}/{len(page.data)}")
        for name, value in (("ETag", page.etag), ("Last-Modified", page.modified)):
            if value:
                self.send_header(name, value)
        if page.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body) if page.length is None else page.length))
        self.end_headers()
        sent = body[: page.cuts.pop(0)] if page.cuts else None
        whole = body if sent is None else sent
        if page.chunked:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(whole), whole) if whole else b"")
            self.wfile.write(b"" if sent is not None else b"0\r\n\r\n")
        else:
            self.wfile.write(whole)

    def _start(self, page: Page) -> int | None:
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        condition = self.headers.get("If-Range")
        if asked is None or not page.ranges or (condition and condition not in (page.etag, page.modified)):
            return None
        return int(asked[1])


@contextmanager
def web_site() -> Iterator[Site]:
    """Serve pages until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.site = Site(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server.site
    finally:
        server.site.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
