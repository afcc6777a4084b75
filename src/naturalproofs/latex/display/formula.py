"""Parses formulas. What each command means is a table from its name to the node that it makes: `constructs`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from naturalproofs.latex.display.cursor import Budget, CannotRender, Cursor
from naturalproofs.latex.display.display_macros import DisplayMacros
from naturalproofs.latex.display.item_marks import Lists
from naturalproofs.latex.display.nodes import (
    EMPTY,
    Bracket,
    Fence,
    Fraction,
    Function,
    Inline,
    Letter,
    Node,
    Number,
    Operator,
    Scripts,
    Source,
    Space,
    Words,
    joined,
    row,
    tags_last,
)
from naturalproofs.latex.scan.symbols import (
    ALPHABETS,
    BRACKETS,
    SIGNS_WITHOUT_CHARACTER,
    SWITCHES,
    UPRIGHT_COMMANDS,
    named_letter,
)

_INFIX: Mapping[str, str] = {"\\over": "", "\\atop": "atop", "\\choose": "choose"}
_INFIX_BRACKETS = {"\\brace": ("{", "}"), "\\brack": ("[", "]")}
_PLACES = {"\\limits": True, "\\displaylimits": None, "\\nolimits": False}
_NO_ATOMS = frozenset({"}", "&", "", "$", "#", "^", "_"})
_NO_FORMULA = re.compile(
    r"[^\\$^_{}+=<>|/&#~]*[a-zA-Z]{3}[^\\$^_{}+=<>|/&#~]*|[\s\d,.]*|\s*[\^_].*|[a-zA-Z ]{2,}=.*", re.DOTALL
)
"""An argument that may be a text, a key, a length, a list of numbers, a script alone or an option with a value."""


@dataclass(slots=True)
class Context:
    """What all parts of one text share: the author's macros, the limits, and how text inside formulas is parsed."""

    macros: DisplayMacros
    budget: Budget
    read_text: Callable[[str, Context], tuple[Inline, ...]]
    lists: Lists = field(default_factory=Lists)
    in_display: bool | None = None
    """Whether the formula that is read stands by itself."""


Construct: TypeAlias = Callable[["FormulaReader", str], Node]
"""Takes the arguments of a command from the reader and gives its node."""
CONSTRUCTS: dict[str, Construct] = {}
"""What each command means; `constructs` fills the table."""


