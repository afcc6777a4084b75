"""What the commands of formulas mean: a table from the name of a command to the node that it makes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import ascii_lowercase, whitespace

from naturalproofs.sources.latex.display import nodes
from naturalproofs.sources.latex.display.cursor import CannotRender, Cursor
from naturalproofs.sources.latex.display.formula import (
    CONSTRUCTS,
    GRIDS,
    PLAIN_DISPLAYS,
    REWRITTEN_GRIDS,
    FormulaReader,
    Meaning,
    grid,
    lines_of_halign,
)
from naturalproofs.sources.latex.display.text_commands import CITATIONS, COMMANDS, LOCAL_DEFINITIONS, PARAMETERS
from naturalproofs.sources.latex.macros.macro import PRIMITIVE, UNDECIDED
from naturalproofs.sources.latex.scan.arguments import REACH, read_group
from naturalproofs.sources.latex.scan.scanner import CITING
from naturalproofs.sources.latex.scan.symbols import (
    ACCENTS,
    ALPHABETS,
    ARROWS,
    BRACKETS,
    DIAGRAMS,
    FUNCTIONS,
    INTEGRALS,
    LARGE,
    LETTERS,
    LIMITS,
    NEGATED,
    OPERATORS,
    SPACES,
    UNDER,
    UPRIGHT,
    bold_greek,
    character,
    font_inside,
    words,
)

__all__ = ["CONSTRUCTS"]

_SIZES = {"big": "1.2em", "Big": "1.6em", "bigg": "2.1em", "Bigg": "2.6em"}
_PLAIN_ENVIRONMENTS = frozenset({*PLAIN_DISPLAYS, "subequations"})
_TAILED = {"\\rightarrow": "↦", "\\to": "↦", "\\longrightarrow": "⟼", "\\Rightarrow": "⤇", "\\leftarrow": "↤"}
_TEXT_STYLES = {"textit": "it", "emph": "it", "textbf": "bf", "intertext": "line", "shortintertext": "line"}
_CLOSING = frozenset({"\\right", "\\mright", "\\middle"})
_OPERATOR_FONT = re.compile(r"\\(?:math(?:rm|it|sf)|text(?:rm)?|rm|sf)(?![a-zA-Z])|\\[,!;]")
r"""What changes nothing in the name of an operator; ``\textit`` does."""
_WORD = re.compile(r"[a-zA-Z]{2,}")


def _letter(reader: FormulaReader, name: str) -> nodes.Node:
    symbol = bold_greek(LETTERS[name], reader.font)
    return nodes.Letter(symbol, "normal" if symbol in UPRIGHT else "")


def _operator_name(reader: FormulaReader, name: str, star: str | None, source: str) -> nodes.Node:
    limits = star is not None or name == "operatornamewithlimits"
    plain = _OPERATOR_FONT.sub(lambda match: " " if match.group() in ("\\,", "\\;") else "", source)
    shown = " ".join(re.sub(r"[{}~]", " " if "~" in plain else "", plain).split())
    if not shown or any(character in shown for character in "\\$^_"):
        worded = source if "\\" in source or "$" in source else _WORD.sub(r"\\mathrm{\g<0>}", source)
        return nodes.Wrapped(reader.inside(worded, "mathrm"), "limits" if limits else "operator")
    return nodes.Function(shown.replace("-", "‐"), limits=limits, upright=len(shown) == 1)


def _font(reader: FormulaReader, name: str, source: str) -> nodes.Node:
    word, name = source.strip(), font_inside(name, reader.font)
    if name in ("mathrm", "mathup", "mathit") and word.isalpha() and len(word) > 1:
        return nodes.Letter(word, "italic" if name == "mathit" else "")
    return reader.inside(source, name)


def _nothing(*_: object) -> nodes.Node:
    return nodes.EMPTY


def _last(_reader: FormulaReader, _name: str, *arguments: nodes.Node) -> nodes.Node:
    """The last argument alone."""
    return arguments[-1]


def _as_in_text(reader: FormulaReader, *_: object) -> nodes.Node:
    """A reference, a citation or a picture, which prints the same in a formula and in a text."""
    return reader.text(reader.written)


def _fenced(reader: FormulaReader, _name: str) -> nodes.Node:
    font = reader.font
    brackets, parts = [_delimiter(reader)], []
    while True:
        parts.append(reader.read(_CLOSING))
        closing = reader.cursor.next()
        if not closing:
            raise CannotRender("\\left without \\right")
        brackets.append(_delimiter(reader))
        if closing in ("\\right", "\\mright"):
            reader.font = font
            return nodes.Fence(tuple(brackets), tuple(parts))


def _delimiter(reader: FormulaReader) -> str:
    token = reader.cursor.group().strip() if reader.cursor.peek() == "{" else reader.cursor.next()
    symbol = BRACKETS.get(token, OPERATORS.get(token[1:]) if token[:1] == "\\" else None)
    if symbol is None:
        raise CannotRender("an unknown bracket")
    return symbol


def _sized(reader: FormulaReader, name: str) -> nodes.Node:
    bracket = nodes.Bracket(_delimiter(reader), _SIZES[name if name in _SIZES else name[:-1]])
    return nodes.Wrapped(bracket, "relation") if name.endswith("m") else bracket


def _general_fraction(
    _reader: FormulaReader, _name: str, left: str, right: str, line: str, _size: str, *parts: nodes.Node
) -> nodes.Node | None:
    r"""``\genfrac{(}{)}{0pt}{}{n}{k}``: brackets, the thickness of the line, the size, and the two parts."""
    made = nodes.Fraction(parts[0], parts[1], "atop" if line.strip().startswith("0") else "")
    brackets = [BRACKETS[side] for one in (left, right) if (side := one.strip() or ".") in BRACKETS]
    if len(brackets) < 2:
        return None
    return nodes.Fence(tuple(brackets), (made,)) if any(brackets) else made


def _negated(reader: FormulaReader, _name: str) -> nodes.Node:
    if reader.cursor.peek() == "{":
        reader.cursor.at += 1
        found = _negated(reader, "")
        if not reader.cursor.accept("}"):
            raise CannotRender("\\not before a group")
        return found
    token = reader.cursor.next()
    symbol = "|" if token in ("\\mid", "\\divides") else LETTERS.get(token[1:]) or OPERATORS.get(token[1:], token)
    if not symbol or symbol[0] in "\\{}":
        return nodes.Source("\\not" + token)
    return nodes.Operator(NEGATED.get(symbol, f"{symbol}\u0338"))


def _modulo(_reader: FormulaReader, name: str, inner: nodes.Node) -> nodes.Node:
    word = () if name == "pod" else (nodes.Function("mod"), nodes.Space("0.33em"))
    opening, closing = ((), ()) if name == "mod" else ((nodes.Bracket("("),), (nodes.Bracket(")"),))
    return nodes.Row((nodes.Space("0.6em"), *opening, *word, inner, *closing))


def _environment(reader: FormulaReader, _name: str, kind: str) -> nodes.Node:
    kind = kind.strip()
    body = reader.cursor.environment(kind)
    if kind in GRIDS:
        return grid(kind, body, reader.inside)
    if kind in REWRITTEN_GRIDS:
        return reader.inside(REWRITTEN_GRIDS[kind](body))
    if kind in _PLAIN_ENVIRONMENTS:
        return reader.inside(body)
    source = f"\\begin{{{kind}}}{body}\\end{{{kind}}}"
    return nodes.Diagram(kind, body, source) if kind in DIAGRAMS else nodes.Source(source)


def _diagram(reader: FormulaReader, name: str) -> nodes.Node:
    """A diagram made by a command, such as xymatrix; what stands between the command and its group are options."""
    cursor = reader.cursor
    start, end = cursor.at, cursor.find("{")
    if end < 0:
        raise CannotRender(f"\\{name} without its argument")
    cursor.at = end
    body = cursor.group()
    return nodes.Diagram(name, body, f"\\{name}{cursor.text[start : cursor.at]}")


def _aligned_lines(reader: FormulaReader, name: str, body: str) -> nodes.Node:
    r"""The lines of ``\halign``; one formula above another is stacked."""
    lines = [reader.inside(line) for line in lines_of_halign(body)]
    if not lines:
        raise CannotRender(f"\\{name} with columns")
    if len(lines) == 2:
        return nodes.Scripts(lines[1], None, lines[0], limits=True)
    return nodes.Grid(GRIDS["gathered"], tuple((line,) for line in lines))


def _primitive(reader: FormulaReader, _name: str, name: str) -> nodes.Node:
    """A command with the meaning that it has without the author's redefinition."""
    name = name.strip()
    return reader.call(name) if name in CONSTRUCTS else reader.unknown(f"\\{name}")


