"""Expat handlers for a MediaWiki export: they collect the fields of pages and refuse what no export contains."""

from collections.abc import Callable
from xml.parsers import expat

MAX_TEXT = 4 << 20
"""Maximal characters of a page; MediaWiki's own limit is 2 MB."""
MAX_FIELD = 1 << 16
"""Maximal characters of a title or another short field."""
MAX_DEPTH = 32

_FIELDS = ("title", "ns", "text", "model", "timestamp", "sitename", "case", "base")


class RefusedError(Exception):
    """The document contains something that no export contains."""


class Handlers:
    """Collects finished pages as dictionaries of their fields."""

    def __init__(self, parser: expat.XMLParserType, *, everything: bool) -> None:
        """Attach to a parser that has read nothing yet."""
        self.pages: list[dict[str, str]] = []
        self.namespaces: list[tuple[int, str, str]] = []
        self.site_name = self.version = self.case = self.base = ""
        self.site_read = False
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
            "revision": self._start_revision,
            "redirect": self._start_redirect,
            "namespace": self._start_namespace,
        }
        self._close: dict[str, Callable[[], None]] = {
            "page": self._end_page,
            "revision": self._end_revision,
            "siteinfo": self._end_siteinfo,
        }
        parser.ordered_attributes = True
        parser.StartElementHandler = self._root
        # An export declares no document type; a document that does may contain entities that expand without bound.
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse_doctype
        if everything:
            parser.CharacterDataHandler = self._collect

    def check(self) -> None:
        """Refuse a field that has grown too long, before it is complete."""
        if self._limit and sum(map(len, self._parts)) > self._limit:
            raise RefusedError(f"a <{self._path[-1]}> of over {self._limit:,} characters")

    def take(self) -> list[dict[str, str]]:
        """Return the complete pages and forget them."""
        pages, self.pages = self.pages, []
        return pages

    def whereabouts(self) -> str:
        """The current page, or the last one, for an error message."""
        title = self._page.get("title", "")
        if title:
            return f" in page '{title[:80]}'"
        return f" after page '{self._last_title[:80]}'" if self._last_title else ""

    def _root(self, name: str, attributes: list[str]) -> None:
        prefix, colon, root = name.rpartition(":")
        if root != "mediawiki":
            raise RefusedError(f"starts with <{name[:40]}>, not with <mediawiki>")
        self._prefix = prefix + colon
        self.version = _attribute(attributes, "version")
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
            raise RefusedError(f"nests elements more than {MAX_DEPTH} deep")

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
            raise RefusedError(f"a page of over {2 * MAX_TEXT:,} characters")
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
                self.namespaces.append((int(key), case, value))
        elif name == "sitename":
            self.site_name = value
        elif name == "case":
            self.case = value
        elif name == "base":
            self.base = value

    def _start_page(self, _: list[str]) -> None:
        self._page = {}
        if self._everything is not None:
            self._everything = []
            self._page_length = 0

    def _start_revision(self, _: list[str]) -> None:
        self._revision = {}

    def _start_redirect(self, attributes: list[str]) -> None:
        if self._path[-2:-1] == ["page"]:
            self._page["redirect"] = _attribute(attributes, "title")

    def _start_namespace(self, attributes: list[str]) -> None:
        self._namespace = (_attribute(attributes, "key"), _attribute(attributes, "case"))
        self._start_field(attributes)

    def _end_siteinfo(self) -> None:
        self.site_read = True

    def _end_revision(self) -> None:
        # Full histories contain every revision; timestamps sort as text.
        if self._revision.get("timestamp", "") >= self._page.get("timestamp", ""):
            self._page["text"] = self._revision.get("text", "")
            self._page["timestamp"] = self._revision.get("timestamp", "")
            self._page["model"] = self._revision.get("model", "wikitext")

    def _end_page(self) -> None:
        if self._everything is not None:
            self._page["everything"] = "".join(self._everything)
        self._last_title = self._page.get("title", "")
        self.pages.append(self._page)
        self._page = {}


def _refuse_doctype(*_: object) -> None:
    raise RefusedError("holds a document type declaration, which no export does")


def _attribute(attributes: list[str], name: str) -> str:
    """Look up an attribute in a list of alternating names and values."""
    return next((value for key, value in zip(attributes[::2], attributes[1::2], strict=True) if key == name), "")
