"""Numbers of statements, compared with what LaTeX prints for the same document."""

import pytest

from naturalproofs.sources.latex.project.project import LATEX

BODY = """
\\section{One}
\\begin{thm} Every ring has a unit. \\end{thm}
\\begin{lem} Units divide. \\end{lem}
\\section{Two}
\\begin{lem} Products of units are units. \\end{lem}
"""
LEMMA = "\\newtheorem{lem}[thm]{Lemma}"


def numbers(tmp_path, preamble, body=BODY, document_class="{article}"):
    main = tmp_path / "main.tex"
    main.write_text(f"\\documentclass{document_class}\n{preamble}\n\\begin{{document}}{body}\\end{{document}}\n")
    return [statement.number for statement in LATEX.read(main, name="x", rules="fixed").statements]


CHAPTERS = BODY.replace("section", "chapter")


@pytest.mark.parametrize(
    "test",
    [
        "\\ifx\\thechapter\\undefined A\\else B\\fi",
        "\\ifdefined\\chapter B\\else A\\fi",
        "\\ifcsname chapter\\endcsname B\\else A\\fi",
        "\\makeatletter\\@ifundefined{chapter}{A}{B}\\makeatother",
        "\\ifcsdef{chapter}{B}{A}",
    ],
)
def test_declarations_that_ask_for_chapters(tmp_path, test):
    preamble = test.replace("A", "\\newtheorem{thm}{Theorem}").replace("B", "\\newtheorem{thm}{Theorem}[chapter]")
    assert numbers(tmp_path, preamble + LEMMA) == ["1", "2", "3"]
    assert numbers(tmp_path, preamble + LEMMA, CHAPTERS, "{book}") == ["1.1", "1.2", "2.1"]


@pytest.mark.parametrize(
    "patch",
    [
        "\\let\\oldappendix\\appendix",
        "\\apptocmd{\\appendix}{x}{}{}",
        "\\makeatletter\\g@addto@macro\\appendix{x}\\makeatother",
        "\\preto\\mainmatter{x}\\pretocmd{\\frontmatter}{x}{}{}",
    ],
)
def test_a_preamble_that_patches_the_appendix(tmp_path, patch):
    theorem = "\\newtheorem{thm}{Theorem}[chapter]" + LEMMA
    assert numbers(tmp_path, patch + theorem, CHAPTERS, "{book}") == ["1.1", "1.2", "2.1"]
    (tmp_path / "own.cls").write_text("\\LoadClass{book}" + patch)
    assert numbers(tmp_path, theorem, CHAPTERS, "{own}") == ["1.1", "1.2", "2.1"]


def test_a_document_that_begins_in_another_file(tmp_path):
    (tmp_path / "body.tex").write_text(f"\\begin{{document}}{CHAPTERS}\\end{{document}}")
    (tmp_path / "main.tex").write_text(
        "\\documentclass{book}\\titlespacing*{\\chapter}{0pt}{1pt}{2pt}\\titleformat{\\chapter}{a}{b}{c}{d}"
        "\\newtheorem{thm}{Theorem}[chapter]" + LEMMA + "\\input{body}"
    )
    found = LATEX.read(tmp_path / "main.tex", name="x", rules="fixed")
    assert [statement.number for statement in found.statements] == ["1.1", "1.2", "2.1"]


def test_a_chapter_with_a_figure_that_is_a_document(tmp_path):
    figure = "\\documentclass{standalone}\\begin{document}x\\end{document}"
    (tmp_path / "one.tex").write_text(figure)
    (tmp_path / "two.tex").write_text(figure)
    (tmp_path / "main.tex").write_text("\\begin{theorem} A. \\end{theorem}\\input{one}\\input{two}")
    assert len(LATEX.read(tmp_path / "main.tex", name="x", rules="fixed").statements) == 1


