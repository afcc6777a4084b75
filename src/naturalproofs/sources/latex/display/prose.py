"""Parses prose: emphasis, lists, references, formulas, figures. Nothing that is not understood is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from naturalproofs.sources.latex.display import nodes
from naturalproofs.sources.latex.display.constructs import CONSTRUCTS
from naturalproofs.sources.latex.display.cursor import (
    Budget,
    CannotRender,
    Cursor,
    DisplayMacros,
    ends_with_command,
)
from naturalproofs.sources.latex.display.formula import (
    GRIDS,
    PLAIN_DISPLAYS,
    REWRITTEN_GRIDS,
    Context,
    FormulaReader,
    formula,
)
from naturalproofs.sources.latex.display.text_commands import (
    COMMANDS,
    DROPPED,
    ENVIRONMENT_ARGUMENTS,
    LETTERS,
    LISTS,
    LOCAL_DEFINITIONS,
    METADATA,
    ORDINALS,
    PARAMETERS,
    PICTURES,
    STYLES,
    SWITCHES,
    TYPOGRAPHY,
    VERBATIM,
    accented,
    shorthand,
    with_escaped_addresses,
)
from naturalproofs.sources.latex.macros.macro import PRIMITIVE, UNDECIDED
from naturalproofs.sources.latex.macros.packages import (
    LEVELS,
    given_label,
    is_flag,
    label_macro,
    long_label,
    settings,
    split_options,
    with_own_label,
)
from naturalproofs.sources.latex.read.numbering import STYLES as NUMBER_STYLES
from naturalproofs.sources.latex.scan.arguments import ACCENT_MARKS, REACH, read_groups, read_option
from naturalproofs.sources.latex.scan.scanner import CITING
from naturalproofs.sources.latex.scan.symbols import words

_STOP = re.compile(
    r"\\(?P<command>[a-zA-Z@]++|.)?|\$\$?|[{}~%&]|``|''|---?|[`']|\n\s*\n"
    r"|\"(?:---?|[aouAOUsSz<>|=~\"`'-])|<<|>>|,,",
    re.DOTALL,
)
_DISPLAYS = frozenset(GRIDS) - {"array"} | {*PLAIN_DISPLAYS, *REWRITTEN_GRIDS}
_CITE = re.compile(r"[a-zA-Z]*[cC]ite(?:s|p|t|alp|alt|author|year|num|title|yearpar|al|text)?")
_ITEM = re.compile(r"\\(?:(begin|end)(?=\s*\{)|[a-zA-Z@]+|.)", re.DOTALL)
_GRAPHICS = re.compile(r"\\includegraphics\*?+\s*+(?:\[[^\[\]]*+\]\s*+)?+\{([^{}]*+)\}")
_MATH_END = re.compile(r"\\(?:begin|end)(?=\s*+\{)|\\.|[{}]|\$\$?", re.DOTALL)
_ENDS_OF_ENVIRONMENTS = ("\\begin{", "\\end{")
_NO_MACROS = DisplayMacros({})
_LINE_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n\s*")
_MOST_SWITCHES = 20
"""The deepest nesting of styles in one group; at the next switch all of them are closed."""


def parse_formula(source: str, macros: DisplayMacros, *, display: bool = False) -> nodes.Formula:
    """The tree of a formula."""
    return formula(source, Context(macros, Budget(), _read_text), display=display)


def parse_prose(source: str, macros: DisplayMacros) -> nodes.Prose:
    """The tree of a text; what cannot be read at all is one raw part."""
    source = with_escaped_addresses(source)
    try:
        return _read_text(macros.with_structure(source, _ENDS_OF_ENVIRONMENTS), Context(macros, Budget(), _read_text))
    except (CannotRender, RecursionError):
        return (nodes.Raw(source, display=True),)


def is_text_environment(name: str) -> bool:
    """Whether the body of an environment is text, not a formula, a picture or code."""
    return not any(name in names for names in (GRIDS, _DISPLAYS, PICTURES, VERBATIM, DROPPED))


def _read_text(source: str, context: Context) -> nodes.Prose:
    return _Reader(source, context, _Lists()).read()


class _Reader:
    """Reads one stretch of text; a group inside it gets a reader of its own."""

    def __init__(self, source: str, context: Context, lists: _Lists) -> None:
        self.context = context
        self.lists = lists
        self.cursor = Cursor(source, context.macros, context.budget, in_formula=False, in_display=False)
        self.parts: list[nodes.Inline] = []
        self.opened: list[tuple[str, list[nodes.Inline]]] = []
        self.unbalanced = False

    def read(self) -> nodes.Prose:
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
                cursor.take(" ")
            elif command:
                self._command(command)
            else:
                self._token(match.group(), match.start())
        self._say(cursor.text[cursor.at :])
        cursor.budget.depth += 1
        self._close()
        return tuple(self.parts)

    def _close(self) -> None:
        """End the styles that hold to the end of the group."""
        while self.opened:
            tag, outer = self.opened.pop()
            outer.append(nodes.Styled(tag, tuple(self.parts)))
            self.parts = outer

    def _say(self, text: str) -> None:
        if text:
            self.parts.append(nodes.Text(text))

    def _inside(self, source: str) -> nodes.Prose:
        return _Reader(source, self.context, self.lists).read()

    def _math(self, source: str, *, display: bool) -> None:
        self.parts.append(formula(source, self.context, display=display))

    def _token(self, token: str, start: int) -> None:
        cursor = self.cursor
        if token in ("$", "$$"):
            end = self._math_end(token)
            if end < 0:
                self._say("$")
                return
            self._math(cursor.text[cursor.at : end], display=token == "$$")
            cursor.at = end + len(token)
        elif token == "{":
            cursor.at = start
            self.parts.extend(self._inside(cursor.group()))
        elif token == "%":
            end = cursor.text.find("\n", cursor.at)
            cursor.at = len(cursor.text) if end < 0 else end + 1
        elif token.isspace():
            self.parts.append(nodes.Break(paragraph=True))
        elif token == "\\":
            self._say(token)
        elif token[0] in '"<>,':
            shown = shorthand(token, cursor.macros.get)
            self._say(token[0] if shown is None else shown)
            cursor.at = start + 1 if shown is None else cursor.at
        else:
            self._say(TYPOGRAPHY.get(token, token if token == "-" else ""))

    def _math_end(self, token: str) -> int:
        """Where a formula in dollars ends: the same token outside of groups and environments."""
        text, at, depth = self.cursor.text, self.cursor.at, 0
        for match in () if self.unbalanced else _MATH_END.finditer(text, at):
            found = match.group()
            if found in ("{", "}", "\\begin", "\\end"):
                depth += 1 if found in ("{", "\\begin") else -1
            elif found[0] == "$" and depth <= 0:
                return match.start()
        # Groups are not closed here: to count them again for every formula would take quadratic time.
        self.unbalanced = True
        return text.find(token, at)

    def _command(self, name: str) -> None:
        if name in METADATA or not self.cursor.expand_call(name, self.cursor.at):
            self._meaning(name)

    def _meaning(self, name: str) -> None:
        """What a command prints without the author's macros."""
        cursor = self.cursor
        if name in _HANDLERS:
            self._call(name)
        elif _CITE.fullmatch(name):
            self._call("cite")
        elif name in ACCENT_MARKS:
            self._say(accented(name, cursor.argument()))
        elif not name.isalpha():
            self._say(name if name in "%&#_${}" else " " if name in " \n,;:" else "")
        else:
            self._unknown(name)

    def _call(self, name: str) -> None:
        """Show a command of the table with its arguments."""
        letters, handler = _HANDLERS[name]
        given: list[object] = []
        for letter in letters:
            source = self.cursor.given("m" if letter == "p" else letter)
            given.append(self._inside(source or "") if letter == "p" else source)
        self.parts += handler(self, name, *given) or ()

    def _delimited_formula(self, name: str) -> None:
        end = self.cursor.find({"(": "\\)", "[": "\\]"}[name])
        if end >= 0:
            self._math(self.cursor.text[self.cursor.at : end], display=name == "[")
            self.cursor.at = end + 2

    def _printed(self, name: str, *given: nodes.Prose | str | None) -> nodes.Prose:
        """The argument that is printed, if there is one; space after a command without arguments is not printed."""
        if not COMMANDS[name]:
            self._skip_second_space()
        return next((one for one in given if isinstance(one, tuple)), ())

    def _skip_second_space(self) -> None:
        """Skip a space after a command that prints nothing, if one stands before it."""
        if self._after_space():
            self.cursor.take(" ")

    def _after_space(self) -> bool:
        """Whether a space stands before here, or nothing."""
        last = self.parts[-1] if self.parts else None
        return last is None or (isinstance(last, nodes.Text) and last.text[-1:].isspace())

    def _glossary(self, _name: str) -> None:
        r"""``\glossary(key){name}{text}``; the key may be left out."""
        if self.cursor.take("("):
            self.cursor.at = max(self.cursor.at, self.cursor.find(")") + 1)
        _ = self.cursor.argument(), self.cursor.argument()

    def _citation(self, _name: str, _star: str | None, first: str | None, second: str | None, keys: str) -> nodes.Prose:
        note = first if second is None else second
        return (nodes.Citation(keys.strip(), self._inside(note) if note else (), note or ""),)

    def _letter(self, name: str) -> None:
        cursor = self.cursor
        self._say(LETTERS[name])
        cursor.at += cursor.text.startswith(" ", cursor.at) and name not in ("ldots", "dots", "TeX", "LaTeX", "fg")
        cursor.take("{}")

    def _ordinal(self, name: str) -> None:
        r"""``1\ier``; elsewhere the command is the author's own, such as ``\ie``."""
        before = self.parts[-1] if self.parts else None
        is_number = before.text[-1:].isalnum() if isinstance(before, nodes.Text) else before is not None
        if is_number and isinstance(before, nodes.Text | nodes.Formula | nodes.Styled):
            self._say(ORDINALS[name])
            self.cursor.take("{}")
        else:
            self._written(name)

    def _assignment(self, name: str) -> None:
        """A parameter of TeX that gets a value, which prints nothing."""
        if self.cursor.assignment(is_number=PARAMETERS[name]):
            self._skip_second_space()
        else:
            self._written(name)

    def _proof_tree(self, name: str) -> None:
        """A proof tree without an environment: a diagram that is not drawn."""
        cursor = self.cursor
        end = cursor.find("\\DisplayProof")
        if end < 0:
            self._written(name)
            return
        source = f"\\{name}{cursor.text[cursor.at : end]}"
        self.parts.append(nodes.Formula(source, True, nodes.Diagram("prooftree", source, source)))
        cursor.at = end + len("\\DisplayProof")

    def _verb(self, _name: str, *_given: str | None) -> None:
        cursor = self.cursor
        token = cursor.text[cursor.at : cursor.at + 1] or "\n"
        if token == "{":
            self.parts.append(nodes.Styled("code", (nodes.Text(cursor.group()),)))
            return
        end = cursor.text.find(token, cursor.at + 1, cursor.at + REACH)
        if end >= 0:
            self.parts.append(nodes.Styled("code", (nodes.Text(cursor.text[cursor.at + 1 : end]),)))
            cursor.at = end + 1

    def _unknown(self, name: str, taken: str = "") -> None:
        """A formula without dollars, perhaps; otherwise the command as it was written."""
        cursor = self.cursor
        if name in CONSTRUCTS:
            start = cursor.at = cursor.at - len(taken) - len(name) - 1
            reader = FormulaReader("", Context(cursor.macros, Budget(), _read_text), cursor=cursor)
            try:
                tree = reader.scripted()
                while cursor.text[cursor.at - 1].isspace():
                    cursor.at -= 1
                self.parts.append(nodes.Formula(cursor.text[start : cursor.at], False, tree))
                return
            except (CannotRender, RecursionError):
                cursor.at = start + len(name) + 1 + len(taken)
        self._written(name)

    def _written(self, name: str) -> None:
        """The arguments of a command that is not understood, under its name; the command itself if it has none."""
        given: list[nodes.Inline] = []
        while self.cursor.text.startswith("{", self.cursor.at):
            given.append(nodes.Styled("span", self._inside(self.cursor.group())))
        self.parts.append(nodes.Styled("span", tuple(given), f"\\{name}") if given else nodes.Raw(f"\\{name}"))

    def _primitive(self, _name: str, name: str) -> None:
        """A command with the meaning that it has without the author's redefinition."""
        if name.strip() in _HANDLERS:
            self._meaning(name.strip())
        else:
            self._unknown(PRIMITIVE, f"{{{name}}}")

    def _definition(self, name: str) -> None:
        """A definition inside the text, which prints nothing."""
        if self.cursor.define(name):
            self.context = replace(self.context, macros=self.cursor.macros)
        else:
            self._written(name)

    def _environment(self, _name: str, name: str) -> None:
        name = name.strip()
        body = self.cursor.environment(name)
        source = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        if name.rstrip("*") in ("tikzcd", "CD"):
            self.parts.append(nodes.Formula(source, True, nodes.Diagram(name, body, source)))
        elif name in _DISPLAYS or name == "array":
            self._math(body if name in PLAIN_DISPLAYS else source, display=True)
        elif name == "list":
            self.parts.append(self._list(*with_own_label(body)))
        elif name in LISTS or self._preset_label(name, 1) is not None:
            self.parts.append(self._list(name, body))
        elif name in VERBATIM:
            self.parts.append(nodes.Raw(body.strip("\n"), display=True))
        elif name in PICTURES:
            self.parts.append(self._picture(PICTURES[name], body, source))
        elif name not in DROPPED:
            inner = Cursor(body, _NO_MACROS, self.cursor.budget)
            count = ENVIRONMENT_ARGUMENTS.get(name, 0)
            while inner.option() is not None and count:
                pass
            groups = read_groups(body, inner.at, count)
            self.parts.append(self._list(name, body[groups[-1].end if groups else inner.at :]))

    def _picture(self, kind: str, body: str, source: str) -> nodes.Picture:
        caption: nodes.Prose = ()
        _, caption_follows, after = body.partition("\\caption")
        if caption_follows and after.lstrip()[:1] in ("{", "["):
            cursor = Cursor(after, _NO_MACROS, self.cursor.budget)
            with suppress(CannotRender):
                cursor.option()
                caption = self._inside(cursor.argument())
        return nodes.Picture(kind, source, tuple(_GRAPHICS.findall(body)), caption)

    def _opens_item(self, command: str) -> bool:
        """Whether a command is the one that opens an item, or one of the author's for it."""
        macro = self.cursor.macros.get(command[1:]) if command not in ("\\item", "\\begin", "\\end") else None
        return command == "\\item" or (macro is not None and macro.body.strip() == "\\item")

    def _preset_label(self, name: str, level: int) -> str | None:
        """The label of a list that the preamble sets."""
        macro = self.cursor.macros.get(label_macro(name, level))
        return None if macro is None else macro.body

    def _list(self, name: str, body: str) -> nodes.Inline:
        """A list; an environment without items is a block, and what is not known as a list has no numbers."""
        places, depth = [], 0
        for match in _ITEM.finditer(body):
            depth += (match[1] == "begin") - (match[1] == "end")
            if depth == 0 and self._opens_item(match.group()):
                places.append(match)
        if not places:
            return nodes.Styled("div", self._inside(body))
        before, ends = body[: places[0].start()], [*(match.start() for match in places[1:]), len(body)]
        items = [self._item(body[match.end() : end]) for match, end in zip(places, ends, strict=True)]
        known = LISTS.get(name, self._preset_label(name, 1) is not None)
        option = read_option(before, 0)
        lead = self._inside(before[option.end :] if option else before)
        if known:
            with suppress(_UnknownNumbers):
                return _after(lead, self._numbered_list(name, before, items))
        label = given_label(option.text) if option else None
        marks = ((label if mark is None else mark, source) for mark, source in items)
        made = ((None if mark is None else self._inside(mark), self._inside(source)) for mark, source in marks)
        found = nodes.Items(False, tuple(made))
        return _after(lead, found) if known or name in LISTS else nodes.Styled("div", (*self._inside(before), found))

    def _numbered_list(self, name: str, before: str, items: list[tuple[str | None, str]]) -> nodes.Inline:
        """A list with the marks of its items; without marks if LaTeX's own numbers from 1 say it all.

        Raises:
            _UnknownNumbers: The numbers depend on another place.
        """
        outer = [item for item in self.lists.outer if item.list_name == name]
        level = min(len(outer) + 1, len(LEVELS))
        option = read_option(before, 0)
        options = option.text if option else ""
        preset = dict(settings(before)).get(label_macro("enumerate", level), self._preset_label(name, level))
        label = _label(outer, options, preset)
        numbers = list(_numbers(self.lists.last.get((name, level)), options, before, items))
        self.lists.last[name, level] = max(numbers, default=0)
        counts_alone = numbers == list(range(1, len(numbers) + 1)) and all(own is None for own, _ in items)
        is_plain = label is None and level == 1 and counts_alone
        template = _DEFAULTS[level - 1] if label is None else label
        made = list[tuple[nodes.Prose | None, nodes.Prose]]()
        for (own, source), number in zip(items, numbers, strict=True):
            mark = "" if is_plain else _filled(template, number, outer) if own is None else own
            self.lists.outer.append(_Item(name, number, mark))
            made.append((self._inside(mark) if mark or own is not None else None, self._inside(source)))
            self.lists.outer.pop()
        return nodes.Items(True, tuple(made))

    def _item(self, source: str) -> tuple[str | None, str]:
        """The mark that an item brings, and its text."""
        cursor = Cursor(source, _NO_MACROS, self.cursor.budget)
        own = cursor.option()
        return own, cursor.text[cursor.at :].strip()


