"""Excerpts of LaTeX that can be rendered: they end outside of formulas, and their groups are closed."""

from __future__ import annotations

import re
from collections.abc import Iterable

_STOP = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}|\\.?|[{}\s]|\$\$?", re.DOTALL)
_LISTS = frozenset({"enumerate", "itemize", "description", "list", "center", "quote"})
"""Environments of text. All others are treated as formulas, which are not split."""


def excerpt(lines: Iterable[str], limit: int) -> str:
    """The beginning of a text, up to a space outside of groups and formulas; all of `limit` if there is none."""
    text = "\n".join(lines)
    if len(text) <= limit:
        return text
    depth, formula, last = 0, "", 0
    for match in _STOP.finditer(text, 0, limit):
        sign = match.group()
        if match[1]:
            depth += 0 if match[2].rstrip("*") in _LISTS else 1 if match[1] == "begin" else -1
        elif sign in ("{", "}"):
            depth += 1 if sign == "{" else -1
        elif sign in ("$", "$$", "\\[", "\\]", "\\(", "\\)"):
            formula = "" if formula else sign
        elif sign.isspace() and depth <= 0 and not formula:
            last = match.start()
    return text[:last] if last else text[:limit].rstrip("\\")


def close_groups(text: str) -> str:
    """Close the groups and environments that a part of a text opens, and drop the ends of others."""
    parts: list[str] = []
    opened: list[str] = []
    at = 0

    def close(end: str, start: int) -> None:
        """Close everything inside the group that ends here."""
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
