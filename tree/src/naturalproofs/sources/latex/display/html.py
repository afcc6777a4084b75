"""Prose as HTML: paragraphs, emphasis, lists, references and formulas.

Only elements written here reach the page, and all text is escaped. Whatever the source does, the elements nest
properly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import TypeAlias

from naturalproofs.sources.latex.display import nodes
from naturalproofs.sources.latex.display.cursor import CannotRender, DisplayMacros
from naturalproofs.sources.latex.display.diagram import Rendered, draw, read_diagram
from naturalproofs.sources.latex.display.mathml import mathml
from naturalproofs.sources.latex.display.prose import parse_formula, parse_prose
from naturalproofs.sources.latex.display.unicode import unicode_text, write_part
from naturalproofs.sources.latex.macros.macro import Macros
from naturalproofs.sources.latex.scan.vocabulary import REFERENCES

_SPACES = re.compile(r"[ \t\n\r\v]+")

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

            plain = _Writer(self, unlinked, no_image).write
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
        return _Writer(self.formulas, self.link, self.image).all(parse_prose(source, self.formulas.macros)).strip()

    def render_line(self, source: str) -> str:
        """The same on one line, without blocks: it can stand inside a link or a heading."""
        made = _LineWriter(self.formulas, self.link, self.image).all(parse_prose(source, self.formulas.macros))
        return _SPACES.sub(" ", made).strip()


class _Writer:
    def __init__(self, formulas: Formulas, link: Link, image: Image) -> None:
        self.formulas = formulas
        self.link = link
        self.image = image

    def all(self, parts: Iterable[nodes.Inline]) -> str:
        return "".join(map(self.write, parts))

    def write(self, part: nodes.Inline) -> str:
        match part:
            case nodes.Text(text):
                return escape(text)
            case nodes.Formula(source, display, tree):
                if display and (pieces := _with_diagrams(tree)):
                    return "".join(map(self._piece, pieces))
                made = self.formulas.write(part, self.write)
                return made if made is not None else shown_source(source, display=display)
            case nodes.Styled(tag, parts, name):
                small = ' class="sc"' if name == "textsc" else ""
                return f"<{tag}{small}>{self.all(parts)}</{tag}>"
            case nodes.Reference():
                return self._reference(part)
            case nodes.Citation(keys, note):
                return f'[<span class="cite">{escape(keys)}</span>{", " + self.all(note) if note else ""}]'
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

    def _piece(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Diagram):
            return self._diagram(node)
        return mathml(node, self.write, display=False)

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

    def _diagram(self, diagram: nodes.Diagram) -> str:
        try:
            return f'<div class="figure">{draw(read_diagram(diagram.kind, diagram.body), self._cell)}</div>'
        except CannotRender:
            return _folded("Diagram", diagram.source)

    def _cell(self, source: str) -> Rendered:
        """The markup of a formula of a diagram, and its width."""
        formula = parse_formula(source, self.formulas.macros)
        if formula.tree is None:
            raise CannotRender("an object that is not a formula")
        return Rendered(self.formulas.write(formula) or "", len(unicode_text(formula.tree, lambda _: "text")))

    def _item(self, mark: tuple[nodes.Inline, ...] | None, parts: tuple[nodes.Inline, ...]) -> str:
        if mark is None:
            return f"<li>{self.all(parts).strip()}</li>"
        return f'<li class="own"><span class="mark">{self.all(mark)}</span> {self.all(parts).strip()}</li>'

    def _reference(self, part: nodes.Reference) -> str:
        if part.shown is not None:
            shown = self.all(part.shown)
            return self.link(part.keys[0], part.command, shown) or shown if part.keys else shown
        links = [self.link(key, part.command, None) or f'<code class="tex">{escape(key)}</code>' for key in part.keys]
        joined = " to ".join(links) if REFERENCES.get(part.command) == "range" else ", ".join(links)
        return f"({joined})" if part.command == "eqref" else joined


class _LineWriter(_Writer):
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


def _with_diagrams(tree: nodes.Node | None) -> tuple[nodes.Node, ...]:
    """The parts of a display that holds diagrams, or nothing."""
    parts = tree.children if isinstance(tree, nodes.Row) else (tree,) if tree is not None else ()
    return parts if any(isinstance(part, nodes.Diagram) for part in parts) else ()


def shown_source(source: str, *, display: bool = False) -> str:
    """The source itself, where it cannot be rendered."""
    tag = "pre" if display else "code"
    return f'<{tag} class="tex">{escape(source)}</{tag}>'


def _folded(summary: str, source: str) -> str:
    return f'<details class="source"><summary>{summary}</summary>{shown_source(source, display=True)}</details>'
