"""What each document of a project gave to its corpus, kept by itself: an edit changes one part, and the rest stand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from naturalproofs.corpus.resolve import Unresolved
from naturalproofs.latex.cache import CachedDocument
from naturalproofs.latex.labels import BIBLIOGRAPHY, RANGES, LabelTable
from naturalproofs.records import Anchor, Diagnostic, Statement


@dataclass(frozen=True, slots=True)
class Found:
    """What finishing and resolving documents gave."""

    statements: Sequence[Statement]
    anchors: Mapping[str, Anchor]
    unresolved: Sequence[Unresolved]
    homeless: Sequence[Diagnostic]
    """What was said after the last document was read: proofs that belong to no statement."""


@dataclass(frozen=True, slots=True)
class KeptPart:
    """What one document gave to the corpus; or all of them, where they cannot be told apart."""

    statements: tuple[Statement, ...]
    """Their positions, and those of their proofs, are counted from the beginning of the part."""
    anchors: dict[str, Anchor]
    unresolved: tuple[Unresolved, ...]
    cited: dict[str, Anchor]
    """Keys of the bibliography, and where each is first cited in this part."""
    homeless: tuple[Diagnostic, ...] = ()
    keys: tuple[str, ...] = ()
    """All keys that the document cites, as they are written there."""


def split(
    documents: Sequence[CachedDocument], found: Found, prefixes: Mapping[str, str], known: Collection[str] = ()
) -> list[KeptPart] | None:
    """Tell apart what documents gave, so that one can be made again without the others.

    Args:
        documents: In reading order.
        found: What they gave together.
        prefixes: What is put before the labels of each.
        known: Labels of other documents among the anchors that were found.

    Returns:
        A part for each document. None when one bears on another in other ways than that its labels are cited: proofs
        that name what another document states, labels that stand twice, ranges of numbers, labels made up on the way.
    """
    names = LabelTable("", prefixes)
    homeless = _by_document(found.homeless, documents)
    scopes = {document.scope for document in documents}
    if homeless is None or len(scopes) != len(documents) or not all(map(_keeps_to_itself, documents)):
        return None
    parts: list[KeptPart] = []
    left = set(found.anchors).difference(known)
    start = 0
    for document in documents:
        own = found.statements[start : start + len(document.statements)]
        labels = [names.absolute(anchor.label, document.scope) for anchor in document.anchors]
        ids = {statement.id for statement in own}
        cited = _bibliography(own)
        part = KeptPart(
            tuple(_moved(statement, -start) for statement in own),
            {label: found.anchors[label] for label in labels},
            tuple(one for one in found.unresolved if one.statement in ids),
            cited,
            tuple(homeless.get(document.main, ())),
            _keys(document),
        )
        if len(part.anchors) != len(labels):
            return None
        left.difference_update(labels, cited)
        parts.append(part)
        start += len(own)
    return parts if not left else None


def are_distinct(parts: Sequence[KeptPart]) -> bool:
    """Whether no label, and no name of a statement, stands in two parts or twice in one."""
    labels = [label for part in parts for label in part.anchors]
    names = [statement.label for part in parts for statement in part.statements]
    different = set(labels)
    cited = (key for part in parts for key in part.cited)
    return len(different) == len(labels) and len(set(names)) == len(names) and different.isdisjoint(cited)


def join(parts: Sequence[KeptPart]) -> Found:
    """The parts as one, in their order; they are used up."""
    anchors: dict[str, Anchor] = {}
    statements: list[Statement] = []
    for part in parts:
        _stand(part.statements, len(statements))
        statements.extend(part.statements)
        anchors.update(part.anchors)
    for part in parts:
        for key, anchor in part.cited.items():
            anchors.setdefault(key, anchor)
    unresolved = tuple(one for part in parts for one in part.unresolved)
    return Found(tuple(statements), anchors, unresolved, tuple(one for part in parts for one in part.homeless))


def _keeps_to_itself(document: CachedDocument) -> bool:
    """Whether its proofs prove its own statements, and nothing depends on the numbers of other documents."""
    own = {draft.label() for draft in document.statements}
    proofs = [*document.orphans, *(proof for draft in document.statements for proof in draft.proofs)]
    return all(not proof.of or proof.of in own for proof in proofs) and not any(
        mention.surface in RANGES for one in (*document.statements, *proofs) for mention in one.mentions
    )


def _keys(document: CachedDocument) -> tuple[str, ...]:
    cited = (one for draft in document.statements for one in (draft, *draft.proofs))
    return tuple(dict.fromkeys(mention.target for one in (*document.orphans, *cited) for mention in one.mentions))


def _bibliography(statements: Iterable[Statement]) -> dict[str, Anchor]:
    found: dict[str, Anchor] = {}
    for statement in statements:
        for mention in (*statement.mentions, *(mention for proof in statement.proofs for mention in proof.mentions)):
            if mention.target.startswith(BIBLIOGRAPHY) and statement.origin:
                found.setdefault(mention.target, Anchor("bibliography", None, statement.origin))
    return found


def _by_document(
    homeless: Iterable[Diagnostic], documents: Sequence[CachedDocument]
) -> dict[str, list[Diagnostic]] | None:
    """Proofs without statements by the document they stand in; None when that is not clear."""
    found: dict[str, list[Diagnostic]] = {}
    for one in homeless:
        mains = [document.main for document in documents if any(file.path == one.path for file in document.files)]
        if one.rule != "proof-without-statement" or len(mains) != 1:
            return None
        found.setdefault(mains[0], []).append(one)
    return found


def _moved(statement: Statement, by: int) -> Statement:
    """A copy that stands elsewhere."""
    place = replace(statement.place, position=statement.place.position + by) if statement.place else None
    proofs = tuple(
        proof if proof.position is None else replace(proof, position=proof.position + by) for proof in statement.proofs
    )
    return replace(statement, place=place, proofs=proofs)


def _stand(statements: Iterable[Statement], first: int) -> None:
    """Count positions from the beginning of the corpus.

    The records were just made and nobody has seen them yet; making all of them once more would take longer than the
    rest of opening a project.
    """
    change = object.__setattr__
    for statement in statements if first else ():
        if statement.place is not None:
            change(statement.place, "position", statement.place.position + first)
        for proof in statement.proofs:
            if proof.position is not None:
                change(proof, "position", proof.position + first)
