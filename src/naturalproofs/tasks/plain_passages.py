r"""What is mathematics in the text of a statement: not the keys of ``\ref`` and ``\label``, nor names of files or Lean.

Keys name what is cited, often in words, and say more than a reader sees.
"""

import re
from collections.abc import Collection

from naturalproofs.latex.macros.entries import BIBLIOGRAPHY_COMMANDS, METADATA, USES
from naturalproofs.latex.read.blueprint import formal_names
from naturalproofs.latex.scan.vocabulary import INPUTS, LABELS, REFERENCES
from naturalproofs.reading.resolve_labels import RANGES
from naturalproofs.records import Statement, StatementId

_COMMAND = re.compile(r"\\([a-zA-Z]++)\*?+\s*+((?:\[[^][]*+\]\s*+)?+)\{(?:([^{}]*+)|\{[^{}]*+\})\}((?:\{[^{}]*+\})?+)")
"""A command with an option and one or two arguments without braces inside; those of a key may be doubled."""
_ENDINGS = ("ref", "Ref", "refs", "cite", "cites", "label")
"""Of commands that a project defines for itself: ``\\lemref``."""
_KEYS = frozenset().union(
    REFERENCES, LABELS, BIBLIOGRAPHY_COMMANDS, METADATA, INPUTS, (USES, "nocite", "getrefnumber", "getpagerefnumber")
)
_FILES = frozenset({"includegraphics", "includesvg", "url", "href", "import", "subimport", "lstinputlisting"})


def mathematics(text: str, surfaces: Collection[str] = ()) -> str:
    """The text without the keys of citations and labels, and without names of files.

    Args:
        text: In LaTeX.
        surfaces: Commands that cite in this text; a project may define its own.
    """
    if "\\" not in text:
        return text

    def shown(found: re.Match[str]) -> str:
        name, option, first, second = found.groups()
        if name == "hyperref":
            return f"{first or ''}{second}" if option else second
        if name in RANGES:
            return ""
        if name in _KEYS or name in _FILES or name in surfaces or name.endswith(_ENDINGS):
            return second
        return found[0]

    return _COMMAND.sub(shown, text)


def statement_text(statement: Statement) -> str:
    """The text of a statement, without keys and the names of its formal counterparts."""
    text = mathematics(statement.text, {mention.surface for mention in statement.mentions})
    for formal in formal_names(statement):
        if "." in formal.name:
            text = text.replace(formal.name, "")
    return text


def stated_citations(statement: Statement) -> tuple[StatementId, ...]:
    r"""What the statement cites in its text: not by ``\uses``, which tells what its proof or its formal proof needs."""
    return tuple(m.reference for m in statement.mentions if m.reference is not None and m.surface != USES)
