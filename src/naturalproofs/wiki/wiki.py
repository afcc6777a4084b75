"""All pages of a wiki after one reading: what is reading matter, what redirects, what is noise."""

import re
from collections.abc import Iterable
from functools import cached_property

import msgspec

from naturalproofs.wiki.contents import Page, Site
from naturalproofs.wiki.masking import mask
from naturalproofs.wiki.namespaces import CATEGORY, FILE, MAIN, MEDIA, is_content
from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.pages import Pages
from naturalproofs.wiki.redirects import follow
from naturalproofs.wiki.titles import Title, TitleRules

_REDIRECT = re.compile(r"\s*#\w+\s*:?\s*\[\[([^\[\]|\n]+)", re.UNICODE)
_REDIRECT_WORD = re.compile(r"\s*#redirect\b", re.IGNORECASE)

MAX_REMEMBERED = 1 << 16
"""Links whose ends are remembered."""


class Target(msgspec.Struct, frozen=True, gc=False):
    """Where a link leads, redirects followed."""

    title: str
    exists: bool


class Wiki:
    """Pages by title. Built once; links are looked up in it."""

    def __init__(self, pages: Iterable[Site | Page]) -> None:
        """Sort the pages of a dump; the site information comes first."""
        self.pages = Pages()
        """Reading matter, in the order of the dump."""
        self.category_pages: dict[str, list[str]] = {}
        """By name, without the prefix: the links to categories as written."""
        self.redirects: dict[str, str] = {}
        self.noise: set[str] = set()
        self._obey(Site())
        for item in pages:
            if isinstance(item, Site):
                self._obey(item)
            else:
                self._add(item)
        self.ends, self.diagnostics = follow(self.redirects, self._is_page)
        self._targets: dict[str, Target | None] = {}
        self._categories: dict[str, str | None] = {}

    def target(self, raw: str, host: str) -> Target | None:
        """Resolve a link as written on a page; None when it leads to no reading matter (files, categories, users)."""
        try:
            return self._targets[raw]
        except KeyError:
            title = self.rules.parse(raw, host)
        target = None if title is None or title.interwiki or not is_content(title.namespace) else self._end(title.name)
        if raw.lstrip(": ")[:1] not in ("#", "/", "."):
            # What does not depend on the page it stands on is looked up once, or once in a while.
            if len(self._targets) >= MAX_REMEMBERED:
                self._targets.clear()
            self._targets[raw] = target
        return target

    def category(self, raw: str) -> str | None:
        """Give the name of the category that a link puts its page into, if it does."""
        if raw not in self._categories:
            if len(self._categories) >= MAX_REMEMBERED:
                self._categories.clear()
            title = self.rules.parse(raw)
            known = title is not None and title.namespace == CATEGORY and not title.colon
            self._categories[raw] = (
                (self.ends.get(title.name) or title.name).partition(":")[2] if title and known else None
            )
        return self._categories[raw]

    def is_picture(self, raw: str) -> bool:
        """Whether a link shows a file in its place."""
        title = self.rules.parse(raw)
        return title is not None and title.namespace in (FILE, MEDIA) and not title.colon

    def is_transclusion(self, name: str) -> bool:
        """Whether a template's name is that of a page of reading matter."""
        if name.startswith((":", "/")):
            return True
        key = self.rules.namespace(name) if ":" in name else MAIN
        return key != MAIN and is_content(key)

    def end(self, title: str) -> str | None:
        """Give the title of a page of reading matter, redirects followed."""
        end = title if title in self.pages else self.ends.get(title)
        return end if end in self.pages else None

    def page(self, title: str) -> Outline | None:
        """Give a page of reading matter, redirects followed."""
        end = self.end(title)
        return None if end is None else self.pages[end]

    @cached_property
    def category_parents(self) -> dict[str, tuple[str, ...]]:
        """For every category page, the categories it is in."""
        return {name: self._named(links) for name, links in self.category_pages.items()}

    def categories(self, page: Outline) -> tuple[str, ...]:
        """Give the categories that a page puts itself into, as written and in order."""
        return self._named(self._category_links(page.masked.text))

    def _named(self, links: Iterable[str]) -> tuple[str, ...]:
        return tuple([name for link in links if (name := self.category(link)) is not None])

    def _end(self, name: str) -> Target | None:
        if name in self.ends:
            end = self.ends[name]
            if end is None:
                return Target(name, exists=False)
            return Target(end, exists=True) if end in self.pages else None
        return Target(name, name in self.pages)

    def _is_page(self, title: str) -> bool:
        return title in self.pages or title in self.noise or self._category_name(title) in self.category_pages

    def _category_name(self, title: str) -> str:
        return title.partition(":")[2] if self.rules.namespace(title) == CATEGORY else ""

    def _obey(self, site: Site) -> None:
        """Take over what the head of the dump says."""
        self.rules = TitleRules(site)
        main = self.rules.parse(site.main_page) if site.main_page else None
        self._main_page = main.name if main is not None else ""
        names = "|".join(re.escape(name).replace(r"\ ", "[ _]+") for name in self.rules.spellings(CATEGORY))
        self._category_links = re.compile(rf"\[\[\s*((?i:{names})\s*:[^\[\]|{{}}]*)").findall

    def _add(self, page: Page) -> None:
        title = self.rules.parse(page.title)
        if title is None:
            return
        key = title.namespace if page.namespace is None else page.namespace
        redirect = self._redirect(page)
        if redirect is not None:
            self.redirects[title.name] = redirect.name
        elif page.model == "wikitext" and is_content(key) and title.name != self._main_page:
            self.pages.add(title.name, page.text)
        elif key == CATEGORY:
            self.category_pages[title.name.partition(":")[2]] = self._category_links(mask(page.text).text)
        else:
            self.noise.add(title.name)

    def _redirect(self, page: Page) -> Title | None:
        if page.redirect:
            return self.rules.parse(page.redirect)
        # Old exports only mark redirects, and some tools forget even that: the text tells.
        if page.redirect is None and not _REDIRECT_WORD.match(page.text):
            return None
        match = _REDIRECT.match(page.text)
        return self.rules.parse(match[1], page.title) if match else None
