"""Merge several corpora into one, and extract each of them again without loss.

Statement ids do not change. Published integers follow the original: the largest one so far, plus one, is added to those
of the next corpus; a corpus without them is numbered first as it would be published. Positions in reading order are
shifted in the same way, so that one corpus follows the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import attrgetter
from pathlib import Path

from naturalproofs.benchmark.make import load_folder
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus, Part, Provenance, Resolution, check_corpus
from naturalproofs.errors import BadSchema, NotGiven, UnknownName
from naturalproofs.io.files import check_free
from naturalproofs.records import Split, Statement, StatementId
from naturalproofs.tasks.splits import Splits

SEPARATOR = " + "
"""Between the values of one corpus and the next."""


def merge_folders(folders: Sequence[Path], output: Path, name: str = "") -> store.Manifest:
    """Write the corpora as one; the default name is made of the names of its parts."""
    if len(folders) < 2:
        raise NotGiven("to merge takes at least two corpora; to take one out of a merged one, give --take NAME")
    check_free(output, store.FOLDERS.may_replace)
    contents = [load_folder(folder) for folder in folders]
    corpus, splits = merge(contents, name or SEPARATOR.strip().join(each.name for each, _ in contents))
    return store.save(corpus, output, splits=splits.to_json())


def extract_folder(folder: Path, output: Path, name: str) -> store.Manifest:
    """Write one corpus of a merged one as the folder it came from."""
    check_free(output, store.FOLDERS.may_replace)
    corpus, splits = extract(*load_folder(folder), name)
    return store.save(corpus, output, splits=splits.to_json())


_HEADING = "% corpus "
"""Begins the line above the macros of each part."""


def merge(contents: Sequence[tuple[Corpus, Splits]], name: str) -> tuple[Corpus, Splits]:
    """Concatenate corpora and their splits; a corpus that is itself merged contributes its parts."""
    corpora = [corpus for corpus, _ in contents]
    _check_distinct(corpora)
    statements: list[Statement] = []
    parts: list[Part] = []
    position = number = 0
    for each, splits in contents:
        _check_numbered(each)
        numbers = each.published_numbers()
        statements.extend(_shifted(s, position, number + numbers[s.id]) for s in each.statements)
        own = _parts(each, splits)
        parts.extend(replace(part, position=part.position + position, number=part.number + number) for part in own)
        position = 1 + max((s.place.position for s in statements if s.place), default=position - 1)
        number = 1 + max((s.published_id for s in statements if s.published_id is not None), default=number - 1)
    corpus = Corpus(
        name=name,
        statements=tuple(statements),
        provenance=_provenance(tuple(parts)),
        resolution=_resolution([each.resolution for each in corpora]),
        inputs=tuple(file for each in corpora for file in each.inputs),
        unresolved=tuple(mention for each in corpora for mention in each.unresolved),
        diagnostics=tuple(diagnostic for each in corpora for diagnostic in each.diagnostics),
        works=tuple(entry for each in corpora for entry in each.works),
        definitions="".join(f"{_HEADING}{each.name}\n{each.definitions}" for each in corpora if each.definitions),
    )
    check_corpus(corpus)
    return corpus, _joined([splits for _, splits in contents])


def extract(merged: Corpus, splits: Splits, name: str) -> tuple[Corpus, Splits]:
    """Extract one corpus and its splits from a merged one, as they were before."""
    parts = merged.provenance.parts
    index = next((index for index, part in enumerate(parts) if part.name == name), None)
    if index is None:
        there = f"it holds: {', '.join(part.name for part in parts)}" if parts else "it was not merged"
        raise UnknownName(f"no corpus called {name!r} is in {merged.name}; {there}")
    part = parts[index]

    def own(field: str) -> slice:
        size = attrgetter(field)
        start = sum(size(each) for each in parts[:index])
        return slice(start, start + size(part))

    statements = tuple(_restored(s, part) for s in merged.statements[own("statements")])
    known = {statement.id for statement in statements}
    corpus = Corpus(
        part.name,
        statements,
        part.provenance,
        part.resolution,
        inputs=merged.inputs[own("inputs")],
        unresolved=merged.unresolved[own("unresolved")],
        diagnostics=merged.diagnostics[own("diagnostics")],
        definitions=_macros_of(merged.definitions, part.name),
        works=merged.works[own("bibliography")],
    )
    return corpus, Splits(
        part.recipe, *(_restricted(each, known) for each in (splits.train, splits.valid, splits.test))
    )


def _macros_of(macros: str, name: str) -> str:
    """The definitions below the heading of one corpus; a definition is one line."""
    _, heading, after = f"\n{macros}".partition(f"\n{_HEADING}{name}\n")
    return (
        "".join(takewhile(lambda line: not line.startswith(_HEADING), after.splitlines(keepends=True)))
        if heading
        else ""
    )


def _shifted(statement: Statement, position: int, number: int | None) -> Statement:
    """The statement with its positions increased, and another published integer."""
    place = statement.place and replace(statement.place, position=statement.place.position + position)
    proofs = tuple(p if p.position is None else replace(p, position=p.position + position) for p in statement.proofs)
    return replace(statement, place=place, proofs=proofs, published_id=number)


def _restored(statement: Statement, part: Part) -> Statement:
    number = statement.published_id
    original = number - part.number if part.numbered and number is not None else None
    return _shifted(statement, -part.position, original)


def _parts(corpus: Corpus, splits: Splits) -> tuple[Part, ...]:
    return corpus.provenance.parts or (
        Part(
            name=corpus.name,
            provenance=corpus.provenance,
            recipe=splits.recipe,
            statements=len(corpus.statements),
            inputs=len(corpus.inputs),
            unresolved=len(corpus.unresolved),
            diagnostics=len(corpus.diagnostics),
            numbered=bool(_published(corpus)),
            resolution=corpus.resolution,
            bibliography=len(corpus.works),
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
    """Integers that are missing for some statements, or repeat, could not be restored."""
    if len(_published(corpus)) not in (0, len(corpus.statements)):
        raise BadSchema(f"{corpus.name}: only some statements have a published integer of their own; build it again")


def _provenance(parts: tuple[Part, ...]) -> Provenance:
    sources = [part.provenance for part in parts]
    recipes = {source.split for source in sources}
    return Provenance(
        source=SEPARATOR.join(dict.fromkeys(source.source for source in sources)),
        # One part with the original parser's rules is enough for the figures to depend on them.
        rules="paper" if any(source.rules == "paper" for source in sources) else "fixed",
        title=SEPARATOR.join(part.provenance.title or part.name for part in parts),
        **{field: _joined_field(parts, field) for field in ("authors", "licence", "url", "citation", "revision")},
        split=recipes.pop() if len(recipes) == 1 else "leaf",
        parts=parts,
    )


def _joined_field(parts: Iterable[Part], field: str) -> str:
    """The field's value for each part, prefixed by its name; a value that all parts share is given once."""
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


def _joined(splits: Sequence[Splits]) -> Splits:
    """Concatenate part by part. No reference leads from one corpus to another, so no new leak can arise."""
    return Splits(
        SEPARATOR.join(each.recipe for each in splits),
        _concatenated(each.train for each in splits),
        _concatenated(each.valid for each in splits),
        _concatenated(each.test for each in splits),
    )


def _concatenated(splits: Iterable[Split]) -> Split:
    found = list(splits)
    return Split(
        tuple(example for split in found for example in split.examples),
        tuple(statement for split in found for statement in split.absent),
    )


def _restricted(split: Split, known: set[StatementId]) -> Split:
    examples = tuple(pair for pair in split.examples if pair[0] in known)
    return Split(examples, tuple(key for key in split.absent if key in known))
