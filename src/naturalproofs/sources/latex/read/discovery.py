"""The definitions of a whole document: from its main file through all the files it reads."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from naturalproofs.sources.latex.macros.entries import (
    BoxCounter,
    Count,
    Declaration,
    Defined,
    Entry,
    External,
    Input,
    ListKeys,
    Load,
    Placed,
    Setting,
    key_values,
    printed_name,
)
from naturalproofs.sources.latex.macros.expansion import expand_all
from naturalproofs.sources.latex.macros.macro import PRIMITIVE, Macro
from naturalproofs.sources.latex.macros.packages import (
    DEFERRED,
    GERMAN_SHORTHANDS,
    WITH_CHAPTERS,
    class_theorems,
    is_known_class,
    package_theorems,
)
from naturalproofs.sources.latex.macros.table import CLASS_COMMANDS, MacroTable
from naturalproofs.sources.latex.project.tree import TexFile, Tree, follow_inputs, is_like_input
from naturalproofs.sources.latex.read.headings import headings_in, is_bare, statement_heading
from naturalproofs.sources.latex.scan.scanner import IN_TEXT, Token, TokenKind
from naturalproofs.sources.reading.kinds import (
    NOT_ENVIRONMENTS,
    PROOF,
    SOLUTION,
    Role,
    Sense,
    by_assumed_name,
    by_environment_name,
    by_numbered_word,
    by_printed_name,
    is_solution,
)
from naturalproofs.sources.reading.project_folder import Refused

_BEGUN = re.compile(r"\\begin\s*\{([^{}#]*)\}")
_ENDED = re.compile(r"\\end([a-zA-Z]+)")
_LETTERS = re.compile(r"\\@?(?:[Aa]lph|[Rr]oman)")
_STEPS = re.compile(r"\\(?:ref)?stepcounter\s*+\{([^{}\\#]++)\}")
_HEADING_WORD = re.compile(
    r"(?<![\\\w])(\w++)(?:[~\s{}]|\\[ ,]|\\nobreakspace)*+\\(?:the[a-zA-Z@]++|arabic\s*+\{)"
    r"|title\s*+=\s*+\{?+\s*+(\w++)(?=[~\s]*+(?:[],:.}(#]|$))"
)
"""A word before a number, or in the title of a box."""
_CLASS_SUFFIX = {"documentclass": ".cls", "LoadClass": ".cls", "LoadClassWithOptions": ".cls"}
_PROGRAM = re.compile(r"\\(?:if|else|fi|[a-zA-Z]*+[@_:])")
"""Code whose expansion depends on what TeX knows when it runs."""
_APPENDICES = frozenset({"appendix", "appendices"})
_Visit: TypeAlias = tuple[TexFile, Path, bool]
"""A file to visit, where names in it are looked up, and whether it is a package."""


@dataclass
class DocumentDefinitions:
    """The definitions of all files of a document; the first one of a name counts until the text changes it."""

    declarations: dict[str, Declaration] = field(default_factory=dict)
    senses: dict[str, Sense] = field(default_factory=dict)
    table: MacroTable = field(default_factory=MacroTable)
    commands: dict[str, Macro] = field(default_factory=dict)
    """The commands of the table that are more than other names of what LaTeX defines."""
    environments: dict[str, Macro] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    """Environments that the document uses."""
    aliases: dict[str, str] = field(default_factory=dict)
    counts: list[Count] = field(default_factory=list)
    """Counter commands of packages, and of macros in the preamble."""
    box_counters: list[Declaration] = field(default_factory=list)
    """Counters of boxes that are defined as environments."""
    formats: list[Macro] = field(default_factory=list)
    """How packages print counters."""
    externals: list[tuple[str, External]] = field(default_factory=list)
    """Other documents, with the file that names them."""
    box_styles: dict[str, dict[str, str]] = field(default_factory=dict)
    r"""The styles of boxes, by the names that ``\tcbset`` gives them."""
    lists: dict[str, dict[str, str]] = field(default_factory=dict)
    """The lists that the project defines, with their settings."""
    verbatim: set[str] = field(default_factory=set)
    restated: set[str] = field(default_factory=set)
    deferred: set[str] = field(default_factory=set)
    """Environments whose text is printed elsewhere, such as solutions at the end of the book."""
    input_commands: set[str] = field(default_factory=set)
    r"""Further commands that read files, such as ``\olimport``."""
    flags: Mapping[str, bool] = field(default_factory=dict)
    r"""Conditionals of the author whose value is certain, such as ``iflong``."""
    document_class: str = ""
    class_options: tuple[str, ...] = ()
    packages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The packages that are loaded, with their options."""
    style: str = ""
    numeral: str = "arabic"
    """How the numbers of theorems are printed that are declared next."""
    lacks_declarations: bool = False
    """Whether a file that the preamble reads is missing."""
    begins_in_input: bool = False
    """Whether the text begins in a file that the main file reads after naming the class."""
    chapters: bool = False
    """Whether the document has chapters."""
    exercise_sections: bool = False
    """Whether a section is headed as exercises."""
    letters: bool = False
    """Whether numbers may begin with letters, as in appendices."""

    def add(self, entry: Entry, path: str, *, package: bool) -> None:
        """Add one entry of a file; `package` says that the reader will not come across it in the text."""
        match entry:
            case Declaration():
                self._declare(entry)
            case Defined(macro, _) if package:
                self.formats.append(macro)
            case BoxCounter(counter):
                self.box_counters.append(counter)
            case Count(command):
                self.letters = self.letters or command in _APPENDICES
                if package and command not in IN_TEXT:
                    self.counts.append(entry)
            case External():
                self.externals.append((path, entry))
            case Load():
                self._load(entry)
            case Setting() | ListKeys():
                self._set(entry)

    def _load(self, load: Load) -> None:
        options = tuple(map(str.strip, load.option.split(",")))
        # The first class counts, unless it is one for parts, or is itself made from another one.
        by_document = load.command in CLASS_COMMANDS
        first = by_document and self.document_class in ("", "subfiles", "standalone")
        if load.names and (first or load.command.startswith("LoadClass")):
            self.document_class, self.class_options = load.names[0], (*self.class_options, *options)
        elif load.command in ("usepackage", "RequirePackage"):
            self.packages.update(dict.fromkeys(load.names, options))
            self.deferred.update(chain.from_iterable(DEFERRED.get(name, ()) for name in load.names))

    @property
    def has_chapters(self) -> bool:
        """Whether the document, or its class, has chapters."""
        return self.chapters or self.document_class in WITH_CHAPTERS

    @property
    def has_german_shorthands(self) -> bool:
        """Whether a quotation mark before a letter stands for an accent."""
        return GERMAN_SHORTHANDS in self.table.commands

    def _set(self, setting: Setting | ListKeys) -> None:
        if isinstance(setting, ListKeys):
            for name in setting.names:
                if setting.is_new or name in self.lists:
                    self.lists.setdefault(name, {}).update(key_values(setting.keys))
            return
        if setting.kind == "box-style":
            styles = key_values(setting.name).items()
            self.box_styles.update((key.removesuffix("/.style"), key_values(value)) for key, value in styles)
        elif setting.kind in ("style", "numeral"):
            setattr(self, setting.kind, setting.name)
        else:
            found: set[str] = getattr(self, setting.kind)
            found.add(setting.name)

    def take_over(self) -> None:
        """Take the macros over from the table, once all files are read."""
        table = self.table
        table.commands.pop("jobname", None)
        table.finish()
        self.flags, self.aliases, self.environments = table.certain_flags(), table.aliases, table.environments
        names = table.aliases
        self.commands = {
            name: macro
            for name, macro in table.commands.items()
            if name not in names or macro.body not in (f"\\{names[name]}", f"\\{PRIMITIVE}{{{names[name]}}}")
        }
        for macro in (*self.commands.values(), *self.environments.values()):
            self.used.update(_BEGUN.findall(macro.body), _ENDED.findall(macro.ending or ""))
            if macro.name.startswith("the"):
                self.letters = self.letters or bool(_LETTERS.search(macro.body))

    def _declare(self, declaration: Declaration) -> None:
        if declaration.name in self.declarations and not declaration.again:
            return
        numeral = self.numeral if declaration.numeral == "arabic" else declaration.numeral
        style = declaration.style or self.style
        numbered = declaration.numbered and not style.startswith("nonumber")
        separators = (self.box_styles.get(one, {}).get("label separator") for one in declaration.box_styles)
        if (separator := next((one for one in separators if one is not None), None)) is not None:
            declaration = replace(declaration, prefix=(declaration.prefix or "").removesuffix(":") + separator)
        self._set_sense(replace(declaration, style=style, numeral=numeral, numbered=numbered))

    def _set_sense(self, declaration: Declaration) -> None:
        name, printed, style = declaration.name, declaration.printed, declaration.style
        self.declarations[name] = declaration
        self.senses[name] = PROOF if style == "proof" else by_printed_name(printed, style, name)

    def _complete_declarations(self) -> None:
        """Put in what the declarations name by commands, or by other environments."""
        for declaration in [one for one in self.declarations.values() if one.source or "\\" in one.within]:
            printed = printed_name(expand_all(declaration.source, self.commands)) or declaration.printed
            within = expand_all(declaration.within, self.commands).strip()
            self._set_sense(replace(declaration, printed=printed, within=within))
        for declaration in [one for one in self.declarations.values() if one.same_as in self.declarations]:
            same = self.declarations[declaration.same_as]
            self._set_sense(replace(declaration, printed=same.printed, style=same.style))

    def _by_heading(self, name: str) -> Sense | None:
        r"""What an environment is by the heading it prints: ``\textbf{Lemma.}``, ``Lemma \thelemma``, ``title=Lemma``.

        A heading in a font counts if a stop, a number or a name shows that it is one.
        """
        macro = self.environments.get(name)
        if macro is None:
            return None
        code = expand_all(macro.body, self.commands)
        for heading in headings_in(code):
            if is_bare(heading.plain):
                return PROOF
            found = statement_heading(heading)
            if found and found.is_marked and found.sense.family not in NOT_ENVIRONMENTS:
                return found.sense
        for numbered, titled in _HEADING_WORD.findall(code):
            sense = by_numbered_word(numbered or titled)
            if sense and sense.role != "proof" and (numbered or sense.family not in NOT_ENVIRONMENTS):
                return sense
        return None

    def _holds_solutions(self, name: str) -> bool:
        declared = self.declarations.get(name.rstrip("*"))
        return is_solution(declared.printed if declared and declared.printed else name)

    def stepped_counters(self) -> Iterator[tuple[str, str]]:
        r"""Environments that the project defines by itself, each with the counter that it steps."""
        begins = {name: macro.body for name, macro in self.environments.items()}
        for name in self.used & self.commands.keys():
            if f"end{name}" in self.commands:
                begins.setdefault(name, self.commands[name].body)
        for name, code in begins.items():
            if match := _STEPS.search(code) or _STEPS.search(expand_all(code, self.commands)):
                yield name, match[1].strip()

    def senses_of_all(self, overrides: Mapping[str, Role]) -> dict[str, Sense]:
        """What every environment holds: as declared, by its usual meaning, and as overridden above all."""
        predefined = [class_theorems(self.document_class, self.class_options)]
        predefined.extend(package_theorems(name, options) for name, options in self.packages.items())
        if "algorithm" in self.used and "algorithm" not in self.commands:
            predefined.append(package_theorems("algorithm", ()))  # Many classes load a package for them.
        for declaration in chain.from_iterable(predefined):
            if declaration.name not in self.environments:
                exists = self.has_chapters or declaration.within != "chapter"
                self._declare(declaration if exists else replace(declaration, within=""))
        self._complete_declarations()
        senses = dict(self.senses)
        for name in sorted((self.used | set(self.environments)) - self.lists.keys()):
            base = name.rstrip("*")
            sense = self.senses[base] if base in self.senses else by_environment_name(name) or self._by_heading(name)
            if sense is None and self.lacks_declarations:
                sense = by_assumed_name(name)
            if sense is not None:
                senses.setdefault(name, sense)
        for name, other in self.aliases.items():
            if other in senses and self.aliases.get(f"end{name}") == f"end{other}":
                senses[name] = senses[other]
                if other in self.declarations:
                    self.declarations[name] = replace(self.declarations[other], name=name, like=other)
        known = {*self.declarations, *self.environments, *self.used}
        senses |= dict.fromkeys(filter(self._holds_solutions, known), SOLUTION)
        for name, role in overrides.items():
            usual = senses.get(name) or by_environment_name(name) or Sense(role, name.casefold())
            senses[name] = PROOF if role == "proof" else Sense(role, usual.family, usual.provable)
        return senses


