"""The command line as people and machines use it: in process, with its exit codes and one-line errors."""

import errno
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import ROOT
from naturalproofs.apps.cli.main import GROUPS, MODULES, cli
from naturalproofs.data import primer_folder
from support.command_line import call


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "primer"
    code, out, err = call("build", "latex", primer_folder(), "-o", folder)
    assert (code, err) == (0, f"{primer_folder()}: reading primer.tex\n")
    assert "theorems" in out
    return folder


def test_stats_as_json(corpus):
    code, out, err = call("stats", corpus, "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    for key in ("theorems", "definitions", "others", "proofs", "examples", "references"):
        assert isinstance(found[key], int)
    assert set(found["splits"]) == {"train", "valid", "test"}
    assert set(found["splits"]["test"]) >= {"examples", "references"}
    assert set(found["graph"]) >= {"nodes", "leaves", "heads", "mutual_pairs"}


def test_stats_of_several_corpora(corpus):
    code, out, _ = call("stats", corpus, corpus, "--format", "json")
    assert code == 0
    assert len(json.loads(out)) == 2


@pytest.mark.parametrize("style", ["text", "csv", "latex", "markdown", "html"])
def test_stats_in_every_format(corpus, style):
    code, out, _ = call("stats", corpus, "--format", style)
    assert code == 0
    assert "theorem" in out


def test_stats_with_plots_and_card(corpus, tmp_path):
    code, _, err = call("stats", corpus, "--plots", tmp_path / "plots", "--card", tmp_path / "card.md")
    assert code == 0
    assert (tmp_path / "card.md").read_text().startswith("# Dataset card: primer")
    assert err.count("plot: ") == len(list((tmp_path / "plots").iterdir())) == 6


def test_show(corpus):
    code, out, _ = call("show", corpus, "thm:bezout")
    assert code == 0
    assert "thm:bezout" in out
    code, out, _ = call("show", corpus, "thm:bezout", "--format", "json")
    assert json.loads(out)["label"] == "thm:bezout"


def test_export_and_build_again(corpus, tmp_path):
    code, out, _ = call("export", corpus, "--to", "naturalproofs-json", "-o", tmp_path / "p.json")
    assert code == 0
    assert "bytes" in out
    code, out, _ = call(
        "build", "naturalproofs-json", tmp_path / "p.json", "-o", tmp_path / "again", "--name", "primer"
    )
    assert code == 0
    one, two = (json.loads(call("stats", folder, "--format", "json")[1]) for folder in (corpus, tmp_path / "again"))
    same = ("theorems", "proofs", "examples", "graph", "lengths", "categories")
    assert {key: one[key] for key in same} == {key: two[key] for key in same}
    assert one["splits"] == two["splits"]


def test_split_again(corpus, tmp_path):
    code, out, _ = call("split", corpus, "--recipe", "layers", "--budget", 20, "-o", tmp_path / "s")
    assert code == 0
    assert "layers(budget=20, seed=42)" in out
    found = json.loads(call("stats", tmp_path / "s", "--format", "json")[1])
    assert found["splits"]["valid"]["examples"] + found["splits"]["test"]["examples"] <= 22


def test_demo_ends_by_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", [".venv/bin/naturalproofs"])
    code, out, err = call("demo", "-o", tmp_path / "demo")
    assert (code, err) == (0, "")
    printed = [" ".join(line.split()) for line in out.splitlines()]
    table = re.findall(r"```text\n(.*?)\n```", (ROOT / "docs" / "tutorial.md").read_text("utf-8"), re.DOTALL)[
        0
    ].splitlines()
    assert "hybrid trained on primer" in table[-1]
    assert all(any(line.startswith(" ".join(row.split())) for line in printed) for row in table), "the tutorial's table"
    assert "trained on the Primer too" in out
    assert "\\cref{def:orbit-stabiliser}" in out
    steps = [shlex.split(line) for line in out[out.index("Next:") :].splitlines()[1:]]
    assert [(program, command) for program, command, *_ in steps] == [
        (".venv/bin/naturalproofs", command) for command in ("suggest", "serve", "evaluate")
    ]
    assert all(Path(step[step.index("serve") + 1]).is_dir() for step in steps if "serve" in step)
    assert call(*steps[0][1:])[0] == 0
    assert call(*steps[2][1:])[0] == 0
    assert (tmp_path / "demo" / "primer" / "manifest.json").is_file()
    assert (tmp_path / "demo" / "hybrid" / "model.json").is_file()


ERRORS = [
    (["stats", "nowhere"], "no such file or folder"),
    (["show", "nowhere", "x"], "no such file or folder"),
    (["export", "nowhere", "--to", "beir", "-o", "out"], "not a corpus folder"),
    (["build", "stacks", "nowhere", "-o", "out"], "no such file or folder"),
    (["build", "latex", "empty", "-o", "out"], "an empty folder"),
    (["build", "latex", "other", "-o", "out"], "no .tex files"),
    (["build", "stacks", "other", "-o", "out"], "no .tex files"),
    (["build", "stein", "other", "-o", "out"], "body.tex"),
    (["build", "naturalproofs-json", "bad.json", "-o", "out"], "schema"),
    (["build", "stacks", "lemma", "-o", "occupied"], "choose another output"),
    (["build", "stacks", "lemma", "-o", "bad.json/out"], "cannot be written"),
    (["build", "stacks", "lemma", "-o", "out", "--split", "temporal"], "--older"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS, ids=[" ".join(arguments) for arguments, _ in ERRORS])
def test_bad_input_is_one_clear_line(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "data.csv").write_text("")
    (tmp_path / "occupied").mkdir()
    (tmp_path / "occupied" / "thesis.tex").write_text("precious")
    (tmp_path / "bad.json").write_text("[]")
    (tmp_path / "lemma").mkdir()
    (tmp_path / "lemma" / "x.tex").write_text("\\begin{lemma}\\label{lemma-a}\\end{lemma}")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    code, out, err = call(*arguments)
    assert (code, out) == (1, "")
    assert err.startswith("naturalproofs: error: ")
    assert err.count("\n") == 1
    assert message in err
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_wrong_usage_exits_with_two(tmp_path):
    assert call("build", "word", tmp_path, "-o", tmp_path / "x")[0] == 2
    assert call("nonsense")[0] == 2


@pytest.mark.parametrize(("name", "meant"), [("evalute", "evaluate"), ("stat", "stats"), ("trian", "train")])
def test_a_misspelt_command_gets_a_suggestion(name, meant):
    code, out, err = call(name)
    assert (code, out) == (2, "")
    assert f"No such command '{name}'" in err
    assert meant in err.partition("Did you mean ")[2]


def test_an_unknown_command_without_similar_ones():
    assert "Did you mean" not in call("nonsense")[2]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device; free disk space and run again"),
        (
            OSError(errno.EROFS, "Read-only file system", "x/card.md"),
            "x/card.md: Read-only file system; choose",
        ),
        (PermissionError(errno.EACCES, "Permission denied", "x/card.md"), "x/card.md: Permission denied; check"),
        (OSError("something else"), "something else"),
        (MemoryError(), "the memory is used up"),
    ],
)
def test_errors_of_the_operating_system_are_one_line(corpus, tmp_path, monkeypatch, error, message):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("naturalproofs.io.outputs.write_atomic", fail)
    code, _, err = call("stats", corpus, "--card", tmp_path / "card.md")
    assert code == 1
    assert err.startswith(f"naturalproofs: error: {message}")
    assert err.count("\n") == 1


