"""Evaluate a ranker or generator on a split of a corpus under a protocol; runs on disk, and those in TREC's format."""

from __future__ import annotations

import math
import os
import struct
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from naturalproofs.benchmark.code_version import code_version
from naturalproofs.benchmark.make import Recipe, load_with_splits, make_splits, temporal_splits, temporal_task
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import BadSchema, EmptySplit, NotARun, SourceNotFound, UnknownName
from naturalproofs.io.files import check_free, replaced_folder, sha256_file, write_file
from naturalproofs.io.folders import FolderKind, pretty, read_jsonl, write_jsonl
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import (
    CachingRanker,
    CalibratedScorer,
    FittedMethod,
    FittedRanker,
    Generator,
    Method,
    Ranker,
    Scorer,
    Scores,
    fit_in_context,
    temporary_context,
)
from naturalproofs.ranking.registry import method_named, ranker_spec
from naturalproofs.ranking.term_vectors import one_thread
from naturalproofs.records import Passage, StatementId
from naturalproofs.tasks.dataset import RetrievalTask, plain_id, retrieval_task, split_parts
from naturalproofs.tasks.measures.generated import GENERATION_MEASURES, GeneratedSequence
from naturalproofs.tasks.measures.ranks import (
    TOP,
    CalibrationCurve,
    Groups,
    RankedQuery,
    by_category,
    by_kind,
    by_size,
    by_times_seen,
    calibration_curve,
    ranked_queries,
)
from naturalproofs.tasks.measures.retrieval import DEFAULT_MEASURES, PAPER_MEASURES, compute_measures
from naturalproofs.tasks.measures.significance import shown_intervals
from naturalproofs.tasks.protocols import protocol as protocol_named
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

# Runs: ranked queries with their measures and everything they depend on, in memory and on disk.

MANIFEST = "run.json"
QUERIES = "queries.jsonl"
SCHEMA = 1
DEEPEST, MOST = 4, 200
"""How deep run folders may lie in a folder, and how many of one folder are loaded."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Everything a figure depends on."""

    method: str
    corpus: str
    corpus_hash: str
    rules: str
    split: str
    split_recipe: str
    protocol: str
    seed: int
    external: str = ""
    """The beginning of the hash of the run file, if another program made it."""


@dataclass(frozen=True, slots=True)
class _Manifest:
    """The manifest of a run folder, written last."""

    schema: int
    spec: RunSpec
    queries: int
    candidates: int
    seconds: float
    measures: dict[str, float | None]
    intervals: dict[str, tuple[float | None, float | None]]
    files: dict[str, str]
    made_by: str


_SAME = ("spec", "candidates", "seconds", "measures", "intervals", "made_by")
"""Fields that a run and its manifest have in common."""
FOLDERS = FolderKind("run", MANIFEST, _Manifest, SCHEMA, "naturalproofs evaluate -o", "evaluate again", NotARun)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of evaluating one method on one split under one protocol."""

    spec: RunSpec
    queries: tuple[RankedQuery, ...]
    candidates: int
    seconds: float
    measures: dict[str, float | None]
    """Values in percent, by name of the measure; None where no query counts."""
    intervals: dict[str, tuple[float | None, float | None]]
    """95 % bootstrap confidence intervals."""
    made_by: str = ""
    """The version of the package, and its commit where it is known."""

    @property
    def name(self) -> str:
        """The name used in messages."""
        return f"{self.spec.method} on {self.spec.corpus}/{self.spec.split} ({self.spec.protocol})"

    @property
    def calibration(self) -> CalibrationCurve | None:
        """How often what the method calls probable is cited; None if the run holds no probabilities."""
        return calibration_curve(self.queries)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the queries."""
        return {
            **asdict(self.spec),
            "queries": len(self.queries),
            "candidates": self.candidates,
            "measures": self.measures,
            "intervals": self.intervals,
            "seconds": round(self.seconds, 3),
            "calibration": asdict(self.calibration) if self.calibration is not None else None,
        }

    def to_trec(self) -> bytes:
        """The stored candidates in TREC format: ``query Q0 document rank score tag``.

        The score is 1/rank, precise enough that trec_eval, which orders by the score alone, sees no ties.
        """
        tag, corpus = plain_id(self.spec.method.replace(" ", "")), self.spec.corpus
        lines = [
            f"{plain_id(query.query, corpus)} Q0 {plain_id(document, corpus)} {rank} {1 / rank:.9f} {tag}\n"
            for query in self.queries
            for rank, document in enumerate(query.top, start=1)
        ]
        return "".join(lines).encode()

    def save(self, folder: Path) -> None:
        """Write a run folder, atomically."""
        with replaced_folder(folder, FOLDERS.may_replace) as scratch:
            write_jsonl(scratch / QUERIES, self.queries)
            same = {name: getattr(self, name) for name in _SAME}
            files = {QUERIES: sha256_file(scratch / QUERIES)}
            manifest = _Manifest(schema=SCHEMA, queries=len(self.queries), files=files, **same)
            write_file(scratch / MANIFEST, pretty(manifest))


