"""Parses formulas and the grids in them. What each command means is the table of `constructs`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from naturalproofs.sources.latex.display import nodes
from naturalproofs.sources.latex.display.cursor import Budget, CannotRender, Cursor, DisplayMacros
from naturalproofs.sources.latex.display.text_commands import LOOKS
from naturalproofs.sources.latex.macros.entries import key_values
from naturalproofs.sources.latex.scan.arguments import read_group, read_option
from naturalproofs.sources.latex.scan.symbols import (
    ALPHABETS,
    BRACKETS,
    SWITCHES,
    SYMBOLS_WITHOUT_CHARACTER,
    UPRIGHT_COMMANDS,
    named_letter,
)

_INFIX: Mapping[str, str] = {"\\over": "", "\\atop": "atop", "\\choose": "choose"}
_INFIX_BRACKETS = {"\\brace": ("{", "}"), "\\brack": ("[", "]")}
_MARKS = frozenset(",;")
_PLACES = {"\\limits": True, "\\displaylimits": None, "\\nolimits": False}
_NO_ATOMS = frozenset({"}", "&", "", "$", "#", "^", "_"})
_NO_FORMULA = re.compile(
    r"[^\\$^_{}+=<>|/&#~]*[a-zA-Z]{3}[^\\$^_{}+=<>|/&#~]*|[\s\d,.]*|\s*[\^_].*|[a-zA-Z ]{2,}=.*", re.DOTALL
)
"""An argument that may be a text, a key, a length, a list of numbers, a script alone or an option with a value."""
_STRUCTURE = ("\\begin{", "\\end{", "\\\\", "&")
"""What macros may bring that has to be seen before a formula is read: environments and their rows and cells."""
_MAX_FORMULA = 8_000
"""Longer formulas are not parsed."""
_REMEMBERED = 4_000
"""How many parsed formulas are remembered with a set of macros."""


@dataclass(slots=True)
class Context:
    """What all parts of one text share: the author's macros, the limits, and how text inside formulas is parsed."""

    macros: DisplayMacros
    budget: Budget
    read_text: Callable[[str, Context], tuple[nodes.Inline, ...]]
    in_display: bool | None = None
    """Whether the formula that is read stands by itself."""


Meaning: TypeAlias = Callable[..., nodes.Node | None]
"""From the reader, the name of a command and its arguments to its node; None if this form is not understood."""
CONSTRUCTS: dict[str, tuple[str, Meaning]] = {}
"""The arguments of each command, as letters, and what it means; `constructs` fills the table.

The letters are those of xparse: ``s`` a star, ``o`` an option, ``m`` an argument, ``g`` a group that may be left out,
all of them as source. An argument ``f`` is a formula, ``t`` a text, an option ``O`` a formula; ``n`` is the name of the
command in LaTeX, for those that have another one here.
"""
_LETTERS = {"f": "m", "t": "m", "n": "m", "O": "o"}
_ENCLOSED = {"s": "{}", "o": "[{}]"}


