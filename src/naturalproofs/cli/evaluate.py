"""``naturalproofs evaluate``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, corpus_argument, progress_bar, protocol_option, seed_option, telling


@click.command(name="evaluate")
@click.argument("method")
@corpus_argument
@click.option(
    "--split", default="test", show_default=True, help="train, valid, test, or eval (valid and test together)."
)
@protocol_option
@seed_option
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.option(
    "-o", "--output", type=PATH, metavar="FOLDER", help="Also keep the run: every query with the ranks of its gold."
)
@click.option(
    "--by",
    type=click.Choice(["kind", "seen", "size", "category"]),
    help="Also in groups: by kind of reference, how often training cites it, number of references, or category.",
)
@click.option("--trec", type=PATH, metavar="FILE", help="Also write the hundred best of each query as a TREC run.")
def command(
    method: str,
    corpus: Path,
    split: str,
    protocol_name: str,
    seed: int,
    style: str,
    output: Path | None,
    by: str | None,
    trec: Path | None,
) -> None:
    """Rank every statement for every theorem of a split, and measure it.

    METHOD is a name, or a name with settings: random, frequency, tfidf, bm25, neighbours, recency, fusion,
    "bm25(k1=0.9)"; or the folder of a trained model. Every figure carries its protocol.

    \b
    naturalproofs evaluate bm25 stacks --split eval
    naturalproofs evaluate fusion stacks --protocol clean -o runs/fusion
    """
    import msgspec

    from naturalproofs.experiments.evaluation import evaluate_ranker
    from naturalproofs.experiments.grouping import group_measures, groups
    from naturalproofs.experiments.trec import to_trec_run
    from naturalproofs.io.files import write_atomic
    from naturalproofs.ranking.models import method_named
    from naturalproofs.report.evaluation import evaluation_table, group_table
    from naturalproofs.report.table import to_text
    from naturalproofs.tasks.make import load_folder
    from naturalproofs.tasks.protocols import protocol

    ranker, how = method_named(method), protocol(protocol_name)
    loaded, splits = load_folder(corpus)
    with progress_bar(f"Asking {method}") as progress, telling() as tell:
        outcome = evaluate_ranker(ranker, loaded, splits, split, how, seed=seed, progress=progress, tell=tell)
    if output is not None:
        outcome.save(output)
    if trec is not None:
        write_atomic(trec, to_trec_run(outcome.ranked.queries, outcome.spec.method))
    found = groups(loaded, splits, outcome.ranked.queries, by) if by else {}
    if style == "json":
        value = outcome.to_dict() | ({"groups": group_measures(found)} if by else {})
        click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
    else:
        click.echo(to_text(evaluation_table(outcome)))
        if by:
            click.echo("\n" + to_text(group_table(outcome, by, found)))
