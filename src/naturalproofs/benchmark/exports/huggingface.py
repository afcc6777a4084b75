"""A folder that Hugging Face ``datasets`` loads: Parquet files and a dataset card."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from naturalproofs.benchmark.exports import Request
from naturalproofs.benchmark.exports.common import absences, configurations, export_folder, page, queries_by_split
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import MissingExtra
from naturalproofs.io.files import make_folder, write_file
from naturalproofs.tasks.dataset import Query
from naturalproofs.tasks.protocols import passages
from naturalproofs.tasks.splits import Splits

PARTS = {"train": "train", "valid": "validation", "test": "test"}
"""Hugging Face's names for our splits."""

STATEMENTS = """
    id kind form label number tag title text passage_title passage_text references
    categories toplevel_categories recursive_categories document chapter section position published_id absent_from
""".split()
PROOFS = ["id", "theorem", "proof", "text", "sequence"]
EXAMPLES = ["id", "theorem", "proof", "title", "text", "references", "sequence"]
LISTS = frozenset(
    ("references", "sequence", "categories", "toplevel_categories", "recursive_categories", "absent_from")
)
"""Columns of lists of texts; a column is of texts otherwise, unless it is of integers. Any value may be null."""
INTEGERS = frozenset(("proof", "position", "published_id"))
LICENCES = {
    "gfdl": "gfdl",
    "ccbysa30": "cc-by-sa-3.0",
    "ccbysa40": "cc-by-sa-4.0",
    "ccbyncsa30": "cc-by-nc-sa-3.0",
    "ccbyncsa40": "cc-by-nc-sa-4.0",
    "ccby30": "cc-by-3.0",
    "ccby40": "cc-by-4.0",
    "cc010": "cc0-1.0",
    "mit": "mit",
}
"""The hub's names for licences, by their letters and digits; any other is ``other`` or ``unknown``."""

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True, slots=True)
class Table:
    """One Parquet file."""

    config: str
    split: str
    path: str
    rows: int


def write(request: Request) -> str:
    """Write statements, proofs and examples; a table without rows is left out, since ``datasets`` cannot read one."""
    corpus, splits = request.corpus, request.splits
    tables: list[Table] = []
    with export_folder(request, "huggingface") as folder:

        def add(config: str, split: str, columns: Sequence[str], rows: Iterator[Mapping[str, object]]) -> None:
            path = f"{config}/{split}.parquet"
            written = write_parquet(folder / path, columns, rows)
            if written:
                tables.append(Table(config, split, path, written))

        for name, queries in queries_by_split(corpus, splits).items():
            add("examples", PARTS[name], EXAMPLES, map(_example, queries))
        add("statements", "statements", STATEMENTS, _statements(corpus, splits))
        add("proofs", "proofs", PROOFS, _proofs(corpus))
        write_file(folder / "README.md", card(corpus, splits, tables))
    return ", ".join(f"{table.config}/{table.split} {table.rows:,}" for table in tables)


def _statements(corpus: Corpus, splits: Splits) -> Iterator[Mapping[str, object]]:
    absent = absences(splits)
    same = ("id", "kind", "form", "label", "number", "tag", "title", "references", "categories", "published_id")
    for statement, passage in zip(corpus.statements, passages(corpus.statements), strict=True):
        yield {
            **{name: getattr(statement, name) for name in (*same, "toplevel_categories", "recursive_categories")},
            **{name: getattr(statement.place, name, None) for name in ("document", "chapter", "section", "position")},
            "text": statement.text,
            "passage_title": passage.title,
            "passage_text": passage.text,
            "absent_from": [PARTS[name] for name in absent.get(statement.id, ())],
        }


def _proofs(corpus: Corpus) -> Iterator[Mapping[str, object]]:
    for statement in corpus.statements:
        for index, proof in enumerate(statement.proofs):
            yield {
                "id": f"{statement.id}#{index}",
                "theorem": statement.id,
                "proof": index,
                "text": proof.text,
                "sequence": proof.references,
            }


