"""Formulas as MathML.

Only elements written here are emitted and every character of the source is escaped, so a formula cannot inject markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape, unescape

from naturalproofs.latex.display.grid import GRIDS
from naturalproofs.latex.display.nodes import (
    Accent,
    Arrow,
    Bracket,
    Diagram,
    Fence,
    Fraction,
    Function,
    Grid,
    Inline,
    Large,
    Letter,
    Node,
    Number,
    Operator,
    Root,
    Row,
    Scripts,
    Source,
    Space,
    Stacked,
    Words,
    Wrapped,
)
from naturalproofs.latex.scan.symbols import ACCENTS, STRETCHY, UNDER

_TAG = re.compile(r"<[^<>]*>")
_LONG_ARROWS = {"→": "⟶", "←": "⟵", "↔": "⟷", "⇒": "⟹", "⇐": "⟸", "↦": "⟼"}
_SHORT_LABEL = 1
"""So many signs fit above a short arrow."""
_WIDE_HAT = "\u0302"
"""The one hat that grows in browsers."""
_WIDENED = ("widetilde", "widecheck")
_WIDEST = 6
_LOOKS = {"-": "−", "*": "∗", "`": "‘"}
_UPRIGHT = ' mathvariant="normal"'
_TIGHT = ' lspace="0" rspace="0"'
_ATTRIBUTES = {":": ' lspace="0.22em" rspace="0.22em"', **dict.fromkeys("/|!.?", _TIGHT)}
"""Where the browser's idea of space around a sign is not TeX's."""
_ROLES = {
    "colon": ' lspace="0" rspace="0.28em"',
    "mid": ' stretchy="false" lspace="0.28em" rspace="0.28em"',
    "mod": ' lspace="0.22em" rspace="0.22em"',
}
_PRIMES = {2: "″", 3: "‴"}
_THIN = '<mspace width="0.17em"></mspace>'
_SPACE_AROUND = {"relation": '<mspace width="0.28em"></mspace>', "binary": '<mspace width="0.22em"></mspace>'}
_COLUMN = re.compile(r"[lcr]")
_OPERANDS = (Letter, Number, Row, Fraction, Root, Accent, Fence)


def mathml(tree: Node, text: Callable[[Inline], str], *, display: bool) -> str:
    """The element of a whole formula; `text` writes the text inside it."""
    body = _Writer(text, display=display).element(tree)
    return f'<math display="block">{body}</math>' if display else f"<math>{body}</math>"


class _Writer:
    def __init__(self, text: Callable[[Inline], str], *, display: bool) -> None:
        self.text = text
        self._in_script = False
        self._in_display = display

    def element(self, node: Node | None) -> str:
        """One element."""
        match node:
            case None:
                return "<mrow></mrow>"
            case Letter(text, variant):
                style = {"": "", "normal": _UPRIGHT, "italic": ' class="it"'}[variant]
                return f"<mi{style}>{escape(text)}</mi>"
            case Number(text):
                return f"<mn>{text}</mn>"
            case Operator(sign, role):
                # TeX sets no space around the operators of a script.
                look = _TIGHT if self._in_script else _ROLES.get(role) or _ATTRIBUTES.get(sign, "")
                return f"<mo{look}>{escape(_LOOKS.get(sign, sign))}</mo>"
            case Bracket(sign, ""):
                return f'<mo stretchy="false"{_ATTRIBUTES.get(sign, "")}>{escape(sign)}</mo>'
            case Bracket(sign, size):
                return f'<mo stretchy="true" minsize="{size}" maxsize="{size}">{escape(sign)}</mo>'
            case Large(sign, limits):
                return f'<mo movablelimits="true">{sign}</mo>' if limits else f"<mo>{sign}</mo>"
            case Function(name, True):
                return f'<mo movablelimits="true"{_TIGHT}>{escape(name)}</mo>'
            case Function(name, _, upright):
                return f"<mi{_UPRIGHT if upright else ''}>{escape(name)}</mi>"
            case Words(parts, style):
                return self._words(parts, style)
            case Space(width):
                return f'<mspace width="{width}"></mspace>'
            case Row(children):
                return _row(self._spaced(children))
            case Scripts():
                return self._scripts(node)
            case Fraction(top, bottom, style):
                return self._fraction(top, bottom, style)
            case Root(inner, None):
                return f"<msqrt>{self.element(inner)}</msqrt>"
            case Root(inner, index):
                return f"<mroot>{self.element(inner)}{self.element(index)}</mroot>"
            case Accent(inner, name, True):
                base = self.element(inner)
                sign = _LONG_ARROWS.get(UNDER[name], UNDER[name]) if _width(base) > _SHORT_LABEL else UNDER[name]
                return f'<munder accentunder="true">{base}<mo stretchy="true">{escape(sign)}</mo></munder>'
            case Accent(inner, name):
                base = self.element(inner)
                return f'<mover accent="true">{base}{_accent(name, _width(base))}</mover>'
            case Arrow(sign, above, below):
                label = self.element(above)
                # Browsers do not stretch arrows with every font.
                long = _LONG_ARROWS.get(sign, sign) if _width(label) > _SHORT_LABEL else sign
                arrow = f'<mo stretchy="true">{long}</mo>'
                margin = '<mspace width="0.4em"></mspace>'
                over = f"<mrow>{margin}{label}{margin}</mrow>"
                if below is None:
                    return f"<mover>{arrow}{over}</mover>"
                return f"<munderover>{arrow}{self.element(below)}{over}</munderover>"
            case Stacked(base, script, below):
                tag = "munder" if below else "mover"
                return f"<{tag}>{self.element(base)}{self.element(script)}</{tag}>"
            case Fence(brackets, parts):
                return self._fence(brackets, parts)
            case Grid():
                return self._grid(node)
            case Wrapped(inner, "phantom"):
                return f"<mphantom>{self.element(inner)}</mphantom>"
            case Wrapped(inner, role):
                space = "" if self._in_script else _SPACE_AROUND.get(role, "")
                return f"<mrow>{space}{self.element(inner)}{space}</mrow>" if space else self.element(inner)
            case Source(text) | Diagram(_, _, text):
                return f'<mtext class="tex">{escape(text)}</mtext>'
        raise TypeError(f"{type(node).__name__} is not a node of a formula")

    def _spaced(self, nodes: Sequence[Node]) -> list[str]:
        """The elements in order, with thin spaces around the names of functions."""
        parts: list[str] = []
        for index, node in enumerate(nodes):
            before = nodes[index - 1] if index else None
            after = nodes[index + 1] if index + 1 < len(nodes) else None
            function = _is_function(node)
            lead = _THIN if function and before and _is_operand(before) else ""
            tail = _THIN if function and after and (_is_operand(after) or _is_function(after)) else ""
            parts.extend(filter(None, (lead, self.element(node), tail)))
        return parts

    def _words(self, parts: Sequence[Inline], style: str) -> str:
        made: list[str] = []
        tag = f'<mtext class="{style}">' if style else "<mtext>"
        for part in parts:
            written = self.text(part)
            if written.startswith("<math>") and written.endswith("</math>"):
                made.append(written.removeprefix("<math>").removesuffix("</math>"))
            elif written:
                # The browser would drop spaces at the ends; TeX keeps them.
                made.append(f"{tag}{_kept(written)}</mtext>")
        return made[0] if len(made) == 1 else f"<mrow>{''.join(made)}</mrow>"

    def _scripts(self, node: Scripts) -> str:
        base, below, above = node.base, node.below, node.above
        limits = self._has_limits(base) if node.limits is None else node.limits
        core = self.element(base)
        if node.primes and below is None and above is None and not limits:
            # The sign is raised in the font: as a script it would stand too high.
            return f"<mrow>{core}<mo>{_PRIMES.get(node.primes) or '′' * node.primes}</mo></mrow>"
        upper = f"<mo>{'′' * node.primes}</mo>" if node.primes else ""
        if above is not None:
            raised = self._script(above)
            upper = f"<mrow>{upper}{raised}</mrow>" if upper else raised
        if limits and (node.limits or not isinstance(base, Large | Function)):
            core = core.replace(' movablelimits="true"', "", 1)
        under, over, both = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
        if below is not None and upper:
            return f"<{both}>{core}{self._script(below)}{upper}</{both}>"
        if below is not None:
            return f"<{under}>{core}{self._script(below)}</{under}>"
        return f"<{over}>{core}{upper}</{over}>"

    def _has_limits(self, node: Node | None) -> bool:
        # The browser moves the limits of its own operators; those of other parts stand beside them in the text.
        return _has_limits(node) and (self._in_display or not isinstance(node, Wrapped))

    def _script(self, node: Node) -> str:
        """An element of script size."""
        outside, self._in_script = self._in_script, True
        made = self._in_text(node)
        self._in_script = outside
        return made

    def _in_text(self, node: Node) -> str:
        """An element of the size that it has in text, also where it stands in a display."""
        outside, self._in_display = self._in_display, False
        made = self.element(node)
        self._in_display = outside
        return made

    def _fraction(self, top: Node, bottom: Node, style: str) -> str:
        if style == "slanted":
            parts = self._in_text(top), self._in_text(bottom)
            if isinstance(top, Row) or isinstance(bottom, Row):
                # a+b/c would read as another fraction.
                parts = f"<msup><mrow></mrow>{parts[0]}</msup>", f"<msub><mrow></mrow>{parts[1]}</msub>"
            return _row([parts[0], f"<mo{_TIGHT}>/</mo>", parts[1]])
        line = ' linethickness="0"' if style else ""
        markup = f"<mfrac{line}>{self._in_text(top)}{self._in_text(bottom)}</mfrac>"
        return (
            f"<mrow>{_delimiter('(', 'prefix')}{markup}{_delimiter(')', 'postfix')}</mrow>"
            if style == "choose"
            else markup
        )

    def _fence(self, brackets: Sequence[str], parts: Sequence[Node]) -> str:
        # Browsers set growing brackets wide of what they enclose, also where there is no need to grow.
        grows = not all(map(_is_flat, parts))
        made = [_delimiter(brackets[0], "prefix", grows=grows)]
        for index, part in enumerate(parts):
            made.extend(self._spaced(part.children if isinstance(part, Row) else (part,)))
            form = "postfix" if index + 1 == len(parts) else "infix"
            made.append(_delimiter(brackets[index + 1], form, grows=grows))
        return f"<mrow>{''.join(made)}</mrow>"

    def _grid(self, node: Grid) -> str:
        look = GRIDS[node.kind]
        column = _COLUMN.search(node.columns) if look.style == "ar" else None
        style = f"{look.style} {column[0]}" if column else look.style
        large = look.style in ("al", "gt")
        write = self.element if large else self._in_text
        width = max(map(len, node.rows), default=0)
        bars = [_bar_class(node, place, last=place + 1 == width) for place in range(width)]
        lines = "".join(
            f"<mtr{_line_class(node, number)}>"
            + "".join(f"<mtd{bar}>{write(cell)}</mtd>" for bar, cell in zip(bars, cells, strict=False))
            + "</mtr>"
            for number, cells in enumerate(node.rows)
        )
        display = ' displaystyle="true"' if large else ""
        table = f'<mtable class="{style}"{display}>{lines}</mtable>'
        if not (look.left or look.right):
            return table
        return f"<mrow>{_delimiter(look.left, 'prefix')}{table}{_delimiter(look.right, 'postfix')}</mrow>"


def _width(markup: str) -> int:
    """About how many signs an element shows."""
    return len(unescape(_TAG.sub("", markup)))


def _accent(name: str, width: int) -> str:
    """The sign of an accent over so many signs."""
    sign, look = ACCENTS[name], f' stretchy="{"true" if name in STRETCHY else "false"}"'
    if name == "widehat":
        sign = _WIDE_HAT
    elif name in _WIDENED and width > _SHORT_LABEL:
        # No character for it grows in browsers: the style sheet makes it wide.
        look = f' stretchy="false" class="w{min(width, _WIDEST)}"'
    elif sign in "→↔" and name in STRETCHY and width > _SHORT_LABEL:
        sign = _LONG_ARROWS[sign]
    return f"<mo{look}>{escape(sign)}</mo>"


def _bar_class(node: Grid, place: int, *, last: bool) -> str:
    """The class of a cell that bars stand before or after."""
    names = ["bar"] * (place in node.bars) + ["bar-after"] * (last and place + 1 in node.bars)
    return f' class="{" ".join(names)}"' if names else ""


def _line_class(node: Grid, number: int) -> str:
    """The class of a row that lines stand above or below."""
    names = ["above"] * (number in node.lines)
    names += ["below"] * (number + 1 == len(node.rows) and number + 1 in node.lines)
    return f' class="{" ".join(names)}"' if names else ""


def _row(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _delimiter(sign: str, form: str, *, grows: bool = True) -> str:
    if not sign:
        return ""
    return f'<mo fence="true" form="{form}" stretchy="{"true" if grows else "false"}">{escape(sign)}</mo>'


def _kept(text: str) -> str:
    core = text.strip(" \n\t")
    if not core:
        return "\u00a0"
    return ("\u00a0" if text[0].isspace() else "") + core + ("\u00a0" if text[-1].isspace() else "")


def _is_flat(node: Node | None, *, script: bool = False) -> bool:
    """Whether brackets of the usual size enclose it; a script may not have scripts of its own."""
    match node:
        case None | Letter() | Number() | Operator() | Function() | Space() | Bracket(_, ""):
            return True
        case Row(parts) | Fence(_, parts):
            return all(_is_flat(part, script=script) for part in parts)
        case Accent(inner) | Wrapped(inner):
            return _is_flat(inner, script=script)
        case Scripts(base, below, above):
            levels = (below, above)
            return (
                not script
                and None in levels
                and not _has_limits(base)
                and all(_is_flat(level, script=True) for level in levels)
                and _is_flat(base)
            )
    return False


def _is_operand(node: Node) -> bool:
    return isinstance(node, _OPERANDS) or (
        isinstance(node, Scripts) and node.base is not None and _is_operand(node.base)
    )


def _is_function(node: Node) -> bool:
    match node:
        case Function() | Wrapped(_, "operator" | "limits"):
            return True
        case Scripts(base) if base is not None:
            return _is_function(base)
    return False


def _has_limits(node: Node | None) -> bool:
    match node:
        case Large(_, limits) | Function(_, limits):
            return limits
        case Accent(_, name):
            return name in ("overbrace", "underbrace", "overbracket", "underbracket")
        case Wrapped(_, role):
            return role == "limits"
    return False
