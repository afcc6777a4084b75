"""The routes of the pages."""

from __future__ import annotations

import re
from html import unescape
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from naturalproofs.web.errors import RequestError
from naturalproofs.web.limits import LIMITS, WorkQueue
from naturalproofs.web.models import CLEAN
from naturalproofs.web.pages.ask import SHOWN, AskForm, ask_page
from naturalproofs.web.pages.corpora import chapter_page, corpora_page, corpus_page
from naturalproofs.web.pages.results import comparison_page, results_page
from naturalproofs.web.pages.search import SearchForm, search_page
from naturalproofs.web.pages.statement import statement_page
from naturalproofs.web.render import render_latex
from naturalproofs.web.templating import render
from naturalproofs.web.urls import API, static_files
from naturalproofs.web.watch import LiveSite

Word = Annotated[str, Query(max_length=LIMITS.query, pattern=CLEAN)]
Named = Annotated[str, Path(max_length=300, pattern=CLEAN)]
PART = "x-part"
"""The header by which a script asks for the part of a page that changes."""
_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')
_YEAR = "public, max-age=31536000, immutable"


def page_router(live: LiveSite, queue: WorkQueue) -> APIRouter:
    """All pages and static files."""
    router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
    _add_forms(router, live, queue)
    _add_pages(router, live, queue)

    @router.get("/static/{name}")
    async def static(name: Named, v: Word = "") -> Response:
        file = static_files().get(name)
        if file is None:
            raise RequestError(404, "not-found", "there is no such file")
        cached = _YEAR if v == file.version else "no-cache"
        return Response(file.content, media_type=file.media_type, headers={"cache-control": cached})

    return router


def _add_forms(router: APIRouter, live: LiveSite, queue: WorkQueue) -> None:
    """Pages that answer what a user types."""

    @router.get("/")
    async def search(
        request: Request,
        q: Word = "",
        corpus: Word = "",
        kind: Word = "",
        chapter: Word = "",
        more: Annotated[int, Query(ge=1, le=5)] = 1,
    ) -> HTMLResponse:
        form, part = SearchForm(q, corpus, kind, chapter, more), PART in request.headers
        return HTMLResponse(await queue.run(lambda: search_page(live.site, form, part=part)), headers={"vary": PART})

    @router.get("/ask")
    async def ask(statement: Word = "") -> HTMLResponse:
        return HTMLResponse(await queue.run(lambda: ask_page(live.site, AskForm(statement=statement))))

    @router.post("/ask")
    async def answer(request: Request) -> HTMLResponse:
        form, part = _ask_form(await _fields(request)), PART in request.headers
        return HTMLResponse(await queue.run(lambda: ask_page(live.site, form, part=part)))

    @router.post("/ask/preview")
    async def preview(request: Request) -> HTMLResponse:
        text = (await _fields(request)).get("text", [""])[0]
        return HTMLResponse(await queue.run(lambda: render_latex(text, live.site.macros())))


def _add_pages(router: APIRouter, live: LiveSite, queue: WorkQueue) -> None:
    """Pages that show what there is."""

    @router.get("/statement/{name:path}")
    async def statement(
        name: Named, up: Annotated[int, Query(ge=0, le=4)] = 1, down: Annotated[int, Query(ge=0, le=4)] = 1
    ) -> HTMLResponse:
        return HTMLResponse(await queue.run(lambda: statement_page(live.site, name, up, down)))

    @router.get("/corpora")
    async def corpora() -> HTMLResponse:
        return HTMLResponse(await queue.run(lambda: corpora_page(live.site)))

    @router.get("/corpus/{name}")
    async def corpus(name: Named, chapter: Word = "") -> HTMLResponse:
        if chapter:
            return HTMLResponse(await queue.run(lambda: chapter_page(live.site, name, chapter)))
        return HTMLResponse(await queue.run(lambda: corpus_page(live.site, name), live.site.limits.long_seconds))

    @router.get("/corpus/{name}/graph")
    async def whole_graph(request: Request, name: Named) -> HTMLResponse:
        corpus, seconds = live.site.corpus(name), live.site.limits.long_seconds
        page = await queue.run(lambda: corpus.graph_page, seconds)
        # The page has inline scripts and styles, and a policy that names them by their hashes.
        policy = _POLICY.search(page)
        headers = {"content-security-policy": f"{unescape(policy[1])}; frame-ancestors 'none'"} if policy else {}
        headers["vary"] = "accept-encoding"
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return HTMLResponse(page, headers=headers)
        compressed = await queue.run(lambda: corpus.compressed_graph_page, seconds)
        return HTMLResponse(compressed, headers={**headers, "content-encoding": "gzip"})

    @router.get("/results")
    async def results() -> HTMLResponse:
        return HTMLResponse(await queue.run(lambda: results_page(live.site)))

    @router.get("/results/{task}/{name:path}")
    async def comparison(task: Named, name: Named) -> HTMLResponse:
        return HTMLResponse(await queue.run(lambda: comparison_page(live.site, task, name)))

    @router.get("/api")
    async def api() -> HTMLResponse:
        return HTMLResponse(render("api.html", api=API))


async def _fields(request: Request) -> dict[str, list[str]]:
    """The fields of a form, each a list; the middleware has limited their size."""
    try:
        fields = parse_qs((await request.body()).decode("utf-8"), keep_blank_values=True, max_num_fields=200)
    except (UnicodeDecodeError, ValueError) as error:
        raise RequestError(400, "bad-request", "the form cannot be read", "body") from error
    if any(ord(sign) < 32 and sign not in "\t\n\r" for values in fields.values() for value in values for sign in value):
        raise RequestError(422, "not-valid", "the text holds control characters", "body")
    return fields


def _ask_form(fields: dict[str, list[str]]) -> AskForm:
    def first(name: str) -> str:
        return fields.get(name, [""])[0]

    text = first("text").replace("\r\n", "\n")
    if len(text) > LIMITS.text:
        raise RequestError(413, "too-large", f"a theorem may have {LIMITS.text:,} characters", "text")
    number = first("k")
    k = min(max(int(number), 1), 50) if number.isascii() and number.isdigit() and len(number) < 5 else SHOWN
    corpora, picked = fields.get("corpora", []), [*fields.get("keep", []), *fields.get("picked", [])]
    return AskForm(
        text, first("statement")[:300], tuple(corpora[: LIMITS.names]), tuple(dict.fromkeys(picked[: LIMITS.names])), k
    )
