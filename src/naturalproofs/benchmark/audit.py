"""Check a split for train/test leakage and near-duplicates, and a model for books that it has seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.errors import LeakFound
from naturalproofs.io.decoding import decode_json
from naturalproofs.ranking.contract import Ranker, UsesShippedTrees
from naturalproofs.ranking.lexical import TfIdf
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import Splits, check_no_leak

NEAR = 0.9
"""Least TF-IDF cosine similarity of near-duplicates."""
BLOCK = 256


@dataclass(frozen=True, slots=True)
class NearPair:
    """An evaluation theorem and the most similar training statement."""

    evaluation: StatementId
    training: StatementId
    similarity: float
    shared_gold: int
    """The number of references that the proofs of both cite."""


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit."""

    split: str
    queries: int
    leak: str
    """The message of the leak check; empty if there is no leak."""
    same_text: tuple[tuple[StatementId, StatementId], ...]
    near: tuple[NearPair, ...]
    gold: int
    unseen_gold: int
    """Gold references that no training proof cites."""
    queries_all_unseen: int


def audit(corpus: Corpus, splits: Splits, split: str = "eval", *, near: float = NEAR) -> Audit:
    """Find leaks, evaluation statements with duplicates in training, and gold that training never cites."""
    task = retrieval_task(corpus, splits, split, protocol("clean"))
    theorems = list({query.theorem.id: query.theorem for query in task.queries}.values())
    training = task.train.passages
    seen = {key for example in task.train.examples for key in example.references}
    by_text: dict[str, StatementId] = {}
    for passage in training:
        by_text.setdefault(_text(passage), passage.id)
    same = tuple((t.id, by_text[_text(t)]) for t in theorems if _text(t) and _text(t) in by_text)
    unseen = [[key not in seen for key in query.gold] for query in task.queries]
    return Audit(
        split=split,
        queries=len(task.queries),
        leak=_leak(corpus, splits),
        same_text=same,
        near=tuple(_near_pairs(corpus, theorems, training, near)),
        gold=sum(map(len, unseen)),
        unseen_gold=sum(map(sum, unseen)),
        queries_all_unseen=sum(all(flags) for flags in unseen),
    )


def _leak(corpus: Corpus, splits: Splits) -> str:
    try:
        check_no_leak(corpus, splits)
    except LeakFound as leak:
        return str(leak)
    return ""


def _text(passage: Passage) -> str:
    return " ".join(passage.text.split()).casefold()


def _near_pairs(corpus: Corpus, theorems: list[Passage], training: tuple[Passage, ...], near: float) -> list[NearPair]:
    if not training or not theorems:
        return []
    scorer = TfIdf(title_weight=0).index(training)
    cited = {s.id: {key for proof in s.proofs for key in proof.references} for s in corpus.statements}
    pairs = []
    for first in range(0, len(theorems), BLOCK):
        block = theorems[first : first + BLOCK]
        scores = scorer.score(block)
        best = scores.argmax(axis=1)
        for theorem, column, value in zip(block, best, scores[np.arange(len(block)), best], strict=True):
            if value >= near:
                other = training[int(column)].id
                pairs.append(NearPair(theorem.id, other, float(value), len(cited[theorem.id] & cited[other])))
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.evaluation))


# Whether the shipped trees were trained on a corpus: figures there are not those of an unseen book.

SOURCES = frozenset({"stacks", "proofwiki"})
"""Sources that the trees were trained on."""
NAMES = frozenset({"stacks", "primer", "proofwiki", "bookofproofs"})
"""Corpora that they were trained on beside the books of the suite; see ``data/ranker/README.md``."""
TITLES = frozenset({"A Primer"})


def seen_by_shipped_trees(method: Ranker, corpus: Corpus, proofs: int) -> bool:
    """Whether a method uses the shipped trees, and these were trained on proofs of the corpus.

    A corpus is recognised by its source, its title, its address or its name, so a renamed copy may not be.

    Args:
        method: The method.
        corpus: What it is measured on.
        proofs: How many proofs it is fitted on.
    """
    return isinstance(method, UsesShippedTrees) and method.uses_shipped_trees(proofs) and _is_known(corpus)


def warning(corpus: Corpus) -> str:
    """One line for the user."""
    return (
        f"warning: the shipped trees were trained on proofs of {corpus.name}, those of its evaluation splits included: "
        "these figures are not those of an unseen book"
    )


def _is_known(corpus: Corpus) -> bool:
    # Most methods do not use the trees, and need not import the suite.
    from naturalproofs.benchmark.suite import load_suite

    trained_on = decode_json((files("naturalproofs.data") / "ranker" / "books.json").read_bytes(), frozenset[str])
    books = [book for book in load_suite("books").books if book.name in trained_on]
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
