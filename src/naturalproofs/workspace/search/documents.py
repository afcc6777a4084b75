"""From statements to what is indexed of each: the tokens of its fields and the n-grams of its formulas; and BM25F."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.io.memory import DiskBytes
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.sources.latex import Macro, scanner, written_letters
from naturalproofs.tasks.protocols import LabelWords
from naturalproofs.tokens import K1
from naturalproofs.workspace.citations import citation_sites
from naturalproofs.workspace.search.formulas import expanded, grams, spoken
from naturalproofs.workspace.search.text import fold, key_of, pieces, words

BREAK = "\ue000"
"""A token that no phrase spans: it stands for a formula, and between parts of a field."""
FEW_TERMS = 12
"""So many terms are counted one after the other, which is faster."""
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
_RAW = frozenset({"wikitext", "proof page", "sources"})
_SENTENCE_END = re.compile(r"\.\s|\n\s*\n")
_EMPHASISED = re.compile(
    r"\\(?:emph|textit|textbf|textsl|defn|dfn|define|term|newterm|strong|alert|vocab|concept|deff)\s*"
    r"\{((?:[^{}]|\{[^{}]*\}){2,120})\}|\{\\(?:it|em|bf|sl|itshape)\s+([^{}]{2,80})\}|'''([^'\n]{2,80})'''"
)
"""An argument may hold further commands: ``\\emph{\\myindex{metric space}}``."""
_COMPOUND = re.compile(r"\$\s*-\s*\w")
_PARENTHESIS = re.compile(r"(?<!\s)\s*+\([^()]*+\)$")
_DEFINITION_PREFIX = re.compile(r"definition\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one statement."""

    fields: tuple[str, ...]
    """For each of `FIELDS` its tokens, separated by spaces."""
    grams: frozenset[int]
    """The n-grams of its formulas."""
    used: int
    """How many statements use it."""


def title_text(statement: Statement) -> str:
    """The title, with accents as letters."""
    return written_letters(statement.title)


def body_text(statement: Statement) -> str:
    """The contents, with accents as letters."""
    return written_letters(statement.text)


def notes_text(statement: Statement) -> str:
    """The notes, with accents as letters."""
    return written_letters(" ".join(line for note in statement.notes for line in note.lines))


def readable_notes(statement: Statement) -> str:
    """The notes that a snippet may show: not the source of a wiki page, nor its list of works."""
    return written_letters(" ".join(line for note in statement.notes if note.kind not in _RAW for line in note.lines))


def documents(corpus: Corpus, macros: Mapping[str, Macro] | None = None) -> Iterator[Document]:
    """The statements of a corpus in order, as they are indexed; macros are the author's, for formulas."""
    names = LabelWords(corpus.statements)
    contexts = citation_contexts(corpus)
    users = Counter(key for one in corpus.links for key in {*one.references, *chain(*one.proofs)} - {one.id})
    tokenise = _Tokeniser(macros or {})
    for statement in corpus.statements:
        place = statement.place
        places = [place.chapter, place.section] if place else ["", ""]
        parts = {
            "title": title_text(statement),
            "name": names.of(statement),
            "note": notes_text(statement),
            "text": body_text(statement) if place else _wiki_text(body_text(statement)),
            "place": " . ".join([*places, *statement.categories]),
            "cited": "\n\n".join(contexts.of(statement.id)),
        }
        found: set[int] = set()
        fields = []
        for field in FIELDS:
            tokens, formulas = tokenise(written_letters(parts[field], macros or ()), named=field in PHRASE_FIELDS)
            fields.append(tokens)
            if field in PHRASE_FIELDS:
                found.update(*map(grams, formulas))
        yield Document(tuple(fields), frozenset(found), users[statement.id])


def _wiki_text(text: str) -> str:
    """A wiki's own commands in terms of LaTeX's; imported only where a corpus is a wiki."""
    from naturalproofs.sources.wiki.latex import expand_macros

    return expand_macros(text)


