"""``naturalproofs export``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument, echo, output_option
from naturalproofs.tasks.exports import FORMATS


@click.command(name="export")
@corpus_argument
@click.option("--to", "target", type=click.Choice(list(FORMATS)), required=True, help="Target format.")
@click.option(
    "--extras/--no-extras",
    default=True,
    show_default=True,
    help="Keep fields that naturalproofs-json lacks under the key 'extra', so that importing it again is lossless.",
)
@output_option
def command(corpus: Path, target: str, extras: bool, output: Path) -> None:
    """Write a corpus in another format.

    \b
    naturalproofs-json  one file in the paper's schema, readable by code written for the original dataset
    beir                a folder for retrieval benchmarks: passages, queries, relevance judgements
    trec                a folder for trec_eval and similar tools: passages, topics, qrels
    huggingface         a folder of Parquet files for 'datasets', with a dataset card
    graphml             one file with the reference graph

    A query is the title and text of a theorem, without its proof. An existing folder is replaced only if this command
    wrote it and it has not changed since; an existing file, only if it has the same format.

    \b
    naturalproofs export stacks --to naturalproofs-json -o naturalproofs_stacks.json
    naturalproofs export stacks --to beir -o stacks-beir
    """
    from naturalproofs.tasks.exports import Request, export
    from naturalproofs.tasks.make import load_folder

    summary = export(target)(Request(*load_folder(corpus), output, extras))
    echo(f"{output}: {summary} ({target})")
