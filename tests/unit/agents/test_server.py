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

from naturalproofs.apps.agents import create_server
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
    names = "corpora suggest search statement path impact check graph render notation outside exercise".split()
    assert [tool.name for tool in found] == names
    assert all(tool.description and tool.output_schema and tool.annotations.read_only_hint for tool in found)
    undescribed = [
        (tool.name, name)
        for tool in found
        for name, field in tool.input_schema.get("properties", {}).items()
        if not field.get("description")
    ]
    assert undescribed == []


def test_a_client_that_reads_only_the_schemas(workspace: Workspace) -> None:
    """It finds, reads, suggests and checks with announced arguments, and with ids from answers."""

    async def talk() -> list[Any]:
        async with mcp.Client(create_server(workspace)) as client:
            tools = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}

            async def call(name: str, *values: object) -> Any:
                required = tools[name].get("required", [])
                return await client.call_tool(name, dict(zip(required, values, strict=True)))

            found = await call("search", "order of a subgroup divides the order of the group")
            first = found.structured_content["items"][0]["id"]
            read = await call("statement", first)
            suggested = await call("suggest", read.structured_content["latex"])
            checked = await call("check")
            asked = await call("exercise", first)
            return [found, read, suggested, checked, asked, await call("notation"), await call("outside")]

    answers = asyncio.run(talk())
    assert not any(answer.is_error for answer in answers)
    read, suggested, asked = answers[1], answers[2], answers[4]
    assert read.structured_content["id"] == "primer:thm:lagrange"
    assert set(read.structured_content["cites"]) & {one["id"] for one in suggested.structured_content["items"]}
    assert "Which of these does the proof use?" in asked.content[0].text


def test_what_is_wrong_with_arguments_is_said_in_one_line(workspace: Workspace) -> None:
    answers = ask(
        create_server(workspace),
        ("search", {"query": ""}),
        ("search", {"query": "  "}),
        ("graph", {"name": "thm:lagrange", "up": 99}),
        ("statement", {}),
    )
    for answer in answers:
        text = answer.content[0].text
        assert answer.is_error
        assert "\n" not in text
        assert "http" not in text
    assert "up" in answers[2].content[0].text


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


def test_unknown_names_come_with_the_nearest(workspace: Workspace) -> None:
    title, rule, cited, rendered = ask(
        create_server(workspace),
        ("statement", {"name": "the theorem of Lagrange on subgroups"}),
        ("check", {"rules": ["undefined-refrence"]}),
        ("suggest", {"theorem": "thm:lagrange", "cited": ["lem:coset-siz"]}),
        ("render", {"source": "thm:lagrang"}),
    )
    assert all(answer.is_error for answer in (title, rule, cited, rendered))
    assert "perhaps primer:" in title.content[0].text
    assert "(Lagrange)" in title.content[0].text
    assert "perhaps undefined-reference" in rule.content[0].text
    assert "perhaps lem:coset-size" in cited.content[0].text
    assert "perhaps thm:lagrange" in rendered.content[0].text


def test_graph_and_render(workspace: Workspace) -> None:
    graph, small, text, html, line = ask(
        create_server(workspace),
        ("graph", {"name": "thm:lagrange", "up": 1, "down": 0}),
        ("graph", {"name": "thm:lagrange", "up": 2, "down": 2, "limit": 5}),
        ("render", {"source": r"Let $\abs{G} = p^2$."}),
        ("render", {"source": "thm:lagrange", "to": "html"}),
        ("render", {"source": "primer:thm:lagrange", "to": "line"}),
    )
    nodes, edges = graph.structured_content["nodes"], graph.structured_content["edges"]
    labels = ("lem:coset-equivalence", "lem:coset-size", "def:index", "thm:lagrange")
    assert [node["id"] for node in nodes] == [f"primer:{label}" for label in labels]
    assert {"source": "primer:def:index", "target": "primer:thm:lagrange", "cited_in": "proof"} in edges
    assert "primer:def:index -> primer:thm:lagrange (proof)" in graph.content[0].text
    assert len(small.structured_content["nodes"]) == 5
    assert small.structured_content["more"] > 10
    assert text.content[0].text == "Let |G| = p²."
    assert "<math" in html.content[0].text
    assert line.content[0].text.startswith("Let H be a subgroup of a finite group G.")


def test_check_sees_what_an_agent_has_just_written(tmp_path: Path) -> None:
    paper = tmp_path / "paper.tex"
    text = (
        r"\documentclass{article}\newtheorem{theorem}{Theorem}\begin{document}"
        "\n\\begin{theorem}\\label{a} Text.\\end{theorem}\n\\begin{proof} By \\ref{%s}. \\end{proof}\n\\end{document}\n"
    )
    paper.write_text(text % "b")
    server = create_server(Workspace.open([paper], cache=False))
    (answer,) = ask(server, ("check", {"rules": ["undefined-reference"]}))
    finding = answer.structured_content["findings"][0]
    assert finding["where"] == "paper.tex:3"
    assert finding["rule"] == "undefined-reference"
    assert answer.content[0].text.startswith("paper.tex:3: error: ")
    paper.write_text((text % "a") + "% changed\n")
    (answer,) = ask(server, ("check", {"rules": ["undefined-reference"]}))
    assert answer.content[0].text == "no findings"


