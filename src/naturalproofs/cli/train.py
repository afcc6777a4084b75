"""``naturalproofs train``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument, output_option, say, telling


@click.command(name="train")
@click.argument("method")
@corpus_argument
@output_option
@click.option(
    "--protocol",
    "protocol_name",
    default="clean",
    show_default=True,
    help="clean, accessible, paper or paper-joint: what the method sees, and how validation is measured.",
)
@click.option("--seed", default=0, show_default=True, help="For all that is random in training.")
@click.option("--minutes", type=float, help="Stop in time, keeping the best model so far.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoints of an interrupted training.")
def command(
    method: str,
    corpus: Path,
    output: Path,
    protocol_name: str,
    seed: int,
    minutes: float | None,
    resume: bool,
) -> None:
    """Train a method on a corpus, and keep the model in a folder.

    The folder can stand wherever a method can: in evaluate, generate, suggest and serve. Training may be interrupted
    at any moment and taken up again with --resume.

    \b
    naturalproofs train hybrid stacks -o models/hybrid
    naturalproofs train "pairwise(size='small')" stacks -o models/pairwise --minutes 60
    """
    from naturalproofs.experiments.training import train_model
    from naturalproofs.ranking.registry import parse_ranker
    from naturalproofs.tasks.make import load_with_splits
    from naturalproofs.tasks.protocols import protocol

    ranker, how = parse_ranker(method), protocol(protocol_name)
    loaded, splits = load_with_splits(corpus)
    with telling() as tell:
        made = train_model(ranker, loaded, splits, output, how, seed=seed, minutes=minutes, resume=resume, tell=tell)
    say(f"Trained {made.method} on {made.trained_on.examples:,} examples in {made.seconds:.0f} s.")
    click.echo(str(output))