def test_appendices_end(tmp_path):
    preamble = "\\newtheorem{thm}{Theorem}[section]" + LEMMA
    body = (
        "\\section{A}\\begin{thm}x\\end{thm}"
        "\\begin{appendices}\\section{B}\\begin{thm}y\\end{thm}\\end{appendices}"
        "\\section{C}\\begin{thm}z\\end{thm}"
    )
    assert numbers(tmp_path, preamble, body) == ["1.1", "A.1", "2.1"]


NAMES = BODY.replace("{thm}", "{theorem}").replace("{lem}", "{lemma}")


@pytest.mark.parametrize(
    ("document_class", "expected"),
    [
        ("{llncs}", ["1", "1", "2"]),
        ("[runningheads, envcountsame]{llncs}", ["1", "2", "3"]),
        ("[envcountsect]{svjour3}", ["1.1", "1.1", "2.1"]),
        ("{siamart220329}", ["1.1", "1.2", "2.1"]),
        ("{ejpecp}", ["1.1", "1.2", "2.1"]),
        ("{svmono}", ["0.1", "0.1", "0.2"]),
        ("[envcountsame]{svmono}", ["0.1", "0.2", "0.3"]),
        ("{spie}", ["1.1", "1.2", "2.1"]),
        ("{jmlr}", ["1", "2", "3"]),
        ("{article}", ["", "", ""]),
    ],
)
def test_theorems_of_classes(tmp_path, document_class, expected):
    assert numbers(tmp_path, "", NAMES, document_class) == expected


def test_theorems_of_packages(tmp_path):
    assert numbers(tmp_path, "\\usepackage[standard,thmmarks]{ntheorem}", NAMES) == ["1", "1", "2"]
    assert numbers(tmp_path, "\\usepackage{ntheorem}", NAMES) == ["", "", ""]
    french = BODY.replace("{thm}", "{theo}").replace("{lem}", "{lemm}")
    assert numbers(tmp_path, "\\usepackage{smfthm}", french) == ["1.1", "1.2", "2.1"]


def test_sections_in_roman_numbers(tmp_path):
    preamble = "\\newtheorem{thm}{Theorem}[section]" + LEMMA
    assert numbers(tmp_path, preamble, document_class="{revtex4-2}") == ["I.1", "I.2", "II.1"]


def test_environments_that_step_a_counter(tmp_path):
    preamble = (
        "\\newcounter{fact}[section]\\renewcommand{\\thefact}{\\thesection.\\arabic{fact}}"
        "\\newcommand{\\head}[1]{\\refstepcounter{fact}\\textbf{#1 \\thefact.}}"
        "\\newenvironment{theorem}{\\par\\head{Theorem}\\itshape}{\\par}"
        "\\def\\lemma{\\refstepcounter{fact}Lemma \\thefact}\\def\\endlemma{\\par}"
    )
    assert numbers(tmp_path, preamble, NAMES) == ["1.1", "1.2", "2.1"]


def test_counters_of_boxes(tmp_path):
    preamble = (
        "\\newtcolorbox[auto counter, number within=section]{theorem}[2][]{title=Theorem \\thetcbcounter #2,#1}"
        "\\newtcolorbox[use counter from=theorem]{lemma}[1][]{title=Lemma \\thetcbcounter,#1}"
    )
    body = NAMES.replace("\\begin{theorem}", "\\begin{theorem}{Units}")
    assert numbers(tmp_path, preamble, body) == ["1.1", "1.2", "2.1"]


def test_macros_that_change_how_a_counter_is_printed(tmp_path):
    preamble = (
        "\\newtheorem{thm}{Theorem}[section]"
        "\\newcommand{\\extras}{\\renewcommand{\\thesection}{E}\\section{Extras}}"
        "\\newcommand{\\noextras}{\\renewcommand{\\thesection}{\\arabic{section}}}"
    )
    theorem = "\\begin{thm}x\\end{thm}"
    body = f"\\section{{A}}{theorem}\\extras{theorem}\\noextras\\section{{B}}{theorem}"
    assert numbers(tmp_path, preamble, body) == ["1.1", "E.1", "3.1"]


