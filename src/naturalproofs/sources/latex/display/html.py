"""Prose as HTML with MathML: paragraphs, emphasis, lists, references and formulas.

Only elements written here reach the page, and all text is escaped. Whatever the source does, the elements nest
properly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TypeAlias

from naturalproofs.sources.latex.display import nodes
from naturalproofs.sources.latex.display.cursor import CannotRender, DisplayMacros
from naturalproofs.sources.latex.display.diagram import Rendered, draw, read_diagram
from naturalproofs.sources.latex.display.prose import parse_formula, parse_prose
from naturalproofs.sources.latex.display.unicode import unicode_text, write_part
from naturalproofs.sources.latex.macros.macro import Macros
from naturalproofs.sources.latex.scan.scanner import REFERENCES
from naturalproofs.sources.latex.scan.symbols import ACCENTS, DRAWN

_SPACES = re.compile(r"[ \t\n\r\v]+")

CITED = "cite "
"""What a link has in place of the command if the key is that of another work, before the source of the note."""
Link: TypeAlias = Callable[[str, str, str | None], str | None]
"""From the key, the command and the HTML of the text of a reference, if it brings one, to HTML, if the key is known."""

Image: TypeAlias = Callable[[str], str | None]
"""From the file of a figure as the source names it to the address of an image, if it can be shown."""


def no_image(_file: str) -> str | None:
    """No figure can be shown."""
    return None


class Formulas:
    """Turns formulas into MathML with one set of macros; equal formulas are made once."""

    def __init__(self, macros: Macros) -> None:
        """Bind the author's macros."""
        self.macros = DisplayMacros(macros)
        self._made: dict[tuple[str, bool], str | None] = {}
        self._linked: set[tuple[str, bool]] = set()
        """Formulas with references, which each text links in its own way."""

    def render(self, source: str, *, display: bool = False) -> str | None:
        """The MathML of a formula, or None if it cannot be parsed."""
        return self.write(parse_formula(source, self.macros, display=display))

    def write(self, formula: nodes.Formula, text: Callable[[nodes.Inline], str] | None = None) -> str | None:
        """The MathML of a parsed formula; `text` writes the text in it, with links."""
        key, tree = (formula.source, formula.display), formula.tree
        if tree is not None and key not in self._made:

            def unlinked(_key: str, _command: str, shown: str | None) -> str | None:
                self._linked.add(key)
                return shown

            plain = Prose(self, unlinked).write
            self._made[key] = mathml(tree, plain, display=formula.display)
        if tree is not None and text is not None and key in self._linked:
            return mathml(tree, text, display=formula.display)
        return self._made.get(key)


