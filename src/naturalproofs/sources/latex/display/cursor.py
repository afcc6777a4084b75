"""A cursor over LaTeX source: tokens and arguments in order, with the macros expanded that can be."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from naturalproofs.sources.latex.display.nodes import Formula
from naturalproofs.sources.latex.display.text_commands import QUIET
from naturalproofs.sources.latex.macros.expansion import STRINGS, carried_out, read_arguments, read_string, substituted
from naturalproofs.sources.latex.macros.macro import UNDECIDED, Macro, Macros, mentions, read_definition
from naturalproofs.sources.latex.macros.packages import ASSUMED
from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.sources.latex.scan.arguments import REACH, read_group, read_option
from naturalproofs.sources.latex.scan.conditionals import Facts, conditional_at, may_ask, taken

# The macros with which texts are shown: the author's, and usual ones.

_BUILT_IN: Macros = macros_of([ASSUMED])
"""Commands that LaTeX does not define, with the meaning that most authors give them, for texts without a definition."""
_INSTEAD = ("odif", "pdif")
"""Those of them that take the place of a definition whose own program is too long to be run."""
_DEFINITION = re.compile(
    r"(?:\s|%[^\n]*\n)*(?:\\(?:expandafter|global|long)\s*)*\\[gex]?def\s*(?:\\csname.*?\\endcsname|\\[a-zA-Z@]+)[#\d\s]*"
    r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*",
    re.DOTALL,
)
"""The code of a macro that defines another one."""
_INTERNAL = re.compile(r"\\([a-zA-Z@]*@[a-zA-Z@]*)")
_MAX_LENGTH = 200_000
_TRAILING_COMMAND = re.compile(r"\\[a-zA-Z@]+$")
_CALLED = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|def)\*?+\s*+\{?+\s*+\\[a-zA-Z@]++|\\(?:([a-zA-Z@]++)|.)", re.DOTALL
)
"""A command, in the first group unless it is one that is defined here."""
_STRUCTURE_ROUNDS = 3
_PRIMITIVE = re.compile(
    r"\\(?:(?:if(?!f(?![a-zA-Z@])|mmode)[a-zA-Z@]*|expandafter|csname|futurelet|special|catcode|global|[egx]def"
    r"|let|advance|number|the|romannumeral|setbox|sbox|savebox|usebox|copy|box|wd|ht|dp"
    r"|detokenize|string|meaning|afterassignment|aftergroup|mathchardef|tikz)(?![a-zA-Z@])|[a-zA-Z]+_[a-zA-Z_]*:|[a-zA-Z]+@[a-zA-Z@]*|@[a-zA-Z@]+)"
)
"""Commands that only TeX can run, and the internal ones of packages."""
_COMPUTED = ("_map_", "_use:N", "\\Str", "\\foreach", "\\forcsvlist", "\\@for", "\\@tfor")
"""A loop, or a function of strings, which is carried out when the arguments are known."""


class DisplayMacros:
    """The macros that can be expanded, the author's before the built-in ones, and the formulas parsed with them."""

    __slots__ = ("_delimiters", "_known", "author", "parsed")

    def __init__(self, author: Macros) -> None:
        """Bind the author's macros."""
        self.author = author
        self._known: dict[str, Macro | None] = {}
        self._delimiters: set[str] | None = None
        self.parsed: dict[tuple[str, bool], Formula] = {}

    def get(self, name: str) -> Macro | None:
        """The macro of this name, unless only TeX could run it; one that asks for its arguments may be understood."""
        if name not in self._known:
            macro = self.author.get(name)
            # A macro that leads back to itself can be expanded only if it looks ahead, and so may end.
            self._known[name] = macro if macro is not None and "\\@ifnextchar" in macro.body else None
            if macro is None or (mentions(macro.body, name) and "\\@ifnextchar" not in macro.body):
                # What is defined by itself is what it was before, with something around it.
                macro = _BUILT_IN.get(name)
            elif _DEFINITION.fullmatch(macro.body):
                macro = replace(macro, body="")
            elif not self._may_expand(macro):
                macro = _BUILT_IN[name] if name in _INSTEAD else None
            elif name in _BUILT_IN and self._measures(macro):
                macro = _BUILT_IN[name]
            elif not macro.is_certain:
                macro = Macro(name, (), f"\\{UNDECIDED}{{{name}}}")
            self._known[name] = macro
        return self._known[name]

    def defines(self, name: str) -> bool:
        """Whether the author defines a command, understood or not."""
        return name in self.author

    def with_structure(self, source: str, marks: Iterable[str]) -> str:
        """A source in which the macros without arguments whose bodies have one of the marks are replaced by these."""

        def body(match: re.Match[str]) -> str:
            macro = self.get(match[1])
            unescaped = "" if macro is None else macro.body.replace("\\&", "")
            is_part = macro is not None and not macro.parameters and any(mark in unescaped for mark in marks)
            if macro is None or not is_part:
                return match.group()
            return f"{macro.body} " if ends_with_command(macro.body) else macro.body

        for _ in range(_STRUCTURE_ROUNDS):
            before, source = source, _CALLED.sub(body, source)
            if source == before or len(source) > _MAX_LENGTH:
                break
        return source

    def _may_expand(self, macro: Macro) -> bool:
        if not macro.is_certain:
            # A command that says nothing may be defined in any way.
            return macro.name.isalpha() and macro.name not in QUIET
        return (
            self.can_expand(macro, macro.body) or may_ask(macro.body) or any(name in macro.body for name in _COMPUTED)
        )

    def _measures(self, macro: Macro) -> bool:
        """Whether the author's internal macros behind a macro measure boxes, as to draw a bar over one."""
        pending, seen = [macro], {macro.name}
        while pending:
            body = pending.pop().body
            if "\\setbox" in body:
                return True
            names = {name for name in _INTERNAL.findall(body) if name in self.author} - seen
            pending += (self.author[name] for name in names)
            seen |= names
        return False

    def can_expand(self, macro: Macro, body: str) -> bool:
        """Whether nothing in a body has to be run by TeX, the author's internal macros in it included."""
        for match in _PRIMITIVE.finditer(body):
            command = match.group()
            internal = "@" in command and (self.get(command[1:]) is not None or self._is_delimiter(command))
            if not internal and command not in ("\\@ifnextchar", "\\expandafter", f"\\{macro.name}"):
                return False
        return True

    def _is_delimiter(self, command: str) -> bool:
        """Whether a command ends an argument of a macro of the author, and is never carried out itself."""
        if self._delimiters is None:
            parameters = (one for macro in self.author.values() for one in macro.parameters)
            self._delimiters = {one.default for one in parameters if one.kind in ("until", "literal")}
        return command in self._delimiters


