"""Collections of growing size: build, index size, memory, queries, and first stages among many candidates.

``python benchmarks/scale.py FOLDER [SIZE ...]`` builds a collection of each size in FOLDER, as far as it is not there
already, and asks it the same questions: theorems of books that the trees were not trained on, whose references are
among the candidates. It can be stopped and started again. The statements are real ones first (these books, others, the
Stacks project, PlanetMath, ProofWiki), then recombinations of two real ones, which share their words and formulas and
hold no half of a reference. Times are of the processor, all threads counted. The results
are kept in FOLDER (``results.json``).

With ``--times`` only the times of questions are measured, and how often search finds the statement it is asked for.
With ``--update`` a project of one statement is collected ``UPDATES`` times (100), and the collection maintained.
With ``--scan`` 200 random queries, phrases with and without filters, are asked of the largest collection that has real
statements alone, and what is found is compared with what a scan of these statements finds.

The terms of a recombined statement are those of its halves, computed once. So the rate of tokenising is measured on
real statements, and the time for writing all rows of a collection is computed from it.

It reads ``../shared/corpora``, or the folder named by ``NATURALPROOFS_CORPORA``, and needs the extra ``scale``.
"""

import atexit
import itertools
import json
import lzma
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import msgspec
import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from naturalproofs.apps.collections import is_collection
from naturalproofs.apps.collections.answers import LanceIndex, OpenCollection
from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.indexing import VECTOR, update_indexes, word_counts
from naturalproofs.apps.collections.read import fingerprint, read_project, searched_columns
from naturalproofs.apps.collections.tables import PROJECTS, STATEMENTS, TERMS, Collection, Row, rows_of, within, writing
from naturalproofs.apps.collections.upkeep import maintain
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
from naturalproofs.workspace.search.documents import body_text, notes_text, title_text
from naturalproofs.workspace.search.formulas import spoken
from naturalproofs.workspace.search.index import Filter
from naturalproofs.workspace.search.text import fold
from support.entries import entry_rows

