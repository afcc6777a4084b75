"""Following a project while it is written: what changed, new problems, solved problems."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.cache import BESIDE
from naturalproofs.io.listing import TEX_SUFFIXES
from naturalproofs.records import Statement, StatementId
from naturalproofs.workspace.check import Finding
from naturalproofs.workspace.formats import FORMATS
from naturalproofs.workspace.workspace import Workspace

SUFFIXES = (
    *TEX_SUFFIXES,
    ".sty",
    ".cls",
    ".bib",
    ".toml",
    ".aux",
    ".yml",
    *(s for one in FORMATS for s in one.suffixes),
)


@dataclass(frozen=True, slots=True)
class Step:
    """What one round of edits did."""

    statements: int
    seconds: float = 0.0
    added: tuple[Statement, ...] = ()
    changed: tuple[Statement, ...] = ()
    removed: tuple[Statement, ...] = ()
    problems: tuple[Finding, ...] = ()
    """New findings; all of them in the first step."""
    solved: tuple[Finding, ...] = ()
    error: str = ""
    """Why the project could not be read, if it could not."""


def is_relevant(path: str) -> bool:
    """Whether a changed file may be part of a project."""
    return path.endswith(SUFFIXES) and f"/{BESIDE}/" not in path.replace("\\", "/")


def follow(path: Path, rounds: Iterable[object]) -> Iterator[Step]:
    """Open a project, and refresh it in every round.

    A project that cannot be read, for instance while a file is being saved, gives a step with an error, and one when it
    can be read again.
    """
    workspace: Workspace | None = None
    known: dict[str, Finding] = {}
    failed = False
    for _ in chain([None], rounds):
        start = time.perf_counter()
        try:
            now = Workspace.open(path) if workspace is None else workspace.refresh()
        except NaturalProofsError as error:
            failed = True
            yield Step(0, error=str(error))
            continue
        if now is workspace and not failed:
            continue
        failed = False
        found = {finding.fingerprint: finding for finding in now.check().findings}
        yield Step(
            len(now.home.statements),
            time.perf_counter() - start,
            *_differences(workspace, now),
            problems=tuple(one for mark, one in found.items() if mark not in known),
            solved=tuple(one for mark, one in known.items() if mark not in found),
        )
        workspace, known = now, found


def _differences(
    before: Workspace | None, now: Workspace
) -> tuple[tuple[Statement, ...], tuple[Statement, ...], tuple[Statement, ...]]:
    if before is None:
        return (), (), ()
    old, new = _contents(before), _contents(now)
    added = tuple(statement for key, (statement, _) in new.items() if key not in old)
    changed = tuple(statement for key, (statement, text) in new.items() if key in old and old[key][1] != text)
    removed = tuple(statement for key, (statement, _) in old.items() if key not in new)
    return added, changed, removed


def _contents(workspace: Workspace) -> dict[StatementId, tuple[Statement, object]]:
    """Statements with what an author edits; line numbers and numbers change by themselves."""
    return {
        s.id: (s, (s.title, s.lines, [(p.lines, p.references) for p in s.proofs])) for s in workspace.home.statements
    }
