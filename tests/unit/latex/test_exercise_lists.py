"""Exercises that are items of one list: each is a statement with its number and label."""

import pytest

from naturalproofs.sources.latex.project.project import LATEX


def read(tmp_path, preamble, body, document_class="article"):
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{{document_class}}}\n{preamble}\n\\newtheorem{{thm}}{{Theorem}}\n"
        f"\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    return LATEX.read(main, name="x", rules="fixed")


def rows(draft):
    return [(one.form, one.number, one.label) for one in draft.statements if one.form != "theorem"]


BODY = """
\\section{Rings}
\\begin{NAME}
\\item\\label{first} Show that units divide.
  \\begin{enumerate}\\item\\label{part} one way \\item another way\\end{enumerate}
\\item Show the converse, by \\ref{first}. \\label{second}
\\end{NAME}
\\begin{thm} Units divide. \\end{thm}
\\begin{proof} By Exercise~\\ref{first} and \\ref{second}. \\end{proof}
"""


@pytest.mark.parametrize(
    ("name", "preamble", "expected"),
    [
        ("exercises", "\\newenvironment{exercises}{\\begin{enumerate}}{\\end{enumerate}}", ["1", "2"]),
        ("exercises", "\\newlist{exercises}{enumerate}{2}\\setlist[exercises]{label=E\\arabic*.}", ["E1", "E2"]),
        (
            "exercises",
            "\\newlist{exs}{enumerate}{1}\\setlist[exs]{label=\\textbf{\\thesection.\\arabic*}}"
            "\\newenvironment{exercises}{\\subsection*{Exercises}\\begin{exs}}{\\end{exs}}",
            ["1.1", "1.2"],
        ),
        (
            "problemset",
            "\\newcounter{prob}\\newenvironment{problemset}{\\begin{list}{\\theprob.}{\\usecounter{prob}}}{\\end{list}}",
            ["1", "2"],
        ),
        (
            "questions",
            "\\newenvironment{questions}{\\begin{enumerate}[label=(\\alph*)]}{\\end{enumerate}}",
            ["(a)", "(b)"],
        ),
        ("problems", "", ["1", "2"]),
    ],
)
def test_items_are_statements(tmp_path, name, preamble, expected):
    draft = read(tmp_path, preamble, BODY.replace("NAME", name))
    family = {"exercises": "exercise", "questions": "question"}.get(name, "problem")
    labels = ["first", "second"]
    assert rows(draft) == [(family, number, label) for number, label in zip(expected, labels, strict=True)]
    theorem = draft.statements[-1]
    assert [mention.target for mention in theorem.proofs[0].mentions] == labels
    assert draft.anchors["first"].kind == "statement"
    assert (draft.anchors["part"].kind, draft.anchors["part"].owner) == ("item", draft.statements[0].id)
    assert not draft.diagnostics


def test_commands_for_items(tmp_path):
    preamble = (
        "\\newcounter{all}\\newcommand{\\exercise}{\\item\\stepcounter{all}}"
        "\\newenvironment{exercises}{\\begin{enumerate}}{\\end{enumerate}}"
    )
    body = "\\begin{exercises}\\exercise One.\\label{a} \\exercise\\label{b} Two.\\end{exercises}"
    assert rows(read(tmp_path, preamble, body)) == [("exercise", "1", "a"), ("exercise", "2", "b")]


def test_resumed_lists_and_given_numbers(tmp_path):
    preamble = "\\newlist{problems}{enumerate}{1}\\setlist[problems]{label=\\arabic*}"
    body = (
        "\\begin{problems}\\item A.\\end{problems}\\begin{problems}[resume]\\item B.\\end{problems}"
        "\\begin{problems}[start=7]\\item C. \\item[9.] D.\\end{problems}"
    )
    assert [number for _, number, _ in rows(read(tmp_path, preamble, body))] == ["1", "2", "7", "9"]


def test_sections_of_exercises(tmp_path):
    items = "\\begin{enumerate}\\item One. \\item Two.\\end{enumerate}"
    theorem = "\\begin{thm} Units divide. \\end{thm}"
    body = f"{theorem}\\section*{{Exercises}} Do these. {items} \\section{{Rest}} {items}"
    assert [row[:2] for row in rows(read(tmp_path, "", body))] == [("exercise", "1"), ("exercise", "2")]
    assert rows(read(tmp_path, "", f"{theorem}\\section{{Hard problems}} {items}")) == []


