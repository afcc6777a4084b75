"""Sequences of citations: order, repeats and length learned from proofs, and the generators that use them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from math import tanh
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from naturalproofs.ranking.contract import (
    FittedMethod,
    Generator,
    Method,
    Scorer,
    Sequences,
    TrainContext,
    fit_in_context,
    stage,
)
from naturalproofs.ranking.decoding import Floats, Utility, best_length
from naturalproofs.ranking.lexical import TfIdf
from naturalproofs.ranking.registry import (
    GENERATORS,
    RANKERS,
    Model,
    is_model,
    method_named,
    ranker_names,
)
from naturalproofs.ranking.term_vectors import Vocabulary
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from naturalproofs.tasks.measures.generated import edit_distance

REPEATS = (1.3, 1.5, 1.75, 2.0, 3.0, float("inf"))
MIDDLE = 0.5
PRIOR_PLACE = 4
"""The weight of the prior that a reference stands in the middle."""
PRIOR_ONCE = 3
"""The weight of the prior that a reference is cited once."""
FAR = 30
"""The distance at which its influence saturates."""


@dataclass(frozen=True, slots=True)
class CitationStatistics:
    """Counts over training proofs."""

    counts: Counter[StatementId]
    """In how many proofs."""
    places: dict[StatementId, float]
    """Sums of relative positions, from 0 (first) to 1 (last)."""
    uses: Counter[StatementId]
    """How many times in all."""
    before: Counter[tuple[StatementId, StatementId]]
    """In how many proofs the one comes before the other."""

    @classmethod
    def of(cls, sequences: Iterable[Sequence[StatementId]]) -> CitationStatistics:
        """Count over proofs."""
        counts: Counter[StatementId] = Counter()
        uses: Counter[StatementId] = Counter()
        before: Counter[tuple[StatementId, StatementId]] = Counter()
        places: dict[StatementId, float] = {}
        for sequence in sequences:
            distinct = list(dict.fromkeys(sequence))
            counts.update(distinct)
            uses.update(sequence)
            for rank, reference in enumerate(distinct):
                places[reference] = places.get(reference, 0.0) + (rank + MIDDLE) / len(distinct)
                before.update((reference, later) for later in distinct[rank + 1 :])
        return cls(counts, places, uses, before)

    def place(self, reference: StatementId) -> float:
        """The mean relative position in a proof, shrunk to the middle where little is known."""
        return (self.places.get(reference, 0.0) + MIDDLE * PRIOR_PLACE) / (self.counts[reference] + PRIOR_PLACE)

    def repeats(self, reference: StatementId) -> float:
        """The mean number of citations in a proof that cites it, shrunk to one where little is known."""
        return (self.uses[reference] + PRIOR_ONCE) / (self.counts[reference] + PRIOR_ONCE)

    def precedence(self, one: StatementId, other: StatementId) -> float:
        """From -1, always after the other, to 1, always before it; 0 where nothing is known."""
        first, second = self.before[one, other], self.before[other, one]
        return (first - second) / (first + second + 1)


def repeat_threshold(
    named: Sequence[Sequence[StatementId]], truths: Sequence[Sequence[StatementId]], statistics: CitationStatistics
) -> float:
    """The mean number of citations in a proof from which naming a reference twice is more often right than wrong."""
    seen = [
        (statistics.repeats(name), truth.count(name) > 1)
        for names, truth in zip(named, truths, strict=True)
        for name in names
    ]

    def gain(limit: float) -> int:
        return sum(1 if right else -1 for count, right in seen if count >= limit)

    return max(reversed(REPEATS), key=gain)


@dataclass(frozen=True, slots=True)
class LengthModel:
    """Ridge regression of the logarithm of the length on the theorem's weighted terms."""

    vocabulary: Vocabulary
    regression: Any

    @classmethod
    def learn(cls, examples: Sequence[TrainingExample]) -> LengthModel:
        """Fit on training proofs."""
        from sklearn.linear_model import Ridge

        theorems = TfIdf().index([example.theorem for example in examples])
        lengths = np.log([max(1, len(example.references)) for example in examples])
        return cls(theorems.vocabulary, Ridge(alpha=1.0).fit(theorems.by_term.T.tocsr(), lengths))

    def predict(self, theorems: Sequence[Passage]) -> NDArray[np.float64]:
        """The expected logarithm of the number of references."""
        if not theorems:
            return np.zeros(0)
        rows = TfIdf().query_rows(theorems, self.vocabulary)
        lengths: NDArray[np.float64] = self.regression.predict(rows).astype(np.float64)
        return lengths


