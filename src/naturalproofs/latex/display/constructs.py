"""What the commands of formulas mean: a table from the name of a command to the node that it makes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from naturalproofs.latex.display.cursor import CannotRender
from naturalproofs.latex.display.formula import CONSTRUCTS, Construct, FormulaReader
from naturalproofs.latex.display.grid import GRIDS, PLAIN_DISPLAYS, REWRITTEN_GRIDS, grid, halign_lines
from naturalproofs.latex.display.layout import LAYOUT
from naturalproofs.latex.display.nodes import (
    EMPTY,
    Accent,
    Arrow,
    Bracket,
    Diagram,
    Fence,
    Fraction,
    Function,
    Grid,
    Large,
    Letter,
    Node,
    Operator,
    Root,
    Row,
    Scripts,
    Source,
    Space,
    Stacked,
    Wrapped,
    row,
)
from naturalproofs.latex.display.package_commands import INTERNAL, REWRITTEN
from naturalproofs.latex.display.text_commands import CITATIONS, LOCAL_DEFINITIONS
from naturalproofs.latex.macros.macro import PRIMITIVE, UNDECIDED
from naturalproofs.latex.scan.symbols import (
    ACCENTS,
    ALPHABETS,
    ARROWS,
    BRACKETS,
    DIAGRAMS,
    FUNCTIONS,
    IGNORED,
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
from naturalproofs.latex.scan.vocabulary import CITING

_SIZES = {"big": "1.2em", "Big": "1.6em", "bigg": "2.1em", "Bigg": "2.6em"}
_PLAIN_ENVIRONMENTS = frozenset({*PLAIN_DISPLAYS, "subequations"})
_TAILED = {"\\rightarrow": "↦", "\\to": "↦", "\\longrightarrow": "⟼", "\\Rightarrow": "⤇", "\\leftarrow": "↤"}
_KET = re.compile(r"\s*+\\ket(?![a-zA-Z])\s*+(?:\*\s*+)?+\{")
_MATRIX_BRACKETS = {"(": "pmatrix", "[": "bmatrix", "|": "vmatrix"}
_CLOSING = frozenset({"\\right", "\\mright", "\\middle"})
_OPERATOR_FONT = re.compile(r"\\(?:math(?:rm|it|sf)|text(?:rm)?|rm|sf)(?![a-zA-Z])|\\[,!;]")
r"""What changes nothing in the name of an operator; ``\textit`` does."""
_LENGTH_OPTION = re.compile(r"\s*+\[\s*+[\d.]++\s*+[a-z]{2}\s*+\]")
_WORD = re.compile(r"[a-zA-Z]{2,}")
_NO_NAME = re.compile(r"[\\$^_]")


def _letter(reader: FormulaReader, name: str) -> Node:
    sign = bold_greek(LETTERS[name], reader.font)
    return Letter(sign, "normal" if sign in UPRIGHT else "")


def _operator_name(reader: FormulaReader, name: str) -> Node:
    limits = reader.cursor.accept("*") or name == "operatornamewithlimits"
    source = reader.cursor.argument()
    plain = _OPERATOR_FONT.sub(lambda match: " " if match.group() in ("\\,", "\\;") else "", source)
    shown = " ".join(re.sub(r"[{}~]", " " if "~" in plain else "", plain).split())
    if not shown or _NO_NAME.search(shown):
        worded = source if "\\" in source or "$" in source else _WORD.sub(r"\\mathrm{\g<0>}", source)
        return Wrapped(reader.inside(worded, "mathrm"), "limits" if limits else "operator")
    return Function(shown.replace("-", "‐"), limits=limits, upright=len(shown) == 1)


def _font(reader: FormulaReader, name: str) -> Node:
    source = reader.cursor.argument()
    word, name = source.strip(), font_inside(name, reader.font)
    if name in ("mathrm", "mathup", "mathit") and word.isalpha() and len(word) > 1:
        return Letter(word, "italic" if name == "mathit" else "")
    return reader.inside(source, name)


def _text(reader: FormulaReader, name: str) -> Node:
    reader.cursor.accept("*")
    style = "it" if name in ("textit", "emph") else "bf" if name == "textbf" else ""
    return reader.text(reader.cursor.argument(), style)


def _measured_argument(reader: FormulaReader) -> Node:
    r"""The argument behind options with lengths: ``\overbracket[1pt][2pt]{a+b}``."""
    while _LENGTH_OPTION.match(reader.cursor.text, reader.cursor.at):
        reader.cursor.option()
    return reader.argument()


def _arrow(reader: FormulaReader, name: str) -> Node:
    below = reader.cursor.option()
    return Arrow(ARROWS[name], reader.argument(), reader.inside(below) if below else None)


def _fraction(reader: FormulaReader, name: str) -> Node:
    if name in ("nicefrac", "sfrac", "flatfrac"):
        reader.cursor.option()
        return Fraction(reader.argument(), reader.argument(), "slanted")
    if name == "cfrac":
        reader.cursor.option()
    return Fraction(reader.argument(), reader.argument(), "choose" if name.endswith("binom") else "")


def _root(reader: FormulaReader, _name: str) -> Node:
    index = reader.cursor.option()
    return Root(reader.argument(), reader.inside(index) if index else None)


def _plain_root(reader: FormulaReader, _name: str) -> Node:
    r"""``\root 3\of x``."""
    index = reader.nodes(frozenset({"\\of"}))
    if not reader.cursor.accept("\\of"):
        raise CannotRender("\\root without \\of")
    return Root(reader.argument(), index)


def _built(reader: FormulaReader, _name: str) -> Node:
    r"""``\buildrel f\over\to``: a small formula above a sign."""
    source, at = reader.cursor.text, reader.cursor.at
    end = source.find("\\over", at)
    if end < 0 or source[end + 5 : end + 6].isalpha():
        raise CannotRender("\\buildrel without \\over")
    above = reader.inside(source[at:end])
    reader.cursor.at = end + len("\\over")
    return Stacked(reader.argument(), above, below=False)


def _stacked(reader: FormulaReader, name: str) -> Node:
    script = reader.argument()
    return Stacked(reader.argument(), script, below=name == "underset")


def _fenced(reader: FormulaReader, _name: str) -> Node:
    font = reader.font
    brackets, parts = [_delimiter(reader)], []
    while True:
        parts.append(reader.nodes(_CLOSING))
        closing = reader.cursor.next()
        if not closing:
            raise CannotRender("\\left without \\right")
        brackets.append(_delimiter(reader))
        if closing in ("\\right", "\\mright"):
            reader.font = font
            return Fence(tuple(brackets), tuple(parts))


def _delimiter(reader: FormulaReader) -> str:
    token = reader.cursor.group().strip() if reader.cursor.peek() == "{" else reader.cursor.next()
    sign = BRACKETS.get(token, OPERATORS.get(token[1:]) if token[:1] == "\\" else None)
    if sign is None:
        raise CannotRender("an unknown bracket")
    return sign


def _sized(reader: FormulaReader, name: str) -> Node:
    bracket = Bracket(_delimiter(reader), _SIZES[name if name in _SIZES else name[:-1]])
    return Wrapped(bracket, "relation") if name.endswith("m") else bracket


def _negated(reader: FormulaReader, _name: str) -> Node:
    if reader.cursor.peek() == "{":
        reader.cursor.at += 1
        found = _negated(reader, "")
        if not reader.cursor.accept("}"):
            raise CannotRender("\\not before a group")
        return found
    token = reader.cursor.next()
    sign = "|" if token in ("\\mid", "\\divides") else LETTERS.get(token[1:]) or OPERATORS.get(token[1:], token)
    if not sign or sign[0] in "\\{}":
        return Source("\\not" + token)
    return Operator(NEGATED.get(sign, f"{sign}\u0338"))


def _modulo(reader: FormulaReader, name: str) -> Node:
    if name == "bmod":
        return Operator("mod", "mod")
    inner = reader.argument()
    word = () if name == "pod" else (Function("mod"), Space("0.33em"))
    opening, closing = ((), ()) if name == "mod" else ((Bracket("("),), (Bracket(")"),))
    return Row((Space("0.6em"), *opening, *word, inner, *closing))


def _environment(reader: FormulaReader, _name: str) -> Node:
    kind = reader.cursor.argument().strip()
    body = reader.cursor.environment(kind)
    if kind in GRIDS:
        return grid(kind, body, reader.inside)
    if kind in REWRITTEN_GRIDS:
        return reader.inside(REWRITTEN_GRIDS[kind](body))
    if kind in _PLAIN_ENVIRONMENTS:
        return reader.inside(body)
    source = f"\\begin{{{kind}}}{body}\\end{{{kind}}}"
    return Diagram(kind, body, source) if kind in DIAGRAMS else Source(source)


def _diagram(reader: FormulaReader, name: str) -> Node:
    """A diagram made by a command, such as xymatrix; what stands between the command and its group are options."""
    start = reader.cursor.at
    end = reader.cursor.text.find("{", start)
    if end < 0:
        raise CannotRender(f"\\{name} without its argument")
    reader.cursor.at = end
    body = reader.cursor.group()
    return Diagram(name, body, f"\\{name}{reader.cursor.text[start : reader.cursor.at]}")


def _aligned_lines(reader: FormulaReader, name: str) -> Node:
    r"""The lines of ``\halign``; one formula above another is stacked."""
    lines = halign_lines(reader.cursor.argument())
    if not lines:
        raise CannotRender(f"\\{name} with columns")
    if len(lines) == 2:
        return Stacked(reader.inside(lines[1]), reader.inside(lines[0]), below=False)
    return Grid("gathered", tuple((reader.inside(line),) for line in lines))


def _primitive(reader: FormulaReader, _name: str) -> Node:
    """A command with the meaning that it has without the author's redefinition."""
    name = reader.cursor.argument().strip()
    construct = CONSTRUCTS.get(name)
    return construct(reader, name) if construct else reader.unknown(f"\\{name}")


