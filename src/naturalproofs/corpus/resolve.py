"""Resolution of mentions: every key is looked up, and each failure is reported with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from naturalproofs.io.memory import DiskList
from naturalproofs.records import Anchor, Draft, Mention, Rules, Statement, StatementId

Reason: TypeAlias = Literal[
    "undefined", "self", "section", "float", "equation", "item", "other", "bibliography", "external"
]
"""Why a mention is not a reference: undefined label, its own statement, or not part of a statement."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A mention that is not a reference, with its location and the reason."""

    statement: StatementId
    target: str
    path: str
    line: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Resolution:
    """Counts of resolved and unresolved mentions of a corpus."""

    mentions: int
    references: int
    by_label: dict[str, int]
    """References by the kind of the cited label: the statement, or an equation or item in it."""
    unresolved: dict[str, int]
    """Mentions that are not references, by reason."""


def counted(
    statements: Iterable[Statement], anchors: Mapping[str, Anchor], unresolved: Sequence[Unresolved]
) -> Resolution:
    """The counts for statements whose mentions are already resolved."""
    written = (mentions for s in statements for mentions in (s.mentions, *(proof.mentions for proof in s.proofs)))
    kinds = Counter[str](anchors[m.target].kind for mentions in written for m in mentions if m.reference is not None)
    references = kinds.total()
    return Resolution(
        references + len(unresolved), references, dict(kinds), dict(Counter(one.reason for one in unresolved))
    )


class Resolver:
    """Resolves mentions by the anchors of one draft and counts the results."""

    def __init__(
        self, anchors: Mapping[str, Anchor], rules: Rules, unresolved: list[Unresolved] | DiskList[Unresolved]
    ) -> None:
        """Bind the labels that exist, and the list to which mentions that are not references are added."""
        self.anchors = anchors
        # The original included a proof's references to its own theorem, and so does `paper`.
        self.keep_self = rules == "paper"
        self.kinds: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.unresolved = unresolved

    def statement(self, statement: Statement) -> Statement:
        """The statement with its own and its proofs' mentions resolved."""
        own = self._resolve(statement.mentions, statement)
        # Proofs without mentions are reused: creating a record costs more than resolving its mentions.
        proofs = tuple(
            replace(proof, mentions=self._resolve(proof.mentions, statement)) if proof.mentions else proof
            for proof in statement.proofs
        )
        if not own and not any(proof.mentions for proof in proofs):
            return statement
        return replace(statement, mentions=own, proofs=proofs)

    def resolution(self) -> Resolution:
        """The counts so far."""
        references, missed = self.kinds.total(), self.reasons.total()
        return Resolution(references + missed, references, dict(self.kinds), dict(self.reasons))

    def _resolve(self, mentions: Iterable[Mention], statement: Statement) -> tuple[Mention, ...]:
        resolved = []
        for mention in mentions:
            if mention.reference is not None:
                # Mentions of a published file are already resolved.
                self.kinds["statement"] += 1
                resolved.append(mention)
                continue
            anchor = self.anchors.get(mention.target)
            reason = self._reason(anchor, statement.id)
            if anchor is not None and reason is None:
                self.kinds[anchor.kind] += 1
                resolved.append(Mention(mention.target, mention.surface, mention.line, anchor.owner))
                continue
            self.reasons[reason or "undefined"] += 1
            path = statement.origin.path if statement.origin else ""
            self.unresolved.append(Unresolved(statement.id, mention.target, path, mention.line, reason or "undefined"))
            resolved.append(mention)
        return tuple(resolved)

    def _reason(self, anchor: Anchor | None, citing: StatementId) -> Reason | None:
        if anchor is None:
            return "undefined"
        if anchor.owner is None:
            return "other" if anchor.kind == "statement" else anchor.kind
        return "self" if anchor.owner == citing and not self.keep_self else None


def resolve(draft: Draft, rules: Rules = "fixed") -> tuple[Sequence[Statement], Resolution, Sequence[Unresolved]]:
    """Resolve every mention of a draft; the results of a disk-backed list are disk-backed lists."""
    drafted = draft.statements
    if isinstance(drafted, DiskList):
        on_disk = DiskList(Unresolved, ())
        resolver = Resolver(draft.anchors, rules, on_disk)
        return drafted.map(resolver.statement), resolver.resolution(), on_disk
    unresolved: list[Unresolved] = []
    resolver = Resolver(draft.anchors, rules, unresolved)
    return tuple(map(resolver.statement, drafted)), resolver.resolution(), tuple(unresolved)
