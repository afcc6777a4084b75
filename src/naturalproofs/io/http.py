"""HTTP requests for files with the standard library: proxies, redirects, and which errors are transient."""

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

_TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
"""HTTP status codes after which a retry may succeed."""
_LONGEST_WAIT = 60.0
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class Connection:
    """Proxy, timeout and retries."""

    proxy: str = ""
    """A proxy for all servers; empty for those of the environment (``https_proxy``, ``no_proxy`` …)."""
    timeout: float = 30.0
    """Seconds without data after which a connection is closed."""
    retries: int = 4
    """Number of retries without new data."""
    backoff: float = 1.0
    """Seconds before the first retry; doubled for each further one."""


DEFAULT_CONNECTION = Connection()


class TransferError(Exception):
    """A request failed."""

    def __init__(self, reason: str, *, transient: bool, wait: float = 0.0) -> None:
        """Set the reason, whether a retry may succeed, and the seconds to wait that the server asks for."""
        super().__init__(reason)
        self.transient = transient
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Answer:
    """A response whose body is not read yet."""

    body: Response = field(repr=False)
    start: int
    """Position of the body in the file: 0, unless the server supports the requested range."""
    total: int | None
    """Size of the whole file, if known."""
    validator: str
    """ETag or date of this version of the file; empty if there is none."""


def open_url(url: str, connection: Connection, *, start: int = 0, validator: str = "") -> Answer:
    """Request a file, from a position on if it is still the version of the validator.

    Raises:
        TransferError: If there is no answer, or one that holds no file.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise TransferError("only http and https addresses can be fetched", transient=False)
    headers = {"User-Agent": f"naturalproofs/{__version__}", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if validator:
            headers["If-Range"] = validator
    try:
        body: Response = _opener(connection).open(urls.Request(url, headers=headers), timeout=connection.timeout)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise transfer_error(error) from error
    return _answer(body)


class RangeRefused(TransferError):
    """The requested range does not exist."""

    def __init__(self) -> None:
        """Set the reason."""
        super().__init__("the server does not have the rest of the file", transient=True)


def transfer_error(error: Exception) -> TransferError:
    """The transfer error for an exception of the network."""
    if isinstance(error, TransferError):
        return error
    if isinstance(error, HTTPError):
        with error:
            if error.code == 416:
                return RangeRefused()
            reason = f"HTTP {error.code} {_reason(error.reason)}"
            return TransferError(reason, transient=error.code in _TRANSIENT, wait=_retry_after(error.headers))
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, TimeoutError):
        return TransferError("no answer in time", transient=True)
    if isinstance(cause, http.client.IncompleteRead):
        return TransferError("the connection was closed", transient=True)
    offline = isinstance(cause, socket.gaierror) or getattr(cause, "errno", None) == errno.ENETUNREACH
    if offline or isinstance(cause, ssl.SSLCertVerificationError):
        # A missing network or an untrusted certificate will not change within a minute.
        return TransferError(_reason(cause), transient=False)
    network = isinstance(cause, (OSError, http.client.HTTPException))
    return TransferError(_reason(cause), transient=network and not isinstance(cause, http.client.InvalidURL))


def _reason(cause: object) -> str:
    text = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return " ".join(str(text).split())


class _Redirects(urls.HTTPRedirectHandler):
    """Follows redirects to http and https, but not from https to http."""

    def redirect_request(
        self, req: urls.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urls.Request | None:
        allowed = ("https",) if urlsplit(req.full_url).scheme == "https" else ("http", "https")
        if urlsplit(newurl).scheme not in allowed:
            raise TransferError("the server leads from https to an address without it", transient=False)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def _opener(connection: Connection) -> urls.OpenerDirector:
    proxies = {"http": connection.proxy, "https": connection.proxy} if connection.proxy else None
    return urls.build_opener(urls.ProxyHandler(proxies), _Redirects)


def _answer(body: Response) -> Answer:
    headers = body.headers
    # A chunked body has no length in advance.
    length = None if "Transfer-Encoding" in headers else _number(headers.get("Content-Length"))
    etag = headers.get("ETag", "")
    # A weak tag does not identify the bytes; the date is better.
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
    """The Retry-After header in seconds; dates are ignored."""
    return min(float(_number(headers.get("Retry-After")) or 0), _LONGEST_WAIT)
