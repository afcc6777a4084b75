"""Exports, read back by the libraries they are written for."""

import warnings
from urllib.parse import unquote

import networkx as nx
import pytest

from naturalproofs.benchmark.exports import Request, export
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.records import Mention, Proof, Split, Statement
from naturalproofs.tasks.dataset import retrieval_task
from naturalproofs.tasks.protocols import passage_text, passages, protocol
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits, leaf_split

BEIR = {"train": "train", "valid": "dev", "test": "test"}
HUB = {"train": "train", "valid": "validation", "test": "test"}


@pytest.fixture(scope="module", params=["primer", "wiki"])
def told(request, primer):
    """A real book, and a small wiki whose ids hold blanks, quotes and signs of other scripts."""
    if request.param == "primer":
        return primer, leaf_split(primer, ReferenceGraph.of(primer))
    names = ["Definition:Group/Definition 2", '"Quoted" 100%', "Théorème\u00a0d'Été", "Main: Theorem"]
    statements = [Statement(f"wiki:{n}", "definition", n, n, (f"Text of {n}.", "$a < b$")) for n in names]
    mentions = tuple(Mention(n, n, 0, f"wiki:{n}") for n in [*names[:3], names[0]])
    proofs = (Proof(("First.",), mentions), Proof(("Second.",), mentions[2:3]))
    theorem = Statement("wiki:T t", "theorem", "T t", "T t", ("A theorem.",), (), proofs)
    corpus = Corpus("wiki", (*statements, theorem), Provenance("test", "fixed"))
    return corpus, Splits("own", Split((), ("wiki:T t",)), Split(), Split((("wiki:T t", 0), ("wiki:T t", 1))))


def gold(corpus, splits, name):
    """The task as our own evaluation poses it: by question, its text and the distinct references."""
    task = retrieval_task(corpus, splits, name, protocol("clean"))
    return {question.id: set(question.gold) for question in task.queries}


def seen(corpus):
    """What a method sees of each statement: its title or the words of its label, and its text without keys."""
    return {passage.id: passage for passage in passages(corpus.statements)}


def write(name, told, folder):
    export(name)(Request(*told, folder / name))
    return folder / name


def own_id(corpus, key):
    """Our own id of what a file names without the corpus."""
    return f"{corpus.name}:{unquote(key)}"


def unquoted(corpus, judgements):
    """By query: what is judged relevant, with our own ids."""
    found = {}
    for judged in judgements:
        assert judged.relevance == 1
        cited = found.setdefault(own_id(corpus, judged.query_id), [])
        cited.append(own_id(corpus, judged.doc_id))
    assert all(len(set(cited)) == len(cited) for cited in found.values())
    return {query: set(cited) for query, cited in found.items()}


@pytest.fixture(autouse=True)
def _quiet_homes(tmp_path, monkeypatch):
    """The libraries keep caches; and what they warn of is not ours."""
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_beir_folders_are_read_by_ir_datasets(told, tmp_path):
    from ir_datasets.datasets.beir import BeirDocs, BeirQrels, BeirQueries, BeirTitleDoc
    from ir_datasets.formats import GenericQuery
    from ir_datasets.util import LocalDownload

    corpus, splits = told
    folder = write("beir", told, tmp_path)
    documents = list(BeirDocs("ours", LocalDownload(folder / "corpus.jsonl"), BeirTitleDoc).docs_iter())
    assert [(own_id(corpus, d.doc_id), d.title, d.text) for d in documents] == [
        (passage.id, passage.title, passage.text) for passage in seen(corpus).values()
    ]
    asked = list(BeirQueries("ours", LocalDownload(folder / "queries.jsonl"), GenericQuery).queries_iter())
    texts = {own_id(corpus, query.query_id): query.text for query in asked}
    for name in SPLIT_NAMES:
        expected, path = gold(corpus, splits, name), folder / "qrels" / f"{BEIR[name]}.tsv"
        assert path.exists() == bool(expected)
        if expected:
            assert unquoted(corpus, BeirQrels(LocalDownload(path), {}).qrels_iter()) == expected
        for question in expected:
            assert texts.pop(question) == passage_text(seen(corpus)[question.rpartition("#")[0]])
    assert texts == {}


