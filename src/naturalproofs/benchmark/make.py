"""From a source to a corpus folder: read, resolve, split, check for leaks, store; and several corpora as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import attrgetter
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.bibliography import cited_entries
from naturalproofs.corpus.corpus import Corpus, Part, Provenance, Resolution, check_corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import build, load_corpus, macro_definitions
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import BadSchema, LeakFound, NotACorpus, NotGiven, UnknownName
from naturalproofs.io.files import check_free
from naturalproofs.io.listing import name_of
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Diagnostic, Mention, Place, Rules, Split, Statement, StatementId
from naturalproofs.sources.registry import Source
from naturalproofs.tasks.dataset import RetrievalTask, TrainingExample, retrieval_task, train_set
from naturalproofs.tasks.protocols import WHOLE, Protocol, TextView
from naturalproofs.tasks.splits import (
    DEFAULT_SEED,
    Splits,
    check_no_leak,
    check_splits,
    layered_split,
    leaf_split,
    own_split,
    temporal_split,
    zero_shot_split,
)

# The temporal task: train on an older version of a corpus, and ask about every theorem that is new in the newer one.

NEW = "new"
"""The name of the split: what the older version does not have."""


def temporal_splits(old: Corpus, new: Corpus) -> Splits:
    """All examples of the newer version whose theorem the older one lacks; training is elsewhere."""
    known = {statement.label for statement in old.statements}
    asked = [(e.theorem, e.proof) for e in new.examples if new.by_id[e.theorem].label not in known]
    return Splits(f"temporal(older={content_hash(old)[:12]})", Split(), Split(), Split(tuple(asked)))


def temporal_task(old: Corpus, new: Corpus, protocol: Protocol, *, view: TextView = WHOLE) -> RetrievalTask:
    """The task of what is new, with all examples of the older version for training.

    Args:
        old: The older version.
        new: The newer version.
        protocol: Which statements are candidates and what a method sees; earlier proofs are those that stand before
            the query in the newer version.
        view: Which parts of theorems and candidates a method sees.
    """
    task = retrieval_task(new, temporal_splits(old, new), "test", protocol, view=view)
    older = _with_ids_of(old, new)
    whole = Splits("all", Split(tuple((e.theorem, e.proof) for e in older.examples)), Split(), Split())
    train = train_set(older, whole, protocol, view)
    if protocol.proofs == "earlier training":
        train = replace(train, memory=_placed(train.examples, new))
    elif train.memory is not None:
        train = replace(train, memory=task.train.memory)
    return replace(task, name=f"{new.name}/{NEW}", train=train)


def _placed(examples: tuple[TrainingExample, ...], new: Corpus) -> tuple[TrainingExample, ...]:
    """The proofs at the places of their theorems in the newer version; without those of theorems that are gone."""
    places: dict[StatementId, Place | None] = {statement.id: statement.place for statement in new.statements}
    return tuple(
        replace(one, theorem=replace(one.theorem, place=places[one.theorem.id]))
        for one in examples
        if one.theorem.id in places
    )


def _with_ids_of(old: Corpus, new: Corpus) -> Corpus:
    """The older version with the ids that the newer one gives to the same labels."""
    same = {statement.label: statement.id for statement in new.statements}
    ids = {s.id: same.get(s.label, f"{new.name}:{s.id.partition(':')[2]}") for s in old.statements}

    def renamed(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        return tuple(replace(m, reference=ids[m.reference]) if m.reference else m for m in mentions)

    def statement(one: Statement) -> Statement:
        proofs = tuple(replace(proof, mentions=renamed(proof.mentions)) for proof in one.proofs)
        return replace(one, id=ids[one.id], mentions=renamed(one.mentions), proofs=proofs)

    return replace(old, name=new.name, statements=tuple(map(statement, old.statements)))


RECIPES = ("leaf", "layers", "test-only", "temporal", "own")
DEFAULT_BUDGET = 2200


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to split a corpus; an empty name means the default of its source."""

    name: str = ""
    seed: int = DEFAULT_SEED
    budget: float = DEFAULT_BUDGET
    older: Path | None = None