class Prose:
    """Renders statements with one set of macros and one way to link references."""

    def __init__(self, formulas: Formulas, link: Link, image: Image = no_image) -> None:
        """Bind what renders formulas, what knows the labels, and what knows the files of figures."""
        self.formulas = formulas
        self.link = link
        self.image = image

    def render(self, source: str) -> str:
        """The HTML of a text; never fails and is always well formed."""
        return self.all(parse_prose(source, self.formulas.macros)).strip()

    def render_line(self, source: str) -> str:
        """The same on one line, without blocks: it can stand inside a link or a heading."""
        line = _Line(self.formulas, self.link, self.image)
        return _SPACES.sub(" ", line.all(parse_prose(source, self.formulas.macros))).strip()

    def all(self, parts: Iterable[nodes.Inline]) -> str:
        """Several parts side by side."""
        return "".join(map(self.write, parts))

    def write(self, part: nodes.Inline) -> str:
        """One part; a diagram of a formula is its drawing or its source."""
        match part:
            case nodes.Text(text):
                return escape(text)
            case nodes.Diagram(_, _, source):
                return self._drawn(part) or escape(source)
            case nodes.Formula(source, display, tree):
                pieces = tree.children if isinstance(tree, nodes.Row) else (tree,) if tree is not None else ()
                diagrams = [one for one in pieces if isinstance(one, nodes.Diagram)]
                if display and diagrams and (len(pieces) == 1 or None in map(self._drawn, diagrams)):
                    return "".join(map(self._piece, pieces))
                made = self.formulas.write(part, self.write)
                return made if made is not None else shown_source(source, display=display)
            case nodes.Styled(tag, parts, name):
                if name[:1] == "\\":
                    given = " ".join(self.all(one.parts) for one in parts if isinstance(one, nodes.Styled))
                    return f'<span class="unknown" title="{escape(name)} is not understood">{given}</span>'
                small = ' class="sc"' if name == "textsc" else ""
                return f"<{tag}{small}>{self.all(parts)}</{tag}>"
            case nodes.Reference():
                return self._reference(part)
            case nodes.Citation():
                return f"[{self._citation(part)}]"
            case nodes.Footnote(parts):
                return f'<small class="note">{self.all(parts)}</small>'
            case nodes.Break(paragraph):
                return '<span class="gap"></span>' if paragraph else "<br>"
            case nodes.Items(ordered, items):
                tag = "ol" if ordered else "ul"
                return f"<{tag}>{''.join(self._item(*item) for item in items)}</{tag}>"
            case nodes.Picture():
                return self._picture(part)
            case nodes.Raw(text, True):
                return shown_source(text, display=True)
            case nodes.Raw(text):
                return f'<code class="tex command">{escape(text)}</code>'
        raise TypeError(f"{type(part).__name__} is not a part of a text")

    def _picture(self, part: nodes.Picture) -> str:
        """The images of a figure with the caption, or a summary that unfolds to the source."""
        caption = self.all(part.caption).strip()
        images = [self.image(file) for file in part.files]
        if part.kind != "figure" or not images or None in images:
            named = caption or escape(", ".join(part.files))
            return _folded(f"{part.kind.capitalize()}{': ' + named if named else ''}", part.source)
        alternative = escape(" ".join(part.files))
        shown = "".join(f'<img src="{escape(one or "")}" alt="{alternative}" loading="lazy">' for one in images)
        return f'<figure class="picture">{shown}{f"<figcaption>{caption}</figcaption>" if caption else ""}</figure>'

    def _piece(self, node: nodes.Node) -> str:
        """A part of a display that stands alone."""
        if not isinstance(node, nodes.Diagram):
            return mathml(node, self.write, display=False)
        drawn = self._drawn(node)
        return f'<div class="figure">{drawn}</div>' if drawn else _folded("Diagram", node.source)

    def _drawn(self, diagram: nodes.Diagram) -> str | None:
        """The picture of a diagram, if it can be drawn."""
        try:
            return draw(read_diagram(diagram.kind, diagram.body), self._cell)
        except CannotRender:
            return None

    def _cell(self, source: str) -> Rendered:
        """The markup of a formula of a diagram, and its width."""
        formula = parse_formula(source, self.formulas.macros)
        markup = self.formulas.write(formula)
        if formula.tree is None or markup is None or ">\\ar" in markup:
            raise CannotRender("an object that is not a formula, or an arrow that only a macro makes")
        return Rendered(markup, len(unicode_text(formula.tree, lambda _: "text")))

    def _item(self, mark: tuple[nodes.Inline, ...] | None, parts: tuple[nodes.Inline, ...]) -> str:
        if mark is None:
            return f"<li>{self.all(parts).strip()}</li>"
        return f'<li class="own"><span class="mark">{self.all(mark)}</span> {self.all(parts).strip()}</li>'

    def _citation(self, part: nodes.Citation) -> str:
        shown = {key.strip(): f'<span class="cite">{escape(key.strip())}</span>' for key in part.keys.split(",")}
        last = next(reversed(shown))
        shown[last] += f", {self.all(part.note)}" if part.note else ""
        place = part.place if len(shown) == 1 else ""
        return ", ".join(self.link(key, CITED + place, text) or text for key, text in shown.items())

    def _reference(self, part: nodes.Reference) -> str:
        if part.shown is not None:
            shown = self.all(part.shown)
            return self.link(part.keys[0], part.command, shown) or shown if part.keys else shown
        links = [self.link(key, part.command, None) or f'<code class="tex">{escape(key)}</code>' for key in part.keys]
        joined = " to ".join(links) if REFERENCES.get(part.command) == "range" else ", ".join(links)
        return f"({joined})" if part.command == "eqref" else joined


