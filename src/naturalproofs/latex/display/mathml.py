"""Formulas as MathML: what each command does, as a table.

Only elements written here are emitted and every character of the source is escaped, so a formula cannot inject markup.
A formula with an unknown command is refused as a whole, and its source is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from naturalproofs.latex.display.cursor import Budget, CannotRender
from naturalproofs.latex.display.elements import (
    GRIDS,
    Piece,
    accent,
    fence,
    fraction,
    grid,
    operator,
    row,
    space,
    spaced,
    under,
)
from naturalproofs.latex.display.formula import Construct, Reader
from naturalproofs.latex.display.symbols import (
    ACCENTS,
    ALPHABETS,
    ARROWS,
    BRACKETS,
    FUNCTIONS,
    IGNORED,
    INTEGRALS,
    LARGE,
    LETTERS,
    LIMITS,
    NEGATED,
    OPERATORS,
    SPACES,
    STRETCHY,
    UNDER,
    UPRIGHT,
    words,
)
from naturalproofs.latex.display.text import formula_words
from naturalproofs.latex.macros import Macros

_SIZES = {"big": "1.2em", "Big": "1.6em", "bigg": "2.1em", "Bigg": "2.6em"}
_PLAIN_ENVIRONMENTS = frozenset({"equation", "equation*", "math", "displaymath"})
_CLOSING = frozenset({"\\right", "\\middle"})


def _letter(_reader: Reader, name: str) -> Piece:
    sign = LETTERS[name]
    upright = ' mathvariant="normal"' if sign in UPRIGHT else ""
    return Piece(f"<mi{upright}>{sign}</mi>", operand=True)


def _named_limit(text: str) -> Piece:
    return Piece(f'<mo movablelimits="true" lspace="0" rspace="0">{text}</mo>', function=True, limits=True)


def _operator_name(reader: Reader, _name: str) -> Piece:
    starred = reader.cursor.accept("*")
    source = reader.cursor.argument()
    for part in ("\\mathrm", "\\rm", "\\text", "\\,", "\\!"):
        source = source.replace(part, " " if part == "\\," else "")
    words = escape(" ".join(formula_words(source).split()))
    if starred:
        return _named_limit(words)
    upright = "" if len(words) > 1 else ' mathvariant="normal"'
    return Piece(f"<mi{upright}>{words}</mi>", function=True)


def _font(reader: Reader, name: str) -> Piece:
    source = reader.cursor.argument()
    word = source.strip()
    if name in ("mathrm", "mathup", "mathit") and word.isalpha() and len(word) > 1:
        slanted = ' class="it"' if name == "mathit" else ""
        return Piece(f"<mi{slanted}>{escape(word)}</mi>", operand=True)
    return Piece(reader.inside(source, name), operand=True)


def _text(reader: Reader, name: str) -> Piece:
    reader.cursor.accept("*")
    slanted = ' class="it"' if name in ("textit", "emph") else ' class="bf"' if name == "textbf" else ""
    parts = []
    for index, piece in enumerate(reader.cursor.argument().split("$")):
        if index % 2:
            parts.append(reader.inside(piece, ""))
        elif piece:
            parts.append(f"<mtext{slanted}>{escape(formula_words(piece))}</mtext>")
    return Piece(parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>")


def _accent(reader: Reader, name: str) -> Piece:
    made = accent(reader.argument(), ACCENTS[name], stretchy=name in STRETCHY)
    return made._replace(limits=name == "overbrace", fixed=True)


def _under(reader: Reader, name: str) -> Piece:
    return under(reader.argument(), UNDER[name])._replace(limits=name == "underbrace", fixed=True)


def _arrow(reader: Reader, name: str) -> Piece:
    below = reader.cursor.option()
    above = f'<mpadded lspace="0.4em" width="+0.8em">{reader.argument()}</mpadded>'
    sign = f'<mo stretchy="true">{ARROWS[name]}</mo>'
    if below:
        return Piece(f"<munderover>{sign}{reader.inside(below)}{above}</munderover>")
    return Piece(f"<mover>{sign}{above}</mover>")


def _fraction(reader: Reader, name: str) -> Piece:
    top, bottom = reader.argument(), reader.argument()
    return fraction(top, bottom, "choose" if name.endswith("binom") else "")


def _root(reader: Reader, _name: str) -> Piece:
    index = reader.cursor.option()
    inner = reader.argument()
    return Piece(f"<mroot>{inner}{reader.inside(index)}</mroot>" if index else f"<msqrt>{inner}</msqrt>", operand=True)


def _stacked(reader: Reader, name: str) -> Piece:
    script, base = reader.argument(), reader.argument()
    tag = "munder" if name == "underset" else "mover"
    return Piece(f"<{tag}>{base}{script}</{tag}>")


def _fenced(reader: Reader, _name: str) -> Piece:
    font = reader.font
    parts = [fence(_bracket(reader), "prefix")]
    while True:
        parts.extend(spaced(reader.pieces(_CLOSING)))
        closing = reader.cursor.next()
        if not closing:
            raise CannotRender("\\left without \\right")
        parts.append(fence(_bracket(reader), "postfix" if closing == "\\right" else "infix"))
        if closing == "\\right":
            reader.font = font
            return Piece(f"<mrow>{''.join(parts)}</mrow>", operand=True)


def _bracket(reader: Reader) -> str:
    sign = BRACKETS.get(reader.cursor.next())
    if sign is None:
        raise CannotRender("an unknown bracket")
    return sign


def _sized(reader: Reader, name: str) -> Piece:
    size = _SIZES[name if name in _SIZES else name[:-1]]
    return Piece(f'<mo stretchy="true" minsize="{size}" maxsize="{size}">{escape(_bracket(reader))}</mo>')


def _negated(reader: Reader, _name: str) -> Piece:
    token = reader.cursor.next()
    sign = "|" if token == "\\mid" else OPERATORS.get(token[1:], token)
    if not sign or sign[0] in "\\{}":
        raise CannotRender("\\not before something that cannot be crossed out")
    return operator(NEGATED.get(sign, f"{sign}\u0338"))


def _measured(reader: Reader, _name: str) -> Piece:
    reader.cursor.accept("*")
    reader.cursor.argument()
    return space("1em")


def _modulo(reader: Reader, name: str) -> Piece:
    if name == "bmod":
        return Piece('<mo lspace="0.22em" rspace="0.22em">mod</mo>')
    opening, closing = ("", "") if name == "mod" else ('<mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo>')
    word = "" if name == "pod" else f"<mi>mod</mi>{space('0.33em').markup}"
    return Piece(f"<mrow>{space('0.6em').markup}{opening}{word}{reader.argument()}{closing}</mrow>")


def _dropped(reader: Reader, _name: str) -> Piece:
    reader.cursor.argument()
    return Piece("")


def _wrapped(reader: Reader, name: str) -> Piece:
    inner = reader.argument()
    if name == "mathop":
        return Piece(inner, function=True, limits=True, fixed=True)
    return Piece(f"<mphantom>{inner}</mphantom>" if name.endswith("phantom") else inner)


def _environment(reader: Reader, _name: str) -> Piece:
    kind = reader.cursor.argument().strip()
    if kind not in GRIDS and kind not in _PLAIN_ENVIRONMENTS:
        raise CannotRender(f"\\begin{{{kind}}} is not known")
    body = reader.cursor.environment(kind)
    return Piece(grid(kind, body, reader.inside) if kind in GRIDS else reader.inside(body))


def _substack(reader: Reader, _name: str) -> Piece:
    return Piece(grid("gathered", reader.cursor.argument(), reader.inside))


_TABLE: tuple[tuple[Iterable[str], Construct], ...] = (
    (LETTERS, _letter),
    (OPERATORS, lambda _, name: operator(OPERATORS[name])),
    (("colon",), lambda *_: Piece('<mo lspace="0" rspace="0.28em">:</mo>')),
    (("mid",), lambda *_: Piece('<mo stretchy="false" lspace="0.28em" rspace="0.28em">|</mo>')),
    (("&", "%", "#", "_", "$"), lambda _, name: operator(name)),
    (LARGE, lambda _, name: Piece(f'<mo movablelimits="true">{LARGE[name]}</mo>', limits=True)),
    (INTEGRALS, lambda _, name: Piece(f"<mo>{INTEGRALS[name]}</mo>")),
    (FUNCTIONS, lambda _, name: Piece(f"<mi>{name}</mi>", function=True)),
    (LIMITS, lambda _, name: _named_limit(LIMITS[name])),
    (("operatorname", "operatornamewithlimits"), _operator_name),
    (ALPHABETS, _font),
    (words("text textrm textnormal mbox hbox textup textsf textsc textit textbf texttt emph tag"), _text),
    (ACCENTS, _accent),
    (UNDER, _under),
    (ARROWS, _arrow),
    (("frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom"), _fraction),
    (("sqrt",), _root),
    (("overset", "underset", "stackrel"), _stacked),
    (("left",), _fenced),
    ([f"{size}{side}" for size in _SIZES for side in ("", "l", "r", "m")], _sized),
    (("not",), _negated),
    (SPACES, lambda _, name: space(SPACES[name])),
    (("hspace", "hskip", "kern", "mkern", "mskip"), _measured),
    (("pmod", "mod", "bmod", "pod"), _modulo),
    (IGNORED, lambda *_: Piece("")),
    (("label", "vspace", "footnote", "index", "color"), _dropped),
    (words("mathop mathord mathbin mathrel mathopen mathclose mathpunct mathinner ensuremath smash boxed"), _wrapped),
    (("phantom", "hphantom", "vphantom"), _wrapped),
    (("begin",), _environment),
    (("substack",), _substack),
)

CONSTRUCTS: dict[str, Construct] = {name: construct for names, construct in _TABLE for name in names}


MAX_FORMULA = 8_000
"""Longer formulas are not rendered."""


class Formulas:
    """Turns formulas into MathML with one set of macros; equal formulas are made once."""

    def __init__(self, macros: Macros) -> None:
        """Bind the author's macros."""
        self.macros = macros
        self._made: dict[tuple[str, bool], str | None] = {}

    def render(self, source: str, *, display: bool = False) -> str | None:
        """The MathML of a formula, or None if it has an unknown command."""
        key = (source.strip(), display)
        if key not in self._made:
            self._made[key] = self._render(*key)
        return self._made[key]

    def _render(self, source: str, display: bool) -> str | None:
        if len(source) > MAX_FORMULA:
            return None
        reader = Reader(source, self.macros, Budget(), CONSTRUCTS)
        try:
            # A display with line breaks of its own is a column of lines.
            lines = display and "\\\\" in source and "\\begin" not in source
            body = (
                grid("aligned" if "&" in source else "gathered", source, reader.inside)
                if lines
                else row(reader.pieces())
            )
        except CannotRender:
            return None
        return f'<math display="block">{body}</math>' if display else f"<math>{body}</math>"
