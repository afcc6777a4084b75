"""Rules that read the words of the text, each with cases in which they are silent."""

from pathlib import Path
from textwrap import dedent

import pytest

from support.lint_projects import PREAMBLE, check, found, write_project

START = PREAMBLE.strip().count("\n") + 3
LEMMA = r"\begin{lemma}\label{lem:b} B. \end{lemma} \begin{proof} Clear. \end{proof}"


def project(folder: Path, body: str, **files: str) -> Path:
    """A project with one statement at its end, since there must be one."""
    return write_project(folder, f"{dedent(body)}\n\\begin{{definition}} D. \\end{{definition}}", **files)


def subjects(main: Path, rule: str) -> list[str]:
    return [one.subject for one in found(main, rule)]


def test_wrong_word_before_a_reference(tmp_path: Path) -> None:
    main = project(tmp_path, rf"""
        \section{{One}}\label{{sec:one}}
        {LEMMA}
        By Theorem~\ref{{lem:b}} and
        Section~\ref{{lem:b}}, but Lemma~\ref{{lem:b}}, result~\ref{{lem:b}}, Lemma~\ref{{sec:one}}.
        % Theorem~\ref{{lem:b}}
    """)  # fmt: skip
    findings = found(main, "wrong-word")
    assert [(one.line, one.subject) for one in findings] == [
        (START + 2, "Theorem lem:b"),
        (START + 3, "Section lem:b"),
        (START + 3, "Lemma sec:one"),
    ]
    assert "lemma 1 (lem:b)" in findings[0].message


@pytest.mark.parametrize("word", ["Satz", "théorème", "теоремы", "Proposizione"])
def test_wrong_words_of_other_languages(tmp_path: Path, word: str) -> None:
    assert len(found(project(tmp_path, rf"{LEMMA} {word}~\ref{{lem:b}}"), "wrong-word")) == 1


def test_a_definition_with_a_lemma_is_both(tmp_path: Path) -> None:
    body = r"""
        \newtheorem{both}[theorem]{Definition and lemma}
        \begin{both}\label{a} A. \end{both} Lemma~\ref{a} and Definition~\ref{a}.
    """
    assert found(project(tmp_path, body), "wrong-word") == []


def test_unfinished_text(tmp_path: Path) -> None:
    main = project(tmp_path, r"""
        \newcommand{\todo}[1]{\textbf{TODO: #1}}
        TODO: more. See Theorem ?? and Lemma~\ref{a}.
        \todo{prove this}
        % TODO in a comment, and why?? is a question.
        \begin{verbatim} FIXME \end{verbatim}
        Really?? The TODOlist is a word. $x \in A_{??}$ A plate is \texttt{XX\;NN\;XXX}.
        \iffalse FIXME \fi
        ??? ???
    """)  # fmt: skip
    assert [(one.line - START, one.subject) for one in found(main, "unfinished-text")] == [
        (1, "TODO"),
        (1, "Theorem ??"),
        (2, "\\todo"),
        (7, "???"),
    ]


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommandx\unsure[2][1=]{\todo[#1]{#2}}",
        r"\renewcommandx{\unsure}[2][1=]{\todo[#1]{#2}}",
        r"\providecommand{\unsure}[1]{\todo{#1}}",
        r"\DeclareRobustCommand{\unsure}[1]{\todo{#1}}",
        r"\NewDocumentCommand{\unsure}{om}{\todo{#2}}",
        r"\DeclareDocumentCommand{\unsure}{m}{\todo{#1}}",
        r"\def\unsure#1{\todo{#1}}",
        "\\newcommand{\\unsure}[1]{%\n  \\textbf{\n  \\todo{#1}}}",
        "\\newenvironment{unsure}{a}{\n  TODO\n}",
    ],
)
def test_a_definition_is_not_unfinished_text(tmp_path: Path, definition: str) -> None:
    notes = f"\\@ifclasswith{{article}}{{draft}}{{{definition}}}{{}}\n\\todo{{Now}}"
    assert subjects(project(tmp_path, r"\input{notes} TODO", notes=notes), "unfinished-text") == ["TODO", "\\todo"]


def test_numbers_written_by_hand(tmp_path: Path) -> None:
    main = project(tmp_path, rf"""
        {LEMMA}
        By Lemma 1 we are done. By \cite[Lemma 1]{{Lang}} too, and Lemma 1 of \cite{{Lang}}, and Lemma 9, and Theorem 1.
    """)  # fmt: skip
    (finding,) = found(main, "fixed-number")
    assert (finding.line, finding.severity) == (START + 1, "note")
    assert finding.message.endswith(r"\cref{lem:b}")


