r"""Whether what is said about a list of suggestions is true: "probably all that the proof cites", "hold p % of it".

    python benchmarks/enough.py --projects FOLDER ... --held-out FOLDS

Each book of the suite ``books`` is asked by trees that have not seen its authors, as ``benchmarks/ship_ranker.py
--folds`` writes them. The numbers of `naturalproofs.workspace.coverage` are fitted on the other folds and tested
on the books of a fold; the last line has those of the package and those that fit all books.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from naturalproofs.benchmark.suite import SuiteBook, held_out_trees, load_book, load_suite
from naturalproofs.ranking.contract import RankedCandidate
from naturalproofs.ranking.hybrid.ranker import Shipped
from naturalproofs.workspace.coverage import FITTED, LARGEST, Coverage, Fit, coverage
from ship_ranker import FEWEST, FOLDS, HALF, PLACED, as_train, begun

SHOWN, RANKED, MOST = 10, 100, 40


@dataclass(frozen=True)
class Answer:
    """A ranked list for one proof."""

    book: SuiteBook
    way: str
    ranked: Sequence[RankedCandidate]
    cited: frozenset[int]
    """The positions of what the proof cites."""
    candidates: int

    @property
    def found(self) -> list[bool]:
        """For each of the list, whether it is cited."""
        return [one.position in self.cited for one in self.ranked]

    def said(self, fit: Fit) -> Coverage:
        """What is said about the list with these numbers."""
        return coverage(self.ranked, SHOWN, self.candidates, fit)


def answers(book: SuiteBook, path: Path, trees: Shipped) -> Iterator[Answer]:
    """Evenly spaced proofs of a book, asked without and with the earlier proofs, and in the middle of the proof."""
    corpus = load_book(book, path)
    if not corpus.examples:
        return
    train, halves = as_train(corpus), begun(corpus)
    column = {passage.id: at for at, passage in enumerate(train.passages)}
    places = [passage.place.position if passage.place is not None else 0 for passage in train.passages]
    users: dict[str, set[int]] = defaultdict(set)
    for proof in train.proofs:
        for key in proof.references:
            users[key].add(column[proof.theorem.id])
    unseen = replace(train, examples=(), memory=None if train.memory is None else ())
    seen, empty = (trees.fit(part, seed=0).index(train.passages) for part in (train, unseen))
    for way, scorer in zip((*PLACED, HALF), (empty, seen, seen), strict=True):
        asked = [row for row in range(len(train.proofs)) if way != HALF or halves[row] is not None]
        for at in np.unique(np.linspace(0, len(asked) - 1, min(MOST, len(asked))).astype(int)):
            theorem, references = train.proofs[asked[at]].theorem, train.proofs[asked[at]].references
            place = theorem.place
            if way == HALF:
                half = halves[asked[at]]
                assert half is not None
                theorem = replace(half.theorem, title=theorem.title, place=place)
                references = half.sequence
            if place is None:
                continue
            # What stands after the proof, such as an exercise that it cites, is neither suggested nor promised.
            positions = (column[key] for key in references if key in column)
            cited = frozenset(at for at in positions if places[at] < place.position)
            excluded = users[theorem.id].difference(cited)
            ranked = scorer.suggest(theorem, k=RANKED, excluded=excluded, explained=0)
            if cited and ranked:
                yield Answer(book, way, ranked, cited, place.position)


def fitted(known: Sequence[Answer]) -> Fit:
    """The numbers that fit these answers, each book of the same weight."""
    counts: dict[str, int] = defaultdict(int)
    for one in known:
        counts[one.book.name] += 1
    weights = np.array([1 / counts[one.book.name] for one in known])
    roots = np.sqrt([min(one.candidates, LARGEST) for one in known])
    outside = np.array([len(one.cited) - sum(one.found) for one in known])
    unlisted = float((weights * outside * roots).sum() / (weights * roots * roots).sum())
    beyond = np.zeros((len(known), SHOWN + 1))
    all_found = np.zeros_like(beyond)
    for row, one in enumerate(known):
        chances = np.array([candidate.probability or 0.0 for candidate in one.ranked])
        for n in range(SHOWN + 1):
            beyond[row, n] = chances[n:].sum() + unlisted * roots[row]
            all_found[row, n] = sum(one.found[:n]) == len(one.cited)

    def loss(logarithms: Sequence[float]) -> float:
        chance = np.clip(np.exp(-math.exp(logarithms[0]) * beyond ** math.exp(logarithms[1])), 1e-6, 1 - 1e-6)
        return -float((weights[:, None] * (all_found * np.log(chance) + (1 - all_found) * np.log(1 - chance))).sum())

    scale, power = np.exp(minimize(loss, [0.0, 0.0], method="Nelder-Mead").x)
    return Fit(unlisted, float(scale), float(power))


def report(way: str, known: Sequence[tuple[Answer, Fit]]) -> None:
    """Print what was said and what was true, in the mean of the books with enough proofs."""
    books: dict[str, list[tuple[Answer, Coverage]]] = defaultdict(list)
    for one, fit in known:
        if one.way == way:
            books[one.book.name].append((one, one.said(fit)))
    rows, shares = [], []
    for pairs in books.values():
        if len(pairs) < FEWEST:
            continue
        claims = [
            (said.probability, sum(one.found[: said.enough]) == len(one.cited))
            for one, said in pairs
            if said.probability is not None
        ]
        expected = sum(said.expected or 0 for _, said in pairs)
        held = sum((said.covered or 0) * (said.expected or 0) for _, said in pairs)
        true = sum(sum(one.found[:SHOWN]) for one, _ in pairs) / sum(len(one.cited) for one, _ in pairs)
        shares.append((held / expected, true))
        rows.append((len(pairs), len(claims), *(np.mean(claims, axis=0) if claims else (np.nan, np.nan))))
    table, share = np.array(rows), np.array(shares)
    enough = table[~np.isnan(table[:, 2])]
    random = np.random.default_rng(0)
    gaps = enough[:, 3] - enough[:, 2]
    low, high = np.percentile([random.choice(gaps, len(gaps)).mean() for _ in range(2000)], [2.5, 97.5])
    print(
        f"{way}, {len(table)} books: enough said for {table[:, 1].sum():.0f} of {table[:, 0].sum():.0f} proofs, "
        f"said {enough[:, 2].mean():.3f}, true {enough[:, 3].mean():.3f}, true less said {low:.3f} to {high:.3f}, "
        f"by book from {enough[:, 3].min():.2f} to {enough[:, 3].max():.2f}; "
        f"share of ten said {share[:, 0].mean():.3f}, true {share[:, 1].mean():.3f}",
        flush=True,
    )


def main() -> None:
    """Ask, fit and test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--projects", type=Path, nargs="+", required=True)
    parser.add_argument("--held-out", type=Path, required=True, help="a folder with the trees of each fold")
    given = parser.parse_args()
    suite = load_suite("books")
    paths, _ = suite.found(given.projects)
    trees = held_out_trees(given.held_out)
    known = [one for book in suite.books if book.name in paths for one in answers(book, paths[book.name], trees(book))]
    groups = sorted({one.book.author_group for one in known})
    tested: list[tuple[Answer, Fit]] = []
    for number in range(FOLDS):
        fold = set(groups[number::FOLDS])
        fit = fitted([one for one in known if one.book.author_group not in fold])
        tested += [(one, fit) for one in known if one.book.author_group in fold]
    for way in (*PLACED, HALF):
        report(way, tested)
    print("in the package:", *FITTED, "fitted on all:", *np.round(fitted(known), 4))


if __name__ == "__main__":
    main()
