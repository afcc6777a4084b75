"""A folder as BEIR reads it: ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/{train,dev,test}.tsv``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.io.jsonl import write_jsonl
from naturalproofs.records import StatementId
from naturalproofs.tasks.exports.folder import export_folder
from naturalproofs.tasks.exports.formats import Request
from naturalproofs.tasks.exports.queries import Query, absences, plain_id, queries
from naturalproofs.tasks.splits import SPLIT_NAMES

PARTS = {"train": "train", "valid": "dev", "test": "test"}
"""What BEIR calls our splits."""

HEADER = "query-id\tcorpus-id\tscore\n"


def write(request: Request) -> str:
    """Write the folder; a split without examples gets no file of judgements."""
    corpus, splits = request.corpus, request.splits
    parts = {name: list(queries(corpus, splits.part(name))) for name in SPLIT_NAMES}
    asked = {query.id: query for part in parts.values() for query in part}
    with export_folder(request, "beir") as folder:
        write_jsonl(folder / "corpus.jsonl", _documents(corpus, absences(splits)))
        write_jsonl(folder / "queries.jsonl", map(_question, asked.values()))
        (folder / "qrels").mkdir()
        for name, part in parts.items():
            if part:
                _write_qrels(folder / "qrels" / f"{PARTS[name]}.tsv", part)
    return f"{len(corpus.statements):,} passages, {len(asked):,} queries"


def _documents(corpus: Corpus, absent: dict[StatementId, list[str]]) -> Iterable[dict[str, object]]:
    for statement in corpus.statements:
        missing = [PARTS[name] for name in absent.get(statement.id, ())]
        yield {
            "_id": plain_id(statement.id),
            "title": statement.title,
            "text": "\n".join(statement.lines),
            "metadata": {
                "kind": statement.kind,
                "form": statement.form,
                "label": statement.label,
                "absent_from": missing,
            },
        }


def _question(query: Query) -> dict[str, object]:
    # Whoever wants a theorem not to be found for itself needs to know which passage it is.
    about = {"theorem": plain_id(query.theorem.id), "proof": query.proof}
    return {"_id": plain_id(query.id), "text": query.text, "metadata": about}


def _write_qrels(path: Path, part: Iterable[Query]) -> None:
    lines = (f"{plain_id(query.id)}\t{plain_id(cited)}\t1\n" for query in part for cited in query.gold)
    path.write_text(HEADER + "".join(lines), "utf-8", newline="\n")
