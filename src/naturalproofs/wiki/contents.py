"""What an export holds, whichever way it is read."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace as the wiki's own site information names it."""

    key: int
    name: str
    first_letter: bool = True
    """Whether the first letter of a title is made a capital."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the head of an export says about the wiki."""

    name: str = ""
    version: str = ""
    """The version of the export schema."""
    namespaces: tuple[Namespace, ...] = ()
    first_letter: bool = True
    main_page: str = ""
    """The title of the page that greets visitors, as its address spells it."""


class Page(NamedTuple):
    """The newest revision of one page."""

    title: str
    namespace: int | None
    """None in old exports, where only the title's prefix tells."""
    text: str
    redirect: str | None = None
    """Where the page redirects to, as the export says; empty when it only says *that* it does."""
    model: str = "wikitext"
    everything: str = ""
    """All character data of the page element, when asked for."""
