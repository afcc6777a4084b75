"""Runs: ranked queries with their measures and everything they depend on, in memory and on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from naturalproofs import __version__
from naturalproofs.errors import NotARun
from naturalproofs.evaluation.ranks import RankedQuery
from naturalproofs.io.files import replaced_folder, write_file
from naturalproofs.io.folders import FolderKind, pretty, read_jsonl, write_jsonl
from naturalproofs.io.hashing import sha256_file
from naturalproofs.tasks.exports.common import plain_id

MANIFEST = "run.json"
QUERIES = "queries.jsonl"
SCHEMA = 1


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

    @property
    def name(self) -> str:
        """The name used in messages."""
        return f"{self.spec.method} on {self.spec.corpus}/{self.spec.split} ({self.spec.protocol})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the queries."""
        spec = self.spec
        return {
            "corpus": spec.corpus,
            "corpus_hash": spec.corpus_hash,
            "rules": spec.rules,
            "split": spec.split,
            "split_recipe": spec.split_recipe,
            "protocol": spec.protocol,
            "method": spec.method,
            "seed": spec.seed,
            "queries": len(self.queries),
            "candidates": self.candidates,
            "measures": self.measures,
            "intervals": self.intervals,
            "seconds": round(self.seconds, 3),
        }

    def to_trec(self) -> bytes:
        """The stored candidates in TREC format: ``query Q0 document rank score tag``; the score is 1/rank."""
        tag = plain_id(self.spec.method.replace(" ", ""))
        lines = [
            f"{plain_id(query.query)} Q0 {plain_id(document)} {rank} {1 / rank:.6f} {tag}\n"
            for query in self.queries
            for rank, document in enumerate(query.top, start=1)
        ]
        return "".join(lines).encode()

    def save(self, folder: Path) -> None:
        """Write a run folder, atomically."""
        with replaced_folder(folder, is_run) as scratch:
            write_jsonl(scratch / QUERIES, self.queries)
            manifest = _Manifest(
                schema=SCHEMA,
                spec=self.spec,
                queries=len(self.queries),
                candidates=self.candidates,
                seconds=self.seconds,
                measures=self.measures,
                intervals=self.intervals,
                files={QUERIES: sha256_file(scratch / QUERIES)},
                made_by=f"naturalproofs {__version__}",
            )
            write_file(scratch / MANIFEST, pretty(manifest))


def load_run(folder: Path) -> Run:
    """Read a run folder and check its files against the manifest."""
    manifest = FOLDERS.read(folder)
    queries = tuple(read_jsonl(FOLDERS.checked(folder, manifest, QUERIES), RankedQuery))
    return Run(manifest.spec, queries, manifest.candidates, manifest.seconds, manifest.measures, manifest.intervals)


def is_run(path: Path) -> bool:
    """Whether a folder is a run."""
    return (path / MANIFEST).is_file()
