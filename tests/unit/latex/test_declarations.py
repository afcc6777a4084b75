"""Declarations of theorem-like environments."""

import pytest

from naturalproofs.sources.latex.macros.entries import key_values, printed_name, read_declaration
from naturalproofs.sources.latex.project.project import LATEX


def test_declarations():
    text = "[keys]{name}[like]{\\bf Th\\'eor\\`eme}[section]"
    (one,) = read_declaration(text, "newtheorem", 0, starred=False).environments
    assert (one.name, one.printed, one.like, one.within, one.numbered) == ("name", "Théorème", "like", "section", True)
    assert read_declaration("{#1}{X}", "newtheorem", 0, starred=False).environments == []
    assert read_declaration("{x", "newtcbtheorem", 0, starred=False).environments == []
    assert [one.name for one in read_declaration("{a}{A}", "newtheoremrep", 0, starred=False).environments] == [
        "a",
        "arep",
    ]


def test_keys_and_names():
    assert key_values("a=1, b={x, y}, c, number within=section") == {
        "a": "1",
        "b": "x, y",
        "c": "",
        "number within": "section",
    }
    assert printed_name("\\protect\\theoremname") == "theorem"
    assert printed_name("{\\sc Main~Lemma.}") == "Main Lemma"
    assert printed_name("\\iflanguage{english}{Theorem}{\\ifdefstring{\\lang}{cn}{定理}{Satz}}") == "Theorem"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"Proposition\textsuperscript{\hyperref[axiom]{\color{blue}\textbf{AC}}}", "Proposition"),
        (r"\color{red}Lemma", "Lemma"),
        (r"\textcolor[rgb]{1,0,0}{\texttt{The problem}}", "The problem"),
        (r"Theorem\footnote{Proved later.}", "Theorem"),
    ],
)
def test_marks_and_colours_are_not_part_of_a_name(source, expected):
    assert printed_name(source) == expected


def test_names_that_the_text_gives(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem*{inner}{\\innername}\\newcommand{\\innername}{}"
        "\\newenvironment{named}[1]{\\renewcommand{\\innername}{#1}\\begin{inner}}{\\end{inner}}\\begin{document}"
        "\\begin{named}{Zorn's Lemma}A.\\end{named}\\begin{named}{Theorem of Euler}B.\\end{named}\\end{document}"
    )
    found = LATEX.read(tmp_path, name="x", rules="fixed").statements
    assert [(one.form, one.title) for one in found] == [("lemma", "Zorn's Lemma"), ("theorem", "Theorem of Euler")]


def test_titles_in_braces(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{thm}{Theorem}\\begin{document}"
        "\\begin{thm}[{Foo [bar]}]A.\\end{thm}\\end{document}"
    )
    assert LATEX.read(tmp_path, name="x", rules="fixed").statements[0].title == "Foo [bar]"


def statements(folder, preamble, body):
    text = f"\\documentclass{{article}}{preamble}\\begin{{document}}\\section{{A}}{body}\\end{{document}}"
    (folder / "main.tex").write_text(text)
    return [
        (one.form, one.number, one.title, one.label) for one in LATEX.read(folder, name="x", rules="fixed").statements
    ]


def test_environments_whose_code_is_in_a_macro(tmp_path):
    preamble = (
        "\\newcounter{cntr}[section]\\renewcommand{\\thecntr}{\\arabic{section}.\\arabic{cntr}}"
        "\\newcommand{\\boxenv}[3]{\\refstepcounter{cntr}\\begin{mdframed}[frametitle={#3~\\thecntr: #1}]\\label{#2}}"
        "\\newenvironment{dbox}[2][]{\\boxenv{#1}{#2}{Definition}}{\\end{mdframed}}"
        "\\newenvironment{mythm}[2][]{\\boxenv{#1}{#2}{Theorem}}{\\end{mdframed}}"
    )
    body = "\\begin{dbox}[Group]{a}x\\end{dbox}\\begin{mythm}{b}y\\end{mythm}"
    assert statements(tmp_path, preamble, body) == [("definition", "1.1", "Group", "a"), ("theorem", "1.2", "", "b")]


