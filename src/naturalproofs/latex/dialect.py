"""The language of one document: what its environments, macros and references mean."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from naturalproofs.latex import Vocabulary
from naturalproofs.latex.declarations import Declaration
from naturalproofs.latex.definitions import BASE, KERNEL
from naturalproofs.latex.discover import DocumentDefinitions
from naturalproofs.latex.kinds import Role, Sense
from naturalproofs.latex.macros import Macro
from naturalproofs.latex.numbering import COUNTER_COMMANDS
from naturalproofs.latex.settings import Settings
from naturalproofs.latex.vocabulary import HEADINGS, SECTIONS, Heading, KeyStyle, either
from naturalproofs.records import AnchorKind, Kind

_EQUATIONS = ("equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "xalignat", "dmath")
_LISTS = ("enumerate", "itemize", "description", "list", "compactenum", "inparaenum", "asparaenum", "steps", "alist")
_FLOATS = ("figure", "table", "wrapfigure", "subfigure", "longtable", "sidewaysfigure", "sidewaystable")

ANCHOR_KINDS: Mapping[str, AnchorKind] = {
    **dict.fromkeys(
        [*_EQUATIONS, *(f"{name}*" for name in _EQUATIONS), "subequations", "math", "displaymath"], "equation"
    ),
    **dict.fromkeys(_LISTS, "item"),
    **dict.fromkeys([*_FLOATS, *(f"{name}*" for name in _FLOATS)], "float"),
}
"""What a label stands for, by the innermost environment around it."""


@dataclass(frozen=True)
class Profile:
    """Names and conventions of one project."""

    kinds: Mapping[str, Kind]
    """Environments that are kept, and as what."""
    neighbours: frozenset[str] = frozenset()
    """Environments that may have a proof of their own but are not kept; their proofs are nobody else's."""
    provable: frozenset[str] = frozenset()
    """Environments that are kept, are no theorems, and whose proofs are their own all the same."""
    proofs: frozenset[str] = frozenset({"proof"})
    proof_commands: Mapping[str, str] = field(default_factory=dict)
    """Commands that open a proof, and the command that closes it."""
    notes: frozenset[str] = frozenset()
    """Environments whose text is about a statement, not part of it."""
    headings: Mapping[str, Heading] = field(default_factory=lambda: HEADINGS)
    anchors: Mapping[str, AnchorKind] = field(default_factory=lambda: ANCHOR_KINDS)

    @property
    def vocabulary(self) -> Vocabulary:
        """What the scanner must stop at for this project."""
        commands = {*self.proof_commands, *self.proof_commands.values(), *self.headings}
        return Vocabulary(commands=frozenset(commands))


_INTERNAL = re.compile(r"\\[a-zA-Z]*+@")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*+\{([^{}]*+)\}")
_COMMAND = re.compile(r"\\([a-zA-Z]++)")
_COMMENTED = re.compile(r"\s*+\\comment(?![a-zA-Z])")


def structural(macros: Mapping[str, Macro], environments: Collection[str], commands: Collection[str]) -> set[str]:
    """Names of the macros whose bodies use one of the environments or commands, or another such macro.

    Args:
        macros: Commands, by name with the backslash, and environments, by name.
        environments: The environments that matter.
        commands: The commands that matter, without the backslash.
    """
    uses: dict[str, set[str]] = {}
    found: set[str] = set()
    for name, macro in macros.items():
        code = macro.body + (macro.ending or "")
        # A package's inner workings cannot be followed without running TeX.
        if _INTERNAL.search(code):
            continue
        used = set(_COMMAND.findall(code))
        if used.intersection(commands) or any(one in environments for one in _ENVIRONMENT.findall(code)):
            found.add(name)
        uses[name] = used
    while more := {
        name for name, used in uses.items() if name not in found and any(f"\\{one}" in found for one in used)
    }:
        found |= more
    return found


def is_comment(macro: Macro) -> bool:
    """Whether an environment hides its text from the reader of the paper."""
    return bool(_COMMENTED.match(macro.body))


def as_environments(macro: Macro, environments: Iterable[str]) -> Macro:
    r"""Write ``\theorem`` and ``\endtheorem`` inside an environment's code as what they stand for."""
    names = tuple(sorted(name for name in environments if name.isalpha() and f"\\end{name}" in (macro.ending or "")))
    if not names:
        return macro
    begins = re.compile(rf"\\({either(names)})(?![a-zA-Z@])")
    ends = re.compile(rf"\\end({either(names)})(?![a-zA-Z@])")
    return replace(
        macro, body=begins.sub(r"\\begin{\1}", macro.body), ending=ends.sub(r"\\end{\1}", macro.ending or "")
    )


RESTATABLE = frozenset({"restatable", "restatable*"})
_SAME = re.compile(r"\s*+\\([a-zA-Z]++)\s*+")
_BEGINS = re.compile(r"\\begin\s*+\{([^{}]*+)\}")


