"""The corpora: a shelf, the statistics and plots of each, and its chapters to read."""

from __future__ import annotations

from collections import Counter

from naturalproofs.report.statistics_tables import all_tables
from naturalproofs.report.table import to_html
from naturalproofs.web.addresses import corpus_address, graph_address, search_address, statement_address
from naturalproofs.web.charts import bars, columns, dots
from naturalproofs.web.html import Child, Html, h
from naturalproofs.web.pages.pieces import entries, title_of
from naturalproofs.web.pages.shell import count, page
from naturalproofs.web.problems import Problem
from naturalproofs.web.site import Room, Site

LONGEST = 30
"""The distribution of references per proof is cut here."""
SHOWN = 200
"""Statements of a chapter on one page."""


def corpora_page(site: Site) -> Html:
    """The shelf."""
    cards = [
        h(
            "li",
            h("h2", h("a", title_of(room.reading), href=corpus_address(room.name))),
            h("p", room.corpus.provenance.authors, class_="told") if room.corpus.provenance.authors else None,
            _numbers(room),
            h("p", "Licence: ", room.corpus.provenance.licence or "not stated", class_="told"),
            class_="card",
        )
        for room in site.rooms
    ]
    return page("Corpora", h("h1", "Corpora"), h("ul", cards, class_="shelf large"), here="/corpora", wide=True)


def corpus_page(site: Site, name: str) -> Html:
    """One corpus in figures."""
    room = site.room(name)
    provenance = room.corpus.provenance
    about: list[Child] = [
        provenance.authors,
        f"read as {provenance.source}",
        provenance.licence or "licence not stated",
    ]
    tables = all_tables([room.statistics])
    return page(
        title_of(room.reading),
        h("h1", title_of(room.reading)),
        h("p", " · ".join(str(part) for part in about if part), class_="under"),
        _numbers(room),
        h(
            "p",
            h("a", "See the whole graph", href=graph_address(name), class_="button"),
            " ",
            h("a", "Search in it", href=search_address(corpus=name), class_="button"),
        ),
        h("div", _references(room), _usage(room), class_="charts"),
        h("div", _chapters(room), _most_used(room), class_="charts"),
        h("h2", "In figures"),
        h(
            "div",
            [
                h("section", Html(to_html(table)), class_="figures", tabindex=0, aria_label=table.title)
                for table in tables
            ],
            class_="tables",
        ),
        here="/corpora",
        wide=True,
    )


def chapter_page(site: Site, name: str, chapter: str) -> Html:
    """The statements of a chapter, in order."""
    room = site.room(name)
    found = room.chapters.get(chapter)
    if found is None:
        raise Problem(404, "not-found", f"no chapter is called {chapter[:80]!r} in {name}", "chapter")
    sections: dict[str, list[Child]] = {}
    for statement in found[:SHOWN]:
        section = statement.place.section if statement.place else ""
        sections.setdefault(section, []).append(statement.id)
    by_id = room.corpus.by_id
    parts = [
        [
            h("h2", room.reading.words(section)) if section else None,
            entries(room.reading, [by_id[str(key)] for key in keys]),
        ]
        for section, keys in sections.items()
    ]
    rest = len(found) - SHOWN
    return page(
        room.reading.words(chapter),
        h(
            "nav",
            h("ol", h("li", h("a", title_of(room.reading), href=corpus_address(name)))),
            class_="crumbs",
            aria_label="Where it stands",
        ),
        h("h1", room.reading.words(chapter)),
        h("p", count(len(found), "statement"), class_="under"),
        parts,
        h(
            "p",
            f"{rest:,} more are left out here; ",
            h("a", "search in this chapter", href=search_address(corpus=name, chapter=chapter)),
            class_="told",
        )
        if rest > 0
        else None,
        here="/corpora",
    )


def _numbers(room: Room) -> Html:
    kinds = Counter(statement.kind for statement in room.corpus.statements)
    proofs = sum(len(statement.proofs) for statement in room.corpus.statements)
    shown = (
        ("theorems", kinds["theorem"]),
        ("definitions", kinds["definition"]),
        ("others", kinds["other"]),
        ("proofs", proofs),
        ("references", room.graph.edge_count),
    )
    return h(
        "ul", [h("li", h("b", number), " ", h("span", name)) for name, number in shown if number], class_="numbers"
    )


def _references(room: Room) -> Html:
    counts = Counter(len(proof.references) for statement in room.corpus.statements for proof in statement.proofs)
    cut = min(max(counts, default=0), LONGEST)
    heights = [*(counts[k] for k in range(cut)), sum(n for k, n in counts.items() if k >= cut)]
    names = [*map(str, range(cut)), f"{cut}+" if max(counts, default=0) > cut else str(cut)]
    return columns("References per proof", heights, names, "references, repeats included", "proofs")


def _usage(room: Room) -> Html:
    counts = Counter(len(room.graph.used_by.get(node, ())) for node in room.graph.nodes)
    never = counts.pop(0, 0)
    title = f"How often a statement is used ({never:,} never)"
    return dots(title, sorted(counts.items()), "statements that use it", "statements")


def _chapters(room: Room) -> Html | None:
    rows = [
        (room.reading.words(name), len(found), corpus_address(room.name, chapter=name))
        for name, found in room.chapters.items()
    ]
    if not rows:
        subjects = Counter(category for statement in room.corpus.statements for category in statement.categories)
        rows = [(name, number, "") for name, number in subjects.most_common(14)]
        return bars("Largest categories", rows, "statements") if rows else None
    return bars("Chapters", rows, "statements")


def _most_used(room: Room) -> Html:
    much = sorted(room.corpus.statements, key=lambda s: -len(room.graph.used_by.get(s.id, ())))[:14]
    rows = [
        (
            f"{room.reading.name(one)} {room.reading.words(one.title)}".strip(),
            len(room.graph.used_by.get(one.id, ())),
            statement_address(one.id),
        )
        for one in much
    ]
    return bars("Used most", rows, "statements use it")
