"""The cache of a project: right after every change, and whatever happens to it."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from naturalproofs.corpus import store
from naturalproofs.corpus.load import load_corpus
from naturalproofs.data import primer_folder
from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.cache import evict, project_cache, size_on_disk
from naturalproofs.io.memory import DiskList, StoredList
from naturalproofs.sources.latex.project import project as latex_project
from naturalproofs.sources.reading import builders
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.object_cache import Cache
from naturalproofs.workspace.opening import project_of
from naturalproofs.workspace.project import cached_state, load_manifest, read_project
from support.linked_documents import open_project
from support.lint_projects import write_project

CHAPTERS = {
    "one": r"\section{One}\begin{lemma}[Zorn]\label{lem:one} Maximal. \end{lemma}\begin{proof} Clear. \end{proof}",
    "two": r"\begin{theorem}\label{thm:two} Bases exist. \end{theorem}\begin{proof} By \cref{lem:one}. \end{proof}",
}


def status(path):
    return cached_state(path, Cache.of(path))


def cache_folder_of(path):
    return Cache.of(path).folder


@pytest.fixture
def project(tmp_path):
    return write_project(tmp_path, "\\input{one}\n\\input{two}", **CHAPTERS)


@pytest.fixture
def documents(tmp_path):
    """Three documents that use one another's labels."""
    (tmp_path / "common.tex").write_text(
        "\\documentclass{article}\\usepackage{xr}\n\\newtheorem{lemma}{Lemma}\n"
        + "".join(f"\\externaldocument[{name}-]{{{name}}}\n" for name in ("a", "b", "c"))
    )
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.tex").write_text(
            f"\\input{{common}}\n\\begin{{document}}\n\\title{{{name}}}\n"
            f"\\begin{{lemma}}\\label{{l}} About {name}. \\end{{lemma}}\n"
            f"\\begin{{proof}} By \\ref{{{other}-l}}. \\end{{proof}}\n\\end{{document}}\n"
        )
    return tmp_path


def same_as_read(path, indexed):
    """What the index gives is what reading everything fresh gives."""
    fresh = load_corpus(path)
    assert indexed.corpus == replace(fresh, root=indexed.corpus.root)


def test_a_project_is_kept_and_opened_again(project):
    first = open_project(project)
    assert first.work.fresh
    assert first.work.read == ("main.tex",)
    again = open_project(project)
    assert not again.work.read
    assert not again.work.fresh
    assert again.corpus == first.corpus
    assert again.macros == first.macros
    same_as_read(project, again)


def test_the_cache_is_not_inside_the_project(project):
    before = sorted(project.parent.rglob("*"))
    assert open_project(project).work.cached
    assert sorted(project.parent.rglob("*")) == before


