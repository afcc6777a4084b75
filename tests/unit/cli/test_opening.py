"""What the commands say about the documents of a folder, and how one of them is chosen."""

import io
import json
import shutil

import click
import pytest

from naturalproofs import Workspace, load_corpus
from naturalproofs.cli.servers import _chosen
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


def test_one_line_says_what_is_read_and_figures_are_counted(folder, tmp_path):
    code, _, err = call("build", "latex", folder, "-o", tmp_path / "c")
    assert code == 0
    assert err.splitlines() == [
        f"{folder}: reading book.tex; other documents here: paper.tex (2 statements); --main FILE chooses",
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


def test_verbs_say_it_only_if_there_is_a_choice(folder):
    assert "other documents here: paper.tex" in call("show", folder, "b1")[2]
    assert call("show", folder / "book.tex", "b1")[2] == ""


def test_standard_input_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{HEAD}{lemmas(1, 'x')}".encode())))
    assert call("build", "latex", "-", "-o", tmp_path / "c", "-q")[0] == 0
    assert labels(tmp_path / "c") == ["x0"]


def test_servers_and_the_index_open_the_chosen_document(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    code, out, err = call("index", folder, "--main", "paper", "--format", "json")
    assert code == 0, err
    assert json.loads(out)["statements"] == 2
    assert "up to date" in call("index", folder, "--main", "paper", "--status")[1]
    assert call("index", folder / "book.tex", "--main", "paper")[0] == 2
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


@pytest.fixture
def mixed(tmp_path):
    """A folder that is recognised as a PreTeXt book and also has a LaTeX document."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    body = '<theorem xml:id="thm-sum"><statement><p>Sums commute.</p></statement></theorem>'
    (folder / "book.ptx").write_text(f'<pretext><book><chapter xml:id="c"><p>A.</p>{body}</chapter></book></pretext>')
    (folder / "notes.tex").write_text(f"{HEAD}{lemmas(2, 'n')}\\end{{document}}")
    return folder


def test_the_source_is_recognised_unless_it_is_named(mixed):
    assert json.loads(call("graph", mixed, "--format", "json")[1])["nodes"][0]["label"] == "thm-sum"
    for source in ("latex", "pretext", "latex"):
        code, out, err = call("graph", mixed, "--format", "json", "--source", source)
        assert code == 0, err
        wanted = ["n0", "n1"] if source == "latex" else ["thm-sum"]
        assert [node["label"] for node in json.loads(out)["nodes"]] == wanted
        opened = Workspace.open(mixed, source=source)
        assert [one.label for one in opened.home.corpus.statements] == wanted
        assert [one.label for one in opened.refresh().home.corpus.statements] == wanted
        assert [one.label for one in load_corpus(mixed, source=source).statements] == wanted
    assert [one.label for one in load_corpus(mixed).statements] == ["thm-sum"]


def test_an_archive_may_have_a_named_source(mixed, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", mixed)
    assert [one.label for one in Workspace.open(archive, source="latex").home.corpus.statements] == ["n0", "n1"]
    assert [one.label for one in Workspace.open(archive).home.corpus.statements] == ["thm-sum"]


def test_a_document_that_is_not_there_is_named_as_it_was_typed(folder):
    for command in ("check", "search"):
        code, _, err = call(command, folder, *(("lemma",) if command == "search" else ()), "--main", "nope.tex")
        assert code == 1
        assert err == f"naturalproofs: error: {folder}/nope.tex: no such file; --main names a file inside {folder}\n"


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
