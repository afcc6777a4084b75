"""Statistics of a corpus, and the paper's dataset tables with its figures beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import msgspec

from naturalproofs import __version__
from naturalproofs.apps.report.table import Cell, Table, to_markdown
from naturalproofs.corpus.bibliography import OutsideCounts, outside_counts, outside_uses
from naturalproofs.corpus.corpus import Corpus, Resolution
from naturalproofs.corpus.graph import MEASURES, PARTS, Distribution, ReferenceGraph, components, lengths, paper_key
from naturalproofs.corpus.store import content_hash, counts
from naturalproofs.io.decoding import decode_toml
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

LARGEST_NUMBER = 30
"""Proofs that cite this many statements or more are counted together."""


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """The paper's statistics of one corpus; empty where there are none."""

    counts: dict[str, int] = field(default_factory=dict)
    lengths: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    """By ``part/measure``: mean and quartiles."""
    retrieval: dict[str, int | float] = field(default_factory=dict)


@cache
def _all_figures() -> dict[str, PaperFigures]:
    text = files("naturalproofs.data").joinpath("paper-statistics.toml").read_text("utf-8")
    return msgspec.convert(decode_toml(text), dict[str, PaperFigures])


def paper_figures(source: str) -> PaperFigures:
    """The statistics of a source (``stacks``, ``trench`` …); empty if the paper has none."""
    return _all_figures().get(source, PaperFigures())


@dataclass(frozen=True, slots=True)
class SplitStatistics:
    """One part of a split."""

    examples: int
    references: int
    """The number of candidates."""
    references_per_example: float
    """Mean number of citations per proof, with repeats."""


@dataclass(frozen=True, slots=True)
class GraphStatistics:
    """The shape of the reference graph."""

    nodes: int
    """Statements with at least one edge."""
    edges: int
    statement_edges: int
    proof_edges: int
    leaves: int
    heads: int
    mutual_pairs: int
    cycles: int
    """Strongly connected components of more than one statement."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of one corpus."""

    corpus: str
    source: str
    paper: str
    """The name under which the paper reports it; empty if it does not."""
    rules: str
    licence: str
    theorems: int
    definitions: int
    others: int
    proofs: int
    examples: int
    references: int
    """The number of statements."""
    split_recipe: str
    splits: dict[str, SplitStatistics]
    graph: GraphStatistics
    lengths: dict[str, dict[str, Distribution]]
    resolution: Resolution | None
    categories: dict[str, int]
    outside: OutsideCounts
    """What it uses of other works."""


def statistics(corpus: Corpus, splits: Splits) -> Statistics:
    """Compute the statistics of one corpus."""
    return Statistics(
        corpus=corpus.name,
        source=corpus.provenance.source,
        paper=paper_key(corpus.provenance),
        rules=corpus.provenance.rules,
        licence=corpus.provenance.licence,
        **counts(corpus),
        references=len(corpus.statements),
        split_recipe=splits.recipe,
        splits=split_statistics(corpus, splits),
        graph=graph_statistics(ReferenceGraph.of(corpus)),
        lengths=lengths([corpus]),
        resolution=corpus.resolution,
        categories=dict(Counter(c for s in corpus.statements for c in s.categories).most_common()),
        outside=outside_counts(use for s in corpus.statements for use in outside_uses(s)),
    )


def split_statistics(corpus: Corpus, splits: Splits) -> dict[str, SplitStatistics]:
    """The sizes of train, valid and test."""
    cited = {(example.theorem, example.proof): len(example.references) for example in corpus.examples}
    found: dict[str, SplitStatistics] = {}
    for name in SPLIT_NAMES:
        part = splits.part(name)
        total = sum(cited.get(pair, 0) for pair in part.examples)
        size = len(part.examples)
        references = len(corpus.statements) - len(part.absent)
        found[name] = SplitStatistics(size, references, total / size if size else 0.0)
    return found


def references_per_proof(corpus: Corpus) -> dict[str, int]:
    """How many proofs cite how many statements, repeats included; the largest numbers are counted together."""
    counts = Counter(len(proof.references) for statement in corpus.statements for proof in statement.proofs)
    longest = max(counts, default=0)
    last = min(longest, LARGEST_NUMBER)
    name = f"{last}+" if longest > last else str(last)
    return {str(k): counts[k] for k in range(last)} | {name: sum(n for k, n in counts.items() if k >= last)}


def in_degrees(graph: ReferenceGraph) -> dict[int, int]:
    """How many statements are used by how many others, in the order of the latter."""
    return dict(sorted(Counter(len(graph.used_by.get(node, ())) for node in graph.nodes).items()))


def graph_statistics(graph: ReferenceGraph) -> GraphStatistics:
    """The sizes of a graph."""
    return GraphStatistics(
        nodes=len(graph.connected),
        edges=graph.edge_count,
        statement_edges=sum(map(len, graph.statement_uses.values())),
        proof_edges=sum(map(len, graph.proof_uses.values())),
        leaves=len(graph.leaves),
        heads=len(graph.heads),
        mutual_pairs=len(graph.mutual_pairs),
        cycles=sum(len(component) > 1 for component in components(graph)),
    )


_COUNTS = {"theorem": "theorems", "definition": "definitions", "other": "others", "proof": "proofs"}


