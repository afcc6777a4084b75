"""Labels and citations with positions."""

import pytest

from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.sources.latex.read.citations import (
    PAGE_REFERENCES,
    TextReferences,
    find_citations,
    find_keys,
    find_labels,
    keyed_macros,
)
from naturalproofs.sources.latex.scan.scanner import REFERENCES
from naturalproofs.sources.reading.kinds import by_environment_name, by_printed_name
from support.project_listing import read_project


def keys(text: str, **options: object) -> list[tuple[str, list[str]]]:
    return [(one.command, [key.key for key in one.keys]) for one in find_citations(text, **options)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by \\ref{a}", [("ref", ["a"])]),
        ("\\ref*{a, b}", [("ref", ["a, b"])]),
        ("\\cref{a, b ,c}", [("cref", ["a", "b", "c"])]),
        ("\\Cref [x] {a}", [("Cref", ["a"])]),
        ("\\crefrange{a}{b}", [("crefrange", ["a", "b"])]),
        ("\\hyperref[a]{Lemma}", [("hyperref", ["a"])]),
        ("\\hyperref{url}{x}{y}{z}", []),
        ("% \\ref{a}\n\\verb|\\ref{b}|\\iffalse\\ref{c}\\fi", []),
        ("\\cref{a,% b}\n c}", [("cref", ["a", "c"])]),
        ("\\crefrange% {x}\n{a}{% {y}\nb}", [("crefrange", ["a", "b"])]),
        ("\\cref{}", [("cref", [])]),
        ("\\ref", []),
        ("\\refx{a}", []),
        ("no commands", []),
    ],
)
def test_citations(text: str, expected: list[tuple[str, list[str]]]) -> None:
    assert keys(text) == expected


def test_spans_lead_to_the_keys() -> None:
    text = "See \\cref {one,\n two} and \\ref*{three four}, \\crefrange{5}{ 6 } \\hyperref[ seven ]{x}."
    found = find_citations(text)
    assert [text[one.start : one.end] for one in found] == [
        "\\cref {one,\n two}",
        "\\ref*{three four}",
        "\\crefrange{5}{ 6 }",
        "\\hyperref[ seven ]",
    ]
    spans = [(key.key, text[key.start : key.end]) for one in found for key in one.keys]
    assert all(key == source for key, source in spans)
    assert [key for key, _ in spans] == ["one", "two", "three four", "5", "6", "seven"]


def test_a_link_and_its_text_are_one_citation() -> None:
    found = find_citations("\\hyperref[a]{Lemma~\\ref*{a} and \\ref{b}} \\ref{a}")
    assert [one.repeated for one in found] == [False, True, False, False]


def test_labels() -> None:
    text = "\\label{a}\\label [x]{ b }% \\label{c}\n"
    assert [(key.key, text[key.start : key.end]) for key in find_labels(text)] == [("a", "a"), ("b", "b")]
    assert [one.is_label for one in find_keys("\\label{a}\\ref{a}")] == [True, False]


def test_other_commands() -> None:
    assert keys("\\pageref{a}", references={**REFERENCES, **PAGE_REFERENCES}) == [("pageref", ["a"])]
    assert keys("\\lemref{a,b}\\ref{c,d}", guess=True) == [("lemref", ["a", "b"]), ("ref", ["c,d"])]


@pytest.mark.parametrize(
    ("call", "written"),
    [
        (r"\fixed{a}", r"\fixed{a}"),
        (r"\maybe*[x]{a}", "a"),
        (r"\deep{a}", "a"),
        (r"\link{e}{Lemma}", "e"),
        (r"\ends{a}", "a"),
        (r"\claim{a}{Text.}", "a"),
    ],
)
def test_what_is_written_of_a_key_that_a_macro_makes(call, written):
    source = r"""
    \newcommand{\fixed}[1]{\cref{thm:main}(#1)}
    \NewDocumentCommand{\maybe}{s o m}{\IfBooleanTF{#1}{\Cref{lem:#3}}{\cref{#3}}}
    \newcommand{\thmref}[1]{Theorem~\ref{thm:#1}}
    \newcommand{\deep}[1]{see \thmref{main-#1}}
    \newcommand{\link}[2]{\hyperref[the:#1]{#2~\ref*{the:#1}}}
    \newcommand{\ends}[1]{\ref{#1:thm}}
    \newcommand{\claim}[2]{\begin{lemma}\label{lem:#1}#2\end{lemma}}
    """
    found = [key for one in find_keys(call, macros=keyed_macros(macros_of([source]))) for key in one.keys]
    assert found
    for key in found:
        assert call[key.start : key.end] == written
        if written == "a":
            assert key.key == f"{key.before}a{key.after}"


