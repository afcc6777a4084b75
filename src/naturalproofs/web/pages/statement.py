"""The page of a statement: its text, proofs, neighbourhood, prerequisites and source."""

from __future__ import annotations

from naturalproofs.records import Statement
from naturalproofs.web.neighbourhood import neighbourhood
from naturalproofs.web.render import work_title
from naturalproofs.web.site import ServedCorpus, Site
from naturalproofs.web.templating import render
from naturalproofs.web.urls import corpus_url

LISTED = 12
"""Longer lists are folded after so many entries."""
STEPS = 80
"""The longest list of prerequisites on the page."""
DRAWN = 36
"""Statements in the drawing."""


def statement_page(site: Site, name: str, up: int = 1, down: int = 1) -> str:
    """Everything about one statement."""
    corpus, statement = site.find(name)
    renderer, graph, by_id = corpus.renderer, corpus.graph, corpus.corpus.by_id
    path = site.workspace.path(statement.id, limit=STEPS)
    steps = path.steps[:-1] if path.steps and path.steps[-1].id == statement.id else ()
    previous, following = corpus.beside(statement)
    return render(
        "statement.html",
        title=f"{renderer.name(statement)} {renderer.plain_text(statement.title)}".strip(),
        corpus=corpus,
        renderer=renderer,
        provenance=corpus.corpus.provenance,
        statement=statement,
        crumbs=_crumbs(corpus, statement),
        proofs=[
            (number, proof, len(set(proof.references)))
            for number, proof in enumerate(statement.proofs, start=1)
            if any(line.strip() for line in proof.lines) or proof.references
        ],
        previous=previous,
        next=following,
        uses=[by_id[key] for key in graph.uses.get(statement.id, ())],
        used_by=[by_id[key] for key in graph.used_by.get(statement.id, ())],
        listed=LISTED,
        up=up,
        down=down,
        around=neighbourhood(corpus.corpus, graph, statement.id, up=up, down=down, limit=DRAWN),
        steps=[by_id[step.id] for step in steps],
        layers=len({step.layer for step in steps}),
        cut_at=path.cut_at,
    )


def _crumbs(corpus: ServedCorpus, statement: Statement) -> list[tuple[str, str]]:
    """Corpus, chapter and section, with their URLs."""
    place, renderer = statement.place, corpus.renderer
    links = [(work_title(corpus), corpus_url(corpus.name))]
    if place and place.chapter:
        links.append((renderer.plain_text(place.chapter), corpus_url(corpus.name, chapter=place.chapter)))
    if place and place.section:
        links.append((renderer.plain_text(place.section), ""))
    return links