@pytest.mark.parametrize(
    "package", ["\\usepackage{answers}\\Newassociation{solution}{Sol}{file}", "\\usepackage{xsim}"]
)
def test_equations_that_are_printed_elsewhere(tmp_path, package):
    preamble = f"{package}\\newtheorem{{thm}}[equation]{{Theorem}}"
    body = (
        "\\begin{thm}a\\begin{solution}\\begin{equation}x\\end{equation}\\begin{subequations}\\begin{align}x\\end{align}"
        "\\end{subequations}\\end{solution}\\end{thm}\\begin{thm}b\\end{thm}"
    )
    assert numbers(tmp_path, preamble, body) == ["1", "2"]


THEOREM = "\\newtheorem{thm}{Theorem}[section]"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("{\\renewcommand{\\thethm}{A}\\begin{thm}x\\end{thm}}\\begin{thm}y\\end{thm}", ["A", "1.2"]),
        ("\\begingroup\\def\\thethm{A}\\begin{thm}x\\end{thm}\\endgroup\\begin{thm}y\\end{thm}", ["A", "1.2"]),
        ("\\begin{center}\\def\\thethm{A}\\begin{thm}x\\end{thm}\\end{center}\\begin{thm}y\\end{thm}", ["A", "1.2"]),
        ("\\begin{named}{B}x\\end{named}\\begin{thm}y\\end{thm}", ["B", "1.2"]),
        ("\\renewcommand{\\thethm}{\\Alph{thm}}\\begin{thm}x\\end{thm}\\begin{thm}y\\end{thm}", ["A", "B"]),
        ("{\\appendix\\section{B}\\begin{thm}x\\end{thm}}\\begin{thm}y\\end{thm}", ["A.1", "A.2"]),
    ],
)
def test_formats_that_hold_in_a_group(tmp_path, body, expected):
    named = "\\newenvironment{named}[1]{\\renewcommand{\\thethm}{#1}\\begin{thm}}{\\end{thm}}"
    assert numbers(tmp_path, THEOREM + named, "\\section{A}" + body) == expected


def test_headings_that_are_others(tmp_path):
    preamble = (
        f"{THEOREM}\\let\\oldchapter\\chapter\\let\\oldsection\\section"
        "\\renewcommand{\\section}{\\oldchapter}\\renewcommand{\\subsection}{\\oldsection}"
    )
    body = "\\section{A}\\subsection{B}\\begin{thm}x\\end{thm}\\subsection{C}\\begin{thm}y\\end{thm}"
    assert numbers(tmp_path, preamble, body, "{report}") == ["1.1.1", "1.2.1"]


def test_boxes_by_the_word_that_they_print(tmp_path):
    preamble = (
        "\\usepackage{tcolorbox}\\newtcolorbox[auto counter]{mybox}[2][]{title=Theorem~\\thetcbcounter: #2,#1}"
        "\\newcounter{item}\\newenvironment{entry}{\\refstepcounter{item}\\textbf{Definition \\theitem.}}{}"
        "\\newtcolorbox{plainbox}{title=Theorem}\\newtcolorbox{otherbox}{title=Theorem proving}"
    )
    body = "\\begin{mybox}[label=a]{Name}x\\end{mybox}\\begin{entry}y\\end{entry}\\begin{plainbox}z\\end{plainbox}"
    body += "\\begin{otherbox}w\\end{otherbox}"
    assert numbers(tmp_path, preamble, body) == ["1", "1", ""]


def test_appendices_of_classes(tmp_path):
    preamble = "\\newtheorem{thm}{Theorem}[section]"
    body = "\\section{A}\\begin{thm}x\\end{thm}%s\\section{B}\\begin{thm}y\\end{thm}"
    assert numbers(tmp_path, preamble, body % "\\appendices", "{IEEEtran}") == ["1.1", "A.1"]
    assert numbers(tmp_path, preamble, body % "\\begin{appendix}" + "\\end{appendix}") == ["1.1", "A.1"]


