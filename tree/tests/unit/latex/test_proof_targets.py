"""Proofs that stand apart from what they prove, and proofs of several statements, of parts and of claims."""

import pytest

from naturalproofs.sources.latex.project.project import LATEX

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


LONG = "An argument of some length fills the section, and each of its sentences says that it does so. " * 3
SHOWN = LONG.strip()
BOTH = theorem("t") + theorem("l", name="lemma")


def headed(command, heading, text=LONG):
    return f"\\{command}{{{heading}}}\n{text}\n"


def test_sections_inside_of_a_section_prove_their_own_statements(tmp_path):
    body = BOTH + "\\section{Proofs of Theorem~\\ref{t} and Lemma~\\ref{l}}\n"
    body += headed("subsection", "Proof of Theorem~\\ref{t}", f"One. {LONG}")
    body += headed("subsection", "Proof of Lemma~\\ref{l}", f"Two. {LONG}")
    assert proofs(tmp_path, body) == {"t": [f"One. {SHOWN}"], "l": [f"Two. {SHOWN}"]}


@pytest.mark.parametrize("command", ["subsection", "paragraph"])
def test_a_proof_of_a_lemma_inside_of_a_section(tmp_path, command):
    body = BOTH + headed("section", "Proof of Theorem~\\ref{t}", f"Outer. {LONG}")
    body += headed(command, "Proof of Lemma~\\ref{l}", f"Inner. {LONG}") + "\\section{Next} No part of it."
    assert proofs(tmp_path, body) == {"t": [f"Outer. {SHOWN}"], "l": [f"Inner. {SHOWN}"]}


def test_headings_within_a_line_inside_of_a_section(tmp_path):
    body = BOTH + headed("section", "Proof of Theorem~\\ref{t}") + theorem("m", name="lemma")
    body += "{\\bf Proof.} Of m. $\\Box$\n\nGoes on.\n" + theorem("n", name="lemma")
    body += "\\textbf{Proof of Lemma~\\ref{n}.} Of n.\n\\section{Next}\nNo part of it."
    expected = {"t": [f"{SHOWN} Goes on."], "l": [], "m": ["Of m. $\\Box$"], "n": ["Of n."]}
    assert proofs(tmp_path, body) == expected


def test_a_part_of_a_section_that_names_the_same_statement(tmp_path):
    body = BOTH + headed("section", "Proof of Theorem~\\ref{t}")
    body += headed("subsection", "Proof of Theorem~\\ref{t}: end")
    body += f"\\textbf{{Proof of Theorem~\\ref{{t}}, last part.}} {LONG}"
    [found] = proofs(tmp_path, body)["t"]
    assert found.count(SHOWN) == 3


def test_a_section_that_proves_several_statements(tmp_path):
    body = BOTH + theorem("u") + headed("section", "Proofs of Theorems~\\ref{t} and~\\ref{u}")
    assert proofs(tmp_path, body) == {"t": [SHOWN], "l": [], "u": [SHOWN]}


@pytest.mark.parametrize(
    "heading", ["Proof sketch (full proof in Appendix~\\ref{s})", "Proof (see \\cref{s})", "Proof of Table~\\ref{x}"]
)
def test_headings_that_name_a_place_of_the_text(tmp_path, heading):
    body = "\\section{S}\\label{s}\\begin{table}\\caption{C}\\label{x}\\end{table}" + BOTH
    found = proofs(tmp_path, f"{body}\\begin{{proof}}[{heading}] Of l. \\end{{proof}}")
    assert found == {"t": [], "l": ["Of l."]}
    assert proofs(tmp_path, f"{body}{{\\bf {heading}.}} Of l. \\qed")["t"] == []


def test_a_label_of_a_section_proves_nothing(tmp_path):
    body = "\\section{S}\\label{s}" + BOTH + "\\begin{proof}[Proof of \\cref{s}] Of l. \\end{proof}"
    assert proofs(tmp_path, body) == {"t": [], "l": ["Of l."]}


@pytest.mark.parametrize("words", ["(Proof of Theorem \\ref{t})", "(of \\cref{t})", "of Theorem~\\ref{t}."])
def test_a_heading_in_the_text_of_a_proof(tmp_path, words):
    body = BOTH + f"\\begin{{proof}} {words} Of t. \\end{{proof}}"
    assert [len(found) for found in proofs(tmp_path, body).values()] == [1, 0]


NAMED = "\\newtheorem*{thmA}{Theorem A}\\newtheorem*{main}{Main Theorem}"


@pytest.mark.parametrize("heading", ["Theorem A", "the Main Theorem", "the growth bound"])
@pytest.mark.parametrize("appendix", ["", "\\appendix"])
def test_sections_headed_by_a_name(tmp_path, heading, appendix):
    body = "\\begin{thmA}\\label{a} A. \\end{thmA}\\begin{main}\\label{m} M. \\end{main}"
    body += "\\begin{theorem}[Growth bound]\\label{g} G. \\end{theorem}" + BOTH
    found = proofs(tmp_path, body + appendix + headed("section", f"Proof of {heading}"), NAMED)
    label = {"Theorem A": "a", "the Main Theorem": "m", "the growth bound": "g"}[heading]
    assert found == {name: [SHOWN] if name == label else [] for name in "amgtl"}


