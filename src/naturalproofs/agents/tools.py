"""The tools: each takes what an agent sends and returns a short result."""

from __future__ import annotations

from collections.abc import Sequence

from naturalproofs.agents.results import Corpora, CorpusSummary, Item, Listing, Whole, truncate
from naturalproofs.records import Statement
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.render import full_name, preview

PREVIEW = 140
TEXT, PROOF = 4_000, 6_000
"""Characters of a statement and of a proof before they are truncated."""


class Tools:
    """Answers from a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Bind the workspace."""
        self.workspace = workspace

    def corpora(self) -> Corpora:
        """The open corpora."""
        shown = [
            CorpusSummary(
                name=one.name,
                title=one.corpus.provenance.title,
                statements=len(one.corpus.statements),
                licence=one.corpus.provenance.licence or "licence not stated",
            )
            for one in self.workspace.corpora
        ]
        return Corpora(corpora=shown)

    def suggest(self, theorem: str, k: int, corpora: Sequence[str], cited: Sequence[str]) -> Listing:
        """What a proof may want to cite; the theorem is a text, or the name of a statement."""
        known = [self.workspace.find(name).statement.id for name in cited]
        if not any(sign.isspace() for sign in theorem.strip()) and "\\" not in theorem:
            self.workspace.find(theorem.strip())  # A name that does not exist is an error, not a text.
        found = self.workspace.suggest(theorem, k=k, corpora=corpora or None, cited=known)
        items = []
        for one in found:
            probability = f"{100 * one.probability:.0f} %" if one.probability is not None else ""
            note = "; ".join([probability, *one.why[:2]]).strip("; ")
            items.append(_item(self.workspace.corpus(one.corpus), one.statement, note))
        enough = f"the first {found.enough} are expected to cover the proof" if found.enough is not None else ""
        return Listing(items=items, note=enough)

    def search(self, query: str, k: int, corpora: Sequence[str], kinds: Sequence[str]) -> Listing:
        """Statements about something."""
        found = self.workspace.search(query, k=k, corpora=corpora or None, kinds=kinds)
        items = [_item(*match) for hit in found.items if (match := self.workspace.find_id(hit.id)) is not None]
        instead = ", ".join(found.suggestions) if not found.total else ""
        note = f"nothing matches word for word; perhaps: {instead}" if instead else ""
        return Listing(items=items, more=max(0, found.total - len(items)), note=note)

    def statement(self, name: str, proofs: bool) -> Whole:
        """A statement in full."""
        corpus, found = self.workspace.find(name)
        return Whole(
            id=found.id,
            name=full_name(found, corpus.macros),
            latex=truncate(found.lines, TEXT),
            cites=list(corpus.graph.uses.get(found.id, ())),
            used_by=len(corpus.graph.used_by.get(found.id, ())),
            citation=self.workspace.citation(found),
            where=str(found.origin) if found.origin else "",
            proofs=[truncate(proof.lines, PROOF) for proof in found.proofs] if proofs else [],
        )

    def path(self, name: str, known: Sequence[str], limit: int) -> Listing:
        """What to read before a statement, in order."""
        corpus = self.workspace.find(name).corpus
        found = self.workspace.path(name, known=known, limit=limit)
        items = [_item(corpus, corpus.corpus.by_id[step.id], f"layer {step.layer}") for step in found.steps]
        note = f"cut at distance {found.cut_at}: there is more before" if found.cut_at is not None else ""
        return Listing(items=items, note=note)

    def impact(self, name: str, limit: int) -> Listing:
        """What depends on a statement, nearest first."""
        corpus, found = self.workspace.find(name).corpus, self.workspace.impact(name)
        items = [_item(corpus, corpus.corpus.by_id[key], f"distance {far}") for key, far in found[:limit]]
        return Listing(items=items, more=max(0, len(found) - limit))


def _item(corpus: OpenCorpus, statement: Statement, note: str = "") -> Item:
    says = preview(statement, corpus.macros, PREVIEW)
    return Item(id=statement.id, name=full_name(statement, corpus.macros), says=says, note=note)
