"""What a LaTeX project calls things, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from naturalproofs.latex import Vocabulary
from naturalproofs.latex.vocabulary import SECTIONS
from naturalproofs.records import AnchorKind, Kind


class Heading(NamedTuple):
    """A heading command: its level (0 chapter, 1 section …) and which of its arguments is the title."""

    level: int
    argument: int = 0


HEADINGS: Mapping[str, Heading] = {name: Heading(level) for name, level in SECTIONS.items()}

_EQUATIONS = ("equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "xalignat", "dmath")
_LISTS = ("enumerate", "itemize", "description", "list", "compactenum", "inparaenum", "asparaenum", "steps", "alist")
_FLOATS = ("figure", "table", "wrapfigure", "subfigure", "longtable", "sidewaysfigure", "sidewaystable")

ANCHOR_KINDS: Mapping[str, AnchorKind] = {
    **dict.fromkeys(
        [*_EQUATIONS, *(f"{name}*" for name in _EQUATIONS), "subequations", "math", "displaymath"], "equation"
    ),
    **dict.fromkeys(_LISTS, "item"),
    **dict.fromkeys([*_FLOATS, *(f"{name}*" for name in _FLOATS)], "float"),
}
"""What a label stands for, by the innermost environment around it."""


@dataclass(frozen=True)
class Profile:
    """Names and conventions of one project."""

    kinds: Mapping[str, Kind]
    """Environments that are kept, and as what."""
    neighbours: frozenset[str] = frozenset()
    """Environments that may have a proof of their own but are not kept; their proofs are nobody else's."""
    provable: frozenset[str] = frozenset()
    """Environments that are kept, are no theorems, and whose proofs are their own all the same."""
    proofs: frozenset[str] = frozenset({"proof"})
    proof_commands: Mapping[str, str] = field(default_factory=dict)
    """Commands that open a proof, and the command that closes it."""
    notes: frozenset[str] = frozenset()
    """Environments whose text is about a statement, not part of it."""
    headings: Mapping[str, Heading] = field(default_factory=lambda: HEADINGS)
    anchors: Mapping[str, AnchorKind] = field(default_factory=lambda: ANCHOR_KINDS)

    @property
    def vocabulary(self) -> Vocabulary:
        """What the scanner must stop at for this project."""
        commands = {*self.proof_commands, *self.proof_commands.values(), *self.headings}
        return Vocabulary(commands=frozenset(commands))