def test_a_full_disk_while_a_corpus_is_written(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("naturalproofs.corpus.store.write_jsonl", fail)
    code, _, err = call("build", "latex", primer_folder(), "-o", tmp_path / "out")
    assert code == 1
    assert err.count("\n") == 1
    assert "No space left on device" in err
    assert list(tmp_path.iterdir()) == []


def test_a_closed_pipe_is_no_error(corpus):
    script = f"import sys; from naturalproofs.apps.cli.main import run; run(['stats', {str(corpus)!r}])"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait()


@pytest.mark.parametrize(
    "arguments",
    [
        ("stats", "PROJECT"),
        ("stats", "PROJECT", "--format", "json"),
        ("show", "PROJECT", "t"),
        ("path", "PROJECT", "t"),
        ("impact", "PROJECT", "t"),
        ("check", "PROJECT", "--all"),
        ("graph", "PROJECT", "--format", "dot"),
        ("search", "PROJECT", "theorem"),
    ],
)
def test_escape_sequences_of_a_title_do_not_reach_the_terminal(tmp_path, arguments):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\section{A\x1b]0;x\x07}\\label{s\x1b[5m}\\label{s\x1b[5m}"
        "\\begin{theorem}[T\x1b[2J\x9b1m]\\label{t} A theorem\x1b[31m. \\ref{u\x1b[31m}\\end{theorem}\\end{document}"
    )
    code, out, err = call(*[tmp_path if argument == "PROJECT" else argument for argument in arguments])
    assert code in {0, 1}
    assert out
    assert not {"\x1b", "\x07", "\x9b"} & set(out + err)


def test_an_interrupt_leaves_nothing(tmp_path, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("naturalproofs.corpus.store.write_jsonl", stop)
    code, _, err = call("build", "latex", primer_folder(), "-o", tmp_path / "out")
    assert code == 130
    assert err.strip() == "naturalproofs: interrupted; no file was left half written"
    assert list(tmp_path.iterdir()) == []


INTERRUPTED = """
import os, runpy, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "naturalproofs.apps.cli.main":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
sys.argv = ["naturalproofs", "--version"]
runpy.run_module("naturalproofs", run_name="__main__")
"""


def test_an_interrupt_during_the_imports_prints_one_line():
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "naturalproofs: interrupted\n")


@pytest.mark.parametrize("name", MODULES)
def test_help(name):
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    command = cli.get_command(None, name)
    assert "\\b" not in result.output, "the mark that keeps examples on lines of their own is not for reading"
    assert all(option.help for option in command.params if option.param_type_name == "option")
    assert command.get_short_help_str(1000) in [commands[name][1] for commands in GROUPS.values() if name in commands]


def test_help_imports_nothing_heavy():
    script = (
        "import sys\nfrom naturalproofs.apps.cli.main import run\n"
        "try: run(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'torch', 'matplotlib', 'msgspec', 'networkx', 'lxml'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_console_script_and_module_start():
    done = subprocess.run(
        [sys.executable, "-m", "naturalproofs", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("naturalproofs, version ")


BASE_ONLY = """
import contextlib, io, json, sys

class OnlyBase:
    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package not in sys.stdlib_module_names and package not in ("click", "msgspec", "naturalproofs"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, OnlyBase())
from naturalproofs.apps.cli.main import run
for arguments in json.loads(sys.argv[1]):
    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run(arguments)
        except SystemExit as stop:
            code = stop.code
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""
IN_THE_BASE_INSTALL = [
    ("build latex PRIMER -o BUILT", None),
    ("check PRIMER", None),
    ("check PRIMER --watch", "editor"),
    ("course PRIMER thm:lagrange", None),
    ("doctor PRIMER --index", None),
    ("exercise PRIMER thm:lagrange", "rank"),
    ("export CORPUS --to beir -o BEIR", None),
    ("export CORPUS --to huggingface -o OUT", "parquet"),
    ("fetch --list", None),
    ("graph PRIMER --format dot", None),
    ("impact PRIMER thm:lagrange", None),
    ("merge CORPUS CORPUS2 -o MERGED", None),
    ("path PRIMER thm:lagrange", None),
    ("search PRIMER group", None),
    ("show PRIMER thm:lagrange", None),
    ("split CORPUS --recipe layers -o SPLIT", None),
    ("stats PRIMER", None),
    ("stats CORPUS --plots PLOTS", "plots"),
    ("audit CORPUS", "rank"),
    ("compare RUN RUN", "rank"),
    ("demo -o DEMO", "rank"),
    ("evaluate bm25 CORPUS", "rank"),
    ("evaluate hybrid CORPUS", "rank"),
    ("generate retrieve CORPUS", "rank"),
    ("leaderboard RUN -o BOARD", "rank"),
    ("outside PRIMER", None),
    ("notation PRIMER", None),
    ("collect PRIMER -o COLLECTED", "scale"),
    ("collections status", "scale"),
    ("lsp", "editor"),
    ("mcp CORPUS", "agents"),
    ("site CORPUS -o SITE", "web"),
    ("reproduce CORPUS", "rank"),
    ("serve CORPUS", "web"),
    ("suggest PRIMER --at thm:lagrange", "hybrid"),
    ("train hybrid CORPUS -o OUT", "rank"),
    ("tune bm25 CORPUS --try k1=1", "rank"),
]
"""Every command, with the extra that it names, or None if it does its work without one."""


def test_in_the_base_install_every_command_works_or_names_the_extra(corpus, tmp_path):
    assert {line.split()[0] for line, _ in IN_THE_BASE_INSTALL} == set(MODULES)
    assert call("build", "latex", primer_folder(), "-o", tmp_path / "CORPUS2", "-q")[0] == 0
    assert call("evaluate", "frequency", corpus, "-o", tmp_path / "RUN")[0] == 0
    places = {"PRIMER": str(primer_folder()), "CORPUS": str(corpus)}
    commands = [
        [places.get(word, str(tmp_path / word) if word.isupper() else word) for word in line.split()]
        for line, _ in IN_THE_BASE_INSTALL
    ]
    process = [sys.executable, "-c", BASE_ONLY, json.dumps(commands)]
    done = subprocess.run(process, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (line, extra), answer in zip(IN_THE_BASE_INSTALL, map(json.loads, done.stdout.splitlines()), strict=True):
        code, out, err = answer
        if extra is None:
            assert (code, bool(out + err)) == (0, True), (line, err)
        else:
            assert code == 1, (line, err)
            assert err.strip().split("\n")[-1].startswith("naturalproofs: error: "), line
            assert f"needs the extra '{extra}': " in err, line


def test_provenance_and_environments_of_a_project(tmp_path):
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\begin{kasten}\\label{k} A box.\\end{kasten}\\end{document}"
    )
    (tmp_path / "naturalproofs.toml").write_text('[about]\ntitle = "Boxes"\nlicence = "CC0-1.0"\n')
    arguments = ("build", "latex", tmp_path, "-o", tmp_path / "out")
    assert call(*arguments)[0] == 1
    assert call(*arguments, "--environments", "kasten=definition")[0] == 0
    provenance = json.loads((tmp_path / "out" / "manifest.json").read_text())["provenance"]
    assert (provenance["title"], provenance["licence"]) == ("Boxes", "CC0-1.0")
    assert json.loads(call("stats", tmp_path / "out", "--format", "json")[1])["definitions"] == 1
    code, _, err = call(*arguments, "--environments", "kasten=poem")
    assert code == 1
    assert "theorem, definition, other, proof, ignore" in err
    assert call(*arguments, "--environments", "kasten")[0] == 2
    assert call("build", "stacks", tmp_path, "-o", tmp_path / "x", "--environments", "a=theorem")[0] == 2
    (tmp_path / "naturalproofs.toml").write_text('[about]\nlicense = "MIT"\n')
    code, _, err = call(*arguments, "--environments", "kasten=definition")
    assert code == 1
    assert "unknown key 'license'" in err
