r"""Train the ranker that ships with the package, and measure it on books by authors that it was not trained on.

    python benchmarks/ship_ranker.py --projects FOLDER ... --corpora stacks primer --wikis proofwiki bookofproofs \
        --seeds 5 --output src/naturalproofs/data/ranker

The folders have the texts of the suite ``books``; the other paths are corpora made by ``naturalproofs build``, which
are trained on whole and, if they have a reading order, chapter by chapter. Trees see every query twice, without any
proof of the book and with the proofs that stand before it, and every book weighs about the same. The figures, and the
calibration, are for books whose authors the trees have not seen: groups of authors are divided into folds. Without
``--output`` nothing is written.
"""

import argparse
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.evaluation.calibration import curve_of
from naturalproofs.experiments.suite import load_book, load_suite
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting, Calibration, LabelledRows, boost
from naturalproofs.ranking.hybrid.features import portable_names
from naturalproofs.ranking.hybrid.first_stage import POOL, SHRINK, USUAL, HybridIndex, TrainingProofs
from naturalproofs.ranking.hybrid.training import labelled_pool, sample_negatives
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage, Split
from naturalproofs.tasks.dataset import TrainSet, train_set, with_fields
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import Splits

NEVER = frozenset({"trench", "stein"})
"""Books that the shipped ranker is measured on, so it is not trained on them."""
MOST = 60
"""Queries of one book."""
WHOLE, CHAPTER, CHAPTERS = 150, 25, 30
"""Queries of a large corpus, of one of its chapters as a book of its own, and how many chapters."""
SMALLEST_CHAPTER = 60
"""Statements of a chapter that is used as a book of its own."""
TYPICAL = 40
"""Queries of a book of weight one; a book with n queries weighs as the root of n."""
HARD, EASY = 60, 40
"""Negatives of a query."""
FEWEST = 15
"""Queries of a book that counts in the means."""
FOLDS = 5
SETTINGS = Boosting(trees=100, leaves=15, rate=0.12)
Scored = list[tuple["Pools", list[Floats]]]
"""Books with the scores of trees that have not seen their authors."""


@dataclass(frozen=True)
class Book:
    """Statements and proofs of one book, and the group of authors whose it is."""

    name: str
    group: str
    train: TrainSet
    queries: int = MOST


@dataclass(frozen=True)
class Pools:
    """The pools of a book's queries in one of the ways of asking."""

    book: Book
    way: str
    """``zero-shot``, ``in-project``, ``clean`` or, without places, ``with proofs``."""
    rows: list[LabelledRows]
    gold: list[int]
    """How many statements each proof cites."""
    rates: list[float]
    """How many statements a proof cites, as far as the query sees; see `PooledQuery.citing_rate`."""
    missed: list[int]
    """How many statements each further proof cites, of which none is in the pool: these queries count as failed."""


def as_train(corpus: Corpus, way: str = "in-project") -> TrainSet:
    """All statements and all proofs."""
    examples = tuple((one.theorem, one.proof) for one in corpus.examples)
    return train_set(corpus, Splits("", Split(examples), Split(), Split()), protocol(way))


def suite_books(folders: Sequence[Path]) -> Iterator[Book]:
    """The books of the suite whose texts are there."""
    suite = load_suite("books")
    paths, _ = suite.found(folders)
    for book in suite.books:
        if book.name in paths and (train := as_train(load_book(book, paths[book.name]))).proofs:
            yield Book(book.name, book.author_group, train)


