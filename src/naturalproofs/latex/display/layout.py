"""Commands of formulas that only say where or how large something is set: boxes, lengths, phantoms, rules."""

from __future__ import annotations

import re
from collections.abc import Iterable

from naturalproofs.latex.display.cursor import CannotRender
from naturalproofs.latex.display.formula import Construct, FormulaReader
from naturalproofs.latex.display.nodes import (
    EMPTY,
    Bracket,
    Letter,
    Node,
    Operator,
    Row,
    Source,
    Space,
    Words,
    Wrapped,
    overlaid,
)
from naturalproofs.latex.scan.symbols import words

_BOXES = {
    "scalebox": 1, "resizebox": 2, "rotatebox": 1, "reflectbox": 0, "colorbox": 1, "fcolorbox": 2, "makebox": 0,
    "framebox": 0, "parbox": 1, "raisebox": 1,
}  # fmt: skip
"""Boxes of text, and how many groups stand before the text."""
_TURNED = re.compile(r"\s*-|\s*[+]?0*[1-9.]")
"""An angle that is not zero, or a factor below zero."""
_BOX_SIZE = re.compile(r"\s*(?:to|spread)(?![a-zA-Z])\s*")
_HBOX = re.compile(r"\\hbox(?![a-zA-Z])\s*+(?:\{([^{}]*+)\})?+")
_DOT = re.compile(r"(?:\\[a-zA-Z]++|[\s$])*+\.[\s$]*+")
_NOTHING = re.compile(r"\s*0*(?:\.0*)?\s*(?:[a-z]{2})?\s*")
"""A length of zero."""


def text_box(reader: FormulaReader, name: str) -> Node:
    r"""The text in a box, which says the same; one that is turned or reflected is another sign: ``\reflectbox{R}``."""
    cursor = reader.cursor
    start, star = cursor.at, cursor.accept("*")
    given = [cursor.option()]
    given += [cursor.argument() for _ in range(_BOXES[name])]
    while (option := cursor.option()) is not None:
        given.append(option)
    text = cursor.argument()
    written = f"\\{name}{cursor.text[start : cursor.at]}"
    sizes = [one for one in given if one is not None]
    if name == "reflectbox" or (name == "rotatebox" and _TURNED.match(sizes[-1])):
        return Source(written)
    if name in ("scalebox", "resizebox") and any(one.strip().startswith("-") for one in sizes):
        return Source(written)
    return reader.text(text) if not star or name == "resizebox" else Source(written)


def box(reader: FormulaReader, name: str) -> Node:
    r"""``\hbox{…}`` with text, and ``\vcenter{…}`` with a formula; a size may stand before the group.

    Boxes above one another are understood if they are the dots of a colon.
    """
    cursor = reader.cursor
    start = cursor.at
    if size := _BOX_SIZE.match(cursor.text, cursor.at):
        cursor.at = size.end()
        cursor.length()
    inside = cursor.argument()
    if name == "hbox":
        return reader.text(inside)
    if len(stacked := _HBOX.findall(inside)) > 1:
        is_colon = len(stacked) == 2 and all(_DOT.fullmatch(one) for one in stacked)
        return Operator(":") if is_colon else Source(f"\\{name}{cursor.text[start : cursor.at]}")
    return reader.inside(inside)


def _measured(reader: FormulaReader, _name: str) -> Node:
    width = reader.cursor.measure()
    return Space(f"{width:.2g}em") if width > 0 else EMPTY


def _moved(reader: FormulaReader, name: str) -> Node:
    r"""``\raise.5ex\hbox{$x$}``: the box that follows is set as it is."""
    start = reader.cursor.at
    reader.cursor.length()
    return EMPTY if reader.cursor.at > start else Source(f"\\{name}")


def _assigned(reader: FormulaReader, name: str) -> Node:
    r"""A length of the layout that gets a value: ``\arraycolsep=1pt``."""
    cursor = reader.cursor
    equal = cursor.accept("=")
    start = cursor.at
    cursor.length()
    return EMPTY if cursor.at > start else Source(f"\\{name}{'=' * equal}")


def _rule(reader: FormulaReader, name: str) -> Node:
    """A rule without a width or a height is only there for its other side."""
    cursor = reader.cursor
    start, _ = cursor.at, cursor.option()
    sides = (cursor.argument(), cursor.argument())
    invisible = any(_NOTHING.fullmatch(side) for side in sides)
    return EMPTY if invisible else Source(f"\\{name}{cursor.text[start : cursor.at]}")


def _dropped(reader: FormulaReader, name: str) -> Node:
    reader.cursor.option()
    reader.cursor.argument()
    return reader.argument() if name in ("textcolor", "mathcolor") else EMPTY


def _two_dropped(reader: FormulaReader, _name: str) -> Node:
    _ = reader.cursor.argument(), reader.cursor.argument()
    return EMPTY


def _penalty(reader: FormulaReader, _name: str) -> Node:
    reader.cursor.accept("-")
    reader.cursor.next()
    return EMPTY


def _parts(node: Node) -> tuple[Node, ...]:
    return node.children if isinstance(node, Row) else (node,)


def _wrapped(reader: FormulaReader, name: str) -> Node:
    if name == "smash":
        reader.cursor.option()
    inner = reader.argument()
    if name == "mathop":
        return Wrapped(inner, "limits")
    if name in ("mathrel", "mathbin") and all(isinstance(one, Letter | Bracket | Words) for one in _parts(inner)):
        return Wrapped(inner, "relation" if name == "mathrel" else "binary")
    return Wrapped(inner, "phantom") if name.endswith("phantom") else inner


def _overlaid(reader: FormulaReader, _name: str) -> Node:
    r"""``\mathclap{A}``, which takes no room: a second one behind it is drawn over the first."""
    base = reader.argument()
    return overlaid(base, reader.argument()) if reader.cursor.accept("\\mathclap") else base


def _choice(reader: FormulaReader, _name: str) -> Node:
    """One formula for each of four sizes; they say the same."""
    first = reader.argument()
    for _ in range(3):
        reader.cursor.argument()
    return first


def _palette(reader: FormulaReader, name: str) -> Node:
    r"""``\mathpalette\x{y}``, which calls ``\x`` with a size and ``y``; a size says nothing here."""
    command, given = reader.cursor.argument().strip(), reader.cursor.argument()
    if not command.startswith("\\"):
        raise CannotRender(f"\\{name} without a command")
    return reader.inside(f"{command}{{\\displaystyle}}{{{given}}}")


LAYOUT: tuple[tuple[Iterable[str], Construct], ...] = (
    (_BOXES, text_box),
    (words("hbox vcenter vbox vtop"), box),
    (words("hspace hskip kern mkern mskip mspace"), _measured),
    (words("raise lower moveleft moveright"), _moved),
    (words("arraycolsep tabcolsep jot thinmuskip medmuskip thickmuskip mathsurround baselineskip lineskip "
           "lineskiplimit abovedisplayskip belowdisplayskip abovedisplayshortskip belowdisplayshortskip"), _assigned),
    (("rule",), _rule),
    (words("label vspace footnote index textcolor mathcolor glsadd lean uses uproot leftroot pdfliteral color"),
     _dropped),
    (("penalty",), _penalty),
    (("mathchoice",), _choice),
    (("mathpalette",), _palette),
    (words("fontsize setlength addtolength setcounter addtocounter"), _two_dropped),
    (words("mathop mathord mathbin mathrel mathopen mathclose mathpunct mathinner ensuremath smash boxed mathllap "
           "mathrlap phantom hphantom vphantom"), _wrapped),
    (("mathclap",), _overlaid),
)  # fmt: skip
