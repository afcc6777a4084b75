"""`suggest`, the index and `check --watch` as people use them."""

import json
import re
import shutil
import signal
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner

from naturalproofs.apps.cli.main import cli
from naturalproofs.data import primer_folder
from support.command_line import call


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suggest") / "primer"
    shutil.copytree(primer_folder(), folder)
    return folder


def test_suggestions_for_a_theorem(project):
    code, out, err = call("suggest", project, "--at", "thm:lagrange", "--ignore-proof", "-k", 6)
    assert code == 0
    assert "Theorem 3.3.5 (Lagrange) [thm:lagrange]" in err
    assert ". Definition 3.3.4 (Index)  " in out
    assert r"\cref{def:index}" in out
    assert "chapters/groups.tex:336" in out
    assert "stated just above" in out
    assert "\x1b" not in out
    verdict = " ".join(out.split("\n\n")[-1].split())
    assert re.match(r"The proof cites something with probability \d+%\. If so: (the first|these 6) ", verdict), verdict


def test_what_the_proof_cites_is_said_and_not_suggested(project):
    code, out, err = call("suggest", project, "--at", "thm:lagrange", "-k", 5)
    assert code == 0
    assert "Cited already: Lemma 3.3.2 (lem:coset-equivalence)" in err
    assert "def:index" not in out


def test_as_json(project):
    code, out, _ = call("suggest", project, "--at", "thm:lagrange", "--ignore-proof", "--format", "json", "-k", 4)
    assert code == 0
    found = json.loads(out)
    assert found["about"] == "primer:thm:lagrange"
    assert [one["rank"] for one in found["suggestions"]] == [1, 2, 3, 4]
    first = found["suggestions"][0]
    assert {"id", "name", "title", "preview", "citation", "probability", "reasons", "where"} <= set(first)
    assert 0 < first["probability"] < 1


@pytest.mark.parametrize("path", ["chapters/groups.tex", "primer.tex", "."])
def test_any_file_of_the_project_will_do(project, path):
    where = "chapters/groups.tex:345"
    code, _, err = call("suggest", project / path, "--at", where, "-k", 1)
    assert (code, "thm:lagrange" in err) == (0, True)


def test_a_line_of_the_file_that_was_given(project):
    code, _, err = call("suggest", project / "chapters" / "groups.tex", "--at", 345, "-k", 1)
    assert (code, "thm:lagrange" in err) == (0, True)


def test_text_as_argument_and_on_stdin(project):
    text = "Every group of prime order is cyclic."
    code, out, _ = call("suggest", project, text, "-k", 3)
    assert code == 0
    done = CliRunner().invoke(cli, ["suggest", str(project), "-k", "3"], input=text)
    assert done.exit_code == 0
    assert done.stdout.strip() == out.strip()


def test_from_several_corpora(project, tmp_path):
    corpus = tmp_path / "other"
    assert call("build", "latex", primer_folder(), "-o", corpus, "--name", "other")[0] == 0
    code, out, _ = call("suggest", project, "Every group of prime order is cyclic.", "--with", corpus, "-k", 20)
    assert code == 0
    assert " · other" in out
    assert " · primer" in out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--at", "thm:lagrang"), "perhaps thm:lagrange"),
        (("--at", "chapters/groups.tex:1"), "the nearest theorem is"),
        (("--at", "nothing.tex:1"), "is not a file of primer"),
        (("x", "--method", "nonsense"), "no method is called"),
        (("x", "--model", "nonsense"), "nonsense: not a model folder"),
    ],
)
def test_errors_are_one_line(project, arguments, expected):
    code, out, err = call("suggest", project, *arguments)
    assert (code, out) == (1, "")
    assert err.startswith("naturalproofs: error: ")
    assert expected in err
    assert err.count("\n") == 1


def test_wrong_usage(project):
    assert call("suggest", project, "text", "--at", "x")[0] == 2
    assert call("suggest", project, "text", "--method", "bm25", "--model", "m")[0] == 2
    assert CliRunner().invoke(cli, ["suggest", str(project)], input="").exit_code == 2
    assert call("suggest", project / "missing", "text")[0] == 1


def test_the_index_says_what_it_did(project, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(primer_folder(), folder)
    assert "no index yet" in call("doctor", folder)[1]
    assert "read 1 of 1 document;" in call("doctor", folder, "--index")[1]
    assert "up to date" in call("doctor", folder)[1]
    chapter = folder / "chapters" / "groups.tex"
    chapter.write_text(chapter.read_text("utf-8") + "\n\\begin{lemma}\\label{lem:q} Quux. \\end{lemma}\n", "utf-8")
    assert "changed: chapters/groups.tex" in call("doctor", folder)[1]
    code, out, _ = call("doctor", folder, "--index", "--format", "json")
    assert code == 0
    work = json.loads(out)["indexes"][0]["work"]
    assert work["changes"]["changed"] == ["chapters/groups.tex"]
    assert work["read"] == ["primer.tex"]
    assert call("suggest", folder, "Quux", "-k", 1)[1].startswith("  1. Lemma 3.6.")
    assert call("doctor", folder / "missing", "--index")[0] == 1


def test_watch_follows_edits_until_it_is_interrupted(tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(primer_folder(), folder)
    # A test run in the background hands down an ignored interrupt; the command is to have a live one.
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "from naturalproofs.apps.cli.main import run; run(sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", code, "check", str(folder), "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    # A line that never comes ends the command, and with it the test.
    watchdog = threading.Timer(300, process.kill)
    watchdog.start()
    assert "606 statements" in process.stdout.readline()
    chapter = folder / "chapters" / "groups.tex"
    text = chapter.read_text("utf-8")
    chapter.write_text(text + "\n\\begin{remark}\\label{rem:q} \\cref{lost} \\end{remark}\n", "utf-8")
    assert "607 statements" in process.stdout.readline()
    assert "new: remark" in process.stdout.readline()
    assert "no label lost is defined" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    watchdog.cancel()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == f"Watching {folder}; stop with Ctrl-C.\n", "this is how it ends"
    process.stderr.close()


def test_help_does_not_pay_for_numpy():
    code = "import sys; from naturalproofs.apps.cli.main import cli; import naturalproofs; "
    code += (
        "cli.get_command(None, 'suggest'); print('numpy' in sys.modules or 'naturalproofs.workspace' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_suggesting_does_not_pay_for_heavy_packages(project):
    code = (
        "import sys; from naturalproofs import Workspace;"
        f"Workspace.open({str(project)!r}).suggest('a group');"
        "print(sorted({'sklearn', 'bm25s', 'torch', 'lightgbm'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_would_suggest_better_is_said_in_one_line(project, monkeypatch):
    monkeypatch.setattr("naturalproofs.workspace.methods.REQUIRED", ("no_such_package",))
    code, out, err = call("suggest", project, "--at", "thm:lagrange", "--ignore-proof", "-k", 3)
    assert (code, err.count("better with the shipped ranker: pip install"), err.count("[hybrid]")) == (0, 1, 1)
    assert out.startswith("  1. ")
    _, _, err = call("suggest", project, "--at", "thm:lagrange", "--method", "bm25")
    assert "pip install" not in err


def test_nonsense_gets_no_suggestions(project):
    code, out, _ = call("suggest", project, "asdf qwer")
    assert code == 0
    assert out.startswith("Nothing is suggested")
