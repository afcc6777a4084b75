"""A corpus that is open: its graph, its macros, and a method bound to its statements and proofs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, consequences
from naturalproofs.corpus.load import LoadedCorpus, source_texts
from naturalproofs.io.collector import collector_paused
from naturalproofs.latex.display import Macro, read_macros
from naturalproofs.ranking.contract import Suggester
from naturalproofs.records import Passage, Place, Statement, StatementId
from naturalproofs.tasks.dataset import TrainingExample
from naturalproofs.tasks.passages import passages
from naturalproofs.workspace.citing import Citing, habits, local_prefixes
from naturalproofs.workspace.lexical.forward import Forward, cut
from naturalproofs.workspace.lexical.scorer import Lexical
from naturalproofs.workspace.lexical.settings import PLAIN
from naturalproofs.workspace.methods import bind, chosen_method, keep

if TYPE_CHECKING:
    from naturalproofs.workspace.index.project import Indexed


@dataclass
class Shelf:
    """One open corpus. Everything is made when first asked for, once, and only read afterwards."""

    opened: LoadedCorpus
    method: str | None = None
    """What suggests; the default method if None."""
    forward: Forward | None = None
    """The terms of the statements, where an index keeps them."""
    kept_macros: Mapping[str, Macro] | None = None
    folder: Path | None = None
    """Where a method may keep what it prepares."""
    given: tuple[Passage, ...] | None = field(default=None, repr=False)
    """The statements as methods see them, where an index has made that already."""
    before: Suggester | Path | None = field(default=None, repr=False)
    """The method as it was bound to the same project before an edit, or where its arrays are kept."""
    _lock: Lock = field(default_factory=Lock, repr=False)
    _advisor: Suggester | None = field(default=None, repr=False)

    @classmethod
    def indexed(cls, indexed: Indexed, method: str | None = None) -> Shelf:
        """A project that was opened through its index."""
        return cls(
            indexed.opened, method, indexed.forward, indexed.macros, indexed.folder, given=indexed.candidates or None
        )

    @property
    def name(self) -> str:
        """The name of the corpus."""
        return self.corpus.name

    @property
    def corpus(self) -> Corpus:
        """The statements."""
        return self.opened.corpus

    @property
    def root(self) -> Path | None:
        """The folder of the project, if this is one."""
        return self.opened.root

    @cached_property
    def graph(self) -> ReferenceGraph:
        """Who uses whom."""
        return ReferenceGraph.of(self.corpus)

    @cached_property
    def macros(self) -> Mapping[str, Macro]:
        """The author's own commands, for rendering."""
        return self.kept_macros if self.kept_macros is not None else read_macros(source_texts(self.opened))

    @cached_property
    def placed(self) -> bool:
        """Whether the statements have their places in a text."""
        return all(statement.place is not None for statement in self.corpus.statements)

    @cached_property
    def candidates(self) -> tuple[Passage, ...]:
        """What may be suggested: all statements, in order."""
        return self.given or tuple(passages(self.corpus.statements, place=self.placed))

    @cached_property
    def positions(self) -> dict[StatementId, int]:
        """Where each statement stands among the candidates."""
        return {statement.id: position for position, statement in enumerate(self.corpus.statements)}

    @cached_property
    def memory(self) -> tuple[TrainingExample, ...]:
        """All proofs that cite something."""
        return tuple(
            TrainingExample(self.candidates[self.positions[example.theorem]], example.references)
            for example in self.corpus.examples
        )

    @property
    def advisor(self) -> Suggester:
        """The method, bound to the statements."""
        with self._lock:
            if self._advisor is None:
                method = chosen_method(self.method, placed=self.placed)
                with collector_paused():
                    self._advisor = bind(method, self.candidates, self.memory, self.forward, self.folder, self.before)
                self.before = None
            return self._advisor

    def keep(self) -> None:
        """Have what the method keeps made ready, for whoever asks next."""
        if self.folder is not None:
            with collector_paused():
                keep(chosen_method(self.method, placed=self.placed), self.candidates, self.memory, self.folder)

    @cached_property
    def lexical(self) -> Lexical:
        """The plain facts of the corpus, whatever the method: words, and what proofs have cited."""
        return Lexical.of(PLAIN, self.candidates, self.memory, self.forward or cut(self.candidates))

    def position_of(self, statement: Statement) -> int | None:
        """How many statements stand before what is being written: the last proof of a theorem, or the theorem."""
        if statement.place is None:
            return None
        later = [proof.position for proof in statement.proofs if proof.position is not None]
        here = statement.place.position
        # A proof that follows its theorem has one statement more before it: the theorem itself.
        return max([here, *(position for position in later if position > here + 1)])

    def placed_at(self, passage: Passage, position: int | None) -> Passage:
        """The passage as if it were written after so many statements."""
        if position is None or not self.placed:
            return passage
        old = passage.place
        place = Place(*((old.document, old.chapter, old.section) if old else (self.name, "", "")), position)
        return replace(passage, place=place)

    def excluded(self, about: Statement | None, position: int | None) -> Collection[int]:
        """What may not be used: the theorem itself, and what stands after the proof or, in a wiki, rests on it."""
        own = [self.positions[about.id]] if about is not None else []
        if self.placed and position is not None:
            if self._in_order:
                return [*own, *range(position, len(self.candidates))]
            later = (at for at, c in enumerate(self.candidates) if c.place and c.place.position >= position)
            return [*own, *later]
        if about is None or self.placed:
            return own
        return [*own, *(self.positions[key] for key in consequences(self.graph, about.id))]

    @cached_property
    def _in_order(self) -> bool:
        """Whether every statement stands at its place."""
        return all(c.place is not None and c.place.position == at for at, c in enumerate(self.candidates))

    def citing(self, here: str = "", *, other: bool = False) -> Citing:
        """How its statements are cited from a file of the project, or from another work."""
        if other:
            return Citing(work=self.corpus.provenance.title or self.name, macros=self.macros)
        return Citing(self._habits[0], "", self._habits[1], here, self.root, self.macros)

    @cached_property
    def _habits(self) -> tuple[str, dict[str, str]]:
        return habits(self.corpus), local_prefixes(self.corpus)
