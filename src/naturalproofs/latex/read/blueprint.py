r"""Blueprints of formalisations: ``\lean``, ``\leanok``, ``\proves`` and others say something about a statement.

They are left out of its text. ``\uses`` is read as a citation whose surface is its name.
"""

import re
from typing import NamedTuple

from naturalproofs.latex.macros.entries import METADATA
from naturalproofs.latex.read.walker import Walker
from naturalproofs.latex.scan.arguments import read_group
from naturalproofs.latex.scan.scanner import Token
from naturalproofs.reading.builders import ProofBuilder, StatementBuilder
from naturalproofs.records import Note, Statement

LEAN = "lean"
"""The kind of the note that holds the formal names of a statement."""


_LINK = re.compile(r"\\href\{([^{}]*)\}\{([^{}]*)\}")


class FormalName(NamedTuple):
    """The name of a declaration in Lean, and the address of its documentation, if it is known."""

    name: str
    address: str = ""


def formal_names(statement: Statement) -> list[FormalName]:
    """The formal counterparts of a statement."""
    lines = [line for note in statement.notes if note.kind == LEAN for line in note.lines]
    links = [(line, _LINK.fullmatch(line)) for line in lines]
    return [FormalName(link[2], link[1].replace("\\#", "#")) if link else FormalName(line) for line, link in links]


class Metadata:
    """Reads the metadata of one document."""

    def __init__(self, walker: Walker) -> None:
        """Bind the walk over the text."""
        self.walker = walker
        self._documentation = ""
        """Where the formal names are documented."""

    def read(self, token: Token) -> None:
        """Leave a command out of the text, and keep what it says."""
        count = METADATA[token.name]
        group = read_group(self.walker.file.text, token.end) if count else None
        end = group.end if group else token.end
        if not self.walker.in_preamble:
            self.walker.cut(token.start, end)
        self.walker.skip(end)
        inside = group.text.strip() if group else ""
        if not inside:
            return
        around = self.walker.collector
        if token.name == "dochome":
            self._documentation = inside.rstrip("/")
        elif token.name == "proves" and isinstance(around, ProofBuilder):
            around.of = inside
        elif token.name == LEAN and isinstance(around, StatementBuilder):
            names = tuple(filter(None, map(str.strip, inside.split(","))))
            around.notes.append(Note(LEAN, tuple(map(self._link, names))))

    def _link(self, name: str) -> str:
        """The source of a link to the documentation of a formal name; the name alone if that is not known."""
        return f"\\href{{{self._documentation}/find/\\#doc/{name}}}{{{name}}}" if self._documentation else name
