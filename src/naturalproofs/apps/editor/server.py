"""The language server: the state of one editor's session, and the requests that it answers."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote_to_bytes, urlsplit

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.workspace import TextDocument

from naturalproofs import __version__
from naturalproofs.apps.editor import answers
from naturalproofs.apps.editor.completion import completions, suggestions
from naturalproofs.apps.editor.positions import Positions, key_at, offset_at, typing_at
from naturalproofs.apps.editor.session import PATIENCE, PAUSE, Session, State
from naturalproofs.apps.report.listings import suggestions_data
from naturalproofs.errors import NaturalProofsError, valid_text
from naturalproofs.io.listing import name_of
from naturalproofs.sources.latex import citations
from naturalproofs.sources.reading.text_files import decode
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.check import Selection
from naturalproofs.workspace.opening import project_of

# The messages of an editor: every request gets an answer, whatever is in it.

_LARGEST = 2**31 - 1
"""The largest number of a line or a character."""


class AnsweringProtocol(LanguageServerProtocol):
    """Answers a request that cannot be read by an error, where the library answers nothing."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise


def position(line: int, character: int) -> types.Position:
    """A position, or the nearest one that there may be."""
    return types.Position(*(min(max(int(number), 0), _LARGEST) for number in (line, character)))


def make_converter() -> Converter:
    """The library's reader of messages, with positions in range."""
    converter: Converter = default_converter()
    converter.register_structure_hook(types.Position, lambda data, _: position(data["line"], data["character"]))
    return converter


FIRST = 10.0
"""Seconds that the first completion, and what a user asks for, waits for the project to be read."""
SUGGEST = "naturalproofs.suggestions"
"""The command that gives suggestions for a position: a document, a line and a character."""
_REQUEST_FAILED = types.LSPErrorCodes.RequestFailed.value
LONGEST_LINE = 300
"""Characters of a line in the log."""


class OneLine(logging.Formatter):
    """Formats what the library logs, such as malformed messages of a client, as one line without a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The message and the error."""
        error = record.exc_info[1] if record.exc_info else None
        text = record.getMessage().partition("Traceback")[0] + (f" ({type(error).__name__}: {error})" if error else "")
        return "naturalproofs: " + " ".join(text.split())[:LONGEST_LINE]


