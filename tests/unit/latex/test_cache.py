"""The cache of documents: what is stored, when it is valid, and that reading from it gives the same."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from naturalproofs.records import Draft
from naturalproofs.sources.latex.project.project import LATEX, CachedDocument

HEAD = "\\documentclass{article}\n\\newtheorem{theorem}{Theorem}\n"
BODY = """\\begin{document}
\\begin{theorem}[One]\\label{a}A, by \\ref{b}.\\end{theorem}
\\begin{proof}\\label{p}See \\cref{b}.\\end{proof}
\\input{part}
\\begin{proof}[Proof of \\ref{b}]Clear.\\end{proof}
\\begin{proof}\\begin{equation}\\label{e}x\\end{equation}\\end{proof}
\\ref{open
\\end{document}
"""
PART = "\\begin{theorem}\\label{b}B.\\end{theorem}\n"


class Memory:
    """Stores documents as bytes, since reading changes what it is given."""

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}
        self.written = 0

    def get(self, main: str) -> CachedDocument | None:
        data = self.stored.get(main)
        return msgspec.json.decode(data, type=CachedDocument) if data is not None else None

    def put(self, document: CachedDocument) -> None:
        self.written += 1
        self.stored[document.main] = msgspec.json.encode(document)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(HEAD + BODY)
    (tmp_path / "part.tex").write_text(PART)
    return tmp_path


def read(folder: Path, memory: Memory | None, **environments: str) -> Draft:
    return replace(LATEX, cache=memory, environments=environments).read(folder, name="x", rules="fixed")


def test_a_cached_document_reads_the_same(project: Path) -> None:
    memory = Memory()
    fresh = read(project, None)
    assert read(project, memory) == fresh
    assert read(project, memory) == fresh
    assert memory.written == 1


def test_documents_that_use_one_another(project: Path) -> None:
    other = HEAD + "\\externaldocument[m-]{main}\\begin{document}\\begin{theorem}By \\ref{m-a}.\\end{theorem}\n"
    (project / "other.tex").write_text(other + "\\begin{proof}Clear.\\end{proof}\\end{document}")
    memory = Memory()
    fresh = read(project, None)
    assert [proof.position for s in fresh.statements for proof in s.proofs] == [1, 2, 3, 3]
    assert read(project, memory) == read(project, memory) == fresh
    assert memory.written == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("part.tex", PART + PART.replace("{b}", "{c}")),
        ("main.tex", HEAD + BODY.replace("One", "Two")),
        ("naturalproofs.toml", "[environments]\ntheorem = 'definition'\n"),
    ],
)
def test_a_change_makes_an_entry_outdated(project: Path, name: str, text: str) -> None:
    memory = Memory()
    before = read(project, memory)
    (project / name).write_text(text)
    after = read(project, memory)
    assert after == read(project, None) != before
    assert memory.written == 2


def test_a_file_that_is_found_elsewhere_makes_an_entry_outdated(project: Path) -> None:
    (project / "main.tex").write_text(HEAD + BODY.replace("\\input{part}", "\\input{part}\\input{late}"))
    memory = Memory()
    read(project, memory)
    (project / "late.tex").write_text("\\begin{theorem}\\label{late}L.\\end{theorem}\n")
    assert [s.label for s in read(project, memory).statements] == ["a", "b", "late"]


def test_overrides_are_part_of_an_entry(project: Path) -> None:
    memory = Memory()
    read(project, memory)
    assert {s.kind for s in read(project, memory, theorem="other").statements} == {"other"}