def _definition(reader: FormulaReader, name: str) -> Node:
    r"""A definition inside a formula, such as ``\renewcommand{\arraystretch}{1.5}``; it prints nothing."""
    return EMPTY if reader.define(name) else reader.unknown(f"\\{name}")


def _undecided(reader: FormulaReader, _name: str) -> Node:
    """A command of the author that may stand for several things."""
    return reader.unknown(f"\\{reader.cursor.argument().strip()}")


def _quantified(reader: FormulaReader, name: str) -> Node:
    """The binders of homotopy type theory: each argument that follows is bound by a sign of its own."""
    bound: list[Node] = []
    while reader.cursor.accept("*") or reader.cursor.peek() == "{":
        inner = reader.argument()
        if name == "lam":
            bound.append(Row((Letter("λ"), inner, Operator("."), Space("0.17em"))))
        else:
            bound.append(Scripts(Large("∏" if name == "prd" else "∑"), Row((Bracket("("), inner, Bracket(")"))), None))
    return row(bound)


def _character(reader: FormulaReader, name: str) -> Node:
    """A character by its code, which is understood if it is written with a grave accent."""
    if not reader.cursor.accept("`"):
        return Source(f"\\{name}")
    return Operator(reader.cursor.next().lstrip("\\"))


def _mapsto(reader: FormulaReader, name: str) -> Node:
    r"""``\mapstochar\longrightarrow``: a bar at the tail of an arrow."""
    arrow = _TAILED.get(reader.cursor.peek())
    if arrow is None:
        return Source(f"\\{name}")
    reader.cursor.next()
    return Operator(arrow)


