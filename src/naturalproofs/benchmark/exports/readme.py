"""The README of exports for retrieval: what the files hold, what a method may see, and how results are measured."""

from __future__ import annotations

from collections.abc import Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.tasks.splits import Splits

FILES = {
    "beir": """\
- `corpus.jsonl`: the statements, which are the candidates: `_id`, `title`, `text`; in `metadata` the kind, the
  source's word for it, the label, the splits in which it may not be ranked, and, if the source has a reading order,
  `position`, `chapter` and `section`.
- `queries.jsonl`: one query for each proof that cites something: title and text of the theorem, without the proof;
  in `metadata` the `theorem`, which is no candidate of its own query, the number of the proof, and the `position`
  where the proof stands.
- `qrels/SPLIT.tsv`: the statements that the proof cites; the same in `qrels/SPLIT.jsonl`, for mteb.
""",
    "trec": """\
- `passages.tsv`: the statements, which are the candidates: id, tab, title and text.
- `topics.SPLIT.tsv`: one topic for each proof that cites something: id (`theorem#proof`), tab, title and text of
  the theorem.
- `qrels.SPLIT.txt`: the statements that the proof cites. `absent.SPLIT.txt`: statements that may not be ranked in
  that split.
""",
}
RULES = """\
## What a method sees

Titles and texts are exactly what the methods of `naturalproofs` see under its protocols. A statement without a
title has the words of its label instead, without numbers and without words that one label in five has (`lemma`).
Keys of `\\ref`, `\\cite` and `\\label`, names of files and of formal declarations, and everything in `\\uses` are
left out of the texts; they name what is cited. The `label` in the metadata is for people: do not search it.

## Protocols

- `clean`: all statements are candidates except the theorem itself. The proofs of the training split may be used.
- `accessible`: only statements with a `position` below that of the query are candidates, and only training proofs
  with a position below it may vote or count. `accessible-hindsight` lets later training proofs vote too.
- `zero-shot`: as `accessible`, but no proof of this corpus is used.
- `in-project`: as `accessible`, but every proof with a position below that of the query may be used, whatever its
  split.

## Measures

- mAP: the mean over queries of average precision; a reference that is no candidate counts as missed.
- R@k is a micro-average, as in the NaturalProofs paper: hits among the first k, summed over queries, over the sum
  of references. The recall of trec_eval and BEIR is the mean over queries, which is higher where few references are
  cited; say which you report.
- Full@k: the share of queries whose references are all among the first k.
- Equal scores are ordered as the statements are.
"""


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
    return f"{card}# {title}\n\n{task}\n\n{about}\n\n## Files\n\n{FILES[form]}\n{RULES}"
