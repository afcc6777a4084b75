"""Proofs that stand apart from what they prove, and proofs of several statements, of parts and of claims."""

import pytest

from naturalproofs.latex.project import LATEX

PREAMBLE = (
    "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\newtheorem{lemma}[theorem]{Lemma}"
    "\\newtheorem{claim}[theorem]{Claim}"
)


def proofs(tmp_path, body, preamble=""):
    main = tmp_path / "main.tex"
    main.write_text(f"{PREAMBLE}{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")
    draft = LATEX.read(main, name="x", rules="fixed")
    assert not draft.diagnostics
    return {one.label: [" ".join(proof.lines) for proof in one.proofs] for one in draft.statements}


def theorem(label, text="Text.", name="theorem"):
    return f"\\begin{{{name}}}\\label{{{label}}} {text} \\end{{{name}}}\n"


def test_one_proof_of_several_statements(tmp_path):
    body = theorem("a") + theorem("b") + theorem("c", name="lemma")
    body += "\\begin{proof} Of c. \\end{proof}\\begin{proof}[Proof of \\cref{a,b}] Of both, by \\ref{c}. \\end{proof}"
    both = ["Of both, by \\ref{c}."]
    assert proofs(tmp_path, body) == {"a": both, "b": both, "c": ["Of c."]}


def test_one_proof_of_statements_joined_by_words(tmp_path):
    body = theorem("a") + "\\begin{proof}[Proof of Theorems~\\ref{a} and~\\ref{b}] Of both. \\end{proof}" + theorem("b")
    assert proofs(tmp_path, body) == {"a": ["Of both."], "b": ["Of both."]}
    using = theorem("a") + theorem("b") + "\\begin{proof}[Proof of Theorem \\ref{a} using \\ref{b}] Of a. \\end{proof}"
    assert proofs(tmp_path, using) == {"a": ["Of a."], "b": []}


def test_proofs_of_parts(tmp_path):
    body = theorem("a", "\\begin{enumerate}\\item\\label{i} x \\item\\label{j} y \\end{enumerate}") + theorem("b")
    body += "\\begin{proof}[Proof of \\ref{i}] One. \\end{proof}\\begin{proof}[Proof of \\ref{j}] Two. \\end{proof}"
    assert proofs(tmp_path, body) == {"a": ["One.", "Two."], "b": []}


def test_proofs_that_name_a_second_label(tmp_path):
    body = theorem("a", "\\label{old} Text.") + theorem("b") + "\\begin{proof}[Proof of \\ref{old}] Of a. \\end{proof}"
    assert proofs(tmp_path, body) == {"a": ["Of a."], "b": []}


def test_proof_of_the_theorem(tmp_path):
    body = theorem("a") + theorem("b", name="lemma") + "\\begin{proof}[Proof of lemma] Of b. \\end{proof}"
    body += "\\begin{proof}[Proof of the theorem] Of a. \\end{proof}"
    assert proofs(tmp_path, body) == {"a": ["Of a."], "b": ["Of b."]}


@pytest.mark.parametrize(
    ("first", "second", "heading"),
    [
        ("Теорема", "Лемма", "Доказательство теоремы"),
        ("Twierdzenie", "Lemat", "Dowód twierdzenia."),
        ("Věta", "Lemma", "Důkaz věty"),
        ("Tétel", "Lemma", "A tétel bizonyítása"),
        ("Stelling", "Lemma", "Bewijs van de stelling"),
        ("Sats", "Lemma", "Bevis av satsen"),
        ("定理", "補題", "定理の証明"),
        ("定理", "補題", "定理1の証明"),
    ],
)
def test_proof_of_the_theorem_in_other_languages(tmp_path, first, second, heading):
    preamble = f"\\newtheorem{{first}}{{{first}}}\\newtheorem{{second}}{{{second}}}"
    body = theorem("a", name="first") + theorem("b", name="second") + "\\begin{proof} Of b. \\end{proof}"
    body += theorem("c", name="second") + f"\\begin{{proof}}[{heading}] Of a. \\end{{proof}}"
    assert proofs(tmp_path, body, preamble) == {"a": ["Of a."], "b": ["Of b."], "c": []}


@pytest.mark.parametrize("heading", ["Proof idea", "Proof by induction", "Second proof", "Доказательство второе"])
def test_headings_without_a_word_for_statements_name_none(tmp_path, heading):
    body = theorem("a") + theorem("b", name="lemma") + f"\\begin{{proof}}[{heading}] Of b. \\end{{proof}}"
    assert proofs(tmp_path, body) == {"a": [], "b": ["Of b."]}


def test_the_printed_name_of_a_proof_names_nothing(tmp_path):
    body = theorem("a") + theorem("b", name="lemma") + "\\begin{pf}[Proof of the theorem] Of a. \\end{pf}"
    assert proofs(tmp_path, body, "\\newtheorem{pf}{Proof}") == {"a": ["Of a."], "b": []}


def test_claims_inside_of_proofs(tmp_path):
    body = theorem("a") + "\\begin{proof} First. " + theorem("c", "Inner.", "claim")
    body += "\\begin{proof}[Proof of claim] Of c. \\end{proof} Last. \\end{proof}"
    assert proofs(tmp_path, body) == {"a": ["First. Inner. Of c. Last."], "c": ["Of c."]}


def test_proofs_printed_at_the_end(tmp_path):
    preamble = "\\usepackage{proof-at-the-end}\\newEndThm[normal]{lemE}{lemma}\\newEndProof{prfE}"
    body = "\\begin{theoremEnd}[restate]{theorem}[Zorn]\\label{a} Text. \\end{theoremEnd}\n"
    body += "\\begin{proofEnd} Of a. \\end{proofEnd}\\begin{lemE}[Name][end]\\label{b} Text. \\end{lemE}"
    body += "\\begin{prfE} Of b. \\end{prfE}" + theorem("c")
    assert proofs(tmp_path, body, preamble) == {"a": ["Of a."], "b": ["Of b."], "c": []}


def test_headings_in_any_font(tmp_path):
    body = theorem("a") + theorem("b") + "{\\sc Proof of Theorem \\ref{b}.} Of b.\n\n"
    body += "\\vspace{2mm}\\noindent{\\bfseries Proof of Theorem~\\ref{a}.} Of a. $\\square$\n"
    assert [len(one) for one in proofs(tmp_path, body).values()] == [1, 1]
