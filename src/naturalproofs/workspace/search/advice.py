"""What to try instead when a search finds little."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from naturalproofs.workspace.search.query import Query
from naturalproofs.workspace.search.scoring import Scores

if TYPE_CHECKING:
    from naturalproofs.workspace.search.index import SearchIndex

_FILTER = re.compile(r"-?\b(?:kind|chapter|category|corpus):(?:\"[^\"]*\"|\S+)\s*")
MOST = 3


def suggestions(index: SearchIndex, query: Query, scores: Scores) -> tuple[str, ...]:
    """Did you mean: spelling mended, filters dropped, a phrase loosened, a name that holds what was typed."""
    tried: list[str] = []
    text = query.text.strip()
    if scores.corrections:
        mended = text
        for typed, meant in scores.corrections:
            mended = mended.replace(typed, meant)
        tried.append(mended)
    if query.kinds or query.chapters or query.categories:
        tried.append(_FILTER.sub("", text).strip())
    if query.phrases:
        tried.append(text.replace('"', "").replace("“", "").replace("”", ""))
    if not tried and len(text) >= 3:
        near = [card.label for card in index.cards if text.casefold() in card.label.casefold()]
        tried.extend(sorted(near, key=len)[:MOST])
    return tuple(dict.fromkeys(one for one in tried if one and one != text))[:MOST]
