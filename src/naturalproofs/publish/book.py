"""The pages of a written site: contents, chapters, statements, permanent addresses, graph and search."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from naturalproofs.corpus.drawing import UNNAMED, group_name
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.latex.display import Macro, plain_unicode
from naturalproofs.publish.search_index import AT_ONCE, Entry, graph_file, search_files
from naturalproofs.publish.tags import TAGS, Tags, format_tags
from naturalproofs.records import KINDS, Statement, StatementId
from naturalproofs.report.graph_page import SiteLinks, graph_page, work_title
from naturalproofs.web.render import Renderer
from naturalproofs.web.templating import environment, static_files
from naturalproofs.web.views import by_section, corpus_figures, published_url, statement_values
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.document_macros import with_defaults
from naturalproofs.workspace.figures import Figures

STATIC = ("style.css", "theme.js", "common.js", "icon.svg", "maths.ttf")
"""Static files of the served pages that a written site has too."""
OWN_STATIC = ("site.css", "site-parts.js", "site-search.js", "site-path.js")
_UNSAFE = re.compile(r"[\W_]+")
_LATIN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"}
)
_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]++")
_CHAPTER = re.compile(r"([^\W_]{1,5})\.")
"""The first component of a number such as ``3.1.2`` or ``A.4``."""
_LONGEST, _LONGEST_BYTES = 80, 200
_FONT_LICENCE = (
    "maths.ttf is STIX Two Math, copyright The STIX Fonts Project Authors (https://github.com/stipub/stixfonts),\n"
    "under the SIL Open Font License, Version 1.1: https://openfontlicense.org\n"
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of the contents."""

    title: str
    page: str
    """The name of its file."""
    statements: tuple[Statement, ...]
    number: str = ""
    """As the numbers of its statements begin; empty if they do not say."""

    @property
    def address(self) -> str:
        """The name of its file in a URL."""
        return quote(self.page)


def slug(text: str) -> str:
    """A part of a file name that is safe on every file system: small letters without accents, digits and dashes.

    Letters of other scripts stay, so a URL has to quote it.
    """
    composed = unicodedata.normalize("NFKC", plain_unicode(text, {})).lower().translate(_LATIN)
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", composed)))
    name = _UNSAFE.sub("-", plain)[:_LONGEST]
    return name.encode()[:_LONGEST_BYTES].decode("utf-8", "ignore").strip("-")


