"""Downloads that can be resumed and are verified before they get their final name.

Data is written to ``NAME.part``, with a note in ``NAME.part.json`` on the version of the file. The part is renamed when
its size and hashes are right.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import os
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import IO, TypeAlias
from urllib import request as urls
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

import msgspec

from naturalproofs import __version__
from naturalproofs.errors import DownloadFailed, OutputInTheWay
from naturalproofs.io.decoding import read_json
from naturalproofs.progress import Progress, silent

# HTTP requests for files with the standard library: proxies, redirects, and which errors are transient.

Response: TypeAlias = "http.client.HTTPResponse"

_TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
"""HTTP status codes after which a retry may succeed."""
_LONGEST_WAIT = 60.0
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


TIMEOUT = 30.0
"""Seconds without data after which a connection is closed."""
RETRIES = 4
"""Number of retries without new data."""
PAUSE = 1.0
"""Seconds before the first retry; doubled for each further one."""


class TransferError(Exception):
    """A request failed."""

    def __init__(self, reason: str, *, transient: bool, wait: float = 0.0, restart: bool = False) -> None:
        """Set what happened and what may help.

        Args:
            reason: What happened.
            transient: Whether a retry may succeed.
            wait: The seconds to wait that the server asks for.
            restart: Whether what was received so far is of no use.
        """
        super().__init__(reason)
        self.transient, self.wait, self.restart = transient, wait, restart


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


def open_url(url: str, *, start: int = 0, validator: str = "") -> Answer:
    """Request a file, from a position on if it is still the version of the validator.

    Raises:
        TransferError: If there is no answer, or one that holds no file.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise TransferError("only http and https addresses can be fetched", transient=False)
    asked = {"User-Agent": f"naturalproofs/{__version__}", "Accept-Encoding": "identity"}
    if start:
        asked |= {"Range": f"bytes={start}-"} | ({"If-Range": validator} if validator else {})
    try:
        # A proxy is taken from the environment.
        body: Response = urls.build_opener(_Redirects).open(urls.Request(url, headers=asked), timeout=TIMEOUT)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise transfer_error(error) from error
    headers = body.headers
    # A weak tag does not identify the bytes; the date is better.
    etag = headers.get("ETag", "")
    version = etag if etag and not etag.startswith("W/") else headers.get("Last-Modified", "")
    if body.status != 206:
        # A chunked body has no length in advance.
        length = None if "Transfer-Encoding" in headers else _number(headers.get("Content-Length"))
        return Answer(body, 0, length, version)
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", "").strip())
    if found is None or int(found[1]) not in (0, start):
        body.close()
        raise _range_refused()
    return Answer(body, int(found[1]), _number(found[2]), version)


def _range_refused() -> TransferError:
    return TransferError("the server does not have the rest of the file", transient=True, restart=True)


def transfer_error(error: Exception) -> TransferError:
    """The transfer error for an exception of the network."""
    if isinstance(error, TransferError):
        return error
    if isinstance(error, HTTPError):
        with error:
            if error.code == 416:
                return _range_refused()
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


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None


def _retry_after(headers: Message) -> float:
    """The Retry-After header in seconds; dates are ignored."""
    return min(float(_number(headers.get("Retry-After")) or 0), _LONGEST_WAIT)


CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Contents:
    """The size and hashes of a file, as far as known."""

    size: int | None = None
    md5: str = ""
    sha256: str = ""

    @property
    def has_hash(self) -> bool:
        """Whether a hash is known."""
        return bool(self.md5 or self.sha256)

    def mismatch(self, found: Contents) -> str:
        """How what was found differs from these expected contents; empty if it does not."""
        if self.size is not None and found.size != self.size:
            return f"{found.size:,} bytes instead of {self.size:,}"
        for name in ("md5", "sha256"):
            expected = getattr(self, name)
            if expected and getattr(found, name) != expected:
                return f"{name} {getattr(found, name)} instead of {expected}"
        return ""


NOTHING_KNOWN = Contents()


@dataclass(frozen=True, slots=True)
class _Note:
    """The version of the file that a partial download belongs to."""

    url: str = ""
    validator: str = ""


def contents(path: Path) -> Contents:
    """The size and hashes of a file, read in chunks."""
    md5, sha256, size = hashlib.md5(usedforsecurity=False), hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            md5.update(chunk)
            sha256.update(chunk)
            size += len(chunk)
    return Contents(size, md5.hexdigest(), sha256.hexdigest())


