"""Pages of a MediaWiki export, read one by one in bounded memory; the file may be compressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
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

_FIELDS = ("title", "ns", "text", "model", "timestamp", "sitename", "case", "base")
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
        self._site: dict[str, str] = {}
        self._namespaces: list[Namespace] = []
        self._parser = parser
        self._everything: list[str] | None = [] if everything else None
        self._run: list[str] = []
        self._page_length = 0
        self._prefix = ""
        self._last_title = ""
        self._path: list[str] = []
        self._page: dict[str, str] = {}
        self._revision: dict[str, str] = {}
        self._parts: list[str] = []
        self._collect: Callable[[str], None] = self._data if everything else self._parts.append
        self._limit = 0
        """Maximal characters of the open field; 0 outside of fields."""
        self._namespace = ("0", "")
        self._open: dict[str, Callable[[list[str]], None]] = dict.fromkeys(_FIELDS, self._start_field) | {
            "page": self._start_page,
            "redirect": self._start_redirect,
            "namespace": self._start_namespace,
        }
        self._close: dict[str, Callable[[], None]] = {"page": self._end_page, "revision": self._end_revision}
        parser.ordered_attributes = True
        parser.StartElementHandler = self._root
        # An export declares no document type; a document that does may contain entities that expand without bound.
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse_doctype
        if everything:
            parser.CharacterDataHandler = self._collect

    def check(self) -> None:
        """Refuse a field that has grown too long, before it is complete."""
        if self._limit and sum(map(len, self._parts)) > self._limit:
            raise _Refused(f"a <{self._path[-1]}> of over {self._limit:,} characters")

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
        title = self._page.get("title", "")
        if title:
            return f" in page '{title[:80]}'"
        return f" after page '{self._last_title[:80]}'" if self._last_title else ""

    def _root(self, name: str, attributes: list[str]) -> None:
        prefix, colon, root = name.rpartition(":")
        if root != "mediawiki":
            raise _Refused(f"starts with <{name[:40]}>, not with <mediawiki>")
        self._prefix = prefix + colon
        self._site["version"] = _attribute(attributes, "version")
        self._path.append(root)
        # Prefixes of names and the collection of all character data are rare, and slower.
        general = bool(self._prefix) or self._everything is not None
        self._parser.StartElementHandler = self._start_general if general else self._start
        self._parser.EndElementHandler = self._end_general if general else self._end

    def _start(self, name: str, attributes: list[str]) -> None:
        self._path.append(name)
        action = self._open.get(name)
        if action is not None:
            action(attributes)
        elif len(self._path) > MAX_DEPTH:
            raise _Refused(f"nests elements more than {MAX_DEPTH} deep")

    def _start_general(self, name: str, attributes: list[str]) -> None:
        if self._run:
            self._end_run()
        self._start(name.removeprefix(self._prefix), attributes)

    def _start_field(self, _: list[str]) -> None:
        self._parts.clear()
        self._limit = MAX_TEXT if self._path[-1] == "text" else MAX_FIELD
        # Character data is collected only inside fields: between elements there is nothing but indentation.
        self._parser.CharacterDataHandler = self._collect

    def _data(self, text: str) -> None:
        """Collect all character data, inside fields and between them."""
        self._page_length += len(text)
        if self._page_length > 2 * MAX_TEXT:
            raise _Refused(f"a page of over {2 * MAX_TEXT:,} characters")
        self._run.append(text)
        if self._limit:
            self._parts.append(text)

    def _end_run(self) -> None:
        """Finish the character data between two tags; indentation counts as one line break."""
        run, self._run = "".join(self._run), []
        if self._everything is not None:
            self._everything.append(run if run.strip() else "\n" if "\n" in run else " ")

    def _end(self, name: str) -> None:
        if self._limit:
            value = "".join(self._parts)
            if len(value) > self._limit:
                self.check()
            self._limit = 0
            if self._everything is None:
                self._parser.CharacterDataHandler = None
            self._path.pop()
            self._field(name, value)
            return
        self._path.pop()
        if name in self._close:
            self._close[name]()

    def _end_general(self, name: str) -> None:
        if self._run:
            self._end_run()
        self._end(name.removeprefix(self._prefix))

    def _field(self, name: str, value: str) -> None:
        parent = self._path[-1] if self._path else ""
        if parent == "revision":
            self._revision[name] = value
        elif parent == "page":
            self._page[name] = value
        elif name == "namespace":
            key, case = self._namespace
            if key.lstrip("-").isdigit():
                self._namespaces.append(Namespace(int(key), value, case != "case-sensitive"))
        elif parent == "siteinfo":
            self._site[name] = value

    def _start_page(self, _: list[str]) -> None:
        self._page = {}
        self._page_length = 0
        if self._everything is not None:
            self._everything = []

    def _start_redirect(self, attributes: list[str]) -> None:
        if self._path[-2:-1] == ["page"]:
            self._page["redirect"] = _attribute(attributes, "title")

    def _start_namespace(self, attributes: list[str]) -> None:
        self._namespace = (_attribute(attributes, "key"), _attribute(attributes, "case"))
        self._start_field(attributes)

    def _end_revision(self) -> None:
        # Full histories contain every revision; timestamps sort as text.
        if self._revision.get("timestamp", "") >= self._page.get("timestamp", ""):
            self._page |= {"text": "", "timestamp": "", "model": "wikitext"} | self._revision
        self._revision = {}

    def _end_page(self) -> None:
        get = self._page.get
        key = get("ns", "")
        self._last_title = get("title", "")
        self._pages.append(
            Page(
                title=self._last_title,
                namespace=int(key) if key.lstrip("-").isdigit() else None,
                text=get("text", ""),
                redirect=get("redirect"),
                model=get("model", "wikitext"),
                everything="".join(self._everything or ()),
            )
        )
        self._page = {}


def _refuse_doctype(*_: object) -> None:
    raise _Refused("holds a document type declaration, which no export does")


def _attribute(attributes: list[str], name: str) -> str:
    """Look up an attribute in a list of alternating names and values."""
    return next((value for key, value in zip(attributes[::2], attributes[1::2], strict=True) if key == name), "")