def _after(lead: nodes.Prose, items: nodes.Inline) -> nodes.Inline:
    """A list with what stands before its first item, if that shows anything."""
    return nodes.Styled("div", (*lead, items)) if any(map(_shows, lead)) else items


def _shows(part: nodes.Inline) -> bool:
    """Whether a part of a text is more than space or a setting of a list that is not understood."""
    match part:
        case nodes.Text(text):
            return any(map(str.isalnum, text))
        case nodes.Styled(_, parts):
            return any(map(_shows, parts))
    return not isinstance(part, nodes.Break | nodes.Raw)


def _key_list(_reader: _Reader, name: str, _star: str | None, *keys: str) -> nodes.Prose:
    """References to labels; those of a range stand in two arguments."""
    written = [_LINE_COMMENT.sub("", given) for given in keys]
    return (nodes.Reference(name, tuple(key.strip() for given in written for key in given.split(","))),)


def _own_text(_reader: _Reader, name: str, _star: str | None, key: str | None, shown: nodes.Prose) -> nodes.Prose:
    r"""``\hyperref[key]{text}``."""
    return (nodes.Reference(name, (key.strip(),) if key else (), shown),)


def _file(_reader: _Reader, name: str, _star: str | None, options: str | None, file: str) -> nodes.Prose:
    """An image, or another file that is not in the text."""
    written = f"\\{name}{f'[{options}]' if options else ''}{{{file.strip()}}}"
    return (nodes.Picture("figure" if name == "includegraphics" else "file", written, (file.strip(),)),)


