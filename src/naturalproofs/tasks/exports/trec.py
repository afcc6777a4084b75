"""A folder for trec_eval and its kin: judgements, topics and passages as plain lines.

Topics and passages are an id, a tab and the text on one line, not the old tagged format: mathematics is full of ``<``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from naturalproofs.tasks.exports.folder import export_folder
from naturalproofs.tasks.exports.formats import Request
from naturalproofs.tasks.exports.queries import plain_id, queries
from naturalproofs.tasks.passages import passage_text
from naturalproofs.tasks.splits import SPLIT_NAMES


def write(request: Request) -> str:
    """Write ``passages.tsv``, and for every split that has examples its ``topics``, ``qrels`` and ``absent``.

    What is listed in ``absent`` may not be ranked in that split; where nothing is, there is no such file.
    """
    corpus, splits = request.corpus, request.splits
    parts = {name: list(queries(corpus, splits.part(name))) for name in SPLIT_NAMES}
    asked = sum(map(len, parts.values()))
    with export_folder(request, "trec") as folder:
        _write(folder / "passages.tsv", (_row(s.id, passage_text(s)) for s in corpus.statements))
        for name, part in parts.items():
            if not part:
                continue
            _write(folder / f"topics.{name}.tsv", (_row(query.id, query.text) for query in part))
            judged = (f"{plain_id(query.id)} 0 {plain_id(cited)} 1" for query in part for cited in query.gold)
            _write(folder / f"qrels.{name}.txt", judged)
            if absent := splits.part(name).absent:
                _write(folder / f"absent.{name}.txt", map(plain_id, absent))
    return f"{len(corpus.statements):,} passages, {asked:,} topics"


def _row(key: str, text: str) -> str:
    return f"{plain_id(key)}\t{' '.join(text.split())}"


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
