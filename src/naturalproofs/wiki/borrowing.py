"""Whether a text has words of its own, or only those of the pages that it brings in."""

from bisect import bisect_left, bisect_right
from itertools import islice

from naturalproofs.wiki import equations
from naturalproofs.wiki.bodies import Body, blank
from naturalproofs.wiki.citations import is_citation
from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.reading import Source
from naturalproofs.wiki.templates import template_name
from naturalproofs.wiki.wiki import Wiki


def brought_in(wiki: Wiki, page: Outline, source: Source, body: Body) -> list[str]:
    """Give the pages that a text brings in, when it consists of nothing else but headings and marks.

    Args:
        wiki: The wiki.
        page: The page that the text stands on.
        source: The same page, for reading.
        body: The text.
    """
    if "{{" not in page.text:
        return []
    nodes = [node for span in body.spans for node in source.nodes_in(*span)]
    found: list[str] = []
    headings = [h for part in page.parts for h in (part.section.heading, *part.section.subheadings)]
    starts = [h.start for h in headings]
    for node in nodes:
        above = bisect_right(starts, node.start)
        if above and node.start < headings[above - 1].end:
            continue
        name = template_name(source, node) if node.kind == "template" else ""
        if not name or is_citation(name.lower()) or name.lower() in equations.ROW:
            return []
        if wiki.is_transclusion(name):
            target = wiki.target(name, page.title)
            if target is None:
                return []
            found.append(target.title)
    if not found:
        return []
    holes = sorted([(h.start, h.end) for h in headings] + [(node.start, node.end) for node in nodes])
    return found if all(_hollow(page, start, end, holes) for start, end in body.spans) else []


def _hollow(page: Outline, start: int, end: int, holes: list[tuple[int, int]]) -> bool:
    for hole_start, hole_end in islice(holes, bisect_left(holes, (start, 0)), None):
        if hole_start >= end:
            break
        if not blank(page, start, hole_start):
            return False
        start = max(start, hole_end)
    return start >= end or blank(page, start, end)
