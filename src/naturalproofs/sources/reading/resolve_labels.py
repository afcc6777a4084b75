"""From what was read to records: labels become ids, proofs go to what they name, mentions become absolute labels.

Labels are made absolute where documents have labels of their own, and resolved across documents.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from naturalproofs.io.memory import DiskList
from naturalproofs.records import (
    BY_NUMBER,
    Anchor,
    AnchorKind,
    Diagnostic,
    Draft,
    InputFile,
    Mention,
    Origin,
    Place,
    Proof,
    Statement,
    StatementId,
)
from naturalproofs.sources.reading.builders import (
    BIBLIOGRAPHY,
    RANGE,
    Printed,
    ProofBuilder,
    Reading,
    StatementBuilder,
)

RANGES = frozenset({"crefrange", "Crefrange", "vrefrange"})
"""Commands that cite all statements between two."""
_LAST = re.compile(r"(.*?)(\d+)$")
_LONGEST_RANGE = 200
_PLACES: frozenset[AnchorKind] = frozenset({"section", "float"})
"""What the heading of a proof may name without being proved: "Proof (see Section 3)"."""
_AFTER_NAME = ":-"
"""What may stand between the name of a document and a label of it."""
_START = 4
"""Letters by which prefixes are indexed."""


def by_chapter(statement: StatementBuilder) -> tuple[str, ...]:
    """A statement's category is its chapter."""
    return (statement.chapter,) if statement.chapter else ()


def by_chapter_or_section(statement: StatementBuilder) -> tuple[str, ...]:
    """A statement's category is its chapter, or else its section."""
    return (statement.chapter or statement.section,) if statement.chapter or statement.section else ()


def resolve_labels(
    reading: Reading,
    *,
    corpus: str,
    document: str,
    inputs: Iterable[InputFile],
    categories: Callable[[StatementBuilder], tuple[str, ...]] = by_chapter,
    tags: dict[str, str] | None = None,
    about: dict[str, str] | None = None,
    prefixes: Mapping[str, str] | None = None,
    external_labels: Mapping[str, tuple[ExternalLabels, ...]] | None = None,
) -> Draft:
    """Make the records of what was read.

    Args:
        reading: The statements, proofs and labels of all files.
        corpus: Name of the corpus, the first part of every id.
        document: Name of the document in reading order.
        inputs: The files read.
        categories: The categories of a statement.
        tags: Permanent names, by absolute label.
        about: Title, authors, licence.
        prefixes: The prefix by which other documents cite the labels of each document; where it is empty, labels are
            cited as they are written, and only one that a larger document has, too, gets a prefix. All documents have
            their name as a prefix if this is None.
        external_labels: The labels that each document may use from others.
    """
    table = LabelTable(corpus, prefixes, external_labels)
    if prefixes is not None:
        table.share(reading)
    labels = [table.absolute(reading.label(statement), statement.scope) for statement in reading.statements]
    ids = {id(statement): table.unique_id(label) for statement, label in zip(reading.statements, labels, strict=True)}
    diagnostics = [*reading.diagnostics]
    by_label = dict(zip(reversed(labels), reversed(reading.statements), strict=True))
    # A proof may name a statement by its second label, or by a part of it.
    for anchor in reading.anchors:
        if isinstance(anchor.holder, StatementBuilder):
            by_label.setdefault(table.absolute(anchor.label, anchor.scope), anchor.holder)
    numbers = Numbers(reading.statements, table, ids)
    _attach_by_number(reading, numbers)
    _add_anchors(reading, table, ids, diagnostics)
    diagnostics.extend(_attach_by_label(reading, table, by_label))

    def proof_of(builder: ProofBuilder) -> Proof:
        contents = reading.spill.contents(builder)
        return builder.freeze(contents, numbers.expand(contents.mentions, builder.scope))

    def record(position: int, statement: StatementBuilder, label: str) -> Statement:
        contents = reading.spill.contents(statement)
        return Statement(
            id=ids[id(statement)],
            kind=statement.kind,
            label=label,
            title=statement.title,
            lines=contents.lines(),
            mentions=numbers.expand(contents.mentions, statement.scope),
            proofs=tuple(map(proof_of, statement.proofs)),
            categories=categories(statement),
            form=statement.form,
            number=statement.number,
            tag=(tags or {}).get(label, ""),
            origin=statement.origin,
            place=Place(document, statement.chapter, statement.section, position),
            notes=tuple(contents.notes),
        )

    records = map(record, count(), reading.statements, labels)
    statements = DiskList(Statement, records) if reading.spill.is_used else tuple(records)
    _add_bibliography(statements, table)
    found = Counter(statement.origin.path for statement in reading.statements if statement.origin is not None)
    return Draft(statements, table.anchors, tuple(diagnostics), tuple(inputs), about or {}, found=found)


