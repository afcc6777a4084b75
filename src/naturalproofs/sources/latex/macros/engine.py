r"""Runs code that definitions by pattern cannot read: names that are put together, macros that define, loops, options.

``\expandafter\def\csname tref\endcsname``, ``\@namedef{bt}{…}``, ``\mk{lemma}`` where ``\mk`` defines, ``\nt{a}{b}``
after ``\let\nt\newtheorem``. One call is run at a time, with a budget of steps and of characters. What a call defines
counts only if all of it could be run; otherwise nothing of it does, and the table notes its name.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from naturalproofs.sources.latex.macros.entries import DEFINES, Alias, Defined, Entry, Flag, Input, read_command
from naturalproofs.sources.latex.macros.expansion import (
    MAX_VALUES,
    computed,
    expand_all,
    read_arguments,
    read_loop,
    substituted,
)
from naturalproofs.sources.latex.macros.macro import GROUP, Macro, read_definition
from naturalproofs.sources.latex.scan.arguments import Argument, joint, read_group
from naturalproofs.sources.latex.scan.conditionals import OPTION, TESTS, Facts, conditional_at, taken
from naturalproofs.sources.latex.scan.scanner import COUNTER_COMMANDS, INPUTS, Token, TokenKind

_REACH = 20_000
"""How much of the text behind a call may be its arguments."""
_STEPS = 3_000
_CHARACTERS = 400_000
"""How many steps one call may take, and how many characters its expansions may have."""
_NEXT = re.compile(r"%[^\n]*+|\\([a-zA-Z@]++(?:_[a-zA-Z@_]*+:[a-zA-Z]*+)?+|.)", re.DOTALL)
_COMMAND = re.compile(r"\s*+\\([a-zA-Z@_:]++)")
_ONE = re.compile(r"\s*+(\\[a-zA-Z@]++|\\.|[^\s\\])", re.DOTALL)
_STAR = re.compile(r"\s*+\*")
_CSNAME = re.compile(r"\s*+\\csname(?![a-zA-Z@])")
_END_OF_NAME = re.compile(r"\\endcsname(?![a-zA-Z@])")
_SET_FLAG = re.compile(r"\\([a-zA-Z@]+?)(?:true|false)(?![a-zA-Z@])")
_NOWHERE = "not@written"
_NEXT_ROUND = "next@round"
_ASSIGNED = re.compile(r"\s*+=\s*+([+-]?\d{1,9})(?![\d.]|\s?(?:pt|mm|cm|em|ex|in|sp|bp))\s?")
_ADVANCED = re.compile(r"\s*+\\([a-zA-Z@]++)\s*+(?:by)?\s*+([+-]?\d{1,9})\s?")
_NUMERAL = re.compile(
    r"\s*+\\(?:(?:case)?+@(?P<style>[aA]lph|arabic)|number|the)\s*+(?:\{\s*+)?+"
    r"(?:\\(?P<name>[a-zA-Z@]++)|(?P<value>\d++))\}?"
)
_CHARACTER = re.compile(r"\\char_generate:nn\s*+\{\s*+(\d{2,5})\s*+\}\s*+\{\s*+\d++\s*+\}")
_INT = re.compile(r"`.|\d{1,6}\Z")
_REPEAT = re.compile(r"\\repeat(?![a-zA-Z@])")
_KEPT = re.compile(r"\\(?:noexpand|protect|unexpanded|string)(?![a-zA-Z@])\s*+|\\(?:the|number)(?=\\)")
_CS = re.compile(r"cs_(?:new|g?set)(?:_protected)?+(?:_nopar)?+:(?P<form>[Nc]p?[nxe])")
_TL = re.compile(r"(?:tl|clist|str)_g?(?:set|const):(?:Nn|Nx|cn)|(?:tl|clist|str)_const:Nn")
_NO_SPACE = re.compile(r"(?<![a-zA-Z@_:\s])\s++|\s++(?![a-zA-Z@_:])")
"""White space that says nothing where names have ``_`` and ``:``."""
_PARAMETERS = re.compile(r"\s*+((?:#\d\s*+)*+)(?=\{)")
_PRINTED = COUNTER_COMMANDS | INPUTS
"""What a call prints counts where the text is read."""
EXPL3 = re.compile(r"[a-zA-Z]+_[a-zA-Z_]*:[a-zA-Z]*")
"""The name of a function of expl3."""


class CannotRun(Exception):
    """A call does something that is not understood, or takes too long."""


class Run(NamedTuple):
    """What a call defines, where the text goes on after it, and what it prints, if that was asked for."""

    entries: list[Entry]
    end: int
    printed: str = ""


class Engine:
    """Runs one call."""

    def __init__(
        self,
        commands: ChainMap[str, Macro],
        facts: Facts,
        has_effect: Callable[[Macro], bool],
        is_flag: Callable[[str], bool],
    ) -> None:
        """Bind what is defined before the call.

        Args:
            commands: The macros.
            facts: What conditionals ask for.
            has_effect: Whether a macro defines something, so that its calls are run.
            is_flag: Whether a command sets a flag.
        """
        self._own: dict[str, Macro] = {}
        self._commands = commands.new_child(self._own)
        self._facts, self._has_effect, self._is_flag = facts, has_effect, is_flag
        self._flags: dict[str, bool] = {}
        self._registers: set[str] = set()
        self._round = ""
        self._text, self._at = "", 0
        self._steps, self._characters = _STEPS, _CHARACTERS
        self._rest: int | None = None
        self._entries: list[Entry] = []
        self._printed: list[str] | None = None

    def run(self, text: str, start: int, *, prints: bool = False) -> Run:
        """Run the call that begins here; `prints` says that what it prints is wanted.

        Raises:
            CannotRun: If a part of it is not understood.
        """
        self._printed = [] if prints else None
        self._text, self._at = text[start : start + _REACH], 0
        length = len(self._text)
        self._step()
        while self._rest is not None and len(self._text) - self._at > self._rest:
            self._step()
        end = start + length - min(len(self._text) - self._at, length)
        return Run(self._entries, end, "".join(self._printed or ()))

    @property
    def facts(self) -> Facts:
        """What is known at this step."""
        return replace(self._facts, macros=self._commands, flags={**self._facts.flags, **self._flags})

    def _step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise CannotRun(f"it takes more than {_STEPS} steps")
        match = _NEXT.search(self._text, self._at)
        if match is None or (self._rest is not None and len(self._text) - match.start() <= self._rest):
            end = len(self._text) - (self._rest or 0)
            self._print(self._text[self._at : end])
            self._at = end
            return
        self._print(self._text[self._at : match.start()])
        self._at = match.end()
        if name := match[1]:
            self._command(name, match.start())

    def _print(self, text: str) -> None:
        if self._printed is not None:
            self._printed.append(text)

    def _command(self, name: str, start: int) -> None:
        if handler := _HANDLERS.get(name):
            handler(self)
        elif name in TESTS or (name.startswith("if") and name not in self._commands):
            self._conditional(start)
        elif (name in DEFINES or name in INPUTS) and not (self._printed is not None and name in _PRINTED):
            self._entry(name, start)
        elif (name in self._registers or (self._printed is None and name not in self._commands)) and (
            given := _ASSIGNED.match(self._text, self._at)
        ):
            self._assign(name, int(given[1]), given.end())
        elif (macro := self._commands.get(name)) is not None:
            if self._has_effect(macro) or (self._printed is not None and name in self._own):
                self._call(macro)
            else:
                self._print(f"\\{name}")
        elif (value := self._flag(name)) is not None:
            self._flags[f"if{name.removesuffix('true').removesuffix('false')}"] = value
            self._entries.append(Flag(f"if{name.removesuffix('true').removesuffix('false')}", value))
        elif ":" in name:
            self._expl3(name)
        else:
            self._print(f"\\{name}")

    def _flag(self, name: str) -> bool | None:
        for ending in ("true", "false"):
            if name.endswith(ending) and (f"if{name.removesuffix(ending)}" in self._flags or self._is_flag(name)):
                return ending == "true"
        return None

    def _entry(self, name: str, start: int) -> None:
        """A command that definitions by pattern can read."""
        star = _STAR.match(self._text, self._at)
        at = star.end() if star else self._at
        if name in INPUTS:
            self._entries.append(Input(Token(TokenKind.INPUT, start, at, name), self._text[: at + 500]))
            self._at = at
            return
        if name in ("edef", "xdef"):
            macro, end = read_definition(self._text, name, at)
            found: list[Entry] = [Defined(replace(macro, body=self._expanded(macro.body)), name)] if macro else []
        else:
            found = []
            end = read_command(self._text, Token(TokenKind.COMMAND, start, at, name), found)
        self._at = max(at, end)
        for one in found:
            self._note(one)

    def _note(self, entry: Entry) -> None:
        if (entry.macro.name if isinstance(entry, Defined) else getattr(entry, "name", "")) == _NOWHERE:
            return
        self._entries.append(entry)
        if isinstance(entry, Defined) and entry.macro.ending is None:
            if not (entry.is_provided and entry.macro.name in self._commands):
                self._own[entry.macro.name] = entry.macro
        elif isinstance(entry, Alias):
            meant = self._commands.get(entry.other)
            self._own[entry.name] = (
                replace(meant, name=entry.name) if meant else Macro(entry.name, (), f"\\{entry.other}")
            )
        elif isinstance(entry, Flag) and entry.value is not None:
            self._flags[entry.name] = entry.value

    def _replace(self, code: str, at: int) -> None:
        """Go on with this code, and then with the text from `at` on."""
        self._count(code)
        if self._rest is None:
            self._rest = len(self._text) - at
        rest = self._text[at:]
        self._text, self._at = code + joint(code, rest) + rest, 0

    def _call(self, macro: Macro) -> None:
        at = self._at
        if macro.name.endswith("*") or not macro.is_certain:
            raise CannotRun(f"it is not known what \\{macro.name} stands for")
        read = read_arguments(macro, self._text, at)
        if read is None and self._printed:
            self._print(f"\\{macro.name}")  # It is left to who reads the text.
            return
        if read is None:
            raise CannotRun(f"the arguments of \\{macro.name} are not there")
        self._replace(substituted(macro, read[0]), read[1])

    def _conditional(self, start: int) -> None:
        found = conditional_at(self._text, start, _REACH)
        if found is None:
            return  # Its end stands elsewhere, or it is no conditional.
        chosen = taken(found, self.facts)
        if chosen is None and self._printed:
            self._print(self._text[start : self._at])
            return
        if chosen is None:
            raise CannotRun(f"which branch of \\{found.name} counts is not known")
        begin, stop = found.branches[chosen] if 0 <= chosen < len(found.branches) else (found.end, found.end)
        self._replace(self._text[begin:stop], found.end)

    def _expanded(self, text: str) -> str:
        text = _CHARACTER.sub(lambda match: chr(int(match[1])), _NUMERAL.sub(self._numeral, text))
        found = _KEPT.sub("", expand_all(computed(text, self._commands), self._commands, self.facts))
        self._count(found)
        return found

    def _count(self, code: str) -> None:
        """Take the characters of an expansion from the budget of the call."""
        self._characters -= len(code)
        if self._characters < 0:
            raise CannotRun(f"it stands for more than {_CHARACTERS} characters")

    def _argument(self) -> Argument:
        group = read_group(self._text, self._at)
        if group is None and (one := _ONE.match(self._text, self._at)):
            group = Argument(one[1], one.start(1), one.end())
        if group is None:
            raise CannotRun("an argument is missing")
        self._at = group.end
        return group

    def _name_argument(self) -> str:
        return self._expanded(self._argument().text).strip().removeprefix("\\")

    # Programming.

    def _csname(self, at: int) -> tuple[str, int]:
        r"""The name between ``\csname``, which ends at `at`, and ``\endcsname``, and where that ends."""
        stop = _END_OF_NAME.search(self._text, at, at + 1_000)
        if stop is None:
            raise CannotRun("\\csname without \\endcsname")
        return self._expanded(self._text[at : stop.start()]).strip(), stop.end()

    def _written(self, name: str) -> str:
        """A command as it is written; one whose name no text can have does not count."""
        return f"\\{name} " if name.isascii() and name.replace("@", "a").isalpha() else f"\\{_NOWHERE} "

    def expandafter(self) -> None:
        r"""``\\expandafter\\a\\expandafter{\\b``: what stands behind the tokens is expanded before they are."""
        before, at, chained = "", self._at, False
        while token := _ONE.match(self._text, at):
            before += token[1] + (" " if token[1][-1].isalpha() else "")
            at = token.end()
            again = _COMMAND.match(self._text, at)
            if again is None or not self._is_expandafter(again[1]):
                break
            at, chained = again.end(), True
        call = _COMMAND.match(self._text, at)
        macro = self._commands.get(call[1]) if call else None
        if name := _CSNAME.match(self._text, at):
            made, at = self._csname(name.end())
            self._replace(before + self._written(made), at)
        elif numeral := _NUMERAL.match(self._text, at):
            # The letter of a number is behind two steps.
            one = numeral[0].replace("\\@", "\\case@", 1)
            self._replace(before + (one if one != numeral[0] else self._numeral(numeral)), numeral.end())
        elif call and call[1] == "noexpand":
            self._replace(before, call.end())
        elif call and call[1] == "string":
            # Its first character is a backslash.
            self._replace(before + "\\\\", call.end() + (self._text[call.end() : call.end() + 1] == "\\"))
        elif (
            call
            and macro
            and (chained or not macro.parameters)
            and (read := read_arguments(macro, self._text, call.end()))
        ):
            self._replace(before + substituted(macro, read[0]), read[1])
        else:
            self._replace(before, at)

    def _is_expandafter(self, name: str) -> bool:
        macro = self._commands.get(name)
        return name == "expandafter" or (macro is not None and macro.body == "\\expandafter")

    def csname(self) -> None:
        r"""``\csname … \endcsname``: a command whose name is put together."""
        name, at = self._csname(self._at)
        self._replace(self._written(name), at)

    def namedef(self) -> None:
        r"""``\@namedef{name}…``, ``\csdef{name}…``."""
        self._replace(f"\\def{self._written(self._name_argument())}", self._at)

    def nameuse(self) -> None:
        r"""``\@nameuse{name}``."""
        self._replace(self._written(self._name_argument()), self._at)

    def option(self) -> None:
        r"""``\DeclareOption{name}{code}``: the code counts if the option is given."""
        name, code = self._argument().text.strip(), self._argument().text
        given = self._facts.flags.get(f"{OPTION}{name}", False if self._facts.is_complete else None)
        if given is None:
            self._entries += (Flag(f"if{flag}", None) for flag in _SET_FLAG.findall(code))
        self._replace(code if given else "", self._at)

    def if_next(self) -> None:
        r"""``\@ifnextchar[{…}{…}``."""
        mark, then, otherwise = self._argument().text, self._argument().text, self._argument().text
        follows = self._text[self._at : self._at + 100].lstrip().startswith("{" if mark == "\\bgroup" else mark)
        self._replace(then if follows else otherwise, self._at)

    def if_star(self) -> None:
        r"""``\@ifstar{…}{…}``."""
        then, otherwise = self._argument().text, self._argument().text
        starred = self._text.startswith("*", self._at)
        self._replace(then if starred else otherwise, self._at + starred)

    def double_argument(self) -> None:
        r"""``\@dblarg\a{x}`` is ``\a[x]{x}``; an option that is there stays."""
        code = self._argument().text
        if not self._text.startswith("[", self._at):
            group = self._argument().text
            code = f"{code}[{{{group}}}]{{{group}}}"
        self._replace(code, self._at)

    def skip_argument(self) -> None:
        """A command whose argument is not run here."""
        self._argument()

    # Numbers in registers, and the loops that count with them. A register is a macro that stands for its digits.

    def _assign(self, name: str, value: int, at: int) -> None:
        self._registers.add(name)
        self._own[name] = Macro(name, (), str(value))
        self._at = at

    def advance(self) -> None:
        r"""``\\advance\\n by 1``; of a length it prints nothing."""
        match = _ADVANCED.match(self._text, self._at)
        if match and match[1] in self._registers:
            self._assign(match[1], int(self._own[match[1]].body) + int(match[2]), match.end())
        else:
            self._print("\\advance")

    def _numeral(self, match: re.Match[str]) -> str:
        r"""The value of a register as ``\\@alph`` and others print it; anything else stays as it is."""
        digits = match["value"] or (self._own[match["name"]].body if match["name"] in self._registers else "")
        if not digits or match["style"] not in ("alph", "Alph"):
            return digits or match[0]
        letter = chr(ord("`") + int(digits)) if 0 < int(digits) <= 26 else ""
        return letter.upper() if match["style"] == "Alph" else letter

    def repeat(self) -> None:
        r"""``\\loop … \\ifnum … \\repeat``: a round, and the next ones if the condition holds."""
        stop = _REPEAT.search(self._text, self._at)
        if stop is None:
            self._print("\\loop")
            return
        self._round = f"{self._text[self._at : stop.start()]}\\{_NEXT_ROUND}\\fi "
        self._replace(self._round, stop.end())

    def next_round(self) -> None:
        """The next round of the loop that is run."""
        self._replace(self._round, self._at)

    def loop(self, name: str) -> None:
        """A loop over a list."""
        found = read_loop(self._text, name, self._at, self._commands)
        if found is None:
            raise CannotRun(f"\\{name} is not understood")
        self._replace(found.text, found.end)

    # Functions of expl3.

    def _expl3(self, name: str) -> None:
        if form := _CS.fullmatch(name):
            own = "".join(self._name_argument().split()) if form["form"][0] == "c" else self._command_name()
            parameters = _PARAMETERS.match(self._text, self._at) if "p" in form["form"] else None
            count = parameters[1].count("#") if parameters else len(own.partition(":")[2])
            self._at = parameters.end() if parameters else self._at
            body = _NO_SPACE.sub("", self._argument().text.strip())
            body = body if form["form"].endswith("n") else self._expanded(body)
            self._note(Defined(Macro(own, (GROUP,) * min(count, 9), body), "def"))
        elif _TL.fullmatch(name):
            own = self._name_argument() if name.endswith("cn") else self._command_name()
            self._note(Defined(Macro(own, (), self._argument().text.strip()), "def"))
        elif name in ("cs_set_eq:NN", "cs_new_eq:NN", "cs_gset_eq:NN"):
            self._note(Alias(self._command_name(), self._command_name()))
        elif name == "int_step_inline:nnn":
            first, last, body = (self._argument().text.strip() for _ in range(3))
            numbers = [
                ord(one[1]) if one[:1] == "`" and one[1:] else int(one) for one in (first, last) if _INT.match(one)
            ]
            code = Macro.of("", 1, body)
            rounds = range(numbers[0], min(numbers[1], numbers[0] + MAX_VALUES) + 1) if len(numbers) == 2 else ()
            self._replace("".join(substituted(code, [Argument(str(one), -1, -1)]) for one in rounds), self._at)
        elif name.startswith(("clist_map", "tl_map")):
            self.loop(name)
        elif name.startswith("exp_args:N"):
            self.csname_argument()

    def csname_argument(self) -> None:
        r"""``\exp_args:Nc\newcommand{name}``."""
        command, name = self._argument().text, self._name_argument()
        self._replace(f"{command}{self._written(name)}", self._at)

    def _command_name(self) -> str:
        match = _COMMAND.match(self._text, self._at)
        if match is None:
            raise CannotRun("the name of a command is missing")
        self._at = match.end()
        return match[1]


Handler: TypeAlias = Callable[[Engine], None]


_HANDLERS: Mapping[str, Handler] = {
    "expandafter": Engine.expandafter,
    "csname": Engine.csname,
    **dict.fromkeys(("@namedef", "csdef", "csgdef", "csedef", "csxdef"), Engine.namedef),
    **dict.fromkeys(("@nameuse", "csuse"), Engine.nameuse),
    "DeclareOption": Engine.option,
    "@ifnextchar": Engine.if_next,
    "@ifstar": Engine.if_star,
    "@dblarg": Engine.double_argument,
    "advance": Engine.advance,
    "loop": Engine.repeat,
    _NEXT_ROUND: Engine.next_round,
    **{name: partial(Engine.loop, name=name) for name in ("@for", "@tfor", "forcsvlist", "docsvlist", "foreach")},
    **dict.fromkeys(("typeout", "message", "PackageWarning", "ClassWarning", "PackageInfo"), Engine.skip_argument),
}  # fmt: skip
PROGRAMS = frozenset({*_HANDLERS, "repeat"} - {"advance", "loop", _NEXT_ROUND})
"""Commands by which code is run that patterns cannot read."""
EFFECTS = DEFINES | INPUTS | PROGRAMS
"""Commands that make a macro with them in its code one that defines, declares or reads files."""
