"""Statements whose headings their authors write, and documents of LaTeX 2.09."""

from naturalproofs.sources.latex.project.project import LATEX

PLAIN = """\\magnification=1200
\\proclaim{Theorem 1.2 (Euclid).} There are many primes.

\\noindent{\\it Proof.} By counting.

\\proclaim{Lemma 2.} Zero is good.

\\noindent{\\bf Proof.} By Theorem 1.2.
\\bye
"""
AMSTEX = """\\input amstex
\\documentstyle{amsppt}
\\document
\\proclaim{Theorem 1.1} There are many primes. \\endproclaim
\\demo{Proof} By counting. \\qed\\enddemo
\\proclaim{Lemma A.2 (Zero)} Zero is good.

It is. \\endproclaim
\\definition{Definition 3} A number. \\enddefinition
\\demo{Proof of Lemma A.2} By Theorem 1.1. \\enddemo
\\enddocument
"""


def read(tmp_path, text, **files):
    (tmp_path / "main.tex").write_text(text)
    for name, source in files.items():
        (tmp_path / f"{name}.sty").write_text(source)
    return LATEX.read(tmp_path, name="x", rules="fixed").statements


def test_plain_tex(tmp_path):
    theorem, lemma = read(tmp_path, PLAIN)
    assert (theorem.form, theorem.number, theorem.title) == ("theorem", "1.2", "Euclid")
    assert [line.strip() for line in theorem.lines if line.strip()] == ["There are many primes."]
    assert (lemma.form, lemma.number, lemma.lines) == ("lemma", "2", ("Zero is good.",))
    assert len(theorem.proofs) == 1
    assert [mention.target for mention in lemma.proofs[0].mentions] == [theorem.label]


def test_amstex(tmp_path):
    theorem, lemma, definition = read(tmp_path, AMSTEX)
    assert [(one.form, one.kind, one.number) for one in (theorem, lemma, definition)] == [
        ("theorem", "theorem", "1.1"),
        ("lemma", "theorem", "A.2"),
        ("definition", "definition", "3"),
    ]
    assert lemma.title == "Zero"
    assert "It is." in lemma.lines
    assert [len(one.proofs) for one in (theorem, lemma, definition)] == [1, 1, 0]
    assert theorem.label in [mention.target for mention in lemma.proofs[0].mentions]


def test_a_macro_of_the_author_is_no_statement(tmp_path):
    text = (
        "\\documentclass{article}\\newtheorem{thm}{Theorem}\\newcommand{\\proclaim}[1]{#1}\\begin{document}"
        "\\proclaim{Theorem 7} Text.\\begin{thm}A.\\end{thm}\\end{document}"
    )
    assert [one.number for one in read(tmp_path, text)] == ["1"]


def test_options_of_latex_209_are_packages(tmp_path):
    text = "\\documentstyle[12pt,own]{article}\\begin{document}\\begin{satz}A.\\end{satz}\\end{document}"
    found = read(tmp_path, text, own="\\newtheorem{satz}{Proposition}")
    assert [(one.form, one.number) for one in found] == [("proposition", "1")]


SLIDES = r"""\documentclass{beamer}
\begin{document}
\begin{frame}{Groups}
\begin{block}{Definition: Group}A set with a law.\end{block}
\begin{block}<2->{Theorem 4.1 (Cauchy)}\label{thm:c}It has elements of order $p$.\end{block}
\begin{block}{Proof sketch}By \ref{thm:c} for smaller groups.\end{block}
\end{frame}
\begin{frame}
\begin{alertblock}{Satz von Rolle}Sei $f$ stetig.\end{alertblock}
\begin{block}{定理 2}设 $x$ 为实数。\end{block}
\begin{theorem}[Lagrange]The order divides.\end{theorem}
\begin{block}{Theorem proving}Programs do it.\end{block}
\begin{block}{Proof assistants}Programs as well.\end{block}
\begin{block}{}Nothing at all.\end{block}
\end{frame}
\end{document}
"""
BOXES = r"""\documentclass{article}
\begin{document}
\begin{tcolorbox}[colback=red!5,title=Theorem 1 (Bolzano)]\label{b}Some points cluster.\end{tcolorbox}
\begin{tcolorbox}[title={Proof of Theorem 1}]Bisect, as for \ref{b}.\end{tcolorbox}
\begin{mdframed}[frametitle={Lemma},linewidth=1pt]It is small.\end{mdframed}
\begin{tcolorbox}[colback=white]Only a box.\end{tcolorbox}
\[\begin{blockarray}{cc}\begin{block}{(cc)}1&2\\ \end{block}\end{blockarray}\]
\end{document}
"""


