"""The pages of a written site: contents, chapters, statements, permanent addresses, graph and search."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from naturalproofs.apps.report.graph_page import SiteLinks, graph_page
from naturalproofs.apps.site.index import AT_ONCE, script, search_files
from naturalproofs.apps.site.tags import TAGS, Tags, format_tags
from naturalproofs.apps.web.render import Renderer, corpus_figures, published_url, statement_values
from naturalproofs.apps.web.templating import environment, static_files
from naturalproofs.apps.web.work import Chapter, Work
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import (
    Directory,
    check_free,
    leftovers,
    locked,
    make_folder,
    open_directory,
    remove,
    sha256_bytes,
)
from naturalproofs.records import KINDS, Statement, StatementId
from naturalproofs.sources.latex import Macro, plain_unicode
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.document_macros import with_defaults

STATIC = ("style.css", "fonts.css", "theme.js", "common.js", "preview.js", "icon.svg")
"""Static files of the served pages that a written site has too, besides the fonts."""
OWN_STATIC = ("site.css", "site-parts.js", "site-ranking.js", "site-search.js", "site-path.js")
_UNSAFE = re.compile(r"[\W_]+")
_LATIN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"}
)
_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]++")
_LONGEST, _LONGESTBYTES = 80, 200
_FONT_LICENCE = (
    "The fonts are parts of STIX Two Text and STIX Two Math, copyright The STIX Fonts Project Authors\n"
    "(https://github.com/stipub/stixfonts), under the SIL Open Font License, Version 1.1: https://openfontlicense.org\n"
)


def slug(text: str) -> str:
    """A part of a file name that is safe on every file system: small letters without accents, digits and dashes.

    Letters of other scripts stay, so a URL has to quote it.
    """
    composed = unicodedata.normalize("NFKC", plain_unicode(text, {})).lower().translate(_LATIN)
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", composed)))
    name = _UNSAFE.sub("-", plain)[:_LONGEST]
    return name.encode()[:_LONGESTBYTES].decode("utf-8", "ignore").strip("-")


@dataclass(frozen=True)
class Book:
    """A corpus as a site."""

    opened: OpenCorpus
    tags: Tags
    macros: Mapping[str, Macro] = field(default_factory=dict)
    """Further macros, where the corpus does not define its own."""
    address: str = ""
    """The URL at which the site will stand, for the sitemap and canonical addresses."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """All files with their paths; each is made when it is asked for."""
        for path, text in self._texts():
            yield path, text.encode("utf-8", "replace")
        yield from self.search_index()
        for name, file in sorted(self._figures.items()):
            yield f"figure/{name}", file.read_bytes()
        yield from self.static()
        yield TAGS, format_tags(self.tags.table).encode("utf-8", "replace")
        yield ".nojekyll", b""

    def static(self) -> Iterator[tuple[str, bytes]]:
        """The style sheets, scripts and fonts."""
        available = static_files()
        for name in (*STATIC, *(name for name in sorted(available) if name.endswith(".woff2"))):
            yield f"static/{name}", available[name].content
        for name in OWN_STATIC:
            yield f"static/{name}", files("naturalproofs.apps.site").joinpath("static", name).read_bytes()
        yield "static/fonts-licence.txt", _FONT_LICENCE.encode()

    @property
    def file_count(self) -> int:
        """About how many files there will be."""
        return len(self.tags.table) * 2 + len(self.chapters) + len(self.statements) // AT_ONCE

    def _texts(self) -> Iterator[tuple[str, str]]:
        yield (
            "index.html",
            self._page(
                "site_index.html",
                "",
                figures=corpus_figures(self.opened),
                address=self.address,
                address_of=lambda one: f"chapter/{quote(self.pages[one])}",
            ),
        )
        yield "search.html", self._page("site_search.html", "")
        yield "path.html", self._page("site_path.html", "", name=self.opened.name)
        yield "404.html", self._page("site_404.html", "")
        for chapter, page in self.pages.items():
            yield f"chapter/{page}", self._page("site_chapter.html", "../", chapter=chapter)
        for statement in self.statements:
            yield f"tag/{self.tags.of[statement.id]}.html", self._statement(statement)
        for one in self.tags.removed:
            values = {"tag": one.tag, "label": one.label}
            yield f"tag/{one.tag}.html", self._page("site_removed.html", "../", **values)
        yield from self._redirects()
        links = SiteLinks("index.html", "tag/", {key: f"{tag}.html" for key, tag in self.tags.of.items()})
        yield "graph.html", graph_page(self.opened, self.renderer.macros, site=links)
        if self.address:
            yield "sitemap.xml", self._sitemap()

    @property
    def statements(self) -> Sequence[Statement]:
        """All statements, in order."""
        return self.opened.statements

    @cached_property
    def renderer(self) -> Renderer:
        """Renders statements for pages in a folder of the site."""
        return self._rendering("../")

    def _rendering(self, root: str) -> Renderer:
        """Renders statements for pages from which `root` leads to the folder of the site."""
        return _CachingRenderer(
            self.opened,
            with_defaults(self.macros, self.opened.macros),
            lambda key: f"{root}tag/{self.tags.of[key]}.html",
            self._figure_address,
            lambda place: f"{root}search/ {AT_ONCE} {place}",
        )

    @cached_property
    def _figures(self) -> dict[str, Path]:
        """The figures that pages show so far: names in the site, and files of the project."""
        return {}

    def _figure_address(self, name: str) -> str | None:
        """The address of a figure from a page in a folder; a stored corpus has no figures."""
        found = self.opened.images.find(name) if self.opened.images is not None else None
        file = self.opened.images.file(found) if self.opened.images is not None and found is not None else None
        if found is None or file is None:
            return None
        own = f"{sha256_bytes(found.encode('utf-8', 'replace'))[:16]}{file.suffix.lower()}"
        self._figures[own] = file
        return f"../figure/{own}"

    @cached_property
    def work(self) -> Work:
        """The corpus as a work to be read."""
        return Work(self.opened, self.renderer, lambda one: f"../chapter/{quote(self.pages[one])}")

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """Chapters, or sections where there is only one chapter; in a wiki, categories by name."""
        return self.work.chapters

    @cached_property
    def pages(self) -> Mapping[Chapter, str]:
        """The names of the files of chapters."""
        used: Counter[str] = Counter()
        made = {}
        for one in self.chapters:
            # A title of characters alone is named by its hash: a counter would change when a chapter is inserted.
            own = slug(one.name) or f"chapter-{sha256_bytes(one.name.encode('utf-8', 'replace'))[:6]}"
            used[own] += 1
            made[one] = f"{own}.html" if used[own] == 1 else f"{own}-{used[own]}.html"
        return made

    @cached_property
    def _home(self) -> dict[StatementId, Chapter]:
        return {one.id: chapter for chapter in self.chapters for one in chapter.statements}

    def _page(self, template: str, root: str, **values: Any) -> str:
        common = {
            "root": root,
            "work": self.opened.title,
            "book": self.work,
            "renderer": self.renderer if root else self._rendering(""),
            "static_url": lambda name: f"{root}static/{name}",
        }
        return environment("naturalproofs.apps.site").get_template(template).render(common | values)

    def _statement(self, statement: Statement) -> str:
        renderer, tag = self.renderer, self.tags.of[statement.id]
        chapter = self._home[statement.id]
        crumbs = [(self.opened.title, "../index.html"), (chapter.title, self.work.address(chapter))]
        section = renderer.plain_text(statement.section)
        if section and section != chapter.title:
            crumbs.append((section, ""))
        return self._page(
            "site_statement.html",
            "../",
            **statement_values(self.opened, renderer, statement),
            description=renderer.plain_summary(statement, 150),
            canonical=f"{self.address}/tag/{tag}.html" if self.address else "",
            crumbs=crumbs,
            graph=f"../graph.html#focus={quote(statement.label, safe=':')}",
            tag=tag,
            tag_url=published_url(self.opened, statement),
        )

    def _redirects(self) -> Iterator[tuple[str, str]]:
        """A page for each label, former ones included; of labels with one file name, the oldest tag has it."""
        current = {self.tags.of[statement.id]: statement for statement in self.statements}
        taken: set[str] = set()
        template = environment("naturalproofs.apps.site").get_template("site_redirect.html")
        for former in (False, True):
            for tag, one in self.tags.table.items():
                statement = current.get(tag)
                name = self.renderer.name(statement) if statement is not None else f"Tag {tag}"
                labels = one.old if former else (one.label,)
                if not former and statement is not None and has_generated_label(statement):
                    continue
                for label in labels:
                    page = slug(label) or tag.lower()
                    page = page if page not in taken else f"{page}-{tag.lower()}"
                    if page not in taken:
                        taken.add(page)
                        yield f"label/{page}.html", template.render(name=name, target=f"../tag/{tag}.html")

    def search_index(self) -> Iterator[tuple[str, bytes]]:
        """The scripts that the search, the previews and the reading path load."""
        shown = [
            (self.tags.of[one.id], KINDS.index(one.kind), self.renderer.name(one), summary, self._home[one.id].title)
            for one, summary in zip(self.statements, map(str, map(self.renderer.summary, self.statements)), strict=True)
        ]
        tags = {self.tags.of[one.id].casefold(): position for position, one in enumerate(self.statements)}
        yield from search_files(self.opened.search_index, shown, tags)
        previews = [self.work.preview(place) or "" for place in range(len(shown) + len(self.work.equations))]
        for number, start in enumerate(range(0, len(previews), AT_ONCE)):
            yield script("previews", number, [str(one) for one in previews[start : start + AT_ONCE]])
        yield script("graph", 0, self._graph_data())

    def _graph_data(self) -> dict[str, object]:
        """What the reading path is computed from in the browser; statements are named by their positions."""
        positions, numbers = self.opened.positions, {one: number for number, one in enumerate(self.chapters)}
        return {
            "atOnce": AT_ONCE,
            "tags": [self.tags.of[one.id] for one in self.statements],
            "uses": [[positions[key] for key in self.opened.graph.uses.get(one.id, ())] for one in self.statements],
            "chapters": [one.title for one in self.chapters],
            "home": [numbers[self._home[one.id]] for one in self.statements],
        }

    def _sitemap(self) -> str:
        pages = ["index.html", *(f"chapter/{quote(page)}" for page in self.pages.values())]
        pages += [f"tag/{tag}.html" for tag in self.tags.of.values()]
        rows = "".join(f"<url><loc>{escape(f'{self.address}/{page}')}</loc></url>\n" for page in pages)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        return f"{head}{rows}</urlset>\n"


class _CachingRenderer(Renderer):
    """A renderer for pages that show the same summaries again and again."""

    @cached_property
    def _summaries(self) -> dict[StatementId, Markup]:
        return {}

    def summary(self, statement: Statement, length: int = 130) -> Markup:
        """One line that can stand inside a link, rendered once."""
        if statement.id not in self._summaries:
            self._summaries[statement.id] = super().summary(statement, length)
        return self._summaries[statement.id]


# The folder of a written site: only changed files are written, and only files of the site are removed.

MANIFEST = "site.json"
"""The files of the site; a folder without it is not ours. It is written first for a new folder, and last."""


class Manifest(msgspec.Struct, frozen=True):
    """What a site folder says about itself."""

    schema: int
    name: str
    """The name of the corpus."""
    files: list[str]
    """The paths of all files, sorted."""


SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to the folder."""

    files: int
    changed: int
    removed: int


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder; None if it has none that can be read."""
    try:
        found = read_json(folder / MANIFEST, Manifest)
    except (OSError, ValueError):
        return None
    return found if found.schema == SCHEMA else None


def check_folder(folder: Path) -> None:
    """Refuse a folder that is neither empty nor a site."""
    check_free(folder, lambda path: read_manifest(path) is not None)


def write_site(
    folder: Path, name: str, files: Iterable[tuple[str, bytes]], report: Callable[[int], None] | None = None
) -> Written:
    """Write the files of a site.

    Each file is replaced in one step, and only if its contents differ. Files of the last time that are not among the
    new ones are removed; other files, such as those of a web host, stay.

    Args:
        folder: The folder; it is made if it is missing.
        name: The name of the corpus.
        files: Paths with `/`, and contents; no path occurs twice.
        report: Called with the number of files done.
    """
    check_folder(folder)
    make_folder(folder)
    with locked(folder) as free:
        if not free:
            raise OutputInTheWay(f"{folder}: another command is writing this site; run again when that has ended")
        check_folder(folder)
        before = read_manifest(folder) or Manifest(SCHEMA, name, [])
        with open_directory(folder, folder) as root:
            root.write(MANIFEST, msgspec.json.encode(before), sync=True)
        written, changed, seen = set[str](), 0, set[Path]()
        for path, data in files:
            place = _inside(folder, path)
            if place.parent not in seen:
                seen.add(place.parent)
                _clean(folder, place.parent)
            changed += _write(folder, place, data)
            written.add(path)
            if report is not None:
                report(len(written))
        removed = sorted(set(before.files) - written)
        for path in removed:
            _remove(folder, path)
        manifest = msgspec.json.format(msgspec.json.encode(Manifest(SCHEMA, name, sorted(written))), indent=1)
        with open_directory(folder, folder) as root:
            root.write(MANIFEST, manifest, sync=True)
    return Written(len(written), changed, len(removed))


def _clean(root: Path, folder: Path) -> None:
    """Remove what a killed command left in a folder of the site, which nobody else is writing."""
    with suppress(OSError), open_directory(root, folder):
        for leftover in leftovers(folder, 0):
            remove(leftover.path)


def _write(root: Path, place: Path, data: bytes) -> bool:
    """Write a file unless it has this content already; whether it was written."""
    try:
        with open_directory(root, place.parent, create=True) as directory:
            if _same(directory, place.name, data):
                return False
            directory.write(place.name, data)
    except OSError as error:
        if error.errno is not None and error.filename is not None:
            error.filename, error.filename2 = str(place), None
        raise
    return True


def _same(directory: Directory, name: str, data: bytes) -> bool:
    try:
        return directory.read(name) == data
    except OSError:
        return False


def _remove(root: Path, path: str) -> None:
    """Remove a file that the manifest names; the manifest is not trusted."""
    try:
        place = _inside(root, path)
        with open_directory(root, place.parent) as directory:
            directory.remove(place.name)
    except (OSError, OutputInTheWay):
        return


def _inside(root: Path, path: str) -> Path:
    """The place of a file below the root."""
    parts = PurePosixPath(path).parts
    if not parts or ".." in parts or path.startswith("/") or "\0" in path:
        raise OutputInTheWay(f"{path!r}: not a path inside the site")
    return root.joinpath(*parts)
