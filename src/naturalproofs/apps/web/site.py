"""What is served: open corpora with what their pages need, and saved runs. Edited projects are read again."""

from __future__ import annotations

import logging
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import quote

from naturalproofs.apps.report.evaluation import comparison_table, run_names
from naturalproofs.apps.report.graph_page import GraphPage, SiteLinks, Texts
from naturalproofs.apps.report.statistics import statistics
from naturalproofs.apps.report.table import Table, two_decimals
from naturalproofs.apps.web.render import Renderer, corpus_figures
from naturalproofs.apps.web.templating import url
from naturalproofs.apps.web.work import Work
from naturalproofs.benchmark.evaluation import MANIFEST, MOST, Run, RunSpec, run_folders, runs_by_task
from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.errors import NaturalProofsError, UnknownName
from naturalproofs.records import Statement, StatementId
from naturalproofs.sources.latex import Macro
from naturalproofs.tasks.measures.retrieval import PAPER_MEASURES
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.document_macros import with_defaults
from naturalproofs.workspace.outside import meant, open_work
from naturalproofs.workspace.suggest import Suggestions

# Saved runs, grouped by task: only runs of one task can be compared.

COMPARED = 12
"""The most runs for which significance is computed."""
MEASURES = tuple(map(str, PAPER_MEASURES))


@dataclass(frozen=True)
class Task:
    """One corpus, split and protocol, and the runs that answer it."""

    name: str
    runs: tuple[Run, ...]

    @property
    def spec(self) -> RunSpec:
        """What all runs of the task share; the method is that of the first."""
        return self.runs[0].spec

    @cached_property
    def names(self) -> list[str]:
        """What each run is called beside the others."""
        return run_names(self.runs, short=True)

    @cached_property
    def table(self) -> Table:
        """The methods side by side, with marks for significant differences."""
        if 2 <= len(self.runs) <= COMPARED:
            return comparison_table(self.runs)
        columns = [m for m in MEASURES if any(m in run.measures for run in self.runs)]
        rows = tuple(
            (name, *(two_decimals(run.measures.get(column)) for column in columns))
            for name, run in zip(self.names, self.runs, strict=True)
        )
        spec, queries = self.spec, len(self.runs[0].queries)
        title = f"{spec.corpus}/{spec.split}, protocol {spec.protocol}, {queries:,} queries"
        return Table(title, ("", *columns), rows, "In percent.")

    @cached_property
    def questions(self) -> dict[StatementId, list[str]]:
        """The theorems that were asked about, each with the names of its queries, one a proof."""
        found: dict[StatementId, list[str]] = {}
        for query in self.runs[0].queries:
            found.setdefault(query.theorem, []).append(query.query)
        return found


def runs_state(folder: Path | None) -> tuple[tuple[str, int], ...]:
    """The runs in a folder with the times of their last change, by which new ones are noticed."""
    if folder is None or not folder.is_dir():
        return ()
    return tuple((str(place), (place / MANIFEST).stat().st_mtime_ns) for place in run_folders(folder))


def left_out(seen: tuple[tuple[str, int], ...]) -> int:
    """How many of the runs of a folder are too many to be loaded."""
    return max(0, len(seen) - MOST)


def load_tasks(folder: Path | None) -> tuple[Task, ...]:
    """The runs in a folder and its subfolders, by task; `left_out` says how many are not among them."""
    if folder is None:
        return ()
    return tuple(
        Task(f"{corpus}-{split}-{protocol}-{digest[:6]}", runs)
        for (corpus, split, protocol, digest), runs in runs_by_task(folder).items()
    )


INTERVAL = 2.0
"""Seconds between two checks of the files of projects."""
LEVEL = 6
"""Of the compression of a graph page: a higher one takes twice as long for 2 % less."""
GZIP = 16 + zlib.MAX_WBITS
FAILED = '<p class="sorry" role="alert">The server could not draw the graph: {}. Load the page again later.</p>'

log = logging.getLogger("naturalproofs.apps.web")
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


