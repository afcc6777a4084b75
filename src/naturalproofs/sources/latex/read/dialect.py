"""The dialect of one document: what its environments, macros and references mean."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar, cast

from naturalproofs.records import USES, AnchorKind, Kind
from naturalproofs.sources.latex.macros.entries import BASE, EXERCISE_HEADING, KERNEL, METADATA, RESTATABLE
from naturalproofs.sources.latex.macros.expansion import discards
from naturalproofs.sources.latex.macros.macro import Macro, has_internals, opening_alone, without_internals
from naturalproofs.sources.latex.read.citations import COMMAND_NAME, TextReferences
from naturalproofs.sources.latex.read.discovery import DocumentDefinitions
from naturalproofs.sources.latex.read.exercise_lists import ENUMERATE, ITEM, ITEMS, ExerciseList, find_exercise_lists
from naturalproofs.sources.latex.read.headings import (
    Opening,
    StatementHeading,
    headings_in,
    read_heading,
    read_opening,
    read_own_opening,
    statement_heading,
    statement_words,
)
from naturalproofs.sources.latex.read.numbering import FLOATS, NUMBERED_LISTS, OTHER_LISTS
from naturalproofs.sources.latex.scan.conditionals import CHAPTERS, Facts
from naturalproofs.sources.latex.scan.scanner import (
    COUNTER_COMMANDS,
    FIRST_WORD,
    HEADING_FONTS,
    HEADINGS,
    INPUTS,
    LABELS,
    PROOF_HEADING,
    SECTIONS,
    USUAL_REFERENCES,
    Vocabulary,
    either,
)
from naturalproofs.sources.reading.kinds import FAMILIES, SOLUTION, Role, Sense
from naturalproofs.sources.reading.settings import Heading, KeyStyle, Settings

_EQUATIONS = ("equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "xalignat", "dmath")
_LISTS = (*NUMBERED_LISTS, *OTHER_LISTS, "steps", "alist")
_FLOATS = (*FLOATS, "subfigure", "subfigure*", "longtable", "longtable*")

ANCHOR_KINDS: Mapping[str, AnchorKind] = {
    **dict.fromkeys(
        [*_EQUATIONS, *(f"{name}*" for name in _EQUATIONS), "subequations", "math", "displaymath"], "equation"
    ),
    **dict.fromkeys(_LISTS, "item"),
    **dict.fromkeys(_FLOATS, "float"),
}
"""What a label stands for, by the innermost environment around it."""

_SAME = re.compile(r"\s*+\\([a-zA-Z]++)\s*+")
_BEGINS = re.compile(r"\\begin\s*+\{([^{}]*+)\}")
_FORMAT = re.compile(r"\\(?:renewcommand\*?|def|gdef)\s*+\{?\s*+\\the[a-zA-Z]")
"""Says how a counter is printed."""
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*+\{([^{}]*+)\}")
_OPENS_VERBATIM = re.compile(r"\\(?:(?:[BL]?V|v)erbatim|VerbatimEnvironment|lstlisting|alltt)(?![a-zA-Z@])")
"""The code of an environment whose text is verbatim."""
_COMPUTES = re.compile(r"\\(?:(?:if|not)toggle|toggle(?:true|false)|settoggle)(?![a-zA-Z@])")


@dataclass(frozen=True)
class Dialect:
    """What the words of a document mean; the first half is enough for a book that is read by fixed rules."""

    kinds: Mapping[str, Kind]
    """Environments that hold statements, and of which kind."""
    neighbours: frozenset[str] = frozenset()
    """Environments that are left out, but whose proofs belong to nothing else."""
    provable: frozenset[str] = frozenset()
    """Environments that hold statements other than theorems, whose proofs are their own all the same."""
    proofs: frozenset[str] = frozenset({"proof"})
    solutions: frozenset[str] = frozenset()
    """Environments that hold solutions: proofs of the exercises before them."""
    proof_commands: Mapping[str, str] = field(default_factory=dict)
    """Commands that open a proof, and the command that closes it."""
    notes: frozenset[str] = frozenset()
    """Environments whose text is about a statement, not part of it."""
    headings: Mapping[str, Heading] = field(default_factory=lambda: HEADINGS)
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Headings that the project redefines as others: sections that are chapters."""
    anchors: Mapping[str, AnchorKind] = field(default_factory=lambda: ANCHOR_KINDS)

    reads_text: bool = False
    """Whether citations by number and sections headed as proofs are read."""
    definitions: DocumentDefinitions = field(default_factory=DocumentDefinitions)
    senses: Mapping[str, Sense] = field(default_factory=dict)
    commands: Mapping[str, Macro] = field(default_factory=dict)
    """Commands that are expanded."""
    computing: frozenset[str] = frozenset()
    """Those of them whose code is run: they set toggles that the text switches, or ask for them."""
    wrappers: Mapping[str, Macro] = field(default_factory=dict)
    """Environments that are expanded."""
    exercise_lists: Mapping[str, ExerciseList] = field(default_factory=dict)
    """Environments whose items are exercises."""
    heading_fonts: frozenset[str] = frozenset()
    """Commands that may begin a heading within a line, if the document has no environments for statements."""
    heading_macros: frozenset[str] = frozenset()
    """Commands of the author that print a heading, if those within a line count."""
    metadata: frozenset[str] = frozenset()
    """Commands of blueprints that are about a statement, and no part of its text."""
    proof_arguments: Mapping[str, int] = field(default_factory=dict)
    """How many arguments a proof's environment takes."""
    own_vocabulary: Vocabulary | None = None
    own_words: re.Pattern[str] | None = None
    """Finds the words of the vocabulary that `BASE` does not have."""

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the scanner must stop at."""
        commands = {*self.proof_commands, *self.proof_commands.values(), *self.headings}
        return self.own_vocabulary or Vocabulary(commands=frozenset(commands))

    @cached_property
    def statements(self) -> frozenset[str]:
        """Environments that hold statements or proofs."""
        return frozenset(name for name, sense in self.senses.items() if sense.role != "ignore")

    def knows_by_name_alone(self, environment: str) -> bool:
        """Whether an environment that holds statements is neither declared nor defined in the document."""
        definitions = self.definitions
        return (
            self.reads_text
            and environment.rstrip("*") not in definitions.declarations
            and environment not in definitions.environments
            and environment not in definitions.commands
        )

    def opening(self, text: str, at: int, environment: str, *, restatable: bool) -> Opening:
        """The title, label and number behind the ``\\begin{…}`` of a statement, which ends at `at`."""
        definitions = self.definitions
        declared = definitions.declarations.get(environment.rstrip("*"))
        # An environment may be defined as a command.
        defined = definitions.environments.get(environment) or definitions.commands.get(environment)
        opening = None
        if declared is None and defined is not None and defined.parameters:
            opening = read_own_opening(defined, text, at, definitions.commands)
        return opening or read_opening(text, at, declared, starred=environment.endswith("*"), restatable=restatable)

    def heading(self, text: str, opening: Opening, environment: str) -> StatementHeading | None:
        """The heading that the author writes: in the text, if the environment prints a number alone, or as its name.

        Args:
            text: The text of the file.
            opening: What stands before the text of the statement.
            environment: The environment.
        """
        declared = self.definitions.declarations.get(environment.rstrip("*"))
        found = statement_words(opening.title) if opening.title else None
        is_own = declared is None and environment in self.definitions.environments
        if is_own and found is not None and not found.name:
            # The title is a word for statements alone: ``\begin{exercise}[Problem]{2}``.
            return found._replace(number=opening.number or found.number, end=opening.end)
        if not self.prints_number_alone(environment.rstrip("*")):
            return None
        if opening.title:
            return found._replace(end=opening.end) if found else None
        return statement_heading(read_heading(text, opening.end))

    def prints_number_alone(self, environment: str) -> bool:
        """Whether an environment is declared without a name, and its own says nothing either."""
        declared, sense = self.definitions.declarations.get(environment), self.senses.get(environment)
        return declared is not None and not declared.printed and (sense is None or not sense.family)


def make_dialect(definitions: DocumentDefinitions, settings: Settings, overrides: Mapping[str, Role]) -> Dialect:
    """Work out what every word of a document means.

    Args:
        definitions: What the document's files define.
        settings: What the project's settings say.
        overrides: What environments hold, above all else.
    """
    roles = {**settings.environments, **overrides}
    senses = definitions.senses_of_all(roles)
    statements = {name for name, sense in senses.items() if sense.role != "ignore"}
    defined_here = USUAL_REFERENCES.keys() & {*definitions.commands, *definitions.aliases}
    known_references = {name: style for name, style in BASE.references.items() if name not in defined_here}
    references = _with_aliases({**known_references, **settings.references}, definitions)
    headings = _with_aliases({**HEADINGS, **settings.headings}, definitions)
    renamed = _renamed_headings(definitions)
    headings |= {name: HEADINGS[other] for name, other in renamed.items()}
    # In an exam, \\part is a part of a question.
    hidden = {*settings.no_headings, *(("part",) if definitions.document_class == "exam" else ())}
    headings = {name: heading for name, heading in headings.items() if name not in hidden}
    in_amstex = definitions.document_class == "amsppt"
    proof_commands = {"proof": "endproof", **({"demo": "enddemo"} if in_amstex else {}), **settings.proof_commands}
    ends = {other: name for name, other in definitions.aliases.items()}
    for name, other in definitions.aliases.items():
        if other in proof_commands and name not in proof_commands:
            proof_commands[name] = ends.get(proof_commands[other], proof_commands[other])
    labels = LABELS.union(settings.labels)
    own = {
        name: as_environments(macro, statements)
        for name, macro in definitions.environments.items()
        if name not in roles
    }

    exercise_lists = find_exercise_lists(definitions)
    own = {name: macro for name, macro in own.items() if name not in exercise_lists}
    items = {"item"} if exercise_lists else set[str]()

    # Only macros that open, close, label, cite or read a file are expanded.
    structure = {*labels, *references, *headings, *proof_commands, *proof_commands.values(), *COUNTER_COMMANDS, *INPUTS}
    structure |= items
    structure.discard("title")
    defined = _commands(definitions, {*labels, *references}, structure)
    macros = {**{f"\\{name}": macro for name, macro in defined.items()}, **own}
    known = statements | set(ANCHOR_KINDS) | RESTATABLE
    found = _structural(macros, known, structure)
    wrappers = {name: own[name] for name in own if name in found and _wraps(own[name], senses)}
    found = _structural(macros, known | set(wrappers), structure)
    symbols = {
        name for name, macro in defined.items() if not macro.parameters and macro.body.strip() and macro.is_certain
    }
    # A project that is no blueprint may use a name for itself, as \proves for ⊢.
    metadata = frozenset(name for name, count in METADATA.items() if not (count and name in symbols))
    aliases = references.keys() - BASE.references.keys()
    fixed = (KERNEL | SECTIONS.keys() | aliases | metadata).union({USES} - symbols)
    commands = {
        name: macro
        for name, macro in defined.items()
        if f"\\{name}" in found and name.rstrip("*").isalpha() and name not in fixed
    }
    for name in (symbols & BASE.references.keys()) - commands.keys() - KERNEL:
        references.pop(name, None)
    facts = _facts(definitions)
    choosing = {
        name: macro
        for name, macro in definitions.commands.items()
        if name.isalpha() and name not in fixed and name not in BASE.actions and discards(macro, facts)
    }
    computing = _computing(definitions, fixed)
    commands = {**choosing, **commands, **computing}

    own_words = {name.rstrip("*") for name in commands}.union(
        headings,
        proof_commands,
        proof_commands.values(),
        definitions.restated,
        definitions.input_commands,
    )
    heading_fonts = HEADING_FONTS - commands.keys() if _has_no_statements(definitions, senses) else frozenset[str]()
    heading_macros = _heading_macros(definitions) - fixed if heading_fonts else frozenset[str]()
    own_words |= (heading_fonts - SECTIONS.keys()) | heading_macros | defined_here
    # A declared theorem wins over an environment of packages that are not loaded.
    comments = {"comment"} & definitions.declarations.keys()
    comments = comments if definitions.packages.keys().isdisjoint(("comment", "verbatim")) else set()
    verbatim = _verbatim(definitions)
    direct = {name: sense for name, sense in senses.items() if name not in wrappers}
    proofs = frozenset(name for name, sense in direct.items() if sense.role == "proof")
    return Dialect(
        kinds={name: cast(Kind, sense.role) for name, sense in direct.items() if sense.role not in ("proof", "ignore")},
        provable=_provable(definitions, senses, wrappers),
        proofs=frozenset(name for name in proofs if direct[name] != SOLUTION),
        solutions=frozenset(name for name in proofs if direct[name] == SOLUTION),
        proof_commands=proof_commands,
        notes=frozenset(name for name, macro in own.items() if macro.body.lstrip().startswith("\\comment")),
        headings=headings,
        renamed=renamed,
        reads_text=True,
        anchors={**ANCHOR_KINDS, **dict.fromkeys(definitions.lists.keys() - exercise_lists.keys(), "item")},
        definitions=definitions,
        senses=senses,
        commands=commands,
        computing=frozenset(computing),
        wrappers=wrappers,
        exercise_lists=exercise_lists,
        heading_fonts=heading_fonts,
        heading_macros=heading_macros,
        metadata=metadata,
        proof_arguments={
            "demo": 1,
            # A box takes a title and a label.
            **{name: 2 for name, one in definitions.declarations.items() if one.prefix is not None},
            **{name: len(own[name].parameters) for name in proofs if name in own},
        },
        own_vocabulary=replace(
            BASE,
            references={name: style for name, style in references.items() if name not in commands},
            labels=labels,
            inputs=BASE.inputs | definitions.input_commands,
            commands=BASE.commands.union(own_words, ITEMS if exercise_lists else ()),
            verbatim_environments=(BASE.verbatim_environments | verbatim) - comments,
            facts=facts,
            lines=bool(heading_fonts),
        ),
        own_words=_pattern(
            own_words.union(aliases, settings.labels),
            verbatim | comments,
            exercise_lists,
            (FIRST_WORD,) if heading_fonts else (),
        ),
    )


def _verbatim(definitions: DocumentDefinitions) -> set[str]:
    """The environments of a project whose text is verbatim: declared so, or by code that opens such an environment."""
    opening = {name for name, macro in definitions.environments.items() if _OPENS_VERBATIM.search(macro.body)}
    return definitions.verbatim | opening


def _facts(definitions: DocumentDefinitions) -> Facts:
    """What conditionals in the text of a document may ask for: what holds all over it."""
    table = definitions.table
    constant = {name: macro for name, macro in table.commands.items() if name not in table.redefined}
    return Facts({**definitions.flags, CHAPTERS: definitions.has_chapters}, constant, is_complete=True)


def _computing(definitions: DocumentDefinitions, fixed: Collection[str]) -> dict[str, Macro]:
    """Macros of the text whose code sets toggles or asks for them, by itself or by others."""
    commands = definitions.commands
    # What \\do stands for is another thing in every loop.
    found = {name for name, macro in commands.items() if _COMPUTES.search(macro.body) and name != "do"}
    if not found:
        return {}
    names = {name: set(COMMAND_NAME.findall(macro.body)) for name, macro in commands.items()}
    while more := {name for name, used in names.items() if name not in found and not used.isdisjoint(found)}:
        found |= more
    return {name: commands[name] for name in found if name.isalpha() and name not in fixed}


def _provable(
    definitions: DocumentDefinitions, senses: Mapping[str, Sense], wrappers: Mapping[str, Macro]
) -> frozenset[str]:
    """Environments whose proofs are their own; a problem may be written in an environment without a name."""
    found = {name for name, sense in senses.items() if sense.provable}
    begun = {inner for name in found & wrappers.keys() for inner in _BEGINS.findall(wrappers[name].body)}
    nameless = {name for name in begun & definitions.declarations.keys() if not definitions.declarations[name].printed}
    return frozenset({ITEM, *(found - wrappers.keys()), *nameless})


def as_environments(macro: Macro, environments: Iterable[str]) -> Macro:
    r"""Write ``\theorem`` and ``\endtheorem`` inside an environment's code as what they stand for."""
    environments = frozenset(environments)
    names = tuple(sorted(name for name in environments if name.isalpha() and f"\\end{name}" in (macro.ending or "")))
    if not names:
        return opening_alone(macro, environments)
    begins = re.compile(rf"\\({either(names)})(?![a-zA-Z@])")
    ends = re.compile(rf"\\end({either(names)})(?![a-zA-Z@])")
    body, ending = begins.sub(r"\\begin{\1}", macro.body), ends.sub(r"\\end{\1}", macro.ending or "")
    return opening_alone(replace(macro, body=body, ending=ending), environments)


