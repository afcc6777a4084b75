"""Which citations in proofs are uses: cycles, forward references, and proofs of a theorem by itself."""

from pathlib import Path

import pytest

from support.lint_projects import found, write_project

PAIR = r"""
    \begin{lemma}\label{a} A. \begin{equation}\label{eq:a} x \end{equation} \end{lemma}
    \begin{proof} By \cref{b}. \end{proof}
    \begin{lemma}\label{b} B. \end{lemma}
    \begin{proof} CITES \end{proof}
"""


@pytest.mark.parametrize(
    "cites",
    [
        r"As in the proof of \cref{a}, we count.",
        r"By \eqref{eq:a}, which we assume.",
        r"We count. This proves \cref{a}.",
        r"We count\footnote{Compare \cref{a}.}.",
        r"We count, as \hyperref[a]{lemmas} do.",
        r"By part (i), see \cref{a}(i).",
        r"We defer this: the proof will use \cref{a}.",
    ],
)
def test_mentions_that_make_no_cycle(tmp_path: Path, cites: str) -> None:
    assert found(write_project(tmp_path, PAIR.replace("CITES", cites)), "circular-argument") == []


def test_a_cycle_is_reported_only_if_every_proof_says_so(tmp_path: Path) -> None:
    (sure,) = found(write_project(tmp_path, PAIR.replace("CITES", r"Apply \cref{a}.")), "circular-argument")
    assert sure.severity == "error"
    assert found(write_project(tmp_path, PAIR.replace("CITES", r"\cref{a} is funny.")), "circular-argument") == []


def test_blueprints_have_the_cycles_of_uses(tmp_path: Path) -> None:
    body = r"""
        \begin{lemma}\label{a} A. \end{lemma} \begin{proof}\uses{b} By \cref{b}. \end{proof}
        \begin{lemma}\label{b} B. \end{lemma} \begin{proof} By \cref{a}. \end{proof}
    """
    assert found(write_project(tmp_path, body), "circular-argument") == []
    assert found(write_project(tmp_path, body), "forward-reference") == []
    uses = body.replace(r"\begin{proof} By \cref{a}", r"\begin{proof}\uses{a} Clear")
    (finding,) = found(write_project(tmp_path, uses), "circular-argument")
    assert finding.severity == "error"


@pytest.mark.parametrize(
    "cites",
    [
        r"By \cref{l} below.",
        r"We will see this in \cref{l}.",
        r"Similar to \cref{l}.",
        r"By \cref{d}.",
        r"By \cref{x}.",
    ],
)
def test_forward_references_that_are_announced_or_no_theorems(tmp_path: Path, cites: str) -> None:
    main = write_project(tmp_path, rf"""
        \newtheorem{{exercise}}{{Exercise}}
        \begin{{theorem}}\label{{t}} T. \end{{theorem}} \begin{{proof}} {cites} \end{{proof}}
        \begin{{lemma}}\label{{l}} L. \end{{lemma}} \begin{{definition}}\label{{d}} D. \end{{definition}}
        \begin{{exercise}}\label{{x}} X. \end{{exercise}}
    """)  # fmt: skip
    assert found(main, "forward-reference") == []


def test_a_section_that_is_a_proof_may_have_lemmas_of_its_own(tmp_path: Path) -> None:
    main = write_project(tmp_path, r"""
        \begin{theorem}\label{t} T. \end{theorem}
        \section{Proof of \cref{t}}
        \begin{lemma}\label{l} L. \end{lemma} \begin{proof} Clear. \end{proof}
        By \cref{l}, we are done.
    """)  # fmt: skip
    assert found(main, "forward-reference") == []


def test_forward_references_to_an_appendix(tmp_path: Path) -> None:
    main = write_project(
        tmp_path,
        r"\begin{theorem}\label{t} T. \end{theorem} \begin{proof} By \cref{l}. \end{proof} \input{appendix-sets}",
        **{"appendix-sets": r"\begin{lemma}\label{l} L. \end{lemma}"},
    )
    assert found(main, "forward-reference") == []


@pytest.mark.parametrize(
    ("proof", "count"),
    [
        (r"It follows by Theorem~\ref{t}.", 1),
        (r"Using \cref{t}, we are done.", 1),
        (r"By \cref{t}(i), part (ii) is clear.", 0),
        (r"By induction we may apply the case $n - 1$ of \cref{t}.", 0),
        (r"This proves \cref{t}.", 0),
        (r"The notation of \cref{t} is kept.", 0),
    ],
)
def test_a_proof_by_its_own_theorem(tmp_path: Path, proof: str, count: int) -> None:
    body = rf"\begin{{theorem}}\label{{t}} T. \end{{theorem}} \begin{{proof}} {proof} \end{{proof}}"
    assert len(found(write_project(tmp_path, body), "own-theorem")) == count


def test_a_proof_inside_another_environment_may_be_that_of_another_theorem(tmp_path):
    theorem = "\\begin{theorem}\\label{thm:one} A.\\end{theorem}\n"
    proof = "\\begin{proof}\nBy Theorem~\\ref{thm:one}.\n\\end{proof}\n"
    assert found(write_project(tmp_path, theorem + proof), "own-theorem")
    assert not found(
        write_project(tmp_path, f"{theorem}\\begin{{satzchen}} B.\n{proof}\\end{{satzchen}}"), "own-theorem"
    )


def test_a_missing_file_is_one_finding(tmp_path):
    body = "\\begin{theorem} A.\\end{theorem}\n\\input{gone}\n\n\\input{gone}\n"
    (finding,) = found(write_project(tmp_path, body), "missing-file")
    assert finding.message.endswith("(it is read on 2 lines)")