def headings(statements):
    return [(one.kind, one.form, one.number, one.title) for one in statements]


def test_blocks_of_slides_are_read_by_their_titles(tmp_path):
    statements = read(tmp_path, SLIDES)
    assert headings(statements) == [
        ("definition", "definition", "", "Group"),
        ("theorem", "theorem", "4.1", "Cauchy"),
        ("theorem", "satz", "", "Satz von Rolle"),
        ("theorem", "theorem", "2", ""),
        ("theorem", "theorem", "1", "Lagrange"),
    ]
    assert statements[1].label == "thm:c"
    assert statements[1].text == "It has elements of order $p$."
    assert [mention.target for mention in statements[1].proofs[0].mentions] == ["thm:c"]
    assert not any(one.proofs for one in statements if one.label != "thm:c")


def test_boxes_are_read_by_their_titles(tmp_path):
    theorem, lemma = read(tmp_path, BOXES)
    assert headings([theorem, lemma]) == [("theorem", "theorem", "1", "Bolzano"), ("theorem", "lemma", "", "")]
    assert len(theorem.proofs) == 1
    assert lemma.text == "It is small."


def test_slides_of_a_series_are_all_read(tmp_path):
    for number, word in enumerate(("group", "ring", "field"), 1):
        text = (
            f"\\begin{{block}}{{Definition}}A {word} is a set.\\end{{block}}"
            f"\\begin{{block}}{{Theorem}}\\label{{thm:{word}}}No {word} is large.\\end{{block}}"
        )
        (tmp_path / f"lecture{number}.tex").write_text(
            f"\\documentclass{{beamer}}\\begin{{document}}{text}\\end{{document}}"
        )
    statements = LATEX.read(tmp_path, name="x", rules="fixed").statements
    assert [one.label for one in statements if one.kind == "theorem"] == ["thm:group", "thm:ring", "thm:field"]


NUMBERS_ALONE = r"""\documentclass{amsart}
\newtheorem{num}{}[section]
\newtheorem{para}[num]{$\!\!$}
\newenvironment{thm}{\begin{num}{\bf Theorem.}\it}{\end{num}}
\begin{document}
\section{Points}
\begin{thm}\label{t} Points are closed. \end{thm}
\begin{proof} By Lemma 1.2 and \ref{d}. \end{proof}
\begin{para}\label{l}\textbf{Lemma} (Nakayama). It is zero. \end{para}
\begin{para}\label{d} \emph{Definition.} A point is a point. \end{para}
\begin{para}[Theorem (Rolle)] It is flat somewhere. \end{para}
\begin{para}[Zariski's main theorem] It is finite. \end{para}
\begin{para}{\bf Proposition} (i) It is. (ii) It is not. \end{para}
\begin{para} \emph{Properties} of points are listed here. \end{para}
\begin{para}[Idea of the construction] Glue. \end{para}
\end{document}
"""


def test_environments_that_print_a_number_alone_are_read_by_their_headings(tmp_path):
    statements = read(tmp_path, NUMBERS_ALONE)
    assert headings(statements) == [
        ("theorem", "theorem", "1.1", ""),
        ("theorem", "lemma", "1.2", "Nakayama"),
        ("definition", "definition", "1.3", ""),
        ("theorem", "theorem", "1.4", "Rolle"),
        ("theorem", "theorem", "1.5", "Zariski's main theorem"),
        ("theorem", "proposition", "1.6", ""),
        ("other", "paragraph", "1.7", ""),
        ("other", "paragraph", "1.8", "Idea of the construction"),
    ]
    assert [one.text for one in statements[:3]] == ["Points are closed.", "It is zero.", "A point is a point."]
    assert [one.label for one in statements[:3]] == ["t", "l", "d"]
    assert [mention.target for mention in statements[0].proofs[0].mentions] == ["l", "d"]
    assert statements[5].text.startswith("(i) It is.")


