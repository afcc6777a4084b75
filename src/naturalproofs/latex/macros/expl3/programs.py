r"""Programs in a preamble, turned into plain definitions, and programs in a macro, run when the macro is called.

Between ``\ExplSyntaxOn`` and ``\ExplSyntaxOff`` an author may define commands in loops, with names that are put
together, and by functions of his own. `Programs` runs that code. What it defines for documents is written as plain
``\newcommand`` and ``\NewDocumentCommand``, with the author's functions put into the bodies. What is left of the
language in a body depends on the arguments of a call; `run_program` runs it then. A program that is not understood
defines nothing, and a call is not replaced: its source is shown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from naturalproofs.latex.macros.expl3.conditionals import CONDITIONALS
from naturalproofs.latex.macros.expl3.definers import DEFINERS, parameter_count
from naturalproofs.latex.macros.expl3.expansions import EXPANSIONS
from naturalproofs.latex.macros.expl3.inlining import Inliner
from naturalproofs.latex.macros.expl3.loops import LOOPS
from naturalproofs.latex.macros.expl3.machine import (
    Function,
    Handler,
    Machine,
    NotUnderstood,
    State,
    Stream,
    Tokens,
    TooLong,
)
from naturalproofs.latex.macros.expl3.tokens import (
    MARK,
    is_internal,
    program_tokens,
    substituted,
    text_tokens,
    write,
)
from naturalproofs.latex.macros.expl3.variables import VARIABLES
from naturalproofs.latex.macros.macro import UNDECIDED
from naturalproofs.latex.scan.arguments import NO_VALUE, read_group, read_option

HANDLERS: Mapping[str, Handler] = {**CONDITIONALS, **DEFINERS, **EXPANSIONS, **LOOPS, **VARIABLES}
_SWITCH = re.compile(r"%[^\n]*+|\\(ExplSyntaxOn|ExplSyntaxOff|ProvidesExpl(?:Package|Class|File))(?![a-zA-Z@])")
_BUDGET = 400_000
"""How many tokens the programs of one text may take."""
_BUDGET_OF_CALL = 20_000
_MOST_CALLS = 2_000
_DOCUMENT_COMMAND = re.compile(r"(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand")
_NEW_COMMAND = re.compile(r"(?:new|renew|provide)(?:command|robustcmd)|DeclareRobustCommand")
_DEF = re.compile(r"[gex]?def")
_LENGTHS = frozenset({"\\hspace", "\\vspace"})


def has_programs(text: str) -> bool:
    """Whether a text holds a program."""
    return "\\ExplSyntaxOn" in text or "\\ProvidesExpl" in text


def run_program(text: str) -> str:
    """What the parts of a program in the text of a call print.

    Raises:
        NotUnderstood: If that is not known.
    """
    if MARK not in text:
        return text
    printed = _Call(HANDLERS, State(), _BUDGET_OF_CALL).run(text_tokens(text))
    if any(map(is_internal, printed)):
        raise NotUnderstood("a function that is not known")
    return write(printed)


class _Call(Machine):
    """The program of one call."""

    def step(self, token: str) -> None:
        """Spaces of a computed length are left out."""
        if token in _LENGTHS and self.stream.peek() == "{":
            length = self.stream.group()
            if not any(map(is_internal, length)):
                self.output += [token, "{", *length, "}"]
        else:
            super().step(token)


class Parameter(NamedTuple):
    """A parameter of a command for documents: ``m``, ``s`` or ``O`` with a default."""

    letter: str
    default: Tokens


class Command(NamedTuple):
    """A command for documents that defines others when it is called."""

    parameters: tuple[Parameter, ...]
    body: Tokens


class Definition(NamedTuple):
    """A definition of a command for documents: LaTeX up to its body, and the body."""

    head: str
    body: Tokens


class Programs:
    """The programs of a project: each may use what another one defines."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Find what the programs in texts define for each other."""
        self._state = State()
        self._makers: dict[str, Command] = {}
        for text in filter(has_programs, texts):
            self._run(text)
        self._state.variables.clear()

    def plain(self, text: str) -> str:
        """A text with plain definitions in the place of programs, and what calls of defining commands define."""
        if not has_programs(text) and not self._makers:
            return text
        outside, found = self._run(text)
        return "\n".join((outside, *self._written(found)))

    def _run(self, text: str) -> tuple[str, list[Definition | str]]:
        """The text outside of programs, and what the programs and calls define; a program that fails stays."""
        kept: list[str] = []
        found: list[Definition | str] = []
        budget = _BUDGET
        for source, is_program in _stretches(text):
            reader = _Reader(self._state, self._makers, budget)
            if not is_program:
                kept.append(source)
                for body in self._calls(source):
                    reader.run_quietly(body)
            elif not reader.run_quietly(program_tokens(source)):
                kept.append(source)
            found += reader.found
            budget = max(0, reader.stream.budget)
        return "".join(kept), found

    def _calls(self, text: str) -> Iterator[Tokens]:
        """The bodies of the defining commands that a text calls, with the arguments put in."""
        if not self._makers:
            return
        names = "|".join(sorted(map(re.escape, self._makers), key=len, reverse=True))
        for number, match in enumerate(re.finditer(rf"%[^\n]*+|\\({names})(?![a-zA-Z@])", text)):
            if number > _MOST_CALLS:
                return
            command = self._makers.get(match[1] or "")
            arguments = _arguments(command, text, match.end()) if command else None
            if command and arguments is not None and not any("#" in text_of for text_of in arguments):
                yield substituted(command.body, [text_tokens(argument) for argument in arguments])

    def _written(self, found: Sequence[Definition | str]) -> Iterator[str]:
        inliner = Inliner(self._state)
        bodies = [inliner.body(one.body) if isinstance(one, Definition) else None for one in found]
        inliner.note_assignments(body for body in bodies if body is not None)
        for one, body in zip(found, bodies, strict=True):
            if isinstance(one, str):
                yield one
            elif body is not None:
                yield f"{one.head}{{{write([*inliner.constants(body), *body])}}}"