class FormulaReader:
    """Reads one stretch of a formula; a group inside it gets a reader of its own, so fonts end with their group."""

    def __init__(self, source: str, context: Context, font: str = "", cursor: Cursor | None = None) -> None:
        """Start at the beginning of the source, or where a cursor stands."""
        self.cursor = cursor or Cursor(source, context.macros, context.budget, in_display=context.in_display)
        self.context = context
        self.font = font
        self.written = ""
        """The command that is read, with its arguments."""

    def read(self, stops: frozenset[str] = frozenset()) -> nodes.Node:
        """Everything up to the end, or up to one of the stops, which is not taken."""
        budget = self.cursor.budget
        budget.depth -= 1
        if budget.depth < 0:
            raise CannotRender("nested too deeply")
        found: list[nodes.Node] = []
        while (token := self.cursor.peek()) and token not in stops:
            if token in _INFIX:
                self.cursor.next()
                found = [nodes.Fraction(nodes.row(found), self.read(stops), _INFIX[token])]  # type: ignore[arg-type]
            elif token in _INFIX_BRACKETS:
                self.cursor.next()
                found = [
                    nodes.Fence(_INFIX_BRACKETS[token], (nodes.Fraction(nodes.row(found), self.read(stops), "atop"),))
                ]
            elif token[0] == "\\" and token[1:] in SWITCHES:
                self.cursor.next()
                self.font = SWITCHES[token[1:]]
            else:
                found.append(self.scripted())
        budget.depth += 1
        return nodes.row(nodes.tags_last(found))

    def inside(self, source: str, font: str | None = None) -> nodes.Node:
        """The node of a part."""
        return FormulaReader(source, self.context, self.font if font is None else font).read()

    def argument(self, font: str | None = None) -> nodes.Node:
        """The node of the next argument."""
        return self.inside(self.cursor.argument(), font)

    def text(self, source: str, style: str = "") -> nodes.Words:
        """Text inside the formula."""
        return nodes.Words(self.context.read_text(source, self.context), style)

    def scripted(self) -> nodes.Node:
        """The next atom with its scripts."""
        cursor = self.cursor
        base = None if cursor.peek()[0] in "^_'" else self._atom()
        below: nodes.Node | None = None
        above: nodes.Node | None = None
        primes, limits = 0, None
        while token := cursor.peek():
            if token in _PLACES:
                limits = _PLACES[token]
                cursor.next()
            elif token[0] == "'":
                primes += len(cursor.next())
            elif token == "_":
                cursor.next()
                below = nodes.joined(below, self._script())
            elif token == "^":
                cursor.next()
                above = nodes.joined(above, self._script())
            else:
                break
        if below is None and above is None and not primes:
            return base if base is not None else nodes.EMPTY
        return nodes.Scripts(base, below, above, primes, limits)

    def _script(self) -> nodes.Node:
        """What stands behind ``^`` or ``_``: of a number it is the first digit."""
        token = self.cursor.peek()
        if not token[:1].isdigit():
            return self._atom()
        self.cursor.at += 1
        return self._character(token[0])

    def _atom(self) -> nodes.Node:
        """The next thing that can carry scripts."""
        token = self.cursor.next()
        if token == "{":
            self.cursor.at -= 1
            group = self.cursor.group()
            # In braces a punctuation mark has no space behind it: 1{,}000.
            return nodes.Letter(group) if group in _MARKS else self.inside(group)
        if token in _NO_ATOMS:
            raise CannotRender(f"{token or 'the end'} where something to print was expected")
        if token[0] != "\\":
            return self._character(token)
        name = token[1:]
        if name in CONSTRUCTS:
            return self.call(name)
        if token in BRACKETS:
            return nodes.Bracket(BRACKETS[token])
        if (letter := named_letter(name)) is not None:
            return nodes.Letter(letter)
        # \Spec and the like without a definition: by custom, the name of an operator.
        is_name = len(name) > 1 and name[0].isupper() and name.isalpha() and not self.cursor.macros.defines(name)
        if is_name and "{" not in self.cursor.groups_ahead():
            return nodes.Source(token) if name in SYMBOLS_WITHOUT_CHARACTER else nodes.Function(name)
        return self.unknown(token)

    def call(self, name: str) -> nodes.Node:
        """What a command of the table stands for; as it is written if that is not known."""
        letters, meaning = CONSTRUCTS[name]
        arguments, self.written = list[object](), f"\\{name}"
        for letter in letters:
            plain = _LETTERS.get(letter, letter)
            given = self.cursor.given(plain)
            if letter == "n":
                name, self.written = given or name, f"\\{given}"
                continue
            self.written += "" if given is None else _ENCLOSED.get(plain, "{{{}}}").format(given)
            if given is not None and letter in "fOt":
                written = self.written
                arguments.append(self.text(given) if letter == "t" else self.inside(given))
                self.written = written
            else:
                arguments.append(given)
        found = meaning(self, name, *arguments)
        return nodes.Source(self.written) if found is None else found

    def define(self, command: str) -> bool:
        """Read a definition, which holds to the end of the group."""
        if not self.cursor.define(command):
            return False
        self.context = replace(self.context, macros=self.cursor.macros)
        return True

    def unknown(self, command: str) -> nodes.Node:
        """A command that is not understood, as written; those of its arguments that are formulas are set."""
        cursor, parts, written = self.cursor, list[nodes.Node](), command
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
                parts += [nodes.Source(written), shown]
                written = ""
            written += closing
        return nodes.row([*parts, nodes.Source(written)])

    def _set_argument(self, source: str) -> nodes.Node | None:
        """An argument of an unknown command as a formula; None if it may be something else, or cannot be parsed."""
        if _NO_FORMULA.fullmatch(source):
            return None
        depth = self.cursor.budget.depth
        try:
            return self.inside(source)
        except CannotRender:
            self.cursor.budget.depth = depth
            return None

    def _character(self, token: str) -> nodes.Node:
        """A character or a number in the font that holds here."""
        alphabet = ALPHABETS.get(self.font)
        if token[0].isdigit():
            return nodes.Number("".join(map(alphabet.letter, token)) if alphabet else token)
        if token.isalpha():
            if alphabet:
                return nodes.Letter(alphabet.letter(token))
            return nodes.Letter(token, "normal" if self.font in UPRIGHT_COMMANDS else "")
        if token in "()[]|/":
            return nodes.Bracket(token)
        return nodes.Space("0.25em") if token == "~" else nodes.Operator(token)


