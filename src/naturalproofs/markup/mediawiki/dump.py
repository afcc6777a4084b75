"""Pages of a MediaWiki export, one after another, in bounded memory whatever the file holds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote
from xml.parsers import expat

from naturalproofs.errors import BadSchema
from naturalproofs.markup.mediawiki.compressed import read_chunks
from naturalproofs.markup.mediawiki.handlers import Handlers, RefusedError

Progress: TypeAlias = Callable[[int, int], None]

MAX_PENDING = 32 << 20
"""No tag or text run may keep the parser waiting for longer than this many bytes."""


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace as the wiki's own site information names it."""

    key: int
    name: str
    first_letter: bool = True
    """Whether the first letter of a title is made a capital."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the head of an export says about the wiki."""

    name: str = ""
    version: str = ""
    """The version of the export schema."""
    namespaces: tuple[Namespace, ...] = ()
    first_letter: bool = True
    main_page: str = ""
    """The title of the page that greets visitors, as its address spells it."""


class Page(NamedTuple):
    """The newest revision of one page."""

    title: str
    namespace: int | None
    """None in old exports, where only the title's prefix tells."""
    text: str
    redirect: str | None = None
    """Where the page redirects to, as the export says; empty when it only says *that* it does."""
    model: str = "wikitext"
    everything: str = ""
    """All character data of the page element, when asked for."""


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
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    handlers = Handlers(parser, everything=everything)
    total = path.stat().st_size if path.is_file() else 0
    fed = 0
    site: Site | None = None
    for chunk, position in read_chunks(path):
        fed += len(chunk)
        _feed(path, parser, handlers, chunk, fed)
        if site is None and (handlers.site_read or handlers.pages):
            site = _site(handlers)
            yield site
        yield from map(_page, handlers.take())
        if progress is not None:
            progress(position, total)
    _feed(path, parser, handlers, b"", fed, final=True)
    if site is None:
        yield _site(handlers)
    yield from map(_page, handlers.take())


def _feed(
    path: Path, parser: expat.XMLParserType, handlers: Handlers, chunk: bytes, fed: int, *, final: bool = False
) -> None:
    try:
        parser.Parse(chunk, final)
        handlers.check()
    except RefusedError as error:
        where = f"{path}: line {parser.CurrentLineNumber}"
        raise BadSchema(f"{where}: {error}{handlers.whereabouts()}; is this a MediaWiki export?") from error
    except expat.ExpatError as error:
        what = "ends too early" if final else f"is not well-formed XML ({expat.ErrorString(error.code)})"
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise BadSchema(f"{path}: {place}: {what}{handlers.whereabouts()}; download it again") from error
    # A parser that waits for the end of one tag holds all of it.
    if fed - max(parser.CurrentByteIndex, 0) > MAX_PENDING:
        raise BadSchema(
            f"{path}: line {parser.CurrentLineNumber}: a single tag is over {MAX_PENDING >> 20} MB long; stop"
        )


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