@pytest.mark.parametrize(("state", "expected"), [("true", ["1.1", "1.2", "2.1"]), ("false", ["A.1", "A.2", "B.1"])])
def test_formats_with_flags(tmp_path, state, expected):
    formats = (
        f"\\newtoggle{{x}}\\toggle{state}{{x}}\\newif\\ifflag\\flag{state}"
        "\\renewcommand{\\thesection}{\\iftoggle{x}{\\arabic{section}}{\\Alph{section}}}"
        "\\renewcommand{\\thethm}{\\ifflag\\arabic{section}\\else\\Alph{section}\\fi.\\arabic{thm}}"
    )
    assert numbers(tmp_path, THEOREM + LEMMA + formats) == expected


def test_theorems_whose_proofs_are_at_the_end(tmp_path):
    preamble = (
        "\\newtheorem{thm}{Theorem}[section]" + LEMMA + "\\newEndThm{lemE}{lem}\\newtheoremrep{cor}[thm]{Corollary}"
    )
    body = (
        "\\section{A}\\begin{theoremEnd}{thm}[Name]x\\end{theoremEnd}\\begin{lemE}[Name][end]y\\end{lemE}"
        "\\begin{correp}z\\end{correp}\\begin{cor}z\\end{cor}\\begin{thm}z\\end{thm}"
    )
    assert numbers(tmp_path, preamble, body) == ["1.1", "1.2", "1.3", "1.4", "1.5"]


def test_theorems_repeated_in_the_appendix_share_their_counter(tmp_path):
    body = "\\begin{thmrep}x\\end{thmrep}\\begin{thm}y\\end{thm}\\begin{thmrep}z\\end{thmrep}"
    assert numbers(tmp_path, "\\newtheoremrep{thm}{Theorem}", body) == ["1", "2", "3"]


@pytest.mark.parametrize("value", ["unless unique", "unless-unique"])
def test_numbers_unless_unique(tmp_path, value):
    preamble = f"\\declaretheorem{{thm}}\\declaretheorem[numbered={value}]{{lem}}"
    assert numbers(tmp_path, preamble, "\\begin{thm}x\\end{thm}\\begin{lem}y\\end{lem}") == ["1", ""]
    assert numbers(tmp_path, preamble, "\\begin{lem}x\\end{lem}\\begin{lem}y\\end{lem}") == ["1", "2"]


def test_continued_theorems_are_not_counted(tmp_path):
    body = "\\begin{thm}\\label{a}x\\end{thm}\\begin{thm}[continues=a]y\\end{thm}\\begin{thm}z\\end{thm}"
    assert numbers(tmp_path, "\\declaretheorem{thm}", body) == ["1", "", "2"]


def test_numerals_of_ntheorem(tmp_path):
    preamble = (
        "\\theoremnumbering{Roman}\\newtheorem{thm}{Theorem}\\theoremnumbering{alph}\\newtheorem{lem}{Lemma}[section]"
    )
    assert numbers(tmp_path, preamble) == ["I", "1.a", "2.a"]


def test_boxes_that_print_a_counter_in_their_own_way(tmp_path):
    preamble = (
        "\\newcounter{all}[section]\\renewcommand{\\theall}{\\thesection.\\arabic{all}}"
        "\\newtcolorbox[use counter=all]{theorem}{title=Theorem \\thetcbcounter}"
        "\\newtcolorbox[use counter*=all]{lemma}{title=Lemma \\thetcbcounter}"
    )
    assert numbers(tmp_path, preamble, NAMES) == ["1", "1.2", "2.1"]


