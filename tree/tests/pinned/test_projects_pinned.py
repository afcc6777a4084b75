"""Real projects are read and shown as they were pinned, statement by statement; see benchmarks/pin_projects.py.

NATURALPROOFS_LARGE=1 tries all of them instead of a few small ones. A wanted change is pinned by
``python benchmarks/pin_projects.py NAME ... --write`` once ``--compare --show-changed`` shows that it is right.
"""

import os
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from naturalproofs.data import primer_folder

SCRIPT = spec_from_file_location("pin_projects", Path(__file__).parents[2] / "benchmarks/pin_projects.py")
pin_projects = module_from_spec(SCRIPT)
sys.modules["pin_projects"] = pin_projects
SCRIPT.loader.exec_module(pin_projects)

PINS = pin_projects.load_pins()
SOME = [
    "primer", "aata", "catlog", "con-nf", "ct-notes", "cyrus", "da2020", "edoars-galois", "evan-phd", "hse-tex",
    "lanzuisi", "leitert", "neron", "ods", "sleepymalc", "stein", "stein-latex", "stein-paper", "trench", "virasoro",
    "ymohanty-prob",
]  # fmt: skip
"""Books, theses, notes and blueprints in several languages; one that cannot be read, and repositories of several."""
CHOSEN = sorted(PINS) if os.environ.get("NATURALPROOFS_LARGE") else SOME
SHOWN = pin_projects.Options(show_changed=2)


@pytest.mark.parametrize("name", CHOSEN)
def test_it_is_read_and_shown_as_pinned(name):
    corpora = pin_projects.corpora_folder()
    project = pin_projects.projects(corpora).get(name)
    if project is None:
        pytest.skip(f"needs the real source {name}, looked for in {corpora}; set NATURALPROOFS_CORPORA")
    found = pin_projects.examine(project, PINS[name], SHOWN)
    assert not found.differences, "\n".join([f"{name} differs from its pin:", *found.differences, *found.texts])


def test_the_file_says_nothing_of_the_sources():
    allowed = {"error", "hashes", "each", "kinds", "forms", "unresolved", "citations", "labels", "diagnostics"}
    for one in PINS.values():
        assert all(isinstance(value, int) or name in allowed for name, value in one.items())
        assert max(map(len, one.get("forms", ())), default=0) <= 40
    assert pin_projects.PINS.stat().st_size < 1_500_000


@pytest.fixture
def edited(tmp_path):
    """The Primer with other files in place of its own, and its pin."""

    def read(**changes):
        folder = tmp_path / "primer"
        shutil.copytree(primer_folder(), folder)
        for chapter, (old, new) in changes.items():
            file = folder / "chapters" / f"{chapter}.tex"
            text = file.read_text("utf-8")
            assert old in text
            file.write_text(text.replace(old, new, 1), "utf-8")
        reading = pin_projects.read(pin_projects.Project("primer", folder))
        found = pin_projects.pin(reading, display=False)
        return pin_projects.differences(PINS["primer"], found, reading.statements)

    return read


def test_nothing_differs_in_a_copy(edited):
    assert edited().lines == []


def test_a_changed_word_is_found_in_one_statement(edited):
    found = edited(calculus=("is a \\emph{limit point} of", "is a \\emph{cluster point} of"))
    (changed,) = found.changed
    number = f"#{changed + 1} def:function-limit (chapters/calculus.tex:14)"
    assert [line for line in found.lines if line.startswith("texts")] == [
        f"texts: 1 of 606 statements differ in text, place or notes: {number}"
    ]
    assert found.lines[-1] == "hashes that differ: texts, files"


def test_a_new_statement_does_not_hide_what_stays(edited):
    added = "\\begin{remark}\\label{rem:new}\n  See \\cref{def:derivative}.\n\\end{remark}\n"
    found = edited(calculus=("\\begin{definition}[Derivative]", f"{added}\\begin{{definition}}[Derivative]"))
    assert "statements: 606 → 607" in found.lines
    assert "statement_references: " in "\n".join(found.lines)
    (new,) = [line for line in found.lines if line.startswith("statements new")]
    assert new.startswith("statements new: 1: #")
    assert "rem:new" in new
    assert not any(line.startswith(("statements gone", "ids")) for line in found.lines)


def test_statements_are_aligned_by_their_ids_and_then_by_their_order():
    old, new = list("abcdefgh"), list("abxxcdyfh")
    pairs, gone, added = pin_projects._aligned(old, new)
    assert pairs == [(0, 0), (1, 1), (2, 4), (3, 5), (4, 6), (5, 7), (7, 8)]
    assert (gone, added) == ([6], [2, 3])
    assert pin_projects._aligned([], ["a"]) == ([], [], [0])
    assert pin_projects._aligned(["a"], []) == ([], [0], [])
