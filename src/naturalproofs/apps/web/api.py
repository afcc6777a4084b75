"""The JSON interface, version 1: the questions of the pages, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import StringConstraints

from naturalproofs.apps.report.listings import notation_data, outside_data
from naturalproofs.apps.web import models
from naturalproofs.apps.web.models import CLEAN, KindName, Name
from naturalproofs.apps.web.render import render_latex
from naturalproofs.apps.web.requests import LIMITS, RequestError, queued
from naturalproofs.apps.web.site import Site
from naturalproofs.apps.web.templating import API
from naturalproofs.records import Statement
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.outside import OutsideWork

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
CorpusName = Annotated[str, Path(max_length=300, pattern=CLEAN, description="The name of a corpus.")]
Names = Annotated[list[Name], Query(max_length=LIMITS.names)]
NONE: list[Any] = []
"""The default of lists; it is never modified."""
Words = Annotated[str, StringConstraints(max_length=LIMITS.query, pattern=CLEAN)]

router = APIRouter(prefix=API, responses=ERRORS)


@router.get("/corpora", tags=["corpora"])
@queued()
def corpora(site: Site) -> models.CorporaAnswer:
    """List the corpora."""
    return models.CorporaAnswer(
        corpora=[
            models.CorpusOut.of(
                one.corpus.provenance,
                name=one.corpus.name,
                title=one.corpus.title,
                files=one.corpus.account,
                **dict(one.figures),
            )
            for one in site.pages
        ]
    )


@router.post("/suggest", tags=["suggest"])
@queued()
def suggest(site: Site, question: models.SuggestQuestion) -> models.SuggestAnswer:
    """Suggest what the proof of a theorem may want to cite."""
    if not question.text.strip() and not question.statement.strip():
        raise RequestError(422, "give the text of a theorem, or the id of a statement", "text")
    found = site.suggest(**question.model_dump())
    items = [
        models.SuggestionOut.of(
            one,
            **_brief(site, site.workspace.corpus(one.corpus), one.statement),
            text=site.renderer(one.corpus).plain_summary(one.statement, SNIPPET),
        )
        for one in found
    ]
    return models.SuggestAnswer.of(found, items=items)


@router.get("/search", tags=["search"])
@queued()
def search(
    site: Site,
    q: Annotated[Words, Query(description="Words, a $formula$, a label, a tag or a number.")],
    k: Annotated[int, Query(ge=1, le=LIMITS.k)] = 10,
    corpus: Names = NONE,
    kind: Annotated[list[KindName], Query(max_length=3)] = NONE,
    chapter: Names = NONE,
    category: Names = NONE,
) -> models.SearchAnswer:
    """Look up statements by words, formulas and meaning."""
    found = site.workspace.search(q, k=k, corpora=corpus or None, kinds=kind, chapters=chapter, categories=category)
    items = [
        models.HitOut.of(hit, **_brief(site, site.workspace.corpus(hit.corpus), hit.statement)) for hit in found.items
    ]
    return models.SearchAnswer.of(found, items=items)


@router.get("/statements/{name:path}", tags=["statements"])
@queued()
def statement(site: Site, name: StatementName) -> models.StatementAnswer:
    """Give a statement with its proofs, what it cites and what cites it."""
    corpus, found = site.workspace.find(name)
    return models.StatementAnswer.of(
        found,
        **_brief(site, corpus, found),
        html=site.renderer(corpus).statement(found),
        citation=site.workspace.citation(found),
        source=str(found.origin) if found.origin else "",
        licence=corpus.provenance.licence,
        references=list(dict.fromkeys(found.references)),
        proofs=[
            models.ProofOut(text=proof.text, references=list(dict.fromkeys(proof.references))) for proof in found.proofs
        ],
        used_by=corpus.graph.used_by.get(found.id, ()),
        outside=_works(site.workspace.outside(found.id)),
    )


@router.get("/outside/{corpus}", tags=["corpora"])
@queued(long=True)
def outside(site: Site, corpus: CorpusName) -> models.OutsideAnswer:
    """List the other works whose results a corpus uses."""
    return models.OutsideAnswer(works=_works(site.workspace.corpus(corpus).outside))


@router.get("/notation/{corpus}", tags=["corpora"])
@queued(long=True)
def notation(site: Site, corpus: CorpusName) -> models.NotationAnswer:
    """List the notation of a corpus, with the definitions that introduce it."""
    opened = site.workspace.corpus(corpus)
    rows = notation_data(opened.notation, opened, site.renderer(opened).macros)
    return models.NotationAnswer(symbols=[models.NotationOut.model_validate(row) for row in rows])


@router.get("/graph/{name:path}", tags=["graph"])
@queued()
def graph(
    site: Site,
    name: StatementName,
    up: Annotated[int, Query(ge=0, le=6)] = 2,
    down: Annotated[int, Query(ge=0, le=6)] = 1,
    most: Annotated[int, Query(ge=1, le=LIMITS.nodes)] = 40,
) -> models.GraphAnswer:
    """List the surroundings of a statement, and which cites which."""
    corpus, centre = site.workspace.find(name)
    found = site.workspace.neighbourhood(centre.id, up=up, down=down, limit=most)
    return models.GraphAnswer.of(
        found,
        nodes=[
            models.NodeOut(**_brief(site, corpus, corpus.by_id[key]), distance=distance)
            for key, distance in found.distances.items()
        ],
        edges=found.links,
    )


@router.get("/path/{name:path}", tags=["graph"])
@queued()
def path(
    site: Site,
    name: StatementName,
    known: Names = NONE,
    most: Annotated[int | None, Query(ge=1, le=LIMITS.path)] = None,
    inferred: bool | None = None,
) -> models.PathAnswer:
    """List what to read before a statement, in order; what is inferred from a term has it."""
    corpus, target = site.workspace.find(name)
    found = site.workspace.path(target.id, known=known, limit=most, inferred=inferred)
    steps = [models.StepOut.of(step, **_brief(site, corpus, corpus.by_id[step.id])) for step in found.steps]
    return models.PathAnswer.of(found, steps=steps)


@router.get("/impact/{name:path}", tags=["graph"])
@queued()
def impact(
    site: Site, name: StatementName, most: Annotated[int, Query(ge=1, le=LIMITS.path)] = 100
) -> models.ImpactAnswer:
    """List what depends on a statement."""
    corpus, statement = site.workspace.find(name)
    found = site.workspace.impact(statement.id)
    items = [
        models.ImpactItem(**_brief(site, corpus, corpus.by_id[key]), distance=distance)
        for key, distance in found[:most]
    ]
    return models.ImpactAnswer(total=len(found), items=items)


@router.post("/preview", tags=["preview"])
@queued()
def preview(site: Site, question: models.PreviewQuestion) -> models.PreviewAnswer:
    """Render LaTeX as HTML with MathML."""
    return models.PreviewAnswer(html=render_latex(question.text, site.macros(question.corpus)))


def _works(works: Sequence[OutsideWork]) -> list[models.OutsideWorkOut]:
    return [models.OutsideWorkOut.model_validate(one) for one in outside_data(works)]


def _brief(site: Site, corpus: OpenCorpus, statement: Statement) -> dict[str, Any]:
    return models.brief(statement, corpus.name, site.renderer(corpus).plain_text(statement.title))