def test_labels_with_numbers(tmp_path):
    preamble = (
        "\\newtheorem{thm}{Theorem}[section]\\newcommand{\\state}[1]{\\begin{thm}\\label{thm:\\thethm}#1\\end{thm}}"
    )
    assert statements(tmp_path, preamble, "\\state{x}\\state{y}") == [
        ("theorem", "1.1", "", "thm:1.1"),
        ("theorem", "1.2", "", "thm:1.2"),
    ]


def test_a_later_declaration_replaces_an_earlier_one(tmp_path):
    found = statements(
        tmp_path,
        "\\newtheorem{satz}{Theorem}\\renewtheorem{satz}{Satz}[section]\\newtheorem{satz}{Lemma}",
        "\\begin{satz}A.\\end{satz}",
    )
    assert [one[:2] for one in found] == [("satz", "1.1")]


def test_counters_with_other_names_than_letters(tmp_path):
    declared = (
        "\\newtheorem{thm1}{Theorem}[section]\\newtheorem{my-lemma}{Lemma}\\newtheorem{lem 2}[my-lemma]{Lemma}"
        "\\newtheorem{cor1}{Corollary}[thm1]"
    )
    text = (
        "\\begin{thm1}A\\end{thm1}\\begin{my-lemma}B\\end{my-lemma}\\begin{lem 2}C\\end{lem 2}"
        "\\setcounter{thm1}{\\value{my-lemma}}\\begin{thm1}D\\end{thm1}\\begin{cor1}E\\end{cor1}"
    )
    assert [one[1] for one in statements(tmp_path, declared, text)] == ["1.1", "1", "2", "1.3", "1.3.1"]


def test_comments_inside_of_options(tmp_path):
    declared = (
        "\\usepackage{amsmath, % mathematics, of course\n  algorithm2e}\n"
        "\\declaretheorem[\n  name=Satz, % the name, in German\n  numberwithin=section, % by section\n]{thm}"
    )
    text = "\\begin{thm}[name={Zorn}, % the name, of course\n  label=x]A\\end{thm}"
    assert statements(tmp_path, declared, text) == [("satz", "1.1", "Zorn", "x")]


def test_floats_of_algorithms_under_another_name(tmp_path):
    declared = (
        "\\usepackage\n  [%\n    resetcount,\n    algosection, algo2e,\n  ]\n  {algorithm2e}\n"
        "\\newenvironment{algorithm}\n{%\n  \\begin{algorithm2e}%\n}\n{\\end{algorithm2e}}"
    )
    text = "\\begin{algorithm}\n  [htb]\n  \\caption{Sort}\\label{a} x\\end{algorithm}"
    assert statements(tmp_path, declared, text) == [("algorithm", "1.1", "", "a")]
    assert "[htb]" not in LATEX.read(tmp_path, name="p", rules="fixed").statements[0].text


def test_styles_without_numbers(tmp_path):
    declared = "\\theoremstyle{nonumberplain}\\newtheorem{rem}{Remark}\\theoremstyle{plain}\\newtheorem{thm}{Theorem}"
    found = statements(tmp_path, declared, "\\begin{rem}A.\\end{rem}\\begin{thm}B.\\end{thm}")
    assert [one[:2] for one in found] == [("remark", ""), ("theorem", "1")]


def test_macros_that_define_environments(tmp_path):
    defined = (
        "\\newcounter{thm}\\newcommand{\\NewTheorem}[1]{\\newenvironment{#1}{\\refstepcounter{thm}"
        "\\textbf{#1 \\thethm.}}{\\par}}\\NewTheorem{Theorem}\\NewTheorem{Lemma}"
    )
    found = statements(tmp_path, defined, "\\begin{Theorem}A.\\end{Theorem}\\begin{Lemma}B.\\end{Lemma}")
    assert [one[:2] for one in found] == [("theorem", "1"), ("lemma", "2")]


