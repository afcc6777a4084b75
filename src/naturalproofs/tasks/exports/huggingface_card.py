"""The dataset card of a Hugging Face folder: a YAML head that machines read, and a page that people read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.tasks.splits import Splits

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
"""The hub's names for licences, by their letters and digits; what is not among them is ``other`` or ``unknown``."""

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_FIELDS = """\
| Table | Field | Meaning |
| --- | --- | --- |
| statements | `id`, `kind`, `form` | name; theorem, definition or other; the source's own word |
| statements | `label`, `number`, `tag`, `title` | what the author, the printed page and the outside world call it |
| statements | `text`, `references` | the statement, and the ids that its text cites |
| statements | `categories` … | subject, where the source has one |
| statements | `document`, `chapter`, `section`, `position` | where it stands in reading order |
| statements | `published_id` | its integer in the published NaturalProofs file |
| statements | `absent_from` | parts in which it may not be ranked |
| proofs | `id`, `theorem`, `proof`, `text` | `theorem#proof`, the theorem, which of its proofs, and the proof |
| proofs, examples | `sequence` | ids that the proof cites, in order and with repeats |
| examples | `title`, `text` | the theorem: all that a method may see |
| examples | `references` | what is to be found: the ids that the proof cites, each once |
"""


@dataclass(frozen=True, slots=True)
class Table:
    """One Parquet file."""

    config: str
    split: str
    path: str
    rows: int


def card(corpus: Corpus, splits: Splits, tables: Sequence[Table]) -> str:
    """The card."""
    return "\n".join([*_head(corpus, tables), "", *_body(corpus, splits, tables)])


def _head(corpus: Corpus, tables: Sequence[Table]) -> Iterator[str]:
    """YAML, with every free text as a JSON string, which YAML is able to read."""
    size = next((name for limit, name in _SIZES if len(corpus.statements) < limit), "n>1M")
    yield "---"
    yield f"pretty_name: {json.dumps(_title(corpus))}"
    yield f"license: {_licence(corpus.provenance.licence)}"
    yield "task_categories:\n- text-retrieval"
    yield "tags:\n- mathematics\n- theorems\n- premise-selection"
    yield f'size_categories:\n- "{size}"'
    yield "configs:"
    configs = list(dict.fromkeys(table.config for table in tables))
    for config in configs:
        yield f"- config_name: {config}"
        if config == configs[0]:
            yield "  default: true"
        yield "  data_files:"
        for table in tables:
            if table.config == config:
                yield f"  - split: {table.split}\n    path: {table.path}"
    yield "---"


def _body(corpus: Corpus, splits: Splits, tables: Sequence[Table]) -> Iterator[str]:
    source = corpus.provenance
    yield f"# {_title(corpus)}\n"
    yield "Mathematical statements and proofs with the references between them. The task: given a theorem, find the"
    yield "statements that its proof cites.\n"
    yield "## Tables\n\n| Table | Split | Rows |\n| --- | --- | ---: |"
    yield from (f"| {table.config} | {table.split} | {table.rows:,} |" for table in tables)
    yield f"\nThe splits were made by the recipe `{splits.recipe}`.\n"
    yield f"## Fields\n\n{_FIELDS}"
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
    """The hub's word for a licence, if the corpus has exactly one that the hub knows."""
    known = re.sub(r"[^a-z0-9]|license|licence", "", text.casefold())
    version = known.removesuffix("only").removesuffix("orlater")
    name = LICENCES.get(version) or ("gfdl" if re.fullmatch(r"gfdl\d+", version) else None)
    return name or ("other" if text and "none" not in text.casefold() else "unknown")
