"""From a main file, through all it reads, to the language it is written in."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from naturalproofs.latex.declarations import CLASS_THEOREMS, Declaration
from naturalproofs.latex.definitions import (
    BASE,
    Alias,
    Count,
    External,
    Fact,
    Input,
    Load,
    Only,
    Restated,
    Style,
    Verbatim,
    declares,
    read_file_definitions,
)
from naturalproofs.latex.expansion import expand
from naturalproofs.latex.files import TexFile, scan_text
from naturalproofs.latex.kinds import PROOF, Role, Sense, by_environment_name, by_printed_name
from naturalproofs.latex.macros import Macro
from naturalproofs.latex.tree import Refused, Tree, read_input

_BEGUN = re.compile(r"\\begin\s*\{([^{}#]*)\}")
_ENDED = re.compile(r"\\end([a-zA-Z]+)")
_LETTERS = re.compile(r"\\@?(?:[Aa]lph|[Rr]oman)")


@dataclass
class DocumentDefinitions:
    """All facts of a document; the first meaning of a name counts until the text changes it."""

    declarations: dict[str, Declaration] = field(default_factory=dict)
    senses: dict[str, Sense] = field(default_factory=dict)
    commands: dict[str, Macro] = field(default_factory=dict)
    environments: dict[str, Macro] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    """Environments that the document uses."""
    aliases: dict[str, str] = field(default_factory=dict)
    counts: list[tuple[str, Count]] = field(default_factory=list)
    """Counter commands of packages, with the text they stand in."""
    packaged: list[Macro] = field(default_factory=list)
    """How packages print counters."""
    externals: list[tuple[str, External]] = field(default_factory=list)
    """Other documents, with the file that names them."""
    verbatim: set[str] = field(default_factory=set)
    restated: set[str] = field(default_factory=set)
    only: frozenset[str] | None = None
    document_class: str = ""
    style: str = ""
    chapters: bool = False
    """Whether the document has chapters."""
    letters: bool = False
    """Whether numbers may begin with letters, as in appendices."""

    def add(self, fact: Fact, path: str, text: str, *, package: bool) -> None:
        """Take one fact in; `package` says that its file is not part of the text."""
        match fact:
            case Declaration():
                self._declare(fact)
            case Macro():
                (self.commands if fact.ending is None else self.environments).setdefault(fact.name, fact)
                self.used.update(_BEGUN.findall(fact.body), _ENDED.findall(fact.ending or ""))
                self.letters = self.letters or bool(fact.name.startswith("the") and _LETTERS.search(fact.body))
                if package and fact.name.startswith("the"):
                    self.packaged.append(fact)
            case Alias():
                self.aliases.setdefault(fact.name, fact.other)
            case Count():
                self.letters = self.letters or fact.command == "appendix"
                if package:
                    self.counts.append((text, fact))
            case External():
                self.externals.append((path, fact))
            case Load():
                self._load(fact)
            case _:
                self._note(fact)

    def _load(self, fact: Load) -> None:
        """The first class counts, unless it is one for parts, or is itself made from another one."""
        first = fact.command == "documentclass" and self.document_class in ("", "subfiles", "standalone")
        if fact.names and (first or fact.command.startswith("LoadClass")):
            self.document_class = fact.names[0]

    def _note(self, fact: Fact) -> None:
        match fact:
            case Style():
                self.style = fact.name
            case Verbatim():
                self.verbatim.add(fact.name)
            case Restated():
                self.restated.add(fact.command)
            case Only():
                self.only = fact.names
            case _:
                pass

    def _declare(self, declaration: Declaration) -> None:
        if declaration.name in self.declarations:
            return
        style = declaration.style or self.style
        self.declarations[declaration.name] = declaration
        self.senses[declaration.name] = PROOF if style == "proof" else by_printed_name(declaration.printed, style)

    def senses_of_all(self, overrides: Mapping[str, Role]) -> dict[str, Sense]:
        """What every environment holds: as declared, by its usual meaning, and as overridden above all."""
        for declaration in CLASS_THEOREMS.get(self.document_class, ()):
            if declaration.name not in self.environments:
                self._declare(declaration)
        senses = dict(self.senses)
        for name in sorted(self.used | set(self.environments)):
            if name not in senses and (sense := self._usual(name)):
                senses[name] = sense
        for name, other in self.aliases.items():
            if other in senses and self.aliases.get(f"end{name}") == f"end{other}":
                senses[name] = senses[other]
                if other in self.declarations:
                    self.declarations[name] = replace(self.declarations[other], name=name, like=other)
        for name, role in overrides.items():
            known = senses.get(name) or by_environment_name(name) or Sense(role, name.casefold())
            senses[name] = Sense(role, known.family, known.provable)
        return senses

    def _usual(self, name: str) -> Sense | None:
        base = name.rstrip("*")
        return self.senses[base] if base in self.senses else by_environment_name(name)


_SUFFIX = {"documentclass": ".cls", "LoadClass": ".cls", "LoadClassWithOptions": ".cls"}
_MOST_CALLS = 1_000
"""Calls of macros that declare theorems; more of them are not looked at."""


class Discovery:
    """Walks over the files of one document, each once, and gathers what they say."""

    def __init__(self, tree: Tree) -> None:
        """Nothing is known yet."""
        self.tree = tree
        self.gathered = DocumentDefinitions()
        self.seen: set[str] = set()
        self.files: list[TexFile] = []

    def run(self, main: TexFile) -> DocumentDefinitions:
        """Gather the facts of a document."""
        self._visit(main, self.tree.root / Path(main.path).parent, package=False)
        for macro in [macro for macro in self.gathered.commands.values() if macro.parameters and declares(macro)]:
            self._use(macro)
        return self.gathered

    def _visit(self, file: TexFile, folder: Path, *, package: bool) -> None:
        # An explicit stack: a chain of a thousand files must not exhaust Python's own.
        pending = [self._facts(file, folder, package=package)]
        while pending:
            if (found := next(pending[-1], None)) is None:
                pending.pop()
            elif found[0].path not in self.seen:
                pending.append(self._facts(*found[:2], package=found[2]))

    def _facts(self, file: TexFile, folder: Path, *, package: bool) -> Iterator[tuple[TexFile, Path, bool]]:
        """Take in the facts of a file, and yield the files that it reads, in between."""
        self.seen.add(file.path)
        self.files.append(file)
        facts = self.tree.definitions(file)
        if not package:
            self.gathered.used |= facts.environments
            self.gathered.chapters = self.gathered.chapters or facts.has_chapters
        for fact in facts.facts:
            if isinstance(fact, Input):
                yield from self._input(file, fact, folder, package=package)
            elif isinstance(fact, Load):
                self.gathered.add(fact, file.path, file.text, package=package)
                yield from self._load(fact, folder)
            else:
                self.gathered.add(fact, file.path, file.text, package=package)

    def _input(
        self, file: TexFile, fact: Input, folder: Path, *, package: bool
    ) -> Iterator[tuple[TexFile, Path, bool]]:
        want = read_input(file.text, fact.token, folder, self.tree.root, self.gathered.commands)
        found = want and self.tree.follow(file, fact.token.name, want)
        if isinstance(found, TexFile) and want:
            yield found, self.tree.inner_folder(found, fact.token.name, want), package

    def _load(self, fact: Load, folder: Path) -> Iterator[tuple[TexFile, Path, bool]]:
        if fact.names == ("subfiles",) and fact.option:
            found = self.tree.find(fact.option, (folder, self.tree.root), ("", ".tex"))
            if not isinstance(found, Refused) and (main := self.tree.open(found)):
                yield main, found.parent, False
            return
        for name in fact.names:
            found = self.tree.find(name, (folder, self.tree.root), (_SUFFIX.get(fact.command, ".sty"),))
            if not isinstance(found, Refused) and (file := self.tree.open(found)):
                yield file, folder, True

    def _use(self, macro: Macro) -> None:
        r"""Take in what a macro such as ``\newthm{lemma}{Lemma}`` declares where it is used."""
        call = re.compile(rf"\\{macro.name}(?![a-zA-Z@])")
        for file in self.files:
            for match, _ in zip(call.finditer(file.text), range(_MOST_CALLS), strict=False):
                expansion = expand(macro, file.text, match.start(), match.end(), file.positions)
                if expansion is None:
                    continue
                for fact in read_file_definitions(scan_text(file, expansion.text, expansion.positions, BASE)).facts:
                    self.gathered.add(fact, file.path, expansion.text, package=True)
