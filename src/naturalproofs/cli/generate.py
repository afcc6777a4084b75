"""``naturalproofs generate``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import (
    PATH,
    corpus_argument,
    echo,
    echo_json,
    format_option,
    progress_bar,
    protocol_option,
    seed_option,
    split_option,
)


@click.command(name="generate")
@click.argument("method")
@corpus_argument
@click.option("--at", "label", metavar="LABEL", help="Print the sequence for this theorem only.")
@split_option("valid")
@protocol_option
@seed_option
@format_option("text", "json")
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Also write predicted and true sequences (JSON lines).")
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

    METHOD is a generator such as compose, which uses the features of the hybrid ranker, or "retrieve(ranker='fusion')",
    the folder of a trained model, or a ranking method, which is then wrapped in retrieve.

    \b
    naturalproofs generate fusion stacks --split valid
    naturalproofs generate models/autoregressive stacks --protocol paper-joint -o sequences.jsonl
    naturalproofs generate fusion stacks --at algebra-lemma-NAK --protocol accessible
    """
    import msgspec

    from naturalproofs.experiments.generation import generate, measured_row
    from naturalproofs.io.files import write_atomic
    from naturalproofs.ranking.generation import generator_named, generator_spec
    from naturalproofs.report.evaluation import sequence_data, sequence_measures_table, sequence_text
    from naturalproofs.report.table import to_text
    from naturalproofs.tasks.dataset import retrieval_task, task_about
    from naturalproofs.tasks.make import load_with_splits
    from naturalproofs.tasks.protocols import protocol

    how, generator = protocol(protocol_name), generator_named(method)
    with progress_bar(f"Generating with {method}") as progress:
        loaded, splits = load_with_splits(corpus, progress)
        if label is not None:
            task = task_about(loaded, splits, loaded.find(label).id, how)
        else:
            task = retrieval_task(loaded, splits, split, how)
        sequences = generate(generator, task, seed=seed, progress=progress)
    if output is not None:
        write_atomic(output, msgspec.json.Encoder().encode_lines(sequences))
    if label is not None:
        data, text = sequence_data(loaded, sequences[0]), sequence_text(loaded, sequences[0])
    else:
        row = measured_row(generator_spec(generator), "", how.name, sequences, seed)
        data, text = msgspec.to_builtins(row), to_text(sequence_measures_table(task.name, row))
    if style == "json":
        echo_json(data)
    else:
        echo(text)