def test_git_ignores_a_cache_beside_the_project(project, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE_BESIDE", "1")
    open_project(project)
    assert not open_project(project).work.read
    assert (project.parent / ".naturalproofs" / ".gitignore").read_text().splitlines()[-1] == "*"


@pytest.mark.parametrize(
    "edit",
    [
        lambda folder: (folder / "two.tex").write_text(CHAPTERS["two"].replace("Bases", "Bases always")),
        lambda folder: (folder / "one.tex").write_text(CHAPTERS["one"].replace("lem:one", "lem:uno")),
        lambda folder: (folder / "two.tex").unlink(),
        lambda folder: (folder / "naturalproofs.toml").write_text("[environments]\nlemma = 'definition'\n"),
        lambda folder: (folder / "main.aux").write_text("\\newlabel{lem:one}{{VII}{1}}\n"),
    ],
    ids=["text", "label", "gone", "settings", "numbers"],
)
def test_every_change_is_seen(project, edit):
    open_project(project)
    edit(project.parent)
    known = status(project)
    assert known is not None
    assert known[1]
    same_as_read(project, open_project(project))
    assert not status(project)[1]


def test_a_file_that_was_missing_is_noticed_when_it_comes(tmp_path):
    main = write_project(tmp_path, "\\input{late}\n\\begin{lemma} A. \\end{lemma}")
    assert len(open_project(main).corpus.statements) == 1
    (tmp_path / "late.tex").write_text(r"\begin{lemma} B. \end{lemma}")
    assert len(open_project(main).corpus.statements) == 2


def test_only_the_document_that_changed_is_read(documents):
    first = open_project(documents)
    assert first.work.documents == 3
    same_as_read(documents, first)
    text = (documents / "b.tex").read_text()
    (documents / "b.tex").write_text(
        text.replace("\\end{document}", "\\begin{lemma}\\label{new} New. \\end{lemma}\\end{document}")
    )
    again = open_project(documents)
    assert again.work.read == ("b.tex",)
    assert again.work.changes.changed == ("b.tex",)
    same_as_read(documents, again)


def test_a_change_of_the_common_preamble_reads_everything(documents):
    open_project(documents)
    (documents / "common.tex").write_text((documents / "common.tex").read_text() + "\\newcommand{\\x}{y}\n")
    again = open_project(documents)
    assert set(again.work.read) == {"a.tex", "b.tex", "c.tex"}
    same_as_read(documents, again)


def test_documents_that_come_and_go(documents):
    open_project(documents)
    text = (documents / "c.tex").read_text()
    (documents / "c.tex").unlink()
    same_as_read(documents, open_project(documents))
    (documents / "c.tex").write_text(text)
    same_as_read(documents, open_project(documents))


@pytest.mark.parametrize("damage", ["garbage", "truncated", "missing", "version", "manifest", "directory"])
def test_a_damaged_index_is_made_anew(project, damage):
    first = open_project(project)
    folder = cache_folder_of(project)
    objects = sorted((folder / "objects").iterdir())
    assert len(objects) == 2
    for one in objects:
        if damage == "garbage":
            one.write_bytes(b"\xff\x00nonsense")
        elif damage == "truncated":
            one.write_bytes(one.read_bytes()[:-7])
        elif damage == "missing":
            one.unlink()
    if damage == "version":
        manifest = folder / "manifest.json"
        manifest.write_bytes(manifest.read_bytes().replace(b"cache ", b"cache 0"))
    elif damage == "manifest":
        (folder / "manifest.json").write_bytes(b"{")
    elif damage == "directory":
        shutil.rmtree(folder / "objects")
    assert open_project(project).corpus == first.corpus
    healed = open_project(project)
    assert not healed.work.read
    assert healed.corpus == first.corpus


def test_a_folder_that_cannot_be_written_to_keeps_nothing(project, tmp_path, monkeypatch):
    (tmp_path / "blocked").write_text("in the way")
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "blocked"))
    indexed = open_project(project)
    assert not indexed.work.cached
    same_as_read(project, indexed)


@pytest.mark.parametrize("beside", ["", "1"])
@pytest.mark.parametrize("link", ["", "main-main", "main-main/objects", "main-main/search", "main-main/scorers"])
def test_links_inside_a_project_are_never_followed(project, tmp_path, monkeypatch, beside, link):
    """An untrusted project must not make us delete, replace or create files elsewhere."""
    victim = tmp_path / "victim"
    victim.mkdir()
    names = ["thesis.tex", "0" * 32, ".gitignore", "manifest.json"]
    for name in names:
        (victim / name).write_text("precious")
    place = project.parent / ".naturalproofs" / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(victim)
    monkeypatch.setenv("NATURALPROOFS_CACHE_BESIDE", beside)
    for text in (CHAPTERS["two"], CHAPTERS["two"].replace("Bases", "Some")):
        (project.parent / "two.tex").write_text(text)
        Workspace.open(project).prepare(search=True)
    assert sorted(os.listdir(victim)) == sorted(names)
    assert {(victim / name).read_text() for name in names} == {"precious"}


def test_only_files_of_the_cache_are_swept(project):
    open_project(project)
    objects = cache_folder_of(project) / "objects"
    (objects / "notes.txt").write_text("mine")
    (objects / ("f" * 32)).write_text("old object")
    (project.parent / "two.tex").write_text(CHAPTERS["two"] + "%")
    open_project(project)
    assert (objects / "notes.txt").read_text() == "mine"
    assert not (objects / ("f" * 32)).exists()


def test_nothing_is_kept_inside_the_package():
    open_project(primer_folder())
    assert not (primer_folder() / ".naturalproofs").exists()


def test_old_objects_are_swept(project):
    for word in ("Some", "Other", "Third"):
        (project.parent / "two.tex").write_text(CHAPTERS["two"].replace("Bases", word))
        open_project(project)
    assert len(list((cache_folder_of(project) / "objects").iterdir())) == 2


