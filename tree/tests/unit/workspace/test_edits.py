"""A project of several documents after an edit: as if everything had been read, though only what changed was."""

import shutil

import pytest

from naturalproofs.io.files import Directory
from naturalproofs.workspace import Workspace
from naturalproofs.workspace import project as opening
from naturalproofs.workspace.object_cache import Cache
from naturalproofs.workspace.project import load_manifest
from support.linked_documents import assert_as_if_new, cached_files, open_project, write_documents

BODIES = {
    "a": r"""
\begin{lemma}\label{l} Zero. \begin{equation}\label{eq} x = 0 \end{equation} \end{lemma}
\begin{proof} By \ref{b-l} and \cite{knuth}. \end{proof}""",
    "b": r"""
\newcommand{\old}{o}
\begin{lemma}\label{l} One, see \ref{a-eq}. \end{lemma}
\begin{proof} By \ref{c-l}, \ref{c-none} and \cite{euler}. \end{proof}
\begin{lemma} Nobody calls it by name. \end{lemma}""",
    "c": r"""
\begin{lemma}\label{l} Two. \end{lemma}\begin{proof} By \ref{a-l} and \cite{knuth}. \end{proof}
\begin{lemma}\label{m} Three. \end{lemma}\begin{proof}[Proof of Lemma \ref{l}] Again, by \ref{b-l}. \end{proof}""",
}


@pytest.fixture
def folder(tmp_path):
    write_documents(tmp_path / "works", BODIES)
    open_project(tmp_path / "works")
    return tmp_path / "works"


def edit(folder, name, old, new):
    file = folder / f"{name}.tex"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


PLAIN = {
    "text": ("a", "Zero", "Nought"),
    "lemma before others": ("a", "\\begin{lemma}", "\\begin{lemma}\\label{n} New. \\end{lemma}\n\\begin{lemma}"),
    "lemma taken out": ("c", "\\begin{lemma}\\label{m} Three. \\end{lemma}", ""),
    "label renamed": ("a", "\\label{l}", "\\label{k}"),
    "label that others miss": ("c", "\\label{m}", "\\label{none}"),
    "label moved to another statement": ("b", "\\label{l} One", "One"),
    "equation gone": ("a", "\\label{eq}", ""),
    "bibliography": ("a", "\\cite{knuth}", "\\cite{gauss}"),
    "proof without statement": ("c", "\\title{c}", "\\title{c}\n\\begin{proof} Of what? \\end{proof}"),
    "broken": ("b", "\\end{lemma}", ""),
    "macro": ("b", "\\newcommand{\\old}{o}", "\\newcommand{\\new}{n}"),
}


@pytest.mark.parametrize("change", PLAIN.values(), ids=PLAIN)
def test_only_changed_documents_are_read_and_the_cache_is_as_if_new(folder, change):
    edit(folder, *change)
    indexed = open_project(folder)
    assert indexed.work.read == (f"{change[0]}.tex",)
    assert_as_if_new(folder, indexed)
    again = open_project(folder)
    assert not again.work.read
    assert again.corpus == indexed.corpus


def test_edits_one_after_another(folder):
    for change in PLAIN.values():
        if change[1] in (folder / f"{change[0]}.tex").read_text():
            edit(folder, *change)
            assert_as_if_new(folder, open_project(folder))


UNUSUAL = {
    "further file": ("b", "\\title{b}", "\\title{b}\\input{common}\\input{missing}"),
    "proof of a statement elsewhere": ("c", "Lemma \\ref{l}", "Lemma \\ref{a-l}"),
    "label that stands twice": ("c", "\\label{m}", "\\label{l}"),
    "range": ("c", "Three.", "Three, \\crefrange{l}{m}."),
    "label of a document that is not there": ("c", "Three.", "Three, \\ref{far-x}."),
    "document that becomes a part": ("a", "\\title{a}", "\\title{a}\\input{b}"),
    "other prefixes": ("a", "\\input{common}", "\\input{common}\\externaldocument[z-]{c}"),
    "no document any more": ("a", "\\begin{document}", ""),
}


@pytest.mark.parametrize("change", UNUSUAL.values(), ids=UNUSUAL)
def test_where_documents_depend_on_one_another_the_cache_is_right_too(folder, change):
    edit(folder, *change)
    assert_as_if_new(folder, open_project(folder))
    edit(folder, "b", "One", "Another one")
    assert_as_if_new(folder, open_project(folder))


@pytest.mark.parametrize("damage", [b"", b"\xff\x00", None], ids=["empty", "garbage", "missing"])
def test_a_damaged_document_is_read_again(folder, damage):
    name = load_manifest(Cache.of(folder)).documents["b.tex"]
    file = Cache.of(folder).folder / "objects" / name
    file.unlink() if damage is None else file.write_bytes(damage)
    edit(folder, "a", "Zero", "Nought")
    assert_as_if_new(folder, open_project(folder))


def without_stamps(folder):
    """The cached arrays, without the inodes and times of their files."""
    return {name: data for name, data in cached_files(folder, "scorers").items() if not name.endswith("stamps.json")}


def test_what_suggests_is_renewed_as_if_made_anew(folder):
    Workspace.open(folder).prepare()
    edit(
        folder,
        "a",
        "\\begin{lemma}",
        "\\begin{lemma}\\label{zebra} Every purple zebra is flat. \\end{lemma}\\begin{lemma}",
    )
    Workspace.open(folder).prepare()
    renewed = without_stamps(folder)
    assert renewed
    shutil.rmtree(Cache.of(folder).folder)
    Workspace.open(folder).prepare()
    assert renewed == without_stamps(folder)


def test_a_writing_that_is_cut_short_leaves_the_index_before(folder, monkeypatch):
    before = cached_files(folder)
    edit(folder, "a", "Zero", "Nought")
    with monkeypatch.context() as patch:
        patch.setattr(Directory, "write", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
        assert not open_project(folder).work.cached
    after = cached_files(folder)
    assert {name: after[name] for name in before} == before
    assert_as_if_new(folder, open_project(folder))


def test_a_shared_file_that_changes_meanwhile_is_not_taken_for_the_old_one(folder, monkeypatch):
    edit(folder, "a", "Zero", "Nought")
    compare = opening.compare

    def compare_and_edit(*arguments):
        found = compare(*arguments)
        edit(folder, "common", "{Lemma}", "{Remark}")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(opening, "compare", compare_and_edit)
        open_project(folder)
    assert_as_if_new(folder, open_project(folder))
