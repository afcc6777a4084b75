"""Generate reference sequences, measure them, and compute the rows of the generation table.

Oracles know part of the answer and give upper bounds: `set` knows which references occur, `multiset` also how often,
`halfseq` the first half of the sequence. Random orders depend only on the seed and the id of the query, so a subset of
the queries gets the same predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import TypeAlias, cast

from naturalproofs.benchmark.evaluation import question_ids, rank
from naturalproofs.benchmark.reproduce import GROUPS, HALVES, OverSeeds, Reproduction, Row
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import NotARun
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import write_atomic
from naturalproofs.io.folders import pretty
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import (
    FittedMethod,
    Generator,
    Method,
    SharedTraining,
    fit_in_context,
    temporary_context,
)
from naturalproofs.ranking.registry import FUSION, parse_ranker
from naturalproofs.ranking.sequences import generates, generator_named
from naturalproofs.ranking.term_vectors import one_thread
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.measures.generated import GENERATION_MEASURES, GeneratedSequence
from naturalproofs.tasks.measures.retrieval import compute_measures
from naturalproofs.tasks.measures.significance import shown_intervals
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

TOP = 5
"""The cutoff of the paper's ranking baseline."""
RESAMPLES = 500
GENERATORS, WIKI_GENERATORS = GROUPS["generators"], GROUPS["wiki-generators"]
SPECIAL_TOKENS = 3
"""Padding, start and end have the first numbers in the original code."""

References: TypeAlias = tuple[Hashable, ...]
Oracle: TypeAlias = Callable[[References, Random], References]


def set_oracle(true: References, random: Random) -> References:
    """Each reference once, in random order."""
    return _shuffled(dict.fromkeys(true), random)


def multiset_oracle(true: References, random: Random) -> References:
    """All references with repeats, in random order."""
    return _shuffled(true, random)


