"""Inputs that are named in other ways than by a plain path."""

from pathlib import Path

import pytest

from naturalproofs.errors import NoStatements
from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.sources.latex.project.choice import find_boundary
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.sources.latex.project.tree import expand_name, is_like_input
from naturalproofs.sources.latex.read import document_text
from support.project_listing import read_project

HEAD = "\\documentclass{book}\\newtheorem{theorem}{Theorem}\n"


def theorem(label: str) -> str:
    return f"\\begin{{theorem}}\\label{{{label}}}T.\\end{{theorem}}\n"


def labels(folder: Path, preamble: str, body: str, **files: str) -> list[str]:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.tex"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "main.tex").write_text(f"{HEAD}{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n")
    return [s.label for s in read_project(folder / "main.tex").statements]


CASES = {
    "a name without braces": ("\\newcommand\\where{chapters}", "\\input \\where/one\n\\input more/two\n"),
    "expansion of a name": (
        "\\newcommand\\where{chapters}",
        "\\expandafter\\input\\expandafter{\\where/one}\\input{more/two}",
    ),
    "commands of the package import": ("", "\\inputfrom{chapters/}{one}\\subincludefrom{more/}{two}"),
    "upper and lower case": ("", "\\input{Chapters/One}\\input{more/TWO}"),
    "search path": ("\\makeatletter\\def\\input@path{{chapters/}{more/}}\\makeatother", "\\include{one}\\input{two}"),
    "path macro": (
        "\\newcommand\\where{chapters}\\newcommand{\\there}{more}",
        "\\input{\\where/one}\\input{\\there/two}",
    ),
    "changed macro": (
        "\\newcommand{\\now}{}",
        "\\renewcommand{\\now}{chapters}\\input{\\now/one}\\renewcommand{\\now}{more}\\input{\\now/two}",
    ),
    "macro with an argument": ("\\newcommand{\\at}[1]{#1/}", "\\input{\\at{chapters}one}\\input{\\at{more}two}"),
    "macro that reads": ("\\newcommand{\\rd}[2][chapters]{\\input{#1/#2}}", "\\rd{one}\\rd[more]{two}"),
    "macro that reads through another": (
        "\\newcommand{\\rd}[1]{\\input{#1}}\\newcommand{\\all}{\\rd{chapters/one}\\rd{more/two}}",
        "\\all",
    ),
    "macros that change the path": (
        "\\newcommand\\here{}\\newcommand\\Chapter[1]{\\renewcommand\\here{#1/}\\input{#1/all}}"
        "\\newcommand\\Section[1]{\\input{\\here#1}}",
        "\\Chapter{chapters}\\Chapter{more}",
    ),
    "loop over names": ("", "\\foreach \\x in {chapters/one, more/two}{\\input{\\x}}"),
    "loop over pairs": ("", "\\foreach \\x/\\y in {chapters/one,more/two}{\\input{\\x/\\y}}"),
    "import macro of a program": (
        "\\makeatletter\\newcommand{\\ourimport}[2][]{\\ifx\\@empty#1\\@read{#2}\\else\\@read{#1/#2}\\fi}\\makeatother",
        "\\ourimport[chapters]{one}\\ourimport[more]{two}",
    ),
    "import macro with a star": (
        "\\DeclareDocumentCommand \\ourimport { s o m o }{\\def\\our@x{#4}\\subfile{\\base #2/#3}}",
        "\\ourimport[chapters]{one}\\ourimport*[more]{two}[subsection]",
    ),
    "name alone": ("", "\\input{one}\\input{two.tex}"),
    "unknown macro": ("", "\\input{\\unknown/one}\\input{more/\\prefix two}"),
    "import": ("", "\\import{chapters/}{one}\\subimport{more/}{two}"),
    "subfileinclude": ("", "\\subfileinclude{chapters/one}\\subfileinclude{more/two}"),
    "jobname": ("", "\\input{chapters/one}\\input{more/\\jobname/../two}"),
}


@pytest.mark.parametrize("case", CASES)
def test_files_are_found(tmp_path, case):
    preamble, body = CASES[case]
    (tmp_path / "more" / "main").mkdir(parents=True)
    files = {"chapters__one": theorem("a"), "more__two": theorem("b"), "more__one": "", "chapters__two": ""}
    if case in ("name alone", "unknown macro", "search path"):
        files = {"chapters__one": theorem("a"), "more__two": theorem("b")}
    files |= {"chapters__all": "\\Section{one}", "more__all": "\\Section{two}"}
    assert labels(tmp_path, preamble, body, **files) == ["a", "b"]


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("\\foreach \\n in {1,...,3}{\\input{lec_\\n.tex}}", ["l1", "l2", "l3"]),
        ("\\foreach \\n in {3,2,...,1}{\\input{lec_\\n}}", ["l3", "l2", "l1"]),
        ("\\newcommand{\\lec}[2]{\\foreach \\c in {#1,...,#2}{\\input{lec_\\c}}}\\lec{2}{3}", ["l2", "l3"]),
        ("\\forloop{n}{1}{\\value{n}<20}{\\input{lec_\\arabic{n}}}", ["l1", "l2", "l3", "l10"]),
    ],
)
def test_loops(tmp_path, loop, expected):
    files = {f"lec_{number}": theorem(f"l{number}") for number in (1, 2, 3, 10)}
    assert labels(tmp_path, "", loop, **files) == expected


