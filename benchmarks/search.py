"""Relevance of search: queries with judged answers, ours beside plain FTS5 with BM25.

    python benchmarks/search.py [CORPORA] [--books] [--site] [--failures]

CORPORA is a folder of corpus folders with the names in the file of queries, made by ``naturalproofs build``.
``data/search.json`` has 171 queries over the Primer, the Stacks project, Trench, Stein, records of ProofWiki and five
open projects; with ``--books``, ``data/search_books.json`` has 100 queries to five open books and Stacks, each to one
work, written and judged before the ranking was changed. The queries are in the styles of students and of researchers:
definitions, names of theorems, claims, formulas with and without dollars and in Unicode, tags, numbers, slips of the
keyboard, other names. An answer is *best* if it is what was asked for, *good* if it helps.

hit@1 is the share of queries whose first answer is a best one; nDCG@10 has gain 3 for best and 1 for good, statements
that say the same word for word counted once. Settings were chosen on the tuning half: queries with an even checksum.
*Definition first*: of the terms of one word that a definition of a work defines, those for which a definition of the
term comes first. ``--site`` asks a written site of each work the same queries, in Chromium, and prints how often its
first answer is that of the page.
"""

import re
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from itertools import islice, takewhile
from math import log2
from pathlib import Path
from statistics import mean, quantiles
from typing import NamedTuple

import msgspec
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Statement
from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.workspace.search import SearchIndex, alike_key, defined_phrases, search
from naturalproofs.workspace.search.documents import defined_terms
from naturalproofs.workspace.search.text import fold

DATA = Path(__file__).parent / "data" / ("search_books.json" if "--books" in sys.argv else "search.json")
FIRST = "const done = arguments[1]; search(arguments[0]).then((found) => done(found.hits[0]?.[0] ?? ''))"
DEPTH = 10
SPEED_CORPUS = "stacks"


class Judged(msgspec.Struct):
    """A query with its judged answers; in all corpora if none are named."""

    query: str
    best: list[str]
    good: list[str]
    corpora: list[str] = []

    @property
    def tuning(self) -> bool:
        """Whether settings were chosen on it."""
        return zlib.crc32(self.query.encode()) % 2 == 0


class RelevanceSet(msgspec.Struct):
    """The names of the corpora, and the queries."""

    corpora: list[str]
    queries: list[Judged]


class Figures(NamedTuple):
    """The quality of one answer."""

    hit: bool
    ndcg: float
    first: str


Ranker = Callable[[Judged], Sequence[str]]


def judge(asked: Judged, found: Sequence[str], statements: Mapping[str, Statement]) -> Figures:
    """Compare an answer with the judgements."""
    gains = dict.fromkeys(asked.good, 1) | dict.fromkeys(asked.best, 3)
    ideal: dict[str, int] = {}
    for key, gain in sorted(gains.items(), key=lambda item: -item[1]):
        ideal.setdefault(alike_key(statements[key]) or key, gain)
    best = sum(gain / log2(place + 2) for place, gain in enumerate(list(ideal.values())[:DEPTH]))
    reached = sum(gains.get(key, 0) / log2(place + 2) for place, key in enumerate(found[:DEPTH]))
    first = found[0] if found else "-"
    return Figures(first in asked.best, reached / best, first)


def plain_fts5(corpora: Sequence[Corpus]) -> Ranker:
    """SQLite's full text search alone: titles and texts, Porter stemming, any of the words, BM25."""
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5 (corpus UNINDEXED, id UNINDEXED, title, text, tokenize='porter')"
    )
    for corpus in corpora:
        rows = ((corpus.name, one.id, one.title, one.text) for one in corpus.statements)
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)

    def run(asked: Judged) -> list[str]:
        words = re.findall(r"[^\W_]+", asked.query)
        match = " OR ".join(f'"{word}"' for word in words)
        names = asked.corpora or [corpus.name for corpus in corpora]
        marks = ", ".join("?" * len(names))
        sql = f"SELECT id FROM t WHERE t MATCH ? AND corpus IN ({marks}) ORDER BY bm25(t) LIMIT ?"
        return [key for (key,) in connection.execute(sql, (match, *names, DEPTH))] if words else []

    return run