def _attach_by_label(reading: Reading, table: LabelTable, by_label: dict[str, StatementBuilder]) -> list[Diagnostic]:
    """Move each proof that names what it proves to that statement; report the proofs that stay without one."""
    unattached = [proof for proof in reading.orphans if not proof.implied]
    for proof in reading.proofs():
        target = _named(proof, table, by_label)
        if target is proof.owner:
            continue
        if proof.owner is not None:
            proof.owner.proofs.remove(proof)
            unattached.append(proof)
        proof.owner = target
        if target is not None:
            target.proofs.append(proof)
            if proof in unattached:
                unattached.remove(proof)
    for proof in [proof for statement in reading.statements for proof in statement.proofs if proof.also_of]:
        for label in proof.also_of:
            other = by_label.get(table.absolute(label, proof.scope)) or by_label.get(label)
            if other is not None and other is not proof.owner:
                other.proofs.append(replace(proof, owner=other, also_of=()))
    message = "this proof belongs to no statement of the corpus"
    return [
        Diagnostic(p.origin.path, p.origin.line, 1, "warning", "proof-without-statement", message) for p in unattached
    ]


def _named(proof: ProofBuilder, table: LabelTable, by_label: dict[str, StatementBuilder]) -> StatementBuilder | None:
    """The statement that a proof names, or else the one it follows."""
    if not proof.of:
        return proof.owner
    scope = proof.scope
    named = by_label.get(table.absolute(proof.of, scope)) or by_label.get(proof.of)
    anchor = table.anchors.get(table.absolute(proof.of, scope)) or table.anchors.get(proof.of)
    # A proof that names an algorithm or an exercise is not the proof of the theorem before it; a section is not proved.
    is_another = anchor is not None and anchor.kind not in _PLACES
    return named or (None if is_another else proof.owner)


def _add_anchors(
    reading: Reading, table: LabelTable, ids: dict[int, StatementId], diagnostics: list[Diagnostic]
) -> None:
    for anchor in reading.anchors:
        label = table.absolute(anchor.label, anchor.scope)
        holder = anchor.holder.owner if isinstance(anchor.holder, ProofBuilder) else anchor.holder
        if label in table.anchors:
            first = table.anchors[label].origin
            message = f"label {anchor.label} was already defined at {first}; the first one counts"
            path, line = anchor.origin.path, anchor.origin.line
            diagnostics.append(Diagnostic(path, line, 1, "warning", "duplicate-label", message, anchor.label, first))
            continue
        owner = ids[id(holder)] if holder is not None else None
        key = anchor.label if label != anchor.label and not table.has_prefix(anchor.scope) else ""
        table.anchors[label] = Anchor(anchor.kind, owner, anchor.origin, anchor.number, anchor.word, anchor.title, key)


def _attach_by_number(reading: Reading, numbers: Numbers) -> None:
    """Attach proofs that name their statement by number or title, as in "Proof of Theorem 3"."""
    for proof in reading.proofs():
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


def _add_bibliography(statements: Iterable[Statement], table: LabelTable) -> None:
    for statement in statements:
        cited = [*statement.mentions, *(mention for proof in statement.proofs for mention in proof.mentions)]
        for mention in cited:
            if mention.target.startswith(BIBLIOGRAPHY) and statement.origin:
                table.anchors.setdefault(mention.target, Anchor("bibliography", None, statement.origin))


class ExternalLabels(NamedTuple):
    """Labels of another document that may be used in this one, with a prefix."""

    prefix: str
    scope: str | None
    """The document they come from, if it is part of the corpus."""
    origin: Origin
    labels: frozenset[str] | None = None
    """The labels there are, if that is known although the document is not part of the corpus."""


