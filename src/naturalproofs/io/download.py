"""Downloads that resume, are checked, and never leave anything half-done under their final name.

Bytes arrive in ``NAME.part``, with a note beside it that says which version of the file they belong to. They get their
name when their number and hashes are right.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from naturalproofs.errors import DownloadFailed, OutputInTheWay
from naturalproofs.io.web import USUAL, Answer, Connection, Fault, RangeRefused, ask, fault
from naturalproofs.progress import Progress, silent

CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Promise:
    """What is known about a file's contents before it is there."""

    size: int | None = None
    md5: str = ""
    sha256: str = ""

    @property
    def has_hash(self) -> bool:
        """Whether the right contents can be told from others of the same length."""
        return bool(self.md5 or self.sha256)

    def broken_by(self, found: Contents) -> str:
        """How contents differ from what was promised; empty if they do not."""
        if self.size is not None and found.size != self.size:
            return f"{found.size:,} bytes instead of {self.size:,}"
        for name in ("md5", "sha256"):
            expected = getattr(self, name)
            if expected and getattr(found, name) != expected:
                return f"{name} {getattr(found, name)} instead of {expected}"
        return ""


NOTHING_KNOWN = Promise()


@dataclass(frozen=True, slots=True)
class Contents:
    """The length and hashes of a file that is there."""

    size: int
    md5: str
    sha256: str


@dataclass(frozen=True, slots=True)
class _Note:
    """Which version of the file a partial download belongs to."""

    url: str = ""
    validator: str = ""


def contents(path: Path) -> Contents:
    """Measure a file without holding it in memory."""
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
    promise: Promise = NOTHING_KNOWN,
    *,
    connection: Connection = USUAL,
    progress: Progress = silent,
    sleep: Callable[[float], None] = time.sleep,
) -> Contents:
    """Fetch a file from the first address that has it, going on where an earlier attempt stopped.

    Args:
        urls: Addresses of the same file, the preferred one first.
        target: Where to put it; a file that is already there is not touched.
        promise: What its contents must be.
        connection: How to reach servers.
        progress: Told how far it is.
        sleep: Waits between attempts.
    """
    if target.exists():
        raise OutputInTheWay(f"{target}: exists already; remove it or choose another folder")
    failures = []
    for url in urls:
        try:
            return _Download(url, target, promise, connection, progress, sleep).run()
        except DownloadFailed as failure:
            failures.append(f"{url}: {failure}")
        except OSError as error:
            raise OutputInTheWay(f"{target}: cannot be written ({error.strerror or error})") from error
    raise DownloadFailed("; ".join(failures) or f"{target.name}: no address to fetch it from")


class _Download:
    """One file from one address."""

    def __init__(
        self,
        url: str,
        target: Path,
        promise: Promise,
        connection: Connection,
        progress: Progress,
        sleep: Callable[[float], None],
    ) -> None:
        self.url, self.target, self.promise, self.connection = url, target, promise, connection
        self.progress, self.sleep = progress, sleep
        self.part = target.with_name(f"{target.name}.part")
        self.note = target.with_name(f"{target.name}.part.json")
        self.pieced = False

    def run(self) -> Contents:
        """Fetch, check and name the file; what turns out to be wrong after being pieced together is fetched anew."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        for last in (False, True):
            self._fetch()
            found = contents(self.part)
            broken = self.promise.broken_by(found)
            if not broken:
                self.part.replace(self.target)
                self.note.unlink(missing_ok=True)
                return found
            self._discard()
            if last or not self.pieced:
                break
        raise DownloadFailed(f"what came is not the file that was published ({broken})")

    def _fetch(self) -> None:
        """Fill the partial file, asking again as long as new bytes come or patience lasts."""
        failed, furthest = 0, self._held()
        while True:
            try:
                self._fetch_once()
            except Fault as problem:
                # Only bytes that were never there before count as getting on: a server may send the same ones for ever.
                failed = 0 if self._held() > furthest else failed + 1
                furthest = max(furthest, self._held())
                if not problem.passing or failed > self.connection.retries:
                    raise DownloadFailed(str(problem)) from problem
                if isinstance(problem, RangeRefused):
                    self._discard()
                    continue
                self.sleep(max(problem.wait, self.connection.backoff * 2 ** max(failed - 1, 0)))
            else:
                return

    def _fetch_once(self) -> None:
        start, note = self._resumable()
        if start and start == self.promise.size:
            self.pieced = True
            return
        answer = ask(self.url, self.connection, start=start, validator=note.validator)
        with closing(answer.body):
            if answer.start not in (0, start):
                raise RangeRefused
            expected = self._expected(answer)
            self._write(answer, expected)

    def _expected(self, answer: Answer) -> int | None:
        size = self.promise.size
        if size is not None and answer.total is not None and answer.total != size:
            raise Fault(f"the server has {answer.total:,} bytes, the published file {size:,}", passing=False)
        return size if size is not None else answer.total

    def _write(self, answer: Answer, expected: int | None) -> None:
        held = answer.start
        self.pieced |= held > 0
        with self.part.open("r+b" if held else "wb") as stream:
            stream.seek(held)
            if not held:
                self.note.write_bytes(msgspec.json.encode(_Note(self.url, answer.validator)))
            for chunk in _chunks(answer):
                stream.write(chunk)
                held += len(chunk)
                self.progress(held, expected or 0)
                if expected is not None and held > expected:
                    raise Fault(f"the server sends more than {expected:,} bytes", passing=False)
            stream.flush()
            os.fsync(stream.fileno())
        if expected is not None and held < expected:
            raise Fault(f"the connection was cut after {held:,} of {expected:,} bytes", passing=True)

    def _held(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def _resumable(self) -> tuple[int, _Note]:
        """Where to go on, and with which version; from the start if nothing could tell two versions apart."""
        held, size = self._held(), self.promise.size
        try:
            note = msgspec.json.decode(self.note.read_bytes(), type=_Note)
        except (OSError, msgspec.DecodeError):
            note = _Note()
        if note.url != self.url:
            note = replace(note, validator="")
        if (size is not None and held > size) or not (note.validator or self.promise.has_hash):
            return 0, _Note()
        return held, note

    def _discard(self) -> None:
        self.part.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


def _chunks(answer: Answer) -> Iterator[bytes]:
    """The body as it comes; when it breaks off, what had come before is given first."""
    while True:
        try:
            chunk = answer.body.read(CHUNK)
        except http.client.IncompleteRead as error:
            yield error.partial
            raise fault(error) from error
        except (OSError, http.client.HTTPException) as error:
            raise fault(error) from error
        if not chunk:
            return
        yield chunk
