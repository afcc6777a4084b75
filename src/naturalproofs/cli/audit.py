"""``naturalproofs audit``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import corpus_argument


@click.command(name="audit")
@corpus_argument
@click.option(
    "--split", default="eval", show_default=True, help="train, valid, test, or eval (valid and test together)."
)
@click.option(
    "--near", default=0.9, show_default=True, help="Similarity from which two statements are nearly the same."
)
@click.option("--most", default=10, show_default=True, help="How many near-duplicates to list.")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
def command(corpus: Path, split: str, near: float, most: int, style: str) -> None:
    """Look for what a method could remember instead of find.

    Checks that training names no evaluation theorem, and reports evaluation statements that stand in training word for
    word or nearly so, and gold references that no training proof cites. Ends with 1 when training leaks.

    \b
    naturalproofs audit stacks
    """
    import msgspec

    from naturalproofs.experiments.audit import audit
    from naturalproofs.tasks.make import load_folder

    found = audit(*load_folder(corpus), split, near=near)
    if style == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        share = 100 * found.unseen_gold / found.gold if found.gold else 0.0
        click.echo(f"Leak: {found.leak or 'none: training names no evaluation theorem'}")
        click.echo(f"Word for word in training: {len(found.same_text):,} of {found.queries:,} queries")
        click.echo(f"Nearly the same (similarity {near} or more): {len(found.near):,}")
        for pair in found.near[:most]:
            shared = f"{pair.shared_gold} references shared"
            click.echo(f"  {pair.similarity:.3f}  {pair.evaluation}  ~  {pair.training}  ({shared})")
        click.echo(f"Gold that no training proof cites: {found.unseen_gold:,} of {found.gold:,} ({share:.1f} %)")
        click.echo(f"Queries with no gold seen in training: {found.queries_all_unseen:,}")
    if found.leak:
        raise SystemExit(1)
