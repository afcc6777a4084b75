"""From a source to a corpus folder: read, resolve, split, check for leaks, store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.bibliography import cited_entries
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import build, load_corpus, macro_definitions
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import LeakFound, NotACorpus, NotGiven, UnknownName
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