class _Tokeniser:
    """Splits texts of one corpus, with the macros of its author."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self._macros = macros
        # Chapters and sections repeat, and so do short formulas.
        self._split = lru_cache(maxsize=256)(self._tokenise)
        self._expanded = lru_cache(maxsize=1 << 12)(lambda formula: expanded(formula, macros) if macros else formula)

    def __call__(self, text: str, *, named: bool) -> tuple[str, frozenset[str]]:
        """The folded words of a text, separated by spaces, and its formulas without macros.

        The parts of a hyphenated word are tokens; the whole, written as one word, follows at the end, and so do the
        operators that formulas name, if asked for.
        """
        return self._split(text, named)

    def _tokenise(self, text: str, named: bool) -> tuple[str, frozenset[str]]:
        tokens: list[str] = []
        further: list[str] = []
        formulas: list[str] = []
        for term, _, _, formula, joined in pieces(text):
            if formula:
                formulas.append(self._expanded(term))
                tokens.append(BREAK)
                continue
            if joined and tokens:
                further += [BREAK, tokens[-1] + term]
            tokens.append(term)
        if named:
            said = dict.fromkeys(fold(word) for formula in formulas for word in spoken(formula))
            further += [token for word in said for token in (BREAK, word)]
        return " ".join(tokens + further), frozenset(formulas)


def defined_phrases(statement: Statement) -> list[str]:
    """What a definition defines, as it is written: its title, and the phrases that its text emphasises."""
    if statement.kind != "definition":
        return []
    return [title_text(statement), *("".join(found) for found in _EMPHASISED.findall(body_text(statement)))]


def defined_terms(statement: Statement) -> frozenset[str]:
    """What a definition defines, as folded words."""
    phrases = [_DEFINITION_PREFIX.sub("", phrase) for phrase in defined_phrases(statement)]
    # An "$n$-group" is no group.
    whole = (phrase for phrase in phrases if not _COMPOUND.search(phrase))
    folded = (" ".join(word.term for word in words(phrase) if not word.formula) for phrase in whole)
    return frozenset(filter(None, folded))


def title_key(statement: Statement) -> str:
    """The folded words of the title, by which it is found in another form."""
    return key_of(_PARENTHESIS.sub("", _DEFINITION_PREFIX.sub("", title_text(statement))))


class Contexts:
    """For each cited statement the texts around its citations, and the anchor texts of links to it; kept on disk."""

    def __init__(self) -> None:
        """Start without texts."""
        self._texts = DiskBytes()
        self._numbers: defaultdict[StatementId, array[int]] = defaultdict(lambda: array("L"))

    def is_full(self, key: StatementId) -> bool:
        """Whether a statement has as many texts as are indexed."""
        return key in self._numbers and len(self._numbers[key]) >= MAX_CONTEXTS

    def add(self, key: StatementId, text: str) -> None:
        """Add a text to those of a statement unless it has enough."""
        if not self.is_full(key):
            self._numbers[key].append(len(self._texts))
            self._texts.append(text.encode("utf-8", "surrogatepass"))

    def of(self, key: StatementId) -> list[str]:
        """The texts of a statement, in order."""
        return [self._texts[number].decode("utf-8", "surrogatepass") for number in self._numbers.get(key, ())]


def citation_contexts(corpus: Corpus) -> Contexts:
    """For each cited statement the texts around its citations, and the anchor texts of links to it.

    "Since f is proper by Lemma 3" describes Lemma 3, in words that its own text may not have.
    """
    found = Contexts()
    for statement in corpus.statements:
        parts: list[Statement | Proof] = [statement, *statement.proofs]
        for part in parts:
            if not part.mentions:
                continue
            text = part.text
            for mention in part.mentions:
                if mention.reference is not None and mention.surface not in scanner.CITING:
                    found.add(mention.reference, mention.surface)
            for site in citation_sites(text, part.mentions):
                for key in (mention.reference for mention in site.mentions if mention.reference is not None):
                    if not found.is_full(key):
                        found.add(key, _around(text, site.start, site.end))
    return found


def _around(text: str, start: int, end: int) -> str:
    low = max(0, start - CONTEXT_BEFORE)
    for stop in _SENTENCE_END.finditer(text, low, start):
        low = stop.end()
    if text.count("$", 0, low) % 2:
        # The context would start inside a formula, whose end would be read as the start of another.
        low = text.find("$", low) + 1
    following = _SENTENCE_END.search(text, end, end + CONTEXT_AFTER)
    return text[low : following.start() if following else end + CONTEXT_AFTER]


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
    few = len(terms) <= FEW_TERMS
    counts: defaultdict[str, float] = defaultdict(float)
    for (name, (weight, normalisation)), value in zip(FIELDS.items(), fields, strict=True):
        possible = [term for term in terms if term in value] if few else terms
        if not possible:
            continue
        tokens = value.split()
        length = (len(tokens) - tokens.count(BREAK)) / max(lengths[name], 1)
        amount = weight / (1 - normalisation + normalisation * length)
        if few:
            for term in possible:
                if number := tokens.count(term):
                    counts[term] += number * amount
            continue
        for token, number in Counter(tokens).items():
            if token in terms:
                counts[token] += number * amount
    return counts
