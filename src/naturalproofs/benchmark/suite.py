"""A suite of books: which they are, where their texts lie, and folds that keep one author's books together.

A suite is a JSON list with an entry for each book. The one that comes with the package, ``books``, holds facts only;
the texts belong to their authors, and the user gives the folders they lie in.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from naturalproofs import __version__
from naturalproofs.benchmark.evaluation import rank
from naturalproofs.benchmark.exports import Request
from naturalproofs.benchmark.exports.writers import file_hashes, may_replace, page, write_beir
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.errors import BadSchema, EmptySplit, NaturalProofsError, NotAModel, SourceNotFound, UnknownName
from naturalproofs.io.archives import given_source
from naturalproofs.io.cache import CACHE_VERSION, cache_folder, evict, mark_used
from naturalproofs.io.decoding import decode_json, read_json
from naturalproofs.io.files import make_folder, replaced_folder, sha256_bytes, write_file
from naturalproofs.io.folders import pretty
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import Ranker
from naturalproofs.ranking.hybrid.ranker import Shipped
from naturalproofs.ranking.registry import FUSION_RECENCY
from naturalproofs.records import StatementId
from naturalproofs.sources.registry import detect_source, source
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.measures.ranks import RankedQuery
from naturalproofs.tasks.measures.retrieval import (
    MAP,
    Measure,
    RankingMeasure,
    Results,
    compute_measures,
    mean,
    recall,
)
from naturalproofs.tasks.measures.significance import compare, shown_intervals
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import zero_shot_split

SUITES = ("books",)
"""Suites that come with the package."""
ARCHIVES = (".tar.xz", ".tar.gz", ".tgz", ".zip")
_CACHED = 2 << 30
"""Bytes of built books that the cache holds."""


class SuiteBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One book of a suite."""

    name: str
    path: str
    """The folder, file or corpus, relative to one of the folders that the user gives; it may be packed."""
    main: str = ""
    """The main file inside, if there are several."""
    source: str = ""
    """What the path is, if it is not recognised: ``trench``."""
    group: str = ""
    """Whose books stay together in folds; the name of the book if empty."""
    language: str = ""
    subject: str = ""
    topic: str = ""
    kind: str = ""
    """book, thesis, notes or blueprint."""
    licence: str = ""
    repository: str = ""
    commit: str = ""

    @property
    def author_group(self) -> str:
        """The group, or else the name."""
        return self.group or self.name


@dataclass(frozen=True, slots=True)
class Suite:
    """Several books under one name."""

    name: str
    books: tuple[SuiteBook, ...]
    home: Path | None = None
    """The folder of the file that describes the suite; paths may be relative to it."""

    def found(self, folders: Sequence[Path]) -> tuple[dict[str, Path], tuple[str, ...]]:
        """The path of each book that is in one of the folders, and the names of the others."""
        places = (*folders, *((self.home,) if self.home else ()))
        paths = {book.name: path for book in self.books if (path := _locate(book, places)) is not None}
        if not paths:
            looked = ", ".join(map(str, places)) or "nowhere"
            raise SourceNotFound(
                f"no text of the suite {self.name!r} was found (looked in: {looked}); the package has only the "
                "descriptions: clone each book at the commit that the suite names, as FOLDER/PATH, and give --projects "
                "FOLDER (see docs/explanation/books-benchmark.md)"
            )
        return paths, tuple(book.name for book in self.books if book.name not in paths)


def load_suite(name: str) -> Suite:
    """A suite by its name, or from a JSON file."""
    if name in SUITES:
        return Suite(name, _read((resources.files("naturalproofs.data") / f"{name}.json").read_bytes(), name))
    path = Path(name)
    if not path.is_file():
        raise UnknownName(f"no suite is called {name!r}; give {', '.join(SUITES)}, or a JSON file that lists books")
    return Suite(path.stem, _read(path.read_bytes(), name), path.resolve().parent)