def formula(source: str, context: Context, *, display: bool) -> nodes.Formula:
    """The tree of a formula; one that was read before with the same macros is known."""
    source = source.strip()
    if len(source) > _MAX_FORMULA:
        return nodes.Formula(source, display, None)
    known = context.macros.parsed
    if (source, display) not in known:
        if len(known) >= _REMEMBERED:
            known.clear()
        known[source, display] = _parsed(source, context, display=display)
    return known[source, display]


def _parsed(source: str, context: Context, *, display: bool) -> nodes.Formula:
    # Each formula has limits of its own: one that breaks them does not spoil the text around it.
    own = Context(context.macros, Budget(), context.read_text, in_display=display)
    source, written = own.macros.with_structure(source, _STRUCTURE), source
    reader = FormulaReader(source, own)
    try:
        # A display with line breaks of its own is a column of lines.
        if display and "\\\\" in source and "\\begin" not in source and "\\xymatrix" not in source:
            return nodes.Formula(
                written, display, grid("aligned" if "&" in source else "gathered", source, reader.inside)
            )
        return nodes.Formula(written, display, reader.read())
    except (CannotRender, RecursionError):
        return nodes.Formula(written, display, None)


# Grids

_SEPARATOR = re.compile(
    r"\\(begin|end)(?=\s*+\{)|\\\\\*?+(?:\[[^][\n]{0,60}+\]|\s*+\[\s*+[-+]?+\s*+[\d.,]++\s*+(?:[a-z]{2}|\\[a-zA-Z@]++)\s*+\])?+"
    r"|\\cr(?![a-zA-Z])|\\(?:short)?intertext(?=\s*+\{)|\\.|[{}&]",
    re.DOTALL,
)
"""The skip after a line break stands directly behind it; after a space it is one if it is a length."""
_RULE = re.compile(
    r"(?:\s|%[^\n]*+\n)*+\\(?:(hline|hdashline|toprule|midrule|bottomrule)(?![a-zA-Z])"
    r"|(?:cline|cmidrule(?:\([lr]*+\))?+)\s*+\{([^{}]*+)\})"
)
"""A line at the beginning of a row; the second group has the columns of one that is not as wide as the grid."""
_COLUMN = re.compile(
    r"[@!><]\s*+\{(?:[^{}]|\{[^{}]*+\})*+\}|\*\s*+\{?(?P<times>\d{1,3})\}?\s*+\{(?P<repeated>[^{}]*+)\}"
    r"|(?P<column>[lcrpmbXSLCR])(?:\s*+\{[^{}]*+\})?+|\|"
)
_MAX_CELLS = 400
_WITH_OPTION = ("aligned", "gathered", "split", "array", "alignedat", "multlined")
GRIDS = {
    name: nodes.Look(style, left, right, count) for style, left, right, count, names in LOOKS for name in names.split()
}
PLAIN_DISPLAYS = ("equation", "equation*", "displaymath", "math", "dmath", "dmath*")
"""Environments with one formula."""


def _numbered_cases(body: str) -> str:
    r"""``\begin{numcases}{f(x)=}``: cases with a number on each line."""
    left = read_group(body, 0)
    if left is None:
        raise CannotRender("\\begin{numcases} without its argument")
    return f"{left.text}\\begin{{cases*}}{body[left.end :]}\\end{{cases*}}"


def _emphasised(body: str) -> str:
    r"""``\begin{empheq}[left=f(x)=\empheqlbrace]{align*}``: another environment between what stands beside it."""
    options = read_option(body, 0)
    inner = read_group(body, options.end if options else 0)
    if inner is None:
        raise CannotRender("\\begin{empheq} without its argument")
    name, _, columns = (part.strip() for part in inner.text.partition("="))
    given = key_values(options.text) if options else {}
    left, right = given.get("left", ""), given.get("right", "")
    # A bracket of the package is one half of a pair that grows with the formula.
    left, right = left + "\\left." * ("\\empheq" not in left), "\\right." * ("\\empheq" not in right) + right
    argument = f"{{{columns.strip('{}')}}}" if columns else ""
    return f"{left}\\begin{{{name}}}{argument}{body[inner.end :]}\\end{{{name}}}{right}"


