"""Reads a formula from left to right: atoms, their scripts, and groups that are formulas again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import TypeAlias

from naturalproofs.latex.display.cursor import Budget, CannotRender, Cursor
from naturalproofs.latex.display.elements import Piece, bracket, fraction, operator, row, scripts, space
from naturalproofs.latex.display.symbols import ALPHABETS, BRACKETS, SWITCHES, UPRIGHT_COMMANDS
from naturalproofs.latex.macros import Macros

_INFIX = {"\\over": "", "\\atop": "atop", "\\choose": "choose"}
_PLACES = {"\\limits": True, "\\displaylimits": True, "\\nolimits": False}
_NO_ATOMS = frozenset({"}", "&", "", "$", "#", "^", "_"})


Construct: TypeAlias = Callable[["Reader", str], Piece]
"""What a command of a formula does: it takes its arguments from the reader and gives an element."""


class Reader:
    """Reads one stretch of a formula; a group inside it gets a reader of its own, so fonts end with their group."""

    def __init__(
        self, source: str, macros: Macros, budget: Budget, constructs: Mapping[str, Construct], font: str = ""
    ) -> None:
        """Start at the beginning of the source; `constructs` says what each command does."""
        self.cursor = Cursor(source, macros, budget)
        self.constructs = constructs
        self.font = font

    def pieces(self, stops: frozenset[str] = frozenset()) -> list[Piece]:
        """Everything up to the end, or up to one of the stops, which is not taken."""
        budget = self.cursor.budget
        budget.depth -= 1
        if budget.depth < 0:
            raise CannotRender("nested too deeply")
        found: list[Piece] = []
        while (token := self.cursor.peek()) and token not in stops:
            if token in _INFIX:
                self.cursor.next()
                found = [fraction(row(found), row(self.pieces(stops)), _INFIX[token])]
            elif token[0] == "\\" and token[1:] in SWITCHES:
                self.cursor.next()
                self.font = SWITCHES[token[1:]]
            else:
                found.append(self._scripted())
        budget.depth += 1
        return found

    def inside(self, source: str, font: str | None = None) -> str:
        """The MathML of a part, as one element."""
        inner = self.font if font is None else font
        return row(Reader(source, self.cursor.macros, self.cursor.budget, self.constructs, inner).pieces())

    def argument(self, font: str | None = None) -> str:
        """The MathML of the next argument, as one element."""
        return self.inside(self.cursor.argument(), font)

    def _scripted(self) -> Piece:
        cursor = self.cursor
        base = Piece("") if cursor.peek()[0] in "^_'" else self._atom()
        below = above = primes = ""
        while token := cursor.peek():
            if token in _PLACES:
                base = base._replace(limits=_PLACES[token], fixed=token == "\\limits")
                cursor.next()
            elif token[0] == "'":
                primes += "′" * len(cursor.next())
            elif token == "_":
                cursor.next()
                below = _joined(below, self._atom().markup)
            elif token == "^":
                cursor.next()
                above = _joined(above, self._atom().markup)
            else:
                break
        return scripts(base, below, above, primes)

    def _atom(self) -> Piece:
        """The next thing that can carry scripts."""
        token = self.cursor.next()
        if token == "{":
            self.cursor.at -= 1
            return Piece(self.inside(self.cursor.group()), operand=True)
        if token in _NO_ATOMS:
            raise CannotRender(f"{token or 'the end'} where a sign was expected")
        if token[0] != "\\":
            return self._sign(token)
        name = token[1:]
        if construct := self.constructs.get(name):
            return construct(self, name)
        if token in BRACKETS:
            return bracket(BRACKETS[token])
        raise CannotRender(f"{token} is not known")

    def _sign(self, sign: str) -> Piece:
        alphabet = ALPHABETS.get(self.font)
        if sign[0].isdigit():
            return Piece(f"<mn>{''.join(map(alphabet.letter, sign)) if alphabet else sign}</mn>", operand=True)
        if sign.isalpha():
            if alphabet:
                return Piece(f"<mi>{escape(alphabet.letter(sign))}</mi>", operand=True)
            upright = ' mathvariant="normal"' if self.font in UPRIGHT_COMMANDS else ""
            return Piece(f"<mi{upright}>{escape(sign)}</mi>", operand=True)
        if sign in "()[]|/":
            return bracket(sign)
        return space("0.25em") if sign == "~" else operator(sign)


def _joined(first: str, second: str) -> str:
    return f"<mrow>{first}{second}</mrow>" if first else second or "<mrow></mrow>"
