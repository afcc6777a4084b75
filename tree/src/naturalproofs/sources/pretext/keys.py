"""Labels and references of a PreTeXt file where they are written, and the macros that it defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape

from naturalproofs.records import KeyAt
from naturalproofs.sources.reading.text_files import Positions

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)
_TAG = re.compile(r"<(?P<name>[a-zA-Z][\w:.-]*)(?P<attributes>(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*/?>")
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:\"([^\"<]*)\"|'([^'<]*)')")
_KEY = re.compile(r"[^\s,]+")
_MACROS = re.compile(r"<macros\b[^<>]*>(.*?)(?:</macros>|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"<xref\s[^<>]*?\bref\s*=\s*[\"']([^\"'<>]*)[\"'][^<>]*>")
_FORMULA = re.compile(r"</?m>")
_ANY_TAG = re.compile(r"<[^<>]*>")
_NAME = re.compile(r"<([a-zA-Z][\w:.-]*)")


def find_keys(text: str) -> Iterator[KeyAt]:
    """All labels and references of a file."""
    visible = _without_comments(text)
    positions = Positions(text)
    for tag in _TAG.finditer(visible):
        is_reference = tag["name"] == "xref"
        names = ("ref", "first", "last") if is_reference else ("xml:id",)
        for attribute in _ATTRIBUTE.finditer(visible, *tag.span("attributes")):
            if attribute[1] in names:
                span = attribute.span(2) if attribute[2] is not None else attribute.span(3)
                for key in _KEY.finditer(visible, *span):
                    yield KeyAt(key.group(), *positions.line_column(key.start()), not is_reference)


def macro_definitions(text: str) -> str:
    """The definitions of macros in a file."""
    return "\n".join(unescape(found) for found in _MACROS.findall(_without_comments(text)))


def to_latex(text: str) -> str:
    """The LaTeX of a piece of a file, as far as words, formulas and references go."""
    text = _REFERENCE.sub(lambda found: f"\\cref{{{','.join(_KEY.findall(found[1]))}}}", _without_comments(text))
    return unescape(_ANY_TAG.sub(" ", _FORMULA.sub("$", text)))


def last_line(lines: Sequence[str], start: int) -> int:
    """The line on which the element that begins on a line ends."""
    begun = _NAME.search(lines[start - 1]) if start <= len(lines) else None
    if begun is None:
        return start
    mark = re.compile(rf"<(/?){re.escape(begun[1])}\b[^<>]*?(/?)>|<(/?){re.escape(begun[1])}\s*$")
    depth = 0
    for number in range(start, len(lines) + 1):
        for found in mark.finditer(lines[number - 1]):
            depth += -1 if found[1] else 0 if found[2] else 1
            if depth == 0:
                return number
    return len(lines)


def _without_comments(text: str) -> str:
    """The text with comments and raw characters blanked, so that places stay."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
