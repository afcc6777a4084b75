"""Nobody's file is replaced by a slip: every option that names a file to write."""

import os
import shutil
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import pytest

from naturalproofs.apps.site.book import write_site
from naturalproofs.data import primer_folder
from support.command_line import call

OUTPUTS: dict[str, Sequence[str]] = {
    "baseline": ("check", "primer", "--write-baseline", "FILE"),
    "html": ("graph", "primer", "--format", "html", "-o", "FILE"),
    "dot": ("graph", "primer", "--format", "dot", "-o", "FILE"),
    "graphml": ("graph", "primer", "--format", "graphml", "-o", "FILE"),
    "card": ("stats", "primer", "--card", "FILE"),
    "trec": ("evaluate", "frequency", "primer", "--trec", "FILE"),
    "sequences": ("generate", "retrieve(ranker='frequency')", "primer", "-o", "FILE"),
    "trials": ("tune", "bm25", "primer", "--try", "k1=0.9", "-o", "FILE"),
    "export": ("export", "primer", "--to", "naturalproofs-json", "-o", "FILE"),
    "export-graphml": ("export", "primer", "--to", "graphml", "-o", "FILE"),
    "course": ("course", "primer", "thm:lagrange", "-o", "FILE.md"),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "primer"
    assert call("build", "latex", primer_folder(), "-o", folder, "-q")[0] == 0
    return folder


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_file_of_the_user_stays_unless_he_says_force(output: str, corpus: Path, tmp_path: Path) -> None:
    names = {"primer": str(corpus), "FILE": str(tmp_path / "main.tex"), "FILE.md": str(tmp_path / "main.md")}
    given = [names.get(one, one) for one in OUTPUTS[output]]
    file = Path(given[-1])
    file.write_text("precious")
    code, _, err = call(*given)
    assert (code, file.read_text()) == (1, "precious")
    assert "--force" in err
    assert call(*given, "--force")[0] == 0
    assert file.read_text() != "precious"
    assert call(*given)[0] == 0, "what a command wrote can be written again"
    with file.open("a") as stream:
        stream.write("a note")
    assert call(*given)[0] == 1


def test_a_baseline_of_another_machine_is_a_baseline(corpus: Path, tmp_path: Path) -> None:
    assert call("check", corpus, "--write-baseline", tmp_path / "a.json")[0] == 0
    shutil.copy(tmp_path / "a.json", tmp_path / "b.json")
    assert call("check", corpus, "--write-baseline", tmp_path / "b.json")[0] == 0


def _write_slowly(folder: Path, ready: object, end: object) -> None:
    def files():
        yield "index.html", b"first"
        ready.set()
        end.wait()
        os._exit(9)

    write_site(folder, "book", files())


def test_a_site_is_written_by_one_command_at_a_time_and_leftovers_go(tmp_path: Path) -> None:
    context = get_context("fork")
    ready, end = context.Event(), context.Event()
    process = context.Process(target=_write_slowly, args=(tmp_path / "public", ready, end))
    process.start()
    ready.wait()
    code, _, err = call("site", primer_folder(), "-o", tmp_path / "public")
    assert code == 1
    assert "another command" in err
    end.set()
    process.join()
    (tmp_path / "public" / "tag").mkdir()
    for name in ("tag/.0001.html.0123abcd.part", ".index.html.0123abcd.part"):
        (tmp_path / "public" / name).write_text("half")
    assert call("site", primer_folder(), "-o", tmp_path / "public")[0] == 0
    assert not list((tmp_path / "public").rglob("*.part"))


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5_000])
def test_files_that_no_parser_can_read_are_one_line(text: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\begin{theorem}x\\end{theorem}\\end{document}"
    )
    (tmp_path / "b.json").write_text(text)
    for arguments in (
        ("check", project, "--baseline", tmp_path / "b.json"),
        ("exercise", "grade", tmp_path / "b.json", "A"),
    ):
        code, _, err = call(*arguments)
        assert code == 1
        assert len(err.strip().splitlines()) == 1
    (project / "naturalproofs.toml").write_text(f"main = {text}")
    code, _, err = call("check", project)
    assert code == 1
    assert "not valid TOML" in err
