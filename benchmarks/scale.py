"""Collections of growing size: build, index size, memory, queries, recall and quality among many candidates.

``python benchmarks/scale.py FOLDER [SIZE ...]`` builds a collection of each size in FOLDER, as far as it is not there
already, and asks it the same questions: theorems of the Stacks project, whose references are among the candidates. It
can be stopped and started again. The statements are real ones first (Stacks, the open projects), then recombinations
of two real ones, which share their words and formulas. Times are of the processor, all threads counted. The results
are kept in FOLDER (``results.json``), with a plot of the growth (``scale.svg``).

With ``--scan`` 200 random queries, phrases with and without filters, are asked of the largest collection that has real
statements alone, and what is found is compared with what a scan of these statements finds.

The terms of a recombined statement are those of its halves, computed once. So the rate of tokenising is measured on
real statements, and the time for writing all rows of a collection is computed from it.

It reads ``../shared/corpora``, or the folder named by ``NATURALPROOFS_CORPORA``, and needs the extra ``scale``.
"""

import json
import os
import random
import resource
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import msgspec
import numpy as np
import pyarrow as pa

from naturalproofs.apps.collections import is_collection
from naturalproofs.apps.collections.answers import LanceIndex, OpenCollection, entry_rows
from naturalproofs.apps.collections.indexing import APPROXIMATE, VECTOR, update_indexes, word_counts
from naturalproofs.apps.collections.read import fingerprint
from naturalproofs.apps.collections.tables import STATEMENTS, TERMS, Collection, Row, writing
from naturalproofs.corpus.load import build
from naturalproofs.io.archives import given_source
from naturalproofs.io.cache import size_on_disk
from naturalproofs.ranking.candidate_index import ANYTHING, Entry, FirstStage, Where
from naturalproofs.ranking.hybrid.candidates import extract_terms
from naturalproofs.ranking.hybrid.first_stage import pack
from naturalproofs.ranking.hybrid.ranker import shipped_boosters
from naturalproofs.ranking.hybrid.rerank import suggest
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Passage
from naturalproofs.sources.registry import detect_source, source
from naturalproofs.tasks.protocols import passages
from naturalproofs.workspace.search.index import Filter
from naturalproofs.workspace.search.text import words

