"""Pages of a MediaWiki export, read one by one in bounded memory; the file may be compressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.progress import Progress, silent

CHUNK = 1 << 18
MAX_PENDING = 32 << 20
"""Longest tag or text run, in bytes, that the parser may have to buffer."""
MAX_TEXT = 4 << 20
"""Maximal characters of a page; MediaWiki's own limit is 2 MB."""
MAX_FIELD = 1 << 16
"""Maximal characters of a title or another short field."""
MAX_DEPTH = 32

_UNSUPPORTED = ((b"PK\x03\x04", "zip"), (b"7z\xbc\xaf", "7z"), (b"\x28\xb5\x2f\xfd", "zstd"))


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace as listed in the head of the export."""

    key: int
    name: str
    first_letter: bool = True
    """Whether the first letter of a title is capitalised."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the head of an export says about the wiki."""

    name: str = ""
    version: str = ""
    """The version of the export schema."""
    namespaces: tuple[Namespace, ...] = ()
    first_letter: bool = True
    main_page: str = ""
    """The title of the main page, as spelt in its address."""


class Page(NamedTuple):
    """The newest revision of one page."""

    title: str
    namespace: int | None
    """None in old exports, which give only the title's prefix."""
    text: str
    redirect: str | None = None
    """The target of a redirect; empty if the export marks the page as a redirect without a target."""
    model: str = "wikitext"
    everything: str = ""
    """All character data of the page element, if requested."""


