"""From statements to what is indexed of each: the folded words of its fields and the grams of its formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.latex.arguments import plain_letters
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Mention, Statement, StatementId
from naturalproofs.tasks.protocols import label_words
from naturalproofs.workspace.citation_sites import citation_sites
from naturalproofs.workspace.search.formulas import grams
from naturalproofs.workspace.search.results import Card
from naturalproofs.workspace.search.weights import BREAK, FIELDS
from naturalproofs.workspace.search.words import words

CONTEXT_BEFORE, CONTEXT_AFTER = 200, 100
"""Characters around a citation that are indexed with the cited statement, within the citing sentence."""
MAX_CONTEXTS = 20
"""Citations of one statement that are indexed with it."""
_SENTENCE_END = re.compile(r"\.\s|\n\s*\n")
_EMPHASISED = re.compile(
    r"\\(?:emph|textit|textbf|textsl|defn|dfn|term)\s*\{([^{}]{2,80})\}|\{\\(?:it|em|bf|sl|itshape)\s+([^{}]{2,80})\}"
)
_DEFINITION_PREFIX = re.compile(r"definition\s*:\s*", re.IGNORECASE)


PHRASE_FIELDS = ("title", "note", "text")
"""The fields that a reader sees."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one statement."""

    card: Card
    body: str
    notes: str
    fields: tuple[str, ...]
    """For each of `FIELDS` its tokens, separated by spaces."""
    grams: frozenset[str]
    """The n-grams of its formulas."""
    defines: frozenset[str]
    """The terms that a definition defines, folded."""


def documents(corpus: Corpus) -> Iterator[Document]:
    """The statements of a corpus in order, as they are indexed."""
    names = label_words(corpus.statements)
    contexts = citation_contexts(corpus)
    for statement in corpus.statements:
        card = _card(statement)
        body = plain_letters("\n".join(statement.lines))
        notes = plain_letters(" ".join(line for note in statement.notes for line in note.lines))
        parts = {
            "title": card.title,
            "name": names[statement.id],
            "note": notes,
            "text": body,
            "place": plain_letters(" . ".join([card.chapter, card.section, *card.categories])),
            "cited": contexts.get(statement.id, ""),
        }
        found = frozenset[str]()
        fields = []
        for field in FIELDS:
            tokens, formulas = tokenise(parts[field])
            fields.append(tokens)
            if field in PHRASE_FIELDS:
                found = found.union(*map(grams, formulas))
        yield Document(card, body, notes, tuple(fields), found, _defined(card, body))


def tokenise(text: str) -> tuple[str, list[str]]:
    """The folded words of a text, separated by spaces, and its formulas.

    The parts of a hyphenated word are tokens; the whole, written as one word, follows at the end.
    """
    tokens: list[str] = []
    compounds: list[str] = []
    formulas: list[str] = []
    for word in words(text):
        if word.formula:
            formulas.append(word.term)
            tokens.append(BREAK)
            continue
        if word.joined and tokens:
            compounds += [BREAK, tokens[-1] + word.term]
        tokens.append(word.term)
    return " ".join(tokens + compounds), formulas


def _card(statement: Statement) -> Card:
    place = statement.place
    return Card(
        id=statement.id,
        kind=statement.kind,
        form=statement.form,
        label=statement.label,
        number=statement.number,
        tag=statement.tag,
        title=plain_letters(statement.title),
        chapter=place.chapter if place else "",
        section=place.section if place else "",
        categories=statement.categories,
    )


def _defined(card: Card, body: str) -> frozenset[str]:
    """The title of a definition, and the phrases that its text emphasises."""
    if card.kind != "definition":
        return frozenset()
    phrases = [_DEFINITION_PREFIX.sub("", card.title), *(one or other for one, other in _EMPHASISED.findall(body))]
    return frozenset(filter(None, map(folded_phrase, phrases)))


def folded_phrase(text: str) -> str:
    """The folded words of a text, separated by spaces; formulas are left out."""
    return " ".join(word.term for word in words(text) if not word.formula)


def citation_contexts(corpus: Corpus) -> dict[StatementId, str]:
    """For each cited statement the text around its citations, and the anchor texts of links to it.

    "Since f is proper by Lemma 3" describes Lemma 3, in words that its own text may not have.
    """
    found: dict[StatementId, list[str]] = {}
    for statement in corpus.statements:
        sources = [(statement.lines, statement.mentions), *((p.lines, p.mentions) for p in statement.proofs)]
        for lines, mentions in sources:
            for key, context in _contexts("\n".join(lines), mentions) if mentions else ():
                contexts = found.setdefault(key, [])
                if len(contexts) < MAX_CONTEXTS:
                    contexts.append(context)
    return {key: "\n\n".join(contexts) for key, contexts in found.items()}


def _contexts(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[StatementId, str]]:
    for mention in mentions:
        if mention.reference is not None and mention.surface not in REFERENCES:
            yield mention.reference, mention.surface
    for site in citation_sites(text, mentions):
        for mention in site.mentions:
            if mention.reference is not None:
                yield mention.reference, _around(text, site.start, site.end)


def _around(text: str, start: int, end: int) -> str:
    low = max(0, start - CONTEXT_BEFORE)
    for stop in _SENTENCE_END.finditer(text, low, start):
        low = stop.end()
    if text.count("$", 0, low) % 2:
        # The context would start inside a formula, whose end would be read as the start of another.
        low = text.find("$", low) + 1
    following = _SENTENCE_END.search(text, end, end + CONTEXT_AFTER)
    return text[low : following.start() if following else end + CONTEXT_AFTER]
