r"""Train the ranker that ships with the package, and measure it on books by authors that it was not trained on.

    python benchmarks/ship_ranker.py --projects FOLDER ... --corpora stacks primer --wikis proofwiki bookofproofs \
        --seeds 5 --output src/naturalproofs/data/ranker

The folders have the texts of the suite ``books``; the other paths are corpora made by ``naturalproofs build``, which
are trained on whole and, if they have a reading order, chapter by chapter. Trees see every query without any proof of
the book, with the proofs that stand before it, and in the middle of its proof; every book weighs about the same.
The figures, and the calibration, are for books whose authors the trees have not seen: groups of authors are divided
into folds. Without ``--output`` nothing is written. With ``--only src/naturalproofs/data/ranker/books.json`` the trees
are those of the package, also where the texts of more books lie in the folders.
"""

import argparse
import json
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from naturalproofs.benchmark.suite import BLIND, load_book, load_suite
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.ranking.hybrid.first_stage import POOL, SHRINK, USUAL, HybridIndex, TrainingProofs
from naturalproofs.ranking.hybrid.training import labelled_pool, sample_negatives
from naturalproofs.ranking.hybrid.trees import Booster, Boosting, Calibration, LabelledPool, level_of
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage, Split
from naturalproofs.tasks.dataset import (
    Query,
    TrainingExample,
    TrainSet,
    half_written,
    make_queries,
    train_set,
    with_fields,
)
from naturalproofs.tasks.measures.ranks import curve_of
from naturalproofs.tasks.protocols import label_words, protocol
from naturalproofs.tasks.splits import Splits

NEVER = frozenset({"trench", "stein"})
"""Books that the shipped ranker is measured on, so it is not trained on them."""
MOST = 60
"""Queries of one book."""
WHOLE, CHAPTER, CHAPTERS = 150, 25, 31
"""Queries of a large corpus, of one of its chapters as a book of its own, and how many chapters at most."""
SMALLEST_CHAPTER = 60
"""Statements of a chapter that is used as a book of its own."""
TYPICAL = 40
"""Queries of a book of weight one; a book with n queries weighs as the root of n."""
HARD, EASY = 60, 40
"""Negatives of a query."""
FEWEST = 15
"""Queries of a book that counts in the means."""
FOLDS = 5
ABSOLUTE = frozenset(
    "words/bm25 words/rare_word words/rare_words words/rare_pair words/rare_pairs counts/count".split()
)
"""Features whose scale depends on the corpus; the shipped trees read the others."""
OF_LABELS = frozenset({"habits/label", "habits/sum"})
"""Features of labels, beside those of the group."""
PLACED, UNPLACED, HALF = ("zero-shot", "in-project"), ("clean", "with proofs"), "half-written"
"""Ways of asking: without any proof of the book, and with those that may be seen; and in the middle of a proof."""
SETTINGS = Boosting(trees=100, leaves=15, rate=0.12)
Scored = list[tuple["Pools", list[Floats]]]
"""Books with the scores of trees that have not seen their authors."""


@dataclass(frozen=True)
class Book:
    """Statements and proofs of one book, and the group of authors whose it is."""

    name: str
    group: str
    train: TrainSet
    halves: tuple[Query | None, ...] = ()
    """Each of the proofs when its first half is written."""
    queries: int = MOST


@dataclass(frozen=True)
class Pools:
    """The pools of a book's queries in one of the ways of asking."""

    book: Book
    way: str
    """``zero-shot``, ``in-project``, ``half-written``, ``clean`` or, without places, ``with proofs``."""
    rows: list[LabelledPool]
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


def begun(corpus: Corpus) -> tuple[Query | None, ...]:
    """The proofs of `as_train` when their first halves are written."""
    pairs = [(one.theorem, one.proof) for one in corpus.examples]
    queries = make_queries(corpus, pairs, place=True, names=label_words(corpus.statements))
    return tuple(half_written(corpus, query) for query in queries)


def suite_books(folders: Sequence[Path]) -> Iterator[Book]:
    """The books of the suite whose texts are there."""
    suite = load_suite("books")
    paths, _ = suite.found(folders)
    for book in suite.books:
        if book.name in paths:
            corpus = load_book(book, paths[book.name])
            if corpus.examples:
                yield Book(book.name, book.author_group, as_train(corpus), begun(corpus))


