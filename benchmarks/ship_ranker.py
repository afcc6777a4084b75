"""Train the ranker that ships with the package.

    python benchmarks/ship_ranker.py src/naturalproofs/data/ranker stacks-corpus ps-proofwiki-corpus bookofproofs-corpus

The folders are corpora made by ``naturalproofs build``. Only their training splits are used.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting
from naturalproofs.ranking.hybrid.shipping import books, changed, train_shipped
from naturalproofs.ranking.hybrid.stored import booster_text
from naturalproofs.tasks.dataset import TrainSet, train_set
from naturalproofs.tasks.make import load_splits
from naturalproofs.tasks.protocols import protocol

WHOLE, CHAPTER, SEED = 600, 30, 0
SETTINGS = Boosting(trees=120, leaves=15, rate=0.08)


def shown(folders: list[Path], placed: bool) -> Iterator[tuple[TrainSet, int]]:
    """The books of some corpora, each with how many of its proofs are asked."""
    for folder in folders:
        corpus = store.load(folder)
        train = train_set(corpus, load_splits(folder), protocol("accessible"))
        has_places = all(passage.place is not None for passage in train.passages)
        if placed and not has_places:
            continue
        for chapters in (False, True) if has_places else (False,):
            for book in books(train, chapters):
                yield (book if placed else changed(book, place=None)), (CHAPTER if chapters else WHOLE)


def main() -> None:
    """Train both boosters and write them with their card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    for name, placed in (("placed", True), ("unplaced", False)):
        booster: Booster = train_shipped(shown(given.corpora, placed), SETTINGS, SEED)
        (given.output / f"{name}.txt").write_text(booster_text(booster), encoding="utf-8")
        print(f"{name}: {len(booster.names)} features, {time.perf_counter() - start:.0f} s")
    hashes = [f"- {store.load(folder).name}: `{store.content_hash(store.load(folder))}`" for folder in given.corpora]
    print("\n".join(hashes))


if __name__ == "__main__":
    main()
