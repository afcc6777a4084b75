"""Runs programs: a stack of tokens, user functions and variables, and arguments read by the letters of a signature.

What a function of the language does is in `functions`. The number of tokens that one program may take is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from naturalproofs.latex.macros.expl3.tokens import is_internal, substituted

Tokens: TypeAlias = list[str]
Items: TypeAlias = tuple[Tokens, ...]
Value: TypeAlias = Tokens | Items | dict[str, Tokens] | int
"""A token list or a string; a sequence or a list with commas; a property list; an integer or a truth value."""
UNKNOWN = "\\not_known:"
"""Stands for an argument that is not known; a call that prints it is not understood."""
_DEEPEST = 25
"""How deep expansions inside expansions may be nested."""


class NotUnderstood(Exception):
    """A program does something that is not known here, or takes too long."""


class TooLong(NotUnderstood):
    """A program takes more tokens than it may."""


class Function(NamedTuple):
    """A function of the author: how many parameters it has, and its body."""

    parameters: int
    body: Tokens


@dataclass
class State:
    """What a program has defined and set."""

    functions: dict[str, Function] = field(default_factory=dict)
    variables: dict[str, Value] = field(default_factory=dict)

    def function(self, name: str) -> Function | None:
        """The function of this name, or the one that it is a variant of: ``\\f:nV`` of ``\\f:nn``."""
        if found := self.functions.get(name):
            return found
        base, colon, letters = name.partition(":")
        if not colon or not set(letters) & set("cVvoxef"):
            return None
        plain = "".join("n" if letter in "Vvoxef" else "N" if letter == "c" else letter for letter in letters)
        return self.functions.get(f"{base}:{plain}") or self.functions.get(f"{base}:{'n' * len(letters)}")


Handler: TypeAlias = Callable[["Machine", str, list[Tokens]], "Tokens | None"]
"""Gets the letters of the signature and the arguments; gives tokens that are read next."""


class Stream:
    """Tokens that are still to be read; what is put back comes first."""

    def __init__(self, tokens: Iterable[str], budget: int) -> None:
        """Start with some tokens.

        Args:
            tokens: What is read.
            budget: How many tokens may be taken, those that are put back included.
        """
        self._waiting = list(tokens)[::-1]
        self.budget = budget

    def __bool__(self) -> bool:
        """Whether there are tokens left."""
        return bool(self._waiting)

    def take(self) -> str:
        """The next token."""
        self.spend(1)
        if not self._waiting:
            raise NotUnderstood("the program ends too early")
        return self._waiting.pop()

    def put_back(self, tokens: Sequence[str]) -> None:
        """Tokens that are read next."""
        self.spend(len(tokens))
        self._waiting.extend(reversed(tokens))

    def spend(self, tokens: int) -> None:
        """Count tokens that are taken."""
        self.budget -= tokens
        if self.budget < 0:
            raise TooLong("the program takes too long")

    def peek(self) -> str:
        """The next token that is no space, or nothing."""
        while self._waiting and self._waiting[-1] == " ":
            self._waiting.pop()
        return self._waiting[-1] if self._waiting else ""

    def group(self) -> Tokens:
        """The inside of the next group, or the next token alone."""
        if self.peek() == "}":
            raise NotUnderstood("an argument is missing")
        token = self.take()
        if token != "{":
            return [token]
        return self.up_to_brace()

    def up_to_brace(self) -> Tokens:
        """What is left of a group whose opening brace is taken."""
        found: Tokens = []
        depth = 1
        while True:
            token = self.take()
            depth += (token == "{") - (token == "}")
            if depth == 0:
                return found
            found.append(token)

    def option(self) -> Tokens | None:
        """The inside of the brackets that follow, if they do."""
        if self.peek() != "[":
            return None
        self.take()
        found: Tokens = []
        depth = 0
        while (token := self.take()) != "]" or depth:
            depth += (token == "{") - (token == "}")
            found.append(token)
        return found


class Machine:
    """Runs one program."""

    def __init__(self, handlers: Mapping[str, Handler], state: State, budget: int, depth: int = 0) -> None:
        """Bind the functions of the language and the state that the program changes.

        Args:
            handlers: The functions of the language without their signatures.
            state: The author's functions and variables.
            budget: How many tokens the program may take.
            depth: How many other programs wait for this one.
        """
        if depth > _DEEPEST:
            raise NotUnderstood("nested too deeply")
        self.handlers, self.state = handlers, state
        self.stream = Stream((), budget)
        self.output: Tokens = []
        self.depth = depth

    def run(self, tokens: Iterable[str]) -> Tokens:
        """Run a program; what it prints."""
        self.stream = Stream(tokens, self.stream.budget)
        while self.stream:
            self.step(self.stream.take())
        return self.output

    def step(self, token: str) -> None:
        """Run one token; what is not a function or a variable is printed."""
        name = token[1:] if token[0] == "\\" and len(token) > 1 else ""
        if name and (function := self.state.function(name)):
            _, _, letters = name.partition(":")
            arguments = self.arguments(letters or "n" * function.parameters)
            self.stream.put_back(substituted(function.body, arguments))
        elif name and isinstance(value := self.state.variables.get(name), list):
            self.stream.put_back(value)
        elif is_internal(token):
            self._call(token, name)
        else:
            self.output.append(token)

    def _call(self, token: str, name: str) -> None:
        base, colon, letters = name.partition(":")
        handler = self.handlers.get(base) if colon else self.handlers.get(name)
        if handler is None and not letters.endswith(("T", "F")):
            self.output.append(token)
            return
        given = [self._known_argument(letter) for letter in letters]
        try:
            produced = handler(self, letters, given) if handler else self.undecided(given[len(letters.rstrip("TF")) :])
        except NotUnderstood:
            if given:
                self.failed(base, given[0])
            raise
        if produced:
            self.stream.put_back(produced)

    def arguments(self, letters: str) -> list[Tokens]:
        """The next arguments, as the letters of a signature say."""
        return [self._argument(letter) for letter in letters]

    def _known_argument(self, letter: str) -> Tokens:
        """The next argument; one that cannot be expanded is taken, and a mark stands for it."""
        try:
            return self._argument(letter)
        except TooLong:
            raise
        except NotUnderstood:
            if letter in "nNTFp":
                raise
            return [UNKNOWN]

    def _argument(self, letter: str) -> Tokens:
        if letter in "nTF":
            return self.stream.group()
        if letter == "N":
            found = self.stream.group()
            if len(found) != 1:
                raise NotUnderstood("not one token")
            return found
        if letter == "c":
            return [f"\\{text_of(self.expanded(self.stream.group())).replace(' ', '')}"]
        if letter == "p":
            found = []
            while self.stream.peek() != "{":
                found.append(self.stream.take())
            return found
        if letter in "Vv":
            named = self._argument("N" if letter == "V" else "c")
            return as_tokens(self.variable(named))
        if letter in "oxef":
            return self.expanded(self.stream.group())
        raise NotUnderstood(f"an argument of the form {letter}")

    def expanded(self, tokens: Sequence[str]) -> Tokens:
        """What tokens expand to; commands of documents stay as they are."""
        inner = Machine(self.handlers, self.state, self.stream.budget, self.depth + 1)
        found = inner.run(tokens)
        self.stream.budget = inner.stream.budget
        return found

    def define(self, name: str, function: Function) -> None:
        """Define a function of the author."""
        self.state.functions[name] = function

    def failed(self, function: str, target: Tokens) -> None:
        """Called when a function of the language is not understood, with what it may have set."""

    def undecided(self, branches: Sequence[Tokens]) -> Tokens:
        """What a conditional gives if its test cannot be decided."""
        raise NotUnderstood(f"a conditional with {len(branches)} branches that cannot be decided")

    def variable(self, name: Sequence[str]) -> Value:
        """The value of a variable."""
        value = self.state.variables.get(name[0][1:]) if len(name) == 1 else None
        if value is None:
            raise NotUnderstood(f"{''.join(name)} is not set")
        return value


def check_known(arguments: Iterable[Tokens]) -> None:
    """Raise an error if one of some arguments is not known."""
    if any(UNKNOWN in argument for argument in arguments):
        raise NotUnderstood("an argument that is not known")


def text_of(tokens: Iterable[str]) -> str:
    """Tokens as one string."""
    return "".join(tokens)


def as_tokens(value: Value) -> Tokens:
    """The value of a token list, a list with commas, or an integer as its digits."""
    if isinstance(value, bool | dict):
        raise NotUnderstood("not a token list")
    if isinstance(value, int):
        return list(str(value))
    if isinstance(value, tuple):
        return [token for place, item in enumerate(value) for token in (*[","] * (place > 0), "{", *item, "}")]
    return value
