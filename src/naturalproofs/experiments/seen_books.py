"""Whether the shipped trees were trained on a corpus: figures there are not those of an unseen book."""

from __future__ import annotations

from collections.abc import Iterable

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.experiments.suite import load_suite
from naturalproofs.ranking.contract import Ranker
from naturalproofs.ranking.hybrid.ranker import FittedHybrid, Hybrid, Shipped
from naturalproofs.ranking.models import Model

SOURCES = frozenset({"stacks", "proofwiki"})
"""Sources that the trees were trained on."""
NAMES = frozenset({"stacks", "primer", "proofwiki", "bookofproofs"})
"""Corpora that they were trained on beside the books of the suite; see ``data/ranker/README.md``."""
TITLES = frozenset({"A Primer"})
NEVER = frozenset({"trench", "stein"})
"""Books of the suite that they were not trained on."""


def seen_by_shipped_trees(method: Ranker, corpus: Corpus, proofs: int) -> bool:
    """Whether a method uses the shipped trees, and these were trained on proofs of the corpus.

    A corpus is recognised by its source, its title, its address or its name, so a renamed copy may not be.

    Args:
        method: The method.
        corpus: What it is measured on.
        proofs: How many proofs it is fitted on.
    """
    return _uses_shipped_trees(method, proofs) and _is_known(corpus)


def warning(corpus: Corpus) -> str:
    """One line for the user."""
    return (
        f"warning: the shipped trees were trained on proofs of {corpus.name}, those of its evaluation splits included: "
        "these figures are not those of an unseen book"
    )


def _uses_shipped_trees(method: Ranker, proofs: int) -> bool:
    if isinstance(method, Model):
        return isinstance(method.fitted, FittedHybrid) and method.fitted.association is None
    if isinstance(method, Shipped):
        return not method.trees
    return isinstance(method, Hybrid) and proofs < method.enough


def _is_known(corpus: Corpus) -> bool:
    books = [book for book in load_suite("books").books if book.name not in NEVER]
    names = NAMES | {name.casefold() for book in books for name in (book.name, book.path)}
    addresses = {book.repository for book in books}

    def known(name: str, about: Provenance) -> bool:
        stated = about.source in SOURCES or about.title in TITLES or about.url.removesuffix(".git") in addresses
        return stated or name.casefold() in names

    return any(known(name, about) for name, about in _parts(corpus))


def _parts(corpus: Corpus) -> Iterable[tuple[str, Provenance]]:
    """The corpus, or those that were merged into it."""
    parts = corpus.provenance.parts
    return ((part.name, part.provenance) for part in parts) if parts else ((corpus.name, corpus.provenance),)