def dataset_table(measured: Sequence[Statistics]) -> Table:
    """Counts and mean lengths: the paper's first table."""
    rows: list[tuple[Cell, ...]] = []
    for part in PARTS:
        for measure in ("N", *MEASURES[1:]):
            cells: list[Cell] = [f"{part} {measure}"]
            for one in measured:
                cells.extend(_dataset_cells(one, part, measure))
            if len(measured) > 1:
                cells.append(_pooled(measured, part, measure))
            rows.append(tuple(cells))
    columns = ["", *(name for one in measured for name in _headings(one)), *(["all"] if len(measured) > 1 else [])]
    note = "N is a count; the other rows are means. Tokens are separated by white space."
    return Table("Statements and proofs", tuple(columns), tuple(rows), note)


def detail_table(one: Statistics) -> Table:
    """Mean and quartiles of every length: the paper's detailed table."""
    paper = paper_figures(one.paper).lengths
    rows: list[tuple[Cell, ...]] = []
    for part in PARTS:
        for measure in MEASURES:
            own = one.lengths[part][measure]
            if not own.count:
                continue
            cells: list[Cell] = [f"{part} {measure}", own.mean, own.p25, own.p50, own.p75]
            rows.append((*cells, *paper.get(f"{part}/{measure}", (None,) * 4)) if paper else tuple(cells))
    heads = ("mean", "25 %", "50 %", "75 %")
    columns = ("", *heads, *(f"paper {head}" for head in heads)) if paper else ("", *heads)
    return Table(f"Lengths in {one.corpus} ({one.rules} rules)", columns, tuple(rows))


def retrieval_table(measured: Sequence[Statistics]) -> Table:
    """Examples and references by split: the paper's retrieval table."""
    rows: list[tuple[Cell, ...]] = []
    for group in ("examples", "refs", "refs_per_example"):
        for split in ("total", "train", "valid", "test"):
            if split == "total" and group != "examples":
                continue
            cells: list[Cell] = [f"{group.replace('_', ' ')} {split}"]
            for one in measured:
                cells.append(_retrieval_cell(one, group, split))
                if _has_paper(one):
                    cells.append(paper_figures(one.paper).retrieval.get(f"{group}/{split}"))
            rows.append(tuple(cells))
    columns = ("", *(name for one in measured for name in _headings(one)))
    recipes = "; ".join(f"{one.corpus}: {one.split_recipe}" for one in measured)
    return Table("Retrieval examples", columns, tuple(rows), f"Splits: {recipes}.")


def graph_table(measured: Sequence[Statistics]) -> Table:
    """The reference graph and the resolution of mentions."""
    names = ("nodes", "edges", "statement_edges", "proof_edges", "leaves", "heads", "mutual_pairs", "cycles")
    rows: list[tuple[Cell, ...]] = [
        (name.replace("_", " "), *(getattr(one.graph, name) for one in measured)) for name in names
    ]
    resolutions = [one.resolution for one in measured]
    rows.append(("mentions", *(r.mentions if r else None for r in resolutions)))
    rows.append(("resolved to a statement", *(r.references if r else None for r in resolutions)))
    reasons = dict.fromkeys(reason for r in resolutions if r for reason in r.unresolved)
    rows.extend(
        (f"not resolved: {reason}", *(r.unresolved.get(reason, 0) if r else None for r in resolutions))
        for reason in reasons
    )
    if any(one.outside.uses for one in measured):
        rows.append(("other works cited", *(one.outside.works for one in measured)))
        rows.append(("results of other works used", *(one.outside.results for one in measured)))
        rows.append(("statements that use other works", *(one.outside.statements for one in measured)))
    return Table("Reference graph", ("", *(one.corpus for one in measured)), tuple(rows))


def all_tables(measured: Sequence[Statistics]) -> list[Table]:
    """All tables; those that compare corpora come first."""
    return [
        dataset_table(measured),
        retrieval_table(measured),
        graph_table(measured),
        *(detail_table(one) for one in measured),
    ]


def _has_paper(one: Statistics) -> bool:
    return paper_figures(one.paper) != PaperFigures()


def _headings(one: Statistics) -> list[str]:
    return [one.corpus, "paper"] if _has_paper(one) else [one.corpus]


def _dataset_cells(one: Statistics, part: str, measure: str) -> list[Cell]:
    empty = getattr(one, _COUNTS[part]) == 0
    own: Cell = getattr(one, _COUNTS[part]) if measure == "N" else one.lengths[part][measure].mean
    cells: list[Cell] = [None if empty else own]
    if _has_paper(one):
        figures = paper_figures(one.paper)
        lengths = figures.lengths.get(f"{part}/{measure}")
        cells.append(figures.counts.get(part) if measure == "N" else lengths[0] if lengths else None)
    return cells


def _pooled(measured: Sequence[Statistics], part: str, measure: str) -> Cell:
    if measure == "N":
        return sum(int(getattr(one, _COUNTS[part])) for one in measured)
    found = [one.lengths[part][measure] for one in measured]
    total = sum(own.count for own in found)
    return sum(own.mean * own.count for own in found) / total if total else None


def _retrieval_cell(one: Statistics, group: str, split: str) -> Cell:
    if split == "total":
        return one.examples
    part = one.splits[split]
    if not part.examples:
        return None
    return {"examples": part.examples, "refs": part.references, "refs_per_example": part.references_per_example}[group]


# The dataset card of a corpus: contents, provenance, licence, statistics and known limits.

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


def _two_columns(left: str, right: str, rows: list[tuple[str, str]] | tuple[tuple[str, str], ...]) -> str:
    body = "\n".join(f"| {name} | {value.replace('|', chr(92) + '|')} |" for name, value in rows)
    return f"| {left} | {right} |\n| --- | --- |\n{body}"