@dataclass(frozen=True, slots=True)
class Order:
    """Weights of the comparison; a set is ordered by the sum of comparisons with all others."""

    weights: NDArray[np.float64]

    @classmethod
    def learn(
        cls,
        sequences: Sequence[Sequence[StatementId]],
        statistics: CitationStatistics,
        passages: dict[StatementId, Passage],
    ) -> Order:
        """Logistic regression on every pair that stands in a known order.

        Args:
            sequences: Proofs that are not in `statistics`.
            statistics: Of other proofs.
            passages: What is known of each reference.
        """
        from sklearn.linear_model import LogisticRegression

        rows: list[list[float]] = []
        for sequence in sequences:
            known = [r for r in dict.fromkeys(sequence) if r in passages]
            for rank, one in enumerate(known):
                rows.extend(_compare(passages[one], passages[other], statistics) for other in known[rank + 1 :])
        if len(rows) < len(PRIOR.weights):
            return PRIOR
        seen = np.array(rows)
        # Each pair is shown in both directions, so that the comparison is antisymmetric.
        both, truth = np.concatenate([seen, -seen]), np.repeat([1, 0], len(seen))
        return cls(LogisticRegression(fit_intercept=False).fit(both, truth).coef_[0])

    def sort(self, chosen: Sequence[Passage], statistics: CitationStatistics) -> list[StatementId]:
        """The references in the order a proof is most likely to cite them."""
        wins = [
            sum(float(self.weights @ _compare(one, other, statistics)) for other in chosen if other is not one)
            for one in chosen
        ]
        return [chosen[index].id for index in np.argsort(-np.array(wins), kind="stable")]


def _compare(one: Passage, other: Passage, statistics: CitationStatistics) -> list[float]:
    """Evidence for citing the one before the other; antisymmetric."""
    apart = one.place.position - other.place.position if one.place and other.place else 0
    return [
        statistics.place(other.id) - statistics.place(one.id),
        statistics.precedence(one.id, other.id),
        float(one.kind == "definition") - float(other.kind == "definition"),
        float(one.id in other.cites) - float(other.id in one.cites),
        tanh(apart / FAR),
    ]


PRIOR = Order(np.array([2.5, 2.5, 0.5, 0.5, 0.0]))
"""For corpora with too few proofs to learn from."""


# Generators of reference sequences by name, through the entry point group ``naturalproofs.generators``.


def generator_named(text: str) -> Method[Generator]:
    """A generator from its printed form, from a model folder, or from a ranker, which `retrieve` wraps.

    A ranker whose scorers generate by themselves, such as a trained autoregressive model, is a generator.
    """
    name = text.strip().partition("(")[0]
    if is_model(Path(text)) or (name in ranker_names() and name not in GENERATORS.names()):
        ranker = method_named(text)
        return cast(Method[Generator], ranker) if generates(ranker) else Retrieve(ranker=text)
    return cast(Method[Generator], GENERATORS.parse(text))


def generates(method: object) -> bool:
    """Whether the scorers of a ranker generate sequences."""
    inner = method.fitted if isinstance(method, Model) else method
    return bool(getattr(inner, "generates", False))


def generator_spec(generator: Method[Generator]) -> str:
    """The printed form of a generator."""
    return (RANKERS if generates(generator) else GENERATORS).spec(generator)


# ``retrieve``: the ranking of any method, turned into a sequence: which to cite, how many, how often, in what order.

FEWEST = 100
"""With fewer held-out theorems nothing is learned, and the two best are named."""
LARGEST_SHARE = 0.25
"""Of the training proofs that are held out."""
LONGEST = 10
"""The most references that are named."""
FOLDS = 5
BALANCES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0)
PRICE = 0.2
"""The cost of a name: about the F1 that can be reached; see `Utility`."""
SIZE = 30
"""The length of a shortlist."""
BLOCK = 256
"""Queries scored at a time."""


