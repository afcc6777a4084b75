"""The retrieval task: training set, queries, and the candidates of each query.

No leak is possible: the training set is made from the training split only, and passages have no proofs.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, consequences
from naturalproofs.errors import BadSchema, PlacesUnknown, UnknownName
from naturalproofs.records import Passage, Split, Statement, StatementId
from naturalproofs.sources.latex import citations
from naturalproofs.tasks.protocols import WHOLE, Protocol, TextView, label_words, passages
from naturalproofs.tasks.splits import Splits

_UNSAFE = re.compile(r"[\s%\"\x00-\x1f\x7f]")


def plain_id(key: str, corpus: str = "") -> str:
    """An id for files whose fields end at white space: white space, quotes and ``%`` are percent-encoded.

    Titles of wiki pages contain blanks. Tools such as trec_eval would end the field there, and csv readers fail on a
    quote. ``urllib.parse.unquote`` restores the id.

    Args:
        key: The id of a statement or a query.
        corpus: The name of the corpus, left out before the id: it is often that of a folder, and a run must not
            depend on it.
    """
    own = key.removeprefix(f"{corpus}:") if corpus else key
    return _UNSAFE.sub(lambda unsafe: "".join(f"%{byte:02X}" for byte in unsafe[0].encode()), own)


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A theorem and what one of its proofs cites, in order and with repeats."""

    theorem: Passage
    """If places are visible, the position is that of the proof where this stands apart from the theorem."""
    references: tuple[StatementId, ...]


@dataclass(frozen=True, slots=True)
class TrainSet:
    """Everything a method may train on, and the proofs that may vote or count when a query is scored."""

    passages: tuple[Passage, ...]
    examples: tuple[TrainingExample, ...]
    """To learn parameters from."""
    memory: tuple[TrainingExample, ...] | None = None
    """Proofs that may vote or count for the queries that come after them; None if all examples may, for any query."""

    @property
    def proofs(self) -> tuple[TrainingExample, ...]:
        """The proofs that may vote or count."""
        return self.examples if self.memory is None else self.memory

    @property
    def strict(self) -> bool:
        """Whether a query, in training too, sees only the proofs that come before it."""
        return self.memory is not None

    def part(self, examples: tuple[TrainingExample, ...]) -> TrainSet:
        """The same with some of the examples, which are also the proofs that may vote."""
        return TrainSet(self.passages, examples, examples if self.strict else None)


def with_fields(train: TrainSet, **change: Any) -> TrainSet:
    """The training set with a field of every passage replaced, such as ``place=None``."""

    def changed(examples: Iterable[TrainingExample]) -> tuple[TrainingExample, ...]:
        return tuple(replace(e, theorem=replace(e.theorem, **change)) for e in examples)

    memory = None if train.memory is None else changed(train.memory)
    return TrainSet(tuple(replace(one, **change) for one in train.passages), changed(train.examples), memory)


@dataclass(frozen=True, slots=True)
class Query:
    """One example to evaluate; the references are for evaluation, not for the method."""

    theorem: Passage
    proof: int
    """Index of the proof: two proofs of one theorem are two queries with the same text."""
    sequence: tuple[StatementId, ...]
    """References of the proof, in order and with repeats."""

    @property
    def id(self) -> str:
        """``theorem#proof``."""
        return f"{self.theorem.id}#{self.proof}"

    @property
    def gold(self) -> tuple[StatementId, ...]:
        """Distinct references, in order of first citation."""
        return tuple(dict.fromkeys(self.sequence))


@dataclass(frozen=True, slots=True)
class RetrievalTask:
    """Queries over candidates, under a protocol."""

    name: str
    """``stacks/test``."""
    protocol: Protocol
    train: TrainSet
    queries: tuple[Query, ...]
    candidates: tuple[Passage, ...]
    excluded: tuple[tuple[int, ...] | range, ...]
    """By query: indices of candidates that this query does not have."""


def split_parts(splits: Splits, name: str) -> list[Split]:
    """The parts that a split name stands for; ``eval`` is valid and test together."""
    parts = {
        "train": [splits.train],
        "valid": [splits.valid],
        "test": [splits.test],
        "eval": [splits.valid, splits.test],
    }
    if name not in parts:
        raise UnknownName(f"no split is called {name!r}; there are: {', '.join(parts)}")
    return parts[name]


