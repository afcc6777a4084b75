"""The commands ``check`` and ``index``."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from naturalproofs.cli.projects import check, index
from naturalproofs.data import primer_folder
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
        assert "no index yet" in CliRunner().invoke(index, [str(path), "--status"]).stdout
        made = CliRunner().invoke(index, [str(path)])
        assert made.exit_code == 0
        result = CliRunner().invoke(index, [str(path), "--status"])
        assert result.exit_code == 0
        assert "up to date, 1 files" in result.stdout
        assert result.stdout.partition(":")[0] == made.stdout.partition(":")[0]
        answer = json.loads(CliRunner().invoke(index, [str(path), "--status", "--format", "json"]).stdout)
        assert answer["index"]
    main.write_text(main.read_text().replace("One", "Two"))
    assert "changed: main.tex" in CliRunner().invoke(index, [str(main), "--status"]).stdout
