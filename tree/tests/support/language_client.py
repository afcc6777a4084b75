"""An editor's side of a session with the language server, over real pipes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

WAIT = 300


class Editor:
    """A client that remembers what it was told."""

    def __init__(self, root: Path, client: LanguageClient) -> None:
        self.root, self.client = root, client
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.log: list[str] = []
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self._news = asyncio.Event()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = list(params.diagnostics)
            self._news.set()

        @client.feature(types.WINDOW_LOG_MESSAGE)
        def logged(params: types.LogMessageParams) -> None:
            self.log.append(params.message)
            self._news.set()

    def uri(self, name: str) -> str:
        return (self.root / name).resolve().as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        source = (self.root / name).read_text("utf-8") if text is None else text
        self.texts[name] = source
        self._versions[name] = 1
        item = types.TextDocumentItem(self.uri(name), "latex", 1, source)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, name: str, old: str, new: str) -> None:
        """Replace the first occurrence of a text, as an incremental edit."""
        at = self.texts[name].index(old)
        self._replace(name, at, at + len(old), new)

    def _replace(self, name: str, start: int, end: int, new: str) -> None:
        where = types.Range(self.position(name, start), self.position(name, end))
        self._versions[name] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name)),
                [types.TextDocumentContentChangePartial(where, new)],
            )
        )
        self.texts[name] = self.texts[name][:start] + new + self.texts[name][end:]

    def apply(self, edits: dict[str, list[types.TextEdit]]) -> None:
        """Make the edits of an answer in the open documents, and tell the server, as an editor does."""
        for name in list(self.texts):
            for edit in sorted(edits.get(self.uri(name), []), key=lambda one: one.range.start, reverse=True):
                start, end = self.offset(name, edit.range.start), self.offset(name, edit.range.end)
                self._replace(name, start, end, edit.new_text)

    def offset(self, name: str, position: types.Position) -> int:
        lines = self.texts[name].split("\n")
        units = lines[position.line].encode("utf-16-le")[: 2 * position.character]
        return sum(len(line) + 1 for line in lines[: position.line]) + len(units.decode("utf-16-le"))

    def position(self, name: str, offset: int) -> types.Position:
        """As the protocol counts by default: in UTF-16 units."""
        before = self.texts[name][:offset]
        column = before[before.rfind("\n") + 1 :]
        return types.Position(before.count("\n"), len(column.encode("utf-16-le")) // 2)

    def after(self, name: str, text: str) -> types.Position:
        return self.position(name, self.texts[name].index(text) + len(text))

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    async def until(self, told) -> None:
        """Wait for a notification that makes something true."""
        async with asyncio.timeout(WAIT):
            while not told():
                self._news.clear()
                await self._news.wait()

    async def complete(self, name: str, text: str) -> list[types.CompletionItem]:
        params = types.CompletionParams(self.document(name), self.after(name, text))
        found = await self.client.text_document_completion_async(params)
        return found.items if isinstance(found, types.CompletionList) else list(found or [])


@asynccontextmanager
async def session(
    root: Path, *, encodings: list[types.PositionEncodingKind] | None = None, options: object = None
) -> AsyncIterator[Editor]:
    """Start the server as an editor would, and shut it down."""
    client = LanguageClient("test-editor", "1")
    await client.start_io(sys.executable, "-m", "naturalproofs", "lsp", "--stdio", cwd=root)
    editor = Editor(root, client)
    try:
        async with asyncio.timeout(4 * WAIT):
            general = types.GeneralClientCapabilities(position_encodings=encodings)
            await client.initialize_async(
                types.InitializeParams(
                    capabilities=types.ClientCapabilities(general=general),
                    root_uri=root.resolve().as_uri(),
                    initialization_options=options,
                )
            )
            client.initialized(types.InitializedParams())
            yield editor
            await client.shutdown_async(None)
    finally:
        client.exit(None)
        await client.stop()
