"""Protocols: which statements are candidates and what a method sees; printed with every result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.errors import UnknownName

Candidates: TypeAlias = Literal["all", "cited", "earlier"]


@dataclass(frozen=True, slots=True)
class Protocol:
    """One definition of the retrieval task."""

    name: str
    candidates: Candidates
    """``all`` references of the split; only those ``cited`` in some proof; or those that come ``earlier``."""
    keeps_query: bool
    """Whether the theorem itself is among its own candidates."""
    place: bool
    """Whether a method sees the place of statements in reading order."""
    purpose: str

    def __str__(self) -> str:
        """Its name."""
        return self.name


PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        Protocol("paper", "all", True, False, "like for like with the paper's TF-IDF and pairwise rows"),
        Protocol("paper-joint", "cited", False, False, "like for like with its joint and autoregressive rows"),
        Protocol("clean", "all", False, False, "the honest default: every reference but the theorem itself"),
        Protocol("accessible", "earlier", False, True, "what an author has while writing: what comes before the proof"),
    )
}


def protocol(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise UnknownName(f"no protocol is called {name!r}; there are: {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]
