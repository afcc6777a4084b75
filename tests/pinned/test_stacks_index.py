"""The index of the Stacks project: a lemma added to one of 108 documents is read from that document alone."""

import shutil
from collections.abc import Callable
from pathlib import Path

from naturalproofs.workspace import Workspace
from support.linked_documents import open_project

LEMMA = r"""
\begin{lemma}
\label{lemma-zebra}
Let $R$ be a purple zebra ring. Then every purple zebra module over $R$ is flat.
\end{lemma}

\begin{proof}
See Lemma \ref{lemma-flat-base-change}.
\end{proof}
"""


def test_an_added_lemma_touches_one_document_and_is_suggested(
    real_source: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tmp_path / "stacks"
    folder.mkdir()
    for file in real_source("stacks").glob("*.tex"):
        shutil.copy(file, folder)
    first = open_project(folder)
    assert first.work.documents == len(first.work.read) == 108
    before = {statement.id: statement for statement in first.corpus.statements}
    chapter = folder / "algebra.tex"
    text = chapter.read_text("utf-8")
    at = text.index("\\begin{lemma}", len(text) // 2)
    chapter.write_text(text[:at] + LEMMA + "\n" + text[at:], "utf-8")
    workspace = Workspace.open(folder)
    again = workspace.home
    assert {s.id for s in again.statements} - set(before) == {"stacks:algebra-lemma-zebra"}
    # Everything after it moved by one place, and kept what it cites.
    assert all(
        [p.references for p in s.proofs] == [p.references for p in before[s.id].proofs]
        for s in again.statements
        if s.id in before
    )
    # What the proof of so similar a lemma cites may come before the lemma itself.
    found = {item.statement.label: item for item in workspace.suggest("Purple zebra modules are flat.", k=3)}
    assert found["algebra-lemma-zebra"].citation == r"Lemma \ref{algebra-lemma-zebra}"
    assert "algebra-lemma-flat-base-change" in found
    unchanged = open_project(folder)
    assert not unchanged.work.read
    chapter.write_text(text, "utf-8")
    back = open_project(folder)
    assert back.work.read == ("algebra.tex",)
    assert back.corpus == first.corpus
