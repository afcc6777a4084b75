"""Runs on disk: what was done, where every gold reference ended up, and the figures that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from naturalproofs import __version__
from naturalproofs.errors import NotARun
from naturalproofs.evaluation.ranked import RankedQuery
from naturalproofs.io.files import replaced_folder
from naturalproofs.io.hashing import sha256_file
from naturalproofs.io.jsonl import read_jsonl, write_jsonl
from naturalproofs.io.manifests import FolderKind, pretty

MANIFEST = "run.json"
QUERIES = "queries.jsonl"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class RunSpec:
    """All that a figure depends on."""

    method: str
    corpus: str
    corpus_hash: str
    rules: str
    split: str
    split_recipe: str
    protocol: str
    seed: int


@dataclass(frozen=True, slots=True)
class RunManifest:
    """What a run folder holds; written last."""

    schema: int
    spec: RunSpec
    queries: int
    candidates: int
    seconds: float
    measures: dict[str, float | None]
    intervals: dict[str, tuple[float | None, float | None]]
    files: dict[str, str]
    made_by: str


FOLDERS = FolderKind("run", MANIFEST, RunManifest, SCHEMA, "naturalproofs evaluate -o", "evaluate again", NotARun)


@dataclass(frozen=True, slots=True)
class Run:
    """A run as read back."""

    manifest: RunManifest
    queries: tuple[RankedQuery, ...]

    @property
    def name(self) -> str:
        """How tables call it."""
        spec = self.manifest.spec
        return f"{spec.method} on {spec.corpus}/{spec.split} ({spec.protocol})"


def save_run(
    folder: Path,
    spec: RunSpec,
    queries: tuple[RankedQuery, ...],
    *,
    candidates: int,
    seconds: float,
    measures: dict[str, float | None],
    intervals: dict[str, tuple[float | None, float | None]],
) -> RunManifest:
    """Write a run folder whole."""
    with replaced_folder(folder, is_run) as scratch:
        write_jsonl(scratch / QUERIES, queries)
        files = {QUERIES: sha256_file(scratch / QUERIES)}
        made_by = f"naturalproofs {__version__}"
        manifest = RunManifest(SCHEMA, spec, len(queries), candidates, seconds, measures, intervals, files, made_by)
        (scratch / MANIFEST).write_bytes(pretty(manifest))
    return manifest


def load_run(folder: Path) -> Run:
    """Read a run folder; its queries must be the ones the manifest names."""
    manifest = FOLDERS.read(folder)
    return Run(manifest, tuple(read_jsonl(FOLDERS.checked(folder, manifest, QUERIES), RankedQuery)))


def is_run(path: Path) -> bool:
    """Whether a folder is a run."""
    return (path / MANIFEST).is_file()
