"""The language server: the state of one editor's session, and the requests that it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from naturalproofs import __version__
from naturalproofs.editor import answers
from naturalproofs.editor.actions import actions
from naturalproofs.editor.completion import completions
from naturalproofs.editor.cursor import key_at, typing_at
from naturalproofs.editor.positions import Positions
from naturalproofs.editor.session import Hooks, Session, State
from naturalproofs.latex.citations import Key
from naturalproofs.workspace.check import Selection
from naturalproofs.workspace.opening import project_of

FIRST = 10.0
"""Seconds that the first completion waits for the project to be read."""


class Server(LanguageServer):
    """The state of one editor's session."""

    def __init__(self) -> None:
        """Start with nothing open."""
        super().__init__("naturalproofs", __version__)
        self.sessions: dict[Path, Session] = {}
        self.main: Path | None = None
        self.selection = Selection()
        self._homes: dict[Path, Path] = {}
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")
        self._underlined: dict[Path, set[str]] = {}

    def configure(self, options: object) -> None:
        """Read the initialisation options: ``main``, ``notes``, ``select``, ``ignore``."""
        given: dict[str, Any] = options if isinstance(options, dict) else {}
        if isinstance(given.get("main"), str) and self.workspace.root_path:
            self.main = Path(self.workspace.root_path) / given["main"]
        self.selection = Selection(
            select=frozenset(map(str, given.get("select") or ())),
            ignore=frozenset(map(str, given.get("ignore") or ())),
            notes=bool(given.get("notes")),
        )

    def texts(self) -> Mapping[Path, bytes]:
        """The open documents, by resolved path."""
        documents = list(self.workspace.text_documents.values())
        return {
            file.resolve(): doc.source.encode("utf-8", "replace") for doc in documents if (file := file_of(doc.uri))
        }

    def session(self, uri: str) -> Session | None:
        """The session of the project that a document belongs to; started when it is first needed."""
        file = file_of(uri)
        if file is None:
            return None
        if file not in self._homes:
            self._homes[file] = (self.main if self.main and self.main.exists() else project_of(file)).resolve()
        home = self._homes[file]
        if home not in self.sessions:
            hooks = Hooks(self.texts, self.publish, self.report)
            self.sessions[home] = Session(home, hooks, self._pool, self.selection)
            self.sessions[home].touch(pause=0)
        return self.sessions[home]

    def reconsider(self, uri: str) -> None:
        """Look again for the project of a document that its project does not include: it may be included by now."""
        file, session = file_of(uri), self.session(uri)
        if file is None or session is None:
            return
        if session.state is None or session.state.project.inside(file) not in session.state.project.texts:
            self._homes.pop(file, None)

    def publish(self, path: Path, state: State) -> None:
        """Publish the findings of a project, and clear those of files that have none any more."""
        positions = Positions(self.workspace.position_codec, state.project.texts)
        found: dict[str, list[types.Diagnostic]] = {}
        for finding in state.findings:
            uri = (state.root / finding.path).resolve().as_uri()
            found.setdefault(uri, []).append(answers.diagnostic(finding, positions))
        for uri in self._underlined.get(path, set()) - set(found):
            found[uri] = []
        for uri, diagnostics in found.items():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
        self._underlined[path] = {uri for uri, diagnostics in found.items() if diagnostics}

    def report(self, path: Path, message: str) -> None:
        """Write a problem to the editor's log."""
        del path
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, message))

    def close(self) -> None:
        """Stop all sessions."""
        for session in self.sessions.values():
            session.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)