def check_run_folder(folder: Path | None) -> None:
    """Refuse a folder that a run cannot be saved in, before any work is done."""
    if folder is not None:
        check_free(folder, FOLDERS.may_replace)


def measured_run(spec: RunSpec, queries: tuple[RankedQuery, ...], candidates: int, seconds: float) -> Run:
    """The run of ranked queries: their measures with intervals."""
    results = compute_measures(queries, DEFAULT_MEASURES)
    intervals = shown_intervals(results, seed=spec.seed)
    return Run(spec, queries, candidates, seconds, results.shown(), intervals, code_version())


def load_run(folder: Path) -> Run:
    """Read a run folder and check its files against the manifest."""
    manifest = FOLDERS.read(folder)
    queries = tuple(read_jsonl(FOLDERS.checked(folder, manifest, QUERIES), RankedQuery))
    return Run(queries=queries, **{name: getattr(manifest, name) for name in _SAME})


def is_run(path: Path) -> bool:
    """Whether a folder is a run."""
    return (path / MANIFEST).is_file()


def runs_by_task(*folders: Path) -> dict[tuple[str, str, str, str], tuple[Run, ...]]:
    """The runs in some folders, by corpus, split, protocol and hash of the corpus; the best mAP comes first.

    Of each folder only the first `MOST` are loaded; `left_out` says how many are not.
    """
    groups: dict[tuple[str, str, str, str], list[Run]] = {}
    for place in dict.fromkeys(place for folder in folders for place in run_folders(folder)[:MOST]):
        run = load_run(place)
        spec = run.spec
        groups.setdefault((spec.corpus, spec.split, spec.protocol, spec.corpus_hash), []).append(run)
    return {
        task: tuple(sorted(runs, key=lambda run: -(run.measures.get("mAP") or 0.0)))
        for task, runs in sorted(groups.items())
    }


def left_out(*folders: Path) -> int:
    """How many runs in some folders are too many to be loaded."""
    return sum(max(0, len(run_folders(folder)) - MOST) for folder in folders)


def run_folders(folder: Path) -> list[Path]:
    """All run folders in a folder and its subfolders, or the folder itself."""
    if not folder.is_dir():
        raise SourceNotFound(f"{folder}: no such folder; give one that holds runs saved by 'naturalproofs evaluate -o'")
    found: list[Path] = []
    for place, inner, _ in os.walk(folder):
        here = Path(place)
        if is_run(here):
            found.append(here)
            inner.clear()
        if len(here.relative_to(folder).parts) >= DEEPEST:
            inner.clear()
    return sorted(found)


# Score a TREC run that another program made: ``query Q0 document score-rank score tag`` on each line.

FIELDS = 6
LONGEST_LINE = 10_000
"""Characters of a line; a longer one is an error, so that a file without line ends is not read into memory."""
SHOWN = 3
"""How many names a message lists."""


@dataclass(slots=True)
class RunReport:
    """What a reader of the figures should know about a run file."""

    other_split: list[str] = field(default_factory=list)
    """Queries of the corpus that are of another split; they are not scored."""
    missing: list[str] = field(default_factory=list)
    """Queries of the split that the run does not answer; all their references count as missed."""
    not_candidates: int = 0
    """Documents that the protocol does not allow for their query; they are left out."""
    shallowest: int = 0
    """The least number of candidates that a query of the run has."""
    deepest: int = 0

    def messages(self) -> list[str]:
        """One line for each fact that a reader of the figures needs."""
        found = []
        if self.missing:
            found.append(f"{_listed(self.missing)} of the split not in the run: all their references count as missed")
        if self.other_split:
            found.append(f"{_listed(self.other_split)} of another split in the run: not scored")
        if self.not_candidates:
            found.append(f"{self.not_candidates:,} documents that the protocol does not allow were left out")
        depth = f"{self.shallowest:,} to {self.deepest:,}" if self.shallowest < self.deepest else f"{self.deepest:,}"
        return [*found, f"the run has {depth} candidates for a query; measures beyond that depth are lower bounds"]


