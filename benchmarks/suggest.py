"""How good and how sure suggestions are, asked as the tool asks.

    python benchmarks/suggest.py primer/ trench stacks

Each theorem is asked with its own proof left out: once with nothing written, once with the first half of its citations
given and the text before the first hidden one. Prints, for each work, the mean average precision over the first
hundred, what is said and what is true of suggestions above 20 %, how many citations are expected and found, and how
often the last line of ``suggest`` holds. The figures of docs/how-to/get-suggestions.md come from here.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.coverage import coverage
from naturalproofs.workspace.suggest import Suggestion

SHOWN = 10
REACH = 100
SURE = 0.2


@dataclass(frozen=True)
class Asked:
    """One question, its answer, and what the proof cites."""

    begun: bool
    found: Sequence[Suggestion]
    gold: frozenset[StatementId]
    candidates: int
    """How many statements could be suggested."""
    before: frozenset[StatementId] = frozenset()
    """What the proof cites in its first half."""

    def precision(self, half: Asked | None = None) -> float:
        """The average precision of all, or of what another question is about, with what that one knows left out."""
        wanted, known = (self.gold, self.before) if half is None else (half.gold, half.before)
        keys = [one.statement.id for one in self.found if one.statement.id not in known]
        hits = [rank for rank, key in enumerate(keys, start=1) if key in wanted]
        return sum((number + 1) / rank for number, rank in enumerate(hits)) / len(wanted)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works", type=Path, nargs="+", help="corpora or LaTeX projects")
    parser.add_argument("--method", help="another method than the default one")
    parser.add_argument("--most", type=int, default=400, help="theorems of each work, drawn at random")
    options = parser.parse_args()
    for work in options.works:
        workspace = Workspace.open([work], method=options.method)
        pairs = list(_asked(workspace, options.most))
        print(f"{work.name}:")
        for name, asked in (("nothing written", [a for a, _ in pairs]), ("half written", [b for _, b in pairs if b])):
            print(f"  {name:16} {_told(asked)}")
        halves = [(whole, half) for whole, half in pairs if half]
        alone = [whole.precision(half) for whole, half in halves]
        print(f"  the second half by the theorem alone: mAP {100 * _mean(alone):.1f}")


def _asked(workspace: Workspace, most: int) -> Iterator[tuple[Asked, Asked | None]]:
    theorems = [s for s in workspace.home.of_kind("theorem") if _proof(s) is not None]
    for statement in random.Random(0).sample(theorems, min(most, len(theorems))):
        proof = _proof(statement)
        assert proof is not None
        cited = [key for key in dict.fromkeys(proof.references) if key != statement.id]
        home = workspace.home
        above = home.position_of(statement)
        candidates = above if home.placed and above is not None else len(home.candidates)
        whole = Asked(False, workspace.suggest(statement, k=REACH, explained=0).items, frozenset(cited), candidates)
        half = len(cited) // 2
        if not half:
            yield whole, None
            continue
        hidden = frozenset(cited[half:])
        line = min(mention.line for mention in proof.mentions if mention.reference in hidden)
        written = "\n".join(proof.lines[: max(0, line - proof.origin.line)]) if proof.origin else ""
        found = workspace.suggest(statement, k=REACH, cited=cited[:half], proof=written, explained=0)
        yield whole, Asked(True, found.items, hidden, candidates, frozenset(cited[:half]))


def _proof(statement: Statement) -> Proof | None:
    """The first proof that cites something else."""
    return next((p for p in statement.proofs if set(p.references) - {statement.id}), None)


def _told(asked: Sequence[Asked]) -> str:
    if not asked:
        return "no question"
    every = [(one.probability or 0.0, one.statement.id in a.gold) for a in asked for one in a.found]
    sure = [(said, true) for said, true in every if said >= SURE]
    enough: list[tuple[float, bool]] = []
    shares: list[tuple[float, float]] = []
    for a in asked:
        _, count, share, chance = coverage(a.found, SHOWN, a.candidates)
        first = {one.statement.id for one in a.found[: SHOWN if count is None else count]}
        if count is not None and chance is not None:
            enough.append((chance, a.gold <= first))
        elif share is not None:
            shares.append((share, len(a.gold & first) / len(a.gold)))
    return (
        f"{len(asked):4} questions, mAP {100 * _mean([a.precision() for a in asked]):.1f}; "
        f"above 20 %: {len(sure)}, said {_mean([s for s, _ in sure]):.0%}, cited {_mean([t for _, t in sure]):.0%}; "
        f"expected {sum(s for s, _ in every) / len(asked):.1f}, found {sum(t for _, t in every) / len(asked):.1f}; "
        f"ten enough for {len(enough)}, said {_mean([s for s, _ in enough]):.0%}, "
        f"true of {_mean([t for _, t in enough]):.0%}; "
        f"else they hold {_mean([s for s, _ in shares]):.0%}, true {_mean([t for _, t in shares]):.0%}"
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


if __name__ == "__main__":
    main()
