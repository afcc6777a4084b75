"""Exports for other tools: BEIR and TREC folders for retrieval, GraphML for graphs.

TREC topics and passages are an id, a tab and the text on one line, not the old tagged format: mathematics often
contains ``<``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from naturalproofs.benchmark.exports import Request
from naturalproofs.benchmark.exports.common import (
    absences,
    configurations,
    export_folder,
    plain_id,
    queries_by_split,
    readme,
)
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.drawing import drawing, to_graphml
from naturalproofs.io.files import make_folder, write_file
from naturalproofs.io.folders import write_jsonl
from naturalproofs.io.outputs import write_output
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import Query
from naturalproofs.tasks.protocols import passage_text, passages

BEIR_SPLITS = {"train": "train", "valid": "dev", "test": "test"}
"""BEIR's names for our splits."""


def write_beir(request: Request) -> str:
    """Write ``corpus.jsonl``, ``queries.jsonl``, a README, and ``qrels/SPLIT.tsv`` for every split with examples.

    For mteb the judgements are also in ``qrels/SPLIT.jsonl``, and the head of the README names the files as it loads a
    retrieval task.
    """
    corpus = request.corpus
    by_split = queries_by_split(corpus, request.splits)
    queries = {query.id: query for part in by_split.values() for query in part}
    with export_folder(request, "beir") as folder:
        write_jsonl(folder / "corpus.jsonl", _beir_documents(corpus, absences(request.splits)))
        write_jsonl(folder / "queries.jsonl", (_beir_query(query, corpus.name) for query in queries.values()))
        make_folder(folder / "qrels")
        splits = {BEIR_SPLITS[name]: part for name, part in by_split.items() if part}
        for split, part in splits.items():
            judged = list(_judged(part, corpus.name))
            rows = (f"{query}\t{cited}\t1" for query, cited in judged)
            _write_lines(folder / "qrels" / f"{split}.tsv", ["query-id\tcorpus-id\tscore", *rows])
            # Files of one dataset are loaded by one reader, and mteb's judgements are in the format of its texts.
            objects = ({"query-id": query, "corpus-id": cited, "score": 1} for query, cited in judged)
            write_jsonl(folder / "qrels" / f"{split}.jsonl", objects)
        judgements = [("default", split, f"qrels/{split}.jsonl") for split in splits]
        texts = [(name, name, f"{name}.jsonl") for name in ("corpus", "queries")]
        head = configurations([*judgements, *texts])
        write_file(folder / "README.md", readme(corpus, request.splits, "beir", head))
    return f"{len(corpus.statements):,} passages, {len(queries):,} queries"


def write_trec(request: Request) -> str:
    """Write ``passages.tsv``, and for every split that has examples its ``topics``, ``qrels`` and ``absent``.

    Statements listed in ``absent`` may not be ranked in that split; the file is left out if there are none.
    """
    corpus, splits = request.corpus, request.splits
    by_split = queries_by_split(corpus, splits)
    shown = passages(corpus.statements)
    with export_folder(request, "trec") as folder:
        _write_lines(folder / "passages.tsv", (_trec_row(p, p.id, corpus.name) for p in shown))
        for name, part in by_split.items():
            if not part:
                continue
            _write_lines(folder / f"topics.{name}.tsv", (_trec_row(q.theorem, q.id, corpus.name) for q in part))
            judged = (f"{query} 0 {cited} 1" for query, cited in _judged(part, corpus.name))
            _write_lines(folder / f"qrels.{name}.txt", judged)
            if absent := splits.part(name).absent:
                _write_lines(folder / f"absent.{name}.txt", (plain_id(one, corpus.name) for one in absent))
        write_file(folder / "README.md", readme(corpus, splits, "trec"))
    return f"{len(corpus.statements):,} passages, {sum(map(len, by_split.values())):,} topics"


def _beir_documents(corpus: Corpus, absent: dict[StatementId, list[str]]) -> Iterable[dict[str, object]]:
    for statement, passage in zip(corpus.statements, passages(corpus.statements, place=True), strict=True):
        missing = [BEIR_SPLITS[name] for name in absent.get(statement.id, ())]
        about = {"kind": statement.kind, "form": statement.form, "label": statement.label, "absent_from": missing}
        yield {
            "_id": plain_id(statement.id, corpus.name),
            "title": passage.title,
            "text": passage.text,
            "metadata": about | _place(passage),
        }


def _place(passage: Passage) -> dict[str, object]:
    place = passage.place
    return {"position": place.position, "chapter": place.chapter, "section": place.section} if place else {}


def _beir_query(query: Query, corpus: str) -> dict[str, object]:
    # The passage of the theorem itself is named, so that users can exclude it from the results.
    about = {"theorem": plain_id(query.theorem.id, corpus), "proof": query.proof} | _place(query.theorem)
    return {"_id": plain_id(query.id, corpus), "text": passage_text(query.theorem), "metadata": about}


def _judged(queries: Iterable[Query], corpus: str) -> Iterable[tuple[str, str]]:
    """Queries and what their proofs cite."""
    return ((plain_id(query.id, corpus), plain_id(cited, corpus)) for query in queries for cited in query.gold)


def _trec_row(passage: Passage, key: str, corpus: str) -> str:
    return f"{plain_id(key, corpus)}\t{' '.join(passage_text(passage).split())}"


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    write_file(path, "".join(f"{line}\n" for line in lines))


def write_graphml(request: Request) -> str:
    """Write the whole reference graph; ``naturalproofs graph`` writes parts of it."""
    drawn = drawing(request.corpus)
    write_output(request.output, to_graphml(drawn).encode("utf-8", "replace"))
    return f"{len(drawn.nodes):,} nodes, {len(drawn.edges):,} edges"
