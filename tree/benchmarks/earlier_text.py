r"""What a query gains from the text before it: a curve over earlier proofs, half a proof, and the hindsight in labels.

    python benchmarks/ship_ranker.py --projects FOLDER ... --corpora stacks primer --folds FOLDS
    python benchmarks/earlier_text.py --projects FOLDER ... --folds FOLDS

Every book is ranked by trees that were trained without its author. The curve shows to a query the last 0, 10, 30, 100
or 300 proofs before it, and compares with none on the same queries: those that have so many.

Half a proof: what the second half cites is asked for by the theorem alone, with the citations of the first half known,
and with its text too.

Hindsight: an author may have given a label because a later proof cites the statement. So the text from the query on is
removed, and of the labels that nothing before the query cites, either as many are removed as the author would not have
given anyway (the share of statements without a label among those that are never cited), or all. Trees are the same.
"""

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from naturalproofs.benchmark.suite import held_out_trees, load_book, load_suite
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.ranking.hybrid.first_stage import POOL, HybridIndex, TrainingProofs
from naturalproofs.ranking.hybrid.ranker import shipped_boosters
from naturalproofs.ranking.hybrid.trees import Booster
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample
from ship_ranker import FEWEST, Book, Pools, as_train, ask, begun, figures

SEEN = (0, 10, 30, 100, 300)
"""Proofs before a query that it sees."""
WRITTEN = ("the theorem alone", "citations of the first half known", "and its text")
LABELS = ("as they are", "later text removed", "labels by habit", "labels in use")
LARGEST = 3000
"""Statements of a book whose text is removed query by query."""
Figures = tuple[float, float, float]


def spaced(count: int, most: int) -> list[int]:
    """Evenly spaced rows."""
    return np.unique(np.linspace(0, count - 1, min(most, count)).astype(int)).tolist() if count else []


def measured(
    book: Book,
    trees: Booster,
    asked: Sequence[tuple[HybridIndex, int]],
    proofs: TrainingProofs,
    examples: Mapping[int, TrainingExample] | None = None,
) -> Figures:
    """The figures of some queries, each with its own index; what is asked may differ from the whole proof."""
    queries = [(index, row, (examples or {}).get(row, proofs.examples[row])) for index, row in asked]
    found = [(ask(index, row, one, proofs), len(set(one.references))) for index, row, one in queries]
    rows = [(pool, gold) for pool, gold in found if pool is not None]
    missed = [gold for pool, gold in found if pool is None]
    part = Pools(book, "", [pool for pool, _ in rows], [gold for _, gold in rows], [], missed)
    return figures(part, [trees.scores(pool.table) for pool in part.rows])


def curve(book: Book, trees: Booster, most: int) -> Iterator[tuple[int, int, Figures, Figures]]:
    """By number of proofs seen: how many queries there are, their figures, and those without any proof."""
    train = book.train
    index = HybridIndex.of(train.passages, train.proofs, None, pool=POOL, strict=True)
    empty = replace(index, proofs=TrainingProofs.of((), index.candidates))
    place = index.proofs.place
    assert place is not None
    visible = []
    for row, example in enumerate(train.proofs):
        seen = np.setdiff1d(np.arange(len(place)), index.proofs.hidden(example.theorem, later=True))
        visible.append((row, seen[np.argsort(place[seen], kind="stable")]))
    for number in SEEN:
        enough = [one for one in visible if len(one[1]) >= number]
        chosen = [enough[at] for at in spaced(len(enough), most)]
        if not chosen:
            return
        with_some = []
        for row, seen in chosen:
            window = [train.proofs[at] for at in seen[len(seen) - number :]]
            own = replace(index, proofs=TrainingProofs.of(window, index.candidates))
            with_some.append((own, row))
        without = [(empty, row) for row, _ in chosen]
        some, none = (measured(book, trees, asked, index.proofs) for asked in (with_some, without))
        yield number, len(chosen), some, none


def halves(book: Book, trees: Booster, most: int) -> tuple[int, list[Figures]]:
    """The figures of the second halves: the theorem alone, with citations of the first half, with its text too."""
    train = book.train
    index = HybridIndex.of(train.passages, train.proofs, None, pool=POOL, strict=True)
    rows = [row for row, half in enumerate(book.halves) if half is not None]
    ways: list[dict[int, TrainingExample]] = [{} for _ in WRITTEN]
    for row in (rows[at] for at in spaced(len(rows), most)):
        half, theorem = book.halves[row], train.proofs[row].theorem
        assert half is not None
        known = replace(theorem, cited_so_far=half.theorem.cited_so_far)
        for way, asked in zip(ways, (theorem, known, half.theorem), strict=True):
            way[row] = TrainingExample(asked, half.sequence)
    return len(ways[0]), [measured(book, trees, [(index, row) for row in way], index.proofs, way) for way in ways]


