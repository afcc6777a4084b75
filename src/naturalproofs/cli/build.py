"""``naturalproofs build``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from naturalproofs.cli.options import (
    PATH,
    budget_option,
    echo,
    info,
    older_option,
    output_option,
    progress_bar,
    split_seed_option,
)
from naturalproofs.source import SOURCES

if TYPE_CHECKING:
    from naturalproofs.records import Rules

DIAGNOSTICS_SHOWN = 10


@click.command(name="build")
@click.argument("source", type=click.Choice(list(SOURCES)), metavar="SOURCE")
@click.argument("path", type=PATH)
@output_option
@click.option("--name", help="Name of the corpus, the prefix of every id.  [default: the name of the output]")
@click.option(
    "--rules",
    type=click.Choice(["fixed", "paper"]),
    default="fixed",
    show_default=True,
    help="'paper' reproduces the original parser, including its errors.",
)
@click.option(
    "--split", "recipe", default="", help="leaf, layers, test-only or temporal.  [default: depends on the source]"
)
@split_seed_option
@budget_option
@older_option
@click.option(
    "--environments",
    multiple=True,
    metavar="NAME=KIND",
    help="Kind of a LaTeX environment: theorem, definition, other, proof or ignore; may be repeated.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
def command(
    source: str,
    path: Path,
    output: Path,
    name: str | None,
    rules: Rules,
    recipe: str,
    seed: int,
    budget: float,
    older: Path | None,
    environments: tuple[str, ...],
    quiet: bool,
) -> None:
    """Build a corpus with a reference graph and splits from a source.

    SOURCE is the type of PATH: latex (any LaTeX project), proofwiki (a MediaWiki export), stacks, trench, stein, or
    naturalproofs-json (a published file). The corpus is a folder of JSON lines with a manifest; an existing corpus at
    the output path is replaced.

    \b
    naturalproofs build latex my-thesis/ -o thesis
    naturalproofs build stacks stacks-project/ -o stacks
    """
    from dataclasses import replace

    from naturalproofs.latex.project import LATEX
    from naturalproofs.source import source as find_source
    from naturalproofs.tasks.make import Recipe, make_corpus

    chosen = find_source(source)
    if environments:
        if source != "latex":
            raise click.UsageError("--environments is only for the source latex")
        chosen = replace(LATEX, environments=_pairs(environments))
    plan = Recipe(recipe, seed, budget, older)
    with progress_bar(f"Reading {path}") as progress:
        built, manifest = make_corpus(
            chosen, path, output, name=name or output.name, rules=rules, recipe=plan, progress=progress
        )
    if quiet:
        return
    diagnostics = built.diagnostics
    for diagnostic in diagnostics[:DIAGNOSTICS_SHOWN]:
        info(str(diagnostic))
    if len(diagnostics) > DIAGNOSTICS_SHOWN:
        info(f"… and {len(diagnostics) - DIAGNOSTICS_SHOWN:,} more in {output / 'diagnostics.jsonl'}")
    counts = ", ".join(f"{number:,} {what}" for what, number in manifest.counts.items() if number)
    echo(f"{output}: {counts}")
    resolution = built.corpus.resolution
    if resolution is not None:
        undefined = resolution.unresolved.get("undefined", 0)
        broken = f"; {undefined:,} cite an undefined label (see {output / 'unresolved.jsonl'})" if undefined else ""
        echo(f"{resolution.references:,} of {resolution.mentions:,} citations resolve to a statement{broken}")


def _pairs(choices: tuple[str, ...]) -> dict[str, Any]:
    """Parse ``name=kind`` options; the source checks the kinds."""
    pairs = [choice.partition("=") for choice in choices]
    if wrong := next((choice for choice, (_, sign, _) in zip(choices, pairs, strict=True) if not sign), None):
        raise click.UsageError(f"--environments {wrong!r}: write NAME=KIND, such as satz=theorem")
    return {name.strip(): kind.strip() for name, _, kind in pairs}
