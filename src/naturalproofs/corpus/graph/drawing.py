"""What is drawn or written out: nodes and edges that carry their own names, whatever they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.records import Kind

Level: TypeAlias = Literal["statement", "section", "chapter"]
LEVELS: tuple[Level, ...] = ("statement", "section", "chapter")
Edges: TypeAlias = Literal["statement", "proof", "both"]
EDGES: tuple[Edges, ...] = ("statement", "proof", "both")


@dataclass(frozen=True, slots=True)
class Node:
    """A statement, or a section or chapter of them."""

    id: str
    label: str
    kind: Kind | Literal["section", "chapter"]
    form: str = ""
    number: str = ""
    title: str = ""
    chapter: str = ""
    section: str = ""
    statements: int = 1
    """How many statements it stands for."""

    @property
    def short(self) -> str:
        """What a person calls it, without its title."""
        if self.kind in ("section", "chapter"):
            return self.title
        return " ".join(filter(None, (self.form.capitalize(), self.number or self.label)))

    @property
    def caption(self) -> str:
        """What a person calls it."""
        return f"{self.short} ({self.title})" if self.title != self.short and self.title else self.short


@dataclass(frozen=True, slots=True)
class Edge:
    """From what is used to what uses it."""

    source: str
    target: str
    statement: int
    """How many statements cite so in their own text."""
    proof: int
    """How many do in their proofs."""
    weight: int
    """How many do in either way."""

    @property
    def kind(self) -> Edges:
        """Where the citation stands."""
        return "both" if self.statement and self.proof else "statement" if self.statement else "proof"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph ready to be laid out or written."""

    name: str
    level: Level
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