def test_processes_at_once_leave_a_good_index(project):
    script = (
        "import sys; from pathlib import Path; from naturalproofs.workspace import Workspace\n"
        "for i in range(5):\n"
        "    (Path(sys.argv[1]).parent / 'two.tex').write_text(sys.argv[2] + ' %% ' + str(i))\n"
        "    assert len(Workspace.open(sys.argv[1]).home.statements) in (1, 2)\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(project), CHAPTERS["two"] + str(i)]) for i in range(3)
    ]
    assert [process.wait(120) for process in running] == [0, 0, 0]
    same_as_read(project, open_project(project))
    assert load_manifest(Cache.of(project)) is not None


def test_a_process_that_dies_at_any_write_leaves_a_good_cache(tmp_path):
    folder = tmp_path / "primer"
    shutil.copytree(primer_folder(), folder)
    script = (
        "import os, sys; from naturalproofs.io.files import Directory\n"
        "from naturalproofs.workspace import Workspace\n"
        "left = int(sys.argv[2]); write = Directory.write\n"
        "def dying(self, name, data):\n"
        "    global left\n"
        "    left -= 1\n"
        "    if left < 0: os._exit(9)\n"
        "    write(self, name, data[: len(data) // 2] if left == 0 and sys.argv[3] == 'torn' else data)\n"
        "Directory.write = dying\n"
        "Workspace.open(sys.argv[1])\n"
    )
    for writes in range(3):
        for kind in ("whole", "torn"):
            subprocess.run([sys.executable, "-c", script, str(folder), str(writes), kind], check=False)
            same_as_read(folder, open_project(folder))
            shutil.rmtree(cache_folder_of(folder))


def test_a_chapter_leads_to_its_project(project, documents):
    assert project_of(project.parent / "two.tex") == project
    open_project(project)
    assert project_of(project.parent / "two.tex") == project
    assert project_of(project) == project


def test_one_of_several_documents_leads_to_them_all(documents):
    assert project_of(documents / "a.tex") == documents
    open_project(documents)
    assert project_of(documents / "a.tex") == documents


def test_a_magic_comment_names_the_main_file(tmp_path):
    main = write_project(tmp_path, "\\input{parts/x}")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "x.tex").write_text("% !TeX root = ../main.tex\nText.\n")
    assert project_of(tmp_path / "parts" / "x.tex").resolve() == main.resolve()


def test_a_subfile_leads_to_its_main_file(tmp_path):
    main = write_project(tmp_path, "\\subfile{parts/x}")
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "x.tex"
    part.write_text("\\documentclass[../main]{subfiles}\\begin{document}Text.\\end{document}\n")
    assert project_of(part).resolve() == main.resolve()


def test_a_repository_is_the_farthest_place_for_a_main_file(tmp_path):
    write_project(tmp_path, "\\input{inner/x}")
    (tmp_path / "inner" / ".git").mkdir(parents=True)
    part = tmp_path / "inner" / "x.tex"
    part.write_text("Text.\n")
    assert project_of(part) == part


def test_files_above_the_main_file_are_part_of_the_project(tmp_path):
    (tmp_path / "paper").mkdir()
    (tmp_path / "header.tex").write_text("\\newtheorem{satzx}{Satz}")
    main = tmp_path / "paper" / "main.tex"
    main.write_text(
        "\\documentclass{article}\\input{../header}\\begin{document}\\begin{satzx}S.\\end{satzx}\\end{document}"
    )
    first, again = open_project(main), open_project(main)
    assert first.corpus.root == again.corpus.root == tmp_path
    assert again.work.read == ()
    (tmp_path / "header.tex").write_text("\\newtheorem{satzx}{Definition}")
    assert [s.kind for s in open_project(main).corpus.statements] == ["definition"]


def test_another_main_file_is_noticed(tmp_path):
    write_project(tmp_path, r"\begin{lemma}\label{lem:a} One. \end{lemma}")
    assert open_project(tmp_path).corpus.summary == "reading main.tex"
    other = (tmp_path / "main.tex").read_text().replace("lem:a", "lem:b").replace("One", "Two")
    (tmp_path / "other.tex").write_text(other)
    state = open_project(tmp_path)
    assert [s.label for s in state.corpus.statements] == ["lem:a", "lem:b"]
    assert state.corpus.summary == "reading main.tex, other.tex"


def test_a_file_that_leads_nowhere_is_read_by_itself(tmp_path):
    for name in ("mine", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "other" / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\input{a\\n}\\end{document}"
    )
    alone = tmp_path / "mine" / "alone.tex"
    alone.write_text("Nothing here.")
    assert project_of(alone) == alone
    with pytest.raises(NaturalProofsError, match="no statements found"):
        open_project(alone)


