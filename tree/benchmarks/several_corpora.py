"""Suggestions from several open works: ``python benchmarks/several_corpora.py FIRST SECOND … [--queries N]``.

Theorems of each work are asked for as text without a place, with all works open in the given order. Prints R@10 of what
their proofs cite, with the work alone, with all of them open, and with the theorem's own work opened first; the theorem
itself is not counted. Citations of the theorem's own proof are known to the ranker, so only the columns compare.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from naturalproofs import Workspace
from naturalproofs.records import Statement


def recall(workspace: Workspace, theorem: Statement, corpora: Sequence[str] | None = None) -> float:
    """The share of what its proofs cite among the first ten suggestions."""
    cited = {reference for proof in theorem.proofs for reference in proof.references} - {theorem.id}
    text = theorem.text
    found = workspace.suggest(text, title=theorem.title, k=11, corpora=corpora, explained=0)
    shown = [one.statement.id for one in found if one.statement.id != theorem.id][:10]
    return len(cited.intersection(shown)) / len(cited)


def main() -> None:
    """Print one row for each work."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("works", nargs="+", type=Path)
    parser.add_argument("--queries", type=int, default=25)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    opened = Workspace.open(given.works)
    print(f"{'work':20} {'queries':>8} {'alone':>8} {'all open':>9} {'own first':>10}")
    for corpus, path in zip(opened.corpora, given.works, strict=True):
        reordered = Workspace.open([path, *(other for other in given.works if other != path)])
        asked = [
            one
            for one in corpus.statements
            if one.kind == "theorem" and any({*proof.references} - {one.id} for proof in one.proofs)
        ]
        sample = chance.sample(asked, min(given.queries, len(asked)))
        rows = [(recall(opened, one, [corpus.name]), recall(opened, one), recall(reordered, one)) for one in sample]
        alone, everything, first = (100 * sum(column) / len(rows) for column in zip(*rows, strict=True))
        print(f"{corpus.name:20} {len(rows):8} {alone:8.1f} {everything:9.1f} {first:10.1f}", flush=True)


if __name__ == "__main__":
    main()