class LabelTable:
    """Absolute labels and the anchors they lead to."""

    def __init__(
        self,
        corpus: str,
        prefixes: Mapping[str, str] | None = None,
        external: Mapping[str, tuple[ExternalLabels, ...]] | None = None,
    ) -> None:
        """The labels of one corpus; see `resolve_labels` for the prefixes."""
        self.corpus = corpus
        self.anchors: dict[str, Anchor] = {}
        self._used: Counter[str] = Counter()
        self._prefixes = prefixes
        self._names: dict[str, str] = {}
        """A short name of each document."""
        self._by_name: dict[str, str] = {}
        self._scopes: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """The documents without a prefix that have each label, the largest first."""
        self._external = external or {}
        self._found: dict[tuple[str, str], str] = {}
        self._by_start: dict[str, dict[str, list[tuple[int, ExternalLabels]]]] = {}

    def share(self, reading: Reading) -> None:
        """Let documents cite one another's labels as they are written, where only one of them has it.

        Prefixes that no citation has are not used.
        """
        prefixes = tuple(filter(None, (self._prefixes or {}).values()))
        parts = (part for one in reading.statements for part in (one, *one.proofs)) if prefixes else ()
        cited = (one.target for part in parts for one in reading.spill.contents(part).mentions)
        if not any(key.startswith(prefixes) for key in cited):
            self._prefixes = {}
        sizes = Counter(statement.scope for statement in reading.statements)
        for anchor in sorted(reading.anchors, key=lambda anchor: -sizes[anchor.scope]):
            if not self.has_prefix(anchor.scope):
                self._scopes[anchor.label][anchor.scope] = None
        for scope in dict.fromkeys(anchor.scope for anchor in reading.anchors):
            folders = scope.split("/")
            names = ("-".join(folders[-count:]) for count in range(1, len(folders) + 1))
            name = next((name for name in names if name not in self._by_name), scope)
            self._names[scope], self._by_name[name] = name, scope

    def has_prefix(self, scope: str) -> bool:
        """Whether other documents cite the labels of a document with a prefix."""
        return self._prefixes is None or bool(self._prefixes.get(scope))

    def absolute(self, label: str, scope: str) -> str:
        """The name in the whole corpus of a label of a document."""
        if not scope:
            return label
        if self._prefixes is None or self._prefixes.get(scope):
            return f"{scope}-{label}" if self._prefixes is None else self._prefixes[scope] + label
        first = next(iter(self._scopes[label]), scope) if label in self._scopes else scope
        return label if first == scope else f"{self._names.get(scope, scope)}-{label}"

    def resolve(self, label: str, scope: str) -> str:
        """The absolute label that a key written in this scope means: local first, then those of other documents."""
        local = self.absolute(label, scope)
        if local in self.anchors:
            return local
        # Most keys occur many times; the documents are searched once for each.
        if (scope, label) not in self._found:
            self._found[scope, label] = self._resolve_external(label, scope)
        return self._found[scope, label]

    def _resolve_external(self, label: str, scope: str) -> str:
        for prefix, other, origin, labels in self._candidates(label, scope):
            bare = label[len(prefix) :]
            if other is not None:
                if (found := self.absolute(bare, other)) in self.anchors:
                    return found
            elif prefix or (labels is not None and bare in labels):
                self.anchors.setdefault(label, Anchor("external", None, origin))
                return label
        for at in (at for at, character in enumerate(label) if character in _AFTER_NAME):
            # As the prefixes of other documents usually are; their declarations may be in a file that is missing.
            named = self._by_name.get(label[:at], "")
            if named and (found := self.absolute(label[at + 1 :], named)) in self.anchors:
                return found
        others = self._scopes.get(label, {})
        if len(others) == 1:
            return self.absolute(label, next(iter(others)))
        # A key that several other documents have means none of them.
        return self.absolute(label, scope) if others else label

    def _candidates(self, label: str, scope: str) -> list[ExternalLabels]:
        """The documents whose prefix the label has, in their order; the index matters where there are a hundred."""
        if scope not in self._by_start:
            known: dict[str, list[tuple[int, ExternalLabels]]] = {}
            for number, one in enumerate(self._external.get(scope, ())):
                known.setdefault(one.prefix[:_START], []).append((number, one))
            self._by_start[scope] = known
        starts = self._by_start[scope]
        # A prefix that is shorter than a start is a start itself.
        found = [
            pair
            for length in range(min(_START, len(label)) + 1)
            for pair in starts.get(label[:length], ())
            if label.startswith(pair[1].prefix)
        ]
        return [one for _, one in sorted(found, key=lambda pair: pair[0])]

    def unique_id(self, absolute: str) -> StatementId:
        """A unique id; a second use of a label gets a number."""
        self._used[absolute] += 1
        count = self._used[absolute]
        return f"{self.corpus}:{absolute}" if count == 1 else f"{self.corpus}:{absolute}~{count}"