class Request:
    """A position in a document that a request is about."""

    def __init__(self, server: Server, uri: str, position: types.Position | None = None) -> None:
        """Bind the document as the editor holds it."""
        self.server, self.uri = server, uri
        self.document: TextDocument = server.workspace.get_text_document(uri)
        self.text = self.document.source
        self.offset = self.document.offset_at_position(position) if position else 0

    async def state(self, patience: float = 2.0) -> tuple[State, str] | None:
        """The state of the project, and the document's path inside it."""
        session = self.server.session(self.uri)
        state = await session.latest(patience) if session else None
        file = file_of(self.uri)
        inside = state.project.inside(file) if state and file else None
        return (state, inside) if state is not None and inside is not None else None

    def range(self, start: int, end: int) -> types.Range:
        """A range of the document as the editor counts."""
        return types.Range(self.document.client_position_at_offset(start), self.document.client_position_at_offset(end))

    def positions(self, state: State) -> Positions:
        """Positions in the project's files."""
        return Positions(self.server.workspace.position_codec, state.project.texts)


def file_of(uri: str) -> Path | None:
    """The file of a document; one that was never saved has none."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else None


def make_server() -> Server:
    """A server with all its features."""
    server = Server()
    _lifecycle(server)
    _completion(server)
    _lookups(server)
    _documents(server)
    return server


def _lifecycle(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.configure(params.initialization_options)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        _touch(ls, params.text_document.uri, pause=0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        _touch(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        _touch(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.reconsider(params.text_document.uri)
        _touch(ls, params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def elsewhere(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        del params
        for session in ls.sessions.values():
            session.touch()

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, params: None) -> None:
        del params
        ls.close()


def _touch(server: Server, uri: str, pause: float | None = None) -> None:
    known = len(server.sessions)
    session = server.session(uri)
    if session is not None and len(server.sessions) == known:
        session.touch() if pause is None else session.touch(pause)


def _completion(server: Server) -> None:
    options = types.CompletionOptions(trigger_characters=["{", ",", "["], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    async def complete(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
        asked = Request(ls, params.text_document.uri, params.position)
        typing = typing_at(asked.text, asked.offset)
        if typing is None:
            return None
        session = ls.session(asked.uri)
        # Once there is a state, the latest keystrokes change little; before that, waiting is worth it.
        found = await asked.state(FIRST if session is None or session.state is None else 0.0)
        if found is None:
            return None
        state, file = found
        ranked = await asyncio.to_thread(completions, state.workspace, file, asked.text, asked.offset, typing)
        return answers.completion(state.project, ranked, typing, asked.range(typing.start, asked.offset), asked.uri)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    async def resolve(ls: Server, item: types.CompletionItem) -> types.CompletionItem:
        uri = item.data.get("uri") if isinstance(item.data, dict) else None
        session = ls.session(uri) if isinstance(uri, str) else None
        return answers.resolved(session.state.project, item) if session and session.state else item


async def _key(ls: Server, uri: str, position: types.Position) -> tuple[Request, Key, State, str] | None:
    asked = Request(ls, uri, position)
    key = key_at(asked.text, asked.offset)
    found = await asked.state() if key is not None else None
    return (asked, key, *found) if key is not None and found is not None else None


def _lookups(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        found = await _key(ls, params.text_document.uri, params.position)
        if found is None:
            return None
        asked, key, state, file = found
        text = ls.client_capabilities.text_document
        formats = (text.hover.content_format if text and text.hover else None) or [types.MarkupKind.Markdown]
        markdown = types.MarkupKind.Markdown in formats
        return answers.hover(state.project, file, key, asked.range(key.start, key.end), markdown=markdown)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | None:
        found = await _key(ls, params.text_document.uri, params.position)
        if found is None:
            return None
        asked, key, state, file = found
        return answers.definition(state.project, file, key, asked.positions(state))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
        found = await _key(ls, params.text_document.uri, params.position)
        if found is None:
            return []
        asked, key, state, file = found
        return answers.references(
            state.project, file, key, asked.positions(state), declared=params.context.include_declaration
        )


def _documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        asked = Request(ls, params.text_document.uri)
        found = await asked.state()
        return answers.symbols(found[0].project, found[1], asked.positions(found[0])) if found else []

    fixes = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, fixes)
    async def fix(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        found = await Request(ls, params.text_document.uri).state()
        return actions(found[0].project, found[1], params.text_document.uri, params.context) if found else []