def evaluate_run(
    path: Path,
    corpus: Corpus,
    splits: Splits,
    *,
    name: str = "",
    split: str = "test",
    protocol: str = "clean",
    seed: int = 0,
) -> tuple[Run, RunReport]:
    """Measure a TREC run on a split of a corpus.

    Args:
        path: The run file; ids are those of the exports, in which white space is percent-encoded.
        corpus: The statements.
        splits: Their splits.
        name: The name of the method; by default the tag of the run's first line.
        split: ``train``, ``valid``, ``test`` or ``eval``.
        protocol: Which candidates a query has.
        seed: Random seed of the intervals.
    """
    task = retrieval_task(corpus, splits, split, protocol_named(protocol))
    if not task.queries:
        raise EmptySplit(f"{task.name} has no examples; choose another split")
    answers, tag = read_trec_run(path)
    asked = [plain_id(query.id, corpus.name) for query in task.queries]
    documents = {plain_id(statement.id, corpus.name): statement.id for statement in corpus.statements}
    report = RunReport(missing=sorted(set(asked) - answers.keys()))
    report.other_split = [query for query in answers if query not in set(asked)]
    _check_ids(path, task, splits, answers, report.other_split, documents)
    names = [candidate.id for candidate in task.candidates]
    allowed, depths, ranked = set(names), [], []
    for query, key, excluded in zip(task.queries, asked, task.excluded, strict=True):
        scores = answers.get(key, {})
        out = {names[column] for column in excluded}
        order = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
        ranking = [one for one in (documents[document] for document in order) if one in allowed and one not in out]
        report.not_candidates += len(order) - len(ranking)
        if scores:
            depths.append(len(ranking))
        at = {one: rank for rank, one in enumerate(ranking, start=1)}
        ranks = tuple(at.get(one) for one in query.gold)
        ranked.append(RankedQuery(query.id, query.gold, ranks, len(names) - len(out), tuple(ranking[:TOP])))
    report.shallowest, report.deepest = min(depths), max(depths)
    spec = run_spec(name or tag or path.stem, task, corpus, splits, seed, external=sha256_file(path)[:12])
    return measured_run(spec, tuple(ranked), len(names), 0.0), report


def read_trec_run(path: Path) -> tuple[dict[str, dict[str, float]], str]:
    """The documents of each query with their scores, and the tag of the first line."""
    answers: dict[str, dict[str, float]] = {}
    tag = ""
    try:
        with path.open(encoding="utf-8") as file:
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                fields = line.split()
                if not fields:
                    continue
                score = _score(fields)
                if score is None:
                    raise BadSchema(
                        f"{path}:{number}: not a line of a TREC run; write 'query Q0 document rank score tag', "
                        "blanks in ids percent-encoded"
                    )
                query, _, document, _, _, own_tag = fields
                tag = tag or own_tag
                scores = answers.setdefault(query, {})
                if document in scores:
                    raise BadSchema(f"{path}:{number}: {document} stands twice among the answers to {query}")
                scores[sys.intern(document)] = score
    except FileNotFoundError as error:
        raise SourceNotFound(f"{path}: no such file; give a TREC run") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadSchema(f"{path}: cannot be read ({error})") from error
    return answers, tag


def _score(fields: Sequence[str]) -> float | None:
    """The score of a line in single precision; None if the line is malformed."""
    if len(fields) != FIELDS:
        return None
    try:
        (score,) = struct.unpack("f", struct.pack("f", float(fields[4])))
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(score) else float(score)


def _check_ids(
    path: Path,
    task: RetrievalTask,
    splits: Splits,
    answers: Mapping[str, Mapping[str, object]],
    extra: Sequence[str],
    documents: Mapping[str, StatementId],
) -> None:
    """Name queries and documents that the corpus does not have; `extra` are queries that are not of the task."""
    corpus = task.name.rpartition("/")[0]
    elsewhere = {plain_id(f"{t}#{proof}", corpus) for name in SPLIT_NAMES for t, proof in splits.part(name).examples}
    if unknown := [query for query in extra if query not in elsewhere]:
        raise BadSchema(
            f"{path}: {_listed(unknown)} not of this corpus; ids of queries are those of 'naturalproofs export'"
        )
    if len(extra) == len(answers):
        raise BadSchema(f"{path}: no query of {task.name} is in the run; choose its split with --split")
    unknown = list(dict.fromkeys(name for scores in answers.values() for name in scores if name not in documents))
    if unknown:
        raise BadSchema(
            f"{path}: {_listed(unknown, 'document', 'documents')} not of this corpus; "
            "ids of documents are those of 'naturalproofs export'"
        )