class CorpusPages:
    """What the pages of one corpus show; what takes long is computed on first use."""

    def __init__(self, corpus: OpenCorpus, macros: Mapping[str, Macro]) -> None:
        """Bind an open corpus, and macros for rendering where it does not define its own."""
        self.corpus = corpus
        previews = f"{url('corpus', corpus.name)}/preview/"
        self.renderer = Renderer(
            corpus, with_defaults(macros, corpus.macros), image=self._image, preview=lambda place: f"{previews}{place}"
        )
        self.work = Work(corpus, self.renderer, lambda one: url("corpus", corpus.name, chapter=one.name))
        texts = f"{url('corpus', corpus.name, 'graph')}/text/"
        links = SiteLinks(url("corpus", corpus.name), url("statement", ""), texts=texts, fonts="/static/")
        self.statistics = Lazy(lambda: statistics(corpus, make_splits(corpus, Recipe())))
        self.whole_graph = Lazy(lambda: WholeGraph(GraphPage(corpus, self.renderer.macros, site=links)))
        self.graph_texts = Lazy(lambda: Texts(corpus.statements, self.renderer.macros))

    def _image(self, file: str) -> str | None:
        """The address of a figure, if the project has it in a format of the web."""
        images = self.corpus.images
        path = images.find(file) if images is not None else None
        return url("corpus", self.corpus.name, "figure", *path.split("/")) if path is not None else None

    @cached_property
    def figures(self) -> list[tuple[str, int]]:
        """How many theorems, definitions, proofs and references there are."""
        return corpus_figures(self.corpus)


@dataclass(frozen=True)
class Site:
    """Everything that is served. Immutable: a request sees one state of all corpora, even if files change meanwhile."""

    workspace: Workspace
    pages: tuple[CorpusPages, ...]
    """What the pages of each corpus of the workspace show."""
    tasks: tuple[Task, ...] = ()
    extra_macros: Mapping[str, Macro] = field(default_factory=dict)
    """Macros for rendering, where a corpus does not define its own."""
    runs: Path | None = None
    """The folder of saved runs, which is looked at again for new ones."""
    runs_seen: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        """Let citations of other works lead to these."""
        for one in self.pages:
            one.renderer.other_works = partial(self._link_to_work, one)

    def _link_to_work(self, pages: CorpusPages, key: str, place: str, shown: str | None) -> str:
        """A link to the result, if its work is open, else to the entry among the works that are used."""
        entry = pages.renderer.entries.get(key)
        if entry is None:
            return shown or key
        work = open_work(entry, [one for one in self.corpora if one is not pages.corpus])
        if (found := self.known(meant(work, place))) is not None:
            renderer, statement = found
            return renderer.link_to(statement, shown or key)
        address = f"{url('corpus', pages.corpus.name, 'outside')}#{quote(key)}"
        return f'<a href="{escape(address)}" title="{escape(str(entry))}">{shown}</a>'

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
        pages = tuple(CorpusPages(one, given) for one in workspace.corpora)
        seen = runs_state(runs)
        return cls(workspace, pages, tasks or load_tasks(runs), given, runs, seen)

    def refresh(self) -> Site:
        """The site as its files are now; this one if nothing has changed."""
        if (seen := runs_state(self.runs)) != self.runs_seen:
            return replace(self, tasks=load_tasks(self.runs), runs_seen=seen).refresh()
        now = self.workspace.refresh()
        if now is self.workspace:
            return self
        now.prepare(search=True)
        pages = tuple(
            old if old.corpus is one else CorpusPages(one, self.extra_macros)
            for old, one in zip(self.pages, now.corpora, strict=True)
        )
        return replace(self, workspace=now, pages=pages)

    @property
    def corpora(self) -> tuple[OpenCorpus, ...]:
        """What is open."""
        return self.workspace.corpora

    def pages_of(self, corpus: OpenCorpus) -> CorpusPages:
        """What the pages of a corpus show."""
        return next(one for one in self.pages if one.corpus is corpus)

    def renderer(self, corpus: OpenCorpus | str) -> Renderer:
        """Renders the statements of a corpus, which may be given by its name."""
        return self.pages_of(self.workspace.corpus(corpus) if isinstance(corpus, str) else corpus).renderer

    def known(self, key: StatementId) -> tuple[Renderer, Statement] | None:
        """The statement with this id and what renders it, if there is one."""
        found = self.workspace.find_id(key)
        return (self.renderer(found.corpus), found.statement) if found is not None else None

    def known_among(self, keys: Iterable[StatementId]) -> list[tuple[Renderer, Statement]]:
        """The statements with these ids, as far as there are any."""
        return [found for key in keys if (found := self.known(key)) is not None]

    def task(self, name: str) -> Task:
        """The task of that name."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise UnknownName(f"no task is called {name[:80]!r} here")

    def macros(self, corpus: str = "") -> Mapping[str, Macro]:
        """The macros of a corpus, or of all of them; those of the first corpus take precedence."""
        if corpus:
            return self.renderer(corpus).macros
        return {name: macro for one in reversed(self.pages) for name, macro in one.renderer.macros.items()}

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
        if self.site.runs is not None or any(corpus.root is not None for corpus in self.site.corpora):
            super().watch()
