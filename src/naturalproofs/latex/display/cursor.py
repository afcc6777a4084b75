"""A cursor over LaTeX source: tokens and arguments in order, with macros expanded."""

import re
from dataclasses import dataclass, field

from naturalproofs.latex.arguments import Argument, read_group
from naturalproofs.latex.expansion import fill
from naturalproofs.latex.macros import Macro, Macros, Parameter

_SKIPPED = re.compile(r"(?:\s|%[^\n]*+(?:\n|$))*+")
_TOKEN = re.compile(r"\\(?:[a-zA-Z@]+|.)|\d+(?:\.\d+)?+|'+|.", re.DOTALL)
_OPTION_SIGN = re.compile(r"\\.|[{}\]]", re.DOTALL)
_TRAILING_COMMAND = re.compile(r"\\[a-zA-Z@]+$")
_MAX_LENGTH = 200_000


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
    macros: Macros
    budget: Budget = field(default_factory=Budget)
    at: int = 0

    def peek(self) -> str:
        """The next token, or nothing at the end; macros are expanded first."""
        while True:
            self.at = _end(_SKIPPED, self.text, self.at)
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                return ""
            token = match.group()
            macro = self.macros.get(token[1:]) if token[0] == "\\" else None
            if macro is None:
                return token
            self.expand(macro, match.end())

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
        # Peeking expands a macro, which may stand for a whole group: S_\\etale.
        if self.text.startswith("{", self.at) or self.peek() == "{":
            return self.group()
        token = self.next()
        if token in ("", "}"):
            raise CannotRender("an argument is missing")
        if token.isdigit() and len(token) > 1:
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
        if not self.text.startswith("[", start):
            return None
        depth = 0
        for match in _OPTION_SIGN.finditer(self.text, start):
            sign = match.group()
            depth += (sign == "{") - (sign == "}")
            if sign == "]" and depth == 0:
                self.at = match.end()
                return self.text[start + 1 : match.start()]
        return None

    def environment(self, name: str) -> str:
        r"""The body of an environment whose \begin was just taken, up to its own \end."""
        start, depth = self.at, 1
        for match in re.compile(rf"\\(begin|end)\s*\{{{re.escape(name)}\}}").finditer(self.text, start):
            depth += 1 if match[1] == "begin" else -1
            if depth == 0:
                self.at = match.end()
                return self.text[start : match.start()]
        raise CannotRender(f"\\begin{{{name}}} is not closed")

    def expand(self, macro: Macro, at: int) -> None:
        """Replace a macro, whose arguments start here, by what it stands for."""
        self.budget.expansions -= 1
        self.at = at
        arguments = [Argument(self._parameter(parameter), -1, -1) for parameter in macro.parameters]
        body, _ = fill(macro, arguments)
        # A command at the end of the body must not swallow a letter that follows it.
        glue = " " if _TRAILING_COMMAND.search(body) else ""
        self.text, self.at = body + glue + self.text[self.at :], 0
        if self.budget.expansions < 0 or len(self.text) > _MAX_LENGTH:
            raise CannotRender("a macro expands without end")

    def _parameter(self, parameter: Parameter) -> str:
        if parameter.kind == "group":
            return self.argument()
        if parameter.kind == "star":
            starred = self.text.startswith("*", self.at)
            self.at += starred
            return "TRUE" if starred else "FALSE"
        given = self.option()
        return parameter.default if given is None else given


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
