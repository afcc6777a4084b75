"""The JSON interface, version 1: the same questions that the pages ask, for programs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import StringConstraints

from naturalproofs.web import answers
from naturalproofs.web.addresses import API
from naturalproofs.web.gate import Gate
from naturalproofs.web.limits import LIMITS
from naturalproofs.web.models import (
    CLEAN,
    CorporaAnswer,
    ErrorAnswer,
    GraphAnswer,
    ImpactAnswer,
    KindName,
    Name,
    PathAnswer,
    PreviewAnswer,
    PreviewQuestion,
    SearchAnswer,
    StatementAnswer,
    SuggestAnswer,
    SuggestQuestion,
)
from naturalproofs.web.site import Site

_REASONS = {
    400: "The request cannot be read.",
    404: "There is nothing of that name.",
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    414: "The address is too long.",
    421: "The server is not known under that name.",
    422: "A value is missing, too long or of the wrong kind.",
    503: "Too busy, or the answer took too long.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": reason} for status, reason in _REASONS.items()
}

StatementName = Annotated[str, Path(max_length=300, pattern=CLEAN, description="An id, a label, a tag or a title.")]
Listed = Annotated[list[Name], Query(max_length=LIMITS.names)]
NONE: list[Any] = []
"""The default of lists; nobody changes it."""
Words = Annotated[str, StringConstraints(max_length=LIMITS.query, pattern=CLEAN)]


def api_router(site: Site, gate: Gate) -> APIRouter:
    """All questions of the JSON interface."""
    router = APIRouter(prefix=API, responses=ERRORS)

    @router.get("/corpora", tags=["corpora"])
    async def corpora() -> CorporaAnswer:
        """List the corpora."""
        return await gate.run(lambda: answers.corpora_answer(site))

    @router.post("/suggest", tags=["suggest"])
    async def suggest(question: SuggestQuestion) -> SuggestAnswer:
        """Suggest what the proof of a theorem may want to cite."""
        return await gate.run(lambda: answers.suggest_answer(site, question))

    @router.get("/search", tags=["search"])
    async def search(
        q: Annotated[Words, Query(description="Words, a $formula$, a label, a tag or a number.")],
        k: Annotated[int, Query(ge=1, le=LIMITS.k)] = 10,
        corpus: Listed = NONE,
        kind: Annotated[list[KindName], Query(max_length=3)] = NONE,
        chapter: Listed = NONE,
        category: Listed = NONE,
    ) -> SearchAnswer:
        """Look up statements by words, formulas and meaning."""
        return await gate.run(
            lambda: answers.search_answer(
                site, q, k=k, corpora=corpus, kinds=kind, chapters=chapter, categories=category
            )
        )

    @router.get("/statements/{name:path}", tags=["statements"])
    async def statement(name: StatementName) -> StatementAnswer:
        """Give a statement with its proofs, what it cites and what cites it."""
        return await gate.run(lambda: answers.statement_answer(site, name))

    @router.get("/graph/{name:path}", tags=["graph"])
    async def graph(
        name: StatementName,
        up: Annotated[int, Query(ge=0, le=6)] = 2,
        down: Annotated[int, Query(ge=0, le=6)] = 1,
        most: Annotated[int, Query(ge=1, le=LIMITS.nodes)] = 40,
    ) -> GraphAnswer:
        """Draw the surroundings of a statement."""
        return await gate.run(lambda: answers.graph_answer(site, name, up=up, down=down, most=most))

    @router.get("/path/{name:path}", tags=["graph"])
    async def path(
        name: StatementName,
        known: Listed = NONE,
        most: Annotated[int, Query(ge=1, le=LIMITS.path)] = 100,
    ) -> PathAnswer:
        """List what to read before a statement, in order."""
        return await gate.run(lambda: answers.path_answer(site, name, known=known, most=most))

    @router.get("/impact/{name:path}", tags=["graph"])
    async def impact(name: StatementName, most: Annotated[int, Query(ge=1, le=LIMITS.path)] = 100) -> ImpactAnswer:
        """List what falls if a statement is wrong."""
        return await gate.run(lambda: answers.impact_answer(site, name, most=most))

    @router.post("/preview", tags=["preview"])
    async def preview(question: PreviewQuestion) -> PreviewAnswer:
        """Render LaTeX as HTML with MathML."""
        return await gate.run(lambda: answers.preview_answer(site, question.text, question.corpus))

    return router