def test_macros_that_label_and_cite():
    source = (
        "\\newcommand{\\tref}[1]{Theorem~\\ref{thm:#1}}\n\\def\\use[#1]{\\ref{#1}}\n\\newcommand{\\lref}{Lemma~\\ref}\n"
        "\\WithSuffix\\newcommand\\tref*[1]{\\ref*{#1}}\n\\newcommand{\\both}[2]{\\tref{#1}, \\lref{#2}}\n"
        "\\newcommand{\\lbl}[1]{\\label{thm:#1}}\n\\newcommand{\\none}[1]{#1}\n"
    )
    macros = keyed_macros(macros_of([source]))
    assert set(macros) == {"tref", "tref*", "use", "lref", "both", "lbl"}
    text = source + "\\tref{a} \\use[b] \\lref{c} \\tref*{d} \\both{e}{f} \\lbl{g} \\none{h}"
    found = [one for one in find_keys(text, macros=macros) if one.start >= len(source)]
    assert [(one.command, key.key) for one in found for key in one.keys] == [
        ("ref", "thm:a"), ("ref", "b"), ("ref", "c"), ("ref", "d"), ("ref", "thm:e"), ("ref", "f"), ("label", "thm:g"),
    ]  # fmt: skip
    assert [text[key.start : key.end] for one in found[:3] for key in one.keys] == ["a", "b", "c"]
    assert [(key.before, key.after) for one in found[:2] for key in one.keys] == [("thm:", ""), ("", "")]
    # The definitions cite nothing but their parameters.
    assert all("#" in key.key for one in find_keys(source, macros=macros) for key in one.keys)


# Citations by number.


def found(text: str, *names: str) -> list[str]:
    senses = {name: by_printed_name(name) for name in names or ("Theorem", "Lemma", "Corollary")}
    references = TextReferences(senses, {name: name for name in senses})
    return [f"{one.family} {one.number}" for citation in references.find(text, 0, len(text)) for one in citation.cited]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("by Theorem 2.1.", ["theorem 2.1"]),
        ("by theorem~2.1, so", ["theorem 2.1"]),
        ("Thm.\\ 3 holds", ["theorem 3"]),
        ("by Theorem (2.1)", ["theorem 2.1"]),
        ("Theorem\n 12 says", ["theorem 12"]),
        ("Theorem A and Lemma B.2", ["theorem A", "lemma B.2"]),
        ("Theorem III", ["theorem III"]),
        ("Lemmas 1, 2 and 5", ["lemma 1", "lemma 2", "lemma 5"]),
        ("Lemma 2.1 and 2.3", ["lemma 2.1", "lemma 2.3"]),
        ("Lemmata 2.1--2.4", ["lemma 2.1–2.4"]),
        ("Corollaries 3 to 5", ["corollary 3–5"]),
        ("By Lemma 2, 3 divides n", ["lemma 2"]),
        ("Theorem 2.1(ii)", ["theorem 2.1"]),
        ("Remark 2.1 and Section 2.1 and 2.1", []),
        ("Theorem a and Theorem 2x and Theorem 2.1'", []),
        ("\\Theorem 2.1 or HyperTheorem 2.1", []),
        ("\\cite[Theorem 2.1]{A} and \\cite[see][Lemma 3]{A}", []),
        ("\\cite{A}, Theorem 2.1; [12, Theorem 2.1]", []),
        ("Theorem 2.1 of \\cite{A}; Theorem 2.1 in [7]; Theorem 2.1 of Serre", []),
        ("Theorem 2.1 \\cite{A}", []),
        ("Theorem 2.1 of Section 2; Theorem 2.1 in this paper", ["theorem 2.1", "theorem 2.1"]),
    ],
)
def test_english(text, cited):
    assert found(text) == cited


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("Théorème", "d'après les théorèmes 1.1 et 1.2"),
        ("Satz", "nach den Sätzen 1.1 und 1.2"),
        ("Teorema", "por los teoremas 1.1 y 1.2"),
        ("Teorema", "per i teoremi 1.1 e 1.2"),
        ("Proposição", "pelas proposições 1.1 e 1.2"),
        ("Twierdzenie", "z twierdzeń 1.1 oraz 1.2; z twierdzenia 1.1 i twierdzenia 1.2"),
        ("Теорема", "по теоремам 1.1 и 1.2"),
        ("Théorème", "d'apr\\`es le th\\'eor\\`eme 1.1 et le Th\\'{e}or{\\`e}me~1.2"),
        ("Théorème", "voir Th.~1.1 et Th. 1.2, mais pas th 1.3"),
        ("Satz", "die Sätze 1.1 und 1.2"),
        ("Věta", "dle věty 1.1 a věty 1.2"),
        ("Izrek", "po izreku 1.1 in izreku 1.2"),
        ("Lause", "lauseen 1.1 ja 1.2 nojalla"),
        ("定理", "由定理1.1和1.2，定理中有3个"),
        ("定理", "定理1.1より、定理 1.2から"),
        ("정리", "정리 1.1에 의해 정리1.2를"),
    ],
)
def test_other_languages(tmp_path, printed, text):
    head = f"\\documentclass{{article}}\\newtheorem{{t}}{{{printed}}}[section]\\begin{{document}}\\section{{S}}"
    body = (
        "\\begin{t}\\label{a}A.\\end{t}\\begin{t}\\label{b}B.\\end{t}\\begin{t}\\label{c}"
        + text
        + "\\end{t}\\end{document}"
    )
    (tmp_path / "main.tex").write_text(head + body, "utf-8")
    statement = read_project(tmp_path).statements[-1]
    assert set(statement.references) == {"p:a", "p:b"}
    assert {mention.surface for mention in statement.mentions} == {"text"}