def _definition(reader: FormulaReader, name: str) -> nodes.Node:
    r"""A definition inside a formula, such as ``\renewcommand{\arraystretch}{1.5}``; it prints nothing."""
    return nodes.EMPTY if reader.define(name) else reader.unknown(f"\\{name}")


def _character(reader: FormulaReader, _name: str) -> nodes.Node | None:
    """A character by its code, which is understood if it is written with a grave accent."""
    return nodes.Operator(reader.cursor.next().lstrip("\\")) if reader.cursor.accept("`") else None


def _mapsto(reader: FormulaReader, _name: str) -> nodes.Node | None:
    r"""``\mapstochar\longrightarrow``: a bar at the tail of an arrow."""
    arrow = _TAILED.get(reader.cursor.peek())
    return nodes.Operator(arrow) if arrow and reader.cursor.next() else None


def _symbol(_reader: FormulaReader, _name: str, source: str) -> nodes.Node | None:
    symbol = character(source)
    return nodes.Operator(symbol) if symbol else None


def _tag(_reader: FormulaReader, _name: str, star: str | None, inner: nodes.Node) -> nodes.Node:
    shown = inner if star else nodes.Row((nodes.Bracket("("), inner, nodes.Bracket(")")))
    return nodes.Wrapped(nodes.Row((nodes.Space("2em"), shown)), "tag")


