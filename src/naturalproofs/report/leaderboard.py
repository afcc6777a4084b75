"""A leaderboard of runs as one HTML file: a sortable table for each corpus, split and protocol."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from naturalproofs.experiments.runs import Run
from naturalproofs.tasks.protocols import PROTOCOLS

MEASURES = ("mAP", "R@10", "R@100", "Full@10", "Full@100", "nDCG@10", "RR")
OURS = re.compile(rb"<!doctype html>\s*<!-- naturalproofs leaderboard -->")
"""The beginning of a page that may be replaced."""


def leaderboard_page(tasks: Sequence[Sequence[Run]], title: str) -> str:
    """The page.

    Args:
        tasks: The runs of each task, best first.
        title: The title of the page.
    """
    style, script = _asset("style.css"), _asset("sort.js")
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'"
    return _asset("page.html").format_map(
        {
            "policy": policy,
            "title": escape(title),
            "style": style,
            "script": script,
            "tasks": "\n".join(_task(runs) for runs in tasks),
        }
    )


def _task(runs: Sequence[Run]) -> str:
    spec = runs[0].spec
    shown = [measure for measure in MEASURES if any(run.measures.get(measure) is not None for run in runs)]
    heads = ["method", *shown, "seed", "made by"]
    top = "".join(
        f'<th scope="col" aria-sort="{"descending" if head == "mAP" else "none"}">'
        f'<button type="button">{escape(head)}</button></th>'
        for head in heads
    )
    how = PROTOCOLS.get(spec.protocol)
    about = (
        f"{len(runs[0].queries):,} queries, {runs[0].candidates:,} candidates. Split: {spec.split_recipe}. "
        f"Rules: {spec.rules}. Corpus {spec.corpus_hash}."
    )
    return (
        f"<section>\n<h2>{escape(spec.corpus)}/{escape(spec.split)}, {escape(spec.protocol)}</h2>\n"
        f"<p>{escape(f'{how.purpose}. ' if how else '')}{escape(about)}</p>\n"
        f'<div class="wide"><table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n'
        + "\n".join(_row(run, shown) for run in runs)
        + "\n</tbody>\n</table></div>\n</section>"
    )


def _row(run: Run, measures: Sequence[str]) -> str:
    spec = run.spec
    note = f' <small title="scored from a run file, {escape(spec.external)}">external</small>' if spec.external else ""
    cells = "".join(_measure(run, measure) for measure in measures)
    return (
        f'<tr><th scope="row" data-sort="{escape(spec.method.lower())}"><code>{escape(spec.method)}</code>{note}</th>'
        f'{cells}<td data-sort="{spec.seed}">{spec.seed}</td>'
        f'<td data-sort="{escape(run.made_by)}">{escape(run.made_by)}</td></tr>'
    )


def _measure(run: Run, measure: str) -> str:
    """A value with its interval; a run without it is sorted last."""
    value = run.measures.get(measure)
    if value is None:
        return '<td data-sort="-1">–</td>'
    low, high = run.intervals.get(measure, (None, None))
    interval = "" if low is None or high is None else f" <small>{low:.1f}–{high:.1f}</small>"
    return f'<td data-sort="{value!r}">{value:.2f}{interval}</td>'


def _asset(name: str) -> str:
    return files("naturalproofs.report").joinpath("leaderboard_page", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
