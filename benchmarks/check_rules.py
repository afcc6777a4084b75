"""How precise the suggestions of ``check`` are: what they would tell a proof to cite, against what it does cite.

    python benchmarks/check_rules.py PATH [SOURCE]

A rule is asked without being told what the proof cites. *Found*: it tells a statement that the proof does cite, so it
would find that citation if it were deleted. *False alarm*: it tells one that the proof does not cite, which is what an
author sees in a finished text.
"""

import sys
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check.arguments import NamingCounts, missing, near_duplicates
from naturalproofs.workspace.check.finding import comes_later


def main() -> None:
    """Measure and print."""
    path, kind = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "latex"
    corpus = Workspace.open(path, source=kind).home
    proofs = sum(bool(proof.references) for s in corpus.of_kind("theorem") for proof in s.proofs)
    references = sum(len(set(proof.references)) for s in corpus.of_kind("theorem") for proof in s.proofs)
    print(f"{corpus.name}: {len(corpus.statements):,} statements, {proofs:,} citing proofs, {references:,} citations")
    _report("missing-reference", *_missing(corpus), proofs, references)
    found = list(near_duplicates(corpus.statements))
    print(f"near-duplicate: {len(found):,} pairs, {100 * len(found) / len(corpus.statements):.2f} in 100 statements")
    for later, earlier, share in found[:: max(1, len(found) // 10)]:
        print(f"    {share:.0%} {corpus.statements[later].label} = {corpus.statements[earlier].label}")


def _missing(corpus: Corpus) -> tuple[int, int]:
    counts = NamingCounts.of(corpus)
    hits = alarms = 0
    for named in counts.proofs:
        for key in missing(counts, named, ignore_cited=True):
            if not comes_later(corpus.by_id[key], named.statement, named.proof):
                hits += key in named.proof.references
                alarms += key not in named.cited
    return hits, alarms


def _report(rule: str, hits: int, alarms: int, proofs: int, references: int) -> None:
    print(
        f"{rule}: finds {hits:,} of {references:,} ({hits / references:.1%}); {alarms:,} false alarms, "
        f"{100 * alarms / proofs:.1f} in 100 proofs; {hits / max(1, hits + alarms):.0%} of what it tells is cited"
    )


if __name__ == "__main__":
    main()