def make_corpus(
    source: Source,
    path: Path,
    output: Path,
    *,
    name: str,
    rules: Rules = "fixed",
    recipe: Recipe | None = None,
    progress: Progress = silent,
) -> tuple[Corpus, store.Manifest]:
    """Build a corpus and write its folder."""
    # Check the output before the work, not after it.
    check_free(output, store.FOLDERS.may_replace)
    built = build(source, path, name=name, rules=rules, progress=progress, low_memory=True)
    splits = make_splits(built, recipe or Recipe(), built.own_splits)
    stored = replace(
        built,
        diagnostics=(*built.diagnostics, *_check(built, splits, output)),
        definitions=macro_definitions(built),
        works=cited_entries(built),
    )
    return built, store.save(stored, output, splits=splits.to_json())


def make_splits(corpus: Corpus, recipe: Recipe, own: Mapping[str, Split] | None = None) -> Splits:
    """Split a corpus by a recipe; `own` are the splits that its source provides."""
    name = recipe.name or ("own" if own else corpus.provenance.split)
    graph = ReferenceGraph.of(corpus)
    if name == "own" and own:
        return own_split(own)
    if name in ("leaf", "own"):
        return leaf_split(corpus, graph, seed=recipe.seed)
    if name == "layers":
        return layered_split(corpus, graph, budget=recipe.budget, seed=recipe.seed)
    if name == "test-only":
        return zero_shot_split(corpus)
    if name == "temporal":
        if recipe.older is None:
            raise NotGiven("a temporal split needs an older corpus to compare with; give it with --older")
        return temporal_split(corpus, store.load(recipe.older), graph, seed=recipe.seed)
    raise UnknownName(f"no split recipe is called {name!r}; there are: {', '.join(RECIPES)}")


def resplit(folder: Path, output: Path, recipe: Recipe) -> Splits:
    """Write a corpus again with other splits, and return these."""
    check_free(output, store.FOLDERS.may_replace)
    corpus = store.load(folder)
    splits = make_splits(corpus, recipe)
    check_no_leak(corpus, splits)
    # The manifest says how the corpus is split, not how its source would be.
    corpus = replace(corpus, provenance=replace(corpus.provenance, split=splits.recipe.partition("(")[0]))
    store.save(corpus, output, splits=splits.to_json())
    return splits


def load_with_splits(path: Path, progress: Progress = silent) -> tuple[Corpus, Splits]:
    """A corpus folder with its splits; or a LaTeX project, read and split by the default recipe."""
    if store.is_corpus(path):
        return load_folder(path)
    corpus = load_corpus(path, progress=progress)
    return corpus, make_splits(corpus, Recipe())


def load_folder(folder: Path) -> tuple[Corpus, Splits]:
    """A corpus folder with its splits."""
    corpus = store.load(folder)
    return corpus, load_splits(folder, corpus)


def load_splits(folder: Path, corpus: Corpus) -> Splits:
    """The splits stored in a corpus folder, checked against its corpus."""
    try:
        splits = Splits.from_json((folder / store.SPLITS).read_bytes())
    except OSError as error:
        raise NotACorpus(
            f"{folder / store.SPLITS}: cannot be read ({error.strerror}); build the corpus again"
        ) from error
    check_splits(corpus, splits)
    return splits


def _check(corpus: Corpus, splits: Splits, output: Path) -> list[Diagnostic]:
    """Our own splits must not leak; a published split is used unchanged, and a leak in it is reported."""
    check_splits(corpus, splits)
    try:
        check_no_leak(corpus, splits)
    except LeakFound as leak:
        if splits.recipe != "own":
            raise
        return [Diagnostic(name_of(output.name), 0, 0, "warning", "published-split-leaks", str(leak))]
    return []


# Merge several corpora into one, and extract each of them again without loss.
#
# Statement ids do not change. Published integers follow the original: the largest one so far, plus one, is added to
# those of the next corpus; a corpus without them is numbered first as it would be published. Positions in reading order
# are shifted in the same way, so that one corpus follows the other.

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
