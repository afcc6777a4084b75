"""From a reading to a draft: labels become ids, named proofs find their theorems, mentions become absolute."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from naturalproofs.latex.builders import Printed, ProofBuilder, Reading, StatementBuilder, TextBuilder
from naturalproofs.latex.labels import BIBLIOGRAPHY, BY_NUMBER, RANGES, ExternalLabels, LabelTable
from naturalproofs.latex.text_references import RANGE
from naturalproofs.records import Anchor, Diagnostic, Draft, InputFile, Mention, Origin, Place, Statement, StatementId

_LAST = re.compile(r"(.*?)(\d+)$")
_LONGEST_RANGE = 200


class Numbers:
    """Statements by what is printed before them, and the mentions that mean them."""

    def __init__(
        self, statements: Sequence[StatementBuilder], names: LabelTable, ids: Mapping[int, StatementId]
    ) -> None:
        """Index the numbered statements of all documents."""
        self._names = names
        self._ids = ids
        self._by_number: defaultdict[tuple[str, str, str], list[StatementBuilder]] = defaultdict(list)
        self._by_title: defaultdict[tuple[str, str], list[StatementBuilder]] = defaultdict(list)
        self._by_target: dict[str, StatementBuilder] = {}
        for draft in statements:
            if draft.number:
                self._by_number[draft.scope, draft.family, draft.number].append(draft)
            for title in {draft.title.casefold(), draft.form} - {""}:
                self._by_title[draft.scope, title].append(draft)

    def printed(self, printed: Printed, scope: str) -> StatementBuilder | None:
        """The one statement of this document that is printed so."""
        found = self._by_number.get((scope, printed.family, printed.number), [])
        return found[0] if len(found) == 1 else None

    def titled(self, title: str, scope: str) -> StatementBuilder | None:
        """The one statement that has this title, or is the only one of its kind."""
        found = self._by_title.get((scope, title.casefold()), [])
        return found[0] if len(found) == 1 else None

    def expand(self, mentions: Iterable[Mention], scope: str) -> list[Mention]:
        """Replace citations by number by what they mean, if it is clear; fill ranges; note the bibliography's keys."""
        result: list[Mention] = []
        for mention in mentions:
            if mention.surface == BY_NUMBER:
                result.extend(self._text(mention, scope))
                continue
            if mention.target.startswith(BIBLIOGRAPHY):
                result.append(mention)
                continue
            target = self._names.resolve(mention.target, scope)
            result.append(mention if target == mention.target else Mention(target, mention.surface, mention.line))
            if mention.surface in RANGES and len(result) > 1:
                first, last = result[-2:]
                if first.surface == last.surface and first.line == last.line:
                    result[-1:] = [*self._between(first, last), last]
        return result

    def _text(self, mention: Mention, scope: str) -> list[Mention]:
        family, number = mention.target.rsplit(" ", 1)
        first, _, last = number.partition(RANGE)
        ends = [first, last] if last else [first]
        inner = _numbers_between(first, last) if last else []
        wanted = [ends[0], *inner, *ends[1:]]
        found = [self.printed(Printed(family, one), scope) for one in wanted]
        return [replace(mention, target=self._target(draft)) for draft in found if draft is not None]

    def _between(self, first: Mention, last: Mention) -> list[Mention]:
        """The statements of the same kind whose numbers lie between those of two labels."""
        one, other = (self._by_id(mention.target) for mention in (first, last))
        if one is None or other is None or (one.family, one.scope) != (other.family, other.scope):
            return []
        numbers = _numbers_between(one.number, other.number)
        found = [self.printed(Printed(one.family, number), one.scope) for number in numbers]
        return [replace(first, target=self._target(draft)) for draft in found if draft is not None]

    def _by_id(self, target: str) -> StatementBuilder | None:
        if not self._by_target:
            drafts = (draft for group in self._by_number.values() for draft in group)
            self._by_target = {
                self._names.absolute(label, draft.scope): draft for draft in drafts for label in draft.labels
            }
        return self._by_target.get(target)

    def _target(self, draft: StatementBuilder) -> str:
        """A label for a statement, made up where the author gave none."""
        if draft.labels:
            return self._names.absolute(draft.labels[0], draft.scope)
        identifier = self._ids[id(draft)]
        label = identifier.removeprefix(f"{self._names.corpus}:")
        self._names.anchors.setdefault(label, Anchor("statement", identifier, draft.origin))
        return label


