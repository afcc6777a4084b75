"""Following a project while it is written: what changed, what became wrong, what was mended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import NaturalProofsError
from naturalproofs.records import Statement, StatementId
from naturalproofs.workspace.index.project import Indexed, Work, open_project
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.run import run

SUFFIXES = (".tex", ".ltx", ".sty", ".cls", ".bib", ".toml", ".aux")


@dataclass(frozen=True, slots=True)
class Step:
    """What one round of edits did."""

    work: Work
    statements: int
    added: tuple[Statement, ...] = ()
    changed: tuple[Statement, ...] = ()
    removed: tuple[Statement, ...] = ()
    problems: tuple[Finding, ...] = ()
    """Findings that were not there before; all of them in the first step."""
    mended: tuple[Finding, ...] = ()
    error: str = ""
    """Why the project could not be read, if it could not."""


def concerns(path: str) -> bool:
    """Whether a file that changed may be part of a LaTeX project."""
    return path.endswith(SUFFIXES) and "/.naturalproofs/" not in path.replace("\\", "/")


def follow(path: Path, rounds: Iterable[object]) -> Iterator[Step]:
    """Open the project, and again whenever the rounds say that something changed.

    A project that cannot be read for a moment, as while a file is being saved, is told and read again next time.
    """
    before: Indexed | None = None
    known: dict[str, Finding] = {}
    for _ in _first_and(rounds):
        try:
            now = open_project(path)
        except NaturalProofsError as error:
            yield Step(Work(), 0, error=str(error))
            continue
        if before is not None and not now.work.read and not now.work.changes:
            continue
        found = {finding.fingerprint: finding for finding in run(now.opened).findings}
        added, changed, removed = _differences(before, now)
        yield Step(
            work=now.work,
            statements=len(now.opened.corpus.statements),
            added=added,
            changed=changed,
            removed=removed,
            problems=tuple(one for mark, one in found.items() if mark not in known),
            mended=tuple(one for mark, one in known.items() if mark not in found),
        )
        before, known = now, found


def _first_and(rounds: Iterable[object]) -> Iterator[object]:
    yield None
    yield from rounds


def _differences(
    before: Indexed | None, now: Indexed
) -> tuple[tuple[Statement, ...], tuple[Statement, ...], tuple[Statement, ...]]:
    if before is None:
        return (), (), ()
    old, new = _texts(before), _texts(now)
    added = tuple(statement for key, (statement, _) in new.items() if key not in old)
    changed = tuple(statement for key, (statement, text) in new.items() if key in old and old[key][1] != text)
    removed = tuple(statement for key, (statement, _) in old.items() if key not in new)
    return added, changed, removed


def _texts(indexed: Indexed) -> dict[StatementId, tuple[Statement, object]]:
    """Statements with what an author changes when editing them; lines and numbers move by themselves."""
    return {
        s.id: (s, (s.title, s.lines, [(p.lines, p.references) for p in s.proofs]))
        for s in indexed.opened.corpus.statements
    }