CORPORA = Path(os.environ.get("NATURALPROOFS_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
SIZES = (15_000, 150_000, 1_000_000)
QUESTIONS = 60
AMONG = 15_000
"""The first statements, all of Stacks, among which the questions are."""
DEEP = 1000
"""Candidates of the first stage whose recall is measured."""
BATCH = 20_000
ESTIMATED = (10_000_000, 100_000_000)
"""Sizes for which the figures are estimated."""
SHOWN = {
    "search_ms": "search",
    "suggest_ms": "suggest",
    "rows_seconds": "tokenise and write",
    "index_seconds": "vectors and indexes",
    "table_mb": "table",
    "index_mb": "indexes",
}
"""Figures whose growth is fitted."""
UNITS = {"ms": "95 % of questions, CPU ms", "seconds": "build, CPU s", "mb": "on disk, MB"}
VIEWS = ("tokens", "title", "words", "pairs", "signs", "shapes", "opening", "defined")


def real_entries(kept: Path) -> list[Entry]:
    """The statements of the real corpora, Stacks first; they are read once."""
    if not kept.exists():
        kept.write_bytes(msgspec.msgpack.encode(list(_real_entries())))
    return msgspec.msgpack.decode(kept.read_bytes(), type=list[Entry])


def _real_entries() -> Iterator[Entry]:
    yield from _corpus("stacks", "stacks", CORPORA / "stacks")
    for archive in sorted((CORPORA / "projects").glob("*.tar.xz")):
        try:
            folder = given_source(archive)
            yield from _corpus(detect_source(folder), archive.name.partition(".")[0], folder)
        except Exception as error:
            print(f"{archive.name}: left out ({str(error)[:80]})", file=sys.stderr)


def _corpus(kind: str, name: str, path: Path) -> Iterator[Entry]:
    corpus = build(source(kind), path, name=name)
    for passage, one in zip(passages(corpus.statements), corpus.statements, strict=True):
        cited = tuple(dict.fromkeys(key for proof in one.proofs for key in proof.references))
        yield Entry(passage, name, corpus.provenance.licence, cited)


def recombined(real: list[Entry], seed: int = 0) -> Iterator[dict[str, Any]]:
    """Rows of statements with the first half of one real text and the second half of another, without end."""
    chance = np.random.default_rng(seed)
    halves = [list(zip(*_halves(real, part), strict=True)) for part in (0, 1)]
    number = 0
    while True:
        for first, second in chance.integers(0, len(real), (BATCH, 2)).tolist():
            ((title, text, terms), start), ((end, tail, others), ending) = halves[0][first], halves[1][second]
            joined = {view: terms[view] + others[view] for view in VIEWS}
            tokens, passage, project = " ".join(joined["tokens"]), real[first].passage, f"made{number // 1000}"
            row = Row(
                f"{project}:{number}", project, passage.kind, passage.form, True, f"{title} {end}".strip(),
                f"{text} {tail}", "", [], [], fingerprint(tokens), pack(joined),
            )  # fmt: skip
            searched = {name: " ".join(filter(None, (start[name], ending[name]))) for name in SEARCHED}
            keys = {"search_keys": [f"kind:{passage.kind}"], "search_chapter": "", "search_category": ""}
            yield row.columns() | {"tokens": tokens, "names": " ".join(joined["title"])} | searched | keys
            number += 1


SEARCHED = [one.name for one in STATEMENTS if one.name.startswith("search_") and one.type == pa.string()]


def _halves(real: list[Entry], part: int) -> tuple[list[Any], list[dict[str, str]]]:
    """Half of each statement, with what search has of it."""
    halves = [_half(one, part) for one in real]
    entries = [
        Entry(Passage(f"half:{number}", one.passage.kind, title, text), "half", "")
        for number, (one, (title, text, _)) in enumerate(zip(real, halves, strict=True))
    ]
    rows = (row for at in range(0, len(real), BATCH) for row in entry_rows(entries[at : at + BATCH]).to_pylist())
    return halves, [{name: row[name] for name in SEARCHED} for row in rows]


def _half(entry: Entry, part: int) -> tuple[str, str, Any]:
    title, text = entry.passage.title.split(), entry.passage.text.split(" ")
    at, middle = (len(title) + 1) // 2, (len(text) + 1) // 2
    words, body = (title[at:], text[middle:]) if part else (title[:at], text[:middle])
    return " ".join(words), " ".join(body), extract_terms(" ".join(words), " ".join(body))


def make(folder: Path, size: int, real: list[Entry], costs: dict[str, Any]) -> None:
    """Build a collection, or what is missing of it; note what it costs."""
    with writing(folder) as writer:
        rows = writer.tables["statements"].count_rows()
        if rows < min(size, len(real)):
            began = time.process_time()
            for first in range(rows, min(size, len(real)), BATCH):
                some = entry_rows(real[first : min(first + BATCH, size)])
                writer.append("statements", some)
                writer.append("words", word_counts(some))
            writer.commit()
            rows, written = writer.tables["statements"].count_rows(), rows
            costs["rows_a_second"] = round((rows - written) / (time.process_time() - began))
        made = islice(recombined(real), max(0, rows - len(real)), max(0, size - len(real)))
        while batch := list(islice(made, BATCH)):
            some = pa.Table.from_pylist(batch, STATEMENTS)
            writer.append("statements", some)
            writer.append("words", word_counts(some))
            writer.commit()
        if TERMS not in writer.tables:
            began = time.process_time()
            update_indexes(writer)
            costs["index_seconds"] = round(time.process_time() - began, 1)
            costs["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            writer.commit()
    table = folder / "statements.lance"
    costs["rows_seconds"] = round(size / costs["rows_a_second"], 1)
    used = [table / "_indices" / index["uuid"] for index in writer.tables["statements"].list_indices()]
    costs["table_mb"], costs["index_mb"] = size_on_disk(table / "data") >> 20, sum(map(size_on_disk, used)) >> 20
    costs["terms_mb"] = size_on_disk(folder / "terms.lance") >> 20


class ExactIndex(LanceIndex):
    """The first stage with all vectors compared exactly, and as deep into each signal as is wanted."""

    def __init__(self, index: LanceIndex, terms: int | None, *, whole: bool, vectors: tuple[Any, Any]) -> None:
        """Take an index, how many terms of a query are looked up, and whether every statement gets every score."""
        super().__init__(index.collection, terms=terms)
        self.whole, (self.numbers, self.vectors) = whole, vectors

    def _words(self, column: str, terms: Any, k: int, condition: str | None) -> tuple[Any, Floats]:
        return super()._words(column, terms, len(self) if self.whole else k, condition)

    def _near(self, vector: Floats, k: int, condition: str | None) -> tuple[Any, Floats]:
        scores = np.maximum(self.vectors @ vector, 0)
        chosen = slice(None) if self.whole else np.argpartition(-scores, min(k, len(scores) - 1))[:k]
        return self.numbers[chosen], scores[chosen]


def all_vectors(collection: Collection) -> tuple[Any, Any]:
    """The numbers of all rows that have vectors, and these."""
    table = collection.table("statements")
    found = table.to_table(columns=[VECTOR], filter=f"{VECTOR} IS NOT NULL", with_row_id=True)
    numbers = found["_rowid"].to_numpy()
    return numbers, found[VECTOR].combine_chunks().flatten().to_numpy().reshape(len(numbers), -1)


class Given:
    """An index whose first stage has been asked already."""

    def __init__(self, index: LanceIndex, found: FirstStage) -> None:
        """Keep what was found."""
        self.index, self.found, self.statistics, self.find = index, found, index.statistics, index.find

    def query(self, query: Passage, *, k: int, where: Where = ANYTHING) -> FirstStage:
        """The best k of what was found."""
        return FirstStage(self.found.entries[:k], {}, self.found.first[:k])


def ask(folder: Path, real: list[Entry]) -> dict[str, Any]:
    """Ask a collection; processor time, recall and quality."""
    opened = OpenCollection.open(str(folder))
    opened.prepare()
    chance = np.random.default_rng(1)
    asked = [one for one in (real[at] for at in chance.permutation(AMONG).tolist()) if one.cited][:QUESTIONS]
    times: dict[str, list[float]] = {"first_stage": [], "suggest": [], "search": []}
    for one in [asked[0], *asked]:
        where, query = Where(excluded=[one.passage.id]), one.passage
        began = time.process_time()
        opened.index.query(query, k=DEEP, where=where)
        times["first_stage"].append(time.process_time() - began)
        began = time.process_time()
        opened.suggest(query.text, k=10, title=query.title, where=where)
        times["suggest"].append(time.process_time() - began)
        began = time.process_time()
        opened.search(" ".join(query.text.split()[:6]) if not query.title else query.title, k=10)
        times["search"].append(time.process_time() - began)
    result: dict[str, Any] = {"memory_mb": _memory()}
    for name, values in times.items():  # The first question reads the index from disk.
        result[f"{name}_ms"] = [round(float(value) * 1000, 1) for value in np.percentile(values[1:], [50, 95])]
    return result | compare(opened, asked)


def compare(opened: OpenCollection, asked: list[Entry]) -> dict[str, Any]:
    """Recall of the first stage against exact ones, and the quality of what is suggested.

    ``exact``: the best of each signal are found exactly, and then added as ever. ``whole``: the sum of all signals is
    computed for every statement. ``cited``: the share of a question's references among the candidates.
    """
    index, trees, vectors = opened.index, shipped_boosters(), all_vectors(opened.collection)
    others = {
        "exact": ExactIndex(index, index.terms, whole=False, vectors=vectors),
        "whole": ExactIndex(index, index.terms, whole=True, vectors=vectors),
    }
    recall: dict[str, list[float]] = {name: [] for name in others}
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in ("lance", *others)}
    cited: dict[str, list[float]] = {name: [] for name in figures}
    for one in asked:
        where = Where(excluded=[one.passage.id])
        found = {name: each.query(one.passage, k=DEEP, where=where) for name, each in others.items()}
        found["lance"] = index.query(one.passage, k=DEEP, where=where)
        for name, values in recall.items():
            values.append(len(_ids(found["lance"]) & _ids(found[name])) / max(1, len(found[name].entries)))
        for name, first in found.items():
            cited[name].append(len(_ids(first) & set(one.cited)) / len(set(one.cited)))
            given: Any = Given(index, first) if name != "lance" else index
            ranked = suggest(given, trees, one.passage, k=100, where=where, explained=0)
            figures[name].append(_quality([each.entry.passage.id for each in ranked], set(one.cited)))
    result: dict[str, Any] = {f"recall_at_1000_{name}": round(float(np.mean(each)), 4) for name, each in recall.items()}
    result |= {f"cited_at_1000_{name}": round(float(np.mean(each)), 4) for name, each in cited.items()}
    for name, pairs in figures.items():
        found_share, precision = np.mean(pairs, axis=0).tolist()
        result[f"r10_{name}"], result[f"map_{name}"] = round(found_share, 4), round(precision, 4)
    return result


SCANNED = 200
"""Queries that are compared with a scan."""


def scan(folder: Path) -> tuple[int, int]:
    """How many random phrases and filters find exactly what a scan finds, and how many were asked."""
    opened, chosen, equal = OpenCollection.open(str(folder)), random.Random(5), 0
    table = opened.collection.table("statements").to_table(columns=["id", "project", "kind", "title", "text"])
    rows = table.to_pylist()
    folded = [
        " | ".join(_folded(words(row[name] or "")) for name in ("title", "text")).join((" ", " ")) for row in rows
    ]
    for _ in range(SCANNED):
        text = chosen.choice(rows)["text"]
        plain = [text[one.start : one.end] for one in words(text) if not one.formula] or ["group"]
        at = chosen.randrange(len(plain))
        phrase = " ".join(plain[at : at + chosen.choice((1, 2, 2, 3))])
        one = chosen.choice(rows)
        kind, project = chosen.choice(["", one["kind"]]), chosen.choice(["", one["project"]])
        query = " ".join(filter(None, (f'"{phrase}"', kind and f"kind:{kind}", project and f"project:{project}")))
        wanted = f" {_folded(words(phrase))} "
        expected = sum(
            wanted in held and kind in ("", row["kind"]) and project in ("", row["project"])
            for row, held in zip(rows, folded, strict=True)
        )
        found = opened.search(query, k=10)
        passing = opened.searched.passing(Filter([kind] * bool(kind), phrases=[_folded(words(phrase)).split()],
                                                 projects=[project] * bool(project)))  # fmt: skip
        same = found.total == len(passing) == expected
        equal += same
        if not same:
            print(f"{query}: {found.total} found, {len(passing)} pass, {expected} by a scan", flush=True)
    return equal, SCANNED


def _folded(found: Any) -> str:
    return " ".join("$" if word.formula else word.term for word in found)


def _memory() -> int:
    return round(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6)


def _ids(found: Any) -> set[str]:
    return {one.passage.id for one in found.entries}


def _quality(ranked: list[str], gold: set[str]) -> tuple[float, float]:
    """Recall at 10 and average precision."""
    hits = [rank for rank, key in enumerate(ranked, start=1) if key in gold]
    precision = sum(number / rank for number, rank in enumerate(hits, start=1)) / len(gold)
    return sum(rank <= 10 for rank in hits) / len(gold), precision


class Fit(NamedTuple):
    """How a figure grows with the number of statements: as ``factor * size ** exponent``."""

    factor: float
    exponent: float

    def at(self, size: float) -> float:
        """The figure for a size, measured or not."""
        return float(self.factor * size**self.exponent)


def fits(rows: list[dict[str, Any]]) -> dict[str, Fit]:
    """The growth of each figure, fitted on the logarithms; of times that have two, of the 95th percentile.

    The size of the indexes is fitted where vectors have an index.
    """
    found = {}
    for name in SHOWN:
        used = [row for row in rows if row["size"] >= APPROXIMATE] if name == "index_mb" else rows
        values = [row[name][-1] if isinstance(row[name], list) else row[name] for row in used]
        if all(values) and len(used) > 1:
            exponent, constant = np.polyfit(np.log([row["size"] for row in used]), np.log(values), 1).tolist()
            found[name] = Fit(float(np.exp(constant)), exponent)
    return found


def plot(rows: list[dict[str, Any]], grown: dict[str, Fit], path: Path) -> None:
    """What was measured as points, and the fitted growth as lines, dotted where nothing was measured."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "scale"}
    sizes = [row["size"] for row in rows]
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    for axes, unit in zip(panels, ("ms", "seconds", "mb"), strict=True):
        for number, name in enumerate(one for one in grown if one.endswith(unit)):
            values = [row[name][-1] if isinstance(row[name], list) else row[name] for row in rows]
            fit, colour = grown[name], f"C{number}"
            axes.plot(sizes, values, "o", color=colour, label=f"{SHOWN[name]}: n^{fit.exponent:.2f}")
            for span, style in (((sizes[0], sizes[-1]), "-"), ((sizes[-1], ESTIMATED[-1]), ":")):
                axes.plot(span, [fit.at(size) for size in span], style, color=colour)
        axes.set(xscale="log", yscale="log", xlabel="statements", title=UNITS[unit])
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Build, ask, print, and keep the results beside the collections."""
    folder = Path(sys.argv[1])
    sizes = [int(one) for one in sys.argv[2:] if one.isdecimal()] or list(SIZES)
    folder.mkdir(parents=True, exist_ok=True)
    real = real_entries(folder / "real.msgpack")
    print(f"{len(real):,} real statements", flush=True)
    kept = folder / "results.json"
    known: dict[str, dict[str, Any]] = json.loads(kept.read_text()) if kept.exists() else {}
    for size in sizes:
        place, costs = folder / f"c{size}", known.setdefault(str(size), {"size": size})
        if not is_collection(place) or "index_mb" not in costs:
            make(place, size, real, costs)
            kept.write_text(json.dumps(known, indent=1))
        if "--scan" in sys.argv:
            if size <= len(real):
                print("{} of {} queries find what a scan finds, {:,} statements".format(*scan(place), size), flush=True)
            continue
        costs |= ask(place, real)
        kept.write_text(json.dumps(known, indent=1))
        print(json.dumps(costs), flush=True)
    rows = sorted((row for row in known.values() if "suggest_ms" in row), key=lambda row: row["size"])
    if len(rows) > 1:
        grown = fits(rows)
        for name, fit in grown.items():
            estimated = ", ".join(f"{fit.at(size):,.0f} at {size:,}" for size in ESTIMATED)
            print(f"{name}: grows as n^{fit.exponent:.2f}; estimated {estimated}", flush=True)
        plot(rows, grown, folder / "scale.svg")


if __name__ == "__main__":
    main()