def _numbers_between(first: str, last: str) -> list[str]:
    """The numbers between 2.1 and 2.4, if both count in the same place."""
    one, other = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if not one or not other or one[1] != other[1] or len(other[2]) > 6:
        return []
    start, end = int(one[2]), int(other[2])
    return [f"{one[1]}{number}" for number in range(start + 1, end)] if end - start <= _LONGEST_RANGE else []


def resolve_labels(
    reading: Reading,
    *,
    corpus: str,
    document: str,
    inputs: Iterable[InputFile],
    categories: Callable[[StatementBuilder], tuple[str, ...]] = lambda draft: (draft.chapter,) if draft.chapter else (),
    tags: dict[str, str] | None = None,
    about: dict[str, str] | None = None,
    numbered: bool = False,
    prefixes: Mapping[str, str] | None = None,
    external_labels: Mapping[str, tuple[ExternalLabels, ...]] | None = None,
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
        external_labels: The labels that each document may use from others.
        known: Labels of documents that are not part of this reading.
    """
    names = LabelTable(corpus, prefixes, external_labels)
    names.anchors.update(known or {})
    labels = [names.absolute(draft.label(), draft.scope) for draft in reading.statements]
    ids = {id(draft): names.unique_id(label) for draft, label in zip(reading.statements, labels, strict=True)}
    diagnostics = [*reading.diagnostics]
    by_label = dict(zip(reversed(labels), reversed(reading.statements), strict=True))
    numbers = Numbers(reading.statements, names, ids) if numbered else None
    _attach_by_number(reading, numbers)
    _add_anchors(reading, names, ids, diagnostics)
    diagnostics.extend(_name_proofs(reading, names, by_label))

    def mentions(cited: TextBuilder) -> tuple[Mention, ...]:
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


def _name_proofs(reading: Reading, names: LabelTable, by_label: dict[str, StatementBuilder]) -> list[Diagnostic]:
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


def _named(proof: ProofBuilder, names: LabelTable, by_label: dict[str, StatementBuilder]) -> StatementBuilder | None:
    """The statement that a proof names, or else the one it follows."""
    if not proof.of:
        return proof.owner
    scope = proof.scope
    named = by_label.get(names.absolute(proof.of, scope)) or by_label.get(proof.of)
    # A proof that names an algorithm or an exercise is not the proof of the theorem before it.
    known_elsewhere = names.absolute(proof.of, scope) in names.anchors or proof.of in names.anchors
    return named or (None if known_elsewhere else proof.owner)


def _add_anchors(
    reading: Reading, names: LabelTable, ids: dict[int, StatementId], diagnostics: list[Diagnostic]
) -> None:
    for anchor in reading.anchors:
        label = names.absolute(anchor.label, anchor.scope)
        holder = anchor.holder.owner if isinstance(anchor.holder, ProofBuilder) else anchor.holder
        if label in names.anchors:
            first = names.anchors[label].origin
            diagnostics.append(_duplicate(anchor.origin, anchor.label, first))
            continue
        owner = ids[id(holder)] if holder is not None else None
        names.anchors[label] = Anchor(anchor.kind, owner, anchor.origin)


def _duplicate(origin: Origin, label: str, first: Origin) -> Diagnostic:
    message = f"label {label} was already defined at {first}; the first one counts"
    return Diagnostic(origin.path, origin.line, 1, "warning", "duplicate-label", message)


def _absolute(mentions: Iterable[Mention], scope: str, names: LabelTable) -> tuple[Mention, ...]:
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


def _add_bibliography(statements: Iterable[Statement], names: LabelTable) -> None:
    for statement in statements:
        cited = [*statement.mentions, *(mention for proof in statement.proofs for mention in proof.mentions)]
        for mention in cited:
            if mention.target.startswith(BIBLIOGRAPHY) and statement.origin:
                names.anchors.setdefault(mention.target, Anchor("bibliography", None, statement.origin))