def halfseq_oracle(true: References, _random: Random) -> References:
    """The first half of the sequence, rounded down."""
    return true[: len(true) // 2]


def original_order_oracle(number: Mapping[Hashable, int]) -> Oracle:
    """The oracle `set` of the original code: each reference once, in the order of a Python set of their numbers.

    That order mostly follows the numbers, which follow first use (`first_use_numbers`), so it is closer to the true
    order than a random one.
    """

    def predicted(true: References, _random: Random) -> References:
        reference = {number[item]: item for item in true}
        return tuple(reference[item] for item in set(reference))

    return predicted


def first_use_numbers(sequences: Iterable[References]) -> dict[Hashable, int]:
    """Number references by first use, after the special tokens, as the original code does."""
    return {item: place for place, item in enumerate(dict.fromkeys(chain.from_iterable(sequences)), SPECIAL_TOKENS)}


ORACLES: dict[str, Oracle] = {"set": set_oracle, "multiset": multiset_oracle, "halfseq": halfseq_oracle}


def predict(
    oracle: Oracle, examples: Iterable[tuple[str, References]], *, seed: int = 0
) -> tuple[GeneratedSequence, ...]:
    """The predictions of an oracle for queries given by id and true sequence."""
    return tuple(GeneratedSequence(query, oracle(true, Random(f"{seed}/{query}")), true) for query, true in examples)


def _shuffled(items: Iterable[Hashable], random: Random) -> References:
    order = list(items)
    random.shuffle(order)
    return tuple(order)


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """A row of the generation table; values in percent except the length ratio."""

    label: str
    paper: str
    protocol: str
    queries: int
    measures: dict[str, float | None]
    intervals: dict[str, tuple[float | None, float | None]]
    """Of the first seed."""
    seeds: int = 1
    spread: dict[str, float] = field(default_factory=dict)
    """Standard deviations over the seeds; empty for a single seed."""


@one_thread()
def generate(
    method: Method[Generator], task: RetrievalTask, *, seed: int = 0, progress: Progress = silent
) -> tuple[GeneratedSequence, ...]:
    """Fit and index a generator, and predict a sequence for every query of a task."""
    with temporary_context(progress) as context:
        return _generated(fit_in_context(context, method, task.train, seed=seed), task)


def _generated(fitted: FittedMethod[Generator], task: RetrievalTask) -> tuple[GeneratedSequence, ...]:
    """Index a fitted generator, and predict a sequence for every query of a task."""
    generator = fitted.index(task.candidates)
    predicted = generator.generate([query.theorem for query in task.queries], task.excluded)
    return tuple(
        GeneratedSequence(query.id, sequence, query.sequence)
        for query, sequence in zip(task.queries, predicted, strict=True)
    )


def measured_row(
    label: str, paper: str, protocol_name: str, sequences: tuple[GeneratedSequence, ...], seed: int
) -> GenerationRow:
    """The generation measures of sequences, with bootstrap intervals."""
    results = compute_measures(sequences, GENERATION_MEASURES)
    intervals = shown_intervals(results, seed=seed, resamples=RESAMPLES)
    return GenerationRow(label, paper, protocol_name, len(sequences), results.shown(), intervals)


def generation_rows(reproduction: Reproduction, source: str, split: str) -> Iterator[GenerationRow]:
    """The oracles, the top of the best classical ranking, and the generators; stored rows are reused.

    A generator whose model is missing is left out unless models may be trained.
    """
    corpus, splits = reproduction.corpora[source]
    seed = reproduction.seed
    task = retrieval_task(corpus, splits, split, protocol("paper-joint"))
    truths = [(query.id, query.sequence) for query in task.queries]
    # The original code numbers references by first use over train, valid and test, and does not shuffle.
    numbers = first_use_numbers(
        corpus.by_id[theorem].proofs[index].references
        for name in SPLIT_NAMES
        for theorem, index in splits.part(name).examples
    )
    for name, oracle in {**ORACLES, "set, in the original's order": original_order_oracle(numbers)}.items():
        paper = "oracle set" if name.startswith("set,") else f"oracle {name}" if name != "set" else ""
        yield measured_row(f"oracle, {name}", paper, "none", predict(oracle, truths, seed=seed), seed)
    yield measured_row(f"fusion, top {TOP}", f"joint top-{TOP}", task.protocol.name, _top(task, seed), seed)
    for row in WIKI_GENERATORS if source == "proofwiki" else GENERATORS:
        found = _generator_row(reproduction, row, corpus, splits, split)
        if found is not None:
            yield found


@dataclass(frozen=True, slots=True)
class _Stored:
    """A row on disk with everything it depends on."""

    method: str
    corpus_hash: str
    seed: int
    row: GenerationRow


def _generator_row(
    reproduction: Reproduction, row: Row, corpus: Corpus, splits: Splits, split: str
) -> GenerationRow | None:
    """A row with the means over its seeds; over the first one alone if the model of another seed is missing."""
    stored = reproduction.by_seed(row, lambda seed: _stored_row(reproduction, row, corpus, split, seed))
    if not stored:
        return None
    rows = [found or _computed_rows(reproduction, row, corpus, splits, seed)[split] for seed, found in stored.items()]
    over = OverSeeds.of([one.measures for one in rows])
    return replace(rows[0], measures=over.means, seeds=len(rows), spread=over.spread)


def _row_path(reproduction: Reproduction, row: Row, corpus: Corpus, split: str, seed: int) -> Path:
    folder = reproduction.folder / "sequences" / f"{corpus.name}-{split}"
    return folder / f"{reproduction.name_of(row, seed)}.json"


def _stored_row(reproduction: Reproduction, row: Row, corpus: Corpus, split: str, seed: int) -> GenerationRow | None:
    """The row on disk, if it is of this method, corpus and seed."""
    path = _row_path(reproduction, row, corpus, split, seed)
    if not path.is_file():
        return None
    try:
        stored = read_json(path, _Stored)
    except ValueError as error:
        raise NotARun(f"{path}: damaged ({error}); delete it to compute it again") from error
    wanted = (row.method, content_hash(corpus)[:12], seed)
    return stored.row if (stored.method, stored.corpus_hash, stored.seed) == wanted else None


def _computed_rows(
    reproduction: Reproduction, row: Row, corpus: Corpus, splits: Splits, seed: int
) -> dict[str, GenerationRow]:
    """The rows of both halves with one seed, which are stored."""
    task = retrieval_task(corpus, splits, "eval", protocol(row.protocol))
    method = generator_named(row.method)
    if isinstance(method, SharedTraining):
        table = reproduction.training_table(method, task.train)
        with one_thread():
            sequences = _generated(method.fit_table(task.train, table, seed=seed), task)
    else:
        if generates(method):
            model = reproduction.model(row.method, row.trained_on, row.protocol, seed)
            method = cast(Method[Generator], model)
        sequences = generate(method, task, seed=seed, progress=reproduction.progress)
    rows = {}
    for half in HALVES:
        asked = question_ids(splits, half)
        mine = tuple(one for one in sequences if one.query in asked)
        rows[half] = measured_row(row.label, row.paper, row.protocol, mine, seed)
        stored = _Stored(row.method, content_hash(corpus)[:12], seed, rows[half])
        write_atomic(_row_path(reproduction, row, corpus, half, seed), pretty(stored))
    return rows


def _top(task: RetrievalTask, seed: int) -> tuple[GeneratedSequence, ...]:
    ranked = rank(parse_ranker(FUSION), task, seed=seed).queries
    return tuple(
        GeneratedSequence(query.id, outcome.top[:TOP], query.sequence)
        for query, outcome in zip(task.queries, ranked, strict=True)
    )