def read_dump(path: Path, *, progress: Progress = silent, everything: bool = False) -> tuple[Site, Iterator[Page]]:
    """The site information and the pages of an export of any schema version.

    Args:
        path: An XML export; plain, gzip, bzip2 or xz.
        progress: Called with the bytes of the file read so far and in total.
        everything: Also return all character data of each page (ids, comments, checksums).

    Raises:
        SourceNotFound: The file cannot be opened.
        BadSchema: The file is not an export, or is truncated, damaged or hostile.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    handlers = _Handlers(parser, everything=everything)
    pages = _pages(path, parser, handlers, progress)
    # The head of the export comes before the first page.
    first = list(islice(pages, 1))
    return handlers.site(), chain(first, pages)


def _pages(path: Path, parser: expat.XMLParserType, handlers: _Handlers, progress: Progress) -> Iterator[Page]:
    total = path.stat().st_size if path.is_file() else 0
    fed = 0
    for chunk, position in read_chunks(path):
        fed += len(chunk)
        _feed(path, parser, handlers, chunk)
        # The parser buffers a tag or a text run until its end.
        if fed - max(parser.CurrentByteIndex, 0) > MAX_PENDING:
            raise BadSchema(
                f"{path}: line {parser.CurrentLineNumber}: a single tag is over {MAX_PENDING >> 20} MB long; stop"
            )
        yield from handlers.take()
        progress(position, total)
    _feed(path, parser, handlers, b"", final=True)
    yield from handlers.take()


def read_chunks(path: Path) -> Iterator[tuple[bytes, int]]:
    """The decompressed bytes of a file in chunks, each with the position reached in the file itself.

    Raises:
        SourceNotFound: There is no such file.
        BadSchema: The compressed data is truncated or damaged.
    """
    try:
        raw = path.open("rb")
    except OSError as error:
        raise SourceNotFound(f"{path}: cannot be read ({error.strerror}); give the path of a MediaWiki dump") from error
    with raw:
        done = 0
        try:
            stream = _decompressed(path, raw)
            while chunk := stream.read(CHUNK):
                done += len(chunk)
                yield chunk, raw.tell()
        except EOFError as error:
            raise BadSchema(f"{path}: cut short after {done:,} unpacked bytes; download it again") from error
        except (OSError, zlib.error, lzma.LZMAError) as error:
            raise BadSchema(f"{path}: damaged after {done:,} unpacked bytes ({error}); download it again") from error


def _decompressed(path: Path, raw: BinaryIO) -> BinaryIO | io.BufferedIOBase:
    """A stream chosen by the first bytes of the file."""
    head = raw.read(6)
    raw.seek(0)
    for magic, name in _UNSUPPORTED:
        if head.startswith(magic):
            raise BadSchema(f"{path}: is a {name} file; unpack it, or pack it as .gz, .bz2 or .xz")
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if head.startswith(b"\xfd7zXZ\x00") else raw


def _feed(path: Path, parser: expat.XMLParserType, handlers: _Handlers, data: bytes, *, final: bool = False) -> None:
    try:
        parser.Parse(data, final)
        handlers.check()
    except _Refused as error:
        raise BadSchema(
            f"{path}: line {parser.CurrentLineNumber}: {error}{handlers.whereabouts()}; is this a MediaWiki export?"
        ) from error
    except expat.ExpatError as error:
        what = "ends too early" if final else f"is not well-formed XML ({expat.ErrorString(error.code)})"
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise BadSchema(f"{path}: {place}: {what}{handlers.whereabouts()}; download it again") from error


class _Refused(Exception):
    """The document contains something that no export contains."""


class _Handlers:
    """Expat handlers: they collect the fields of pages, and refuse what no export contains."""

    def __init__(self, parser: expat.XMLParserType, *, everything: bool) -> None:
        """Attach to a parser that has read nothing yet."""
        self._pages: list[Page] = []
        self._namespaces: list[Namespace] = []
        self._site: dict[str, str] = {}
        self._open: list[tuple[str, dict[str, str]]] = []
        """The elements that are open, each with its attributes and the texts of the elements in it."""
        self._run: list[str] = []
        """Character data since the last tag."""
        self._collects_all = everything
        self._everything: list[str] = []
        self._page_length = 0
        self._last_title = ""
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._run.append
        # An export declares no document type; a document that does may contain entities that expand without bound.
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse_doctype

    def check(self) -> None:
        """Refuse character data that has grown too long, before it is complete."""
        name = self._open[-1][0] if self._open else ""
        limit = MAX_TEXT if name == "text" else MAX_FIELD
        if sum(map(len, self._run)) > limit:
            raise _Refused(f"a <{name}> of over {limit:,} characters")

    def take(self) -> list[Page]:
        """Return the complete pages and forget them."""
        pages, self._pages = self._pages, []
        return pages

    def site(self) -> Site:
        """What the head of the export said."""
        get = self._site.get
        return Site(
            name=get("sitename", ""),
            version=get("version", ""),
            namespaces=tuple(self._namespaces),
            first_letter=get("case") != "case-sensitive",
            main_page=unquote(get("base", "").rpartition("/")[2].rpartition("title=")[2]),
        )

    def whereabouts(self) -> str:
        """The current page, or the last one, for an error message."""
        title = next((fields.get("title", "") for name, fields in self._open if name == "page"), "")
        if title:
            return f" in page '{title[:80]}'"
        return f" after page '{self._last_title[:80]}'" if self._last_title else ""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._end_run()
        name = name.rpartition(":")[2]
        if not self._open:
            if name != "mediawiki":
                raise _Refused(f"starts with <{name[:40]}>, not with <mediawiki>")
            self._site["version"] = attributes.get("version", "")
        elif len(self._open) >= MAX_DEPTH:
            raise _Refused(f"nests elements more than {MAX_DEPTH} deep")
        self._open.append((name, attributes))
        if name == "page":
            self._everything, self._page_length = [], 0

    def _end(self, _: str) -> None:
        value = self._end_run()
        name, fields = self._open.pop()
        around = self._open[-1][1] if self._open else {}
        if name == "redirect":
            around[name] = fields.get("title", "")
        elif name == "siteinfo":
            self._site |= fields
        elif name == "namespace":
            key = fields.get("key", "0")
            if key.lstrip("-").isdigit():
                self._namespaces.append(Namespace(int(key), value, fields.get("case") != "case-sensitive"))
        elif name == "revision":
            # Full histories contain every revision; timestamps sort as text.
            if fields.get("timestamp", "") >= around.get("timestamp", ""):
                around |= {"text": "", "timestamp": "", "model": "wikitext"} | fields
        elif name == "page":
            self._end_page(fields)
        else:
            around[name] = value

    def _end_run(self) -> str:
        """Finish the character data between two tags; among all data of a page, indentation is one line break."""
        if not self._run:
            return ""
        self.check()
        run = "".join(self._run)
        self._run.clear()
        if self._collects_all:
            self._everything.append(run if run.strip() else "\n" if "\n" in run else " ")
            self._page_length += len(run)
            if self._page_length > 2 * MAX_TEXT:
                raise _Refused(f"a page of over {2 * MAX_TEXT:,} characters")
        return run

    def _end_page(self, fields: dict[str, str]) -> None:
        get = fields.get
        key = get("ns", "")
        self._last_title = get("title", "")
        self._pages.append(
            Page(
                title=self._last_title,
                namespace=int(key) if key.lstrip("-").isdigit() else None,
                text=get("text", ""),
                redirect=get("redirect"),
                model=get("model", "wikitext"),
                everything="".join(self._everything),
            )
        )


def _refuse_doctype(*_: object) -> None:
    raise _Refused("holds a document type declaration, which no export does")