@pytest.mark.parametrize(
    ("printed", "style", "role"),
    [
        ("Theorem", "", "theorem"),
        ("Main Theorem", "remark", "theorem"),
        ("Theorem and Definition", "", "theorem"),
        ("Proof of Theorem", "plain", "proof"),
        ("Definition", "plain", "definition"),
        ("Standing Assumption", "plain", "other"),
        ("Schur's lemma", "", "theorem"),
        ("Vermutung", "plain", "other"),
        ("Lemat", "", "theorem"),
        ("Satz", "", "theorem"),
        ("Osservazione", "plain", "other"),
        ("Ćwiczenie", "plain", "other"),
        ("Аксиома", "", "definition"),
        ("Whatever", "", "theorem"),
        ("Whatever", "plain", "theorem"),
        ("Whatever", "definition", "other"),
    ],
)
def test_kinds_by_printed_name(printed, style, role):
    assert by_printed_name(printed, style).role == role


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("thm", "theorem"),
        ("Thm*", "theorem"),
        ("lem2", "theorem"),
        ("defn", "definition"),
        ("ex", "other"),
        ("pf", "proof"),
        ("PROOF", "proof"),
        ("equation", None),
        ("note", None),
        ("document", None),
        ("center", None),
        ("twierdzenie", "theorem"),
    ],
)
def test_kinds_by_environment_name(name, role):
    sense = by_environment_name(name)
    assert (sense.role if sense else None) == role


@pytest.mark.parametrize(
    ("preamble", "citation", "cited"),
    [
        ("", "\\thmref{a}", ["a"]),
        ("", "\\Ref{a}", ["a"]),
        ("\\newcommand{\\thmref}[1]{Theorem~\\ref{thm:#1}}", "\\thmref{b}", ["thm:b"]),
        ("\\newcommand{\\thmref}{\\ref}", "\\thmref{a}", ["a"]),
        ("\\newcommand{\\exref}[1]{Exercise #1}", "\\exref{a}", []),
        ("\\newcommand{\\Ref}{\\mathrm{Ref}}", "$\\Ref{a}$", []),
    ],
)
def test_usual_names_of_commands_that_cite(tmp_path, preamble, citation, cited):
    (tmp_path / "main.tex").write_text(
        f"\\documentclass{{article}}\\newtheorem{{thm}}{{Theorem}}{preamble}\\begin{{document}}\n"
        "\\begin{thm}\\label{a}A.\\end{thm}\\begin{thm}\\label{thm:b}B.\\end{thm}\\begin{thm}C.\\end{thm}\n"
        f"\\begin{{proof}}By {citation}.\\end{{proof}}\\end{{document}}"
    )
    *_, last = LATEX.read(tmp_path, name="x", rules="fixed").statements
    assert [mention.target for mention in last.proofs[0].mentions] == cited