def _listed(known: Sequence[str], one: str = "query", several: str = "queries") -> str:
    """``2 queries (a, b) are``."""
    shown = ", ".join(known[:SHOWN]) + (" …" if len(known) > SHOWN else "")
    return f"{len(known):,} {one if len(known) == 1 else several} ({shown})"


CELLS = 8_000_000
"""Scores held in memory at a time (32 MB)."""


def evaluate(
    method: str | Ranker,
    corpus: Corpus | Path | str,
    *,
    splits: Splits | None = None,
    split: str = "test",
    protocol: str = "clean",
    older: Corpus | None = None,
    seed: int = 0,
    depth: int = TOP,
    progress: Progress = silent,
) -> Run:
    """Rank the candidates for every theorem of a split and compute the retrieval measures.

    The method is fitted on the training split. The result holds the measures in percent, their 95 % bootstrap
    intervals, and the ranks of the gold references of every query.

    >>> from naturalproofs.data import primer_folder
    >>> run = evaluate("bm25", primer_folder(), split="eval")
    >>> len(run.queries)
    92
    >>> round(run.measures["R@10"], 1)
    39.3
    >>> run.queries[0].ranks
    (4, 11, 487)

    Args:
        method: A name, a name with settings (``"bm25(k1=0.9)"``), a model folder, or a ranker.
        corpus: A corpus, or the path of a corpus folder or a LaTeX project.
        splits: The splits of the corpus; by default those stored with it, else those of its default recipe.
        split: ``train``, ``valid``, ``test``, or ``eval`` (valid and test together).
        protocol: A name in `naturalproofs.tasks.protocols.PROTOCOLS`: the candidate set and what is visible.
        older: An older version of the corpus: the method is fitted on all of it, and asked about the theorems that are
            new; the splits are not used.
        seed: Random seed of the method and of the intervals.
        depth: How many of the best candidates of each query to store.
        progress: Reports training, then scoring.
    """
    how = protocol_named(protocol)
    ranker = method_named(method) if isinstance(method, str) else method
    if isinstance(corpus, Corpus):
        loaded, chosen = corpus, splits or make_splits(corpus, Recipe())
    else:
        loaded, stored = load_with_splits(Path(corpus))
        chosen = splits or stored
    if older is not None:
        task, chosen = temporal_task(older, loaded, how), temporal_splits(older, loaded)
    else:
        task = retrieval_task(loaded, chosen, split, how)
    ranked = rank(ranker, task, seed=seed, depth=depth, progress=progress)
    spec = run_spec(ranker_spec(ranker), task, loaded, chosen, seed)
    return measured_run(spec, ranked.queries, len(task.candidates), ranked.seconds)


def run_spec(
    method: str, task: RetrievalTask, corpus: Corpus, splits: Splits, seed: int, external: str = ""
) -> RunSpec:
    """Everything the figures of a method on a task depend on."""
    return RunSpec(
        method=method,
        corpus=corpus.name,
        corpus_hash=content_hash(corpus)[:12],
        rules=corpus.provenance.rules,
        split=task.name.removeprefix(f"{corpus.name}/"),
        split_recipe=splits.recipe,
        protocol=task.protocol.name,
        seed=seed,
        external=external,
    )


def question_ids(splits: Splits, split: str) -> frozenset[str]:
    """The ids of the queries of a split."""
    return frozenset(f"{theorem}#{proof}" for part in split_parts(splits, split) for theorem, proof in part.examples)


