"""The command ``exercise``."""

import json

import pytest

from naturalproofs.data import primer_folder
from support.command_line import call


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))


def test_exercises_are_made_and_graded(tmp_path):
    sheet = tmp_path / "sheet.json"
    code, out, err = call("exercise", primer_folder(), "thm:lagrange", "thm:cauchy", "--format", "json")
    assert code == 0, err
    sheet.write_text(out)
    exercises = json.loads(out)
    answers = []
    for exercise in exercises:
        letters = {option["id"]: option["letter"] for option in exercise["options"]}
        answers.append(" ".join(letters[key] for key in exercise["answer"]))
    code, out, err = call("exercise", "grade", sheet, *answers[0].split(), "/", *answers[1].split())
    assert (code, out.count("100%, all right")) == (0, 2), err
    code, _, err = call("exercise", "grade", sheet, "A")
    assert code == 2
    assert "2 exercises and there are 1 answers" in err


def test_hints_answers_and_sheets_are_printed_apart():
    code, out, _ = call("exercise", primer_folder(), "thm:lagrange", "--hints", "1")
    assert (code, out) == (0, "The proof uses 3 results.\n")
    assert "Answer: " in call("exercise", primer_folder(), "thm:lagrange", "--answers")[1]
    assert "Answer" not in call("exercise", primer_folder(), "thm:lagrange")[1]
    assert "\n\\documentclass" in call("exercise", primer_folder(), "thm:lagrange", "--format", "latex")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("exercise", "grade", "no-such-file", "A"), "cannot be read"),
        (("exercise", primer_folder(), "thm:nothing"), "no statement is called"),
        (("search", "no-such-folder", "x"), "no such file or folder"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments, said):
    code, out, err = call(*arguments)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert said in err
