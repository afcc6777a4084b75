"""The rows of the paper's tables: planned, and computed with the runs and models that are in the output folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import chain, product
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, TypeAlias, TypeVar, cast

import msgspec

from naturalproofs.benchmark.evaluation import (
    GenerationRow,
    Run,
    generate,
    generated,
    is_run,
    load_run,
    measured_row,
    measured_run,
    part_of_run,
    question_ids,
    rank,
    rank_together,
    run_spec,
)
from naturalproofs.benchmark.make import temporal_splits, temporal_task
from naturalproofs.benchmark.training import train_model
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import NotARun, NotGiven
from naturalproofs.io.decoding import decode_toml, read_json
from naturalproofs.io.files import sha256_bytes, write_atomic
from naturalproofs.io.folders import pretty
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import FittedRanker, Generator, Method, Ranker, SharedTraining, temporary_context
from naturalproofs.ranking.lexical import LeakedFrequency
from naturalproofs.ranking.registry import (
    FUSION,
    FUSION_RECENCY,
    Model,
    is_model,
    load_model,
    parse_ranker,
    ranker_spec,
)
from naturalproofs.ranking.sequences import generates, generator_named
from naturalproofs.ranking.term_vectors import one_thread
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet, retrieval_task, train_set
from naturalproofs.tasks.measures.generated import GeneratedSequence
from naturalproofs.tasks.protocols import WHOLE, TextView, protocol
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

# The paper's tables as lists of experiments: method, protocol, and the matching row of the paper, if there is one.

PAPER_TFIDF = "tfidf(tokeniser='simple', sublinear=False, title_weight=1)"
SEEDS = 5
TRAINED = ("hybrid", "compose")
"""Methods that a row trains without a saved model."""
LEAKED = "frequency of the evaluation split"
METHODS = {
    "the paper's TF-IDF": PAPER_TFIDF,
    "fusion with recency": FUSION_RECENCY,
    "retrieve, fusion with recency": f'retrieve(ranker="{FUSION_RECENCY}", length_ratio=1.1)',
}
"""Names of methods in the tables."""
TEMPORAL = "temporal"
"""The tables that need an older version of the corpus."""


@dataclass(frozen=True, slots=True)
class Row:
    """One experiment of a table."""

    label: str
    method: str
    protocol: str
    paper: str = ""
    """The name of the paper's row in ``paper-results.toml``; empty if there is none."""
    view: TextView = WHOLE
    trained_on: str = ""
    """The source a saved model is trained on; empty for methods that are fitted for each run."""
    seeds: int = 1
    """The number of seeds that are averaged."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table of the paper for one corpus."""

    name: str
    title: str
    corpus: str
    split: str
    rows: tuple[Row, ...]

    @property
    def key(self) -> str:
        """The name on the command line: ``retrieval/stacks/test``."""
        return f"{self.name}/{self.corpus}/{self.split}"


def _read() -> tuple[dict[str, tuple[Row, ...]], dict[str, TablePlan]]:
    """The groups of rows, and the tables by their keys; trained rows have several seeds, the shipped model has one."""
    found = decode_toml(files("naturalproofs.data").joinpath("paper-tables.toml").read_text("utf-8"))
    groups = {}
    for group, rows in msgspec.convert(found["rows"], dict[str, tuple[Row, ...]]).items():
        named = [replace(row, method=METHODS.get(row.method, row.method)) for row in rows]
        groups[group] = tuple(
            replace(row, seeds=SEEDS) if row.trained_on or row.method in TRAINED else row for row in named
        )
    plans = {}
    for table in found["table"]:
        for corpus, split in product(table["corpora"], table["splits"]):
            chosen = chain.from_iterable(groups[name] for name in table["rows"])
            own = (replace(row, trained_on=row.trained_on.replace("@", corpus)) for row in chosen)
            plan = TablePlan(table["name"], table["title"], corpus, split, tuple(own))
            plans[plan.key] = plan
    return groups, plans


