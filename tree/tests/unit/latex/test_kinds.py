"""What environments are, by their printed names and their own."""

import pytest

from naturalproofs.sources.reading.kinds import (
    BOXED,
    by_environment_name,
    by_numbered_word,
    by_printed_name,
    by_word,
    words_of,
)


@pytest.mark.parametrize(
    ("printed", "role", "family"),
    [
        ("定理", "theorem", "theorem"),
        ("引理", "theorem", "lemma"),
        ("補題", "theorem", "lemma"),
        ("系", "theorem", "corollary"),
        ("定义–命题", "theorem", "proposition"),
        ("定義", "definition", "definition"),
        ("习题", "other", "exercise"),
        ("注", "other", "remark"),
        ("关系", "theorem", "关系"),
        ("证明", "proof", ""),
        ("Stelling", "theorem", "theorem"),
        ("Gevolg", "theorem", "corollary"),
        ("Bewijs", "proof", ""),
        ("Věta", "theorem", "theorem"),
        ("Теорема", "theorem", "theorem"),
        ("Zasada główna", "theorem", "principle"),
        ("Satz und Definition", "theorem", "satz"),
        ("Định lý", "theorem", "theorem"),
        ("Định nghĩa", "definition", "definition"),
        ("Mệnh đề", "theorem", "proposition"),
        ("משפט", "theorem", "theorem"),
        ("הוכחה", "proof", ""),
        ("تعریف", "definition", "definition"),
        ("Sonuç", "theorem", "corollary"),
        ("Määritelmä", "definition", "definition"),
        ("Izrek", "theorem", "theorem"),
        ("예제", "other", "example"),
    ],
)
def test_printed_names_in_many_languages(printed, role, family):
    sense = by_printed_name(printed)
    assert (sense.role, sense.family) == (role, family)


@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("theorem", "ΘΕΩΡΗΜΑ věty izreku lauseen tételből"),
        ("satz", "Lehrsatz satsen"),
        ("lemma", "Segédtétel Hulpstelling Hjálparsetning лему"),
        ("proposition", "Propoziţie Propoziție Teiginys Proposisjon Propositio"),
        ("corollary", "Corollar Conséquence Išvada Korollaari Последица Следствие"),
        ("claim", "Твърдение Твердження Tvrđenje"),
        ("observation", "Pozorování Észrevétel"),
        ("property", "Propiedades Propriedades 성질"),
        ("definition", "Ορισμός ΟΡΙΣΜΟΣ Definiţie Визначення Definícia Skilgreining"),
        ("notation", "Značení Jelölés"),
        ("convention", "Vereinbarung"),
        ("remark", "Observaţie Observació Pastaba Bemerkning Забележка"),
        ("example", "Gegenbeispiel Primer Pavyzdys Dæmi"),
        ("exercise", "Exercici Άσκηση Вправа Øvelse"),
        ("problem", "Úloha 문제"),
        ("conjecture", "Sejtés Гіпотеза"),
        ("", "İspat Demonstraţie Доказателство Доказ Pierādījums Sönnun"),
    ],
)
def test_words_of_many_languages(family, words):
    assert [(one, by_word(one).family, by_word(one).role == "proof") for one in words.split()] == [
        (one, family, not family) for one in words.split()
    ]


@pytest.mark.parametrize("word", "Propositional Questionnaire Es Dem Dim Th Lausanne Primera Teo".split())
def test_words_of_other_meanings(word):
    assert by_word(word) is None


@pytest.mark.parametrize(
    ("printed", "family"), [("Teo.", "theorem"), ("Oss.", "remark"), ("Док-во", ""), ("Опр.", "definition")]
)
def test_printed_names_that_are_abbreviated(printed, family):
    assert by_printed_name(printed).family == family
    assert by_printed_name(f"{printed.strip('.')} Wort", "remark").role == "other"


def test_printed_name_then_own_name_then_style():
    assert by_printed_name("Lemma", "definition", "thm").family == "lemma"
    assert by_printed_name("Pumpichu", "definition", "thm").family == "theorem"
    assert by_printed_name("Pumpichu", "plain", "pum").role == "theorem"
    assert by_printed_name("Pumpichu", "remark", "pum").role == "other"


@pytest.mark.parametrize(
    "name",
    [
        "proof",
        "Proof*",
        "proof-sketch",
        "sketchOfProof",
        "subproof",
        "defproof",
        "proofofclaim",
        "IEEEproof",
        "my_proof",
    ],
)
def test_names_of_proofs(name):
    assert by_environment_name(name).role == "proof"


@pytest.mark.parametrize(
    ("name", "family"),
    [("propositionDef", "proposition"), ("mainTheorem", "theorem"), ("thmA", "theorem"), ("TheoremB", "theorem"),
     ("definition-theorem", "theorem"), ("key_lemma", "lemma"), ("MyDef", "definition")],
)  # fmt: skip
def test_names_of_several_words(name, family):
    assert by_environment_name(name).family == family


@pytest.mark.parametrize(
    "name", ["prooftree", "proofTree", "proof-tree", "waterproof", "theoremBox", "longtable", "case"]
)
def test_names_that_only_look_like_it(name):
    assert by_environment_name(name) is None


def test_words_of_languages_without_spaces():
    assert words_of("由定理") == ["定理"]
    assert words_of("Satz 3 und Lemma") == ["Satz", "und", "Lemma"]


@pytest.mark.parametrize(
    ("printed", "style", "role", "provable"),
    [
        ("Assertion", "", "theorem", False),
        ("Subclaim", "remark", "theorem", False),
        ("Metatheorem", "", "theorem", False),
        ("Law", "", "theorem", True),
        ("Rule", "definition", "other", True),
        ("Formula", BOXED, "theorem", True),
        ("Keepsake", BOXED, "other", False),
        ("Keepsake", "", "theorem", False),
        ("Solution", "", "other", False),
        ("Motivation", "plain", "other", False),
        ("Acknowledgements", "plain", "ignore", False),
        ("", "", "other", False),
    ],
)
def test_words_that_are_theorems_where_they_are_declared(printed, style, role, provable):
    sense = by_printed_name(printed, style, "zzz")
    assert (sense.role, sense.provable) == (role, provable)
    assert printed in ("Assertion", "Subclaim", "Metatheorem") or by_environment_name(printed) is None


def test_words_before_a_number():
    assert by_numbered_word("Formula").role == "theorem"
    assert by_numbered_word("Lemma").family == "lemma"
    assert by_numbered_word("Zebra") is None
