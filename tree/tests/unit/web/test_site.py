"""A project that is edited while it is served, and values that are computed once."""

import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from naturalproofs.apps.web.app import create_app
from naturalproofs.apps.web.site import Lazy, LiveSite, Site
from naturalproofs.benchmark.evaluation import Run, RunSpec
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.data import primer_folder
from naturalproofs.errors import UnknownName
from naturalproofs.records import Statement
from naturalproofs.tasks.measures.ranks import RankedQuery
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
    live = LiveSite(Site.of(Workspace.open(paper)))
    before = live.site
    assert not live.refresh()
    assert live.site is before
    added = "\\begin{lemma}\\label{lem:b} Every zebra is a group. \\end{lemma}"
    paper.write_text(PAPER.replace("BODY", added), "utf-8")
    assert live.refresh()
    assert not live.refresh()
    assert live.site.workspace.find("lem:b")[1].id == "paper:lem:b"
    assert "paper:lem:b" in [one.statement.id for one in live.site.suggest("Every zebra is a group.", k=2)]
    with pytest.raises(UnknownName):
        before.workspace.find("lem:b")


def test_an_edit_keeps_what_other_corpora_have_computed(paper: Path) -> None:
    live = LiveSite(Site.of(Workspace.open([paper, primer_folder()])))
    before = live.site
    paper.write_text(PAPER.replace("BODY", "\\begin{lemma} More. \\end{lemma}"), "utf-8")
    assert live.refresh()
    assert live.site.corpora[0] is not before.corpora[0]
    assert live.site.corpora[1] is before.corpora[1]


def test_pages_show_an_edit(paper: Path) -> None:
    live = LiveSite(Site.of(Workspace.open(paper)))
    with TestClient(create_app(live)) as client:
        assert client.get("/statement/lem:a").status_code == 200
        paper.write_text(PAPER.replace("lem:a", "lem:c"), "utf-8")
        live.refresh()
        assert client.get("/statement/lem:a").status_code == 404
        assert client.get("/statement/lem:c").status_code == 200


def test_what_cannot_be_read_changes_nothing(paper: Path, caplog: pytest.LogCaptureFixture) -> None:
    live = LiveSite(Site.of(Workspace.open(paper)))
    paper.unlink()
    assert not live.refresh()
    assert "not read again" in caplog.text
    assert live.site.workspace.search("cyclic", k=5).total == 1
    paper.write_text(PAPER.replace("BODY", "\\begin{lemma} More. \\end{lemma}"), "utf-8")
    assert live.refresh()


def test_a_value_is_made_once_by_whoever_asks() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    lazy = Lazy(make)
    threads = [threading.Thread(target=lazy) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lazy() == 1
    assert made == [1]


def test_an_error_is_not_kept() -> None:
    answers = iter([ValueError("no"), 7])

    def make() -> int:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    lazy = Lazy(make)
    with pytest.raises(ValueError, match="no"):
        lazy()
    assert lazy() == 7


def test_runs_that_are_saved_later_appear(tmp_path: Path) -> None:
    def save(method: str) -> None:
        spec = RunSpec(method, "c", "abc", "fixed", "test", "leaf", "clean", 0)
        query = RankedQuery("c:a#0", ("c:b",), (1,), 10, ("c:b",))
        Run(spec, (query,), 10, 1.0, {"mAP": 1.0}, {}).save(tmp_path / method)

    statement = Statement("c:a", "theorem", "a", "", ("x",))
    live = LiveSite(Site.of(Workspace.of([Corpus("c", (statement,), Provenance("latex", "fixed"))]), runs=tmp_path))
    assert live.site.tasks == ()
    save("one")
    assert live.refresh()
    assert [run.spec.method for task in live.site.tasks for run in task.runs] == ["one"]
    assert not live.refresh()
    save("two")
    assert live.refresh()
    assert len(live.site.tasks[0].runs) == 2