def test_sections_headed_by_a_name_that_two_statements_have(tmp_path):
    body = "".join(f"\\begin{{theorem}}[Bound]\\label{{{name}}} T. \\end{{theorem}}" for name in "ab")
    assert proofs(tmp_path, body + headed("section", "Proof of the bound")) == {"a": [], "b": []}


@pytest.mark.parametrize("heading", ["Theorem~\\ref{m}", "the Main Theorem"])
def test_the_second_proof_in_a_section_is_that_of_its_statement(tmp_path, heading):
    body = "\\begin{main}\\label{m} M. \\end{main}\\section{Proof of " + heading + "} First a lemma.\n"
    body += theorem("l", name="lemma") + "\\begin{proof} Of l. \\end{proof}\\begin{proof} Of m. \\end{proof}"
    assert proofs(tmp_path, body, NAMED) == {"m": ["Of m."], "l": ["Of l."]}


def test_a_short_paragraph(tmp_path):
    body = BOTH + "\\paragraph{Proof of Theorem~\\ref{t}.} By induction on $n$.\n"
    assert proofs(tmp_path, body) == {"t": ["By induction on $n$."], "l": []}


@pytest.mark.parametrize(
    "words",
    ["Omitted proof of", "Missing proof of", "Deferred proof of", "Full proof of", "Detailed proof of"],
)
def test_words_before_the_proof(tmp_path, words):
    assert proofs(tmp_path, BOTH + headed("section", f"{words} Theorem~\\ref{{t}}")) == {"t": [SHOWN], "l": []}
    assert proofs(tmp_path, BOTH + headed("section", f"{words} things")) == {"t": [], "l": []}


@pytest.mark.parametrize(
    "heading", ["Proof that Theorem~\\ref{l} implies Theorem~\\ref{t}", "Proof of \\ref{l}$\\Rightarrow$\\ref{t}"]
)
def test_what_is_implied_is_proved(tmp_path, heading):
    body = BOTH + theorem("u") + f"\\begin{{proof}}[{heading}] Of t. \\end{{proof}}"
    assert proofs(tmp_path, body) == {"t": ["Of t."], "l": [], "u": []}


def test_a_section_that_mentions_proofs_is_none(tmp_path):
    body = BOTH + headed("section", "Proof of the main ingredient of the proofs of \\cref{t,l}")
    body += "\\begin{proof}[Proof of \\cref{t}] One. \\end{proof}\\begin{proof}[Proof of \\cref{l}] Two. \\end{proof}"
    assert proofs(tmp_path, body) == {"t": ["One."], "l": ["Two."]}
    for heading in ("Proof of a key step in the proof of \\cref{t}", "Proof of the tool for Theorem~\\ref{t}"):
        assert proofs(tmp_path, BOTH + headed("section", heading)) == {"t": [], "l": []}


@pytest.mark.parametrize("words", ["part (b) of", "the second claim in", "the upper bound in", "the Main"])
def test_a_proof_of_a_part_of_a_statement(tmp_path, words):
    body = BOTH + headed("section", f"Proof of {words} Theorem~\\ref{{t}}")
    assert proofs(tmp_path, body) == {"t": [SHOWN], "l": []}


def test_an_appendix_with_a_heading(tmp_path):
    body = BOTH + f"\\appendix[Proof of Theorem~\\ref{{t}}]\n{LONG}\n\\section{{Next}} No part of it."
    assert proofs(tmp_path, body) == {"t": [SHOWN], "l": []}


@pytest.mark.parametrize(
    "heading",
    [
        "\\textbf{\\textit{Proof.}}",
        "{\\bf{\\em Proof.}}",
        "\\textcolor{blue}{\\textbf{Proof.}}",
        "{\\color{red}\\textit{Proof}.}",
        "\\smallbreak\\noindent{\\em Proof.}",
        "\\pf",
        "\\Proof",
        "Proof:",
        "\n\\noindent Proof.",
        "\\underline{Proof}:",
        "{\\sl Proof of Theorem \\ref{u}}.",
        "{\\bf Proof} of Theorem \\ref{u}.",
    ],
)
def test_headings_within_a_line(tmp_path, heading):
    macros = "\\newcommand{\\Proof}{{\\noindent\\bf Proof. }}\\def\\pf{\\medskip\\noindent{\\it Proof.}}"
    for mark in ("\\qed", "$\\blacksquare$"):
        body = theorem("u") + f"{heading} First. {mark}\n\nMore text.\n"
        assert proofs(tmp_path, body, macros) == {"u": [f"First. {mark}"]}


def test_words_of_the_text_are_no_headings(tmp_path):
    for text in ("Proofs are long.", "By \\textit{Proof.} we mean", "\n\nText. Proof. Text."):
        assert proofs(tmp_path, theorem("u") + text) == {"u": []}


