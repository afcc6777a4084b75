r"""Statements whose heading their author writes.

In plain TeX and AMS-TeX ``\proclaim Theorem 1. …\par`` and ``\proclaim{Theorem 1} … \endproclaim``; on slides
``\begin{block}{Theorem (Rolle)}``; in boxes ``\begin{tcolorbox}[title=Definition]``.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from naturalproofs.latex.arguments import plain_title, read_group, read_option
from naturalproofs.latex.declarations import key_values, skip_overlay
from naturalproofs.latex.kinds import Sense, by_word, words_of

PLAIN: Mapping[str, str] = {"proclaim": "endproclaim"}
"""Commands that open a statement with its heading, and those that close it."""
AMSTEX: Mapping[str, str] = {name: f"end{name}" for name in ("proclaim", "definition", "example", "remark")}
"""Those of AMS-TeX."""
AMSTEX_CLASS = "amsppt"
TITLED: Mapping[str, str] = {
    **dict.fromkeys(("block", "alertblock", "exampleblock"), ""),
    **dict.fromkeys(("tcolorbox", "mdframed"), "title"),
}
"""Environments with a title: an argument, or this key of the option, which mdframed calls ``frametitle``."""
_HEADING = re.compile(r"\s++((?:[^\n.]|\.(?!\s))*+)\.\s")
_NUMBER = re.compile(r"(?<!\w)(?:[A-Z]\.?)?\d++(?:\.\d++)*+'*+|(?<=\s)[A-Z](?:\.\d++)*+(?=\s*+$)")
_TITLE = re.compile(r"\(([^()]*+)\)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n|\\par(?![a-zA-Z])")
_LONGEST = 100_000
_LONGEST_TITLE = 300
_THEOREM = Sense("theorem", "theorem")
_NAMED = re.compile(
    r"\s*+(?P<number>(?:[A-Z]\.)?\d++(?:\.\d++)*+'*+)?+\s*+"
    r"(?:\((?P<brackets>.++)(?<=\))|[:.,–—-]++\s*+(?P<after>.*+)|(?P<of>(?:of|von|der|des|de|du|di)\s.++))?+"
)
"""What follows the word in a title: nothing, a number, a name. In "Proof assistants" the word is part of another."""


class Proclaimed(NamedTuple):
    """A statement with its heading: what it is, its number and title, where its text stands, and where all ends."""

    sense: Sense
    form: str
    number: str
    title: str
    start: int
    stop: int
    end: int


class Titled(NamedTuple):
    """The title of an environment that says what it is."""

    sense: Sense
    number: str
    name: str
    title: str
    """All of it."""
    end: int
    """Where the text of the environment begins."""


def read_titled(text: str, at: int, key: str) -> Titled | None:
    """Read the title of an environment if it is that of a statement or of a proof.

    Args:
        text: The text of the file.
        at: Where the ``\\begin{…}`` ends.
        key: The key of the title in the option; an argument is read if it is empty.
    """
    argument = read_option(text, at) if key else read_group(text, skip_overlay(text, at))
    if argument is None or len(argument.text) > _LONGEST_TITLE:
        return None
    keys = key_values(argument.text) if key else {}
    plain = plain_title(keys.get(key) or keys.get(f"frame{key}", "") if key else argument.text).strip()
    words = words_of(plain)
    sense = by_word(words[0]) if words and plain.startswith(words[0]) else None
    if sense is None or sense.role == "ignore":
        return None
    if sense.role == "proof":
        return Titled(sense, "", "", plain, argument.end)
    rest = _NAMED.fullmatch(plain, len(words[0]))
    if rest is None:
        return None
    name = (rest["brackets"] or "").removesuffix(")") or rest["after"] or (plain if rest["of"] else "")
    return Titled(sense, rest["number"] or "", name.strip(), plain, argument.end)


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