def glued(body: str, rest: str) -> str:
    """A text and the one after it: a command at the end of the first must not swallow a letter of the second."""
    return f"{body} {rest}" if (rest[:1].isalpha() or rest[:1] == "@") and ends_with_command(body) else body + rest


def ends_with_command(text: str) -> bool:
    """Whether a letter that follows would become a part of a command's name."""
    return _TRAILING_COMMAND.search(text) is not None


# The cursor

_SKIPPED = re.compile(r"(?:\s|%[^\n]*+(?:\n|$))*+")
_TOKEN = re.compile(r"\\(?:[a-zA-Z@]+|.)|\d+(?:\.\d+)?+|'+|.", re.DOTALL)
_LONGEST_CONDITIONAL = 10_000
"""The longest conditional that is decided."""
_DIMENSION = r"(?:[-+]\s*+)?+\d*+\.?+\d*+(?:\s*+(?:true\s*+)?+(?:pt|em|ex|mu|cm|mm|in|bp|sp|fil++)|\\[a-zA-Z@]++)"
_LENGTH = re.compile(rf"\s*+{_DIMENSION}(?:\s*+(?:plus|minus)\s*+{_DIMENSION})*+")
_SIDE = re.compile(rf"\s*+(height|depth|width)\s*+({_DIMENSION})")
_AMOUNT = re.compile(r"\s*+([-+]?+(?:\d++(?:\.\d++)?+|\.\d++))\s*+(em|ex|pt|mu|mm|cm)")
_UNITS = {"em": 1.0, "ex": 0.5, "pt": 0.1, "mu": 1 / 18, "mm": 0.28, "cm": 2.8}
"""Units of length in terms of em."""
_WIDEST = 4.0


