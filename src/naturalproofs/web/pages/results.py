"""The pages of results: methods side by side on each task, and their answers for one theorem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from naturalproofs.evaluation.ranking_measures import MeanAveragePrecision
from naturalproofs.evaluation.ranks import RankedQuery
from naturalproofs.records import StatementId
from naturalproofs.report.table import to_html
from naturalproofs.web.errors import RequestError
from naturalproofs.web.runs import Task
from naturalproofs.web.site import Site
from naturalproofs.web.templating import render

SHOWN = 10
DIFFERENT = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """A theorem on which the best two methods differ: average precision and ranks of each."""

    theorem: StatementId
    precisions: tuple[float, float]
    ranks: tuple[Sequence[int | None], Sequence[int | None]]


@dataclass(frozen=True, slots=True)
class ProofComparison:
    """The answers of all methods for one proof."""

    ranks: list[tuple[StatementId, list[int | None]]]
    """Each cited statement with its rank by method."""
    best: list[list[tuple[StatementId | None, bool]]]
    """Row by row, by method: the statement ranked there, and whether the proof cites it."""


def results_page(site: Site) -> str:
    """Every task with its table."""
    tasks = [(task, Markup(to_html(task.table)), _differences(task)) for task in site.tasks]
    return render("results.html", site=site, tasks=tasks)


def comparison_page(site: Site, task_name: str, key: str) -> str:
    """One theorem: the ranks that each method gave to what its proof cites, and its first answers."""
    task = site.task(task_name)
    proofs = task.questions.get(key)
    if proofs is None:
        raise RequestError(404, "not-found", f"{key[:80]!r} is not asked about in {task_name}", "theorem")
    home, theorem = site.known(key) or (None, None)
    return render(
        "comparison.html",
        site=site,
        task=task,
        key=key,
        home=home,
        theorem=theorem,
        methods=[run.spec.method for run in task.runs],
        proofs=[_comparison([by_query.get(proof) for by_query in task.answers]) for proof in proofs],
    )


def _differences(task: Task) -> list[Difference]:
    """The theorems on which the best two methods differ most in average precision."""
    if len(task.runs) < 2:
        return []
    first, second = task.answers[:2]
    found = [
        Difference(
            query.rpartition("#")[0],
            (_precision(first[query]), _precision(second[query])),
            (first[query].ranks, second[query].ranks),
        )
        for query in sorted(first)
        if query in second
    ]
    return sorted(found, key=lambda one: -abs(one.precisions[0] - one.precisions[1]))[:DIFFERENT]


def _precision(answer: RankedQuery) -> float:
    return MeanAveragePrecision().score(answer) if answer.gold else 0.0


def _comparison(answers: Sequence[RankedQuery | None]) -> ProofComparison:
    gold = next((answer.gold for answer in answers if answer), ())
    ranks = [dict(zip(answer.gold, answer.ranks, strict=True)) if answer else {} for answer in answers]
    best: list[list[tuple[StatementId | None, bool]]] = [
        [
            (answer.top[row], answer.top[row] in answer.gold) if answer and row < len(answer.top) else (None, False)
            for answer in answers
        ]
        for row in range(SHOWN)
    ]
    return ProofComparison([(key, [by_key.get(key) for by_key in ranks]) for key in gold], best)
