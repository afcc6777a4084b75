"""Pages by title whose texts wait in a temporary file."""

from collections.abc import Iterator, Mapping

import msgspec

from naturalproofs.io.disk_list import DiskBytes
from naturalproofs.wiki.headings import Role
from naturalproofs.wiki.outline import Outline, Part


class _Kept(msgspec.Struct, array_like=True, gc=False):
    text: str
    parts: tuple[Part, ...]


class Pages(Mapping[str, Outline]):
    """Pages in the order of the dump; every look reads the page anew. All are added before the first is read."""

    def __init__(self) -> None:
        """Start with none."""
        self._numbers: dict[str, int] = {}
        self._roles: list[frozenset[Role]] = []
        self._known_roles: dict[frozenset[Role], frozenset[Role]] = {}
        self._spool = DiskBytes()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(_Kept).decode

    def add(self, title: str, text: str) -> None:
        """Add a page; a later one of the same title takes its place."""
        parts = Outline(title, text).parts
        roles = frozenset([part.role for part in parts])
        self._numbers[title] = len(self._roles)
        self._roles.append(self._known_roles.setdefault(roles, roles))
        self._spool.append(self._encode(_Kept(text, parts)))

    def roles(self, title: str) -> frozenset[Role]:
        """Give what the page's sections are."""
        return self._roles[self._numbers[title]]

    def __contains__(self, title: object) -> bool:
        """Whether there is a page of that title."""
        return title in self._numbers

    def __getitem__(self, title: str) -> Outline:
        """Read a page."""
        kept = self._decode(self._spool[self._numbers[title]])
        return Outline(title, kept.text, kept.parts)

    def __iter__(self) -> Iterator[str]:
        """Give the titles in order."""
        return iter(self._numbers)

    def __len__(self) -> int:
        """How many pages there are."""
        return len(self._numbers)
