"""The facts of all files of a document, sorted by what they are about."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from naturalproofs.latex.classes import CLASS_THEOREMS
from naturalproofs.latex.declarations import Declaration
from naturalproofs.latex.facts import Alias, Count, External, Fact, Load, Only, Restated, Style, Verbatim
from naturalproofs.latex.kinds import PROOF, Sense, by_environment_name, by_printed_name
from naturalproofs.latex.macros import Macro
from naturalproofs.latex.words import Role

_BEGUN = re.compile(r"\\begin\s*\{([^{}#]*)\}")
_ENDED = re.compile(r"\\end([a-zA-Z]+)")
_LETTERS = re.compile(r"\\@?(?:[Aa]lph|[Rr]oman)")


@dataclass
class Gathered:
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

    def settle(self, overrides: Mapping[str, Role]) -> dict[str, Sense]:
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