class _Line(Prose):
    """Lists and displays become parts of the line; notes are left out."""

    def write(self, part: nodes.Inline) -> str:
        match part:
            case nodes.Formula(_, True, tree) if tree is not None and _has_rows(tree):
                return f" {escape(unicode_text(tree, write_part))} "
            case nodes.Formula(source, True, tree):
                return f" {super().write(nodes.Formula(source, display=False, tree=tree))} "
            case nodes.Styled("div", parts):
                return f" {self.all(parts)} "
            case nodes.Footnote():
                return ""
            case nodes.Break():
                return " "
            case nodes.Items(ordered, items):
                shown = (
                    f" {self.all(mark) if mark is not None else f'({number})' if ordered else '•'} {self.all(parts)}"
                    for number, (mark, parts) in enumerate(items, 1)
                )
                return "".join(shown)
            case nodes.Picture(kind, _, _, caption):
                named = self.all(caption).strip()
                return f" [{kind}{': ' + named if named else ''}] "
            case nodes.Raw(text, True):
                return f" {shown_source(text)} "
        return super().write(part)


def _has_rows(tree: nodes.Node) -> bool:
    """Whether a formula is a diagram or has several lines."""
    return isinstance(tree, nodes.Diagram | nodes.Grid) or (
        isinstance(tree, nodes.Row) and any(map(_has_rows, tree.children))
    )


def shown_source(source: str, *, display: bool = False) -> str:
    """The source itself, where it cannot be rendered."""
    tag = "pre" if display else "code"
    return f'<{tag} class="tex">{escape(source)}</{tag}>'


def _folded(summary: str, source: str) -> str:
    return f'<details class="source"><summary>{summary}</summary>{shown_source(source, display=True)}</details>'


# Formulas as MathML: only elements written here are emitted, and every character of the source is escaped.

_LONG_ARROWS = {"→": "⟶", "←": "⟵", "↔": "⟷", "⇒": "⟹", "⇐": "⟸", "↦": "⟼"}
_LOOKS = {"-": "−", "*": "∗", "`": "‘"}
_UPRIGHT = ' mathvariant="normal"'
_TIGHT = ' lspace="0" rspace="0"'
_ATTRIBUTES = {":": ' lspace="0.22em" rspace="0.22em"', **dict.fromkeys("/|!.?", _TIGHT)}
"""Where the browser's idea of space around a symbol is not TeX's."""
_ROLES = {
    "colon": ' lspace="0" rspace="0.28em"',
    "mid": ' stretchy="false" lspace="0.28em" rspace="0.28em"',
    "mod": ' lspace="0.22em" rspace="0.22em"',
}
_PRIMES = {2: "″", 3: "‴"}
_THIN = '<mspace width="0.17em"></mspace>'
_SPACE_AROUND = {"relation": '<mspace width="0.28em"></mspace>', "binary": '<mspace width="0.22em"></mspace>'}
_OPERANDS = (nodes.Letter, nodes.Number, nodes.Row, nodes.Fraction, nodes.Root, nodes.Accent, nodes.Fence)


def mathml(tree: nodes.Node, text: Callable[[nodes.Inline], str], *, display: bool) -> str:
    """The element of a whole formula; `text` writes the text inside it."""
    body = _MathWriter(text, display=display).element(tree)
    return f'<math display="block">{body}</math>' if display else f"<math>{body}</math>"


