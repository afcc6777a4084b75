"""Collections of growing size: build, index size, memory, queries, recall and quality among many candidates.

``python benchmarks/scale.py FOLDER [SIZE ...]`` builds a collection of each size in FOLDER, unless it is there already,
and asks it the same questions: theorems of the Stacks project, whose references are among the candidates. The
statements are real ones first (Stacks, the open projects), then recombinations of two real ones, which share
their words and formulas. Times are of the processor, all threads counted.

It reads ``../shared/corpora``, or the folder named by ``NATURALPROOFS_CORPORA``, and needs the extra ``scale``.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pyarrow as pa

from naturalproofs.collection import is_collection
from naturalproofs.collection.answers import OpenCollection
from naturalproofs.collection.indexing import update_indexes
from naturalproofs.collection.lance_index import LanceIndex
from naturalproofs.collection.read import entry_row
from naturalproofs.collection.schemas import STATEMENTS
from naturalproofs.collection.tables import Collection, writing
from naturalproofs.corpus.load import build
from naturalproofs.io.archives import given_source
from naturalproofs.io.cache import size_on_disk
from naturalproofs.ranking.candidate_index import Entry, Where
from naturalproofs.ranking.hybrid.ranker import shipped_boosters
from naturalproofs.ranking.hybrid.rerank import suggest
from naturalproofs.records import Passage
from naturalproofs.source import detect_source, source
from naturalproofs.tasks.protocols import passages

CORPORA = Path(os.environ.get("NATURALPROOFS_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
SIZES = (15_000, 150_000, 1_000_000)
QUESTIONS = 60
DEEP = 1000
"""Candidates of the first stage whose recall is measured."""
BATCH = 20_000


def real_entries() -> Iterator[Entry]:
    """The statements of the real corpora, Stacks first."""
    yield from _corpus("stacks", "stacks", CORPORA / "stacks")
    for archive in sorted((CORPORA / "projects").glob("*.tar.xz")):
        try:
            folder = given_source(archive)
            yield from _corpus(detect_source(folder), archive.name.partition(".")[0], folder)
        except Exception as error:
            print(f"{archive.name}: left out ({str(error)[:80]})", file=sys.stderr)


def _corpus(kind: str, name: str, path: Path) -> Iterator[Entry]:
    corpus = build(source(kind), path, name=name).corpus
    for passage, one in zip(passages(corpus.statements), corpus.statements, strict=True):
        cited = tuple(dict.fromkeys(key for proof in one.proofs for key in proof.references))
        yield Entry(passage, name, corpus.provenance.licence, cited)


def recombined(real: list[Entry], seed: int = 0) -> Iterator[Entry]:
    """Statements with the first half of one real text and the second half of another, without end."""
    random = np.random.default_rng(seed)
    halves = [(one.passage.title.split(), one.passage.text.split(" "), one) for one in real]
    number = 0
    while True:
        for first, second in random.integers(0, len(real), (BATCH, 2)).tolist():
            title, text, entry = halves[first]
            other, tail, _ = halves[second]
            name = " ".join([*title[: (len(title) + 1) // 2], *other[len(other) // 2 :]])
            body = " ".join([*text[: (len(text) + 1) // 2], *tail[len(tail) // 2 :]])
            key = f"made{number // 1000}:{number}"
            yield Entry(
                Passage(key, entry.passage.kind, name, body, (), None, entry.passage.form), f"made{number // 1000}"
            )
            number += 1


def batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Entries in lists."""
    waiting = iter(entries)
    while batch := list(islice(waiting, BATCH)):
        yield batch


def make(folder: Path, size: int, real: list[Entry]) -> dict[str, Any]:
    """Build a collection; what it cost."""
    began = time.process_time()

    def entries() -> Iterator[Entry]:
        yield from real[:size]
        yield from islice(recombined(real), max(0, size - len(real)))

    with writing(folder) as writer:
        for batch in batches(entries()):
            writer.append("statements", pa.Table.from_pylist([entry_row(one) for one in batch], STATEMENTS))
        rows_seconds, began = time.process_time() - began, time.process_time()
        update_indexes(writer)
        index_seconds = time.process_time() - began
        writer.commit()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table = folder / "statements.lance"
    return {
        "rows_seconds": round(rows_seconds, 1), "index_seconds": round(index_seconds, 1), "peak_mb": round(peak),
        "rows_a_second": round(size / rows_seconds), "table_mb": size_on_disk(table / "data") >> 20,
        "index_mb": size_on_disk(table / "_indices") >> 20, "terms_mb": size_on_disk(folder / "terms.lance") >> 20,
    }  # fmt: skip


