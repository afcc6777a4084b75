"""The addresses of the pages."""

from __future__ import annotations

import re
from html import unescape
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from naturalproofs.web.assets import assets
from naturalproofs.web.gate import Gate
from naturalproofs.web.limits import LIMITS
from naturalproofs.web.models import CLEAN
from naturalproofs.web.pages.ask import SHOWN, Question, answer_part, ask_page
from naturalproofs.web.pages.corpora import chapter_page, corpora_page, corpus_page
from naturalproofs.web.pages.home import Search, found_part, home_page
from naturalproofs.web.pages.problem import api_page
from naturalproofs.web.pages.results import answers_page, results_page
from naturalproofs.web.pages.statement import statement_page
from naturalproofs.web.problems import Problem
from naturalproofs.web.reading import rendered
from naturalproofs.web.site import Site

Word = Annotated[str, Query(max_length=LIMITS.query, pattern=CLEAN)]
Named = Annotated[str, Path(max_length=300, pattern=CLEAN)]
_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')
_YEAR = "public, max-age=31536000, immutable"


def page_router(site: Site, gate: Gate) -> APIRouter:
    """All pages."""
    router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
    _asking(router, site, gate)
    _reading(router, site, gate)

    @router.get("/api")
    async def api() -> HTMLResponse:
        return HTMLResponse(api_page())

    @router.get("/static/{name}")
    async def static(name: Named, v: Word = "") -> Response:
        asset = assets().get(name)
        if asset is None:
            raise Problem(404, "not-found", "there is no such file")
        kept = _YEAR if v == asset.version else "no-cache"
        return Response(asset.content, media_type=asset.kind, headers={"cache-control": kept})

    return router


def _asking(router: APIRouter, site: Site, gate: Gate) -> None:
    """Pages that answer what someone types."""

    @router.get("/")
    async def home(
        request: Request,
        q: Word = "",
        corpus: Word = "",
        kind: Word = "",
        chapter: Word = "",
        more: Annotated[int, Query(ge=1, le=5)] = 1,
    ) -> HTMLResponse:
        asked = Search(q, corpus, kind, chapter, more)
        make = found_part if "x-part" in request.headers else home_page
        return HTMLResponse(await gate.run(lambda: make(site, asked)), headers={"vary": "x-part"})

    @router.get("/ask")
    async def ask(statement: Word = "") -> HTMLResponse:
        return HTMLResponse(await gate.run(lambda: ask_page(site, Question(statement=statement))))

    @router.post("/ask")
    async def answer(request: Request) -> HTMLResponse:
        asked = _question(await _form(request))
        make = answer_part if "x-part" in request.headers else ask_page
        return HTMLResponse(await gate.run(lambda: make(site, asked)))

    @router.post("/ask/preview")
    async def show(request: Request) -> HTMLResponse:
        text = (await _form(request)).get("text", [""])[0]
        return HTMLResponse(await gate.run(lambda: rendered(text, site.macros())))


def _reading(router: APIRouter, site: Site, gate: Gate) -> None:
    """Pages that show what there is."""

    @router.get("/statement/{name:path}")
    async def statement(
        name: Named, up: Annotated[int, Query(ge=0, le=4)] = 1, down: Annotated[int, Query(ge=0, le=4)] = 1
    ) -> HTMLResponse:
        return HTMLResponse(await gate.run(lambda: statement_page(site, name, up, down)))

    @router.get("/corpora")
    async def corpora() -> HTMLResponse:
        return HTMLResponse(await gate.run(lambda: corpora_page(site)))

    @router.get("/corpus/{name}")
    async def corpus(name: Named, chapter: Word = "") -> HTMLResponse:
        if chapter:
            return HTMLResponse(await gate.run(lambda: chapter_page(site, name, chapter)))
        return HTMLResponse(await gate.run(lambda: corpus_page(site, name), site.limits.long_seconds))

    @router.get("/corpus/{name}/graph")
    async def whole_graph(name: Named) -> HTMLResponse:
        page = await gate.run(lambda: site.room(name).graph_page, site.limits.long_seconds)
        # The page brings its own script and style, and a policy that names them by their hashes.
        policy = _POLICY.search(page)
        headers = {"content-security-policy": f"{unescape(policy[1])}; frame-ancestors 'none'"} if policy else {}
        return HTMLResponse(page, headers=headers)

    @router.get("/results")
    async def results() -> HTMLResponse:
        return HTMLResponse(await gate.run(lambda: results_page(site)))

    @router.get("/results/{task}/{name:path}")
    async def answers(task: Named, name: Named) -> HTMLResponse:
        return HTMLResponse(await gate.run(lambda: answers_page(site, task, name)))


async def _form(request: Request) -> dict[str, list[str]]:
    """The fields of a form, each a list; the door has limited its size."""
    try:
        fields = parse_qs((await request.body()).decode("utf-8"), keep_blank_values=True, max_num_fields=200)
    except (UnicodeDecodeError, ValueError) as error:
        raise Problem(400, "bad-request", "the form cannot be read", "body") from error
    if any(ord(sign) < 32 and sign not in "\t\n\r" for values in fields.values() for value in values for sign in value):
        raise Problem(422, "not-valid", "the text holds control characters", "body")
    return fields


def _question(fields: dict[str, list[str]]) -> Question:
    def one(name: str) -> str:
        return fields.get(name, [""])[0]

    text = one("text").replace("\r\n", "\n")
    if len(text) > LIMITS.text:
        raise Problem(413, "too-large", f"a theorem may have {LIMITS.text:,} characters", "text")
    number = one("k")
    k = min(max(int(number), 1), 50) if number.isascii() and number.isdigit() and len(number) < 5 else SHOWN
    corpora, picked = fields.get("corpora", []), [*fields.get("kept", []), *fields.get("picked", [])]
    return Question(
        text, one("statement")[:300], tuple(corpora[: LIMITS.names]), tuple(dict.fromkeys(picked[: LIMITS.names])), k
    )