class FormulaReader:
    """Reads one stretch of a formula; a group inside it gets a reader of its own, so fonts end with their group."""

    def __init__(self, source: str, context: Context, font: str = "", cursor: Cursor | None = None) -> None:
        """Start at the beginning of the source, or where a cursor stands."""
        self.cursor = cursor or Cursor(source, context.macros, context.budget, in_display=context.in_display)
        self.context = context
        self.font = font

    def nodes(self, stops: frozenset[str] = frozenset()) -> Node:
        """Everything up to the end, or up to one of the stops, which is not taken."""
        budget = self.cursor.budget
        budget.depth -= 1
        if budget.depth < 0:
            raise CannotRender("nested too deeply")
        found: list[Node] = []
        while (token := self.cursor.peek()) and token not in stops:
            if token in _INFIX:
                self.cursor.next()
                found = [Fraction(row(found), self.nodes(stops), _INFIX[token])]  # type: ignore[arg-type]
            elif token in _INFIX_BRACKETS:
                self.cursor.next()
                found = [Fence(_INFIX_BRACKETS[token], (Fraction(row(found), self.nodes(stops), "atop"),))]
            elif token[0] == "\\" and token[1:] in SWITCHES:
                self.cursor.next()
                self.font = SWITCHES[token[1:]]
            else:
                found.append(self.scripted())
        budget.depth += 1
        return row(tags_last(found))

    def inside(self, source: str, font: str | None = None) -> Node:
        """The node of a part."""
        return FormulaReader(source, self.context, self.font if font is None else font).nodes()

    def argument(self, font: str | None = None) -> Node:
        """The node of the next argument."""
        return self.inside(self.cursor.argument(), font)

    def text(self, source: str, style: str = "") -> Words:
        """Text inside the formula."""
        return Words(self.context.read_text(source, self.context), style)

    def scripted(self) -> Node:
        """The next atom with its scripts."""
        cursor = self.cursor
        base = None if cursor.peek()[0] in "^_'" else self._atom()
        below: Node | None = None
        above: Node | None = None
        primes, limits = 0, None
        while token := cursor.peek():
            if token in _PLACES:
                limits = _PLACES[token]
                cursor.next()
            elif token[0] == "'":
                primes += len(cursor.next())
            elif token == "_":
                cursor.next()
                below = joined(below, self._script())
            elif token == "^":
                cursor.next()
                above = joined(above, self._script())
            else:
                break
        if below is None and above is None and not primes:
            return base if base is not None else EMPTY
        return Scripts(base, below, above, primes, limits)

    def _script(self) -> Node:
        """What stands behind ``^`` or ``_``: of a number it is the first digit."""
        token = self.cursor.peek()
        if not token[:1].isdigit():
            return self._atom()
        self.cursor.at += 1
        return self._sign(token[0])

    def _atom(self) -> Node:
        """The next thing that can carry scripts."""
        token = self.cursor.next()
        if token == "{":
            self.cursor.at -= 1
            return self.inside(self.cursor.group())
        if token in _NO_ATOMS:
            raise CannotRender(f"{token or 'the end'} where a sign was expected")
        if token[0] != "\\":
            return self._sign(token)
        name = token[1:]
        if construct := CONSTRUCTS.get(name):
            return construct(self, name)
        if token in BRACKETS:
            return Bracket(BRACKETS[token])
        if (letter := named_letter(name)) is not None:
            return Letter(letter)
        # \Spec and the like without a definition: by custom, the name of an operator.
        is_name = len(name) > 1 and name[0].isupper() and name.isalpha() and not self.cursor.macros.defines(name)
        if is_name and "{" not in self.cursor.groups_ahead():
            return Source(token) if name in SIGNS_WITHOUT_CHARACTER else Function(name)
        return self.unknown(token)

    def define(self, command: str) -> bool:
        """Read a definition, which holds to the end of the group."""
        if not self.cursor.define(command):
            return False
        self.context = replace(self.context, macros=self.cursor.macros)
        return True

    def unknown(self, command: str) -> Node:
        """A command that is not understood, as written; those of its arguments that are formulas are set."""
        cursor, parts, written = self.cursor, list[Node](), command
        written += "*" if (starred := cursor.text.startswith(("*{", "*["), cursor.at)) else ""
        cursor.at += starred
        while cursor.at_argument():
            opening, closing = ("{", "}") if cursor.text[cursor.at] == "{" else ("[", "]")
            given = cursor.group() if opening == "{" else cursor.option()
            if given is None:
                break
            written += opening
            if (shown := self._set_argument(given)) is None:
                written += given
            else:
                parts += [Source(written), shown]
                written = ""
            written += closing
        return row([*parts, Source(written)])

    def _set_argument(self, source: str) -> Node | None:
        """An argument of an unknown command as a formula; None if it may be something else, or cannot be parsed."""
        if _NO_FORMULA.fullmatch(source):
            return None
        depth = self.cursor.budget.depth
        try:
            return self.inside(source)
        except CannotRender:
            self.cursor.budget.depth = depth
            return None

    def _sign(self, sign: str) -> Node:
        alphabet = ALPHABETS.get(self.font)
        if sign[0].isdigit():
            return Number("".join(map(alphabet.letter, sign)) if alphabet else sign)
        if sign.isalpha():
            if alphabet:
                return Letter(alphabet.letter(sign))
            return Letter(sign, "normal" if self.font in UPRIGHT_COMMANDS else "")
        if sign in "()[]|/":
            return Bracket(sign)
        return Space("0.25em") if sign == "~" else Operator(sign)
