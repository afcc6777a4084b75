"""A whole wiki: its content pages, redirects and category graph; links are resolved against it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import msgspec

from naturalproofs.io.memory import DiskBytes
from naturalproofs.wiki.dump import Page, Site
from naturalproofs.wiki.sections import Outline, Part, Role
from naturalproofs.wiki.titles import CATEGORY, FILE, MAIN, MEDIA, Title, TitleRules, is_content, resolve_redirects
from naturalproofs.wiki.wikitext import mask

_REDIRECT = re.compile(r"\s*#\w+\s*:?\s*\[\[([^\[\]|\n]+)", re.UNICODE)
_REDIRECT_WORD = re.compile(r"\s*#redirect\b", re.IGNORECASE)

MAX_CACHED = 1 << 16
"""Maximal number of cached link targets."""

ROOT = "Proofs by Topic"
"""The direct members of this category are the top level."""


class _StoredPage(msgspec.Struct, array_like=True, gc=False):
    text: str
    parts: tuple[Part, ...]


class Pages(Mapping[str, Outline]):
    """Pages by title, in the order of the dump; texts are in a temporary file and read on every access."""

    def __init__(self) -> None:
        """Make an empty collection."""
        self._numbers: dict[str, int] = {}
        self._roles: list[frozenset[Role]] = []
        self._known_roles: dict[frozenset[Role], frozenset[Role]] = {}
        self._entries = DiskBytes()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(_StoredPage).decode

    def add(self, title: str, text: str) -> None:
        """Add a page; it replaces an earlier one of the same title."""
        parts = Outline(title, text).parts
        roles = frozenset([part.role for part in parts])
        self._numbers[title] = len(self._roles)
        self._roles.append(self._known_roles.setdefault(roles, roles))
        self._entries.append(self._encode(_StoredPage(text, parts)))

    def roles(self, title: str) -> frozenset[Role]:
        """The roles of the page's sections."""
        return self._roles[self._numbers[title]]

    def __contains__(self, title: object) -> bool:
        """Whether there is a page of that title."""
        return title in self._numbers

    def __getitem__(self, title: str) -> Outline:
        """Read a page."""
        stored = self._decode(self._entries[self._numbers[title]])
        return Outline(title, stored.text, stored.parts)

    def __iter__(self) -> Iterator[str]:
        """The titles in order."""
        return iter(self._numbers)

    def __len__(self) -> int:
        """Number of pages."""
        return len(self._numbers)


class Target(msgspec.Struct, frozen=True, gc=False):
    """The page that a link leads to, after redirects."""

    title: str
    exists: bool