@dataclass(frozen=True, slots=True)
class Retrieve:
    """A generator made of any ranking method."""

    ranker: str = "fusion"
    """The printed form of the method."""
    length_ratio: float = 1.0
    """The wanted mean length of sequences, relative to the true length."""

    def fit(self, train: TrainSet, *, seed: int) -> FittedRetrieve:
        """Fit the ranker on all of training, and once more without the theorems that the decisions are learned from."""
        return self.train(train, seed=seed, context=None)

    def train(self, train: TrainSet, *, seed: int, context: TrainContext | None) -> FittedRetrieve:
        """Fit, with progress of the ranker's training."""
        method = method_named(self.ranker)
        rest, held_out = _hold_out(train.examples)
        learned = len(held_out) >= FEWEST
        others = train.part(rest)
        return FittedRetrieve(
            self,
            train,
            rest if learned else train.examples,
            held_out if learned else (),
            fit_in_context(stage(context, 0, 2 if learned else 1), method, train, seed=seed),
            fit_in_context(stage(context, 1, 2), method, others, seed=seed) if learned else None,
            seed,
        )


@dataclass(frozen=True, slots=True)
class FittedRetrieve:
    """The fitted rankers; decisions are learned when the candidates are bound."""

    settings: Retrieve
    train: TrainSet
    rest: tuple[TrainingExample, ...]
    held_out: tuple[TrainingExample, ...]
    ranker: FittedMethod[Scorer]
    without_held_out: FittedMethod[Scorer] | None
    seed: int

    def index(self, candidates: Sequence[Passage]) -> RetrieveGenerator:
        """Bind the candidates and learn the decisions."""
        scorer = self.ranker.index(candidates)
        statistics = CitationStatistics.of(example.references for example in self.train.examples)
        if self.without_held_out is None:
            return RetrieveGenerator(tuple(candidates), scorer, Decisions(statistics))
        theorems = [example.theorem for example in self.held_out]
        lists = shortlists(
            self.without_held_out.index(candidates), candidates, theorems, _excluded(candidates, theorems)
        )
        decisions = Decisions.learn(
            lists,
            [example.references for example in self.held_out],
            CitationStatistics.of(example.references for example in self.rest),
            LengthModel.learn(self.rest),
            passages={p.id: p for p in self.train.passages},
            length_ratio=self.settings.length_ratio,
            seed=self.seed,
        )
        # The same decisions with statistics of all training proofs.
        decisions = replace(decisions, statistics=statistics, lengths=LengthModel.learn(self.train.examples))
        return RetrieveGenerator(tuple(candidates), scorer, decisions)


@dataclass(frozen=True, slots=True)
class RetrieveGenerator:
    """A scorer, and the decisions about its shortlists."""

    candidates: tuple[Passage, ...]
    scorer: Scorer
    decisions: Decisions

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each query."""
        return self.decisions.decide(shortlists(self.scorer, self.candidates, queries, excluded))


def _hold_out(
    examples: Sequence[TrainingExample],
) -> tuple[tuple[TrainingExample, ...], tuple[TrainingExample, ...]]:
    """Hold out theorems that no training proof cites, like those of evaluation."""
    cited = {reference for example in examples for reference in example.references}
    leaves = list(dict.fromkeys(e.theorem.id for e in examples if e.theorem.id not in cited))
    step = max(1, round(len(leaves) / max(1.0, LARGEST_SHARE * len(examples))))
    aside = set(leaves[::step])
    rest = tuple(e for e in examples if e.theorem.id not in aside)
    return rest, tuple(e for e in examples if e.theorem.id in aside and e.references)


def _excluded(candidates: Sequence[Passage], theorems: Sequence[Passage]) -> list[tuple[int, ...]]:
    """By theorem: the theorem itself and, where places are known, all that stands after it."""
    index = {candidate.id: position for position, candidate in enumerate(candidates)}
    found: list[tuple[int, ...]] = []
    for theorem in theorems:
        own: tuple[int, ...] = (index[theorem.id],) if theorem.id in index else ()
        if theorem.place is not None:
            here = theorem.place.position
            own = tuple(i for i, c in enumerate(candidates) if c.place is not None and c.place.position >= here)
        found.append(own)
    return found


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Candidates of one theorem, best first, and their scores."""

    theorem: Passage
    candidates: tuple[Passage, ...]
    scores: Floats

    def features(self, statistics: CitationStatistics, expected: float) -> Floats:
        """A row per candidate: its scores, its kind, and how proofs cite it.

        Args:
            statistics: Of training proofs.
            expected: The expected logarithm of the number of references.
        """
        count, scores = len(self.candidates), self.scores
        if not count:
            return np.zeros((0, 16))
        best = scores[0]
        unit = abs(best) + 1e-9
        rows = [
            scores,
            scores / unit,
            (scores - np.append(scores[1:], scores[-1:])) / unit,
            np.arange(count),
            [np.log1p(statistics.counts[c.id]) for c in self.candidates],
            [statistics.place(c.id) for c in self.candidates],
            [statistics.repeats(c.id) for c in self.candidates],
            [c.kind == "definition" for c in self.candidates],
            [c.kind == "other" for c in self.candidates],
            [c.id in self.theorem.cites for c in self.candidates],
            [np.log1p(len(c.text)) for c in self.candidates],
            np.full(count, best),
            np.full(count, scores[:5].mean() / unit),
            np.full(count, scores[:20].mean() / unit),
            np.full(count, np.log1p(len(self.theorem.text))),
            np.full(count, expected),
        ]
        return np.stack([np.asarray(row, dtype=np.float64) for row in rows], axis=1)


