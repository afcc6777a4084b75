"""A page cut into sections whose roles are known."""

import msgspec

from naturalproofs.markup.mediawiki.masking import Masked, mask
from naturalproofs.markup.mediawiki.sections import Heading, Section, sections
from naturalproofs.sources.proofwiki.headings import Role, role, spoken


class Part(msgspec.Struct, frozen=True, gc=False):
    """A top-level section and what its heading says it is."""

    role: Role
    section: Section


class Outline:
    """A page's text; its mask and its parts, worked out when they are asked for."""

    __slots__ = ("_masked", "_parts", "text", "title")

    def __init__(self, title: str, text: str) -> None:
        """Keep the text; nothing is looked for yet."""
        self.title = title
        self.text = text
        self._masked: Masked | None = None
        self._parts: tuple[Part, ...] | None = None

    @property
    def masked(self) -> Masked:
        """The text with everything blotted out that is not markup."""
        if self._masked is None:
            self._masked = mask(self.text)
        return self._masked

    @property
    def parts(self) -> tuple[Part, ...]:
        """The top-level sections in order."""
        if self._parts is None:
            plain = self.masked.text
            self._parts = tuple(
                [Part(role(plain[s.heading.text_start : s.heading.text_end]), s) for s in sections(plain)]
            )
        return self._parts

    def forget(self) -> None:
        """Keep only the text, to save memory; what is asked for again is worked out again."""
        self._masked = self._parts = None

    def heading(self, heading: Heading) -> str:
        """Give a heading as it is read."""
        return spoken(self.masked.text[heading.text_start : heading.text_end])

    def role(self, heading: Heading) -> Role:
        """Tell what stands below a heading."""
        return role(self.masked.text[heading.text_start : heading.text_end])

    def line(self, position: int) -> int:
        """Give the line of a position, counted from 1."""
        return self.text.count("\n", 0, position) + 1
