"""Where the citations of a text are, each with the mentions that were read there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalproofs.latex.citations import find_citations
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Mention


@dataclass(frozen=True, slots=True)
class CitationSite:
    """A citing command: its span in the text, and what it cites."""

    start: int
    end: int
    mentions: tuple[Mention, ...]


def citation_sites(text: str, mentions: Sequence[Mention]) -> list[CitationSite]:
    """The commands of a text that cite; nothing if they do not match the mentions one to one.

    A macro may cite, or a citation may be words ("Theorem 2.1"); these have no site.
    """
    commands = [mention for mention in mentions if mention.surface in REFERENCES]
    found = [one for one in find_citations(text) if not one.repeated]
    if sum(len(one.keys) for one in found) != len(commands):
        return []
    sites, at = [], 0
    for one in found:
        sites.append(CitationSite(one.start, one.end, tuple(commands[at : at + len(one.keys)])))
        at += len(one.keys)
    return sites
