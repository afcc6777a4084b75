"""The parsed form of a text: formulas and prose as trees, from which all outputs are written.

What is not understood is a `Source` node. It keeps the source as written; no output drops it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

import msgspec


class Node(msgspec.Struct, frozen=True):
    """A part of a formula."""


class Letter(Node, frozen=True):
    """A letter, or a word that stands for something: ``x``, ``ℝ``, ``Spec``."""

    text: str
    variant: Literal["", "normal", "italic"] = ""


class Number(Node, frozen=True):
    """Digits."""

    text: str


class Operator(Node, frozen=True):
    """A binary operator, a relation, an arrow or a punctuation mark."""

    symbol: str
    role: Literal["", "colon", "mid", "mod"] = ""


class Bracket(Node, frozen=True):
    """A bracket that keeps its size, or has the one given."""

    symbol: str
    size: str = ""


class Large(Node, frozen=True):
    """A large operator; `limits` says whether its scripts stand above and below in displays."""

    symbol: str
    limits: bool = True


class Function(Node, frozen=True):
    """The name of a function or of an operator with limits."""

    name: str
    limits: bool = False
    upright: bool = False


class Words(Node, frozen=True):
    """Text inside a formula: in italics ("it"), in bold type ("bf"), or a line of its own between rows ("line")."""

    parts: tuple[Inline, ...]
    style: str = ""


class Space(Node, frozen=True):
    """White space."""

    width: str


class Row(Node, frozen=True):
    """Several nodes side by side; `group` if they were one operand of the source."""

    children: tuple[Node, ...]


class Scripts(Node, frozen=True):
    """A base with what stands below, above, and its primes; `limits` as the author asked for."""

    base: Node | None
    below: Node | None
    above: Node | None
    primes: int = 0
    limits: bool | None = None


class Fraction(Node, frozen=True):
    """A fraction, the same without its line, or a binomial coefficient."""

    top: Node
    bottom: Node
    style: Literal["", "atop", "choose", "slanted"] = ""


class Root(Node, frozen=True):
    """A root."""

    inner: Node
    index: Node | None


class Accent(Node, frozen=True):
    """A base with a symbol above or below it, named as in LaTeX."""

    inner: Node
    name: str
    below: bool = False


class Arrow(Node, frozen=True):
    """An arrow that grows with what stands above and below it."""

    symbol: str
    above: Node
    below: Node | None


class Fence(Node, frozen=True):
    """Parts between brackets that grow with them: one bracket more than there are parts."""

    brackets: tuple[str, ...]
    parts: tuple[Node, ...]


class Look(NamedTuple):
    """How a kind of grid looks: its class, its brackets, and whether an argument comes before the cells."""

    style: str
    left: str = ""
    right: str = ""
    arguments: int = 0


class Grid(Node, frozen=True):
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


class Wrapped(Node, frozen=True):
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
    return Scripts(base, None, over, limits=True)


def _is_phantom(node: Node) -> bool:
    return isinstance(node, Wrapped) and node.role == "phantom"


class Source(Node, frozen=True):
    """What is not understood, as written."""

    text: str


# Prose.


class Inline(msgspec.Struct, frozen=True):
    """A part of a text."""


class Diagram(Node, Inline, frozen=True):
    """A commutative diagram, by itself or in a formula: the command or environment, and its source."""

    kind: str
    body: str
    source: str


class Text(Inline, frozen=True):
    """Characters to be shown as they are."""

    text: str


class Styled(Inline, frozen=True):
    """Text with a style, named as in HTML; ``div`` is the inside of an environment of text.

    With the name of a command, backslash included, the arguments of one that is not understood.
    """

    tag: str
    parts: tuple[Inline, ...]
    name: str = ""


class Formula(Inline, frozen=True):
    """A formula; without a tree, its source could not be parsed."""

    source: str
    display: bool
    tree: Node | None


class Reference(Inline, frozen=True):
    """References to labels, by the command that makes them, perhaps with a text of their own."""

    command: str
    keys: tuple[str, ...]
    shown: tuple[Inline, ...] | None = None


class Citation(Inline, frozen=True):
    """A citation of the bibliography."""

    keys: str
    note: tuple[Inline, ...] = ()
    place: str = ""
    """The source of the note."""


class Footnote(Inline, frozen=True):
    """A note."""

    parts: tuple[Inline, ...]


class Break(Inline, frozen=True):
    """The end of a line or of a paragraph."""

    paragraph: bool


class Items(Inline, frozen=True):
    """A list; an item may bring its own mark."""

    ordered: bool
    items: tuple[tuple[tuple[Inline, ...] | None, tuple[Inline, ...]], ...]


class Picture(Inline, frozen=True):
    """A figure, a table or a diagram: its source, its files and its caption."""

    kind: str
    source: str
    files: tuple[str, ...] = ()
    caption: tuple[Inline, ...] = ()


class Raw(Inline, frozen=True):
    """Text that is not understood, as written."""

    text: str
    display: bool = False


Prose: TypeAlias = tuple[Inline, ...]
