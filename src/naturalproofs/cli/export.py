"""``naturalproofs export``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument, output_option
from naturalproofs.tasks.exports.formats import FORMATS


@click.command(name="export")
@corpus_argument
@click.option("--to", "target", type=click.Choice(list(FORMATS)), required=True, help="The format.")
@click.option(
    "--extras/--no-extras",
    default=True,
    show_default=True,
    help="Keep what naturalproofs-json has no field for under the key 'extra', so that reading it back loses nothing.",
)
@output_option
def command(corpus: Path, target: str, extras: bool, output: Path) -> None:
    """Write a corpus in another format.

    \b
    naturalproofs-json  one file in the paper's schema: code written for the original reads it unchanged
    beir                a folder for retrieval benchmarks: passages, queries, judgements
    trec                a folder for trec_eval and its kin: passages, topics, qrels
    huggingface         a folder of Parquet files that 'datasets' loads, with a dataset card
    graphml             one file with the reference graph

    A query is a theorem's title and text, never its proof. A folder that is already there is replaced only if
    this command made it and nobody changed it since; a file, only if it is of the same format.

    \b
    naturalproofs export stacks --to naturalproofs-json -o naturalproofs_stacks.json
    naturalproofs export stacks --to beir -o stacks-beir
    """
    from naturalproofs.tasks.exports.formats import Request, export
    from naturalproofs.tasks.make import load_folder

    told = export(target)(Request(*load_folder(corpus), output, extras))
    click.echo(f"{output}: {told} ({target})")