@dataclass(frozen=True)
class Dialect:
    """What the words of a document mean."""

    profile: Profile
    vocabulary: Vocabulary
    news: re.Pattern[str] | None
    """Finds the project's own words, which the first scan did not know."""
    declarations: tuple[Declaration, ...]
    senses: Mapping[str, Sense]
    statements: frozenset[str]
    """Environments that hold statements or proofs."""
    commands: Mapping[str, Macro]
    """Commands that are to be expanded."""
    wrappers: Mapping[str, Macro]
    """Environments that are to be expanded."""
    arguments: Mapping[str, int]
    """How many arguments a proof's environment takes."""
    gathered: DocumentDefinitions


def make_dialect(gathered: DocumentDefinitions, settings: Settings, overrides: Mapping[str, Role]) -> Dialect:
    """Settle what every word means."""
    roles = {**settings.environments, **overrides}
    senses = gathered.settle(roles)
    references = _references(gathered, settings)
    headings = _headings(gathered, settings)
    proof_commands = {"proof": "endproof", **settings.proof_commands}
    watched = {"label", *references, *headings, *proof_commands, *proof_commands.values(), *COUNTER_COMMANDS} - {
        "title"
    }
    statements = {name for name, sense in senses.items() if sense.role != "ignore"}
    own = {
        name: as_environments(macro, statements) for name, macro in gathered.environments.items() if name not in roles
    }
    macros = {**{f"\\{name}": macro for name, macro in gathered.commands.items()}, **own}
    known = statements | set(ANCHOR_KINDS) | RESTATABLE
    found = structural(macros, known, watched)
    wrappers = {name: own[name] for name in own if name in found and _wraps(own[name], senses)}
    found = structural(macros, known | set(wrappers), watched)
    aliased = references.keys() - BASE.references.keys()
    commands = {
        name: macro
        for name, macro in gathered.commands.items()
        if f"\\{name}" in found and name.isalpha() and not (name in KERNEL or name in SECTIONS or name in aliased)
    }
    own_words = set(commands).union(headings, proof_commands, proof_commands.values(), gathered.restated)
    vocabulary = replace(
        BASE,
        references={name: style for name, style in references.items() if name not in commands},
        commands=BASE.commands | own_words,
        verbatim_environments=BASE.verbatim_environments | gathered.verbatim,
    )
    profile = _profile(senses, wrappers, headings, proof_commands, own)
    return Dialect(
        profile=profile,
        vocabulary=vocabulary,
        news=_news(own_words | aliased, gathered.verbatim),
        declarations=tuple(gathered.declarations.values()),
        senses=senses,
        statements=frozenset(statements),
        commands=commands,
        wrappers=wrappers,
        arguments={name: len(own[name].parameters) for name in profile.proofs if name in own},
        gathered=gathered,
    )


def _profile(
    senses: Mapping[str, Sense],
    wrappers: Mapping[str, Macro],
    headings: Mapping[str, Heading],
    proof_commands: Mapping[str, str],
    own: Mapping[str, Macro],
) -> Profile:
    direct = {name: sense for name, sense in senses.items() if name not in wrappers}
    return Profile(
        kinds={name: cast(Kind, sense.role) for name, sense in direct.items() if sense.role not in ("proof", "ignore")},
        provable=frozenset(name for name, sense in direct.items() if sense.provable),
        proofs=frozenset(name for name, sense in direct.items() if sense.role == "proof"),
        proof_commands=proof_commands,
        notes=frozenset(name for name, macro in own.items() if is_comment(macro)),
        headings=headings,
    )


def _wraps(macro: Macro, senses: Mapping[str, Sense]) -> bool:
    """Whether an environment is another one in disguise, rather than a statement by its own name."""
    begun = [name for name in _BEGINS.findall(macro.body) if name in senses and name != macro.name]
    return bool(begun) or macro.name not in senses


def _references(gathered: DocumentDefinitions, settings: Settings) -> dict[str, KeyStyle]:
    """Commands that cite, with other names for them."""
    references: dict[str, KeyStyle] = {**BASE.references, **settings.references}
    for name, other in (*gathered.aliases.items(), *_renamings(gathered)):
        if other in references and name not in references:
            references[name] = references[other]
    return references


def _headings(gathered: DocumentDefinitions, settings: Settings) -> dict[str, Heading]:
    headings = {**HEADINGS, **settings.headings}
    for name, other in (*gathered.aliases.items(), *_renamings(gathered)):
        if other in headings and name not in headings:
            headings[name] = headings[other]
    return {name: heading for name, heading in headings.items() if name not in settings.no_headings}


def _renamings(gathered: DocumentDefinitions) -> list[tuple[str, str]]:
    r"""Macros that are but another name: ``\newcommand{\sect}{\section}``."""
    found = ((name, _SAME.fullmatch(macro.body)) for name, macro in gathered.commands.items() if not macro.parameters)
    return [(name, match[1]) for name, match in found if match]


def _news(words: set[str], verbatim: set[str]) -> re.Pattern[str] | None:
    new = tuple(sorted(words - BASE.commands - set(SECTIONS)))
    options = [rf"\\(?:{either(new)})(?![a-zA-Z@])"] if new else []
    options.extend(re.escape(f"\\begin{{{name}}}") for name in sorted(verbatim))
    return re.compile("|".join(options)) if options else None