HEADINGS_IN_LINES = r"""\documentclass{article}
\newtheorem{theorem}{Theorem}
\begin{document}
\textbf{Properties} of groups are our subject. \textbf{Theorem 9.} stands within a line.

\noindent\textbf{Definition 1.1.} A \textbf{group} is a set with
\begin{enumerate}

\item a product.
\end{enumerate}

{\bf Theorem 1.2 (Lagrange).} {\em The order of a subgroup divides.

So does that of an element.}

{\bf Proof.} By Definition 1.1. $\Box$

\textbf{Lemma 1.3}: Suppose the following:

(a) it is small;

(b) it is large.

Then it is neither.\\
\textit{Proof.} Use Theorem 1.2. \qed

\noindent\textbf{1.4 Corollary.} Everything is neither.
\begin{proof}
\textbf{Claim 1.} Nothing is both. This is Lemma 1.3.
\end{proof}

\paragraph{Example usage.} Try it.

\subsection{Definition of everything}
It is here.

\textbf{Remark.}


\subsubsection*{Theorem A (Final)}
All is said.

Some parts of it:

\begin{itemize}
\item \textbf{Lemma 7.} An item.
\end{itemize}
\end{document}
"""


def test_headings_in_lines_count_where_there_are_no_environments(tmp_path):
    statements = read(tmp_path, HEADINGS_IN_LINES)
    assert headings(statements) == [
        ("definition", "definition", "1.1", ""),
        ("theorem", "theorem", "1.2", "Lagrange"),
        ("theorem", "lemma", "1.3", ""),
        ("theorem", "corollary", "1.4", ""),
        ("theorem", "theorem", "A", "Final"),
    ]
    definition, lagrange, lemma, corollary, final = statements
    assert definition.text.endswith("\\end{enumerate}")
    assert lagrange.text == "{\\em The order of a subgroup divides.\nSo does that of an element.}"
    assert lemma.text.startswith("Suppose the following:")
    assert lemma.text.endswith("Then it is neither.")
    assert (corollary.text, final.text) == ("Everything is neither.", "All is said.")
    cited = [[mention.target for proof in one.proofs for mention in proof.mentions] for one in statements]
    assert cited == [[], [definition.label], [lagrange.label], [lemma.label], []]


HEADINGS_OF_OTHERS = r"""\documentclass{article}
\begin{document}
\textbf{Definizione 1.} Un gruppo.\\
\textbf{Teorema 2 (Lagrange).} L'ordine divide.\\
\textbf{Dimostrazione.} Ovvio. $\Box$

\textbf{Prop. 2.1.2} Ogni campo.

\textbf{Definition:\;} Ein Ring.

{\bf Satz.\ } Ein Satz.

\textbf{\textcolor{red}{\underline{Satz 3}:}} Noch einer.

\textbf{Satz} 4. Ein weiterer.

\textbf{Corolario 5 (X):}\\
Un texto.

\textbf{定理6（柯西）：} 甲乙。

\paragraph{Satz} Ein Absatz.
\end{document}
"""


def test_headings_of_many_kinds(tmp_path):
    statements = read(tmp_path, HEADINGS_OF_OTHERS)
    assert [(one.number, one.title, one.text) for one in statements] == [
        ("1", "", "Un gruppo."),
        ("2", "Lagrange", "L'ordine divide."),
        ("2.1.2", "", "Ogni campo."),
        ("", "", "Ein Ring."),
        ("", "", "Ein Satz."),
        ("3", "", "Noch einer."),
        ("4", "", "Ein weiterer."),
        ("5", "X", "Un texto."),
        ("6", "柯西", "甲乙。"),
        ("", "", "Ein Absatz."),
    ]
    assert [len(one.proofs) for one in statements] == [0, 1, *[0] * 8]


def test_headings_in_lines_are_text_where_there_are_environments(tmp_path):
    text = "\\begin{theorem}A.\\end{theorem}\n\n\\textbf{Theorem 2.} B.\n\n{\\bf Lemma.} C.\n"
    found = read(tmp_path, f"\\documentclass{{article}}\\begin{{document}}{text}\\end{{document}}")
    assert [one.text for one in found] == ["A."]


OWN_BOXES = r"""\documentclass{article}
\usepackage{tcolorbox,mdframed}
\NewTColorBox{zbox}{O{} m}{title=Lemma #2,#1}
\newtcolorbox{ybox}[1]{title={Definition: #1}}
\DeclareTColorBox{xbox}{m}{title=Corollary (#1)}
\newmdenv[frametitle={Proposition}]{wbox}
\newenvironment{ubox}{\begin{tcolorbox}[title=Remark]}{\end{tcolorbox}}
\newtcolorbox{tbox}{title=Note}
\newtcolorbox{sbox}{title=Formal definition}
\begin{document}
\begin{zbox}[label=z]{Zorn}A.\end{zbox}\begin{ybox}{Ring}B.\end{ybox}\begin{xbox}{Nice}C.\end{xbox}
\begin{wbox}D.\end{wbox}\begin{ubox}F.\end{ubox}\begin{tbox}G.\end{tbox}\begin{sbox}H.\end{sbox}
\end{document}
"""


