"""Splits: which examples are for training and which for evaluation, by several recipes; and checks of them.

Evaluation theorems are halved in the order of a hash of label and seed, so the halves do not depend on the order of
files or sets, nor on the name of the corpus. The checks read the raw records and share no code with the recipes, so
that a mistake there is found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, layers
from naturalproofs.errors import BadSchema, LeakFound
from naturalproofs.io.decoding import decode_json
from naturalproofs.io.files import sha256_bytes
from naturalproofs.records import Example, Split, StatementId

SplitName: TypeAlias = Literal["train", "valid", "test"]
SPLIT_NAMES: tuple[SplitName, ...] = ("train", "valid", "test")

DEFAULT_SEED = 42


@dataclass(frozen=True, slots=True)
class Splits:
    """The three parts of a corpus, and the recipe that made them."""

    recipe: str
    train: Split
    valid: Split
    test: Split

    def part(self, name: SplitName) -> Split:
        """One part by name."""
        parts: dict[SplitName, Split] = {"train": self.train, "valid": self.valid, "test": self.test}
        return parts[name]

    def to_json(self) -> bytes:
        """The contents of ``splits.json`` in a corpus folder."""
        return msgspec.json.encode(self) + b"\n"

    @classmethod
    def from_json(cls, data: bytes) -> Splits:
        """Decode the output of `to_json`."""
        try:
            return decode_json(data, cls)
        except ValueError as error:
            raise BadSchema(f"splits: damaged ({error}); build the corpus again") from error


def leaf_split(corpus: Corpus, graph: ReferenceGraph, *, seed: int = DEFAULT_SEED) -> Splits:
    """Evaluate on all leaf theorems: those that no other statement uses (the paper's split of Stacks)."""
    evaluation = _leaf_theorems(corpus, graph)
    return _splits(corpus, evaluation, f"leaf(seed={seed})", seed)


def layered_split(corpus: Corpus, graph: ReferenceGraph, *, budget: float, seed: int = DEFAULT_SEED) -> Splits:
    """Evaluate on about `budget` leaf theorems, spread over the layers of the graph (the paper's ProofWiki split).

    A budget below one is a share of all theorems with examples. Layers are breadth-first distances from the heads. Each
    layer gets its share of the budget, rounded down; theorems in a mutual pair are left out, and
    statements that no head reaches are not references.
    """
    asked = int(budget * len({e.theorem for e in corpus.examples})) if budget < 1 else int(budget)
    mutual = {node for pair in graph.mutual_pairs for node in pair}
    leaves = set(_leaf_theorems(corpus, graph)) - mutual
    found = layers(graph, graph.heads)
    by_layer = [[node for node in layer if node in leaves] for layer in found]
    total = sum(map(len, by_layer))
    chosen: list[StatementId] = []
    for layer in by_layer:
        share = min(len(layer), int(asked * len(layer) / total)) if total else 0
        chosen.extend(_shuffled(corpus, layer, seed)[:share])
    reached = {node for layer in found for node in layer}
    unreached = tuple(node for node in graph.nodes if node not in reached)
    return _splits(corpus, chosen, f"layers(budget={budget:g}, seed={seed})", seed, unreached)


def zero_shot_split(corpus: Corpus) -> Splits:
    """Every example is for testing (the paper's use of textbooks: zero-shot)."""
    everything = tuple(statement.id for statement in corpus.links)
    test = Split(_pairs(corpus.examples))
    return Splits("test-only", Split(absent=everything), Split(), test)


def temporal_split(corpus: Corpus, old: Corpus, graph: ReferenceGraph, *, seed: int = DEFAULT_SEED) -> Splits:
    """Train on what an older version of the corpus had; evaluate on what is new and used by nothing older.

    A statement is old if the older version has its label. New theorems that an old statement uses stay in training,
    since otherwise the training set would name them.
    """
    known = {statement.label for statement in old.statements}
    new = {statement.id for statement in corpus.statements if statement.label not in known}
    # New statements that old ones use, directly or not, may be named in training.
    named = {cited for node in graph.nodes if node not in new for cited in graph.uses.get(node, ())}
    frontier = named & new
    while frontier:
        frontier = {c for node in frontier for c in graph.uses.get(node, ()) if c in new} - named
        named |= frontier
    held_out = new - named
    evaluation = [example.theorem for example in corpus.examples if example.theorem in held_out]
    return _splits(corpus, evaluation, f"temporal(seed={seed})", seed, train_absent=held_out)


def own_split(splits: Mapping[str, Split]) -> Splits:
    """The split of a published file."""
    return Splits("own", *(splits.get(name, Split()) for name in SPLIT_NAMES))


def _leaf_theorems(corpus: Corpus, graph: ReferenceGraph) -> list[StatementId]:
    leaves = set(graph.leaves)
    return list(dict.fromkeys(example.theorem for example in corpus.examples if example.theorem in leaves))


def _splits(
    corpus: Corpus,
    evaluation: Sequence[StatementId],
    recipe: str,
    seed: int,
    unreached: Iterable[StatementId] = (),
    train_absent: Collection[StatementId] | None = None,
) -> Splits:
    """Halve the evaluation theorems; examples of all theorems that are not held out are training."""
    order = _shuffled(corpus, dict.fromkeys(evaluation), seed)
    halves = set(order[: len(order) // 2]), set(order[len(order) // 2 :])
    held_out = set(order) if train_absent is None else set(train_absent)
    outside = tuple(unreached)
    left_out = held_out.union(outside)
    absent = tuple(s.id for s in corpus.links if s.id in left_out)
    train = [example for example in corpus.examples if example.theorem not in held_out]
    valid, test = ([e for e in corpus.examples if e.theorem in half] for half in halves)
    return Splits(recipe, Split(_pairs(train), absent), Split(_pairs(valid), outside), Split(_pairs(test), outside))


def _pairs(examples: Iterable[Example]) -> tuple[tuple[StatementId, int], ...]:
    return tuple((example.theorem, example.proof) for example in examples)


def _shuffled(corpus: Corpus, ids: Iterable[StatementId], seed: int) -> list[StatementId]:
    """The theorems in the order of a hash of label and seed."""

    def order(node: StatementId) -> tuple[str, str]:
        # Labels may repeat; ids do not, and begin with the name of the corpus.
        return sha256_bytes(f"{seed}/{corpus.by_id[node].label}".encode()), node.partition(":")[2]

    return sorted(ids, key=order)


def check_splits(corpus: Corpus, splits: Splits) -> None:
    """Raise unless every example is a proof of the corpus and every absent statement is one of its statements."""
    proofs = {statement.id: len(statement.proofs) for statement in corpus.statements}
    for name in SPLIT_NAMES:
        part = splits.part(name)
        for theorem, index in part.examples:
            if not 0 <= index < proofs.get(theorem, 0):
                raise BadSchema(f"{corpus.name}: split {name} names proof {index} of {theorem}, which does not exist")
        for statement in part.absent:
            if statement not in proofs:
                raise BadSchema(f"{corpus.name}: split {name} names statement {statement}, which does not exist")


def check_no_leak(corpus: Corpus, splits: Splits) -> None:
    """Raise unless training and evaluation are disjoint and training never names an evaluation theorem."""
    evaluation = {theorem for part in (splits.valid, splits.test) for theorem, _ in part.examples}
    training = {theorem for theorem, _ in splits.train.examples}
    if both := evaluation & training:
        raise LeakFound(f"{min(both)} is both a training and an evaluation theorem")
    if both := {t for t, _ in splits.valid.examples} & {t for t, _ in splits.test.examples}:
        raise LeakFound(f"{min(both)} is both in valid and in test")
    absent = set(splits.train.absent)
    for statement in corpus.statements:
        if statement.id in absent:
            continue
        if statement.id in evaluation:
            raise LeakFound(f"the evaluation theorem {statement.id} is among the training references")
        proofs = (reference for proof in statement.proofs for reference in proof.references)
        for cited in (*statement.references, *proofs):
            if cited in evaluation:
                raise LeakFound(f"{statement.id} is for training and refers to the evaluation theorem {cited}")