def ask(folder: Path, real: list[Entry]) -> dict[str, Any]:
    """Ask a collection; processor time, recall and quality."""
    opened = OpenCollection.open(str(folder))
    opened.prepare()
    collection, trees = Collection.open(folder), shipped_boosters()
    exact, all_terms = LanceIndex(collection, exact=True), LanceIndex(collection, exact=True, terms=None)
    random = np.random.default_rng(1)
    asked = [one for one in (real[at] for at in random.permutation(15_000).tolist()) if one.cited][:QUESTIONS]
    times: dict[str, list[float]] = {"first_stage": [], "suggest": [], "search": []}
    recall: list[float] = []  # Of the same terms and all vectors, compared exactly.
    figures: dict[str, list[tuple[float, float]]] = {"lance": [], "exact": [], "all_terms": []}
    for one in [asked[0], *asked]:
        where, query = Where(excluded=[one.passage.id]), one.passage
        began = time.process_time()
        first = opened.index.query(query, k=DEEP, where=where)
        times["first_stage"].append(time.process_time() - began)
        began = time.process_time()
        opened.suggest(query.text, k=10, title=query.title, where=where)
        times["suggest"].append(time.process_time() - began)
        began = time.process_time()
        opened.search(" ".join(query.text.split()[:6]) if not query.title else query.title, k=10)
        times["search"].append(time.process_time() - began)
        full = exact.query(query, k=DEEP, where=where)
        recall.append(len(_ids(first) & _ids(full)) / max(1, len(full.entries)))
        for name, index in (("lance", opened.index), ("exact", exact), ("all_terms", all_terms)):
            ranked = [found.entry.passage.id for found in suggest(index, trees, query, k=100, where=where, explained=0)]
            figures[name].append(_quality(ranked, set(one.cited)))
    result: dict[str, Any] = {"recall_at_1000": round(float(np.mean(recall[1:])), 3)}
    for name, values in times.items():  # The first question reads the index from disk.
        result[f"{name}_ms"] = [round(float(value) * 1000, 1) for value in np.percentile(values[1:], [50, 95])]
    for name, pairs in figures.items():
        found, precision = np.mean(pairs[1:], axis=0).tolist()
        result[f"r10_{name}"], result[f"map_{name}"] = round(found, 3), round(precision, 3)
    result["memory_mb"] = round(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6)
    return result


def _ids(found: Any) -> set[str]:
    return {one.passage.id for one in found.entries}


def _quality(ranked: list[str], gold: set[str]) -> tuple[float, float]:
    """Recall at 10 and average precision."""
    hits = [rank for rank, key in enumerate(ranked, start=1) if key in gold]
    precision = sum(number / rank for number, rank in enumerate(hits, start=1)) / len(gold)
    return sum(rank <= 10 for rank in hits) / len(gold), precision


def exponents(rows: list[dict[str, Any]]) -> dict[str, float]:
    """By how much each figure grows when the size grows, fitted on the logarithms."""
    names = ("rows_seconds", "index_seconds", "index_mb", "table_mb", "suggest_ms", "search_ms", "first_stage_ms")
    sizes = np.log([row["size"] for row in rows])
    found = {}
    for name in names:
        values = [row[name][0] if isinstance(row[name], list) else row[name] for row in rows]
        if all(values) and len(values) > 1:
            found[name] = round(float(np.polyfit(sizes, np.log(values), 1)[0]), 2)
    return found


def main() -> None:
    """Build, ask, print, and keep the results beside the collections."""
    folder = Path(sys.argv[1])
    sizes = [int(one) for one in sys.argv[2:]] or list(SIZES)
    folder.mkdir(parents=True, exist_ok=True)
    real = list(real_entries())
    print(f"{len(real):,} real statements", flush=True)
    rows = []
    for size in sizes:
        place, record = folder / f"c{size}", folder / f"c{size}.json"
        if not is_collection(place):
            record.write_text(json.dumps(make(place, size, real)))
        row = {"size": size, **json.loads(record.read_text()), **ask(place, real)}
        rows.append(row)
        print(json.dumps(row), flush=True)
    if len(rows) > 1:
        print("exponents", json.dumps(exponents(rows)), flush=True)


if __name__ == "__main__":
    main()
