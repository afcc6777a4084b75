"""Prose as LaTeX that stands alone: the author's macros expanded, labels and other metadata left out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from naturalproofs.latex.display.cursor import Budget, CannotRender, Cursor
from naturalproofs.latex.display.display_macros import DisplayMacros
from naturalproofs.latex.display.nodes import (
    Block,
    Break,
    Citation,
    Footnote,
    Formula,
    Inline,
    Items,
    Picture,
    Raw,
    Reference,
    Styled,
    Text,
)
from naturalproofs.latex.display.package_commands import INTERNAL
from naturalproofs.latex.display.prose import parse_prose
from naturalproofs.latex.display.text_commands import LOCAL_DEFINITIONS, METADATA
from naturalproofs.latex.macros.macro import PRIMITIVE, UNDECIDED, Macros

_SPECIAL = re.compile(r"[%&#_$]")
_STYLES = {"em": "emph", "strong": "textbf", "code": "texttt", "u": "underline"}
_METADATA = re.compile(rf"\\(?:{'|'.join(sorted(METADATA))})(?![a-zA-Z@])\s*(?:\{{[^{{}}]*\}})?")
_NEXT = re.compile(r"\\(?:[a-zA-Z@]+|.)", re.DOTALL)
_OLD_MEANING = re.compile(rf"\\{PRIMITIVE}\{{([a-zA-Z]+)\}}\s*")
_NO_LATEX = re.compile(rf"\\(?:{'|'.join((UNDECIDED, *INTERNAL))})(?![a-zA-Z@])")
"""Commands that are understood here only; a macro made of them stays as it is written."""
_BLANK = re.compile(r"\n\s*\n\s*")


def clean_latex(source: str, macros: Macros) -> str:
    """A text without macros of its author and without metadata; a formula that expands without end stays as it is."""
    writer = _Writer(DisplayMacros(macros))
    return _BLANK.sub("\n\n", writer.all(parse_prose(source, writer.macros))).strip()


class _Writer:
    def __init__(self, macros: DisplayMacros) -> None:
        self.macros = macros

    def all(self, parts: Iterable[Inline]) -> str:
        return "".join(map(self.write, parts))

    def write(self, part: Inline) -> str:
        match part:
            case Text(text):
                return _SPECIAL.sub(r"\\\g<0>", text).replace("\u00a0", "~")
            case Raw(text):
                return text
            case Formula(source, display):
                body = expand_macros(_METADATA.sub("", source), self.macros)
                return f"\\[{body}\\]" if display else f"${body}$"
            case Styled(tag, parts):
                inner = self.all(parts)
                return f"\\{_STYLES[tag]}{{{inner}}}" if tag in _STYLES else inner
            case Reference(command, keys, None):
                return f"\\{command}{{{','.join(keys)}}}"
            case Reference(_, _, shown):
                return self.all(shown or ())
            case Citation(keys, note):
                return f"\\cite{f'[{self.all(note)}]' if note else ''}{{{keys}}}"
            case Footnote(parts):
                return f"\\footnote{{{self.all(parts)}}}"
            case Break(paragraph):
                return "\n\n" if paragraph else "\\\\\n"
            case Items(ordered, items):
                return self._list("enumerate" if ordered else "itemize", items)
            case Block(parts):
                return self.all(parts)
            case Picture(kind, _, _, caption):
                return f"[{kind}{': ' + self.all(caption) if caption else ''}]"
        raise TypeError(f"{type(part).__name__} is not a part of a text")

    def _list(self, name: str, items: tuple[tuple[tuple[Inline, ...] | None, tuple[Inline, ...]], ...]) -> str:
        lines = [f"\\item{'' if mark is None else f'[{self.all(mark)}]'} {self.all(parts)}" for mark, parts in items]
        return "\n".join([f"\\begin{{{name}}}", *lines, f"\\end{{{name}}}"])


def expand_macros(source: str, macros: DisplayMacros) -> str:
    """The source of a formula with every macro replaced by what it stands for."""
    cursor = Cursor(source, macros, Budget())
    done: list[str] = []
    try:
        while match := _NEXT.search(cursor.text, cursor.at):
            name, macro = match.group()[1:], cursor.macros.get(match.group()[1:])
            done.append(cursor.text[cursor.at : match.start()])
            cursor.at = match.end()
            if name in LOCAL_DEFINITIONS and cursor.define(name):
                continue
            kept = macro is not None and _NO_LATEX.search(macro.body)
            if kept or not cursor.expand_call(name, match.end()):
                done.append(match.group())
                cursor.at = match.end()
        done.append(cursor.text[cursor.at :])
    except (CannotRender, RecursionError):
        return source
    return _OLD_MEANING.sub(r"\\\1 ", "".join(done))
