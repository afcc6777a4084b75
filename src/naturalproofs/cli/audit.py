"""``naturalproofs audit``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument, echo, echo_json, format_option, split_option


@click.command(name="audit")
@corpus_argument
@split_option("eval")
@click.option("--near", default=0.9, show_default=True, help="Least TF-IDF cosine similarity of near-duplicates.")
@click.option("--most", default=10, show_default=True, help="Number of near-duplicates to list.")
@format_option("text", "json")
def command(corpus: Path, split: str, near: float, most: int, style: str) -> None:
    """Check train/test leakage and near-duplicates.

    Checks that training does not contain evaluation theorems, and reports evaluation statements with exact or near
    duplicates in training and gold references that no training proof cites. Exits with 1 if training leaks.

    \b
    naturalproofs audit stacks
    """
    from naturalproofs.experiments.audit import audit
    from naturalproofs.tasks.make import load_folder

    found = audit(*load_folder(corpus), split, near=near)
    if style == "json":
        echo_json(found)
    else:
        share = 100 * found.unseen_gold / found.gold if found.gold else 0.0
        echo(f"Leak: {found.leak or 'none: training contains no evaluation theorem'}")
        echo(f"Exact duplicates in training: {len(found.same_text):,} of {found.queries:,} queries")
        echo(f"Near-duplicates (similarity {near} or more): {len(found.near):,}")
        for pair in found.near[:most]:
            shared = f"{pair.shared_gold} shared references"
            echo(f"  {pair.similarity:.3f}  {pair.evaluation}  ~  {pair.training}  ({shared})")
        echo(f"Gold references that no training proof cites: {found.unseen_gold:,} of {found.gold:,} ({share:.1f} %)")
        echo(f"Queries with no gold reference seen in training: {found.queries_all_unseen:,}")
    if found.leak:
        raise SystemExit(1)
