"""The examples of the public API are correct: those of its page and those of its docstrings."""

import doctest
from importlib import import_module

import pytest

from conftest import ROOT

PAGE = ROOT / "docs" / "reference" / "python-api.md"


def test_the_examples_of_the_page():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried > 20
    assert failed == 0


@pytest.mark.parametrize(
    "name", ["naturalproofs.workspace.workspace", "naturalproofs.corpus.load", "naturalproofs.benchmark.evaluation"]
)
def test_the_examples_of_the_docstrings(name):
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0