REWRITTEN_GRIDS: Mapping[str, Callable[[str], str]] = {
    "numcases": _numbered_cases,
    "subnumcases": _numbered_cases,
    "empheq": _emphasised,
}
"""Environments that are others with something beside them: from the body to a formula with these."""


def grid(kind: str, body: str, inside: Callable[[str], nodes.Node]) -> nodes.Grid:
    """The cells of an environment; `inside` parses one."""
    look = GRIDS[kind]
    columns = ""
    if body.lstrip().startswith("[") and (
        kind in _WITH_OPTION or kind.endswith("matrix*") or kind.startswith("IEEE") or "Nice" in kind
    ):
        body = body.split("]", 1)[-1]
    if look.arguments:
        argument = read_group(body, 0)
        if argument is None:
            raise CannotRender(f"\\begin{{{kind}}} without its argument")
        columns, body = argument.text, body[argument.end :]
    rows, lines, partial_lines = list[list[str]](), set[int](), set[tuple[int, int]]()
    for cells in split_cells(body):
        while rule := _RULE.match(cells[0]):
            cells[0] = cells[0][rule.end() :]
            if rule[1]:
                lines.add(len(rows))
            else:
                partial_lines.update((len(rows), column) for column in _ruled_columns(rule[2]))
        if any(cell.strip() for cell in cells):
            rows.append(cells)
    if sum(map(len, rows)) > _MAX_CELLS:
        raise CannotRender("a very large table")
    if kind.endswith("cases*"):
        # The second column is text.
        rows = [[cell if place != 1 else f"\\text{{{cell.strip()}}}" for place, cell in enumerate(row)] for row in rows]
    made = tuple(_line([inside(cell) for cell in cells]) for cells in rows)
    bars = _bars(columns) if look.style == "ar" else frozenset()
    return nodes.Grid(look, made, columns, bars, frozenset(lines), frozenset(partial_lines))


def _ruled_columns(source: str) -> range:
    r"""The columns, from 0, of ``\cline{2-3}``."""
    first, _, last = (part.strip() for part in source.partition("-"))
    if not (first.isdecimal() and last.isdecimal() and len(first) < 4 and len(last) < 4):
        raise CannotRender("\\cline without its columns")
    return range(int(first) - 1, int(last))


def _bars(columns: str) -> frozenset[int]:
    """The columns that a bar stands before, by a list of columns such as ``{cc|c}``."""
    found, place = set[int](), 0
    for column in _columns(columns):
        if column == "|":
            found.add(place)
        else:
            place += 1
    return frozenset(found)


def _columns(source: str) -> Iterator[str]:
    """The columns and the bars of a list of columns, with what is repeated written out."""
    for match in _COLUMN.finditer(source):
        if match["repeated"] is not None:
            yield from list(_columns(match["repeated"])) * min(int(match["times"]), _MAX_CELLS)
        elif match["column"] or match.group() == "|":
            yield match["column"] or "|"


def _line(cells: list[nodes.Node]) -> tuple[nodes.Node, ...]:
    """The cells of a line with its tags at the end of the last one."""
    parts = [nodes.without_tags(cell) for cell in cells[:-1]]
    tags = [tag for _, found in parts for tag in found]
    return (*(cell for cell, _ in parts), nodes.row([cells[-1], *tags])) if tags else tuple(cells)


def split_cells(body: str) -> list[list[str]]:
    r"""Rows and cells, split where \\ and & stand outside of groups and inner environments."""
    rows: list[list[str]] = [[]]
    depth = start = 0
    for match in _SEPARATOR.finditer(body):
        token = match.group()
        if token == "{" or match[1] == "begin":
            depth += 1
        elif token == "}" or match[1] == "end":
            depth -= 1
        elif depth == 0 and token.endswith("intertext"):
            # A row of its own, also without a line break before it.
            text = read_group(body, match.end())
            if text is not None:
                rows[-1].append(body[start : match.start()])
                rows += [[body[match.start() : text.end]], []]
                start = text.end
        elif depth == 0 and (token == "&" or token.startswith("\\\\") or token == "\\cr"):
            rows[-1].append(body[start : match.start()])
            start = match.end()
            if token != "&":
                rows.append([])
    rows[-1].append(body[start:])
    return rows


def lines_of_halign(body: str) -> list[str]:
    r"""The formulas of ``\halign`` with one column, below the line about alignment; none if it has more columns."""
    _, *rows = split_cells(body)
    cells = [[cell.strip().strip("$") for cell in row] for row in rows if any(cell.strip() for cell in row)]
    return [row[0] for row in cells] if all(len(row) == 1 for row in cells) else []
