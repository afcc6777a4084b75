"""Headings and titles as people read them: no links, labels or font commands."""

import re

from naturalproofs.latex.accents import plain_letters
from naturalproofs.latex.arguments import read_group

_MARKUP = re.compile(r"[\\%~{}]")
_LINK = re.compile(r"\\href\s*(?=\{)")
_DROPPED = re.compile(
    r"\\(?:label|index|cite[a-z]*+|footnote|thanks)\*?+\s*+(?:\[[^]]*+\]\s*+)*+\{[^{}]*+\}|%[^\n]*+\n?+"
)
_SHORT = re.compile(r"\\texorpdfstring\s*+\{((?:[^{}]|\{[^{}]*+\})*+)\}\s*+\{[^{}]*+\}")
_FONT = re.compile(r"\\(?:emph|text[a-z]{2}|mbox|uppercase)\s*+\{([^{}]*+)\}")
_SWITCH = re.compile(
    r"\\(?:bf|it|em|rm|sc|sf|tt|Large|large|huge|Huge|boldmath|protect|noindent|medskip)(?![a-zA-Z])\s*+"
)


def plain_title(source: str) -> str:
    """One line of text and formulas from the source of a title."""
    if not _MARKUP.search(source):
        return " ".join(source.split())
    text = _DROPPED.sub("", _links(source))
    for pattern, kept in ((_SHORT, r"\1"), (_FONT, r"\1"), (_SWITCH, "")):
        text = pattern.sub(kept, text)
    text = plain_letters(text).replace("\\\\", " ").replace("~", " ").replace("{}", "")
    return " ".join(text.split())


def _links(source: str) -> str:
    r"""Replace \href{address}{text} by its text."""
    parts: list[str] = []
    at = 0
    while match := _LINK.search(source, at):
        address = read_group(source, match.end())
        text = read_group(source, address.end) if address else None
        parts.append(source[at : match.start()])
        if text is None:
            at = match.end()
            continue
        parts.append(text.text)
        at = text.end
    return "".join(parts) + source[at:]