# Commands that only say where or how large something is set: boxes, lengths, phantoms, rules.

_DOT = re.compile(r"(?:\\[a-zA-Z]++|[\s$])*+\.[\s$]*+")


def _text_box(_reader: FormulaReader, name: str, *given: str | nodes.Words | None) -> nodes.Node | None:
    """What a command of text prints, if anything; a text that is turned or reflected does not say the same."""
    sizes = [one.strip() for one in given if isinstance(one, str)]
    turned = name == "rotatebox" and sizes[-1].strip("+0.")
    reflected = name in ("scalebox", "resizebox") and any(one.startswith("-") for one in sizes)
    return None if turned or reflected else next((one for one in given if isinstance(one, nodes.Words)), nodes.EMPTY)


def _box(reader: FormulaReader, name: str) -> nodes.Node:
    r"""``\hbox{…}`` with text, and ``\vcenter{…}`` with a formula; a size may stand before the group.

    Boxes above one another are understood if they are the dots of a colon.
    """
    cursor = reader.cursor
    start, group = cursor.at, cursor.find("{")
    if cursor.text[start:group].lstrip().startswith(("to", "spread")):
        cursor.at = group
    inside = cursor.argument()
    if name == "hbox":
        return reader.text(inside)
    _, *stacked = inside.split("\\hbox")
    if len(stacked) > 1:
        groups = [read_group(one, 0) for one in stacked]
        is_colon = len(groups) == 2 and all(group and _DOT.fullmatch(group.text) for group in groups)
        return nodes.Operator(":") if is_colon else nodes.Source(f"\\{name}{cursor.text[start : cursor.at]}")
    return reader.inside(inside)


def _measured(reader: FormulaReader, _name: str) -> nodes.Node:
    width = reader.cursor.measure()
    return nodes.Space(f"{width:.2g}em") if width > 0 else nodes.EMPTY


def _moved(reader: FormulaReader, _name: str) -> nodes.Node | None:
    r"""``\raise.5ex\hbox{$x$}``: the box that follows is set as it is."""
    start = reader.cursor.at
    reader.cursor.length()
    return nodes.EMPTY if reader.cursor.at > start else None