@pytest.mark.parametrize(
    ("arguments", "title", "label"),
    [
        ("{Rolle}{rolle}", "Rolle", "thm:rolle"),
        ("{rolle}{The theorem of Rolle}", "The theorem of Rolle", "thm:rolle"),
        ("[Rolle]{thm:rolle}", "Rolle", "thm:rolle"),
        ("{thm:rolle}[Rolle]", "Rolle", "thm:rolle"),
        ("{thm:rolle}", "", "thm:rolle"),
        ("{label=thm:rolle}", "", "thm:rolle"),
        ("[title={Rolle}, label=thm:rolle]", "Rolle", "thm:rolle"),
        ("[label=thm:rolle]{Rolle}", "", "thm:rolle"),
    ],
)
def test_arguments_of_environments_that_are_declared_elsewhere(tmp_path, arguments, title, label):
    body = f"\\begin{{theorem}}{arguments} A.\\end{{theorem}}\\begin{{lemma}}B.\\end{{lemma}}"
    found = statements(tmp_path, "\\usepackage{missing}", body + "\\begin{proof}By \\ref{thm:rolle}.\\end{proof}")
    assert found[0][2:] == (title, label)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("{Rolle}{rolle} A.", "Rolle"),
        ("{\\it A is B.}", ""),
        ("{\\it A} is.", ""),
        ("{A is B.}", ""),
        (" {A} is B.", ""),
    ],
)
def test_a_group_alone_may_be_the_text(tmp_path, text, title):
    assert statements(tmp_path, "", f"\\begin{{theorem}}{text}\\end{{theorem}}")[0][2] == title


def kinds(folder, preamble, body, document_class="article"):
    text = f"\\documentclass{{{document_class}}}{preamble}\\begin{{document}}\\section{{A}}{body}\\end{{document}}"
    (folder / "main.tex").write_text(text)
    return [
        (one.kind, one.form, one.number, one.title, len(one.proofs))
        for one in LATEX.read(folder, name="x", rules="fixed").statements
    ]


def test_unknown_words_are_proved_by_the_proof_behind_them(tmp_path):
    declared = "\\newtheorem{thm}{Theorem}\\newtheorem{law}{Law}\\theoremstyle{definition}\\newtheorem{ruling}{Rule}"
    body = "\\begin{thm}A.\\end{thm}\\begin{NAME}B.\\end{NAME}\\begin{proof}Clear.\\end{proof}"
    assert kinds(tmp_path, declared, body.replace("NAME", "law"))[1] == ("theorem", "law", "1", "", 1)
    assert kinds(tmp_path, declared, body.replace("NAME", "ruling"))[1] == ("other", "rule", "1", "", 1)


CUSTOM = (
    "\\newtheorem{inner}{\\innername}\\providecommand{\\innername}{}"
    "\\newcommand{\\newcustom}[2]{\\newenvironment{#1}[1]{\\renewcommand\\innername{#2}"
    "\\renewcommand\\theinner{##1}\\inner}{\\endinner}}"
    "\\newcustom{customlemma}{Lemma}\\newcustom{customthm}{Theorem}"
)


