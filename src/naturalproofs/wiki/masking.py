"""Wikitext with everything that is not markup blotted out, position by position.

A masked text has the length and the line ends of the original, so that what is found in one is at the same place in
the other. What a reader of the page does not see (comments, ``<includeonly>``) and what the wiki does not look into
(``<nowiki>``, ``<pre>``, ``<math>``) is replaced by :data:`BLOT`.
"""

import re
from typing import NamedTuple

BLOT = "\x7f"

VERBATIM = frozenset({"nowiki", "pre", "math", "chem", "source", "syntaxhighlight", "score", "timeline", "graph"})
"""Tags whose inside is not wikitext."""
INCLUSION = frozenset({"noinclude", "onlyinclude", "includeonly"})

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(/?)(" + "|".join(sorted(VERBATIM | INCLUSION)) + r")(?=[\s/>])[^<>]*?(/?)>",
    re.IGNORECASE | re.DOTALL,
)
_CLOSE = {tag: re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in VERBATIM | INCLUSION}
_INK = re.compile(r"[^\n]")


class Span(NamedTuple):
    """A blotted stretch of text."""

    start: int
    end: int
    tag: str
    """Lower case; ``!--`` for a comment."""
    inner_start: int
    inner_end: int


class Masked(NamedTuple):
    """A masked text, and what lies below the blots."""

    text: str
    spans: tuple[Span, ...] = ()
    """Blotted stretches in order."""
    only: tuple[tuple[int, int], ...] = ()
    """Insides of ``<onlyinclude>``, which are all that a transclusion brings in."""
    never: tuple[tuple[int, int], ...] = ()
    """Stretches that a transclusion leaves out: ``<noinclude>``."""


def mask(text: str) -> Masked:
    """Blot out what is not markup on the page itself."""
    if "<" not in text or _TAG.search(text) is None:
        return Masked(text.replace(BLOT, " ") if BLOT in text else text)
    spans: list[Span] = []
    only: list[tuple[int, int]] = []
    never: list[tuple[int, int]] = []
    opened: dict[str, int] = {}
    unclosed: set[str] = set()
    position = 0
    while match := _TAG.search(text, position):
        start, position = match.span()
        if match[2] is None:
            spans.append(Span(start, position, "!--", start, start))
            continue
        tag = match[2].lower()
        if tag in VERBATIM or tag == "includeonly":
            position = _swallow(text, match, unclosed, spans)
            continue
        spans.append(Span(start, position, tag, start, start))
        if not match[1] and not match[3]:
            opened.setdefault(tag, position)
        elif tag in opened:
            (only if tag == "onlyinclude" else never).append((opened.pop(tag), start))
    # An inclusion tag that is never closed holds to the end of the page.
    if "onlyinclude" in opened:
        only.append((opened["onlyinclude"], len(text)))
    if "noinclude" in opened:
        never.append((opened["noinclude"], len(text)))
    return Masked(_blot(text.replace(BLOT, " "), spans), tuple(spans), tuple(only), tuple(never))


def transcluded(text: str, masked: Masked) -> str:
    """Give what ``{{:Page}}`` brings in: the ``<onlyinclude>`` parts, or all but the ``<noinclude>`` ones."""
    if masked.only:
        return "".join(text[start:end] for start, end in masked.only)
    cuts = [(start, end, "") for start, end in masked.never]
    cuts += [(s.start, s.end, text[s.inner_start : s.inner_end]) for s in masked.spans if s.tag == "includeonly"]
    pieces: list[str] = []
    position = 0
    for start, end, instead in sorted(cuts):
        if start >= position:
            pieces += (text[position:start], instead)
            position = end
    pieces.append(text[position:])
    return "".join(pieces)


def _swallow(text: str, match: re.Match[str], unclosed: set[str], spans: list[Span]) -> int:
    """Blot a whole element; give where reading goes on."""
    start, end = match.span()
    tag = match[2].lower()
    if match[1]:
        return end
    if match[3]:
        spans.append(Span(start, end, tag, end, end))
        return end
    close = None if tag in unclosed else _CLOSE[tag].search(text, end)
    if close is not None:
        spans.append(Span(start, close.end(), tag, end, close.start()))
        return close.end()
    # Remembered, so that a page full of open tags is not searched again and again.
    unclosed.add(tag)
    if tag != "includeonly":
        return end
    spans.append(Span(start, len(text), tag, end, len(text)))
    return len(text)


def _blot(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces.append(text[position : span.start])
        inked = text[span.start : span.end]
        pieces.append(_INK.sub(BLOT, inked) if "\n" in inked else BLOT * len(inked))
        position = span.end
    pieces.append(text[position:])
    return "".join(pieces)
