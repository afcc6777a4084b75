"""The macros of a LaTeX source travel with its corpus."""

from pathlib import Path

from naturalproofs.corpus.store import load
from naturalproofs.workspace import Workspace
from support.command_line import call

PAPER = r"""
\documentclass{article}
\newtheorem{theorem}{Theorem}
\newcommand{\R}[1][n]{\mathbb{R}^{#1}}
\NewDocumentCommand{\size}{s m}{\lvert #2\rvert}
\begin{document}
\begin{theorem}\label{thm:one} $\size{x} \in \R$ and $\R[3]$. \end{theorem}
\end{document}
"""


def _built(folder: Path, name: str, text: str = PAPER) -> Path:
    (folder / f"{name}.tex").write_text(text)
    assert call("build", "latex", str(folder / f"{name}.tex"), "-o", str(folder / name))[0] == 0
    return folder / name


def test_a_stored_corpus_renders_like_its_project(tmp_path: Path) -> None:
    corpus = _built(tmp_path, "paper")
    project, stored = Workspace.open(tmp_path / "paper.tex"), Workspace.open(corpus)
    shown = [one.render(one.home.statements[0]) for one in (project, stored)]
    assert shown[0] == shown[1]
    assert "ℝ" in shown[0]
    assert "\\" not in stored.render(stored.home.statements[0], to="text")


def test_splitting_merging_and_extracting_keep_the_macros(tmp_path: Path) -> None:
    first = _built(tmp_path, "first")
    second = _built(tmp_path, "second", PAPER.replace("mathbb", "mathbf"))
    both, again, split = tmp_path / "both", tmp_path / "again", tmp_path / "split"
    assert call("merge", str(first), str(second), "-o", str(both))[0] == 0
    assert call("merge", "--take", "second", str(both), "-o", str(again))[0] == 0
    assert call("split", str(first), "--recipe", "test-only", "-o", str(split))[0] == 0
    assert load(again).definitions == load(second).definitions
    assert load(split).definitions == load(first).definitions
    assert load(first).definitions != load(second).definitions


def test_macros_of_pretext_travel_too(tmp_path: Path):
    macros = "<docinfo><macros>\\newcommand{\\two}[1]{#1 &amp; #1}</macros></docinfo>"
    theorem = "<article><theorem><statement><p>x</p></statement></theorem></article>"
    (tmp_path / "main.ptx").write_text(f"<pretext>{macros}{theorem}</pretext>")
    assert call("build", "pretext", str(tmp_path / "main.ptx"), "-o", str(tmp_path / "book"))[0] == 0
    assert load(tmp_path / "book").definitions == "\\providecommand{\\two}[1]{#1 & #1}\n"
