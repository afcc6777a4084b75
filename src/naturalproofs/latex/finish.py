"""From a reading to a draft: labels become ids, named proofs find their theorems, mentions become absolute."""

from collections.abc import Callable, Iterable, Mapping

from naturalproofs.latex.citing import CITED, Numbers
from naturalproofs.latex.drafts import Cited, ProofDraft, StatementDraft
from naturalproofs.latex.frames import Reading
from naturalproofs.latex.names import Borrowed, Names
from naturalproofs.records import Anchor, Diagnostic, Draft, InputFile, Mention, Origin, Place, Statement, StatementId


def finish(
    reading: Reading,
    *,
    corpus: str,
    document: str,
    inputs: Iterable[InputFile],
    categories: Callable[[StatementDraft], tuple[str, ...]] = lambda draft: (draft.chapter,) if draft.chapter else (),
    tags: dict[str, str] | None = None,
    about: dict[str, str] | None = None,
    numbered: bool = False,
    prefixes: Mapping[str, str] | None = None,
    borrowed: Mapping[str, tuple[Borrowed, ...]] | None = None,
    known: Mapping[str, Anchor] | None = None,
) -> Draft:
    """Freeze what was read.

    Args:
        reading: The statements, proofs and labels of all files.
        corpus: Name of the corpus, the first part of every id.
        document: Name of the document in reading order.
        inputs: The files read.
        categories: The categories of a statement.
        tags: Permanent outside names, by absolute label.
        about: What the files tell about themselves: title, authors, licence.
        numbered: Whether statements have numbers, and may be cited by them.
        prefixes: What is put before the labels of each document.
        borrowed: The labels that each document may use from others.
        known: Labels of documents that are not part of this reading.
    """
    names = Names(corpus, prefixes, borrowed)
    names.anchors.update(known or {})
    labels = [names.absolute(draft.label(), draft.scope) for draft in reading.statements]
    ids = {id(draft): names.unique_id(label) for draft, label in zip(reading.statements, labels, strict=True)}
    diagnostics = [*reading.diagnostics]
    by_label = dict(zip(reversed(labels), reversed(reading.statements), strict=True))
    numbers = Numbers(reading.statements, names, ids) if numbered else None
    _attach_by_number(reading, numbers)
    _add_anchors(reading, names, ids, diagnostics)
    diagnostics.extend(_name_proofs(reading, names, by_label))

    def mentions(cited: Cited) -> tuple[Mention, ...]:
        if numbers is not None:
            return tuple(numbers.expand(cited.mentions, cited.scope))
        return _absolute(cited.mentions, cited.scope, names)

    statements = tuple(
        Statement(
            id=ids[id(draft)],
            kind=draft.kind,
            label=label,
            title=draft.title,
            lines=draft.lines(),
            mentions=mentions(draft),
            proofs=tuple(proof.freeze(mentions(proof)) for proof in draft.proofs),
            categories=categories(draft),
            form=draft.form,
            number=draft.number,
            tag=(tags or {}).get(label, ""),
            origin=draft.origin,
            place=Place(document, draft.chapter, draft.section, position),
            notes=tuple(draft.notes),
        )
        for position, (draft, label) in enumerate(zip(reading.statements, labels, strict=True))
    )
    if numbered:
        _add_bibliography(statements, names)
    return Draft(statements, names.anchors, tuple(diagnostics), tuple(inputs), about or {})


def _name_proofs(reading: Reading, names: Names, by_label: dict[str, StatementDraft]) -> list[Diagnostic]:
    """Move each proof that names what it proves to that theorem; say which proofs stay without one."""
    homeless = [proof for proof in reading.orphans if not proof.implied]
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
            if proof in homeless:
                homeless.remove(proof)
    message = "this proof belongs to no statement of the corpus"
    return [
        Diagnostic(p.origin.path, p.origin.line, 1, "warning", "proof-without-statement", message) for p in homeless
    ]


def _named(proof: ProofDraft, names: Names, by_label: dict[str, StatementDraft]) -> StatementDraft | None:
    """The statement that a proof names, or else the one it follows."""
    if not proof.of:
        return proof.owner
    scope = proof.scope
    named = by_label.get(names.absolute(proof.of, scope)) or by_label.get(proof.of)
    # A proof that names an algorithm or an exercise is not the proof of the theorem before it.
    known_elsewhere = names.absolute(proof.of, scope) in names.anchors or proof.of in names.anchors
    return named or (None if known_elsewhere else proof.owner)


def _add_anchors(reading: Reading, names: Names, ids: dict[int, StatementId], diagnostics: list[Diagnostic]) -> None:
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


def _attach_by_number(reading: Reading, numbers: Numbers | None) -> None:
    """Turn "Proof of Theorem 3" into the label of that theorem, or attach the proof to it if it has none."""
    if numbers is None:
        return
    for proof in [*reading.orphans, *(proof for draft in reading.statements for proof in draft.proofs)]:
        if proof.of:
            continue
        found = numbers.printed(proof.of_printed, proof.scope) if proof.of_printed else None
        if found is None and proof.of_title:
            found = numbers.titled(proof.of_title, proof.scope)
        if found is None or found is proof.owner:
            continue
        (proof.owner.proofs if proof.owner else reading.orphans).remove(proof)
        found.proofs.append(proof)
        proof.owner = found


def _add_bibliography(statements: Iterable[Statement], names: Names) -> None:
    for statement in statements:
        cited = [*statement.mentions, *(mention for proof in statement.proofs for mention in proof.mentions)]
        for mention in cited:
            if mention.target.startswith(CITED) and statement.origin:
                names.anchors.setdefault(mention.target, Anchor("bibliography", None, statement.origin))
