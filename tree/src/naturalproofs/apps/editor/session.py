"""The projects that an editor has open; each is refreshed in the background when a text changes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import NaturalProofsError, NoStatements
from naturalproofs.io.listing import name_of
from naturalproofs.sources.reading.settings import FILE as SETTINGS
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.check import Finding, Selection
from naturalproofs.workspace.opening import lacks_main

PAUSE = 0.25
"""Seconds without a keystroke before a project is read again; more if reading takes long."""
POSTPONED = 1.0
"""The longest pause, also after a completion: a key that is being typed says nothing new."""
PATIENCE = 2.0
"""Seconds that a request waits for the latest text to be read; then the state before it answers."""


@dataclass(frozen=True)
class State:
    """A project as it was read at one moment, unsaved texts included."""

    workspace: Workspace
    findings: tuple[Finding, ...]

    @property
    def project(self) -> OpenCorpus:
        """The project."""
        return self.workspace.home

    @property
    def root(self) -> Path:
        """The folder that paths are relative to."""
        return self.project.root or Path()


def read_state(path: Path, texts: Mapping[Path, bytes], selection: Selection, before: State | None = None) -> State:
    """Read a project with the texts of the editor.

    Args:
        path: The main file or the folder.
        texts: The open documents by file.
        selection: Which rules to check.
        before: The state before; what has not changed is used again.
    """
    if before is None:
        workspace = Workspace.open(path, unsaved=texts)
    else:
        workspace = before.workspace.refresh(texts)
        if workspace is before.workspace:
            return before
    return State(workspace, _findings(workspace, selection))


def _findings(workspace: Workspace, selection: Selection) -> tuple[Finding, ...]:
    """The findings; only one if the labels are in files that are not known, since all others would be wrong."""
    found, path = workspace.check(selection).findings, workspace.home.path
    if path is None or not any(one.rule == "undefined-reference" for one in found) or not lacks_main(path):
        return found
    message = (
        "the main file that includes this one was not found, so references are not checked; "
        f"write “% !TEX root = main.tex” on the first line, or name the main file in {SETTINGS}"
    )
    return (Finding(name_of(path.name), 1, 1, "warning", "no-main-file", message, path.name),)


class Session:
    """One project: its latest state, and the task that keeps it up to date."""

    def __init__(
        self,
        path: Path,
        selection: Selection,
        pool: ThreadPoolExecutor,
        texts: Callable[[], Mapping[Path, bytes]],
        changed: Callable[[Path, State | None], None],
        failed: Callable[[str], None],
    ) -> None:
        """Bind a main file or a folder.

        Args:
            path: The main file or the folder.
            selection: Which rules to check.
            pool: Where projects are read.
            texts: Gives the texts that the editor holds.
            changed: Called when the project was read; with None if it has no statements any more.
            failed: Called when it cannot be read.
        """
        self.path, self.selection = path, selection
        self.state: State | None = None
        self._pool, self._texts, self._changed, self._failed = pool, texts, changed, failed
        self._requested = self._done = 0
        self._problem = ""
        self._quiet = self._took = 0.0
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()

    def touch(self, pause: float = PAUSE) -> None:
        """A text has changed: read the project again soon."""
        self._requested += 1
        loop = asyncio.get_running_loop()
        if pause:
            pause = min(max(pause, self._took), POSTPONED)
        self._quiet = max(self._quiet, loop.time() + pause)
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._update())

    def postpone(self) -> None:
        """Read the project later: the processor is needed for what the author waits for."""
        self._quiet = asyncio.get_running_loop().time() + POSTPONED

    def stop(self) -> None:
        """Stop reading."""
        if self._task is not None:
            self._task.cancel()

    async def latest(self, patience: float = PATIENCE) -> State | None:
        """The state with the latest text, or the one before if reading takes longer than `patience`."""
        wanted = self._requested

        async def read() -> None:
            async with self._news:
                await self._news.wait_for(lambda: self._done >= wanted)

        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(read(), patience)
        return self.state

    async def _update(self) -> None:
        loop = asyncio.get_running_loop()
        while self._done < self._requested:
            while (pause := self._quiet - loop.time()) > 0:
                await asyncio.sleep(pause)
            requested, started = self._requested, loop.time()
            await self._read(self._texts())
            self._took = loop.time() - started
            async with self._news:
                self._done = requested
                self._news.notify_all()

    async def _read(self, texts: Mapping[Path, bytes]) -> None:
        loop = asyncio.get_running_loop()
        try:
            state = await loop.run_in_executor(self._pool, read_state, self.path, texts, self.selection, self.state)
        except NoStatements as error:
            self.state = None
            self._changed(self.path, None)
            self._report(str(error))
        except NaturalProofsError as error:
            self._report(str(error))
        except Exception as error:
            # Whatever is typed, the server must not stop.
            self._report(f"{self.path}: could not be read ({type(error).__name__}: {error})")
        else:
            self._problem = ""
            self.state = state
            self._changed(self.path, state)
            # Binding the method takes longest, and nobody waits for it here.
            loop.run_in_executor(self._pool, _bind, state)

    def _report(self, problem: str) -> None:
        """Tell a problem once, not after every keystroke."""
        if problem != self._problem:
            self._failed(problem)
        self._problem = problem


def _bind(state: State) -> None:
    with contextlib.suppress(NaturalProofsError, ImportError):
        _ = state.project.suggester
