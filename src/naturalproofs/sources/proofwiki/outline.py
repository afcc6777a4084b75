"""A page cut into sections whose roles are known."""

from typing import NamedTuple

from naturalproofs.markup.mediawiki.masking import Masked, mask
from naturalproofs.markup.mediawiki.sections import Heading, Section, sections
from naturalproofs.sources.proofwiki.headings import Role, role, spoken


class Part(NamedTuple):
    """A top-level section and what its heading says it is."""

    role: Role
    section: Section


class Outline(NamedTuple):
    """A page's text, its mask, and its parts in order."""

    title: str
    text: str
    masked: Masked
    parts: tuple[Part, ...]

    def heading(self, heading: Heading) -> str:
        """Give a heading as it is read."""
        return spoken(self.masked.text[heading.text_start : heading.text_end])

    def role(self, heading: Heading) -> Role:
        """Tell what stands below a heading."""
        return role(self.masked.text[heading.text_start : heading.text_end])

    def line(self, position: int) -> int:
        """Give the line of a position, counted from 1."""
        return self.text.count("\n", 0, position) + 1


def outline(title: str, text: str) -> Outline:
    """Cut a page into its parts."""
    masked = mask(text)
    plain = masked.text
    parts = tuple(
        Part(role(plain[section.heading.text_start : section.heading.text_end]), section) for section in sections(plain)
    )
    return Outline(title, text, masked, parts)