def shortlists(
    scorer: Scorer,
    candidates: Sequence[Passage],
    theorems: Sequence[Passage],
    excluded: Sequence[Collection[int]],
) -> list[Shortlist]:
    """The best candidates of each theorem."""
    found = []
    for first in range(0, len(theorems), BLOCK):
        block = theorems[first : first + BLOCK]
        scores = scorer.score(block).astype(np.float64)
        for row, theorem in enumerate(block):
            out = excluded[first + row] if excluded else ()
            if out:
                scores[row, np.fromiter(out, dtype=np.int64)] = -np.inf
            top = np.argsort(-scores[row], kind="stable")[:SIZE]
            top = top[np.isfinite(scores[row, top])]
            found.append(Shortlist(theorem, tuple(candidates[i] for i in top), scores[row, top]))
    return found


@dataclass(frozen=True, slots=True)
class Decisions:
    """The models of the decisions; without them, the two best are named."""

    statistics: CitationStatistics
    lengths: LengthModel | None = None
    inclusion: Any = None
    similarity: Any = None
    balance: float = 0.0
    """The weight of right names beside the similarity of the sequence."""
    repeats_from: float = float("inf")
    """Cite twice what training proofs cite at least so many times on average."""
    order: Order = PRIOR

    @classmethod
    def learn(
        cls,
        lists: Sequence[Shortlist],
        truths: Sequence[tuple[StatementId, ...]],
        statistics: CitationStatistics,
        lengths: LengthModel,
        *,
        passages: dict[StatementId, Passage],
        length_ratio: float,
        seed: int,
    ) -> Decisions:
        """Learn from shortlists of held-out theorems and what their proofs really cite.

        Args:
            lists: Shortlists of theorems that ranker, `statistics` and `lengths` were not trained on.
            truths: Their true sequences.
            statistics: Of the other training proofs.
            lengths: How many references the other training proofs have.
            passages: The references, for the order.
            length_ratio: The wanted mean length of sequences, relative to the true length.
            seed: Random seed.
        """
        expected = lengths.predict([item.theorem for item in lists])
        rows = [item.features(statistics, guess) for item, guess in zip(lists, expected, strict=True)]
        cited = [np.array([c.id in truth for c in item.candidates]) for item, truth in zip(lists, truths, strict=True)]
        likely = _cross_fitted(rows, cited, seed)
        inclusion = _inclusion(seed).fit(np.concatenate(rows), np.concatenate(cited))
        order = Order.learn(truths, statistics, passages)
        draft = cls(statistics, lengths, inclusion, order=order)
        options, worth = [], []
        for item, truth, probable, guess in zip(lists, truths, likely, expected, strict=True):
            options.append(_options(probable, guess))
            ranked = np.argsort(-probable, kind="stable")
            for n in range(1, len(options[-1]) + 1):
                sequence = draft.arranged(item, ranked[:n])
                worth.append(1 - min(1.0, edit_distance(sequence, truth) / len(truth)))
        similarity = _similarity(seed).fit(np.concatenate(options), np.array(worth))
        similarities = _split(similarity.predict(np.concatenate(options)), options)
        balance = _balance(likely, similarities, truths, length_ratio)
        named = [
            [item.candidates[pick].id for pick in _chosen(probable, worth, balance)]
            for item, probable, worth in zip(lists, likely, similarities, strict=True)
        ]
        repeats_from = repeat_threshold(named, truths, statistics)
        return replace(draft, similarity=similarity, balance=balance, repeats_from=repeats_from)

    def decide(self, lists: Sequence[Shortlist]) -> list[tuple[StatementId, ...]]:
        """The sequence of each theorem."""
        if self.inclusion is None or self.lengths is None or not any(item.candidates for item in lists):
            return [self.arranged(item, np.arange(min(2, len(item.candidates)))) for item in lists]
        expected = self.lengths.predict([item.theorem for item in lists])
        rows = [item.features(self.statistics, guess) for item, guess in zip(lists, expected, strict=True)]
        # One call for all theorems, since a call has a large overhead.
        likely = _split(self.inclusion.predict_proba(np.concatenate(rows))[:, 1], rows)
        options = [_options(probable, guess) for probable, guess in zip(likely, expected, strict=True)]
        similarities = _split(self.similarity.predict(np.concatenate(options)), options)
        return [
            self.arranged(item, _chosen(probable, worth, self.balance))
            for item, probable, worth in zip(lists, likely, similarities, strict=True)
        ]

    def arranged(self, item: Shortlist, chosen: Iterable[int]) -> tuple[StatementId, ...]:
        """The chosen candidates in order, followed by those that are usually repeated."""
        ordered = self.order.sort([item.candidates[i] for i in chosen], self.statistics)
        again = [r for r in ordered if self.statistics.repeats(r) >= self.repeats_from]
        return (*ordered, *again)