def _read(data: bytes, name: str) -> tuple[SuiteBook, ...]:
    try:
        books = decode_json(data, tuple[SuiteBook, ...])
    except ValueError as error:
        raise BadSchema(f"{name}: not a suite of books ({error})") from error
    names = [book.name for book in books]
    if len(set(names)) < len(names):
        raise BadSchema(f"{name}: two books have the same name")
    return books


def _locate(book: SuiteBook, folders: Sequence[Path]) -> Path | None:
    for folder in folders:
        for candidate in (folder / book.path, *(folder / f"{book.path}{ending}" for ending in ARCHIVES)):
            if candidate.exists():
                return candidate
    return None


def load_book(book: SuiteBook, path: Path) -> Corpus:
    """The corpus of a book, from the cache if its files have not changed."""
    corpus = _build_cached(book, path)
    about = corpus.provenance
    known = replace(
        about,
        authors=about.authors or book.author_group,
        licence=about.licence or book.licence,
        url=about.url or book.repository,
        revision=about.revision or book.commit,
    )
    return replace(corpus, provenance=known)


def _build_cached(book: SuiteBook, path: Path) -> Corpus:
    root = given_source(path)
    if book.main and not (root / book.main).exists():
        inside = [one for one in root.iterdir() if one.is_dir()]
        root = inside[0] if len(inside) == 1 else root
    if root.is_dir() and store.is_corpus(root):
        return store.load(root)
    cached = cache_folder() / "books" / f"{book.name}-{_state(book, root)}"
    try:
        mark_used(cached)
        return store.load(cached)
    except (OSError, NaturalProofsError):
        pass
    text = root / book.main if book.main else root
    kind = book.source or detect_source(text)
    corpus = build(source(kind), text, name=book.name)
    try:
        store.save(corpus, cached, splits=zero_shot_split(corpus).to_json())
        evict(cached.parent.iterdir(), _CACHED)
    except OSError:  # A cache that cannot be written is ignored.
        pass
    return corpus


def _state(book: SuiteBook, root: Path) -> str:
    """A hash of the names, sizes and times of the files, and of how they are read."""
    files = [root] if root.is_file() else [Path(folder) / name for folder, _, names in os.walk(root) for name in names]
    states = [(str(file), os.lstat(file)) for file in files]
    listed = sorted((name, state.st_size, state.st_mtime_ns) for name, state in states)
    return sha256_bytes(repr((CACHE_VERSION, book.main, book.source, listed)).encode("utf-8", "replace"))[:16]


@dataclass(frozen=True, slots=True)
class Fold:
    """Books to train on, and the others, which are asked."""

    name: str
    train: tuple[SuiteBook, ...]
    test: tuple[SuiteBook, ...]


def folds(books: Sequence[SuiteBook]) -> Iterator[Fold]:
    """Leave one author's books out at a time."""
    for group in dict.fromkeys(book.author_group for book in books):
        inside = tuple(book for book in books if book.author_group == group)
        yield Fold(group, tuple(book for book in books if book not in inside), inside)


def held_out_trees(folder: Path) -> Callable[[SuiteBook], Shipped]:
    """The shipped ranker with the trees that were trained without each book's author.

    Args:
        folder: As ``benchmarks/ship_ranker.py --folds`` writes it: ``folds.json`` has the number of each author group's
            fold, and a folder of that name has the trees that were trained without it.
    """
    try:
        numbers = read_json(folder / "folds.json", dict[str, int])
    except (OSError, ValueError) as error:
        raise NotAModel(
            f"{folder}: no folds of trees ({error}); benchmarks/ship_ranker.py --folds makes them"
        ) from error

    def trees_of(book: SuiteBook) -> Shipped:
        if book.author_group not in numbers:
            raise UnknownName(f"{folder}: no trees were trained without the books of {book.author_group}")
        return Shipped(trees=str(folder / str(numbers[book.author_group])))

    return trees_of


# Evaluation over a suite of books: figures of each book, macro means with intervals over books, and paired tests.

