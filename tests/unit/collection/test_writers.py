"""Nothing is overwritten: errors of the store, killed and second writers, cleaning, projects with the same name."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

import lance

from naturalproofs.apps.cli.main import cli
from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.collections.collect import CollectReport, collect
from naturalproofs.apps.collections.read import ReadProject, ReadTask, read_project
from naturalproofs.apps.collections.tables import Collection, Writer, writing
from naturalproofs.apps.collections.upkeep import collection_status, maintain, remove_projects
from naturalproofs.errors import CollectionDamaged, NotACollection, OutputInTheWay, UnknownName

DOCUMENT = r"""\documentclass{article}\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{lem:a} Every finite group of order %s is solvable. \end{lemma}
\end{document}
"""


def in_this_process(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
    return map(read_project, tasks)


def project(folder: Path, what: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.tex").write_text(DOCUMENT % what)
    return folder


def collected(*sources: Path, to: Path | str, **options: Any) -> CollectReport:
    return collect(sources, to, in_this_process, **options)


def texts(address: Path | str) -> dict[str, str]:
    """The text of each statement."""
    rows = Collection.open(address).table("statements").to_table(columns=["id", "text"]).to_pylist()
    return {row["id"]: row["text"] for row in rows}


@pytest.mark.parametrize("message", ["injected", "LanceError(IO): Generic S3 error: HTTP error, /a/b.rs:1:2"])
def test_an_error_of_the_store_is_not_a_missing_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    collected(project(tmp_path / "a", 1), to=tmp_path / "c")
    before = texts(tmp_path / "c")
    opening: Callable[..., Any] = lance.dataset
    failures = iter([OSError(message)])

    def failing(uri: Any, *args: Any, **options: Any) -> Any:
        if "commit.lance" in str(uri):
            for error in failures:
                raise error
        return opening(uri, *args, **options)

    monkeypatch.setattr("lance.dataset", failing)
    with pytest.raises(Exception, match=r"injected|the store did not answer"):
        collected(project(tmp_path / "b", 2), to=tmp_path / "c")
    assert texts(tmp_path / "c") == before
    failures = iter([OSError(message)])
    with pytest.raises(Exception, match=r"injected|the store did not answer"):
        OpenCollection.open(str(tmp_path / "c"))


def test_cleaning_keeps_what_is_committed_though_a_writer_was_killed(tmp_path: Path) -> None:
    collected(project(tmp_path / "a", 1), to=tmp_path / "c")
    before = texts(tmp_path / "c")
    with writing(tmp_path / "c") as writer:
        # A writer that was killed: the newest versions are not the committed ones.
        for table in ("statements", "words", "projects"):
            writer.append(table, writer.tables[table].to_table())
    for folder in (tmp_path / "c").glob("*.lance"):
        lance.dataset(str(folder)).cleanup_old_versions(timedelta(0), error_if_tagged_old_versions=False)
    assert texts(tmp_path / "c") == before
    assert OpenCollection.open(str(tmp_path / "c")).search("solvable").total == 1
    collected(project(tmp_path / "b", 2), to=tmp_path / "c")
    assert set(texts(tmp_path / "c")) == {"a:lem:a", "b:lem:a"}


def add(writer: Writer, name: str) -> None:
    """Add a statement without its project."""
    row = writer.tables["statements"].to_table().slice(0, 1)
    writer.append("statements", row.set_column(0, "id", [[name]]))


@pytest.mark.parametrize("order", ["first-second", "second-first", "second-before", "second-only"])
def test_a_second_writer_is_refused(tmp_path: Path, order: str) -> None:
    """Two writers that no lock keeps apart, as in an object store: one commit, whole, and one line."""
    address = str(tmp_path / "c")
    collected(project(tmp_path / "a", 1), to=address)
    first = Writer(address)
    if order == "second-before":
        add(first, "x:1")
    second = Writer(address)
    committed = "y:1"
    with pytest.raises((OutputInTheWay, OSError)):
        if order == "first-second":
            add(first, "x:1")
            first.commit()
            committed = "x:1"
            add(second, "y:1")
        elif order == "second-first":
            add(second, "y:1")
            second.commit()
            add(first, "x:1")
        elif order == "second-before":
            add(second, "y:1")
            second.commit()
            first.commit()
        else:
            second.overwrite("duplicates", second.tables["duplicates"].to_table())
            add(second, "y:1")
            second.commit()
            first.overwrite("words", first.tables["words"].to_table())
            first.commit()
    assert set(texts(address)) == {"a:lem:a", committed}
    collected(project(tmp_path / "b", 2), to=address)
    assert {"a:lem:a", "b:lem:a", committed} == set(texts(address))


def test_a_conflict_is_one_line(tmp_path: Path) -> None:
    collected(project(tmp_path / "a", 1), to=tmp_path / "c")
    with pytest.raises(OutputInTheWay, match="another process is writing"), writing(tmp_path / "c") as writer:
        other = Writer(tmp_path / "c")
        add(other, "x:1")
        other.commit()
        add(writer, "y:1")
        writer.commit()


def test_a_new_collection_by_two_writers(tmp_path: Path) -> None:
    first, second = Writer(tmp_path / "c"), Writer(tmp_path / "c")
    second.commit()
    with pytest.raises(OSError, match="already exists"):
        first.commit()
    assert Collection.open(tmp_path / "c").versions.number == 1


def test_what_was_read_is_committed_on_sigterm(tmp_path: Path) -> None:
    """The second project takes so long that the signal comes while it is read."""
    project(tmp_path / "sources" / "a", 1)
    slow = tmp_path / "sources" / "b"
    slow.mkdir()
    body = "".join(rf"\begin{{lemma}} Let $x_{{{n}}}$ be. \end{{lemma}}" for n in range(60_000))
    text = rf"\documentclass{{article}}\newtheorem{{lemma}}{{L}}\begin{{document}}{body}\end{{document}}"
    (slow / "main.tex").write_text(text)
    command = [sys.executable, "-m", "naturalproofs", "collect", tmp_path / "sources", "-o", tmp_path / "c"]
    with subprocess.Popen([*command, "--workers", "1"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "1 projects" in line:
                break
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
    assert process.returncode == 130, rest
    assert set(texts(tmp_path / "c")) == {"a:lem:a"}
    assert not Collection.open(tmp_path / "c").versions.finished


def test_an_interrupted_collection_is_finished_by_the_next_run(tmp_path: Path) -> None:
    def stopping(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
        yield from in_this_process(tasks)
        raise KeyboardInterrupt

    sources = [project(tmp_path / "a", 1), project(tmp_path / "b", 1)]
    with pytest.raises(KeyboardInterrupt):
        collect(sources, tmp_path / "c", stopping)
    assert len(texts(tmp_path / "c")) == 2
    report = collect(sources, tmp_path / "c", in_this_process)
    assert (report.read, report.unchanged, report.duplicates) == (0, 2, 1)


def test_projects_with_the_same_name_both_stay(tmp_path: Path) -> None:
    first, second = project(tmp_path / "a" / "thesis", 1), project(tmp_path / "b" / "thesis", 2)
    assert collected(first, to=tmp_path / "c").read == 1
    assert collected(second, to=tmp_path / "c").read == 1
    before = texts(tmp_path / "c")
    assert {name: "order 1 " in text for name, text in before.items()} == {
        "thesis:lem:a": True,
        "b/thesis:lem:a": False,
    }
    assert collected(second, first, to=tmp_path / "c").unchanged == 2
    project(second, 3)
    assert collected(second, to=tmp_path / "c").read == 1
    assert set(texts(tmp_path / "c")) == set(before)
    assert "order 3 " in texts(tmp_path / "c")["b/thesis:lem:a"]


def test_a_project_that_was_moved_keeps_its_name(tmp_path: Path) -> None:
    first = project(tmp_path / "a" / "thesis", 1)
    collected(first, to=tmp_path / "c")
    second = first.rename(tmp_path / "thesis")
    assert collected(second, to=tmp_path / "c").unchanged == 1
    rows = Collection.open(tmp_path / "c").table("projects").to_table().to_pylist()
    assert [(row["name"], row["path"]) for row in rows] == [("thesis", str(second))]
    second.rename(tmp_path / "elsewhere")
    third = project(tmp_path / "d" / "thesis", 7)
    assert collected(third, to=tmp_path / "c").read == 1
    assert set(texts(tmp_path / "c")) == {"thesis:lem:a", "d/thesis:lem:a"}


def test_what_was_read_stays_when_a_project_cannot_be_read_any_more(tmp_path: Path) -> None:
    first = project(tmp_path / "a" / "thesis", 1)
    collected(first, to=tmp_path / "c")

    def failing(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
        return (ReadProject(task.source, "failed", "", "no memory") for task in tasks)

    project(first, 2)
    assert collect([first], tmp_path / "c", failing).problems == {"thesis": "no memory"}
    first.rename(tmp_path / "elsewhere")
    assert collect([project(tmp_path / "b" / "thesis", 3)], tmp_path / "c", failing).failed == 1
    assert set(texts(tmp_path / "c")) == {"thesis:lem:a"}
    assert collection_status(tmp_path / "c").problems == {"thesis": "no memory", "b/thesis": "no memory"}


def test_unchanged_sources_are_not_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [project(tmp_path / "a", 1), project(tmp_path / "b", 2)]
    collected(*sources, to=tmp_path / "c")
    monkeypatch.setattr("naturalproofs.apps.collections.read.project_hash", None)
    assert collected(*sources, to=tmp_path / "c").unchanged == 2
    monkeypatch.undo()
    (tmp_path / "a" / "main.tex").touch()
    assert collected(*sources, to=tmp_path / "c").unchanged == 2
    project(tmp_path / "a", 3)
    report = collected(*sources, to=tmp_path / "c")
    assert (report.read, report.unchanged) == (1, 1)


def test_a_source_is_removed(tmp_path: Path) -> None:
    sources = [project(tmp_path / "papers" / name, number) for number, name in enumerate("abcd")]
    copy = project(tmp_path / "e", 0)
    assert collected(*sources, copy, to=tmp_path / "c").duplicates == 1
    rmtree(sources[0])
    assert remove_projects(tmp_path / "c", ["a", str(sources[1])]) == ["a", "b"]
    assert set(texts(tmp_path / "c")) == {"c:lem:a", "d:lem:a", "e:lem:a"}
    for table, column in (("projects", "name"), ("words", "project")):
        left = Collection.open(tmp_path / "c").table(table).to_table(columns=[column])[column].to_pylist()
        assert set(left) == {"c", "d", "e"}
    assert collection_status(tmp_path / "c").duplicates == 0
    with pytest.raises(UnknownName, match="no project of this name"):
        remove_projects(tmp_path / "c", ["c", "none"])
    assert len(texts(tmp_path / "c")) == 3
    assert remove_projects(tmp_path / "c", [str(tmp_path / "papers")]) == ["c", "d"]
    with pytest.raises(NotACollection):
        remove_projects(tmp_path / "none", ["a"])
    assert not (tmp_path / "none").exists()


def test_maintenance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small runs leave many pieces and versions; afterwards there is one, and every answer is the same."""
    address = str(tmp_path / "c")
    for number in range(5):
        collected(project(tmp_path / f"p{number}", f"{number}x prime" if number % 2 else f"{number}y"), to=address)
    before = OpenCollection.open(address)
    queries = ["prime", '"order 3x prime"', "group corpus:p2", "solvable -prime"]
    found = [[hit.id for hit in before.search(query).items] for query in queries]
    assert all(found)
    monkeypatch.setattr("naturalproofs.apps.collections.upkeep.KEPT", timedelta(0))
    assert collection_status(address).parts == 5
    assert maintain(address) > 0
    after = OpenCollection.open(address)
    assert collection_status(address).parts == 1
    assert [[hit.id for hit in after.search(query).items] for query in queries] == found
    for folder in Path(address).glob("*.lance"):
        assert len(lance.dataset(str(folder)).versions()) == 1, folder.name
    assert collected(project(tmp_path / "p9", 9), to=address).read == 1
    with writing(address) as writer:
        writer.append("statements", writer.tables["statements"].to_table().slice(0, 1))
        writer.commit()
    with pytest.raises(CollectionDamaged, match="in p0; remove"):
        maintain(address)


def test_commands(tmp_path: Path) -> None:
    address = str(tmp_path / "c")
    (tmp_path / "bad.tar.gz").write_bytes(b"\x1f\x8b")
    run = CliRunner().invoke
    made = run(cli, ["collect", str(project(tmp_path / "a", 1)), str(tmp_path / "bad.tar.gz"), "-o", address])
    assert made.exit_code == 0, made.output
    told = run(cli, ["collect", "-o", address, "--status"])
    assert "1 failed, 1 read" in told.stdout
    assert "bad: " in told.stderr
    assert json.loads(run(cli, ["collect", "-o", address, "--status", "--format", "json"]).stdout)["statements"] == 1
    done = run(cli, ["collect", "-o", address, "--remove", "bad", "--maintain"])
    assert "removed bad" in done.stderr
    assert "projects: 1 read" in done.stdout
    assert run(cli, ["collect", "-o", address]).exit_code == 2
