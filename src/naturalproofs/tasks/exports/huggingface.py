"""A folder that Hugging Face ``datasets`` loads: Parquet files, and a card that says which is which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Statement, StatementId
from naturalproofs.tasks.exports.folder import export_folder
from naturalproofs.tasks.exports.formats import Request
from naturalproofs.tasks.exports.huggingface_card import Table, card
from naturalproofs.tasks.exports.parquet import Columns, write_parquet
from naturalproofs.tasks.exports.queries import Query, absences, queries
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

PARTS = {"train": "train", "valid": "validation", "test": "test"}
"""What Hugging Face calls our splits."""

STATEMENTS: Columns = {
    "id": "text",
    "kind": "text",
    "form": "text",
    "label": "text",
    "number": "text",
    "tag": "text",
    "title": "text",
    "text": "text",
    "references": "texts",
    "categories": "texts",
    "toplevel_categories": "texts",
    "recursive_categories": "texts",
    "document": "text",
    "chapter": "text",
    "section": "text",
    "position": "integer",
    "published_id": "integer",
    "absent_from": "texts",
}
PROOFS: Columns = {"id": "text", "theorem": "text", "proof": "integer", "text": "text", "sequence": "texts"}
EXAMPLES: Columns = {
    "id": "text",
    "theorem": "text",
    "proof": "integer",
    "title": "text",
    "text": "text",
    "references": "texts",
    "sequence": "texts",
}


def write(request: Request) -> str:
    """Write statements, proofs and examples; a part without rows gets no file, for ``datasets`` cannot read one."""
    corpus, splits = request.corpus, request.splits
    tables: list[Table] = []
    with export_folder(request, "huggingface") as folder:

        def add(config: str, split: str, columns: Columns, rows: Iterator[Mapping[str, object]]) -> None:
            path = folder / config / f"{split}.parquet"
            path.parent.mkdir(exist_ok=True)
            written = write_parquet(path, columns, rows)
            if written:
                tables.append(Table(config, split, path.relative_to(folder).as_posix(), written))
            else:
                path.unlink()

        for name in SPLIT_NAMES:
            add("examples", PARTS[name], EXAMPLES, map(_example, queries(corpus, splits.part(name))))
        add("statements", "statements", STATEMENTS, _statements(corpus, splits))
        add("proofs", "proofs", PROOFS, _proofs(corpus))
        (folder / "README.md").write_text(card(corpus, splits, tables), "utf-8", newline="\n")
    return ", ".join(f"{table.config}/{table.split} {table.rows:,}" for table in tables)


def _statements(corpus: Corpus, splits: Splits) -> Iterator[Mapping[str, object]]:
    absent = absences(splits)
    for statement in corpus.statements:
        yield _statement(statement, absent)


def _statement(statement: Statement, absent: Mapping[StatementId, list[str]]) -> Mapping[str, object]:
    same = ("id", "kind", "form", "label", "number", "tag", "title", "references", "categories", "published_id")
    place = statement.place
    return {
        **{name: getattr(statement, name) for name in (*same, "toplevel_categories", "recursive_categories")},
        "text": "\n".join(statement.lines),
        "document": place.document if place else None,
        "chapter": place.chapter if place else None,
        "section": place.section if place else None,
        "position": place.position if place else None,
        "absent_from": [PARTS[name] for name in absent.get(statement.id, ())],
    }


def _proofs(corpus: Corpus) -> Iterator[Mapping[str, object]]:
    for statement in corpus.statements:
        for index, proof in enumerate(statement.proofs):
            yield {
                "id": f"{statement.id}#{index}",
                "theorem": statement.id,
                "proof": index,
                "text": "\n".join(proof.lines),
                "sequence": proof.references,
            }


def _example(query: Query) -> Mapping[str, object]:
    # The proof itself is in the table of proofs only, so that nobody trains on an answer by accident.
    return {
        "id": query.id,
        "theorem": query.theorem.id,
        "proof": query.proof,
        "title": query.theorem.title,
        "text": "\n".join(query.theorem.lines),
        "references": query.gold,
        "sequence": query.sequence,
    }
