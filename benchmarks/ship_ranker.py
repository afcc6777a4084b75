"""Train the ranker that ships with the package.

    python benchmarks/ship_ranker.py src/naturalproofs/data/ranker stacks ps-proofwiki bookofproofs --textbook primer

The folders are corpora made by ``naturalproofs build``. Only their training splits are used. A textbook shows what
place means in a book by one author; the trees for queries without a place are not trained on it.
"""

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from naturalproofs.corpus import store
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting, LabelledRows
from naturalproofs.ranking.hybrid.features import portable_names
from naturalproofs.ranking.hybrid.first_stage import POOL, HybridIndex, TrainingProofs
from naturalproofs.ranking.hybrid.training import (
    HELD_OUT,
    TrainingTable,
    choose_examples,
    labelled_pool,
    sample_negatives,
)
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet, train_set, with_fields
from naturalproofs.tasks.make import load_folder
from naturalproofs.tasks.protocols import protocol

WHOLE, CHAPTER, SEED = 600, 30, 0
TEXTBOOK = 2000
"""A corpus with fewer statements is like a new project; it is also shown without titles."""
SMALLEST_CHAPTER = 40
"""Statements of a chapter that is used as a book of its own."""
SETTINGS = Boosting(trees=120, leaves=15, rate=0.08)


def books(train: TrainSet, chapters: bool) -> Iterator[TrainSet]:
    """Training data of the shipped trees: a whole corpus, or each chapter as a book of its own.

    A new project is small and has few proofs or none. A chapter's proofs are those that cite only statements inside it.
    Not every author gives titles, so every other chapter has none.
    """
    if not chapters:
        yield train
        return
    by_chapter: dict[str, list[Passage]] = {}
    for passage in train.passages:
        if passage.place is not None:
            by_chapter.setdefault(passage.place.chapter, []).append(passage)
    for number, found in enumerate(by_chapter.values()):
        inside = {passage.id for passage in found}
        kept = [e for e in train.examples if e.theorem.id in inside and inside.issuperset(e.references)]
        if len(found) >= SMALLEST_CHAPTER and len(kept) >= HELD_OUT:
            book = TrainSet(tuple(found), tuple(kept))
            yield with_fields(book, title="") if number % 2 else book


def train_shipped(shown: Iterable[tuple[TrainSet, int]], settings: Boosting, seed: int) -> Booster:
    """Trees over queries of several books, so many of each; half of the queries see no training proofs."""
    random = np.random.default_rng(seed)
    rows: list[LabelledRows] = []
    held_out: list[LabelledRows] = []
    for book, count in shown:
        index = HybridIndex.of(book.passages, book.examples, None, pool=POOL)
        empty = replace(index, proofs=TrainingProofs.of((), index.candidates))
        for number, row in enumerate(choose_examples(index, count, seed)):
            pool = labelled_pool(empty if number % 2 else index, row, index.proofs)
            if pool is None:
                continue
            pool = pool.only(portable_names(pool.names))
            # Two in 2 * HELD_OUT calibrate, one with training proofs and one without.
            if number % (2 * HELD_OUT) < 2:
                held_out.append(pool)
            else:
                rows.append(sample_negatives(pool, random))
    table = TrainingTable(LabelledRows.concatenate(rows), LabelledRows.concatenate(held_out), None)
    return table.booster(settings, seed)


def shown(folders: list[Path], placed: bool) -> Iterator[tuple[TrainSet, int]]:
    """The books of some corpora, each with its number of training queries."""
    for folder in folders:
        train = train_set(*load_folder(folder), protocol("accessible"))
        has_places = all(passage.place is not None for passage in train.passages)
        if placed and not has_places:
            continue
        for chapters in (False, True) if has_places else (False,):
            for book in books(train, chapters):
                again = not chapters and has_places and len(book.passages) < TEXTBOOK
                for seen in (book, with_fields(book, title="")) if again else (book,):
                    yield (seen if placed else with_fields(seen, place=None)), (CHAPTER if chapters else WHOLE)


def main() -> None:
    """Train both boosters and write them with their card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--textbook", type=Path, action="append", default=[])
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    for name, placed in (("placed", True), ("unplaced", False)):
        folders = [*given.corpora, *(given.textbook if placed else ())]
        booster: Booster = train_shipped(shown(folders, placed), SETTINGS, SEED)
        (given.output / f"{name}.txt").write_text(booster.to_text(), encoding="utf-8")
        print(f"{name}: {len(booster.names)} features, {time.perf_counter() - start:.0f} s")
    used = [store.load(folder) for folder in (*given.corpora, *given.textbook)]
    hashes = [f"- {corpus.name}: `{store.content_hash(corpus)}`" for corpus in used]
    print("\n".join(hashes))


if __name__ == "__main__":
    main()
