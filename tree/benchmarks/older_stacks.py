"""An older Stacks project from a newer one: ``python benchmarks/older_stacks.py CORPUS -o OLDER [--share 0.9]``.

Tags are given in the order in which statements were added and never change, so the statements with the oldest tags are
those that the project had at some earlier time. Citations of what came later are removed. Later edits of old texts and
proofs cannot be undone in this way. The folder is for ``naturalproofs evaluate --older`` and ``reproduce --older``.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Mention, Split, Statement
from naturalproofs.tasks.splits import Splits


def older(corpus: Corpus, share: float) -> Corpus:
    """The corpus with the oldest tags: as many as this share of its statements."""
    tagged = sorted((one for one in corpus.statements if one.tag), key=lambda one: int(one.tag, 36))
    known = {one.id for one in tagged[: round(share * len(tagged))]}

    def earlier(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        return tuple(m if m.reference in known else replace(m, reference=None) for m in mentions)

    def without_later(one: Statement) -> Statement:
        proofs = tuple(replace(proof, mentions=earlier(proof.mentions)) for proof in one.proofs)
        return replace(one, mentions=earlier(one.mentions), proofs=proofs)

    return replace(corpus, statements=tuple(without_later(one) for one in corpus.statements if one.id in known))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--share", type=float, default=0.9)
    options = parser.parse_args()
    found = older(store.load(options.corpus), options.share)
    store.save(found, options.output, splits=Splits("all", Split(), Split(), Split()).to_json())
    print(f"{options.output}: {len(found.statements):,} statements, {len(found.examples):,} examples")
