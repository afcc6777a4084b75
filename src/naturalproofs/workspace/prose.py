"""What the text around a statement says that it follows from, as in "the theorem follows from Rolle's theorem".

Only sentences that stand directly before or after a theorem are read, and of them only what they name by a label or a
title, or point to ("the following lemma"). Such edges are of origin *prose*: they are shown, and used in paths and
courses; they are no references of the benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Statement, StatementId, TextPart
from naturalproofs.sources.latex import citations, written_letters

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