class CannotRender(Exception):
    """The source has something that cannot be rendered; the caller shows the source instead."""


@dataclass(slots=True)
class Budget:
    """Limits for one text: how many macros are expanded, and how deep groups are nested."""

    expansions: int = 500
    depth: int = 60


@dataclass(slots=True)
class Cursor:
    """A position in a text; expanding a macro rewrites the text from there on."""

    text: str
    macros: DisplayMacros
    budget: Budget = field(default_factory=Budget)
    at: int = 0
    unclosed: set[tuple[str, int]] = field(default_factory=set)
    """Commands that open something and are never closed, with their distance from the end of the text.

    They are noted when a search fails, so that the search is not repeated and time stays linear. What follows a
    position is the same after an expansion, and so is its distance from the end."""
    in_formula: bool | None = True
    in_display: bool | None = None

    def skip_space(self) -> None:
        """Go past white space and comments."""
        self.at = _end(_SKIPPED, self.text, self.at)

    def peek(self) -> str:
        """The next token, or nothing at the end; macros are expanded first."""
        while True:
            self.skip_space()
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                return ""
            token = match.group()
            if token[0] != "\\" or not self.expand_call(token[1:], match.end()):
                return token

    def next(self) -> str:
        """Take the next token."""
        token = self.peek()
        self.at += len(token)
        return token

    def accept(self, token: str) -> bool:
        """Take the next token if it is this one."""
        if self.peek() != token:
            return False
        self.at += len(token)
        return True

    def take(self, text: str) -> bool:
        """Take a text if it stands directly here, without space before it."""
        found = self.text.startswith(text, self.at)
        self.at += len(text) * found
        return found

    def argument(self) -> str:
        """The source of the next argument: a group without its braces, or one token."""
        self.skip_space()
        match = _TOKEN.match(self.text, self.at)
        macro = self.macros.get(match.group()[1:]) if match and match.group()[0] == "\\" else None
        if match and macro is not None and not macro.parameters and "@" not in macro.body:
            # The command itself is the argument, whatever it stands for: \\bar\\Rf.
            self.at = match.end()
            return match.group()
        # Peeking expands a macro, which may stand for a whole group: S_\\etale.
        if self.text.startswith("{", self.at) or self.peek() == "{":
            return self.group()
        token = self.next()
        if token in ("", "}"):
            raise CannotRender("an argument is missing")
        if token[0].isdigit() and len(token) > 1:
            self.at -= len(token) - 1
            token = token[0]
        return token

    def group(self) -> str:
        """The inside of the group that starts here."""
        group = read_group(self.text, self.at)
        if group is None:
            raise CannotRender("a brace is not closed")
        self.at = group.end
        return group.text

    def option(self) -> str | None:
        """The option in brackets that starts here, if one does."""
        option = read_option(self.text, self.at)
        self.at = option.end if option else self.at
        return option.text if option else None

    def given(self, letter: str) -> str | None:
        """The next argument by its letter in xparse: a star, an option, a group that may be left out, or any."""
        if letter == "s":
            return "*" if self.take("*") else None
        if letter == "o":
            return self.option()
        is_given = letter == "m" or self.text.startswith("{", _end(_SKIPPED, self.text, self.at))
        return self.argument() if is_given else None

    def find(self, closing: str) -> int:
        """Where a token that closes something stands next; -1 if there is none."""
        return self.text.find(closing, self.at, self.at + REACH)

    def _is_unclosed(self, kind: str, at: int) -> bool:
        return bool(self.unclosed) and (kind, len(self.text) - at) in self.unclosed

    def _note_unclosed(self, kind: str, places: Iterable[int]) -> None:
        end = len(self.text)
        self.unclosed.update((kind, end - at) for at in places)

    def at_argument(self) -> bool:
        """Whether a group or an option follows; space before a group is skipped."""
        start = _end(_SKIPPED, self.text, self.at)
        if self.text.startswith("{", start):
            self.at = start
        return self.text.startswith(("{", "["), self.at)

    def groups_ahead(self) -> str:
        """The opening tokens of the groups and options that follow."""
        start, found = self.at, ""
        while self.at_argument():
            found += self.text[self.at]
            if (self.group() if found[-1] == "{" else self.option()) is None:
                break
        self.at = start
        return found

    def length(self) -> None:
        """Skip a length: a group, or a dimension with what it may stretch by."""
        if self.peek() == "{":
            self.group()
        else:
            self.at = _end(_LENGTH, self.text, self.at)

    def sides(self) -> dict[str, str]:
        """Skip the sides of a rule of TeX, such as ``height 6pt width 0pt``, and give them."""
        found: dict[str, str] = {}
        while side := _SIDE.match(self.text, self.at):
            found[side[1]], self.at = side[2], side.end()
        return found

    def measure(self) -> float:
        """Skip a length, and give it in em: at most a few, and one where it is made of other lengths."""
        if self.text.startswith("\\z@", self.at):
            self.at = _end(_LENGTH, self.text, self.at)
            return 0.0
        self.accept("*")
        start = self.at
        self.length()
        found = _AMOUNT.match(self.text[start : self.at].lstrip("{ "))
        return min(float(found[1]) * _UNITS[found[2]], _WIDEST) if found else 1.0

    def assignment(self, *, is_number: bool) -> bool:
        r"""Skip the value that a parameter of TeX gets: ``=0pt plus 1fil``, ``=100``; False if there is none."""
        start = self.at
        self.skip_space()
        is_equation = self.take("=")
        self.skip_space()
        # Without the equals character, a command that follows may be something else.
        if not is_number and (is_equation or not self.text.startswith("\\", self.at)):
            found = _LENGTH.match(self.text, self.at)
        else:
            self.at += self.text.startswith(("-", "+"), self.at)
            found = _TOKEN.match(self.text, self.at)
            found = found if found and found.group()[0].isdigit() else None
        self.at = start if found is None else found.end()
        return found is not None

    def environment(self, name: str) -> str:
        r"""The body of an environment whose \begin was just taken, up to its own \end."""
        kind, opened = f"\\begin{{{name}}}", [self.at]
        for match in () if self._is_unclosed(kind, self.at) else _edges(name).finditer(self.text, self.at):
            if match[1] == "end":
                start = opened.pop()
                if not opened:
                    self.at = match.end()
                    return self.text[start : match.start()]
            elif self._is_unclosed(kind, match.end()):
                break
            else:
                opened.append(match.end())
        self._note_unclosed(kind, opened)
        raise CannotRender(f"\\begin{{{name}}} is not closed")

    def expand_call(self, name: str, at: int) -> bool:
        """Replace a call of a macro, whose name ends at `at`, by what it stands for; False if that is not known."""
        if name.startswith("if") and not self.macros.defines(name):
            return self._decide(at - len(name) - 1)
        if name == "@ifnextchar":
            return self._look_ahead(at)
        if name == "expandafter":
            return self._expand_after(at)
        if name in STRINGS and (value := read_string(self.text, name, at, self.macros.author)):
            self._replace(value.text + self.text[value.end :])
            return True
        starred = self.macros.get(f"{name}*") if self.text.startswith("*", at) else None
        if starred is not None:
            return self.expand(starred, at + 1)
        macro = self.macros.get(name)
        return macro is not None and self.expand(macro, at)

    def define(self, command: str) -> bool:
        """Read the definition whose command was just taken; it holds from here on. False if it is not understood."""
        self.take("*")
        macro, end = read_definition(self.text, command, self.at)
        self.budget.expansions -= 1
        if macro is None or self.budget.expansions < 0:
            return False
        self.at, self.macros = end, DisplayMacros({**self.macros.author, macro.name: macro})
        return True

    def expand(self, macro: Macro, at: int) -> bool:
        """Replace a macro, whose arguments start here, by what it stands for; False if that is not understood."""
        read = read_arguments(macro, self.text, at)
        body = "" if read is None else substituted(macro, read[0])
        body, _ = carried_out(body, [], self._facts(), first=False)
        if read is None or not self.macros.can_expand(macro, body):
            self.budget.expansions -= 1
            return False
        self._replace(glued(body, self.text[read[1] :]))
        return True

    def _facts(self) -> Facts:
        """What conditionals may ask here."""
        # No counter is known here. Code that asks for one mostly asks whether the author switched something on.
        return Facts({}, self.macros.author, lambda _: 0, in_formula=self.in_formula, in_display=self.in_display)

    def _decide(self, start: int) -> bool:
        r"""Replace a conditional by the branch that is taken; False if that is not known."""
        ends = self.text.find("\\fi", start, start + _LONGEST_CONDITIONAL) >= 0 and not self._is_unclosed("\\if", start)
        found = conditional_at(self.text, start, _LONGEST_CONDITIONAL) if ends else None
        chosen = taken(found, self._facts()) if found else None
        if found is None or chosen is None:
            self._note_unclosed("\\if", (start,))
            return False
        begin, stop = found.branches[chosen] if 0 <= chosen < len(found.branches) else (found.end, found.end)
        self._replace(glued(self.text[begin:stop], self.text[found.end :]))
        return True

    def _look_ahead(self, at: int) -> bool:
        r"""Replace ``\@ifnextchar`` by the branch that holds here; False if its arguments are not there."""
        before, self.at = self.at, at
        try:
            token, *branches = (self._unexpanded() for _ in range(3))
        except CannotRender:
            self.at = before
            return False
        self.skip_space()
        follows = self.text.startswith("{" if token == "\\bgroup" else token, self.at)
        self._replace(glued(branches[not follows], self.text[self.at :]))
        return True

    def _expand_after(self, at: int) -> bool:
        r"""Replace ``\expandafter\a\b`` by ``\a`` and what ``\b`` stands for; False if that is not known."""
        first = _TOKEN.match(self.text, _end(_SKIPPED, self.text, at))
        second = _TOKEN.match(self.text, _end(_SKIPPED, self.text, first.end())) if first else None
        if first is None or second is None or second.group() == "\\csname":
            return False
        if second.group()[0] != "\\" or not self.expand_call(second.group()[1:], second.end()):
            self.at = second.start()
        self._replace(glued(first.group(), self.text[self.at :]))
        return True

    def _unexpanded(self) -> str:
        """The next argument as it stands: a group without its braces, or one token."""
        self.skip_space()
        match = _TOKEN.match(self.text, self.at)
        if match is None or match.group() == "{":
            return self.group()
        token = match.group() if match.group()[0] == "\\" else match.group()[0]
        self.at += len(token)
        return token

    def _replace(self, text: str) -> None:
        """Go on with another text instead of the rest."""
        self.budget.expansions -= 1
        self.text, self.at = text, 0
        if self.budget.expansions < 0 or len(text) > _MAX_LENGTH:
            raise CannotRender("a macro expands without end")


@lru_cache(maxsize=256)
def _edges(name: str) -> re.Pattern[str]:
    """Both ends of the environments of this name."""
    return re.compile(rf"\\(begin|end)\s*+\{{{re.escape(name)}\}}")


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
