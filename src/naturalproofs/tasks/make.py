"""From a source to a corpus folder: read, resolve, split, check for leaks, store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.bibliography import cited_entries
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import LoadedCorpus, build, load_path, macro_definitions
from naturalproofs.corpus.resolve import Unresolved
from naturalproofs.errors import LeakFound, NotACorpus, NotGiven, UnknownName
from naturalproofs.io.files import check_free
from naturalproofs.io.names import name_of
from naturalproofs.progress import Progress, silent
from naturalproofs.records import BibliographyEntry, Diagnostic, Rules, Split
from naturalproofs.source import Source
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

RECIPES = ("leaf", "layers", "test-only", "temporal", "own")
DEFAULT_BUDGET = 2200


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to split a corpus; an empty name means the default of its source."""

    name: str = ""
    seed: int = DEFAULT_SEED
    budget: float = DEFAULT_BUDGET
    older: Path | None = None


@dataclass(frozen=True, slots=True)
class CorpusContents:
    """Everything that a corpus folder stores."""

    corpus: Corpus
    splits: Splits
    unresolved: Sequence[Unresolved] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    macros: str = ""
    """Definitions of the macros that its statements use."""
    bibliography: tuple[BibliographyEntry, ...] = ()
    """The other works that its statements cite."""


def make_corpus(
    source: Source,
    path: Path,
    output: Path,
    *,
    name: str,
    rules: Rules = "fixed",
    recipe: Recipe | None = None,
    progress: Progress = silent,
) -> tuple[LoadedCorpus, store.Manifest]:
    """Build a corpus and write its folder."""
    # Check the output before the work, not after it.
    check_free(output, store.FOLDERS.may_replace)
    built = build(source, path, name=name, rules=rules, progress=progress, low_memory=True)
    splits = make_splits(built.corpus, recipe or Recipe(), built.splits)
    diagnostics = (*built.diagnostics, *_check(built.corpus, splits, output))
    contents = CorpusContents(
        built.corpus, splits, built.unresolved, diagnostics, macro_definitions(built), cited_entries(built)
    )
    return built, save_contents(contents, output)


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
    save_contents(_contents(folder, corpus, splits), output)
    return splits


def load_contents(folder: Path) -> CorpusContents:
    """Read everything in a corpus folder."""
    corpus = store.load(folder)
    splits = load_splits(folder, corpus)
    return _contents(folder, corpus, splits)


def _contents(folder: Path, corpus: Corpus, splits: Splits) -> CorpusContents:
    reports, macros = store.load_reports(folder), store.load_macros(folder)
    return CorpusContents(corpus, splits, *reports, macros, store.load_bibliography(folder))


def save_contents(contents: CorpusContents, folder: Path) -> store.Manifest:
    """Write a corpus folder."""
    return store.save(
        contents.corpus,
        folder,
        splits=contents.splits.to_json(),
        unresolved=contents.unresolved,
        diagnostics=contents.diagnostics,
        macros=contents.macros,
        bibliography=contents.bibliography,
    )


def load_with_splits(path: Path, progress: Progress = silent) -> tuple[Corpus, Splits]:
    """A corpus folder with its splits; or a LaTeX project, read and split by the default recipe."""
    if store.is_corpus(path):
        return load_folder(path)
    corpus = load_path(path, progress=progress).corpus
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
