"""Several corpora searched as one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from naturalproofs.workspace.search.found import Found
from naturalproofs.workspace.search.index import SearchIndex
from naturalproofs.workspace.search.query import parse_query


def search(
    indexes: Sequence[SearchIndex],
    query: str,
    *,
    k: int = 10,
    start: int = 0,
    kinds: Collection[str] = (),
    chapters: Collection[str] = (),
    categories: Collection[str] = (),
    corpora: Collection[str] = (),
) -> Found:
    """Search several corpora; scores are shares of the best possible, so hits of different corpora compare.

    Args:
        indexes: One for each corpus.
        query: As for one corpus; ``corpus:stacks`` searches only there.
        k: How many to give at most.
        start: How many to pass over.
        kinds: Only these kinds or forms; all if empty.
        chapters: Only chapters whose name holds one of these.
        categories: Only categories whose name holds one of these.
        corpora: Only these corpora; all if empty.
    """
    wanted = {name.casefold() for name in (*corpora, *parse_query(query).corpora)}
    asked = [index for index in indexes if not wanted or index.name.casefold() in wanted]
    found = [index.search(query, k=start + k, kinds=kinds, chapters=chapters, categories=categories) for index in asked]
    hits = sorted((hit for one in found for hit in one.items), key=lambda hit: -hit.score)[start : start + k]
    # A word that one corpus does not know need not be misspelt.
    mended = [set(one.corrections) for one in found]
    corrections = tuple(sorted(set.intersection(*mended))) if mended else ()
    total = sum(one.total for one in found)
    advice = dict.fromkeys(text for one in found for text in one.suggestions) if corrections or not total else {}
    return Found(tuple(hits), total, query, corrections, tuple(advice)[:3])
