"""How well and how fast search finds: known items of the Stacks project, asked for by words that are not theirs.

    python benchmarks/search.py [STACKS_CORPUS]

Give a corpus folder made by ``naturalproofs build stacks``; without one it is built from the real source if that is at
hand. The questions are slogans and titles, which are taken out of the index first. Settings were chosen on the
questions whose id has an even checksum; the figures are of the odd ones.
"""

import os
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.source import source
from naturalproofs.workspace.search import SearchIndex
from naturalproofs.workspace.search.settings import DEFAULT

Question = tuple[str, str]
"""The id of a statement, and words that are to find it."""
DEPTH = 50
FORMULAS = ("$H^i(X, \\mathcal{F}) = 0$", "$f^{-1}(U)$", "$\\mathcal{O}_X$-module $f_*$", "$A \\otimes_R B$")
QUERIES = (
    "noetherian ring", "finite type", "yoneda", "000S", "lemma-graph-closed", '"finite type" kind:definition',
    "quasicompact morphism", "noetherain", "nullstelensatz", "when is a morphism flat?", "coho", "proper -finite",
    "kind:definition chapter:algebra", "a map from a compact space to a hausdorff space is closed", "zzzz",
)  # fmt: skip


def corpus_at_hand() -> Corpus | None:
    """The corpus named, or one built on the spot."""
    if len(sys.argv) > 1:
        return store.load(Path(sys.argv[1]))
    raw = Path(os.environ.get("NATURALPROOFS_CORPORA", "../shared/corpora")) / "stacks"
    return build(source("stacks"), raw, name="stacks").corpus if raw.is_dir() else None


def questions(corpus: Corpus) -> dict[str, list[Question]]:
    """Slogans and titles of statements, the half that no setting was chosen by."""
    slogans = [
        (s.id, " ".join(line for note in s.notes if note.kind == "slogan" for line in note.lines))
        for s in corpus.statements
    ]
    titles = [(s.id, s.title) for s in corpus.statements]
    return {
        name: [(key, text) for key, text in found if text and zlib.crc32(key.encode()) % 2]
        for name, found in (("slogan", slogans), ("title", titles))
    }


def quality(index: SearchIndex, asked: Sequence[Question]) -> str:
    """Where the statement that is meant comes."""
    ranks = []
    for key, text in asked:
        found = [hit.id for hit in index.search(text, k=DEPTH).items]
        ranks.append(found.index(key) + 1 if key in found else np.inf)
    rank = np.array(ranks)
    shares = "  ".join(f"hit@{k} {100 * np.mean(rank <= k):5.1f}" for k in (1, 10, 50))
    return f"{shares}  MRR@{DEPTH} {100 * np.mean(1 / rank):5.1f}  ({len(rank)} questions)"


def speed(index: SearchIndex, asked: Sequence[str]) -> str:
    """How long an answer takes, once all is warm."""
    for text in asked[:20]:
        index.search(text)
    waits, works = [], []
    for text in asked:
        start, busy = time.perf_counter(), time.process_time()
        index.search(text)
        waits.append(1000 * (time.perf_counter() - start))
        works.append(1000 * (time.process_time() - busy))
    figures = [
        "{}: p50 {:.1f} ms, p95 {:.1f} ms, longest {:.1f} ms".format(name, *np.percentile(times, [50, 95]), max(times))
        for name, times in (("waited", waits), ("processor", works))
    ]
    return f"{len(asked)} queries; {'; '.join(figures)}"


def main() -> int:
    """Print the figures."""
    corpus = corpus_at_hand()
    if corpus is None:
        print("needs the Stacks corpus: give its folder, or set NATURALPROOFS_CORPORA")
        return 1
    asked = questions(corpus)
    bare = replace(corpus, statements=tuple(replace(s, notes=(), title="") for s in corpus.statements))
    fields = {name: weight for name, weight in DEFAULT.fields.items() if name != "cited"}
    variants = {
        "words alone": replace(DEFAULT, meaning=0.0, fields=fields),
        "and how others cite": replace(DEFAULT, meaning=0.0),
        "and meaning": DEFAULT,
    }
    for name, settings in variants.items():
        index = SearchIndex.of(bare, settings)
        for kind, found in asked.items():
            print(f"{name:22}{kind:8}{quality(index, found)}", flush=True)
    start = time.process_time()
    whole = SearchIndex.of(corpus)
    print(f"made in {time.process_time() - start:.1f} s of processor time")
    with tempfile.TemporaryDirectory() as folder:
        whole.keep(Path(folder) / "kept")
        size = sum(file.stat().st_size for file in (Path(folder) / "kept").iterdir())
        start = time.perf_counter()
        opened = SearchIndex.open(Path(folder) / "kept")
        opened.search("first")
        print(f"opened and asked once in {time.perf_counter() - start:.2f} s; {size / 1e6:.0f} MB on disk")
        mixed = [*QUERIES, *FORMULAS, *(text for found in asked.values() for _, text in found)]
        print(speed(opened, mixed))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
