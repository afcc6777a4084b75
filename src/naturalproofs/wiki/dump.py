"""Pages of a MediaWiki export, one after another, in bounded memory whatever the file holds."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.parsers import expat

from naturalproofs.errors import BadSchema
from naturalproofs.progress import Progress
from naturalproofs.wiki import cutting
from naturalproofs.wiki.compressed import read_chunks
from naturalproofs.wiki.contents import Namespace, Page, Site
from naturalproofs.wiki.handlers import Handlers, RefusedError

MAX_PENDING = 32 << 20
"""No tag or text run may keep the parser waiting for longer than this many bytes."""

_END = b"</page>"
_END_OF_HEAD = b"</siteinfo>"


def read_dump(path: Path, *, progress: Progress | None = None, everything: bool = False) -> Iterator[Site | Page]:
    """Give the site information, then every page, of an export of any schema version.

    Args:
        path: An XML export; plain, gzip, bzip2 or xz.
        progress: Called with the bytes of the file read so far and in all.
        everything: Also keep all character data of each page (ids, comments, checksums).

    Raises:
        SourceNotFound: The file cannot be opened.
        BadSchema: The file is no export, or is cut short, damaged or hostile.
    """
    reader = _Reader(path, everything=everything)
    total = path.stat().st_size if path.is_file() else 0
    for chunk, position in read_chunks(path):
        yield from reader.read(chunk)
        if progress is not None:
            progress(position, total)
    yield from reader.finish()


class _Reader:
    """Cuts out the pages that have the usual form, and lets the XML parser see everything else.

    A page is a whole element: a parser that stands between two pages does not miss those that it is not shown.
    """

    def __init__(self, path: Path, *, everything: bool) -> None:
        self._path = path
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._handlers = Handlers(self._parser, everything=everything)
        self._site: Site | None = None
        self._fed = 0
        """Bytes that the parser was shown."""
        self._kept = 0
        """Bytes that it was not."""
        self._rest = b""
        self._may_cut: bool | None = False if everything else None
        """Whether pages may be cut out; None before the first bytes were seen."""
        self._between = False
        """Whether the parser stands between two pages."""

    def read(self, chunk: bytes) -> Iterator[Site | Page]:
        """Give what is complete with some more bytes."""
        if self._may_cut is None:
            self._may_cut = cutting.may_cut(chunk)
        if not self._may_cut:
            self._feed(chunk)
            yield from self._taken()
            return
        data = self._rest + chunk
        clean = cutting.is_clean(data)
        position = 0
        while position < len(data):
            found = cutting.cut(data, position) if self._between and clean else None
            if found is not None:
                page, end = found
                self._kept += end - position
                self._handlers.last = page.title
                yield page
                position = end
                continue
            mark = _END if self._site is not None else _END_OF_HEAD
            end = data.find(mark, position)
            if end < 0 and self._between and len(data) - position < cutting.MAX_LENGTH:
                break
            end = len(data) if end < 0 else end + len(mark)
            self._feed(data[position:end])
            # Something of that name in a comment or an attribute is no end.
            self._between = self._handlers.ended == self._fed - len(mark) and self._handlers.depth == 1
            yield from self._taken()
            position = end
        self._rest = data[position:]

    def finish(self) -> Iterator[Site | Page]:
        """Give what is left after the last byte."""
        self._feed(self._rest)
        self._feed(b"", final=True)
        if self._site is None:
            self._site = _site(self._handlers)
            yield self._site
        yield from self._taken()

    def _taken(self) -> Iterator[Site | Page]:
        if self._site is None and (self._handlers.site_read or self._handlers.pages):
            self._site = _site(self._handlers)
            yield self._site
        yield from map(_page, self._handlers.take())

    def _feed(self, data: bytes, *, final: bool = False) -> None:
        parser, handlers = self._parser, self._handlers
        self._fed += len(data)
        try:
            parser.Parse(data, final)
            handlers.check()
        except RefusedError as error:
            raise BadSchema(
                f"{self._path}: line {self._line()}: {error}{handlers.whereabouts()}; is this a MediaWiki export?"
            ) from error
        except expat.ExpatError as error:
            what = "ends too early" if final else f"is not well-formed XML ({expat.ErrorString(error.code)})"
            place = f"line {self._line()}, column {error.offset + 1}"
            raise BadSchema(f"{self._path}: {place}: {what}{handlers.whereabouts()}; download it again") from error
        # A parser that waits for the end of one tag holds all of it.
        if self._fed - max(parser.CurrentByteIndex, 0) > MAX_PENDING:
            raise BadSchema(
                f"{self._path}: line {self._line()}: a single tag is over {MAX_PENDING >> 20} MB long; stop"
            )

    def _line(self) -> int:
        """Give the line that the parser is at, by counting in the file: it was not shown all of it."""
        left = self._kept + self._parser.CurrentByteIndex
        line = 1
        for chunk, _ in read_chunks(self._path):
            line += chunk.count(b"\n", 0, left)
            left -= len(chunk)
            if left <= 0:
                break
        return line


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