CORPORA = Path(os.environ.get("NATURALPROOFS_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
SIZES = (15_000, 150_000, 1_000_000)
UNSEEN = tuple("trench stein agfa ca catlog clowder dynsys ega hott-book leitert napkin openlogic pnt ra scv "
               "ymohanty-prob".split())  # fmt: skip
"""Books that the shipped trees were not trained on, and that questions are of."""
CHOOSING = ("agfa", "clowder", "pnt", "trench")
"""Those by which a first stage is chosen; the others are reported."""
COURSES = ("sleepymalc", "joe1221", "wwu")
"""Large folders of courses, which are among the other statements."""
MOST = 50
"""Questions of one book."""
AMONG = 14_685
"""The first statements, those of the unseen books."""
UPDATES = int(os.environ.get("UPDATES", "100"))
"""Runs of `collect` with ``--update``."""
TIMED = 200
"""Questions whose time is measured."""
POOLS = (250, 500)
"""How many candidates the trees order."""
HALVED = 20_000
"""Real statements whose halves are recombined."""
DEEP = 1000
"""Candidates of the first stage whose recall is measured."""
BATCH = 20_000
VIEWS = ("tokens", "title", "words", "pairs", "signs", "shapes", "opening", "defined")


def real_entries(kept: Path) -> list[Entry]:
    """The statements of the real corpora, Stacks first; they are read once."""
    if not kept.exists():
        kept.write_bytes(msgspec.msgpack.encode(list(_real_entries())))
    return msgspec.msgpack.decode(kept.read_bytes(), type=list[Entry])


def _real_entries() -> Iterator[Entry]:
    """First the books that the trees were not trained on, which the questions are of, then all others."""
    unseen, others = [("trench", CORPORA / "trench"), ("stein", CORPORA / "stein")], []
    more = sorted((CORPORA / "more-projects").glob("*.tar.xz"))
    unseen += [("", path) for path in more if not path.name.startswith(COURSES)]
    others += [("", path) for path in more if path.name.startswith(COURSES)]
    others += [("stacks", CORPORA / "stacks"), ("planetmath", CORPORA / "planetmath.tar.xz")]
    others += [("", path) for path in sorted((CORPORA / "projects").glob("*.tar.xz"))]
    others += [("naturalproofs-json", path) for path in sorted(CORPORA.glob("*-proofwiki.json.xz"))]
    for kind, path in (*unseen, *others):
        name = path.name.partition(".")[0]
        try:
            folder = given_source(path) if ".tar" in path.name else _plain(path)
            yield from _corpus(kind or detect_source(folder), name, folder)
        except Exception as error:
            print(f"{name}: left out ({str(error)[:80]})", file=sys.stderr)


def _plain(path: Path) -> Path:
    """A file as it is read: unpacked, if it is compressed."""
    if path.suffix != ".xz":
        return path
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    (folder / path.stem).write_bytes(lzma.decompress(path.read_bytes()))
    return folder / path.stem


def _corpus(kind: str, name: str, path: Path) -> Iterator[Entry]:
    corpus = build(source(kind), path, name=name)
    for passage, one in zip(passages(corpus.statements), corpus.statements, strict=True):
        cited = tuple(dict.fromkeys(key for proof in one.proofs for key in proof.references))
        yield Entry(passage, name, corpus.provenance.licence, cited)


def recombined(real: list[Entry], seed: int = 0) -> Iterator[dict[str, Any]]:
    """Rows with the first half of one real text and the second half of another, without end.

    No half is of a statement that a question cites, nor of one that reads like it.
    """
    chance = np.random.default_rng(seed)
    cited = {key for some in questions(real) for one in some for key in one.cited}
    gold = {(one.passage.title, one.passage.text) for one in real if one.passage.id in cited}
    real = [one for one in real if (one.passage.title, one.passage.text) not in gold]
    real = [real[at] for at in chance.permutation(len(real))[:HALVED].tolist()]
    halves = [list(zip(*_halves(real, part), strict=True)) for part in (0, 1)]
    number = 0
    while True:
        for first, second in chance.integers(0, len(real), (BATCH, 2)).tolist():
            ((title, text, terms), start), ((end, tail, others), ending) = halves[0][first], halves[1][second]
            fields = [" ".join(filter(None, pair)) for pair in zip(start[:-1], ending[:-1], strict=True)]
            joined = {view: terms[view] + others[view] for view in VIEWS}
            tokens, passage, project = " ".join(joined["tokens"]), real[first].passage, f"made{number // 1000}"
            row = Row(
                f"{project}:{number}", project, passage.kind, passage.form, True, f"{title} {end}".strip(),
                f"{text} {tail}", "", [], [], fingerprint(tokens), pack(joined),
                searched=fields,
            )  # fmt: skip
            searched = searched_columns(fields) | {"search_formulas": f"{start[-1]} {ending[-1]}".strip()}
            keys = {"search_keys": [f"kind:{passage.kind}"], "search_chapter": "", "search_category": ""}
            yield row.columns() | {"tokens": tokens, "names": " ".join(joined["title"])} | searched | keys
            number += 1


def _halves(real: list[Entry], part: int) -> tuple[list[Any], list[list[str]]]:
    """Half of each statement, with what search has of it: the tokens of its fields, and its n-grams."""
    halves = [_half(one, part) for one in real]
    entries = [
        Entry(Passage(f"half:{number}", one.passage.kind, title, text), "half", "")
        for number, (one, (title, text, _)) in enumerate(zip(real, halves, strict=True))
    ]
    tables = (entry_rows(entries[at : at + BATCH]) for at in range(0, len(real), BATCH))
    return halves, [
        [*row.searched, grams]
        for table in tables
        for row, grams in zip(rows_of(table), table["search_formulas"].to_pylist(), strict=True)
    ]


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
        made = islice(recombined(real), max(0, rows - len(real)), max(0, size - len(real))) if size > len(real) else ()
        made = iter(made)
        while batch := list(islice(made, BATCH)):
            some = pa.Table.from_pylist(batch, STATEMENTS)
            writer.append("statements", some)
            writer.append("words", word_counts(some))
            writer.commit()
        if not writer.tables["projects"].count_rows():
            found = Counter(writer.tables["statements"].to_table(columns=["project"])["project"].to_pylist())
            known = [{"name": name, "statements": count} for name, count in found.items()]
            writer.append("projects", pa.Table.from_pylist(known, PROJECTS))
            writer.commit()
        if TERMS not in writer.tables:
            began = time.process_time()
            update_indexes(writer)
            costs["index_seconds"] = round(time.process_time() - began, 1)
            costs["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            writer.commit()
    table = folder / "statements.lance"
    if "rows_a_second" in costs:  # Not if the run that has written the rows was stopped.
        costs["rows_seconds"] = round(size / costs["rows_a_second"], 1)
    used = [table / "_indices" / index["uuid"] for index in writer.tables["statements"].list_indices()]
    costs["table_mb"], costs["index_mb"] = size_on_disk(table / "data") >> 20, sum(map(size_on_disk, used)) >> 20
    costs["terms_mb"] = size_on_disk(folder / "terms.lance") >> 20


class Given:
    """An index whose first stage has been asked already."""

    def __init__(self, index: LanceIndex, found: FirstStage) -> None:
        """Keep what was found."""
        self.index, self.found, self.statistics, self.find = index, found, index.statistics, index.find

    def query(self, query: Passage, *, k: int, where: Where = ANYTHING) -> FirstStage:
        """The best k of what was found."""
        return FirstStage(self.found.entries[:k], {}, self.found.first[:k])


def questions(real: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Theorems with references of the books that the trees were not trained on: to choose with, and to report."""
    chance, counts = np.random.default_rng(1), Counter[str]()
    chosen, reported = list[Entry](), list[Entry]()
    for at in chance.permutation(AMONG).tolist():
        one = real[at]
        if one.cited and one.project in UNSEEN and counts[one.project] < MOST:
            counts[one.project] += 1
            (chosen if one.project in CHOOSING else reported).append(one)
    return chosen, reported


def ask(folder: Path, real: list[Entry]) -> dict[str, Any]:
    """Ask a collection; processor time, and for each first stage what it finds and what the trees make of it."""
    opened, (chosen, reported) = OpenCollection.open(str(folder)), questions(real)
    opened.prepare()
    result: dict[str, Any] = {"questions": [len(chosen), len(reported)]} | times(opened, reported)
    association = learn_association(opened.index, real[AMONG:])
    result["vector_recall_at_500"] = vector_recall(opened, reported[:TIMED])
    for name, some in (("chosen", chosen), ("reported", reported)):
        if name == "chosen" and folder.name != f"c{SIZES[0]}":
            continue
        figures = [compare(opened.index, one, association) for one in some]
        result[name] = {variant: _summary(figures, variant) for variant in figures[0]}
        print(json.dumps({name: result[name]}), flush=True)
    return result


def times(opened: OpenCollection, asked: list[Entry]) -> dict[str, Any]:
    """Median and 95 % of the processor time of questions, in milliseconds, and where search finds what has the words.

    Each theorem is searched for by its title, or by its first six words.
    """
    spent: dict[str, list[float]] = {"suggest": [], "search": []}
    found: list[int] = []
    for number, one in enumerate([asked[0], *asked]):
        where, query = Where(excluded=[one.passage.id]), one.passage
        if number <= TIMED:
            began = time.process_time()
            opened.suggest(query.text, k=10, title=query.title, where=where)
            spent["suggest"].append(time.process_time() - began)
        began = time.process_time()
        hits = opened.search(query.title or " ".join(query.text.split()[:6]), k=10).items
        spent["search"].append(time.process_time() - began)
        same = [{hit.id, *(twin.statement.id for twin in hit.twins)} for hit in hits]
        found.append(next((rank for rank, ids in enumerate(same, start=1) if query.id in ids), 11))
    result: dict[str, Any] = {"memory_mb": _memory()}
    for name, values in spent.items():  # The first question reads the index from disk.
        some = np.percentile(values[1 : TIMED + 1], [50, 95])
        result[f"{name}_ms"] = [round(float(value) * 1000, 1) for value in some]
    result["search_hits"] = [round(100 * sum(rank <= k for rank in found[1:]) / len(asked), 1) for k in (1, 10)]
    return result


def compare(index: LanceIndex, one: Entry, association: Floats) -> dict[str, tuple[float, ...]]:
    """For each variant: shares of the references among the first 250 and 1000, R@10, average precision, seconds."""
    where, trees, gold = Where(excluded=[one.passage.id]), shipped_boosters(), set(one.cited)
    found: dict[str, tuple[FirstStage, int, float]] = {}
    began = time.process_time()
    base = index.query(one.passage, k=DEEP, where=where)
    spent = time.process_time() - began
    for pool in POOLS:
        found[f"pool {pool}"] = base, pool, spent
    began = time.process_time()
    found["association"] = with_association(index, one, association, where), POOLS[0], 0
    found["association"] = (*found["association"][:2], time.process_time() - began)
    began, inside = time.process_time(), replace(where, own=one.project)
    own = index.query(one.passage, k=DEEP, where=inside)
    found["own project"] = own, POOLS[0], time.process_time() - began
    result = {}
    for name, (first, pool, before) in found.items():
        began, asked = time.process_time(), inside if first is own else where
        given: Any = Given(index, first)
        ranked = suggest(given, trees, one.passage, k=100, where=asked, explained=0, pool=pool)
        spent = before + time.process_time() - began
        keys = [each.passage.id for each in first.entries]
        shares = [len(gold & set(keys[:count])) / len(gold) for count in (250, DEEP)]
        result[name] = (*shares, *_quality([each.entry.passage.id for each in ranked], gold), spent)
    return result


def learn_association(index: LanceIndex, real: list[Entry]) -> Floats:
    """A map from the vector of a theorem to those of what its proof cites, from books that no question is of."""
    by_id = {one.passage.id: one for one in real}
    pairs = [(one, by_id[key]) for one in real if one.cited for key in one.cited[:5] if key in by_id][::3]
    tokens = [[extract_terms(one.passage.title, one.passage.text)["tokens"] for one in side]
              for side in zip(*pairs, strict=True)]  # fmt: skip
    theorems, cited = (index.statistics.vectors(side) for side in tokens)
    held = theorems.T @ theorems + 0.01 * len(pairs) / theorems.shape[1] * np.eye(theorems.shape[1])
    return np.linalg.solve(held, theorems.T @ cited).astype(np.float32)


def with_association(index: LanceIndex, one: Entry, association: Floats, where: Where) -> FirstStage:
    """The first stage with a fourth signal: what is near to what proofs of such theorems cite."""
    rows, _, first = index.ranked(one.passage, k=2 * DEEP, where=where)
    terms = extract_terms(one.passage.title, one.passage.text)
    target = index.statistics.vector(terms["tokens"]) @ association
    near, scores = index._near(target / max(float(np.linalg.norm(target)), 1e-9), 2 * DEEP, None)
    keep = ~np.isin(near, index._numbers(where.excluded))
    near, scores = near[keep], scores[keep]
    everything = np.union1d(rows, near)
    total = np.zeros(len(everything), dtype=np.float32)
    total[np.searchsorted(everything, rows)] += first
    if len(scores):
        total[np.searchsorted(everything, near)] += 0.5 * scores / scores.max()
    order = np.argsort(-total, kind="stable")[:DEEP]
    return FirstStage(tuple(row.entry() for row in index.take(everything[order])), {}, total[order])


def _summary(figures: list[dict[str, tuple[float, ...]]], variant: str) -> dict[str, Any]:
    """Means in percent, and the differences to the first variant with the 95 % interval of a paired bootstrap."""
    values = np.array([one[variant] for one in figures])
    differences = values[:, :4] - np.array([next(iter(one.values())) for one in figures])[:, :4]
    drawn = np.random.default_rng(0).integers(0, len(figures), (2000, len(figures)))
    intervals = np.percentile(differences[drawn].mean(axis=1), [2.5, 97.5], axis=0) * 100
    found: dict[str, Any] = {"ms": round(float(values[:, 4].mean()) * 1000, 1)}
    for number, name in enumerate(("cited@250", "cited@1000", "R@10", "mAP")):
        mean, change = values[:, number].mean() * 100, differences[:, number].mean() * 100
        low, high = intervals[:, number]
        found[name] = [round(float(one), 1) for one in (mean, change, low, high)]
    return found


def vector_recall(opened: OpenCollection, asked: list[Entry]) -> float:
    """The share of the 500 nearest vectors that the approximate index finds."""
    table = opened.collection.table("statements")
    found = table.to_table(columns=[VECTOR], filter=f"{VECTOR} IS NOT NULL", with_row_id=True)
    numbers = found["_rowid"].to_numpy()
    vectors = found[VECTOR].combine_chunks().flatten().to_numpy().reshape(len(numbers), -1)
    shares = []
    for one in asked:
        vector = opened.index.statistics.vector(extract_terms(one.passage.title, one.passage.text)["tokens"])
        exact = numbers[np.argpartition(-(vectors @ vector), 500)[:500]]
        shares.append(len(np.intersect1d(exact, opened.index._near(vector, 500, None)[0])) / 500)
    return round(float(np.mean(shares)), 4)


UPDATED = """\\documentclass{article}\\newtheorem{lemma}{Lemma}\\begin{document}
\\begin{lemma} Every compact operator on the space number %d has the eigenvalue %d. \\end{lemma}
\\end{document}"""


def update(folder: Path, times: int) -> None:
    """Collect a project of one statement many times, each in a run of its own, and then maintain; print the costs."""
    copy = folder.with_name(f"{folder.name}-updated")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    spent: list[float] = []

    def searches() -> str:
        opened = OpenCollection.open(str(copy))
        opened.prepare()
        costs = []
        for query in ("compact operator", "finite group kind:lemma", "prime ideal", '"finite type"', "open cover") * 4:
            began = time.process_time()
            opened.search(query, k=10)
            costs.append(time.process_time() - began)
        median, most = np.percentile(costs[5:], [50, 95]) * 1000
        parts = len(opened.collection.table("statements").get_fragments())
        return f"search {median:.0f}, {most:.0f} ms, {parts} parts, {opened.collection.count():,} statements"

    maintain(copy)
    print(f"new: {searches()}", flush=True)
    with tempfile.TemporaryDirectory() as sources:
        for number in range(times):
            project = Path(sources, f"added{number}")
            project.mkdir()
            (project / "main.tex").write_text(UPDATED % (number, number))
            began = time.process_time()
            collect([project], copy, lambda tasks: map(read_project, tasks))
            spent.append(time.process_time() - began)
    median, most = np.percentile(spent, [50, 95])
    print(f"{times} updates: {median:.2f} s each, 95 %: {most:.2f} s; {searches()}", flush=True)
    began = time.process_time()
    maintain(copy)
    print(f"maintained in {time.process_time() - began:.1f} s: {searches()}", flush=True)
    print("new and maintained in turn: {:.1f}, {:.1f} ms; {:.1f}, {:.1f} ms".format(*in_turn(folder, copy)), flush=True)
    shutil.rmtree(copy)


def in_turn(*places: Path) -> list[float]:
    """Median and 95 % of the time of questions to collections that are asked in turn: load changes for all alike."""
    spent: dict[Path, list[float]] = {place: [] for place in places}
    opened = {place: OpenCollection.open(str(place)) for place in places}
    terms = opened[places[0]].searched.column("SELECT term FROM term ORDER BY documents DESC LIMIT ?", TIMED)
    for term, place in itertools.product(terms, places):
        began = time.process_time()
        opened[place].search(f"{term} group", k=10)
        spent[place].append(time.process_time() - began)
    return [1000 * float(one) for some in spent.values() for one in np.percentile(some[5:], [50, 95])]


SCANNED = 200
"""Queries that are compared with a scan."""
_DISPLAYS = "equation align gather multline eqnarray displaymath math alignat flalign CD tikzcd xymatrix array".split()
_FORMULAS = re.compile(
    r"(?s)\$\$[^$]*\$\$|\$[^$]*\$|\\\((?:(?!\\[()]).)*\\\)|\\\[(?:(?!\\[][]).)*\\\]|"
    + "|".join(rf"\\begin\s*\{{{name}\*?\}}.*?\\end\{{{name}\*?\}}" for name in _DISPLAYS)
)
_ARGUMENTS = re.compile(
    r"\\(?:begin|end|label|\w*ref|\w*cite\w*|input|include|vspace|hspace|index)\*?\s*(?:\[[^][\n]*\]\s*)*(?:\{[^{}]*\})?"
)


def seen_words(text: str) -> list[tuple[str, str]]:
    """The words of a text as they are written and folded, in a simple way; no phrase spans the pair of two zeros."""
    text = re.sub(r"\\[%$&#]", " ", text)
    plain = _FORMULAS.sub("\0", re.sub(r"%.*", " ", text))
    plain = re.sub(r"\\[a-zA-Z]+|\\.", " ", _ARGUMENTS.sub(" ", plain))
    found = [(one[0], one.start()) for one in re.finditer(r"\0|[^\W_]+(?:['’][st]\b)?", plain)]
    further = [
        fold(word) + fold(other)
        for (word, at), (other, then) in itertools.pairwise(found)
        if word != "\0" != other and plain[at + len(word) : then] in {"-", "–", "--", "‐", "‑"}
    ]
    further += [fold(word) for formula in _FORMULAS.findall(text) for word in spoken(formula)]
    pairs = [(word, fold(word)) for word, _ in found]
    return [*pairs, *((word, word) for one in further for word in ("\0", one))]


def scan(folder: Path) -> tuple[int, int]:
    """How many random phrases and filters find exactly what a scan of the texts finds, and how many were asked."""
    opened, chosen, equal = OpenCollection.open(str(folder)), random.Random(5), 0
    statements = [row.statement() for row in opened.collection.rows("true").values()]
    read = [list(map(seen_words, (title_text(one), notes_text(one), body_text(one)))) for one in statements]
    folded = [f" {' | '.join(' '.join(word for _, word in words) for words in each)} " for each in read]
    projects = [one.id.partition(":")[0] for one in statements]
    for _ in range(SCANNED):
        runs = re.findall(r"[^\0]+", " ".join(word for word, _ in chosen.choice(read)[-1])) or ["group"]
        plain = chosen.choice(runs).split() or ["group"]
        at = chosen.randrange(len(plain))
        words = plain[at : at + chosen.choice((1, 2, 2, 3))]
        kind = chosen.choice(["", chosen.choice(statements).kind])
        project = chosen.choice(["", chosen.choice(projects)])
        asked = f'"{" ".join(words)}"'
        query = " ".join(filter(None, (asked, kind and f"kind:{kind}", project and f"project:{project}")))
        wanted = f" {' '.join(map(fold, words))} "
        expected = {
            one.id
            for one, where, held in zip(statements, projects, folded, strict=True)
            if wanted in held and kind in ("", one.kind) and project in ("", where)
        }
        passing = opened.searched.passing(Filter([kind] * bool(kind), phrases=[[*map(fold, words)]],
                                                 projects=[project] * bool(project)))  # fmt: skip
        rows = opened.collection.rows(within("_rowid", passing))
        total = opened.search(query, k=10).total
        same = total == len(expected) and {row.id for row in rows.values()} == expected
        equal += same
        if not same:
            differing = sorted({row.id for row in rows.values()} ^ expected)[:3]
            print(f"{query}: {total} found, {len(expected)} by a scan; {differing}", flush=True)
    return equal, SCANNED


def _memory() -> int:
    return round(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6)


def _ids(found: Any) -> set[str]:
    return {one.passage.id for one in found.entries}


def _quality(ranked: list[str], gold: set[str]) -> tuple[float, float]:
    """Recall at 10 and average precision."""
    hits = [rank for rank, key in enumerate(ranked, start=1) if key in gold]
    precision = sum(number / rank for number, rank in enumerate(hits, start=1)) / len(gold)
    return sum(rank <= 10 for rank in hits) / len(gold), precision


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
        if not is_collection(place) or "index_mb" not in costs or not Collection.open(place).count("projects"):
            make(place, size, real, costs)
            kept.write_text(json.dumps(known, indent=1))
        if "--scan" in sys.argv:
            if size <= len(real):
                print("{} of {} queries find what a scan finds, {:,} statements".format(*scan(place), size), flush=True)
            continue
        if "--times" in sys.argv:
            opened = OpenCollection.open(str(place))
            opened.prepare()
            print(size, json.dumps(times(opened, questions(real)[1])), flush=True)
            continue
        if "--update" in sys.argv:
            update(place, UPDATES)
            continue
        costs |= ask(place, real)
        kept.write_text(json.dumps(known, indent=1))
        print(json.dumps(costs), flush=True)


if __name__ == "__main__":
    main()
