"""Rules about theorems without a proof, and lemmas without a use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.reading.kinds import by_word
from naturalproofs.records import Statement, StatementId
from naturalproofs.workspace.check.blueprint import is_blueprint
from naturalproofs.workspace.check.finding import AUXILIARY, Problem, name_of
from naturalproofs.workspace.check.phrases import (
    DISMISSED,
    DISMISSED_INSIDE,
    LAST_LEMMA,
    PREPARED,
    PROMISED,
    PROVED_ELSEWHERE,
    PROVED_INSIDE,
)
from naturalproofs.workspace.check.prose import around_statement, source_text
from naturalproofs.workspace.open_corpus import OpenCorpus

_UNPROVED = frozenset(
    "conjecture question problem hypothesis exercise fact assumption corollary folgerung observation property principle"
    " remark axiom definition".split()
)
"""Families of statements that are not expected to have a proof of their own."""
_NAMED = re.compile(
    r"\w['’]s\b|^[A-ZÀ-ÞА-Я][^\W\d_]+$"
    r"|(?:^|[\s(])(?:[A-ZÀ-ÞА-Я][^\W\d_]+)(?:[-–—]{1,3}|,? (?:and|und|et|e|y|&) )[A-ZÀ-ÞА-Я]"
    r"|\b(?:de|du|del|della|di|da|do)[ ~][A-ZÀ-Þ][^\W\d_]|\bd['’][A-ZÀ-Þ][^\W\d_]"
    r"|(?:[Тт]еорем|[Лл]емм|[Фф]ормул)а [А-Я][а-я]"
)
"""Titles with the name of a mathematician: the result is known. Romance languages write only names with a capital."""
_END = re.compile(r"\\end\s*\{[^{}]*\}")
_STATED_AGAIN = re.compile(r"\\(?:def|renewcommand\*?\s*\{?)\s*\\the[a-z]+\s*\}?\s*\{\s*\\ref\s*\{")
"""A theorem that is given the number of another one."""
_NEAR_BEFORE = 250
_NEAR_AFTER = 350
_SOON = 4
"""A lemma may be meant without a citation in the proofs of so many statements after it, and of two before it."""
_FEW = 0.25
"""Where a smaller share of the theorems has a proof, the text does not prove its theorems."""
_SEVERAL = 20
"""The number of theorems from which this is told."""
MANY = 3
"""The number of proofs that make an unproved theorem one that many cite."""


def _names_the_lemma(statement: Statement) -> bool:
    """Whether a proof uses a lemma without citing it: "by the lemma above"."""
    return any(LAST_LEMMA.search(line) for proof in statement.proofs for line in proof.lines)


def unproved_statement(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems without a proof that few proofs cite; `cited_unproved` reports the others."""
    citing = _citing_proofs(project)
    for statement in unproved(project):
        if citing[statement.id] < MANY:
            yield Problem(statement, f"{name_of(statement)} has no proof", statement.label)


def cited_unproved(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems without a proof that many proofs cite."""
    citing = _citing_proofs(project)
    for statement in unproved(project):
        if citing[statement.id] >= MANY:
            message = f"{name_of(statement)} has no proof, and the proofs of {citing[statement.id]} statements cite it"
            yield Problem(statement, message, statement.label)


def _citing_proofs(project: OpenCorpus) -> Counter[StatementId]:
    """By statement: how many others cite it in a proof."""
    found: Counter[StatementId] = Counter()
    for statement in project.corpus.statements:
        found.update({key for proof in statement.proofs for key in proof.references} - {statement.id})
    return found


def unproved(project: OpenCorpus) -> list[Statement]:
    """Theorems that should have a proof and have none, neither in an environment nor in the text around them."""
    theorems = list(project.corpus.of_kind("theorem"))
    bare = [statement for statement in theorems if not statement.proofs and not _is_exempt(statement)]
    if len(theorems) >= _SEVERAL and len(bare) > (1 - _FEW) * len(theorems):
        return []
    proved = {(_words(one.title), one.kind) for one in theorems if one.proofs and one.title}
    return [
        statement
        for statement in bare
        if (_words(statement.title), statement.kind) not in proved
        and not _is_dismissed(project, statement)
        and not _is_promised(project, statement)
    ]


def _is_exempt(statement: Statement) -> bool:
    """Whether its form, its title or its own text says that no proof is to be expected here."""
    families = {sense.family for word in statement.form.split() if (sense := by_word(word))}
    own = any(PROVED_INSIDE.search(line) for line in (statement.title, *statement.lines))
    titled = _NAMED.search(statement.title) or PROVED_ELSEWHERE.search(statement.title)
    return own or bool(families & _UNPROVED) or bool(titled)


def _is_dismissed(project: OpenCorpus, statement: Statement) -> bool:
    before, inside, after = around_statement(project, statement)
    near = _END.split(before[-_NEAR_BEFORE:])[-1]
    return bool(
        PROVED_INSIDE.search(inside)
        or DISMISSED.search(after[:_NEAR_AFTER])
        or DISMISSED.search(near)
        or PREPARED.search(near)
        or _STATED_AGAIN.search(near)
    ) or bool(DISMISSED_INSIDE.search(inside))


def _is_promised(project: OpenCorpus, statement: Statement) -> bool:
    """Whether the text says where it cites a statement that it is proved there."""
    for one in project.labels.citations.get(statement.label, ()):
        source = source_text(project, one.path)
        if source is not None and PROMISED.search(source.sentence(source.offset(one.line, one.column))[0]):
            return True
    return False


def _words(title: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", title.casefold()))


def unused_statement(project: OpenCorpus) -> Iterator[Problem]:
    """Lemmas with a label that no statement, proof or other text cites; not in blueprints, where they are leaves."""
    if is_blueprint(project):
        return
    used = project.graph.used_by
    statements = project.corpus.statements
    for position, statement in enumerate(statements):
        auxiliary = statement.form.casefold() in AUXILIARY and not has_generated_label(statement)
        unused = auxiliary and statement.id not in used and statement.label not in project.cited_keys
        near = (*statements[max(0, position - 2) : position], *statements[position + 1 : position + 1 + _SOON])
        if unused and not any(map(_names_the_lemma, near)):
            yield Problem(statement, f"{name_of(statement)} is never used", statement.label)
