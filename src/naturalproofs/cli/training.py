"""Commands that make models: ``train``, ``tune``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import (
    PATH,
    corpus_argument,
    echo,
    info,
    output_option,
    place_option,
    progress_bar,
    protocol_option,
    seed_option,
)


@click.command()
@click.argument("method")
@corpus_argument
@output_option
@protocol_option
@seed_option
@click.option("--minutes", type=float, help="Time budget; training stops in time and keeps the best model so far.")
@click.option("--resume", is_flag=True, help="Resume an interrupted training from its checkpoints.")
@place_option("For hybrid: local, or a Ray cluster as in 'collect', which scores the training queries.")
def train(
    method: str,
    corpus: Path,
    output: Path,
    protocol_name: str,
    seed: int,
    minutes: float | None,
    resume: bool,
    place: str,
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
    if place != "local":
        # What is missing is said at once, not when the first queries are scored.
        from naturalproofs.io.cluster import connect

        connect(place)
    with progress_bar(f"Training {method}", log=True) as progress:
        loaded, splits = load_with_splits(corpus, progress)
        model = train_model(
            ranker,
            loaded,
            splits,
            output,
            how,
            seed=seed,
            minutes=minutes,
            resume=resume,
            progress=progress,
            cluster="" if place == "local" else place,
        )
    info(f"Trained {model.method} on {model.trained_on.examples:,} examples in {model.seconds:.0f} s.")
    echo(str(output))


@click.command()
@click.argument("method")
@corpus_argument
@click.option(
    "--try", "choices", multiple=True, required=True, help="A setting and its values, such as 'k1=0.9|1.2|1.5'."
)
@click.option("--split", default="valid", show_default=True, help="valid or train; settings are never chosen on test.")
@protocol_option
@click.option("--measure", default="mAP", show_default=True, help="The measure to maximise.")
@seed_option
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Also write all trials (JSON lines).")
def tune(
    method: str,
    corpus: Path,
    choices: tuple[str, ...],
    split: str,
    protocol_name: str,
    measure: str,
    seed: int,
    output: Path | None,
) -> None:
    """Choose the settings of a method on the validation split.

    Grid search: evaluates every combination and prints the best one last, in the form that 'evaluate' takes.

    \b
    naturalproofs tune bm25 stacks --try "k1=0.9|1.2|1.5" --try "b=0.4|0.6|0.75"
    """
    import msgspec

    from naturalproofs.experiments.training import parse_grid, tune
    from naturalproofs.io.files import write_atomic
    from naturalproofs.tasks.make import load_folder
    from naturalproofs.tasks.protocols import protocol

    ranker, grid = parse_grid(method, choices)
    (loaded, splits), how = load_folder(corpus), protocol(protocol_name)
    trials = []
    with progress_bar(f"Tuning {method}") as progress:
        for trial in tune(
            ranker, grid, loaded, splits, how, split=split, measure=measure, seed=seed, progress=progress
        ):
            trials.append(trial)
            info(f"{trial.value:6.2f}  {trial.method}  ({trial.seconds:.1f} s)")
            if output is not None:
                write_atomic(output, msgspec.json.Encoder().encode_lines(trials))
    best = max(trials, key=lambda trial: trial.value)
    echo(f"{best.measure} {best.value:.2f} on {loaded.name}/{split}, protocol {how}: {best.method}")
