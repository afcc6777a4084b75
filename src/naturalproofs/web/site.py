"""What is served: open corpora with what their pages need, and saved runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import UnknownName
from naturalproofs.latex.display import Macro
from naturalproofs.records import Statement, StatementId
from naturalproofs.report.graph_page.page import SiteLinks, graph_page
from naturalproofs.report.statistics import Statistics, statistics
from naturalproofs.tasks.make import Recipe, make_splits
from naturalproofs.web.limits import LIMITS, Limits
from naturalproofs.web.macros import default_macros
from naturalproofs.web.render import Renderer
from naturalproofs.web.runs import Task
from naturalproofs.web.urls import corpus_url, statement_url
from naturalproofs.workspace.kept import kept_folder, prepared, search_index
from naturalproofs.workspace.library import Library, Shelf
from naturalproofs.workspace.search import Found, SearchIndex, search
from naturalproofs.workspace.suggest import Suggestions

T = TypeVar("T")


class Lazy(Generic[T]):
    """A value that is computed once, by the first thread that asks; others wait. An error is not cached."""

    def __init__(self, compute: Callable[[], T]) -> None:
        """Bind the computation."""
        self._compute = compute
        self._lock = Lock()
        self._values: list[T] = []

    def __call__(self) -> T:
        """The value."""
        if not self._values:
            with self._lock:
                if not self._values:
                    self._values.append(self._compute())
        return self._values[0]


class ServedCorpus:
    """One corpus on the pages; what takes long is computed on first use."""

    def __init__(self, shelf: Shelf, cache: Path | None, macros: Mapping[str, Macro]) -> None:
        """Bind an open corpus.

        Args:
            shelf: The corpus.
            cache: The cache folder of search indexes; they are made in memory if None.
            macros: Macros for rendering, where the corpus does not bring its own.
        """
        self.shelf = shelf
        self.renderer = Renderer(shelf.corpus, {**default_macros(), **macros, **shelf.macros})
        self._kept = Lazy(lambda: kept_folder(cache, shelf.corpus))
        self._search = Lazy(lambda: search_index(shelf.corpus, self._kept()))
        self._statistics = Lazy(lambda: statistics(shelf.corpus, make_splits(shelf.corpus, Recipe())))
        self._graph_page = Lazy(
            lambda: graph_page(
                shelf.corpus, self.renderer.macros, site=SiteLinks(corpus_url(shelf.name), statement_url(""))
            )
        )

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
    def figures(self) -> list[tuple[str, int]]:
        """How many theorems, definitions, proofs and references there are."""
        kinds = Counter(statement.kind for statement in self.corpus.statements)
        return [
            ("theorems", kinds["theorem"]),
            ("definitions", kinds["definition"]),
            ("others", kinds["other"]),
            ("proofs", sum(len(statement.proofs) for statement in self.corpus.statements)),
            ("references", self.graph.edge_count),
        ]

    @cached_property
    def most_used(self) -> list[Statement]:
        """Statements by how many others use them, the most used first."""
        return sorted(self.corpus.statements, key=lambda one: -len(self.graph.used_by.get(one.id, ())))

    @cached_property
    def chapters(self) -> Mapping[str, Sequence[Statement]]:
        """The statements of each chapter, in reading order; none in a wiki."""
        found: dict[str, list[Statement]] = {}
        for statement in self.corpus.statements:
            if statement.place and statement.place.chapter:
                found.setdefault(statement.place.chapter, []).append(statement)
        return found

    def beside(self, statement: Statement) -> tuple[Statement | None, Statement | None]:
        """The statements before and after one."""
        at, statements = self.shelf.positions[statement.id], self.corpus.statements
        return statements[at - 1] if at else None, statements[at + 1] if at + 1 < len(statements) else None

    def published_url(self, statement: Statement) -> str:
        """The page of the statement in the work itself, if it is known."""
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
        """Bind open corpora and saved runs."""
        self._macros = dict(macros or {})
        self._open = library, tuple(ServedCorpus(shelf, cache, self._macros) for shelf in library.shelves)
        self.tasks = tasks
        self.limits = limits

    @property
    def library(self) -> Library:
        """The corpora that are open."""
        return self._open[0]

    @property
    def corpora(self) -> tuple[ServedCorpus, ...]:
        """The same, each with what its pages need."""
        return self._open[1]

    def replace(self, position: int, shelf: Shelf) -> None:
        """Replace a corpus by a newer reading; requests under way see the old one or the new one as a whole."""
        # The index of a project that is being edited is not cached: the next edit makes another.
        corpus = ServedCorpus(shelf, None, self._macros)
        corpus.warm()
        library, corpora = self._open
        shelves = (*library.shelves[:position], shelf, *library.shelves[position + 1 :])
        self._open = Library.of(shelves), (*corpora[:position], corpus, *corpora[position + 1 :])

    def warm(self) -> None:
        """Prepare what the first answers need."""
        for corpus in self.corpora:
            corpus.warm()

    def corpus(self, name: str) -> ServedCorpus:
        """The corpus of that name."""
        for corpus in self.corpora:
            if corpus.name == name:
                return corpus
        names = ", ".join(corpus.name for corpus in self.corpora)
        raise UnknownName(f"no corpus is called {name[:80]!r} here; there are: {names}")

    def task(self, name: str) -> Task:
        """The task of that name."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise UnknownName(f"no task is called {name[:80]!r} here")

    def find(self, name: str) -> tuple[ServedCorpus, Statement]:
        """The statement with this id, or else with this label, tag or title in the first corpus that has it."""
        known = self.known(name)
        if known is not None:
            return known
        for corpus in self.corpora:
            try:
                return corpus, corpus.corpus.find(name)
            except UnknownName:
                continue
        raise UnknownName(f"no statement is called {name[:80]!r} here; search for it")

    def known(self, key: StatementId) -> tuple[ServedCorpus, Statement] | None:
        """The statement with this id, if there is one."""
        return next(((one, one.corpus.by_id[key]) for one in self.corpora if key in one.corpus.by_id), None)

    def macros(self, corpus: str = "") -> Mapping[str, Macro]:
        """The macros of a corpus, or of all of them."""
        if corpus:
            return self.corpus(corpus).renderer.macros
        return {name: macro for one in reversed(self.corpora) for name, macro in one.renderer.macros.items()}

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
        searched = self.corpora if corpora is None else tuple(self.corpus(name) for name in corpora)
        indexes = [one.search for one in searched]
        return search(indexes, query, k=k, kinds=kinds, chapters=chapters, categories=categories)
