"""Parses prose: emphasis, lists, references, formulas, figures. Nothing that is not understood is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from naturalproofs.latex.display.constructs import MEANINGS
from naturalproofs.latex.display.cursor import Budget, CannotRender, Cursor
from naturalproofs.latex.display.display_macros import DisplayMacros
from naturalproofs.latex.display.formula import Context, FormulaReader
from naturalproofs.latex.display.grid import GRIDS, PLAIN_DISPLAYS, REWRITTEN_GRIDS
from naturalproofs.latex.display.item_marks import UnknownNumbers, numbered
from naturalproofs.latex.display.nodes import (
    Block,
    Break,
    Citation,
    Diagram,
    Footnote,
    Formula,
    Inline,
    Items,
    Picture,
    Prose,
    Raw,
    Reference,
    Styled,
    Text,
)
from naturalproofs.latex.display.parsed import formula
from naturalproofs.latex.display.text_commands import (
    ARGUMENTS,
    DROPPED,
    ENVIRONMENT_ARGUMENTS,
    LETTERS,
    LISTS,
    LOCAL_DEFINITIONS,
    METADATA,
    PASSED,
    PICTURES,
    QUIET,
    STYLES,
    SWITCHES,
    TYPOGRAPHY,
    VERBATIM,
    accented,
    shorthand,
    with_escaped_addresses,
)
from naturalproofs.latex.macros.list_labels import given_label, label_macro, with_own_label
from naturalproofs.latex.macros.macro import PRIMITIVE, UNDECIDED
from naturalproofs.latex.scan.arguments import REACH, read_groups, read_option
from naturalproofs.latex.scan.symbols import words
from naturalproofs.latex.scan.vocabulary import CITING, REFERENCES

_STOP = re.compile(
    r"\\(?P<command>[a-zA-Z@]++|.)?|\$\$?|[{}~%&]|``|''|---?|[`']|\n\s*\n"
    r"|\"(?:---?|[aouAOUsSz<>|=~\"`'-])|<<|>>|,,",
    re.DOTALL,
)
_DISPLAYS = frozenset(GRIDS) - {"array"} | {*PLAIN_DISPLAYS, *REWRITTEN_GRIDS}
_CITE = re.compile(r"[a-zA-Z]*[cC]ite(?:s|p|t|alp|alt|author|year|num|title|yearpar|al|text)?")
_ITEM = re.compile(r"\\(?:(begin|end)(?=\s*\{)|[a-zA-Z@]+|.)", re.DOTALL)
_CAPTION = re.compile(r"\\caption\s*(?=[{\[])")
_GRAPHICS = re.compile(r"\\includegraphics\*?+\s*+(?:\[[^\[\]]*+\]\s*+)?+\{([^{}]*+)\}")
_MATH_END = re.compile(r"\\(?:begin|end)(?=\s*+\{)|\\.|[{}]|\$\$?", re.DOTALL)
_ENVIRONMENT_END = re.compile(r"\\(?:begin|end)\s*+\{")
_NO_MACROS = DisplayMacros({})
_MOST_SWITCHES = 20
"""The deepest nesting of styles in one group; at the next switch all of them are closed."""
_ACCENTS = "'`^\"~=.cvuHkrdb"


def parse_formula(source: str, macros: DisplayMacros, *, display: bool = False) -> Formula:
    """The tree of a formula."""
    return formula(source, Context(macros, Budget(), _read_text), display=display)


def parse_prose(source: str, macros: DisplayMacros) -> Prose:
    """The tree of a text; what cannot be read at all is one raw part."""
    source = with_escaped_addresses(source)
    try:
        return _read_text(macros.with_structure(source, _ENVIRONMENT_END), Context(macros, Budget(), _read_text))
    except (CannotRender, RecursionError):
        return (Raw(source, display=True),)


def is_text_environment(name: str) -> bool:
    """Whether the body of an environment is text, not a formula, a picture or code."""
    return not any(name in names for names in (GRIDS, _DISPLAYS, PICTURES, VERBATIM, DROPPED))


def _read_text(source: str, context: Context) -> Prose:
    return _Reader(source, context).read()


class _Reader:
    """Reads one stretch of text; a group inside it gets a reader of its own."""

    def __init__(self, source: str, context: Context) -> None:
        self.context = context
        self.cursor = Cursor(source, context.macros, context.budget, in_formula=False, in_display=False)
        self.parts: list[Inline] = []
        self.opened: list[tuple[str, list[Inline]]] = []
        self.unbalanced = False

    def read(self) -> Prose:
        cursor = self.cursor
        cursor.budget.depth -= 1
        if cursor.budget.depth < 0:
            raise CannotRender("nested too deeply")
        while match := _STOP.search(cursor.text, cursor.at):
            self._say(cursor.text[cursor.at : match.start()])
            cursor.at = match.end()
            command = match["command"]
            if command in SWITCHES and cursor.macros.get(command) is None:
                if len(self.opened) == _MOST_SWITCHES:
                    self._close()
                self.opened.append((SWITCHES[command], self.parts))
                self.parts = []
                cursor.at += cursor.text.startswith(" ", cursor.at)
            elif command:
                self._command(command)
            else:
                self._sign(match.group(), match.start())
        self._say(cursor.text[cursor.at :])
        cursor.budget.depth += 1
        self._close()
        return tuple(self.parts)

    def _close(self) -> None:
        """End the styles that hold to the end of the group."""
        while self.opened:
            tag, outer = self.opened.pop()
            outer.append(Styled(tag, tuple(self.parts)))
            self.parts = outer

    def _say(self, text: str) -> None:
        if text:
            self.parts.append(Text(text))

    def _inside(self, source: str) -> Prose:
        return _read_text(source, self.context)

    def _math(self, source: str, *, display: bool) -> None:
        self.parts.append(formula(source, self.context, display=display))

    def _sign(self, sign: str, start: int) -> None:
        cursor = self.cursor
        if sign in ("$", "$$"):
            end = self._math_end(sign)
            if end < 0:
                self._say("$")
                return
            self._math(cursor.text[cursor.at : end], display=sign == "$$")
            cursor.at = end + len(sign)
        elif sign == "{":
            cursor.at = start
            self.parts.extend(self._inside(cursor.group()))
        elif sign == "%":
            end = cursor.text.find("\n", cursor.at)
            cursor.at = len(cursor.text) if end < 0 else end + 1
        elif sign.isspace():
            self.parts.append(Break(paragraph=True))
        elif sign == "\\":
            self._say(sign)
        elif sign[0] in '"<>,':
            shown = shorthand(sign, cursor.macros.get)
            self._say(sign[0] if shown is None else shown)
            cursor.at = start + 1 if shown is None else cursor.at
        else:
            self._say(TYPOGRAPHY.get(sign, sign if sign == "-" else ""))

    def _math_end(self, sign: str) -> int:
        """Where a formula in dollars ends: the same sign outside of groups and environments."""
        text, at, depth = self.cursor.text, self.cursor.at, 0
        for match in () if self.unbalanced else _MATH_END.finditer(text, at):
            found = match.group()
            if found in ("{", "}", "\\begin", "\\end"):
                depth += 1 if found in ("{", "\\begin") else -1
            elif found[0] == "$" and depth <= 0:
                return match.start()
        # Groups are not closed here: to count them again for every formula would take quadratic time.
        self.unbalanced = True
        return text.find(sign, at)

    def _command(self, name: str) -> None:
        if name in METADATA or not self.cursor.expand_call(name, self.cursor.at):
            self._meaning(name)

    def _meaning(self, name: str) -> None:
        """What a command prints without the author's macros."""
        cursor = self.cursor
        if handler := _HANDLERS.get(name):
            handler(self, name)
        elif _CITE.fullmatch(name):
            self._citation()
        elif len(name) == 1 and name in _ACCENTS and (made := accented(name, cursor.argument())) is not None:
            self._say(made)
        elif not name.isalpha():
            self._say(name if name in "%&#_${}" else " " if name in " \n,;:/" else "")
        else:
            self._unknown(name)

    def _delimited_formula(self, name: str) -> None:
        end = self.cursor.find({"(": "\\)", "[": "\\]"}[name], self.cursor.at)
        if end >= 0:
            self._math(self.cursor.text[self.cursor.at : end], display=name == "[")
            self.cursor.at = end + 2

    def _styled(self, name: str) -> None:
        self.cursor.at += self.cursor.text.startswith("*", self.cursor.at)
        self.parts.append(Styled(STYLES[name], self._inside(self.cursor.argument()), name))

    def _quiet(self, name: str) -> None:
        cursor = self.cursor
        cursor.at += cursor.text.startswith("*", cursor.at)
        if name in ("kern", "hskip", "vskip"):
            cursor.length()
        elif count := ARGUMENTS.get(name):
            if name == "glossary" and cursor.text.startswith("(", cursor.at):
                cursor.at = max(cursor.at, cursor.find(")", cursor.at) + 1)
            cursor.option()
            for _ in range(count):
                cursor.argument()
        elif name in ("pagebreak", "linebreak", "nopagebreak", "nolinebreak"):
            cursor.option()
        elif name in ("medskip", "bigskip", "par", "smallskip"):
            self.parts.append(Break(paragraph=True))
        elif cursor.text.startswith(" ", cursor.at) and self._after_space():
            cursor.at += 1

    def _after_space(self) -> bool:
        """Whether a space stands before here, so that one after a command that prints nothing is one too many."""
        last = self.parts[-1] if self.parts else None
        return last is None or (isinstance(last, Text) and last.text[-1:].isspace())

    def _citation(self) -> None:
        cursor = self.cursor
        cursor.at += cursor.text.startswith("*", cursor.at)
        first, second = cursor.option(), cursor.option()
        note = first if second is None else second
        self.parts.append(Citation(cursor.argument().strip(), self._inside(note) if note else ()))

    def _footnote(self, _name: str) -> None:
        self.cursor.option()
        self.parts.append(Footnote(self._inside(self.cursor.argument())))

    def _address(self, _name: str) -> None:
        # Text like any other: nothing of a corpus leads outside.
        self._say(self.cursor.argument().strip().replace("\\%", "%").replace("\\#", "#"))

    def _passed(self, name: str) -> None:
        cursor = self.cursor
        cursor.option()
        for _ in range(PASSED[name]):
            cursor.argument()
        cursor.option()
        self.parts.extend(self._inside(cursor.argument()))
        if name in ("texorpdfstring", "ruby"):
            cursor.argument()

    def _graphics(self, _name: str) -> None:
        options = self.cursor.option()
        file = self.cursor.argument().strip()
        written = f"\\includegraphics{f'[{options}]' if options else ''}{{{file}}}"
        self.parts.append(Picture("figure", written, (file,)))

    def _quoted(self, _name: str) -> None:
        self.parts += [Text("„"), *self._inside(self.cursor.argument()), Text("“")]

    def _stray_end(self, _name: str) -> None:
        """The end of an environment that does not begin here."""
        if self.cursor.at_argument():
            self.cursor.group()

    def _line_break(self, _name: str) -> None:
        self.cursor.at += self.cursor.text.startswith("*", self.cursor.at)
        self.cursor.option()
        self.parts.append(Break(paragraph=False))

    def _letter(self, name: str) -> None:
        cursor = self.cursor
        self._say(LETTERS[name])
        cursor.at += cursor.text.startswith(" ", cursor.at) and name not in ("ldots", "dots", "TeX", "LaTeX", "fg")
        cursor.at += 2 * cursor.text.startswith("{}", cursor.at)

    def _verb(self, _name: str) -> None:
        cursor = self.cursor
        sign = cursor.text[cursor.at : cursor.at + 1] or "\n"
        end = cursor.text.find(sign, cursor.at + 1, cursor.at + REACH)
        if end >= 0:
            self.parts.append(Styled("code", (Text(cursor.text[cursor.at + 1 : end]),)))
            cursor.at = end + 1

    def _unknown(self, name: str, taken: str = "") -> None:
        """A formula without dollars, perhaps; otherwise the command as it was written."""
        cursor = self.cursor
        if name in MEANINGS:
            start = cursor.at = cursor.at - len(taken) - len(name) - 1
            reader = FormulaReader("", Context(cursor.macros, Budget(), _read_text), cursor=cursor)
            try:
                tree = reader.scripted()
                while cursor.text[cursor.at - 1].isspace():
                    cursor.at -= 1
                self.parts.append(Formula(cursor.text[start : cursor.at], False, tree))
                return
            except (CannotRender, RecursionError):
                cursor.at = start + len(name) + 1 + len(taken)
        self._written(name)

    def _written(self, name: str) -> None:
        """A command as it was written, with its arguments."""
        cursor, written = self.cursor, f"\\{name}"
        while cursor.text.startswith("{", cursor.at):
            self.parts += [Raw(f"{written}{{"), *self._inside(cursor.group())]
            written = "}"
        self.parts.append(Raw(written))

    def _primitive(self, _name: str) -> None:
        """A command with the meaning that it has without the author's redefinition."""
        name = self.cursor.argument().strip()
        if name in _HANDLERS:
            self._meaning(name)
        else:
            self._unknown(PRIMITIVE, f"{{{name}}}")

    def _definition(self, name: str) -> None:
        """A definition inside the text, which prints nothing."""
        if self.cursor.define(name):
            self.context = replace(self.context, macros=self.cursor.macros)
        else:
            self._written(name)

    def _undecided(self, _name: str) -> None:
        """A command of the author that may stand for several things."""
        self._written(self.cursor.argument().strip())

    def _reference(self, name: str) -> None:
        cursor = self.cursor
        cursor.at += cursor.text.startswith("*", cursor.at)
        if REFERENCES.get(name) == "bracket":
            key = cursor.option()
            shown = self._inside(cursor.argument())
            self.parts.append(Reference(name, (key.strip(),) if key else (), shown))
            return
        keys = cursor.argument().split(",")
        if REFERENCES.get(name) == "range":
            keys.append(cursor.argument())
        self.parts.append(Reference(name, tuple(key.strip() for key in keys)))

    def _environment(self, _name: str) -> None:
        name = self.cursor.argument().strip()
        body = self.cursor.environment(name)
        source = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        if name.rstrip("*") in ("tikzcd", "CD"):
            self.parts.append(Formula(source, True, Diagram(name, body, source)))
        elif name in _DISPLAYS:
            self._math(body if name in PLAIN_DISPLAYS else source, display=True)
        elif name == "list":
            self.parts.append(self._list(*with_own_label(body)))
        elif name in LISTS or self._preset_label(name, 1) is not None:
            self.parts.append(self._list(name, body))
        elif name in VERBATIM:
            self.parts.append(Raw(body.strip("\n"), display=True))
        elif name in PICTURES:
            self.parts.append(self._picture(PICTURES[name], body, source))
        elif name == "array":
            self._math(source, display=True)
        elif name not in DROPPED:
            inner = Cursor(body, _NO_MACROS, self.cursor.budget)
            count = ENVIRONMENT_ARGUMENTS.get(name, 0)
            while inner.option() is not None and count:
                pass
            groups = read_groups(body, inner.at, count)
            self.parts.append(self._list(name, body[groups[-1].end if groups else inner.at :]))

    def _picture(self, kind: str, body: str, source: str) -> Picture:
        caption: Prose = ()
        if match := _CAPTION.search(body):
            cursor = Cursor(body, _NO_MACROS, self.cursor.budget, match.end())
            with suppress(CannotRender):
                cursor.option()
                caption = self._inside(cursor.argument())
        return Picture(kind, source, tuple(_GRAPHICS.findall(body)), caption)

    def _opens_item(self, command: str) -> bool:
        """Whether a command is the one that opens an item, or one of the author's for it."""
        macro = self.cursor.macros.get(command[1:]) if command not in ("\\item", "\\begin", "\\end") else None
        return command == "\\item" or (macro is not None and macro.body.strip() == "\\item")

    def _preset_label(self, name: str, level: int) -> str | None:
        """The label of a list that the preamble sets."""
        macro = self.cursor.macros.get(label_macro(name, level))
        return None if macro is None else macro.body

    def _list(self, name: str, body: str) -> Inline:
        """A list; an environment without items is a block, and what is not known as a list has no numbers."""
        places, depth = [], 0
        for match in _ITEM.finditer(body):
            depth += (match[1] == "begin") - (match[1] == "end")
            if depth == 0 and self._opens_item(match.group()):
                places.append(match)
        if not places:
            return Block(self._inside(body))
        before, ends = body[: places[0].start()], [*(match.start() for match in places[1:]), len(body)]
        items = [self._item(body[match.end() : end]) for match, end in zip(places, ends, strict=True)]
        known = LISTS.get(name, self._preset_label(name, 1) is not None)
        if known:
            with suppress(UnknownNumbers):
                return self._numbered_list(name, before, items)
        option = read_option(before, 0)
        label = given_label(option.text) if option else None
        marks = ((label if mark is None else mark, source) for mark, source in items)
        made = ((None if mark is None else self._inside(mark), self._inside(source)) for mark, source in marks)
        found = Items(False, tuple(made))
        return found if known or name in LISTS else Block((*self._inside(before), found))

    def _numbered_list(self, name: str, before: str, items: list[tuple[str | None, str]]) -> Inline:
        lists, made = self.context.lists, list[tuple[Prose | None, Prose]]()
        preset = partial(self._preset_label, name)
        for item, (own, source) in zip(numbered(lists, name, before, preset, items), items, strict=True):
            lists.outer.append(item)
            mark = self._inside(item.mark) if item.mark or own is not None else None
            made.append((mark, self._inside(source)))
            lists.outer.pop()
        return Items(True, tuple(made))

    def _item(self, source: str) -> tuple[str | None, str]:
        """The mark that an item brings, and its text."""
        cursor = Cursor(source, _NO_MACROS, self.cursor.budget)
        own = cursor.option()
        return own, cursor.text[cursor.at :].strip()


_TABLE: tuple[tuple[Iterable[str], Callable[[_Reader, str], None]], ...] = (
    (("(", "["), _Reader._delimited_formula),
    (("begin",), _Reader._environment),
    ((*CITING, "pageref"), _Reader._reference),
    (STYLES, _Reader._styled),
    (QUIET, _Reader._quiet),
    (words("footnote footnotetext thanks sidenote marginnote endnote"), _Reader._footnote),
    (("url", "nolinkurl", "path"), _Reader._address),
    (PASSED, _Reader._passed),
    (("includegraphics",), _Reader._graphics),
    (("\\",), _Reader._line_break),
    (LETTERS, _Reader._letter),
    (("verb",), _Reader._verb),
    (("uv",), _Reader._quoted),
    ((UNDECIDED,), _Reader._undecided),
    ((PRIMITIVE,), _Reader._primitive),
    (LOCAL_DEFINITIONS, _Reader._definition),
    (("end",), _Reader._stray_end),
    (("item",), lambda *_: None),
)
_HANDLERS: dict[str, Callable[[_Reader, str], None]] = {name: handler for names, handler in _TABLE for name in names}
