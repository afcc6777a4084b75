"""``naturalproofs reproduce``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, say, table_format_option, telling

GENERATION = "generation/stacks/valid"


@click.command(name="reproduce")
@click.argument("corpora", type=PATH, nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--table",
    "tables",
    multiple=True,
    help="Only these, such as retrieval/stacks/test.  [default: all for the corpora]",
)
@click.option("-o", "--output", type=PATH, default=Path("reproduction"), show_default=True, help="Where runs are kept.")
@click.option("--seed", default=0, show_default=True, help="For what is random.")
@click.option("--train", is_flag=True, help="Also train the models that are not in the output folder yet: hours.")
@table_format_option
def command(
    corpora: tuple[Path, ...], tables: tuple[str, ...], output: Path, seed: int, train: bool, style: str
) -> None:
    """Compute the paper's tables anew, its values beside ours.

    A CORPUS is told by its source (stacks, trench, stein). Runs are kept in the output folder: what is there already is
    not computed again, so an interrupted reproduction goes on where it stopped. Rows of models that are trained for
    long are shown once the models are there: train them here with --train.

    \b
    naturalproofs build stacks stacks-project -o stacks --rules paper
    naturalproofs reproduce stacks
    """
    import msgspec

    from naturalproofs.corpus import store
    from naturalproofs.errors import UnknownName
    from naturalproofs.experiments.generation import generation_rows
    from naturalproofs.experiments.reproduce import Workbench
    from naturalproofs.experiments.reproduction import PLANS
    from naturalproofs.report.corrections import corrections_table
    from naturalproofs.report.reproduction import generation_table, reproduction_data, reproduction_table
    from naturalproofs.report.statistics import statistics
    from naturalproofs.report.statistics_tables import all_tables
    from naturalproofs.report.table import Table, render
    from naturalproofs.tasks.make import load_folder

    folders = {store.load_manifest(folder).provenance.source: folder for folder in corpora}
    dataset = {f"statistics/{source}": source for source in folders}
    known = {**dataset, **{key: plan.corpus for key, plan in PLANS.items()}, GENERATION: "stacks"}
    wanted = [key for key, source in known.items() if (key in tables if tables else source in folders)]
    unknown = [name for name in tables if name not in known]
    if unknown or not wanted:
        named = f"{', '.join(unknown)}: " if unknown else ""
        raise UnknownName(f"{named}no such table for these corpora; there are: {', '.join(known)}")
    opened = {source: load_folder(folder) for source, folder in folders.items()}
    data: list[object] = []
    for key in wanted:
        if known[key] not in folders:
            raise UnknownName(f"{key} needs a corpus of the source {known[key]!r}; build it and name it")
        corpus, splits = opened[known[key]]
        extra: list[Table] = []
        with telling() as tell:
            bench = Workbench(opened, output, seed, train, tell)
            if key in dataset:
                measured = statistics(corpus, splits)
                table, *extra = all_tables([measured])
                data.append({"table": "statistics", **measured.to_dict()})
            elif key == GENERATION:
                rows = list(generation_rows(bench, known[key], "valid"))
                table = generation_table(corpus, "valid", rows)
                data.append({"table": "generation", "corpus": corpus.name, "split": "valid", "rows": rows})
            else:
                plan, outcomes = PLANS[key], []
                for outcome in bench.reproduce(plan):
                    outcomes.append(outcome)
                    how = f"{outcome.manifest.seconds:.1f} s" if outcome.fresh else "kept"
                    say(f"{key}: {outcome.row.label} ({outcome.row.protocol}): {how}")
                table = reproduction_table(plan, outcomes, corpus, intervals=style != "text")
                data.append(reproduction_data(plan, outcomes, corpus))
                if plan.name == "retrieval":
                    extra.append(corrections_table(corpus, plan.split, outcomes))
        if style != "json":
            click.echo(render([table, *extra], style) + "\n")
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