class _MathWriter:
    def __init__(self, text: Callable[[nodes.Inline], str], *, display: bool) -> None:
        self.text = text
        self._in_script = False
        self._in_display = display

    def element(self, node: nodes.Node | None) -> str:
        """One element."""
        match node:
            case None:
                return "<mrow></mrow>"
            case nodes.Letter(text, variant):
                style = {"": "", "normal": _UPRIGHT, "italic": ' class="it"'}[variant]
                return f"<mi{style}>{escape(text)}</mi>"
            case nodes.Number(text):
                return f"<mn>{text}</mn>"
            case nodes.Operator(symbol, role):
                # TeX sets no space around the operators of a script.
                look = _TIGHT if self._in_script else _ROLES.get(role) or _ATTRIBUTES.get(symbol, "")
                return f"<mo{look}>{escape(_LOOKS.get(symbol, symbol))}</mo>"
            case nodes.Bracket(symbol, ""):
                return f'<mo stretchy="false"{_ATTRIBUTES.get(symbol, "")}>{escape(symbol)}</mo>'
            case nodes.Bracket(symbol, size):
                return f'<mo stretchy="true" minsize="{size}" maxsize="{size}">{escape(symbol)}</mo>'
            case nodes.Large(symbol, limits):
                return f'<mo movablelimits="true">{symbol}</mo>' if limits else f"<mo>{symbol}</mo>"
            case nodes.Function(name, True):
                return f'<mo movablelimits="true"{_TIGHT}>{escape(name)}</mo>'
            case nodes.Function(name, _, upright):
                return f"<mi{_UPRIGHT if upright else ''}>{escape(name)}</mi>"
            case nodes.Words(parts, style):
                return self._words(parts, style)
            case nodes.Space(width):
                return f'<mspace width="{width}"></mspace>'
            case nodes.Row(children):
                return _row(self._spaced(children))
            case nodes.Scripts():
                return self._scripts(node)
            case nodes.Fraction(top, bottom, style):
                return self._fraction(top, bottom, style)
            case nodes.Root(inner, None):
                return f"<msqrt>{self.element(inner)}</msqrt>"
            case nodes.Root(inner, index):
                return f"<mroot>{self.element(inner)}{self.element(index)}</mroot>"
            case nodes.Accent(inner, name) if name in DRAWN:
                return f'<mrow class="wide-{DRAWN[name]}">{self.element(inner)}</mrow>'
            case nodes.Accent(inner, name):
                accent = f'<mo stretchy="false">{escape(ACCENTS[name])}</mo>'
                return f'<mover accent="true">{self.element(inner)}{accent}</mover>'
            case nodes.Arrow(symbol, above, below):
                label = self.element(above)
                # Browsers do not stretch arrows with every font.
                long = symbol if _is_short(above) else _LONG_ARROWS.get(symbol, symbol)
                arrow = f'<mo stretchy="true">{long}</mo>'
                margin = '<mspace width="0.4em"></mspace>'
                over = f"<mrow>{margin}{label}{margin}</mrow>"
                if below is None:
                    return f"<mover>{arrow}{over}</mover>"
                return f"<munderover>{arrow}{self.element(below)}{over}</munderover>"
            case nodes.Fence(brackets, parts):
                return self._fence(brackets, parts)
            case nodes.Grid():
                return self._grid(node)
            case nodes.Wrapped(inner, "phantom"):
                return f"<mphantom>{self.element(inner)}</mphantom>"
            case nodes.Wrapped(inner, role):
                space = "" if self._in_script else _SPACE_AROUND.get(role, "")
                return f"<mrow>{space}{self.element(inner)}{space}</mrow>" if space else self.element(inner)
            case nodes.Source(text):
                return f'<mtext class="tex">{escape(text)}</mtext>'
            case nodes.Diagram():
                # Text of a formula may hold HTML, and so a picture.
                drawn = self.text(node)
                return (
                    f"<mtext><span>{drawn}</span></mtext>"
                    if drawn.startswith("<svg")
                    else f'<mtext class="tex">{drawn}</mtext>'
                )
        raise TypeError(f"{type(node).__name__} is not a node of a formula")

    def _spaced(self, children: Sequence[nodes.Node]) -> list[str]:
        """The elements in order, with thin spaces around the names of functions."""
        parts: list[str] = []
        for index, node in enumerate(children):
            before = children[index - 1] if index else None
            after = children[index + 1] if index + 1 < len(children) else None
            function = _is_function(node)
            lead = _THIN if function and before and _is_operand(before) else ""
            tail = _THIN if function and after and (_is_operand(after) or _is_function(after)) else ""
            parts.extend(filter(None, (lead, self.element(node), tail)))
        return parts

    def _words(self, parts: Sequence[nodes.Inline], style: str) -> str:
        made: list[str] = []
        tag = f'<mtext class="{style}">' if style in ("it", "bf") else "<mtext>"
        for part in parts:
            written = self.text(part)
            if written.startswith("<math>") and written.endswith("</math>"):
                made.append(written.removeprefix("<math>").removesuffix("</math>"))
            elif written:
                # The browser would drop spaces at the ends; TeX keeps them.
                made.append(f"{tag}{_kept(written)}</mtext>")
        return made[0] if len(made) == 1 else f"<mrow>{''.join(made)}</mrow>"

    def _scripts(self, node: nodes.Scripts) -> str:
        base, below, above = node.base, node.below, node.above
        limits = self._has_limits(base) if node.limits is None else node.limits
        core = self.element(base)
        if node.primes and below is None and above is None and not limits:
            # The symbol is raised in the font: as a script it would stand too high.
            return f"<mrow>{core}<mo>{_PRIMES.get(node.primes) or '′' * node.primes}</mo></mrow>"
        upper = f"<mo>{'′' * node.primes}</mo>" if node.primes else ""
        if above is not None:
            raised = self._script(above)
            upper = f"<mrow>{upper}{raised}</mrow>" if upper else raised
        if limits and (node.limits or not isinstance(base, nodes.Large | nodes.Function)):
            core = core.replace(' movablelimits="true"', "", 1)
        under, over, both = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
        if below is not None and upper:
            return f"<{both}>{core}{self._script(below)}{upper}</{both}>"
        if below is not None:
            return f"<{under}>{core}{self._script(below)}</{under}>"
        return f"<{over}>{core}{upper}</{over}>"

    def _has_limits(self, node: nodes.Node | None) -> bool:
        # The browser moves the limits of its own operators; those of other parts stand beside them in the text.
        return _has_limits(node) and (self._in_display or not isinstance(node, nodes.Wrapped))

    def _script(self, node: nodes.Node) -> str:
        """An element of script size."""
        outside, self._in_script = self._in_script, True
        made = self._in_text(node)
        self._in_script = outside
        return made

    def _in_text(self, node: nodes.Node) -> str:
        """An element of the size that it has in text, also where it stands in a display."""
        outside, self._in_display = self._in_display, False
        made = self.element(node)
        self._in_display = outside
        return made

    def _fraction(self, top: nodes.Node, bottom: nodes.Node, style: str) -> str:
        if style == "slanted":
            parts = self._in_text(top), self._in_text(bottom)
            if isinstance(top, nodes.Row) or isinstance(bottom, nodes.Row):
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

    def _fence(self, brackets: Sequence[str], parts: Sequence[nodes.Node]) -> str:
        # Browsers set growing brackets wide of what they enclose, also where there is no need to grow.
        grows = not all(map(_is_flat, parts))
        made = [_delimiter(brackets[0], "prefix", grows=grows)]
        for index, part in enumerate(parts):
            made.extend(self._spaced(part.children if isinstance(part, nodes.Row) else (part,)))
            form = "postfix" if index + 1 == len(parts) else "infix"
            made.append(_delimiter(brackets[index + 1], form, grows=grows))
        return f"<mrow>{''.join(made)}</mrow>"

    def _grid(self, node: nodes.Grid) -> str:
        look = node.look
        column = next((letter for letter in node.columns if letter in "lcr"), "") if look.style == "ar" else ""
        style = f"{look.style} {column}" if column else look.style
        large = look.style in ("al", "gt")
        write = self.element if large else self._in_text
        width = max(map(len, node.rows), default=0)
        lines = "".join(
            f"<mtr{_line_class(node, number)}>"
            + "".join(
                f"<mtd{_cell_look(node, number, place, width)}>{write(cell)}</mtd>" for place, cell in enumerate(cells)
            )
            + "</mtr>"
            for number, cells in enumerate(node.rows)
        )
        display = ' displaystyle="true"' if large else ""
        table = f'<mtable class="{style}"{display}>{lines}</mtable>'
        if not (look.left or look.right):
            return table
        return f"<mrow>{_delimiter(look.left, 'prefix')}{table}{_delimiter(look.right, 'postfix')}</mrow>"


