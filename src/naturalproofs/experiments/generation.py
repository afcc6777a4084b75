"""The generation table: oracles that know part of the answer, and the first few of a ranking as a sequence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.generated import GeneratedSequence
from naturalproofs.evaluation.generation_measures import GENERATION_MEASURES
from naturalproofs.evaluation.oracles import ORACLES, by_first_use, in_original_order, predict
from naturalproofs.evaluation.significance import bootstrap_intervals
from naturalproofs.experiments.ranking import rank
from naturalproofs.generation.registry import GeneratorMethod
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.dataset import RetrievalTask, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

TOP = 5
"""The paper cuts its ranking after five."""


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """A row of the generation table; figures in percent but for the ratio of lengths."""

    label: str
    paper: str
    protocol: str
    queries: int
    measures: dict[str, float | None]
    intervals: dict[str, tuple[float | None, float | None]]


def generation_rows(corpus: Corpus, splits: Splits, split: str, *, seed: int = 0) -> Iterator[GenerationRow]:
    """The oracle rows, then top-5 of the best classical method."""
    task = retrieval_task(corpus, splits, split, protocol("paper-joint"))
    truths = [(question.id, question.sequence) for question in task.questions]
    # The original numbered references by first use over train, valid and test, and shuffled nothing.
    used = by_first_use(corpus.by_id[t].proofs[i].references for n in SPLIT_NAMES for t, i in splits.part(n).examples)
    for name, guess in {**ORACLES, "set, in the original's order": in_original_order(used)}.items():
        paper = "oracle set" if name.startswith("set,") else f"oracle {name}" if name != "set" else ""
        yield measured(f"oracle, {name}", paper, "none", predict(guess, truths, seed=seed), seed)
    yield measured(f"fusion, top {TOP}", f"joint top-{TOP}", task.protocol.name, _top(task, seed), seed)


def generate_on(method: GeneratorMethod, task: RetrievalTask, *, seed: int = 0) -> tuple[GeneratedSequence, ...]:
    """Fit, index and ask for every question of a task."""
    generator = method.fit(task.train, seed=seed).index(task.candidates)
    produced = generator.generate([question.theorem for question in task.questions], task.excluded)
    return tuple(
        GeneratedSequence(question.id, sequence, question.sequence)
        for question, sequence in zip(task.questions, produced, strict=True)
    )


def _top(task: RetrievalTask, seed: int) -> tuple[GeneratedSequence, ...]:
    ranked = rank(parse_ranker("fusion"), task, seed=seed).queries
    return tuple(
        GeneratedSequence(question.id, query.top[:TOP], question.sequence)
        for question, query in zip(task.questions, ranked, strict=True)
    )


def measured(label: str, paper: str, how: str, sequences: tuple[GeneratedSequence, ...], seed: int) -> GenerationRow:
    """All ten measures of sequences, with their intervals."""
    results = evaluate(sequences, GENERATION_MEASURES)
    intervals = bootstrap_intervals(results, seed=seed, resamples=500)
    shown = {str(m): (m.shown(i.low), m.shown(i.high)) for m, i in intervals.items()}
    return GenerationRow(label, paper, how, len(sequences), results.shown(), shown)
