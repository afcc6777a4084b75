"""What `check` says about the Stacks project: a book of 7,000 pages whose authors take care."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.records import Rules
from naturalproofs.workspace import OpenCorpus, Workspace


def test_findings(real_corpus: Callable[[str, Rules], LoadedCorpus], real_source: Callable[[str], Path]) -> None:
    built = real_corpus("stacks", "fixed")
    opened = LoadedCorpus(built.corpus, built.unresolved, built.diagnostics, built.anchors, real_source("stacks"))
    report = Workspace.of([OpenCorpus(opened)]).check()
    # A chapter that a script makes is missing, and its labels are taken to be there; nothing is circular.
    rules = {"forward-reference": 16, "unfinished-text": 5}
    assert Counter(one.rule for one in report.findings) == rules
