"""A corpus that is open: stored or of a project, with what is computed from it on demand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import compress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from naturalproofs.corpus.bibliography import bibliography, outside_uses
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, consequences
from naturalproofs.corpus.load import source_encoding
from naturalproofs.errors import MissingExtra
from naturalproofs.io.files import current_bytes, unsaved
from naturalproofs.io.listing import name_of, path_of, resolved
from naturalproofs.io.memory import collector_paused
from naturalproofs.records import BibliographyEntry, Example, Passage, Place, Statement, StatementId
from naturalproofs.sources.latex import Macro
from naturalproofs.sources.reading.settings import read_settings
from naturalproofs.sources.reading.text_files import decode
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from naturalproofs.tasks.protocols import passages
from naturalproofs.workspace.citations import (
    Citing,
    Habit,
    citing_command,
    citing_habits,
    label_prefixes,
)
from naturalproofs.workspace.figures import Figures
from naturalproofs.workspace.formats import format_named, format_of
from naturalproofs.workspace.labels import LabelIndex, NewLabels
from naturalproofs.workspace.notation import Notation, notation_table
from naturalproofs.workspace.object_cache import Cache
from naturalproofs.workspace.outside import OutsideWork, outside_works
from naturalproofs.workspace.project import Reading

if TYPE_CHECKING:
    from naturalproofs.ranking.contract import Suggester
    from naturalproofs.workspace.search import SearchIndex
    from naturalproofs.workspace.terms import TermUses

NEAR = 0.933
"""What a proof weighs in what the author usually does, of the next one: ten proofs away it is half."""


@dataclass(frozen=True, eq=False)
class OpenCorpus(Corpus):
    """A corpus of a workspace. Expensive parts are computed once, when they are first used, and only read later."""

    path: Path | None = None
    """What was opened: a corpus folder, a project folder or a main file."""
    method: str | None = None
    """The method that suggests; the default method if None."""
    macros: Mapping[str, Macro] = field(default_factory=dict, repr=False)
    cache: Cache | None = field(default=None, repr=False)
    fingerprint: str = ""
    """The hash by which this state of the corpus is recognised, if one is known without computing it."""
    reading: Reading | None = field(default=None, repr=False)
    """How the project was read, if this is one."""
    unsaved: Mapping[Path, bytes] = field(default_factory=dict, repr=False)
    before: OpenCorpus | None = field(default=None, repr=False)
    """The same project before an edit; what was computed for it is used again where it still holds."""
    _lock: RLock = field(default_factory=RLock, repr=False)
    _made: dict[str, Any] = field(default_factory=dict, repr=False)
    """The suggester and the search index, once they are made."""

    # One state of a corpus is equal only to itself: comparing all statements would take long.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @classmethod
    def of(cls, corpus: Corpus, **added: Any) -> OpenCorpus:
        """A corpus with the fields that are added to it here."""
        return cls(**{one.name: getattr(corpus, one.name) for one in fields(Corpus)}, **added)

    @cached_property
    def graph(self) -> ReferenceGraph:
        """Which statement uses which."""
        return ReferenceGraph.of(self)

    @cached_property
    def most_used(self) -> list[Statement]:
        """Statements by how many others use them, the most used first."""
        return sorted(self.statements, key=lambda one: -len(self.graph.used_by.get(one.id, ())))

    @cached_property
    def chapters(self) -> Mapping[str, Sequence[Statement]]:
        """The statements of each chapter, in reading order; none in a wiki."""
        found: dict[str, list[Statement]] = {}
        for statement in self.statements:
            if statement.chapter:
                found.setdefault(statement.chapter, []).append(statement)
        return found

    @cached_property
    def placed(self) -> bool:
        """Whether all statements have a place in reading order."""
        return all(one.position is not None for one in self.links)

    @cached_property
    def candidates(self) -> tuple[Passage, ...]:
        """All statements, in order, as methods see them."""
        return tuple(passages(self.statements, place=self.placed))

    @cached_property
    def positions(self) -> dict[StatementId, int]:
        """The position of each statement among the candidates."""
        return {one.id: position for position, one in enumerate(self.links)}

    @cached_property
    def train(self) -> TrainSet:
        """All statements, and all proofs that cite something; in reading order a query sees those that stand before."""
        examples = tuple(TrainingExample(self._proved(example), example.references) for example in self.examples)
        return TrainSet(self.candidates, examples, examples if self.placed else None)

    def _proved(self, example: Example) -> Passage:
        """The theorem of a proof, with the place of the proof if that stands apart."""
        theorem = self.candidates[self.positions[example.theorem]]
        position = self.by_id[example.theorem].proofs[example.proof].position
        if theorem.place is None or position is None or position <= theorem.place.position + 1:
            return theorem
        return replace(theorem, place=replace(theorem.place, position=position))

    @property
    def method_name(self) -> str:
        """The method that suggests."""
        from naturalproofs.workspace.methods import default_method

        return self.method or default_method(placed=self.placed)

    @property
    def suggester(self) -> Suggester:
        """The method, bound to the statements; an error names the extra that is missing."""
        with self._lock:
            if "suggester" not in self._made:
                self._made["suggester"] = self._bind()
                object.__setattr__(self, "before", None)  # The older state is not needed any more.
            found: Suggester = self._made["suggester"]
            return found

    def _bind(self) -> Suggester:
        try:
            from naturalproofs.workspace.methods import bind, cached_arrays

            before = self.before._made.get("suggester") if self.before is not None else None
            if before is not None and self.before is not None and self.before.train == self.train:
                same: Suggester = before
                return same
            # Unsaved text is never written to the cache; its arrays are only read.
            cache = self.cache if not self.unsaved else None
            if before is None and cache is None and self.cache is not None:
                before = cached_arrays(self.cache, self.method_name)
            with collector_paused():
                return bind(self.method_name, self.train, cache, before)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "naturalproofs":
                raise
            raise MissingExtra("suggest", "hybrid") from error

    def bound_state(self) -> OpenCorpus | None:
        """This state if its method is bound, else the one before it."""
        return self if "suggester" in self._made else self.before

    @property
    def search_index(self) -> SearchIndex:
        """The search index."""
        with self._lock:
            found: SearchIndex | None = self._made.get("search")
            return found or self.make_search_index()

    def make_search_index(self, *, damaged: bool = False) -> SearchIndex:
        """Open or build the search index; only build it if the one in the cache is damaged."""
        from naturalproofs.workspace.search import SearchIndex

        with self._lock:
            folder = self.cache.subfolder("search") if self.cache is not None and not self.unsaved else None
            made = SearchIndex.open_or_build(self, folder, self.fingerprint, macros=self.macros, damaged=damaged)
            self._made["search"] = made
            return made

    @cached_property
    def outside(self) -> tuple[OutsideWork, ...]:
        """The other works whose results the statements use."""
        uses = (use for statement in self.statements for use in outside_uses(statement))
        return outside_works(uses, self.bibliography)

    @cached_property
    def bibliography(self) -> tuple[BibliographyEntry, ...]:
        """The other works that the source lists."""
        with unsaved(self.unsaved):
            return bibliography(self)

    @cached_property
    def notation(self) -> tuple[Notation, ...]:
        """The symbols that definitions introduce, in reading order."""
        return notation_table(self.statements)

    @cached_property
    def term_uses(self) -> TermUses:
        """Which definitions and theorems the statements use by name, without a citation."""
        from naturalproofs.workspace.terms import TermUses

        return TermUses(self)

    # Labels and files

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The files of the project with text by path, unsaved texts included; none for a stored corpus."""
        if self.root is None:
            return {}
        files = {file.path: self.root / path_of(file.path) for file in self.inputs}
        with unsaved(self.unsaved):
            encoding = source_encoding(self)
            return {
                name: decode(current_bytes(file), encoding).text or ""
                for name, file in files.items()
                if (file.suffix in (".tex", "") or format_of(name)) and file.is_file()
            }

    @cached_property
    def images(self) -> Figures | None:
        """The image files of the project; None for a stored corpus."""
        return Figures(self.root, self.texts) if self.root is not None else None

    @cached_property
    def labels(self) -> LabelIndex:
        """Labels and references as they are written in the files."""
        references = read_settings(self.root).references if self.root is not None else {}
        return LabelIndex(self.anchors, self.texts, self.macros, references)

    @cached_property
    def cited_keys(self) -> frozenset[str]:
        """Every key that is cited anywhere: in statements, in proofs, or in the text around them."""
        found = {key for one in self.labels.occurrences if not one.is_label for key in (one.key, one.local_key)}
        for statement in self.statements:
            for mentions in (statement.mentions, *(proof.mentions for proof in statement.proofs)):
                found.update(mention.target for mention in mentions)
        return frozenset(found)

    def labelled(self, label: str) -> Statement | None:
        """The statement that a label belongs to."""
        anchor = self.anchors.get(label)
        return self.by_id.get(anchor.owner) if anchor and anchor.owner else None

    def inside(self, file: Path) -> str | None:
        """The path of a file inside the project."""
        file, root = resolved(file), resolved(self.root or Path())
        return name_of(file.relative_to(root)) if self.root and file.is_relative_to(root) else None

    def citing(self, file: str = "", *, other: bool = False) -> Citing:
        """How the statements are cited from a file of the project, or from another work."""
        if other:
            return Citing(work=self.title, macros=self.macros)
        command, prefixes, habits = self._citing
        own = format_named(self.provenance.source)
        keys = {label: anchor.key for label, anchor in self.anchors.items() if anchor.key}
        return Citing(command, "", prefixes, file, self.root, self.macros, own, habits, keys)

    @cached_property
    def _citing(self) -> tuple[str, dict[str, str], dict[str, tuple[Habit, ...]]]:
        return citing_command(self, self.texts.values()), label_prefixes(self), citing_habits(self, self.labels)

    @cached_property
    def new_labels(self) -> NewLabels:
        """The labels that statements without one would get."""
        return NewLabels(self, self.labels, self._citing[1])

    # Reading order

    def position_of(self, statement: Statement) -> int | None:
        """How many statements stand before the proof of a statement, or before the statement itself."""
        if statement.place is None:
            return None
        later = [proof.position for proof in statement.proofs if proof.position is not None]
        here = statement.place.position
        # A proof that follows its theorem has one more statement before it: the theorem itself.
        return max([here, *(position for position in later if position > here + 1)])

    def citing_before(self, about: Statement | None, position: int | None) -> tuple[float, float]:
        """How many proved theorems before a position have a proof that cites something, and how many there are.

        The nearest weigh most; without a position all weigh the same, but for the theorem itself.
        """
        places, citing = self._proved_theorems
        if position is None or not self.placed:
            own = [_cites(about)] if about is not None and about.proofs else []
            return sum(citing) - sum(own), len(citing) - len(own)
        before = citing[: bisect_left(places, position)]
        weights = [NEAR**distance for distance in range(len(before))]
        return sum(compress(weights, reversed(before))), sum(weights)

    @cached_property
    def _proved_theorems(self) -> tuple[list[int], list[bool]]:
        """The places of the theorems with a proof, and whether each cites something."""
        proved = [one for one in self.of_kind("theorem") if one.proofs]
        return [one.place.position if one.place is not None else 0 for one in proved], [*map(_cites, proved)]

    def placed_at(self, passage: Passage, position: int | None) -> Passage:
        """The passage as if it were written after so many statements."""
        if position is None or not self.placed:
            return passage
        old = passage.place
        place = Place(*((old.document, old.chapter, old.section) if old else (self.name, "", "")), position)
        return replace(passage, place=place)

    def excluded(self, about: Statement | None, position: int | None) -> Collection[int]:
        """Candidates that may not be used: the theorem, and what comes after its proof or, in a wiki, depends on it."""
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
        return all(c.place is not None and c.place.position == at for at, c in enumerate(self.candidates))


def _cites(theorem: Statement) -> bool:
    """Whether a proof of a theorem cites another statement."""
    return any(key != theorem.id for proof in theorem.proofs for key in proof.references)
