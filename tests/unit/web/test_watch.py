"""A project that is edited while it is served."""

from pathlib import Path

import pytest

from naturalproofs.web.site import Site
from naturalproofs.web.watch import Watcher
from naturalproofs.workspace import Workspace

PAPER = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{lem:a} Every cyclic group is abelian. \end{lemma}
BODY
\end{document}
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.tex"
    path.write_text(PAPER.replace("BODY", ""), "utf-8")
    return path


def test_an_edit_is_seen(paper: Path) -> None:
    site = Site(Workspace.open(paper))
    watcher = Watcher(site)
    assert watcher.check() == []
    assert site.search("zebra", k=5).total == 0
    added = "\\begin{lemma}\\label{lem:b} Every zebra is a group. \\end{lemma}"
    paper.write_text(PAPER.replace("BODY", added), "utf-8")
    assert watcher.check() == ["paper"]
    assert watcher.check() == []
    assert [hit.card.label for hit in site.search("zebra", k=5).items][:1] == ["lem:b"]
    assert "paper:lem:b" in [one.statement.id for one in site.suggest("Every zebra is a group.", k=2)]


def test_what_cannot_be_read_changes_nothing(paper: Path, caplog: pytest.LogCaptureFixture) -> None:
    site = Site(Workspace.open(paper))
    watcher = Watcher(site)
    paper.unlink()
    assert watcher.check() == []
    assert "not read again" in caplog.text
    assert site.search("cyclic", k=5).total == 1
    paper.write_text(PAPER.replace("BODY", "\\begin{lemma} More. \\end{lemma}"), "utf-8")
    assert watcher.check() == ["paper"]
