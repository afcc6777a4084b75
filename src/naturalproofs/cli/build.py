"""``naturalproofs build``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from naturalproofs.cli.options import PATH, output_option, progress_bar, say
from naturalproofs.source import SOURCES

if TYPE_CHECKING:
    from naturalproofs.records import Rules

DIAGNOSTICS_SHOWN = 10


@click.command(name="build")
@click.argument("source", type=click.Choice(list(SOURCES)), metavar="SOURCE")
@click.argument("path", type=PATH)
@output_option
@click.option("--name", help="Name of the corpus, the first part of every id.  [default: the output's name]")
@click.option(
    "--rules",
    type=click.Choice(["fixed", "paper"]),
    default="fixed",
    show_default=True,
    help="'paper' reproduces the original parser, its faults included.",
)
@click.option(
    "--split", "recipe", default="", help="leaf, layers, test-only or temporal.  [default: as usual for the source]"
)
@click.option(
    "--seed", default=42, show_default=True, help="Which half of the evaluation theorems is valid, which test."
)
@click.option(
    "--budget", default=2200.0, show_default="2200", help="Evaluation theorems of a 'layers' split; below 1, a share."
)
@click.option("--older", type=PATH, help="An older corpus of the same source, for a 'temporal' split.")
@click.option(
    "--environments",
    multiple=True,
    metavar="NAME=KIND",
    help="What an environment of a LaTeX project holds: theorem, definition, other, proof or ignore; may be repeated.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
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
    """Turn a source into a corpus with a reference graph and splits.

    SOURCE says what PATH holds: latex (any LaTeX project), proofwiki (a MediaWiki export), stacks, trench, stein, or
    naturalproofs-json (a published file). The corpus is a folder of JSON lines with a manifest; an older corpus at the
    same place is replaced.

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
            raise click.UsageError("--environments is for the source latex; the others know their own")
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
        say(str(diagnostic))
    if len(diagnostics) > DIAGNOSTICS_SHOWN:
        say(f"… and {len(diagnostics) - DIAGNOSTICS_SHOWN:,} more in {output / 'diagnostics.jsonl'}")
    counts = ", ".join(f"{number:,} {what}" for what, number in manifest.counts.items() if number)
    click.echo(f"{output}: {counts}")
    resolution = built.corpus.resolution
    if resolution is not None:
        undefined = resolution.unresolved.get("undefined", 0)
        broken = f"; {undefined:,} name no label (see {output / 'unresolved.jsonl'})" if undefined else ""
        click.echo(f"{resolution.references:,} of {resolution.mentions:,} citations lead to a statement{broken}")


def _pairs(choices: tuple[str, ...]) -> dict[str, Any]:
    """``name=kind`` as a mapping; the source says which kinds there are."""
    pairs = [choice.partition("=") for choice in choices]
    if wrong := next((choice for choice, (_, sign, _) in zip(choices, pairs, strict=True) if not sign), None):
        raise click.UsageError(f"--environments {wrong!r}: write NAME=KIND, such as satz=theorem")
    return {name.strip(): kind.strip() for name, _, kind in pairs}