def train_set(corpus: Corpus, splits: Splits, protocol: Protocol, view: TextView = WHOLE) -> TrainSet:
    """The training set of the training split, and the proofs that the protocol shows."""
    view = replace(view, keys=protocol.keys)
    names = label_words(corpus.statements)
    absent = set(splits.train.absent)
    shown = passages((s for s in corpus.statements if s.id not in absent), view=view, place=protocol.place, names=names)

    def examples(pairs: Iterable[tuple[StatementId, int]]) -> tuple[TrainingExample, ...]:
        queries = make_queries(corpus, pairs, view=view, place=protocol.place, names=names)
        return tuple(TrainingExample(query.theorem, query.sequence) for query in queries)

    learned = examples(splits.train.examples) if protocol.learns else ()
    memory: tuple[TrainingExample, ...] | None = None
    ordered = all(statement.place is not None for statement in corpus.statements)
    if protocol.proofs == "earlier":
        if not ordered:
            raise PlacesUnknown(f"{corpus.name} has no reading order; choose another protocol than {protocol.name!r}")
        memory = examples((example.theorem, example.proof) for example in corpus.examples)
    elif protocol.proofs == "none" or (protocol.proofs == "earlier training" and ordered):
        memory = learned  # In a wiki no proof comes after another.
    return TrainSet(tuple(shown), learned, memory)


def retrieval_task(
    corpus: Corpus,
    splits: Splits,
    split: str,
    protocol: Protocol,
    *,
    view: TextView = WHOLE,
) -> RetrievalTask:
    """The task of one split under a protocol.

    Args:
        corpus: The statements.
        splits: Their splits.
        split: ``train``, ``valid``, ``test`` or ``eval``.
        protocol: Which statements are candidates and what a method sees.
        view: Which parts of theorems and candidates a method sees.
    """
    view = replace(view, keys=protocol.keys)
    parts = split_parts(splits, split)
    absent = set(parts[0].absent).intersection(*(part.absent for part in parts[1:]))
    statements = [s for s in corpus.statements if s.id not in absent]
    if protocol.candidates == "cited":
        cited = {reference for example in corpus.examples for reference in example.references}
        statements = [s for s in statements if s.id in cited]
    names = label_words(corpus.statements)
    examples = [example for part in parts for example in part.examples]
    queries = make_queries(corpus, examples, view=view, place=protocol.place, names=names)
    if protocol.half:
        queries = tuple(half for query in queries if (half := half_written(corpus, query)) is not None)
    return RetrievalTask(
        name=f"{corpus.name}/{split}",
        protocol=protocol,
        train=train_set(corpus, splits, protocol, view),
        queries=queries,
        candidates=tuple(passages(statements, view=view, place=protocol.place, names=names)),
        excluded=_excluded(corpus, statements, queries, protocol),
    )


def task_about(corpus: Corpus, splits: Splits, theorem: StatementId, protocol: Protocol) -> RetrievalTask:
    """The task of a single theorem, proved or not; its proofs are not in the training set."""
    proved = corpus.by_id[theorem].proofs
    others = tuple(example for example in splits.train.examples if example[0] != theorem)
    asked = Split(examples=((theorem, 0),) if proved else ())
    alone = replace(splits, train=replace(splits.train, examples=others), test=asked)
    task = retrieval_task(corpus, alone, "test", protocol)
    if not proved:
        view, names = TextView(keys=protocol.keys), label_words(corpus.statements)
        passage = passages([corpus.by_id[theorem]], view=view, place=protocol.place, names=names)[0]
        queries = (Query(passage, 0, ()),)
        ids = [corpus.by_id[candidate.id] for candidate in task.candidates]
        task = replace(task, queries=queries, excluded=_excluded(corpus, ids, queries, protocol))
    return task