def test_algorithms_are_floats(tmp_path):
    body = (
        "\\section{A}\\begin{algorithm}[H]\\caption{One}\\label{a}\\end{algorithm}\\begin{algorithm}x\\end{algorithm}"
        "\\begin{algorithm}\\caption{Two}\\end{algorithm}"
    )
    assert numbers(tmp_path, "\\usepackage{algorithm}", body) == ["1", "", "2"]
    assert numbers(tmp_path, "\\usepackage[section]{algorithm}", body) == ["1.1", "", "1.2"]
    statements = LATEX.read(tmp_path / "main.tex", name="x", rules="fixed").statements
    assert [one.title for one in statements] == ["", "", ""]


@pytest.mark.parametrize(("options", "expected"), [("", ["1", "2", "3"]), ("[within]", ["1.1", "1.2", "2.1"])])
@pytest.mark.parametrize(
    ("turn", "asked"), [("\\let\\iswithin\\relax", "\\ifx\\iswithin\\relax"), ("\\is@withintrue", "\\ifis@within")]
)
def test_classes_that_ask_for_an_option(tmp_path, options, expected, turn, asked):
    (tmp_path / "own.cls").write_text(
        f"\\newif\\ifis@within\\DeclareOption{{within}}{{{turn}}}\\ProcessOptions\\LoadClass{{article}}\n"
        f"\\newtheorem{{thm}}{{Theorem}}{LEMMA}\n{asked}\\@addtoreset{{thm}}{{section}}"
        "\\renewcommand{\\thethm}{\\thesection.\\arabic{thm}}\\fi\n"
    )
    assert numbers(tmp_path, "", document_class=f"{options}{{own}}") == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [("", ["1", "1", "2"]), ("[envcountsame]", ["1", "2", "3"]), ("[envcountsect]", ["1.1", "1.1", "2.1"])],
)
def test_the_file_of_a_known_class_lies_in_the_project(tmp_path, options, expected):
    (tmp_path / "llncs.cls").write_text(
        "\\LoadClass{article}\\if@custom\\newtheorem{theorem}{Theorem}[section]\\else\\let\\x{\\fi\n"
        "\\def\\lemma{\\@begin}\\def\\endlemma{\\par}\\renewcommand{\\thetheorem}{X}\n"
    )
    assert numbers(tmp_path, "", NAMES, f"{options}{{llncs}}") == expected
    assert not LATEX.read(tmp_path / "main.tex", name="x", rules="fixed").diagnostics


def test_theorems_of_lipics_within_sections(tmp_path):
    assert numbers(tmp_path, "", NAMES, "{lipics-v2021}") == ["1", "2", "3"]
    assert numbers(tmp_path, "", NAMES, "[a4paper,numberwithinsect]{lipics-v2021}") == ["1.1", "1.2", "2.1"]


def test_theorems_that_are_printed_at_the_end(tmp_path):
    body = "\\begin{theoremEnd}[all end]{thm}x\\end{theoremEnd}\\begin{thm}y\\end{thm}"
    assert numbers(tmp_path, "\\newtheorem{thm}{Theorem}", body) == ["", "1"]


@pytest.mark.parametrize("name", ["ltjsbook", "ltjsreport", "bxjsbook", "ujbook", "utbook", "jreport"])
def test_japanese_classes_with_chapters(tmp_path, name):
    body = "\\chapter{A}\\chapter{B}\\begin{theorem}X.\\end{theorem}"
    assert numbers(tmp_path, "\\newtheorem{theorem}{定理}[chapter]", body, f"{{{name}}}") == ["2.1"]


THEOREM = "\\newtheorem{thm}{Theorem}[section]"
ONE = "\\begin{thm} A. \\end{thm}"


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("6-1", "6"),
        ("2*3 + 4", "11"),
        ("\\value{page}+1", "2"),
        ("-\\value{other}", "-4"),
        ("\\numexpr 7-\\value{other}\\relax", "3"),
        ("\\unknown", "1"),
        ("2 2", "1"),
        ("*2", "1"),
        ("9*999999999*999999999", "1"),
    ],
)
def test_sums_of_counters(tmp_path, value, number):
    preamble = "\\usepackage{calc}\\newtheorem{thm}{Theorem}\\newcounter{other}\\setcounter{other}{5}"
    assert numbers(tmp_path, preamble, f"\\setcounter{{thm}}{{{value}}}{ONE}") == [number]


