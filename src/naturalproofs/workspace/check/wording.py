"""Rules about words: the wrong one before a reference, numbers written by hand, unfinished text, repeated titles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import Anchor, Origin, Statement
from naturalproofs.sources.latex import citations
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
