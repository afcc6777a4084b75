"""``naturalproofs split``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import (
    budget_option,
    corpus_argument,
    echo,
    older_option,
    output_option,
    split_seed_option,
)


@click.command(name="split")
@corpus_argument
@click.option(
    "--recipe",
    type=click.Choice(["leaf", "layers", "test-only", "temporal"]),
    required=True,
    help="leaf: all theorems that no proof cites are for evaluation. layers: a limited number of them, spread over the "
    "layers of the graph. test-only: all are for testing. temporal: what an older corpus lacks is for evaluation.",
)
@split_seed_option
@budget_option
@older_option
@output_option
def command(corpus: Path, recipe: str, seed: int, budget: float, older: Path | None, output: Path) -> None:
    """Split a corpus by another recipe.

    Writes a corpus folder with the same statements and new splits, checked for leaks.

    \b
    naturalproofs split stacks --recipe layers --budget 500 -o stacks-small-eval
    """
    from naturalproofs.tasks.make import Recipe, resplit

    splits = resplit(corpus, output, Recipe(recipe, seed, budget, older))
    sizes = ", ".join(f"{name} {len(splits.part(name).examples):,}" for name in ("train", "valid", "test"))
    echo(f"{output}: {splits.recipe}: {sizes} examples")