def test_a_name_that_fits_several_files_is_not_followed(tmp_path):
    files = {"a__one": theorem("a"), "b__one": theorem("b")}
    assert labels(tmp_path, "", theorem("m") + "\\input{\\unknown/one}\\input{one}", **files) == ["m"]


def test_loops_are_bounded(tmp_path):
    assert labels(tmp_path, "", theorem("m") + "\\foreach \\n in {1,...,999999}{\\input{x\\n}}") == ["m"]


def test_macros_in_names_end():
    macros = macros_of(["\\newcommand{\\a}{\\b\\b}\\newcommand{\\b}{\\a\\a}\\newcommand{\\c}[1]{<#1>}"])
    assert len(expand_name("\\a", macros)) < 10_000
    assert expand_name("x/\\c{\\c{1}}.tex", macros) == "x/<<1>>.tex"


def test_commands_that_read_by_their_names():
    names = ("olimport", "inputchapter", "includegraphics", "input", "importantbox")
    assert list(filter(is_like_input, names)) == ["olimport", "inputchapter"]


def above(tmp_path: Path) -> Path:
    (tmp_path / "course").mkdir()
    (tmp_path / "header.tex").write_text("\\input{../x/macros}\\newtheorem{satzx}{Satz}")
    main = tmp_path / "course" / "main.tex"
    main.write_text(
        "\\documentclass{article}\\input{../header}\\begin{document}\\begin{satzx}S.\\end{satzx}\\end{document}"
    )
    return main


def test_files_above_a_main_file_are_read(tmp_path):
    built = read_project(above(tmp_path))
    assert [str(s.origin) for s in built.statements] == ["course/main.tex:1"]
    assert built.root == tmp_path


def test_a_folder_reads_what_its_main_file_reads(tmp_path):
    main = above(tmp_path)
    built = read_project(main.parent)
    assert (built.root, [s.form for s in built.statements]) == (tmp_path, ["satz"])
    assert built.statements == read_project(main).statements


def test_nothing_above_a_repository_is_read(tmp_path):
    main = above(tmp_path)
    (main.parent / ".git").mkdir()
    for path in (main, main.parent):
        with pytest.raises(NoStatements, match=r"\.\./header}: lies outside of the project's folder and was not read"):
            read_project(path)


def test_the_boundary_is_widened_only_as_far_as_needed(tmp_path):
    main = above(tmp_path)
    assert find_boundary(main.parent, [main]) == tmp_path
    assert find_boundary(main.parent, [main], up=0) == main.parent
    (tmp_path / ".git").mkdir()
    assert find_boundary(main.parent, [main], up=0) == tmp_path
    main.write_text("\\input{part}\\usepackage{amsmath}")
    assert find_boundary(main.parent, [main]) == main.parent
    (tmp_path / "ours.sty").touch()
    main.write_text("\\usepackage{../ours}")
    assert find_boundary(main.parent, [main]) == tmp_path


def test_only_latex_files_of_three_folders_widen_the_boundary(tmp_path):
    (tmp_path / "a" / "b" / "c" / "d").mkdir(parents=True)
    (tmp_path / "a" / "secret").write_text("s")
    (tmp_path / "far.tex").write_text("f")
    main = tmp_path / "a" / "b" / "c" / "d" / "main.tex"
    main.write_text("\\input{../../../secret}\\input{../../../../far}")
    assert find_boundary(main.parent, [main]) == main.parent
    (tmp_path / "a" / "near.tex").write_text("n")
    main.write_text("\\input{../../../near}\\input{../../../../far}")
    assert find_boundary(main.parent, [main]) == tmp_path / "a"


def test_an_archive_is_the_limit_of_what_is_in_it(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path))
    archive = tmp_path / "archives" / "0123" / "paper"
    archive.mkdir(parents=True)
    main = above(archive)
    (archive / "course" / "deep").mkdir()
    assert find_boundary(main.parent, [main]) == archive
    for name in ("0123/secret.tex", "4567.tex"):
        (archive.parent.parent / name).touch()
    main.write_text("\\input{../../secret}\\input{../../../4567}")
    assert find_boundary(main.parent, [main]) == main.parent
    assert find_boundary(archive, [main]) == archive


def test_files_that_are_read_if_they_are_there(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{thm}{Theorem}\\begin{document}\\InputIfFileExists{one}{}{}"
        "\\makeatletter\\@input{two.tex}\\@input{three.tex}\\makeatother\\end{document}"
    )
    for name in ("one", "two"):
        (tmp_path / f"{name}.tex").write_text(f"\\begin{{thm}}\\label{{{name}}}A.\\end{{thm}}")
    draft = LATEX.read(tmp_path, name="x", rules="fixed")
    assert [one.label for one in draft.statements] == ["one", "two"]
    assert not draft.diagnostics