def test_a_statement_inside_of_another_one_has_its_own_proof(tmp_path):
    body = "\\begin{claim}\\label{c} Show this. " + theorem("l", name="lemma")
    body += "\\begin{proof} Of l. \\end{proof}\\begin{proof} Of c. \\end{proof}\\end{claim}"
    assert proofs(tmp_path, body) == {"c": ["Of c."], "l": ["Of l."]}


def test_environments_that_take_what_they_prove(tmp_path):
    preamble = "\\newenvironment{proofof}[1]{\\noindent{\\bf Proof of #1:}}{\\qed}"
    body = theorem("a") + theorem("b") + theorem("c")
    body += "\\begin{proofof}{a} One. \\end{proofof}\\begin{proofof}{Theorem~\\ref{b}} Two. \\end{proofof}"
    assert [len(found) for found in proofs(tmp_path, body, preamble).values()] == [1, 1, 0]


@pytest.mark.parametrize("second", ["{\\bf Proof.} Two.", "\\begin{proof} Two. \\end{proof}"])
def test_a_section_headed_proof_ends_at_the_next_statement(tmp_path, second):
    body = theorem("a") + "\\subsection*{Proof} One.\n" + theorem("b") + second
    assert proofs(tmp_path, body) == {"a": ["One."], "b": ["Two."]}


def test_the_code_of_an_environment_for_proofs_is_no_text(tmp_path):
    preamble = (
        "\\newenvironment{claimproof}{\\renewcommand{\\qedsymbol}{$\\lrcorner$}\\begin{proof}[Proof of claim]}"
        "{\\end{proof}}"
    )
    body = theorem("a") + "\\begin{proof} First. " + theorem("c", "Inner.", "claim")
    body += "\\begin{claimproof} Of c. \\end{claimproof} Last. \\end{proof}"
    assert proofs(tmp_path, body, preamble) == {"a": ["First. Inner. Of c. Last."], "c": ["Of c."]}


EXERCISES = "\\newtheorem{problem}{Problem}\\newtheorem{definition}{Definition}"


@pytest.mark.parametrize(
    ("name", "defined"),
    [
        ("solution", "\\newtheorem*{solution}{Solution}"),
        ("sol", "\\newenvironment{sol}{\\noindent\\textbf{Solution.} }{}"),
        ("ans", "\\newenvironment{ans}{\\noindent\\textbf{Solution.} }{}"),
        ("solution", ""),
        ("losung", "\\newtheorem*{losung}{Lösung}"),
    ],
)
def test_a_solution_is_the_proof_of_the_problem_before_it(tmp_path, name, defined):
    solution = f"\\begin{{{name}}} Solved. \\end{{{name}}}\n"
    body = (
        theorem("p", name="problem") + solution + f"\\begin{{problem}}\\label{{q}} Find it. {solution}\\end{{problem}}"
    )
    body += theorem("d", name="definition") + solution + theorem("t") + solution
    expected = {"p": ["Solved."], "q": ["Solved."], "d": [], "t": []}
    assert proofs(tmp_path, body, EXERCISES + defined) == expected


def test_solutions_that_follow_nothing_or_stand_elsewhere(tmp_path):
    solution = "\\begin{solution} Solved. \\end{solution}\n"
    body = solution + theorem("p", name="problem") + "\\section{Solutions}\n" + solution + solution
    assert proofs(tmp_path, body, EXERCISES) == {"p": []}
    named = "\\begin{solution}[Solution of Problem~\\ref{p}] Solved. \\end{solution}"
    assert proofs(tmp_path, body + named, EXERCISES) == {"p": ["Solved."]}


def test_solutions_may_be_declared_otherwise(tmp_path):
    (tmp_path / "naturalproofs.toml").write_text('[environments]\nsolution = "proof"\n')
    body = theorem("t") + "\\begin{solution} Proved. \\end{solution}"
    assert proofs(tmp_path, body) == {"t": ["Proved."]}


def test_numbered_solutions_count(tmp_path):
    main = tmp_path / "main.tex"
    problem = "\\begin{problem} Find $x$. \\end{problem}\\begin{solution} $x=1$. \\end{solution}"
    declared = "\\newtheorem{problem}{Problem}\\newtheorem{solution}[problem]{Solution}"
    main.write_text(f"\\documentclass{{article}}{declared}\\begin{{document}}{problem}{problem}\\end{{document}}")
    found = LATEX.read(main, name="x", rules="fixed").statements
    assert [(one.number, len(one.proofs)) for one in found] == [("1", 1), ("3", 1)]


def test_a_bare_proof_in_another_section_is_no_second_proof(tmp_path):
    main = tmp_path / "main.tex"
    proof = "\\begin{proof} Clear. \\end{proof}"
    body = theorem("a") + proof + "\\subsection{A second proof}" + proof
    body += "\\section{Examples} The line is good." + proof + theorem("b") + "\\section{Open ends}" + proof
    main.write_text(f"{PREAMBLE}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")
    draft = LATEX.read(main, name="x", rules="fixed")
    assert {one.label: len(one.proofs) for one in draft.statements} == {"a": 2, "b": 1}
    assert [one.rule for one in draft.diagnostics] == ["proof-without-statement"]
