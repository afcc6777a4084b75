"""The commands ``graph`` and ``site``."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from naturalproofs.apps.cli.paper import check
from naturalproofs.apps.cli.publishing import graph
from naturalproofs.data import primer_folder
from naturalproofs.errors import SourceNotFound, UnknownName
from support.command_line import call
from support.lint_projects import write_project

PRIMER = str(primer_folder())


def test_graph_writes_one_page(tmp_path: Path) -> None:
    page = tmp_path / "graph.html"
    result = CliRunner().invoke(graph, [PRIMER, "-o", str(page), "--focus", "thm:lagrange", "--up", "3"])
    assert result.exit_code == 0, result.output
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert '"focus":"thm:lagrange","up":3' in page.read_text("utf-8")
    assert "606 statements" in result.stderr


@pytest.mark.parametrize(("name", "start"), [("g.dot", "digraph"), ("g.graphml", "<?xml"), ("g.json", "{")])
def test_the_format_follows_the_name(tmp_path: Path, name: str, start: str) -> None:
    result = CliRunner().invoke(graph, [PRIMER, "-o", str(tmp_path / name), "--level", "chapter"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / name).read_text("utf-8").startswith(start)


@pytest.mark.parametrize("name", ["g.svg", "g.pdf", "g.png"])
def test_a_name_of_another_format_is_refused(tmp_path: Path, name: str) -> None:
    code, _, err = call("graph", PRIMER, "-o", tmp_path / name)
    assert code == 2
    assert ".html, .htm, .dot, .gv, .graphml, .json" in err
    assert not (tmp_path / name).exists()
    assert call("graph", PRIMER, "-o", tmp_path / name, "--format", "dot")[0] == 0


def test_other_formats_go_to_stdout() -> None:
    result = CliRunner().invoke(
        graph, [PRIMER, "--format", "json", "--focus", "thm:lagrange", "--up", "0", "--down", "0"]
    )
    assert [node["label"] for node in json.loads(result.stdout)["nodes"]] == ["thm:lagrange"]


def test_a_page_needs_a_file() -> None:
    result = CliRunner().invoke(graph, [PRIMER])
    assert result.exit_code == 2
    assert "-o graph.html" in result.stderr


def test_macros_of_the_project_are_used(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"\begin{lemma}\label{a} $\foo$ \end{lemma}")
    (tmp_path / "own.sty").write_text(r"\newcommand{\foo}{\mathbb{Q}}")
    result = CliRunner().invoke(graph, [str(main), "-o", str(tmp_path / "g.html")], catch_exceptions=False)
    assert result.exit_code == 0


@pytest.mark.parametrize("command", [graph, check])
def test_a_missing_path_is_one_clear_error(command: object, tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="no such file or folder"):
        CliRunner().invoke(
            command, [str(tmp_path / "no"), *(["--format", "dot"] if command is graph else [])], catch_exceptions=False
        )


def test_an_unknown_focus_is_one_clear_error() -> None:
    with pytest.raises(UnknownName, match="zzz"):
        CliRunner().invoke(graph, [PRIMER, "--format", "dot", "--focus", "zzz"], catch_exceptions=False)


def test_a_site_is_written_and_only_what_changed_again(tmp_path: Path) -> None:
    site, tags = tmp_path / "site", tmp_path / "tags"
    code, _, said = call("site", primer_folder(), "-o", site, "--tags", tags, "--url", "https://example.org/p/")
    assert code == 0, said
    assert "606 statements" in said
    assert (site / "index.html").is_file()
    assert tags.read_bytes() == (site / "tags.txt").read_bytes()
    assert "https://example.org/p/tag/0001.html" in (site / "sitemap.xml").read_text()
    code, _, said = call("site", primer_folder(), "-o", site, "--tags", tags, "--url", "https://example.org/p")
    assert "(0 written, 0 removed)" in said
    code, _, said = call("site", primer_folder(), "-o", site)
    assert "1 removed" in said


def test_what_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("x")
    code, _, said = call("site", primer_folder(), "-o", tmp_path / "mine")
    assert code == 1
    assert "was not made by this command" in said
    assert call("site", primer_folder(), "-o", tmp_path / "new", "--url", "example.org")[0] == 2
    (tmp_path / "tags").write_text("no tags\n")
    code, _, said = call("site", primer_folder(), "-o", tmp_path / "new", "--tags", tmp_path / "tags")
    assert code == 1
    assert "tags:1: not a tag" in said
    assert not (tmp_path / "new").exists()
