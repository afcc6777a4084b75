"""The pages of corpora (a list, figures and plots of each, its chapters, its graph)."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from html import escape
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from markupsafe import Markup

from naturalproofs.apps.report.statistics import all_tables, references_per_proof
from naturalproofs.apps.report.table import to_html
from naturalproofs.apps.web.charts import Plot, columns
from naturalproofs.apps.web.pages import Named, Word
from naturalproofs.apps.web.render import LISTED
from naturalproofs.apps.web.requests import RequestError, queued, request_error
from naturalproofs.apps.web.site import CorpusPages, Site
from naturalproofs.apps.web.templating import render
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.sources.account import account_lines
from naturalproofs.workspace.figures import MEDIA_TYPES

_FIGURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

log = logging.getLogger("naturalproofs.apps.web")
router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/corpora")
@queued()
def corpora_page(site: Site) -> str:
    """All corpora."""
    return render("corpora.html", site=site)


@router.get("/corpus/{name}")
@queued(long=True)
def corpus_page(site: Site, name: Named, chapter: Annotated[Word, Query()] = "") -> str:
    """The contents of a corpus with its main theorems, or one of its chapters."""
    pages = site.pages_of(site.workspace.corpus(name))
    if chapter:
        return _chapter_page(pages, chapter)
    return render("corpus.html", corpus=pages.corpus, pages=pages, about=False)


@router.get("/corpus/{name}/about")
@queued(long=True)
def about_page(site: Site, name: Named) -> str:
    """A corpus in figures."""
    corpus = site.workspace.corpus(name)
    pages = site.pages_of(corpus)
    return render(
        "corpus.html",
        corpus=corpus,
        pages=pages,
        about=True,
        account=account_lines(corpus.account),
        plots=[_references_per_proof(corpus)],
        tables=[(table.title, Markup(to_html(table))) for table in all_tables([pages.statistics()])],
    )


def _chapter_page(pages: CorpusPages, chapter: str) -> str:
    """A chapter with all its text."""
    corpus = pages.corpus
    found = pages.work.named(chapter)
    if found is None:
        raise RequestError(404, f"no chapter is called {chapter[:80]!r} in {corpus.name}", "chapter")
    return render("chapter.html", corpus=corpus, renderer=pages.renderer, book=pages.work, chapter=found)


@router.get("/corpus/{name}/preview/{place}")
@queued()
def preview(site: Site, name: Named, place: Annotated[int, Path(ge=0)]) -> HTMLResponse:
    """What a reference shows in place: a statement, or an equation."""
    found = site.pages_of(site.workspace.corpus(name)).work.preview(place)
    if found is None:
        raise RequestError(404, "there is nothing to show here", "place")
    return HTMLResponse(found, headers={"cache-control": "private, max-age=60"})


@router.get("/corpus/{name}/outside")
@queued(long=True)
def outside_page(site: Site, name: Named) -> str:
    """The other works whose results a corpus uses, and who uses them."""
    corpus = site.workspace.corpus(name)
    renderer = site.renderer(corpus)
    return render("outside.html", corpus=corpus, renderer=renderer, works=corpus.outside, listed=LISTED)


@router.get("/corpus/{name}/notation")
@queued(long=True)
def notation_page(site: Site, name: Named) -> str:
    """The notation of a corpus, with the definitions that introduce it."""
    corpus = site.workspace.corpus(name)
    return render("notation.html", corpus=corpus, renderer=site.renderer(corpus), table=corpus.notation)


@router.get("/corpus/{name}/figure/{path:path}")
@queued()
def figure(site: Site, name: Named, path: Named) -> Response:
    """An image file of a project; whatever an SVG holds, it runs no scripts and loads nothing."""
    images = site.workspace.corpus(name).images
    file = images.file(path) if images is not None else None
    if file is None:
        raise RequestError(404, "there is no such figure")
    headers = {"content-security-policy": _FIGURE_POLICY, "cache-control": "no-cache"}
    return Response(file.read_bytes(), media_type=MEDIA_TYPES[file.suffix.lower()], headers=headers)


@router.get("/corpus/{name}/graph")
async def graph_page(request: Request, name: Named, accept_encoding: Annotated[str, Header()] = "") -> Response:
    """The drawing of a whole corpus; a browser shows its start while the rest is made."""
    state = request.app.state
    site: Site = state.live.site
    graph = site.pages_of(site.workspace.corpus(name)).whole_graph()
    compressed = "gzip" in accept_encoding
    start, rest = (graph.compressed_start, graph.compressed_rest) if compressed else (graph.start, graph.rest)
    # The page has inline scripts and styles, and a policy that names them by their hashes.
    headers = {"content-security-policy": f"{graph.policy}; frame-ancestors 'none'", "vary": "accept-encoding"}
    if compressed:
        headers["content-encoding"] = "gzip"
    if rest.known:
        return HTMLResponse(start + rest(), headers=headers)

    async def parts() -> AsyncIterator[bytes]:
        yield start
        try:
            yield await state.queue.run(rest, long=True)
        except Exception as error:
            refusal = request_error(error)
            if refusal.status == 500:
                log.exception("the graph of %s was not drawn", name)
            yield graph.failed(escape(refusal.message), compressed=compressed)

    return StreamingResponse(parts(), media_type="text/html", headers=headers)


@router.get("/corpus/{name}/graph/text/{node}")
@queued()
def graph_text(site: Site, name: Named, node: Annotated[int, Path(ge=0)]) -> HTMLResponse:
    """The text of one node of that drawing."""
    corpus = site.workspace.corpus(name)
    statements, texts = corpus.statements, site.pages_of(corpus).graph_texts()
    if node >= len(statements):
        raise RequestError(404, "there is no such statement", "node")
    return HTMLResponse(texts.html(statements[node]), headers={"cache-control": "private, max-age=60"})


def _references_per_proof(corpus: Corpus) -> Plot:
    counts = references_per_proof(corpus)
    return columns("References per proof", counts, "references, repeats included", "proofs")
