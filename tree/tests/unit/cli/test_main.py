"""The group of commands: the version, and options that are nearly right."""

import subprocess

import pytest

from conftest import ROOT
from naturalproofs import __version__
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
