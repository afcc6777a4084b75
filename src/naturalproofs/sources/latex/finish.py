"""From a reading to a draft: labels become ids, named proofs find their theorems, mentions become absolute."""

from collections import Counter
from collections.abc import Callable, Iterable

from naturalproofs.records import Anchor, Diagnostic, Draft, InputFile, Mention, Origin, Place, Statement, StatementId
from naturalproofs.sources.latex.drafts import ProofDraft, StatementDraft
from naturalproofs.sources.latex.reader import Reading


class Names:
    """Absolute labels: local to a scope where there is one, and unique."""

    def __init__(self, corpus: str) -> None:
        """Names inside one corpus."""
        self.corpus = corpus
        self.anchors: dict[str, Anchor] = {}
        self._used: Counter[str] = Counter()

    def absolute(self, label: str, scope: str) -> str:
        """A label as the whole corpus knows it."""
        return f"{scope}-{label}" if scope else label

    def resolve(self, label: str, scope: str) -> str:
        """The absolute label that a key written in this scope means: local first."""
        local = self.absolute(label, scope)
        return local if local in self.anchors else label

    def unique_id(self, absolute: str) -> StatementId:
        """An id nobody else has; a second use of a label gets a number."""
        self._used[absolute] += 1
        count = self._used[absolute]
        return f"{self.corpus}:{absolute}" if count == 1 else f"{self.corpus}:{absolute}~{count}"


def finish(
    reading: Reading,
    *,
    corpus: str,
    document: str,
    inputs: Iterable[InputFile],
    categories: Callable[[StatementDraft], tuple[str, ...]] = lambda draft: (draft.chapter,) if draft.chapter else (),
    tags: dict[str, str] | None = None,
    revision: str = "",
) -> Draft:
    """Freeze what was read.

    Args:
        reading: The statements, proofs and labels of all files.
        corpus: Name of the corpus, the first part of every id.
        document: Name of the document in reading order.
        inputs: The files read.
        categories: The categories of a statement.
        tags: Permanent outside names, by absolute label.
        revision: The version of the source, if known.
    """
    names = Names(corpus)
    labels = [names.absolute(draft.label(), draft.scope) for draft in reading.statements]
    ids = {id(draft): names.unique_id(label) for draft, label in zip(reading.statements, labels, strict=True)}
    diagnostics = [*reading.diagnostics]
    by_label = {label: draft for label, draft in zip(reversed(labels), reversed(reading.statements), strict=True)}
    _add_anchors(reading, names, ids, diagnostics)
    diagnostics.extend(_name_proofs(reading, names, by_label))
    statements = tuple(
        Statement(
            id=ids[id(draft)],
            kind=draft.kind,
            label=label,
            title=draft.title,
            lines=draft.lines(),
            mentions=_absolute(draft.mentions, draft.scope, names),
            proofs=tuple(proof.freeze(_absolute(proof.mentions, draft.scope, names)) for proof in draft.proofs),
            categories=categories(draft),
            form=draft.form,
            tag=(tags or {}).get(label, ""),
            origin=draft.origin,
            place=Place(document, draft.chapter, draft.section, position),
            notes=tuple(draft.notes),
        )
        for position, (draft, label) in enumerate(zip(reading.statements, labels, strict=True))
    )
    return Draft(statements, names.anchors, tuple(diagnostics), tuple(inputs), revision)


def _name_proofs(reading: Reading, names: Names, by_label: dict[str, StatementDraft]) -> list[Diagnostic]:
    """Move each proof that names what it proves to that theorem; say which proofs stay without one."""
    homeless = [*reading.orphans]
    for proof in [*reading.orphans, *(proof for draft in reading.statements for proof in draft.proofs)]:
        target = _named(proof, names, by_label)
        if target is proof.owner:
            continue
        if proof.owner is not None:
            proof.owner.proofs.remove(proof)
            homeless.append(proof)
        proof.owner = target
        if target is not None:
            target.proofs.append(proof)
            homeless.remove(proof)
    message = "this proof belongs to no statement of the corpus"
    return [Diagnostic(p.origin.path, p.origin.line, 1, "warning", "proof-without-statement", message) for p in homeless]


def _named(proof: ProofDraft, names: Names, by_label: dict[str, StatementDraft]) -> StatementDraft | None:
    """The statement that a proof names, or else the one it follows."""
    if not proof.of:
        return proof.owner
    scope = proof.owner.scope if proof.owner else ""
    named = by_label.get(names.absolute(proof.of, scope)) or by_label.get(proof.of)
    # A proof that names an algorithm or an exercise is not the proof of the theorem before it.
    known_elsewhere = names.absolute(proof.of, scope) in names.anchors or proof.of in names.anchors
    return named or (None if known_elsewhere else proof.owner)


def _add_anchors(
    reading: Reading, names: Names, ids: dict[int, StatementId], diagnostics: list[Diagnostic]
) -> None:
    for anchor in reading.anchors:
        label = names.absolute(anchor.label, anchor.scope)
        holder = anchor.holder.owner if isinstance(anchor.holder, ProofDraft) else anchor.holder
        if label in names.anchors:
            first = names.anchors[label].origin
            diagnostics.append(_duplicate(anchor.origin, anchor.label, first))
            continue
        owner = ids[id(holder)] if holder is not None else None
        names.anchors[label] = Anchor(anchor.kind, owner, anchor.origin)


def _duplicate(origin: Origin, label: str, first: Origin) -> Diagnostic:
    message = f"label {label} was already defined at {first}; the first one counts"
    return Diagnostic(origin.path, origin.line, 1, "warning", "duplicate-label", message)


def _absolute(mentions: Iterable[Mention], scope: str, names: Names) -> tuple[Mention, ...]:
    if not scope:
        return tuple(mentions)
    return tuple(Mention(names.resolve(m.target, scope), m.surface, m.line) for m in mentions)
