"""Protocols and passages: which statements are candidates, and what a method sees of a statement.

The protocol is printed with every result. Passages are the only text that a method gets, so that none sees a proof.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from naturalproofs.errors import UnknownName
from naturalproofs.records import Passage, Statement, StatementId

Candidates: TypeAlias = Literal["all", "cited", "earlier"]
Proofs: TypeAlias = Literal["none", "training", "earlier training", "earlier"]

_WORDS = re.compile(r"[^\W\d_]{2,}")
COMMON = 0.2
"""Words in more than this share of all labels are ignored: they name a kind (``lemma``, ``thm``), not a topic."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """One definition of the retrieval task."""

    name: str
    candidates: Candidates
    """``all`` references of the split; only those ``cited`` in some proof; or those that come ``earlier``."""
    keeps_query: bool
    """Whether the theorem itself is among its own candidates."""
    place: bool
    """Whether a method sees the place of statements in reading order."""
    proofs: Proofs
    """Which proofs of the corpus may vote or count when a query is scored: ``none``; all of the ``training`` split; of
    these the ``earlier training`` ones, which stand before the query; or all ``earlier`` ones, whatever their split."""
    purpose: str

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
        Protocol("paper", "all", True, False, "training", "like for like with the paper's TF-IDF and pairwise rows"),
        Protocol(
            "paper-joint", "cited", False, False, "training", "like for like with its joint and autoregressive rows"
        ),
        Protocol(
            "clean", "all", False, False, "training", "the honest default: every reference but the theorem itself"
        ),
        Protocol(
            "accessible",
            "earlier",
            False,
            True,
            "earlier training",
            "what an author has while writing: statements and training proofs that come before",
        ),
        Protocol(
            "accessible-hindsight",
            "earlier",
            False,
            True,
            "training",
            "the same candidates; training proofs that come after vote and count too",
        ),
        Protocol("zero-shot", "earlier", False, True, "none", "accessible, and no proof of the corpus is seen"),
        Protocol(
            "in-project", "earlier", False, True, "earlier", "accessible, and every proof that comes before is seen"
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
            title=(statement.title or names[statement.id]) if view.title else "",
            text="\n".join(statement.lines) if view.contents else "",
            cites=statement.references,
            place=statement.place if place else None,
            form=statement.form,
        )
        for statement in statements
    ]


def label_words(statements: Iterable[Statement]) -> dict[StatementId, str]:
    """The words of each label without common ones."""
    words = {s.id: _WORDS.findall(s.label.casefold()) for s in statements}
    counts = Counter(word for found in words.values() for word in set(found))
    limit = COMMON * len(words)
    return {key: " ".join(word for word in found if counts[word] <= limit) for key, found in words.items()}
