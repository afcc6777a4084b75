"""The paper's three dataset tables, for any corpora, with the paper's value beside ours where there is one."""

from collections.abc import Sequence

from naturalproofs.corpus.statistics import MEASURES, PARTS
from naturalproofs.report.paper import PaperFigures, paper_figures
from naturalproofs.report.statistics import Statistics
from naturalproofs.report.table import Cell, Table

_COUNTS = {"theorem": "theorems", "definition": "definitions", "other": "others", "proof": "proofs"}


def dataset_table(measured: Sequence[Statistics]) -> Table:
    """Counts and mean lengths (the paper's first table)."""
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
    """Mean and quartiles of every length (the paper's detailed table)."""
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
    """Examples and references by split (the paper's retrieval table)."""
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
    """The reference graph and how its references were resolved."""
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
    return Table("Reference graph", ("", *(one.corpus for one in measured)), tuple(rows))


def all_tables(measured: Sequence[Statistics]) -> list[Table]:
    """Every table, those that compare corpora first."""
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
