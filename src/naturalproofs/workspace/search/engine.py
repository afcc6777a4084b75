"""Search in several corpora at once; results with snippets.

Matches are given as offsets, so that each front end renders them in its own way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.records import KINDS, Statement, StatementId
from naturalproofs.workspace.search.documents import body_text, readable_notes, title_text
from naturalproofs.workspace.search.formulas import grams
from naturalproofs.workspace.search.index import Filter, NameField, StatementIndex
from naturalproofs.workspace.search.query import FILTERS, Query, parse_query, rewritten
from naturalproofs.workspace.search.ranking import Ranking, misspelt_words, rank
from naturalproofs.workspace.search.text import Word, words

MAX_SUGGESTIONS = 3
SNIPPET = 320
"""Characters of a snippet, about; a formula is not cut."""
MAX_TEXT = 20_000
"""Characters of a text in which matches are looked for."""
MAX_MATCHES = 200
"""Matches among which the best window is looked for."""
SHARE = 0.95
"""The factor of each further hit of the same corpus, so that a large corpus does not crowd out the others."""
OWN = 1.03
"""The factor of the first corpus, which is the user's own."""
MAX_TWINS = 10
"""Hits that are looked at beyond those asked for, since some say the same as those."""
SHORTEST_TWIN = 15
"""Letters of the shortest statement that can be the same as another."""
ALIKE = 0.5
"""The share of the grams of the query's formula that a formula must have to be highlighted."""
_FILTER = re.compile(rf"-?\b(?:{'|'.join(FILTERS)}):(?:\"[^\"]*\"|\S+)\s*")

Mark: TypeAlias = tuple[int, int]
"""Start and end of something to highlight."""
Field: TypeAlias = NameField | Literal["name", "text", "formula", "note", "place", "meaning"]
"""The field of the best match."""