def make_queries(
    corpus: Corpus,
    examples: Iterable[tuple[StatementId, int]],
    *,
    view: TextView = WHOLE,
    place: bool = False,
    names: Mapping[StatementId, str] | None = None,
) -> tuple[Query, ...]:
    """Queries for pairs of a theorem and the index of one of its proofs.

    Args:
        corpus: The statements.
        examples: The pairs.
        view: Which parts of a theorem a method sees.
        place: Whether a method sees the place in reading order.
        names: The words of each label, as for `passages`.
    """
    pairs = list(examples)
    for theorem, proof in pairs:
        statement = corpus.by_id.get(theorem)
        if statement is None or not 0 <= proof < len(statement.proofs):
            raise BadSchema(f"{corpus.name}: a split names proof {proof} of {theorem}, which does not exist")
    theorems = [corpus.by_id[theorem] for theorem in dict.fromkeys(theorem for theorem, _ in pairs)]
    shown = {passage.id: passage for passage in passages(theorems, view=view, place=place, names=names)}
    return tuple(_query(corpus, shown[theorem], proof) for theorem, proof in pairs)


def _query(corpus: Corpus, theorem: Passage, proof: int) -> Query:
    cited = corpus.by_id[theorem.id].proofs[proof]
    if theorem.place is not None and cited.position is not None and cited.position > theorem.place.position + 1:
        # The author of a deferred proof can use everything before the proof.
        theorem = replace(theorem, place=replace(theorem.place, position=cited.position))
    return Query(theorem, proof, cited.references)


def half_written(corpus: Corpus, query: Query) -> Query | None:
    """The query when the first half of its proof is written; None if the proof cites fewer than two statements.

    The first half of the citations is known, and the text up to the line of the first of the others.
    """
    gold = query.gold
    known, asked = gold[: len(gold) // 2], gold[len(gold) // 2 :]
    if not known:
        return None
    proof = corpus.by_id[query.theorem.id].proofs[query.proof]
    written = ""
    if proof.origin is not None:
        line = min(mention.line for mention in proof.mentions if mention.reference in asked)
        lines = proof.lines[: max(0, line - proof.origin.line)]
        written = citations.without_keys("\n".join(lines), {mention.surface for mention in proof.mentions})
    text = "\n".join(filter(None, (query.theorem.text, written)))
    return replace(query, theorem=replace(query.theorem, text=text, cited_so_far=known), sequence=asked)


def _excluded(
    corpus: Corpus, candidates: Sequence[Statement], queries: Sequence[Query], protocol: Protocol
) -> tuple[tuple[int, ...] | range, ...]:
    index = {statement.id: position for position, statement in enumerate(candidates)}
    if protocol.candidates != "earlier":
        own = [() if protocol.keeps_query or q.theorem.id not in index else (index[q.theorem.id],) for q in queries]
        return tuple(own)
    if all(statement.place is not None for statement in candidates):
        later = _not_earlier(corpus, candidates, queries)
        known = [[index[key] for key in query.theorem.cited_so_far if key in index] for query in queries]
        return tuple((*one, *more) if more else one for one, more in zip(later, known, strict=True))
    # A wiki has no reading order; statements that depend on the theorem cannot be used to prove it.
    graph = ReferenceGraph.of(corpus)
    found = []
    for query in queries:
        after = {query.theorem.id, *consequences(graph, query.theorem.id)}
        found.append(tuple(sorted(index[key] for key in after if key in index)))
    return tuple(found)


def _not_earlier(
    corpus: Corpus, candidates: Sequence[Statement], queries: Iterable[Query]
) -> tuple[tuple[int, ...] | range, ...]:
    """The theorem, and everything from its proof on; one range in the usual case that the proof follows it."""
    positions = [statement.place.position if statement.place else -1 for statement in candidates]
    ordered = positions == sorted(positions)
    found: list[tuple[int, ...] | range] = []
    for query in queries:
        own = corpus.by_id[query.theorem.id].place
        here = own.position if own else -1
        # The query's passage has the position of the proof.
        there = query.theorem.place.position if query.theorem.place else here
        if ordered and there == here:
            found.append(range(bisect_left(positions, here), len(positions)))
        else:
            found.append(tuple(i for i, position in enumerate(positions) if position >= there or position == here))
    return tuple(found)
