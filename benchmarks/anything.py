"""Whether proofs cite anything as often as ``suggest`` says, and what written proofs lack, over all proved theorems.

    python benchmarks/anything.py FOLDER [--most N] [--seed S] [--held-out FOLDS]

FOLDER holds ``INDEX.json`` and, for each project, an archive or a folder, as for ``check_projects.py``; the trees must
not have seen their authors: a project of the suite ``books`` is asked with the trees that ``ship_ranker.py --folds``
trained without its author. Up to N proved theorems of each project are asked twice: with nothing of the proof, and
with the whole proof but one of its citations. The numbers of `naturalproofs.workspace.coverage` are fitted without one
author at a time and tested on the projects of that author; the last line has those that fit all. The error by project
is compared with that of forecasts that are right, whose outcomes are drawn at random.
"""

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from naturalproofs.benchmark.suite import held_out_trees, load_suite
from naturalproofs.errors import NaturalProofsError
from naturalproofs.ranking.registry import ranker_spec
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.coverage import FITTED, Fit

RANKED, SHOWN = 100, 10
BY_PROJECT = 10.0
"""The weight of the squared error of a project in the fit, beside the mean log loss of its theorems."""
DRAWS = 400


class Asked(NamedTuple):
    """One theorem."""

    author: str
    project: str
    first: float
    """The probability of the first suggestion."""
    expected: float
    citing: float
    proved: float
    true: int
    """How many earlier statements its proofs cite."""
    candidates: int
    chances: tuple[float, ...] = ()
    """What the written proof may lack …"""
    at: int | None = None
    """… and the place of the citation that was left out."""


def ask(home: OpenCorpus, author: str, project: str, most: int, seed: int) -> Iterator[Asked]:
    """Ask about proved theorems that are drawn at random."""
    workspace, generator = Workspace.of([home]), random.Random(seed)
    theorems = [one for one in home.of_kind("theorem") if one.proofs]
    for theorem in generator.sample(theorems, min(most, len(theorems))):
        position = home.position_of(theorem)
        later = set(home.excluded(theorem, position))
        cited = dict.fromkeys(key for proof in theorem.proofs for key in proof.references)
        true = [key for key in cited if home.positions[key] not in later]
        found = workspace.suggest(theorem, k=RANKED, explained=0)
        if found.expected is None:
            return
        candidates = len(home.candidates) if position is None or not home.placed else position
        first = (found[0].probability or 0.0) if len(found) else 0.0
        counts = home.citing_before(theorem, position)
        asked = Asked(author, project, first, found.expected, *counts, len(true), candidates)
        if true:
            left_out = generator.choice(true)
            proof = "\n".join(one.text for one in theorem.proofs)
            known = [key for key in cited if key not in (left_out, theorem.id)]
            rest = workspace.suggest(theorem, k=RANKED, explained=0, cited=known, proof=proof)
            at = next((rank for rank, one in enumerate(rest) if one.statement.id == left_out), None)
            asked = asked._replace(chances=tuple(one.probability or 0.0 for one in rest), at=at)
        yield asked


def fitted(known: Sequence[Asked]) -> Fit:
    """The numbers that fit these answers, each project of the same weight."""
    sizes: dict[str, int] = defaultdict(int)
    for one in known:
        sizes[one.project] += 1
    cited = np.array([one.true > 0 for one in known])
    weights = np.array([1 / sizes[one.project] for one in known])
    projects = np.array([[one.project == project for one in known] for project in sizes]) * weights

    names = ("level", "by_author", "by_first", "by_expected")

    def loss(numbers: Sequence[float]) -> float:
        fit = FITTED._replace(**dict(zip(names, numbers, strict=True)))
        said = np.array([fit.anything_cited(one.first, one.expected, one.citing, one.proved) for one in known])
        return BY_PROJECT * float(((projects @ (said - cited)) ** 2).sum()) - float(
            (weights * np.log(np.where(cited, said, 1 - said))).sum()
        )

    anything = minimize(loss, [-0.7, 0.5, 0.5, 1.4], method="Nelder-Mead").x
    lacking = [one for one in known if one.chances]

    def loss_of_one(numbers: Sequence[float]) -> float:
        fit = FITTED._replace(sharpness=math.exp(numbers[0]), missing=math.exp(numbers[1]))
        total = 0.0
        for one in lacking:
            chances = fit.one_missing(one.chances, one.candidates)
            unranked = max(1 - sum(chances), 1e-9)
            total -= math.log(max(chances[one.at], 1e-9) if one.at is not None else unranked) / sizes[one.project]
        return total

    logarithms = minimize(loss_of_one, [0.3, math.log(0.0086)], method="Nelder-Mead").x
    numbers = (float(round(one, 4)) for one in (*anything, *np.exp(logarithms)))
    return FITTED._replace(**dict(zip((*names, "sharpness", "missing"), numbers, strict=True)))


