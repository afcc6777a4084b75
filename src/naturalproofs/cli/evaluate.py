"""``naturalproofs evaluate``."""

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


@click.command(name="evaluate")
@click.argument("method")
@corpus_argument
@split_option("test")
@protocol_option
@seed_option
@format_option("text", "json")
@click.option("-o", "--output", type=PATH, metavar="FOLDER", help="Also save the run: the gold ranks of every query.")
@click.option(
    "--by",
    type=click.Choice(["kind", "seen", "size", "category"]),
    help="Also measure groups: by kind of reference, citations in training, number of references, or category.",
)
@click.option("--trec", type=PATH, metavar="FILE", help="Also write the top 100 of each query as a TREC run.")
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
    """Evaluate a ranking method on a split of a corpus.

    METHOD is a name (random, frequency, tfidf, bm25, neighbours, recency, fusion, hybrid), a name with settings such as
    "bm25(k1=0.9)", or the folder of a trained model. For every theorem of the split, the method ranks the candidates;
    measures compare the ranking with the references of the proof.

    \b
    naturalproofs evaluate bm25 stacks --split eval
    naturalproofs evaluate fusion stacks --protocol clean -o runs/fusion
    """
    from naturalproofs.experiments.evaluation import evaluate, group_measures, groups
    from naturalproofs.io.files import write_atomic
    from naturalproofs.report.evaluation import evaluation_table, group_table
    from naturalproofs.report.table import to_text
    from naturalproofs.tasks.make import load_with_splits

    with progress_bar(f"Evaluating {method}") as progress:
        loaded, splits = load_with_splits(corpus, progress)
        run = evaluate(method, loaded, splits=splits, split=split, protocol=protocol_name, seed=seed, progress=progress)
    if output is not None:
        run.save(output)
    if trec is not None:
        write_atomic(trec, run.to_trec())
    found = groups(loaded, splits, run.queries, by) if by else {}
    if style == "json":
        echo_json(run.to_dict() | ({"groups": group_measures(found)} if by else {}))
        return
    echo(to_text(evaluation_table(run)))
    if by:
        echo("\n" + to_text(group_table(run, by, found)))
