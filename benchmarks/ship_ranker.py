"""Train the ranker that ships with the package.

    python benchmarks/ship_ranker.py src/naturalproofs/data/ranker stacks ps-proofwiki bookofproofs --textbook primer

The folders are corpora made by ``naturalproofs build``. Only their training splits are used. A textbook shows what
place means in a book by one author; the trees for queries without a place are not trained on it.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting
from naturalproofs.ranking.hybrid.training import books, train_shipped
from naturalproofs.tasks.dataset import TrainSet, train_set, with_fields
from naturalproofs.tasks.make import load_folder
from naturalproofs.tasks.protocols import protocol

WHOLE, CHAPTER, SEED = 600, 30, 0
TEXTBOOK = 2000
"""A corpus with fewer statements is like a new project; it is also shown without titles."""
SETTINGS = Boosting(trees=120, leaves=15, rate=0.08)


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
