r"""Rules for blueprints: what the prose cites, and what ``\uses`` lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from naturalproofs.latex.macros.entries import USES
from naturalproofs.records import Mention, Origin, Statement, StatementId
from naturalproofs.workspace.check.finding import Problem, name_of
from naturalproofs.workspace.check.phrases import ASIDE
from naturalproofs.workspace.check.prose import around_citation
from naturalproofs.workspace.open_corpus import OpenCorpus


class _Part(NamedTuple):
    """A statement, or one of its proofs."""

    statement: Statement
    what: str
    origin: Origin
    mentions: Sequence[Mention]
    inherited: frozenset[StatementId]
    """What its statement lists, if it is a proof."""
    has_prose: bool

    def references(self, *, listed: bool) -> dict[StatementId, Mention]:
        r"""What ``\uses`` lists, or what the prose cites, with the first mention of each."""
        found: dict[StatementId, Mention] = {}
        for mention in self.mentions:
            if mention.reference and mention.reference != self.statement.id and (mention.surface == USES) == listed:
                found.setdefault(mention.reference, mention)
        return found


def is_blueprint(project: OpenCorpus) -> bool:
    r"""Whether the project says by ``\uses`` what its statements and proofs depend on."""
    return any(
        mention.surface == USES
        for statement in project.corpus.statements
        for mentions in (statement.mentions, *(proof.mentions for proof in statement.proofs))
        for mention in mentions
    )


def unlisted_use(project: OpenCorpus) -> Iterator[Problem]:
    r"""Results that the prose cites and ``\uses`` does not list."""
    for part in _parts(project):
        listed = part.references(listed=True).keys() | part.inherited
        for reference, mention in part.references(listed=False).items():
            cited = project.corpus.by_id[reference]
            if (
                reference not in listed
                and "other" not in (cited.kind, part.statement.kind)
                and _is_use(project, part, mention)
            ):
                message = f"{part.what} cites {name_of(cited)}, which its \\uses does not list"
                yield _problem(part, mention, cited, message)


def _is_use(project: OpenCorpus, part: _Part, mention: Mention) -> bool:
    """Whether a statement itself is cited, and the words around do not say that this is only a comparison."""
    anchor = project.anchors.get(mention.target)
    if anchor is not None and anchor.kind != "statement":
        return False
    around = around_citation(project, part.origin.path, mention.line, mention.target)
    return around is None or not ASIDE.search(" ".join(around))


def uncited_use(project: OpenCorpus) -> Iterator[Problem]:
    r"""Theorems that ``\uses`` lists and the prose does not cite; a definition is mostly used without being cited."""
    for part in _parts(project):
        cited_in_prose = part.references(listed=False)
        for reference, mention in part.references(listed=True).items() if part.has_prose else ():
            listed = project.corpus.by_id[reference]
            if reference not in cited_in_prose and listed.kind == "theorem":
                message = f"\\uses lists {name_of(listed)}, which the text of {part.what} does not cite"
                yield _problem(part, mention, listed, message)


def _problem(part: _Part, mention: Mention, other: Statement, message: str) -> Problem:
    return Problem(Origin(part.origin.path, mention.line), message, f"{part.what} -> {other.label}", mention.target)


def _parts(project: OpenCorpus) -> Iterator[_Part]:
    """All statements and proofs of a blueprint; none of another project."""
    if not is_blueprint(project):
        return
    for statement in project.corpus.statements:
        name, origin = name_of(statement), statement.origin or Origin(statement.label, 1)
        own = _Part(statement, name, origin, statement.mentions, frozenset(), bool(statement.lines))
        yield own
        inherited = frozenset(own.references(listed=True))
        for proof in statement.proofs:
            where = proof.origin or origin
            yield _Part(statement, f"the proof of {name}", where, proof.mentions, inherited, bool(proof.lines))
