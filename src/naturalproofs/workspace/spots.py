"""Where in a text its citations stand, each beside the mention that was read there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Mention

_CITED = re.compile(rf"\\(?:{'|'.join(REFERENCES)})(?![a-zA-Z])\*?\s*+[\[{{](?P<keys>[^\]{{}}]*+)[\]}}]")


@dataclass(frozen=True, slots=True)
class CitedSpot:
    """A citing command: where it stands, and what it cites."""

    start: int
    end: int
    mentions: tuple[Mention, ...]


def cited_spots(text: str, mentions: Sequence[Mention]) -> list[CitedSpot]:
    r"""The commands of a text that cite; nothing if they are not as many as the mentions.

    A macro may cite, or a citation may be words ("Theorem 2.1"): better to find nothing than to take one for another.
    """
    commands = [mention for mention in mentions if mention.surface in REFERENCES]
    found = list(_CITED.finditer(text))
    counts = [sum(1 for key in match["keys"].split(",") if key.strip()) for match in found]
    if sum(counts) != len(commands):
        return []
    spots, at = [], 0
    for match, count in zip(found, counts, strict=True):
        spots.append(CitedSpot(match.start(), match.end(), tuple(commands[at : at + count])))
        at += count
    return spots