class Wiki:
    """The pages of a dump by title; links are resolved against them."""

    def __init__(self, pages: Iterable[Site | Page]) -> None:
        """Classify the pages of a dump; the site information comes first."""
        self.pages = Pages()
        """Content pages, in the order of the dump."""
        self.category_pages: dict[str, list[str]] = {}
        """Category pages by name without the prefix: their links to categories, as written."""
        self.redirects: dict[str, str] = {}
        self.other_titles: set[str] = set()
        """Pages of other namespaces, such as talk pages."""
        self._use_site(Site())
        for item in pages:
            if isinstance(item, Site):
                self._use_site(item)
            else:
                self._add(item)
        self.redirect_targets, self.diagnostics = resolve_redirects(self.redirects, self._is_page)
        self._targets: dict[str, Target | None] = {}
        self._categories: dict[str, str | None] = {}

    def target(self, raw: str, host: str) -> Target | None:
        """Resolve a link as written on a page; None if its target is no content page (files, categories, users)."""
        try:
            return self._targets[raw]
        except KeyError:
            title = self.rules.parse(raw, host)
        target = (
            None
            if title is None or title.interwiki or not is_content(title.namespace)
            else self._final_target(title.name)
        )
        if raw.lstrip(": ")[:1] not in ("#", "/", "."):
            # Cached, since it does not depend on the page with the link.
            if len(self._targets) >= MAX_CACHED:
                self._targets.clear()
            self._targets[raw] = target
        return target

    def category(self, raw: str) -> str | None:
        """The name of the category that a link puts its page into, if any."""
        if raw not in self._categories:
            if len(self._categories) >= MAX_CACHED:
                self._categories.clear()
            title = self.rules.parse(raw)
            known = title is not None and title.namespace == CATEGORY and not title.colon
            self._categories[raw] = (
                (self.redirect_targets.get(title.name) or title.name).partition(":")[2] if title and known else None
            )
        return self._categories[raw]

    def is_picture(self, raw: str) -> bool:
        """Whether a link displays a file."""
        title = self.rules.parse(raw)
        return title is not None and title.namespace in (FILE, MEDIA) and not title.colon

    def is_transclusion(self, name: str) -> bool:
        """Whether a template's name is that of a content page."""
        if name.startswith((":", "/")):
            return True
        key = self.rules.namespace(name) if ":" in name else MAIN
        return key != MAIN and is_content(key)

    def final_title(self, title: str) -> str | None:
        """The title of a content page, after redirects."""
        end = title if title in self.pages else self.redirect_targets.get(title)
        return end if end in self.pages else None

    @cached_property
    def category_parents(self) -> dict[str, tuple[str, ...]]:
        """For every category page, its parent categories."""
        return {name: self._named(links) for name, links in self.category_pages.items()}

    def categories(self, page: Outline) -> tuple[str, ...]:
        """The categories of a page, as written and in order."""
        return self._named(self._category_links(page.masked.text))

    def _named(self, links: Iterable[str]) -> tuple[str, ...]:
        return tuple([name for link in links if (name := self.category(link)) is not None])

    def _final_target(self, name: str) -> Target | None:
        if name in self.redirect_targets:
            end = self.redirect_targets[name]
            if end is None:
                return Target(name, exists=False)
            return Target(end, exists=True) if end in self.pages else None
        return Target(name, name in self.pages)

    def _is_page(self, title: str) -> bool:
        return title in self.pages or title in self.other_titles or self._category_name(title) in self.category_pages

    def _category_name(self, title: str) -> str:
        return title.partition(":")[2] if self.rules.namespace(title) == CATEGORY else ""

    def _use_site(self, site: Site) -> None:
        """Use the namespaces and the main page named in the head of the dump."""
        self.rules = TitleRules(site)
        main = self.rules.parse(site.main_page) if site.main_page else None
        self._main_page = main.name if main is not None else ""
        names = "|".join(re.escape(name).replace(r"\ ", "[ _]+") for name in self.rules.prefixes(CATEGORY))
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
            self.other_titles.add(title.name)

    def _redirect(self, page: Page) -> Title | None:
        if page.redirect:
            return self.rules.parse(page.redirect)
        # Old exports mark redirects without a target, and some tools do not mark them: read the text.
        if page.redirect is None and not _REDIRECT_WORD.match(page.text):
            return None
        match = _REDIRECT.match(page.text)
        return self.rules.parse(match[1], page.title) if match else None


class CategoryGraph:
    """The category graph; it may contain cycles."""

    def __init__(self, parents: Mapping[str, Iterable[str]], root: str = ROOT) -> None:
        """Find the categories below the top level once, so that queries are fast.

        Args:
            parents: For each category, its parents as listed on its page.
            root: The category whose direct members are the top level.
        """
        self.parents = {name: tuple(dict.fromkeys(above)) for name, above in parents.items()}
        self.root = root
        self._top = frozenset(name for name, above in self.parents.items() if root in above)
        self._reaching = self._below_top()
        self._cache: dict[str, frozenset[str]] = {}

    def toplevel(self, categories: Iterable[str]) -> tuple[str, ...]:
        """The top-level categories above the given ones, sorted."""
        return tuple(sorted(self._on_paths(categories) & self._top))

    def recursive(self, categories: Iterable[str]) -> tuple[str, ...]:
        """All categories on paths to the top level, both ends included, sorted."""
        return tuple(sorted(self._on_paths(categories)))

    def _below_top(self) -> frozenset[str]:
        children: dict[str, list[str]] = {}
        for name, above in self.parents.items():
            for parent in above:
                children.setdefault(parent, []).append(name)
        seen = set(self._top)
        queue = list(self._top)
        while queue:
            for child in children.get(queue.pop(), ()):
                if child not in seen and child != self.root:
                    seen.add(child)
                    queue.append(child)
        return frozenset(seen)

    def _on_paths(self, categories: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._above(name) for name in dict.fromkeys(categories)))

    def _above(self, name: str) -> frozenset[str]:
        known = self._cache.get(name)
        if known is not None:
            return known
        seen = {name} & self._reaching
        queue = list(seen)
        while queue:
            for parent in self.parents.get(queue.pop(), ()):
                if parent in self._reaching and parent not in seen:
                    seen.add(parent)
                    queue.append(parent)
        self._cache[name] = frozenset(seen)
        return self._cache[name]