def test_environments_of_the_project_are_read_by_the_headings_that_they_print(tmp_path):
    statements = read(tmp_path, OWN_BOXES)
    assert headings(statements) == [
        ("theorem", "lemma", "", "Zorn"),
        ("definition", "definition", "", "Ring"),
        ("theorem", "corollary", "", "Nice"),
        ("theorem", "proposition", "", ""),
        ("other", "remark", "", ""),
    ]
    assert [one.text for one in statements] == ["A.", "B.", "C.", "D.", "F."]
    assert statements[0].label == "z"


OWN_HEADINGS = r"""\documentclass{article}
\newtheorem{fact}{Fact}
\newenvironment{dbox}[1]{\par\noindent\textbf{Definition (#1).}\ \itshape}{\par}
\newcommand{\head}[1]{\medskip\noindent{\bfseries\underline{#1:}} }
\newenvironment{tbox}{\begin{quote}\head{Theorem}}{\end{quote}}
\newenvironment{pbox}{\noindent\emph{Proof.} }{\hfill$\square$}
\newenvironment{wide}{\textbf{Theorem provers} and \emph{lemma}}{}
\newenvironment{side}{\emph{theorem}\small}{}
\begin{document}
\begin{fact}A.\end{fact}
\begin{dbox}{Group}\label{g}B.\end{dbox}
\begin{tbox}C.\end{tbox}
\begin{pbox}By \ref{g}.\end{pbox}
\begin{wide}D.\end{wide}
\begin{side}E.\end{side}
\end{document}
"""


def test_environments_of_the_project_are_read_by_headings_in_a_font(tmp_path):
    statements = read(tmp_path, OWN_HEADINGS)
    assert headings(statements) == [
        ("theorem", "fact", "1", ""),
        ("definition", "definition", "", "Group"),
        ("theorem", "theorem", "", ""),
    ]
    assert [len(one.proofs) for one in statements] == [0, 0, 1]
    assert statements[1].label == "g"


def test_abbreviations_are_headings(tmp_path):
    body = (
        "\\textbf{Teo 2.1.1} Ogni numero è buono.\n\n\\textbf{Dim.} Ovvio.\n\n"
        "\\textbf{Oss. 3.} Anche zero.\n\n\\textbf{Es}sendo buono.\n\n{\\bf Prop. 4 (Rolle).} Vale.\n\n"
        "\\textbf{D\\'em.} Ovvio.\n\n\\textbf{Dem Leser} folgt nichts.\n\n"
    )
    found = read(tmp_path, f"\\documentclass{{article}}\\begin{{document}}\n{body}\\end{{document}}")
    assert [(one.form, one.number, one.title, len(one.proofs)) for one in found] == [
        ("theorem", "2.1.1", "", 1),
        ("remark", "3", "", 0),
        ("proposition", "4", "Rolle", 1),
    ]


def test_abbreviations_are_titles_of_boxes(tmp_path):
    body = (
        "\\begin{tcolorbox}[title=Teo. 5 (Rolle)] A. \\end{tcolorbox}"
        "\\begin{tcolorbox}[title=Dim.] B. \\end{tcolorbox}\\begin{tcolorbox}[title=Dim sum] C. \\end{tcolorbox}"
    )
    found = read(tmp_path, f"\\documentclass{{article}}\\begin{{document}}\n{body}\\end{{document}}")
    assert [(one.form, one.number, one.title, len(one.proofs)) for one in found] == [("theorem", "5", "Rolle", 1)]


PLAIN_LINES = r"""\documentclass{article}
\begin{document}
\section{Primes}
Theorem 1. Let $p$ be a prime. Then $p > 1$.

Proof. By definition, as in
Theorem 1. Nothing else is needed.

Theorem 1 shows that it holds. Lemma 7. is not cited here.

Lemma 1.2 (Euclid). There are many primes:
\[ x \]
and they grow.

\noindent Definition 3: A number is good if it is.

Proof of Lemma 1.2. Count them, by Theorem 1.

1.4 Corollary. All is well.

Proofs are hard. This is text.

Lemma 5 is. So is this.
\end{document}
"""
RUSSIAN_LINES = r"""\documentclass{article}
\begin{document}
Теорема 1. Пусть $p$ простое. Тогда $p>1$.

Доказательство. Очевидно.

Лемма 2 (Евклид). Простых чисел много.

Определение 3. Число хорошее, если оно хорошее.

Доказательство леммы 2. По теореме 1.
\end{document}
"""


