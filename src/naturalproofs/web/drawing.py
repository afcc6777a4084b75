"""A neighbourhood as SVG: every statement is a link, so that it works without a script; a script adds pan and zoom."""

from __future__ import annotations

from naturalproofs.records import KINDS, Statement
from naturalproofs.web.addresses import statement_address
from naturalproofs.web.html import Html, h
from naturalproofs.web.neighbourhood import NODE, Line, Neighbourhood, Spot
from naturalproofs.web.reading import Reading

MARGIN = 14
_NAME, _TITLE = 22, 25
"""Characters that fit into a box."""


def drawing(reading: Reading, found: Neighbourhood) -> Html:
    """The picture of a neighbourhood."""
    statements = reading.corpus.by_id
    spots = {spot.id: spot for spot in found.spots}
    width, height = found.size.width + 2 * MARGIN, found.size.height + 2 * MARGIN
    centre = reading.name(statements[found.centre])
    return h(
        "svg",
        h("title", f"What {centre} rests on, and what rests on it"),
        h(
            "defs",
            h(
                "marker",
                h("path", d="M0 0L8 4L0 8z"),
                id="tip",
                viewBox="0 0 8 8",
                refX=7.5,
                refY=4,
                markerWidth=7,
                markerHeight=7,
                orient="auto",
            ),
        ),
        h("g", [_line(spots[line.source], spots[line.target], line) for line in found.lines], class_="lines"),
        h("g", [_box(reading, statements[spot.id], spot, found.centre) for spot in found.spots]),
        id="graph",
        class_="graph",
        viewBox=f"{-MARGIN} {-MARGIN} {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="group",
        aria_label=f"Reference graph around {centre}: {len(found.spots)} statements",
    )


def _box(reading: Reading, statement: Statement, spot: Spot, centre: str) -> Html:
    name, own = reading.name(statement), spot.id == centre
    title = reading.plain(statement, 60) if not statement.title else statement.title
    middle = spot.x + NODE.width / 2
    return h(
        "a",
        h("title", f"{name}: {title}"),
        h(
            "rect",
            x=spot.x,
            y=spot.y,
            width=NODE.width,
            height=NODE.height,
            rx=16 if statement.kind != "theorem" else 5,
        ),
        h("text", _cut(name, _NAME), x=middle, y=spot.y + 19, class_="name"),
        h("text", _cut(title, _TITLE), x=middle, y=spot.y + 36, class_="what"),
        href=statement_address(statement.id),
        class_=f"box k{KINDS.index(statement.kind)}{' centre' if own else ''}",
        data_id=spot.id,
        aria_label=f"{name}: {title}",
        aria_current="page" if own else None,
    )


def _line(source: Spot, target: Spot, line: Line) -> Html:
    wide, high = NODE.width, NODE.height
    if target.y <= source.y:
        # A circular argument: from side to side, so that the arrow is seen to go up.
        a, b = source.x + wide, source.y + high / 2
        c, d = target.x + wide, target.y + high / 2
        bends = f"{a + 40:g} {b:g} {c + 40:g} {d:g}"
    else:
        a, b = source.x + wide / 2, source.y + high
        c, d = target.x + wide / 2, float(target.y)
        bend = max(18.0, (d - b) / 2)
        bends = f"{a:g} {b + bend:g} {c:g} {d - bend:g}"
    path = f"M{a:g} {b:g}C{bends} {c:g} {d:g}"
    return h("path", d=path, class_="proof" if line.proof else "own", data_from=line.source, data_to=line.target)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
