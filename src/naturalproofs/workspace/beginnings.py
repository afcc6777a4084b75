"""Parts of a statement's source that can be shown: cut where no formula is open, and with their lists closed."""

from __future__ import annotations

import re
from collections.abc import Iterable

_STOP = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}|\\.?|[{}\s]|\$\$?", re.DOTALL)
_LISTS = frozenset({"enumerate", "itemize", "description", "list", "center", "quote"})
"""Environments that hold text; whatever stands in another one is taken for a formula, which is not cut."""


def beginning(lines: Iterable[str], most: int) -> str:
    """As much of a text as fits, up to a space outside all groups and formulas; all of `most` if there is none."""
    text = "\n".join(lines)
    if len(text) <= most:
        return text
    depth, formula, last = 0, "", 0
    for match in _STOP.finditer(text, 0, most):
        sign = match.group()
        if match[1]:
            depth += 0 if match[2].rstrip("*") in _LISTS else 1 if match[1] == "begin" else -1
        elif sign in ("{", "}"):
            depth += 1 if sign == "{" else -1
        elif sign in ("$", "$$", "\\[", "\\]", "\\(", "\\)"):
            formula = "" if formula else sign
        elif sign.isspace() and depth <= 0 and not formula:
            last = match.start()
    return text[:last] if last else text[:most].rstrip("\\")


def closed(text: str) -> str:
    """A part of a text with all groups and environments closed that it opens, and without ends of others."""
    parts: list[str] = []
    opened: list[str] = []
    at = 0

    def close(end: str, start: int) -> None:
        """Close all that was opened after the opening of what ends here."""
        nonlocal at
        while opened[-1] != end:
            parts.append(text[at:start] + _end(opened.pop()))
            at = start
        opened.pop()

    for match in _STOP.finditer(text):
        if match[1] == "begin" or match.group() == "{":
            opened.append(match[2] or "{")
        elif match[1] == "end" or match.group() == "}":
            name = match[2] or "{"
            if name in opened:
                close(name, match.start())
            else:
                parts.append(text[at : match.start()])
                at = match.end()
    return "".join([*parts, text[at:], *map(_end, reversed(opened))])


def _end(opening: str) -> str:
    return "}" if opening == "{" else f"\\end{{{opening}}}"