def test_the_primer_is_the_same_through_its_index(tmp_path):
    folder = tmp_path / "primer"
    shutil.copytree(primer_folder(), folder)
    open_project(folder)
    chapter = folder / "chapters" / "groups.tex"
    chapter.write_text(chapter.read_text("utf-8") + "\n\\begin{lemma}\\label{lem:new} Fresh. \\end{lemma}\n", "utf-8")
    again = open_project(folder)
    same_as_read(folder, again)
    assert Path(again.corpus.root) == folder


def test_programs_of_one_file_use_what_another_one_defines(tmp_path):
    main = tmp_path / "main.tex"
    (tmp_path / "tools.sty").write_text(
        r"\ExplSyntaxOn\NewDocumentCommand\letters{mm}{\tl_map_inline:nn{#1}{\cs_new:cpn{#2##1}{\mathbb{##1}}}}"
    )
    main.write_text(
        r"\documentclass{article}\usepackage{tools}\letters{AB}{b}\newtheorem{theorem}{T}"
        r"\begin{document}\begin{theorem}x\end{theorem}\end{document}"
    )
    assert macro_names(open_project(main)) >= {"bA", "bB"}
    main.write_text(main.read_text().replace("{AB}", "{ABC}"))
    assert macro_names(open_project(main)) >= {"bA", "bB", "bC"}


def macro_names(state):
    return {name for macros in state.macros.values() for name in macros}


def test_the_statements_of_a_large_project_stay_on_disk(project, monkeypatch):
    whole, _ = read_project(project)
    monkeypatch.setattr(builders, "MAX_HELD", 50)
    monkeypatch.setattr(latex_project, "MAX_HELD", 50)
    monkeypatch.setattr(store, "LARGE", 50)
    first, again = open_project(project), open_project(project)
    assert isinstance(first.corpus.statements, DiskList)
    assert isinstance(again.corpus.statements, StoredList)
    assert again.work.read == ()
    stored = cache_folder_of(project) / "objects" / load_manifest(Cache.of(project)).statements
    stored.write_bytes(stored.read_bytes().replace(b"Maximal", b"Minimal"))
    for state in (first, again, open_project(project)):
        assert state.corpus == replace(whole, statements=state.corpus.statements, unresolved=state.corpus.unresolved)
    same_as_read(project, open_project(project))
    project.with_name("one.tex").write_text(CHAPTERS["one"].replace("Clear", "Obvious"))
    edited = open_project(project)
    assert edited.work.read == ("main.tex",)
    same_as_read(project, edited)


def test_a_project_in_daily_use_is_not_the_first_to_go(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    for name in ("daily", "once"):
        (tmp_path / name).mkdir()
        main = write_project(tmp_path / name, r"\begin{lemma} A. \end{lemma}")
        Workspace.open(main)
        os.utime(project_cache(main.parent), (1000 if name == "daily" else 2000,) * 2)
    daily, once = (project_cache(tmp_path / name) for name in ("daily", "once"))
    opened = Workspace.open(tmp_path / "daily" / "main.tex")
    assert daily.stat().st_mtime > once.stat().st_mtime
    os.utime(daily, (1000, 1000))
    opened.refresh()
    evict((tmp_path / "cache" / "projects").iterdir(), size_on_disk(daily))
    assert daily.is_dir()
    assert not once.is_dir()


def test_the_encoding_that_the_main_file_declares_is_noticed_when_it_changes(tmp_path):
    body = "\\newtheorem{t}{T}\\begin{document}\\input{a}\\end{document}"
    main = "\\documentclass{article}\\usepackage[latin1]{inputenc}" + body
    (tmp_path / "main.tex").write_text(main)
    part = "\\newcommand{\\word}{Лемма}\\begin{t}\\label{a}Число.\\end{t}"
    (tmp_path / "a.tex").write_bytes(part.encode("cp1251"))
    assert Workspace.open(tmp_path).home.statements[0].text != "Число."
    (tmp_path / "main.tex").write_text(main.replace("latin1", "cp1251"))
    opened = Workspace.open(tmp_path).home
    assert [one.text for one in opened.statements] == ["Число."]
    assert opened.texts["a.tex"] == part
    assert opened.macros["word"].body == "Лемма"
