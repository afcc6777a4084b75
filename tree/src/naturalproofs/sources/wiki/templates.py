"""ProofWiki's templates: which pages they cite, and what text they stand for.

A citation rule lists possible titles of the cited page, with ``{1}`` for the first argument and ``{name}`` for a named
one. The first title of an existing page is used; a title whose arguments are missing is skipped. ``{page}`` is the page
with the template and ``{above}`` the one above it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from urllib.parse import unquote

import msgspec

from naturalproofs.records import Diagnostic
from naturalproofs.sources.wiki.dump import Site
from naturalproofs.sources.wiki.latex import CONVENTIONS
from naturalproofs.sources.wiki.wikitext import unescape

CITATIONS, SHOWN, SYMBOLS = CONVENTIONS.citations, CONVENTIONS.shown, CONVENTIONS.symbols
INTERWIKI = frozenset(CONVENTIONS.interwiki.split())

_AXIOM = re.compile(r"(.+?)-?axiom\Z")
_MORE_NAMES = tuple(f"name{i}" for i in range(2, 7))
_SLOT = re.compile(r"\{(\w+)\}")
_TEXT = re.compile(r"\\\)([^\\]*+(?:\\(?![()])[^\\]*+)*+)\\\(")
"""Text between formulas, where a formula is expected."""

EQUATION_ROW = frozenset({"eqn", "equation", "eqn2"})

WANTED: frozenset[str] = frozenset({"proofwanted", "proof wanted", "proof-wanted", "wanted proof"})
"""Templates that mark a missing proof."""

_WORD = re.compile(r"\{\{\s*((?:FULL|BASE|SUB|ROOT)?PAGENAMEE?|NAMESPACEE?)\s*\}\}")


@lru_cache(maxsize=1 << 14)
def is_citation(template: str) -> bool:
    """Whether a template, named in lower case, cites a page."""
    return template in CITATIONS or _AXIOM.match(template) is not None


def cited_titles(template: str, arguments: Mapping[str, str], page: str) -> Iterator[list[str]]:
    """For each page that a template cites, the titles to try in order.

    Args:
        template: Its name, in lower case.
        arguments: Its arguments, by name or by number, stripped.
        page: The page with the template.
    """
    given = {name: value for name, value in arguments.items() if value}
    known = given | {"page": page, "above": page.rpartition("/")[0]}
    axiom = _AXIOM.match(template)
    if axiom is not None and template not in CITATIONS:
        # {{Group-axiom|1}}, {{Metric-space-axiom|2}}: one page has all axioms of a structure.
        words = axiom[1].replace("-", " ")
        plural = [f"{words.title()} Axioms", f"{words.capitalize()} Axioms"]
        yield [f"{prefix}:{name}" for prefix in ("Axiom", "Definition") for name in (*plural, f"{words.title()} Axiom")]
        return
    yield [title for pattern in CITATIONS[template] if (title := _filled(pattern, known))]
    if template.startswith("namedfor"):
        yield from (["Mathematician:" + given[name]] for name in _MORE_NAMES if name in given)


def _filled(pattern: str, known: Mapping[str, str]) -> str:
    if not all(known.get(name) for name in _SLOT.findall(pattern)):
        return ""
    return _SLOT.sub(lambda slot: known[slot[1]], pattern)


def equation_row(fields: Mapping[str, str]) -> str:
    """One ``{{eqn}}`` as a row of aligned LaTeX: left side, operator, right side, then the reason as text.

    Args:
        fields: The template's named arguments, already rendered: ``n`` (number), ``ll``, ``l``, ``lo``, ``o``, ``ro``,
            ``r``, ``rr`` and ``c`` (the reason).
    """
    get = {name: _TEXT.sub(r"\\text{\1}", value) for name, value in _given(fields).items()}
    left = _joined(get.get("ll"), get.get("l"), get.get("lo"))
    right = _joined(get.get("ro"), get.get("r"), get.get("rr"))
    operator = get.get("o", "=" if right else "")
    text = f"{left} &{operator} {right}".strip()
    if "n" in get:
        text += f" & ({get['n']})"
    if "c" in get:
        # The reason has its own column, after that of the numbers.
        text += ("" if "n" in get else " &") + rf" & \text{{{get['c']}}}"
    return text + r" \\"


def axiom_row(fields: Mapping[str, str]) -> str:
    """One ``{{axiom}}`` of a list of axioms: its number, a text and a formula.

    Args:
        fields: The template's named arguments, already rendered: ``n`` (number), ``lc`` and ``rc`` (comments), ``t``
            (text), ``q`` (quantifiers), and the formula as ``m``, or as ``ml``, ``mo`` and ``mr``.
    """
    get = _given(fields)
    formula = _joined(get.get("ml"), get.get("mo"), get.get("m"), get.get("mr"))
    formula = ": ".join(filter(None, (get.get("q"), formula)))
    number = f"($${get['n']}$$):" if "n" in get else ""
    parts = (number, get.get("lc"), get.get("t"), f"$${formula}$$" if formula else "", get.get("rc"))
    return "\n" + _joined(*parts).replace("$$", "$") + "\n"


def definition_of_category(fields: Mapping[str, str]) -> str:
    """What ``{{DefineCategory}}`` shows: a line for each of its parts."""
    names = {"ob": "Objects", "mor": "Morphisms", "comp": "Composition", "id": "Identity morphisms"}
    return "".join(f"\n{name}: {fields[key]}" for key, name in names.items() if fields.get(key)) + "\n"


def function_value(name: str) -> Callable[[Mapping[str, str]], str]:
    """What a link to the value of an arithmetic function shows."""
    return lambda fields: f"${name}$ of ${fields.get('1', '')}$"


ROWS: dict[str, Callable[[Mapping[str, str]], str]] = {
    **dict.fromkeys(EQUATION_ROW, equation_row),
    "axiom": axiom_row,
    "definecategory": definition_of_category,
    "eulerphilink": function_value(r"\phi"),
    "sigmalink": function_value(r"\sigma"),
    "taulink": function_value(r"\tau"),
    "begintableau": lambda fields: f"${fields.get('1', '')}$",
    "eqn-intertext": lambda fields: rf"& \text{{{fields.get('1', '')}}} \\",
}
"""Templates whose text is made of their arguments."""


def citation_text(template: str, titles: Sequence[str], given: Mapping[str, str]) -> str:
    """What a citing template shows.

    Args:
        template: Its name, in lower case.
        titles: The pages that it cites.
        given: Its arguments, already rendered.
    """
    names = ", ".join(title.partition(":")[2] or title for title in titles)
    if template == "tfae":
        concept = given.get("view") or given.get("def", "")
        if not concept:
            return "The following are equivalent:"
        return f"The following definitions of the concept of {concept} are equivalent:"
    if template == "defof":
        return f"Definition of {given.get('2') or given.get('1', '')}" if titles else ""
    formula = given.get(CONVENTIONS.formulas.get(template, ""), "")
    if not formula:
        return names
    reason = names or given.get("rtxt", "")
    return f"\n${formula}$ by {reason}\n" if reason else f"\n${formula}$\n"


def _given(fields: Mapping[str, str]) -> dict[str, str]:
    """The arguments that are not empty, on one line."""
    return {name: " ".join(value.split()) for name, value in fields.items() if value.strip()}


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


def magic_word(word: str, title: str) -> str | None:
    """The value of a magic word (such as ``PAGENAME``) on a page, or None for any other word."""
    if not word.isupper():
        return None
    prefix, colon, name = title.rpartition(":") if ":" in title.partition(" ")[0] else ("", "", title)
    return {
        "FULLPAGENAME": title,
        "PAGENAME": name,
        "BASEPAGENAME": name.rpartition("/")[0] or name,
        "ROOTPAGENAME": name.partition("/")[0],
        "SUBPAGENAME": name.rpartition("/")[2],
        "NAMESPACE": prefix if colon else "",
    }.get(word.removesuffix("E") if word.endswith("NAMEE") or word == "NAMESPACEE" else word)


def substitute_magic_words(text: str, title: str) -> str:
    """Replace the magic words in a link target or template name."""
    return _WORD.sub(lambda match: magic_word(match[1], title) or "", text)


# Titles of a MediaWiki: namespaces, normalisation of link targets, and redirects.

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
