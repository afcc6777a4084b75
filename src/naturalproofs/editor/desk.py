"""The projects that an editor has open, each read again in the background when a text changes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.editor.view import View, read_view
from naturalproofs.errors import NaturalProofsError
from naturalproofs.latex.cache import CachedDocument
from naturalproofs.latex.project import LATEX
from naturalproofs.workspace.index.manifest import decoded, encoded, load_manifest
from naturalproofs.workspace.index.objects import Objects
from naturalproofs.workspace.index.project import index_folder
from naturalproofs.workspace.lint.run import Wanted

PAUSE = 0.25
"""Seconds without a keystroke before a project is read again."""
PATIENCE = 2.0
"""Seconds that a question waits for what was just typed to be read; then the view before it answers."""


class _Memory:
    """Keeps documents in memory as text, since reading changes what it is given; at first, what the index keeps."""

    def __init__(self, path: Path) -> None:
        folder = index_folder(path)
        manifest = load_manifest(folder)
        self._names = manifest.documents if manifest else {}
        self._objects = Objects(folder)
        self._kept: dict[str, bytes] = {}

    def get(self, main: str) -> CachedDocument | None:
        data = self._kept.get(main)
        return decoded(self._objects.get(self._names.get(main, "-")) if data is None else data, CachedDocument)

    def put(self, document: CachedDocument) -> None:
        self._kept[document.main] = encoded(document)


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a desk needs of its server."""

    texts: Callable[[], Mapping[Path, bytes]]
    """The texts that the editor holds."""
    shown: Callable[[View], None]
    """Called when a project was read."""
    failed: Callable[[Path, str], None]
    """Called when a project cannot be read."""


class Desk:
    """One project: its latest view, and the work of keeping up with the editor."""

    def __init__(self, path: Path, hooks: Hooks, pool: ThreadPoolExecutor, wanted: Wanted) -> None:
        """Bind a main file or a folder."""
        self.path, self.wanted = path, wanted
        self.view: View | None = None
        self._hooks, self._pool = hooks, pool
        self._source = replace(LATEX, cache=_Memory(path))
        self._asked = self._done = 0
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()

    def touch(self, pause: float = PAUSE) -> None:
        """A text has changed: read the project again soon."""
        self._asked += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._keep_up(pause))

    def stop(self) -> None:
        """Read no more."""
        if self._task is not None:
            self._task.cancel()

    async def latest(self, patience: float = PATIENCE) -> View | None:
        """The view with all that was typed, or the one before if reading takes longer than one wants to wait."""
        wanted = self._asked

        async def read() -> None:
            async with self._news:
                await self._news.wait_for(lambda: self._done >= wanted)

        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(read(), patience)
        return self.view

    async def _keep_up(self, pause: float) -> None:
        while self._done < self._asked:
            asked = -1
            while asked != self._asked:
                asked = self._asked
                await asyncio.sleep(pause)
            await self._read(self._hooks.texts())
            async with self._news:
                self._done = asked
                self._news.notify_all()

    async def _read(self, texts: Mapping[Path, bytes]) -> None:
        loop = asyncio.get_running_loop()
        try:
            view = await loop.run_in_executor(
                self._pool, read_view, self.path, texts, self._source, self.wanted, self.view
            )
        except NaturalProofsError as error:
            self._hooks.failed(self.path, str(error))
        except Exception as error:
            # An editor must survive whatever is typed into it.
            self._hooks.failed(self.path, f"{self.path}: could not be read ({type(error).__name__}: {error})")
        else:
            self.view = view
            self._hooks.shown(view)
            # Binding the method takes longest, and nobody waits for it here.
            loop.run_in_executor(self._pool, lambda: view.shelf.advisor)
