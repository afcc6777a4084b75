"""Suggestions and search over a collection, from Python and from the command line."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from naturalproofs.apps.cli.main import cli
from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.read import ReadProject, ReadTask, read_project
from naturalproofs.data import primer_folder
from naturalproofs.errors import ClusterNotReachable, NotACollection, UnknownName
from naturalproofs.ranking.candidate_index import Where
from naturalproofs.workspace import Workspace


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Primer twice, and another project."""
    folder = tmp_path_factory.mktemp("collection")
    other = folder / "sources" / "other"
    other.mkdir(parents=True)
    text = r"\begin{lemma}\label{lem:zorn} A poset whose chains have upper bounds has a maximal element. \end{lemma}"
    document = rf"\documentclass{{article}}\newtheorem{{lemma}}{{Lemma}}\begin{{document}}{text}\end{{document}}"
    (other / "main.tex").write_text(document)
    copied = copytree(primer_folder(), folder / "copy" / "primer")
    sources = [primer_folder(), other, copied]
    collect(sources, folder / "collection", lambda tasks: map(read_project, tasks))
    return folder / "collection"


@pytest.fixture(scope="module")
def opened(address: Path) -> OpenCollection:
    return OpenCollection.open(str(address))


def test_suggestions(opened: OpenCollection) -> None:
    found = opened.suggest("Every group of prime order is cyclic.", k=5)
    assert "cor:prime-order-cyclic" in [item.statement.label for item in found]
    assert found.expected is not None
    assert all(item.why and 0 <= (item.probability or 0) <= 1 for item in found)
    assert found[0].citation.startswith("primer, ")


def test_repeated_statements_are_given_once(opened: OpenCollection) -> None:
    labels = [item.statement.label for item in opened.suggest("Every group of prime order is cyclic.", k=20)]
    assert len(set(labels)) == len(labels)
    found = opened.search("cyclic group", k=20).items
    labels = [hit.statement.label for hit in found]
    assert len(set(labels)) == len(labels)
    assert {twin.statement.label for twin in found[0].twins} == {labels[0]}


def test_what_is_cited_is_not_suggested(opened: OpenCollection) -> None:
    text = "Every group of prime order is cyclic."
    first = opened.suggest(text, k=1)[0].statement
    cited = [first.id, first.id.replace("primer:", "copy/primer:")]
    assert first.id not in [item.statement.id for item in opened.suggest(text, k=10, cited=cited)]
    assert {item.corpus for item in opened.suggest(text, where=Where(projects=["other"]))} <= {"other"}


def test_what_a_pasted_proof_cites_is_known_and_keys_are_no_words(opened: OpenCollection) -> None:
    text = r"Every $x$ of Theorem~\ref{thm:lagrange} lies in a cyclic group."
    pasted = text + r" \begin{proof} By \cref{cor:prime-order-cyclic} and \ref{other:lem:zorn}"
    found = opened.suggest(pasted, k=20)
    assert "other:lem:zorn" in found.cited
    assert "primer:cor:prime-order-cyclic" in found.cited, "all statements with this label have the same text"
    assert "cor:prime-order-cyclic" not in [item.statement.label for item in found]
    assert "lagrange" not in found.query
    assert found.query == Workspace.open(primer_folder()).suggest(pasted).query
    assert opened.suggest(text, k=1).cited == ()


def test_search(opened: OpenCollection) -> None:
    hit = opened.search("maximal element of a poset", k=1).items[0]
    assert (hit.id, hit.corpus) == ("other:lem:zorn", "other")
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["poset", "maximal", "element"]
    assert opened.search("Lagrange", k=1).items[0].statement.label == "thm:lagrange"
    kinds = {hit.statement.kind for hit in opened.search("cyclic group kind:definition").items}
    assert kinds == {"definition"}
    assert {hit.corpus for hit in opened.search("element corpus:other").items} == {"other"}
    assert opened.search('"maximal element"').items
    assert not opened.search('"element maximal"').items
    assert all("poset" not in hit.snippet for hit in opened.search("element -poset").items)
    assert opened.search("element category:zoology").total == 0
    assert opened.search("").total == opened.collection.count()