def test_beir_folders_have_the_configurations_that_mteb_loads(told, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()
    corpus, splits = told
    folder = write("beir", told, tmp_path)

    def load(config, split):
        return datasets.load_dataset(str(folder), config, split=split, cache_dir=str(tmp_path / "cache"))

    assert set(datasets.get_dataset_config_names(str(folder))) == {"default", "corpus", "queries"}
    assert [own_id(corpus, key) for key in load("corpus", "corpus")["_id"]] == [s.id for s in corpus.statements]
    asked = {own_id(corpus, key) for key in load("queries", "queries")["_id"]}
    for name in SPLIT_NAMES:
        expected = gold(corpus, splits, name)
        rows = load("default", BEIR[name]) if expected else ()
        judged = {(own_id(corpus, row["query-id"]), own_id(corpus, row["corpus-id"])) for row in rows}
        assert judged == {(query, cited) for query, found in expected.items() for cited in found}
        assert asked.issuperset(expected)


def test_trec_folders_are_read_by_ir_datasets_and_measured_by_trec_eval(told, tmp_path):
    import ir_measures
    from ir_datasets.formats import TrecQrels, TsvDocs, TsvQueries
    from ir_datasets.util import LocalDownload

    corpus, splits = told
    folder = write("trec", told, tmp_path)
    documents, shown = TsvDocs(LocalDownload(folder / "passages.tsv")).docs_iter(), seen(corpus)
    assert [own_id(corpus, document.doc_id) for document in documents] == [s.id for s in corpus.statements]
    for name in SPLIT_NAMES:
        expected, path = gold(corpus, splits, name), folder / f"qrels.{name}.txt"
        assert path.exists() == bool(expected)
        if not expected:
            continue
        assert unquoted(corpus, TrecQrels(LocalDownload(path), {}).qrels_iter()) == expected
        topics = {
            own_id(corpus, t.query_id): t.text
            for t in TsvQueries(LocalDownload(folder / f"topics.{name}.tsv")).queries_iter()
        }
        assert {key: text.split() for key, text in topics.items()} == {
            key: passage_text(shown[key.rpartition("#")[0]]).split() for key in expected
        }
        judged = list(ir_measures.read_trec_qrels(str(path)))
        run = [ir_measures.ScoredDoc(j.query_id, j.doc_id, 1.0) for j in judged]
        assert ir_measures.calc_aggregate([ir_measures.AP], judged, run) == {ir_measures.AP: pytest.approx(1)}
        worse = [ir_measures.ScoredDoc(j.query_id, "none", 2.0) for j in judged] + run
        assert ir_measures.calc_aggregate([ir_measures.P @ 1], judged, worse) == {ir_measures.P @ 1: 0}


def test_parquet_is_loaded_by_datasets(told, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()
    corpus, splits = told
    folder = write("huggingface", told, tmp_path)

    def load(*config):
        return datasets.load_dataset(str(folder), *config, cache_dir=str(tmp_path / "cache"))

    assert datasets.get_dataset_config_names(str(folder)) == ["examples", "statements", "proofs"]
    examples, shown = load(), seen(corpus)
    assert set(examples) == {HUB[name] for name in SPLIT_NAMES if splits.part(name).examples}
    for name in SPLIT_NAMES:
        rows = examples[HUB[name]] if splits.part(name).examples else []
        assert {row["id"]: set(row["references"]) for row in rows} == gold(corpus, splits, name)
        for row in rows:
            theorem = shown[row["theorem"]]
            assert (row["title"], row["text"]) == (theorem.title, theorem.text)
            assert tuple(row["sequence"]) == corpus.by_id[theorem.id].proofs[row["proof"]].references
    statements = load("statements")["statements"]
    assert statements["id"][:] == [s.id for s in corpus.statements]
    for row, statement in zip(statements, corpus.statements, strict=True):
        assert (row["kind"], row["text"], row["tag"]) == (statement.kind, "\n".join(statement.lines), statement.tag)
        assert row["position"] == (statement.place.position if statement.place else None)
        assert tuple(row["references"]) == statement.references
        assert row["toplevel_categories"] is None
    absent = {row["id"] for row in statements if "train" in row["absent_from"]}
    assert absent == set(splits.train.absent)
    proofs = load("proofs")["proofs"]
    assert len(proofs) == sum(len(s.proofs) for s in corpus.statements)
    for row in proofs:
        assert row["text"] == "\n".join(corpus.by_id[row["theorem"]].proofs[row["proof"]].lines)


def test_the_card_is_understood_by_the_hub_library(told, tmp_path):
    from huggingface_hub import DatasetCard

    corpus, _ = told
    card = DatasetCard.load(write("huggingface", told, tmp_path) / "README.md")
    assert card.data.pretty_name == (corpus.provenance.title or corpus.name)
    assert card.data.configs[0]["default"] is True
    assert "## Fields" in card.text


def test_graphml_is_read_by_networkx(told, tmp_path):
    corpus, _ = told
    graph = nx.read_graphml(write("graphml", told, tmp_path))
    expected = ReferenceGraph.of(corpus)
    assert set(graph.nodes) == {s.id for s in corpus.statements}
    assert set(graph.edges) == {(used, user) for user, uses in expected.uses.items() for used in uses}