def test_labels_of_items_leave_the_numbers_of_exercises_alone(tmp_path):
    items = "\\begin{enumerate}\\item One.\\label{a} \\item Two.\\label{b} \\item Three.\\label{c}\\end{enumerate}"
    body = f"\\begin{{thm}} Units divide. \\end{{thm}}\\section*{{Exercises}} {items}"
    assert [row[1:] for row in rows(read(tmp_path, "", body))] == [("1", "a"), ("2", "b"), ("3", "c")]


def test_one_exercise_with_a_list_stays_one(tmp_path):
    body = "\\begin{exercise} Show\\label{a}: \\begin{enumerate}\\item x \\item y\\end{enumerate}\\end{exercise}"
    assert rows(read(tmp_path, "\\newtheorem{exercise}{Exercise}", body)) == [("exercise", "1", "a")]
    text = "\\begin{exercises} Show\\label{a}: \\begin{enumerate}\\item x \\item y\\end{enumerate}\\end{exercises}"
    assert rows(read(tmp_path, "", text)) == [("exercise", "", "a")]


def test_solutions_belong_to_their_items(tmp_path):
    body = "\\begin{problems}\\item\\label{a} A. \\begin{proof} Clear. \\end{proof} \\item B.\\end{problems}"
    draft = read(tmp_path, "", body)
    assert [len(one.proofs) for one in draft.statements] == [1, 0]


def test_questions_of_an_exam(tmp_path):
    parts = "\\begin{parts}\n\\part a\n\\part b\\end{parts}\n"
    body = f"\\begin{{questions}}\\question[5] One. {parts}\\question Two.\\end{{questions}}"
    draft = read(tmp_path, "", body, "exam")
    assert [number for _, number, _ in rows(draft)] == ["1", "2"]
    assert "part a" in " ".join(draft.statements[0].lines)


def test_solutions_of_an_exam(tmp_path):
    body = "\\begin{questions}\\question[5] One. \\begin{solution}[2in] Clear. \\end{solution}\\question Two.\n"
    body += "\\begin{parts}\\part a \\begin{solutionorlines} A. \\end{solutionorlines}\\end{parts}\\end{questions}"
    draft = read(tmp_path, "", body, "exam")
    assert [[" ".join(proof.lines) for proof in one.proofs] for one in draft.statements] == [["Clear."], ["A."]]
    assert " ".join(draft.statements[0].lines) == "One."


def test_questions_of_an_exam_in_sections(tmp_path):
    body = (
        "\\begin{questions}\\section{One}\\question Show $1=1$.\\question Show $2=2$."
        "\\section{Two}\\question Show $3=3$.\\end{questions}"
    )
    draft = read(tmp_path, "", body, "exam")
    assert [number for _, number, _ in rows(draft)] == ["1", "2", "3"]
    assert [" ".join(one.lines) for one in draft.statements] == ["Show $1=1$.", "Show $2=2$.", "Show $3=3$."]


@pytest.mark.parametrize("name", ["problem", "examples"])
def test_lists_whose_items_are_parts(tmp_path, name):
    preamble = f"\\newlist{{{name}}}{{enumerate}}{{3}}\\setlist[{name}]{{label=(\\alph*)}}"
    items = f"\\begin{{{name}}}\\item one \\item two\\end{{{name}}}"
    draft = read(tmp_path, preamble, f"\\begin{{thm}} All: {items} \\end{{thm}} {items}")
    assert rows(draft) == []
    assert "\\item two" in " ".join(draft.statements[0].lines)


def test_lists_of_one_problem_each(tmp_path):
    preamble = "\\newlist{problem}{enumerate}{1}\\setlist[problem]{label=Problem \\arabic*.}"
    draft = read(tmp_path, preamble, "\\begin{problem}\\item one \\item two\\end{problem}")
    assert [row[:2] for row in rows(draft)] == [("problem", "1"), ("problem", "2")]


def test_sections_of_exercises_for_a_chapter(tmp_path):
    items = "\\begin{enumerate}\\item One. \\item Two.\\end{enumerate}"
    theorem = "\\begin{thm} Units divide. \\end{thm}"
    body = f"{theorem}\\section*{{Exercises for Chapter A}} {items}"
    assert [row[:2] for row in rows(read(tmp_path, "", body))] == [("exercise", "1"), ("exercise", "2")]
    assert rows(read(tmp_path, "", f"{theorem}\\section{{Problems of the theory}} {items}")) == []
