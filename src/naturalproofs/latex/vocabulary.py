"""What the scanner stops at, as data.

Whatever is not listed here passes at the speed of a regular expression, so a source lists what it needs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

KeyStyle: TypeAlias = Literal["one", "list", "range", "bracket"]
"""Where a reference command keeps its keys: ``{a}``, ``{a,b}``, ``{a}{b}`` or ``[a]``."""

REFERENCES: Mapping[str, KeyStyle] = {
    "ref": "one",
    "eqref": "one",
    "autoref": "one",
    "nameref": "one",
    "vref": "one",
    "fullref": "one",
    "thref": "list",
    "cref": "list",
    "Cref": "list",
    "labelcref": "list",
    "labelcpageref": "list",
    "namecref": "list",
    "nameCref": "list",
    "vcref": "list",
    "Vref": "list",
    "zcref": "list",
    "zvref": "list",
    "crefrange": "range",
    "Crefrange": "range",
    "vrefrange": "range",
    "hyperref": "bracket",
}

SECTIONS: Mapping[str, int] = {
    "part": -1,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}

INPUTS = frozenset({"input", "include", "subfile", "subfileinclude", "import", "subimport", "includestandalone"})

VERBATIM_ENVIRONMENTS = frozenset(
    {"verbatim", "verbatim*", "Verbatim", "BVerbatim", "LVerbatim", "lstlisting", "minted", "alltt", "comment",
     "filecontents", "filecontents*", "sagesilent"}
)  # fmt: skip

VERBATIM_COMMANDS = frozenset({"verb", "lstinline", "mintinline", "url", "path"})


@dataclass(frozen=True)
class Vocabulary:
    """The commands and environments that a scan reports."""

    references: Mapping[str, KeyStyle] = field(default_factory=lambda: REFERENCES)
    sections: Mapping[str, int] = field(default_factory=lambda: SECTIONS)
    inputs: frozenset[str] = INPUTS
    verbatim_environments: frozenset[str] = VERBATIM_ENVIRONMENTS
    verbatim_commands: frozenset[str] = VERBATIM_COMMANDS
    commands: frozenset[str] = frozenset()
    """Further commands to report by name, such as ``\\proof`` or ``\\newtheorem``."""
    mathematics: bool = False
    """Report ``$``, ``$$``, ``\\(``, ``\\)``, ``\\[`` and ``\\]``."""
    groups: bool = False
    """Report braces."""


STRUCTURE = Vocabulary()
"""Environments, labels, references, headings, inputs: enough to find statements and proofs."""

FULL = Vocabulary(mathematics=True, groups=True)
"""Structure, mathematics and groups."""