def corpus_books(folder: Path) -> Iterator[Book]:
    """A large corpus, and its chapters as books of their own, every other one without titles."""
    corpus = store.load(folder)
    train, halves = as_train(corpus), begun(corpus)
    yield Book(corpus.name, corpus.name, train, halves, WHOLE)
    by_chapter: dict[str, list[Passage]] = {}
    for passage in train.passages:
        if passage.place is not None:
            by_chapter.setdefault(passage.place.chapter, []).append(passage)
    chapters = []
    for found in by_chapter.values():
        inside = {passage.id for passage in found}
        kept = [
            (proof, half)
            for proof, half in zip(train.proofs, halves, strict=True)
            if proof.theorem.id in inside and inside.issuperset(proof.references)
        ]
        if len(found) >= SMALLEST_CHAPTER and len(kept) >= CHAPTER:
            chapters.append((TrainSet(tuple(found), (), tuple(one for one, _ in kept)), tuple(one for _, one in kept)))
    for number, (chapter, own) in enumerate(chapters[:: max(1, len(chapters) // CHAPTERS)][:CHAPTERS]):
        shown = with_fields(chapter, title="") if number % 2 else chapter
        yield Book(f"{corpus.name}/{number}", corpus.name, shown, own, CHAPTER)


def pools(book: Book, *, placed: bool) -> Iterator[Pools]:
    """The pools of evenly spaced queries of a book, in each way of asking."""
    train = book.train if placed else with_fields(book.train, place=None)
    index = HybridIndex.of(train.passages, train.proofs, None, pool=POOL, strict=placed)
    empty = replace(index, proofs=TrainingProofs.of((), index.candidates))
    for way, seen in (*zip(PLACED if placed else UNPLACED, (empty, index), strict=True), (HALF, index)):
        half = way == HALF
        asked = [row for row in range(len(train.proofs)) if not half or (book.halves and book.halves[row] is not None)]
        if not asked:
            continue
        spaced = np.unique(np.linspace(0, len(asked) - 1, min(book.queries, len(asked))).astype(int))
        found, missed = [], []
        for row in (asked[at] for at in spaced):
            example = _half(book.halves[row], train.proofs[row].theorem) if half else train.proofs[row]
            pool = ask(seen, row, example, index.proofs)
            if pool is None:
                missed.append(len(set(example.references)))
            else:
                found.append((pool, len(set(example.references)), _rate(index, example, seen, placed=placed)))
        yield Pools(book, way, [one for one, _, _ in found], [n for _, n, _ in found], [r for _, _, r in found], missed)


def _half(query: Query | None, theorem: Passage) -> TrainingExample:
    """The second half of a proof, asked with what is shown of the theorem otherwise."""
    assert query is not None
    return TrainingExample(replace(query.theorem, title=theorem.title, place=theorem.place), query.sequence)


def ask(seen: HybridIndex, row: int, example: TrainingExample, proofs: TrainingProofs) -> LabelledPool | None:
    """The pool of a query with its portable features; None if it has nothing that the proof cites.

    Args:
        seen: The candidates, and the proofs that the query sees.
        row: The query's own proof among all.
        example: What is asked.
        proofs: All proofs.
    """
    examples = (*proofs.examples[:row], example, *proofs.examples[row + 1 :])
    pool = labelled_pool(seen, row, replace(proofs, examples=examples))
    return pool.only([name for name in pool.names if name not in ABSOLUTE]) if pool is not None else None


def _rate(index: HybridIndex, example: TrainingExample, seen: HybridIndex, *, placed: bool) -> float:
    """The citing rate that a query sees."""
    cited = np.diff(index.proofs.cited.indptr)
    hidden = index.proofs.hidden(example.theorem, later=placed)
    visible = np.delete(cited, hidden) if len(seen.proofs) else cited[:0]
    return (float(visible.sum()) + USUAL * SHRINK) / (len(visible) + SHRINK)


def trained(shown: Sequence[Pools], seed: int, *, blind: bool = False) -> Booster:
    """Trees over the pools of several books, not calibrated; if blind, without the features of labels."""
    random = np.random.default_rng(seed)
    rows: list[LabelledPool] = []
    for part in shown:
        weight = np.float32((TYPICAL / max(len(part.rows), 1)) ** 0.5)
        for pool in part.rows:
            sampled = sample_negatives(pool, random, HARD, EASY)
            rows.append(replace(sampled, weights=sampled.weights * weight))
    if blind:
        names = [name for name in rows[0].names if not name.startswith("labels/") and name not in OF_LABELS]
        rows = [pool.only(names) for pool in rows]
    return Booster.of(rows, SETTINGS, seed)


def folds(parts: Sequence[Pools], trained_on: Collection[str]) -> list[list[str]]:
    """The author groups in folds."""
    groups = sorted({part.book.group for part in parts}.difference(trained_on))
    return [groups[number::FOLDS] for number in range(FOLDS)]


def held_out(
    parts: Sequence[Pools],
    seed: int,
    groups: Sequence[Sequence[str]],
    left_out: Collection[str] = NEVER,
    *,
    blind: bool = False,
) -> tuple[Scored, list[Booster]]:
    """Score every book by trees trained without the books of its authors; also these trees, by fold.

    Args:
        parts: Pools of all books.
        seed: Random seed.
        groups: The author groups of each fold.
        left_out: The names of books that no trees are trained on.
        blind: Whether the trees see no features of labels.
    """
    scored: Scored = []
    boosters = []
    for fold in groups:
        others = [part for part in parts if part.book.group not in fold and part.book.name not in left_out]
        trees = trained(others, seed, blind=blind)
        own = [part for part in parts if part.book.group in fold and part.rows]
        scored += [(part, [trees.scores(rows.table) for rows in part.rows]) for part in own]
        boosters.append(trees)
    return scored, boosters


def calibration_of_queries(
    scores: Floats, labels: Floats, sizes: Sequence[int], rates: Floats, weights: Floats
) -> Calibration:
    """Fit shift and curve on the pools of queries that the trees were not trained on.

    Args:
        scores: Of all candidates, those of a query together.
        labels: One for what a proof cites.
        sizes: The number of candidates of each query.
        rates: The citing rate that each query sees.
        weights: Of each query.
    """
    ends = np.cumsum(sizes)[:-1]
    levels = np.array([level_of(part) for part in np.split(scores, ends)], dtype=np.float32)
    by_query = np.column_stack([levels, np.log(rates)]).astype(np.float32)
    values = np.column_stack([scores, np.repeat(by_query, sizes, axis=0)])
    weight = np.repeat(weights, sizes)
    fitted = LogisticRegression(C=100, max_iter=500).fit(values, labels, weight)
    slope, level, rate = (float(one) for one in fitted.coef_[0])
    level, rate = round(level / slope, 4), round(rate / slope, 4) if np.ptp(rates) else 0.0
    curve = Calibration.of((values @ np.array([1, level, rate])).astype(np.float32), labels, weight)
    return replace(curve, level=level, rate=rate)


def calibrated(scored: Scored) -> Calibration:
    """The calibration that fits all books, each of the same weight."""
    return calibration_of_queries(
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


def report(seeds: Sequence[Scored], curves: dict[str, Calibration], beside: Booster | None) -> None:
    """Print a row for each book and way of asking, and the means over books with enough queries.

    Args:
        seeds: The scores, by seed.
        curves: By author group, the calibration that was fitted on the books of others.
        beside: Other trees, measured on the same queries.
    """
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
    parser.add_argument("--folds", type=Path, help="write the trees of each fold here, for evaluate --held-out")
    parser.add_argument("--only", type=Path, help="train on the books that this list names; all are measured")
    parser.add_argument("--trees", nargs="+", choices=("placed", "unplaced"), default=("placed", "unplaced"))
    given = parser.parse_args()
    own = list(suite_books(given.projects))
    large = [book for folder in given.corpora for book in corpus_books(folder)]
    wikis = [
        Book((one := store.load(folder)).name, one.name, as_train(one, "clean"), queries=WHOLE)
        for folder in given.wikis
    ]
    trained_on = {book.group for book in (*large, *wikis)}
    chosen = set(json.loads(given.only.read_text("utf-8"))) if given.only else {book.name for book in own} - NEVER
    left_out = {book.name for book in own} - chosen
    for name in given.trees:
        placed = name == "placed"
        parts = [part for book in [*own, *large, *(() if placed else wikis)] for part in pools(book, placed=placed)]
        print(f"{name}: {sum(len(part.rows) for part in parts)} pools, {time.process_time():.0f} s", flush=True)
        groups = folds(parts, trained_on)
        scored, boosters = held_out(parts, 0, groups, left_out)
        curves = [calibrated([one for one in scored if one[0].book.group not in fold]) for fold in groups]
        if given.folds is not None:
            write_folds(given.folds, name, groups, boosters, curves)
            write_folds(given.folds / BLIND, name, groups, held_out(parts, 0, groups, left_out, blind=True)[1], curves)
        if given.output is not None:
            booster = trained([part for part in parts if part.book.name not in left_out], seed=0)
            booster = replace(booster, calibration=calibrated(scored))
            (given.output / f"{name}.txt").write_text(booster.to_text(), encoding="utf-8")
            names = [book.name for book in own if book.name in chosen]
            (given.output / "books.json").write_text(json.dumps(names, indent=0) + "\n", encoding="utf-8")
        by_group = {group: curve for fold, curve in zip(groups, curves, strict=True) for group in fold}
        other = Booster.from_text((given.beside / f"{name}.txt").read_text("utf-8")) if given.beside else None
        seeds = [scored]
        report(seeds, by_group, other)
        for seed in range(1, given.seeds):
            seeds.append(held_out(parts, seed, groups, left_out)[0])
            print(f"{name}: {seed + 1} seeds, {time.process_time():.0f} s", flush=True)
            report(seeds, by_group, other)


def write_folds(
    folder: Path,
    name: str,
    groups: Sequence[Sequence[str]],
    boosters: Sequence[Booster],
    curves: Sequence[Calibration],
) -> None:
    """Write the trees that were trained without each fold, and which author group is in which fold."""
    for number, (booster, curve) in enumerate(zip(boosters, curves, strict=True)):
        (folder / str(number)).mkdir(parents=True, exist_ok=True)
        text = replace(booster, calibration=curve).to_text()
        (folder / str(number) / f"{name}.txt").write_text(text, encoding="utf-8")
    numbers = {group: number for number, fold in enumerate(groups) for group in fold}
    (folder / "folds.json").write_text(json.dumps(numbers), encoding="utf-8")


if __name__ == "__main__":
    main()
