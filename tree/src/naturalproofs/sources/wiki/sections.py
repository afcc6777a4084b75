"""The structure of a page: sections, the roles of their headings, its kind, and where statement and proofs are."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

import msgspec

from naturalproofs.records import Kind
from naturalproofs.sources.wiki.wikitext import MASK, VERBATIM, Wikitext

_TAIL = " \t" + MASK

Role: TypeAlias = Literal["pointer", "aside", "statement", "definition", "axiom", "rule", "proof", "other"]

_ROLE_PATTERNS: tuple[tuple[Role, str], ...] = (
    # Other names, sources, related pages. Their links are not prerequisites.
    (
        "pointer",
        r"also\b|see also\b|sources?\b|references?\b|further reading|external links|internationali[sz]ation"
        r"|named? (for|after)|alternative names?|acknowledge?ments?|generali[sz]ations?\b|special cases?\b",
    ),
    # History, remarks, examples. Their links are not prerequisites either.
    (
        "aside",
        r"historical|history\b|biograph|(linguistic|technical|notational|general)? *(notes?|remarks?|comments?)\b"
        r"|notation\b|warning|caution|mistakes?\b|motivation|examples?\b|applications?\b|illustrations?\b"
        r"|variants?\b|discussion\b|visuali[sz]ation|consequences\b",
    ),
    # A rule of inference is stated, not proved, below this heading.
    ("rule", r"proof (rule|system|technique|method|strategy)\b|(rule|law|principle)\Z"),
    ("statement", r"(theorem|lemma|corollary|proposition|porism|scholium)\b(?!.*\bproofs?\b)"),
    ("definition", r"definitions?\b(?!.*\bproofs?\b)"),
    ("axiom", r"axioms?\b(?!.*\bproofs?\b)|axiom schema"),
    # "Direct Proof", "Proof of $(1)$", "Outline of Proof": about five thousand headings contain the word.
    ("proof", r".*\bproofs?\b"),
)
ROLE_RULES: tuple[tuple[Role, re.Pattern[str]], ...] = tuple(
    (role, re.compile(pattern, re.IGNORECASE)) for role, pattern in _ROLE_PATTERNS
)
"""The first pattern that matches the start of a heading gives its role."""

_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_MARKUP = re.compile(rf"'{{2,5}}|<[^<>]*>|{MASK}+")
_SPACE = re.compile(r"\s+")
_PROOF_TITLE = re.compile(r"(?!.*\bproof (?:rule|system|technique|method|strategy)).*\bproofs?\b", re.IGNORECASE)
_NOTE_TITLE = re.compile(
    r"also |sources?\b|historical note|linguistic note|technical note|notation\b|warning|motivation|examples?\b|mistake"
    r"|internationali[sz]ation|comment|also see",
    re.IGNORECASE,
)

_NOT_STATEMENT: frozenset[Role] = frozenset({"pointer", "aside", "proof", "statement"})
"""Roles of subsections that are not part of a statement: corollaries, remarks, proofs."""
_REMARKS: frozenset[Role] = frozenset({"pointer", "aside"})


class Heading(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A line such as ``== Proof ==``."""

    level: int
    start: int
    """Start of its line."""
    end: int
    """End of its line, before the line break."""
    text_start: int
    text_end: int