def test_duplicate_titles(tmp_path: Path) -> None:
    main = project(tmp_path, r"""
        \begin{lemma}[Properties of cosets]\label{a} A. \end{lemma}
        \begin{lemma}[properties of cosets]\label{b} B. \end{lemma}
        \begin{theorem}[Properties of cosets]\label{c} C. \end{theorem}
        \begin{lemma}[Properties]\label{d} D. \end{lemma}
        \begin{lemma}[Properties]\label{e} E. \end{lemma}
    """)  # fmt: skip
    (finding,) = found(main, "duplicate-title")
    assert finding.subject.startswith("b ")


SILENT = [
    r"\begin{theorem}\label{t} T. \end{theorem} Indeed, this is the definition.",
    r"\begin{theorem}\label{t} T. \end{theorem} The proof is left to the reader.",
    r"\begin{theorem}\label{t} T. \end{theorem} This is clear.",
    r"\begin{theorem}\label{t} T. \end{theorem} See \cite{Lang}.",
    r"\begin{theorem}[\cite{Lang}]\label{t} T. \end{theorem}",
    r"\begin{theorem}[Zorn's lemma]\label{t} T. \end{theorem}",
    r"We have shown the following. \begin{theorem}\label{t} T. \end{theorem}",
    r"We find: \begin{theorem}\label{t} T. \end{theorem}",
    "In particular,\n\\begin{theorem}\\label{t} T. \\end{theorem}",
    r"我们于是得到 \begin{theorem}\label{t} T. \end{theorem}",
    r"\begin{theorem}\label{t} T. \end{theorem} 参看 \ref{s}.",
    r"\begin{theorem}\label{t} T. \end{theorem} \section{More} We prove \cref{t} in a moment: x is y.",
    r"\begin{theorem}\label{t} T. \end{theorem} Preuve: exercice.",
    r"\begin{corollary}\label{t} T. \end{corollary}",
    r"\begin{theorem}\label{t} T. \leanok \end{theorem}",
    *(
        rf"\begin{{theorem}}[{title}]\label{{t}} T. \end{{theorem}}"
        for title in (
            "Main result, informal",
            r"Informal, see \cref{u}",
            r"Informal version of \Cref{u}",
            "Informal statement",
            "Theorem 2.1 in Tropp (2012)",
            "Lemma~3 of the first part",
            "Tropp, 2012",
            r"see \cite{Lang}",
            "{cf. [12]}",
            "Folklore",
            "well known",
            "Well-known bound",
            "Théorème de Fubini",
            "Formule d'Euler",
            "Теорема Ролля",
        )
    ),
]


@pytest.mark.parametrize("body", SILENT)
def test_theorems_that_the_text_proves_or_dismisses(tmp_path: Path, body: str) -> None:
    assert found(project(tmp_path, body), "statement-without-proof") == []


def test_theorems_without_any_word_of_a_proof(tmp_path: Path) -> None:
    body = r"We turn to cosets. \begin{theorem}\label{t} T. \end{theorem} Now we turn to groups."
    assert subjects(project(tmp_path, body), "statement-without-proof") == ["t"]
    titled = body.replace("{theorem}\\label", "{theorem}[Bounds in 2012 metric spaces]\\label")
    assert subjects(project(tmp_path, titled), "statement-without-proof") == ["t"]


@pytest.mark.parametrize(
    "after",
    [
        "Since groups are known, we follow the usual argument and check the next example.",
        "Clear skies: in the next section we show how cosets follow one another.",
        "Osserviamo che il gruppo è noto dal corso di algebra.",
        "Wir betrachten nun die bekannten Gruppen.",
        "La section suivante étudie les groupes connus.",
    ],
)
def test_words_that_do_not_dismiss_a_proof(tmp_path: Path, after: str) -> None:
    body = rf"\begin{{theorem}}\label{{t}} T. \end{{theorem}} {after}"
    assert subjects(project(tmp_path, body), "statement-without-proof") == ["t"]


@pytest.mark.parametrize(
    "after",
    [
        "The proof is omitted.",
        "We omit the proof.",
        "This follows at once from the definition.",
        "Der Beweis ist eine leichte Übung.",
        "Dies folgt sofort aus der Definition.",
        "La preuve est laissée au lecteur.",
        "La dimostrazione è lasciata al lettore.",
        "La demostración se deja como ejercicio.",
        "Dowód pomijamy.",
        "Доказательство очевидно.",
        "证明从略。",
    ],
)
def test_words_that_dismiss_a_proof_in_many_languages(tmp_path: Path, after: str) -> None:
    body = rf"\begin{{theorem}}\label{{t}} T. \end{{theorem}} {after}"
    assert subjects(project(tmp_path, body), "statement-without-proof") == []