def _address(_reader: _Reader, _name: str, address: str) -> nodes.Prose:
    # Text like any other: nothing of a corpus leads outside.
    return (nodes.Text(address.strip().replace("\\%", "%").replace("\\#", "#")),)


_TABLE: tuple[tuple[Iterable[str], str, Callable[..., nodes.Prose | None]], ...] = (
    (("(", "["), "", _Reader._delimited_formula),
    (("begin",), "m", _Reader._environment),
    (CITING, "sm", _key_list),
    (("pageref", "vpageref", "cpageref", "Cpageref"), "sm", _key_list),
    ([name for name, style in CITING.items() if style == "range"], "smm", _key_list),
    ([name for name, style in CITING.items() if style == "bracket"], "sop", _own_text),
    (("cite",), "soom", _Reader._citation),
    (STYLES, "sp", lambda _, name, _star, parts: (nodes.Styled(STYLES[name], parts, name),)),
    *(((name,), letters, _Reader._printed) for name, letters in COMMANDS.items()),
    (words("par medskip smallskip bigskip"), "", lambda *_: (nodes.Break(paragraph=True),)),
    (words("kern hskip vskip"), "", lambda reader, _: reader.cursor.length()),
    (("glossary",), "", _Reader._glossary),
    (words("footnote footnotetext thanks sidenote marginnote endnote"), "op",
     lambda _, _name, _mark, parts: (nodes.Footnote(parts),)),
    (("url", "nolinkurl", "path"), "m", _address),
    (words("includegraphics input include subfile lstinputlisting VerbatimInput verbatiminput"), "som", _file),
    (("\\",), "so", lambda *_: (nodes.Break(paragraph=False),)),
    (LETTERS, "", _Reader._letter),
    (ORDINALS, "", _Reader._ordinal),
    (PARAMETERS, "", _Reader._assignment),
    (("verb",), "", _Reader._verb),
    (words("Axiom AxiomC"), "", _Reader._proof_tree),
    (words("lstinline Verb"), "o", _Reader._verb),
    (("mintinline",), "om", _Reader._verb),
    (("uv",), "p", lambda _, _name, parts: (nodes.Text("„"), *parts, nodes.Text("“"))),
    ((UNDECIDED,), "m", lambda reader, _, name: reader._written(name.strip())),
    ((PRIMITIVE,), "m", _Reader._primitive),
    (LOCAL_DEFINITIONS, "", _Reader._definition),
    # The end of an environment that does not begin here.
    (("end",), "g", lambda *_: None),
    (("item",), "", lambda *_: None),
)  # fmt: skip
_HANDLERS = {name: (letters, handler) for names, letters, handler in _TABLE for name in names}