def report(name: str, queries: Sequence[Judged], run: Ranker, statements: Mapping[str, Statement]) -> None:
    """Print the figures of one ranker on both halves."""
    for half in (True, False):
        found = [(asked, judge(asked, run(asked), statements)) for asked in queries if asked.tuning is half]
        hits, ndcg = mean(figures.hit for _, figures in found), mean(figures.ndcg for _, figures in found)
        which = f"{name:12}{'tuning' if half else 'other'} half"
        print(f"{which}  {len(found)} queries  hit@1 {hits:.3f}  nDCG@10 {ndcg:.3f}", flush=True)
        if "--failures" in sys.argv and name == "ours":
            for asked, figures in sorted(found, key=lambda pair: pair[1].ndcg):
                if not figures.hit:
                    print(f"    {figures.ndcg:.2f}  {asked.query[:60]:60}  {figures.first[:60]}")


def definitions_first(indexes: Mapping[str, SearchIndex]) -> None:
    """Print for how many defined terms of one word a definition of the term comes first, over all works."""
    asked = found = 0
    for index in indexes.values():
        phrases = {text for one in index.corpus.statements for text in defined_phrases(one)}
        words = (text for text in phrases if re.fullmatch(r"[a-z]{4,}", text))
        known = frozenset[str]().union(*map(defined_terms, index.corpus.statements))
        terms = {term: text for text in sorted(words) if (term := fold(text)) in known}
        for term, text in terms.items():
            first = next(iter(search([index], text, k=1).items), None)
            asked += 1
            if first is not None and term in defined_terms(first.statement):
                found += 1
            elif "--failures" in sys.argv:
                print(f"    {index.name}: {text}: {first.id if first else '-'}")
    print(f"definition first: {found} of {asked} terms", flush=True)


def site_agreement(indexes: Mapping[str, SearchIndex], queries: Sequence[Judged]) -> None:
    """Print how often a written site of the one work asked has the same first answer as the page."""
    from naturalproofs.apps.site.book import Book
    from naturalproofs.apps.site.tags import assign_tags
    from naturalproofs.workspace import Workspace
    from support import chromium

    with tempfile.TemporaryDirectory() as made, chromium.started(Path(made) / "profile", "1280,820") as driver:
        same = asked = 0
        for name, index in indexes.items():
            tags = assign_tags(index.corpus)
            folder = Path(made) / name
            book = Book(Workspace.of([index.corpus]).home, tags)
            scripts = takewhile(lambda file: "previews" not in file[0], book.search_index())
            for path, content in (*islice(book.files(), 2), *scripts, *book.static()):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
            driver.get(f"{folder.as_uri()}/search.html?q=group")
            WebDriverWait(driver, 60).until(lambda page: page.execute_script("return opened !== null"))
            for one in (one for one in queries if one.corpora == [name]):
                page = next(iter(search([index], one.query, k=1).items), None)
                site = driver.execute_async_script(FIRST, one.query)
                asked += 1
                same += (tags.of[page.id] if page else "") == site
    print(f"site: the first answer of the page for {same} of {asked} queries", flush=True)


def speed(index: SearchIndex, queries: Sequence[Judged]) -> None:
    """Print the time of an answer over one corpus, the second time each query is asked."""
    times = []
    for asked in queries:
        search([index], asked.query)
        wall, busy = time.perf_counter(), time.process_time()
        search([index], asked.query)
        times.append((1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - busy)))
    for name, values in zip(("wall", "processor"), zip(*times, strict=True), strict=True):
        steps = quantiles(values, n=20)
        print(f"{index.name}, {name}: p50 {steps[9]:.1f} ms, p95 {steps[18]:.1f} ms, max {max(values):.1f} ms")


def main() -> int:
    """Print the figures."""
    folders = [Path(one) for one in sys.argv[1:] if not one.startswith("--")] or [Path("corpora")]
    wanted = msgspec.json.decode(DATA.read_bytes(), type=RelevanceSet)
    missing = [name for name in wanted.corpora if not (folders[0] / name).is_dir()]
    if missing:
        print(f"{folders[0]}: no corpora {', '.join(missing)}; build them there")
        return 1
    corpora = [store.load(folders[0] / name) for name in wanted.corpora]
    statements = {one.id: one for corpus in corpora for one in corpus.statements}
    indexes = {one.name: SearchIndex.build(one, macros=macros_of([one.definitions])) for one in corpora}

    def ours(asked: Judged) -> list[str]:
        chosen = [indexes[name] for name in asked.corpora or wanted.corpora]
        return [hit.id for hit in search(chosen, asked.query, k=DEPTH).items]

    report("FTS5 BM25", wanted.queries, plain_fts5(corpora), statements)
    report("ours", wanted.queries, ours, statements)
    definitions_first(indexes)
    if "--site" in sys.argv:
        site_agreement(indexes, wanted.queries)
    speed(indexes[SPEED_CORPUS], wanted.queries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
