"""What is served: corpora that are open, their search indexes, and kept runs; asked by pages and programs alike."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import UnknownName
from naturalproofs.latex.display import Macro
from naturalproofs.records import Statement, StatementId
from naturalproofs.report.graph_page.page import graph_page
from naturalproofs.report.statistics import Statistics, statistics
from naturalproofs.tasks.make import Recipe, make_splits
from naturalproofs.web.html import Html
from naturalproofs.web.limits import LIMITS, Limits
from naturalproofs.web.macros import usual_macros
from naturalproofs.web.once import Once
from naturalproofs.web.reading import Reading
from naturalproofs.web.runs import Task
from naturalproofs.workspace.beginnings import beginning
from naturalproofs.workspace.kept import kept_folder, prepared, search_index
from naturalproofs.workspace.library import Library, Shelf
from naturalproofs.workspace.search import Found, SearchIndex, search
from naturalproofs.workspace.suggest import Suggestions

EXCERPT = 420
"""About how many characters of a statement a list shows."""


class Room:
    """One corpus on the page; what takes long is made when first asked for, once."""

    def __init__(self, shelf: Shelf, cache: Path | None, macros: Mapping[str, Macro]) -> None:
        """Bind an open corpus.

        Args:
            shelf: The corpus.
            cache: Where search indexes are kept; they are made in memory if None.
            macros: Commands for rendering, where the corpus does not bring its own.
        """
        self.shelf = shelf
        self.reading = Reading(shelf.corpus, {**usual_macros(), **macros, **shelf.macros})
        self._kept = Once(lambda: kept_folder(cache, shelf.corpus))
        self._search = Once(lambda: search_index(shelf.corpus, self._kept()))
        self._statistics = Once(lambda: statistics(shelf.corpus, make_splits(shelf.corpus, Recipe())))
        self._graph_page = Once(lambda: graph_page(shelf.corpus, self.reading.macros))

    @property
    def name(self) -> str:
        """The name of the corpus."""
        return self.shelf.name

    @property
    def corpus(self) -> Corpus:
        """The statements."""
        return self.shelf.corpus

    @property
    def graph(self) -> ReferenceGraph:
        """Who uses whom."""
        return self.shelf.graph

    @property
    def search(self) -> SearchIndex:
        """The search index."""
        return self._search()

    @property
    def statistics(self) -> Statistics:
        """The corpus in figures."""
        return self._statistics()

    @property
    def graph_page(self) -> str:
        """The drawing of the whole corpus, a page of its own."""
        return self._graph_page()

    def warm(self) -> None:
        """Open or make what searching and suggesting need."""
        _ = self.search, prepared(self.shelf, self._kept()).advisor

    @cached_property
    def chapters(self) -> Mapping[str, Sequence[Statement]]:
        """The statements of each chapter, in reading order; none in a wiki."""
        found: dict[str, list[Statement]] = {}
        for statement in self.corpus.statements:
            if statement.place and statement.place.chapter:
                found.setdefault(statement.place.chapter, []).append(statement)
        return found

    @cached_property
    def _positions(self) -> dict[StatementId, int]:
        return {statement.id: position for position, statement in enumerate(self.corpus.statements)}

    def beside(self, key: StatementId) -> tuple[Statement | None, Statement | None]:
        """The statements before and after one."""
        at, statements = self._positions[key], self.corpus.statements
        return statements[at - 1] if at else None, statements[at + 1] if at + 1 < len(statements) else None

    def excerpt(self, statement: Statement) -> Html:
        """The beginning of a statement, for a list."""
        source = beginning(statement.lines, EXCERPT)
        whole = len(source) == len("\n".join(statement.lines))
        return self.reading.excerpt(statement, source if whole else f"{source} \\dots")

    def outside(self, statement: Statement) -> str:
        """Where the work itself shows the statement, if it is known."""
        provenance = self.corpus.provenance
        return f"{provenance.url}/tag/{statement.tag}" if provenance.source == "stacks" and provenance.url else ""


class Site:
    """Everything that is served."""

    def __init__(
        self,
        library: Library,
        *,
        tasks: tuple[Task, ...] = (),
        cache: Path | None = None,
        macros: Mapping[str, Macro] | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        """Bind open corpora and kept runs."""
        self._macros = dict(macros or {})
        self._open = library, tuple(Room(shelf, cache, self._macros) for shelf in library.shelves)
        self.tasks = tasks
        self.limits = limits

    @property
    def library(self) -> Library:
        """The corpora that are open."""
        return self._open[0]

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The same, each with what the page needs of it."""
        return self._open[1]

    def renew(self, position: int, shelf: Shelf) -> None:
        """Put a corpus in the place of what it was before; who asks meanwhile gets the old one or the new one whole."""
        # An index of what is being edited is not worth keeping: the next edit makes another.
        room = Room(shelf, None, self._macros)
        room.warm()
        library, rooms = self._open
        shelves = (*library.shelves[:position], shelf, *library.shelves[position + 1 :])
        self._open = Library.of(shelves), (*rooms[:position], room, *rooms[position + 1 :])

    def warm(self) -> None:
        """Make what the first answers need."""
        for room in self.rooms:
            room.warm()

    def room(self, name: str) -> Room:
        """The corpus of that name."""
        for room in self.rooms:
            if room.name == name:
                return room
        raise UnknownName(f"no corpus is called {name[:80]!r} here; there are: {', '.join(r.name for r in self.rooms)}")

    def task(self, name: str) -> Task:
        """The task of that name."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise UnknownName(f"no task is called {name[:80]!r} here")

    def find(self, name: str) -> tuple[Room, Statement]:
        """The statement with this id, or else with this label, tag or title in the first corpus that has it."""
        known = self.known(name)
        if known is not None:
            return known
        for room in self.rooms:
            try:
                return room, room.corpus.find(name)
            except UnknownName:
                continue
        raise UnknownName(f"no statement is called {name[:80]!r} here; search for it")

    def known(self, key: StatementId) -> tuple[Room, Statement] | None:
        """The statement with this id, if there is one."""
        return next(((room, room.corpus.by_id[key]) for room in self.rooms if key in room.corpus.by_id), None)

    def macros(self, corpus: str = "") -> Mapping[str, Macro]:
        """The commands that a preview knows: those of a corpus, or of all of them."""
        if corpus:
            return self.room(corpus).reading.macros
        return {name: macro for room in reversed(self.rooms) for name, macro in room.reading.macros.items()}

    def citation(self, statement: Statement) -> str:
        """What to paste to cite a statement; works beside the first are cited in words."""
        home = self.library.home(statement.id)
        return home.citing(other=home is not self.library.shelves[0]).citation(statement)

    def suggest(
        self,
        text: str,
        *,
        statement: str = "",
        title: str = "",
        k: int,
        corpora: Sequence[str] | None = None,
        cited: Sequence[str] = (),
    ) -> Suggestions:
        """What a proof may want to cite; about a statement if one is named and the text is still its own."""
        known = [pair[1].id for key in cited if (pair := self.known(key)) is not None]
        if statement:
            _, found = self.find(statement)
            if not text.strip() or text.split() == "\n".join(found.lines).split():
                return self.library.suggest(found, k=k, corpora=corpora, cited=known)
        return self.library.suggest(text, title=title, k=k, corpora=corpora, cited=known)

    def search(
        self,
        query: str,
        *,
        k: int,
        corpora: Sequence[str] | None = None,
        kinds: Collection[str] = (),
        chapters: Collection[str] = (),
        categories: Collection[str] = (),
    ) -> Found:
        """Search one corpus or several; the best of all come first."""
        rooms = self.rooms if corpora is None else tuple(self.room(name) for name in corpora)
        indexes = [room.search for room in rooms]
        return search(indexes, query, k=k, kinds=kinds, chapters=chapters, categories=categories)