class Server(LanguageServer):
    """The state of one editor's session."""

    def __init__(self) -> None:
        """Start with nothing open."""
        super().__init__("naturalproofs", __version__, protocol_cls=AnsweringProtocol, converter_factory=make_converter)
        self.sessions: dict[Path, Session] = {}
        self.main: Path | None = None
        self.selection = Selection()
        self._homes: dict[Path, Path] = {}
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")
        self._underlined: dict[Path, set[str]] = {}

    def configure(self, options: object) -> None:
        """Read the initialisation options: ``main``, ``notes``, ``select``, ``ignore``."""
        given: dict[str, Any] = options if isinstance(options, dict) else {}
        if isinstance(given.get("main"), str) and (root := path_at(self.workspace.root_uri or "")) is not None:
            self.main = root / given["main"]
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

    def document(self, uri: str) -> TextDocument | None:
        """The open document of an address; an editor may encode the same one in several ways."""
        path = path_at(uri)
        documents = self.workspace.text_documents.values() if path is not None else ()
        return next((one for one in documents if path_at(one.uri) == path), None)

    def session(self, uri: str) -> Session | None:
        """The session of the project that a document belongs to; started when the document is open and first needed."""
        file = file_of(uri)
        if file is None or (file not in self._homes and self.document(uri) is None):
            return None
        if file not in self._homes:
            self._homes[file] = (self.main if self.main and self.main.exists() else project_of(file)).resolve()
        home = self._homes[file]
        if home not in self.sessions:
            self.sessions[home] = Session(home, self.selection, self._pool, self.texts, self.publish, self.report)
            self.sessions[home].touch(pause=0)
            self.report(
                f"{name_of(home)}: reading; what needs the whole project is answered after that", types.MessageType.Info
            )
        return self.sessions[home]

    def touch(self, uri: str, pause: float = PAUSE) -> None:
        """Read the project of a document again; a session that starts now reads it anyway."""
        known = len(self.sessions)
        session = self.session(uri)
        if session is not None and len(self.sessions) == known:
            session.touch(pause)

    def reconsider(self, uri: str) -> None:
        """Look again for the project of a document that its project does not include: it may be included by now."""
        file, session = file_of(uri), self.session(uri)
        if file is None or session is None:
            return
        if session.state is None or session.state.project.inside(file) not in session.state.project.texts:
            self._homes.pop(file, None)

    def publish(self, path: Path, state: State | None) -> None:
        """Publish the findings of a project, and clear those of files that have none any more."""
        found: dict[str, list[types.Diagnostic]] = {}
        if state is not None:
            positions = self.positions(state)
            for finding in state.findings:
                uri = answers.uri_of(state.project, finding.path)
                found.setdefault(uri, []).append(answers.diagnostic(finding, positions))
        for uri in self._underlined.get(path, set()) - set(found):
            found[uri] = []
        for uri, diagnostics in found.items():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
        self._underlined[path] = {uri for uri, diagnostics in found.items() if diagnostics}

        self.refresh_hints()

    def refresh_hints(self) -> None:
        """Ask the editor for its hints again, if it can do so: numbers may have changed."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def versions(self, project: OpenCorpus) -> dict[str, int | None]:
        """The versions of the open documents of a project, which must be the texts that were read."""
        versions = {}
        for document in self.workspace.text_documents.values():
            file = file_of(document.uri)
            path = project.inside(file) if file is not None else None
            if path is None or path not in project.texts:
                continue
            if decode(document.source.encode("utf-8", "replace")).text != project.texts[path]:
                raise JsonRpcContentModified(f"{path} has just changed; try again")
            versions[answers.uri_of(project, path)] = document.version
        return versions

    def report(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Write a message to the editor's log."""
        self.window_log_message(types.LogMessageParams(kind, valid_text(message)))

    def close(self) -> None:
        """Stop all sessions."""
        for session in self.sessions.values():
            session.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def inside(self, uri: str, patience: float = PATIENCE) -> tuple[State, str] | None:
        """The state of the project of an open document, and the document's path inside it."""
        session, file = self.session(uri), file_of(uri)
        state = await session.latest(patience) if session else None
        path = state.project.inside(file) if state and file else None
        return (state, path) if state is not None and path is not None else None

    def positions(self, state: State) -> Positions:
        """Positions in the files of a project."""
        return Positions(self.workspace.position_codec, state.project.texts)


def file_of(uri: str) -> Path | None:
    """The file of a document; one that was never saved has none, and what is no file is not looked at."""
    file = path_at(uri)
    return file if file is None or file.is_file() or not file.exists() else None


def path_at(uri: str) -> Path | None:
    """The path that an address stands for, whatever characters of it are encoded; None if it is not one of a file."""
    try:
        parts = urlsplit(uri)
        path = os.fsdecode(unquote_to_bytes(parts.path))
    except ValueError:
        return None
    return Path(path) if parts.scheme == "file" and path and "\0" not in path else None


class _AtCursor(Protocol):
    """The parameters of a request about a position."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


class Lookup(NamedTuple):
    """The label of the key at the cursor."""

    state: State
    file: str
    key: citations.Key
    label: str
    written: str
    """The key as the editor has it."""
    where: types.Range
    positions: Positions

    @property
    def project(self) -> OpenCorpus:
        """The project."""
        return self.state.project


async def _look_up(ls: Server, params: _AtCursor, patience: float = PATIENCE) -> Lookup | None:
    document = ls.document(params.text_document.uri)
    found = await ls.inside(params.text_document.uri, patience) if document else None
    if document is None or found is None:
        return None
    state, file = found
    text, codec, labels = document.source, ls.workspace.position_codec, state.project.labels
    key = key_at(text, offset_at(text, params.position, codec), file, labels.syntax)
    if key is None:
        return None
    label = labels.label_of(file, key.key, key.before, key.after)
    where = Positions(codec, {file: text}).between(file, key.start, key.end)
    return Lookup(state, file, key, label, text[key.start : key.end], where, ls.positions(state))


async def _look_up_known(ls: Server, params: _AtCursor, patience: float = PATIENCE) -> Lookup | None:
    """The same by the last reading if that knows the label, so that nobody waits for the next one."""
    found = await _look_up(ls, params, 0.0)
    return found if found and found.label in found.project.anchors else await _look_up(ls, params, patience)


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Read the options."""
    ls.configure(params.initialization_options)