def test_counter_commands_among_internals(tmp_path):
    preamble = (
        "\\newcounter{lecnum}\\makeatletter\\newcommand{\\lecture}[2]{\\setcounter{lecnum}{#1}\\@title: #2}"
        "\\newcommand{\\nextlecture}{\\stepcounter{lecnum}\\@title}"
        "\\newcommand{\\restart}[1]{\\def\\@last{#1}\\section{#1}\\setcounter{lem}{0}}\\newtheorem{lem}{Lemma}[section]"
        "\\newcommand{\\maybe}{\\if@twocolumn\\stepcounter{lecnum}\\fi}\\newtheorem{thm}{Theorem}[lecnum]"
    )
    body = f"\\lecture{{3}}{{Rings}}{ONE}\\nextlecture{ONE}\\maybe{ONE}\\restart{{Units}}\\begin{{lem}} B. \\end{{lem}}"
    assert numbers(tmp_path, preamble, body) == ["3.1", "4.1", "4.2", "1.1"]


def test_boxes_that_share_a_counter_step_it(tmp_path):
    preamble = (
        "\\newtcolorbox[auto counter,number within=section]{thm}[2][]{title=Theorem \\thetcbcounter\\ #2,#1}"
        "\\newtcolorbox[use counter from=thm]{formula}[2][]{title=Formula \\thetcbcounter\\ #2,#1}"
        "\\newtcolorbox[use counter from=thm]{zebra}[2][]{title=Zebra \\thetcbcounter\\ #2,#1}"
    )
    names = ("thm", "formula", "zebra", "thm")
    body = "".join(f"\\begin{{{name}}}{{A}} B. \\end{{{name}}}" for name in names)
    assert numbers(tmp_path, preamble, f"\\section{{One}}{body}") == ["1.1", "1.2", "1.4"]


def test_contributions_have_no_chapter(tmp_path):
    preamble = "\\spnewtheorem{thm}{Theorem}[section]\\renewcommand\\thethm{\\thesection.\\arabic{thm}}"
    body = f"\\title*{{Rings}}\\section{{One}}{ONE}\\begin{{lemma}} B. \\end{{lemma}}"
    assert numbers(tmp_path, preamble, body, "{svmult}") == ["1.1", "1"]


@pytest.mark.parametrize(
    "code",
    ["\\counterwithin{thm}{section}", "\\renewcommand{\\thethm}{\\thesection.\\arabic{thm}}\\setcounter{thm}{0}"],
)
def test_code_for_the_appendix(tmp_path, code):
    preamble = f"\\newtheorem{{thm}}{{Theorem}}\\AtAppendix{{{code}}}"
    body = f"\\section{{One}}{ONE}{ONE}\\appendix\\section{{Two}}{ONE}"
    assert numbers(tmp_path, preamble, body) == ["1", "2", "A.1"]


def test_the_outer_counter_in_a_macro(tmp_path):
    preamble = "\\newcommand{\\outer}{section}\\newtheorem{thm}{Theorem}[\\outer]"
    assert numbers(tmp_path, preamble, f"\\section{{One}}{ONE}") == ["1.1"]


def test_a_file_that_asks_whether_a_flag_is_declared_before_it(tmp_path):
    preamble = (
        "\\newif\\ifown\\owntrue\\def\\make{\\newif\\ifown}\\ifx\\owntrue\\undefined\\make\\ownfalse\\fi"
        "\\newtheorem{thm}{Theorem}\\ifown\\newtheorem{lem}{Lemma}[section]\\else\\newtheorem{lem}[thm]{Lemma}\\fi"
    )
    assert numbers(tmp_path, preamble) == ["1", "1.1", "2.1"]


