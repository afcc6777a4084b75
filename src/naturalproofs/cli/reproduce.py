"""``naturalproofs reproduce``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, echo, echo_json, info, progress_bar, seed_option, table_format_option

GENERATION = {
    f"generation/{source}/{split}": source for source in ("stacks", "proofwiki") for split in ("test", "valid")
}


@click.command()
@click.argument("corpora", type=PATH, nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--table",
    "tables",
    multiple=True,
    help="Only these tables, such as retrieval/stacks/test.  [default: all for the corpora]",
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
    from dataclasses import asdict, replace

    from naturalproofs.corpus import store
    from naturalproofs.corpus.statistics import paper_key
    from naturalproofs.errors import UnknownName
    from naturalproofs.experiments.generation import generation_rows
    from naturalproofs.experiments.plans import PLANS, TEMPORAL
    from naturalproofs.experiments.reproduce import Reproduction
    from naturalproofs.report.reproduction import (
        corrections_table,
        generation_table,
        reproduction_data,
        reproduction_table,
    )
    from naturalproofs.report.statistics import all_tables, statistics
    from naturalproofs.report.table import Table, render
    from naturalproofs.tasks.make import load_folder

    provenances = {folder: store.load_manifest(folder).provenance for folder in corpora}
    folders = {paper_key(about) or about.source: folder for folder, about in provenances.items()}
    dataset = {f"statistics/{source}": source for source in folders}
    known = dataset | {k: plan.corpus for k, plan in PLANS.items() if older or plan.name != TEMPORAL} | GENERATION
    wanted = [key for key, source in known.items() if (key in tables if tables else source in folders)]
    unknown = [name for name in tables if name not in known]
    if unknown or not wanted:
        raise UnknownName(
            "".join(f"{name}: " for name in unknown) + f"no such table for these corpora; available: {', '.join(known)}"
        )
    opened, data = {source: load_folder(folder) for source, folder in folders.items()}, list[object]()
    whole = Reproduction(opened, output, seed, train, older=store.load(older) if older else None)
    for key in wanted:
        if known[key] not in folders:
            raise UnknownName(f"{key} needs a corpus of the source {known[key]!r}; build it and pass it")
        corpus, splits = opened[known[key]]
        extra: list[Table] = []
        with progress_bar(key) as progress:
            reproduction = replace(whole, progress=progress)
            if key in dataset:
                measured = statistics(corpus, splits)
                table, *extra = all_tables([measured])
                data.append({"table": "statistics", **asdict(measured)})
            elif key in GENERATION:
                name, source, split = key.split("/")
                rows = list(generation_rows(reproduction, source, split))
                table = generation_table(corpus, split, rows)
                data.append({"table": name, "corpus": corpus.name, "split": split, "rows": rows})
            else:
                plan, outcomes = PLANS[key], []
                for outcome in reproduction.outcomes(plan):
                    outcomes.append(outcome)
                    seconds = f"{outcome.run.seconds:.1f} s" if outcome.fresh else "cached"
                    info(f"{key}: {outcome.row.label} ({outcome.row.protocol}): {seconds}")
                table = reproduction_table(plan, outcomes, corpus, intervals=style != "text")
                data.append(reproduction_data(plan, outcomes, corpus))
                if plan.name == "retrieval":
                    extra.append(corrections_table(corpus, plan.split, outcomes))
        if style != "json":
            echo(render([table, *extra], style) + "\n")
    if style == "json":
        echo_json(data)
