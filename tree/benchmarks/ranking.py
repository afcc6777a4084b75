"""How fast methods rank, beside bm25s alone on the same tokens.

    python benchmarks/ranking.py [STACKS_CORPUS]

Give a corpus folder made by ``naturalproofs build stacks``; without one it is built from the real source if that is at
hand. All figures of a run are taken in that run; what counts is their ratio.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import bm25s

from naturalproofs import tokens
from naturalproofs.benchmark.evaluation import rank
from naturalproofs.benchmark.make import load_folder, make_corpus
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.ranking.contract import whole_text
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.sources.registry import source
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import Splits
from naturalproofs.tokens import maths

METHODS = ("random", "frequency", "tfidf", "bm25", "neighbours", "fusion")


def corpus_and_splits() -> tuple[Corpus, Splits] | None:
    """The corpus named, or one built on the spot."""
    if len(sys.argv) > 1:
        return load_folder(Path(sys.argv[1]))
    raw = Path(os.environ.get("NATURALPROOFS_CORPORA", "../shared/corpora")) / "stacks"
    if not raw.is_dir():
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "stacks"
        make_corpus(source("stacks"), raw, target, name="stacks")
        return load_folder(target)


def bm25s_alone(task: RetrievalTask) -> float:
    """Tokenise, index, and take the hundred best for every question, with nothing of ours but the tokens."""
    start = time.perf_counter()
    index = bm25s.BM25(k1=1.2, b=0.6)
    index.index([maths(whole_text(candidate, 2)) for candidate in task.candidates], show_progress=False)
    questions = [list(dict.fromkeys(maths(whole_text(question.theorem)))) for question in task.queries]
    index.retrieve(questions, k=100, show_progress=False)
    return time.perf_counter() - start


def main() -> int:
    """Print the figures."""
    found = corpus_and_splits()
    if found is None:
        print("skipped: no Stacks corpus; give its folder, or set NATURALPROOFS_CORPORA")
        return 0
    task = retrieval_task(*found, "eval", protocol("clean"))
    print(f"{task.name}: {len(task.queries):,} questions, {len(task.candidates):,} candidates")
    base = bm25s_alone(task)
    print(f"  {'bm25s alone':<12} {base:6.1f} s")
    for method in METHODS:
        # Each method cuts the texts itself, as bm25s alone had to.
        tokens.forget()
        ranked = rank(parse_ranker(method), task)
        rate, times = len(ranked.queries) / ranked.seconds, ranked.seconds / base
        print(f"  {method:<12} {ranked.seconds:6.1f} s  {rate:7,.0f} questions a second  {times:5.2f} times")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak memory of all of it {memory:,.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
