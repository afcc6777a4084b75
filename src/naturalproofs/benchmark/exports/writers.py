"""The export formats: BEIR and TREC folders for retrieval, Parquet for Hugging Face, GraphML; and what they share.

TREC topics and passages are an id, a tab and the text on one line, not the old tagged format: mathematics often
contains ``<``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from naturalproofs import __version__
from naturalproofs.benchmark.exports import Request
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.drawing import drawing, to_graphml
from naturalproofs.corpus.store import content_hash, counts
from naturalproofs.errors import MissingExtra
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import make_folder, replaced_folder, write_file
from naturalproofs.io.folders import check_only_ours, file_names, hash_of_file, pretty, write_jsonl
from naturalproofs.io.outputs import write_output
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import Query, make_queries, plain_id
from naturalproofs.tasks.protocols import label_words, passage_text, passages
from naturalproofs.tasks.splits import SPLIT_NAMES, SplitName, Splits

ABOUT = "export.json"


def queries_by_split(corpus: Corpus, splits: Splits) -> dict[SplitName, tuple[Query, ...]]:
    """The queries of each split, without repeats, as methods see them where places are visible."""
    names = label_words(corpus.statements)
    return {
        name: make_queries(corpus, dict.fromkeys(splits.part(name).examples), place=True, names=names)
        for name in SPLIT_NAMES
    }


def absences(splits: Splits) -> dict[StatementId, list[str]]:
    """By statement: the splits in which it may not be ranked. Most statements are in none."""
    found: dict[StatementId, list[str]] = {}
    for name in SPLIT_NAMES:
        for statement in splits.part(name).absent:
            found.setdefault(statement, []).append(name)
    return found


@contextmanager
def export_folder(request: Request, name: str) -> Iterator[Path]:
    """Give a scratch folder to fill; it is moved to the output path when the block ends without an error."""
    with replaced_folder(request.output, partial(may_replace, name=name)) as scratch:
        yield scratch
        about = {
            "format": name,
            "corpus": request.corpus.name,
            "fingerprint": content_hash(request.corpus)[:12],
            "split": request.splits.recipe,
            "counts": counts(request.corpus),
            "provenance": request.corpus.provenance,
            "made_by": f"naturalproofs {__version__}",
            "files": file_hashes(scratch),
        }
        write_file(scratch / ABOUT, pretty(about))


class _Contents(msgspec.Struct, frozen=True):
    """What any description of an exported folder says of its files."""

    format: str
    files: dict[str, str]


def may_replace(folder: Path, name: str, about: str = ABOUT) -> bool:
    """Whether a folder is an export of that format; one in which a file was changed or added is an error."""
    try:
        contents = read_json(folder / about, _Contents)
    except (OSError, ValueError):
        return False
    if contents.format != name:
        return False
    check_only_ours(folder, about, contents.files)
    return True


def file_hashes(folder: Path) -> dict[str, str]:
    """The hashes of all files of a folder; a link has none."""
    return {name: hash_of_file(folder / name) for name in sorted(file_names(folder))}


def page(name: str) -> str:
    """A part of a README: what files hold, what a method may see, and how results are measured."""
    return (files("naturalproofs.data") / "exports" / f"{name}.md").read_text("utf-8")


def configurations(tables: Sequence[tuple[str, str, str]]) -> str:
    """The part of a dataset card's YAML head that names files: configuration, split and path of each, in order."""
    lines = ["configs:"]
    for config in dict.fromkeys(name for name, _, _ in tables):
        lines.append(f"- config_name: {config}")
        if config == tables[0][0]:
            lines.append("  default: true")
        lines.append("  data_files:")
        lines += [f"  - split: {split}\n    path: {path}" for name, split, path in tables if name == config]
    return "\n".join(lines)


def readme(corpus: Corpus, splits: Splits, form: str, head: str = "") -> str:
    """The README of one exported corpus.

    Args:
        corpus: The corpus.
        splits: Its splits.
        form: The format.
        head: YAML for programs that read dataset cards.
    """
    source = corpus.provenance
    facts = {
        "Authors": source.authors,
        "Licence": source.licence or "not stated: ask the authors before you pass it on",
        "Home": source.url,
        "Revision": source.revision,
        "Splits": f"recipe `{splits.recipe}`",
    }
    about = "\n".join(f"- {name}: {' '.join(value.split())}" for name, value in facts.items() if value)
    title = " ".join((source.title or corpus.name).split())
    task = "Given a theorem, find the statements that its proof cites."
    card = f"---\n{head}\n---\n" if head else ""
    return f"{card}# {title}\n\n{task}\n\n{about}\n\n## Files\n\n{page(form)}\n{page('rules')}"


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


# A folder that Hugging Face ``datasets`` loads: Parquet files and a dataset card.

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


def write_huggingface(request: Request) -> str:
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
    return " ".join(corpus.title.split())


def _licence(text: str) -> str:
    """The hub's name for a licence, if the corpus has exactly one that the hub knows."""
    known = re.sub(r"[^a-z0-9]|license|licence", "", text.casefold())
    version = known.removesuffix("only").removesuffix("orlater")
    name = LICENCES.get(version) or ("gfdl" if re.fullmatch(r"gfdl\d+", version) else None)
    return name or ("other" if text and "none" not in text.casefold() else "unknown")
