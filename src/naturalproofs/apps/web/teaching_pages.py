"""The pages for learning and teaching: reading paths, consequences, exercises, courses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from markupsafe import Markup
from pydantic import StringConstraints

from naturalproofs.apps.report.exercises import exercise_view, sheet_latex, sheet_markdown
from naturalproofs.apps.report.listings import course_markdown, course_title, path_warning
from naturalproofs.apps.web.models import CLEAN
from naturalproofs.apps.web.pages import Named, Part
from naturalproofs.apps.web.render import Renderer
from naturalproofs.apps.web.requests import LIMITS, RequestError, queued, read_form
from naturalproofs.apps.web.site import Site
from naturalproofs.apps.web.templating import render, static_files
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import NoExercise, UnknownName
from naturalproofs.records import Proof, Statement
from naturalproofs.sources.latex import Macro
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.document_macros import with_defaults
from naturalproofs.workspace.exercises import Exercise, Form, cited_sentences, make_exercise, next_theorem
from naturalproofs.workspace.paths import ReadingPath, impact_by_chapter, known_statements

# A course as one HTML file: a reading list with its texts, without anything outside of it.

_FONT = re.compile(r"@font-face\s*\{[^}]*\}")


def course_html(
    workspace: Workspace, path: ReadingPath, *, proofs: bool = True, macros: Mapping[str, Macro] | None = None
) -> str:
    """The texts of a reading path.

    Args:
        workspace: What contains the statements.
        path: What to read, in order.
        proofs: Whether proofs are included.
        macros: Macros for rendering, where the corpus does not define its own.
    """
    corpus = workspace.find(path.targets[0]).corpus
    places = {step.id: f"#r{number}" for number, step in enumerate(path.steps, start=1)}
    known = with_defaults(macros or {}, corpus.macros)

    def proofs_of(statement: Statement) -> list[tuple[int, Proof, int]]:
        shown = enumerate(statement.proofs if proofs else (), start=1)
        return [(at, proof, len(set(proof.references))) for at, proof in shown if any(map(str.strip, proof.lines))]

    return render(
        "course_pack.html",
        title=course_title(corpus, path),
        style=Markup(_FONT.sub("", static_files()["style.css"].content.decode("utf-8"))),
        work=corpus.title,
        provenance=corpus.provenance,
        renderer=Renderer(corpus, known, lambda key: places.get(key, "")),
        path=path,
        by_id=corpus.by_id,
        proofs_of=proofs_of,
        warning=path_warning(path),
    )


STEPS = 120
"""The longest reading path on a page."""
NEAREST = 100
"""Consequences that are listed; all are counted."""
FORMS = (("choose", "Choose"), ("blanks", "Fill the blanks"), ("order", "Put in order"))
_LETTERS = Annotated[str, StringConstraints(max_length=8, pattern=CLEAN)]
_Text = Annotated[str, StringConstraints(max_length=4_000, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f]*$")]
_Seed = Annotated[int, Query(ge=0, le=1_000_000)]

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/path/{name:path}")
@queued()
def path_page(site: Site, name: Named) -> str:
    """What to read before a statement; the script adds what the reader knows."""
    return _path(site, name, {}, "path.html")


@router.post("/path/{name:path}")
@queued()
def known_path_page(
    site: Site, name: Named, form: Annotated[dict[str, list[str]], Depends(read_form)], part: Part = None
) -> str:
    """The same with what the reader knows: the whole page, or the list alone for the script."""
    return _path(site, name, form, "path.html" if part is None else "_path.html")


def _path(site: Site, name: str, form: dict[str, list[str]], template: str) -> str:
    corpus, target = site.workspace.find(name)
    renderer = site.renderer(corpus)
    given = [one.strip()[:300] for one in form.get("known", []) if one.strip()]
    known, unknown = _known(corpus, renderer, dict.fromkeys(given))
    cited = bool(form.get("cited"))
    path = site.workspace.path(target.id, known=list(known), limit=STEPS, inferred=not cited)
    return render(
        template,
        corpus=corpus,
        renderer=renderer,
        target=target,
        path=path,
        by_id=corpus.by_id,
        known=known,
        unknown=unknown,
        cited=cited,
        chapters=list(corpus.chapters),
        warning=path_warning(path),
    )


def _known(corpus: Corpus, renderer: Renderer, names: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """What is known, with how it is shown; and names that nothing has."""
    known: dict[str, str] = {}
    unknown: list[str] = []
    for name in names:
        try:
            found = known_statements(corpus, [name])
        except UnknownName:
            unknown.append(name)
            continue
        one = corpus.by_id[found[0]]
        known[name] = renderer.full_title(one) if len(found) == 1 else f"{name}: {len(found):,} statements"
    return known, unknown


@router.get("/impact/{name:path}")
@queued()
def impact_page(site: Site, name: Named) -> str:
    """What depends on a statement: how many of each chapter, and the nearest."""
    corpus, target = site.workspace.find(name)
    found = site.workspace.impact(target.id)
    return render(
        "impact.html",
        corpus=corpus,
        renderer=site.renderer(corpus),
        target=target,
        total=len(found),
        chapters=impact_by_chapter(corpus, found),
        links=corpus.chapters,
        nearest=[(corpus.by_id[key], distance) for key, distance in found[:NEAREST]],
    )


@router.get("/exercise/{name:path}")
@queued(long=True)
def exercise_page(
    site: Site,
    name: Named,
    form: Form = "choose",
    seed: _Seed = 0,
    answer: Annotated[list[_LETTERS] | None, Query()] = None,
) -> str:
    """An exercise on the proof of a theorem, graded if there is an answer; the address holds the answer."""
    corpus, theorem = site.workspace.find(name)
    made = make_exercise(site.workspace, theorem, form=form, seed=seed)
    try:
        view = exercise_view(site.workspace, made, (answer or [])[: LIMITS.names])
    except UnknownName as error:
        raise RequestError(422, str(error), "answer") from error
    return render(
        "exercise.html",
        corpus=corpus,
        renderer=site.renderer(corpus),
        view=view,
        forms=FORMS,
        cited=cited_sentences(theorem) if view.grade else {},
        following=next_theorem(corpus, theorem),
    )


def _lines(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(line.strip() for text in texts for line in text.splitlines() if line.strip()))


@router.get("/course")
@queued(long=True)
def course_page(
    site: Site,
    names: Annotated[list[_Text] | None, Query()] = None,
    known: Annotated[list[_Text] | None, Query()] = None,
    proofs: bool = False,
    format: Literal["", "html", "markdown"] = "",
) -> Response:
    """A reading list for several theorems, as a page or with its texts as one file."""
    theorems, given = _lines(names or [])[: LIMITS.names], _lines(known or [])[: LIMITS.names]
    values = {"names": theorems, "known": given, "proofs": proofs, "forms": FORMS, "problem": "", "path": None}
    if not theorems:
        return HTMLResponse(render("course.html", **values))
    try:
        path = site.workspace.path(theorems, known=given, limit=LIMITS.path, inferred=True)
    except UnknownName as error:
        if format:
            raise
        return HTMLResponse(render("course.html", **values | {"problem": f"{str(error)[:300]}."}))
    corpus = site.workspace.find(path.targets[0]).corpus
    renderer = site.renderer(corpus)
    if format == "html":
        page = course_html(site.workspace, path, proofs=proofs, macros=renderer.macros)
        return HTMLResponse(page.encode("utf-8", "replace"), headers=_download("course.html"))
    if format == "markdown":
        text = course_markdown(site.workspace, path, proofs=proofs)
        return PlainTextResponse(text.encode("utf-8", "replace"), headers=_download("course.md"))
    query = [("names", one) for one in theorems]
    wanted = [*query, *(("known", one) for one in given), *([("proofs", "1")] if proofs else [])]
    values |= {
        "renderer": renderer,
        "path": path,
        "by_id": corpus.by_id,
        "warning": path_warning(path),
        "address": f"/course?{urlencode(wanted)}",
        "sheet": f"/sheet?{urlencode(query)}",
    }
    return HTMLResponse(render("course.html", **values))


@router.get("/sheet")
@queued(long=True)
def sheet_page(
    site: Site,
    names: Annotated[list[_Text], Query()],
    form: Form = "choose",
    seed: _Seed = 0,
    format: Literal["", "latex", "markdown"] = "",
) -> Response:
    """Exercises on several theorems to print, or as LaTeX or Markdown; theorems that give none are named."""
    theorems = [site.workspace.find(name) for name in _lines(names)[: LIMITS.names]]
    made: list[Exercise] = []
    problems: list[str] = []
    for _, theorem in theorems:
        try:
            made.append(make_exercise(site.workspace, theorem, form=form, seed=seed))
        except NoExercise as error:
            problems.append(f"{error}.")
    if format and made:
        text = (sheet_latex if format == "latex" else sheet_markdown)(site.workspace, made)
        name = "sheet.tex" if format == "latex" else "sheet.md"
        return PlainTextResponse(text.encode("utf-8", "replace"), headers=_download(name))
    if format:
        raise RequestError(422, problems[0] if problems else "no theorem was named", "names")
    address = "/sheet?" + urlencode([*(("names", one.id) for _, one in theorems), ("form", form), ("seed", seed)])
    views = [exercise_view(site.workspace, one) for one in made]
    renderer = site.renderer(theorems[0].corpus if theorems else site.workspace.home)
    return HTMLResponse(render("sheet.html", renderer=renderer, views=views, problems=problems, address=address))


def _download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}