GROUPS, PLANS = _read()
WithSplits: TypeAlias = tuple[Corpus, Splits]
HALVES = ("test", "valid")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row with its figures."""

    row: Row
    runs: tuple[Run, ...]
    """One for each seed; the first one alone if the model of another seed is missing."""
    fresh: bool
    """Whether a run was computed now rather than loaded."""

    @property
    def run(self) -> Run:
        """The run of the first seed."""
        return self.runs[0]


@dataclass(frozen=True, slots=True)
class OverSeeds:
    """Measures of several seeds."""

    means: dict[str, float | None]
    spread: dict[str, float]
    """Standard deviations; empty for a single seed."""

    @classmethod
    def of(cls, found: Sequence[Mapping[str, float | None]]) -> OverSeeds:
        """The mean and the standard deviation of every measure; a value that a seed lacks is left out."""
        if len(found) == 1:
            return cls(dict(found[0]), {})
        values = {name: [value for one in found if (value := one[name]) is not None] for name in found[0]}
        return cls(
            {name: mean(given) if given else None for name, given in values.items()},
            {name: stdev(given) if len(given) > 1 else 0.0 for name, given in values.items()},
        )


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The corpora, the folder for runs and models, and whether missing models are trained."""

    corpora: Mapping[str, WithSplits]
    """By source."""
    folder: Path
    seed: int = 0
    train: bool = False
    progress: Progress = silent
    older: Corpus | None = None
    """An older version of a corpus, for the temporal tables."""
    tables: list[tuple[Ranker, TrainSet, Any]] = field(default_factory=list, repr=False)
    """Training tables with what they depend on."""

    def outcomes(self, plan: TablePlan) -> Iterator[Outcome]:
        """The rows of a table, one by one, so that an interrupted reproduction can be resumed.

        A row whose model is missing is left out unless models may be trained.
        """
        for row in plan.rows:
            runs, fresh = self._runs(row, plan)
            if runs:
                yield Outcome(row, tuple(runs), fresh)

    def _runs(self, row: Row, plan: TablePlan) -> tuple[list[Run], bool]:
        """A run for each seed of a row, and whether one was computed now; none if the row cannot be run."""
        corpus, splits = self.corpora[plan.corpus][0], self._splits(plan)
        asked = question_ids(splits, "test" if plan.name == TEMPORAL else plan.split)
        # Tables share their runs.
        base = self.folder / "runs" / f"{corpus.name}-{plan.split}"
        about = (row.method, content_hash(corpus)[:12], plan.split, splits.recipe, row.protocol)
        done = self.by_seed(row, lambda seed: _stored(base / self.name_of(row, seed), (*about, seed), asked))
        folders = {seed: base / self.name_of(row, seed) for seed in done}
        fresh = None in done.values()
        same_candidates = set(splits.valid.absent) == set(splits.test.absent)
        if fresh and plan.split in HALVES and same_candidates and row.method != LEAKED:
            # Both halves are ranked at once, since training and indexing take longer.
            whole, _ = self._runs(row, replace(plan, split="eval"))
            runs = [part_of_run(run, splits, plan.split) for run in whole[: len(folders)]]
            for folder, run in zip(folders.values(), runs, strict=True):
                run.save(folder)
            return runs, True
        if fresh:
            missing = {seed: folders[seed] for seed, run in done.items() if run is None}
            done |= self._computed(row, plan, missing)
        return [run for run in done.values() if run is not None], fresh

    def by_seed(self, row: Row, stored: Callable[[int], T | None]) -> dict[int, T | None]:
        """What is stored of each seed of a row, None where it has to be computed.

        If another seed of a network is not trained, the first one stands alone; if that is not either, there is none.
        """
        found = {seed: stored(seed) for seed in range(self.seed, self.seed + row.seeds)}
        known = {seed: one for seed, one in found.items() if one is not None or self.can_run(row, seed)}
        return known if len(known) == len(found) else {self.seed: known[self.seed]} if self.seed in known else {}

    def name_of(self, row: Row, seed: int) -> str:
        """The name of what is stored of a row with a seed."""
        return slug(row) if seed == self.seed else f"{slug(row)}-{seed}"

    def _computed(self, row: Row, plan: TablePlan, folders: Mapping[int, Path]) -> dict[int, Run]:
        """Run a row with each seed and save the runs; what seeds can share of training and scoring is done once."""
        corpus, splits = self.corpora[plan.corpus][0], self._splits(plan)
        task = self._task(row, plan)
        shared = _shared(row)
        if shared is not None:
            start = time.perf_counter()
            train = self._train_set(row, plan, task)
            table = self.training_table(shared, train)
            fitted = [shared.fit_table(train, table, seed=seed) for seed in folders]
            trained = (time.perf_counter() - start) / len(folders)
            ranked = rank_together(fitted, task, progress=self.progress)
            ranked = [replace(one, seconds=one.seconds + trained) for one in ranked]
        else:
            ranked = [rank(self._ranker(row, task, seed), task, seed=seed, progress=self.progress) for seed in folders]
        runs = {}
        for (seed, folder), one in zip(folders.items(), ranked, strict=True):
            spec = run_spec(row.method, task, corpus, splits, seed)
            runs[seed] = measured_run(spec, one.queries, len(task.candidates), one.seconds)
            runs[seed].save(folder)
        return runs

    def _train_set(self, row: Row, plan: TablePlan, task: RetrievalTask) -> TrainSet:
        """What a row is trained on: the training split of the corpus that is asked, or of another one."""
        if row.trained_on in ("", plan.corpus):
            return task.train
        corpus, splits = self.corpora[row.trained_on]
        return train_set(corpus, splits, protocol(_training_protocol(row.protocol)), row.view)

    def training_table(self, method: SharedTraining, train: TrainSet) -> Any:
        """The training table of a method, computed once for all methods and protocols that learn from the same."""
        for settings, seen, table in self.tables:
            if settings == method.table_settings and seen == train:
                return table
        with temporary_context(self.progress) as context:
            table = method.table_settings.training_table(train, seed=self.seed, context=context)
        self.tables.append((method.table_settings, train, table))
        return table

    def _splits(self, plan: TablePlan) -> Splits:
        corpus, splits = self.corpora[plan.corpus]
        return temporal_splits(self._older(plan), corpus) if plan.name == TEMPORAL else splits

    def _task(self, row: Row, plan: TablePlan) -> RetrievalTask:
        corpus, splits = self.corpora[plan.corpus]
        how = protocol(row.protocol)
        if plan.name == TEMPORAL:
            return temporal_task(self._older(plan), corpus, how, view=row.view)
        return retrieval_task(corpus, splits, plan.split, how, view=row.view)

    def _older(self, plan: TablePlan) -> Corpus:
        if self.older is None:
            raise NotGiven(f"{plan.key} needs an older version of the corpus; give it with --older")
        return self.older

    def _ranker(self, row: Row, task: RetrievalTask, seed: int) -> Ranker:
        if row.method == LEAKED:
            return LeakedFrequency(tuple(query.sequence for query in task.queries))
        if row.trained_on:
            return self.model(row.method, row.trained_on, row.protocol, seed, row.view)
        return parse_ranker(row.method)

    def model(self, method: str, trained_on: str, protocol_name: str, seed: int, view: TextView = WHOLE) -> Model:
        """The saved model of a method, trained first if it is missing.

        Protocols that show a method the same share a model; it is validated under the strictest of them.
        """
        corpus, splits = self.corpora[trained_on]
        strictest = protocol(_training_protocol(protocol_name))
        folder = self._model_folder(method, trained_on, protocol_name, seed, view)

        def pretrained(ranker: Ranker) -> FittedRanker:
            return self.model(ranker_spec(ranker), trained_on, protocol_name, seed, view).fitted

        if not is_model(folder):
            train_model(
                parse_ranker(method),
                corpus,
                splits,
                folder,
                strictest,
                seed=seed,
                resume=True,
                progress=self.progress,
                pretrained=pretrained,
                view=view,
            )
        return load_model(folder)

    def can_run(self, row: Row, seed: int | None = None) -> bool:
        """Whether a row needs no saved model, or the one of a seed, by default the first, exists or can be trained."""
        if not row.trained_on:
            return True
        if row.trained_on not in self.corpora:
            return False
        at = self.seed if seed is None else seed
        return self.train or is_model(self._model_folder(row.method, row.trained_on, row.protocol, at, row.view))

    def _model_folder(self, method: str, trained_on: str, protocol_name: str, seed: int, view: TextView) -> Path:
        """A folder named by a hash of everything a model depends on."""
        corpus, splits = self.corpora[trained_on]
        name = method.partition("(")[0]
        shown = "" if view == WHOLE else f"/{view}"
        data = f"{content_hash(corpus)}/{sha256_bytes(splits.to_json())}"
        key = f"{method}/{data}/{_training_protocol(protocol_name)}{shown}"
        return self.folder / "models" / f"{name}-{corpus.name}-{sha256_bytes(key.encode())[:10]}-{seed}"


