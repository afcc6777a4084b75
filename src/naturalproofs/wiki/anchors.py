"""What the titles of a wiki stand for."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from naturalproofs.records import Anchor, Origin


class TitleAnchors(Mapping[str, Anchor]):
    """An anchor for every title, made when it is asked for: a wiki has as many redirects again as statements."""

    def __init__(self, name: str, owners: Mapping[str, str]) -> None:
        """Bind the corpus's name, and by title that of the statement it stands for."""
        self._name = name
        self._owners = owners
        self._made = lru_cache(maxsize=1 << 14)(self._make)

    def __getitem__(self, title: str) -> Anchor:
        """Give what a title stands for."""
        return self._made(title)

    def __contains__(self, title: object) -> bool:
        """Whether a title stands for anything."""
        return title in self._owners

    def __iter__(self) -> Iterator[str]:
        """Give the titles."""
        return iter(self._owners)

    def __len__(self) -> int:
        """How many titles there are."""
        return len(self._owners)

    def _make(self, title: str) -> Anchor:
        return Anchor("statement", f"{self._name}:{self._owners[title]}", Origin(title, 1))
