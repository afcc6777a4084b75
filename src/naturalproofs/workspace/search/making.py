"""From a corpus to the arrays of its index."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.latex.plain import plain_letters
from naturalproofs.records import Statement
from naturalproofs.tasks.passages import label_words
from naturalproofs.workspace.search.citations import cited_as
from naturalproofs.workspace.search.formulas import Numbers, formula_numbers, stream_grams
from naturalproofs.workspace.search.found import Card
from naturalproofs.workspace.search.postings import FieldWeight, Postings, weigh
from naturalproofs.workspace.search.settings import Settings
from naturalproofs.workspace.search.texts import Texts
from naturalproofs.workspace.search.vocabulary import Vocabulary
from naturalproofs.workspace.search.words import quick_words, spelt

BREAK = -1
"""Stands in the stream of words where no phrase goes on."""
_READ = frozenset({"title", "note", "text"})
"""Fields that a reader sees: phrases and formulas are looked for there."""


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """All words in reading order, by number, so that phrases can be looked for."""

    words: NDArray[np.int32]
    starts: NDArray[np.int64]
    """Where each statement begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """The arrays of an index."""

    cards: tuple[Card, ...]
    texts: Texts
    notes: Texts
    vocabulary: Vocabulary
    words: Postings
    stream: Stream
    grams: Numbers
    """The grams of formulas, in order; a gram's number is its place."""
    formulas: Postings


class _Gatherer:
    """Collects terms and signs, statement by statement."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.numbers: dict[str, int] = {}
        self.terms = {name: array("q") for name in fields}
        self.owners = {name: array("q") for name in fields}
        self.stream = array("q")
        self.starts = array("q", [0])
        self.signs = array("Q")
        self.sign_owner = array("q")
        self.formula_owner = array("q")

    def statement(self, position: int, parts: Mapping[str, str]) -> None:
        """Take in the fields of one statement."""
        for field, text in parts.items():
            self._field(position, field, text)
        self.starts.append(len(self.stream))

    def _field(self, position: int, field: str, text: str) -> None:
        terms, count, before = self.terms[field], len(self.terms[field]), ""
        read, numbers, stream = field in _READ, self.numbers, self.stream
        for term, formula, joined in quick_words(text):
            if formula:
                if read:
                    self._formula(position, term)
                    stream.append(BREAK)
                continue
            number = numbers.setdefault(term, len(numbers))
            terms.append(number)
            if read:
                stream.append(number)
            if joined:
                terms.append(numbers.setdefault(before + term, len(numbers)))
            before = term
        stream.append(BREAK)
        self.owners[field].extend([position] * (len(terms) - count))

    def _formula(self, position: int, source: str) -> None:
        numbers = formula_numbers(source)
        self.signs.extend(numbers)
        self.sign_owner.extend([position] * (len(numbers) // 2))
        self.formula_owner.extend([len(self.stream)] * (len(numbers) // 2))


def make(corpus: Corpus, settings: Settings) -> Made:
    """Read every statement once, and weigh what was found."""
    names = label_words(corpus.statements)
    bodies = [plain_letters("\n".join(statement.lines)) for statement in corpus.statements]
    notes = [plain_letters(" ".join(line for note in s.notes for line in note.lines)) for s in corpus.statements]
    cited = cited_as(corpus) if "cited" in settings.fields else {}
    gathered = _Gatherer(list(settings.fields))
    for position, statement in enumerate(corpus.statements):
        parts = _parts(statement, names[statement.id], bodies[position], notes[position])
        parts["cited"] = cited.get(statement.id, "")
        gathered.statement(position, {name: text for name, text in parts.items() if name in settings.fields})
    ordered = sorted(gathered.numbers)
    rank = np.empty(len(ordered) + 1, dtype=np.int64)
    rank[[gathered.numbers[word] for word in ordered]] = np.arange(len(ordered))
    rank[BREAK] = BREAK
    size = len(corpus.statements)
    fields = {
        name: (rank[np.array(gathered.terms[name], np.int64)], np.array(gathered.owners[name], np.int64))
        for name in settings.fields
    }
    stream = Stream(rank[np.array(gathered.stream, np.int64)].astype(np.int32), np.array(gathered.starts, np.int64))
    grams, formulas = _formulas(gathered, size)
    return Made(
        cards=tuple(map(card_of, corpus.statements)),
        texts=Texts.of(bodies),
        notes=Texts.of(notes),
        vocabulary=Vocabulary.of(ordered, spelt(ordered, bodies)),
        words=weigh(fields, settings.fields, terms=len(ordered), size=size, saturation=settings.saturation),
        stream=stream,
        grams=grams,
        formulas=formulas,
    )


def _formulas(gathered: _Gatherer, size: int) -> tuple[Numbers, Postings]:
    numbers = np.array(gathered.signs, np.uint64).reshape(-1, 2)
    owner = np.array(gathered.sign_owner, np.int64)
    found = stream_grams(numbers, np.array(gathered.formula_owner, np.int64))
    values = np.concatenate([values for values, _ in found])
    statements = np.concatenate([owner[at] for _, at in found])
    grams, term = np.unique(values, return_inverse=True)
    weights = {"formula": FieldWeight(1.0, 0.3)}
    fields = {"formula": (term.astype(np.int64), statements)}
    return grams, weigh(fields, weights, terms=len(grams), size=size, saturation=0.5)


def _parts(statement: Statement, name: str, body: str, notes: str) -> dict[str, str]:
    place = statement.place
    where = [place.chapter, place.section] if place else []
    return {
        "title": plain_letters(statement.title),
        "name": name,
        "note": notes,
        "text": body,
        "place": plain_letters(" . ".join([*where, *statement.categories])),
    }


def card_of(statement: Statement) -> Card:
    """What a list shows of a statement."""
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