MACRO_HEADINGS = r"""\documentclass{article}
\newcounter{own}
\newcommand{\head}[1]{\medskip\pagebreak[2]\textbf{#1 \stepcounter{own}\arabic{own}:}\addcontentsline{toc}{section}{#1}}
\newcommand{\unit}[1]{\setcounter{own}{0}\section{#1}}
\newcommand{\term}[1]{\textbf{#1}}
\newcommand{\bsp}{\textbf{Beispiel.} }
\begin{document}
\unit{Mengen}
\head{Vorbemerkungen} Text.

\head{Satz} Es gibt ein \term{Supremum}.

\term{Satz} ist ein Wort, und
\head{Satz} beginnt eine Zeile.
\head{Lemma} Auch hier.

\textbf{Beweis:} Nach Satz 2. $\square$

\bsp Ein Beispiel.

\unit{Zahlen}
\head{Definition} Eine \term{Zahl}.
\end{document}
"""


def test_headings_that_macros_print(tmp_path):
    statements = read(tmp_path, MACRO_HEADINGS)
    assert headings(statements) == [
        ("theorem", "satz", "2", ""),
        ("theorem", "satz", "3", ""),
        ("theorem", "lemma", "4", ""),
        ("other", "example", "", ""),
        ("definition", "definition", "1", ""),
    ]
    assert statements[0].lines == (r"Es gibt ein \term{Supremum}.",)
    assert statements[1].lines == ("beginnt eine Zeile.",)
    (proof,) = statements[2].proofs
    assert [mention.target for mention in proof.mentions] == [statements[0].label]


def test_headings_without_a_font(tmp_path):
    statements = read(tmp_path, PLAIN_LINES)
    assert headings(statements) == [
        ("theorem", "theorem", "1", ""),
        ("theorem", "lemma", "1.2", "Euclid"),
        ("definition", "definition", "3", ""),
        ("theorem", "corollary", "1.4", ""),
    ]
    assert statements[0].text == "Let $p$ be a prime. Then $p > 1$."
    assert statements[1].text.startswith("There are many primes:")
    assert statements[1].text.endswith("and they grow.")
    assert [len(one.proofs) for one in statements] == [1, 1, 0, 0]
    assert [one.target for one in statements[1].proofs[0].mentions] == [statements[0].label]
    assert "Nothing else is needed." in statements[0].proofs[0].lines[1]


def test_headings_without_a_font_in_russian(tmp_path):
    statements = read(tmp_path, RUSSIAN_LINES)
    assert headings(statements) == [
        ("theorem", "theorem", "1", ""),
        ("theorem", "lemma", "2", "Евклид"),
        ("definition", "definition", "3", ""),
    ]
    assert [[proof.lines for proof in one.proofs] for one in statements] == [[("Очевидно.",)], [("По теореме 1.",)], []]
    assert [one.target for one in statements[1].proofs[0].mentions] == [statements[0].label]


def test_lines_are_no_headings_beside_environments(tmp_path):
    text = PLAIN_LINES.replace("\\begin{document}", "\\newtheorem{thm}{Theorem}\\begin{document}")
    statements = read(tmp_path, text.replace("\\section{Primes}", "\\begin{thm}A.\\end{thm}"))
    assert headings(statements) == [("theorem", "theorem", "1", "")]
    assert statements[0].text == "A."


def test_other_names_for_the_commands_of_a_proof(tmp_path):
    text = (
        "\\documentclass{article}\\usepackage{amsthm}\\newtheorem{thm}{Theorem}\\let\\bpf\\proof\\let\\epf\\endproof"
        "\\begin{document}\\begin{thm}A.\\end{thm}\\bpf By \\ref{b}.\\epf Text."
        "\\begin{thm}\\label{b}B.\\end{thm}\\bpf Clear.\\endproof\\end{document}"
    )
    one, other = read(tmp_path, text)
    assert [proof.lines for proof in one.proofs] == [("By \\ref{b}.",)]
    assert [proof.lines[0].startswith("Clear.") for proof in other.proofs] == [True]
