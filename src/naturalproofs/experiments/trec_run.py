"""Score a TREC run that another program made: ``query Q0 document score-rank score tag`` on each line.

As in trec_eval, only the scores order the documents of a query (in single precision), and among equal scores the
document with the greater id comes first; the rank column is ignored. A gold reference that the run does not name counts
as missed. What the protocol does not allow as a candidate of a query, such as the theorem itself, is left out before
ranks are counted.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema, EmptySplit, SourceNotFound
from naturalproofs.evaluation.ranks import TOP, RankedQuery
from naturalproofs.experiments.evaluation import run_spec
from naturalproofs.experiments.runs import Run, measured_run
from naturalproofs.io.hashing import sha256_file
from naturalproofs.records import StatementId
from naturalproofs.tasks.dataset import Query, RetrievalTask, retrieval_task
from naturalproofs.tasks.exports.common import plain_id
from naturalproofs.tasks.protocols import protocol as protocol_named
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

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
    report = RunReport()
    _check_queries(path, answers, task, splits, report)
    documents = {plain_id(statement.id): statement.id for statement in corpus.statements}
    _check_documents(path, answers, documents)
    queries = _ranked(task, answers, documents, report)
    spec = run_spec(name or tag or path.stem, task, corpus, splits, seed, external=sha256_file(path)[:12])
    return measured_run(spec, queries, len(task.candidates), 0.0), report


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


def _check_queries(
    path: Path, answers: Mapping[str, object], task: RetrievalTask, splits: Splits, report: RunReport
) -> None:
    """Name queries that are unknown; those of another split and those without an answer are reported."""
    asked = {plain_id(query.id) for query in task.queries}
    elsewhere = {plain_id(f"{t}#{proof}") for name in SPLIT_NAMES for t, proof in splits.part(name).examples}
    extra = [query for query in answers if query not in asked]
    if unknown := [query for query in extra if query not in elsewhere]:
        raise BadSchema(
            f"{path}: {_listed(unknown)} not of this corpus; ids of queries are those of 'naturalproofs export'"
        )
    if len(extra) == len(answers):
        raise BadSchema(f"{path}: no query of {task.name} is in the run; choose its split with --split")
    report.other_split = extra
    report.missing = [query for query in sorted(asked) if query not in answers]


def _check_documents(
    path: Path, answers: Mapping[str, Mapping[str, object]], documents: Mapping[str, StatementId]
) -> None:
    unknown = dict.fromkeys(name for scores in answers.values() for name in scores if name not in documents)
    if unknown:
        raise BadSchema(
            f"{path}: {_listed(list(unknown), 'document', 'documents')} not of this corpus; "
            "ids of documents are those of 'naturalproofs export'"
        )


def _ranked(
    task: RetrievalTask,
    answers: Mapping[str, Mapping[str, float]],
    documents: Mapping[str, StatementId],
    report: RunReport,
) -> tuple[RankedQuery, ...]:
    names = [candidate.id for candidate in task.candidates]
    allowed = set(names)
    found, depths = [], []
    for query, excluded in zip(task.queries, task.excluded, strict=True):
        scores = answers.get(plain_id(query.id), {})
        out = {names[column] for column in excluded}
        order = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
        ranking = [key for key in (documents[document] for document in order) if key in allowed and key not in out]
        report.not_candidates += len(order) - len(ranking)
        if scores:
            depths.append(len(ranking))
        found.append(_ranked_query(query, ranking, len(names) - len(out)))
    report.shallowest, report.deepest = min(depths), max(depths)
    return tuple(found)


def _ranked_query(query: Query, ranking: Sequence[StatementId], candidates: int) -> RankedQuery:
    ranks = {key: rank for rank, key in enumerate(ranking, start=1)}
    gold = query.gold
    return RankedQuery(query.id, gold, tuple(ranks.get(key) for key in gold), candidates, tuple(ranking[:TOP]))


def _listed(names: Iterable[str], one: str = "query", several: str = "queries") -> str:
    """``2 queries (a, b) are``."""
    known = list(names)
    shown = ", ".join(known[:SHOWN]) + (" …" if len(known) > SHOWN else "")
    return f"{len(known):,} {one if len(known) == 1 else several} ({shown})"
