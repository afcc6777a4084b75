r"""Statements of plain TeX and AMS-TeX: ``\proclaim Theorem 1. …\par`` and ``\proclaim{Theorem 1} … \endproclaim``."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from naturalproofs.latex.arguments import plain_title, read_group
from naturalproofs.latex.kinds import Sense, by_word, words_of

PLAIN: Mapping[str, str] = {"proclaim": "endproclaim"}
"""Commands that open a statement with its heading, and those that close it."""
AMSTEX: Mapping[str, str] = {name: f"end{name}" for name in ("proclaim", "definition", "example", "remark")}
"""Those of AMS-TeX."""
AMSTEX_CLASS = "amsppt"
_HEADING = re.compile(r"\s++((?:[^\n.]|\.(?!\s))*+)\.\s")
_NUMBER = re.compile(r"(?<!\w)(?:[A-Z]\.?)?\d++(?:\.\d++)*+'*+|(?<=\s)[A-Z](?:\.\d++)*+(?=\s*+$)")
_TITLE = re.compile(r"\(([^()]*+)\)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n|\\par(?![a-zA-Z])")
_LONGEST = 100_000
_THEOREM = Sense("theorem", "theorem")


class Proclaimed(NamedTuple):
    """A statement with its heading: what it is, its number and title, where its text stands, and where all ends."""

    sense: Sense
    form: str
    number: str
    title: str
    start: int
    stop: int
    end: int


def read_proclaimed(text: str, at: int, closing: str) -> Proclaimed | None:
    """Read the statement whose command ends at `at`; None if there is no heading.

    Args:
        text: The text of the file.
        at: Where the command ends.
        closing: The command that closes the statement, if its heading stands in braces.
    """
    group = read_group(text, at)
    match = None if group else _HEADING.match(text, at, at + 500)
    heading, start = (group.text, group.end) if group else (match[1], match.end()) if match else ("", at)
    if not heading:
        return None
    limit = start + _LONGEST
    stop = text.find(f"\\{closing}", start, limit) if group else -1
    end = stop + 1 + len(closing)
    if stop < 0:
        paragraph = _PARAGRAPH.search(text, start, limit)
        stop = end = paragraph.start() if paragraph else min(limit, len(text))
    plain = plain_title(heading)
    number = _NUMBER.search(plain)
    title = _TITLE.search(plain)
    words = words_of(plain)
    sense = next((found for word in words if (found := by_word(word))), _THEOREM)
    return Proclaimed(
        sense, sense.family or "theorem", number[0] if number else "", title[1] if title else "", start, stop, end
    )
