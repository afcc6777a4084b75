"""Citations by number: which words and numbers are found, and whose they are."""

import pytest

from naturalproofs.latex.kinds import by_environment_name, by_printed_name
from naturalproofs.latex.text_references import TextReferences
from support.project_listing import read_project


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
    statement = read_project(tmp_path).corpus.statements[-1]
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
        ("Whatever", "", "other"),
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
