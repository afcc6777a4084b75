"""Hostile projects: endless loops, files outside of the folder, huge files. Each gives a diagnostic and is read."""

import os
from itertools import pairwise
from pathlib import Path

import pytest

from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.sources.latex.project import outline, tree
from naturalproofs.sources.latex.read import document_text as walker
from support.project_listing import read_project

PREAMBLE = "\\documentclass{article}\n\\newtheorem{theorem}{Theorem}\n"
HEAD = PREAMBLE + "\\begin{document}\n\\begin{theorem}\\label{a}A.\\end{theorem}\n"
B = "\\begin{theorem}\\label{b}B.\\end{theorem}\n"


def rules(folder: Path, body: str, **files: str) -> list[str]:
    """Write a project, read it, and give the rules of its diagnostics; the first theorem must survive everything."""
    (folder / "main.tex").write_text(HEAD + body + "\\end{document}\n")
    for name, text in files.items():
        (folder / f"{name}.tex").write_text(text)
    built = read_project(folder)
    assert built.statements[0].label == "a"
    return [one.rule for one in built.diagnostics]


def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "fifo.tex")
    assert rules(tmp_path, "\\input{fifo}") == ["unreadable"]


def test_a_huge_file_is_not_read(tmp_path):
    with (tmp_path / "huge.tex").open("wb") as file:
        file.truncate(2 << 30)
    assert rules(tmp_path, "\\input{huge}") == ["too-large"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_must_not_be_read(tmp_path):
    (tmp_path / "secret.tex").write_text(B)
    (tmp_path / "secret.tex").chmod(0)
    assert rules(tmp_path, "\\input{secret}") == ["unreadable"]


def test_a_link_to_itself(tmp_path):
    (tmp_path / "loop.tex").symlink_to("loop.tex")
    assert rules(tmp_path, "\\input{loop}") == ["missing-file"]


def test_nothing_outside_of_the_folder_is_read(tmp_path):
    outside = tmp_path / "outside.tex"
    outside.write_text(B)
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "link.tex").symlink_to(outside)
    (folder / "up").symlink_to(tmp_path)
    ways = ("../outside", str(outside), "link", "up/outside")
    body = "".join(f"\\input{{{way}}}" for way in ways) + "\\import{../}{outside}\\input outside\n"
    assert rules(folder, body) == ["outside-project"] * 5 + ["missing-file"]


def test_a_main_file_that_is_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "paper.tex").write_text(HEAD + "\\input{b}\\end{document}")
    (tmp_path / "far" / "b.tex").write_text(B)
    folder = tmp_path / "near"
    folder.mkdir()
    (folder / "link.tex").symlink_to("../far/paper.tex")
    (folder / "main.aux").symlink_to("/etc/hostname")
    assert [s.label for s in read_project(folder / "link.tex").statements] == ["a", "b"]
    with pytest.raises(SourceNotFound, match=r"no \.tex files here"):
        read_project(folder)


def test_settings_outside_of_the_folder_are_refused(tmp_path):
    (tmp_path / "far.toml").write_text("main = 'main.tex'")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.tex").write_text(HEAD)
    (folder / "naturalproofs.toml").symlink_to("../far.toml")
    with pytest.raises(BadSchema, match="leads outside of the project's folder"):
        read_project(folder)


def test_a_package_outside_of_the_folder_is_not_read(tmp_path):
    (tmp_path / "evil.sty").write_text("\\newtheorem{evil}{Theorem}")
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    text = HEAD.replace("\\begin{document}", "\\usepackage{../evil}\\begin{document}\\begin{evil}E.\\end{evil}")
    (folder / "main.tex").write_text(text)
    assert len(read_project(folder).statements) == 1


def test_files_that_include_one_another(tmp_path):
    assert rules(tmp_path, "\\input{x}", x=B + "\\input{y}", y="\\input{x}\\input{y}") == ["recursive-input"] * 2


def test_a_long_chain_of_files_is_cut(tmp_path):
    files = {f"f{i}": f"\\input{{f{i + 1}}}" for i in range(1_500)}
    assert rules(tmp_path, "\\input{f0}", **files) == ["too-deep"]


def test_files_that_double_are_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(walker, "MAX_INPUTS", 500)
    files = {f"f{i}": f"\\input{{f{i + 1}}}" * 2 for i in range(30)}
    assert rules(tmp_path, "\\input{f0}", **files, f30="") == ["too-many-inputs"]


def test_too_many_files_are_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "MAX_FILES", 3)
    files = {f"f{i}": "text" for i in range(5)}
    assert rules(tmp_path, "".join(f"\\input{{{name}}}" for name in files), **files) == ["too-many-files"] * 3


def test_too_many_candidates_for_the_main_file(tmp_path, monkeypatch):
    monkeypatch.setattr(outline, "MAX_FILES", 10)
    for number in range(20):
        (tmp_path / f"f{number}.tex").write_text(B)
    with pytest.raises(SourceNotFound, match=r"20 \.tex files here, too many to find the main one among"):
        read_project(tmp_path)


def test_files_of_other_kinds_do_not_matter(tmp_path):
    for number in range(5_000):
        (tmp_path / f"f{number}.dat").touch()
    assert rules(tmp_path, "") == []


def test_binary_files_and_folders_and_pipes_are_not_read(tmp_path):
    (tmp_path / "binary.tex").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "folder.tex").mkdir()
    body = "\\input{binary}\\input{folder}\\input{|ls}\\input{nul\0nul}\\input{" + "x" * 5_000 + "}\\input{}\\input"
    assert set(rules(tmp_path, body)) == {"not-text", "missing-file", "nul-byte"}


def test_macros_that_never_end(tmp_path):
    preamble = "\\def\\x{\\x\\x\\ref{a}}\\def\\y#1{\\ref{#1}\\y{#1#1}}\\newenvironment{w}{\\begin{w}\\ref{a}}{\\end{w}}"
    body = preamble + B + "\\begin{theorem}\\label{c}\\x\\y{a}\\begin{w}\\end{w}\\end{theorem}"
    assert set(rules(tmp_path, body)) <= {"endless-macro", "unclosed-environment", "unmatched-end"}


def test_macros_that_double(tmp_path, monkeypatch):
    monkeypatch.setattr(walker, "MAX_EXPANDED", 100_000)
    names = [chr(97 + i // 26) + chr(97 + i % 26) + "z" for i in range(35)]
    chain = "".join(f"\\def\\{one}{{\\{two}\\{two}}}" for one, two in pairwise(names))
    found = rules(tmp_path, f"{chain}\\def\\{names[-1]}{{\\ref{{a}}}}\\begin{{theorem}}\\{names[0]}\\end{{theorem}}")
    assert set(found) == {"endless-macro"}


def test_counters_that_print_themselves(tmp_path):
    body = "\\renewcommand{\\thetheorem}{" + "\\thetheorem" * 50 + "}\\setcounter{theorem}{99999999999999999999}" + B
    assert rules(tmp_path, body) == []


def test_every_encoding_is_read(tmp_path):
    (tmp_path / "latin.tex").write_bytes("\\begin{theorem}\\label{é}É.\\end{theorem}".encode("latin-1"))
    assert rules(tmp_path, "\\input{latin}") == ["encoding"]
