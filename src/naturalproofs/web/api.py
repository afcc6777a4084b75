"""The JSON interface, version 1: the questions of the pages, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import StringConstraints

from naturalproofs.records import Statement
from naturalproofs.web import models
from naturalproofs.web.errors import RequestError
from naturalproofs.web.limits import LIMITS, WorkQueue
from naturalproofs.web.models import CLEAN, KindName, Name
from naturalproofs.web.neighbourhood import neighbourhood
from naturalproofs.web.render import render_latex, work_title
from naturalproofs.web.site import ServedCorpus, Site
from naturalproofs.web.urls import API
from naturalproofs.web.watch import LiveSite

SNIPPET = 200
"""Characters of a suggested statement."""
_DESCRIPTIONS = {
    400: "The request cannot be read.",
    404: "There is nothing of that name.",
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    414: "The address is too long.",
    421: "The server is not known under that name.",
    422: "A value is missing, too long or of the wrong kind.",
    431: "There are too many or too large headers.",
    503: "Too busy, or the answer took too long.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.ErrorAnswer, "description": text} for status, text in _DESCRIPTIONS.items()
}

StatementName = Annotated[str, Path(max_length=300, pattern=CLEAN, description="An id, a label, a tag or a title.")]
Names = Annotated[list[Name], Query(max_length=LIMITS.names)]
NONE: list[Any] = []
"""The default of lists; it is never modified."""
Words = Annotated[str, StringConstraints(max_length=LIMITS.query, pattern=CLEAN)]


def api_router(live: LiveSite, queue: WorkQueue) -> APIRouter:
    """All routes of the JSON interface."""
    router = APIRouter(prefix=API, responses=ERRORS)

    @router.get("/corpora", tags=["corpora"])
    async def corpora() -> models.CorporaAnswer:
        """List the corpora."""
        return await queue.run(lambda: _corpora(live.site))

    @router.post("/suggest", tags=["suggest"])
    async def suggest(question: models.SuggestQuestion) -> models.SuggestAnswer:
        """Suggest what the proof of a theorem may want to cite."""
        return await queue.run(lambda: _suggest(live.site, question))

    @router.get("/search", tags=["search"])
    async def search(
        q: Annotated[Words, Query(description="Words, a $formula$, a label, a tag or a number.")],
        k: Annotated[int, Query(ge=1, le=LIMITS.k)] = 10,
        corpus: Names = NONE,
        kind: Annotated[list[KindName], Query(max_length=3)] = NONE,
        chapter: Names = NONE,
        category: Names = NONE,
    ) -> models.SearchAnswer:
        """Look up statements by words, formulas and meaning."""
        filters = {"corpora": corpus or None, "kinds": kind, "chapters": chapter, "categories": category}
        return await queue.run(lambda: _search(live.site, q, k, filters))

    @router.get("/statements/{name:path}", tags=["statements"])
    async def statement(name: StatementName) -> models.StatementAnswer:
        """Give a statement with its proofs, what it cites and what cites it."""
        return await queue.run(lambda: _statement(live.site, name))

    @router.get("/graph/{name:path}", tags=["graph"])
    async def graph(
        name: StatementName,
        up: Annotated[int, Query(ge=0, le=6)] = 2,
        down: Annotated[int, Query(ge=0, le=6)] = 1,
        most: Annotated[int, Query(ge=1, le=LIMITS.nodes)] = 40,
    ) -> models.GraphAnswer:
        """Draw the surroundings of a statement."""
        return await queue.run(lambda: _graph(live.site, name, up=up, down=down, limit=most))

    @router.get("/path/{name:path}", tags=["graph"])
    async def path(
        name: StatementName,
        known: Names = NONE,
        most: Annotated[int, Query(ge=1, le=LIMITS.path)] = 100,
    ) -> models.PathAnswer:
        """List what to read before a statement, in order."""
        return await queue.run(lambda: _path(live.site, name, known, most))

    @router.get("/impact/{name:path}", tags=["graph"])
    async def impact(
        name: StatementName, most: Annotated[int, Query(ge=1, le=LIMITS.path)] = 100
    ) -> models.ImpactAnswer:
        """List what falls if a statement is wrong."""
        return await queue.run(lambda: _impact(live.site, name, most))

    @router.post("/preview", tags=["preview"])
    async def preview(question: models.PreviewQuestion) -> models.PreviewAnswer:
        """Render LaTeX as HTML with MathML."""
        return await queue.run(lambda: _preview(live.site, question))

    return router


def _corpora(site: Site) -> models.CorporaAnswer:
    return models.CorporaAnswer(corpora=[_corpus(one) for one in site.corpora])


def _preview(site: Site, question: models.PreviewQuestion) -> models.PreviewAnswer:
    return models.PreviewAnswer(html=render_latex(question.text, site.macros(question.corpus)))


def _suggest(site: Site, question: models.SuggestQuestion) -> models.SuggestAnswer:
    if not question.text.strip() and not question.statement.strip():
        raise RequestError(422, "not-valid", "give the text of a theorem, or the id of a statement", "text")
    found = site.suggest(
        question.text,
        statement=question.statement,
        title=question.title,
        k=question.k,
        corpora=question.corpora,
        cited=question.cited,
    )
    items = [
        models.SuggestionOut(
            **_brief(corpus, one.statement),
            text=corpus.renderer.plain_summary(one.statement, SNIPPET),
            citation=one.citation,
            score=one.score,
            probability=one.probability,
            reasons=[models.ReasonOut(kind=r.kind, text=r.text, statements=list(r.statements)) for r in one.reasons],
        )
        for one in found
        for corpus in [site.corpus(one.corpus)]
    ]
    return models.SuggestAnswer(items=items, expected=found.expected, enough=found.enough)


def _search(site: Site, query: str, k: int, filters: dict[str, Any]) -> models.SearchAnswer:
    found = site.workspace.search(query, k=k, **filters)
    items = []
    for hit in found.items:
        corpus = site.corpus(hit.corpus)
        items.append(
            models.HitOut(
                **_brief(corpus, corpus.corpus.by_id[hit.id]),
                score=hit.score,
                field=hit.field,
                snippet=hit.snippet,
                marks=list(hit.marks),
                chapter=hit.card.chapter,
            )
        )
    return models.SearchAnswer(items=items, total=found.total, suggestions=list(found.suggestions))


def _statement(site: Site, name: str) -> models.StatementAnswer:
    corpus, statement = site.find(name)
    place = statement.place
    return models.StatementAnswer(
        **_brief(corpus, statement),
        tag=statement.tag,
        chapter=place.chapter if place else "",
        section=place.section if place else "",
        text="\n".join(statement.lines),
        html=corpus.renderer.statement(statement),
        citation=site.workspace.citation(statement),
        source=str(statement.origin) if statement.origin else "",
        licence=corpus.corpus.provenance.licence,
        references=list(dict.fromkeys(statement.references)),
        proofs=[
            models.ProofOut(text="\n".join(proof.lines), references=list(dict.fromkeys(proof.references)))
            for proof in statement.proofs
        ],
        used_by=list(corpus.graph.used_by.get(statement.id, ())),
    )


def _graph(site: Site, name: str, *, up: int, down: int, limit: int) -> models.GraphAnswer:
    corpus, statement = site.find(name)
    found = neighbourhood(corpus.corpus, corpus.graph, statement.id, up=up, down=down, limit=limit)
    by_id = corpus.corpus.by_id
    return models.GraphAnswer(
        centre=found.centre,
        nodes=[
            models.NodeOut(**_brief(corpus, by_id[node.id]), x=node.x, y=node.y, distance=node.distance)
            for node in found.nodes
        ],
        edges=[models.EdgeOut(source=edge.source, target=edge.target, proof=edge.proof) for edge in found.edges],
        width=found.size.width,
        height=found.size.height,
        left_out=found.left_out,
    )


def _path(site: Site, name: str, known: Sequence[str], most: int) -> models.PathAnswer:
    corpus, _ = site.find(name)
    path = site.workspace.path(name, known=known, limit=most)
    steps = [
        models.StepOut(**_brief(corpus, corpus.corpus.by_id[step.id]), layer=step.layer, uses=list(step.uses))
        for step in path.steps
    ]
    return models.PathAnswer(steps=steps, known=list(path.known), cut_at=path.cut_at)


def _impact(site: Site, name: str, most: int) -> models.ImpactAnswer:
    corpus, _ = site.find(name)
    found = site.workspace.impact(name)
    items = [
        models.ImpactItem(**_brief(corpus, corpus.corpus.by_id[key]), distance=distance)
        for key, distance in found[:most]
    ]
    return models.ImpactAnswer(total=len(found), items=items)


def _corpus(corpus: ServedCorpus) -> models.CorpusOut:
    provenance = corpus.corpus.provenance
    return models.CorpusOut(
        name=corpus.name,
        title=work_title(corpus),
        authors=provenance.authors,
        licence=provenance.licence,
        url=provenance.url,
        source=provenance.source,
        **dict(corpus.figures),
    )


def _brief(corpus: ServedCorpus, statement: Statement) -> dict[str, Any]:
    return {
        "id": statement.id,
        "corpus": corpus.name,
        "kind": statement.kind,
        "form": statement.form,
        "number": statement.number,
        "title": corpus.renderer.plain_text(statement.title),
        "label": statement.label,
    }
