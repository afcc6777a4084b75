"""The kind of a page, by a table of rules on its title and sections."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from naturalproofs.records import Kind
from naturalproofs.wiki.sections import Role

_PROOF = re.compile(r"(?!.*\bproof (?:rule|system|technique|method|strategy)).*\bproofs?\b", re.IGNORECASE)
_NOTE = re.compile(
    r"also |sources?\b|historical note|linguistic note|technical note|notation\b|warning|motivation|examples?\b|mistake"
    r"|internationali[sz]ation|comment|also see",
    re.IGNORECASE,
)


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
    PageRule(PageKind("other", "note"), prefix="Definition:", segment=_NOTE),
    PageRule(PageKind("definition", "definition"), prefix="Definition:"),
    PageRule(PageKind("other", "axiom", "axiom"), prefix="Axiom:", section="axiom"),
    PageRule(PageKind("other", "axiom", "definition"), prefix="Axiom:", section="definition"),
    PageRule(PageKind("other", "axiom"), prefix="Axiom:"),
    PageRule(PageKind("other", "symbol"), prefix="Symbols:"),
    PageRule(PageKind("other", "mathematician"), prefix="Mathematician:"),
    PageRule(PageKind("other", "book"), prefix="Book:"),
    PageRule(PageKind(None, "proof"), segment=_PROOF, below_theorem=True),
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
    return bool(above) and _PROOF.match(segment) is not None