def _structural(macros: Mapping[str, Macro], environments: Collection[str], commands: Collection[str]) -> set[str]:
    """Names of the macros that use an environment or a command that matters, head a proof, or format a counter.

    They may do so directly or through other macros.

    Args:
        macros: Commands, by name with the backslash, and environments, by name.
        environments: The environments that matter.
        commands: The commands that matter, without the backslash.
    """
    uses: dict[str, set[str]] = {}
    found: set[str] = set()
    for name, macro in macros.items():
        code = macro.body + (macro.ending or "")
        # Internal commands of a package cannot be followed without running TeX.
        if has_internals(code):
            continue
        used = set(COMMAND_NAME.findall(code))
        opens = any(one in environments for one in _ENVIRONMENT.findall(code))
        if opens or used.intersection(commands) or _FORMAT.search(code) or PROOF_HEADING.search(code):
            found.add(name)
        uses[name] = used
    while more := {
        name for name, used in uses.items() if name not in found and any(f"\\{one}" in found for one in used)
    }:
        found |= more
    return found


def _commands(definitions: DocumentDefinitions, keyed: Collection[str], structure: Collection[str]) -> dict[str, Macro]:
    """The macros of a document, with those that ``\\let`` names, and without the internals of TeX.

    Args:
        definitions: What the document's files define.
        keyed: The commands that label or cite.
        structure: All commands that matter; another name for one of them is known as such.
    """
    declared = definitions.declarations.values()
    counters = {*SECTIONS, *(counter for one in declared for counter in (one.name, one.like, one.within) if counter)}
    found = {name: without_internals(macro, keyed, counters) for name, macro in definitions.commands.items()}
    for name, other in definitions.aliases.items():
        if name not in found and name not in structure and (other in definitions.commands or other in LABELS):
            found[name] = Macro(name, (), f"\\{other}")
    return found


