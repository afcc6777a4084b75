"""Which statements a search may find: by kind or form, chapter and category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.workspace.search.found import Card


@dataclass(frozen=True, slots=True, eq=False)
class Filters:
    """Positions by what they have, names in lower case."""

    kinds: dict[str, NDArray[np.int64]]
    chapters: dict[str, NDArray[np.int64]]
    categories: dict[str, NDArray[np.int64]]
    size: int

    @classmethod
    def of(cls, cards: Sequence[Card]) -> Filters:
        """Take them from the cards."""
        return cls(
            _table((position, name) for position, card in enumerate(cards) for name in {card.kind, card.form}),
            _table((position, card.chapter) for position, card in enumerate(cards)),
            _table((position, name) for position, card in enumerate(cards) for name in card.categories),
            len(cards),
        )

    def allowed(
        self, *, kinds: Iterable[str] = (), chapters: Iterable[str] = (), categories: Iterable[str] = ()
    ) -> NDArray[np.bool_]:
        """What passes every filter that is given; one name of each is enough."""
        allowed = np.ones(self.size, np.bool_)
        for table, names, partly in (
            (self.kinds, kinds, False),
            (self.chapters, chapters, True),
            (self.categories, categories, True),
        ):
            if wanted := [name.casefold().strip() for name in names if name.strip()]:
                passed = np.zeros(self.size, np.bool_)
                for known, positions in table.items():
                    if any(name in (known, f"{known}s") or (partly and name in known) for name in wanted):
                        passed[positions] = True
                allowed &= passed
        return allowed


def _table(rows: Iterable[tuple[int, str]]) -> dict[str, NDArray[np.int64]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, name in rows:
        if name:
            found[name.casefold()].append(position)
    return {name: np.array(positions, np.int64) for name, positions in found.items()}
