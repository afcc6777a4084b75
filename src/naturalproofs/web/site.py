"""What is served: open corpora with what their pages need, and saved runs. Edited projects are read again."""

from __future__ import annotations

import logging
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import NaturalProofsError, UnknownName
from naturalproofs.latex.display import Macro
from naturalproofs.records import Statement, StatementId
from naturalproofs.report.graph_page import GraphPage, SiteLinks, Texts, work_title
from naturalproofs.report.statistics import statistics
from naturalproofs.tasks.make import Recipe, make_splits
from naturalproofs.web.render import Renderer
from naturalproofs.web.runs import Task, load_tasks, runs_state
from naturalproofs.web.templating import corpus_url, figure_url, graph_url, statement_url
from naturalproofs.web.views import corpus_figures
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.document_macros import with_defaults
from naturalproofs.workspace.figures import Figures
from naturalproofs.workspace.suggest import Suggestions

INTERVAL = 2.0
"""Seconds between two checks of the files of projects."""
LEVEL = 6
"""Of the compression of a graph page: a higher one takes twice as long for 2 % less."""
GZIP = 16 + zlib.MAX_WBITS
FAILED = '<p class="sorry" role="alert">The server could not draw the graph: {}. Load the page again later.</p>'

log = logging.getLogger("naturalproofs.web")
T = TypeVar("T")


class Lazy(Generic[T]):
    """A value that is computed once, by the first thread that asks; others wait. An error is not cached."""

    def __init__(self, compute: Callable[[], T]) -> None:
        """Bind the computation."""
        self._compute = compute
        self._lock = threading.Lock()
        self._values: list[T] = []

    def __call__(self) -> T:
        """The value."""
        if not self._values:
            with self._lock:
                if not self._values:
                    self._values.append(self._compute())
        return self._values[0]

    @property
    def known(self) -> bool:
        """Whether it is computed already."""
        return bool(self._values)


class WholeGraph:
    """The two parts of a graph page: its start, sent at once, and the rest, which may have megabytes, when made."""

    def __init__(self, page: GraphPage) -> None:
        """Bind the page."""
        self.policy = page.policy
        self.start = page.start.encode()
        self.rest = Lazy(lambda: page.rest().encode("utf-8", "replace"))
        compressor = zlib.compressobj(LEVEL, wbits=GZIP)
        # The browser can show what comes before a flush.
        self.compressed_start = compressor.compress(self.start) + compressor.flush(zlib.Z_SYNC_FLUSH)
        self._compressor = compressor
        self.compressed_rest = Lazy(lambda: self._compressed(self.rest()))

    def _compressed(self, rest: bytes) -> bytes:
        compressor = self._compressor.copy()
        return compressor.compress(rest) + compressor.flush()

    def failed(self, reason: str, *, compressed: bool) -> bytes:
        """What stands in place of the rest if it cannot be made; the reason must not hold markup."""
        text = FAILED.format(reason).encode()
        return self._compressed(text) if compressed else text


class ServedCorpus:
    """One corpus on the pages; what takes long is computed on first use."""

    def __init__(self, opened: OpenCorpus, macros: Mapping[str, Macro]) -> None:
        """Bind an open corpus.

        Args:
            opened: The corpus.
            macros: Macros for rendering, where the corpus does not define its own.
        """
        self.opened = opened
        known = with_defaults(macros, opened.macros)
        self.renderer = Renderer(opened.corpus, known, image=self._image)
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
        return corpus_figures(self.opened)

    @cached_property
    def most_used(self) -> list[Statement]:
        """Statements by how many others use them, the most used first."""
        return sorted(self.corpus.statements, key=lambda one: -len(self.graph.used_by.get(one.id, ())))

    @cached_property
    def chapters(self) -> Mapping[str, Sequence[Statement]]:
        """The statements of each chapter, in reading order; none in a wiki."""
        found: dict[str, list[Statement]] = {}
        for statement in self.corpus.statements:
            if statement.chapter:
                found.setdefault(statement.chapter, []).append(statement)
        return found


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
            if not text.strip() or text.split() == about.text.split():
                return self.workspace.suggest(about, k=k, corpora=corpora, cited=known)
        return self.workspace.suggest(text, title=title, k=k, corpora=corpora, cited=known)


class Live(ABC, Generic[T]):
    """The current state of what is served. Requests take it once and keep it, so an update fails none of them."""

    def __init__(self, site: T) -> None:
        """Start with a state."""
        self.site = site

    @abstractmethod
    def read_again(self) -> T:
        """The state as it is now on disk; the same object if nothing has changed."""

    def watch(self) -> None:
        """Look for changes in a thread."""
        threading.Thread(target=self._poll, name="watcher", daemon=True).start()

    def refresh(self) -> bool:
        """Read what has changed; whether anything has."""
        before = self.site
        try:
            self.site = self.read_again()
        except (NaturalProofsError, OSError, ValueError) as error:
            # The last good state stays until the next change.
            log.warning("not read again (%s)", error)
        return self.site is not before

    def _poll(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self.refresh()


class LiveSite(Live[Site]):
    """A site that follows the files of its projects and its folder of runs."""

    def read_again(self) -> Site:
        """The site as its files are now."""
        return self.site.refresh()

    def watch(self) -> None:
        """Poll the files in a thread, if there is a project or a folder of runs to watch."""
        if self.site.runs is not None or any(corpus.opened.root is not None for corpus in self.site.corpora):
            super().watch()
