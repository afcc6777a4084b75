"""The pages of saved runs: all tasks, one task with its differences and errors by slice, one theorem by method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from naturalproofs.apps.report.evaluation import answers_to, differences
from naturalproofs.apps.report.table import to_html
from naturalproofs.apps.web.charts import Plot, calibration, columns
from naturalproofs.apps.web.pages import Named, Word
from naturalproofs.apps.web.requests import RequestError, queued
from naturalproofs.apps.web.site import Site, Task, left_out
from naturalproofs.apps.web.templating import render
from naturalproofs.benchmark.evaluation import Run
from naturalproofs.records import StatementId
from naturalproofs.tasks.measures.ranks import SHOWN, Groups, RankedQuery, by_category, by_size
from naturalproofs.tasks.measures.retrieval import average_precision

DIFFERENT = 12
"""Theorems on which two methods differ most."""
WORST = 40
"""Proofs of a slice that a method answers worst."""
RANKS = 20
"""Ranks in the plot of how often what is ranked there is cited."""
PLOTS = 3
"""Methods that are plotted."""
MISSED = 10
"""A cited statement that is ranked lower is listed as missed."""
SLICES = {"size": "number of references", "chapter": "chapter or category"}

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/results")
@queued()
def results_page(site: Site) -> str:
    """Every task with its table, and the theorems on which the best two methods differ most."""
    tasks = [
        (task, Markup(to_html(task.table)), differences(*task.runs[:2], most=DIFFERENT) if task.runs[1:] else [])
        for task in site.tasks
    ]
    return render("results.html", site=site, tasks=tasks, left_out=left_out(site.runs_seen))


@dataclass(frozen=True, slots=True)
class Slice:
    """Some proofs of a task: how many, and the mean average precision of each method on them."""

    name: str
    proofs: int
    precisions: list[float]


@dataclass(frozen=True, slots=True)
class Error:
    """A proof, how well a method answered it, and which of its references it missed."""

    theorem: StatementId
    precision: float
    missed: list[tuple[StatementId, int | None]]


@router.get("/results/{task_name}")
@queued()
def task_page(
    site: Site,
    task_name: Named,
    by: Annotated[Word, Query()] = "size",
    part: Annotated[Word, Query()] = "",
    first: Annotated[int, Query(ge=0)] = 0,
    second: Annotated[int, Query(ge=0)] = 1,
) -> str:
    """One task: where two methods differ most, errors by slice, citations by rank, and calibration."""
    task = site.task(task_name)
    if by not in SLICES:
        raise RequestError(422, f"by must be one of {', '.join(SLICES)}", "by")
    first, second = (min(number, len(task.runs) - 1) for number in (first, second))
    run, named = task.runs[first], list(zip(task.names, task.runs, strict=True))
    groups = _groups(site, task, by)
    chosen = groups.get(part, run.queries) if part else run.queries
    names = {query.query for query in chosen}
    return render(
        "task.html",
        site=site,
        task=task,
        by=by,
        part=part if part in groups else "",
        kinds_of_slices=SLICES,
        slices=[_slice(name, queries, task.runs) for name, queries in groups.items() if queries],
        first=first,
        second=second,
        differences=differences(run, task.runs[second], most=DIFFERENT) if first != second else [],
        errors=_errors([query for query in run.queries if query.query in names]),
        plots=[_citations_by_rank(*one) for one in named[:PLOTS]],
        calibrated=[(name, one.calibration) for name, one in named],
        calibration_plots=[
            calibration(f"{name}: calibration", curve) for name, one in named if (curve := one.calibration) is not None
        ][:PLOTS],
        counted=SHOWN,
    )


def _groups(site: Site, task: Task, by: str) -> Groups:
    queries = task.runs[0].queries
    if by == "size":
        return by_size(queries)
    places = {}
    for query in queries:
        known = site.known(query.theorem)
        statement = known[1] if known else None
        chapter = statement.chapter if statement else ""
        places[query.query] = [chapter] if chapter else list(statement.categories[:1]) if statement else []
    return by_category(queries, places)


def _slice(name: str, queries: Sequence[RankedQuery], runs: Sequence[Run]) -> Slice:
    names = {query.query for query in queries}
    precisions = []
    for run in runs:
        values = [average_precision(query) for query in run.queries if query.query in names]
        precisions.append(sum(values) / len(values) if values else 0.0)
    return Slice(name, len(queries), precisions)


def _errors(queries: Sequence[RankedQuery]) -> list[Error]:
    """The proofs that are answered worst."""
    found = []
    for query in sorted(queries, key=average_precision)[:WORST]:
        ranks = zip(query.gold, query.ranks, strict=True)
        missed = [(key, rank) for key, rank in ranks if rank is None or rank > MISSED]
        found.append(Error(query.theorem, average_precision(query), missed))
    return found


def _citations_by_rank(name: str, run: Run) -> Plot:
    """How often what a method ranks first, second, … is cited."""
    hits = [0] * RANKS
    for query in run.queries:
        for rank in query.found:
            if rank <= RANKS:
                hits[rank - 1] += 1
    asked = max(len(run.queries), 1)
    shares = {str(rank): round(100 * number / asked) for rank, number in enumerate(hits, start=1)}
    return columns(f"{name}: cited, by rank", shares, "rank", "% of proofs")


@router.get("/results/{task_name}/{key:path}")
@queued()
def comparison_page(site: Site, task_name: Named, key: Named) -> str:
    """One theorem: the ranks that each method gave to what its proof cites, and its first answers."""
    task = site.task(task_name)
    if key not in task.questions:
        raise RequestError(404, f"{key[:80]!r} is not asked about in {task_name}", "theorem")
    renderer, theorem = site.known(key) or (None, None)
    return render(
        "comparison.html",
        site=site,
        task=task,
        key=key,
        renderer=renderer,
        theorem=theorem,
        methods=task.names,
        proofs=answers_to(key, task.runs),
    )
