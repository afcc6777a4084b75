"""Prerequisites that no proof cites: defined terms that a statement uses, theorems that a proof or the text names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Statement, StatementId, TextPart
from naturalproofs.sources.latex import citations, plain_unicode, written_letters
from naturalproofs.tokens import singular
from naturalproofs.workspace.search.documents import defined_phrases, title_text
from naturalproofs.workspace.search.text import FORMULA

# Phrases: the normalised words of a prose text, and those that name a theorem or that a definition defines.

Phrase: TypeAlias = tuple[str, ...]
LONGEST = 5
"""The number of words of the longest phrase."""
_BREAKS = re.compile(
    rf"{FORMULA}|\\(?:begin|end|label|index|[a-zA-Z]*ref|cite[a-z]*)\*?\s*(?:\[[^][]*\])?\{{[^{{}}]*\}}|[.,;:!?()\[\]]",
    re.DOTALL,
)
_WORD = re.compile(r"\\[a-zA-Z]+\*?|[^\W\d_]+(?:[-'’–][^\W\d_]+)*|\x00")
_FORMS = frozenset(
    "theorem lemma proposition corollary criterion formula inequality identity principle rule law".split()
)
_EMPTY = frozenset("the a an of and or in is are proof case step claim note fact example remark".split())


def words(text: str) -> list[str]:
    """The normalised words of a prose text; an empty word where a phrase cannot continue."""
    found = _WORD.findall(_BREAKS.sub(" \x00 ", text.replace("~", " ")))
    return [_normalised(word) for word in found if word[0] != "\\"]


def _normalised(word: str) -> str:
    """A word in lower case and, as far as its ending shows, in the singular."""
    if word == "\x00":
        return ""
    form = word.casefold().replace("’", "'").removesuffix("'s").removesuffix("'")
    return singular(form) if len(form) > 3 else form


def names_of(statement: Statement) -> set[Phrase]:
    """The phrases that name a theorem: its title, and with a word such as “theorem” where the title is only a name."""
    title = tuple(words(title_text(statement)))
    if statement.kind != "theorem" or not title or "" in title or len(title) > LONGEST:
        return set()
    form = statement.form.casefold() or "theorem"
    if _FORMS.intersection(title):
        return {title} if len(title) > 1 else set()
    forms = {form, "theorem"} if form in _FORMS else {"theorem"}
    return {(*title, one) for one in forms} | {(one, "of", *title) for one in forms} if len(title) <= 3 else {title}


def terms_of(statement: Statement) -> set[Phrase]:
    """The terms that a definition defines: its title, and its emphasised text."""
    return {phrase for text in defined_phrases(statement) if _is_specific(phrase := tuple(words(text)))}


def _is_specific(phrase: Phrase) -> bool:
    return (
        0 < len(phrase) <= LONGEST and "" not in phrase and not _EMPTY.issuperset(phrase) and len("".join(phrase)) > 3
    )


def _cited(statement: Statement) -> set[StatementId]:
    return {*statement.references, *(key for proof in statement.proofs for key in proof.references)}


T = TypeVar("T")


def longest_phrases(
    found: Sequence[str], meaning: Callable[[Phrase], T | None], longest: int
) -> Iterator[tuple[T, Phrase]]:
    """The phrases of a text that mean something, in order: the longest at each place, and the next one after it."""
    at = 0
    while at < len(found):
        for length in range(min(longest, len(found) - at), 0, -1):
            phrase = tuple(found[at : at + length])
            if (meant := meaning(phrase)) is not None:
                yield meant, phrase
                break
        at += length


_SHORTEST = 5
_PREPOSITIONS = frozenset("at on over from".split())
"""“Continuous at a point” and “continuous on an interval” define “continuous”."""
_TRAILING = _PREPOSITIONS | {"of", "in", "to", "by", "with", "if"}
_ORDINARY = 3
"""A word that so many statements before its definition use is an ordinary word in this text."""
_LONGEST = 7


def phrases_of(definition: Statement) -> set[Phrase]:
    """The terms of a definition, and of “continuous at $x_0$” the word that other texts use."""
    found = {phrase for phrase in terms_of(definition) if phrase[-1] not in _TRAILING}
    for text in defined_phrases(definition):
        given = words(text)
        start = tuple(takewhile(lambda word: word and word not in _PREPOSITIONS, given))
        if 0 < len(start) < len(given) and len("".join(start)) > _SHORTEST and start[-1] not in _TRAILING:
            found.add(start)
    return found


class Inferred(NamedTuple):
    """Why a statement is a prerequisite although no proof cites it."""

    text: str
    """The term or name that is used, or the sentence that says so."""
    origin: Literal["term", "prose"]

    @property
    def note(self) -> str:
        """What is said beside it."""
        return f"inferred: {self.text}" if self.origin == "term" else f"the text says: {self.text}"


def cites_little(proofs: int, silent: int) -> bool:
    """Whether so many proofs cite nothing that what is cited is likely to be incomplete."""
    return silent >= max(1, proofs / 3)


class TermUses:
    """Which definitions and theorems a statement uses by name."""

    def __init__(self, corpus: Corpus) -> None:
        """Index the terms and names of a corpus."""
        self._corpus = corpus
        self._rank = {statement.id: position for position, statement in enumerate(corpus.statements)}
        self._terms: defaultdict[Phrase, list[StatementId]] = defaultdict(list)
        self._names: defaultdict[Phrase, list[StatementId]] = defaultdict(list)
        for statement in corpus.statements:
            for known, phrases in ((self._terms, phrases_of(statement)), (self._names, names_of(statement))):
                for phrase in phrases:
                    known[phrase].append(statement.id)
        self._found: dict[StatementId, Mapping[StatementId, Inferred]] = {}
        self._ordinary: dict[tuple[Phrase, StatementId], bool] = {}

    @cached_property
    def prose(self) -> Mapping[StatementId, Mapping[StatementId, Inferred]]:
        """What the text around statements says that they follow from, as far as they do not cite it themselves."""
        found: defaultdict[StatementId, dict[StatementId, Inferred]] = defaultdict(dict)
        for one in said(self._corpus):
            named = (key for key, _ in self._used(words(one.source), self._names, one.statement))
            keys = dict.fromkeys((*cited_in(self._corpus, one.source), *named, *filter(None, [one.pointed])))
            for key in keys.keys() - _cited(one.statement) - {one.statement.id}:
                found[one.statement.id][key] = Inferred(plain_unicode(one.sentence, {}), "prose")
        return found

    def needed(self, key: StatementId) -> Mapping[StatementId, Inferred]:
        """What a statement uses without a citation of it: terms defined and theorems stated before it, and prose."""
        if key not in self._found:
            self._found[key] = self._search(self._corpus.by_id[key])
        return self._found[key]

    def faint(self, key: StatementId) -> Mapping[StatementId, Inferred]:
        """What a drawing adds to citations: prose, and what is needed by what cites nothing, if authors cite little."""
        said = self.prose.get(key, {})
        return self.needed(key) if self._cites_little and not _cited(self._corpus.by_id[key]) else said

    @cached_property
    def _cites_little(self) -> bool:
        proofs = [proof for statement in self._corpus.statements for proof in statement.proofs]
        return cites_little(len(proofs), sum(not proof.references for proof in proofs))

    def _search(self, statement: Statement) -> dict[StatementId, Inferred]:
        cited = _cited(statement)
        proofs = "\n\n".join(proof.text for proof in statement.proofs)
        found = dict(self.prose.get(statement.id, {}))
        for text, known in ((statement.text, self._terms), (proofs, self._names)):
            for key, phrase in self._used(words(text), known, statement):
                if key not in cited:
                    found.setdefault(key, Inferred(" ".join(phrase), "term"))
        return found

    def _used(
        self, text: list[str], known: Mapping[Phrase, list[StatementId]], statement: Statement
    ) -> Iterator[tuple[StatementId, Phrase]]:
        """The longest phrases of a text that have a meaning there."""

        def meaning(phrase: Phrase) -> StatementId | None:
            meanings = known.get(phrase, ())
            return statement.id if statement.id in meanings else self._meant(phrase, meanings, statement)

        return ((key, phrase) for key, phrase in longest_phrases(text, meaning, _LONGEST) if key != statement.id)

    def _meant(self, phrase: Phrase, meanings: Sequence[StatementId], statement: Statement) -> StatementId | None:
        """The one statement before this one that gives a phrase its meaning; of several, the last of the chapter."""
        if not meanings:
            return None
        if statement.place is None:
            return meanings[0] if len(meanings) == 1 else None
        before = [key for key in meanings if self._rank[key] < self._rank[statement.id]]
        if len(meanings) > 1:
            chapter = statement.place.chapter
            before = [key for key in before if (place := self._corpus.by_id[key].place) and place.chapter == chapter]
        if not before or self._is_ordinary(phrase, before[-1]):
            return None
        return before[-1]

    def _is_ordinary(self, phrase: Phrase, key: StatementId) -> bool:
        """Whether many statements use a phrase before the statement that is to give it its meaning."""
        if (phrase, key) not in self._ordinary:
            raw = " ".join(phrase)
            uses = (1 for text in self._texts[: self._rank[key]] if raw in text)
            self._ordinary[phrase, key] = len(list(islice(uses, _ORDINARY))) == _ORDINARY
        return self._ordinary[phrase, key]

    @cached_property
    def _texts(self) -> list[str]:
        return [" ".join(statement.text.casefold().split()) for statement in self._corpus.statements]


# What the text around a statement says that it follows from, as in "the theorem follows from Rolle's theorem".
#
# Only sentences that stand directly before or after a theorem are read, and of them only what they name by a label or a
# title, or point to ("the following lemma"). Such edges are of origin *prose*: they are shown, and used in paths and
# courses; they are no references of the benchmark.

_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z\\$])|\n\s*\n")
_FORM = r"theorem|lemma|proposition|corollary|result|statement|claim|assertion|fact|formula|identity|inequality"
_FOLLOWS = re.compile(
    r"\b(?:(?:follow|result)(?:s|ed)?|immediate|clear|(?:is|are|was|be)\s+(?:\w+\s+){0,3}?"
    r"(?:proved|proven|obtained|deduced|derived|implied|shown))"
    r"(?:\s+\w+ly|\s+at\s+once|\s+now)?\s+(?:from|by|using|out\s+of)\b"
    r"|\b(?:deduce|derive|obtain|get|prove)\s+(?:this|it|that|the\s+\w+)\s+(?:from|by|using|with)\b"
    r"|\b(?:consequence|corollary|special\s+case|reformulation|restatement|application)s?\s+(?:of|to)\b",
    re.IGNORECASE,
)
"""Before what a statement follows from."""
_OF_THE_LAST = re.compile(
    rf"\s*(?:(?:indeed|clearly|of\s+course|note\s+that|observe\s+that|again|now)\s*,?\s*)?"
    rf"(?:this|it|which|we|immediate|clear|(?:the|our|this|both)\s+(?:\w+\s+)?(?:{_FORM}|proof)s?)\b",
    re.IGNORECASE,
)
"""How a sentence begins that is about the statement before it."""
_OF_THE_NEXT = re.compile(
    r"^\s*(?:as\s+an?\b|an?\s+(?:\w+\s+){0,2}(?:consequence|corollary|application)\b)"
    rf"|\b(?:the|our)\s+(?:following|next)\b|\b(?:following|next)\s+(?:\w+\s+)?(?:{_FORM})s?\b",
    re.IGNORECASE,
)
"""What a sentence has that is about the statement after it."""
_NEXT = re.compile(r"\s*(?:the|our)\s+(?:next|following)\b", re.IGNORECASE)
_LAST = re.compile(rf"\s*(?:this|the\s+(?:above|previous|preceding|last))\s+(?:{_FORM})s?\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|cannot|converse|n't|would|could|hope|compare|instead)\b", re.IGNORECASE)
_REST = re.compile(r"\b(?:which|where|because|since|but|is|generali[sz]\w+)\b|[(;]", re.IGNORECASE)
"""Where something else is said."""


class Said(NamedTuple):
    """A sentence that says what a statement follows from."""

    statement: Statement
    sentence: str
    source: str
    """What it is said to follow from, as it is written."""
    pointed: StatementId | None
    """The statement before or after, if the sentence points to it."""


def said(corpus: Corpus) -> Iterator[Said]:
    """The sentences that stand directly after or before a theorem and say what it follows from."""
    parts = [part for part in corpus.text_parts if part.kind != "text" or part.text.strip()]
    places = [number for number, part in enumerate(parts) if part.kind == "statement"]
    for rank, number in enumerate(places):
        statement = corpus.statements[parts[number].number]
        before, after = (
            corpus.statements[parts[place].number].id if place is not None else None
            for place in (places[rank - 1] if rank else None, next(iter(places[rank + 1 : rank + 2]), None))
        )
        if statement.kind != "theorem":
            continue
        sentences = _sentences(parts, number + 1)
        proof_follows = number + 2 < len(parts) and parts[number + 2].kind == "proof"
        for sentence in sentences if proof_follows else sentences[:1]:
            if _OF_THE_LAST.match(sentence) and (source := _source(sentence)) is not None:
                yield Said(statement, sentence, source, after if _NEXT.match(source) else None)
        for sentence in _sentences(parts, number - 1)[-1:]:
            if _OF_THE_NEXT.search(sentence) and (source := _source(sentence)) is not None:
                yield Said(statement, sentence, source, before if _LAST.match(source) else None)


def _sentences(parts: Sequence[TextPart], number: int) -> list[str]:
    """The sentences of a part, if it is text between statements."""
    text = parts[number].text if 0 <= number < len(parts) and parts[number].kind == "text" else ""
    return [" ".join(one.split()) for one in _SENTENCE.split(written_letters(text)) if one and one.strip()]


def _source(sentence: str) -> str | None:
    found = _FOLLOWS.search(sentence)
    if found is None or _DENIED.search(sentence):
        return None
    rest = _REST.search(sentence, found.end())
    return sentence[found.end() : rest.start() if rest else len(sentence)]


def cited_in(corpus: Corpus, text: str) -> Iterator[StatementId]:
    """The statements that a text cites by their labels."""
    for citation in citations.find_citations(text, guess=True):
        for key in citation.keys:
            anchor = corpus.anchors.get(key.key)
            if anchor is not None and anchor.owner is not None:
                yield anchor.owner
