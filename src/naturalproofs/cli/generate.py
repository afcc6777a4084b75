"""``naturalproofs generate``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, corpus_argument, protocol_option, seed_option, telling


@click.command(name="generate")
@click.argument("method")
@corpus_argument
@click.option("--at", "label", metavar="LABEL", help="Only for this theorem: print its sequence.")
@click.option("--split", default="valid", show_default=True, help="train, valid, test, or eval.")
@protocol_option
@seed_option
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.option(
    "-o", "--output", type=PATH, metavar="FILE", help="Also write every sequence beside the true one (JSON lines)."
)
def command(
    method: str,
    corpus: Path,
    label: str | None,
    split: str,
    protocol_name: str,
    seed: int,
    style: str,
    output: Path | None,
) -> None:
    """Predict the sequence of references of each proof, and measure it.

    METHOD is a generator such as compose, which chooses by the features of the hybrid ranker, or
    "retrieve(ranker='fusion')", the folder of a trained model, or a ranking method, which is then wrapped in retrieve.

    \b
    naturalproofs generate fusion stacks --split valid
    naturalproofs generate models/autoregressive stacks --protocol paper-joint -o sequences.jsonl
    naturalproofs generate fusion stacks --at algebra-lemma-NAK --protocol accessible
    """
    import msgspec

    from naturalproofs.experiments.generation import generate_on, measured
    from naturalproofs.io.files import write_atomic
    from naturalproofs.ranking.generation.registry import generator_named, generator_spec
    from naturalproofs.report.generation import measures_table, sequence_data, sequence_text
    from naturalproofs.report.table import to_text
    from naturalproofs.tasks.dataset import retrieval_task, task_about
    from naturalproofs.tasks.make import load_with_splits
    from naturalproofs.tasks.protocols import protocol

    how, generator = protocol(protocol_name), generator_named(method)
    loaded, splits = load_with_splits(corpus)
    if label is not None:
        task = task_about(loaded, splits, loaded.find(label).id, how)
    else:
        task = retrieval_task(loaded, splits, split, how)
    with telling() as tell:
        sequences = generate_on(generator, task, seed=seed, tell=tell)
    if output is not None:
        write_atomic(output, msgspec.json.Encoder().encode_lines(sequences))
    if label is not None:
        data, text = sequence_data(loaded, sequences[0]), sequence_text(loaded, sequences[0])
    else:
        row = measured(generator_spec(generator), "", how.name, sequences, seed)
        data, text = msgspec.to_builtins(row), to_text(measures_table(task.name, row))
    click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() if style == "json" else text)
