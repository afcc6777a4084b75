"""Rules about words: the wrong one before a reference, numbers written by hand, unfinished text, repeated titles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import Anchor, Mention, Origin, Statement
from naturalproofs.sources.latex import Macro, citations
from naturalproofs.sources.reading.builders import RANGE
from naturalproofs.sources.reading.kinds import FAMILIES, by_printed_name, by_word
from naturalproofs.workspace.check.finding import Problem, name_of
from naturalproofs.workspace.check.prose import source_text, sources
from naturalproofs.workspace.citations import SECTIONS, families, names_a_number
from naturalproofs.workspace.open_corpus import OpenCorpus

_WORD_AND_KEY = re.compile(
    r"(?<![\\\w-])([^\W\d_]{3,})\.?(?:~|[ \t]+|\n[ \t]*|\\[ ,])\\(?:ref|hyperlink)\*?\s*\{([^{}\\#]*)\}"
)
_BEGIN = re.compile(r"\\begin\s*\{([^{}\n]+)\}")
_CHECKED = frozenset(
    "theorem lemma proposition corollary definition remark example exercise conjecture satz hilfssatz folgerung".split()
)
"""Families whose words mean statements of this kind only."""
_UNFINISHED = re.compile(
    r"(?<![\w\\{/;-])(?:TODO|FIXME|XXX|TBD|To ?[Dd]o:)(?![\w/-])"
    r"|(?<![?\w$^_{'])\?{3,}(?!\w)|(?<=[~(\[])\?\?(?=[)\].,;\s])"
    r"|\\(?:todo|fixme|TODO|FIXME)(?![a-zA-Z@}])"
)
_OPEN_NUMBER = re.compile(r"(?<![\w\\])([^\W\d_]{2,40}+)\.?[ \t\n]{1,3}(?:XX|\?\?)(?![\w?])")
"""A word and the number that is still to be written, if the word is one for what has a number."""


_FOREIGN = 80
"""A citation of another work so near after a number makes it a number of that work."""
_KNOWN = re.compile(r"\\[a-zA-Z]*[cC]ite|\b[A-ZÀ-ÞА-Я]\.|[-–—]{1,2}[A-ZÀ-ÞА-Я]|['’]s\b|\bcont")
"""Titles that name an author or a source, or continue a statement: two statements may share them."""


def wrong_word(project: OpenCorpus) -> Iterator[Problem]:
    r"""Words before ``\ref`` that name another kind: "Theorem~\ref{a}" where a is a lemma."""
    for path, source in sources(project).items():
        for origin, match in source.find(_WORD_AND_KEY):
            key = match[2].strip()
            label = project.labels.absolute(path, key)
            anchor = project.anchors.get(label)
            if anchor is None:
                continue
            right = _right_word(project, match[1], key, anchor)
            if right:
                end = source.text[match.start() : match.end()]
                line = origin.line + end.count("\n")
                message = f"“{match[1]}” stands before a reference to {right}"
                yield Problem(Origin(path, line), message, f"{match[1]} {key}", key, quoted=match[1])


def _right_word(project: OpenCorpus, word: str, key: str, anchor: Anchor) -> str:
    """What a reference really leads to, if the word before it says something else."""
    sense = by_word(word)
    family = sense.family if sense else ""
    statement = project.by_id.get(anchor.owner or "") if anchor.kind == "statement" else None
    if statement is not None:
        forms = families(statement.form) | families(_environment(project, statement))
        if SECTIONS.fullmatch(word) and forms & _CHECKED:
            return name_of(statement)
        if family in _CHECKED and forms & _CHECKED and family not in forms:
            return name_of(statement)
    elif anchor.kind == "section" and family in _CHECKED - {"example", "exercise"}:
        # Only a label that is written as such: the place of one that a macro makes is a guess.
        source = source_text(project, anchor.origin.path)
        return "a section" if source and f"\\label{{{key}}}" in source.lines(anchor.origin.line, 1) else ""
    return ""


def _environment(project: OpenCorpus, statement: Statement) -> str:
    """The name of the environment in which a statement is written."""
    source = source_text(project, statement.origin.path) if statement.origin else None
    if source is None or statement.origin is None:
        return ""
    opening = _BEGIN.search(source.text, source.offset(statement.origin.line))
    return opening[1] if opening else ""


def fixed_number(project: OpenCorpus) -> Iterator[Problem]:
    r"""Numbers of statements that are written by hand, where they are unambiguous: "Lemma 7" instead of ``\ref``."""
    by_number: defaultdict[tuple[str, str], list[Statement]] = defaultdict(list)
    senses = {}
    for statement in project.statements:
        sense = by_printed_name(statement.form)
        if sense.family in FAMILIES:
            senses[statement.form] = sense
            if statement.number:
                by_number[sense.family, statement.number].append(statement)
    letters = any(number[:1].isalpha() for _, number in by_number)
    references = citations.TextReferences(senses, {form: form for form in senses}, letters=letters)
    for path, source in sources(project).items():
        for found in references.find(source.text, 0, len(source.text)):
            if "cite" in source.sentence(found.offset)[1][:_FOREIGN]:
                continue
            for one in found.cited:
                meant = by_number.get((one.family, one.number), [])
                if RANGE in one.number or len(meant) != 1 or has_generated_label(meant[0]):
                    continue
                line = source.line(found.offset)
                citation = project.citing(path).citation(meant[0])
                message = f"the number of {name_of(meant[0])} is written by hand: {citation}"
                yield Problem(Origin(path, line), message, f"{one.family} {one.number}")


def unfinished_text(project: OpenCorpus) -> Iterator[Problem]:
    """Marks of unfinished text that are typeset: TODO, FIXME, "??"."""
    for source in sources(project).values():
        numbers = (one for one in source.find(_OPEN_NUMBER) if names_a_number(one[1][1]))
        for origin, match in (*source.find(_UNFINISHED), *numbers):
            mark = " ".join(match.group().split())
            yield Problem(origin, f"unfinished text: {mark}", mark)


def duplicate_title(project: OpenCorpus) -> Iterator[Problem]:
    """Statements of one kind and one file with the same title of two words or more, unless one repeats the other."""
    first: dict[tuple[str, str, str], Statement] = {}
    for statement in project.statements:
        title = " ".join(statement.title.casefold().split())
        if " " not in title or statement.kind == "other" or _KNOWN.search(statement.title):
            continue
        path = statement.origin.path if statement.origin else ""
        earlier = first.setdefault((path, statement.form, title), statement)
        if earlier is not statement and earlier.lines != statement.lines:
            where = f" at {earlier.origin}" if earlier.origin else ""
            message = f"{name_of(statement)} has the title of {name_of(earlier)}{where}: {statement.title}"
            yield Problem(statement, message, f"{statement.label} {statement.title}")


# A rule about notation: the name of an operator that is used before the definition that introduces it.

_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_NAME = re.compile(r"\\(?:operatorname\*?|math(?:rm|sf|bf|tt|it)|text(?:rm|sf|bf|tt|it)?)\s*\{\s*([A-Za-z]{3,})\s*\}")
_NOTATION_KNOWN = frozenset(
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
            introduced.setdefault(name, project.by_id[one.statement])
    for statement in project.statements:
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
        if (macro := macros.get(command)) and (found := _NAME.search(macro.body)) and found[1] not in _NOTATION_KNOWN
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
