"""MediaWiki's rules for titles: what a link's target is called once it is normalised."""

import re
import unicodedata
from urllib.parse import unquote

import msgspec

from naturalproofs.wiki.contents import Site
from naturalproofs.wiki.namespaces import CANONICAL, INTERWIKI, MAIN, NAMES, PROJECT
from naturalproofs.wiki.plain import unescape

_SPACES = re.compile(r"[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_DIRECTION = re.compile(r"[\u200e\u200f\u202a-\u202e]")
_PLAIN = re.compile(r"[A-Z(0-9][A-Za-z0-9()'/,.+*\u2013-]*(?: [A-Za-z0-9()'/,.+*\u2013-]+)*\Z")
_FORBIDDEN = re.compile(r"[\[\]{}|<>\x00-\x1f\x7f\ufffd]")
_RELATIVE = re.compile(r"(?:\A|/)\.{1,2}(?:/|\Z)")


class Title(msgspec.Struct, frozen=True, gc=False):
    """A page name in the one spelling that the wiki keeps."""

    name: str
    """With its namespace prefix."""
    namespace: int
    fragment: str = ""
    colon: bool = False
    """Whether a leading colon asked for a plain link instead of a file or category."""
    interwiki: bool = False


class TitleRules:
    """The title rules of one wiki, bound to its namespaces."""

    def __init__(self, site: Site) -> None:
        """Index the wiki's namespaces by every name they answer to."""
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
            raw: What stands between the brackets, before the bar.
            host: The page it stands on, for ``[[#section]]``, ``[[/sub-page]]`` and ``[[../]]``.

        Returns:
            The title, or None when MediaWiki would print the brackets as they are.
        """
        # Most targets are spelt as the wiki spells them.
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
        """Tell the namespace of a page name by its prefix."""
        prefix, found, _ = name.partition(":")
        return self._keys.get(fold(prefix), MAIN) if found else MAIN

    def spellings(self, key: int) -> list[str]:
        """Give the prefixes, in lower case, that mean a namespace."""
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
    """Give a namespace name as it is compared: case and underscores do not matter."""
    return _SPACES.sub(" ", name).strip().lower()


def capitalised(text: str) -> str:
    """Make the first letter a capital, where that is one letter."""
    first = text[0].upper()
    return first + text[1:] if len(first) == 1 else text


def parent(name: str) -> str:
    """Give the page that a sub-page hangs below, or an empty string."""
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
