"""A rule about notation: the name of an operator that is used before the definition that introduces it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from naturalproofs.latex.macros.macro import Macro
from naturalproofs.records import Mention, Origin, Statement
from naturalproofs.workspace.check.finding import Problem, name_of
from naturalproofs.workspace.open_corpus import OpenCorpus

_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_NAME = re.compile(r"\\(?:operatorname\*?|math(?:rm|sf|bf|tt|it)|text(?:rm|sf|bf|tt|it)?)\s*\{\s*([A-Za-z]{3,})\s*\}")
_KNOWN = frozenset(
    "Hom hom Ext Tor End Aut Gal GL SL Spec Proj Map Mor Ker ker coker Coker img Ann Ass Sym Set Top Grp Ring Mod Vect "
    "rank dim codim deg det sgn sign lcm gcd char ord supp span diag vol Tr tr trace Re Im Var Cov Pr id colim lim "
    "max min sup inf arg exp log Res Ind Frac Obj obj dom cod conv Fun mod div".split()
)
"""Names that readers know without a definition."""
_EXPLAINS = re.compile(
    r":=|\\coloneqq|\\defeq|\b(?:we (?:write|denote|set|put|let)|denote[sd]?|written|is called|called the|notation"
    r"|stands for|noté\w*|not(?:ons|e)|écrivons|désigne|bezeichne\w*|schreibe\w*|heiß\w*|обозна\w*)\b",
    re.IGNORECASE,
)
_BEFORE, _AFTER = 120, 60
"""How many characters around the first use may say what the operator is."""
_LONGEST = 400
"""Lines of a statement or a proof that are searched for its first use."""


class _Part(NamedTuple):
    """A statement or a proof."""

    what: str
    origin: Origin
    text: str
    mentions: tuple[Mention, ...]


def early_notation(project: OpenCorpus) -> Iterator[Problem]:
    """Operators that a theorem, a definition or a proof uses before the definition that introduces them."""
    introduced: dict[str, Statement] = {}
    for one in project.notation:
        if (name := _operator(one.symbol, project.macros)) is not None:
            introduced.setdefault(name, project.corpus.by_id[one.statement])
    for statement in project.corpus.statements:
        for part in _parts(statement):
            cited = {mention.reference for mention in part.mentions}
            for name in dict.fromkeys(_COMMAND.findall(part.text)):
                definition = introduced.get(name)
                if definition is None:
                    continue
                del introduced[name]  # Only the first use is reported.
                if (
                    definition.id not in cited
                    and _comes_before(statement, definition)
                    and not _introduces(statement, part, name)
                ):
                    message = f"{part.what} uses \\{name}, which {name_of(definition)} introduces later"
                    yield Problem(_where(project, part, name), message, f"{name} -> {definition.label}")


def _operator(symbol: str, macros: Mapping[str, Macro]) -> str | None:
    """The author's command that a symbol begins with, if it prints a name that readers may not know."""
    named = [
        command
        for command in dict.fromkeys(_COMMAND.findall(symbol))
        if (macro := macros.get(command)) and (found := _NAME.search(macro.body)) and found[1] not in _KNOWN
    ]
    return named[0] if len(named) == 1 and symbol.lstrip("{ ").startswith(f"\\{named[0]}") else None


def _parts(statement: Statement) -> Iterator[_Part]:
    """A statement and its proofs; remarks and examples may look ahead."""
    if statement.kind == "other":
        return
    origin, name = statement.origin or Origin(statement.label, 1), name_of(statement)
    yield _Part(name, origin, statement.text, statement.mentions)
    for proof in statement.proofs:
        yield _Part(f"the proof of {name}", proof.origin or origin, proof.text, proof.mentions)


def _introduces(statement: Statement, part: _Part, name: str) -> bool:
    """Whether the first use explains the operator itself: in a definition, or with words such as "we write"."""
    if statement.kind == "definition":
        return True
    text = part.text
    at = text.find(f"\\{name}")
    around = text[max(0, at - _BEFORE) : at + _AFTER]
    return _EXPLAINS.search(around) is not None


def _comes_before(statement: Statement, definition: Statement) -> bool:
    here, there = statement.place, definition.place
    return here is not None and there is not None and here.document == there.document and here.position < there.position


def _where(project: OpenCorpus, part: _Part, name: str) -> Origin:
    """The line of the first use."""
    lines = project.texts.get(part.origin.path, "").split("\n")[part.origin.line - 1 :][:_LONGEST]
    used = re.compile(rf"\\{name}(?![a-zA-Z])")
    first = next((number for number, line in enumerate(lines) if used.search(line)), 0)
    return Origin(part.origin.path, part.origin.line + first)
