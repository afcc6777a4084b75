"""Numbers of real documents against LaTeX; see benchmarks/latex_numbers.py."""

import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

SCRIPT = spec_from_file_location("latex_numbers", Path(__file__).parents[2] / "benchmarks/latex_numbers.py")
latex_numbers = module_from_spec(SCRIPT)
sys.modules["latex_numbers"] = latex_numbers
SCRIPT.loader.exec_module(latex_numbers)

pytestmark = pytest.mark.skipif(
    shutil.which(latex_numbers.PDFLATEX) is None, reason="needs pdflatex (Debian: texlive-latex-extra)"
)
DOCUMENT = r"""\documentclass{article}
\usepackage{not-a-package-of-anybody}
\newtheorem{thm}{Theorem}[section]\newtheorem{lem}[thm]{Lemma}
\begin{document}
\section{One}\label{s}
\begin{lem}\label{a} Every ring has a unit. \end{lem}
\includegraphics{missing}
\begin{thm}\label{b} Units divide. \end{thm}
\begin{equation}\label{e} x = x \end{equation}
\appendix\section{Two}
\begin{thm}\label{c} Products of units are units. \end{thm}
\end{document}
"""


def test_a_document_with_a_missing_package_and_a_missing_figure(tmp_path):
    main = tmp_path / "main.tex"
    main.write_text(DOCUMENT)
    numbers = latex_numbers.compiled(main)
    assert numbers == {"a": "1.1", "b": "1.2", "c": "A.1", "e": "1", "s": "1"}
    assert latex_numbers.compare(main, numbers) == {"statements": (3, []), "equations": (1, []), "others": (1, [])}
    assert latex_numbers.compare(main, {**numbers, "b": "7", "e": "2"}) == {
        "statements": (3, [("b", "1.2", "7")]),
        "equations": (1, [("e", "1", "2")]),
        "others": (1, []),
    }


@pytest.mark.parametrize(("name", "statements", "equations"), [("catlog", 250, 35), ("sphere-packing", 140, 69)])
def test_a_real_document(name, statements, equations, tmp_path):
    found = list(latex_numbers.documents([name]))
    if not found:
        pytest.skip(f"needs the real source {name}; set NATURALPROOFS_CORPORA")
    compared = latex_numbers.compare_document(*found[0], tmp_path)
    assert compared["statements"].labels >= statements
    assert compared["equations"].labels >= equations
    assert compared["statements"].different == compared["equations"].different == []