def _rule(_reader: FormulaReader, _name: str, _raised: str | None, *sides: str) -> nodes.Node | None:
    """A rule without a width or a height is only there for its other side."""
    return nodes.EMPTY if any(not side.strip(f"0.{whitespace}{ascii_lowercase}") for side in sides) else None


def _parts(node: nodes.Node) -> tuple[nodes.Node, ...]:
    return node.children if isinstance(node, nodes.Row) else (node,)


def _spaced(_reader: FormulaReader, name: str, inner: nodes.Node) -> nodes.Node:
    """A part with the space around it of a relation or a binary operator, if it is not one itself."""
    is_other = all(isinstance(one, nodes.Letter | nodes.Bracket | nodes.Words) for one in _parts(inner))
    return nodes.Wrapped(inner, "relation" if name == "mathrel" else "binary") if is_other else inner


def _overlaid(reader: FormulaReader, _name: str, base: nodes.Node) -> nodes.Node:
    r"""``\mathclap{A}``, which takes no room: a second one behind it is drawn over the first."""
    return nodes.overlaid(base, reader.argument()) if reader.cursor.accept("\\mathclap") else base


# Commands of packages with forms of their own: derivatives, brackets, indices.

_MATRIX_BRACKETS = {"(": (")", "pmatrix"), "[": ("]", "bmatrix"), "|": ("|", "vmatrix")}
_BRACKET = re.compile(r"\\.|[][(){}|]", re.DOTALL)


def _derivative(differential: str) -> Meaning:
    r"""``\dv{f}{x}``, ``\dv{x}``, ``\pdv[2]{f}{x}``, ``\pdv{f}{x}{y}``, ``\pdv[order={2,1}]{f}{x,y}``."""

    def meaning(
        reader: FormulaReader, _name: str, _star: str | None, option: str | None, *given: str | None
    ) -> nodes.Node | None:
        groups = [group for group in given if group is not None]
        key, equals, value = (option or "").partition("=")
        order = (value if equals else key).strip().removeprefix("{").removesuffix("}")
        if not groups or (equals and key.strip() != "order") or any(one in order for one in "{}="):
            return None
        function, names = (groups[0], groups[1:]) if len(groups) > 1 else ("", groups)
        variables = [name.strip() for name in (names[0].split(",") if len(names) == 1 else names)]
        orders = [one.strip() for one in order.split(",")] if order.strip() else ["1"] * len(variables)
        total = _total(orders)
        if len(orders) != len(variables) or not all(variables) or total is None:
            return None
        power = f"^{{{total}}}" if total != "1" else ""
        below = "\\,".join(
            f"{differential} {name}{f'^{{{order}}}' if order != '1' else ''}"
            for name, order in zip(variables, orders, strict=True)
        )
        return reader.inside(f"\\frac{{{differential}{power} {function}}}{{{below}}}")

    return meaning


def _total(orders: list[str]) -> str | None:
    """The sum of orders; a single one may be a letter."""
    if len(orders) == 1:
        return orders[0]
    return str(sum(map(int, orders))) if all(order.isdecimal() and len(order) < 4 for order in orders) else None


def _tensor(
    reader: FormulaReader, _name: str, star: str | None, option: str | None, first: str | None, second: str | None
) -> nodes.Node | None:
    r"""``\tensor{T}{^a_b}``: each index stands behind the one before it, or with a star above and below it."""
    base, source = ("", first) if second is None else (first, second)
    indices = Cursor(source or "", reader.cursor.macros, reader.cursor.budget)
    found: list[tuple[str, str]] = []
    while place := indices.next():
        if place not in ("^", "_"):
            return None
        found.append((place, indices.argument()))
    if not found or option is not None:
        return None
    if star:
        rows = {place: "".join(index for there, index in found if there == place) for place in "_^"}
        return reader.inside(f"{{{base}}}" + "".join(f"{place}{{{row}}}" for place, row in rows.items() if row))
    return reader.inside(f"{{{base}}}" + "{}".join(f"{place}{{{index}}}" for place, index in found))


