"""The application for a collection: the questions of the JSON interface that need no whole corpus, and its pages."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import HTMLResponse
from markupsafe import Markup, escape
from starlette.types import ASGIApp

from naturalproofs import __version__
from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.report.graph_page import GraphPage, Opening, SiteLinks
from naturalproofs.apps.web import models
from naturalproofs.apps.web.api import ERRORS, NONE, SNIPPET, Names, StatementName, Words
from naturalproofs.apps.web.app import behind_middleware, new_app
from naturalproofs.apps.web.models import KindName
from naturalproofs.apps.web.pages import static
from naturalproofs.apps.web.requests import LIMITS, Limits, RequestError, queued
from naturalproofs.apps.web.site import Live
from naturalproofs.apps.web.templating import API, render, url
from naturalproofs.ranking.candidate_index import Where
from naturalproofs.records import Statement
from naturalproofs.sources.latex import Formulas, Prose, plain_text
from naturalproofs.workspace.render import full_name, preview
from naturalproofs.workspace.search import Hit
from naturalproofs.workspace.suggest import Suggestion

WORK_PAGE = 100
"""Statements that one page of a work lists."""


class LiveCollection(Live[OpenCollection]):
    """The last commit of a collection."""

    def read_again(self) -> OpenCollection:
        """The last commit, ready to answer."""
        after = self.site.refreshed()
        if after is not self.site:
            after.prepare()
        return after


def create_collection_app(
    live: LiveCollection, *, hosts: frozenset[str] = frozenset(), limits: Limits = LIMITS, token: str = ""
) -> ASGIApp:
    """The application for a collection.

    Args:
        live: What is served.
        hosts: Accepted names in the Host header; any if empty.
        limits: The limits of a request.
        token: What requests must carry; nothing if empty.
    """
    app = new_app("Search and suggestions over a collection.", live, limits)
    app.get(f"{API}/search", responses=ERRORS)(queued()(search))
    app.post(f"{API}/suggest", responses=ERRORS)(queued()(suggest))
    app.get(f"{API}/statements/{{name:path}}", responses=ERRORS)(queued()(statement))
    for path, made in (("/", page), ("/statement/{name:path}", statement_page), ("/graph/{name:path}", graph_page),
                       ("/works/{name:path}", work_page)):  # fmt: skip
        app.get(path, response_class=HTMLResponse)(queued()(made))
    app.get("/static/{name}")(static)

    @app.get("/health")
    async def health() -> dict[str, Any]:
        """Say that the server works, and which commit it answers from."""
        collection = live.site.collection
        return {"status": "ok", "version": __version__, "commit": collection.versions.number}

    return behind_middleware(app, hosts, limits, token)


def search(
    opened: OpenCollection,
    q: Annotated[Words, Query(description="Words, a $formula$, kind:lemma, project:NAME, author:NAME, year:2024.")],
    k: Annotated[int, Query(ge=1, le=LIMITS.k)] = 10,
    kind: Annotated[list[KindName], Query(max_length=3)] = NONE,
    chapter: Names = NONE,
    category: Names = NONE,
) -> models.SearchAnswer:
    """Look up statements by words, formulas and meaning; a collection has no categories."""
    found = opened.search(q, k=k, kinds=kind, chapters=chapter, categories=category)
    items = [models.HitOut.of(hit, **_brief(hit)) for hit in found.items]
    return models.SearchAnswer.of(found, items=items, suggestions=[])


def suggest(opened: OpenCollection, question: models.SuggestQuestion) -> models.SuggestAnswer:
    """Suggest what the proof of a theorem may want to cite."""
    asked: dict[str, Any] = {"k": question.k, "cited": question.cited}
    asked["where"] = Where(projects=frozenset(question.corpora or ()))
    if question.statement.strip():
        found = opened.suggest_for(question.statement, **asked)
    elif question.text.strip():
        found = opened.suggest(question.text, title=question.title, **asked)
    else:
        raise RequestError(422, "give the text of a theorem, or the id of a statement", "text")
    items = [models.SuggestionOut.of(one, **_brief(one), text=one.preview[:SNIPPET]) for one in found]
    return models.SuggestAnswer.of(found, items=items)


def _brief(found: Hit | Suggestion) -> dict[str, Any]:
    return models.brief(found.statement, found.corpus, plain_text(found.statement.title, {}))


class CollectionStatement(models.StatementAnswer):
    """A statement of a collection."""

    used_elsewhere: dict[str, str]
    """Statements of other works that cite it, and how that is known: arxiv, doi or title."""
    uses_elsewhere: dict[str, str]
    """The statements of other works that it or its proofs cite."""


def statement(opened: OpenCollection, name: StatementName) -> CollectionStatement:
    """Give a statement with what it and its proofs cite; a collection holds no text of proofs."""
    found = opened.find(name)
    project = name.partition(":")[0]
    return CollectionStatement.of(
        found,
        **models.brief(found, project, plain_text(found.title, opened.macros(project))),
        html=_html(opened, found),
        citation="",
        source=str(found.origin) if found.origin else "",
        licence=opened.rows([name])[name].licence,
        references=list(dict.fromkeys(found.references)),
        proofs=[models.ProofOut(text="", references=list(proof.references)) for proof in found.proofs],
        used_by=opened.used_by(name),
        outside=[],
        used_elsewhere=opened.used_elsewhere(name),
        uses_elsewhere=opened.uses_elsewhere(name),
    )


def _html(opened: OpenCollection, found: Statement) -> Markup:
    """The text of a statement; its references lead to the pages of the statements."""
    project = found.id.partition(":")[0]

    def link(key: str, _command: str, shown: str | None) -> str:
        text = shown or escape(key)
        target = f"{project}:{key}"
        return f'<a href="{url("statement", target)}">{text}</a>' if target in found.references else str(text)

    return Markup(Prose(Formulas(opened.macros(project)), link).render(found.text))


def _page(template: str, **values: Any) -> HTMLResponse:
    return HTMLResponse(render(template, **values).encode("utf-8", "replace"))


def _named(opened: OpenCollection, found: Statement) -> tuple[Statement, str, str]:
    """A statement with its name and its beginning, for a list."""
    macros = opened.macros(found.id.partition(":")[0])
    return found, full_name(found, macros), preview(found, macros)


def page(opened: OpenCollection, q: Annotated[Words, Query()] = "") -> HTMLResponse:
    """The search page."""
    found = opened.search(q, k=20) if q.strip() else None
    hits = [(*_named(opened, hit.statement), hit.twins) for hit in found.items] if found else []
    items = found.items if found else ()
    works = {hit.corpus for hit in items} | {twin.corpus for hit in items for twin in hit.twins}
    return _page("collection.html", query=q, hits=hits, found=found, size=opened.collection.count(), at_home=True,
                 titles=opened.titles(works))  # fmt: skip


def statement_page(opened: OpenCollection, name: StatementName) -> HTMLResponse:
    """A statement, what it uses and what uses it, in other works too."""
    found = opened.find(name)
    cited = [*found.references, *(one for proof in found.proofs for one in proof.references)]
    ways = (opened.uses_elsewhere(name), opened.used_elsewhere(name))
    lists = {"Rests on": dict.fromkeys(cited, ""), "Results of other works": ways[0],
             "Used by": dict.fromkeys(opened.used_by(name), ""), "Used by other papers": ways[1]}  # fmt: skip
    rows = opened.rows(list({key: None for keys in lists.values() for key in keys}))
    shown = {
        heading: [(*_named(opened, rows[key].statement()), how) for key, how in keys.items() if key in rows]
        for heading, keys in lists.items()
    }
    project = name.partition(":")[0]
    return _page("collection_statement.html", statement=found, named=_named(opened, found), html=_html(opened, found),
                 lists=shown, work=opened.work(project)[0],
                 titles=opened.titles({key.partition(":")[0] for key in rows}))  # fmt: skip


def graph_page(opened: OpenCollection, name: StatementName) -> HTMLResponse:
    """The drawing of a statement with its neighbours in all works."""
    around = opened.around(name)
    pages = {one.id: one.id for one in around.statements}
    links = SiteLinks(f"/works/{around.name}", url("statement", ""), pages=pages, fonts="/static/")
    drawn = GraphPage(around, opened.macros(around.name), Opening(focus=opened.find(name).label), links)
    policy = f"{drawn.policy}; frame-ancestors 'none'"
    text = (drawn.start + drawn.rest()).encode("utf-8", "replace")
    return HTMLResponse(text, headers={"content-security-policy": policy})


def work_page(
    opened: OpenCollection, name: StatementName, start: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> HTMLResponse:
    """A work: who wrote it and when, its statements, and the works that it cites and that cite it."""
    work, cited, citing = opened.work(name)
    entries = [_named(opened, one) for one in opened.contents(name, start, WORK_PAGE)]
    return _page("collection_work.html", work=work, cited=cited, citing=citing, entries=entries,
                 start=start, after=start + WORK_PAGE, titles=opened.titles([*cited, *citing]))  # fmt: skip