class Discovery:
    """Visits the files of one document, each once, and collects what they define."""

    def __init__(self, tree: Tree) -> None:
        """Start with nothing."""
        self.tree = tree
        self.definitions = DocumentDefinitions()
        self.table = self.definitions.table
        self._seen: dict[str, None] = {}
        """The paths of the files, in order."""
        self._checked: set[str] = set()
        """The macros that were checked for whether they read files."""
        self._home = tree.root
        self._main = ""
        self._names_class = False
        """Whether the main file names the class."""

    def run(
        self, main: TexFile, preamble: TexFile | None = None, others: Sequence[TexFile] = ()
    ) -> DocumentDefinitions:
        """Collect the definitions of a document.

        Args:
            main: Its main file.
            preamble: The file whose preamble holds, if it is another one.
            others: Files that are read after the main file.
        """
        self._home = self.tree.path((preamble or main).path).parent
        self.table.commands["jobname"] = Macro("jobname", (), Path(main.path).stem)
        self._main = main.path
        entries = self.tree.definitions(main).entries
        self._names_class = any(isinstance(one.entry, Load) and one.entry.command in CLASS_COMMANDS for one in entries)
        # An explicit stack: a chain of a thousand files must not exhaust Python's own.
        pending = [self._visit(one, self._home, package=False) for one in (*reversed(others), main)]
        if preamble is not None:
            pending.append(self._visit(preamble, self._home, package=True))
        while pending:
            if (found := next(pending[-1], None)) is None:
                pending.pop()
            elif found[0].path not in self._seen:
                pending.append(self._visit(*found[:2], package=found[2]))
        self.definitions.take_over()
        return self.definitions

    def files(self) -> Iterator[TexFile]:
        """The files that were visited, in order; those that are no longer in memory are read again."""
        return filter(None, (self.tree.open(self.tree.path(path)) for path in self._seen))

    def _visit(self, file: TexFile, folder: Path, *, package: bool) -> Iterator[_Visit]:
        """Add the entries of a file, and yield the files that it reads in between."""
        self._seen[file.path] = None
        found = self.tree.definitions(file)
        if not package:
            self.definitions.begins_in_input |= found.has_document and self._names_class and file.path != self._main
            self.definitions.used |= found.environments
            self.definitions.letters = self.definitions.letters or not found.environments.isdisjoint(_APPENDICES)
            self.definitions.chapters = self.definitions.chapters or found.has_chapters
            self.definitions.exercise_sections = self.definitions.exercise_sections or found.has_exercises
        self.table.has_chapters = self.definitions.has_chapters
        is_known = is_known_class(file.path)
        found = found._replace(entries=tuple(filter(_may_matter, found.entries))) if is_known else found
        for entry in self.table.run(file.text, found, package=package, calls=not is_known):
            if isinstance(entry, Input):
                yield from self._input(file, entry.text or file.text, entry.token, folder, package=package)
                continue
            called = self.table.is_running and not self.table.in_document
            self.definitions.add(entry, file.path, package=package or called)
            if isinstance(entry, Load):
                self.table.has_chapters = self.definitions.has_chapters
                yield from self._load(entry, folder)
        for name in () if package else sorted(self._input_commands()):
            for match in re.finditer(rf"\\{re.escape(name)}(?![a-zA-Z@])\*?+", file.text):
                token = Token(TokenKind.INPUT, match.start(), match.end(), name)
                yield from self._input(file, file.text, token, folder, package=False)

    def _input(self, file: TexFile, text: str, token: Token, folder: Path, *, package: bool) -> Iterator[_Visit]:
        for _, found, inner in follow_inputs(self.tree, file, text, token, folder, self._home, self.table.present):
            if isinstance(found, TexFile):
                yield found, inner, package
            elif isinstance(found, Refused) and not self.table.in_document:
                self.definitions.lacks_declarations = True

    def _input_commands(self) -> set[str]:
        """The macros that read files by their name, and whose code cannot be expanded."""
        names, commands = self.definitions.input_commands, self.table.commands
        new = commands.keys() - self._checked
        self._checked |= new
        names.update(name for name in new if is_like_input(name) and _PROGRAM.search(commands[name].body))
        return names

    def _load(self, load: Load, folder: Path) -> Iterator[_Visit]:
        if load.names == ("subfiles",) and load.option:
            found = self.tree.find(load.option, (folder, self.tree.root), ("", ".tex"))
            if not isinstance(found, Refused) and (main := self.tree.open(found)):
                yield main, found.parent, False
            return
        # In LaTeX 2.09 the options are packages.
        names = load.option.split(",") if load.command == "documentstyle" else load.names
        for name in filter(None, map(str.strip, names)):
            found = self.tree.find(name, (folder, self.tree.root), (_CLASS_SUFFIX.get(load.command, ".sty"),))
            if not isinstance(found, Refused) and (file := self.tree.open(found)):
                yield file, folder, True


def _may_matter(placed: Placed) -> bool:
    """Whether an entry of a class whose environments are known counts: its packages and plain commands do."""
    entry = placed.entry
    if isinstance(entry, Defined):
        macro = entry.macro
        return macro.ending is None and not macro.name.startswith("the") and by_environment_name(macro.name) is None
    return isinstance(entry, Load) and entry.command == "RequirePackage"