def corpus_books(folder: Path) -> Iterator[Book]:
    """A large corpus, and its chapters as books of their own, every other one without titles."""
    corpus = store.load(folder)
    train = as_train(corpus)
    yield Book(corpus.name, corpus.name, train, WHOLE)
    by_chapter: dict[str, list[Passage]] = {}
    for passage in train.passages:
        if passage.place is not None:
            by_chapter.setdefault(passage.place.chapter, []).append(passage)
    chapters = []
    for found in by_chapter.values():
        inside = {passage.id for passage in found}
        kept = tuple(e for e in train.proofs if e.theorem.id in inside and inside.issuperset(e.references))
        if len(found) >= SMALLEST_CHAPTER and len(kept) >= CHAPTER:
            chapters.append(TrainSet(tuple(found), (), kept))
    for number, chapter in enumerate(chapters[:: max(1, len(chapters) // CHAPTERS)]):
        shown = with_fields(chapter, title="") if number % 2 else chapter
        yield Book(f"{corpus.name}/{number}", corpus.name, shown, CHAPTER)


def pools(book: Book, *, placed: bool) -> Iterator[Pools]:
    """The pools of evenly spaced queries of a book, without any proof of it and with those that may be seen."""
    train = book.train if placed else with_fields(book.train, place=None)
    index = HybridIndex.of(train.passages, train.proofs, None, pool=POOL, strict=placed)
    empty = replace(index, proofs=TrainingProofs.of((), index.candidates))
    spaced = np.linspace(0, len(train.proofs) - 1, min(book.queries, len(train.proofs)))
    cited = np.diff(index.proofs.cited.indptr)
    for way, seen in (("zero-shot" if placed else "clean", empty), ("in-project" if placed else "with proofs", index)):
        rows = np.unique(spaced.astype(int)).tolist()
        found = [(row, pool) for row in rows if (pool := _pool(seen, row, index))]
        missed = [len(set(train.proofs[row].references)) for row in sorted(set(rows).difference(r for r, _ in found))]
        rates = []
        for row, _ in found:
            hidden = index.proofs.hidden(train.proofs[row].theorem, later=placed)
            visible = np.delete(cited, hidden) if len(seen.proofs) else cited[:0]
            rates.append((float(visible.sum()) + USUAL * SHRINK) / (len(visible) + SHRINK))
        gold = [len(set(train.proofs[row].references)) for row, _ in found]
        yield Pools(book, way, [pool for _, pool in found], gold, rates, missed)


def _pool(seen: HybridIndex, row: int, index: HybridIndex) -> LabelledRows | None:
    pool = labelled_pool(seen, row, index.proofs)
    return pool.only(portable_names(pool.names)) if pool is not None else None


def trained(shown: Sequence[Pools], seed: int) -> Booster:
    """Trees over the pools of several books, not calibrated."""
    random = np.random.default_rng(seed)
    rows: list[LabelledRows] = []
    for part in shown:
        weight = np.float32((TYPICAL / max(len(part.rows), 1)) ** 0.5)
        for pool in part.rows:
            sampled = sample_negatives(pool, random, HARD, EASY)
            rows.append(replace(sampled, weights=sampled.weights * weight))
    table = LabelledRows.concatenate(rows)
    return Booster(table.names, boost(table, SETTINGS, seed), Calibration((), ()))


def held_out(parts: Sequence[Pools], seed: int, trained_on: Collection[str]) -> Scored:
    """Score every book by trees trained without the books of its authors."""
    groups = sorted({part.book.group for part in parts}.difference(trained_on))
    scored: Scored = []
    for number in range(FOLDS):
        fold = groups[number::FOLDS]
        trees = trained([part for part in parts if part.book.group not in fold and part.book.name not in NEVER], seed)
        own = [part for part in parts if part.book.group in fold and part.rows]
        scored += [(part, [trees.scores(rows.table) for rows in part.rows]) for part in own]
    return scored


def calibrated(scored: Scored) -> Calibration:
    """The calibration that fits all books, each of the same weight."""
    return Calibration.of_queries(
        np.concatenate([one for _, scores in scored for one in scores]),
        np.concatenate([rows.labels for part, _ in scored for rows in part.rows]),
        [len(one) for _, scores in scored for one in scores],
        np.array([rate for part, _ in scored for rate in part.rates]),
        np.array([1 / len(part.rows) for part, _ in scored for _ in part.rows]),
    )


def figures(part: Pools, scores: list[Floats]) -> tuple[float, float, float]:
    """In percent: mean average precision, recall at ten of all citations, how often the first labelled one is right."""
    labelled = np.array([passage.labelled for passage in part.book.train.passages])
    precisions, found, right = [0.0] * len(part.missed), 0, [False] * len(part.missed)
    for rows, values, gold in zip(part.rows, scores, part.gold, strict=True):
        order = np.argsort(-values, kind="stable")
        ranks = 1 + np.flatnonzero(rows.labels[order])
        precisions.append(float((np.arange(1, len(ranks) + 1) / ranks).sum()) / gold)
        found += int((ranks <= 10).sum())
        citable = [row for row in order.tolist() if labelled[rows.candidates[row]]]
        right.append(bool(citable) and bool(rows.labels[citable[0]]))
    return 100 * float(np.mean(precisions)), 100 * found / sum(part.gold + part.missed), 100 * float(np.mean(right))


def calibration_error(part: Pools, scores: list[Floats], curve: Calibration, shown: int = 10) -> float:
    """The expected calibration error of the first suggestions, in ten bins of equal width."""
    said, true = [], []
    for rows, values, rate in zip(part.rows, scores, part.rates, strict=True):
        top = np.argsort(-values, kind="stable")[:shown]
        said.append(curve(values, rate)[top])
        true.append(rows.labels[top])
    return curve_of(np.concatenate(said), np.concatenate(true)).error


def report(seeds: Sequence[Scored], beside: Booster | None) -> None:
    """Print a row for each book and way of asking, and the means over books with enough queries.

    Args:
        seeds: The scores, by seed.
        beside: Other trees, measured on the same queries.
    """
    groups = sorted({part.book.group for part, _ in seeds[0]})
    # The calibration of a book is fitted on the books of others.
    curves: dict[str, Calibration] = {}
    for fold in (groups[number::FOLDS] for number in range(FOLDS)):
        curves |= dict.fromkeys(fold, calibrated([one for one in seeds[0] if one[0].book.group not in fold]))
    for way in dict.fromkeys(part.way for part, _ in seeds[0]):
        rows = []
        for several in zip(*([one for one in scored if one[0].way == way] for scored in seeds), strict=True):
            part, scores = several[0]
            error = calibration_error(part, scores, curves[part.book.group])
            asked, found = len(part.rows) + len(part.missed), [figures(*one) for one in several]
            other = figures(part, [beside.scores(one.table) for one in part.rows]) if beside else (0.0, 0.0, 0.0)
            rows.append([asked, 100 * error, *other, *np.ravel(found)])
            shown = [*np.mean(found, axis=0).round(1), *(("beside", *np.round(other, 1)) if beside else ())]
            print(way, part.book.name, asked, *shown, f"calibration {100 * error:.1f}", flush=True)
        enough = np.array([row for row in rows if row[0] >= FEWEST])
        random = np.random.default_rng(0)
        drawn = np.array([enough[random.integers(0, len(enough), len(enough))].mean(axis=0) for _ in range(2000)])
        by_seed = enough[:, 5:].mean(axis=0).reshape(-1, 3)
        print(f"{way}, {len(enough)} books: mean of seeds", *by_seed.mean(axis=0).round(2), "seeds", *by_seed.round(2))
        mean = drawn[:, 5:].reshape(len(drawn), -1, 3).mean(axis=1)
        low, high = np.percentile(mean, [2.5, 97.5], axis=0)
        print(f"{way}: from", *low.round(1), "to", *high.round(1), flush=True)
        if beside is not None:
            before = enough[:, 2:5].mean(axis=0)
            gain, (low, high) = by_seed.mean(axis=0) - before, np.percentile(mean - drawn[:, 2:5], [2.5, 97.5], axis=0)
            better = (enough[:, 5:].reshape(len(enough), -1, 3).mean(axis=1)[:, 0] > enough[:, 2]).sum()
            print(
                f"{way}: beside", *before.round(2), "gain", *gain.round(2), "from", *low.round(1), "to", *high.round(1)
            )
            print(f"{way}: better in mean average precision on {better} of {len(enough)} books", flush=True)
        print(
            f"{way}: calibration error {enough[:, 1].mean():.1f} in the mean,",
            np.sort(enough[:, 1]).round(1),
            flush=True,
        )


def main() -> None:
    """Measure, and train if there is an output folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--projects", "--corpora", "--wikis"):
        parser.add_argument(name, type=Path, nargs="+", default=[])
    parser.add_argument("--output", type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--beside", type=Path, help="a folder with other trees, measured on the same queries")
    given = parser.parse_args()
    own = list(suite_books(given.projects))
    large = [book for folder in given.corpora for book in corpus_books(folder)]
    wikis = [Book((one := store.load(folder)).name, one.name, as_train(one, "clean"), WHOLE) for folder in given.wikis]
    trained_on = {book.group for book in (*large, *wikis)}
    for name, placed in (("placed", True), ("unplaced", False)):
        books = [*own, *large, *(() if placed else wikis)]
        parts = [part for book in books for part in pools(book, placed=placed)]
        print(f"{name}: {sum(len(part.rows) for part in parts)} pools, {time.process_time():.0f} s", flush=True)
        seeds = [held_out(parts, seed, trained_on) for seed in range(given.seeds)]
        other = Booster.from_text((given.beside / f"{name}.txt").read_text("utf-8")) if given.beside else None
        report(seeds, other)
        if given.output is not None:
            booster = trained([part for part in parts if part.book.name not in NEVER], seed=0)
            booster = replace(booster, calibration=calibrated(seeds[0]))
            (given.output / f"{name}.txt").write_text(booster.to_text(), encoding="utf-8")
        print(f"{name}: {time.process_time():.0f} s", flush=True)


if __name__ == "__main__":
    main()
