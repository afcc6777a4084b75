"""The pages about statements: search, suggestions for a proof, one statement; and the static files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, StringConstraints

from naturalproofs.apps.web.models import CLEAN
from naturalproofs.apps.web.render import Renderer, drawn, published_url, render_latex, statement_values
from naturalproofs.apps.web.requests import LIMITS, PART, RequestError, queued, read_form
from naturalproofs.apps.web.site import Site
from naturalproofs.apps.web.templating import API, render, static_files, url
from naturalproofs.records import KINDS, Statement
from naturalproofs.workspace import OpenCorpus

HITS, MOST_PAGES = 20, 5
"""Results of a search, and how many times as many can be asked for."""
SUGGESTIONS = 12
STEPS = 80
"""The longest list of prerequisites on a statement's page."""
DRAWN = 36
"""Statements in the drawing of a statement's page."""
EXAMPLE = (
    "Let $f \\colon [a,b] \\to \\mathbb{R}$ be continuous. Then $f$ is bounded, and there are $c, d \\in [a,b]$ with\n"
    "\\[ f(c) \\le f(x) \\le f(d) \\quad \\text{for all } x \\in [a,b]. \\]"
)
_YEAR = "public, max-age=31536000, immutable"

Word = Annotated[str, StringConstraints(max_length=LIMITS.query, pattern=CLEAN)]
Named = Annotated[str, Path(max_length=300, pattern=CLEAN)]
Part = Annotated[str | None, Header(alias=PART)]
"""Set by a script that asks for the part of a page that changes."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class SearchForm(BaseModel):
    """A query with its filters."""

    q: Word = ""
    corpus: Word = ""
    kind: Word = ""
    chapter: Word = ""
    more: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1
    """How many times as many results as usual."""


@router.get("/")
@queued()
def search_page(site: Site, search: Annotated[SearchForm, Query()], part: Part = None) -> Response:
    """The form with the results, or the results alone for the script that searches while one types."""
    found, more_url = None, ""
    if search.q.strip():
        limit = HITS * search.more
        found = site.workspace.search(
            search.q,
            k=limit,
            corpora=[search.corpus] if search.corpus else None,
            kinds=[search.kind] if search.kind in KINDS else (),
            chapters=[search.chapter] if search.chapter else (),
        )
        if len(found.items) == limit < found.total and search.more < MOST_PAGES:
            more_url = url(**search.model_dump() | {"more": search.more + 1})
    template = "search.html" if part is None else "_search_results.html"
    page = render(template, site=site, search=search, found=found, more_url=more_url)
    return HTMLResponse(page, headers={"vary": PART})


@dataclass(frozen=True, slots=True)
class AskForm:
    """A theorem as text, or a statement of a corpus, and what is cited already."""

    text: str = ""
    statement: str = ""
    corpora: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()
    k: int = SUGGESTIONS


async def _ask_form(request: Request) -> AskForm:
    """The form in the body of a request."""
    fields = await read_form(request)

    def first(name: str) -> str:
        return fields.get(name, [""])[0]

    text = first("text").replace("\r\n", "\n")
    if len(text) > LIMITS.text:
        raise RequestError(413, f"a theorem may have {LIMITS.text:,} characters", "text")
    number = first("k")
    k = min(max(int(number), 1), 50) if number.isascii() and number.isdigit() and len(number) < 5 else SUGGESTIONS
    corpora, picked = fields.get("corpora", []), [*fields.get("keep", []), *fields.get("picked", [])]
    return AskForm(
        text, first("statement")[:300], tuple(corpora[: LIMITS.names]), tuple(dict.fromkeys(picked[: LIMITS.names])), k
    )


@router.get("/ask")
@queued()
def ask_page(site: Site, statement: Annotated[Word, Query()] = "") -> str:
    """The form, with suggestions for a statement if there is one."""
    return _ask_page(site, AskForm(statement=statement))


@router.post("/ask")
@queued()
def answer_page(site: Site, form: Annotated[AskForm, Depends(_ask_form)], part: Part = None) -> str:
    """The form with the suggestions, or the suggestions alone for the script that asks without leaving the page."""
    if part is not None:
        return render("_suggestions.html", site=site, **_suggestions(site, form))
    return _ask_page(site, form)


@router.post("/ask/preview")
@queued()
def preview(site: Site, form: Annotated[AskForm, Depends(_ask_form)]) -> str:
    """A theorem rendered."""
    return render_latex(form.text, site.macros())


def _ask_page(site: Site, form: AskForm) -> str:
    home, about = site.workspace.find(form.statement) if form.statement else (None, None)
    text = form.text or (about.text if about else "")
    asked = bool(form.text.strip() or about)
    return render(
        "ask.html",
        site=site,
        form=form,
        text=text,
        home=home,
        about=about,
        example=EXAMPLE,
        longest=LIMITS.text,
        preview=render_latex(text, site.macros()) if text else "",
        **(_suggestions(site, form) if asked else {"suggestions": None}),
    )


def _suggestions(site: Site, form: AskForm) -> dict[str, Any]:
    found = site.suggest(form.text, statement=form.statement, k=form.k, corpora=form.corpora or None, cited=form.picked)
    picked = [(renderer, one, site.workspace.citation(one)) for renderer, one in site.known_among(form.picked)]
    return {"suggestions": found, "picked": picked}


@router.get("/statement/{name:path}")
@queued()
def statement_page(
    site: Site,
    name: Named,
    up: Annotated[int, Query(ge=0, le=4)] = 1,
    down: Annotated[int, Query(ge=0, le=4)] = 1,
) -> str:
    """Everything about one statement: its text, proofs, neighbourhood, prerequisites and source."""
    corpus, statement = site.workspace.find(name)
    renderer = site.renderer(corpus)
    # Only what is cited: what is inferred takes long in a large corpus, and the page of the path shows it.
    path = site.workspace.path(statement.id, limit=STEPS, inferred=False)
    steps = path.steps[:-1] if path.steps and path.steps[-1].id == statement.id else ()
    near = site.workspace.neighbourhood(statement.id, up=up, down=down, limit=DRAWN)
    return render(
        "statement.html",
        **statement_values(corpus, renderer, statement),
        corpus=corpus,
        renderer=renderer,
        book=site.pages_of(corpus).work,
        crumbs=_crumbs(corpus, renderer, statement),
        tag_url=published_url(corpus, statement),
        up=up,
        down=down,
        around=drawn(renderer, near),
        left_out=near.left_out,
        steps=[corpus.by_id[step.id] for step in steps],
        layers=len({step.layer for step in steps}),
        cut_at=path.cut_at,
        outside=site.workspace.outside(statement.id),
    )


def _crumbs(corpus: OpenCorpus, renderer: Renderer, statement: Statement) -> list[tuple[str, str]]:
    """Corpus, chapter and section, with their URLs."""
    chapter, section = statement.chapter, statement.section
    links = [(corpus.title, url("corpus", corpus.name))]
    if chapter:
        links.append((renderer.plain_text(chapter), url("corpus", corpus.name, chapter=chapter)))
    if section:
        links.append((renderer.plain_text(section), ""))
    return links


@router.get("/api")
async def api_page() -> str:
    """What programs can ask."""
    return render("api.html", api=API)


@router.get("/static/{name}")
async def static(name: Named, v: Annotated[Word, Query()] = "") -> Response:
    """A style sheet, script or image."""
    file = static_files().get(name)
    if file is None:
        raise RequestError(404, "there is no such file")
    # The style sheet names fonts without a version; a font does not change.
    cached = _YEAR if v == file.version or name.endswith(".woff2") else "no-cache"
    return Response(file.content, media_type=file.media_type, headers={"cache-control": cached})
