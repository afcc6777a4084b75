"""What the XML parser calls while it walks through an export: only what is asked for is kept."""

from collections.abc import Callable
from xml.parsers import expat

MAX_TEXT = 4 << 20
"""Characters a page may have; MediaWiki's own limit is 2 MB."""
MAX_FIELD = 1 << 16
"""Characters a title or another short field may have."""
MAX_DEPTH = 32

_FIELDS = ("title", "ns", "text", "model", "timestamp", "sitename", "case", "base")


class RefusedError(Exception):
    """The document holds something that no export holds."""


class Handlers:
    """Collects finished pages as dictionaries of their fields."""

    def __init__(self, parser: expat.XMLParserType, *, everything: bool) -> None:
        """Attach to a parser that has read nothing yet."""
        self.pages: list[dict[str, str]] = []
        self.namespaces: list[tuple[int, str, str]] = []
        self.site_name = self.version = self.case = self.base = ""
        self.site_read = False
        self.ended = -1
        """Where the last page, or the site information, ended: the byte at which its closing tag begins."""
        self.last = ""
        """The title of the page that was last read."""
        self._parser = parser
        self._everything: list[str] | None = [] if everything else None
        self._run: list[str] = []
        self._whole = 0
        self._prefix = ""
        self._anyhow = False
        """Whether names carry a prefix or all character data is kept: rare, and slower."""
        self._path: list[str] = []
        self._page: dict[str, str] = {}
        self._revision: dict[str, str] = {}
        self._parts: list[str] = []
        self._hear: Callable[[str], None] = self._data if everything else self._parts.append
        self._limit = 0
        self._namespace = ("0", "")
        self._open: dict[str, Callable[[list[str]], None]] = dict.fromkeys(_FIELDS, self._listen) | {
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
        # An export declares no document type: whatever does may hold entities that grow without bound.
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse_doctype
        if everything:
            parser.CharacterDataHandler = self._hear

    @property
    def depth(self) -> int:
        """How many elements are open."""
        return len(self._path)

    def check(self) -> None:
        """Refuse a field that has grown too long, before it is complete."""
        if self._limit and sum(map(len, self._parts)) > self._limit:
            raise RefusedError(f"a <{self._path[-1]}> of over {self._limit:,} characters")

    def take(self) -> list[dict[str, str]]:
        """Hand over the pages that are complete."""
        pages, self.pages = self.pages, []
        return pages

    def whereabouts(self) -> str:
        """Name the page that the parser is in, or the one it was last in."""
        title = self._page.get("title", "")
        if title:
            return f" in page '{title[:80]}'"
        return f" after page '{self.last[:80]}'" if self.last else ""

    def _root(self, name: str, attributes: list[str]) -> None:
        prefix, colon, root = name.rpartition(":")
        if root != "mediawiki":
            raise RefusedError(f"starts with <{name[:40]}>, not with <mediawiki>")
        self._prefix = prefix + colon
        self._anyhow = bool(self._prefix) or self._everything is not None
        self.version = _attribute(attributes, "version")
        self._path.append(root)
        self._parser.StartElementHandler = self._start_anyhow if self._anyhow else self._start
        self._parser.EndElementHandler = self._end_anyhow if self._anyhow else self._end

    def _start(self, name: str, attributes: list[str]) -> None:
        self._path.append(name)
        action = self._open.get(name)
        if action is not None:
            action(attributes)
        elif len(self._path) > MAX_DEPTH:
            raise RefusedError(f"nests elements more than {MAX_DEPTH} deep")

    def _start_anyhow(self, name: str, attributes: list[str]) -> None:
        if self._run:
            self._end_run()
        self._start(name.removeprefix(self._prefix), attributes)

    def _listen(self, _: list[str]) -> None:
        self._parts.clear()
        self._limit = MAX_TEXT if self._path[-1] == "text" else MAX_FIELD
        # Text is listened to only where it is wanted: between elements there is nothing but indentation.
        self._parser.CharacterDataHandler = self._hear

    def _data(self, text: str) -> None:
        """Keep all character data, inside fields and between them."""
        self._whole += len(text)
        if self._whole > 2 * MAX_TEXT:
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

    def _end_anyhow(self, name: str) -> None:
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
            self._whole = 0

    def _start_revision(self, _: list[str]) -> None:
        self._revision = {}

    def _start_redirect(self, attributes: list[str]) -> None:
        if self._path[-2:-1] == ["page"]:
            self._page["redirect"] = _attribute(attributes, "title")

    def _start_namespace(self, attributes: list[str]) -> None:
        self._namespace = (_attribute(attributes, "key"), _attribute(attributes, "case"))
        self._listen(attributes)

    def _end_siteinfo(self) -> None:
        self.site_read = True
        self.ended = self._parser.CurrentByteIndex

    def _end_revision(self) -> None:
        # Full histories hold every revision; timestamps sort as text.
        if self._revision.get("timestamp", "") >= self._page.get("timestamp", ""):
            self._page["text"] = self._revision.get("text", "")
            self._page["timestamp"] = self._revision.get("timestamp", "")
            self._page["model"] = self._revision.get("model", "wikitext")

    def _end_page(self) -> None:
        if self._everything is not None:
            self._page["everything"] = "".join(self._everything)
        self.last = self._page.get("title", "")
        self.pages.append(self._page)
        self._page = {}
        self.ended = self._parser.CurrentByteIndex


def _refuse_doctype(*_: object) -> None:
    raise RefusedError("holds a document type declaration, which no export does")


def _attribute(attributes: list[str], name: str) -> str:
    """Look an attribute up among alternating names and values."""
    return next((value for key, value in zip(attributes[::2], attributes[1::2], strict=True) if key == name), "")
