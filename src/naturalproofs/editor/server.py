"""The language server: what it can do, and which part of it answers."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from naturalproofs import __version__
from naturalproofs.editor.answers import diagnostic
from naturalproofs.editor.desk import Desk, Hooks
from naturalproofs.editor.places import Places
from naturalproofs.editor.view import View
from naturalproofs.workspace.index.finding import project_of
from naturalproofs.workspace.lint.run import Wanted


class Server(LanguageServer):
    """The state of one editor's session."""

    def __init__(self) -> None:
        """Start with nothing open."""
        super().__init__("naturalproofs", __version__)
        self.desks: dict[Path, Desk] = {}
        self.main: Path | None = None
        self.wanted = Wanted()
        self._homes: dict[Path, Path] = {}
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")
        self._underlined: dict[Path, set[str]] = {}

    def configure(self, options: object) -> None:
        """Take what the editor was told to tell us: ``main``, ``notes``, ``select``, ``ignore``."""
        given: dict[str, Any] = options if isinstance(options, dict) else {}
        if isinstance(given.get("main"), str) and self.workspace.root_path:
            self.main = Path(self.workspace.root_path) / given["main"]
        self.wanted = Wanted(
            select=frozenset(map(str, given.get("select") or ())),
            ignore=frozenset(map(str, given.get("ignore") or ())),
            notes=bool(given.get("notes")),
        )

    def texts(self) -> Mapping[Path, bytes]:
        """What the editor holds, by resolved path."""
        documents = list(self.workspace.text_documents.values())
        return {
            file.resolve(): doc.source.encode("utf-8", "replace") for doc in documents if (file := file_of(doc.uri))
        }

    def desk(self, uri: str) -> Desk | None:
        """The project that a document belongs to; opened when first met."""
        file = file_of(uri)
        if file is None:
            return None
        if file not in self._homes:
            self._homes[file] = (self.main if self.main and self.main.exists() else project_of(file)).resolve()
        home = self._homes[file]
        if home not in self.desks:
            self.desks[home] = Desk(home, Hooks(self.texts, self.show, self.tell), self._pool, self.wanted)
            self.desks[home].touch(pause=0)
        return self.desks[home]

    def settle(self, uri: str) -> None:
        """Look again for the project of a document that its project does not include: it may be included by now."""
        file, desk = file_of(uri), self.desk(uri)
        if file is None or desk is None:
            return
        if desk.view is None or desk.view.inside(file) not in desk.view.texts:
            self._homes.pop(file, None)

    def show(self, view: View) -> None:
        """Publish what was found, and take back what is no longer so."""
        places = Places(self.workspace.position_codec, view.texts)
        found: dict[str, list[types.Diagnostic]] = {}
        for finding in view.findings:
            uri = (view.root / finding.path).resolve().as_uri()
            found.setdefault(uri, []).append(diagnostic(finding, places))
        for uri in self._underlined.get(view.path, set()) - set(found):
            found[uri] = []
        for uri, diagnostics in found.items():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
        self._underlined[view.path] = {uri for uri, diagnostics in found.items() if diagnostics}

    def tell(self, path: Path, message: str) -> None:
        """Say in the editor's log what went wrong."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, message))

    def close(self) -> None:
        """End all work."""
        for desk in self.desks.values():
            desk.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)


class Question:
    """A place in a document that something is asked about."""

    def __init__(self, server: Server, uri: str, position: types.Position | None = None) -> None:
        """Bind the document as the editor holds it."""
        self.server, self.uri = server, uri
        self.document: TextDocument = server.workspace.get_text_document(uri)
        self.text = self.document.source
        self.offset = self.document.offset_at_position(position) if position else 0

    async def view(self, patience: float = 2.0) -> tuple[View, str] | None:
        """The project, and the document's path inside it."""
        desk = self.server.desk(self.uri)
        view = await desk.latest(patience) if desk else None
        file = file_of(self.uri)
        inside = view.inside(file) if view and file else None
        return (view, inside) if view is not None and inside is not None else None

    def range(self, start: int, end: int) -> types.Range:
        """A stretch of the document as the editor counts."""
        return types.Range(self.document.client_position_at_offset(start), self.document.client_position_at_offset(end))

    def places(self, view: View) -> Places:
        """Positions in the project's files."""
        return Places(self.server.workspace.position_codec, view.texts)


def file_of(uri: str) -> Path | None:
    """The file of a document; one that was never saved has none."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else None