def report(tested: Sequence[tuple[Asked, Fit]]) -> None:
    """Print what was said and what is true, by project and in all."""
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    lacking: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    for one, fit in tested:
        said = fit.anything_cited(one.first, one.expected, one.citing, one.proved)
        rows[one.project].append((said, float(one.true > 0), said * one.expected, one.true, one.expected))
        if one.chances:
            chances = fit.one_missing(one.chances, one.candidates)
            hit = one.at is not None and one.at < SHOWN
            lacking[one.project].append((sum(chances[:SHOWN]), float(hit), chances[0], float(one.at == 0)))
    print("\n| project | theorems | anything: said | true | citations: expected | true | of citing proofs: expected |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    gaps, every = [], []
    for project, values in rows.items():
        table = np.array(values)
        said, true = table[:, :2].mean(axis=0)
        citing = table[table[:, 1] > 0, 4].sum()
        sums = f"{table[:, 2].sum():.0f} | {table[:, 3].sum():.0f} | {citing:.0f}"
        print(f"| {project} | {len(table)} | {said:.2f} | {true:.2f} | {sums} |")
        gaps.append(abs(said - true))
        every.append(table)
    table = np.concatenate(every)
    citing = table[table[:, 1] > 0]
    print(
        f"\nall: {len(table)} theorems, anything said {table[:, 0].mean():.3f}, true {table[:, 1].mean():.3f}; "
        f"expected / true over all {table[:, 2].sum() / table[:, 3].sum():.3f}, over citing ones "
        f"{citing[:, 4].sum() / citing[:, 3].sum():.3f}; error by project {np.mean(gaps):.3f} in the mean, "
        f"{np.max(gaps):.3f} in the worst"
    )
    means = np.array([np.mean(values, axis=0) for values in lacking.values()])
    ten_said, ten_true, first_said, first_true = np.concatenate([np.array(one) for one in lacking.values()]).mean(
        axis=0
    )
    generator = np.random.default_rng(0)
    drawn = [
        np.mean([abs((generator.random(len(one)) < one[:, 0]).mean() - one[:, 0].mean()) for one in every])
        for _ in range(DRAWS)
    ]
    print(f"right forecasts would have an error by project of {np.mean(drawn):.3f} by chance alone")
    print(
        f"a written proof without one citation: {sum(map(len, lacking.values()))} asked; "
        f"ten hold it: said {ten_said:.3f}, true {ten_true:.3f}; it is the first: said {first_said:.3f}, "
        f"true {first_true:.3f}; error by project "
        f"{np.abs(means[:, 0] - means[:, 1]).mean():.3f} (ten), {np.abs(means[:, 2] - means[:, 3]).mean():.3f} (first)"
    )


def main() -> None:
    """Ask, fit and test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=250)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--held-out", type=Path, metavar="FOLDS", help="trees trained without each author")
    given = parser.parse_args()
    trees = held_out_trees(given.held_out) if given.held_out else None
    books = {book.path: book for book in load_suite("books").books if trees}
    known: list[Asked] = []
    for entry in json.loads((given.folder / "INDEX.json").read_text("utf-8")):
        folder = entry["archive"].split(".")[0]
        main = given.folder / folder / (entry.get("main") or "")
        method = ranker_spec(trees(books[folder])) if trees and folder in books else None
        try:
            home = Workspace.open(main if main.exists() else main.parent, method=method).home
        except NaturalProofsError as error:
            print(f"{entry['name']}: {str(error).splitlines()[0]}")
            continue
        known += ask(home, entry["repo"].split("/")[0], entry["name"], given.most, given.seed)
    tested: list[tuple[Asked, Fit]] = []
    for author in sorted({one.author for one in known}):
        fit = fitted([one for one in known if one.author != author])
        tested += [(one, fit) for one in known if one.author == author]
    report(tested)
    print("in the package:", FITTED, "fitted on all:", fitted(known))


if __name__ == "__main__":
    main()
