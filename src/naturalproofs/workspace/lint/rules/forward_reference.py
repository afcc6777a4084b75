"""A proof uses a result that comes only later in the text: the reader must take it on trust."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from naturalproofs.records import Origin, Proof, Statement
from naturalproofs.workspace.lint.context import Context, name_of
from naturalproofs.workspace.lint.finding import Finding


def forward_reference(context: Context) -> Iterator[Finding]:
    """Citations in proofs of statements that stand after the proof; a deferred proof counts where it stands."""
    order = _Order(context)
    for statement in context.corpus.statements:
        for proof in statement.proofs:
            told = set()
            here = order.of_proof(statement, proof)
            for mention in proof.mentions:
                cited = context.corpus.by_id.get(mention.reference or "")
                if cited is None or cited.place is None or here is None or cited.id in told:
                    continue
                if cited.place.position > here:
                    told.add(cited.id)
                    origin = Origin((proof.origin or statement.origin or Origin("", 1)).path, mention.line)
                    message = f"the proof of {name_of(statement)} uses {name_of(cited)}, which comes later"
                    subject = f"{statement.label} -> {cited.label}"
                    yield context.finding("forward-reference", "warning", origin, message, subject, mention.target)


class _Order:
    """Where a proof stands among the statements."""

    def __init__(self, context: Context) -> None:
        self.lines: dict[str, list[tuple[int, int]]] = {}
        for statement in context.corpus.statements:
            if statement.origin and statement.place:
                self.lines.setdefault(statement.origin.path, []).append(
                    (statement.origin.line, statement.place.position)
                )
        for found in self.lines.values():
            found.sort()
        self.files = {file.path: number for number, file in enumerate(context.corpus.inputs)}

    def of_proof(self, statement: Statement, proof: Proof) -> int | None:
        """The position of the last statement before the proof, or of its own if that is all we know."""
        own = statement.place.position if statement.place else None
        if own is None or proof.origin is None:
            return own
        before = self.lines.get(proof.origin.path, [])
        at = bisect_left(before, (proof.origin.line + 1, -1))
        if at:
            return max(own, before[at - 1][1])
        here = self.files.get(proof.origin.path, -1)
        earlier = [rows[-1][1] for path, rows in self.lines.items() if self.files.get(path, here) < here]
        return max([own, *earlier])
