"""The page of a statement: what it says, its proofs, what it rests on, what rests on it, where it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from naturalproofs.records import Note, Statement, StatementId
from naturalproofs.web.addresses import statement_address
from naturalproofs.web.drawing import drawing
from naturalproofs.web.html import Child, Html, h
from naturalproofs.web.neighbourhood import neighbourhood
from naturalproofs.web.pages.pieces import copyable, crumbs, entries, entry, kind_class, title_of
from naturalproofs.web.pages.shell import count, page
from naturalproofs.web.site import Room, Site
from naturalproofs.workspace.paths import reading_path

LISTED = 12
"""Longer lists are folded after so many."""
STEPS = 80
"""The longest list of prerequisites on the page."""
DRAWN = 36
"""Statements in the picture."""


def statement_page(site: Site, key: str, up: int = 1, down: int = 1) -> Html:
    """Everything about one statement."""
    room, statement = site.find(key)
    reading = room.reading
    name, title = reading.name(statement), reading.title(statement) if statement.title else None
    plain = " ".join(filter(None, (name, reading.words(statement.title))))
    return page(
        plain,
        crumbs(reading, statement),
        h("h1", h("span", name, class_="name"), h("i", title) if title else None, class_=kind_class(statement)),
        h(
            "div",
            h(
                "div",
                _text(room, statement),
                _proofs(room, statement),
                _turning(room, statement),
                _surroundings(room, statement, up, down),
                _before(room, statement),
                class_="column",
            ),
            _aside(room, statement),
            class_="columns",
        ),
        here="",
        scripts=("graph.js",),
        description=reading.plain(statement, 150),
        wide=True,
    )


def _text(room: Room, statement: Statement) -> list[Child]:
    slogans = [note for note in statement.notes if note.kind == "slogan"]
    return [
        *(h("p", room.reading.note(statement, note.lines), class_="slogan") for note in slogans),
        h("div", room.reading.statement(statement), class_=f"statement tex-text {kind_class(statement)}"),
        *(_note(room, statement, note) for note in statement.notes if note.kind not in ("slogan", "duplicate")),
    ]


def _note(room: Room, statement: Statement, note: Note) -> Html:
    return h(
        "details",
        h("summary", note.kind.replace("-", " ").capitalize()),
        h("div", room.reading.note(statement, note.lines), class_="tex-text"),
    )


def _proofs(room: Room, statement: Statement) -> list[Child]:
    several = len(statement.proofs) > 1
    return [
        h(
            "details",
            h(
                "summary",
                f"Proof {number}" if several else "Proof",
                h("span", f" cites {count(len(set(proof.references)), 'statement')}", class_="told"),
            ),
            h(
                "div",
                room.reading.proof(statement, proof),
                h("p", "∎", class_="end", aria_hidden="true"),
                class_="tex-text",
            ),
            class_="proof",
        )
        for number, proof in enumerate(statement.proofs, start=1)
        if any(line.strip() for line in proof.lines) or proof.references
    ]


def _turning(room: Room, statement: Statement) -> Html | None:
    """The statements before and after it in the book."""
    if statement.place is None:
        return None
    before, after = room.beside(statement.id)
    links = [
        h("a", h("span", word, class_="told"), h("b", room.reading.name(one)), href=statement_address(one.id), rel=rel)
        if one
        else h("span", "")
        for word, rel, one in (("← previous", "prev", before), ("next →", "next", after))
    ]
    return h("nav", links, class_="turning", aria_label="Reading order")


def _aside(room: Room, statement: Statement) -> Html:
    graph, key = room.graph, statement.id
    ask = (
        h(
            "p",
            h(
                "a",
                "Ask what its proof needs",
                href=f"/ask?statement={statement_address(key)[len('/statement/') :]}",
                class_="button",
            ),
        )
        if statement.kind == "theorem"
        else None
    )
    return h(
        "aside",
        ask,
        _cited(room, "Rests on", graph.uses.get(key, ()), "Nothing is cited here."),
        _cited(room, "Used by", graph.used_by.get(key, ()), "Nothing cites it."),
        _source(room, statement),
        aria_label="About this statement",
    )


def _cited(room: Room, heading: str, keys: Sequence[StatementId], none: str) -> Html:
    statements = [room.corpus.by_id[key] for key in keys]
    head, rest = statements[:LISTED], statements[LISTED:]
    folded = h("details", h("summary", f"{len(rest):,} more"), entries(room.reading, rest)) if rest else None
    listed = entries(room.reading, head) if head else h("p", none, class_="told")
    return h("section", h("h2", heading, " ", h("span", len(statements), class_="figure")), listed, folded)


def _source(room: Room, statement: Statement) -> Html:
    provenance = room.corpus.provenance
    rows: list[tuple[str, Child]] = [("Work", _link(title_of(room.reading), provenance.url))]
    if provenance.authors:
        rows.append(("Authors", provenance.authors))
    if statement.tag:
        rows.append(("Tag", _link(statement.tag, room.outside(statement))))
    if statement.origin:
        rows.append(("File", h("code", str(statement.origin))))
    rows.append(("Label", copyable(statement.label, "the label")))
    if statement.categories and statement.place is None:
        rows.append(("Subjects", ", ".join(statement.categories[:6])))
    rows.append(("Licence", provenance.licence or "not stated"))
    return h("section", h("h2", "Source"), h("dl", [[h("dt", name), h("dd", value)] for name, value in rows]))


def _link(text: str, address: str) -> Child:
    """A link that leaves the page, if it is one that a browser may follow."""
    return (
        h("a", text, href=address, rel="noopener noreferrer") if address.startswith(("https://", "http://")) else text
    )


def _surroundings(room: Room, statement: Statement, up: int, down: int) -> Html:
    found = neighbourhood(room.corpus, room.graph, statement.id, up=up, down=down, most=DRAWN)
    left = f" {found.left_out:,} more are within reach." if found.left_out else ""
    if len(found.spots) == 1:
        return h("section", h("h2", "Around it"), h("p", "It cites nothing, and nothing cites it.", class_="told"))
    form = h(
        "form",
        h("label", "steps back ", h("input", type="number", name="up", value=up, min=0, max=4)),
        h("label", "steps on ", h("input", type="number", name="down", value=down, min=0, max=4)),
        h("button", "Draw", type="submit"),
        h(
            "span",
            [
                h("button", sign, type="button", data_zoom=way, aria_label=name)
                for sign, way, name in (("−", "out", "Zoom out"), ("+", "in", "Zoom in"), ("fit", "fit", "Show all"))
            ],
            class_="zoom",
            hidden=True,
        ),
        method="get",
        action="#around",
        class_="tools",
    )
    return h(
        "section",
        h("h2", "Around it"),
        h(
            "p",
            "What is used stands above what uses it. A solid line comes from a proof, a dashed one from the statement.",
            left,
            class_="told",
        ),
        form,
        h(
            "div",
            drawing(room.reading, found),
            class_="stage",
            tabindex=0,
            role="region",
            aria_label="Drawing; drag to move, scroll with Ctrl to zoom",
        ),
        id="around",
    )


def _before(room: Room, statement: Statement) -> Html | None:
    path = reading_path(room.corpus, room.graph, statement.id, most=STEPS)
    steps = path.steps[:-1] if path.steps and path.steps[-1].id == statement.id else ()
    if not steps:
        return None
    cut = f" The list stops {count(path.cut_at, 'step')} back, where it would get too long." if path.cut_at else ""
    layers = sorted({step.layer for step in steps})
    return h(
        "section",
        h("h2", "To read first"),
        h(
            "details",
            h("summary", f"{count(len(steps), 'statement')} in {count(len(layers), 'layer')}"),
            h("p", "In an order in which each rests only on what stands above it.", cut, class_="told"),
            h("ol", [entry(room.reading, room.corpus.by_id[step.id]) for step in steps], class_="entries numbered"),
        ),
        id="before",
    )
