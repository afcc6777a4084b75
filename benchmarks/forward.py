"""Statements that stand after a proof: how many proofs cite them, and where ``suggest`` puts them.

    python benchmarks/forward.py --projects FOLDER ... [--most N]

Of each book of the suite ``books`` that is found, at most N proved theorems are drawn. Each is asked with what its
proof cites of the earlier text, without the text of the proof. Give books that the shipped trees were not trained on.
Shares of citations are means over books.
"""

import argparse
import random
from pathlib import Path

import numpy as np

from naturalproofs.benchmark.suite import load_suite
from naturalproofs.io.archives import given_source
from naturalproofs.workspace import Workspace

DEPTHS = (1, 3, 5, 10)


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--projects", type=Path, nargs="+", required=True)
    parser.add_argument("--most", type=int, default=100)
    given = parser.parse_args()
    suite = load_suite("books")
    paths, _ = suite.found(given.projects)
    ranks: dict[str, list[int]] = {}
    asked = citing = 0
    right = dict.fromkeys(DEPTHS, 0)
    for book in suite.books:
        if book.name not in paths:
            continue
        root = given_source(paths[book.name])
        workspace = Workspace.open([root / book.main if book.main else root])
        home = workspace.home
        theorems = [one for one in home.of_kind("theorem") if one.proofs and home.position_of(one) is not None]
        for theorem in random.Random(0).sample(theorems, min(given.most, len(theorems))):
            cited = dict.fromkeys(key for proof in theorem.proofs for key in proof.references if key != theorem.id)
            closed = set(home.excluded(theorem, home.position_of(theorem)))
            later = [key for key in cited if home.positions[key] in closed]
            known = [key for key in cited if key not in later]
            found = workspace.suggest(theorem, k=1, explained=0, cited=known, later=max(DEPTHS))
            ahead = [one.statement.id for one in found.items if one.probability is None]
            own = [ahead.index(key) + 1 if key in ahead else 0 for key in later]
            ranks.setdefault(book.name, []).extend(own)
            asked += 1
            citing += bool(later)
            for depth in DEPTHS:
                right[depth] += any(0 < rank <= depth for rank in own)
        print(book.name, len(theorems), "theorems", ranks.get(book.name), flush=True)
    print(f"{asked} proofs, {100 * citing / asked:.1f} % cite a later statement")
    for depth in DEPTHS:
        held = np.mean([np.mean([0 < rank <= depth for rank in own]) for own in ranks.values() if own])
        share = 100 * right[depth] / asked
        print(f"first {depth}: {100 * held:.1f} % of the later citations; one is right in {share:.1f} % of the proofs")


if __name__ == "__main__":
    main()
