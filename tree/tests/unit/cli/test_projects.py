"""The command ``check``, and what ``doctor`` says about the index of a project."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from naturalproofs.apps.cli.paper import check
from naturalproofs.apps.cli.setup import doctor
from naturalproofs.data import primer_folder
from support.command_line import call
from support.lint_projects import write_project

PRIMER = str(primer_folder())


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
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert (found if style == "json" else found["runs"][0]["results"]) == []


def test_the_status_of_the_index_is_that_of_what_was_indexed(tmp_path: Path) -> None:
    (tmp_path / "paper").mkdir()
    main = write_project(tmp_path / "paper", r"\begin{lemma}\label{a} One. \end{lemma}")
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", main.parent)
    for path in (main, main.parent, Path(archive)):
        assert "no index yet" in CliRunner().invoke(doctor, [str(path)]).stdout
        (made,) = _indexes(path, "--index")
        assert (made["statements"], made["work"]["read"]) == (1, ["main.tex"])
        assert "up to date, 1 files" in CliRunner().invoke(doctor, [str(path)]).stdout
        (found,) = _indexes(path)
        assert (found["exists"], found["project"]) == (True, made["project"])
    main.write_text(main.read_text().replace("One", "Two"))
    assert "changed: main.tex" in CliRunner().invoke(doctor, [str(main)]).stdout


def _indexes(*arguments: object) -> list[dict[str, Any]]:
    result = CliRunner().invoke(doctor, [*map(str, arguments), "--format", "json"])
    assert result.exit_code == 0
    return json.loads(result.stdout)["indexes"]


def test_only_projects_have_an_index(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "notes.txt").write_text("")
    assert _indexes(tmp_path / "results") == []
    assert call("doctor", tmp_path / "results", "--index")[0] == 1
    assert call("build", "latex", PRIMER, "-o", tmp_path / "corpus", "-q")[0] == 0
    assert _indexes(tmp_path / "corpus") == []
    assert "a corpus needs no index" in call("doctor", tmp_path / "corpus", "--index")[2]
    assert call("doctor", "--index")[0] == 2


def test_watching_refuses_options_that_it_would_ignore() -> None:
    code, _, err = call("check", PRIMER, "--watch", "--format", "json")
    assert code == 2
    assert "not with --format" in err
