"""Results: methods side by side on each task, where they differ, and what each answered for one theorem."""

from __future__ import annotations

from collections.abc import Sequence

from naturalproofs.evaluation.ranked import RankedQuery
from naturalproofs.evaluation.ranking_measures import MeanAveragePrecision
from naturalproofs.records import StatementId
from naturalproofs.report.table import Table, to_html
from naturalproofs.web.addresses import answers_address, statement_address
from naturalproofs.web.html import Child, Html, h, join
from naturalproofs.web.pages.pieces import kind_class
from naturalproofs.web.pages.shell import count, page
from naturalproofs.web.problems import Problem
from naturalproofs.web.runs import Task
from naturalproofs.web.site import Site

SHOWN = 10
DIFFERENT = 12


def results_page(site: Site) -> Html:
    """Every task with its table."""
    body: list[Child] = [_task(site, task) for task in site.tasks]
    if not body:
        body = [
            h("p", "No runs are shown here yet. Evaluate methods and keep the runs, then name their folder:"),
            h(
                "pre",
                h(
                    "code",
                    "naturalproofs evaluate bm25 primer -o runs/bm25\n"
                    "naturalproofs evaluate fusion primer -o runs/fusion\n"
                    "naturalproofs serve primer --runs runs",
                ),
                tabindex=0,
            ),
        ]
    return page("Results", h("h1", "Results"), body, here="/results", wide=True)


def answers_page(site: Site, task_name: str, key: str) -> Html:
    """One theorem: where each method put what its proof cites, and what it ranked first."""
    task = site.task(task_name)
    proofs = task.questions.get(key)
    if proofs is None:
        raise Problem(404, "not-found", f"{key[:80]!r} is not asked about in {task_name}", "theorem")
    names = [run.manifest.spec.method for run in task.runs]
    parts: list[Child] = []
    for proof in proofs:
        answers = [by_query.get(proof) for by_query in task.answers]
        parts += [_ranks(site, answers, names), _best(site, answers, names)]
    known = site.known(key)
    title = known[0].reading.name(known[1]) if known else key
    said = (
        h("div", known[0].reading.statement(known[1]), class_=f"statement tex-text {kind_class(known[1])}")
        if known
        else None
    )
    return page(
        f"{title} by method",
        h(
            "nav",
            h("ol", h("li", h("a", "Results", href="/results")), h("li", task.runs[0].manifest.spec.corpus)),
            class_="crumbs",
            aria_label="Where it stands",
        ),
        h("h1", h("a", title, href=statement_address(key)) if known else title),
        said,
        parts,
        here="/results",
        wide=True,
    )


def _task(site: Site, task: Task) -> Html:
    heading = f"{task.runs[0].manifest.spec.corpus}, {task.runs[0].manifest.spec.split}"
    return h(
        "section",
        h("h2", heading),
        _scrolled(task.table),
        _differences(site, task) if len(task.runs) > 1 else None,
        _pick(site, task),
        class_="task",
    )


def _scrolled(table: Table) -> Html:
    return h("div", Html(to_html(table)), class_="scroll", tabindex=0, role="region", aria_label=table.title)


def _differences(site: Site, task: Task) -> Html:
    """The theorems on which the best two differ most, by the ranks of what the proof cites."""
    first, second = task.answers[:2]
    gaps = sorted(
        ((abs(_precision(first[q]) - _precision(second[q])), q) for q in first if q in second),
        key=lambda p: (-p[0], p[1]),
    )[:DIFFERENT]
    names = [run.manifest.spec.method for run in task.runs[:2]]
    rows = [
        h(
            "tr",
            h("th", _named(site, task, q.rpartition("#")[0]), scope="row"),
            [h("td", f"{100 * _precision(one[q]):.0f}") for one in (first, second)],
            [h("td", _places(one[q])) for one in (first, second)],
        )
        for _, q in gaps
    ]
    heads = ["theorem", *(f"AP {name}" for name in names), *(f"ranks {name}" for name in names)]
    table = h(
        "table",
        h("caption", "Where the first two differ most"),
        h("thead", h("tr", [h("th", x, scope="col") for x in heads])),
        h("tbody", rows),
    )
    return h("div", table, class_="scroll", tabindex=0, role="region", aria_label="Where the first two differ most")


def _pick(site: Site, task: Task) -> Html:
    links = [h("li", _named(site, task, key)) for key in list(task.questions)[:300]]
    return h(
        "details",
        h("summary", f"All {count(len(task.questions), 'theorem')}, one by one"),
        h("ul", links, class_="entries"),
    )


def _named(site: Site, task: Task, key: StatementId) -> Html:
    known = site.known(key)
    label: Child = key
    if known:
        room, statement = known
        said = room.reading.gist(statement, 80)
        label = join([h("b", room.reading.name(statement)), " ", said])
    return h("a", label, href=answers_address(task.name, key))


def _precision(answer: RankedQuery) -> float:
    return MeanAveragePrecision().score(answer) if answer.gold else 0.0


def _places(answer: RankedQuery) -> str:
    return " ".join("–" if rank is None else f"{rank:,}" for rank in answer.ranks[:6])


def _ranks(site: Site, answers: Sequence[RankedQuery | None], names: Sequence[str]) -> Html:
    gold = next((answer.gold for answer in answers if answer), ())
    rows = [
        h("tr", h("th", _statement(site, key), scope="row"), [h("td", _rank(answer, key)) for answer in answers])
        for key in gold
    ]
    return _table("Where each method put what the proof cites", ["cited", *names], rows)


def _rank(answer: RankedQuery | None, key: StatementId) -> str:
    rank = dict(zip(answer.gold, answer.ranks, strict=True)).get(key) if answer else None
    return "–" if rank is None else f"{rank:,}"


def _best(site: Site, answers: Sequence[RankedQuery | None], names: Sequence[str]) -> Html:
    rows = [
        h(
            "tr",
            h("th", str(n + 1), scope="row"),
            [h("td", _answer(site, answer, n), class_="words") for answer in answers],
        )
        for n in range(SHOWN)
    ]
    return _table("Ranked first; what the proof cites is marked", ["rank", *names], rows, "words")


def _answer(site: Site, answer: RankedQuery | None, position: int) -> Child:
    if answer is None or position >= len(answer.top):
        return "–"
    key = answer.top[position]
    return h("mark", _statement(site, key)) if key in answer.gold else _statement(site, key)


def _statement(site: Site, key: StatementId) -> Child:
    known = site.known(key)
    if known is None:
        return key
    room, statement = known
    words = room.reading.gist(statement, 80)
    return h("a", h("b", room.reading.name(statement)), " ", words, href=statement_address(key))


def _table(title: str, heads: Sequence[str], rows: Sequence[Html], kind: str | None = None) -> Html:
    head = h("thead", h("tr", [h("th", name, scope="col", class_=kind) for name in heads]))
    table = h("table", h("caption", title), head, h("tbody", rows))
    return h("div", table, class_="scroll", tabindex=0, role="region", aria_label=title)
