"""Headings of a page, and the stretches of text that they head."""

from itertools import pairwise

import msgspec

from naturalproofs.wiki.masking import BLOT

_TAIL = " \t" + BLOT


class Heading(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A line such as ``== Proof ==``."""

    level: int
    start: int
    """Where its line begins."""
    end: int
    """Where its line ends, before the line break."""
    text_start: int
    text_end: int


class Section(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A heading of the page's top level and all that stands below it."""

    heading: Heading
    end: int
    subheadings: tuple[Heading, ...] = ()

    @property
    def start(self) -> int:
        """Where the body begins, after the heading's line."""
        return self.heading.end


def headings(masked: str) -> list[Heading]:
    """Find all heading lines in masked text."""
    found: list[Heading] = []
    start = 0 if masked.startswith("=") else masked.find("\n=") + 1
    while start or masked.startswith("="):
        end = masked.find("\n", start)
        end = len(masked) if end < 0 else end
        line = masked[start:end].rstrip(_TAIL)
        inner = len(line.strip("="))
        if inner and line.endswith("="):
            left = len(line) - len(line.lstrip("="))
            level = min(left, len(line) - left - inner, 6)
            found.append(Heading(level, start, end, start + level, start + len(line) - level))
        start = masked.find("\n=", end) + 1
        if not start:
            break
    return found


def sections(masked: str) -> list[Section]:
    """Split a page at the headings of its top level; deeper ones are listed inside.

    One ``=`` counts like two: a page has one top level, whichever its author chose.
    """
    found = headings(masked)
    top = [i for i, heading in enumerate(found) if heading.level <= 2 or i == 0]
    bounds = [*top, len(found)]
    return [
        Section(found[a], found[b].start if b < len(found) else len(masked), tuple(found[a + 1 : b]))
        for a, b in pairwise(bounds)
    ]
