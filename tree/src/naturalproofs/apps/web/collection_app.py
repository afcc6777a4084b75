"""The application for a collection: the questions of the JSON interface that need no whole corpus, and one page."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import HTMLResponse
from starlette.types import ASGIApp

from naturalproofs import __version__
from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.web import models
from naturalproofs.apps.web.api import ERRORS, NONE, SNIPPET, Names, StatementName, Words
from naturalproofs.apps.web.app import behind_middleware, new_app
from naturalproofs.apps.web.models import KindName
from naturalproofs.apps.web.render import render_latex
from naturalproofs.apps.web.requests import LIMITS, Limits, RequestError, queued
from naturalproofs.apps.web.site import Live
from naturalproofs.apps.web.templating import API, render
from naturalproofs.ranking.candidate_index import Where
from naturalproofs.workspace.render import plain_text, preview


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
    app.get("/", response_class=HTMLResponse)(queued()(page))

    @app.get("/health")
    async def health() -> dict[str, Any]:
        """Say that the server works, and which commit it answers from."""
        collection = live.site.collection
        return {"status": "ok", "version": __version__, "commit": collection.versions.number}

    return behind_middleware(app, hosts, limits, token)


def search(
    opened: OpenCollection,
    q: Annotated[Words, Query(description="Words, a $formula$, kind:lemma, corpus:PROJECT.")],
    k: Annotated[int, Query(ge=1, le=LIMITS.k)] = 10,
    kind: Annotated[list[KindName], Query(max_length=3)] = NONE,
    chapter: Names = NONE,
    category: Names = NONE,
) -> models.SearchAnswer:
    """Look up statements by words, formulas and meaning; a collection has no categories."""
    found = opened.search(q, k=k, kinds=kind, chapters=chapter, categories=category)
    items = [models.HitOut.of(hit, title=plain_text(hit.statement.title, {})) for hit in found.items]
    return models.SearchAnswer(items=items, total=found.total, suggestions=[])


def suggest(opened: OpenCollection, question: models.SuggestQuestion) -> models.SuggestAnswer:
    """Suggest what the proof of a theorem may want to cite."""
    text, title, excluded = question.text, question.title, frozenset[str]()
    if question.statement.strip():
        about = opened.find(question.statement)
        text, title, excluded = about.text, about.title, frozenset({about.id})
    elif not text.strip():
        raise RequestError(422, "give the text of a theorem, or the id of a statement", "text")
    where = Where(projects=frozenset(question.corpora or ()), excluded=excluded)
    found = opened.suggest(text, k=question.k, title=title, cited=question.cited, where=where)
    items = [
        models.SuggestionOut.of(one, title=plain_text(one.statement.title, {}), text=one.preview[:SNIPPET])
        for one in found
    ]
    return models.SuggestAnswer(
        items=items, expected=found.expected, enough=found.enough, enough_probability=found.enough_probability
    )


def statement(opened: OpenCollection, name: StatementName) -> models.StatementAnswer:
    """Give a statement with what it and its proofs cite; a collection holds no text of proofs."""
    row = opened.rows([name]).get(name)
    found = opened.find(name)
    text = found.text
    return models.StatementAnswer(
        **models.brief(found, name.partition(":")[0], plain_text(found.title, {})),
        tag=found.tag,
        chapter=found.chapter,
        section=found.section,
        text=text,
        html=render_latex(text, {}),
        citation="",
        source=str(found.origin) if found.origin else "",
        licence=row.licence if row else "",
        references=list(dict.fromkeys(found.references)),
        proofs=[models.ProofOut(text="", references=list(proof.references)) for proof in found.proofs],
        used_by=opened.used_by(name),
        outside=[],
    )


def page(opened: OpenCollection, q: Annotated[Words, Query()] = "") -> HTMLResponse:
    """The search page."""
    found = opened.search(q, k=20).items if q.strip() else ()
    hits = [(hit, plain_text(hit.title, {}), preview(hit.statement, {})) for hit in found]
    text = render("collection.html", query=q, hits=hits, size=opened.collection.count())
    return HTMLResponse(text.encode("utf-8", "replace"))
