"""Which documents of a folder are read: small made-up folders, one for each rule."""

from pathlib import Path

import pytest

from naturalproofs.errors import SourceNotFound
from naturalproofs.sources.latex.project.choice import folder_documents, main_of, plan_reading, project_of

NEWTHEOREM = "\\newtheorem{theorem}{Theorem}\n"


def theorems(count: int, name: str = "x") -> str:
    return "".join(f"\\begin{{theorem}}\\label{{{name}{i}}}About {name} {i}.\\end{{theorem}}\n" for i in range(count))


def document(body: str, kind: str = "article") -> str:
    return f"\\documentclass{{{kind}}}\n{NEWTHEOREM}\\begin{{document}}\n{body}\\end{{document}}\n"


def write(folder: Path, **files: str) -> Path:
    """Files by path; two underscores stand for a slash."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.tex"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def mains(folder: Path) -> list[str]:
    """The documents of a folder that are read."""
    return [main.path.relative_to(folder.resolve()).as_posix() for main in plan_reading(folder.resolve()).mains]


def rest(folder: Path, *read: str) -> tuple[list[tuple[str, ...]], dict[str, str]]:
    """What is read after some files were, and what is said about the files that were not."""
    groups, notes = folder_documents(folder).leftover(read)
    return [(one.preamble, *one.files) for one in groups], notes


def test_all_documents_with_statements_are_read(tmp_path):
    write(tmp_path, a=document(theorems(1, "a")), b=document("\\input{c}"), c=theorems(9, "c"), cv=document("Me."))
    write(tmp_path, solutions__all=document(theorems(30, "s")), slides=document(theorems(4, "t"), "beamer"))
    assert mains(tmp_path) == ["a.tex", "b.tex", "slides.tex", "solutions/all.tex"]


def test_the_web_version_comes_before_the_printed_one(tmp_path):
    both = document("\\input{content}", "report")
    write(tmp_path, blueprint__src__print=both, blueprint__src__web=both, blueprint__src__content=theorems(2))
    assert mains(tmp_path) == ["blueprint/src/web.tex"]


def test_files_that_no_document_reads_follow_with_its_preamble(tmp_path):
    lectures = {f"Lectures__lec_{number}": theorems(2, f"l{number}-") for number in (1, 2, 10)}
    write(tmp_path, main=document("\\lec{1}{10}\\input{appendix}"), appendix=theorems(3, "a"), **lectures)
    groups, notes = rest(tmp_path, "main.tex", "appendix.tex")
    assert groups == [("main.tex", "Lectures/lec_1.tex", "Lectures/lec_2.tex", "Lectures/lec_10.tex")]
    assert notes["Lectures/lec_2.tex"].endswith("with the preamble of main.tex, where \\lec{1}{10} may name it")


def test_each_course_has_its_own_preamble(tmp_path):
    for course in "xyz":
        write(tmp_path, **{f"{course}__main": document(""), f"{course}__notes__one": theorems(2, course)})
    groups, _ = rest(tmp_path)
    assert groups == [(f"{course}/main.tex", f"{course}/notes/one.tex") for course in "xyz"]


def test_chapters_without_a_document_are_read_together(tmp_path):
    write(tmp_path, one=theorems(2), two="\\input{inner}", inner=theorems(2, "y"), ten=theorems(1, "t"))
    assert mains(tmp_path) == []
    assert rest(tmp_path)[0] == [("", "inner.tex", "one.tex", "ten.tex")]


def test_a_few_statements_beside_many_are_only_named(tmp_path):
    write(tmp_path, main=document(theorems(90)), removed=theorems(2, "r"))
    assert rest(tmp_path, "main.tex") == ([], {"removed.tex": "no document reads it"})


def test_copies_of_files_are_known_by_their_statements(tmp_path):
    write(
        tmp_path,
        main=document("\\input{one}"),
        one=theorems(9),
        old__a=theorems(8),
        b=theorems(9, "b"),
        c=theorems(8, "b"),
    )
    groups, notes = rest(tmp_path, "main.tex", "one.tex")
    assert groups == [("main.tex", "b.tex")]
    assert notes["old/a.tex"] == "a copy of one.tex"
    assert notes["c.tex"] == "a copy of b.tex"


def test_a_document_without_a_class_has_the_preamble_of_the_folder(tmp_path):
    write(tmp_path, header="\\documentclass{book}" + NEWTHEOREM)
    write(tmp_path, thesis=f"\\begin{{document}}{theorems(2)}\\end{{document}}")
    (main,) = plan_reading(tmp_path.resolve()).mains
    assert (main.path.name, main.preamble and main.preamble.name) == ("thesis.tex", "header.tex")
    # No file reads it, so it is a format, also if another file is missing.
    write(tmp_path, thesis=f"\\makeindex\\input{{absent}}\\begin{{document}}{theorems(2)}\\end{{document}}")
    for given in (tmp_path.resolve(), tmp_path.resolve() / "thesis.tex"):
        assert plan_reading(given).mains[0].preamble == tmp_path.resolve() / "header.tex"
    # What is read first of all, and is missing, names the class: another one is not guessed.
    write(tmp_path, thesis=f"% A thesis\n\\input{{absent}}\\begin{{document}}{theorems(2)}\\end{{document}}")
    assert plan_reading(tmp_path.resolve()).mains[0].preamble is None
    write(tmp_path, thesis=f"\\makeindex\\input{{absent}}\\begin{{document}}{theorems(2)}\\end{{document}}")
    # A preamble that is missing is not guessed.
    write(tmp_path, other=f"\\input{{header}}\\begin{{document}}{theorems(2, 'b')}\\end{{document}}")
    assert next(one for one in plan_reading(tmp_path.resolve()).mains if one.path.stem == "thesis").preamble is None


def test_a_document_whose_macros_begin_statements_is_read(tmp_path):
    made = "\\newcommand{\\bt}{\\begin{theorem}}\n"
    write(tmp_path, a=document(theorems(9)), b=made + document("\\bt x"))
    assert mains(tmp_path) == ["a.tex", "b.tex"]


def test_a_wrapper_without_a_document_leads_to_the_document(tmp_path):
    write(tmp_path, **{"book-a4": "\\PassOptionsToClass{a4paper}{book}\\input{main}"}, main=document(theorems(1)))
    assert mains(write(tmp_path, errata=document(""))) == ["main.tex"]


def test_a_document_whose_class_is_in_another_file(tmp_path):
    write(tmp_path, top="\\input{head}\\input{body}", head="\\documentclass{book}")
    write(tmp_path, body=f"\\begin{{document}}{theorems(1)}\\end{{document}}")
    assert mains(tmp_path) == ["top.tex"]


def test_a_document_without_any_class_is_one(tmp_path):
    write(tmp_path, book=f"\\begin{{document}}{theorems(4)}\\end{{document}}", errata=document("Errata."))
    assert mains(tmp_path) == ["book.tex"]


def test_parts_that_can_be_typeset_alone_are_no_documents(tmp_path):
    part = document(theorems(5), "subfiles").replace("\\documentclass{", "\\documentclass[../main]{")
    write(tmp_path, main=document("\\subfile{parts/one}"), parts__one=part)
    assert mains(tmp_path) == ["main.tex"]


def test_documents_in_a_document_belong_to_it(tmp_path):
    write(tmp_path, all=document("\\input{one}\\input{two}"), one=document(theorems(3)), two=document(theorems(9, "y")))
    assert mains(tmp_path) == ["all.tex"]


def test_all_folders_are_searched_but_hidden_ones_and_build_outputs(tmp_path):
    write(tmp_path, readme="Text.", deep__er__and__deeper__main=document(theorems(1)))
    write(tmp_path, **{".hidden__x": document(theorems(9)), "node_modules__x": document(theorems(9))})
    assert mains(write(tmp_path, _build__x=document(theorems(9)))) == ["deep/er/and/deeper/main.tex"]


def test_copies_are_versions(tmp_path):
    text = theorems(20)
    write(tmp_path, thesis__main=document(text + theorems(2, "y")), arxiv__main=document(text))
    assert mains(tmp_path) == ["thesis/main.tex"]
    notes = {"arxiv/main.tex": "a version of thesis/main.tex"}
    documents = folder_documents(tmp_path)
    documents.choose()
    assert documents.leftover(["thesis/main.tex"]) == ([], notes)


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (("main", "main-a4"), "main"),
        (("course-2019__x", "course__x"), "course__x"),
        (("deep__x", "x"), "x"),
    ],
)
def test_names_decide_between_versions(tmp_path, names, first):
    write(tmp_path, **dict.fromkeys(names, document(theorems(3))))
    assert mains(tmp_path) == [f"{first.replace('__', '/')}.tex"]


@pytest.mark.parametrize(
    ("copy", "original"),
    [
        ("jmlr-orff.bck", "jmlr-orff"),
        ("zz.orig", "zz"),
        ("net (conflicted copy)", "net"),
        ("net (Somebody's conflicted copy 2017-01-02)", "net"),
        ("net.sync-conflict-20240102-101112-ABCDEFG", "net"),
        ("net (1)", "net"),
        ("net - Copy", "net"),
        ("net copy", "net"),
        ("Copy of net", "net"),
        ("Kopie von net", "net"),
        ("net~", "net"),
        ("net_v2-diff", "net"),
        ("article-diff", "article"),
        ("diff", "zeta"),
    ],
)
def test_a_copy_is_not_read_in_place_of_the_document(tmp_path, copy, original):
    write(tmp_path, **{copy: document(theorems(9)), original: document(theorems(7))})
    assert mains(tmp_path) == [f"{original}.tex"]


def test_a_copy_is_read_if_the_document_is_gone_or_only_begun(tmp_path):
    write(tmp_path, **{"net copy": document(theorems(9)), "net.bck": document(theorems(9))})
    assert mains(tmp_path) == ["net.bck.tex"]
    assert mains(write(tmp_path, net=document(theorems(2)))) == ["net.bck.tex"]


@pytest.mark.parametrize(
    "mark", ["%DIF PREAMBLE EXTENSION ADDED BY LATEXDIFF\n", "\\providecommand{\\DIFadd}[1]{#1}\n"]
)
def test_a_file_of_latexdiff_is_known_by_its_preamble(tmp_path, mark):
    write(tmp_path, changes=mark + document(theorems(9)), net=document(theorems(7)))
    assert mains(tmp_path) == ["net.tex"]
    (tmp_path / "net.tex").unlink()
    assert mains(tmp_path) == ["changes.tex"]


def test_a_series_of_documents_is_read_in_order(tmp_path):
    files = {f"lecture{number}": document(theorems(1 + number, f"l{number}-")) for number in (1, 2, 3, 10)}
    write(tmp_path, **files)
    assert mains(tmp_path) == ["lecture1.tex", "lecture2.tex", "lecture3.tex", "lecture10.tex"]


class NothingRead:
    """An index without projects."""

    def main_of(self, file, folder):
        return None

    def has_several(self, main):
        return None


def test_documents_that_use_one_anothers_labels_are_read_together(tmp_path):
    linked = "\\externaldocument[b-]{b}\\externaldocument[a-]{a}"
    write(tmp_path, a=document(linked + theorems(3)), b=document(theorems(3, "b")), c=document(theorems(1, "z")))
    assert project_of(tmp_path / "a.tex", NothingRead()) == tmp_path
    assert project_of(tmp_path / "c.tex", NothingRead()) == tmp_path / "c.tex"


def test_names_with_macros_are_matched(tmp_path):
    loop = "\\foreach \\n in {1,2}{\\input{lectures/lec_\\n.tex}}"
    write(tmp_path, a=document(loop), b=document("Text."), lectures__lec_1=theorems(4), lectures__lec_2="")
    assert mains(tmp_path) == ["a.tex"]


def test_a_macro_may_stand_for_the_folder_of_the_project(tmp_path):
    write(tmp_path, a=document("\\def\\ROOT{./}\\input{\\ROOT/body.tex}"), body="\\input{\\ROOT/parts/one.tex}")
    write(tmp_path, parts__one=theorems(2))
    assert mains(tmp_path) == ["a.tex"]


def test_files_are_found_by_their_names_alone(tmp_path):
    write(tmp_path, a=document("\\input{one}"), b=document("Text."), somewhere__else__one=theorems(4))
    assert mains(tmp_path) == ["a.tex"]


def test_the_main_file_of_a_chapter(tmp_path):
    both = document("\\include{parts/all}")
    write(tmp_path, web=both, print=both, parts__all="\\input{one}", parts__one=theorems(1), parts__alone=theorems(1))
    assert main_of(tmp_path / "parts/one.tex", tmp_path) == "web.tex"
    assert main_of(tmp_path / "parts/one.tex", tmp_path / "parts") is None
    assert main_of(tmp_path / "parts/alone.tex", tmp_path) is None


def test_documents_without_a_suffix(tmp_path):
    (tmp_path / "paper").write_text(document(theorems(2)))
    (tmp_path / "LICENSE").write_text("Use \\documentclass freely.\n")
    (tmp_path / "notes").write_text("% \\documentclass\n")
    assert "paper" in mains(tmp_path)
    assert "notes" not in mains(tmp_path)


def test_the_suffix_latex(tmp_path):
    (tmp_path / "main.latex").write_text(document(theorems(2)))
    assert mains(tmp_path) == ["main.latex"]


@pytest.mark.parametrize("comment", ["% !TeX root = two.tex\n", '%%% TeX-master: "two"\n'])
def test_comments_decide_between_versions(tmp_path, comment):
    both = document("\\input{text}")
    write(tmp_path, one=both, two=both, text=comment + theorems(1))
    assert mains(tmp_path) == ["two.tex"]


def test_endings_may_be_capitals(tmp_path):
    (tmp_path / "PAPER.TEX").write_text(document(theorems(1)))
    assert mains(tmp_path) == ["PAPER.TEX"]


@pytest.mark.parametrize(
    ("file", "advice"),
    [
        ("notes.lyx", "notes.lyx: a document of LyX; export it as LaTeX"),
        ("a.typ", "a.typ: a document in Typst; LaTeX, Markdown, PreTeXt"),
        ("a.png", "give the main file"),
    ],
)
def test_a_folder_without_latex_says_what_to_do(tmp_path, file, advice):
    (tmp_path / file).write_text("")
    with pytest.raises(SourceNotFound, match=f"no .tex files here; .*{advice}"):
        folder_documents(tmp_path)
