"""``naturalproofs check``."""

from __future__ import annotations

from pathlib import Path

import click

from naturalproofs.cli.options import PATH, echo, format_option, info, main_option, open_workspace, source_option


@click.command()
@click.argument("path", type=PATH)
@click.option(
    "--select", "-s", metavar="RULES", default="", help="Run only these rules, with their notes (comma-separated)."
)
@click.option("--ignore", "-i", metavar="RULES", default="", help="Skip these rules (comma-separated).")
@click.option(
    "--all",
    "notes",
    is_flag=True,
    help="Show notes too: lemmas that nothing cites, and citations that may be missing.",
)
@click.option("--baseline", type=PATH, metavar="FILE", help="Ignore the findings that FILE lists.")
@click.option("--write-baseline", type=PATH, metavar="FILE", help="Write current findings to FILE and exit 0.")
@format_option("text", "json", "sarif", "github")
@source_option
@main_option
@click.pass_context
def check(
    ctx: click.Context,
    path: Path,
    select: str,
    ignore: str,
    notes: bool,
    baseline: Path | None,
    write_baseline: Path | None,
    style: str,
    kind: str,
    mains: tuple[str, ...],
) -> None:
    """Find broken, missing and circular references.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Findings go to stdout, a summary to stderr;
    the exit status is 1 if there is an error among them, not for warnings and notes.

    \b
    naturalproofs check paper.tex
    naturalproofs check thesis/ --select circular-argument,forward-reference
    naturalproofs check thesis/ --baseline known.json --format github
    """
    from dataclasses import replace

    from naturalproofs.workspace.check import Selection
    from naturalproofs.workspace.check.formats import FORMATS, read_baseline
    from naturalproofs.workspace.check.formats import write_baseline as store_baseline

    if len(mains) > 1:
        raise click.UsageError("one document is checked at a time: give --main once")
    workspace = open_workspace(path, mains, source=kind)
    known = read_baseline(baseline) if baseline else frozenset()
    report = workspace.check(Selection(_names(select), _names(ignore), notes), known)
    if write_baseline is not None:
        count = store_baseline(write_baseline, report.everything)
        info(f"{write_baseline}: {count:,} findings are now known; pass it with --baseline")
        return
    # Editors and GitHub look for files from where the command runs, not from the project's folder.
    root = workspace.home.root
    shown = [replace(one, path=(root / one.path).as_posix()) if root else one for one in report.findings]
    echo(FORMATS[style](shown), nl=False)
    counts = report.counts
    parts = [
        f"{counts[word]:,} {word}{'' if counts[word] == 1 else 's'}"
        for word in ("error", "warning", "note")
        if counts[word]
    ]
    if report.hidden:
        parts.append(f"{report.hidden:,} note{'' if report.hidden == 1 else 's'} not shown (--all)")
    if report.known:
        parts.append(f"{report.known:,} known from the baseline")
    if workspace.home.opened.anchors is None:
        parts.append("unused-label was not checked, as a corpus keeps no labels: give the project itself")
    info(f"{path}: {len(workspace.home.corpus.statements):,} statements: {'; '.join(parts) or 'no findings'}")
    if report.failed:
        ctx.exit(1)


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, (name.strip() for name in text.split(","))))
