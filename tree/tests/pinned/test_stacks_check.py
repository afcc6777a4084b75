"""What `check` says about the Stacks project: a book of 7,000 pages whose authors take care."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Rules
from naturalproofs.workspace import Workspace


def test_findings(real_corpus: Callable[[str, Rules], Corpus], real_source: Callable[[str], Path]) -> None:
    built = replace(real_corpus("stacks", "fixed"), root=real_source("stacks"))
    report = Workspace.of([built]).check()
    # A chapter that a script makes is missing, and its labels are taken to be there; nothing is circular.
    rules = {"forward-reference": 16, "unfinished-text": 5}
    assert Counter(one.rule for one in report.findings) == rules