class Twin(NamedTuple):
    """A statement that says the same as a hit, and the name of its corpus."""

    statement: Statement
    corpus: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One statement that was found."""

    statement: Statement
    corpus: str
    """The name of its corpus."""
    score: float
    field: Field
    title: str
    """Its title, with accents as letters."""
    title_marks: tuple[Mark, ...]
    """Words of the title that match."""
    snippet: str
    """An excerpt of its source, cut between words and never inside a formula."""
    marks: tuple[Mark, ...]
    """Words and whole formulas of the snippet that match."""
    twins: tuple[Twin, ...] = ()
    """Further statements that say the same word for word."""
    cut: tuple[bool, bool] = (False, False)
    """Whether words stand before and after the snippet in its text."""

    @property
    def id(self) -> StatementId:
        """The statement's id."""
        return self.statement.id

    @property
    def chapter(self) -> str:
        """The statement's chapter, if it has one."""
        return self.statement.chapter


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a query."""

    items: tuple[Hit, ...]
    total: int
    """How many statements have every word, or, if none has, how many of the candidates have half of them by idf."""
    exact: bool
    """Whether these are all; if not, there may be more."""
    query: str
    corrections: tuple[tuple[str, str], ...] = ()
    """Words that occur in no corpus, and what was searched for instead."""
    suggestions: tuple[str, ...] = ()
    """Other queries to try, when little or nothing was found."""
    corpora: tuple[tuple[str, int], ...] = ()
    """How many statements were found in each corpus that has any."""
    kinds: tuple[tuple[str, int], ...] = ()
    """How many of the total are of each kind."""


def marked(text: str, marks: Sequence[Mark], before: str, after: str) -> str:
    """The text with a string put before and after each mark.

    Marks never begin or end inside a formula or a command, so the result can still be rendered as LaTeX if the strings
    are plain text, such as a character of the private use area that is replaced afterwards.
    """
    parts: list[str] = []
    at = 0
    for start, end in marks:
        parts += [text[at:start], before, text[start:end], after]
        at = end
    return "".join([*parts, text[at:]])


def search(
    indexes: Sequence[StatementIndex],
    query: str,
    *,
    k: int = 10,
    kinds: Collection[str] = (),
    chapters: Collection[str] = (),
    categories: Collection[str] = (),
) -> Found:
    """Search one or several corpora; every text is a valid query.

    Args:
        indexes: One for each corpus.
        query: Words, "phrases", -not, $formulas$, kind:definition, chapter:sets, category:groups, corpus:stacks,
            author:serre, year:1955, subject:14, licence:by; or a label, a tag, a number or a title, whose statement
            comes first.
        k: How many hits to return at most.
        kinds: Only these kinds or forms, such as ``definition`` or ``lemma``; all if empty.
        chapters: Only chapters whose name contains one of these.
        categories: Only categories whose name contains one of these.
    """
    asked = parse_query(query)
    chosen = [index for index in _chosen(indexes, asked.corpora) if index.is_known_as(asked.about)]
    filters = Filter([*asked.kinds, *kinds], [*asked.chapters, *chapters], [*asked.categories, *categories])
    rankings = _rank(chosen, asked, filters, k)
    for other, factor in rewritten(query) if not asked.phrases else ():
        for (_, ranking), (_, further) in zip(
            rankings, _rank(chosen, parse_query(other), filters, k, further=True), strict=True
        ):
            ranking.include(further, factor)
    groups = _grouped(rankings, k)
    hits = [_hit(*rankings[place], position, asked, twins) for (place, position), twins in groups]
    total = sum(ranking.total for _, ranking in rankings)
    corrections = {typed: meant for _, ranking in rankings for typed, meant in ranking.corrections.items()}
    suggestions = _suggestions(chosen, asked, corrections) if not total or corrections else ()
    corpora_found = tuple(
        (index.name, ranking.total) for index, ranking in rankings if ranking.total and not index.several
    )
    kinds_found = sum((ranking.kinds for _, ranking in rankings), Counter[str]())
    return Found(
        tuple(hits),
        total,
        all(ranking.exact for _, ranking in rankings if ranking.total),
        query,
        tuple(corrections.items()),
        suggestions,
        corpora_found,
        tuple((kind, kinds_found[kind]) for kind in KINDS if kinds_found[kind]),
    )


def _rank(
    indexes: Sequence[StatementIndex], asked: Query, filters: Filter, k: int, *, further: bool = False
) -> list[tuple[StatementIndex, Ranking]]:
    misspelt = misspelt_words(indexes, asked.words)
    found: list[tuple[StatementIndex, Ranking]] = []
    for index in indexes:
        projects = asked.corpora if index.several else ()
        chosen = replace(filters, phrases=asked.phrases, excluded=asked.excluded, projects=projects, about=asked.about)
        found.append((index, rank(index, asked, chosen, misspelt, k, further=further)))
    return found


def _shared_places(rankings: Sequence[tuple[StatementIndex, Ranking]]) -> Iterator[tuple[int, int]]:
    """Index and position of all hits, the best first.

    Each further hit of one corpus counts a little less, and those of the first corpus a little more.
    """
    queues = [
        sorted(((score, -position) for position, score in ranking.scores.items()), reverse=True)
        for _, ranking in rankings
    ]
    taken = [0] * len(queues)
    while True:
        best, chosen = 0.0, -1
        for place, queue in enumerate(queues):
            if taken[place] < len(queue):
                score = queue[taken[place]][0] * SHARE ** taken[place] * (OWN if place == 0 else 1.0)
                if score > best:
                    best, chosen = score, place
        if chosen < 0:
            return
        yield chosen, -queues[chosen][taken[chosen]][1]
        taken[chosen] += 1


def _grouped(
    rankings: Sequence[tuple[StatementIndex, Ranking]], k: int
) -> list[tuple[tuple[int, int], tuple[Twin, ...]]]:
    """The places of the best k hits, each with the statements further down that say the same word for word."""
    found: dict[str, tuple[tuple[int, int], tuple[Twin, ...]]] = {}
    beyond = 0
    for place, position in _shared_places(rankings):
        index = rankings[place][0]
        statement = index.statement(position)
        key = alike_key(statement) or statement.id
        if key in found:
            first, twins = found[key]
            found[key] = first, (*twins, Twin(statement, index.corpus_of(position)))
        elif len(found) < k:
            found[key] = (place, position), ()
        if len(found) >= k:
            beyond += 1
            if beyond > MAX_TWINS:
                break
    return list(found.values())


def alike_key(statement: Statement) -> str:
    """Equal for statements that say the same word for word; empty for one that is too short to tell."""
    text = _NO_LETTER.sub("", body_text(statement).casefold())
    return text if len(text) >= SHORTEST_TWIN else ""


_NO_LETTER = re.compile(
    r"\\(?:label|index|begin|end|[a-z]*ref)\s*(?:\{[^{}]*\})?|\\(?:emph|textit|textbf|define|defn|it|em|bf)\b|[^\w\\]|[_\\]"
)


def _chosen(indexes: Sequence[StatementIndex], names: Iterable[str]) -> Sequence[StatementIndex]:
    """The indexes of corpora with these names, else of those whose name contains one of them; all if there are none."""
    wanted = {name.casefold() for name in names if not any(index.several for index in indexes)}
    exact = [index for index in indexes if index.name.casefold() in wanted]
    return exact or [one for one in indexes if not wanted or any(part in one.name.casefold() for part in wanted)]


def _hit(index: StatementIndex, ranking: Ranking, position: int, query: Query, twins: tuple[Twin, ...]) -> Hit:
    statement = index.statement(position)
    highlighter = Highlighter(ranking.terms, query.formulas)
    title = highlighter.snippet(title_text(statement))
    body, note = (highlighter.snippet(read(statement), SNIPPET) for read in (body_text, readable_notes))
    # A statement that is known by its title is shown by its contents.
    shown = note if not title.marks and len(note.marks) > len(body.marks) else body
    field: Field
    if position in ranking.fields:
        field = ranking.fields[position]
    elif title.marks:
        field = "title"
    elif shown.marks:
        field = "note" if shown is note else "formula" if shown.formulas == len(shown.marks) else "text"
    elif any(word.term in ranking.terms for word in words(statement.label.replace(":", " "))):
        field = "name"
    else:
        field = "place" if position in ranking.matches else "meaning"
    score = ranking.scores[position]
    corpus = index.corpus_of(position)
    return Hit(statement, corpus, score, field, title.text, title.marks, shown.text, shown.marks, twins, shown.cut)


def _suggestions(indexes: Sequence[StatementIndex], query: Query, corrections: dict[str, str]) -> tuple[str, ...]:
    """Other queries: with the spelling corrected, without filters, without quotes, or a label with the text in it."""
    text = query.text.strip()
    tried: list[str] = []
    if corrections:
        corrected = text
        for typed, meant in corrections.items():
            corrected = corrected.replace(typed, meant)
        tried.append(corrected)
    if query.kinds or query.chapters or query.categories or query.about:
        tried.append(_FILTER.sub("", text).strip())
    if query.phrases:
        tried.append(text.replace('"', "").replace("“", "").replace("”", ""))
    if not tried and len(text) >= 3:
        labels = [label for index in indexes for label in index.labels_with(text, MAX_SUGGESTIONS)]
        tried.extend(sorted(labels, key=len))
    if not tried:
        tried.extend(_nearest_terms(indexes, query))
    return tuple(dict.fromkeys(one for one in tried if one and one != text))[:MAX_SUGGESTIONS]


def _nearest_terms(indexes: Sequence[StatementIndex], query: Query) -> list[str]:
    """Words of the corpora that start like those of the query that occur nowhere, the most frequent first."""
    found: Counter[str] = Counter()
    known = {term for index in indexes for term in index.document_counts(query.words)}
    for word in query.words:
        if word in known:
            continue
        start = word[: max(3, len(word) // 2)]
        for index in indexes:
            for term, count in index.completions(start)[:MAX_SUGGESTIONS] if len(start) >= 3 else ():
                found[index.spelling(term)] += count
    return [term for term, _ in found.most_common(MAX_SUGGESTIONS)]


@dataclass(frozen=True, slots=True)
class Snippet:
    """An excerpt of a text with marks."""

    text: str
    marks: tuple[Mark, ...]
    formulas: int = 0
    """How many of the marks are formulas."""
    cut: tuple[bool, bool] = (False, False)
    """Whether words stand before and after it."""


class Highlighter:
    """Finds the terms and formulas of one query in texts."""

    def __init__(self, terms: Collection[str], formulas: Sequence[str]) -> None:
        """Take folded words and the source of formulas."""
        self.terms = terms
        self.formulas = [found for formula in formulas if (found := grams(formula))]

    def snippet(self, text: str, length: int = MAX_TEXT) -> Snippet:
        """The window of a text with the most terms of the query."""
        longer, text = len(text) > MAX_TEXT, text[:MAX_TEXT]
        found = list(words(text))
        matches = self._matches(found)
        start, end = _window(text, found, matches, length)
        inside = [word for word in matches if start <= word.start and word.end <= end]
        marks = tuple((word.start - start, word.end - start) for word in inside)
        cut = bool(found) and found[0].start < start, longer or (bool(found) and found[-1].end > end)
        return Snippet(text[start:end], marks, sum(word.formula for word in inside), cut)

    def _matches(self, found: Sequence[Word]) -> list[Word]:
        matches = {word.start: word for word in found if self._matching(word)}
        for before, word in pairwise(found):
            if word.joined and before.term + word.term in self.terms:
                matches |= {before.start: before, word.start: word}
        return [matches[start] for start in sorted(matches)]

    def _matching(self, word: Word) -> bool:
        if not word.formula:
            return word.term in self.terms
        return any(len(asked & grams(word.term)) >= ALIKE * len(asked) for asked in self.formulas)


def _window(text: str, found: Sequence[Word], matches: Sequence[Word], length: int) -> tuple[int, int]:
    """The whole text if it is short, else the window with the most different terms."""
    if len(text) <= length * 1.25:
        return 0, len(text)
    best, best_count = 0, 0
    matches = matches[:MAX_MATCHES]
    for word in matches:
        end = word.start + length
        count = len({other.term for other in matches if word.start <= other.start and other.end <= end})
        if count > best_count:
            best, best_count = word.start, count
    if best <= length // 2:
        best = 0
    # Start some words before the first match, and end after a word or a formula.
    starts = [word.start for word in found if word.start <= best][-6:]
    start = 0 if best == 0 else (starts[0] if starts else best)
    ends = [word.end for word in found if start < word.end <= start + length]
    if not ends:
        ends = [word.end for word in found if word.end > start][:1]
    return start, ends[-1] if ends else min(len(text), start + length)
