"""What was seen in a project and not understood."""

from pathlib import Path

import pytest

from naturalproofs.apps.report.listings import extraction_text
from naturalproofs.errors import SourceNotFound
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.extraction import audit_extraction

PAPER = r"""
\documentclass{article}
\newtheorem{theorem}{Theorem}
\begin{document}
\begin{theorem}\label{thm:one} One. \end{theorem}
\begin{proof} By \cref{thm:none} and \see{thm:one}. \end{proof}
\begin{riddle} A riddle. \end{riddle}
% \begin{ghost} \see{thm:one} \end{ghost}
\begin{itemize}\item a\end{itemize}
\input{missing}
\end{document}
"""


def test_environments_commands_keys_and_inputs(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(PAPER)
    found = audit_extraction(Workspace.open(tmp_path).home)
    assert (found.files, found.statements, found.proofs) == (1, 1, 1)
    assert found.environments == (("riddle", 1),)
    assert found.commands == (("\\see", 1),)
    assert found.keys == (("thm:none", 1),)
    assert [one.split(":")[:2] for one in found.inputs] == [["paper.tex", "10"]]
    text = extraction_text(found, 10)
    assert "Environments that are not statements: riddle (1)" in text
    assert "missing" in text.splitlines()[-1]


def test_a_stored_corpus_has_no_source_to_compare_with(tmp_path: Path) -> None:
    from naturalproofs.data import primer_folder
    from support.command_line import call

    assert call("build", "latex", str(primer_folder()), "-o", str(tmp_path / "primer"))[0] == 0
    with pytest.raises(SourceNotFound, match="not a LaTeX project"):
        audit_extraction(Workspace.open(tmp_path / "primer").home)