def chapter_numbers(chapters: Sequence[Sequence[Statement]]) -> list[str]:
    """The number of each chapter, as far as the numbers of its statements show it.

    An introduction may repeat a theorem of a later chapter with its number: of several chapters with one number, only
    the one with the most statements has it. If all have the same number, it is not theirs.
    """
    found = []
    for statements in chapters:
        begins = {one[1] for statement in statements if (one := _CHAPTER.match(statement.number))}
        found.append(begins.pop() if len(begins) == 1 else "")
    if len(chapters) > 1 and len(set(found)) == 1:
        return [""] * len(found)
    largest: dict[str, int] = {}
    for position, number in enumerate(found):
        best = largest.setdefault(number, position)
        if len(chapters[position]) > len(chapters[best]):
            largest[number] = position
    return [number if largest[number] == position else "" for position, number in enumerate(found)]


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
        yield from self._search()
        for name, file in sorted(self._figures.items()):
            yield f"figure/{name}", file.read_bytes()
        available = static_files()
        for name in STATIC:
            if name in available:
                yield f"static/{name}", available[name].content
        for name in OWN_STATIC:
            yield f"static/{name}", files("naturalproofs.publish").joinpath("static", name).read_bytes()
        if STATIC[-1] in available:
            yield "static/maths-licence.txt", _FONT_LICENCE.encode()
        yield TAGS, format_tags(self.tags.table).encode("utf-8", "replace")
        yield ".nojekyll", b""

    @property
    def file_count(self) -> int:
        """About how many files there will be."""
        return len(self.tags.table) * 2 + len(self.chapters) + len(self.statements) // AT_ONCE

    def _texts(self) -> Iterator[tuple[str, str]]:
        yield (
            "index.html",
            self._page("site_index.html", "", figures=corpus_figures(self.opened), chapters=self.chapters),
        )
        yield "search.html", self._page("site_search.html", "")
        yield "path.html", self._page("site_path.html", "", name=self.opened.name)
        yield "404.html", self._page("site_404.html", "")
        for number, chapter in enumerate(self.chapters):
            yield f"chapter/{chapter.page}", self._chapter(number, chapter)
        for statement in self.statements:
            yield f"tag/{self.tags.of[statement.id]}.html", self._statement(statement)
        for one in self.tags.removed:
            values = {"tag": one.tag, "label": one.label}
            yield f"tag/{one.tag}.html", self._page("site_removed.html", "../", **values)
        yield from self._redirects()
        links = SiteLinks("index.html", "tag/", {key: f"{tag}.html" for key, tag in self.tags.of.items()})
        yield "graph.html", graph_page(self.opened.corpus, self.renderer.macros, site=links)
        if self.address:
            yield "sitemap.xml", self._sitemap()

    @property
    def statements(self) -> Sequence[Statement]:
        """All statements, in order."""
        return self.opened.corpus.statements

    @cached_property
    def renderer(self) -> Renderer:
        """Renders statements for pages in a folder of the site."""
        macros = with_defaults(self.macros, self.opened.macros)
        return _CachingRenderer(
            self.opened.corpus, macros, lambda key: f"../tag/{self.tags.of[key]}.html", self._figure_address
        )

    @cached_property
    def _project_figures(self) -> Figures | None:
        return Figures(self.opened.root, self.opened.texts) if self.opened.root is not None else None

    @cached_property
    def _figures(self) -> dict[str, Path]:
        """The figures that pages show so far: names in the site, and files of the project."""
        return {}

    def _figure_address(self, name: str) -> str | None:
        """The address of a figure from a page in a folder; a stored corpus has no figures."""
        found = self._project_figures.find(name) if self._project_figures is not None else None
        file = self._project_figures.file(found) if self._project_figures is not None and found is not None else None
        if found is None or file is None:
            return None
        own = f"{sha256_bytes(found.encode('utf-8', 'replace'))[:16]}{file.suffix.lower()}"
        self._figures[own] = file
        return f"../figure/{own}"

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """Chapters, or sections where there is only one chapter; in a wiki, categories by name."""
        for level in ("chapter", "section"):
            groups: dict[str, list[Statement]] = {}
            for statement in self.statements:
                groups.setdefault(group_name(statement, level), []).append(statement)
            if len(groups) > 1:
                break
        names = list(groups) if self.opened.placed else sorted(groups, key=lambda name: (name == UNNAMED, name.lower()))
        numbers = chapter_numbers([groups[name] for name in names]) if self.opened.placed else [""] * len(names)
        used: Counter[str] = Counter()
        made = []
        for name, number in zip(names, numbers, strict=True):
            # A title of signs alone is named by its hash: a counter would change when a chapter is inserted.
            own = slug(name) or f"chapter-{sha256_bytes(name.encode('utf-8', 'replace'))[:6]}"
            used[own] += 1
            page = f"{own}.html" if used[own] == 1 else f"{own}-{used[own]}.html"
            made.append(Chapter(self.renderer.plain_text(name), page, tuple(groups[name]), number))
        return tuple(made)

    @cached_property
    def _home(self) -> dict[StatementId, Chapter]:
        return {one.id: chapter for chapter in self.chapters for one in chapter.statements}

    def _page(self, template: str, root: str, **values: Any) -> str:
        common = {
            "root": root,
            "work": work_title(self.opened.corpus),
            "provenance": self.opened.corpus.provenance,
            "renderer": self.renderer,
            "static_url": lambda name: f"{root}static/{name}",
        }
        return environment("naturalproofs.publish").get_template(template).render(common | values)

    def _chapter(self, number: int, chapter: Chapter) -> str:
        sections = by_section(chapter.statements)
        return self._page(
            "site_chapter.html",
            "../",
            chapter=chapter,
            sections=[(self.renderer.plain_text(name), found) for name, found in sections.items()],
            previous=self.chapters[number - 1] if number else None,
            next=self.chapters[number + 1] if number + 1 < len(self.chapters) else None,
        )

    def _statement(self, statement: Statement) -> str:
        renderer, tag = self.renderer, self.tags.of[statement.id]
        chapter = self._home[statement.id]
        crumbs = [(work_title(self.opened.corpus), "../index.html"), (chapter.title, f"../chapter/{chapter.address}")]
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
            tag_url=published_url(self.opened.corpus, statement),
        )

    def _redirects(self) -> Iterator[tuple[str, str]]:
        """A page for each label, former ones included; of labels with one file name, the oldest tag has it."""
        current = {self.tags.of[statement.id]: statement for statement in self.statements}
        taken: set[str] = set()
        template = environment("naturalproofs.publish").get_template("site_redirect.html")
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

    def _search(self) -> Iterator[tuple[str, bytes]]:
        renderer, macros = self.renderer, self.renderer.macros
        entries = [
            Entry(
                page=(tag := self.tags.of[one.id]),
                kind=KINDS.index(one.kind),
                name=renderer.name(one),
                summary=str(renderer.summary(one)),
                where=self._home[one.id].title,
                title=(title := renderer.plain_title(one)),
                label="" if has_generated_label(one) else one.label,
                text=plain_unicode(one.text, macros),
                names=(title, one.label, one.number, tag),
            )
            for one in self.statements
        ]
        yield from search_files(entries)
        yield graph_file(self._graph_data())

    def _graph_data(self) -> dict[str, object]:
        """What the reading path is computed from in the browser; statements are named by their positions."""
        positions, numbers = self.opened.positions, {one.page: number for number, one in enumerate(self.chapters)}
        return {
            "tags": [self.tags.of[one.id] for one in self.statements],
            "uses": [[positions[key] for key in self.opened.graph.uses.get(one.id, ())] for one in self.statements],
            "chapters": [one.title for one in self.chapters],
            "home": [numbers[self._home[one.id].page] for one in self.statements],
        }

    def _sitemap(self) -> str:
        pages = ["index.html", *(f"chapter/{one.address}" for one in self.chapters)]
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
