"""Quality and speed of search: known items of the Stacks project.

    python benchmarks/search_known_items.py [STACKS_CORPUS]

Takes a corpus folder made by ``naturalproofs build stacks``; without one it is built from the source if that is there.
The sets of queries are

- slogans and titles, which are removed from the index first;
- titles, with the titles in the index;
- definitions, asked for by the words of their labels ("what is a quasi compact");
- the longest short formula of a statement: as it is, with other letters, and its first two thirds.

Settings were chosen on the statements whose id has an even checksum; the figures are of the odd ones.
"""

import os
import re
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import quantiles

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.records import Statement
from naturalproofs.sources.registry import source
from naturalproofs.workspace.search import SearchIndex, search
from naturalproofs.workspace.search.formulas import symbols

Question = tuple[str, str]
"""The id of a statement, and a query that is to find it."""
DEPTH = 50
FORMULAS = ("$H^i(X, \\mathcal{F}) = 0$", "$f^{-1}(U)$", "$\\mathcal{O}_X$-module $f_*$", "$A \\otimes_R B$")
QUERIES = (
    "noetherian ring", "finite type", "yoneda", "000S", "lemma-graph-closed", '"finite type" kind:definition',
    "quasicompact morphism", "noetherain", "nullstelensatz", "when is a morphism flat?", "coho", "proper -finite",
    "kind:definition chapter:algebra", "a map from a compact space to a hausdorff space is closed", "zzzz",
)  # fmt: skip
_INLINE = re.compile(r"(?<!\$)\$([^$]+)\$(?!\$)")
_LETTER = re.compile(r"\\[a-zA-Z]+|(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])")


def available_corpus() -> Corpus | None:
    """The corpus that is named, or one that is built now."""
    if len(sys.argv) > 1:
        return store.load(Path(sys.argv[1]))
    raw = Path(os.environ.get("NATURALPROOFS_CORPORA", "../shared/corpora")) / "stacks"
    return build(source("stacks"), raw, name="stacks") if raw.is_dir() else None


def slogan(statement: Statement) -> str:
    """The slogan of a statement, or nothing."""
    return " ".join(line for note in statement.notes if note.kind == "slogan" for line in note.lines)


def definition_query(statement: Statement) -> str:
    """Ask for a definition by the words of its label; every fourth definition."""
    if statement.kind != "definition" or zlib.crc32(statement.id.encode()) // 2 % 4:
        return ""
    return f"what is a {statement.label.split('definition-')[-1].replace('-', ' ')}"


def formula(statement: Statement) -> str:
    """The longest formula of 8 to 30 symbols; of every fortieth statement."""
    if zlib.crc32(statement.id.encode()) // 2 % 40:
        return ""
    found = [one for one in _INLINE.findall(statement.text) if 8 <= len(symbols(one)) <= 30]
    return max(found, key=lambda one: len(symbols(one)), default="")


def renamed(source_text: str) -> str:
    """A formula with every letter replaced by one seven places on."""

    def shifted(match: re.Match[str]) -> str:
        symbol = match[0]
        if len(symbol) > 1:
            return symbol
        first = ord("A") if symbol.isupper() else ord("a")
        return chr((ord(symbol) - first + 7) % 26 + first)

    return _LETTER.sub(shifted, source_text)


def questions(corpus: Corpus) -> dict[str, list[Question]]:
    """The sets of queries, of the statements that no setting was chosen by."""
    odd = [statement for statement in corpus.statements if zlib.crc32(statement.id.encode()) % 2]
    formulas = [(s.id, formula(s)) for s in odd if formula(s)]
    return {
        "slogan, not indexed": [(s.id, slogan(s)) for s in odd if slogan(s)],
        "title, not indexed": [(s.id, s.title) for s in odd if s.title],
        "title": [(s.id, s.title) for s in odd if s.title],
        "definition": [(s.id, definition_query(s)) for s in odd if definition_query(s)],
        "formula": [(key, f"${one}$") for key, one in formulas],
        "formula, other letters": [(key, f"${renamed(one)}$") for key, one in formulas],
        "formula, first part": [
            (key, f"${' '.join(symbols(one)[: len(symbols(one)) * 2 // 3])}$") for key, one in formulas
        ],
    }


def quality(index: SearchIndex, asked: Sequence[Question]) -> str:
    """At which ranks the statements are found."""
    ranks = []
    for key, text in asked:
        found = [hit.id for hit in search([index], text, k=DEPTH).items]
        ranks.append(found.index(key) + 1 if key in found else float("inf"))
    shares = "  ".join(f"hit@{k} {100 * sum(rank <= k for rank in ranks) / len(ranks):5.1f}" for k in (1, 10, 50))
    return f"{shares}  MRR@{DEPTH} {100 * sum(1 / rank for rank in ranks) / len(ranks):5.1f}  ({len(ranks)} queries)"


def speed(index: SearchIndex, asked: Sequence[str]) -> str:
    """The time of an answer, after the first queries."""
    for text in asked[:20]:
        search([index], text)
    wall, cpu = [], []
    for text in asked:
        start, busy = time.perf_counter(), time.process_time()
        search([index], text)
        wall.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - busy))
    figures = []
    for name, times in (("wall", wall), ("processor", cpu)):
        steps = quantiles(times, n=20)
        figures.append(f"{name}: p50 {steps[9]:.1f} ms, p95 {steps[18]:.1f} ms, max {max(times):.1f} ms")
    return f"{len(asked)} queries; {'; '.join(figures)}"


def main() -> int:
    """Print the figures."""
    corpus = available_corpus()
    if corpus is None:
        print("needs the Stacks corpus: give its folder, or set NATURALPROOFS_CORPORA")
        return 1
    asked = questions(corpus)
    bare = replace(corpus, statements=tuple(replace(s, notes=(), title="") for s in corpus.statements))
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        whole = SearchIndex.build(corpus, Path(folder) / "whole")
        print(f"built in {time.process_time() - start:.1f} s of processor time")
        hidden = SearchIndex.build(bare, Path(folder) / "hidden")
        for name, found in asked.items():
            print(f"{name:24}{quality(hidden if 'not indexed' in name else whole, found)}", flush=True)
        size = sum(file.stat().st_size for file in (Path(folder) / "whole").iterdir())
        start = time.perf_counter()
        opened = SearchIndex.open(Path(folder) / "whole", corpus)
        search([opened], "first")
        print(f"opened and searched once in {time.perf_counter() - start:.2f} s; {size / 1e6:.0f} MB on disk")
        texts = [text for name, found in asked.items() if name in ("slogan, not indexed", "title") for _, text in found]
        print(speed(opened, [*QUERIES, *FORMULAS, *texts]))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