def shutdown(ls: Server, _params: None) -> None:
    """Stop reading."""
    ls.close()


def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Read the project of a document."""
    ls.touch(params.text_document.uri, pause=0)


def changed(ls: Server, params: types.DidChangeTextDocumentParams | types.DidCloseTextDocumentParams) -> None:
    """Read the project again soon."""
    ls.touch(params.text_document.uri)


def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Read the project again soon; it may be another one now."""
    ls.reconsider(params.text_document.uri)
    ls.touch(params.text_document.uri)


def changed_elsewhere(ls: Server, _params: types.DidChangeWatchedFilesParams) -> None:
    """Read all projects again soon."""
    for session in ls.sessions.values():
        session.touch()


async def complete(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
    """Labels to insert."""
    uri = params.text_document.uri
    document, session = ls.document(uri), ls.session(uri)
    if document is None or session is None:
        return None
    text = document.source
    offset = offset_at(text, params.position, ls.workspace.position_codec)
    syntax = (session.state.project.labels.syntax,) if session.state is not None else ()
    typing = typing_at(text, offset, uri, *syntax)
    # Once there is a state, the latest keystrokes change little; before that, waiting is worth it.
    found = await ls.inside(uri, FIRST if session.state is None else 0.0) if typing else None
    if typing is None or found is None:
        return None
    session.postpone()
    state, file = found
    ranked = await asyncio.to_thread(completions, state.workspace, file, text, offset, typing)
    where = Positions(ls.workspace.position_codec, {file: text}).between(file, typing.start, offset)
    return answers.completion(state.project, ranked, typing, where, uri, ls.positions(state))


async def resolve(ls: Server, item: types.CompletionItem) -> types.CompletionItem:
    """A completion with its statement."""
    uri = item.data.get("uri") if isinstance(item.data, dict) else None
    session = ls.session(uri) if isinstance(uri, str) else None
    return answers.resolved(session.state.project, item) if session and session.state else item


async def highlights(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """All uses of the label at the cursor in the document."""
    found = await _look_up(ls, params)
    return answers.highlights(found.project, found.file, found.label, found.positions) if found else []


async def hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The printed names of what is cited."""
    found = await ls.inside(params.text_document.uri)
    return answers.hints(found[0].project, found[1], params.range, ls.positions(found[0])) if found else []


async def prepare_rename(ls: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The key at the cursor, if it is a label that can be renamed."""
    found = await _look_up(ls, params, FIRST)
    if found is None or found.label not in found.project.anchors:
        return None
    return types.PrepareRenamePlaceholder(found.where, found.written)


async def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Rename the label at the cursor in all files of the project."""
    found = await _look_up(ls, params, FIRST)
    if found is None:
        return None
    versions = ls.versions(found.project)
    new = found.project.labels.new_name(found.label, found.key, params.new_name.strip())
    try:
        edits = found.state.workspace.rename(found.label, new)
    except NaturalProofsError as error:
        raise JsonRpcException(str(error), _REQUEST_FAILED) from error
    return answers.renaming(found.project, edits, versions, found.positions)


async def found_symbols(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """The statements of all open projects by name, number, title or label."""
    read = [await session.latest() for session in ls.sessions.values()]
    states = {state.project: ls.positions(state) for state in read if state is not None}
    found = [match for state in read if state is not None for match in state.workspace.matching(params.query)]
    return answers.found_symbols(found, lambda project: states[project])


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """The statement of the key at the cursor."""
    found = await _look_up_known(ls, params)
    text = ls.client_capabilities.text_document
    formats = (text.hover.content_format if text and text.hover else None) or [types.MarkupKind.Markdown]
    markdown = types.MarkupKind.Markdown in formats
    return answers.hover(found.project, found.label, found.where, markdown=markdown) if found else None


async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | None:
    """Where the key at the cursor is defined."""
    found = await _look_up_known(ls, params, FIRST)
    return answers.definition(found.project, found.label, found.positions) if found else None


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
    """Where the key at the cursor is cited."""
    found = await _look_up(ls, params, FIRST)
    declared = params.context.include_declaration
    return answers.references(found.project, found.label, found.positions, declared=declared) if found else []


async def symbols(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The statements of a document."""
    found = await ls.inside(params.text_document.uri)
    return answers.symbols(found[0].project, found[1], ls.positions(found[0])) if found else []


async def fix(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Quick fixes."""
    uri = params.text_document.uri
    found = await ls.inside(uri)
    if found is None:
        return []
    state, file = found
    return [*answers.actions(state.project, file, uri, params.context), *await _new_labels(ls, state, file, params)]


async def _new_labels(ls: Server, state: State, file: str, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Labels for statements that have none: the one that begins here, and those that the proof here may cite."""
    project, positions, at = state.project, ls.positions(state), params.range.end
    text = project.texts.get(file)
    here = project.new_labels.at(file, params.range.start.line + 1)
    # Suggestions take time: they are made when the author asks for actions, not when the cursor moves.
    asked = params.context.trigger_kind != types.CodeActionTriggerKind.Automatic
    if text is None or not (here or asked):
        return []
    try:
        versions = ls.versions(project)
    except JsonRpcContentModified:
        return []
    if here is not None:
        return answers.give_label(project, *here, params.context, versions, positions)
    offset = offset_at(text, at, ls.workspace.position_codec)
    ranked = await asyncio.to_thread(suggestions, state.workspace, file, text, offset, in_proof=True)
    typing = typing_at(text, offset, file, project.labels.syntax)
    return answers.cite_unlabelled(project, ranked or (), file, offset, typing, versions, positions)


async def suggest(ls: Server, uri: str, line: int, character: int) -> dict[str, Any] | None:
    """What the proof at a position may want to cite, with the text to insert; a command that the editor calls."""
    document, found = ls.document(uri), await ls.inside(uri, FIRST)
    if document is None or found is None:
        return None
    state, file = found
    offset = offset_at(document.source, position(line, character), ls.workspace.position_codec)
    ranked = await asyncio.to_thread(suggestions, state.workspace, file, document.source, offset)
    if ranked is None:
        return None
    data = suggestions_data(ranked)
    for item, one in zip(ranked, data["suggestions"], strict=True):
        one["insert"] = answers.insertion(state.project, item, ls.positions(state))
    return data


_FEATURES: dict[str, Callable[..., Any]] = {
    types.INITIALIZE: initialize,
    types.SHUTDOWN: shutdown,
    types.TEXT_DOCUMENT_DID_OPEN: opened,
    types.TEXT_DOCUMENT_DID_CHANGE: changed,
    types.TEXT_DOCUMENT_DID_CLOSE: changed,
    types.TEXT_DOCUMENT_DID_SAVE: saved,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: changed_elsewhere,
    types.TEXT_DOCUMENT_COMPLETION: complete,
    types.COMPLETION_ITEM_RESOLVE: resolve,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_DEFINITION: definition,
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: highlights,
    types.TEXT_DOCUMENT_INLAY_HINT: hints,
    types.TEXT_DOCUMENT_PREPARE_RENAME: prepare_rename,
    types.TEXT_DOCUMENT_RENAME: rename,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: symbols,
    types.WORKSPACE_SYMBOL: found_symbols,
    types.TEXT_DOCUMENT_CODE_ACTION: fix,
}
_OPTIONS = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(
        trigger_characters=["{", ",", "[", '"', "@", "(", "`"], resolve_provider=True
    ),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
}


def make_server() -> Server:
    """A server with all its features."""
    server = Server()
    for method, handler in _FEATURES.items():
        server.feature(method, _OPTIONS.get(method))(handler)
    server.command(SUGGEST)(suggest)
    return server
