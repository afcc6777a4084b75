"""``naturalproofs tune``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, corpus_argument, say, telling


@click.command(name="tune")
@click.argument("method")
@corpus_argument
@click.option(
    "--try", "choices", multiple=True, required=True, help="A setting and its values, such as 'k1=0.9|1.2|1.5'."
)
@click.option("--split", default="valid", show_default=True, help="valid or train; settings are never chosen on test.")
@click.option("--protocol", "protocol_name", default="clean", show_default=True, help="As in 'evaluate'.")
@click.option("--measure", default="mAP", show_default=True, help="What is to be as high as possible.")
@click.option("--seed", default=0, show_default=True, help="For what is random in the method.")
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Also record everything tried, one JSON object a line.")
def command(
    method: str,
    corpus: Path,
    choices: tuple[str, ...],
    split: str,
    protocol_name: str,
    measure: str,
    seed: int,
    output: Path | None,
) -> None:
    """Choose a method's settings on the validation split.

    Tries every combination and prints the best last, in the form that 'evaluate' takes.

    \b
    naturalproofs tune bm25 stacks --try "k1=0.9|1.2|1.5" --try "b=0.4|0.6|0.75"
    """
    import msgspec

    from naturalproofs.experiments.tuning import parse_grid, tune
    from naturalproofs.io.files import write_atomic
    from naturalproofs.tasks.make import load_folder
    from naturalproofs.tasks.protocols import protocol

    ranker, grid = parse_grid(method, choices)
    (loaded, splits), how = load_folder(corpus), protocol(protocol_name)
    trials = []
    with telling() as tell:
        for trial in tune(ranker, grid, loaded, splits, how, split=split, measure=measure, seed=seed, tell=tell):
            trials.append(trial)
            say(f"{trial.value:6.2f}  {trial.method}  ({trial.seconds:.1f} s)")
            if output is not None:
                write_atomic(output, msgspec.json.Encoder().encode_lines(trials))
    best = max(trials, key=lambda trial: trial.value)
    click.echo(f"{best.measure} {best.value:.2f} on {loaded.name}/{split}, protocol {how}: {best.method}")
