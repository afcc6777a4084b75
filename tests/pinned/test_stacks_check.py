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
    assert Counter(one.rule for one in report.findings) == {"unfinished-text": 5}
    counts = Counter(one.rule for one in report.everything)
    assert (counts["forward-reference"], counts["statement-without-proof"]) == (16, 0)
