"""A project that is edited while it is served."""

from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.web.site import Site
from naturalproofs.web.watch import Watcher
from naturalproofs.workspace.kept import MOST, kept_folder
from naturalproofs.workspace.library import Library

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
    site = Site(Library.open([paper]))
    watcher = Watcher(site, [str(paper)], None)
    assert watcher.check() == []
    assert site.search("zebra", k=5).total == 0
    added = "\\begin{lemma}\\label{lem:b} Every zebra is a group. \\end{lemma}"
    paper.write_text(PAPER.replace("BODY", added), "utf-8")
    assert watcher.check() == ["paper"]
    assert watcher.check() == []
    assert [hit.card.label for hit in site.search("zebra", k=5).items][:1] == ["lem:b"]
    assert "paper:lem:b" in [one.statement.id for one in site.suggest("Every zebra is a group.", k=2)]


def test_what_cannot_be_read_changes_nothing(paper: Path, caplog: pytest.LogCaptureFixture) -> None:
    site = Site(Library.open([paper]))
    watcher = Watcher(site, [str(paper)], None)
    paper.unlink()
    assert watcher.check() == []
    assert "not read again" in caplog.text
    assert site.search("cyclic", k=5).total == 1
    paper.write_text(PAPER.replace("BODY", ""), "utf-8")
    assert watcher.check() == ["paper"]


def test_what_is_kept_does_not_grow_for_ever(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    corpus = Corpus("c", (), Provenance("latex", "fixed"))
    for number in range(MOST + 5):
        (tmp_path / f"{number:016x}").mkdir(exist_ok=True)
    last = kept_folder(tmp_path, corpus)
    names = {path.name for path in tmp_path.iterdir()}
    assert last is not None
    assert {last.name, "mine"} <= names
    assert len(names) == MOST + 1