def _number(reader: FormulaReader, _name: str, option: str | None, source: str) -> nodes.Node | None:
    r"""``\num{1.5e3}``; what is not a plain number stays."""
    digits, _, power = "".join(source.split()).replace(",", ".").lower().partition("e")
    is_number = not digits.strip("+-.0123456789") and power.lstrip("+-").isdecimal() | (not power)
    if option is not None or not is_number or not (digits or power):
        return None
    return reader.inside(digits + ("\\times " if digits and power else "") + (f"10^{{{power}}}" if power else ""))


def _matrix(reader: FormulaReader, _name: str, _star: str | None, body: str | None) -> nodes.Node | None:
    r"""``\mqty(a & b \\ c & d)`` of the package physics: a matrix in the brackets that follow."""
    if body is not None:
        return grid("matrix", body, reader.inside)
    cursor = reader.cursor
    opening = cursor.peek()
    closing, kind = _MATRIX_BRACKETS.get(opening, ("", ""))
    depth, braces = 1, 0
    for match in _BRACKET.finditer(cursor.text, cursor.at + 1, cursor.at + REACH) if kind else ():
        token = match.group()
        braces += (token == "{") - (token == "}")
        depth += 0 if braces else -1 if token == closing else token == opening
        if depth == 0:
            body = cursor.text[cursor.at + 1 : match.start()]
            cursor.at = match.end()
            return grid(kind, body, reader.inside)
    return None


def _powered_function(reader: FormulaReader, name: str) -> nodes.Node:
    r"""``\sin[2](x)`` of the package physics is a power; without the brackets behind it, it is not."""
    start, power = reader.cursor.at, reader.cursor.option()
    if power is None or reader.cursor.peek() != "(":
        reader.cursor.at = start
        return nodes.Function(name)
    return nodes.Scripts(nodes.Function(name), None, reader.inside(power))


# What each command means.