def _renamed_headings(definitions: DocumentDefinitions) -> dict[str, str]:
    r"""Headings that are others: ``\let\oldchapter\chapter \renewcommand{\section}{\oldchapter}``."""
    found: dict[str, str] = {}
    for name in SECTIONS:
        macro = definitions.commands.get(name)
        same = _SAME.fullmatch(macro.body) if macro and not macro.parameters else None
        other = definitions.aliases.get(same[1], "") if same else ""
        if other in SECTIONS and other != name:
            found[name] = other
    return found


def _has_no_statements(definitions: DocumentDefinitions, senses: Mapping[str, Sense]) -> bool:
    """Whether a document uses no environment for statements; algorithms stand in documents of any kind."""
    used = [senses[name] for name in definitions.used if name in senses]
    return all(sense.role in ("proof", "ignore") or sense.family == "algorithm" for sense in used)


def _heading_macros(definitions: DocumentDefinitions) -> frozenset[str]:
    """Commands in whose code a font stands, which may be that of a heading."""
    commands = definitions.commands.items()
    return frozenset(name for name, macro in commands if name.isalpha() and any(headings_in(macro.body)))


def _wraps(macro: Macro, senses: Mapping[str, Sense]) -> bool:
    """Whether an environment stands for another one, rather than being a statement by its own name."""
    begun = [name for name in _BEGINS.findall(macro.body) if name in senses and name != macro.name]
    return bool(begun) or macro.name not in senses


