"""The server for agents, asked by the real client: in process, and as a process of its own."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import mcp
import pytest

from naturalproofs.agents.server import create_server
from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace.open([primer_folder()])


def ask(server: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    async def talk() -> list[Any]:
        async with mcp.Client(server) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(talk())


def test_the_verbs_are_announced(workspace: Workspace) -> None:
    async def tools() -> list[Any]:
        async with mcp.Client(create_server(workspace)) as client:
            return (await client.list_tools()).tools

    found = asyncio.run(tools())
    assert [tool.name for tool in found] == ["corpora", "suggest", "search", "statement", "path", "impact"]
    assert all(tool.description and tool.output_schema and tool.annotations.read_only_hint for tool in found)


def test_suggestions_are_short_and_structured(workspace: Workspace) -> None:
    (answer,) = ask(
        create_server(workspace), ("suggest", {"theorem": "Every subgroup of a cyclic group is cyclic.", "k": 3})
    )
    items = answer.structured_content["items"]
    assert items[0]["id"] == "primer:prop:subgroup-cyclic"
    assert answer.content[0].text.splitlines()[0].startswith("primer:prop:subgroup-cyclic | Proposition 3.2.7 | Every")
    assert len(answer.content[0].text) < 3 * 400


def test_a_statement_may_be_asked_about_by_its_label(workspace: Workspace) -> None:
    first, second = ask(
        create_server(workspace),
        ("suggest", {"theorem": "thm:lagrange", "k": 5}),
        ("suggest", {"theorem": "thm:lagrange", "k": 5, "cited": ["lem:coset-size"]}),
    )
    assert "primer:lem:coset-size" in [item["id"] for item in first.structured_content["items"]]
    assert "primer:lem:coset-size" not in [item["id"] for item in second.structured_content["items"]]


def test_search_statement_path_impact_and_corpora(workspace: Workspace) -> None:
    search, statement, path, impact, corpora = ask(
        create_server(workspace),
        ("search", {"query": "compact", "k": 2, "kinds": ["definition"]}),
        ("statement", {"name": "primer:thm:lagrange", "proofs": True}),
        ("path", {"name": "thm:lagrange", "known": ["def:index"]}),
        ("impact", {"name": "thm:lagrange", "limit": 3}),
        ("corpora", {}),
    )
    assert search.structured_content["items"][0]["id"] == "primer:def:compact"
    assert statement.structured_content["citation"] == "\\cref{thm:lagrange}"
    assert "disjoint union" in statement.content[0].text
    assert path.structured_content["items"][-1]["id"] == "primer:thm:lagrange"
    assert "primer:def:index" not in [item["id"] for item in path.structured_content["items"]]
    assert impact.structured_content["more"] == 27
    assert corpora.structured_content["corpora"][0]["statements"] == 606


def test_mistakes_are_told_in_one_line(workspace: Workspace) -> None:
    unknown, corpus, many = ask(
        create_server(workspace),
        ("statement", {"name": "thm:lagrang"}),
        ("search", {"query": "x", "corpora": ["none"]}),
        ("search", {"query": "x", "k": 1000}),
    )
    assert unknown.is_error
    assert "perhaps thm:lagrange" in unknown.content[0].text
    assert corpus.is_error
    assert "there are: primer" in corpus.content[0].text
    assert many.is_error


def test_the_command_talks_over_its_pipes(tmp_path: Path) -> None:
    command = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "naturalproofs", "mcp"], env={"XDG_CACHE_HOME": str(tmp_path)}
    )
    answer, again = ask(command, ("search", {"query": "lagrange", "k": 1}), ("corpora", {}))
    assert answer.structured_content["items"][0]["id"] == "primer:thm:lagrange"
    assert not again.is_error
    assert list(tmp_path.rglob("search.sqlite")), "the search index is kept for the next start"


def test_a_malformed_message_gets_an_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "naturalproofs", "mcp"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    lines = ["{", '"\\ud800"', '{"jsonrpc": "2.0", "id": 7, "method": "\\ud800"}', '{"jsonrpc": "2.0", "id": 8}', "[]"]
    given = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, env=environment)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [None, None, 7, 8, None]
    assert {answer["error"]["code"] for answer in answers} == {-32700}
