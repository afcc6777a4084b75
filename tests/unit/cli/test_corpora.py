"""``merge`` and ``export`` as people use them."""

import json

import pytest
from click.testing import CliRunner

from naturalproofs.apps.cli.corpora import export, merge
from naturalproofs.benchmark.exports import FORMATS
from naturalproofs.benchmark.make import make_corpus
from naturalproofs.corpus import store
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.data import primer_folder
from naturalproofs.sources.registry import source
from naturalproofs.tasks.splits import leaf_split
from support.command_line import call

BOOK = """\\begin{lemma}\\label{lemma-a}A.\\end{lemma}
\\begin{lemma}\\label{lemma-b}B.\\end{lemma}
\\begin{proof}\\ref{lemma-a}\\end{proof}
"""


@pytest.fixture(scope="module")
def folders(primer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    store.save(primer, folder / "primer", splits=leaf_split(primer, ReferenceGraph.of(primer)).to_json())
    (folder / "book").mkdir()
    (folder / "book" / "x.tex").write_text(BOOK)
    make_corpus(source("stacks"), folder / "book", folder / "stacks", name="stacks")
    return folder


def invoke(command, *arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_merge_and_take_out(folders, tmp_path):
    done = invoke(merge, folders / "primer", folders / "stacks", "-o", tmp_path / "both", "--name", "P+S")
    assert done.exit_code == 0
    assert f"{tmp_path / 'both'}: P+S: " in done.output
    assert json.loads((tmp_path / "both" / "manifest.json").read_bytes())["name"] == "P+S"
    done = invoke(merge, tmp_path / "both", "--take", "stacks", "-o", tmp_path / "again")
    assert done.exit_code == 0
    for file in (folders / "stacks").iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_merge_wants_to_be_understood(folders, tmp_path):
    assert invoke(merge, "-o", tmp_path / "x").exit_code == 2
    both = [folders / "primer", folders / "stacks"]
    assert invoke(merge, *both, "--take", "primer", "-o", tmp_path / "x").exit_code == 2
    assert invoke(merge, both[0], "--take", "primer", "--name", "y", "-o", tmp_path / "x").exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_of_a_merged_corpus(folders, tmp_path, name):
    invoke(merge, folders / "primer", folders / "stacks", "-o", tmp_path / "both")
    done = invoke(export, tmp_path / "both", "--to", name, "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert done.output.endswith(f"({name})\n")
    assert (tmp_path / "out").exists()


def test_help_names_every_format():
    page = invoke(export, "--help").output
    assert all(f"\n  {name} " in page for name in FORMATS)


@pytest.mark.parametrize(
    ("command", "manifest"),
    [
        ("build latex {latex} -o {out}", "manifest.json"),
        ("split {primer} --recipe leaf -o {out}", "manifest.json"),
        ("merge {primer} {stacks} -o {out}", "manifest.json"),
        ("export {primer} --to beir -o {out}", "export.json"),
        ("evaluate random {primer} -o {out}", "run.json"),
        ("train hybrid {primer} -o {out}", "model.json"),
        ("site {primer} -o {out}", "site.json"),
    ],
)
def test_a_folder_of_another_program_is_refused_in_one_line(folders, tmp_path, command, manifest):
    out = tmp_path / "out"
    out.mkdir()
    (out / manifest).write_text('{"name": "my web app"}')
    (out / "notes.txt").write_text("mine")
    named = {"latex": primer_folder(), "primer": folders / "primer", "stacks": folders / "stacks", "out": out}
    code, _, said = call(*(part.format(**named) for part in command.split()))
    assert code == 1
    (line,) = [line for line in said.splitlines() if "error" in line]
    assert f"{out}: exists and was not made by this command; choose another output, or remove it yourself" in line
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        manifest: '{"name": "my web app"}',
        "notes.txt": "mine",
    }


def test_a_project_with_the_manifest_of_a_web_page_is_read(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{lemma}{Lemma}\\begin{document}" + BOOK + "\\end{document}"
    )
    (tmp_path / "manifest.json").write_text('{"name": "my web app"}')
    code, out, said = call("show", tmp_path, "lemma-b")
    assert code == 0, said
    assert "B." in out
    assert call("check", tmp_path)[0] in (0, 1)
    assert "unresolved.jsonl" not in call("check", tmp_path)[2]


@pytest.mark.parametrize("budget", ["-3", "0", "nan", "inf"])
def test_a_budget_that_is_no_number_of_theorems_is_refused(folders, tmp_path, budget):
    code, _, err = call("split", folders / "primer", "--recipe", "layers", "--budget", budget, "-o", tmp_path / "x")
    assert code == 2
    assert "is not a number of theorems" in err
    assert not (tmp_path / "x").exists()


def test_a_budget_that_would_be_ignored_is_refused(folders, tmp_path):
    for arguments in (
        ("split", folders / "primer", "--recipe", "leaf"),
        ("build", "stacks", folders / "book"),
        ("build", "latex", folders / "book" / "x.tex", "--split", "test-only"),
    ):
        code, _, err = call(*arguments, "--budget", 0.2, "-o", tmp_path / "x")
        assert code == 2
        assert "--budget is only for a 'layers' split" in err
    assert call("split", folders / "primer", "--recipe", "layers", "--budget", 0.2, "-o", tmp_path / "x")[0] == 0


PAPER = r"""\documentclass{article}\newtheorem{theorem}{Theorem}\begin{document}
\section{One}\label{one}
\begin{equation}\label{out}x\end{equation}
\begin{theorem}\label{a}By \ref{out}, \ref{one} and \cite{book}.\end{theorem}
\begin{theorem}\label{b}By \ref{a}, \ref{gone} and \ref{lost}.\end{theorem}
\end{document}
"""


def test_a_build_says_what_citations_cite_that_lead_to_no_statement(tmp_path):
    (tmp_path / "paper.tex").write_text(PAPER)
    code, out, _ = call("build", "latex", tmp_path / "paper.tex", "-o", tmp_path / "out")
    assert code == 0
    assert out.splitlines()[-1] == (
        "1 of 6 citations resolve to a statement; the others cite equations (1), sections (1), other works (1), "
        f"undefined labels (2); see {tmp_path / 'out' / 'unresolved.jsonl'}"
    )
