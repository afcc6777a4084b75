"""Statements by what they are called: label, id, tag, number, whole title. Whoever types one wants that statement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from naturalproofs.workspace.search.found import Card, Field

_NUMBER = re.compile(r"(?:(?P<form>[^\W\d_]+)\.?\s*)?(?P<number>[A-Z0-9]+(?:\.[A-Z0-9]+)*)\.?", re.IGNORECASE)
MOST = 20


@dataclass(frozen=True, slots=True)
class Names:
    """Names in lower case, each with the positions of the statements it belongs to."""

    labels: dict[str, list[int]]
    tags: dict[str, list[int]]
    numbers: dict[str, list[int]]
    ends: dict[str, list[int]]
    """Labels without their first part, as where a chapter's name stands before it."""
    titles: dict[str, list[int]]
    forms: tuple[str, ...]

    @classmethod
    def of(cls, cards: Sequence[Card]) -> Names:
        """Take the names from the cards."""
        labels, tags, numbers, ends, titles = (defaultdict[str, list[int]](list) for _ in range(5))
        for position, card in enumerate(cards):
            for name in {card.id.casefold(), card.label.casefold()}:
                labels[name].append(position)
            if card.tag:
                tags[card.tag.casefold()].append(position)
            if card.title:
                titles[card.title.casefold()].append(position)
            if card.number:
                numbers[card.number.casefold()].append(position)
            _, _, rest = card.label.casefold().partition("-")
            if "-" in rest or ":" in rest:
                ends[rest].append(position)
        forms = tuple((card.form or card.kind).casefold() for card in cards)
        return cls(dict(labels), dict(tags), dict(numbers), dict(ends), dict(titles), forms)

    def called(self, text: str) -> list[tuple[int, Field]]:
        """The statements that are called so, the surest first; mostly none."""
        name = text.strip().strip("[]").casefold()
        name = name.removeprefix("tag ").strip()
        found: list[tuple[int, Field]] = []
        found += [(position, "label") for position in self.labels.get(name, [])]
        found += [(position, "tag") for position in self.tags.get(name, [])]
        if match := _NUMBER.fullmatch(name):
            numbered = self.numbers.get(match["number"], [])
            form = match["form"]
            found += [(p, "number") for p in numbered if not form or self.forms[p].startswith(form.rstrip("."))]
        found += [(position, "title") for position in self.titles.get(name, [])]
        found += [(position, "label") for position in self.ends.get(name, [])]
        return list(dict(reversed(found)).items())[::-1][:MOST] if found else []
