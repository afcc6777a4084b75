"""What is served: open corpora with what their pages need, and saved runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
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
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.search import Found
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

    def __init__(self, opened: OpenCorpus, macros: Mapping[str, Macro]) -> None:
        """Bind an open corpus.

        Args:
            opened: The corpus.
            macros: Macros for rendering, where the corpus does not define its own.
        """
        self.opened = opened
        self.renderer = Renderer(opened.corpus, {**default_macros(), **macros, **opened.macros})
        self._statistics = Lazy(lambda: statistics(opened.corpus, make_splits(opened.corpus, Recipe())))
        links = SiteLinks(corpus_url(opened.name), statement_url(""))
        self._graph_page = Lazy(lambda: graph_page(opened.corpus, self.renderer.macros, site=links))

    @property
    def name(self) -> str:
        """The name of the corpus."""
        return self.opened.name

    @property
    def corpus(self) -> Corpus:
        """The statements."""
        return self.opened.corpus

    @property
    def graph(self) -> ReferenceGraph:
        """Who uses whom."""
        return self.opened.graph

    @property
    def statistics(self) -> Statistics:
        """The corpus in figures."""
        return self._statistics()

    @property
    def graph_page(self) -> str:
        """The drawing of the whole corpus, a page of its own."""
        return self._graph_page()

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
        at, statements = self.opened.positions[statement.id], self.corpus.statements
        return statements[at - 1] if at else None, statements[at + 1] if at + 1 < len(statements) else None

    def published_url(self, statement: Statement) -> str:
        """The page of the statement in the work itself, if it is known."""
        provenance = self.corpus.provenance
        return f"{provenance.url}/tag/{statement.tag}" if provenance.source == "stacks" and provenance.url else ""


class Site:
    """Everything that is served."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        tasks: tuple[Task, ...] = (),
        macros: Mapping[str, Macro] | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        """Bind open corpora and saved runs."""
        self._macros = dict(macros or {})
        self.tasks = tasks
        self.limits = limits
        self._open = workspace, tuple(ServedCorpus(one, self._macros) for one in workspace.corpora)

    @property
    def workspace(self) -> Workspace:
        """The corpora that are open."""
        return self._open[0]

    @property
    def corpora(self) -> tuple[ServedCorpus, ...]:
        """The same, each with what its pages need."""
        return self._open[1]

    def refresh(self) -> list[str]:
        """Read changed projects again; returns their names. Requests meanwhile see the old state or the new one."""
        before = self.workspace
        now = before.refresh()
        if now is before:
            return []
        now.warm()
        corpora = tuple(
            served if served.opened is one else ServedCorpus(one, self._macros)
            for served, one in zip(self.corpora, now.corpora, strict=True)
        )
        changed = [new.name for new, old in zip(corpora, self.corpora, strict=True) if new is not old]
        self._open = now, corpora
        return changed

    def warm(self) -> None:
        """Prepare what the first answers need."""
        self.workspace.warm()

    def corpus(self, name: str) -> ServedCorpus:
        """The corpus of that name."""
        return self.corpora[self.workspace.corpora.index(self.workspace.corpus(name))]

    def task(self, name: str) -> Task:
        """The task of that name."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise UnknownName(f"no task is called {name[:80]!r} here")

    def find(self, name: str) -> tuple[ServedCorpus, Statement]:
        """The statement of this name in the first corpus that has it."""
        found = self.workspace.find(name)
        return self.corpus(found.corpus.name), found.statement

    def known(self, key: StatementId) -> tuple[ServedCorpus, Statement] | None:
        """The statement with this id, if there is one."""
        found = self.workspace.find_id(key)
        return (self.corpus(found.corpus.name), found.statement) if found is not None else None

    def macros(self, corpus: str = "") -> Mapping[str, Macro]:
        """The macros of a corpus, or of all of them."""
        if corpus:
            return self.corpus(corpus).renderer.macros
        return {name: macro for one in reversed(self.corpora) for name, macro in one.renderer.macros.items()}

    def citation(self, statement: Statement) -> str:
        """What to paste to cite a statement."""
        return self.workspace.citation(statement)

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
                return self.workspace.suggest(found, k=k, corpora=corpora, cited=known)
        return self.workspace.suggest(text, title=title, k=k, corpora=corpora, cited=known)

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
        return self.workspace.search(query, k=k, corpora=corpora, kinds=kinds, chapters=chapters, categories=categories)
