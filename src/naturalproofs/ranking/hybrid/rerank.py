"""The trees' order of what a first stage returns, whatever index it comes from.

The candidates become a small index of their own, whose terms are as rare as in the whole collection. The proofs that
vote are those of the candidates, which are the theorems most similar to the query; what they cite are candidates too.
`Collected` measures on one corpus what a collection suggests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from naturalproofs.ranking.candidate_index import ANYTHING, CandidateIndex, Entry, MemoryIndex, Where
from naturalproofs.ranking.contract import FunctionRanker, FunctionScorer, RankedCandidate, Scores
from naturalproofs.ranking.hybrid.candidates import Candidates
from naturalproofs.ranking.hybrid.first_stage import HybridIndex, TrainingProofs, packed_counts, packed_tokens
from naturalproofs.ranking.hybrid.ranker import shipped_boosters
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.ranking.hybrid.together import Boosters
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

POOL = 250
"""Candidates of the first stage that are ordered."""
VOTING = 60
"""Candidates, the best ones, whose proofs add what they cite to the pool."""
ADDED = 150
"""Statements that are added at most."""
FOREIGN = -2.0
"""What the logarithm of the odds of a statement is raised by if the question is of another project."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry with its rank's score, probability and reasons."""

    entry: Entry
    answer: RankedCandidate


def suggest(
    index: CandidateIndex,
    boosters: Boosters,
    query: Passage,
    *,
    k: int,
    where: Where = ANYTHING,
    cited: Sequence[StatementId] = (),
    explained: int | None = None,
    pool: int = POOL,
) -> list[Ranked]:
    """The best k candidates of an index for a theorem, with probabilities and reasons.

    Args:
        index: All statements.
        boosters: The trees.
        query: The theorem.
        k: How many.
        where: Which statements may be suggested.
        cited: What the unfinished proof cites already.
        explained: How many of the best get reasons; all if None.
        pool: How many candidates of the first stage are ordered.
    """
    found = index.query(query, k=pool, where=where)
    entries = _distinct([*found.entries, *_voted(index, found.entries, where)])
    if not entries:
        return []
    # Places of different projects cannot be compared.
    passages = [replace(one.passage, place=None) for one in entries]
    counts = packed_counts([one.packed for one in entries])
    candidates = Candidates.of(passages, counts, rarity=index.statistics.hashed_rarity)
    examples = [TrainingExample(passages[at], one.cited) for at, one in enumerate(entries) if one.cited]
    bound = HybridIndex(candidates, TrainingProofs.of(examples, candidates), pool=len(entries))
    scorer = HybridScorer(bound, boosters)
    odds = [FOREIGN * (where.own != one.project) for one in entries] if where.own else []
    answers = scorer.suggest(replace(query, place=None), k=k, cited=cited, explained=explained, odds=odds)
    return [Ranked(entries[answer.position], answer) for answer in answers]


def _distinct(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without those that read like an earlier one: a text may stand in many projects."""
    found = {packed_tokens(one.packed): one for one in reversed([one.with_terms() for one in entries])}
    return list(reversed(found.values()))


def _voted(index: CandidateIndex, entries: Sequence[Entry], where: Where) -> list[Entry]:
    """What the proofs of the best candidates cite and the first stage did not find, the most cited first."""
    known = {one.passage.id for one in entries}
    votes: dict[StatementId, int] = {}
    for one in entries[:VOTING]:
        for key in one.cited:
            if key not in known:
                votes[key] = votes.get(key, 0) + 1
    wanted = sorted(votes, key=lambda key: -votes[key])[:ADDED]
    return [one for one in index.find(wanted) if where.allows(one)]


@dataclass(frozen=True, slots=True)
class Collected:
    """What a collection would suggest: the trees' order of its first stage, whose signals know no places."""

    pool: int = POOL
    """Candidates of the first stage that are ordered."""

    def fit(self, train: TrainSet, *, seed: int) -> FunctionRanker:
        """Keep the proofs, which vote."""
        return FunctionRanker(partial(self._index, train))

    def uses_shipped_trees(self, proofs: int) -> bool:
        """It always does."""
        return True

    def _index(self, train: TrainSet, candidates: Sequence[Passage]) -> FunctionScorer:
        # Texts that read alike are one entry, so a proof of one is a proof of the other.
        cited: dict[tuple[str, str], dict[StatementId, None]] = {(one.title, one.text): {} for one in candidates}
        places = {(one.title, one.text): one.place for one in candidates}
        for proof in train.proofs:
            own = (proof.theorem.title, proof.theorem.text)
            # A query that may not see later proofs does not see later statements; a deferred proof stands elsewhere.
            if own in cited and not (train.strict and proof.theorem.place != places[own]):
                cited[own].update(dict.fromkeys(proof.references))
        index = MemoryIndex.build([Entry(one, cited=tuple(cited[one.title, one.text])) for one in candidates])
        return FunctionScorer(partial(self._score, index, candidates, train.strict))

    def _score(
        self, index: MemoryIndex, candidates: Sequence[Passage], strict: bool, queries: Sequence[Passage]
    ) -> Scores:
        column = {one.id: at for at, one in enumerate(candidates)}
        scores = np.zeros((len(queries), len(candidates)), dtype=np.float32)
        for row, query in enumerate(queries):
            excluded = {query.id}
            if strict and query.place is not None:
                here = query.place.position
                excluded |= {one.id for one in candidates if one.place is not None and one.place.position >= here}
            k, where = self.pool + ADDED, Where(excluded=excluded)
            found = suggest(index, shipped_boosters(), query, k=k, where=where, explained=0, pool=self.pool)
            scores[row, [column[one.entry.passage.id] for one in found]] = np.arange(len(found), 0, -1)
        return scores
