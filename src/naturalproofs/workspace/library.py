"""Several open corpora, asked together: the project one is writing, and works one may cite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.corpus.load import load_path
from naturalproofs.corpus.store import is_corpus
from naturalproofs.errors import PlacesUnknown, SourceNotFound, UnknownName
from naturalproofs.io.cache import project_cache
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import RankedCandidate
from naturalproofs.records import Passage, Statement, StatementId
from naturalproofs.workspace.asking import cited_keys, read_asked, with_proof
from naturalproofs.workspace.citing import Citing, printed_name
from naturalproofs.workspace.merging import coverage, merged
from naturalproofs.workspace.shelf import Shelf
from naturalproofs.workspace.suggest import Suggestion, Suggestions

__all__ = ["Library", "Shelf"]

REACH = 100
"""How far down a list is looked to say how many of it are enough."""


@dataclass(frozen=True, slots=True)
class Library:
    """Shelves by name; the first one is the project, if there is one."""

    shelves: tuple[Shelf, ...]

    @classmethod
    def open(
        cls,
        paths: Iterable[Path | str],
        *,
        method: str | None = None,
        kind: str = "latex",
        progress: Progress = silent,
    ) -> Library:
        """Open corpora and projects.

        Args:
            paths: Corpus folders, LaTeX projects or their main files.
            method: What suggests: a method's printed form or a model folder; the default one if None.
            kind: The name of the source of what is no corpus folder.
            progress: Told how far reading has come.
        """
        return cls.of(_shelf(Path(path), method, kind, progress) for path in paths)

    @classmethod
    def of(cls, found: Iterable[Shelf]) -> Library:
        """A library of shelves that are open already."""
        shelves = tuple(found)
        names = [shelf.name for shelf in shelves]
        for name in names:
            if names.count(name) > 1:
                raise UnknownName(f"two corpora are called {name!r}; rename one of them, or open them one at a time")
        if not shelves:
            raise UnknownName("no corpus was given; give a corpus folder or a LaTeX project")
        return cls(shelves)

    def shelf(self, name: str) -> Shelf:
        """The shelf of that name."""
        for shelf in self.shelves:
            if shelf.name == name:
                return shelf
        raise UnknownName(f"no corpus is called {name!r} here; there are: {', '.join(s.name for s in self.shelves)}")

    def statement(self, key: StatementId) -> Statement:
        """The statement with this id, in whichever corpus."""
        return self.home(key).corpus.by_id[key]

    def home(self, key: StatementId) -> Shelf:
        """The shelf that holds a statement."""
        for shelf in self.shelves:
            if key in shelf.corpus.by_id:
                return shelf
        raise UnknownName(f"no statement has the id {key!r} here; ids look like {self.shelves[0].name}:label")

    def suggest(
        self,
        query: str | Statement,
        *,
        k: int = 10,
        corpora: Sequence[str] | None = None,
        cited: Sequence[StatementId] = (),
        title: str = "",
        proof: str = "",
        at: int | None = None,
        here: str = "",
        explained: int | None = None,
    ) -> Suggestions:
        """What a proof may want to cite, best first.

        Args:
            query: A theorem in LaTeX, possibly with the beginning of its proof; or a statement of a shelf, for which
                only what may be used in its proof is suggested.
            k: How many.
            corpora: The names of the shelves to ask; all if None.
            cited: What the proof cites already.
            title: The title of a theorem given as text.
            proof: As much of the proof as is written; it says what may come next.
            at: For text: how many statements of the first shelf stand before what is written; all if None.
            here: For text: the file of the first shelf in which it is written.
            explained: How many, from the best, are given reasons, which take longest to find; all if None.
        """
        if k < 1:
            raise UnknownName("at least one suggestion must be asked for")
        shelves = self.shelves if corpora is None else tuple(self.shelf(name) for name in corpora)
        if isinstance(query, Statement):
            home = self.home(query.id)
            about, at, here = query, home.position_of(query), query.origin.path if query.origin else ""
            passage = home.candidates[home.positions[query.id]]
        else:
            asked = read_asked(query)
            home, about = self.shelves[0], None
            passage = Passage("", "theorem", title or asked.title, asked.text)
            cited = (*cited, *self._known((*asked.keys, *cited_keys(proof))))
            proof = proof or asked.proof
        passage = replace(passage, text=with_proof(passage.text, proof))
        lists = []
        for shelf in shelves:
            own = shelf is home
            place = at if own else None
            answers = _ask(
                shelf, passage, about if own else None, place, k, k if explained is None else explained, cited
            )
            citing = shelf.citing(here, other=not own)
            lists.append([_suggestion(shelf, answer, citing) for answer in answers])
        everything = merged(lists)
        expected, enough, covered = coverage(everything, k)
        shown = " ".join((about.title or about.label if about else passage.title or passage.text).split())[:80]
        return Suggestions(
            tuple(everything[:k]),
            expected,
            enough,
            covered,
            shown,
            about.id if about else None,
            tuple(dict.fromkeys(cited)),
        )

    def _known(self, keys: Iterable[str]) -> list[StatementId]:
        by_label = self.shelves[0].corpus.by_label
        return [by_label[key].id for key in keys if key in by_label]


def _shelf(path: Path, method: str | None, kind: str, progress: Progress) -> Shelf:
    """Open a LaTeX project through its index, anything else as it is."""
    if kind != "latex" or not path.exists() or (path.is_dir() and is_corpus(path)):
        opened = load_path(path, kind, progress)
        folder = project_cache(path) / "corpus" if path.is_dir() and is_corpus(path) else None
        return Shelf(opened, method, folder=folder)
    from naturalproofs.workspace.index.finding import project_of
    from naturalproofs.workspace.index.project import open_project

    project = project_of(path)
    try:
        indexed = open_project(project, progress)
    except SourceNotFound:
        # Documents that lie side by side without being one project: the one that was named is read by itself.
        if project == path:
            raise
        indexed = open_project(path, progress)
    return Shelf.indexed(indexed, method)


def _suggestion(shelf: Shelf, answer: RankedCandidate, citing: Citing) -> Suggestion:
    by_id = shelf.corpus.by_id
    statement = shelf.corpus.statements[answer.position]
    # Methods read the words of a label where there is no title; people are not told that it is called so.
    reasons = tuple(reason for reason in answer.reasons if reason.kind != "titles" or statement.title)
    spoken_of = {key: by_id[key] for reason in reasons for key in reason.statements if key in by_id}
    names = {key: citing.plain(one.title) or printed_name(one) for key, one in spoken_of.items()}
    return Suggestion(statement, shelf.name, answer.score, answer.probability, reasons, citing, names)


def _ask(
    shelf: Shelf,
    passage: Passage,
    about: Statement | None,
    at: int | None,
    k: int,
    explained: int,
    cited: Sequence[StatementId],
) -> Sequence[RankedCandidate]:
    """Ask one shelf; a method that must know where one writes is told: at the end."""
    asked = shelf.placed_at(passage if about is not None else replace(passage, place=None), at)
    excluded = shelf.excluded(about, at)
    advisor = shelf.advisor
    reach = min(max(k, REACH), len(shelf.candidates))

    def ask(query: Passage) -> Sequence[RankedCandidate]:
        return advisor.suggest(query, k=reach, excluded=excluded, cited=cited, explained=explained)

    try:
        return ask(asked)
    except PlacesUnknown:
        if asked.place is not None or not shelf.placed:
            raise
        return ask(shelf.placed_at(asked, len(shelf.candidates)))
