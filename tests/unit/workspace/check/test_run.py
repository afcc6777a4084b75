"""Selecting rules, hiding notes, fingerprints and baselines."""

from pathlib import Path

import pytest

from naturalproofs.corpus.load import build
from naturalproofs.corpus.store import save
from naturalproofs.data import primer_folder
from naturalproofs.errors import BadSchema, SourceNotFound, UnknownName
from naturalproofs.sources.registry import source
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import Selection
from naturalproofs.workspace.check.run import read_baseline, write_baseline
from support.lint_projects import check, write_project

BODY = r"""
    \begin{theorem}\label{t} T. \end{theorem}
    \begin{proof} By \cref{gone}
    and \cref{gone}. \end{proof}
    \begin{lemma}\label{l} As in Theorem 1. \end{lemma}
"""


@pytest.fixture
def main(tmp_path: Path) -> Path:
    return write_project(tmp_path, BODY)


def rules(report_findings: object) -> list[str]:
    return [one.rule for one in report_findings]


def test_notes_are_hidden_unless_wanted(main: Path) -> None:
    quiet = check(main)
    assert rules(quiet.findings) == ["undefined-reference", "undefined-reference"]
    assert quiet.hidden == 2
    assert len(check(main, notes=True).findings) == 4
    assert rules(check(main, select={"fixed-number"}).findings) == ["fixed-number"]


def test_rules_on_request_run_only_when_selected(main: Path) -> None:
    assert "unused-statement" not in rules(check(main, notes=True).findings)
    assert rules(check(main, select={"unused-statement"}).findings) == ["unused-statement"]


def test_ignored_rules_are_not_run(main: Path) -> None:
    report = check(main, ignore={"undefined-reference"}, notes=True)
    assert rules(report.findings) == ["fixed-number", "statement-without-proof"]
    assert not report.failed
    assert check(main).failed


def test_unknown_rules_are_named(main: Path) -> None:
    with pytest.raises(UnknownName, match="nonsense"):
        check(main, select={"nonsense"})
    check(main, ignore={"unbalanced-brace"})


def test_fingerprints_survive_moves_and_tell_equals_apart(main: Path, tmp_path: Path) -> None:
    before = [one.fingerprint for one in check(main, notes=True).findings]
    text = main.read_text()
    main.write_text(text.replace("\\begin{document}", "\\begin{document}\n\nA new paragraph.\n\n"))
    after = check(main, notes=True)
    assert [one.fingerprint for one in after.findings] == before
    assert len(set(before)) == len(before)


def test_a_baseline_hides_what_it_lists_and_nothing_new(main: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "known.json"
    assert write_baseline(baseline, check(main).everything) == 4
    known = Workspace.open(main).check(Selection(notes=True), read_baseline(baseline))
    assert (known.findings, known.known) == ((), 4)
    main.write_text(main.read_text().replace("\\end{document}", "\\cref{new}\n\\end{document}"))
    fresh = Workspace.open(main).check(Selection(), read_baseline(baseline))
    assert [one.subject for one in fresh.findings] == ["new"]


def test_damaged_baselines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    with pytest.raises(SourceNotFound, match="--write-baseline"):
        read_baseline(path)
    path.write_text("{}")
    with pytest.raises(BadSchema, match="not a baseline"):
        read_baseline(path)
    path.write_text('{"schema": 9, "findings": {}}')
    with pytest.raises(BadSchema, match="schema 9"):
        read_baseline(path)


def test_a_stored_corpus_is_checked_without_its_source(main: Path, tmp_path: Path) -> None:
    built = build(source("latex"), main, name="t")
    save(built, tmp_path / "stored", splits=b"{}")
    stored = Workspace.open(tmp_path / "stored")
    assert not stored.home.anchors
    assert rules(stored.check().findings) == rules(check(main).findings)


def test_the_primer_has_no_errors() -> None:
    report = Workspace.open(primer_folder()).check()
    assert not report.failed
    assert report.findings == ()