def test_an_environment_of_which_only_what_it_opens_can_be_followed(tmp_path):
    preamble = (
        "\\newtheorem{thm}{Theorem}\\makeatletter\\newtheorem{@lem}[thm]{Lemma}\\def\\all{}"
        "\\NewEnviron{lem}{\\begin{@lem}\\BODY\\end{@lem}\\expandafter\\g@addto@macro\\expandafter\\all\\expandafter{\\BODY}}"
        "\\makeatother"
    )
    assert numbers(tmp_path, preamble) == ["1", "2", "3"]


@pytest.mark.parametrize(("rows", "last"), [("a \\intertext{and} b", "3"), ("a \\\\[2pt] \\intertext{and} b", "3")])
def test_text_between_the_rows_of_a_formula(tmp_path, rows, last):
    preamble = "\\usepackage{amsmath}\\newtheorem{thm}[equation]{Theorem}"
    body = f"\\begin{{align}}{rows}\\end{{align}}\\begin{{thm}} One. \\end{{thm}}"
    assert numbers(tmp_path, preamble, body) == [last]


def test_a_label_of_an_equation_has_the_number_that_its_author_gives(tmp_path):
    main = tmp_path / "main.tex"
    main.write_text(
        "\\documentclass{article}\\newtheorem{thm}{Theorem}\\begin{document}\\begin{thm}a\\end{thm}"
        "\\begin{equation}\\label{a}\\tag{$K_{d}$} x\\end{equation}"
        "\\begin{equation}\\tag{Sum}y\\label{b}\\end{equation}"
        "\\begin{equation}z\\tag{$\\star$}\\label{c}\\end{equation}\\begin{equation}\\label{d}z\\end{equation}\\end{document}"
    )
    anchors = LATEX.read(main, name="x", rules="fixed").anchors
    assert [anchors[label].number for label in "abcd"] == ["K_d", "Sum", "", "1"]


def test_equations_before_the_first_chapter_have_numbers_without_a_chapter(tmp_path):
    main = tmp_path / "main.tex"
    equations = "\\begin{equation}x\\label{a}\\end{equation}\\chapter{One}\\begin{equation}x\\label{b}\\end{equation}"
    main.write_text(
        f"\\documentclass{{book}}\\newtheorem{{thm}}{{Theorem}}\\begin{{document}}{equations}"
        "\\begin{thm}a\\end{thm}\\end{document}"
    )
    anchors = LATEX.read(main, name="x", rules="fixed").anchors
    assert [anchors[label].number for label in "ab"] == ["1", "1.1"]


def item_numbers(tmp_path, preamble, body):
    main = tmp_path / "main.tex"
    lemma = "\\newtheorem{lem}{Lemma}"
    main.write_text(
        f"\\documentclass{{article}}{preamble}{lemma}\n\\begin{{document}}{body}\\begin{{lem}}x\\end{{lem}}\\end{{document}}"
    )
    anchors = LATEX.read(main, name="x", rules="fixed").anchors
    return {label: anchor.number for label, anchor in anchors.items() if anchor.kind == "item"}


NESTED = """
    \\begin{enumerate}[OUTER] \\item \\item\\label{a}
      \\begin{enumerate}[INNER] \\item\\label{b} \\begin{enumerate} \\item\\label{c} \\end{enumerate} \\end{enumerate}
    \\end{enumerate}
"""
FORMATS = "\\renewcommand{\\theenumi}{(\\alph{enumi})}\\renewcommand{\\theenumii}{(\\roman{enumii})}"


