"""Where a project starts, what it may say about itself, and what it is told when something is wrong."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from naturalproofs.corpus.load import build
from naturalproofs.errors import BadSchema, NoStatements, RulesUnsupported, SourceNotFound
from naturalproofs.records import FileAccount
from naturalproofs.sources.account import account_lines
from naturalproofs.sources.latex.project.project import LATEX
from support.project_listing import read_project

CLASS = "\\documentclass{article}\n\\newtheorem{theorem}{Theorem}\n"
THEOREM = "\\begin{theorem}\\label{a}A.\\end{theorem}\n"
MAIN = CLASS + "\\begin{document}\n" + THEOREM + "\\end{document}\n"


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.tex").write_text(text, "utf-8")
    return folder


def test_a_file_may_be_given(tmp_path):
    write(tmp_path, one=MAIN, two=MAIN)
    assert [s.label for s in read_project(tmp_path / "two.tex").statements] == ["a"]


def test_all_documents_are_read_and_the_account_names_the_rest(tmp_path):
    other = THEOREM.replace("a}A", "b}B") + THEOREM.replace("a}A", "c}C")
    write(tmp_path, one=MAIN, two=MAIN.replace(THEOREM, other), old=MAIN, part=THEOREM.replace("a}A", "d}D"))
    built = read_project(tmp_path)
    assert built.summary == "reading old.tex, two.tex, part.tex"
    assert [(s.label, s.place.document) for s in built.statements] == [
        ("a", "old.tex"),
        ("b", "two.tex"),
        ("c", "two.tex"),
        ("d", "part.tex"),
    ]
    assert built.account == (
        FileAccount("old.tex", 1, "old.tex"),
        FileAccount("one.tex", 1, "", "a version of old.tex"),
        FileAccount("part.tex", 1, "part.tex", "no document reads it; read with the preamble of two.tex"),
        FileAccount("two.tex", 2, "two.tex"),
    )
    assert account_lines(built.account) == [
        "4 statements read from 3 files of 3 documents",
        "not read: 1 statement, a version of old.tex: one.tex (1)",
        "read: 1 statement, no document reads it; read with the preamble of two.tex: part.tex (1)",
    ]
    assert [(d.path, d.severity) for d in built.diagnostics if d.rule == "file-not-read"] == [("one.tex", "note")]
    chosen = read_project(tmp_path, replace(LATEX, mains=("one",)))
    assert {(one.path, one.note) for one in chosen.account if not one.document} == {
        (f"{name}.tex", "--main names other documents") for name in ("old", "part", "two")
    }


def test_keys_of_other_documents_are_found_if_they_are_unique(tmp_path):
    cited = "\\begin{proof}\\ref{a}, \\ref{only}, \\ref{alpha:only}, \\ref{gamma:x}.\\end{proof}"
    write(tmp_path, alpha=MAIN.replace(THEOREM, THEOREM + THEOREM.replace("a}A", "only}Here")))
    write(tmp_path, beta=MAIN.replace(THEOREM, THEOREM.replace("a}A", "a}B") + cited))
    built = read_project(tmp_path)
    labels = [statement.label for statement in built.statements]
    assert labels == ["a", "only", "beta-a"]
    found = [mention.target for mention in built.statements[2].proofs[0].mentions]
    assert found == ["beta-a", "only", "only", "gamma:x"]
    assert built.anchors["beta-a"].key == "a"


def test_main_files_may_be_chosen(tmp_path):
    write(tmp_path, one=MAIN, two=MAIN.replace("a}A.", "b}B."))
    built = read_project(tmp_path, replace(LATEX, mains=("two",)))
    assert [s.label for s in built.statements] == ["b"]
    both = read_project(tmp_path, replace(LATEX, mains=("one.tex", "two.tex"))).statements
    assert [(s.label, s.place.document) for s in both] == [("a", "one.tex"), ("b", "two.tex")]
    with pytest.raises(SourceNotFound, match=r"--main = 'three': no such file"):
        read_project(tmp_path, replace(LATEX, mains=("three",)))


def test_settings_may_name_several_main_files(tmp_path):
    write(tmp_path, one=MAIN, two=MAIN, three=MAIN)
    (tmp_path / "naturalproofs.toml").write_text('main = ["one.tex", "two"]')
    # The labels are the same, so those of the second document get its name.
    assert [s.label for s in read_project(tmp_path).statements] == ["a", "two-a"]


def test_settings_may_lie_beside_the_main_file(tmp_path):
    (tmp_path / "src").mkdir()
    write(tmp_path / "src", main=CLASS + "\\begin{document}\\begin{kasten}K.\\end{kasten}\\end{document}")
    (tmp_path / "src" / "naturalproofs.toml").write_text("[environments]\nkasten = 'definition'")
    assert [s.kind for s in read_project(tmp_path).statements] == ["definition"]


def test_documents_that_do_not_know_one_another_keep_their_own_labels(tmp_path):
    cited = "\\begin{theorem}\\label{b}B.\\end{theorem}\\begin{proof}By \\ref{a}.\\end{proof}\n"
    write(tmp_path, one=MAIN.replace("\\end{d", cited + "\\end{d"), two=MAIN.replace("\\end{d", cited + "\\end{d"))
    built = read_project(tmp_path, replace(LATEX, mains=("one.tex", "two.tex")))
    found = {s.id: [m.reference for proof in s.proofs for m in proof.mentions] for s in built.statements}
    assert found == {"p:a": [], "p:b": ["p:a"], "p:two-a": [], "p:two-b": ["p:two-a"]}


def test_chapters_without_a_document_are_all_read(tmp_path):
    write(tmp_path, one=THEOREM, two=THEOREM.replace("a}A", "b}B"))
    assert [s.label for s in read_project(tmp_path).statements] == ["a", "b"]


@pytest.mark.parametrize(
    ("title", "expected"),
    [("\\title{On \\emph{sets}}", "On sets"), ("\\title[Short]{Long}", "Long"), ("% \\title{No}", "A LaTeX project")],
)
def test_the_title_names_the_project(tmp_path, title, expected):
    write(tmp_path, main=MAIN.replace("\\begin{document}", f"\n{title}\n\\begin{{document}}"))
    assert read_project(tmp_path).provenance.title == expected


def test_the_document_with_most_statements_names_a_project_of_several(tmp_path):
    more = "\\begin{theorem}B.\\end{theorem}\\begin{theorem}C.\\end{theorem}\\end{d"
    book = MAIN.replace("\\begin{document}", "\\title{The Book}\\begin{document}").replace("\\end{d", more)
    write(tmp_path, notes=MAIN.replace("\\begin{document}", "\\title{Notes}\\begin{document}"), book=book)
    built = read_project(tmp_path, replace(LATEX, mains=("notes.tex", "book.tex")))
    assert built.provenance.title == "The Book"


def test_nothing_found_says_why(tmp_path):
    body = "\\input{absent}\\begin{kasten}K.\\end{kasten}\\begin{equation}x\\end{equation}"
    write(tmp_path, main=f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}")
    with pytest.raises(NoStatements) as caught:
        read_project(tmp_path)
    lines = str(caught.value).split("\n")
    assert lines[1:] == [
        "  read: main.tex",
        "  inputs not followed: \\input{absent}: no such file in the project",
        "  environments seen: document (1), kasten (1), equation (1)",
        "  if a Makefile or a script makes some of these files, run it first",
        "  if some of them hold statements, say so in naturalproofs.toml:",
        "    [environments]",
        '    kasten = "theorem"',
    ]


def test_environments_that_a_missing_header_declares_are_read_by_their_names(tmp_path):
    body = (
        "\\begin{note}N.\\end{note}"
        + THEOREM
        + "\\begin{explanation}E.\\end{explanation}\\begin{sidebar}S.\\end{sidebar}"
    )
    write(tmp_path, main=MAIN.replace(THEOREM, body))
    assert [(s.form, len(s.proofs)) for s in read_project(tmp_path).statements] == [("theorem", 0)]
    write(tmp_path, main="\\documentclass{article}\\input{../header}\\begin{document}" + body + "\\end{document}")
    assert [(s.form, len(s.proofs)) for s in read_project(tmp_path).statements] == [("note", 0), ("theorem", 1)]


def test_missing_figures_are_told_from_missing_text(tmp_path):
    write(tmp_path, main=MAIN.replace("\\end{d", "\\input{a.pdf_t}\\input{figures/b}\\input{c}\\end{d"))
    rules = [one.rule for one in read_project(tmp_path).diagnostics]
    assert rules == ["missing-figure", "missing-figure", "missing-file"]


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(SourceNotFound, match="an empty folder"):
        read_project(tmp_path)


def test_the_main_file_may_lie_one_folder_below(tmp_path):
    (tmp_path / "src" / "parts").mkdir(parents=True)
    write(tmp_path / "src", main=CLASS + "\\begin{document}\\input{parts/p}\\end{document}")
    write(tmp_path / "src" / "parts", p=THEOREM)
    (statement,) = read_project(tmp_path).statements
    assert str(statement.origin) == "src/parts/p.tex:1"


def test_a_commented_class_makes_no_main_file(tmp_path):
    write(tmp_path, one=MAIN, two="% \\documentclass{article}\n% \\begin{document}\n")
    assert len(read_project(tmp_path).statements) == 1


def test_the_papers_rules_are_not_for_projects(tmp_path):
    write(tmp_path, one=MAIN)
    with pytest.raises(RulesUnsupported, match="stacks, trench and stein only"):
        build(LATEX, tmp_path, name="p", rules="paper")


def test_environments_may_be_given(tmp_path):
    body = "\\begin{satz}\\label{s}S.\\end{satz}\\begin{kasten}K.\\end{kasten}\\begin{theorem}T.\\end{theorem}"
    write(tmp_path, main=CLASS + "\\begin{document}" + body + "\\end{document}")
    source = replace(LATEX, environments={"kasten": "definition", "theorem": "other", "satz": "ignore"})
    found = [(s.form, s.kind) for s in read_project(tmp_path, source).statements]
    assert found == [("kasten", "definition"), ("theorem", "other")]


def test_environments_hold_known_things_only(tmp_path):
    write(tmp_path, main=MAIN)
    with pytest.raises(BadSchema, match="theorem, definition, other, proof, ignore"):
        read_project(tmp_path, replace(LATEX, environments={"x": "lemma"}))


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("maim = 'x'", "unknown key 'maim'; there are: main, environments"),
        ("main = 3", "main must be a text"),
        ("main = 'absent.tex'", "no such file in the project"),
        ("main = '../outside.tex'", "outside of the project's folder"),
        ("main = ", "not valid TOML"),
        ("environments = 1", "environments must be a table"),
        ("[environments]\nx = 'lemma'", "x = 'lemma'; an environment holds one of"),
        ("[references]\nx = 'two'", "x = 'two'; a command keeps its keys in one of: one, list, range, bracket"),
        ("[proof_commands]\nproof = 1", "proof must be a text"),
        ("[headings]\nx = 'big'", "x must be a level"),
    ],
)
def test_mistakes_in_the_settings_are_said(tmp_path, toml, message):
    (tmp_path / "outside.tex").write_text(MAIN)
    folder = tmp_path / "p"
    folder.mkdir()
    write(folder, main=MAIN)
    (folder / "naturalproofs.toml").write_text(toml)
    with pytest.raises((BadSchema, SourceNotFound), match=message):
        read_project(folder)


def test_numbers_come_from_a_fresh_aux_file(tmp_path):
    write(
        tmp_path,
        main=CLASS + "\\begin{document}\n" + THEOREM + "\\input{b}\\end{document}",
        b=THEOREM.replace("a}", "b}"),
    )
    (tmp_path / "main.aux").write_text("\\relax\n\\newlabel{a}{{7.1}{1}{}{theorem.7.1}{}}\n\\@input{b.aux}\n")
    (tmp_path / "b.aux").write_text("\\newlabel{b}{{\\mbox {B}.2}{1}}\n\\newlabel{b@cref}{{[x][1][]9}{1}}\n")
    assert [s.number for s in read_project(tmp_path).statements] == ["7.1", "B.2"]
    os.utime(tmp_path / "b.tex", (9e9, 9e9))
    assert [s.number for s in read_project(tmp_path).statements] == ["1", "2"]


def test_a_class_of_another_place_still_has_chapters(tmp_path):
    head = "\\documentclass{ourthesis}\\newtheorem{t}{Theorem}[chapter]\\begin{document}"
    text = head + "\\chapter{C}\\begin{t}\\label{x}\\end{t}"
    write(tmp_path, main=text)
    assert [s.number for s in read_project(tmp_path).statements] == ["1.1"]


def test_a_number_that_nobody_knows_is_not_made_up(tmp_path):
    head = "\\documentclass{x}\\newtheorem{t}{Theorem}[lecture]\\begin{document}"
    text = head + "\\begin{t}\\label{x}\\end{t}\\end{document}"
    write(tmp_path, main=text)
    assert [s.number for s in read_project(tmp_path).statements] == [""]


def test_labels_of_a_document_that_is_not_read_are_external(tmp_path):
    body = "\\begin{document}\\begin{theorem}\\label{a}\\ref{o} \\ref{n}\\end{theorem}\\end{document}"
    paper = CLASS + "\\externaldocument{other}" + body
    write(tmp_path, paper=paper, other="\\documentclass{article}\\begin{document}\\section{O}\\label{o}\\end{document}")
    built = read_project(tmp_path / "paper.tex")
    assert [(one.target, one.reason) for one in built.unresolved] == [("o", "external"), ("n", "undefined")]


def test_titles_with_shorthands_of_german(tmp_path):
    body = (
        '\\newtheorem{aufgabe}{"Ubung}\\begin{document}\\section{"Uber Fl"achen}'
        '\\begin{aufgabe}[Satz "uber Fl"achen] F"ur alle, nach S"atze 1.1.\\end{aufgabe}\\end{document}'
    )
    found = {}
    for preamble in ("\\usepackage[ngerman]{babel}", ""):
        (tmp_path / "main.tex").write_text(f"\\documentclass{{article}}{preamble}{body}")
        (found[preamble],) = LATEX.read(tmp_path, name="x", rules="fixed").statements
    german, other = found.values()
    assert (german.title, german.place.section, german.form) == ("Satz über Flächen", "Über Flächen", "übung")
    assert german.text == 'F"ur alle, nach S"atze 1.1.'
    assert other.title == 'Satz "uber Fl"achen'