def part_of_run(run: Run, splits: Splits, split: str) -> Run:
    """The part of a run on ``eval`` that is of ``valid`` or ``test``, which must have the same candidates."""
    wanted = question_ids(splits, split)
    queries = tuple(query for query in run.queries if query.query in wanted)
    return measured_run(replace(run.spec, split=split), queries, run.candidates, run.seconds)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranked queries of a task, and the seconds for fitting, indexing and scoring."""

    queries: tuple[RankedQuery, ...]
    seconds: float


def rank(
    ranker: Ranker, task: RetrievalTask, *, seed: int = 0, depth: int = TOP, progress: Progress = silent
) -> Ranked:
    """Fit, index and score; scores are computed in blocks of queries."""
    if not task.queries:
        raise EmptySplit(f"{task.name} has no examples; choose another split")
    start = time.perf_counter()
    with temporary_context(progress) as context:
        fitted = fit_in_context(context, ranker, task.train, seed=seed)
    (found,) = rank_together([fitted], task, depth=depth, progress=progress)
    return Ranked(found.queries, time.perf_counter() - start)


@one_thread()
def rank_together(
    fitted: Sequence[FittedRanker], task: RetrievalTask, *, depth: int = TOP, progress: Progress = silent
) -> list[Ranked]:
    """Index and score several seeds of a fitted method; what their scorers can share is computed once.

    The seconds are those of all, divided by their number.
    """
    start = time.perf_counter()
    scorers = [fitted[0].index(task.candidates)]
    for other in fitted[1:]:
        again = other.reindex(task.candidates, scorers[0]) if isinstance(other, CachingRanker) else None
        scorers.append(again or other.index(task.candidates))
    names = [candidate.id for candidate in task.candidates]
    found: list[list[RankedQuery]] = [[] for _ in scorers]
    for block in _blocks(len(task.queries), len(scorers) * len(names)):
        progress(block.start, len(task.queries), "scoring")
        queries, excluded = task.queries[block], task.excluded[block]
        answers = _scores(scorers, [query.theorem for query in queries], excluded)
        for ranked, (scores, probabilities) in zip(found, answers, strict=True):
            ranked.extend(
                ranked_queries(
                    scores,
                    queries=[query.id for query in queries],
                    gold=[query.gold for query in queries],
                    candidates=names,
                    excluded=excluded,
                    top=depth,
                    # The original code ranks the larger index first among equal scores.
                    tie="paper" if task.protocol.name.startswith("paper") else "order",
                    probabilities=probabilities,
                )
            )
    progress(len(task.queries), len(task.queries), "scoring")
    seconds = (time.perf_counter() - start) / len(scorers)
    return [Ranked(tuple(ranked), seconds) for ranked in found]


def _scores(
    scorers: Sequence[Scorer], queries: Sequence[Passage], excluded: Sequence[Sequence[int]]
) -> Iterable[tuple[Scores, Scores | None]]:
    """The scores of each scorer, with the probabilities that it states."""
    calibrated = [scorer for scorer in scorers if isinstance(scorer, CalibratedScorer)]
    if len(calibrated) == len(scorers):
        return calibrated[0].score_together(queries, excluded, calibrated[1:])
    return ((scorer.score(queries), None) for scorer in scorers)


def _blocks(queries: int, candidates: int) -> Iterator[slice]:
    size = max(1, CELLS // max(1, candidates))
    for first in range(0, queries, size):
        yield slice(first, min(first + size, queries))


def groups(corpus: Corpus, splits: Splits, queries: tuple[RankedQuery, ...], by: str) -> Groups:
    """The queries of a run in groups: by ``kind``, ``seen``, ``size`` or ``category``."""
    if by == "kind":
        return by_kind(queries, {statement.id: statement.kind for statement in corpus.statements})
    if by == "seen":
        proofs = (corpus.by_id[theorem].proofs[index] for theorem, index in splits.train.examples)
        return by_times_seen(queries, Counter(key for proof in proofs for key in set(proof.references)))
    if by == "size":
        return by_size(queries)
    if by != "category":
        raise UnknownName(f"no grouping is called {by!r}; available: kind, seen, size, category")
    asked = {query.query: corpus.by_id[query.theorem] for query in queries}
    return by_category(queries, {key: one.toplevel_categories or one.categories for key, one in asked.items()})


def group_measures(found: Groups) -> dict[str, dict[str, float | None]]:
    """The paper's measures, in percent, of every group that has queries."""
    return {name: compute_measures(queries, PAPER_MEASURES).shown() for name, queries in found.items() if queries}


# Generate sequences, and measure them.

RESAMPLES = 500
"""For the intervals of generation measures, which take longer."""


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
        return generated(fit_in_context(context, method, task.train, seed=seed), task)


def generated(fitted: FittedMethod[Generator], task: RetrievalTask) -> tuple[GeneratedSequence, ...]:
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
