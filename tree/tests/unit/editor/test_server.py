"""Addresses of files as editors write them, and answers from the last reading."""

import asyncio
import os
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.workspace import Workspace

from naturalproofs.apps.editor.server import FIRST, definition, make_server, path_at
from naturalproofs.apps.editor.session import read_state
from naturalproofs.workspace.check import Selection
from support.lint_projects import write_project


@pytest.mark.parametrize(
    "name",
    ["a b.tex", "é.tex", "a+b.tex", "100%.tex", "a%20b.tex", "#a?b.tex", "c:/a.tex", os.fsdecode(b"caf\xe9.tex")],
)
def test_every_path_has_an_address(name):
    path = Path("/folder") / name
    assert path_at(path.as_uri()) == path


@pytest.mark.parametrize(
    "addresses",
    [
        ("file:///a%20b.tex", "file:///a b.tex"),
        ("file:///%C3%A9.tex", "file:///%c3%a9.tex", "file:///é.tex", "file://localhost/é.tex"),
        ("file:///a%2Bb.tex", "file:///a+b.tex"),
        ("file:///100%25.tex", "file:///100%.tex"),
        ("file:///c%3A/a.tex", "file:///c:/a.tex", "file:///c%3a/a.tex"),
    ],
)
def test_the_same_file_in_several_encodings(addresses):
    assert len({path_at(address) for address in addresses}) == 1


@pytest.mark.parametrize("address", ["untitled:1", "", "file:", "http://a/b", "file://[a/b", "file:///a%00b", "\ud800"])
def test_no_files(address):
    assert path_at(address) is None


@pytest.mark.parametrize(("key", "waits"), [("thm:a", [0.0]), ("thm:new", [0.0, FIRST])])
def test_a_label_that_is_known_is_answered_at_once(tmp_path, monkeypatch, key, waits):
    main = write_project(tmp_path, r"\begin{theorem}\label{thm:a} A. \end{theorem} By \cref{KEY}.")
    state, server, asked = read_state(main, {}, Selection()), make_server(), []
    monkeypatch.setattr(server.protocol, "_workspace", Workspace(None))
    document = types.TextDocumentItem(main.as_uri(), "latex", 1, main.read_text().replace("KEY", key))
    server.workspace.put_text_document(document)

    async def inside(_uri, patience):
        asked.append(patience)
        return state, "main.tex"

    monkeypatch.setattr(server, "inside", inside)
    lines = document.text.split("\n")
    line = next(number for number, one in enumerate(lines) if "cref" in one and key in one)
    at = types.Position(line, lines[line].index(f"cref{{{key}") + 6)
    found = asyncio.run(definition(server, types.DefinitionParams(types.TextDocumentIdentifier(document.uri), at)))
    assert (asked, found is not None) == (waits, key == "thm:a")
