"""``naturalproofs split``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, corpus_argument, output_option


@click.command(name="split")
@corpus_argument
@click.option(
    "--recipe",
    type=click.Choice(["leaf", "layers", "test-only", "temporal"]),
    required=True,
    help="leaf: every theorem nobody uses is for evaluation. layers: a budget of them, spread over the graph's layers. "
    "test-only: all is for testing. temporal: what an older corpus does not have is for evaluation.",
)
@click.option(
    "--seed", default=42, show_default=True, help="Which half of the evaluation theorems is valid, which test."
)
@click.option(
    "--budget", default=2200.0, show_default="2200", help="Evaluation theorems of a 'layers' split; below 1, a share."
)
@click.option("--older", type=PATH, help="An older corpus of the same source, for a 'temporal' split.")
@output_option
def command(corpus: Path, recipe: str, seed: int, budget: float, older: Path | None, output: Path) -> None:
    """Split a corpus anew, by another recipe.

    Writes a corpus folder with the same statements and the new splits, checked for leaks.

    \b
    naturalproofs split stacks --recipe layers --budget 500 -o stacks-small-eval
    """
    from naturalproofs.tasks.make import Recipe, resplit

    splits = resplit(corpus, output, Recipe(recipe, seed, budget, older))
    sizes = ", ".join(f"{name} {len(splits.part(name).examples):,}" for name in ("train", "valid", "test"))
    click.echo(f"{output}: {splits.recipe}: {sizes} examples")
