"""The commands `graph` and `check`, from the outside."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from naturalproofs.cli.pages import graph
from naturalproofs.cli.projects import check
from naturalproofs.data import primer_folder
from naturalproofs.errors import SourceNotFound, UnknownName
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


def test_check_exits_with_1_on_errors_only(tmp_path: Path) -> None:
    assert CliRunner().invoke(check, [PRIMER]).exit_code == 0
    main = write_project(tmp_path, r"\begin{lemma}\label{a} \cref{gone} \end{lemma}")
    result = CliRunner().invoke(check, [str(main)])
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{main}:")
    assert "[undefined-reference]" in result.stdout
    assert "1 error" in result.stderr


def test_check_with_a_baseline_starts_clean(tmp_path: Path) -> None:
    main, known = write_project(tmp_path, r"\begin{lemma}\label{a} \cref{gone} \end{lemma}"), tmp_path / "known.json"
    assert CliRunner().invoke(check, [str(main), "--write-baseline", str(known)]).exit_code == 0
    result = CliRunner().invoke(check, [str(main), "--baseline", str(known), "--all"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert "known from the baseline" in result.stderr


@pytest.mark.parametrize("style", ["json", "sarif"])
def test_check_for_machines_is_json_even_when_empty(style: str) -> None:
    result = CliRunner().invoke(check, [PRIMER, "--select", "circular-argument", "--format", style])
    json.loads(result.stdout)