def _symbol(reader: FormulaReader, _name: str) -> Node:
    source = reader.cursor.argument()
    sign = character(source)
    return Operator(sign) if sign else Source(f"\\symbol{{{source}}}")


def _as_in_text(reader: FormulaReader, name: str) -> Node:
    """A reference or a citation, which prints the same in a formula and in a text."""
    cursor = reader.cursor
    start = cursor.at
    cursor.accept("*")
    while cursor.option() is not None:
        pass
    for _ in range(2 if CITING.get(name) == "range" else 1):
        cursor.argument()
    return reader.text(f"\\{name}{cursor.text[start : cursor.at]}")


def _linked(reader: FormulaReader, name: str) -> Node:
    r"""A formula that leads elsewhere: ``\hyperref[key]{=}``."""
    if name == "hyperref":
        if reader.cursor.option() is None:
            return reader.unknown(f"\\{name}")
    else:
        reader.cursor.argument()
    return reader.argument()


def _tag(reader: FormulaReader, _name: str) -> Node:
    starred = reader.cursor.accept("*")
    inner = reader.text(reader.cursor.argument())
    shown = inner if starred else Row((Bracket("("), inner, Bracket(")")))
    return Wrapped(Row((Space("2em"), shown)), "tag")


def _rewritten(reader: FormulaReader, name: str) -> Node:
    """A command of a package, written in terms of others; a form that is not known is shown as its source."""
    written = reader.cursor.argument() if name in INTERNAL else name
    call = reader.cursor.call()
    made = REWRITTEN[name](call)
    if made is None:
        return Source(f"\\{written}{call.written.lstrip()}")
    return reader.inside(made.text + "".join(f"{{{group}}}" for group in call.groups[made.groups :]))


def _braces(reader: FormulaReader, _name: str) -> Node:
    r"""``\qty`` of the package physics, which only sizes the brackets that follow; braces are printed."""
    if reader.cursor.peek() != "{":
        return EMPTY
    return Fence(("{", "}"), (reader.argument(),))


def _bra(reader: FormulaReader, _name: str) -> Node:
    r"""``\bra{a}`` of the package physics, which joins a ket that follows: one bar between them."""
    reader.cursor.accept("*")
    inner = reader.argument()
    joins = _KET.match(reader.cursor.text, reader.cursor.at)
    return row((Bracket("⟨"), inner, *(() if joins else (Bracket("|"),))))