def test_every_tool_sees_what_was_just_written(tmp_path: Path) -> None:
    paper = tmp_path / "paper.tex"
    declared = r"\documentclass{article}\newtheorem{lemma}{Lemma}\newcommand{\norm}[1]{%s}\begin{document}"
    one = r"\begin{lemma}\label{%s} %s \end{lemma}"
    paper.write_text(declared % r"\|#1\|" + one % ("lem:open", "Balls are open.") + r"\end{document}")
    server = create_server(Workspace.open([paper], cache=False))
    (before,) = ask(server, ("statement", {"name": "lem:open"}))
    assert before.structured_content["latex"] == "Balls are open."
    written = one % ("lem:open", "Balls are convex.") + one % ("lem:sum", "Sums of balls are balls.")
    paper.write_text(declared % r"|#1|" + written + r"\end{document}")
    changed, new, corpora, rendered = ask(
        server,
        ("statement", {"name": "lem:open"}),
        ("search", {"query": "sums"}),
        ("corpora", {}),
        ("render", {"source": r"$\norm{x}$"}),
    )
    assert changed.structured_content["latex"] == "Balls are convex."
    assert new.structured_content["items"][0]["id"] == "paper:lem:sum"
    assert corpora.structured_content["corpora"][0]["statements"] == 2
    assert rendered.content[0].text == "|x|"


def test_a_line_of_a_proof_may_be_asked_about(tmp_path: Path) -> None:
    paper = tmp_path / "paper.tex"
    paper.write_text(
        "\\documentclass{article}\\newtheorem{lemma}{Lemma}\\newtheorem{theorem}{Theorem}\\begin{document}\n"
        "\\begin{lemma}\\label{lem:open} Balls are open. \\end{lemma}\n"
        "\\begin{theorem}\\label{thm:union} Unions of balls are open. \\end{theorem}\n"
        "\\begin{proof} Balls are open by Lemma~\\ref{lem:open}.\n"
        "So the union of open balls is open by Lemma\n\\end{proof}\n\\end{document}\n"
    )
    server = create_server(Workspace.open([paper], cache=False))
    there, whole, nowhere = ask(
        server,
        ("suggest", {"theorem": "paper.tex:5"}),
        ("suggest", {"theorem": "thm:union"}),
        ("suggest", {"theorem": "other.tex:5"}),
    )
    assert [item["id"] for item in there.structured_content["items"]] == ["paper:lem:open"]
    assert [item["id"] for item in whole.structured_content["items"]] == ["paper:lem:open"]
    assert "other.tex is not a file of paper" in nowhere.content[0].text


def test_a_label_with_an_underscore_is_a_name(tmp_path: Path) -> None:
    paper = tmp_path / "paper.tex"
    declared = r"\documentclass{article}\newtheorem{lemma}{Lemma}\begin{document}"
    paper.write_text(declared + r"\begin{lemma}\label{lem_a} Balls are open. \end{lemma}\end{document}")
    server = create_server(Workspace.open([paper], cache=False))
    named, formula, unknown = ask(
        server,
        ("render", {"source": "lem_a"}),
        ("render", {"source": "x_1"}),
        ("render", {"source": "lem:b"}),
    )
    assert named.content[0].text == "Balls are open."
    assert not formula.is_error
    assert unknown.is_error


def test_paths_and_impact_say_more_when_asked(workspace: Workspace) -> None:
    path, impact = ask(
        create_server(workspace),
        ("path", {"name": "thm:lagrange", "known": ["chapter Sets and maps"], "inferred": True}),
        ("impact", {"name": "def:group", "limit": 2}),
    )
    ids = [item["id"] for item in path.structured_content["items"]]
    assert "primer:def:group" in ids
    assert "primer:def:relation" not in ids
    assert impact.structured_content["note"].startswith("by chapter: Integers and congruences 20, Groups 58")


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
    lines += ["[" * 100_000, '"' + "\\ud800" + '"' + "[" * 100_000]
    given = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, env=environment)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [None, None, 7, 8, None, None, None]
    assert {answer["error"]["code"] for answer in answers} == {-32700}


def test_a_path_is_the_same_as_elsewhere(workspace: Workspace) -> None:
    path, cited = ask(
        create_server(workspace),
        ("path", {"name": "thm:lagrange"}),
        ("path", {"name": "thm:lagrange", "inferred": False}),
    )
    for answer, inferred in ((path, None), (cited, False)):
        found = workspace.path("thm:lagrange", inferred=inferred, limit=40).steps
        assert [item["id"] for item in answer.structured_content["items"]] == [step.id for step in found]