def _shared(row: Row) -> SharedTraining | None:
    """The method of a row if its seeds can share a part of training."""
    if row.method == LEAKED:
        return None
    ranker = parse_ranker(row.method)
    return ranker if isinstance(ranker, SharedTraining) else None


def _training_protocol(name: str) -> str:
    """The protocol that models for a protocol are trained under: without places, all show the same."""
    return name if protocol(name).place else "clean"


def _stored(folder: Path, wanted: tuple[object, ...], asked: frozenset[str]) -> Run | None:
    """The run in a folder, if it is of this method, corpus, split, protocol, seed and queries."""
    if not is_run(folder):
        return None
    run = load_run(folder)
    spec = run.spec
    found = (spec.method, spec.corpus_hash, spec.split, spec.split_recipe, spec.protocol, spec.seed)
    return run if found == wanted and {query.query for query in run.queries} == asked else None


def slug(row: Row) -> str:
    """A short unique name for the run of a row."""
    where = f"/{row.trained_on}" if row.trained_on else ""
    return f"{row.protocol}-{sha256_bytes(f'{row.method}/{row.view}{where}'.encode())[:10]}"


# The rows of the generation table.
#
# Oracles know part of the answer and give upper bounds: `set` knows which references occur, `multiset` also how
# often, `halfseq` the first half of the sequence. Random orders depend only on the seed and the id of the query, so a
# subset of the queries gets the same predictions.

TOP = 5
"""The cutoff of the paper's ranking baseline."""
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
            sequences = generated(method.fit_table(task.train, table, seed=seed), task)
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
