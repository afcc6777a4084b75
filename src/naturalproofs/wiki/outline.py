"""A page cut into sections whose roles are known."""

import msgspec

from naturalproofs.wiki.headings import Role, role, spoken
from naturalproofs.wiki.masking import Masked, mask
from naturalproofs.wiki.sections import Heading, Section, sections


class Part(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A top-level section and what its heading says it is."""

    role: Role
    section: Section


class Outline:
    """A page's text, its mask and its parts."""

    __slots__ = ("masked", "parts", "text", "title")

    def __init__(self, title: str, text: str, parts: tuple[Part, ...] | None = None) -> None:
        """Cut a text into parts, unless they are known."""
        self.title = title
        self.text = text
        self.masked: Masked = mask(text)
        """The text with everything blotted out that is not markup."""
        self.parts = _parts(self.masked.text) if parts is None else parts
        """The top-level sections in order."""

    def heading(self, heading: Heading) -> str:
        """Give a heading as it is read."""
        return spoken(self.masked.text[heading.text_start : heading.text_end])

    def role(self, heading: Heading) -> Role:
        """Tell what stands below a heading."""
        return role(self.masked.text[heading.text_start : heading.text_end])

    def line(self, position: int) -> int:
        """Give the line of a position, counted from 1."""
        return self.text.count("\n", 0, position) + 1


def _parts(plain: str) -> tuple[Part, ...]:
    return tuple([Part(role(plain[s.heading.text_start : s.heading.text_end]), s) for s in sections(plain)])
