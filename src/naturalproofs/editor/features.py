"""The questions that the server answers, each handed to what knows."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from naturalproofs.editor import answers
from naturalproofs.editor.actions import actions
from naturalproofs.editor.cursor import Key, key_at, typing_at
from naturalproofs.editor.ranks import offers
from naturalproofs.editor.server import Question, Server
from naturalproofs.editor.view import View

FIRST = 10.0
"""Seconds that the first completion waits for the project to be read."""


def make_server() -> Server:
    """A server with all its features."""
    server = Server()
    _lifecycle(server)
    _completion(server)
    _looking_up(server)
    _whole_documents(server)
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
        ls.settle(params.text_document.uri)
        _touch(ls, params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def elsewhere(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        del params
        for desk in ls.desks.values():
            desk.touch()

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, params: None) -> None:
        del params
        ls.close()


def _touch(server: Server, uri: str, pause: float | None = None) -> None:
    known = len(server.desks)
    desk = server.desk(uri)
    if desk is not None and len(server.desks) == known:
        desk.touch() if pause is None else desk.touch(pause)


def _completion(server: Server) -> None:
    options = types.CompletionOptions(trigger_characters=["{", ",", "["], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    async def complete(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
        asked = Question(ls, params.text_document.uri, params.position)
        typing = typing_at(asked.text, asked.offset)
        if typing is None:
            return None
        desk = ls.desk(asked.uri)
        # Once there is a view, what was typed in the last second changes little; before that, waiting is worth it.
        found = await asked.view(FIRST if desk is None or desk.view is None else 0.0)
        if found is None:
            return None
        view, file = found
        ranked = await asyncio.to_thread(offers, view, file, asked.text, asked.offset, typing)
        return answers.completion(view, ranked, typing, asked.range(typing.start, asked.offset), asked.uri)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    async def resolve(ls: Server, item: types.CompletionItem) -> types.CompletionItem:
        uri = item.data.get("uri") if isinstance(item.data, dict) else None
        desk = ls.desk(uri) if isinstance(uri, str) else None
        return answers.resolved(desk.view, item) if desk and desk.view else item


async def _key(ls: Server, uri: str, position: types.Position) -> tuple[Question, Key, View, str] | None:
    asked = Question(ls, uri, position)
    key = key_at(asked.text, asked.offset)
    found = await asked.view() if key is not None else None
    return (asked, key, *found) if key is not None and found is not None else None


def _looking_up(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        found = await _key(ls, params.text_document.uri, params.position)
        if found is None:
            return None
        asked, key, view, file = found
        text = ls.client_capabilities.text_document
        formats = (text.hover.content_format if text and text.hover else None) or [types.MarkupKind.Markdown]
        markdown = types.MarkupKind.Markdown in formats
        return answers.hover(view, file, key, asked.range(key.start, key.end), markdown=markdown)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | None:
        found = await _key(ls, params.text_document.uri, params.position)
        if found is None:
            return None
        asked, key, view, file = found
        return answers.definition(view, file, key, asked.places(view))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
        found = await _key(ls, params.text_document.uri, params.position)
        if found is None:
            return []
        asked, key, view, file = found
        return answers.references(view, file, key, asked.places(view), declared=params.context.include_declaration)


def _whole_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        asked = Question(ls, params.text_document.uri)
        found = await asked.view()
        return answers.symbols(found[0], found[1], asked.places(found[0])) if found else []

    mends = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, mends)
    async def mend(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        found = await Question(ls, params.text_document.uri).view()
        return actions(found[0], found[1], params.text_document.uri, params.context) if found else []