# The marks of numbered lists: ``\begin{enumerate}[label=(\alph*)]``, ``[(i)]``, and what LaTeX prints otherwise.

_COUNTER = re.compile(r"\\(arabic|alph|Alph|roman|Roman|asbuk|Asbuk)\s*(?:(\*)|\{\s*([a-zA-Z]+)\s*\})")
_COUNTED = re.compile(r"\\(set|addto)counter\s*\{enum(?:i{1,3}|iv)\}\s*\{\s*(-?\d+)\s*\}")
_DEFAULTS = ("(\\arabic*)", "(\\alph*)", "(\\roman*)", "(\\Alph*)")
_LONGEST_NUMBER = 9


class _Item(NamedTuple):
    """An item of a numbered list that stands around a place in a text."""

    list_name: str
    number: int
    mark: str


@dataclass(slots=True)
class _Lists:
    """The numbered lists around a place in a text, and the last number of each kind and level so far."""

    outer: list[_Item] = field(default_factory=list)
    last: dict[tuple[str, int], int] = field(default_factory=dict)


class _UnknownNumbers(Exception):
    """A list goes on with the numbers of another one, which is not in the text."""


def _filled(template: str, number: int, outer: Sequence[_Item]) -> str:
    """A label with the numbers in place of its counters."""

    def value(match: re.Match[str]) -> str:
        level = (match[3] or "")[4:] if (match[3] or "").startswith("enum") else ""
        place = LEVELS.index(level) if level in LEVELS else len(outer)
        counted = outer[place].number if place < len(outer) else number
        written = NUMBER_STYLES[match[1]](counted) or match.group()
        # \bfseries\alph*: the letter is no part of the name before it.
        return f" {written}" if ends_with_command(template[: match.start()]) else written

    return _COUNTER.sub(value, template)


