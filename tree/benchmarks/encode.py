"""How fast statements are encoded, beside sentence-transformers with the same weights, lengths and texts.

    python benchmarks/encode.py [TEXTS] [--corpus FOLDER]

Both read the same prepared texts, cut to the same number of tokens, in one run and by turns; the vectors must agree.
Figures are of processor time and one thread: what counts is their ratio.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from naturalproofs.corpus.load import build
from naturalproofs.corpus.store import load
from naturalproofs.data import primer_folder
from naturalproofs.ranking.neural.encode import embed, new_towers
from naturalproofs.ranking.neural.encoder import encoder_folder
from naturalproofs.ranking.neural.methods import ZeroShot
from naturalproofs.sources.registry import source
from naturalproofs.tasks.protocols import passages

PROMISED = 0.8
ROUNDS = 3
LENGTH = 96


def timed(run: Callable[[], NDArray[Any]]) -> tuple[float, NDArray[Any]]:
    """Seconds, and what came out."""
    start = time.process_time()
    found = run()
    return time.process_time() - start, found


def main() -> int:
    """Print the figures; fail when the vectors differ or the promise is broken."""
    from sentence_transformers import SentenceTransformer

    parser = argparse.ArgumentParser()
    parser.add_argument("texts", nargs="?", type=int, default=300)
    parser.add_argument("--corpus", type=Path, help="a corpus folder; the Primer without it")
    options = parser.parse_args()
    torch.set_num_threads(1)
    corpus = load(options.corpus) if options.corpus else build(source("latex"), primer_folder(), name="primer")
    shown = passages(corpus.statements)
    step = max(1, len(shown) // options.texts)
    shown = shown[::step][: options.texts]
    frozen, tower = new_towers(ZeroShot(length=LENGTH), (), seed=0)
    texts = frozen.texts(shown)
    theirs = SentenceTransformer(str(encoder_folder("minilm")), device="cpu")
    theirs.max_seq_length = LENGTH
    ours_seconds, their_seconds = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as empty:
            os.environ["NATURALPROOFS_CACHE"] = empty  # What is measured is encoding, not reading the cache.
            seconds, ours = timed(lambda: embed(tower, frozen.encode(shown)))
        ours_seconds.append(seconds)
        seconds, other = timed(lambda: np.asarray(theirs.encode(texts, batch_size=32, show_progress_bar=False)))
        their_seconds.append(seconds)
    difference = float(np.abs(ours - other).max())
    mine, others = min(ours_seconds), min(their_seconds)
    print(f"{len(shown):,} statements of {corpus.name}, at most {LENGTH} tokens, best of {ROUNDS}")
    print(f"  naturalproofs          {len(shown) / mine:7.1f} statements/s")
    print(f"  sentence-transformers  {len(shown) / others:7.1f} statements/s")
    print(f"  ratio {others / mine:.2f} (promised {PROMISED}), greatest difference of vectors {difference:.1e}")
    return 0 if difference < 1e-4 and others / mine >= PROMISED else 1


if __name__ == "__main__":
    sys.exit(main())
