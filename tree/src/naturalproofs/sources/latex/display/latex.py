"""Prose as LaTeX that stands alone: the author's macros expanded, labels and other metadata left out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from naturalproofs.sources.latex.display import nodes
from naturalproofs.sources.latex.display.constructs import INTERNAL
from naturalproofs.sources.latex.display.cursor import Budget, CannotRender, Cursor, DisplayMacros
from naturalproofs.sources.latex.display.prose import parse_prose
from naturalproofs.sources.latex.display.text_commands import LOCAL_DEFINITIONS, METADATA
from naturalproofs.sources.latex.macros.macro import PRIMITIVE, UNDECIDED, Macros

_SPECIAL = str.maketrans({**{character: f"\\{character}" for character in "%&#_$"}, "\u00a0": "~", "\u2003": "\\quad "})
_STYLES = {"em": "emph", "strong": "textbf", "code": "texttt", "u": "underline"}
_COMMAND = re.compile(r"\\([a-zA-Z@]+|.)", re.DOTALL)
_NO_LATEX = frozenset({UNDECIDED, *INTERNAL})
"""Commands that are understood here only; a macro made of them stays as it is written."""
_BLANK = re.compile(r"\n\s*\n\s*")


def clean_latex(source: str, macros: Macros) -> str:
    """A text without macros of its author and without metadata; a formula that expands without end stays as it is."""
    writer = _Writer(DisplayMacros(macros))
    return _BLANK.sub("\n\n", writer.all(parse_prose(source, writer.macros))).strip()


class _Writer:
    def __init__(self, macros: DisplayMacros) -> None:
        self.macros = macros

    def all(self, parts: Iterable[nodes.Inline]) -> str:
        return "".join(map(self.write, parts))

    def write(self, part: nodes.Inline) -> str:
        match part:
            case nodes.Text(text):
                return text.translate(_SPECIAL)
            case nodes.Raw(text):
                return text
            case nodes.Formula(source, display):
                body = expand_macros(source, self.macros)
                return f"\\[{body}\\]" if display else f"${body}$"
            case nodes.Styled(tag, parts):
                inner = self.all(parts)
                return f"\\{_STYLES[tag]}{{{inner}}}" if tag in _STYLES else inner
            case nodes.Reference(command, keys, None):
                return f"\\{command}{{{','.join(keys)}}}"
            case nodes.Reference(_, _, shown):
                return self.all(shown or ())
            case nodes.Citation(keys, note):
                return f"\\cite{f'[{self.all(note)}]' if note else ''}{{{keys}}}"
            case nodes.Footnote(parts):
                return f"\\footnote{{{self.all(parts)}}}"
            case nodes.Break(paragraph):
                return "\n\n" if paragraph else "\\\\\n"
            case nodes.Items(ordered, items):
                return self._list("enumerate" if ordered else "itemize", items)
            case nodes.Picture(kind, _, _, caption):
                return f"[{kind}{': ' + self.all(caption) if caption else ''}]"
        raise TypeError(f"{type(part).__name__} is not a part of a text")

    def _list(
        self, name: str, items: tuple[tuple[tuple[nodes.Inline, ...] | None, tuple[nodes.Inline, ...]], ...]
    ) -> str:
        lines = [f"\\item{'' if mark is None else f'[{self.all(mark)}]'} {self.all(parts)}" for mark, parts in items]
        return "\n".join([f"\\begin{{{name}}}", *lines, f"\\end{{{name}}}"])


def expand_macros(source: str, macros: DisplayMacros) -> str:
    """The source of a formula with every macro replaced by what it stands for, and without metadata."""
    cursor = Cursor(source, macros, Budget())
    done: list[str] = []
    try:
        while match := _COMMAND.search(cursor.text, cursor.at):
            name, macro = match[1], cursor.macros.get(match[1])
            done.append(cursor.text[cursor.at : match.start()])
            cursor.at = match.end()
            if name in METADATA:
                cursor.given("g")
                continue
            if name in LOCAL_DEFINITIONS and cursor.define(name):
                continue
            if name == PRIMITIVE:
                done.append(f"\\{cursor.argument()} ")
                cursor.skip_space()
                continue
            kept = name == "mathchoice" or (
                macro is not None and not _NO_LATEX.isdisjoint(_COMMAND.findall(macro.body))
            )
            if kept or not cursor.expand_call(name, match.end()):
                done.append(match.group())
                cursor.at = match.end()
        done.append(cursor.text[cursor.at :])
    except (CannotRender, RecursionError):
        return source
    return "".join(done)