def _chosen(probable: Floats, similarity: Floats, balance: float) -> NDArray[np.intp]:
    """Positions of what to name: as many as the expected similarity to the truth, and right names, are worth."""
    utility = Utility(right=2 * balance, name=PRICE * balance)
    ranked = np.argsort(-probable, kind="stable")
    return ranked[: best_length(probable[ranked], utility, longest=len(similarity), extra=similarity)]


def _balance(
    likely: list[Floats], similarities: list[Floats], truths: Sequence[tuple[StatementId, ...]], target: float
) -> float:
    """The balance with the mean length nearest to the wanted one."""

    def miss(balance: float) -> float:
        ratios = [
            len(_chosen(probable, worth, balance)) / len(truth)
            for probable, worth, truth in zip(likely, similarities, truths, strict=True)
        ]
        return abs(float(np.mean(ratios)) - target)

    return min(BALANCES, key=miss)


def _split(values: Floats, like: Sequence[Floats]) -> list[Floats]:
    """Values of all theorems, a piece for each."""
    return list(np.split(values, np.cumsum([len(rows) for rows in like])[:-1]))


def _options(probable: Floats, expected: float) -> Floats:
    """A row of features per possible length."""
    ranked = np.sort(probable)[::-1]
    padded = np.append(ranked, np.zeros(LONGEST + 2))
    number = min(LONGEST, len(ranked))
    rows = [
        [n, expected, *padded[:8], padded[:n].sum(), padded[n - 1], padded[n], ranked.sum()]
        for n in range(1, number + 1)
    ]
    return np.array(rows).reshape(number, 14)


def _cross_fitted(rows: list[Floats], cited: list[Any], seed: int) -> list[Floats]:
    """Probabilities of inclusion, cross-fitted."""
    from sklearn.model_selection import PredefinedSplit, cross_val_predict

    folds = PredefinedSplit(np.repeat(np.arange(len(rows)) % FOLDS, [len(row) for row in rows]))
    features, truth = np.concatenate(rows), np.concatenate(cited)
    likely = cross_val_predict(_inclusion(seed), features, truth, cv=folds, method="predict_proba")
    return _split(likely[:, 1], rows)


def _inclusion(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=120, learning_rate=0.05, max_leaf_nodes=12, min_samples_leaf=40, l2_regularization=5, random_state=seed
    )


def _similarity(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(
        max_iter=80, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=100, l2_regularization=10, random_state=seed
    )