PROTOCOLS = ("zero-shot", "in-project")
"""The protocols of the benchmark."""
BASELINES = {
    "recency": "recency",
    "BM25": "bm25",
    "fusion with recency": FUSION_RECENCY,
    "recency, labelled first": "fusion(parts=('recency',), weights=(1.0,), labelled=True)",
    "BM25, labelled first": "fusion(parts=('bm25',), weights=(1.0,), labelled=True)",
    "fusion with recency, labelled first": f"{FUSION_RECENCY[:-1]}, labelled=True)",
    "shipped": "shipped",
}
"""Names and printed forms of the methods that every table has. Nearly all that is cited has a label, and the shipped
trees see labels, so each baseline also stands there with the labelled statements first."""
BLIND = "blind"
"""The folder, among held-out trees, of those that see no labels."""
TRAINED_ON = {"books": "shipped"}
"""By suite, a method that was trained on its books: its figures there are not those of unseen books."""
LEAST = 15
"""The fewest questions of a book that counts in macro means."""
RECALL_DEPTH = 10
RECALL = recall(RECALL_DEPTH)
EARLIER: RankingMeasure = Measure(
    "R@10 earlier", lambda query: (float(query.hits(RECALL_DEPTH)), float(len(query.found)))
)
"""Recall of what stands before the proof; what stands after it is no candidate, and the other measures count it as
missed."""
HIT: RankingMeasure = mean("Hit@1", lambda _: 0.0)
"""Whether the first suggestion is right, among statements with a label. Others cannot be cited without editing.

It depends on more than ranks; `_book_values` computes it."""
MEASURES = (MAP, RECALL, EARLIER, HIT)
LENGTHS = {"up to 150 statements": 150, "151 to 500": 500, "more than 500": 10**9}

MethodOfBook = Callable[[SuiteBook], Ranker]
"""A method that depends on the book, such as a model trained on books of other authors."""


@dataclass(frozen=True, slots=True)
class BookScores:
    """The figures of one method for one book, as fractions."""

    book: SuiteBook
    statements: int
    questions: int
    values: dict[str, float]
    """By measure."""
    forward: float = 0.0
    """The share of the citations that name what stands after the proof."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """A method over all books, under one protocol."""

    method: str
    protocol: str
    books: tuple[BookScores, ...]
    seconds: float

    def counted(self) -> tuple[BookScores, ...]:
        """The books that count in macro means."""
        return tuple(one for one in self.books if one.questions >= LEAST)

    @property
    def forward(self) -> float:
        """The mean share of the citations that name what stands after the proof."""
        return sum(one.forward for one in self.counted()) / max(len(self.counted()), 1)

    def results(self) -> Results:
        """The books as items, for means, intervals and tests."""
        return book_results(self.counted())

    def by(self, key: str) -> dict[str, tuple[BookScores, ...]]:
        """The books that count in groups: by ``subject``, ``language``, ``kind`` or ``length``."""
        found: dict[str, list[BookScores]] = {}
        for one in self.counted():
            found.setdefault(_length(one) if key == "length" else str(getattr(one.book, key)), []).append(one)
        return {name: tuple(found[name]) for name in (LENGTHS if key == "length" else sorted(found)) if name in found}


@dataclass(frozen=True, slots=True)
class BookComparison:
    """Two methods over the same books: a randomisation test that swaps their outcomes book by book."""

    protocol: str
    first: str
    second: str
    measure: str
    difference: float
    """In percent, first minus second."""
    p: float
    adjusted: float
    """After Holm's correction over all comparisons of the protocol."""
    wins: int
    losses: int


def book_results(books: Sequence[BookScores]) -> Results:
    """Books as items whose measures are averaged."""
    values = {m: np.array([one.values[str(m)] for one in books], dtype=np.float64) for m in MEASURES}
    # A book whose citations all stand after their proofs has no recall of earlier ones.
    parts = {m: np.column_stack([np.nan_to_num(one), ~np.isnan(one)]) for m, one in values.items()}
    return Results(tuple(one.book.name for one in books), parts)


