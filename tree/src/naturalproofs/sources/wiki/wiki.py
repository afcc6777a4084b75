"""A whole wiki: its content pages, redirects and category graph; links are resolved against it."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

import msgspec

from naturalproofs.io.memory import DiskMap
from naturalproofs.records import Anchor, Origin
from naturalproofs.sources.wiki.dump import Page, Site
from naturalproofs.sources.wiki.sections import Outline, Role
from naturalproofs.sources.wiki.templates import (
    CATEGORY,
    FILE,
    MAIN,
    MEDIA,
    Title,
    TitleRules,
    is_content,
    resolve_redirects,
)
from naturalproofs.sources.wiki.wikitext import mask

_REDIRECT = re.compile(r"\s*+#\w++\s*+(?::\s*+)?+\[\[([^\[\]|\n]++)", re.UNICODE)
_REDIRECT_WORD = re.compile(r"\s*#redirect\b", re.IGNORECASE)

MAX_CACHED = 1 << 16
"""Maximal number of cached link targets."""

ROOT = "Proofs by Topic"
"""The direct members of this category are the top level."""


class Target(msgspec.Struct, frozen=True, gc=False):
    """The page that a link leads to, after redirects."""

    title: str
    exists: bool


class Wiki:
    """The pages of a dump by title; links are resolved against them."""

    def __init__(self, site: Site, pages: Iterable[Page]) -> None:
        """Classify the pages of a dump."""
        self.pages = DiskMap(Outline)
        """Content pages by title, in the order of the dump; they are on disk and read on every access."""
        self.roles: dict[str, frozenset[Role]] = {}
        """By content page: the roles of its sections."""
        self._known_roles: dict[frozenset[Role], frozenset[Role]] = {}
        self.category_pages: dict[str, list[str]] = {}
        """Category pages by name without the prefix: their links to categories, as written."""
        self.redirects: dict[str, str] = {}
        self.other_titles: set[str] = set()
        """Pages of other namespaces, such as talk pages."""
        self.rules = TitleRules(site)
        main = self.rules.parse(site.main_page) if site.main_page else None
        self._main_page = main.name if main is not None else ""
        names = "|".join(re.escape(name).replace(r"\ ", "[ _]+") for name in self.rules.prefixes(CATEGORY))
        self._category_links = re.compile(rf"\[\[\s*((?i:{names})\s*:[^\[\]|{{}}]*)").findall
        for page in pages:
            self._add(page)
        self.redirect_targets, self.diagnostics = resolve_redirects(self.redirects, self._is_page)
        self._target = lru_cache(MAX_CACHED)(self._find_target)
        self.category = lru_cache(MAX_CACHED)(self._find_category)
        """The name of the category that a link puts its page into, if any."""

    def target(self, raw: str, host: str) -> Target | None:
        """Resolve a link as written on a page; None if its target is no content page (files, categories, users)."""
        # Only a relative link depends on the page with the link.
        return self._target(raw, host if raw.lstrip(": ")[:1] in ("#", "/", ".") else "")

    def _find_target(self, raw: str, host: str) -> Target | None:
        title = self.rules.parse(raw, host)
        if title is None or title.interwiki or not is_content(title.namespace):
            return None
        if title.name not in self.redirect_targets:
            return Target(title.name, title.name in self.pages)
        end = self.redirect_targets[title.name]
        if end is None:
            return Target(title.name, exists=False)
        return Target(end, exists=True) if end in self.pages else None

    def _find_category(self, raw: str) -> str | None:
        title = self.rules.parse(raw)
        if title is None or title.namespace != CATEGORY or title.colon:
            return None
        return (self.redirect_targets.get(title.name) or title.name).partition(":")[2]

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

    def _is_page(self, title: str) -> bool:
        return title in self.pages or title in self.other_titles or self._category_name(title) in self.category_pages

    def _category_name(self, title: str) -> str:
        return title.partition(":")[2] if self.rules.namespace(title) == CATEGORY else ""

    def _add(self, page: Page) -> None:
        title = self.rules.parse(page.title)
        if title is None:
            return
        key = title.namespace if page.namespace is None else page.namespace
        redirect = self._redirect(page)
        if redirect is not None:
            self.redirects[title.name] = redirect.name
        elif page.model == "wikitext" and is_content(key) and title.name != self._main_page:
            outline = Outline.of(title.name, page.text)
            roles = frozenset([section.role for section in outline.sections])
            self.pages.add(title.name, outline)
            self.roles[title.name] = self._known_roles.setdefault(roles, roles)
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

    def __init__(self, parents: Mapping[str, Iterable[str]]) -> None:
        """Find the categories below the top level once, so that queries are fast.

        Args:
            parents: For each category, its parents as listed on its page.
        """
        children: dict[str, list[str]] = {}
        for name, above in parents.items():
            for parent in above:
                children.setdefault(parent, []).append(name)
        self._top = set(children.get(ROOT, ()))
        # No path to the top level leads through the root.
        below_top = _reachable(self._top, {**children, ROOT: []}) - ({ROOT} - self._top)
        self._parents = {name: [one for one in parents.get(name, ()) if one in below_top] for name in below_top}
        self._above = lru_cache(maxsize=None)(self._find_above)

    def toplevel(self, categories: Iterable[str]) -> tuple[str, ...]:
        """The top-level categories above the given ones, sorted."""
        return tuple(sorted(self._on_paths(categories) & self._top))

    def recursive(self, categories: Iterable[str]) -> tuple[str, ...]:
        """All categories on paths to the top level, both ends included, sorted."""
        return tuple(sorted(self._on_paths(categories)))

    def _on_paths(self, categories: Iterable[str]) -> set[str]:
        return set().union(*map(self._above, categories))

    def _find_above(self, name: str) -> frozenset[str]:
        return frozenset(_reachable({name} & self._parents.keys(), self._parents))


def _reachable(start: Iterable[str], following: Mapping[str, Iterable[str]]) -> set[str]:
    """Everything reached from the start, itself included."""
    seen = set(start)
    queue = list(seen)
    while queue:
        new = set(following.get(queue.pop(), ())) - seen
        seen |= new
        queue += new
    return seen


def title_anchors(name: str, owners: Mapping[str, str]) -> dict[str, Anchor]:
    """Anchors by title, given for every title that of its statement in the corpus `name`."""
    return {title: Anchor("statement", f"{name}:{owner}", Origin(title, 1)) for title, owner in owners.items()}
