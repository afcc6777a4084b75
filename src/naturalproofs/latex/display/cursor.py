"""A cursor over LaTeX source: tokens and arguments in order, with macros expanded."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from naturalproofs.latex.display.display_macros import CHOICES, CONDITIONALS, MAX_LENGTH, DisplayMacros, glued
from naturalproofs.latex.display.package_commands import Call
from naturalproofs.latex.macros.expansion import STRINGS, carried_out, read_argument, read_string, substituted
from naturalproofs.latex.macros.macro import Macro, Parameter, read_definition
from naturalproofs.latex.scan.arguments import Argument, read_group
from naturalproofs.latex.scan.conditionals import Facts, find_conditionals, taken

_SKIPPED = re.compile(r"(?:\s|%[^\n]*+(?:\n|$))*+")
_TOKEN = re.compile(r"\\(?:[a-zA-Z@]+|.)|\d+(?:\.\d+)?+|'+|.", re.DOTALL)
_OPTION_SIGN = re.compile(r"\\.|[{}\[\]]", re.DOTALL)
_STARS = re.compile(r"\*{1,2}(?=[{\[])")
_BRACKET_SIGN = re.compile(r"\\.|[][(){}|]", re.DOTALL)
MAX_CONDITIONAL = 10_000
"""The longest conditional that is decided."""
_NUMBER = r"\d*+\.?+\d*+"
_UNIT = r"\s*+(?:pt|em|ex|mu|cm|mm|in|bp|sp|fil++|true\s*+pt)"
_DIMENSION = rf"(?:[-+]\s*+)?+{_NUMBER}(?:{_UNIT}|\\[a-zA-Z@]++)"
_LENGTH = re.compile(rf"\s*+{_DIMENSION}(?:\s*+(?:plus|minus)\s*+{_DIMENSION})*+")
_ZERO = re.compile(r"\s*+(?:=\s*+)?+\\z@(?![a-zA-Z@])\s*+")
_NUMBER_AND_UNIT = re.compile(r"\s*+(?:\{\s*+)?+([-+]?+(?:\d++(?:\.\d++)?+|\.\d++))\s*+(em|ex|pt|mu|mm|cm)")
_UNITS = {"em": 1.0, "ex": 0.5, "pt": 0.1, "mu": 1 / 18, "mm": 0.28, "cm": 2.8}
"""Units of length in terms of em."""
_WIDEST = 4.0


class NotUnderstood(Exception):
    """What a macro stands for is not known; its call is shown as written."""


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
    """Signs and commands that open something and are never closed, with their distance from the end of the text.

    They are noted when a search fails, so that the search is not repeated and time stays linear. What follows a
    position is the same after an expansion, and so is its distance from the end."""
    in_formula: bool | None = True
    in_display: bool | None = None
    absent: dict[str, int] = field(default_factory=dict)
    """By sign that closes something: the distance from the end within which it does not occur."""

    def peek(self) -> str:
        """The next token, or nothing at the end; macros are expanded first."""
        while True:
            self.at = _end(_SKIPPED, self.text, self.at)
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                return ""
            token = match.group()
            if token in CONDITIONALS:
                self._run(token, match.end())
                continue
            if token in CHOICES:
                self._choose(token, match.end())
                continue
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

    def argument(self) -> str:
        """The source of the next argument: a group without its braces, or one token."""
        self.at = _end(_SKIPPED, self.text, self.at)
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
        start = _end(_SKIPPED, self.text, self.at)
        if not self.text.startswith("[", start) or self.find("]", start) < 0 or self._is_unclosed("option", start):
            return None
        depth, opened = 0, [start]
        for match in _OPTION_SIGN.finditer(self.text, start + 1):
            sign = match.group()
            depth += (sign == "{") - (sign == "}")
            if depth == 0 and sign == "]":
                self.at = match.end()
                return self.text[start + 1 : match.start()]
            if depth == 0 and sign == "[":
                if self._is_unclosed("option", match.start()):
                    break
                opened.append(match.start())
        self._note_unclosed("option", opened)
        return None

    def find(self, closing: str, start: int) -> int:
        """Where a sign that closes something stands next; -1 if there is none."""
        end = len(self.text)
        found = self.text.find(closing, start, end - max(self.absent.get(closing, 0) - len(closing) + 1, 0))
        if found < 0:
            self.absent[closing] = max(end - start, self.absent.get(closing, 0))
        return found

    def _is_unclosed(self, kind: str, at: int) -> bool:
        return bool(self.unclosed) and (kind, len(self.text) - at) in self.unclosed

    def _note_unclosed(self, kind: str, places: Iterable[int]) -> None:
        end = len(self.text)
        self.unclosed.update((kind, end - at) for at in places)

    def call(self) -> Call:
        """The star, the first option and the groups that follow directly."""
        start = self.at
        self.at = _end(_SKIPPED, self.text, self.at)
        starred = _STARS.match(self.text, self.at)
        self.at = starred.end() if starred else self.at
        option = self.option() if self.text.startswith("[", self.at) else None
        groups: list[str] = []
        while self.text.startswith("{", self.at):
            groups.append(self.group())
        return Call(starred is not None, option, tuple(groups), self.text[start : self.at])

    def at_argument(self) -> bool:
        """Whether a group or an option follows; space before a group is skipped."""
        start = _end(_SKIPPED, self.text, self.at)
        if self.text.startswith("{", start):
            self.at = start
        return self.text.startswith(("{", "["), self.at)

    def bracketed(self) -> str | None:
        """The inside of the round or square brackets or bars that start here; None if they are not closed."""
        start = self.at = _end(_SKIPPED, self.text, self.at)
        opening = self.text[start : start + 1]
        closing = {"(": ")", "[": "]"}.get(opening, opening)
        if self.find(closing, start + 1) < 0 or self._is_unclosed(opening, start):
            return None
        braces, opened = 0, [start]
        for match in _BRACKET_SIGN.finditer(self.text, start + 1):
            sign = match.group()
            braces += (sign == "{") - (sign == "}")
            if braces == 0 and sign == closing:
                opened.pop()
                if not opened:
                    self.at = match.end()
                    return self.text[start + 1 : match.start()]
            elif braces == 0 and sign == opening:
                if self._is_unclosed(opening, match.start()):
                    break
                opened.append(match.start())
        self._note_unclosed(opening, opened)
        return None

    def groups_ahead(self) -> str:
        """The opening signs of the groups and options that follow."""
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

    def measure(self) -> float:
        """Skip a length, and give it in em: at most a few, and one where it is made of other lengths."""
        if zero := _ZERO.match(self.text, self.at):
            self.at = zero.end()
            return 0.0
        self.accept("*")
        start = self.at
        self.length()
        found = _NUMBER_AND_UNIT.match(self.text[start : self.at])
        return min(float(found[1]) * _UNITS[found[2]], _WIDEST) if found else 1.0

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
        self.at += self.text.startswith("*", self.at)
        macro, end = read_definition(self.text, command, self.at)
        self.budget.expansions -= 1
        if macro is None or self.budget.expansions < 0:
            return False
        self.at, self.macros = end, self.macros.with_macro(macro)
        return True

    def expand(self, macro: Macro, at: int) -> bool:
        """Replace a macro, whose arguments start here, by what it stands for; False if that is not understood."""
        before, self.at = self.at, at
        try:
            given = [self._parameter(parameter) for parameter in macro.parameters]
            arguments = [Argument(text, -1, -1) for text in given if text is not None]
            facts = Facts({}, self.macros.author, in_formula=self.in_formula, in_display=self.in_display)
            body, _ = carried_out(substituted(macro, arguments), [], facts, first=False)
        except NotUnderstood:
            body = None
        if body is None or not self.macros.can_expand(macro, body):
            self.budget.expansions -= 1
            self.at = before
            return False
        self._replace(glued(body) + self.text[self.at :])
        return True

    def _decide(self, start: int) -> bool:
        r"""Replace a conditional by the branch that is taken; False if that is not known."""
        if self.find("\\fi", start) < 0 or self._is_unclosed("\\if", start):
            return False
        found = next(
            (one for one in find_conditionals(self.text[start : start + MAX_CONDITIONAL]) if one.start == 0), None
        )
        facts = Facts({}, self.macros.author, in_formula=self.in_formula, in_display=self.in_display)
        chosen = taken(found, facts) if found else None
        if found is None or chosen is None:
            self._note_unclosed("\\if", (start,))
            return False
        begin, stop = found.branches[chosen] if 0 <= chosen < len(found.branches) else (found.end, found.end)
        self._replace(glued(self.text[start + begin : start + stop]) + self.text[start + found.end :])
        return True

    def _choose(self, command: str, at: int) -> None:
        r"""Replace ``\mathchoice`` and the like by one of their arguments."""
        self.at = at
        count, form = CHOICES[command]
        given = [self._unexpanded() for _ in range(count)]
        self._replace(glued(form.format(*given)) + self.text[self.at :])

    def _run(self, command: str, at: int) -> None:
        """Replace a conditional by the branch that holds here."""
        self.at = at
        self.budget.depth -= 1
        try:
            if self.budget.depth < 0:
                raise CannotRender("nested too deeply")
            sign = self._unexpanded() if command == "\\@ifnextchar" else "*"
            branches = [self._unexpanded() for _ in range(CONDITIONALS[command])]
        finally:
            self.budget.depth += 1
        rest = self.text[_end(_SKIPPED, self.text, self.at) :]
        second = command == "\\@secondoftwo"
        if command in ("\\@ifnextchar", "\\@ifstar"):
            second = not rest.startswith("{" if sign == "\\bgroup" else sign)
            rest = rest[1:] if command == "\\@ifstar" and not second else rest
        self._replace(glued(branches[second]) + rest if branches else rest)

    def _unexpanded(self) -> str:
        """The next argument as it stands: a group without its braces, or one token."""
        self.at = _end(_SKIPPED, self.text, self.at)
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
        if self.budget.expansions < 0 or len(text) > MAX_LENGTH:
            raise CannotRender("a macro expands without end")

    def _parameter(self, parameter: Parameter) -> str | None:
        """The argument for a parameter; None for a given text, which is no argument."""
        if parameter.kind == "group":
            return self.argument()
        if parameter.kind == "star":
            sign = parameter.default or "*"
            given_sign = self.text.startswith(sign, self.at)
            self.at += len(sign) * given_sign
            return "TRUE" if given_sign else "FALSE"
        if parameter.kind != "option":
            read = read_argument(*parameter, self.text, self.at)
            if read is None:
                raise NotUnderstood("an argument is missing")
            self.at = read.end
            return None if parameter.kind == "literal" else read.text
        given = self.option()
        return parameter.default if given is None else given


@lru_cache(maxsize=256)
def _edges(name: str) -> re.Pattern[str]:
    """Both ends of the environments of this name."""
    return re.compile(rf"\\(begin|end)\s*+\{{{re.escape(name)}\}}")


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