_T = TypeVar("_T", KeyStyle, Heading)


def _with_aliases(known: dict[str, _T], definitions: DocumentDefinitions) -> dict[str, _T]:
    r"""Add other names for commands: by ``\let``, or as in ``\newcommand{\sect}{\section}``."""
    aliases = list(definitions.aliases.items())
    for name, macro in definitions.commands.items():
        if not macro.parameters and (same := _SAME.fullmatch(macro.body)):
            aliases.append((name, same[1]))
    for name, other in aliases:
        if other in known and name not in known:
            known[name] = known[other]
    return known


def _pattern(
    words: set[str], verbatim: set[str], exercise_lists: Collection[str], more: Collection[str]
) -> re.Pattern[str] | None:
    new = tuple(sorted(words - BASE.commands - set(SECTIONS)))
    options = [*more]
    options += [rf"\\(?:{either(new)})(?![a-zA-Z@])"] if new else []
    begun = sorted(verbatim.union(exercise_lists) - {ENUMERATE})
    options.extend(re.escape(f"\\begin{{{name}}}") for name in begun)
    if ENUMERATE in exercise_lists:
        options.append(rf"(?i:\\(?:{either(tuple(sorted(SECTIONS)))})\*?+{EXERCISE_HEADING.pattern})")
    return re.compile("|".join(options)) if options else None


def text_references(dialect: Dialect) -> TextReferences:
    """What finds citations by number in a document."""
    printed = {name: one.printed for name, one in dialect.definitions.declarations.items()}
    senses = dialect.senses
    if dialect.heading_fonts or any(map(dialect.prints_number_alone, dialect.definitions.declarations)):
        # The authors write the headings, and any word may name a statement.
        senses = {**{family: Sense(entry.kind, family) for family, entry in FAMILIES.items()}, **senses}
    return TextReferences(senses, printed, letters=dialect.definitions.letters)