def _example(query: Query) -> Mapping[str, object]:
    # The proof is in the table of proofs only, so that nobody trains on an answer by accident.
    return {
        "id": query.id,
        "theorem": query.theorem.id,
        "proof": query.proof,
        "title": query.theorem.title,
        "text": query.theorem.text,
        "references": query.gold,
        "sequence": query.sequence,
    }


def write_parquet(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> int:
    """Write a file, unless there are no rows, and return their number."""
    arrow, parquet = _arrow()
    text, texts, integer = arrow.string(), arrow.list_(arrow.string()), arrow.int64()
    types = dict.fromkeys(columns, text) | dict.fromkeys(LISTS, texts) | dict.fromkeys(INTEGERS, integer)
    schema = arrow.schema([(name, types[name]) for name in columns])
    table = arrow.Table.from_pylist(list(rows), schema=schema)
    if table.num_rows:
        make_folder(path.parent)
        parquet.write_table(table, path, compression="zstd")
    return int(table.num_rows)


def _arrow() -> tuple[Any, Any]:
    # pyarrow is untyped; an import by name returns Any.
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra("writing Parquet", "parquet") from error


def card(corpus: Corpus, splits: Splits, tables: Sequence[Table]) -> str:
    """The dataset card: a YAML head for machines, and a page for people."""
    return "\n".join([*_head(corpus, tables), "", *_body(corpus, splits, tables)])


def _head(corpus: Corpus, tables: Sequence[Table]) -> Iterator[str]:
    """YAML, with every free text as a JSON string, which is valid YAML."""
    size = next((name for limit, name in _SIZES if len(corpus.statements) < limit), "n>1M")
    yield "---"
    yield f"pretty_name: {json.dumps(_title(corpus))}"
    yield f"license: {_licence(corpus.provenance.licence)}"
    yield "task_categories:\n- text-retrieval"
    yield "tags:\n- mathematics\n- theorems\n- premise-selection"
    yield f'size_categories:\n- "{size}"'
    yield configurations([(table.config, table.split, table.path) for table in tables])
    yield "---"


def _body(corpus: Corpus, splits: Splits, tables: Sequence[Table]) -> Iterator[str]:
    source = corpus.provenance
    yield f"# {_title(corpus)}\n"
    yield "Mathematical statements and proofs with the references between them. The task: given a theorem, find the"
    yield "statements that its proof cites.\n"
    yield "## Tables\n\n| Table | Split | Rows |\n| --- | --- | ---: |"
    yield from (f"| {table.config} | {table.split} | {table.rows:,} |" for table in tables)
    yield f"\nThe splits were made by the recipe `{splits.recipe}`.\n"
    yield f"## Fields\n\n{page('huggingface')}"
    yield "## Origin\n"
    facts = {
        "Corpus": f"{corpus.name}, fingerprint {content_hash(corpus)[:12]}",
        "Authors": source.authors,
        "Licence": source.licence or "not stated: ask the authors before you pass it on",
        "Home": source.url,
        "Citation": source.citation,
        "Revision": source.revision,
        "Read as": f"{source.source}, rules {source.rules}",
    }
    yield from (f"- **{name}**: {value}" for name, value in facts.items() if value)
    yield "\nA reference is what an author chose to cite: a proof may use more than it says.\n"


def _title(corpus: Corpus) -> str:
    return " ".join((corpus.provenance.title or corpus.name).split())


def _licence(text: str) -> str:
    """The hub's name for a licence, if the corpus has exactly one that the hub knows."""
    known = re.sub(r"[^a-z0-9]|license|licence", "", text.casefold())
    version = known.removesuffix("only").removesuffix("orlater")
    name = LICENCES.get(version) or ("gfdl" if re.fullmatch(r"gfdl\d+", version) else None)
    return name or ("other" if text and "none" not in text.casefold() else "unknown")
