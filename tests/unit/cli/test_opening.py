"""What the commands say about the documents of a folder, and how one of them is chosen."""

import io
import json
import shutil

import click
import pytest

from naturalproofs import Workspace, load_corpus
from naturalproofs.apps.cli.servers import _chosen
from naturalproofs.data import primer_folder
from support.command_line import call

HEAD = "\\documentclass{article}\\newtheorem{lemma}{Lemma}\\begin{document}\n"


def lemmas(count, name):
    return "".join(f"\\begin{{lemma}}\\label{{{name}{i}}} About {name} {i}. \\end{{lemma}}\n" for i in range(count))


@pytest.fixture
def folder(tmp_path):
    """A book, and a paper that has nothing to do with it."""
    folder = tmp_path / "both"
    folder.mkdir()
    figures = "\\input{a.pdf_t}\\input{figures/b}\n"
    (folder / "book.tex").write_text(f"{HEAD}{lemmas(9, 'b')}{figures}\\end{{document}}")
    (folder / "paper.tex").write_text(f"{HEAD}{lemmas(2, 'p')}\\end{{document}}")
    return folder


def labels(corpus):
    return [json.loads(line)["label"] for line in (corpus / "statements.jsonl").read_text().splitlines()]


def test_it_is_said_what_is_read_and_figures_are_counted(folder, tmp_path):
    code, _, err = call("build", "latex", folder, "-o", tmp_path / "c")
    assert code == 0
    assert err.splitlines() == [
        f"{folder}: reading book.tex, paper.tex",
        f"{folder}: 11 statements read from 2 files of 2 documents",
        "2 figures are not there; the text does not need them",
    ]


def test_documents_are_chosen(folder, tmp_path):
    assert call("build", "latex", folder, "--main", "paper.tex", "-o", tmp_path / "c", "-q")[0] == 0
    assert labels(tmp_path / "c") == ["p0", "p1"]
    mains = ("--main", "paper", "--main", "book.tex")
    assert call("build", "latex", folder, *mains, "-o", tmp_path / "c", "-q")[0] == 0
    assert len(labels(tmp_path / "c")) == 11
    assert "About p 1" in call("show", folder, "p1", "--main", "paper")[1]
    assert "2 statements" in call("check", folder, "--main", "paper.tex")[2]
    assert call("check", folder, *mains)[0] == 2
    assert call("check", folder / "book.tex", "--main", "paper.tex")[0] == 2


def test_verbs_say_only_what_is_not_read(folder):
    assert call("show", folder, "b1")[2] == ""
    (folder / "copy.tex").write_text((folder / "book.tex").read_text())
    assert "not read: 9 statements, a version of book.tex: copy.tex (9)" in call("show", folder, "b1")[2]


def test_standard_input_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{HEAD}{lemmas(1, 'x')}".encode())))
    assert call("build", "latex", "-", "-o", tmp_path / "c", "-q")[0] == 0
    assert labels(tmp_path / "c") == ["x0"]


