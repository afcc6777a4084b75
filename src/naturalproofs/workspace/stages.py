r"""How far each statement of a blueprint is in Lean, from the marks ``\leanok``, ``\mathlibok`` and ``\notready``."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.io.files import current_bytes
from naturalproofs.io.listing import path_of
from naturalproofs.records import Origin, Statement, formal_names

_BEGIN = re.compile(r"\\begin\s*\{([^{}]+)\}")
_MARK = re.compile(r"(?<!%)\\(leanok|mathlibok|notready)(?![a-zA-Z])")
_LONGEST = 400
"""Lines of a statement or proof that are looked at."""


class Stage(IntEnum):
    """How far a statement is; each stage includes those before it."""

    NOT_READY = 0
    WRITTEN = 1
    NEXT = 2
    """Not stated in Lean, but all that it uses is."""
    STATED = 3
    PROVED = 4
    ALL_BELOW = 5
    """Proved, and so is all that it rests on."""


def stages(corpus: Corpus, graph: ReferenceGraph) -> list[Stage]:
    """The stage of each statement in reading order; nothing if the work marks no statement."""
    marks = _Marks(corpus)
    if not any(formal_names(one) for one in corpus.statements):
        return []
    own = {one.id: marks.of(one) for one in corpus.statements}
    if not any("leanok" in found or "mathlibok" in found for found, _ in own.values()):
        return []
    found = {one.id: _stage(one, *own[one.id]) for one in corpus.statements}
    unsettled = [key for key, stage in found.items() if stage < Stage.PROVED]
    reached = set(unsettled)
    while unsettled:
        new = [user for user in graph.used_by.get(unsettled.pop(), ()) if user not in reached]
        reached.update(new)
        unsettled += new
    for key, stage in found.items():
        if stage is Stage.PROVED and key not in reached:
            found[key] = Stage.ALL_BELOW
    stated = {key for key, stage in found.items() if stage >= Stage.STATED}
    for key, stage in found.items():
        if stage is Stage.WRITTEN and stated.issuperset(graph.uses.get(key, ())):
            found[key] = Stage.NEXT
    return [found[one.id] for one in corpus.statements]


def _stage(statement: Statement, marks: frozenset[str], proof_marks: frozenset[str]) -> Stage:
    if "mathlibok" in marks or "leanok" in proof_marks:
        return Stage.PROVED
    if "leanok" in marks:
        return Stage.STATED if statement.kind == "theorem" else Stage.PROVED
    return Stage.NOT_READY if "notready" in marks else Stage.WRITTEN


class _Marks:
    """Reads the marks at the places of statements and proofs; the text of a statement has none of them."""

    def __init__(self, corpus: Corpus) -> None:
        self._root = corpus.root
        self._lines = cache(self._read)

    def of(self, statement: Statement) -> tuple[frozenset[str], frozenset[str]]:
        """The marks of a statement, and those of its proofs."""
        proofs = (self._at(proof.origin) for proof in statement.proofs)
        return self._at(statement.origin), frozenset[str]().union(*proofs)

    def _read(self, path: str) -> list[str]:
        file = self._root / path_of(path) if self._root is not None else None
        return current_bytes(file).decode("utf-8", "replace").splitlines() if file and file.is_file() else []

    def _at(self, origin: Origin | None) -> frozenset[str]:
        lines = self._lines(origin.path)[origin.line - 1 :][:_LONGEST] if origin is not None else []
        begin = _BEGIN.search(lines[0]) if lines else None
        if begin is None:
            return frozenset()
        text = "\n".join(lines)[begin.start() :].partition(f"\\end{{{begin[1]}}}")[0]
        return frozenset(mark[1] for mark in _MARK.finditer(text))
