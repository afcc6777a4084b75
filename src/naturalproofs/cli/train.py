"""``naturalproofs train``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import (
    corpus_argument,
    echo,
    info,
    output_option,
    progress_bar,
    protocol_option,
    seed_option,
)


@click.command(name="train")
@click.argument("method")
@corpus_argument
@output_option
@protocol_option
@seed_option
@click.option("--minutes", type=float, help="Time budget; training stops in time and keeps the best model so far.")
@click.option("--resume", is_flag=True, help="Resume an interrupted training from its checkpoints.")
def command(
    method: str,
    corpus: Path,
    output: Path,
    protocol_name: str,
    seed: int,
    minutes: float | None,
    resume: bool,
) -> None:
    """Train a method on a corpus, and save the model in a folder.

    The folder can be used wherever a method is expected: in evaluate, generate, suggest and serve. Training can be
    interrupted at any time and resumed with --resume.

    \b
    naturalproofs train hybrid stacks -o models/hybrid
    naturalproofs train "pairwise(size='small')" stacks -o models/pairwise --minutes 60
    """
    from naturalproofs.experiments.training import train_model
    from naturalproofs.ranking.registry import parse_ranker
    from naturalproofs.tasks.make import load_with_splits
    from naturalproofs.tasks.protocols import protocol

    ranker, how = parse_ranker(method), protocol(protocol_name)
    with progress_bar(f"Training {method}", log=True) as progress:
        loaded, splits = load_with_splits(corpus, progress)
        model = train_model(
            ranker, loaded, splits, output, how, seed=seed, minutes=minutes, resume=resume, progress=progress
        )
    info(f"Trained {model.method} on {model.trained_on.examples:,} examples in {model.seconds:.0f} s.")
    echo(str(output))
