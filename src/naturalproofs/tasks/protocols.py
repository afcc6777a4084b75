"""Protocols and passages: which statements are candidates, and what a method sees of a statement.

The protocol is printed with every result. Passages are the only text that a method gets, so that none sees a proof.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.errors import UnknownName
from naturalproofs.records import EdgeOrigin, Passage, Statement, StatementId, formal_names
from naturalproofs.sources.latex import citations

# What is mathematics in the text of a statement: not the keys of ``\ref`` and ``\label``, nor names of files or Lean.


def statement_text(statement: Statement) -> str:
    """The text of a statement, without keys and the names of its formal counterparts."""
    text = citations.without_keys(statement.text, {mention.surface for mention in statement.mentions})
    for formal in formal_names(statement):
        if "." in formal.name:
            text = text.replace(formal.name, "")
    return text


def stated_citations(statement: Statement) -> tuple[StatementId, ...]:
    r"""What the statement cites in its text: not by ``\uses``, Lean code or lists, which tell what its proof needs."""
    return tuple(m.reference for m in statement.mentions if m.reference is not None and m.origin in _IN_TEXT)


_IN_TEXT: frozenset[EdgeOrigin] = frozenset({"reference", "number"})


Candidates: TypeAlias = Literal["all", "cited", "earlier"]
Proofs: TypeAlias = Literal["none", "training", "earlier training", "earlier"]

_WORDS = re.compile(r"[^\W\d_]{2,}")
COMMON = 0.2
"""Words in more than this share of all labels are ignored: they name a kind (``lemma``, ``thm``), not a topic."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """One definition of the retrieval task."""

    name: str
    purpose: str
    candidates: Candidates
    """``all`` references of the split; only those ``cited`` in some proof; or those that come ``earlier``."""
    proofs: Proofs = "training"
    """Which proofs of the corpus may vote or count when a query is scored: ``none``; all of the ``training`` split; of
    these the ``earlier training`` ones, which stand before the query; or all ``earlier`` ones, whatever their split."""
    place: bool = False
    """Whether a method sees the place of statements in reading order."""
    keeps_query: bool = False
    """Whether the theorem itself is among its own candidates."""
    keys: bool = False
    """Whether texts keep the keys of labels, as the paper's texts do."""
    half: bool = False
    """Whether the first half of each proof is written: its citations are known, and the others are asked for."""

    @property
    def learns(self) -> bool:
        """Whether a method may be fitted on the training split."""
        return self.proofs in ("training", "earlier training")

    def __str__(self) -> str:
        """Its name."""
        return self.name


PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        Protocol(
            "paper", "like for like with the paper's TF-IDF and pairwise rows", "all", keeps_query=True, keys=True
        ),
        Protocol("paper-joint", "like for like with its joint and autoregressive rows", "cited", keys=True),
        Protocol("clean", "the honest default: every reference but the theorem itself", "all"),
        Protocol(
            "accessible",
            "what an author has while writing: statements and training proofs that come before",
            "earlier",
            "earlier training",
            place=True,
        ),
        Protocol(
            "accessible-hindsight",
            "the same candidates; training proofs that come after vote and count too",
            "earlier",
            place=True,
        ),
        Protocol("zero-shot", "accessible, and no proof of the corpus is seen", "earlier", "none", place=True),
        Protocol(
            "in-project", "accessible, and every proof that comes before is seen", "earlier", "earlier", place=True
        ),
        Protocol(
            "half-written",
            "in-project, and the first half of the proof is written: which citations follow?",
            "earlier",
            "earlier",
            place=True,
            half=True,
        ),
    )
}


def protocol(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise UnknownName(f"no protocol is called {name!r}; there are: {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


@dataclass(frozen=True, slots=True)
class TextView:
    """Which parts of a statement a method sees (the paper's title and content ablation)."""

    title: bool = True
    contents: bool = True
    label_words: bool = True
    """Whether a statement without a title has the words of its label instead."""
    keys: bool = False
    r"""Whether texts keep the keys of citations, and citations those of ``\uses``; set by the protocol."""


WHOLE = TextView()


def passage_text(passage: Passage) -> str:
    """Title and contents of a passage as one text."""
    return "\n".join(filter(None, (passage.title, passage.text)))


def passages(
    statements: Iterable[Statement],
    *,
    view: TextView = WHOLE,
    place: bool = False,
    names: Mapping[StatementId, str] | None = None,
) -> list[Passage]:
    """What a method may see of each statement.

    The title of an untitled statement is made of the words of its label. Numbers in labels are left out: they would
    reveal its position.

    Args:
        statements: The statements.
        view: Which parts of them to include.
        place: Whether to include the place in reading order.
        names: The words of each label, needed if these are not all statements of the corpus: common words depend on
            the whole corpus, and a theorem must read the same as a query and as a candidate.
    """
    statements = list(statements)
    if names is None:
        names = label_words(statements)
    return [
        Passage(
            id=statement.id,
            kind=statement.kind,
            title=_title(statement, view, names) if view.title else "",
            text=_text(statement, view) if view.contents else "",
            cites=statement.references if view.keys else stated_citations(statement),
            place=statement.place if place else None,
            form=statement.form,
            labelled=not has_generated_label(statement),
        )
        for statement in statements
    ]


def _title(statement: Statement, view: TextView, names: Mapping[StatementId, str]) -> str:
    if statement.title:
        return statement.title if view.keys else citations.without_keys(statement.title)
    return names[statement.id] if view.label_words else ""


def _text(statement: Statement, view: TextView) -> str:
    return statement.text if view.keys else statement_text(statement)


def label_words(statements: Sequence[Statement]) -> dict[StatementId, str]:
    """The words of each label without common ones; a label that the author did not give has none."""
    words = LabelWords(statements)
    return {statement.id: words.of(statement) for statement in statements}


class LabelWords:
    """The words of labels without those that many labels of a corpus have; only the latter are held."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        """Count the words."""
        counts = Counter(word for statement in statements for word in set(_all_words(statement)))
        limit = COMMON * len(statements)
        self._common = frozenset(word for word, count in counts.items() if count > limit)

    def of(self, statement: Statement) -> str:
        """The words of one label; none if the author did not give it."""
        return " ".join(word for word in _all_words(statement) if word not in self._common)


def _all_words(statement: Statement) -> list[str]:
    return [] if has_generated_label(statement) else _WORDS.findall(statement.label.casefold())
