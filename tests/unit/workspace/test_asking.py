"""Pasted theorems."""

from naturalproofs.workspace.asking import cited_keys, read_asked, with_proof


def test_a_theorem_with_the_beginning_of_its_proof():
    asked = read_asked(
        r"\begin{theorem}[Fermat \emph{little}]\label{thm:f} If $p$ is prime. \end{theorem}"
        r"\begin{proof} By \cref{lem:a, lem:b} and Lemma~\ref{lem:a}."
    )
    assert asked.title == "Fermat little"
    assert asked.text == "If $p$ is prime."
    assert asked.proof.startswith("By")
    assert asked.keys == ("lem:a", "lem:b")


def test_bare_text_stays_as_it_is():
    asked = read_asked("  Every $[a, b]$ is compact.\n")
    assert (asked.text, asked.title, asked.proof, asked.keys) == ("Every $[a, b]$ is compact.", "", "", ())


def test_labels_do_not_speak_for_the_proof():
    assert "coset" not in with_proof("Theorem.", r"By \cref{lem:coset-size} we are done.")
    assert with_proof("Theorem.", " ") == "Theorem."
    assert cited_keys(r"\eqref{e} \autoref{a}\Cref{b,c}") == ("e", "a", "b", "c")


def test_nothing_hangs_on_nonsense():
    for source in ("", "\\begin{theorem}[", "\\begin{proof}", "{" * 5000, "\\cref{" * 2000, "\x00\ud800"):
        read_asked(source)
