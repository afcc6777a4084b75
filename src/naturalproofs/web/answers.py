"""Answers for programs, made from what the library gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from naturalproofs.records import Statement
from naturalproofs.web.limits import LIMITS
from naturalproofs.web.models import (
    CorporaAnswer,
    CorpusOut,
    EdgeOut,
    GraphAnswer,
    HitOut,
    ImpactAnswer,
    ImpactItem,
    NodeOut,
    PathAnswer,
    PreviewAnswer,
    ProofOut,
    ReasonOut,
    SearchAnswer,
    StatementAnswer,
    StepOut,
    SuggestAnswer,
    SuggestionOut,
    SuggestQuestion,
)
from naturalproofs.web.neighbourhood import neighbourhood
from naturalproofs.web.pages.pieces import title_of
from naturalproofs.web.problems import Problem
from naturalproofs.web.reading import rendered
from naturalproofs.web.site import Room, Site
from naturalproofs.workspace.paths import impact, reading_path

_SNIPPET = 200


def suggest_answer(site: Site, question: SuggestQuestion) -> SuggestAnswer:
    """Suggestions for a theorem."""
    if not question.text.strip() and not question.statement.strip():
        raise Problem(422, "not-valid", "give the text of a theorem, or the id of a statement", "text")
    found = site.suggest(
        question.text,
        statement=question.statement,
        title=question.title,
        k=question.k,
        corpora=question.corpora,
        cited=question.cited,
    )
    items = [
        SuggestionOut(
            **_brief(site.room(one.corpus), one.statement),
            text=site.room(one.corpus).reading.plain(one.statement, _SNIPPET),
            citation=one.citation,
            score=one.score,
            probability=one.probability,
            reasons=[ReasonOut(kind=r.kind, text=r.text, statements=list(r.statements)) for r in one.reasons],
        )
        for one in found
    ]
    return SuggestAnswer(items=items, expected=found.expected, enough=found.enough)


def search_answer(
    site: Site,
    q: str,
    *,
    k: int,
    corpora: Sequence[str],
    kinds: Sequence[str],
    chapters: Sequence[str],
    categories: Sequence[str],
) -> SearchAnswer:
    """What a search finds."""
    found = site.search(q, k=k, corpora=corpora or None, kinds=kinds, chapters=chapters, categories=categories)
    items = []
    for hit in found.items:
        room = site.room(hit.corpus)
        brief = _brief(room, room.corpus.by_id[hit.id])
        items.append(
            HitOut(
                **brief,
                score=hit.score,
                field=hit.field,
                snippet=hit.snippet,
                marks=list(hit.marks),
                chapter=hit.card.chapter,
            )
        )
    return SearchAnswer(items=items, total=found.total, suggestions=list(found.suggestions))


def statement_answer(site: Site, key: str) -> StatementAnswer:
    """Everything about a statement."""
    room, statement = site.find(key)
    place = statement.place
    return StatementAnswer(
        **_brief(room, statement),
        tag=statement.tag,
        chapter=place.chapter if place else "",
        section=place.section if place else "",
        text="\n".join(statement.lines),
        html=room.reading.statement(statement),
        citation=site.citation(statement),
        source=str(statement.origin) if statement.origin else "",
        licence=room.corpus.provenance.licence,
        references=list(dict.fromkeys(statement.references)),
        proofs=[
            ProofOut(text="\n".join(p.lines), references=list(dict.fromkeys(p.references))) for p in statement.proofs
        ],
        used_by=list(room.graph.used_by.get(statement.id, ())),
    )


def graph_answer(site: Site, key: str, *, up: int, down: int, most: int) -> GraphAnswer:
    """The surroundings of a statement."""
    room, statement = site.find(key)
    found = neighbourhood(room.corpus, room.graph, statement.id, up=up, down=down, most=most)
    nodes = [
        NodeOut(**_brief(room, room.corpus.by_id[spot.id]), x=spot.x, y=spot.y, distance=spot.distance)
        for spot in found.spots
    ]
    edges = [EdgeOut(source=line.source, target=line.target, proof=line.proof) for line in found.lines]
    size = found.size
    return GraphAnswer(
        centre=found.centre, nodes=nodes, edges=edges, width=size.width, height=size.height, left_out=found.left_out
    )


def path_answer(site: Site, key: str, *, known: Sequence[str], most: int) -> PathAnswer:
    """What to read before a statement."""
    room, statement = site.find(key)
    stops = [room.corpus.find(name).id for name in known]
    path = reading_path(room.corpus, room.graph, statement.id, known=stops, most=most)
    steps = [
        StepOut(**_brief(room, room.corpus.by_id[step.id]), layer=step.layer, uses=list(step.uses))
        for step in path.steps
    ]
    return PathAnswer(steps=steps, known=list(path.known), cut_at=path.cut_at)


def impact_answer(site: Site, key: str, *, most: int) -> ImpactAnswer:
    """What falls if a statement is wrong."""
    room, statement = site.find(key)
    found = impact(room.corpus, room.graph, statement.id)
    items = [ImpactItem(**_brief(room, room.corpus.by_id[one]), distance=distance) for one, distance in found[:most]]
    return ImpactAnswer(total=len(found), items=items)


def corpora_answer(site: Site) -> CorporaAnswer:
    """What there is."""
    return CorporaAnswer(corpora=[_corpus(room) for room in site.rooms])


def preview_answer(site: Site, text: str, corpus: str = "") -> PreviewAnswer:
    """Rendered LaTeX."""
    return PreviewAnswer(html=rendered(text[: LIMITS.text], site.macros(corpus)))


def _corpus(room: Room) -> CorpusOut:
    corpus, provenance = room.corpus, room.corpus.provenance
    kinds = Counter(statement.kind for statement in corpus.statements)
    return CorpusOut(
        name=room.name,
        title=title_of(room.reading),
        authors=provenance.authors,
        licence=provenance.licence,
        url=provenance.url,
        source=provenance.source,
        theorems=kinds["theorem"],
        definitions=kinds["definition"],
        others=kinds["other"],
        proofs=sum(len(statement.proofs) for statement in corpus.statements),
        references=room.graph.edge_count,
    )


def _brief(room: Room, statement: Statement) -> dict[str, Any]:
    return {
        "id": statement.id,
        "corpus": room.name,
        "kind": statement.kind,
        "form": statement.form,
        "number": statement.number,
        "title": room.reading.words(statement.title),
        "label": statement.label,
    }
