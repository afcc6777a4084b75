"""Where on a page the statement stands, and where its proofs do."""

from collections.abc import Iterator, Sequence

import msgspec

from naturalproofs.wiki.headings import Role
from naturalproofs.wiki.masking import BLOT, VERBATIM
from naturalproofs.wiki.outline import Outline, Part
from naturalproofs.wiki.sections import Heading

_APART: frozenset[Role] = frozenset({"pointer", "aside", "proof", "statement"})
"""Sub-sections of a statement that are not part of it: corollaries, remarks, proofs."""
_BESIDE: frozenset[Role] = frozenset({"pointer", "aside"})


class Body(msgspec.Struct, frozen=True, gc=False):
    """A text of its own: its heading, and the stretches of the page that it consists of."""

    heading: Heading | None
    spans: tuple[tuple[int, int], ...]


def theorem_body(page: Outline) -> Body:
    """Give the statement of a theorem: its section up to the first sub-heading outside ``<onlyinclude>``.

    When nothing stands there, the sub-sections are the statement, save those with a heading of another role.
    """
    part = statement_part(page)
    if part is None:
        return Body(None, ())
    section = part.section
    inner = [h for h in section.subheadings if not _inside(h.start, page.masked.only)]
    lead = (section.start, inner[0].start if inner else section.end)
    if not blank(page, *lead):
        return Body(section.heading, (lead,))
    kept = _kept(page, part, _APART)
    return Body(section.heading, tuple(kept) or ((section.start, section.end),))


def statement_part(page: Outline) -> Part | None:
    """Find the section that states the result: the one headed *Theorem*, or else the first that states anything."""
    stating = [part for part in page.parts if part.role == "statement"]
    named = (part for part in stating if page.heading(part.section.heading).lower().startswith("theorem"))
    return next(named, stating[0] if stating else None)


def section_body(page: Outline, role: Role) -> Body:
    """Give all sections of a role, without the sub-sections that stand beside the matter."""
    parts = [part for part in page.parts if part.role == role]
    spans = [span for part in parts for span in _kept(page, part, _BESIDE, heading=len(parts) > 1)]
    return Body(parts[0].section.heading if parts else None, tuple(spans))


def whole_body(page: Outline) -> Body:
    """Give a whole page without the sections that only point elsewhere."""
    first = page.parts[0].section.heading.start if page.parts else len(page.text)
    spans = [(0, first)]
    spans += [(p.section.heading.start, p.section.end) for p in page.parts if p.role != "pointer"]
    return Body(page.parts[0].section.heading if page.parts else None, tuple(spans))


def proof_bodies(page: Outline) -> Iterator[Body]:
    """Give every proof on a page: its sections, and those below the statement."""
    stated = statement_part(page)
    for part in page.parts:
        section = part.section
        if part.role == "proof":
            yield Body(section.heading, ((section.start, section.end),))
        elif part is stated:
            yield from _proofs_below(page, part)


def _proofs_below(page: Outline, part: Part) -> Iterator[Body]:
    headings = part.section.subheadings
    for i, heading in enumerate(headings):
        role = page.role(heading)
        if role == "statement":
            # What follows a corollary proves the corollary.
            return
        if role == "proof":
            following = (h.start for h in headings[i + 1 :] if h.level <= heading.level)
            yield Body(heading, ((heading.end, next(following, part.section.end)),))


def blank(page: Outline, start: int, end: int) -> bool:
    """Whether a stretch holds nothing that a reader sees."""
    if page.masked.text[start:end].replace(BLOT, "").strip():
        return False
    # Below the blots, formulas and verbatim text are seen; comments and tags are not.
    return not any(s.start < end and s.end > start and s.tag in VERBATIM for s in page.masked.spans)


def _kept(page: Outline, part: Part, without: frozenset[Role], *, heading: bool = False) -> list[tuple[int, int]]:
    """Cut the sub-sections of some roles out of a section."""
    section = part.section
    bounds = [*(sub.start for sub in section.subheadings), section.end]
    spans = [(section.heading.start if heading else section.start, bounds[0])]
    below = 0
    for sub, end in zip(section.subheadings, bounds[1:], strict=True):
        if below and sub.level > below:
            continue
        below = sub.level if page.role(sub) in without else 0
        if not below:
            spans.append((sub.start, end))
    return [span for span in spans if not blank(page, *span)]


def _inside(position: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)
