"""Search in several corpora at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from naturalproofs.workspace.search.index import SearchIndex
from naturalproofs.workspace.search.query import Query, parse_query
from naturalproofs.workspace.search.ranking import Ranking, knows, rank
from naturalproofs.workspace.search.results import Field, Found, Hit
from naturalproofs.workspace.search.snippets import Highlighter
from naturalproofs.workspace.search.words import words

MAX_SUGGESTIONS = 3
_FILTER = re.compile(r"-?\b(?:kind|chapter|category|corpus):(?:\"[^\"]*\"|\S+)\s*")


def search(
    indexes: Sequence[SearchIndex],
    query: str,
    *,
    k: int = 10,
    start: int = 0,
    corpora: Collection[str] = (),
    kinds: Collection[str] = (),
    chapters: Collection[str] = (),
    categories: Collection[str] = (),
) -> Found:
    """Search one or several corpora; every text is a valid query.

    Args:
        indexes: One for each corpus.
        query: Words, "phrases", -not, $formulas$, kind:definition, chapter:sets, category:groups, corpus:stacks; or a
            label, a tag, a number or a title, whose statement comes first.
        k: How many hits to return at most.
        start: How many hits to skip, for the next page.
        corpora: Only the corpora with these names; all if empty.
        kinds: Only these kinds or forms, such as ``definition`` or ``lemma``; all if empty.
        chapters: Only chapters whose name contains one of these.
        categories: Only categories whose name contains one of these.
    """
    asked = parse_query(query)
    chosen = _chosen(indexes, corpora, asked.corpora)
    misspelt = [word for word in asked.words if not any(knows(index, word) for index in chosen)]
    limit = max(0, start + k)
    rankings: list[tuple[SearchIndex, Ranking]] = []
    for index in chosen:
        filters = index.filter(
            kinds=[*asked.kinds, *kinds],
            chapters=[*asked.chapters, *chapters],
            categories=[*asked.categories, *categories],
            phrases=asked.phrases,
            excluded=asked.excluded,
        )
        rankings.append((index, rank(index, asked, filters, misspelt, limit)))
    order = sorted(
        (-score, place, position)
        for place, (_, ranking) in enumerate(rankings)
        for position, score in ranking.scores.items()
    )
    hits = tuple(_hit(*rankings[place], position, asked) for _, place, position in order[start:limit])
    total = sum(ranking.total for _, ranking in rankings)
    corrections = {typed: meant for _, ranking in rankings for typed, meant in ranking.corrections.items()}
    suggestions = _suggestions(chosen, asked, corrections) if not total or corrections else ()
    return Found(hits, total, query, tuple(corrections.items()), suggestions)


def _chosen(indexes: Sequence[SearchIndex], names: Iterable[str], parts: Iterable[str]) -> list[SearchIndex]:
    """The indexes with these names, and whose name is or contains one of the parts."""
    names, parts = {name.casefold() for name in names}, {part.casefold() for part in parts}
    chosen = [index for index in indexes if not names or index.name.casefold() in names]
    exact = [index for index in chosen if index.name.casefold() in parts]
    return exact or [index for index in chosen if not parts or any(part in index.name.casefold() for part in parts)]


def _hit(index: SearchIndex, ranking: Ranking, position: int, query: Query) -> Hit:
    card, text, notes = index.statement(position)
    highlighter = Highlighter(ranking.terms, query.formulas)
    title = highlighter.snippet(card.title, length=len(card.title))
    body, note = highlighter.snippet(text), highlighter.snippet(notes)
    # A statement that is known by its title is shown by its contents.
    shown = note if not title.marks and len(set(note.marks)) > len(set(body.marks)) else body
    field: Field
    if position in ranking.fields:
        field = ranking.fields[position]
    elif title.marks:
        field = "title"
    elif shown.marks:
        field = "note" if shown is note else "formula" if shown.formulas == len(shown.marks) else "text"
    elif any(word.term in ranking.terms for word in words(card.label.replace(":", " "))):
        field = "name"
    else:
        field = "place" if position in ranking.matches else "meaning"
    return Hit(card, ranking.scores[position], field, shown.text, shown.marks, title.marks, index.name)


def _suggestions(indexes: Iterable[SearchIndex], query: Query, corrections: dict[str, str]) -> tuple[str, ...]:
    """Other queries: with the spelling corrected, without filters, without quotes, or a label with the text in it."""
    text = query.text.strip()
    tried: list[str] = []
    if corrections:
        corrected = text
        for typed, meant in corrections.items():
            corrected = corrected.replace(typed, meant)
        tried.append(corrected)
    if query.kinds or query.chapters or query.categories:
        tried.append(_FILTER.sub("", text).strip())
    if query.phrases:
        tried.append(text.replace('"', "").replace("“", "").replace("”", ""))
    if not tried and len(text) >= 3:
        labels = [label for index in indexes for label in index.labels_with(text, MAX_SUGGESTIONS)]
        tried.extend(sorted(labels, key=len))
    return tuple(dict.fromkeys(one for one in tried if one and one != text))[:MAX_SUGGESTIONS]
