"""The group of commands: the version, and options that are nearly right."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from conftest import ROOT
from naturalproofs import __version__
from naturalproofs.__main__ import main, report
from naturalproofs.apps.cli.main import cli
from support.command_line import call


def test_the_version_names_the_commit_of_a_checkout():
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    git = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    assert call("--version")[:2] == (0, f"naturalproofs, version {__version__} ({commit})\n")


def test_a_misspelt_option_gets_a_suggestion():
    code, _, err = call("search", "--knd", "x")
    assert code == 2
    assert "Did you mean '--kind'?" in err


def test_memory_that_runs_out_in_a_clean_up_is_not_reported(monkeypatch):
    reported = []
    monkeypatch.setattr(sys, "__unraisablehook__", lambda event: reported.append(event.exc_value))
    for error in (MemoryError(), other := ValueError("x")):
        report(SimpleNamespace(exc_value=error))
    assert reported == [other]


def test_memory_that_runs_out_while_an_error_is_printed_is_one_line(monkeypatch):
    def without_memory():
        raise MemoryError

    monkeypatch.setattr("naturalproofs.apps.cli.main.run", without_memory)
    with pytest.raises(SystemExit, match="the memory is used up"):
        main()


def test_a_length_that_is_no_number_ends_the_language_server_in_one_line():
    command = [sys.executable, "-m", "naturalproofs", "lsp"]
    given = f"Content-Length: {'9' * 5_000}\r\n\r\n"
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("naturalproofs: error: the editor: a message that cannot be read")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("can't start new thread"),
        RuntimeError("can't allocate read lock"),
        TypeError("stat: path should be string, bytes, os.PathLike or integer, not PosixPath"),
        TypeError("expected str, bytes or os.PathLike object, not PosixPath"),
        SystemError("error return without exception set"),
        SystemError("<built-in function any> returned NULL without setting an exception"),
    ],
)
def test_what_python_says_without_memory_is_an_error_of_one_line(monkeypatch, error):
    def failing(**_):
        raise error

    monkeypatch.setattr(cli, "main", failing)
    code, _, err = call("doctor")
    assert code == 1
    assert err.startswith("naturalproofs: error: the memory is used up")


@pytest.mark.parametrize("error", [TypeError("expected str, not PosixPath"), SystemError("x"), RuntimeError("x")])
def test_other_errors_of_these_types_are_not_hidden(monkeypatch, error):
    def failing(**_):
        raise error

    monkeypatch.setattr(cli, "main", failing)
    with pytest.raises(type(error)):
        call("doctor")