def labels(corpus: Corpus, book: Book, trees: Booster, most: int) -> list[Figures]:
    """The figures with labels as they are and as they may have stood."""
    train = book.train
    index = HybridIndex.of(train.passages, train.proofs, None, pool=POOL, strict=True)
    uses = first_uses(corpus)
    never = [passage.labelled for passage in train.passages if passage.id not in uses]
    habit = sum(never) / len(never) if never else 1.0
    titled = {statement.id for statement in corpus.statements if statement.title}
    asked: list[list[tuple[HybridIndex, int]]] = [[] for _ in LABELS]
    for row in spaced(len(train.proofs), most):
        example = train.proofs[row]
        here = example.theorem.place.position if example.theorem.place else 0
        asked[0].append((index, row))
        for number, share in ((1, 1.0), (2, habit), (3, 0.0)):
            shown = [
                _labelled(passage, titled, kept=uses.get(passage.id, here) < here or _drawn(passage.id) < share)
                for passage in train.passages
                if passage.place is not None and passage.place.position < here
            ]
            earlier = [one for one in train.proofs if one.theorem.place and one.theorem.place.position < here]
            asked[number].append((HybridIndex.of(shown, earlier, None, pool=POOL, strict=True), row))
    return [measured(book, trees, queries, index.proofs) for queries in asked]


def first_uses(corpus: Corpus) -> dict[StatementId, int]:
    """Where each statement is first cited, as a position in reading order."""
    uses: dict[StatementId, int] = {}
    for statement in corpus.statements:
        here = statement.place.position if statement.place else 0
        cited = [(key, here) for key in statement.references]
        cited += [(key, proof.position or here) for proof in statement.proofs for key in proof.references]
        for key, position in cited:
            uses[key] = min(position, uses.get(key, position))
    return uses


def _labelled(passage: Passage, titled: set[StatementId], *, kept: bool) -> Passage:
    if kept or not passage.labelled:
        return passage
    return replace(passage, labelled=False, title=passage.title if passage.id in titled else "")


def _drawn(key: StatementId) -> float:
    return random.Random(key).random()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--projects", type=Path, nargs="+", required=True)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--most", type=int, default=30, help="queries of a book")
    given = parser.parse_args()
    suite, trees_of = load_suite("books"), held_out_trees(given.folds)
    paths, _ = suite.found(given.projects)
    curves: dict[int, list[tuple[int, Figures, Figures]]] = {number: [] for number in SEEN}
    by_labels: list[list[Figures]] = []
    by_half: list[list[Figures]] = []
    for entry in suite.books:
        if entry.name not in paths or len((corpus := load_book(entry, paths[entry.name])).examples) < FEWEST:
            continue
        book = Book(entry.name, entry.author_group, as_train(corpus), begun(corpus))
        trees = shipped_boosters(trees_of(entry).trees).placed
        for number, count, found, none in curve(book, trees, given.most):
            print(
                entry.name,
                "proofs",
                number,
                "queries",
                count,
                np.round(found, 1),
                "none",
                np.round(none, 1),
                flush=True,
            )
            if count >= FEWEST:
                curves[number].append((count, found, none))
        count, found_by_half = halves(book, trees, given.most)
        print(entry.name, "halves", count, np.round(found_by_half, 1).tolist(), flush=True)
        if count >= FEWEST:
            by_half.append(found_by_half)
        if len(corpus.statements) <= LARGEST:
            by_labels.append(labels(corpus, book, trees, given.most))
            print(entry.name, "labels", np.round(by_labels[-1], 1).tolist(), flush=True)
    for number, found in curves.items():
        if found:
            some, none = (np.mean([row[at] for row in found], axis=0).round(1) for at in (1, 2))
            print(
                f"{number} proofs: {len(found)} books, {sum(row[0] for row in found)} queries,", *some, "without", *none
            )
    for name, figure in zip(WRITTEN, np.mean(by_half, axis=0).round(2), strict=True):
        print(f"half a proof, {len(by_half)} books: {name}", *figure)
    for name, figure in zip(LABELS, np.mean(by_labels, axis=0).round(2), strict=True):
        print(f"labels, {len(by_labels)} books: {name}", *figure)


if __name__ == "__main__":
    main()