def test_a_text_that_mostly_does_not_prove_its_theorems(tmp_path: Path) -> None:
    bare = "".join(rf"\begin{{theorem}}\label{{t{i}}} T. \end{{theorem}} Text. " for i in range(4))
    proved = "".join(
        rf"\begin{{theorem}}\label{{p{i}}} T. \end{{theorem}} \begin{{proof}} X. \end{{proof}} " for i in range(20)
    )
    assert subjects(project(tmp_path, f"{bare} {LEMMA}"), "statement-without-proof") == []
    assert len(subjects(project(tmp_path, f"{bare} {proved}"), "statement-without-proof")) == 4


@pytest.mark.parametrize(
    "mark", ["Teorema ??", "Satz~??", "лемма ??", "Gleichung (??)", "Sección ??", "Prop. ??", "chapitre XX"]
)
def test_numbers_left_open_in_many_languages(tmp_path: Path, mark: str) -> None:
    assert len(found(project(tmp_path, f"Text {mark} text."), "unfinished-text")) == 1
    assert found(project(tmp_path, "Perché mai ?? Davvero."), "unfinished-text") == []


@pytest.mark.parametrize(
    "words",
    ["Per il Teorema", "Dal Teorema", "Nach Satz", "Par le théorème", "Por el Teorema", "Pelo Teorema", "По теореме"],
)
def test_a_proof_by_its_own_theorem_in_many_languages(tmp_path: Path, words: str) -> None:
    body = rf"\begin{{theorem}}\label{{t}} T. \end{{theorem}} \begin{{proof}} {words}~\ref{{t}}. \end{{proof}}"
    assert subjects(project(tmp_path, body), "own-theorem") == ["t"]


def test_a_theorem_that_many_cite_and_none_proves(tmp_path: Path) -> None:
    citing = "\n".join(
        rf"\begin{{lemma}}\label{{l{i}}} L. \end{{lemma}} \begin{{proof}} By \cref{{t}}. \end{{proof}}"
        for i in range(3)
    )
    main = project(tmp_path, rf"\begin{{theorem}}\label{{t}} T. \end{{theorem}}{citing}")
    assert subjects(main, "cited-unproved") == ["t"]
    assert subjects(main, "statement-without-proof") == []


def test_a_lemma_that_is_used_without_a_citation(tmp_path: Path) -> None:
    body = r"""
        \begin{lemma}\label{l} L. \end{lemma} \begin{proof} Clear. \end{proof}
        \begin{theorem}\label{t} T. \end{theorem} \begin{proof} By the last lemma. \end{proof}
    """
    assert subjects(project(tmp_path, body), "unused-statement") == []
    assert subjects(project(tmp_path, body.replace("last lemma", "axioms")), "unused-statement") == ["l"]


def test_ignored_in_the_source(tmp_path: Path) -> None:
    main = project(tmp_path, r"""
        See \cref{a}. % naturalproofs: ignore
        % naturalproofs: ignore undefined-reference, unused-label
        See \cref{b}.
        See \cref{c}. % naturalproofs: ignore unused-label
        See \cref{d}. \% naturalproofs: ignore
    """)  # fmt: skip
    assert subjects(main, "undefined-reference") == ["c", "d"]


def test_ignored_in_a_whole_file(tmp_path: Path) -> None:
    late = "\n" * 30 + "% naturalproofs: ignore-file undefined-reference\nSee \\cref{c}."
    main = project(
        tmp_path,
        r"\input{one}\input{two} \cref{a}",
        one="% naturalproofs: ignore-file undefined-reference\nSee \\cref{b}.",
        two=f"x{late}",
    )
    assert subjects(main, "undefined-reference") == ["a", "c"]
    assert not check(main, ignore={"undefined-reference"}).failed


def test_the_text_after_a_long_element_of_pretext_is_read(tmp_path: Path) -> None:
    items = "<li>A power.</li>\n" * 40
    theorem = f"<theorem>\n<statement><p><ol>\n{items}</ol></p></statement>\n</theorem>\n"
    text = f"<pretext><article><section>\n{theorem}<p>AFTER</p>\n</section></article></pretext>"
    (tmp_path / "main.ptx").write_text(text.replace("AFTER", "We leave the proof as an exercise."))
    assert found(tmp_path, "statement-without-proof") == []
    other = "<lemma>\n<statement><p>B.</p></statement>\n<proof><p>C.</p></proof></lemma>\n"
    (tmp_path / "main.ptx").write_text(text.replace("<p>AFTER</p>", f"<p>We turn to groups.</p>\n{other}"))
    assert len(found(tmp_path, "statement-without-proof")) == 1


def test_a_command_that_is_only_named_leaves_nothing_unfinished(tmp_path):
    body = "\\begin{theorem} A.\\end{theorem}\n\\LetLtxMacro{\\oldtodo}{\\todo}\nText. \\todo{more}"
    assert len(found(write_project(tmp_path, body), "unfinished-text")) == 1
