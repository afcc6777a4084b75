"""What is served: open corpora with what their pages need, and saved runs. Edited projects are read again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.store import counts
from naturalproofs.errors import NaturalProofsError, UnknownName
from naturalproofs.latex.display import Macro
from naturalproofs.records import Statement, StatementId
from naturalproofs.report.graph_page import GraphPage, SiteLinks, Texts, work_title
from naturalproofs.report.statistics import statistics
from naturalproofs.tasks.make import Recipe, make_splits
from naturalproofs.web.lazy import Lazy
from naturalproofs.web.render import Renderer, default_macros
from naturalproofs.web.runs import Task, load_tasks, runs_state
from naturalproofs.web.templating import corpus_url, figure_url, graph_url, statement_url
from naturalproofs.web.whole_graph import WholeGraph
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.figures import Figures
from naturalproofs.workspace.suggest import Suggestions

INTERVAL = 2.0
"""Seconds between two checks of the files of projects."""

log = logging.getLogger("naturalproofs.web")


class ServedCorpus:
    """One corpus on the pages; what takes long is computed on first use."""

    def __init__(self, opened: OpenCorpus, macros: Mapping[str, Macro]) -> None:
        """Bind an open corpus.

        Args:
            opened: The corpus.
            macros: Macros for rendering, where the corpus does not define its own.
        """
        self.opened = opened
        self.renderer = Renderer(opened.corpus, {**default_macros(), **macros, **opened.macros}, image=self._image)
        links = SiteLinks(corpus_url(opened.name), statement_url(""), texts=f"{graph_url(opened.name)}/text/")
        self.statistics = Lazy(lambda: statistics(opened.corpus, make_splits(opened.corpus, Recipe())))
        self.whole_graph = Lazy(lambda: WholeGraph(GraphPage(opened.corpus, self.renderer.macros, site=links)))
        self.graph_texts = Lazy(lambda: Texts(opened.corpus.statements, self.renderer.macros))

    @cached_property
    def images(self) -> Figures | None:
        """The image files of a project; a stored corpus has none."""
        return Figures(self.opened.root, self.opened.texts) if self.opened.root is not None else None

    def _image(self, file: str) -> str | None:
        """The address of a figure, if the project has it in a format of the web."""
        path = self.images.find(file) if self.images is not None else None
        return figure_url(self.name, path) if path is not None else None

    @property
    def name(self) -> str:
        """The name of the corpus."""
        return self.opened.name

    @property
    def title(self) -> str:
        """The title of the work, or the name of the corpus if the source states none."""
        return work_title(self.corpus)

    @property
    def corpus(self) -> Corpus:
        """The statements."""
        return self.opened.corpus

    @property
    def graph(self) -> ReferenceGraph:
        """Who uses whom."""
        return self.opened.graph

    @cached_property
    def figures(self) -> list[tuple[str, int]]:
        """How many theorems, definitions, proofs and references there are."""
        number = counts(self.corpus)
        kinds = [(name, number[name]) for name in ("theorems", "definitions", "others", "proofs")]
        return [*kinds, ("references", self.graph.edge_count)]

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


@dataclass(frozen=True)
class Site:
    """Everything that is served. Immutable: a request sees one state of all corpora, even if files change meanwhile."""

    workspace: Workspace
    corpora: tuple[ServedCorpus, ...]
    """The corpora of the workspace with what their pages need."""
    tasks: tuple[Task, ...] = ()
    extra_macros: Mapping[str, Macro] = field(default_factory=dict)
    """Macros for rendering, where a corpus does not define its own."""
    runs: Path | None = None
    """The folder of saved runs, which is looked at again for new ones."""
    runs_seen: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(
        cls,
        workspace: Workspace,
        *,
        tasks: tuple[Task, ...] = (),
        macros: Mapping[str, Macro] | None = None,
        runs: Path | None = None,
    ) -> Site:
        """The site of a workspace, with saved runs, or a folder of them, and macros for rendering."""
        given = dict(macros or {})
        corpora = tuple(ServedCorpus(one, given) for one in workspace.corpora)
        seen = runs_state(runs)
        return cls(workspace, corpora, tasks or load_tasks(runs), given, runs, seen)

    def refresh(self) -> Site:
        """The site as its files are now; this one if nothing has changed."""
        if (seen := runs_state(self.runs)) != self.runs_seen:
            return replace(self, tasks=load_tasks(self.runs), runs_seen=seen).refresh()
        now = self.workspace.refresh()
        if now is self.workspace:
            return self
        now.prepare(search=True)
        corpora = tuple(
            old if old.opened is one else ServedCorpus(one, self.extra_macros)
            for old, one in zip(self.corpora, now.corpora, strict=True)
        )
        return replace(self, workspace=now, corpora=corpora)

    def corpus(self, name: str) -> ServedCorpus:
        """The corpus of that name."""
        return self._served(self.workspace.corpus(name))

    def find(self, name: str) -> tuple[ServedCorpus, Statement]:
        """The statement with this id, label, tag, title or number."""
        found = self.workspace.find(name)
        return self._served(found.corpus), found.statement

    def known(self, key: StatementId) -> tuple[ServedCorpus, Statement] | None:
        """The statement with this id, if there is one."""
        found = self.workspace.find_id(key)
        return (self._served(found.corpus), found.statement) if found is not None else None

    def known_among(self, keys: Iterable[StatementId]) -> list[tuple[ServedCorpus, Statement]]:
        """The statements with these ids, as far as there are any."""
        return [found for key in keys if (found := self.known(key)) is not None]

    def _served(self, corpus: OpenCorpus) -> ServedCorpus:
        return next(one for one in self.corpora if one.opened is corpus)

    def task(self, name: str) -> Task:
        """The task of that name."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise UnknownName(f"no task is called {name[:80]!r} here")

    def macros(self, corpus: str = "") -> Mapping[str, Macro]:
        """The macros of a corpus, or of all of them; those of the first corpus take precedence."""
        if corpus:
            return self.corpus(corpus).renderer.macros
        return {name: macro for one in reversed(self.corpora) for name, macro in one.renderer.macros.items()}

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
        """Suggestions for a form: about its statement, unless the text was changed. Unknown citations are ignored."""
        known = [key for key in cited if self.workspace.find_id(key) is not None]
        if statement:
            about = self.workspace.find(statement).statement
            if not text.strip() or text.split() == "\n".join(about.lines).split():
                return self.workspace.suggest(about, k=k, corpora=corpora, cited=known)
        return self.workspace.suggest(text, title=title, k=k, corpora=corpora, cited=known)


class LiveSite:
    """The current state of a site. Requests take it once and keep it."""

    def __init__(self, site: Site) -> None:
        """Start with a site."""
        self.site = site

    def watch(self) -> None:
        """Poll the files in a thread, if there is a project or a folder of runs to watch."""
        if self.site.runs is not None or any(corpus.opened.root is not None for corpus in self.site.corpora):
            threading.Thread(target=self._poll, name="watcher", daemon=True).start()

    def refresh(self) -> bool:
        """Read changed projects again; whether there were any."""
        before = self.site
        try:
            self.site = before.refresh()
        except (NaturalProofsError, OSError) as error:
            # The last good state stays until the next change.
            log.warning("not read again (%s)", error)
        return self.site is not before

    def _poll(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self.refresh()
