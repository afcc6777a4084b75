"""``naturalproofs merge``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, echo, output_option


@click.command(name="merge")
@click.argument("corpora", type=PATH, nargs=-1, required=True)
@click.option("--name", default="", help="Name of the merged corpus.  [default: the names of the parts joined by +]")
@click.option("--take", metavar="NAME", help="Extract the corpus of that name from a merged one.")
@output_option
def command(corpora: tuple[Path, ...], name: str, take: str | None, output: Path) -> None:
    """Merge corpora, or extract one from a merged corpus.

    Ids are unchanged, splits are concatenated, and integer ids of published files are shifted, as in the paper's merged
    corpus of ProofWiki and Stacks. An extracted corpus equals the one that was merged.

    \b
    naturalproofs merge proofwiki stacks -o both --name P+S
    naturalproofs merge both --take stacks -o stacks-again
    """
    from naturalproofs.tasks.merge import extract_folder, merge_folders

    if take is not None and (len(corpora) != 1 or name):
        raise click.UsageError("--take needs one merged corpus and no --name")
    manifest = extract_folder(corpora[0], output, take) if take is not None else merge_folders(corpora, output, name)
    counts = ", ".join(f"{number:,} {what}" for what, number in manifest.counts.items() if number)
    echo(f"{output}: {manifest.name}: {counts}")