def test_few_rows_are_kept(opened: OpenCollection, address: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [hit.id for hit in opened.search("cyclic group", k=20).items]
    monkeypatch.setattr("naturalproofs.apps.collections.search.MOST_ROWS", 3)
    fresh = OpenCollection.open(str(address))
    for _ in range(2):
        assert [hit.id for hit in fresh.search("cyclic group", k=20).items] == expected
        assert fresh.search("maximal element of a poset").items[0].id == "other:lem:zorn"


def test_find(opened: OpenCollection) -> None:
    assert opened.find("other:lem:zorn").label == "lem:zorn"
    with pytest.raises(UnknownName, match="PROJECT:LABEL"):
        opened.find("other:none")


def test_refreshed(tmp_path: Path) -> None:
    collect([primer_folder()], tmp_path / "c", lambda tasks: map(read_project, tasks))
    before = OpenCollection.open(str(tmp_path / "c"))
    assert before.refreshed() is before
    (tmp_path / "new").mkdir()
    text = r"\newtheorem{theorem}{T}\begin{theorem} A compact operator has a nonzero eigenvalue. \end{theorem}"
    (tmp_path / "new" / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    collect([tmp_path / "new"], tmp_path / "c", lambda tasks: map(read_project, tasks))
    after = before.refreshed()
    assert after is not before
    assert [hit.corpus for hit in after.search("compact operator eigenvalue", k=1).items] == ["new"]
    assert "new" not in [hit.corpus for hit in before.search("compact operator eigenvalue").items]


def test_a_collection_without_index(tmp_path: Path) -> None:
    def stopping(tasks: Iterable[ReadTask]) -> Iterator[ReadProject]:
        yield from map(read_project, tasks)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect([primer_folder()], tmp_path / "c", stopping)
    with pytest.raises(NotACollection, match="has no index"):
        OpenCollection.open(str(tmp_path / "c"))


def test_commands(address: Path) -> None:
    run = CliRunner().invoke
    shown = run(cli, ["search", str(address), "chains upper bounds poset", "-k", "1"])
    assert "Lemma 1" in shown.output
    assert "other" in shown.output
    found = json.loads(run(cli, ["search", str(address), "maximal", "poset", "--format", "json"]).output)
    assert found["hits"][0]["id"] == "other:lem:zorn"
    text = "Every group of prime order is cyclic."
    found = json.loads(run(cli, ["suggest", str(address), text, "--format", "json"]).output)
    assert found["suggestions"][0]["corpus"] == "primer"
    found = json.loads(run(cli, ["suggest", str(address), "--at", "primer:thm:lagrange", "--format", "json"]).output)
    assert found["suggestions"][0]["corpus"] == "primer"
    assert "thm:lagrange" not in {one["label"] for one in found["suggestions"]}
    assert run(cli, ["suggest", str(address), "--at", "thm:lagrange"]).exit_code == 1
    assert run(cli, ["search", str(address), "x", "--with", str(address)]).exit_code == 2


def test_collect_command(tmp_path: Path) -> None:
    run = CliRunner().invoke
    made = run(cli, ["collect", str(primer_folder()), "-o", str(tmp_path / "c"), "--workers", "1", "--format", "json"])
    assert made.exit_code == 0, made.output
    report = json.loads(made.stdout)
    assert (report["read"], report["failed"]) == (1, 0)
    again = run(cli, ["collect", str(primer_folder()), "-o", str(tmp_path / "c"), "--workers", "1"])
    assert "0 projects read, 1 unchanged" in again.output


def test_copies_do_not_crowd_out_other_texts(tmp_path: Path) -> None:
    """More copies than candidates are taken, all better matches than what is to be found."""
    texts = ["Every compact operator is bounded.", "A compact operator that is the limit of others is a bounded one."]
    for number in range(500):
        lemma = texts[number % 100 == 99]
        folder = tmp_path / "papers" / f"p{number}"
        folder.mkdir(parents=True)
        text = rf"\newtheorem{{lemma}}{{Lemma}}\begin{{lemma}} {lemma} \end{{lemma}}"
        (folder / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    collect([tmp_path / "papers"], tmp_path / "c", lambda tasks: map(read_project, tasks))
    found = OpenCollection.open(str(tmp_path / "c")).search("compact operator")
    assert found.total == 500
    assert [hit.snippet.split()[0] for hit in found.items] == ["Every", "A"]


def test_missing_cores_are_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
    from naturalproofs.apps.web import server

    class Small:
        def cluster_resources(self) -> dict[str, float]:
            return {"CPU": 1.0}

    monkeypatch.setattr(server, "connect", lambda place: Small())
    running = {"test": ("RUNNING", "", 1)}
    monkeypatch.setattr(server, "applications", lambda place: running)
    server.check_cores("here", 1, "test")
    with pytest.raises(ClusterNotReachable, match="has 1 cores, and each of 2 replicas needs one"):
        server.check_cores("here", 2, "test")
    # What a killed server has left holds cores, and is named.
    running["left"] = ("RUNNING", "", 1)
    with pytest.raises(ClusterNotReachable, match="has 1 cores, of which left hold 1, and each of 1 replicas needs"):
        server.check_cores("here", 1, "test")