class _Reader(Machine):
    """Runs a program of a preamble, and collects what it defines for documents."""

    def __init__(self, state: State, makers: dict[str, Command], budget: int, depth: int = 0) -> None:
        super().__init__(HANDLERS, state, budget, depth)
        self.found: list[Definition | str] = []
        self._makers = makers

    def run_quietly(self, tokens: Sequence[str]) -> bool:
        """Run a program; whether it came to its end."""
        try:
            self.run(tokens)
        except NotUnderstood:
            return False
        finally:
            self.found.append(write(self.output))
            self.output = []
        return True

    def step(self, token: str) -> None:
        """Run one token; what a function needs and is not known is passed over."""
        name = token[1:] if token[0] == "\\" else ""
        try:
            if maker := self._makers.get(name):
                self.stream.put_back(substituted(maker.body, _taken(self.stream, maker.parameters)))
            elif _DOCUMENT_COMMAND.fullmatch(name):
                self._document_command(name)
            elif _NEW_COMMAND.fullmatch(name):
                self._new_command(name)
            elif _DEF.fullmatch(name):
                self._def(name)
            else:
                super().step(token)
        except TooLong:
            raise
        except NotUnderstood:
            self.output.append(token)

    def undecided(self, branches: Sequence[Tokens]) -> Tokens:
        """Run each branch by itself; what they leave different is not known, and commands are defined in branches."""
        tables: tuple[dict[str, Any], ...] = (self.state.functions, self.state.variables, self._makers)
        before = [dict(table) for table in tables]
        self.stream.spend(sum(map(len, before)))
        self.found.append(write([*self.output, "\\ifundecided@"]))
        self.output = []
        left: list[list[dict[str, Any]]] = []
        for branch in branches:
            inner = _Reader(self.state, self._makers, self.stream.budget, self.depth + 1)
            inner.run_quietly(branch)
            self.stream.budget = inner.stream.budget
            self.found += [*inner.found, "\\or "]
            left.append([dict(table) for table in tables])
            for table, old in zip(tables, before, strict=True):
                _restore(table, old)
        self.found[-1] = "\\fi "
        for place, table in enumerate(tables):
            _restore(
                table, _agreed([one[place] for one in left], before[place], alone=table is not self.state.variables)
            )
        return []

    def failed(self, function: str, target: Tokens) -> None:
        """What a function of the language may have set is not known any more."""
        name = target[0][1:] if len(target) == 1 else ""
        if function in DEFINERS and name.replace("@", "a").isalpha():
            self.found += [write(self.output), f"\\def\\{name}{{\\{UNDECIDED}{{{name}}}}}"]
            self.output = []
        elif function in DEFINERS or function in VARIABLES:
            self.state.functions.pop(name, None)
            self.state.variables.pop(name, None)

    def define(self, name: str, function: Function) -> None:
        """A name without the signs of the language is a command for documents."""
        if not name.replace("@", "a").isalpha():
            super().define(name, function)
            return
        parameters = "".join(f"#{place}" for place in range(1, function.parameters + 1))
        self._command(name, f"\\def\\{name}{parameters}", (Parameter("m", []),) * function.parameters, function.body)

    def _document_command(self, kind: str) -> None:
        name, specification, body = self.stream.group(), self.stream.group(), self.stream.group()
        if len(name) == 1:
            parameters = _specified(specification)
            self._command(name[0][1:], f"\\{kind}{{{name[0]}}}{{{write(specification)}}}", parameters, body)

    def _new_command(self, kind: str) -> None:
        if self.stream.peek() == "*":
            self.stream.take()
        name, count = self.stream.group(), self.stream.option()
        default, body = self.stream.option() if count else None, self.stream.group()
        if len(name) != 1:
            return
        number = int("".join(count)) if count and "".join(count).strip() in "123456789" else 0
        parameters = (Parameter("m", []),) * number
        if default is not None:
            parameters = (Parameter("O", default), *parameters[1:])
        options = "".join(f"[{write(one)}]" for one in (count, default) if one is not None)
        self._command(name[0][1:], f"\\{kind}{{{name[0]}}}{options}", parameters, body)

    def _def(self, kind: str) -> None:
        name, parameters = self.arguments("Np")
        body = self.stream.group()
        if kind in ("edef", "xdef"):
            body = self.expanded(body)
        try:
            known = (Parameter("m", []),) * parameter_count(parameters)
        except NotUnderstood:
            known = ()
        self._command(name[0][1:], f"\\{kind}{name[0]}{write(parameters)}", known, body)

    def _command(self, name: str, head: str, parameters: tuple[Parameter, ...], body: Tokens) -> None:
        self.found += [write(self.output), Definition(head, body)]
        self.output = []
        if parameters and any(self._defines(token) for token in body):
            self._makers[name] = Command(parameters, body)

    def _defines(self, token: str) -> bool:
        name = token[1:]
        if token[0] != "\\" or len(token) < 3:
            return False
        if name.partition(":")[0] in DEFINERS or name in self._makers:
            return True
        return any(pattern.fullmatch(name) for pattern in (_DOCUMENT_COMMAND, _NEW_COMMAND, _DEF))


