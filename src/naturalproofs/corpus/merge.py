"""Several corpora as one, and each of them back out of it without loss.

Ids stay as they are. Published integers follow the original: the largest one so far, plus one, is added to those of the
next corpus; a corpus without them is numbered first as it would be published. Positions in reading order move on
likewise, so that one corpus stands after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import attrgetter

from naturalproofs.corpus.corpus import Corpus, Part, Provenance
from naturalproofs.corpus.invariants import check_corpus
from naturalproofs.corpus.numbers import published_numbers
from naturalproofs.corpus.resolve import Resolution, Unresolved
from naturalproofs.errors import BadSchema, UnknownName
from naturalproofs.records import Diagnostic, Split, Statement, StatementId

BETWEEN = " + "
"""Stands between what is told of one corpus and of the next."""


@dataclass(frozen=True, slots=True)
class Whole:
    """All that a corpus folder holds."""

    corpus: Corpus
    splits: dict[str, Split]
    recipe: str
    unresolved: tuple[Unresolved, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def merge(wholes: Sequence[Whole], name: str) -> Whole:
    """Put corpora one after the other; a corpus that was merged before gives its parts."""
    _check_distinct([whole.corpus for whole in wholes])
    statements: list[Statement] = []
    parts: list[Part] = []
    position = number = 0
    for whole in wholes:
        _check_numbered(whole.corpus)
        numbers = published_numbers(whole.corpus)
        statements.extend(shifted(s, position, number + numbers[s.id]) for s in whole.corpus.statements)
        parts.extend(
            replace(part, position=part.position + position, number=part.number + number) for part in _parts(whole)
        )
        position = 1 + max((s.place.position for s in statements if s.place), default=position - 1)
        number = 1 + max((s.published_id for s in statements if s.published_id is not None), default=number - 1)
    corpus = Corpus(
        name=name,
        statements=tuple(statements),
        provenance=_provenance(tuple(parts)),
        resolution=_resolution([whole.corpus.resolution for whole in wholes]),
        inputs=tuple(file for whole in wholes for file in whole.corpus.inputs),
    )
    check_corpus(corpus)
    return Whole(
        corpus=corpus,
        splits=_joined(whole.splits for whole in wholes),
        recipe=BETWEEN.join(whole.recipe for whole in wholes),
        unresolved=tuple(mention for whole in wholes for mention in whole.unresolved),
        diagnostics=tuple(diagnostic for whole in wholes for diagnostic in whole.diagnostics),
    )


def unmerge(whole: Whole, name: str) -> Whole:
    """Take one corpus out of a merged one, as it was before."""
    parts = whole.corpus.provenance.parts
    index = next((index for index, part in enumerate(parts) if part.name == name), None)
    if index is None:
        there = f"it holds: {', '.join(part.name for part in parts)}" if parts else "it was not merged"
        raise UnknownName(f"no corpus called {name!r} is in {whole.corpus.name}; {there}")
    part = parts[index]

    def own(size: Callable[[Part], int]) -> slice:
        ends = list(accumulate((size(each) for each in parts), initial=0))
        return slice(ends[index], ends[index + 1])

    statements = tuple(_back(s, part) for s in whole.corpus.statements[own(attrgetter("statements"))])
    inputs = whole.corpus.inputs[own(attrgetter("inputs"))]
    known = {statement.id for statement in statements}
    return Whole(
        corpus=Corpus(part.name, statements, part.provenance, part.resolution, inputs),
        splits={key: _of(split, known) for key, split in whole.splits.items()},
        recipe=part.recipe,
        unresolved=whole.unresolved[own(attrgetter("unresolved"))],
        diagnostics=whole.diagnostics[own(attrgetter("diagnostics"))],
    )


def shifted(statement: Statement, position: int, number: int | None) -> Statement:
    """The statement further on in reading order, and under another published integer."""
    place = statement.place and replace(statement.place, position=statement.place.position + position)
    proofs = tuple(p if p.position is None else replace(p, position=p.position + position) for p in statement.proofs)
    return replace(statement, place=place, proofs=proofs, published_id=number)


def _back(statement: Statement, part: Part) -> Statement:
    number = statement.published_id
    before = number - part.number if part.numbered and number is not None else None
    return shifted(statement, -part.position, before)


def _parts(whole: Whole) -> tuple[Part, ...]:
    corpus = whole.corpus
    return corpus.provenance.parts or (
        Part(
            name=corpus.name,
            provenance=corpus.provenance,
            recipe=whole.recipe,
            statements=len(corpus.statements),
            inputs=len(corpus.inputs),
            unresolved=len(whole.unresolved),
            diagnostics=len(whole.diagnostics),
            numbered=bool(_published(corpus)),
            resolution=corpus.resolution,
        ),
    )


def _check_distinct(corpora: Sequence[Corpus]) -> None:
    names = Counter(part for corpus in corpora for part in _names(corpus))
    if twice := [name for name, times in names.items() if times > 1]:
        raise BadSchema(f"two of the corpora are called {twice[0]!r}; build one of them under another --name")
    owner: dict[StatementId, str] = {}
    for corpus in corpora:
        for statement in corpus.statements:
            if statement.id in owner:
                both = f"{owner[statement.id]} and {corpus.name}"
                raise BadSchema(f"{both} both have a statement {statement.id}; build one of them under another --name")
        owner |= {statement.id: corpus.name for statement in corpus.statements}


def _names(corpus: Corpus) -> list[str]:
    return [part.name for part in corpus.provenance.parts] or [corpus.name]


def _published(corpus: Corpus) -> set[int]:
    return {statement.published_id for statement in corpus.statements if statement.published_id is not None}


def _check_numbered(corpus: Corpus) -> None:
    """What is numbered in part, or twice, could not be given back as it was."""
    if len(_published(corpus)) not in (0, len(corpus.statements)):
        raise BadSchema(f"{corpus.name}: only some statements have a published integer of their own; build it again")


def _provenance(parts: tuple[Part, ...]) -> Provenance:
    sources = [part.provenance for part in parts]
    recipes = {source.split for source in sources}
    return Provenance(
        source=BETWEEN.join(dict.fromkeys(source.source for source in sources)),
        # Figures of a merged corpus are the original parser's as soon as a part of them is.
        rules="paper" if any(source.rules == "paper" for source in sources) else "fixed",
        title=BETWEEN.join(part.provenance.title or part.name for part in parts),
        authors=_told(parts, "authors"),
        licence=_told(parts, "licence"),
        url=_told(parts, "url"),
        citation=_told(parts, "citation"),
        revision=_told(parts, "revision"),
        split=recipes.pop() if len(recipes) == 1 else "leaf",
        parts=parts,
    )


def _told(parts: Iterable[Part], field: str) -> str:
    """What is known of each part, with its name before it; what all of them share is said once."""
    values = {part.name: getattr(part.provenance, field) for part in parts}
    if len(set(values.values())) == 1:
        return str(next(iter(values.values())))
    return "; ".join(f"{name}: {value or 'not stated'}" for name, value in values.items())


def _resolution(found: Sequence[Resolution | None]) -> Resolution | None:
    known = [resolution for resolution in found if resolution is not None]
    if len(known) < len(found):
        return None
    return Resolution(
        mentions=sum(resolution.mentions for resolution in known),
        references=sum(resolution.references for resolution in known),
        by_label=_sum(resolution.by_label for resolution in known),
        unresolved=_sum(resolution.unresolved for resolution in known),
    )


def _sum(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(total)


def _joined(splits: Iterable[dict[str, Split]]) -> dict[str, Split]:
    """Part by part. No reference leads from one corpus to another, so what does not leak alone does not leak now."""
    found: dict[str, Split] = {}
    for each in splits:
        for name, split in each.items():
            so_far = found.get(name, Split())
            found[name] = Split((*so_far.examples, *split.examples), (*so_far.absent, *split.absent))
    return found


def _of(split: Split, known: set[StatementId]) -> Split:
    examples = tuple(pair for pair in split.examples if pair[0] in known)
    return Split(examples, tuple(key for key in split.absent if key in known))