def _is_short(label: nodes.Node) -> bool:
    """Whether a label fits above a short arrow."""
    match label:
        case nodes.Letter(text) | nodes.Number(text) | nodes.Operator(text):
            return len(text) == 1
    return label == nodes.EMPTY


def _cell_look(node: nodes.Grid, number: int, place: int, width: int) -> str:
    """The class of a cell that bars or lines stand beside; a line of text is as wide as the grid."""
    cell = node.rows[number][place]
    if isinstance(cell, nodes.Words) and cell.style == "line":
        return f' class="line" columnspan="{width}"' if width > 1 else ' class="line"'
    names = ["bar"] * (place in node.bars)
    names += ["bar-after"] * (place + 1 == width and width in node.bars)
    names += ["above"] * ((number, place) in node.partial_lines)
    names += ["below"] * (number + 1 == len(node.rows) and (number + 1, place) in node.partial_lines)
    return f' class="{" ".join(names)}"' if names else ""


def _line_class(node: nodes.Grid, number: int) -> str:
    """The class of a row that lines stand above or below."""
    names = ["above"] * (number in node.lines)
    names += ["below"] * (number + 1 == len(node.rows) and number + 1 in node.lines)
    return f' class="{" ".join(names)}"' if names else ""


def _row(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _delimiter(symbol: str, form: str, *, grows: bool = True) -> str:
    if not symbol:
        return ""
    return f'<mo fence="true" form="{form}" stretchy="{"true" if grows else "false"}">{escape(symbol)}</mo>'


def _kept(text: str) -> str:
    core = text.strip(" \n\t")
    if not core:
        return "\u00a0"
    return ("\u00a0" if text[0].isspace() else "") + core + ("\u00a0" if text[-1].isspace() else "")


def _is_flat(node: nodes.Node | None, *, script: bool = False) -> bool:
    """Whether brackets of the usual size enclose it; a script may not have scripts of its own."""
    match node:
        case (
            None
            | nodes.Letter()
            | nodes.Number()
            | nodes.Operator()
            | nodes.Function()
            | nodes.Space()
            | nodes.Bracket(_, "")
        ):
            return True
        case nodes.Row(parts) | nodes.Fence(_, parts):
            return all(_is_flat(part, script=script) for part in parts)
        case nodes.Accent(inner) | nodes.Wrapped(inner):
            return _is_flat(inner, script=script)
        case nodes.Scripts(base, below, above, _, limits):
            levels = (below, above)
            return (
                not (script or limits)
                and None in levels
                and not _has_limits(base)
                and all(_is_flat(level, script=True) for level in levels)
                and _is_flat(base)
            )
    return False


def _is_operand(node: nodes.Node) -> bool:
    return isinstance(node, _OPERANDS) or (
        isinstance(node, nodes.Scripts) and node.base is not None and _is_operand(node.base)
    )


def _is_function(node: nodes.Node) -> bool:
    match node:
        case nodes.Function() | nodes.Wrapped(_, "operator" | "limits"):
            return True
        case nodes.Scripts(base) if base is not None:
            return _is_function(base)
    return False


def _has_limits(node: nodes.Node | None) -> bool:
    match node:
        case nodes.Large(_, limits) | nodes.Function(_, limits):
            return limits
        case nodes.Accent(_, name):
            return name in ("overbrace", "underbrace", "overbracket", "underbracket")
        case nodes.Wrapped(_, role):
            return role == "limits"
    return False