def _restore(table: dict[str, Any], old: Mapping[str, Any]) -> None:
    table.clear()
    table.update(old)


def _agreed(tables: Sequence[Mapping[str, Any]], before: Mapping[str, Any], *, alone: bool) -> dict[str, Any]:
    """What all branches leave the same; what some define and others do not may be there `alone` if it is new."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys(name for table in tables for name in table):
        values = [table[name] for table in tables if name in table]
        if (len(values) == len(tables) or (alone and name not in before)) and all(
            value == values[0] for value in values
        ):
            found[name] = values[0]
    return found


def _stretches(text: str) -> Iterator[tuple[str, bool]]:
    """A text in pieces, and whether each is a program."""
    start, on = 0, False
    for match in _SWITCH.finditer(text):
        switched = match[1] is not None and (match[1] != "ExplSyntaxOff")
        if match[1] is None or switched == on:
            continue
        yield text[start : match.start()], on
        start, on = match.end(), switched
    yield text[start:], on


def _specified(specification: Sequence[str]) -> tuple[Parameter, ...]:
    """The parameters of a command for documents; none if they are not groups, stars and options."""
    stream = Stream(specification, 10 * len(specification) + 10)
    found: list[Parameter] = []
    while letter := stream.peek():
        stream.take()
        if letter in "ms":
            found.append(Parameter(letter, []))
        elif letter in "oO":
            found.append(Parameter("O", stream.group() if letter == "O" else [NO_VALUE]))
        elif letter not in "+!":
            return ()
    return tuple(found)


def _taken(stream: Stream, parameters: Sequence[Parameter]) -> list[Tokens]:
    """The arguments of a call inside of a program."""
    found: list[Tokens] = []
    for letter, default in parameters:
        if letter == "m":
            found.append(stream.group())
        elif letter == "O":
            given = stream.option()
            found.append(default if given is None else given)
        else:
            raise NotUnderstood("a star")
    return found


def _arguments(command: Command, text: str, at: int) -> list[str] | None:
    """The arguments of a call outside of programs; None if they are not there."""
    found: list[str] = []
    for letter, default in command.parameters:
        argument = read_option(text, at) if letter == "O" else read_group(text, at)
        if letter == "s" or (argument is None and letter == "m"):
            return None
        found.append(argument.text if argument else write(default))
        at = argument.end if argument else at
    return found
