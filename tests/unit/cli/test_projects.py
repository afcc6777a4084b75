"""The command ``check``."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from naturalproofs.cli.projects import check
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
    json.loads(result.stdout)