def test_theorems_numbered_by_hand(tmp_path):
    body = (
        "\\begin{customlemma}{4.2}A.\\end{customlemma}\\begin{proof}Clear.\\end{proof}"
        "\\begin{customthm}{8.1 of \\cite{Gauss}}B.\\end{customthm}"
    )
    assert kinds(tmp_path, CUSTOM, body) == [
        ("theorem", "lemma", "4.2", "", 1),
        ("theorem", "theorem", "8.1", "", 0),
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Theorem C", [("theorem", "theorem", "C", "", 1)]),
        ("Lemma", [("theorem", "lemma", "", "", 1)]),
    ],
)
def test_names_given_by_an_argument(tmp_path, given, expected):
    declared = (
        "\\newtheorem{thm}{Theorem}\\newtheorem*{inner}{\\innername}\\newcommand{\\innername}{}"
        "\\newenvironment{named}[1]{\\renewcommand{\\innername}{#1}\\begin{inner}}{\\end{inner}}"
    )
    body = (
        "\\begin{thm}\\label{a}A.\\end{thm}\\begin{thm}B.\\end{thm}"
        f"\\begin{{named}}{{{given}}}A.\\end{{named}}\\begin{{proof}}Clear.\\end{{proof}}"
    )
    first, second, *others = kinds(tmp_path, declared, body)
    assert others == expected
    assert (first[-1], second[-1]) == (0, 0)


def test_the_separator_of_labels_in_a_style(tmp_path):
    declared = (
        "\\newcounter{c}\\tcbset{own/.style={breakable,label separator=},other/.style={colback=red}}"
        "\\newtcbtheorem[use counter*=c]{thm}{Theorem}{own}{}\\newtcbtheorem{lem}{Lemma}{other}{lem}"
    )
    body = "\\begin{thm}{Lagrange}{thm:l}A.\\end{thm}\\begin{lem}{Zorn}{z}B.\\end{lem}"
    assert [one[-1] for one in statements(tmp_path, declared, body)] == ["thm:l", "lem:z"]


def test_names_that_are_pictures(tmp_path):
    declared = "\\newcommand{\\sign}[1]{\\rule{#1}{#1}}\\newtheorem*{warning}{\\sign{0.2}\\relax}"
    assert kinds(tmp_path, declared, "\\begin{warning}A.\\end{warning}") == [("other", "warning", "", "", 0)]


def test_comments_that_are_declared(tmp_path):
    declared = "\\newtheorem{thm}{Theorem}\\newtheorem{comment}[thm]{Comment}"
    body = "\\begin{comment}A.\\end{comment}\\begin{thm}B.\\end{thm}"
    assert [one[1:3] for one in kinds(tmp_path, declared, body)] == [("comment", "1"), ("theorem", "2")]
    assert [one[1:3] for one in kinds(tmp_path, declared + "\\usepackage{comment}", body)] == [("theorem", "1")]


def test_acknowledgements_are_counted_only(tmp_path):
    declared = "\\newtheorem{thm}{Theorem}\\newtheorem{acknowledgement}[thm]{Acknowledgement}"
    body = "\\begin{acknowledgement}I thank you.\\end{acknowledgement}\\begin{thm}B.\\end{thm}"
    assert [one[1:3] for one in kinds(tmp_path, declared, body)] == [("theorem", "2")]


@pytest.mark.parametrize(
    ("source", "title"),
    [("{\\bf unit} matrix", "unit matrix"), ("see e.g.\\ \\cite{a}", ""), ("Zorn (cf.\\ \\cite{a})", "Zorn")],
)
def test_titles_with_fonts_and_citations(tmp_path, source, title):
    assert statements(tmp_path, "", f"\\begin{{theorem}}[{source}]A.\\end{{theorem}}")[0][2] == title


def test_a_label_alone_in_a_group(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{thm}{Theorem}\\begin{document}"
        "\\begin{thm}{\\label{a}} A \\emph{\\label{b}}.\\end{thm}\\end{document}"
    )
    (found,) = LATEX.read(tmp_path, name="x", rules="fixed").statements
    assert (found.label, found.lines) == ("a", ("A \\emph{}.",))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("{name=[A title]}", "[A title]"),
        ("name={A}", "A"),
        ("name=\\emph{A}", "\\emph{A}"),
        ("name={A} {B}", "{A} {B}"),
    ],
)
def test_braces_around_a_key_or_a_value(option, value):
    assert key_values(option) == {"name": value}
