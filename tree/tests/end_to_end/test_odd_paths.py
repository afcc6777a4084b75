"""Names that are not UTF-8, and links that lead to themselves: every command works and prints valid text."""

import json
import os
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from naturalproofs.apps.web.app import create_app
from naturalproofs.apps.web.site import LiveSite, Site
from naturalproofs.workspace import Workspace
from support.command_line import call

MAIN = r"""\documentclass{article}
\newtheorem{theorem}{Theorem}
\newtheorem{lemma}{Lemma}
\input{préambule}
\begin{document}
\section{Groupes}
\input{café}
\include{dés/inné}
\bibliography{biblé}
\end{document}
"""
FILES = {
    "mém.tex": MAIN,
    "préambule.tex": r"\newcommand{\order}{o}",
    "café.tex": r"\begin{lemma}\label{lem:order} A finite group has an order. \includegraphics{figé} \end{lemma}",
    "dés/inné.tex": r"""\begin{theorem}\label{thm:cyclic} A group of prime order is cyclic: $\order$. \end{theorem}
\begin{proof} By Lemma~\ref{lem:order}, \ref{nothing} and \cite{lang}. \end{proof}""",
    "biblé.bib": "@book{lang, title={Algebra}, author={Lang}, year={2002}}",
    "figé.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
}
NAMES = {r"m\xe9m.tex", r"pr\xe9ambule.tex", r"caf\xe9.tex", r"d\xe9s/inn\xe9.tex"}
"""How the LaTeX files are called in every output."""


def latin(name: str) -> str:
    """A name of a file whose bytes are Latin-1."""
    return os.fsdecode(name.encode("latin-1"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in Latin-1, with Latin-1 in the names of its files and of its folder."""
    folder = tmp_path / latin("thèse")
    for name, data in FILES.items():
        path = folder / latin(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode("latin-1"))
    return folder


def test_one_odd_name_among_others(tmp_path):
    (tmp_path / "main.tex").write_text(FILES["café.tex"].replace("é", "e"))
    (tmp_path / latin("café.tex")).write_text("x")
    for _ in range(2):
        code, out, err = call("check", tmp_path, "--select", "undefined-reference")
        assert (code, out) == (0, ""), err


@pytest.mark.parametrize("style", ["text", "json", "github", "sarif"])
def test_check_names_every_file(project, style):
    code, out, err = call("check", project, "--format", style)
    assert code == 1, err
    written = r"d\xe9s/inn\xe9.tex"
    assert {"json": json.dumps(written), "sarif": "/d%E9s/inn%E9.tex"}.get(style, written).strip('"') in out
    assert out.encode() + err.encode()
    assert call("check", project, "--format", style)[1] == out, "from the cache"


def test_every_command_prints_valid_text(project, tmp_path):
    odd = tmp_path / latin("outé")
    corpus, file = odd / latin("corpé"), project / latin("café.tex")
    for arguments in (
        ("build", "latex", project, "-o", corpus),
        ("export", corpus, "--to", "naturalproofs-json", "-o", odd / "np.json"),
        ("export", corpus, "--to", "beir", "-o", odd / latin("bé")),
        ("graph", project, "-o", odd / latin("gé.html")),
        ("search", project, "group", "--format", "json"),
        ("show", project, "thm:cyclic", "--format", "json"),
        ("suggest", project, "--at", "thm:cyclic", "--method", "bm25", "--format", "json"),
        ("suggest", project, "--at", latin("café.tex:1"), "--method", "bm25"),
        ("suggest", project, "--at", r"caf\xe9.tex:1", "--method", "bm25"),
        ("suggest", file, "--at", "1", "--method", "bm25"),
        ("site", project, "-o", odd / latin("sé")),
        ("doctor", project),
        ("outside", project),
        ("stats", corpus),
    ):
        code, out, err = call(*arguments)
        assert code == 0, (arguments, err)
        assert out.encode() + err.encode()
        assert "Error" not in err
    assert {one["path"] for one in json.loads((corpus / "manifest.json").read_bytes())["inputs"]} == NAMES
    assert list((odd / latin("sé") / "figure").glob("*.svg"))
    code, out, err = call("check", project / latin("garçon.tex"))
    assert code == 1
    assert err.endswith(r"gar\xe7on.tex: no such file or folder; give a folder, a file or an archive" + "\n")


def test_a_project_is_read_from_any_of_its_files_and_through_its_cache(project):
    chapter = Workspace.open(project / latin("dés") / latin("inné.tex"))
    whole, again = Workspace.open(project), Workspace.open(project)
    for workspace in (chapter, whole, again):
        home = workspace.home
        assert [str(one.origin) for one in home.statements] == [r"caf\xe9.tex:1", r"d\xe9s/inn\xe9.tex:1"]
        assert set(home.texts) == NAMES
        assert [entry.title for entry in home.bibliography] == ["Algebra"]
        assert "order" in home.macros
        assert msgspec.json.encode(home.statements)
    assert again.home.reading.work.read == (), "nothing is parsed again"
    (project / latin("café.tex")).write_text(r"\begin{lemma}\label{lem:new} New. \end{lemma}")
    changed = Workspace.open(project).home
    assert changed.reading.work.changes.changed == (r"caf\xe9.tex",)
    assert "lem:new" in changed.by_label


@pytest.mark.parametrize("rules", ["fixed", "paper"])
def test_books_with_odd_names(tmp_path, rules):
    (tmp_path / latin("café.tex")).write_text(FILES["café.tex"].replace("é", "e"))
    output = tmp_path / "corpus"
    assert call("build", "stacks", tmp_path, "-o", output, "--rules", rules)[0] == 0
    assert r"caf\\xe9.tex" in (output / "statements.jsonl").read_text("utf-8")


def test_pages_and_figures_are_served(project):
    site = Site.of(Workspace.open(project))
    with TestClient(create_app(LiveSite(site))) as client:
        for address in ("/", "/statement/lem:order", "/corpus/th%5Cxe8se", "/corpus/th%5Cxe8se/graph"):
            assert client.get(address).status_code == 200, address
        assert "/corpus/th%5Cxe8se/figure/fig%5Cxe9.svg" in client.get("/statement/lem:order").text
        assert client.get("/corpus/th%5Cxe8se/figure/fig%5Cxe9.svg").headers["content-type"] == "image/svg+xml"
        assert r"caf\xe9.tex" in client.get("/statement/lem:order").text


@pytest.mark.parametrize("text", ["", r"\input{loop}\include{folder/a}\bibliography{bib}\includegraphics{fig}"])
def test_links_to_themselves_are_left_out(tmp_path, text):
    body = FILES["café.tex"].replace("é", "e") + text
    (tmp_path / "main.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}")
    for name in ("loop.tex", "folder", "bib.bib", "fig.svg", "main.aux", "a.sty", "naturalproofs.toml", "a.ptx"):
        (tmp_path / name).symlink_to(name)
    for arguments in (("search", tmp_path, "group"), ("check", tmp_path), ("check", tmp_path, "--all")):
        code, out, err = call(*arguments)
        assert code == 0, err
        assert (r"\input{loop}: no such file in the project" in out) == bool(text and arguments[0] == "check")
    assert call("check", tmp_path / "loop.tex")[2].endswith("give a folder, a file or an archive\n")
    assert call("build", "latex", tmp_path, "-o", tmp_path / "corpus")[0] == 0


def test_a_folder_with_nothing_but_a_link_to_itself(tmp_path):
    (tmp_path / "loop.tex").symlink_to("loop.tex")
    code, _, err = call("check", tmp_path)
    assert code == 1
    assert err.count("\n") == 1