def test_servers_and_the_index_open_the_chosen_document(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    code, out, err = call("doctor", folder, "--main", "paper", "--index", "--format", "json")
    assert code == 0, err
    assert json.loads(out)["indexes"][0]["statements"] == 2
    assert "up to date" in call("doctor", folder, "--main", "paper")[1]
    assert call("doctor", folder / "book.tex", "--main", "paper")[0] == 2
    assert _chosen((folder, tmp_path), ("paper",)) == (folder / "paper.tex", tmp_path)
    assert _chosen((folder,), ()) == (folder,)
    with pytest.raises(click.UsageError, match="give the folder too"):
        _chosen((), ("paper",))


def test_one_is_not_plural(folder, tmp_path):
    (folder / "paper.tex").write_text(f"{HEAD}{lemmas(1, 'p')}\\end{{document}}")
    assert "c: 1 theorem\n" in call("build", "latex", folder / "paper.tex", "-o", tmp_path / "c")[1]


def test_a_wrong_path_is_named_before_a_text_is_asked_for(tmp_path):
    code, _, errors = call("suggest", tmp_path / "nowhere")
    assert code == 1
    assert "nowhere: no such file or folder" in errors


THEOREMS = ["thm-sum", "thm-product", "thm-power"]


@pytest.fixture
def mixed(tmp_path):
    """A folder with a PreTeXt book, which has most statements, and a LaTeX document."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    one = '<theorem xml:id="{}"><statement><p>Sums commute.</p></statement></theorem>'
    body = "".join(map(one.format, THEOREMS))
    (folder / "book.ptx").write_text(f'<pretext><book><chapter xml:id="c"><p>A.</p>{body}</chapter></book></pretext>')
    (folder / "notes.tex").write_text(f"{HEAD}{lemmas(2, 'n')}\\end{{document}}")
    return folder


def test_the_source_is_recognised_unless_it_is_named(mixed):
    assert json.loads(call("graph", mixed, "--format", "json")[1])["nodes"][0]["label"] == "thm-sum"
    for source in ("latex", "pretext", "latex"):
        code, out, err = call("graph", mixed, "--format", "json", "--source", source)
        assert code == 0, err
        wanted = ["n0", "n1"] if source == "latex" else THEOREMS
        assert [node["label"] for node in json.loads(out)["nodes"]] == wanted
        opened = Workspace.open(mixed, source=source)
        assert [one.label for one in opened.home.statements] == wanted
        assert [one.label for one in opened.refresh().home.statements] == wanted
        assert [one.label for one in load_corpus(mixed, source=source).statements] == wanted
    assert [one.label for one in load_corpus(mixed).statements] == THEOREMS


def test_an_archive_may_have_a_named_source(mixed, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", mixed)
    assert [one.label for one in Workspace.open(archive, source="latex").home.statements] == ["n0", "n1"]
    assert [one.label for one in Workspace.open(archive).home.statements] == THEOREMS


def test_a_document_that_is_not_there_is_named_as_it_was_typed(folder):
    for command in ("check", "search"):
        code, _, err = call(command, folder, *(("lemma",) if command == "search" else ()), "--main", "nope.tex")
        assert code == 1
        assert err == f"naturalproofs: error: {folder}/nope.tex: no such file; --main names a file inside {folder}\n"


COMMANDS = {
    "audit": "audit {} --extraction",
    "build": "build latex {} -o OUT",
    "check": "check {}",
    "evaluate": "evaluate bm25 {}",
    "export": "export {} --to beir -o OUT",
    "graph": "graph {} -o OUT.html",
    "merge": "merge {} {} -o OUT",
    "search": "search PRIMER --with {} group",
    "serve": "serve {}",
    "show": "show {} thm:lagrange",
    "stats": "stats {}",
    "suggest": "suggest {} text",
    "watch": "check {} --watch",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_what_cannot_be_read_is_refused_with_what_to_give(tmp_path, command):
    (tmp_path / "empty").mkdir()
    for name in ("refs.bib", "notes.txt", "main.typ", "paper.pdf", "paper.docx", "figure.png"):
        (tmp_path / name).write_bytes(b"PK\x03\x04" if name == "paper.docx" else b"Some words.")
    for given, wanted in {
        tmp_path / "refs.bib": "a bibliography, in which statements cannot be found; give the .tex file that uses it",
        tmp_path / "notes.txt": "plain text without LaTeX, in which statements cannot be found; give the LaTeX source",
        tmp_path / "main.typ": "a document in Typst, in which statements cannot be found; LaTeX, Markdown, PreTeXt and",
        tmp_path / "paper.pdf": "a printed document, in which statements cannot be found; give its LaTeX source",
        tmp_path / "paper.docx": "convert it first, for example with pandoc",
        tmp_path / "figure.png": "an image, in which",
        tmp_path / "empty": "an empty folder; give the folder or the file that holds the text",
        "https://arxiv.org/abs/2101.00001v2": "v2: a web address; for the paper run: naturalproofs fetch 2101.00001v2",
        "https://github.com/stacks/stacks-project": "https://github.com/stacks/stacks-project: a web address; download",
        "git@example.org:a/b.git": "git@example.org:a/b.git: a web address; download or clone it",
    }.items():
        places = {"{}": given, "PRIMER": primer_folder(), "OUT": tmp_path / "out"}
        code, out, err = call(*(places.get(word, word) for word in command.split()))
        assert (code, out, err.count("\n")) == (1, "", 1), err
        assert wanted in err


def test_plain_text_with_latex_in_it_is_read(tmp_path):
    (tmp_path / "paper.txt").write_text(f"{HEAD}{lemmas(1, 'x')}\\end{{document}}")
    assert "About x 0" in call("show", tmp_path / "paper.txt", "x0")[1]


def test_a_collection_is_called_one(tmp_path):
    (tmp_path / "commit.lance").mkdir()
    for arguments in (("show", tmp_path, "x"), ("path", tmp_path, "x"), ("check", tmp_path)):
        code, _, err = call(*arguments)
        assert code != 0
        assert "is a collection" in err, arguments


def test_a_model_that_is_not_there_is_no_method(folder):
    code, _, err = call("suggest", folder, "A lemma.", "--main", "book", "--model", folder / "nope")
    assert code == 1
    assert f"{folder / 'nope'}: not a model folder" in err
