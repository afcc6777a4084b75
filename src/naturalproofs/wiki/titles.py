"""Titles of a MediaWiki: namespaces, normalisation of link targets, and redirects."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import msgspec

from naturalproofs.records import Diagnostic
from naturalproofs.wiki.dump import Site
from naturalproofs.wiki.plain import unescape

MEDIA, MAIN, PROJECT, FILE, CATEGORY = -2, 0, 4, 6, 14

_SUBJECTS = {
    2: "User", PROJECT: "Project", FILE: "File", 8: "MediaWiki", 10: "Template", 12: "Help", CATEGORY: "Category"
}  # fmt: skip
_TALKS = {key + 1: f"{name} talk" for key, name in _SUBJECTS.items()}
_STANDARD = {MEDIA: "Media", -1: "Special", 1: "Talk"} | _SUBJECTS | _TALKS

CANONICAL: dict[str, int] = {name.lower(): key for key, name in _STANDARD.items()} | {"image": FILE, "image talk": 7}
"""Names of the standard namespaces in lower case, with aliases; valid in every language."""

NAMES: dict[int, str] = {key: name for key, name in _STANDARD.items() if key not in (PROJECT, PROJECT + 1)}
"""Display names of the standard namespaces, for exports that do not list theirs; a project has its own name."""

TECHNICAL: frozenset[int] = frozenset({274, 460, 486, 710, 828, 1198, 2300, 2302, 2600})
"""Namespaces of extensions (widgets, modules, gadgets, translations), which contain no prose."""

INTERWIKI = frozenset(
    """
    acronym arxiv citizendium commons creativecommons doi encyclopediaofmath enwiki freebsdman gutenberg
    iarchive isbn jstor m mathworld mathoverflow mediawikiwiki meta metawikimedia metawikipedia mw nlab oeis
    oeiswiki orcid planetmath pmid pmc rfc species stackexchange w wikia wikibooks wikicities wikidata wikimedia
    wikinews wikipedia wikiquote wikisource wikispecies wikiversity wikivoyage wikt wiktionary zbl zbmath ar ca
    cs da de el en eo es fa fi fr gl he hi hu id it ja ko la ms nl no pl pt ro ru simple sk sv tr uk vi zh
    """.split()
)
"""Prefixes of other sites; an export does not contain the wiki's own table."""

