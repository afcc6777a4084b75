"""The dataset card of a corpus: contents, provenance, licence, statistics and known limits.

Its sections follow the Dataset Nutrition Label (Holland et al. 2018): facts, provenance, variables, statistics,
and known limits.
"""

from naturalproofs import __version__
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.report.statistics import Statistics, dataset_table, detail_table, graph_table, retrieval_table
from naturalproofs.report.table import to_markdown

_VARIABLES = (
    ("id", "stable name, unique in the corpus"),
    ("kind", "theorem, definition or other"),
    ("form", "the environment in the source: lemma, corollary, remark …"),
    ("label, title, number, tag", "names given by the author, the printed page and external references"),
    ("lines", "the text of the statement in LaTeX, one entry per line"),
    ("mentions", "citations in order: key as written, command, source line, resolved id or none"),
    ("proofs", "each with its own lines and mentions"),
    ("categories", "chapter or subject"),
    ("origin, place", "file and line; chapter, section and rank in reading order"),
    ("notes", "text about the statement that is not part of it"),
)


def dataset_card(corpus: Corpus, measured: Statistics) -> str:
    """The card as Markdown."""
    provenance = corpus.provenance
    facts = [
        ("Name", corpus.name),
        ("Title", provenance.title),
        ("Authors", provenance.authors),
        ("Licence", provenance.licence or "not stated: ask the authors before redistribution"),
        ("Home", provenance.url),
        ("Citation", provenance.citation),
        ("Revision", provenance.revision),
        ("Source and rules", f"{provenance.source}, {provenance.rules}"),
        ("Files read", f"{len(corpus.inputs):,} ({sum(file.bytes for file in corpus.inputs):,} bytes)"),
        ("Statements", f"{len(corpus.statements):,}, fingerprint {content_hash(corpus)[:12]}"),
        ("Made by", f"naturalproofs {__version__}"),
    ]
    parts = [
        f"# Dataset card: {corpus.name}",
        "## Facts",
        _two_columns("Fact", "Value", [(name, value) for name, value in facts if value]),
        "## Variables",
        _two_columns("Field", "Meaning", _VARIABLES),
        "## Statistics",
        to_markdown(dataset_table([measured])),
        to_markdown(retrieval_table([measured])),
        to_markdown(graph_table([measured])),
        to_markdown(detail_table(measured)),
        "## Known limits",
        _limits(corpus, measured),
    ]
    return "\n\n".join(parts) + "\n"


def _limits(corpus: Corpus, measured: Statistics) -> str:
    unproved = sum(not statement.proofs for statement in corpus.of_kind("theorem"))
    untitled = sum(not statement.title for statement in corpus.statements)
    without_references = measured.proofs - measured.examples
    lines = [
        f"{unproved:,} theorems have no proof in the source.",
        f"{without_references:,} proofs cite no statement of the corpus and are not examples.",
        f"{untitled:,} statements have no title.",
        "References are what the author chose to cite; a proof may use results that it does not cite.",
    ]
    if measured.resolution and (undefined := measured.resolution.unresolved.get("undefined", 0)):
        lines.append(f"{undefined:,} mentions cite a label that the source does not define.")
    if corpus.provenance.rules == "paper":
        lines.append("Read with the rules of the original parser, including its errors, for comparison with the paper.")
    return "\n".join(f"- {line}" for line in lines)


def _two_columns(left: str, right: str, rows: "list[tuple[str, str]] | tuple[tuple[str, str], ...]") -> str:
    body = "\n".join(f"| {name} | {value.replace('|', chr(92) + '|')} |" for name, value in rows)
    return f"| {left} | {right} |\n| --- | --- |\n{body}"
