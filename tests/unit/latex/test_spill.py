"""A project of any size: what is finished goes to disk, and the corpus is the same."""

import weakref
from dataclasses import replace

import pytest

from naturalproofs.corpus import load
from naturalproofs.corpus.load import build
from naturalproofs.io.memory import DiskList
from naturalproofs.sources.latex.project import tree
from naturalproofs.sources.latex.project import tree as files
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.sources.reading import builders

PREAMBLE = r"""\documentclass{book}
\newtheorem{theorem}{Theorem}[section]\newtheorem{lemma}[theorem]{Lemma}\newtheorem{definition}[theorem]{Definition}
"""


@pytest.fixture
def project(tmp_path):
    """Proofs that stand apart, generated labels, citations by number and range, notes, a claim inside a proof."""
    names = []
    for part in range(4):
        lines = [f"\\section{{Part {part}}}"]
        for number in range(6):
            label = f"\\label{{l{part}-{number}}}" if number % 3 else ""
            lines.append(
                f"\\begin{{lemma}}[Name {part} {number}]{label} Every $x_{number}$, see Lemma 1.1.\\end{{lemma}}"
            )
            if number % 2:
                lines.append(
                    f"\\begin{{proof}} By \\ref{{l{part}-1}}--\\ref{{l{part}-2}} and \\cite{{a}}. \\end{{proof}}"
                )
        lines.append(f"\\begin{{proof}}[Proof of Lemma~\\ref{{l{part}-2}}] Claim: ")
        lines.append("\\begin{lemma} Inside. \\end{lemma} \\begin{proof} By \\ref{l0-1}. \\end{proof} \\end{proof}")
        names.append(f"part{part}")
        (tmp_path / f"part{part}.tex").write_text("\n".join(lines))
    inputs = "\n".join(f"\\input{{{name}}}" for name in names)
    (tmp_path / "main.tex").write_text(f"{PREAMBLE}\\begin{{document}}\n{inputs}\n\\end{{document}}\n")
    return tmp_path


def test_a_big_project_is_read_to_the_same_draft(project, monkeypatch):
    whole = LATEX.read(project, name="x", rules="fixed")
    monkeypatch.setattr(builders, "MAX_HELD", 100)
    monkeypatch.setattr(tree, "_MAX_HELD", 100)
    spilled = LATEX.read(project, name="x", rules="fixed")
    assert isinstance(whole.statements, tuple)
    assert isinstance(spilled.statements, DiskList)
    assert tuple(spilled.statements) == whole.statements
    assert dict(spilled.anchors) == dict(whole.anchors)
    assert (spilled.diagnostics, spilled.inputs, spilled.about) == (whole.diagnostics, whole.inputs, whole.about)


def test_documents_that_do_not_know_each_other_are_spilled_too(project, monkeypatch):
    (project / "other.tex").write_text((project / "main.tex").read_text())
    read = replace(LATEX, mains=("main.tex", "other.tex")).read
    whole = read(project, name="x", rules="fixed")
    monkeypatch.setattr(builders, "MAX_HELD", 100)
    spilled = read(project, name="x", rules="fixed")
    assert isinstance(spilled.statements, DiskList)
    assert tuple(spilled.statements) == whole.statements


def test_files_that_were_dropped_are_read_again(project, monkeypatch):
    monkeypatch.setattr(tree, "_MAX_HELD", 100)
    files = tree.Tree(project, [])
    first = files.open(project.resolve() / "part0.tex")
    files.open(project.resolve() / "part1.tex")
    again = files.open(project.resolve() / "part0.tex")
    assert again is not first
    assert (again.text, again.tokens) == (first.text, first.tokens)
    assert [one.path for one in files.inputs] == ["part0.tex", "part1.tex"]


def test_the_balance_of_a_file_is_checked_once(project, monkeypatch):
    monkeypatch.setattr(builders, "MAX_HELD", 100)
    monkeypatch.setattr(tree, "_MAX_HELD", 100)
    (project / "part2.tex").write_text((project / "part2.tex").read_text() + "\n{\n")
    checked = []
    check = files.check_balance
    monkeypatch.setattr(files, "check_balance", lambda text: checked.append(text) or check(text))
    read = LATEX.read(project, name="x", rules="fixed")
    assert len(checked) == len(set(checked)) == len(read.inputs)
    assert [one.path for one in read.diagnostics if one.rule == "unbalanced-brace"] == ["part2.tex"]


def test_mentions_that_are_no_references_stay_on_disk(project, monkeypatch):
    whole = build(LATEX, project, name="x")
    monkeypatch.setattr(builders, "MAX_HELD", 100)
    lean = build(LATEX, project, name="x", low_memory=True)
    assert isinstance(lean.unresolved, DiskList)
    assert tuple(lean.unresolved) == whole.unresolved != ()


def test_texts_are_not_held_for_their_macros(project, monkeypatch):
    for number in range(4):
        (project / f"beside{number}.sty").write_text(rf"\newcommand{{\own{'a' * number}}}{{x}}")
    built = build(LATEX, project, name="x")
    held = []
    real = load.source_text

    class Text(str):
        """A string that can be watched."""

    def read(file, encoding):
        text = Text(real(file, encoding))
        held.append(weakref.ref(text))
        assert sum(one() is not None for one in held) <= 2
        return text

    monkeypatch.setattr(load, "source_text", read)
    assert "\\own" in load.macro_definitions(built)
    assert len(held) >= 4