@pytest.mark.parametrize(
    ("preamble", "outer", "inner", "printed"),
    [
        ("", "", "", "2 2a 2(a)i"),
        (FORMATS + "\\renewcommand{\\labelenumi}{\\theenumi}", "", "", "(b) (b)(i) (b)((i))i"),
        ("\\renewcommand{\\labelenumi}{[\\arabic{enumi}]}", "", "", "2 2a 2(a)i"),
        ("\\usepackage{enumerate}", "(a)", "i)", "b bi b(i)i"),
        ("\\usepackage{paralist}", "(a)", "", "b ba b(a)i"),
        ("\\usepackage{enumitem}", "label=(\\alph*)", "", "(b) (b)a (b)(a)i"),
        ("\\usepackage{enumitem}", "", "label=\\textup{(\\roman*)}", "2 (i) 2((i))i"),
        ("\\usepackage{enumitem}", "label=Case \\Alph*.,ref=\\Alph*", "", "B Ba B(a)i"),
        ("\\usepackage{enumitem}\\setlist[enumerate,2]{label=\\roman*}", "start=4", "", "5 i 5(i)i"),
        ("\\usepackage[shortlabels]{enumitem}", "(a)", "i)", "(b) i) (b)(i))i"),
    ],
)
def test_items_of_lists_in_lists(tmp_path, preamble, outer, inner, printed):
    body = NESTED.replace("[OUTER]", f"[{outer}]" if outer else "").replace("[INNER]", f"[{inner}]" if inner else "")
    assert item_numbers(tmp_path, preamble, body) == dict(zip("abc", printed.split(), strict=True))


def test_an_item_of_a_list_without_a_label_has_no_number(tmp_path):
    own = "\\usepackage{enumitem}\\newlist{parts}{enumerate}{1}"
    body = r"\begin{lem}\begin{parts}\item\label{a}\end{parts}\end{lem}"
    assert item_numbers(tmp_path, own, body) == {"a": ""}


def test_items_between_other_lists(tmp_path):
    own = "\\usepackage{enumitem}\\newlist{parts}{enumerate}{2}\\setlist[parts]{label=(\\alph*)}"
    body = r"""
        \begin{lem}\begin{parts} \item \item\label{a}
          \begin{enumerate} \item\label{b} \end{enumerate} \end{parts}\end{lem}
        \begin{itemize} \item x \begin{enumerate} \setcounter{enumi}{6} \item\label{c}
          \begin{itemize} \item y \item z\label{d} \end{itemize} \item\label{e} \item[x]\label{f} \end{enumerate}
        \end{itemize}
        \begin{enumerate}[resume] \item\label{g} \end{enumerate}
        \begin{enumerate}[label=\thelem.\arabic*] \item\label{h} \end{enumerate}
    """
    numbers = {"a": "(b)", "b": "1", "c": "7", "d": "7", "e": "8", "f": "", "g": "", "h": "1.1"}
    assert item_numbers(tmp_path, own, body) == numbers


CITED = r"""
\begin{equation} x \label{eq:a} \end{equation}
\begin{align} x &= y \label{eq:b} \\ y &= z \label{eq:c} \\ z &= t \end{align}
By \eqref{eq:c} and \eqref{eq:d}.
\begin{equation} x \label{eq:d} \end{equation}
\begin{theorem} A statement. \end{theorem}
"""


@pytest.mark.parametrize(
    ("preamble", "printed"),
    [
        ("\\usepackage{mathtools}", ["1", "2", "3", "5"]),
        ("\\usepackage{mathtools}\n\\mathtoolsset{centercolon, showonlyrefs = false}", ["1", "2", "3", "5"]),
        ("\\usepackage{mathtools}\n\\mathtoolsset{centercolon, showonlyrefs}", ["", "", "1", "2"]),
        ("\\usepackage[showonlyrefs]{mathtools}", ["", "", "1", "2"]),
        ("\\usepackage{amsmath,autonum}", ["", "", "1", "2"]),
    ],
)
def test_equations_that_have_a_number_if_they_are_cited(tmp_path, preamble, printed):
    main = tmp_path / "main.tex"
    main.write_text(f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}{CITED}\\end{{document}}\n")
    anchors = LATEX.read(main, name="x", rules="fixed").anchors
    assert [anchors[f"eq:{letter}"].number for letter in "abcd"] == printed