_TABLE: tuple[tuple[Iterable[str], str, Meaning], ...] = (
    *(((name,), letters.replace("p", "t"), _text_box) for name, letters in COMMANDS.items()),
    (LETTERS, "", _letter),
    (OPERATORS, "", lambda _, name: nodes.Operator(OPERATORS[name])),
    (("colon",), "", lambda *_: nodes.Operator(":", "colon")),
    (("slash",), "", lambda *_: nodes.Bracket("/")),
    (("vline",), "", lambda *_: nodes.Bracket("|")),
    (("mid",), "", lambda *_: nodes.Operator("|", "mid")),
    (("&", "%", "#", "_", "$"), "", lambda _, name: nodes.Operator(name)),
    (LARGE, "", lambda _, name: nodes.Large(LARGE[name])),
    (INTEGRALS, "", lambda _, name: nodes.Large(INTEGRALS[name], limits=False)),
    (FUNCTIONS, "", lambda _, name: nodes.Function(name)),
    (LIMITS, "", lambda _, name: nodes.Function(LIMITS[name], limits=True)),
    (("operatorname", "operatornamewithlimits"), "sm", _operator_name),
    (ALPHABETS, "m", _font),
    (words("text textrm textnormal mbox textup textsf textsc textit textbf texttt emph fbox clap llap rlap "
           "intertext shortintertext"), "st",
     lambda _, name, _star, text: nodes.Words(text.parts, _TEXT_STYLES.get(name, ""))),
    (("tag",), "st", _tag),
    ([name for name, style in CITING.items() if style == "range"], "smm", _as_in_text),
    ([*(name for name, style in CITING.items() if style not in ("bracket", "range")), *CITATIONS,
      "pageref", "includegraphics"], "soom", _as_in_text),
    (("hyperref",), "of", lambda _, _name, key, inner: None if key is None else inner),
    (("hyperlink", "hypertarget", "href"), "mf", _last),
    (ACCENTS, "f", lambda _, name, inner: nodes.Accent(inner, name)),
    (words("Tilde Hat Bar Vec Dot Ddot Check Breve Acute Grave"), "f",
     lambda _, name, inner: nodes.Accent(inner, name.lower())),
    (UNDER, "f", lambda _, name, inner: nodes.Accent(inner, name, below=True)),
    (("overbracket", "underbracket"), "oof",
     lambda _, name, _thick, _high, inner: nodes.Accent(inner, name, below=name in UNDER)),
    (ARROWS, "Of", lambda _, name, below, above: nodes.Arrow(ARROWS[name], above, below)),
    (words("frac dfrac tfrac"), "ff", lambda _, _name, top, bottom: nodes.Fraction(top, bottom)),
    (("cfrac",), "off", lambda _, _name, _place, top, bottom: nodes.Fraction(top, bottom)),
    (words("binom dbinom tbinom"), "ff", lambda _, _name, top, bottom: nodes.Fraction(top, bottom, "choose")),
    (words("nicefrac sfrac flatfrac"), "off",
     lambda _, _name, _font, top, bottom: nodes.Fraction(top, bottom, "slanted")),
    (("genfrac",), "mmmmff", _general_fraction),
    (("sqrt",), "Of", lambda _, _name, index, inner: nodes.Root(inner, index)),
    (words("overset stackrel"), "ff", lambda _, _name, script, base: nodes.Scripts(base, None, script, limits=True)),
    (("underset",), "ff", lambda _, _name, script, base: nodes.Scripts(base, script, None, limits=True)),
    (("left", "mleft"), "", _fenced),
    ([f"{size}{side}" for size in _SIZES for side in ("", "l", "r", "m")], "", _sized),
    (("not",), "", _negated),
    (SPACES, "", lambda _, name: nodes.Space(SPACES[name])),
    (("bmod",), "", lambda *_: nodes.Operator("mod", "mod")),
    (("pmod", "mod", "pod"), "f", _modulo),
    (("\\",), "so", lambda *_: nodes.Space("1em")),
    (("reflectbox",), "t", lambda _, name, inner: nodes.Accent(inner, name)),
    (words("hbox vcenter vbox vtop"), "", _box),
    (words("hspace hskip kern mkern mskip mspace"), "", _measured),
    (words("raise lower moveleft moveright"), "", _moved),
    (PARAMETERS, "",
     lambda reader, name: nodes.EMPTY if reader.cursor.assignment(is_number=PARAMETERS[name]) else None),
    (("rule",), "omm", _rule),
    (words("footnote uproot leftroot pdfliteral"), "som", _nothing),
    (("textcolor", "mathcolor"), "omf", _last),
    (words("mathord mathopen mathclose mathpunct mathinner ensuremath boxed mathllap mathrlap lefteqn"), "f", _last),
    (("smash",), "of", _last),
    (("mathop",), "f", lambda _, _name, inner: nodes.Wrapped(inner, "limits")),
    (("mathrel", "mathbin"), "f", _spaced),
    (("vrule",), "", lambda reader, name: _rule(reader, name, None, *reader.cursor.sides().values())),
    (words("phantom hphantom vphantom"), "f", lambda _, _name, inner: nodes.Wrapped(inner, "phantom")),
    (("mathclap",), "f", _overlaid),
    (("mathchar", "char"), "", _character),
    (("halign", "ialign"), "m", _aligned_lines),
    (("symbol",), "m", _symbol),
    (("mapstochar",), "", _mapsto),
    ((PRIMITIVE,), "m", _primitive),
    ((UNDECIDED,), "m", lambda reader, _, name: reader.unknown(f"\\{name.strip()}")),
    (LOCAL_DEFINITIONS, "", _definition),
    (("begin",), "m", _environment),
    (("xymatrix",), "", _diagram),
    (("odv",), "sogg", _derivative("\\mathrm{d}")),
    (("pdv",), "soggg", _derivative("\\partial")),
    (("physicsderivative",), "nsogg", _derivative("\\mathrm{d}")),
    (("functionalderivative",), "nsogg", _derivative("\\delta")),
    (("packagetensor",), "nsogg", _tensor),
    (("packagenumber",), "nom", _number),
    (("physicsmatrix",), "nsg", _matrix),
    (("physicsfunction",), "n", _powered_function),
    (("matrix", "pmatrix"), "m", lambda reader, name, body: grid(name, body, reader.inside)),
    (("cases",), "m", lambda reader, _, body: grid("cases*", body, reader.inside)),
    (("substack", "displaylines"), "m", lambda reader, _, body: grid("gathered", body, reader.inside)),
)  # fmt: skip

CONSTRUCTS.update((name, (letters, meaning)) for names, letters, meaning in _TABLE for name in names)