def _label(outer: Sequence[_Item], options: str, preset: str | None) -> str | None:
    label = given_label(options)
    if label is not None:
        return label
    for part in split_options(options):
        key, equals, _ = (piece.strip() for piece in part.partition("="))
        if equals and key == "label*":
            return (outer[-1].mark if outer else "") + (given_label(part.replace("label*", "label", 1)) or "")
        if key and not equals and not is_flag(key):
            if (label := long_label(key)) is None:
                raise _UnknownNumbers(key)
            return label
    return preset


def _numbers(last: int | None, options: str, before: str, items: Sequence[tuple[str | None, str]]) -> Iterator[int]:
    """The number of each item; one with a mark of its own does not count."""
    number = 0
    for part in split_options(options):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key == "start" and value.isdecimal() and len(value) < _LONGEST_NUMBER:
            number = int(value) - 1
            break
        if key in ("resume", "resume*"):
            if last is None:
                raise _UnknownNumbers("resume")
            number = last
    number = _counted(number, before)
    for own, source in items:
        number += own is None
        yield number
        number = _counted(number, source)


def _counted(number: int, source: str) -> int:
    """The number of the counter after a text that may change it."""
    for match in _COUNTED.finditer(source):
        number = int(match[2]) + (0 if match[1] == "set" else number)
    return number
