"""Labels and citations with positions."""

import pytest

from naturalproofs.latex.citations import PAGE_REFERENCES, find_citations, find_keys, find_labels
from naturalproofs.latex.vocabulary import REFERENCES


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
