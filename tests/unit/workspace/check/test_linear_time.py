"""Hostile projects: with more than linear time these tests would not end."""

from pathlib import Path

import pytest

from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import RULES, Selection, label_rules
from support.lint_projects import write_project

SIZE = 100_000
HOSTILE = [
    r"\begin{equation} ", r"\cite[ ", r"\bibitem[{ ", "\\iffoo \\label{a}\n", r"Theorem~\ref{t}, ", r"\ref{nope} ",
    "Lemma 1 ", r"\begin{proof} By \cref{t}", "% naturalproofs: ignore\n", r"\foo{ab}[cd]", "?", "TODO ",
    r"\label{\thepart.#1\x} ", r"\label{\x{a}", r"\externaldocument[a]{b}", r"\externaldocument[",
    r"\newcommandx\a[1][1={", r"\newcommand{\a}{TODO ", r"\Opensolutionfile{a", r"\openout\a=",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_all_rules(tmp_path: Path, piece: str) -> None:
    main = write_project(tmp_path, rf"\begin{{lemma}}\label{{t}} T. \end{{lemma}} {piece * (SIZE // len(piece))}")
    assert Workspace.open(main, cache=False).check(Selection(select=RULES.keys())).findings is not None


def test_many_keys_on_one_line_are_looked_up_in_a_set() -> None:
    class Source:
        calls = 0

        def lines(self, line: int, count: int) -> str:
            Source.calls += 1
            return "See \\cref[x]{a, th:b;\n c } and \\ref{d}."

    source = Source()
    assert {"a", "b", "c", "d"} <= label_rules._written(source, 1)  # type: ignore[arg-type]
    assert "e" not in label_rules._written(source, 1)  # type: ignore[arg-type]
    assert Source.calls == 1
