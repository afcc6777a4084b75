"""What a heading says about the text below it, as a table of rules."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from naturalproofs.wiki.masking import BLOT

Role: TypeAlias = Literal["pointer", "aside", "statement", "definition", "axiom", "rule", "proof", "other"]

_PATTERNS: tuple[tuple[Role, str], ...] = (
    # Where to go on: other names, sources, related pages. Their links are no prerequisites.
    (
        "pointer",
        r"also\b|see also\b|sources?\b|references?\b|further reading|external links|internationali[sz]ation"
        r"|named? (for|after)|alternative names?|acknowledge?ments?|generali[sz]ations?\b|special cases?\b",
    ),
    # Told beside a result: history, remarks, examples. Their links are no prerequisites either.
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
    # About five thousand headings hold this word somewhere: "Direct Proof", "Proof of $(1)$", "Outline of Proof".
    ("proof", r".*\bproofs?\b"),
)
RULES: tuple[tuple[Role, re.Pattern[str]], ...] = tuple((r, re.compile(p, re.IGNORECASE)) for r, p in _PATTERNS)
"""Tried in order; the first pattern that matches the start of the heading decides."""

_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_MARKUP = re.compile(rf"'{{2,5}}|<[^<>]*>|{BLOT}+")
_SPACE = re.compile(r"\s+")


@lru_cache(maxsize=1 << 16)
def spoken(raw: str) -> str:
    """Give a heading as it is read: links replaced by their text, other markup dropped."""
    if "[[" in raw:
        raw = _LINK.sub(r"\1", raw)
    return _SPACE.sub(" ", _MARKUP.sub("", raw)).strip()


@lru_cache(maxsize=1 << 16)
def role(raw: str) -> Role:
    """Tell what stands below a heading, given as it is written."""
    heading = spoken(raw)
    return next((name for name, pattern in RULES if pattern.match(heading)), "other")
