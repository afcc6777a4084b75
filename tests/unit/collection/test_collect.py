"""Collecting: equal whatever reads, nothing lost by kills, nothing read twice, bad projects reported."""

import errno
import io
import os
import re
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

import lance

from naturalproofs.apps.collections import indexing, is_collection, tables
from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.collections.collect import CollectReport, collect, read_locally
from naturalproofs.apps.collections.read import (
    Limits,
    ProjectSource,
    ReadProject,
    ReadTask,
    find_projects,
    named,
    read_project,
)
from naturalproofs.apps.collections.tables import Collection, writing
from naturalproofs.apps.collections.upkeep import maintain
from naturalproofs.errors import CollectionDamaged, NotACollection, OutputInTheWay, SourceNotFound

DOCUMENT = r"""\documentclass{article}\newtheorem{theorem}{Theorem}\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{lem:a} Every finite group of order %d is solvable. \end{lemma}
\begin{theorem}\label{thm:b} Let $G$ be a group number %d. Then $G$ is nice. \end{theorem}
\begin{proof} By \ref{lem:a}. \end{proof}
\end{document}
"""


def in_this_process(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
    return map(read_project, tasks)


def packed(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name.replace("_", "."))
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder of projects: folders, archives, and three that cannot be read."""
    folder = tmp_path / "sources"
    for number in range(4):
        (folder / f"folder{number}").mkdir(parents=True)
        (folder / f"folder{number}" / "main.tex").write_text(DOCUMENT % (number, number))
    (folder / "paper.tar.gz").write_bytes(packed(main_tex=(DOCUMENT % (10, 10)).encode()))
    (folder / "nothing").mkdir()
    (folder / "nothing" / "main.tex").write_text(r"\documentclass{article}\begin{document}Words.\end{document}")
    (folder / "broken.tar.gz").write_bytes(b"\x1f\x8b not an archive")
    (folder / "printed.gz").write_bytes(b"%PDF-1.4 not LaTeX")
    return folder


def rows(address: Path, table: str = "statements", *, vectors: bool = True) -> list[dict[str, Any]]:
    """All rows of a table in an order of their own."""
    found = Collection.open(address).table(table).to_table().to_pylist()
    left_out = {"seconds", "stamp"} if vectors else {"seconds", "stamp", "vector"}
    return sorted(({k: v for k, v in row.items() if k not in left_out} for row in found), key=repr)


def counts(report: CollectReport) -> tuple[int, int, int, int]:
    return report.read, report.unchanged, report.empty, report.failed


def test_projects_of_a_folder(sources: Path) -> None:
    names = [one.name for one in find_projects([sources])]
    assert names == ["broken", "folder0", "folder1", "folder2", "folder3", "nothing", "paper", "printed"]
    assert [one.name for one in find_projects([sources / "folder1", sources / "paper.tar.gz"])] == ["folder1", "paper"]


def test_names_are_unique(sources: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "folder0").mkdir(parents=True)
    (other / "folder0" / "a.tex").write_text("x")
    found = list(find_projects([sources / "folder0", other, other]))
    assert [one.name for one in named(found, {})] == ["folder0", "other/folder0"]
    known = {"folder0": found[1].place, "sources/folder0": "/there/folder0", "x": found[0].place}
    assert [one.name for one in named(found, known)] == ["x", "folder0"]
    odd = [replace(found[0], path="/folder0"), replace(found[0], path=":/folder0"), replace(found[0], path="-/folder0")]
    assert [one.name for one in named(odd, {})] == ["folder0", "-/folder0", "folder0-2"]


def test_missing_source(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="no such file"):
        list(find_projects([tmp_path / "none"]))


def test_rows_of_a_project(sources: Path, tmp_path: Path) -> None:
    collect([sources / "folder2"], tmp_path / "c", in_this_process)
    lemma, theorem = sorted(
        Collection.open(tmp_path / "c").table("statements").to_table().to_pylist(), key=lambda r: r["id"]
    )
    assert lemma["id"] == "folder2:lem:a"
    assert theorem["cited"] == ["folder2:lem:a"]
    assert (theorem["proofs"], theorem["position"], theorem["file"], theorem["line"]) == (1, 1, "main.tex", 4)
    assert "solvable" in lemma["tokens"].split()
    assert rows(tmp_path / "c", "edges") == [
        {"project": "folder2", "citing": "folder2:thm:b", "cited": "folder2:lem:a", "proof": 0, "rank": 0}
    ]


def test_bad_projects_are_reported(sources: Path, tmp_path: Path) -> None:
    report = collect([sources], tmp_path / "c", in_this_process)
    assert counts(report) == (5, 0, 1, 2)
    assert "damaged" in report.problems["broken"]
    assert "PDF" in report.problems["printed"]
    assert report.statements == 10
    assert {row["name"]: row["status"] for row in rows(tmp_path / "c", "projects")}["nothing"] == "empty"


def test_worker_processes_give_the_same_rows(sources: Path, tmp_path: Path) -> None:
    collect([sources], tmp_path / "one", in_this_process)
    collect([sources], tmp_path / "two", lambda tasks: read_locally(tasks, 2, recycled=2))
    for table in ("statements", "edges", "projects", "duplicates"):
        assert rows(tmp_path / "one", table) == rows(tmp_path / "two", table)


def test_killed_workers_lose_nothing(sources: Path, tmp_path: Path) -> None:
    def killing(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
        for number, found in enumerate(read_locally(tasks, 2)):
            if number in {0, 2}:
                for worker in active_children():
                    os.kill(worker.pid or 0, signal.SIGKILL)
            yield found

    collect([sources], tmp_path / "one", in_this_process)
    report = collect([sources], tmp_path / "two", killing)
    assert counts(report) == (5, 0, 1, 2)
    assert rows(tmp_path / "one") == rows(tmp_path / "two")


class EndsItsReader:
    """A project whose reader always dies."""

    name = path = "deadly"

    def __reduce__(self) -> tuple[Any, tuple[int]]:
        return os._exit, (3,)


def test_a_project_that_ends_its_workers_is_given_up(sources: Path) -> None:
    deadly: Any = EndsItsReader()
    tasks = [ReadTask(deadly), *(ReadTask(one) for one in find_projects([sources / "folder0"]))]
    found = {one.source.name: one for one in read_locally(tasks, 1)}
    assert found["folder0"].status == "read"
    assert found["deadly"].status == "failed"
    assert "ended 3 times, the last time by exit code 3" in found["deadly"].message


def test_a_worker_does_not_grow(sources: Path) -> None:
    """Reading leaves cycles of objects behind, which the collector finds in a process that reads many projects."""
    program = f"""
import gc
from naturalproofs.apps.collections.read import ProjectSource
from naturalproofs.apps.collections.read import ReadTask, read_in_worker
task = ReadTask(ProjectSource("paper", {str(sources / "paper.tar.gz")!r}))
counts = []
for number in range(60):
    assert read_in_worker(task).status == "read"
    counts.append(len(gc.get_objects()))
print(counts[-1] - counts[9])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1000


def test_unchanged_projects_are_skipped(sources: Path, tmp_path: Path) -> None:
    collect([sources], tmp_path / "c", in_this_process)
    before = Collection.open(tmp_path / "c").versions
    report = collect([sources], tmp_path / "c", in_this_process)
    assert counts(report) == (0, 6, 0, 2), "what failed stays visible"
    assert "damaged" in report.problems["broken"]
    assert Collection.open(tmp_path / "c").versions == before
    assert counts(collect([sources], tmp_path / "c", in_this_process, retry=True)) == (0, 6, 0, 2)


def test_a_changed_project_is_replaced(sources: Path, tmp_path: Path) -> None:
    collect([sources], tmp_path / "c", in_this_process)
    (sources / "folder1" / "main.tex").write_text(DOCUMENT % (77, 77))
    report = collect([sources], tmp_path / "c", in_this_process)
    assert counts(report) == (1, 5, 0, 2)
    assert report.statements == 10
    texts = " ".join(row["text"] for row in rows(tmp_path / "c") if row["project"] == "folder1")
    assert "order 77" in texts
    assert "order 1 " not in texts
    fresh = tmp_path / "fresh"
    collect([sources], fresh, in_this_process)
    # The vectors are made by what was learned before the change.
    assert rows(tmp_path / "c", vectors=False) == rows(fresh, vectors=False)
    assert all(np.isclose(np.linalg.norm(row["vector"]), 1) for row in rows(tmp_path / "c"))
    assert rows(tmp_path / "c", "edges") == rows(fresh, "edges")


def test_an_interrupted_collection_goes_on(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped between two tables: the next run reads what was not committed, and nothing is there twice."""
    monkeypatch.setattr("naturalproofs.apps.collections.collect.ROWS", 4)

    def stopping(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
        for number, found in enumerate(in_this_process(tasks)):
            if number == 5:
                raise KeyboardInterrupt
            yield found

    with pytest.raises(KeyboardInterrupt):
        collect([sources], tmp_path / "c", stopping)
    with writing(tmp_path / "c") as writer:
        # A writer that was killed after it had written one of the tables.
        writer.append("statements", writer.tables["statements"].to_table())
    assert len(rows(tmp_path / "c")) == 8
    report = collect([sources], tmp_path / "c", in_this_process)
    assert report.read == 1
    assert report.unchanged + report.empty + report.failed == 7
    collect([sources], tmp_path / "fresh", in_this_process)
    assert rows(tmp_path / "c") == rows(tmp_path / "fresh")


def test_large_archives_are_read_first(tmp_path: Path) -> None:
    """Folders of unknown size, then the largest archive: the last worker to finish has a small one."""
    for name, size in (("a.tar.gz", 10), ("b.tar.gz", 3000), ("c.tar.gz", 200)):
        (tmp_path / name).write_bytes(bytes(size))
    (tmp_path / "z").mkdir()
    seen: list[str] = []

    def noting(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
        seen.extend(task.source.name for task in tasks)
        return iter(())

    collect([tmp_path], tmp_path / "c.lance", noting)
    assert seen == ["z", "b", "c", "a"]


FULL = "LanceError(IO): No space left on device (os error 28), /home/runner/lance/rust/lance-file/src/writer.rs:254:9"


@pytest.mark.parametrize("written", [1, 5, 11, 14, 16])
def test_a_full_disk(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int) -> None:
    """Whichever write fails: one line, the last commit stays, and nothing if there was none."""
    import lance

    left = iter(range(written))

    def failing(write: Callable[..., Any], *args: Any, **options: Any) -> Any:
        if next(left, None) is None:
            raise OSError(FULL)
        return write(*args, **options)

    with monkeypatch.context() as patched, pytest.raises(OSError, match="No space left on device") as caught:
        patched.setattr("lance.write_dataset", partial(failing, lance.write_dataset))
        patched.setattr(tables, "write_fragments", partial(failing, tables.write_fragments))
        collect([sources], tmp_path / "c", in_this_process)
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(tmp_path / "c")
    assert (tmp_path / "c").exists() == is_collection(tmp_path / "c") == (written > 12)
    collect([sources], tmp_path / "c", in_this_process)
    collect([sources], tmp_path / "fresh", in_this_process)
    assert rows(tmp_path / "c") == rows(tmp_path / "fresh")


def test_errors_of_lance_are_one_line(tmp_path: Path, sources: Path) -> None:
    collect([sources], tmp_path / "c", in_this_process)
    for file in (tmp_path / "c" / "statements.lance" / "data").iterdir():
        file.write_bytes(b"damaged")
    with pytest.raises(CollectionDamaged) as caught:
        OpenCollection.open(str(tmp_path / "c")).search("group")
    assert str(caught.value).startswith(f"{tmp_path / 'c'}: ")
    assert not re.search(r"\n|LanceError|\.rs:", str(caught.value))


def test_readers_see_the_last_commit_only(sources: Path, tmp_path: Path) -> None:
    collect([sources / "folder0"], tmp_path / "c", in_this_process)
    opened = Collection.open(tmp_path / "c")
    collect([sources], tmp_path / "c", in_this_process)
    assert opened.count() == 2
    assert Collection.open(tmp_path / "c").count() == 10


def test_duplicates_are_marked(sources: Path, tmp_path: Path) -> None:
    (sources / "copy").mkdir()
    (sources / "copy" / "main.tex").write_text((DOCUMENT % (3, 3)).replace("is nice", "is  a   nice"))
    report = collect([sources], tmp_path / "c", in_this_process)
    assert report.duplicates == 2
    assert rows(tmp_path / "c", "duplicates") == [
        {"id": "folder3:lem:a", "project": "folder3", "first": "copy:lem:a"},
        {"id": "folder3:thm:b", "project": "folder3", "first": "copy:thm:b"},
    ]


def test_bulk_archives(tmp_path: Path) -> None:
    """A tar file of archives, with a paper that is a PDF file only, as arXiv ships them."""
    with tarfile.open(tmp_path / "arXiv_src_2401_001.tar", "w") as tar:
        for name, data in (
            ("2401/2401.00001.gz", packed(paper_tex=(DOCUMENT % (1, 1)).encode())),
            ("2401/2401.00002.pdf", b"%PDF-1.5"),
            ("2401/math0001003.gz", packed(paper_tex=(DOCUMENT % (2, 2)).encode())),
        ):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    report = collect([tmp_path / "arXiv_src_2401_001.tar"], tmp_path / "c", in_this_process)
    assert counts(report) == (2, 0, 0, 0)
    assert {row["project"] for row in rows(tmp_path / "c")} == {"2401.00001", "math0001003"}
    assert counts(collect([tmp_path / "arXiv_src_2401_001.tar"], tmp_path / "c", in_this_process)) == (0, 2, 0, 0)


def test_nothing_beside_a_project_is_read(tmp_path: Path) -> None:
    (tmp_path / "beside.tex").write_text(r"\begin{lemma}Beside.\end{lemma}")
    folder = tmp_path / "sources"
    (folder / "one").mkdir(parents=True)
    document = (DOCUMENT % (1, 1)).replace(r"\end{document}", r"\input{../beside}\input{../../beside}\end{document}")
    (folder / "beside.tex").write_text(r"\begin{lemma}Beside.\end{lemma}")
    (folder / "one" / "main.tex").write_text(document)
    (folder / "paper.tar.gz").write_bytes(packed(main_tex=document.encode()))
    (folder / "plain.tar.gz").write_bytes(packed(main_tex=(DOCUMENT % (1, 1)).encode()))
    paths = {name: str(folder / name) for name in ("one", "paper.tar.gz", "plain.tar.gz")}
    read = {name: read_project(ReadTask(ProjectSource("x", path))) for name, path in paths.items()}
    assert {one.sizes["statements"] for one in read.values()} == {2}


def test_limits(tmp_path: Path) -> None:
    (tmp_path / "large.tar.gz").write_bytes(packed(main_tex=b"x" * 100_000))
    large = ProjectSource("large", str(tmp_path / "large.tar.gz"))
    assert "more than 1,000 bytes" in read_project(ReadTask(large, limits=Limits(bytes=1_000))).message
    (tmp_path / "long").mkdir()
    body = "".join(rf"\begin{{lemma}} Let $x_{{{n}}}$ be. \end{{lemma}}" for n in range(20_000))
    document = rf"\documentclass{{article}}\newtheorem{{lemma}}{{L}}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "long" / "main.tex").write_text(document)
    long = read_project(ReadTask(ProjectSource("long", str(tmp_path / "long")), limits=Limits(seconds=0.01)))
    assert long.status == "failed"
    assert "takes more than 0.01 seconds of processor time" in long.message


def test_a_corpus_is_a_project(tmp_path: Path) -> None:
    from naturalproofs.benchmark.make import Recipe, make_corpus
    from naturalproofs.data import primer_folder
    from naturalproofs.sources.registry import source

    make_corpus(
        source("latex"),
        primer_folder(),
        tmp_path / "stored",
        name="primer",
        rules="fixed",
        recipe=Recipe("leaf", 0, 1.0, None),
    )
    collect([tmp_path / "stored"], tmp_path / "stored-collection", in_this_process)
    collect([primer_folder()], tmp_path / "read-collection", in_this_process)
    stored, read = (
        [{k: v for k, v in row.items() if k in {"kind", "text", "tokens", "number"}} for row in rows(tmp_path / name)]
        for name in ("stored-collection", "read-collection")
    )
    assert sorted(map(repr, stored)) == sorted(map(repr, read))
    assert all(row["id"].startswith("stored:") for row in rows(tmp_path / "stored-collection"))


def test_what_is_no_collection(tmp_path: Path, sources: Path) -> None:
    assert not is_collection(sources)
    with pytest.raises(NotACollection, match="naturalproofs collect"):
        Collection.open(sources)
    with pytest.raises(OutputInTheWay, match="not a collection"):
        collect([sources / "folder0"], sources, in_this_process)
    with writing(tmp_path / "c"), pytest.raises(OutputInTheWay, match="another process"):
        collect([sources], tmp_path / "c", in_this_process)


@pytest.mark.parametrize("name", ["vectors", "statements"])
def test_tables_of_another_program_are_not_written_over(tmp_path: Path, sources: Path, name: str) -> None:
    import lance
    import pyarrow as pa

    table = str(tmp_path / "db" / f"{name}.lance")
    lance.write_dataset(pa.table({"mine": [1, 2]}), table)
    with pytest.raises(OutputInTheWay, match="choose another output"):
        collect([sources / "folder0"], tmp_path / "db", in_this_process)
    assert lance.dataset(table).versions()[-1]["version"] == 1
    assert {path.name for path in (tmp_path / "db").iterdir()} <= {f"{name}.lance", ".lock"}


def test_the_tables_are_plain_lance(sources: Path, tmp_path: Path) -> None:
    import lance

    collect([sources / "folder0"], tmp_path / "c", in_this_process)
    assert lance.dataset(str(tmp_path / "c" / "statements.lance")).count_rows() == 2


def test_projects_whose_names_are_not_utf_8(tmp_path: Path):
    odd = tmp_path / os.fsdecode(b"th\xe8se")
    odd.mkdir()
    (odd / os.fsdecode(b"m\xe9m.tex")).write_text(DOCUMENT % (1, 1))
    (tmp_path / os.fsdecode(b"empty\xe9.tex")).write_text("Nothing.")
    target = tmp_path / "target"
    report = collect([odd, tmp_path / os.fsdecode(b"empty\xe9.tex")], target, in_this_process)
    assert (report.read, report.empty) == (1, 1)
    rows = Collection.open(target).table("projects").to_table(columns=["path"]).to_pylist()
    assert {row["path"].rpartition("/")[2] for row in rows} == {r"th\xe8se", r"empty\xe9.tex"}
    assert collect([odd], target, in_this_process).unchanged == 1
    with pytest.raises(NotACollection, match="in UTF-8 only"):
        collect([odd], tmp_path / os.fsdecode(b"t\xe9"), in_this_process)


def test_the_writer_commits_once_what_workers_write(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows in several parts, indexes in several shards: every table has one version more, and answers are the same."""
    monkeypatch.setattr("naturalproofs.apps.collections.collect.PART", 3)
    monkeypatch.setattr(indexing, "SHARD", 4)
    calls: list[str] = []

    def spread(function: Callable[..., Any], items: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        for arguments in items:
            calls.append(function.__name__)
            yield function(*arguments)

    collect([sources], tmp_path / "parts", in_this_process, spread=spread)
    monkeypatch.undo()
    collect([sources], tmp_path / "one", in_this_process)
    assert calls.count("write_part") == 3
    table = Collection.open(tmp_path / "parts").table("statements")
    assert len(table.get_fragments()) == 3
    assert {len(index.segments) for index in table.describe_indices()} == {2}
    assert [one.count_rows() for one in table.get_fragments()] == [4, 2, 4]
    assert Collection.open(tmp_path / "parts").versions.tables["edges"] <= 4
    first, second = (OpenCollection.open(str(tmp_path / name)) for name in ("parts", "one"))
    for query in ("solvable group", '"finite group"', "nice kind:theorem", "order -nice"):
        assert [hit.id for hit in first.search(query).items] == [hit.id for hit in second.search(query).items]
    text = "Let $G$ be a finite group of prime order."
    assert [one.statement.id for one in first.suggest(text)] == [one.statement.id for one in second.suggest(text)]


def test_shards_and_probes_grow_with_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "SHARD", 100)
    assert indexing.shards([(0, 60), (1, 60), (5, 60), (7, 300), (9, 10)]) == [[0, 1], [5, 7], [9]]
    assert [indexing.probes(rows, 64) for rows in (10, 100, 400, 10_000)] == [64, 64, 32, 6]


KILLED = """
import sys, time
from pathlib import Path
from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.read import read_project
from naturalproofs.apps.collections.tables import Writer
from naturalproofs.apps.collections.upkeep import maintain

stage, address, *sources = sys.argv[1:]

def wait(*_):
    print("written", flush=True)
    time.sleep(600)

def spread(function, items):
    for arguments in items:
        found = function(*arguments)
        if function.__name__ == stage:
            wait()
        yield found

if stage == "index_part":
    maintain(address, spread=spread)
if stage == "commit":
    Writer.commit = wait
collect(map(Path, sources), address, lambda tasks: map(read_project, tasks), spread=spread)
"""
"""A run that waits after a worker has written its fragments or its part of an index, or before the commit."""


def left_over(address: Path) -> set[str]:
    """Files of rows and folders of indexes that the newest versions of the tables do not have."""
    found = {path.name for part in ("data", "_indices") for path in address.glob(f"*.lance/{part}/*")}
    for folder in address.glob("*.lance"):
        table = lance.dataset(str(folder))
        found -= {Path(file.path).name for part in table.get_fragments() for file in part.data_files()}
        found -= {str(part.uuid) for index in table.describe_indices() for part in index.segments}
    return found


@pytest.mark.parametrize("stage", ["write_part", "index_part", "commit"])
def test_a_writer_that_is_killed_loses_nothing(
    sources: Path, tmp_path: Path, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed stays, the next run finishes, and maintenance removes what belongs to no version."""
    address = tmp_path / "c"
    collect([sources / "folder0"], address, in_this_process)
    before = rows(address)
    command = [sys.executable, "-c", KILLED, stage, address, *sources.iterdir()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert rows(address) == before
    collect([sources], address, in_this_process)
    collect([sources], tmp_path / "fresh", in_this_process)
    assert rows(address) == rows(tmp_path / "fresh")
    assert OpenCollection.open(str(address)).search("solvable").total == 5
    monkeypatch.setattr("naturalproofs.apps.collections.upkeep.KEPT", timedelta(0))
    assert left_over(address)
    maintain(address)
    assert not left_over(address)


def test_an_update_indexes_what_it_adds(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each update makes a small part of every index, and these are joined when there are many; answers stay whole."""
    monkeypatch.setattr(indexing, "JOINED", 3)
    parts = []
    for number in range(4):
        collect([sources / f"folder{number}"], tmp_path / "c", in_this_process)
        table = Collection.open(tmp_path / "c").table("statements")
        parts.append(max(len(index.segments) for index in table.describe_indices()))
        assert OpenCollection.open(str(tmp_path / "c")).search("solvable group").total == number + 1
    assert parts[:3] == [1, 2, 3]
    assert parts[3] == 4
    collect([sources], tmp_path / "c", in_this_process)
    table = Collection.open(tmp_path / "c").table("statements")
    assert max(len(index.segments) for index in table.describe_indices()) == 2
