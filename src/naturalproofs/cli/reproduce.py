"""``naturalproofs reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, echo, echo_json, info, progress_bar, seed_option, table_format_option

if TYPE_CHECKING:
    from naturalproofs.experiments.reproduce import Reproduction
    from naturalproofs.report.table import Table

GENERATION = {
    f"generation/{source}/{split}": source for source in ("stacks", "proofwiki") for split in ("test", "valid")
}


@click.command()
@click.argument("corpora", type=PATH, nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--table",
    "tables",
    multiple=True,
    help="Only these tables, such as retrieval/stacks (test, and valid beside it).  [default: all for the corpora]",
)
@click.option(
    "-o",
    "--output",
    type=PATH,
    default=Path("reproduction"),
    show_default=True,
    help="Folder for runs and models, reused by the next call.",
)
@click.option(
    "--older", type=PATH, metavar="CORPUS", help="An older version of the Stacks corpus, for temporal tables."
)
@seed_option
@click.option("--train", is_flag=True, help="Also train missing models; takes hours.")
@table_format_option
def reproduce(
    corpora: tuple[Path, ...],
    tables: tuple[str, ...],
    output: Path,
    older: Path | None,
    seed: int,
    train: bool,
    style: str,
) -> None:
    """Reproduce the paper's tables, its values beside ours.

    A CORPUS is identified by its source: stacks, trench, stein, or the published file of ProofWiki. Runs are saved in
    the output folder and reused, so an interrupted reproduction can be resumed. Rows of models that take long to train
    are left out until the models are in the output folder; train them with --train.

    \b
    naturalproofs build stacks stacks-project -o stacks --rules paper
    naturalproofs build naturalproofs-json naturalproofs_proofwiki.json -o proofwiki --split layers --budget 0.15
    naturalproofs reproduce stacks proofwiki
    """
    from dataclasses import replace

    from naturalproofs.corpus import store
    from naturalproofs.corpus.statistics import paper_key
    from naturalproofs.errors import NotGiven, UnknownName
    from naturalproofs.experiments.plans import PLANS, TEMPORAL
    from naturalproofs.experiments.reproduce import Reproduction
    from naturalproofs.report.reproduction import halves_together
    from naturalproofs.report.table import render
    from naturalproofs.tasks.make import load_folder

    provenances = {folder: store.load_manifest(folder).provenance for folder in corpora}
    folders = {paper_key(about) or about.source: folder for folder, about in provenances.items()}
    reported = {plan.corpus for plan in PLANS.values()} | {*GENERATION.values()}
    for source in folders.keys() - reported:
        info(f"{folders[source]}: the paper has no tables for the source {source!r}; only statistics follow")
    dataset = {f"statistics/{source}": source for source in folders}
    known = dataset | {k: plan.corpus for k, plan in PLANS.items() if older or plan.name != TEMPORAL} | GENERATION
    wanted = [key for key, source in known.items() if (_asked(key, tables) if tables else source in folders)]
    unknown = [name for name in tables if not any(_asked(key, (name,)) for key in known)]
    if unknown or not wanted:
        raise UnknownName(
            "".join(f"{name}: " for name in unknown) + f"no such table for these corpora; available: {', '.join(known)}"
        )
    opened = {source: load_folder(folder) for source, folder in folders.items()}
    whole = Reproduction(opened, output, seed, train, older=store.load(older) if older else None)
    data: list[object] = []
    waiting: list[Table] = []
    for key, following in zip(wanted, [*wanted[1:], ""], strict=True):
        if known[key] not in folders:
            raise NotGiven(f"{key} needs a corpus of the source {known[key]!r}; build it and pass it")
        with progress_bar(key) as progress:
            made, values = _computed(key, replace(whole, progress=progress), known[key], intervals=style != "text")
        data.append(values)
        if key.endswith("/test") and following == f"{key.removesuffix('test')}valid":
            waiting = made
            continue
        shown = [halves_together(*both) for both in zip(waiting, made, strict=True)] if waiting else made
        waiting = []
        if style != "json":
            echo(render(shown, style) + "\n")
    if style == "json":
        echo_json(data)


def _asked(key: str, names: tuple[str, ...]) -> bool:
    """Whether a table is among those that were named; a name without split stands for both halves."""
    return key in names or (key.endswith(("/test", "/valid")) and key.rpartition("/")[0] in names)


def _computed(key: str, reproduction: Reproduction, source: str, *, intervals: bool) -> tuple[list[Table], object]:
    """The tables of a key, and their values for JSON."""
    from dataclasses import asdict

    from naturalproofs.experiments.generation import generation_rows
    from naturalproofs.experiments.plans import PLANS
    from naturalproofs.report.reproduction import (
        corrections_table,
        generation_table,
        reproduction_data,
        reproduction_table,
    )
    from naturalproofs.report.statistics import all_tables, statistics

    corpus, splits = reproduction.corpora[source]
    name, *_, split = key.split("/")
    if name == "statistics":
        measured = statistics(corpus, splits)
        return list(all_tables([measured])), {"table": name, **asdict(measured)}
    if name == "generation":
        rows = list(generation_rows(reproduction, source, split))
        values = {"table": name, "corpus": corpus.name, "split": split, "rows": rows}
        return [generation_table(corpus, split, rows)], values
    plan, outcomes = PLANS[key], []
    for outcome in reproduction.outcomes(plan):
        outcomes.append(outcome)
        seconds = f"{outcome.run.seconds:.1f} s" if outcome.fresh else "cached"
        info(f"{key}: {outcome.row.label} ({outcome.row.protocol}): {seconds}")
    tables = [reproduction_table(plan, outcomes, corpus, reproduction.corpora, intervals=intervals)]
    if plan.name == "retrieval":
        tables.append(corrections_table(corpus, plan.split, outcomes))
    return tables, reproduction_data(plan, outcomes, corpus)
