"""``naturalproofs merge``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, output_option


@click.command(name="merge")
@click.argument("corpora", type=PATH, nargs=-1, required=True)
@click.option("--name", default="", help="Name of the merged corpus.  [default: the parts' names with a + between]")
@click.option("--take", metavar="NAME", help="Take the corpus of that name out of a merged one.")
@output_option
def command(corpora: tuple[Path, ...], name: str, take: str | None, output: Path) -> None:
    """Put several corpora into one, or take one out again.

    Ids stay as they are, splits are joined part by part, and published integers go on where the corpus before ends,
    as in the paper's merged corpus of ProofWiki and Stacks. What is taken out is exactly what went in.

    \b
    naturalproofs merge proofwiki stacks -o both --name P+S
    naturalproofs merge both --take stacks -o stacks-again
    """
    from naturalproofs.tasks.merge import extract_folder, merge_folders

    if take is not None and (len(corpora) != 1 or name):
        raise click.UsageError("--take needs one merged corpus and no --name")
    manifest = extract_folder(corpora[0], output, take) if take is not None else merge_folders(corpora, output, name)
    counts = ", ".join(f"{number:,} {what}" for what, number in manifest.counts.items() if number)
    click.echo(f"{output}: {manifest.name}: {counts}")