def evaluate_suite(
    methods: Mapping[str, Ranker | MethodOfBook],
    suite: Suite,
    folders: Sequence[Path],
    *,
    protocols: Iterable[str] = PROTOCOLS,
    seed: int = 0,
    most: int | None = None,
    progress: Progress = silent,
) -> tuple[list[SuiteRun], tuple[str, ...]]:
    """Evaluate methods on every book that is found; also the names of the books that are not.

    Args:
        methods: By their names in tables: rankers, or functions that give the ranker for a book.
        suite: The books.
        folders: Where their texts lie.
        protocols: Usually ``zero-shot`` and ``in-project``.
        seed: Random seed of the methods.
        most: How many questions of a book are asked at most, evenly spaced; all if None.
        progress: Counts the books.
    """
    paths, missing = suite.found(folders)
    rows = [(name, method, how) for how in map(protocol, protocols) for name, method in methods.items()]
    scores: dict[tuple[str, str], list[BookScores]] = {(name, how.name): [] for name, _, how in rows}
    seconds = dict.fromkeys(scores, 0.0)
    for done, book in enumerate(one for one in suite.books if one.name in paths):
        progress(done, len(paths), book.name)
        corpus = load_book(book, paths[book.name])
        splits = zero_shot_split(corpus)
        if not splits.test.examples:
            continue
        for name, method, how in rows:
            ranker = method if isinstance(method, Ranker) else method(book)
            start = time.perf_counter()
            task = spaced_queries(retrieval_task(corpus, splits, "test", how), most)
            if not task.queries:
                continue
            ranked = rank(ranker, task, seed=seed).queries
            seconds[name, how.name] += time.perf_counter() - start
            values, forward = _book_values(corpus, ranked), _forward(ranked)
            scores[name, how.name].append(BookScores(book, len(corpus.statements), len(ranked), values, forward))
    if not any(scores.values()):
        raise EmptySplit(f"no book of {suite.name!r} has a proof that cites a statement; choose other books")
    progress(len(paths), len(paths))
    runs = [SuiteRun(*key, tuple(books), seconds[key]) for key, books in scores.items()]
    return runs, missing


def spaced_queries(task: RetrievalTask, most: int | None) -> RetrievalTask:
    """The task with so many of its queries at most, evenly spaced."""
    if most is None or len(task.queries) <= most:
        return task
    rows = np.linspace(0, len(task.queries) - 1, most).astype(int).tolist()
    return replace(
        task, queries=tuple(task.queries[row] for row in rows), excluded=tuple(task.excluded[row] for row in rows)
    )


def _book_values(corpus: Corpus, ranked: Sequence[RankedQuery]) -> dict[str, float]:
    measured: tuple[RankingMeasure, ...] = (MAP, RECALL, EARLIER)
    results = compute_measures(ranked, measured)
    labelled = {statement.id for statement in corpus.statements if not has_generated_label(statement)}
    hits = [_first(query, labelled) in query.gold for query in ranked]
    return {str(m): results.total(m) for m in measured} | {str(HIT): float(np.mean(hits))}


def _forward(ranked: Sequence[RankedQuery]) -> float:
    cited = [rank for query in ranked for rank in query.ranks]
    return cited.count(None) / max(len(cited), 1)


def _first(query: RankedQuery, labelled: set[StatementId]) -> StatementId | None:
    return next((one for one in query.top if one in labelled), None)


def _length(one: BookScores) -> str:
    return next(name for name, most in LENGTHS.items() if one.statements <= most)


