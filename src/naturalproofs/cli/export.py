"""``naturalproofs export``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument, output_option


@click.command(name="export")
@corpus_argument
@click.option("--to", "target", type=click.Choice(["naturalproofs-json"]), required=True, help="The format.")
@click.option(
    "--extras/--no-extras",
    default=True,
    show_default=True,
    help="Keep what the schema has no field for under the key 'extra', so that reading it back loses nothing.",
)
@output_option
def command(corpus: Path, target: str, extras: bool, output: Path) -> None:
    """Write a corpus in another format.

    naturalproofs-json is the paper's schema: code written for the original reads it unchanged.

    \b
    naturalproofs export stacks --to naturalproofs-json -o naturalproofs_stacks.json
    """
    from naturalproofs.corpus import store
    from naturalproofs.io.folders import write_atomic
    from naturalproofs.tasks.exports.naturalproofs_json import to_naturalproofs_json
    from naturalproofs.tasks.make import load_splits

    data = to_naturalproofs_json(store.load(corpus), load_splits(corpus), extras=extras)
    write_atomic(output, data)
    click.echo(f"{output}: {len(data):,} bytes ({target})")
