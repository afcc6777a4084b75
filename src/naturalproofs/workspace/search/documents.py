"""From statements to what is indexed of each: the tokens of its fields and the n-grams of its formulas; and BM25F."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log1p

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.latex.arguments import plain_letters
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.tasks.protocols import label_words
from naturalproofs.workspace.citations import citation_sites
from naturalproofs.workspace.search.text import grams, pieces, words

BREAK = "\ue000"
"""A token that no phrase spans: it stands for a formula, and between parts of a field."""
K1 = 1.2
"""BM25's saturation."""
FIELDS: Mapping[str, tuple[float, float]] = {
    "title": (4.0, 0.3),
    "name": (2.0, 0.3),
    "note": (2.0, 0.3),
    "text": (1.0, 0.75),
    "place": (0.5, 0.3),
    "cited": (0.5, 0.6),
}
"""What is searched, with the weight of each field in BM25F and its length normalisation (BM25's b): the title, the
words of the label, slogans and other notes, the contents, chapter and categories, and the sentences in which others
cite the statement."""
PHRASE_FIELDS = ("title", "note", "text")
"""The fields that a reader sees."""
CONTEXT_BEFORE, CONTEXT_AFTER = 200, 100
"""Characters around a citation that are indexed with the cited statement, within the citing sentence."""
MAX_CONTEXTS = 20
"""Citations of one statement that are indexed with it."""
_SENTENCE_END = re.compile(r"\.\s|\n\s*\n")
_EMPHASISED = re.compile(
    r"\\(?:emph|textit|textbf|textsl|defn|dfn|define|term|newterm)\s*\{([^{}]{2,80})\}|\{\\(?:it|em|bf|sl|itshape)\s+([^{}]{2,80})\}"
)
_DEFINITION_PREFIX = re.compile(r"definition\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one statement."""

    fields: tuple[str, ...]
    """For each of `FIELDS` its tokens, separated by spaces."""
    grams: frozenset[int]
    """The n-grams of its formulas."""


def title_text(statement: Statement) -> str:
    """The title, with accents as letters."""
    return plain_letters(statement.title)


def body_text(statement: Statement) -> str:
    """The contents, with accents as letters."""
    return plain_letters("\n".join(statement.lines))


def notes_text(statement: Statement) -> str:
    """The notes, with accents as letters."""
    return plain_letters(" ".join(line for note in statement.notes for line in note.lines))


def documents(corpus: Corpus) -> Iterator[Document]:
    """The statements of a corpus in order, as they are indexed."""
    names = label_words(corpus.statements)
    contexts = citation_contexts(corpus)
    for statement in corpus.statements:
        place = statement.place
        places = [place.chapter, place.section] if place else ["", ""]
        parts = {
            "title": title_text(statement),
            "name": names[statement.id],
            "note": notes_text(statement),
            "text": body_text(statement),
            "place": plain_letters(" . ".join([*places, *statement.categories])),
            "cited": "\n\n".join(contexts.get(statement.id, ())),
        }
        found: set[int] = set()
        fields = []
        for field in FIELDS:
            tokens, formulas = _tokenise(parts[field])
            fields.append(tokens)
            if field in PHRASE_FIELDS:
                found.update(*map(grams, formulas))
        yield Document(tuple(fields), frozenset(found))


@lru_cache(maxsize=256)
def _tokenise(text: str) -> tuple[str, frozenset[str]]:
    """The folded words of a text, separated by spaces, and its formulas; cached, since chapters and sections repeat.

    The parts of a hyphenated word are tokens; the whole, written as one word, follows at the end.
    """
    tokens: list[str] = []
    compounds: list[str] = []
    formulas: list[str] = []
    for term, _, _, formula, joined in pieces(text):
        if formula:
            formulas.append(term)
            tokens.append(BREAK)
            continue
        if joined and tokens:
            compounds += [BREAK, tokens[-1] + term]
        tokens.append(term)
    return " ".join(tokens + compounds), frozenset(formulas)


def defined_phrases(statement: Statement) -> list[str]:
    """What a definition defines, as it is written: its title, and the phrases that its text emphasises."""
    if statement.kind != "definition":
        return []
    return [title_text(statement), *(one or other for one, other in _EMPHASISED.findall(body_text(statement)))]


def defined_terms(statement: Statement) -> frozenset[str]:
    """What a definition defines, as folded words."""
    phrases = [_DEFINITION_PREFIX.sub("", phrase) for phrase in defined_phrases(statement)]
    folded = (" ".join(word.term for word in words(phrase) if not word.formula) for phrase in phrases)
    return frozenset(filter(None, folded))


def citation_contexts(corpus: Corpus) -> dict[StatementId, list[str]]:
    """For each cited statement the texts around its citations, and the anchor texts of links to it.

    "Since f is proper by Lemma 3" describes Lemma 3, in words that its own text may not have.
    """
    found: defaultdict[StatementId, list[str]] = defaultdict(list)
    for statement in corpus.statements:
        parts: list[Statement | Proof] = [statement, *statement.proofs]
        for part in parts:
            if not part.mentions:
                continue
            text = "\n".join(part.lines)
            for mention in part.mentions:
                if mention.reference is not None and mention.surface not in REFERENCES:
                    found[mention.reference].append(mention.surface)
            for site in citation_sites(text, part.mentions):
                for key in (mention.reference for mention in site.mentions if mention.reference is not None):
                    if len(found[key]) < MAX_CONTEXTS:
                        found[key].append(_around(text, site.start, site.end))
    return {key: contexts[:MAX_CONTEXTS] for key, contexts in found.items()}


def _around(text: str, start: int, end: int) -> str:
    low = max(0, start - CONTEXT_BEFORE)
    for stop in _SENTENCE_END.finditer(text, low, start):
        low = stop.end()
    if text.count("$", 0, low) % 2:
        # The context would start inside a formula, whose end would be read as the start of another.
        low = text.find("$", low) + 1
    following = _SENTENCE_END.search(text, end, end + CONTEXT_AFTER)
    return text[low : following.start() if following else end + CONTEXT_AFTER]


def idf(count: int, size: int) -> float:
    """The inverse document frequency of a term; never negative."""
    return log1p((size - count + 0.5) / (count + 0.5))


def saturated(count: float) -> float:
    """BM25's saturation of a weighted count, below 1."""
    return count / (K1 + count)


def field_counts(fields: Sequence[str], lengths: Mapping[str, float], terms: Collection[str]) -> dict[str, float]:
    """How often each of some terms occurs in a statement; the counts of its fields are weighted, and divided by length.

    Args:
        fields: For each of `FIELDS` its tokens, separated by spaces.
        lengths: The mean number of tokens of each field.
        terms: The terms to count.
    """
    counts: defaultdict[str, float] = defaultdict(float)
    for (name, (weight, normalisation)), value in zip(FIELDS.items(), fields, strict=True):
        tokens = value.split()
        length = (len(tokens) - tokens.count(BREAK)) / max(lengths[name], 1)
        amount = weight / (1 - normalisation + normalisation * length)
        for token in tokens:
            if token in terms:
                counts[token] += amount
    return counts