class Section(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A top-level heading with its role, and the text below it."""

    role: Role
    heading: Heading
    end: int
    subheadings: tuple[Heading, ...]

    @property
    def start(self) -> int:
        """Start of the body, after the heading's line."""
        return self.heading.end


def headings(masked: str) -> list[Heading]:
    """Find all heading lines in masked text."""
    found: list[Heading] = []
    start = 0 if masked.startswith("=") else masked.find("\n=") + 1
    while start or masked.startswith("="):
        end = masked.find("\n", start)
        end = len(masked) if end < 0 else end
        line = masked[start:end].rstrip(_TAIL)
        inner = len(line.strip("="))
        if inner and line.endswith("="):
            left = len(line) - len(line.lstrip("="))
            level = min(left, len(line) - left - inner, 6)
            found.append(Heading(level, start, end, start + level, start + len(line) - level))
        start = masked.find("\n=", end) + 1
        if not start:
            break
    return found


def sections(masked: str) -> tuple[Section, ...]:
    """Split a page at its top-level headings; deeper ones are listed in their section.

    One ``=`` counts like two: both are used for the top level.
    """
    found = headings(masked)
    top = [i for i, heading in enumerate(found) if heading.level <= 2 or i == 0]
    split: list[Section] = []
    for a, b in pairwise([*top, len(found)]):
        end = found[b].start if b < len(found) else len(masked)
        role = heading_role(masked[found[a].text_start : found[a].text_end])
        split.append(Section(role, found[a], end, tuple(found[a + 1 : b])))
    return tuple(split)


@lru_cache(maxsize=1 << 16)
def heading_text(raw: str) -> str:
    """A heading as displayed: links replaced by their text, other markup removed."""
    if "[[" in raw:
        raw = _LINK.sub(r"\1", raw)
    return _SPACE.sub(" ", _MARKUP.sub("", raw)).strip()


@lru_cache(maxsize=1 << 16)
def heading_role(raw: str) -> Role:
    """The role of the section below a heading, given as written."""
    heading = heading_text(raw)
    return next((name for name, pattern in ROLE_RULES if pattern.match(heading)), "other")


class Outline(Wikitext):
    """A page and its sections."""

    title: str
    sections: tuple[Section, ...] = ()
    """The top-level sections in order."""

    @classmethod
    def of(cls, title: str, text: str) -> "Outline":
        """Split a page into sections."""
        page = cls(text, title)
        page.sections = sections(page.masked.text)
        return page

    def heading(self, heading: Heading) -> str:
        """A heading as displayed."""
        return heading_text(self.masked.text[heading.text_start : heading.text_end])

    def role(self, heading: Heading) -> Role:
        """The role of the section below a heading."""
        return heading_role(self.masked.text[heading.text_start : heading.text_end])


@dataclass(frozen=True, slots=True)
class PageKind:
    """How a page is read."""

    kind: Kind | None
    """None for a page with a proof of another page's theorem."""
    form: str
    """The form of the statement; empty if its heading gives it."""
    body: Role | None = None
    """The role of the section with the text; None for the whole page."""


@dataclass(frozen=True, slots=True)
class PageRule:
    """A page is of this kind if all conditions hold."""

    gives: PageKind
    prefix: str = ""
    segment: re.Pattern[str] | None = None
    """Pattern for the last part of a subpage's title."""
    section: Role | None = None
    """The role of a section that the page must have."""
    below_theorem: bool = False
    """Whether the page must be a subpage of a theorem."""


RULES: tuple[PageRule, ...] = (
    PageRule(PageKind("definition", "definition", "definition"), prefix="Definition:", section="definition"),
    PageRule(PageKind("other", "note"), prefix="Definition:", segment=_NOTE_TITLE),
    PageRule(PageKind("definition", "definition"), prefix="Definition:"),
    PageRule(PageKind("other", "axiom", "axiom"), prefix="Axiom:", section="axiom"),
    PageRule(PageKind("other", "axiom", "definition"), prefix="Axiom:", section="definition"),
    PageRule(PageKind("other", "axiom"), prefix="Axiom:"),
    PageRule(PageKind("other", "symbol"), prefix="Symbols:"),
    PageRule(PageKind("other", "mathematician"), prefix="Mathematician:"),
    PageRule(PageKind("other", "book"), prefix="Book:"),
    PageRule(PageKind(None, "proof"), segment=_PROOF_TITLE, below_theorem=True),
    PageRule(
        PageKind("theorem", "corollary", "statement"),
        segment=re.compile("corollary", re.IGNORECASE),
        section="statement",
    ),
    PageRule(
        PageKind("theorem", "lemma", "statement"), segment=re.compile("lemma", re.IGNORECASE), section="statement"
    ),
    PageRule(PageKind("theorem", "", "statement"), section="statement"),
    PageRule(PageKind("other", "proof rule", "rule"), section="rule"),
    PageRule(PageKind("other", "page")),
)
"""The first rule that holds decides; the last one always holds."""


def page_kind(title: str, roles: Collection[Role], theorem_above: Callable[[str], str | None]) -> PageKind:
    """Find the first rule that a page satisfies.

    Args:
        title: The page's title with its prefix.
        roles: The roles of its top-level sections.
        theorem_above: Returns the theorem above a subpage, if any.
    """
    above, _, segment = title.rpartition("/")
    for rule in RULES:
        if (
            (not rule.prefix or title.startswith(rule.prefix))
            and (rule.section is None or rule.section in roles)
            and (rule.segment is None or (above and rule.segment.match(segment)))
            and (not rule.below_theorem or theorem_above(title) is not None)
        ):
            return rule.gives
    raise AssertionError("the last rule always holds")


def names_proof(title: str) -> bool:
    """Whether the last part of a subpage's title names a proof."""
    above, _, segment = title.rpartition("/")
    return bool(above) and _PROOF_TITLE.match(segment) is not None


class Body(msgspec.Struct, frozen=True, gc=False):
    """A statement or a proof: its heading, and the spans of the page that it consists of."""

    heading: Heading | None
    spans: tuple[tuple[int, int], ...]


def theorem_body(page: Outline) -> Body:
    """The statement of a theorem: its section up to the first sub-heading outside ``<onlyinclude>``.

    If that is empty, the statement consists of the subsections, except those with a heading of another role.
    """
    section = statement_section(page)
    if section is None:
        return Body(None, ())
    inner = [h for h in section.subheadings if not any(start <= h.start < end for start, end in page.masked.only)]
    lead = (section.start, inner[0].start if inner else section.end)
    if not blank(page, *lead):
        return Body(section.heading, (lead,))
    spans = _spans_without(page, section, _NOT_STATEMENT)
    return Body(section.heading, tuple(spans) or ((section.start, section.end),))


def statement_section(page: Outline) -> Section | None:
    """The section with the statement: the one headed *Theorem*, or else the first with the role of a statement."""
    candidates = [section for section in page.sections if section.role == "statement"]
    named = (section for section in candidates if page.heading(section.heading).lower().startswith("theorem"))
    return next(named, candidates[0] if candidates else None)


def section_body(page: Outline, role: Role) -> Body:
    """All sections of a role, without their subsections of remarks and pointers."""
    found = [section for section in page.sections if section.role == role]
    spans = [span for section in found for span in _spans_without(page, section, _REMARKS, heading=len(found) > 1)]
    return Body(found[0].heading if found else None, tuple(spans))


def whole_body(page: Outline) -> Body:
    """A whole page without the sections that only point elsewhere."""
    first = page.sections[0].heading if page.sections else None
    below = [(section.heading.start, section.end) for section in page.sections if section.role != "pointer"]
    return Body(first, ((0, first.start if first is not None else len(page.text)), *below))


def proof_bodies(page: Outline) -> Iterator[Body]:
    """Every proof on a page: sections of proofs, and subsections of the statement."""
    statement = statement_section(page)
    for section in page.sections:
        if section.role == "proof":
            yield Body(section.heading, ((section.start, section.end),))
        elif section is statement:
            yield from _proofs_below(page, section)


def _proofs_below(page: Outline, section: Section) -> Iterator[Body]:
    for i, heading in enumerate(section.subheadings):
        role = page.role(heading)
        if role == "statement":
            # Proofs after a corollary are proofs of the corollary.
            return
        if role == "proof":
            following = (h.start for h in section.subheadings[i + 1 :] if h.level <= heading.level)
            yield Body(heading, ((heading.end, next(following, section.end)),))


def blank(page: Outline, start: int, end: int) -> bool:
    """Whether a span contains nothing that a reader sees."""
    if page.masked.text[start:end].replace(MASK, "").strip():
        return False
    # Of the masked spans, formulas and verbatim text are visible; comments and tags are not.
    return not any(s.start < end and s.end > start and s.tag in VERBATIM for s in page.masked.spans)


def _spans_without(
    page: Outline, section: Section, without: frozenset[Role], *, heading: bool = False
) -> list[tuple[int, int]]:
    """The spans of a section without its subsections of some roles."""
    bounds = [*(sub.start for sub in section.subheadings), section.end]
    spans = [(section.heading.start if heading else section.start, bounds[0])]
    below = 0
    for sub, end in zip(section.subheadings, bounds[1:], strict=True):
        if below and sub.level > below:
            continue
        below = sub.level if page.role(sub) in without else 0
        if not below:
            spans.append((sub.start, end))
    return [span for span in spans if not blank(page, *span)]
