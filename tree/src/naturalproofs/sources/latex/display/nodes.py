"""The parsed form of a text: formulas and prose as trees, from which all outputs are written.

What is not understood is a `Source` node. It keeps the source as written; no output drops it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias


class Node:
    """A part of a formula."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Letter(Node):
    """A letter, or a word that stands for something: ``x``, ``ℝ``, ``Spec``."""

    text: str
    variant: Literal["", "normal", "italic"] = ""


@dataclass(frozen=True, slots=True)
class Number(Node):
    """Digits."""

    text: str


@dataclass(frozen=True, slots=True)
class Operator(Node):
    """A binary operator, a relation, an arrow or a punctuation mark."""

    symbol: str
    role: Literal["", "colon", "mid", "mod"] = ""


@dataclass(frozen=True, slots=True)
class Bracket(Node):
    """A bracket that keeps its size, or has the one given."""

    symbol: str
    size: str = ""


@dataclass(frozen=True, slots=True)
class Large(Node):
    """A large operator; `limits` says whether its scripts stand above and below in displays."""

    symbol: str
    limits: bool = True


@dataclass(frozen=True, slots=True)
class Function(Node):
    """The name of a function or of an operator with limits."""

    name: str
    limits: bool = False
    upright: bool = False


@dataclass(frozen=True, slots=True)
class Words(Node):
    """Text inside a formula: in italics ("it"), in bold type ("bf"), or a line of its own between rows ("line")."""

    parts: tuple[Inline, ...]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Space(Node):
    """White space."""

    width: str


@dataclass(frozen=True, slots=True)
class Row(Node):
    """Several nodes side by side; `group` if they were one operand of the source."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Scripts(Node):
    """A base with what stands below, above, and its primes; `limits` as the author asked for."""

    base: Node | None
    below: Node | None
    above: Node | None
    primes: int = 0
    limits: bool | None = None


@dataclass(frozen=True, slots=True)
class Fraction(Node):
    """A fraction, the same without its line, or a binomial coefficient."""

    top: Node
    bottom: Node
    style: Literal["", "atop", "choose", "slanted"] = ""


@dataclass(frozen=True, slots=True)
class Root(Node):
    """A root."""

    inner: Node
    index: Node | None


@dataclass(frozen=True, slots=True)
class Accent(Node):
    """A base with a symbol above or below it, named as in LaTeX."""

    inner: Node
    name: str
    below: bool = False


@dataclass(frozen=True, slots=True)
class Arrow(Node):
    """An arrow that grows with what stands above and below it."""

    symbol: str
    above: Node
    below: Node | None


@dataclass(frozen=True, slots=True)
class Stacked(Node):
    """A base with something smaller above or below it."""

    base: Node
    script: Node
    below: bool


@dataclass(frozen=True, slots=True)
class Fence(Node):
    """Parts between brackets that grow with them: one bracket more than there are parts."""

    brackets: tuple[str, ...]
    parts: tuple[Node, ...]


class Look(NamedTuple):
    """How a kind of grid looks: its class, its brackets, and whether an argument comes before the cells."""

    style: str
    left: str = ""
    right: str = ""
    arguments: int = 0


@dataclass(frozen=True, slots=True)
class Grid(Node):
    """The rows and cells of a matrix, of cases, of aligned lines."""

    look: Look
    rows: tuple[tuple[Node, ...], ...]
    columns: str = ""
    bars: frozenset[int] = frozenset()
    """The columns, from 0, that a bar stands before."""
    lines: frozenset[int] = frozenset()
    """The rows that a line stands above."""
    partial_lines: frozenset[tuple[int, int]] = frozenset()
    """The cells, by row and column, that a line stands above which is not as wide as the grid."""


@dataclass(frozen=True, slots=True)
class Wrapped(Node):
    """A part that is invisible, or that has the place or the space of another kind of symbol.

    The scripts of an "operator" stand beside it, those of "limits" above and below in displays. A "tag" is the number
    of a line, which stands at its end.
    """

    inner: Node
    role: Literal["", "phantom", "operator", "limits", "relation", "binary", "tag"] = ""


EMPTY = Row(())


def row(nodes: Iterable[Node]) -> Node:
    """One node from several; what is invisible is left out."""
    shown = tuple(node for node in nodes if node != EMPTY)
    return shown[0] if len(shown) == 1 else Row(shown)


def tags_last(nodes: Iterable[Node]) -> list[Node]:
    """The nodes of a line with its tags at the end, where they are printed."""
    return sorted(nodes, key=_is_tag)


def without_tags(node: Node) -> tuple[Node, list[Node]]:
    """A part of a line without its tags, and these."""
    parts = node.children if isinstance(node, Row) else (node,)
    tags = [part for part in parts if _is_tag(part)]
    return (row(part for part in parts if not _is_tag(part)), tags) if tags else (node, [])


def _is_tag(node: Node) -> bool:
    return isinstance(node, Wrapped) and node.role == "tag"


def joined(first: Node | None, second: Node) -> Node:
    """Two scripts at one place."""
    return second if first is None else Row((first, second))


def overlaid(base: Node, over: Node) -> Node:
    """One symbol drawn over another: an accent if it is only an accent, else the second one above the first."""
    if isinstance(over, Row):
        over = row(node for node in over.children if not _is_phantom(node))
    if isinstance(over, Accent) and _is_phantom(over.inner):
        return Accent(base, over.name, over.below)
    return Stacked(base, over, below=False)


def _is_phantom(node: Node) -> bool:
    return isinstance(node, Wrapped) and node.role == "phantom"


@dataclass(frozen=True, slots=True)
class Source(Node):
    """What is not understood, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Diagram(Node):
    """A commutative diagram: the command or environment, and its source."""

    kind: str
    body: str
    source: str


# Prose.


class Inline:
    """A part of a text."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Text(Inline):
    """Characters to be shown as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Styled(Inline):
    """Text with a style, named as in HTML; ``div`` is the inside of an environment of text."""

    tag: str
    parts: tuple[Inline, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Formula(Inline):
    """A formula; without a tree, its source could not be parsed."""

    source: str
    display: bool
    tree: Node | None


@dataclass(frozen=True, slots=True)
class Reference(Inline):
    """References to labels, by the command that makes them, perhaps with a text of their own."""

    command: str
    keys: tuple[str, ...]
    shown: tuple[Inline, ...] | None = None


@dataclass(frozen=True, slots=True)
class Citation(Inline):
    """A citation of the bibliography."""

    keys: str
    note: tuple[Inline, ...] = ()


@dataclass(frozen=True, slots=True)
class Footnote(Inline):
    """A note."""

    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Break(Inline):
    """The end of a line or of a paragraph."""

    paragraph: bool


@dataclass(frozen=True, slots=True)
class Items(Inline):
    """A list; an item may bring its own mark."""

    ordered: bool
    items: tuple[tuple[tuple[Inline, ...] | None, tuple[Inline, ...]], ...]


@dataclass(frozen=True, slots=True)
class Picture(Inline):
    """A figure, a table or a diagram: its source, its files and its caption."""

    kind: str
    source: str
    files: tuple[str, ...] = ()
    caption: tuple[Inline, ...] = ()


@dataclass(frozen=True, slots=True)
class Raw(Inline):
    """Text that is not understood, as written."""

    text: str
    display: bool = False


Prose: TypeAlias = tuple[Inline, ...]
