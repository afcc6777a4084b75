"""``naturalproofs reproduce``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, say


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
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "csv", "latex", "markdown", "html"]),
    default="text",
    show_default=True,
    help="How to print the tables.",
)
def command(corpora: tuple[Path, ...], tables: tuple[str, ...], output: Path, seed: int, style: str) -> None:
    """Compute the paper's tables anew, its values beside ours.

    A CORPUS is told by its source (stacks, trench, stein). Runs are kept in the output folder: what is there already is
    not computed again, so an interrupted reproduction goes on where it stopped.

    \b
    naturalproofs build stacks stacks-project -o stacks --rules paper
    naturalproofs reproduce stacks
    """
    import msgspec

    from naturalproofs.corpus import store
    from naturalproofs.errors import UnknownName
    from naturalproofs.experiments.reproduce import reproduce
    from naturalproofs.experiments.reproduction import PLANS
    from naturalproofs.report.reproduction import reproduction_data, reproduction_table
    from naturalproofs.report.table import FORMATS
    from naturalproofs.tasks.make import load_splits

    folders = {store.load_manifest(folder).provenance.source: folder for folder in corpora}
    wanted = [plan for plan in PLANS.values() if (plan.key in tables if tables else plan.corpus in folders)]
    unknown = [name for name in tables if name not in PLANS]
    if unknown or not wanted:
        raise UnknownName(
            f"no such table for these corpora: {', '.join(unknown) or 'none'}; there are: {', '.join(PLANS)}"
        )
    data = []
    for plan in wanted:
        if plan.corpus not in folders:
            raise UnknownName(f"{plan.key} needs a corpus of the source {plan.corpus!r}; build it and name it")
        folder = folders[plan.corpus]
        corpus, splits = store.load(folder), load_splits(folder)
        outcomes = []
        for outcome in reproduce(plan, corpus, splits, output, seed=seed):
            outcomes.append(outcome)
            how = f"{outcome.manifest.seconds:.1f} s" if outcome.fresh else "kept"
            say(f"{plan.key}: {outcome.row.label} ({outcome.row.protocol}): {how}")
        if style == "json":
            data.append(reproduction_data(plan, outcomes))
        else:
            click.echo(FORMATS[style](reproduction_table(plan, outcomes, corpus.provenance.rules)) + "\n")
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