@pytest.mark.parametrize(
    ("main", "preamble"),
    [
        ("\\documentclass{article}\\usepackage[cp1251]{inputenc}\\input{preamble}", ""),
        ("\\documentclass{article}\\input{preamble}", "\\usepackage[cp1251]{inputenc}"),
        ("%\\usepackage[koi8-r]{inputenc}\n\\documentclass{article}\\input preamble \\usepackage{own}", ""),
    ],
)
def test_the_encoding_of_the_main_file_holds_for_its_parts(tmp_path, main, preamble):
    declared = "\\newtheorem{t}{Теорема}\\newenvironment{d}{Доказательство.}{}"
    text = "\\section{Числа}\\begin{t}[Малая] Сумма чётна.\\end{t}\\begin{proof}Ясно.\\end{proof}"
    (tmp_path / "own.sty").write_text("\\RequirePackage[cp1251]{inputenc}")
    (tmp_path / "main.tex").write_text(f"{main}\\begin{{document}}\\input{{lecture}}\\end{{document}}")
    (tmp_path / "preamble.tex").write_bytes((preamble + declared).encode("cp1251"))
    (tmp_path / "lecture.tex").write_bytes(text.encode("cp1251"))
    draft = LATEX.read(tmp_path, name="x", rules="fixed")
    assert [(one.form, one.title, one.text, len(one.proofs)) for one in draft.statements] == [
        ("теорема", "Малая", "Сумма чётна.", 1)
    ]
    assert [one.rule for one in draft.diagnostics] == []


def test_files_that_programs_make_are_not_missing(tmp_path):
    made = "".join(f"\\input{{book.{suffix}}}" for suffix in ("ind", "bbl", "gls", "nls", "lof", "ptc"))
    body = f"{made}\\include{{parts/one}}\\begin{{theorem}}A.\\end{{theorem}}"
    (tmp_path / "main.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}")
    draft = LATEX.read(tmp_path, name="x", rules="fixed")
    assert [(one.rule, "parts/one" in one.message) for one in draft.diagnostics] == [("missing-file", True)]


def test_a_file_that_is_read_again_states_nothing_new(tmp_path):
    (tmp_path / "thm.tex").write_text("\\begin{theorem}\\label{a}A.\\end{theorem}\n")
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\begin{document}\n\\input{thm}\n"
        "\\begin{theorem}\\label{b}B.\\end{theorem}\n\\input{thm}\n\\begin{proof}Of a.\\end{proof}\n\\end{document}\n"
    )
    draft = LATEX.read(tmp_path, name="x", rules="fixed")
    assert [(one.label, [proof.lines for proof in one.proofs]) for one in draft.statements] == [
        ("a", [("Of a.",)]),
        ("b", []),
    ]
    assert not draft.diagnostics
    assert [part.kind for part in draft.parts].count("statement") == 2


def test_files_that_all_read_one_another_end_with_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(document_text, "MAX_INPUTS", 1_000)
    names = [f"f{number}" for number in range(60)]
    for name in names:
        (tmp_path / f"{name}.tex").write_text("".join(f"\\input{{{other}}}\n" for other in names if other != name))
    (tmp_path / "main.tex").write_text("\\documentclass{article}\\begin{document}\\input{f0}\\end{document}")
    with pytest.raises(NoStatements, match=r"files are named more than 1,000 times; the rest was not read"):
        LATEX.read(tmp_path / "main.tex", name="x", rules="fixed")


def test_a_class_in_a_folder_beside(tmp_path):
    for name, text in {
        "common/course.cls": "\\newtheorem{satz}{Satz}\\newtheorem{ding}{Satz}",
        "other/course.cls": "\\newtheorem{ding}{Bemerkung}",
        "other/main.tex": "\\documentclass{course}\\begin{document}\\begin{ding}A.\\end{ding}\\end{document}",
        "algebra/main.tex": "\\documentclass{course}\\begin{document}\\begin{ding}B.\\end{ding}\\end{document}",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    kinds = [LATEX.read(tmp_path / name, name="x", rules="fixed").statements[0].kind for name in ("algebra", "other")]
    assert kinds == ["theorem", "other"]


def test_a_stray_file_has_the_preamble_of_the_present_version(tmp_path):
    present = "\\documentclass{article}\\newtheorem{thm}{Theorem}\\newtheorem{ding}{Theorem}\\begin{document}\n"
    text = "".join(f"\\begin{{thm}}Number {number}.\\end{{thm}}\n" for number in range(20))
    (tmp_path / "main.tex").write_text(f"{present}{text}\\end{{document}}")
    old = present.replace("{ding}{Theorem}", "{ding}{Remark}")
    (tmp_path / "main-old.tex").write_text(f"{old}{text}\\begin{{thm}}More.\\end{{thm}}\\end{{document}}")
    (tmp_path / "stray.tex").write_text("".join(f"\\begin{{ding}}Stray {one}.\\end{{ding}}\n" for one in "abc"))
    statements = LATEX.read(tmp_path, name="x", rules="fixed").statements
    assert [one.kind for one in statements if "Stray" in one.text] == ["theorem"] * 3
