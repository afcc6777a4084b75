"""The generation table: oracles that know part of the answer, the first few of a ranking, and real generators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import NotARun
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.generated import GeneratedSequence
from naturalproofs.evaluation.generation_measures import GENERATION_MEASURES
from naturalproofs.evaluation.oracles import ORACLES, by_first_use, in_original_order, predict
from naturalproofs.evaluation.significance import bootstrap_intervals
from naturalproofs.experiments.ranking import rank
from naturalproofs.experiments.reproduce import Workbench, slug
from naturalproofs.experiments.reproduction import Row
from naturalproofs.io.files import write_atomic
from naturalproofs.io.manifests import pretty
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contexts import temporary_context
from naturalproofs.ranking.generation.registry import GeneratorMethod, OwnSequences, TrainableGenerator, generator_named
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

TOP = 5
"""The paper cuts its ranking after five."""
FUSION, HYBRID = (f"retrieve(ranker='{ranker}', length_ratio=1.1)" for ranker in ("fusion", "hybrid"))
GENERATORS = (
    Row("retrieve, fusion", FUSION, "paper-joint"),
    Row("retrieve, hybrid", HYBRID, "paper-joint", trained_on="stacks"),
    Row("autoregressive", "autoregressive", "paper-joint", "autoregressive", trained_on="stacks"),
    Row("retrieve, hybrid", HYBRID, "accessible", trained_on="stacks"),
    Row("compose, hybrid", "compose", "accessible", trained_on="stacks"),
    Row("compose, hybrid and joint", "compose(signals=('joint',))", "accessible", trained_on="stacks"),
)
"""Those that are trained for long have ``trained_on``, as in the tables of rankings."""


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """A row of the generation table; figures in percent but for the ratio of lengths."""

    label: str
    paper: str
    protocol: str
    queries: int
    measures: dict[str, float | None]
    intervals: dict[str, tuple[float | None, float | None]]


def generation_rows(bench: Workbench, source: str, split: str) -> Iterator[GenerationRow]:
    """The oracle rows, the top of the best classical method, and the generators; what is kept is not computed again.

    As with rankings, generators that are trained for long are left out unless they may be trained.
    """
    corpus, splits = bench.corpora[source]
    task = retrieval_task(corpus, splits, split, protocol("paper-joint"))
    truths = [(question.id, question.sequence) for question in task.queries]
    # The original numbered references by first use over train, valid and test, and shuffled nothing.
    used = by_first_use(corpus.by_id[t].proofs[i].references for n in SPLIT_NAMES for t, i in splits.part(n).examples)
    for name, guess in {**ORACLES, "set, in the original's order": in_original_order(used)}.items():
        paper = "oracle set" if name.startswith("set,") else f"oracle {name}" if name != "set" else ""
        yield measured(f"oracle, {name}", paper, "none", predict(guess, truths, seed=bench.seed), bench.seed)
    yield measured(f"fusion, top {TOP}", f"joint top-{TOP}", task.protocol.name, _top(task, bench.seed), bench.seed)
    place = bench.folder / "sequences" / f"{corpus.name}-{split}"
    for row in GENERATORS:
        found = _kept(place / f"{slug(row)}.json", bench, row, corpus, splits, split)
        if found is not None:
            yield found


@dataclass(frozen=True, slots=True)
class _Kept:
    """A row on disk, with all that it depends on."""

    method: str
    corpus_hash: str
    seed: int
    row: GenerationRow


def _kept(path: Path, bench: Workbench, row: Row, corpus: Corpus, splits: Splits, split: str) -> GenerationRow | None:
    """The row on disk, or a new one if it can be computed."""
    fingerprint = content_hash(corpus)[:12]
    if path.is_file():
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        except msgspec.DecodeError as error:
            raise NotARun(f"{path}: damaged ({error}); remove it to compute it again") from error
        if (kept.method, kept.corpus_hash, kept.seed) == (row.method, fingerprint, bench.seed):
            return kept.row
    if not bench.can(row):
        return None
    task = retrieval_task(corpus, splits, split, protocol(row.protocol))
    method = generator_named(row.method)
    if isinstance(method, OwnSequences):
        method = OwnSequences(bench.model(row.method, row.trained_on, row.protocol, bench.seed))
    found = measured(
        row.label, row.paper, row.protocol, generate_on(method, task, seed=bench.seed, tell=bench.tell), bench.seed
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, pretty(_Kept(row.method, fingerprint, bench.seed, found)))
    return found


def generate_on(
    method: GeneratorMethod, task: RetrievalTask, *, seed: int = 0, tell: Progress = silent
) -> tuple[GeneratedSequence, ...]:
    """Fit, telling how far that has come, index, and ask for every question of a task."""
    with temporary_context(tell) as context:
        fitted = (
            method.train(task.train, seed=seed, context=context)
            if isinstance(method, TrainableGenerator)
            else method.fit(task.train, seed=seed)
        )
    generator = fitted.index(task.candidates)
    produced = generator.generate([question.theorem for question in task.queries], task.excluded)
    return tuple(
        GeneratedSequence(question.id, sequence, question.sequence)
        for question, sequence in zip(task.queries, produced, strict=True)
    )


def _top(task: RetrievalTask, seed: int) -> tuple[GeneratedSequence, ...]:
    ranked = rank(parse_ranker("fusion"), task, seed=seed).queries
    return tuple(
        GeneratedSequence(question.id, query.top[:TOP], question.sequence)
        for question, query in zip(task.queries, ranked, strict=True)
    )


def measured(label: str, paper: str, how: str, sequences: tuple[GeneratedSequence, ...], seed: int) -> GenerationRow:
    """All ten measures of sequences, with their intervals."""
    results = evaluate(sequences, GENERATION_MEASURES)
    intervals = bootstrap_intervals(results, seed=seed, resamples=500)
    shown = {str(m): (m.shown(i.low), m.shown(i.high)) for m, i in intervals.items()}
    return GenerationRow(label, paper, how, len(sequences), results.shown(), shown)
