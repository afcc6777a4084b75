"""The one table of macros of a document: its commands, environments and flags, as TeX would have them.

Files are read in the order in which TeX reads them. Definitions found by pattern enter as they stand; calls of macros
that define, names that are put together and loops are run by the engine. A definition before the text of the document
replaces an earlier one; one in the text counts only if the name is new, since it holds from there on.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import ChainMap, Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import islice
from typing import NamedTuple

from naturalproofs.sources.latex.macros.engine import EFFECTS, EXPL3, PROGRAMS, CannotRun, Engine
from naturalproofs.sources.latex.macros.entries import (
    DEFINES,
    DEFINITIONS_ONLY,
    Alias,
    BeginDocument,
    Defined,
    Entry,
    FileEntries,
    Flag,
    Input,
    Load,
    Placed,
    read_entries,
)
from naturalproofs.sources.latex.macros.expansion import LOOPS
from naturalproofs.sources.latex.macros.macro import (
    DEFINING,
    PRIMITIVE,
    UNDECIDED,
    Macro,
    Macros,
    mentions,
    read_definition,
)
from naturalproofs.sources.latex.macros.packages import PACKAGES, list_settings, typography
from naturalproofs.sources.latex.scan.conditionals import CHAPTERS, OPTION, PACKAGE, Conditional, Facts, may_ask, taken
from naturalproofs.sources.latex.scan.scanner import INPUTS, either, scan
from naturalproofs.sources.latex.scan.symbols import BUILT_IN

_COMMANDS = re.compile(r"\\([a-zA-Z@]++(?:_[a-zA-Z@_]*+:[a-zA-Z]*+)?+)")
_NESTED = re.compile(rf"\\({either(tuple(sorted(DEFINING)))})(?![a-zA-Z@])\*?+")
_CONSTANT_NAME = re.compile(r"(?:\\expandafter\s*+)?+\\csname\s*+([a-zA-Z@]++)\s*+\\endcsname")
_DEFINES_AFTER = re.compile(rf"(?:\\expandafter\s*+)++\\(?:{either(tuple(sorted(DEFINES)))})(?![a-zA-Z@])")
_SPACING = re.compile(r"\\(?:[be]group|aftergroup|begingroup|endgroup)(?![a-zA-Z@])")
_READS_FILE = re.compile(rf"\\(?:{either(tuple(sorted(INPUTS)))})(?![a-zA-Z@])")
_MAX_CALLS = 3_000
"""How many calls the engine runs for one document."""
_MOST_FAILURES = 5
"""How often a macro is tried that could not be run; it is not tried again in this document."""
_IN_CODE_ONLY = frozenset({"csname", "@ifnextchar", "@ifstar"})
_NAME = re.compile(r"\\([a-zA-Z]++_[a-zA-Z@_]++(?::[a-zA-Z]*+)?+)")
"""A name in the language of LaTeX 3."""
_CONSTANT = re.compile(r"c_[a-zA-Z@]+_[a-zA-Z@_]+")
_VARIABLES = ("l_", "g_")
"""How variables begin: they are replaced by their values where a macro is expanded."""
_UNDEFINED = frozenset({"undefined", "@undefined"})
_STRUCTURE = frozenset({"begin", "end"})
"""Commands that no definition of a document replaces: LaTeX refuses it, and nothing could be read after it."""
_BY_LET = {"iftrue": True, "iffalse": False}
CLASS_COMMANDS = frozenset({"documentclass", "documentstyle"})


class Note(NamedTuple):
    """A call that could not be run: the command, where it stands in its text, and why."""

    name: str
    offset: int
    reason: str


@dataclass
class _Undecided:
    """A conditional around the place that is read, whose branch is not known."""

    one: Conditional
    before: dict[str, Macro | None] = field(default_factory=dict)
    """What the names that the present branch defines stood for before it."""
    branches: list[dict[str, Macro | None]] = field(default_factory=list)
    """What each earlier branch leaves behind."""
    again: set[str] = field(default_factory=set)
    """Names that stand for something else where a branch does not define them."""


class MacroTable:
    """The macros of a document while its files are read."""

    def __init__(self) -> None:
        """Begin without any."""
        self.commands: dict[str, Macro] = {}
        self.environments: dict[str, Macro] = {}
        self.flags: dict[str, bool] = {}
        self.aliases: dict[str, str] = {}
        r"""Other names that ``\let`` gives to commands which are no macros."""
        self.redefined: set[str] = set()
        """Names that the text of the document defines in another way."""
        self.notes: list[Note] = []
        self.packages: dict[str, tuple[str, ...]] = {}
        self.class_options: tuple[str, ...] = ()
        self.has_class = self.has_chapters = False
        self.in_document = False
        self.first_flags: dict[str, bool] = {}
        """The flags where the text of the document begins."""
        self.is_running = False
        """Whether what is given to the caller comes from a call, not from the text itself."""
        self._declared: set[str] = set()
        """The flags that there are, known or not."""
        self._doubtful: set[str] = set()
        """Flags whose value is not known all over the document."""
        self._undecided: list[_Undecided] = []
        self._calls = 0
        self._failed: Counter[str] = Counter()
        self._known_effects: dict[str, bool] = {}
        self._changed: dict[str, Macro] = {}
        """What the text of the document has defined in another way, up to the place that is read."""
        self._changes = self._seen_changes = 0
        """How often something was defined, now and when the names to run were found."""
        self._names: tuple[str, ...] = ()
        self._nested: list[Macro] = []
        self._lets: dict[str, str] = {}
        self._undefined: set[str] = set()
        r"""Names that ``\let`` makes undefined: what defines them next counts, wherever it stands."""
        self._primitives: dict[str, str] = {}
        """Names that stand for what a command of LaTeX means before anything is defined."""

    # What is known.

    @property
    def facts(self) -> Facts:
        """What conditionals may ask for at this place."""
        known = {**self.flags, CHAPTERS: self.has_chapters}
        known.update((PACKAGE + name, True) for name in self.packages)
        options = (self.class_options, *self.packages.values())
        known.update((OPTION + name, True) for given in options for name in given)
        return Facts(known, self.present, is_complete=self.has_class)

    @property
    def present(self) -> ChainMap[str, Macro]:
        """The commands as they are defined at the place that is read."""
        return ChainMap(self._changed, self.commands)

    def certain_flags(self) -> dict[str, bool]:
        """The flags whose value holds all over the text of the document."""
        return {name: value for name, value in self.flags.items() if name not in self._doubtful}

    def makes(self, macro: Macro) -> bool:
        """Whether a macro defines, declares or reads something, by itself or by others."""
        known = self._known_effects
        if macro.name not in known:
            reached, pending, having = {macro.name}, [macro], list[str]()
            callers: defaultdict[str, list[str]] = defaultdict(list)
            while pending:
                one = pending.pop()
                for name in _commands_of(one.body):
                    if self._has_effect(name) or known.get(name):
                        having.append(one.name)
                    elif name not in known and (used := self.commands.get(name)):
                        callers[name].append(one.name)
                        if name not in reached:
                            reached.add(name)
                            pending.append(used)
            known.update(dict.fromkeys(reached, False))
            while having:
                if not known[name := having.pop()]:
                    known[name] = True
                    having += callers[name]
        return known[macro.name]

    def _has_effect(self, name: str) -> bool:
        if name in EFFECTS or EXPL3.fullmatch(name):
            return True
        flag = name.removesuffix("true").removesuffix("false")
        return flag != name and f"if{flag}" in self._declared

    # Reading.

    def run(self, text: str, found: FileEntries, *, package: bool = False, calls: bool = True) -> Iterator[Entry]:
        """Read a text; what is no macro and no flag is given to the caller, in order.

        Args:
            text: The text of a file.
            found: What it defines by pattern.
            package: Whether it is a class or package, in which no document begins.
            calls: Whether calls of macros are run, besides what is found by pattern.
        """
        if not self.in_document:
            self.commands.update((name, Macro.of(name, 0, label)) for name, label in list_settings(text))
        events = self._events(text, found, 0, calls=calls)
        later: list[tuple[int, int]] = []
        skip, at, outer, declared = 0, 0, len(self._undecided), -1
        while at < len(events):
            start, _, event = events[at]
            at += 1
            while later and later[0][0] <= start:
                skip = max(skip, heappop(later)[1])
            self._leave(start, outer)
            # One command may declare several theorems.
            if start < skip and not (isinstance(event, Placed) and start == declared):
                continue
            if isinstance(event, Conditional):
                skip = max(skip, self._enter(event, later))
            elif isinstance(event, Placed) and not isinstance(event.entry, BeginDocument):
                skip, declared = max(skip, event.end), start
                before = self._changes
                yield from self.add(event.entry)
                if isinstance(event.entry, Load | Input) and self._changes != before:
                    # The file that was read in between may define what is called here.
                    events, at = self._events(text, found, start + 1, calls=calls), 0
            elif isinstance(event, Placed):
                if not package and not self.in_document:
                    self.in_document, self.first_flags = True, dict(self.flags)
            elif isinstance(event, re.Match):
                end = yield from self._call(text, event)
                skip = max(skip, end)
        self._leave(len(text) + 1, outer)

    def _events(self, text: str, found: FileEntries, first: int, *, calls: bool) -> list[tuple[int, int, object]]:
        """What is to be done with a text from a place on: conditionals, entries and calls, in order."""
        events: list[tuple[int, int, object]] = [(one.start, 1, one) for one in found.entries if one.start >= first]
        if calls:
            pattern = _pattern(self._names_to_run(found))
            events += [(match.start(), 2, match) for match in pattern.finditer(text, first)]
        starts = sorted(event[0] for event in events)
        events += [
            (one.start, 0, one)
            for one in found.conditionals
            if one.start >= first and bisect_left(starts, one.start) < bisect_left(starts, one.end)
        ]
        return sorted(events, key=lambda event: event[:2])

    def _names_to_run(self, found: FileEntries) -> tuple[str, ...]:
        """The commands of a text that the engine runs: those that define, and those that set flags."""
        entries = [one.entry for one in found.entries]
        own = {one.macro.name: one.macro for one in entries if isinstance(one, Defined) and one.macro.ending is None}
        lets = {one.name for one in entries if isinstance(one, Alias) and one.other in EFFECTS}
        declared = {one.name for one in entries if isinstance(one, Flag)}
        if self._names and self._seen_changes == self._changes and not own and not lets and not declared:
            return self._names
        self._seen_changes = self._changes
        before, self.commands = self.commands, {**self.commands, **own}
        self._known_effects.clear()
        names = {name for name, macro in self.commands.items() if self.makes(macro)}
        self.commands = before
        self._known_effects.clear()
        flags = {name.removeprefix("if") for name in (*self._declared, *declared) if name.startswith("if")}
        names.update(f"{flag}{value}" for flag in flags for value in ("true", "false"))
        names |= {*PROGRAMS, *lets} - _IN_CODE_ONLY
        self._names = tuple(sorted(name for name in names if name.replace("@", "a").isalpha()))
        return self._names

    def _call(self, text: str, match: re.Match[str]) -> Generator[Entry, None, int]:
        """Run a call; give what it makes, and return where the text goes on."""
        name = match[1]
        if (
            self.in_document
            and name in PROGRAMS
            and not (name in LOOPS and _READS_FILE.search(text, match.end(), match.end() + 2_000))
        ):
            return match.end()
        if name == "expandafter" and not _DEFINES_AFTER.match(text, match.start()):
            return match.end()
        macro = self.commands.get(name)
        known = name in PROGRAMS or (macro is not None and self.makes(macro)) or self._sets_flag(name) or ":" in name
        if not known or self._calls >= _MAX_CALLS or self._failed[name] >= _MOST_FAILURES:
            return match.end()
        self._calls += 1
        try:
            done = self.engine(self.present, self.facts).run(text, match.start())
        except CannotRun as error:
            self.notes.append(Note(name, match.start(), str(error)))
            self._failed[name] += name not in PROGRAMS
            return match.end()
        self.is_running = True
        for entry in done.entries:
            yield from self.add(entry)
        self.is_running = False
        return max(match.end(), done.end) if done.entries or name in PROGRAMS else match.end()

    def engine(self, commands: ChainMap[str, Macro], facts: Facts) -> Engine:
        """What runs a call where these commands are defined and these facts hold."""
        return Engine(commands, facts, self.makes, self._sets_flag)

    def _sets_flag(self, name: str) -> bool:
        return f"if{name.removesuffix('true').removesuffix('false')}" in self._declared

    def add(self, entry: Entry) -> Iterator[Entry]:
        """Take in a macro or a flag; anything else is for the caller, too."""
        if isinstance(entry, Defined):
            self._define(entry)
            if entry.macro.name.startswith("the"):
                yield entry  # How a counter is printed.
        elif isinstance(entry, Alias):
            self._let(entry)
            yield entry
        elif isinstance(entry, Flag):
            self._set(entry)
        else:
            if isinstance(entry, Load):
                options = tuple(map(str.strip, entry.option.split(",")))
                if entry.command in CLASS_COMMANDS or entry.command.startswith("LoadClass"):
                    self.has_class = True
                    self.class_options = (*self.class_options, *options)
                else:
                    self._load(entry.names, options)
            yield entry

    def _load(self, names: Iterable[str], options: tuple[str, ...]) -> None:
        self.packages.update(dict.fromkeys(names, options))
        for name in names:
            for macro in _package_macros(name).values():
                self.commands.setdefault(macro.name, macro)

    def _set(self, flag: Flag) -> None:
        self._changes += flag.name not in self._declared
        self._declared.add(flag.name)
        if flag.value is None or self._undecided:
            self.flags.pop(flag.name, None)
            return
        if self.in_document and self.flags.get(flag.name) != flag.value:
            self._doubtful.add(flag.name)
        self.flags[flag.name] = flag.value

    def _let(self, alias: Alias) -> None:
        r"""``\let``: a macro keeps its present meaning under the other name; a flag may be set by it."""
        name, other = alias
        if name.startswith("if") and other in _BY_LET:
            self._set(Flag(name, _BY_LET[other]))
            return
        if other in _UNDEFINED and other not in self.commands:
            self._undefined.add(name)
            return
        # The same \let again is the preamble of another document, which begins with the old meaning.
        if self._lets.get(name) == other:
            return
        self._lets[name] = other
        if other.replace("@", "a").isalpha():
            self.aliases.setdefault(name, other)
        meant = self.commands.get(other)
        if meant is not None and meant.body == f"\\{name}":
            self.commands.pop(name, None)  # \let\old\new, then \let\new\old.
            return
        if meant is not None and mentions(meant.body, name):
            meant = None
        primitive = other if meant is None else self._primitives.get(other, "")
        self._put(replace(meant, name=name) if meant else Macro(name, (), f"\\{other}"), again=name in BUILT_IN)
        if primitive:
            self._primitives[name] = primitive

    def _define(self, entry: Defined) -> None:
        macro = entry.macro
        if macro.ending is None:
            self._note_nested(macro)
        if macro.ending is not None:
            if macro.name in self.environments and (entry.is_provided or self.in_document):
                self._note_change(self.environments[macro.name], macro)
                return
            self.environments[macro.name] = macro
            return
        if entry.is_provided and macro.name in self.commands:
            return
        if entry.is_provided and entry.command == "providecommand" and macro.name in BUILT_IN:
            return
        self._lets.pop(macro.name, None)
        self._put(macro, again=entry.command.startswith(("renew", "Renew")) or macro.name in BUILT_IN)

    def _put(self, macro: Macro, *, again: bool) -> None:
        name = macro.name
        if name in _STRUCTURE:
            return
        self._primitives.pop(name, None)
        if "\\csname" in macro.body:
            macro = replace(macro, body=_CONSTANT_NAME.sub(r"\\\1 ", macro.body))
        if any(one.kind == "processed" for one in macro.parameters):
            macro = replace(macro, is_certain=False)
        if macro.body == f"\\{UNDECIDED}{{{name}}}":
            macro = Macro.undecided(name)
        if name in self.commands and mentions(macro.body, name) and not may_ask(macro.body):
            return  # It is defined in terms of the older one.
        if self.in_document and name in self.commands and name not in self._undefined:
            self._note_change(self.commands[name], macro)
            self._changed[name] = macro
            return
        if self._undecided:
            self._undecided[-1].before.setdefault(name, self.commands.get(name))
            if again:
                self._undecided[-1].again.add(name)
        self._undefined.discard(name)
        self._known_effects.pop(name, None)
        self._changes += 1
        self.commands[name] = macro

    def _note_change(self, old: Macro, new: Macro) -> None:
        if old != new:
            self.redefined.add(new.name)

    def _note_nested(self, macro: Macro) -> None:
        """Note what the code of a macro defines: it counts if the macro is never run and nothing else does."""
        for match in islice(_NESTED.finditer(macro.body), 50):
            if not match[1].startswith(("renew", "Renew")):
                inner = read_definition(macro.body, match[1], match.end()).macro
                if inner is not None and inner.ending is None and "#" not in inner.body:
                    self._nested.append(inner)

    def _write_out_names(self) -> None:
        """Write names of LaTeX 3 with letters that names have elsewhere, where the code of a macro is expanded."""

        def written(match: re.Match[str]) -> str:
            name = match[1]
            is_known = name in self.commands and not name.startswith(_VARIABLES)
            return f"\\{_plain(name)}" if is_known or _CONSTANT.fullmatch(name) else match[0]

        for name, macro in list(self.commands.items()):
            if "_" in macro.body and (body := _NAME.sub(written, macro.body)) != macro.body:
                self.commands[name] = replace(macro, body=body)
            if "_" in name:
                self.commands[_plain(name)] = replace(self.commands[name], name=_plain(name))

    # Conditionals that cannot be decided.

    def _enter(self, one: Conditional, later: list[tuple[int, int]]) -> int:
        """Enter a conditional; give where what counts begins."""
        chosen = taken(one, self.facts)
        if chosen is None:
            self._undecided.append(_Undecided(one))
            return 0
        begin, stop = one.branches[chosen] if 0 <= chosen < len(one.branches) else (one.end, one.end)
        heappush(later, (stop, one.end))
        return begin

    def _leave(self, at: int, outer: int) -> None:
        """Leave the branches of this text that end before a place; `outer` ones are those of the files that read it."""
        while len(self._undecided) > outer:
            open_one = self._undecided[-1]
            ended = sum(stop <= at for _, stop in open_one.one.branches)
            while len(open_one.branches) < ended:
                self._end_branch(open_one)
            if at < open_one.one.end:
                break
            self._undecided.pop()
            self._join(open_one)

    def _end_branch(self, one: _Undecided) -> None:
        """Note what a branch leaves behind, and go back to what was before it."""
        one.branches.append({name: self.commands.get(name) for name in one.before})
        for name, value in one.before.items():
            if value is None:
                self.commands.pop(name, None)
            else:
                self.commands[name] = value
        one.before = {}

    def _join(self, one: _Undecided) -> None:
        """Several definitions may count: the first one stands for all, and is not certain."""
        for name in dict.fromkeys(name for branch in one.branches for name in branch):
            before, again = self.commands.get(name), name in one.again
            values = [branch.get(name, before) for branch in one.branches]
            known = [value for value in values if value is not None]
            if not known:
                continue
            same = all(value == known[0] for value in known) and not (again and None in values)
            self._put(known[0] if same else replace(known[0], is_certain=False), again=again)

    def finish(self) -> None:
        """End the document: what only the code of macros defines, and what older meanings are."""
        for name in typography(self.packages, self.class_options):
            self.commands.setdefault(name, Macro.of(name, 0, ""))
        for macro in self._nested:
            self.commands.setdefault(macro.name, macro)
        for name, other in self._primitives.items():
            target, own = self.commands.get(other), self.commands.get(name)
            if target is None or own is None:
                continue
            if other not in self._lets and mentions(target.body, name) and _SPACING.search(target.body):
                # \\let\\oldleft\\left, then \\left with other space around \\oldleft: they say the same.
                del self.commands[other]
            elif other.isalpha():
                # \\let\\oldphi\\phi, then \\phi is something else, perhaps in terms of \\oldphi.
                self.commands[name] = Macro(name, (), f"\\{PRIMITIVE}{{{other}}}")
        self._write_out_names()


def _plain(name: str) -> str:
    return name.replace("_", "@").replace(":", "@")


@lru_cache(maxsize=32)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\\({either(names)}|[a-z]++_[a-z_]++:[a-zA-Z]++)(?![a-zA-Z@])")


@lru_cache(maxsize=20_000)
def _commands_of(code: str) -> frozenset[str]:
    return frozenset(_COMMANDS.findall(code))


@cache
def _package_macros(name: str) -> Macros:
    return macros_of([PACKAGES[name]]) if name in PACKAGES else {}


def macros_of(texts: Iterable[str]) -> dict[str, Macro]:
    """The commands that texts define, read in order."""
    table = MacroTable()
    for text in texts:
        read_text(table, text)
    table.finish()
    return table.commands


def read_text(table: MacroTable, text: str) -> None:
    """Read the definitions of a text into a table; nothing else of it counts."""
    for _ in table.run(text, read_entries(text, scan(text, DEFINITIONS_ONLY).tokens)):
        pass