class Numbers:
    """Statements by number and title, and the mentions that mean them."""

    def __init__(
        self, statements: Sequence[StatementBuilder], table: LabelTable, ids: Mapping[int, StatementId]
    ) -> None:
        """Index the numbered statements of all documents."""
        self._labels = table
        self._ids = ids
        self._by_number: defaultdict[tuple[str, str, str], list[StatementBuilder]] = defaultdict(list)
        self._by_title: defaultdict[tuple[str, str], list[StatementBuilder]] = defaultdict(list)
        self._by_target: dict[str, StatementBuilder] = {}
        for statement in statements:
            if statement.number:
                self._by_number[statement.scope, statement.family, statement.number].append(statement)
            for title in {statement.title.casefold(), statement.form} - {""}:
                self._by_title[statement.scope, title].append(statement)

    def printed(self, printed: Printed, scope: str) -> StatementBuilder | None:
        """The one statement of this document that is printed so."""
        found = self._by_number.get((scope, printed.family, printed.number), [])
        return found[0] if len(found) == 1 else None

    def titled(self, title: str, scope: str) -> StatementBuilder | None:
        """The one statement that has this title, or is the only one of its kind."""
        found = self._by_title.get((scope, title.casefold()), [])
        return found[0] if len(found) == 1 else None

    def expand(self, mentions: Iterable[Mention], scope: str) -> tuple[Mention, ...]:
        """Replace citations by number by labels, where they are unambiguous; fill ranges; leave bibliography keys."""
        result: list[Mention] = []
        for mention in mentions:
            if mention.surface == BY_NUMBER:
                result.extend(self._text(mention, scope))
                continue
            if mention.target.startswith(BIBLIOGRAPHY):
                result.append(mention)
                continue
            target = self._labels.resolve(mention.target, scope)
            result.append(mention if target == mention.target else Mention(target, mention.surface, mention.line))
            if mention.surface in RANGES and len(result) > 1:
                first, last = result[-2:]
                if first.surface == last.surface and first.line == last.line:
                    result[-1:] = [*self._between(first, last), last]
        return tuple(result)

    def _text(self, mention: Mention, scope: str) -> list[Mention]:
        family, number = mention.target.rsplit(" ", 1)
        first, _, last = number.partition(RANGE)
        numbers = [first, *_numbers_between(first, last), last] if last else [first]
        found = [self.printed(Printed(family, one), scope) for one in numbers]
        return [replace(mention, target=self._target(statement)) for statement in found if statement is not None]

    def _between(self, first: Mention, last: Mention) -> list[Mention]:
        """The statements of the same kind whose numbers lie between those of two labels."""
        one, other = (self._by_id(mention.target) for mention in (first, last))
        if one is None or other is None or (one.family, one.scope) != (other.family, other.scope):
            return []
        numbers = _numbers_between(one.number, other.number)
        found = [self.printed(Printed(one.family, number), one.scope) for number in numbers]
        return [replace(first, target=self._target(statement)) for statement in found if statement is not None]

    def _by_id(self, target: str) -> StatementBuilder | None:
        if not self._by_target:
            statements = (statement for group in self._by_number.values() for statement in group)
            self._by_target = {
                self._labels.absolute(label, statement.scope): statement
                for statement in statements
                for label in statement.labels
            }
        return self._by_target.get(target)

    def _target(self, statement: StatementBuilder) -> str:
        """The label of a statement, or one made from its id."""
        if statement.labels:
            return self._labels.absolute(statement.labels[0], statement.scope)
        identifier = self._ids[id(statement)]
        label = identifier.removeprefix(f"{self._labels.corpus}:")
        self._labels.anchors.setdefault(label, Anchor("statement", identifier, statement.origin))
        return label


def _numbers_between(first: str, last: str) -> list[str]:
    """The numbers between 2.1 and 2.4, if both count in the same place."""
    one, other = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if not one or not other or one[1] != other[1] or len(other[2]) > 6:
        return []
    start, end = int(one[2]), int(other[2])
    return [f"{one[1]}{number}" for number in range(start + 1, end)] if end - start <= _LONGEST_RANGE else []


def with_documents(statements: Sequence[Statement], reading: Reading, mains: Mapping[str, str]) -> Sequence[Statement]:
    """Statements of documents that have nothing to do with one another, with the name of each one's main file."""
    found = (
        replace(statement, place=replace(statement.place, document=mains[builder.scope]))
        if statement.place is not None
        else statement
        for statement, builder in zip(statements, reading.statements, strict=True)
    )
    return DiskList(Statement, found) if isinstance(statements, DiskList) else tuple(found)
