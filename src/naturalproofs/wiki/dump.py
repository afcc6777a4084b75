"""Pages of a MediaWiki export, read one by one in bounded memory; the file may be compressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.progress import Progress
from naturalproofs.wiki.dump_handlers import Handlers, RefusedError

CHUNK = 1 << 18
MAX_PENDING = 32 << 20
"""Longest tag or text run, in bytes, that the parser may have to buffer."""

_COMPRESSED = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))
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


def read_dump(path: Path, *, progress: Progress | None = None, everything: bool = False) -> Iterator[Site | Page]:
    """The site information, then every page, of an export of any schema version.

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
    handlers = Handlers(parser, everything=everything)
    total = path.stat().st_size if path.is_file() else 0
    fed = 0
    site_given = False
    for chunk, position in read_chunks(path):
        fed += len(chunk)
        _feed(path, parser, handlers, chunk)
        # The parser buffers a tag or a text run until its end.
        if fed - max(parser.CurrentByteIndex, 0) > MAX_PENDING:
            raise BadSchema(
                f"{path}: line {parser.CurrentLineNumber}: a single tag is over {MAX_PENDING >> 20} MB long; stop"
            )
        if not site_given and (handlers.site_read or handlers.pages):
            site_given = True
            yield _site(handlers)
        yield from map(_page, handlers.take())
        if progress is not None:
            progress(position, total)
    _feed(path, parser, handlers, b"", final=True)
    if not site_given:
        yield _site(handlers)
    yield from map(_page, handlers.take())


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
    form = next((name for magic, name in _COMPRESSED if head.startswith(magic)), "")
    if form == "gzip":
        return gzip.GzipFile(fileobj=raw)
    if form == "bzip2":
        return bz2.BZ2File(raw)
    if form == "xz":
        return lzma.LZMAFile(raw)
    return raw


def _feed(path: Path, parser: expat.XMLParserType, handlers: Handlers, data: bytes, *, final: bool = False) -> None:
    try:
        parser.Parse(data, final)
        handlers.check()
    except RefusedError as error:
        raise BadSchema(
            f"{path}: line {parser.CurrentLineNumber}: {error}{handlers.whereabouts()}; is this a MediaWiki export?"
        ) from error
    except expat.ExpatError as error:
        what = "ends too early" if final else f"is not well-formed XML ({expat.ErrorString(error.code)})"
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise BadSchema(f"{path}: {place}: {what}{handlers.whereabouts()}; download it again") from error


def _site(handlers: Handlers) -> Site:
    spaces = tuple(Namespace(key, name, case != "case-sensitive") for key, case, name in handlers.namespaces)
    main_page = unquote(handlers.base.rpartition("/")[2].rpartition("title=")[2])
    return Site(handlers.site_name, handlers.version, spaces, handlers.case != "case-sensitive", main_page)


def _page(fields: dict[str, str]) -> Page:
    key = fields.get("ns", "")
    return Page(
        title=fields.get("title", ""),
        namespace=int(key) if key.lstrip("-").isdigit() else None,
        text=fields.get("text", ""),
        redirect=fields.get("redirect"),
        model=fields.get("model", "wikitext"),
        everything=fields.get("everything", ""),
    )