def download(
    urls: Sequence[str],
    target: Path,
    expected: Contents = NOTHING_KNOWN,
    *,
    progress: Progress = silent,
    sleep: Callable[[float], None] = time.sleep,
) -> Contents:
    """Download a file from the first address that has it, resuming an earlier attempt.

    Args:
        urls: Addresses of the same file, in order of preference.
        target: Where to write it; it must not exist yet.
        expected: The expected contents.
        progress: Called with bytes received and total bytes.
        sleep: Called to wait between attempts.
    """
    if target.exists():
        raise OutputInTheWay(f"{target}: exists already; remove it or choose another folder")
    failures = []
    for url in urls:
        try:
            return _Download(url, target, expected, progress, sleep).run()
        except DownloadFailed as failure:
            failures.append(f"{url}: {failure}")
        except OSError as error:
            raise OutputInTheWay(f"{target}: cannot be written ({error.strerror or error})") from error
    raise DownloadFailed("; ".join(failures) or f"{target.name}: no address to fetch it from")


@dataclass
class _Download:
    """One file from one address."""

    url: str
    target: Path
    expected: Contents
    progress: Progress
    sleep: Callable[[float], None]
    resumed: bool = False

    def __post_init__(self) -> None:
        self.part = self.target.with_name(f"{self.target.name}.part")
        self.note = self.target.with_name(f"{self.target.name}.part.json")

    def run(self) -> Contents:
        """Download, verify and rename the file; a resumed download that is wrong is repeated from the start."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        for last in (False, True):
            self._fetch()
            found = contents(self.part)
            mismatch = self.expected.mismatch(found)
            if not mismatch:
                self.part.replace(self.target)
                self.note.unlink(missing_ok=True)
                return found
            self._discard()
            if last or not self.resumed:
                break
        raise DownloadFailed(f"what came is not the file that was published ({mismatch})")

    def _fetch(self) -> None:
        """Fill the partial file, with retries; the count of retries restarts whenever new bytes arrive."""
        failed, furthest = 0, self._received()
        while True:
            try:
                self._request()
                return
            except TransferError as problem:
                # Only new bytes count as progress: a server may send the same ones forever.
                failed = 0 if self._received() > furthest else failed + 1
                furthest = max(furthest, self._received())
                if not problem.transient or failed > RETRIES:
                    raise DownloadFailed(str(problem)) from problem
                if problem.restart:
                    self._discard()
                else:
                    self.sleep(max(problem.wait, PAUSE * 2 ** max(failed - 1, 0)))

    def _request(self) -> None:
        """Ask for what is missing, and write it."""
        size = self.expected.size
        start, validator = self._resumable()
        if start and start == size:
            self.resumed = True
            return
        answer = open_url(self.url, start=start, validator=validator)
        with closing(answer.body):
            if size is not None and answer.total is not None and answer.total != size:
                raise TransferError(
                    f"the server has {answer.total:,} bytes, the published file {size:,}", transient=False
                )
            self._write(answer, answer.total if size is None else size)

    def _write(self, answer: Answer, expected: int | None) -> None:
        received = answer.start
        self.resumed |= received > 0
        with self.part.open("r+b" if received else "wb") as stream:
            stream.seek(received)
            if not received:
                self.note.write_bytes(msgspec.json.encode(_Note(self.url, answer.validator)))
            for chunk in _chunks(answer):
                stream.write(chunk)
                received += len(chunk)
                self.progress(received, expected or 0)
                if expected is not None and received > expected:
                    raise TransferError(f"the server sends more than {expected:,} bytes", transient=False)
            stream.flush()
            os.fsync(stream.fileno())
        if expected is not None and received < expected:
            raise TransferError(f"the connection was closed after {received:,} of {expected:,} bytes", transient=True)

    def _received(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def _resumable(self) -> tuple[int, str]:
        """The position to resume from, and the version; 0 if two versions could not be distinguished."""
        received, size = self._received(), self.expected.size
        try:
            note = read_json(self.note, _Note)
        except (OSError, ValueError):
            note = _Note()
        validator = note.validator if note.url == self.url else ""
        if (size is not None and received > size) or not (validator or self.expected.has_hash):
            return 0, ""
        return received, validator

    def _discard(self) -> None:
        self.part.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


def _chunks(answer: Answer) -> Iterator[bytes]:
    """The body in chunks; if the connection breaks, the last partial chunk comes before the error."""
    while True:
        try:
            chunk = answer.body.read(CHUNK)
        except http.client.IncompleteRead as error:
            yield error.partial
            raise transfer_error(error) from error
        except (OSError, http.client.HTTPException) as error:
            raise transfer_error(error) from error
        if not chunk:
            return
        yield chunk