def _matrix(reader: FormulaReader, _name: str) -> Node:
    r"""``\mqty(a & b \\ c & d)`` of the package physics: a matrix in the brackets that follow."""
    name = reader.cursor.argument()
    reader.cursor.accept("*")
    opening = reader.cursor.peek()
    if opening == "{":
        return grid("matrix", reader.cursor.group(), reader.inside)
    body = reader.cursor.bracketed() if opening in _MATRIX_BRACKETS else None
    if body is None:
        return Source(f"\\{name}")
    return grid(_MATRIX_BRACKETS[opening], body, reader.inside)


def _powered_function(reader: FormulaReader, _name: str) -> Node:
    r"""``\sin[2](x)`` of the package physics is a power; without the brackets behind it, it is not."""
    function = Function(reader.cursor.argument())
    start, power = reader.cursor.at, reader.cursor.option()
    if power is None or reader.cursor.peek() != "(":
        reader.cursor.at = start
        return function
    return Scripts(function, None, reader.inside(power))


def _complex_part(reader: FormulaReader, _name: str) -> Node:
    r"""``\Re{z}`` of the package physics, which prints the braces."""
    function = Function(reader.cursor.argument())
    if reader.cursor.peek() != "{":
        return function
    return Row((function, Fence(("{", "}"), (reader.argument(),))))


_TABLE: tuple[tuple[Iterable[str], Construct], ...] = (
    (LETTERS, _letter),
    (OPERATORS, lambda _, name: Operator(OPERATORS[name])),
    (("colon",), lambda *_: Operator(":", "colon")),
    (("slash",), lambda *_: Bracket("/")),
    (("mid",), lambda *_: Operator("|", "mid")),
    (("&", "%", "#", "_", "$"), lambda _, name: Operator(name)),
    (LARGE, lambda _, name: Large(LARGE[name])),
    (INTEGRALS, lambda _, name: Large(INTEGRALS[name], limits=False)),
    (FUNCTIONS, lambda _, name: Function(name)),
    (LIMITS, lambda _, name: Function(LIMITS[name], limits=True)),
    (("operatorname", "operatornamewithlimits"), _operator_name),
    (ALPHABETS, _font),
    (words("text textrm textnormal mbox textup textsf textsc textit textbf texttt emph fbox clap llap rlap "
           "intertext shortintertext"),
     _text),
    (("tag",), _tag),
    ((*(name for name, style in CITING.items() if style != "bracket"), "pageref", *CITATIONS), _as_in_text),
    (("hyperref", "hyperlink", "hypertarget", "href"), _linked),
    (ACCENTS, lambda reader, name: Accent(_measured_argument(reader), name)),
    (words("Tilde Hat Bar Vec Dot Ddot Check Breve Acute Grave"),
     lambda reader, name: Accent(reader.argument(), name.lower())),
    (UNDER, lambda reader, name: Accent(_measured_argument(reader), name, below=True)),
    (ARROWS, _arrow),
    (words("frac dfrac tfrac cfrac binom dbinom tbinom nicefrac sfrac flatfrac"), _fraction),
    (("sqrt",), _root),
    (("root",), _plain_root),
    (("buildrel",), _built),
    (("overset", "underset", "stackrel"), _stacked),
    (("left", "mleft"), _fenced),
    ([f"{size}{side}" for size in _SIZES for side in ("", "l", "r", "m")], _sized),
    (("not",), _negated),
    (SPACES, lambda _, name: Space(SPACES[name])),
    (("pmod", "mod", "bmod", "pod"), _modulo),
    (IGNORED, lambda *_: EMPTY),
    *LAYOUT,
    (("mathchar", "char"), _character),
    (("prd", "sm", "lam"), _quantified),
    (("halign", "ialign"), _aligned_lines),
    (("symbol",), _symbol),
    (("mapstochar",), _mapsto),
    ((PRIMITIVE,), _primitive),
    ((UNDECIDED,), _undecided),
    (LOCAL_DEFINITIONS, _definition),
    (("begin",), _environment),
    (("xymatrix",), _diagram),
    (REWRITTEN, _rewritten),
    (("physicsquantity",), _braces),
    (("physicsbra",), _bra),
    (("physicsmatrix",), _matrix),
    (("physicsfunction",), _powered_function),
    (("physicspart",), _complex_part),
    (("matrix", "pmatrix"), lambda reader, name: grid(name, reader.cursor.argument(), reader.inside)),
    (("cases",), lambda reader, _: grid("cases*", reader.cursor.argument(), reader.inside)),
    (("substack",), lambda reader, _: grid("gathered", reader.cursor.argument(), reader.inside)),
)  # fmt: skip

MEANINGS: dict[str, Construct] = {name: construct for names, construct in _TABLE for name in names}
CONSTRUCTS.update(MEANINGS)