_SPACES = re.compile(r"[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_DIRECTION = re.compile(r"[\u200e\u200f\u202a-\u202e]")
_PLAIN = re.compile(r"[A-Z(0-9][A-Za-z0-9()'/,.+*\u2013-]*(?: [A-Za-z0-9()'/,.+*\u2013-]+)*\Z")
_FORBIDDEN = re.compile(r"[\[\]{}|<>\x00-\x1f\x7f\ufffd]")
_RELATIVE = re.compile(r"(?:\A|/)\.{1,2}(?:/|\Z)")


def is_content(key: int) -> bool:
    """Whether a namespace contains content pages: the main one and the wiki's own ones do."""
    return key == MAIN or (key >= 100 and key % 2 == 0 and key not in TECHNICAL)


class Title(msgspec.Struct, frozen=True, gc=False):
    """A page name in normalised spelling."""

    name: str
    """With its namespace prefix."""
    namespace: int
    fragment: str = ""
    colon: bool = False
    """Whether a leading colon makes it a plain link instead of a file or category."""
    interwiki: bool = False


class TitleRules:
    """The title rules of one wiki, bound to its namespaces."""

    def __init__(self, site: Site) -> None:
        """Index the wiki's namespaces by all their names."""
        self._names = dict(NAMES) | {space.key: space.name for space in site.namespaces}
        self._keys = dict(CANONICAL) | {fold(space.name): space.key for space in site.namespaces if space.name}
        if site.name and PROJECT not in {space.key for space in site.namespaces}:
            self._keys[fold(site.name)] = PROJECT
            self._names[PROJECT] = site.name
        self._printed = {name: key for key, name in self._names.items() if name}
        self._first_letter = {space.key: space.first_letter for space in site.namespaces}
        self._default_first_letter = site.first_letter

    def parse(self, raw: str, host: str = "") -> Title | None:
        """Normalise a target as written.

        Args:
            raw: The text between the brackets, before the bar.
            host: The page with the link, for ``[[#section]]``, ``[[/sub-page]]`` and ``[[../]]``.

        Returns:
            The title, or None if MediaWiki would not make it a link.
        """
        # Fast path: most targets are normalised already.
        prefix, found, rest = raw.partition(":")
        if found:
            if prefix in self._printed and _PLAIN.match(rest):
                return Title(raw, self._printed[prefix])
        elif _PLAIN.match(raw):
            return Title(raw, MAIN)
        text = _clean(raw)
        colon = text.startswith(":")
        if colon:
            text = text[1:].lstrip()
        if host and text.startswith(("/", "../")):
            text = _relative(text, host)
        text, _, fragment = text.partition("#")
        text = text.rstrip()
        if not text:
            return Title(host, self.namespace(host), fragment, colon) if fragment and host else None
        return self._absolute(text, fragment, colon)

    def namespace(self, name: str) -> int:
        """The namespace of a page name, by its prefix."""
        prefix, found, _ = name.partition(":")
        return self._keys.get(fold(prefix), MAIN) if found else MAIN

    def prefixes(self, key: int) -> list[str]:
        """The prefixes of a namespace, in lower case."""
        return [name for name, value in self._keys.items() if value == key]

    def _absolute(self, text: str, fragment: str, colon: bool) -> Title | None:
        prefix, found, rest = text.partition(":")
        key = MAIN
        if found:
            folded = fold(prefix)
            if folded in self._keys:
                key, text = self._keys[folded], rest.strip()
            elif folded in INTERWIKI:
                return Title(text, MAIN, fragment, colon, interwiki=True)
        if (
            not text
            or text.startswith(":")
            or len(text.encode()) > 255
            or _FORBIDDEN.search(text)
            or _RELATIVE.search(text)
        ):
            return None
        if self._first_letter.get(key, self._default_first_letter):
            text = capitalised(text)
        return Title(f"{self._names[key]}:{text}" if key != MAIN else text, key, fragment, colon)


def fold(name: str) -> str:
    """A namespace name as it is compared: case and underscores do not matter."""
    return _SPACES.sub(" ", name).strip().lower()


def capitalised(text: str) -> str:
    """Capitalise the first letter, unless that gives several letters."""
    first = text[0].upper()
    return first + text[1:] if len(first) == 1 else text


def parent(name: str) -> str:
    """The page above a subpage, or an empty string."""
    return name.rpartition("/")[0]


def _clean(raw: str) -> str:
    text = unescape(raw)
    if "%" in text:
        text = unquote(text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", _DIRECTION.sub("", text))
    return _SPACES.sub(" ", text).strip()


def _relative(text: str, host: str) -> str:
    base = host
    if text.startswith("/"):
        return base + text.rstrip("/")
    while text.startswith("../"):
        base, text = parent(base), text[3:]
        if not base:
            return ""
    return f"{base}/{text}".rstrip("/") if text else base


def resolve_redirects(
    redirects: Mapping[str, str], exists: Callable[[str], bool]
) -> tuple[dict[str, str | None], list[Diagnostic]]:
    """Follow every redirect to its final page.

    Returns:
        For each redirect the final page, or None for a cycle or a missing page; and diagnostics.
    """
    ends: dict[str, str | None] = {}
    found: list[Diagnostic] = []
    for title in redirects:
        if title in ends:
            continue
        trail: dict[str, None] = {}
        here = title
        while here in redirects and here not in trail and here not in ends:
            trail[here] = None
            here = redirects[here]
        if here in trail:
            circle = [*list(trail)[list(trail).index(here) :], here]
            found.append(_diagnostic(here, "redirect-cycle", f"redirects in a circle: {' > '.join(circle)}"))
            end = None
        elif here in ends:
            end = ends[here]
        elif exists(here):
            end = here
        else:
            last = next(reversed(trail))
            found.append(_diagnostic(last, "redirect-to-nowhere", f"redirects to a page that does not exist: {here}"))
            end = None
        ends.update(dict.fromkeys(trail, end))
    return ends, found


def _diagnostic(title: str, rule: str, message: str) -> Diagnostic:
    return Diagnostic(title, 1, 1, "warning", rule, message)
