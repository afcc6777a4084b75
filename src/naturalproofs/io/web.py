"""Asking web servers for files with the standard library: proxies, redirects, and which faults may pass."""

from __future__ import annotations

import errno
import http.client
import re
import socket
import ssl
from dataclasses import dataclass, field
from email.message import Message
from typing import IO, TypeAlias
from urllib import request as urls
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from naturalproofs import __version__

Response: TypeAlias = "http.client.HTTPResponse"

_PASSING = {408, 425, 429, 500, 502, 503, 504}
"""Answers after which it is worth asking again."""
_LONGEST_WAIT = 60.0
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach servers, and how patiently."""

    proxy: str = ""
    """A proxy for all servers; without one, those of the environment (``https_proxy``, ``no_proxy`` …) are used."""
    timeout: float = 30.0
    """Seconds without a byte after which a connection counts as dead."""
    retries: int = 4
    """How often to ask again when nothing new has come."""
    backoff: float = 1.0
    """Seconds before the first new attempt; they double every time."""


USUAL = Connection()


class Fault(Exception):
    """A server could not be asked, or did not answer well."""

    def __init__(self, reason: str, *, passing: bool, wait: float = 0.0) -> None:
        """Say what happened, whether it may pass, and how long the server asks us to wait."""
        super().__init__(reason)
        self.passing = passing
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer, of which the body is still to be read."""

    body: Response = field(repr=False)
    start: int
    """Where in the file the body begins: 0, unless the server heeds the range that was asked for."""
    total: int | None
    """How long the whole file is, if the server says so."""
    validator: str
    """Names this version of the file; empty if the server does not."""


def ask(url: str, connection: Connection, *, start: int = 0, validator: str = "") -> Answer:
    """Ask for a file, from a byte on if it is still the version that the validator names.

    Raises:
        Fault: If there is no answer, or one that holds no file.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise Fault("only http and https addresses can be fetched", passing=False)
    headers = {"User-Agent": f"naturalproofs/{__version__}", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if validator:
            headers["If-Range"] = validator
    try:
        body: Response = _opener(connection).open(urls.Request(url, headers=headers), timeout=connection.timeout)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise fault(error) from error
    return _answer(body)


class RangeRefused(Fault):
    """The file is not as long as was thought."""

    def __init__(self) -> None:
        """Name the fault."""
        super().__init__("the server does not have the rest of the file", passing=True)


def fault(error: Exception) -> Fault:
    """What an error of the network means for us."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, HTTPError):
        with error:
            if error.code == 416:
                return RangeRefused()
            reason = f"HTTP {error.code} {_told(error.reason)}"
            return Fault(reason, passing=error.code in _PASSING, wait=_retry_after(error.headers))
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, TimeoutError):
        return Fault("no answer in time", passing=True)
    if isinstance(cause, http.client.IncompleteRead):
        return Fault("the connection was cut", passing=True)
    offline = isinstance(cause, socket.gaierror) or getattr(cause, "errno", None) == errno.ENETUNREACH
    if offline or isinstance(cause, ssl.SSLCertVerificationError):
        # Neither a network that is not there nor a certificate that nobody trusts gets better within a minute.
        return Fault(_told(cause), passing=False)
    passing = isinstance(cause, (OSError, http.client.HTTPException)) and not isinstance(cause, http.client.InvalidURL)
    return Fault(_told(cause), passing=passing)


def _told(cause: object) -> str:
    text = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return " ".join(str(text).split())


class _Redirects(urls.HTTPRedirectHandler):
    """Follows redirects, but not from a protected connection to an open one."""

    def redirect_request(
        self, req: urls.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urls.Request | None:
        if urlsplit(req.full_url).scheme == "https" and urlsplit(newurl).scheme != "https":
            raise Fault("the server leads from https to an address without it", passing=False)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def _opener(connection: Connection) -> urls.OpenerDirector:
    """An opener for the web only: urllib's usual one would read local files and speak FTP."""
    proxies = {"http": connection.proxy, "https": connection.proxy} if connection.proxy else None
    opener = urls.OpenerDirector()
    for handler in (
        urls.ProxyHandler(proxies),
        urls.UnknownHandler(),
        urls.HTTPHandler(),
        urls.HTTPSHandler(),
        urls.HTTPDefaultErrorHandler(),
        _Redirects(),
        urls.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


def _answer(body: Response) -> Answer:
    headers = body.headers
    # A body that comes in chunks says its length by ending.
    length = None if "Transfer-Encoding" in headers else _number(headers.get("Content-Length"))
    etag = headers.get("ETag", "")
    # A weak tag does not promise the same bytes; a date is better than that.
    validator = etag if etag and not etag.startswith("W/") else headers.get("Last-Modified", "")
    if body.status != 206:
        return Answer(body, 0, length, validator)
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", "").strip())
    if found is None:
        body.close()
        raise RangeRefused
    total = None if found[2] == "*" else int(found[2])
    return Answer(body, int(found[1]), total, validator)


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None


def _retry_after(headers: Message) -> float:
    """Seconds; the date that a server may send instead is not worth a calendar."""
    return min(float(_number(headers.get("Retry-After")) or 0), _LONGEST_WAIT)
