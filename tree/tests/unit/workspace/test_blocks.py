"""The lines that statements and proofs take."""

from pathlib import Path

import pytest

from naturalproofs.workspace import Workspace
from naturalproofs.workspace.locate import blocks

HEAD = r"""\documentclass{article}
\newtheorem{thm2}{Theorem}\newtheorem{prop-def}[thm2]{Proposition and definition}
\newcommand{\bthm}{\begin{thm2}}\newcommand{\ethm}{\end{thm2}}
\newcommand{\bpf}{\begin{proof}}\newcommand{\epf}{\end{proof}}
\begin{document}
"""
ENVIRONMENTS = r"""\begin{thm2}\label{a}
  A number is 50\% of another. \end{thm2} More words.
\begin{prop-def}
  Two.
\end{prop-def}
\begin{proof} % \end{proof}
  Words, \begin{proof} and others.
  \end{proof}
\end{proof}
"""
MACROS = r"""\bthm\label{a}
  One. % A remark.

  Two \begin{equation} 1 \end{equation} three.
\ethm
\bpf
  First.

  Then \ref{a}.
\epf

Words between.
\section{Other}
"""
HEADINGS = r"""\begin{thm2} One. \end{thm2}
{\bf Proof.} Let it
go on.

And on. \qed

Other words.
"""
ONE_LINE = r"""\begin{thm2} One. \end{thm2} \begin{proof} Yes
  or no.
\end{proof}
"""
NESTED = r"""\bthm One \begin{equation}
  1
\end{equation}
and two.
\ethm
Words.
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ENVIRONMENTS, [(1, 2), (3, 5), (6, 9)]),
        (MACROS, [(1, 5), (6, 10)]),
        (HEADINGS, [(1, 1), (2, 5)]),
        (ONE_LINE, [(1, 1), (1, 3)]),
        (NESTED, [(1, 5)]),
    ],
    ids=["environments", "macros", "headings", "one line", "nested"],
)
def test_first_and_last_lines(tmp_path: Path, body: str, expected: list[tuple[int, int]]) -> None:
    main = tmp_path / "main.tex"
    main.write_text(HEAD + body + "\\end{document}\n")
    before = HEAD.count("\n")
    found = blocks(Workspace.open(main, cache=False).home, "main.tex")
    assert [(one.start - before, one.end - before) for one in found] == expected


def test_a_proof_that_is_not_written_yet_reaches_up_to_what_follows(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    main.write_text(HEAD + "\\bthm One. \\ethm\n\\bpf\n\n\\epf\n\\section{Next}\n\\end{document}\n")
    first = HEAD.count("\n") + 1
    (_, proof) = blocks(Workspace.open(main, cache=False).home, "main.tex")
    assert (proof.start, proof.end) == (first + 1, first + 3)