def comparisons(runs: Sequence[SuiteRun], *, seed: int = 0) -> list[BookComparison]:
    """Every pair of methods under each protocol, in every measure."""
    found = []
    for how in dict.fromkeys(run.protocol for run in runs):
        results = {run.method: run.results() for run in runs if run.protocol == how}
        for one in compare(results, MEASURES, seed=seed):
            difference = results[one.first].per_query(one.measure) - results[one.second].per_query(one.measure)
            found.append(
                BookComparison(
                    protocol=how,
                    first=one.first,
                    second=one.second,
                    measure=str(one.measure),
                    difference=100 * one.difference,
                    p=one.p,
                    adjusted=one.adjusted,
                    wins=int((difference > 0).sum()),
                    losses=int((difference < 0).sum()),
                )
            )
    return found


def suite_data(suite: Suite, runs: Sequence[SuiteRun], missing: Sequence[str], *, seed: int = 0) -> dict[str, Any]:
    """Everything as plain values for JSON; measures are in percent."""
    return {
        "suite": suite.name,
        "seed": seed,
        "least_questions": LEAST,
        "missing": list(missing),
        "trained_on_these_books": [TRAINED_ON[suite.name]] if suite.name in TRAINED_ON else [],
        "results": [_run_data(run, seed) for run in runs],
        "comparisons": comparisons(runs, seed=seed),
    }


def _run_data(run: SuiteRun, seed: int) -> dict[str, Any]:
    results = run.results()
    return {
        "method": run.method,
        "protocol": run.protocol,
        "questions": sum(one.questions for one in run.books),
        "macro_books": len(results.queries),
        "macro": results.shown(),
        "intervals": shown_intervals(results, seed=seed),
        "books": {
            one.book.name: {
                "statements": one.statements,
                "questions": one.questions,
                "forward": 100 * one.forward,
                **{name: 100 * value for name, value in one.values.items()},
            }
            for one in run.books
        },
        "by": {
            key: {name: {"books": len(part), **book_results(part).shown()} for name, part in run.by(key).items()}
            for key in ("subject", "language", "kind", "length")
        },
        "seconds": round(run.seconds, 1),
    }


# A suite of books as a folder of BEIR datasets, one for each book, with the licence of each.

ABOUT = "suite.json"
FORMAT = "beir-suite"


def export_suite(suite: Suite, folders: Sequence[Path], output: Path, progress: Progress = silent) -> str:
    """Write the books that are found, and a summary for the user."""
    paths, missing = suite.found(folders)
    chosen = [book for book in suite.books if book.name in paths]
    written: list[dict[str, Any]] = []
    with replaced_folder(output, partial(may_replace, name=FORMAT, about=ABOUT)) as scratch:
        make_folder(scratch)
        for done, book in enumerate(chosen):
            progress(done, len(chosen), book.name)
            corpus = load_book(book, paths[book.name])
            splits = zero_shot_split(corpus)
            if splits.test.examples:
                write_beir(Request(corpus, splits, scratch / book.name))
                queries = len(splits.test.examples)
                written.append({"book": book, "statements": len(corpus.statements), "queries": queries})
        write_file(scratch / "README.md", _readme(suite, written))
        about = {
            "format": FORMAT,
            "suite": suite.name,
            "books": written,
            "missing": missing,
            "made_by": f"naturalproofs {__version__}",
            "files": file_hashes(scratch),
        }
        write_file(scratch / ABOUT, pretty(about))
    without = f"; not found: {', '.join(missing)}" if missing else ""
    return f"{len(written)} books, {sum(one['queries'] for one in written):,} queries{without}"


def _readme(suite: Suite, exported: Sequence[Mapping[str, Any]]) -> str:
    head = "| book | group | language | kind | statements | queries | licence | source |"
    rows = [head, "|---|---|---|---|--:|--:|---|---|"]
    for one in exported:
        book: SuiteBook = one["book"]
        facts = (
            book.name,
            book.author_group,
            book.language,
            book.kind,
            f"{one['statements']:,}",
            f"{one['queries']:,}",
        )
        source = f"{book.repository} {book.commit[:10]}"
        rows.append(f"| {' | '.join((*facts, book.licence or 'not stated', source))} |")
    return "\n".join([f"# {suite.name}\n", page("suite"), *rows, "", page("rules")])
