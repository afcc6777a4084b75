"""The paper's schema: both ways without loss, its order of keys, and what contradicts itself."""

import json
import lzma
from dataclasses import replace

import pytest

from naturalproofs.benchmark.naturalproofs_json import to_naturalproofs_json
from naturalproofs.corpus import store
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import build
from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.sources.registry import source
from naturalproofs.tasks.splits import leaf_split, own_split
from support.command_line import call


@pytest.fixture(scope="module")
def exported(primer):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    return splits, to_naturalproofs_json(primer, splits)


def read(tmp_path, data, name="primer"):
    (tmp_path / "x.json").write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return build(source("naturalproofs-json"), tmp_path / "x.json", name=name)


def test_corpus_to_json_to_corpus(primer, exported, tmp_path):
    splits, data = exported
    built = read(tmp_path, data)
    by_kind = sorted(primer.statements, key=lambda s: ("theorem", "definition", "other").index(s.kind))
    assert [replace(s, published_id=None) for s in built.statements] == by_kind
    assert set(own_split(built.own_splits).train.examples) == set(splits.train.examples)
    assert built.diagnostics == ()


@pytest.mark.parametrize("extras", [True, False])
def test_json_to_corpus_to_json(primer, exported, tmp_path, extras):
    data = to_naturalproofs_json(primer, exported[0], extras=extras)
    built = read(tmp_path, data)
    assert to_naturalproofs_json(built, own_split(built.own_splits), extras=extras) == data


def test_a_corpus_may_get_another_name(primer, exported, tmp_path):
    renamed = read(tmp_path, exported[1], name="other")
    by_kind = sorted(primer.statements, key=lambda s: ("theorem", "definition", "other").index(s.kind))
    for statement, original in zip(renamed.statements, by_kind, strict=True):
        assert statement.id == original.id.replace("primer:", "other:")
        assert statement.references == tuple(key.replace("primer:", "other:") for key in original.references)
        assert [m.surface for m in statement.mentions] == [m.surface for m in original.mentions]


PAPER = r"""
\documentclass{article}
\title{Even numbers}
\newtheorem{theorem}{Theorem}
\newcommand{\Z}{\mathbb{Z}}
\begin{document}
\section{First}\label{sec:first}
\begin{theorem}\label{thm:one} All of $2\Z$ is even, see \ref{sec:first}, \ref{nothing}
and \cite[Theorem 2]{book}. \end{theorem}
\begin{proof} This proves \ref{thm:one}. \end{proof}
\begin{theorem}\label{thm:two} So is $4\Z$ by \ref{thm:one}. \end{theorem}
\begin{thebibliography}{9}\bibitem{book} A. Author, Numbers.\end{thebibliography}
\end{document}
"""


def test_reasons_macros_works_and_what_is_known_of_the_source_survive(tmp_path):
    (tmp_path / "paper.tex").write_text(PAPER)
    first, again, file = tmp_path / "first", tmp_path / "again", tmp_path / "paper.json"
    assert call("build", "latex", str(tmp_path / "paper.tex"), "-o", str(first), "--name", "paper")[0] == 0
    assert call("export", str(first), "--to", "naturalproofs-json", "-o", str(file))[0] == 0
    assert call("build", "naturalproofs-json", str(file), "-o", str(again), "--name", "other")[0] == 0
    reasons = [[one.reason for one in store.load(folder).unresolved] for folder in (first, again)]
    assert reasons == [["section", "undefined", "bibliography", "self"]] * 2
    assert store.load(again).definitions == store.load(first).definitions != ""
    assert store.load(again).works == store.load(first).works != ()
    assert store.load(again).provenance.title == "Even numbers"
    assert call("export", str(first), "--to", "naturalproofs-json", "--no-extras", "-o", str(file))[0] == 0
    assert list(json.loads(file.read_bytes())) == ["dataset", "splits"]


def test_keys_in_the_papers_order(exported):
    content = json.loads(exported[1])
    assert list(content) == ["dataset", "splits"]
    assert list(content["dataset"]) == ["theorems", "definitions", "others", "retrieval_examples"]
    theorem, definition = content["dataset"]["theorems"][0], content["dataset"]["definitions"][0]
    keys = ["id", "type", "label", "categories", "title", "contents", "refs", "ref_ids", "proofs", "extra"]
    assert list(theorem) == keys
    assert list(definition) == [key for key in keys if key != "proofs"]
    assert list(theorem["proofs"][0])[:3] == ["contents", "refs", "ref_ids"]
    assert list(content["splits"]["train"]) == ["ref_ids", "examples"]


def test_integers_mean_what_the_original_took_them_for(primer, exported):
    """The way code written for the original reads the file: positions, labels and pairs agree."""
    content = json.loads(exported[1])
    dataset = content["dataset"]
    everything = dataset["theorems"] + dataset["definitions"] + dataset["others"]
    assert [item["id"] for item in everything] == list(range(len(primer.statements)))
    for item in everything:
        assert [everything[number]["label"] for number in item["ref_ids"]] == item["refs"]
    for theorem, proof in content["splits"]["test"]["examples"]:
        assert everything[theorem]["proofs"][proof]["ref_ids"]
        assert theorem not in content["splits"]["train"]["ref_ids"]


MINIMAL = {
    "dataset": {
        "theorems": [
            {
                "id": 7,
                "type": "theorem",
                "label": "A",
                "contents": ["x"],
                "proofs": [{"contents": ["y"], "ref_ids": [9]}],
            }
        ],
        "definitions": [{"id": 9, "type": "definition", "label": "B", "contents": []}],
    }
}


def test_missing_optional_fields_are_tolerated(tmp_path):
    built = read(tmp_path, MINIMAL, "m")
    assert [s.id for s in built.statements] == ["m:A", "m:B"]
    assert built.examples[0].references == ("m:B",)


def test_contradictions_are_reported(tmp_path):
    content = json.loads(json.dumps(MINIMAL))
    theorem = content["dataset"]["theorems"][0]
    theorem["type"] = "definition"
    theorem["refs"], theorem["ref_ids"] = ["B", "C"], [9]
    theorem["proofs"][0] |= {"refs": ["C"], "ref_ids": [9]}
    theorem["proofs"].append({"contents": [], "refs": ["Z"], "ref_ids": [55]})
    content["splits"] = {"test": {"ref_ids": [7, 9], "examples": [[7, 0], [66, 0]]}}
    rules = {diagnostic.rule for diagnostic in read(tmp_path, content, "m").diagnostics}
    assert rules == {
        "wrong-type",
        "uneven-references",
        "contradicting-reference",
        "unknown-reference",
        "unknown-example",
    }


@pytest.mark.parametrize("data", [b"", b"[]", b'{"dataset": {"theorems": [{"id": "x"}]}}', b"\xff\xfe"])
def test_what_is_not_the_schema_is_refused(tmp_path, data):
    with pytest.raises(BadSchema, match=r"x\.json"):
        read(tmp_path, data)


def test_two_statements_with_one_id(tmp_path):
    content = json.loads(json.dumps(MINIMAL))
    content["dataset"]["definitions"][0]["id"] = 7
    with pytest.raises(BadSchema, match="two statements have the id 7"):
        read(tmp_path, content)


def test_a_missing_file(tmp_path):
    with pytest.raises(SourceNotFound):
        build(source("naturalproofs-json"), tmp_path / "none.json", name="x")


def test_the_published_premise_selection_file(real_source, tmp_path):
    path = real_source("ps-proofwiki.json.xz")
    built = build(source("naturalproofs-json"), path, name="ps")
    splits = own_split(built.own_splits)
    assert (len(splits.train.examples), len(splits.valid.examples)) == (5841, 1913)
    assert len(built.statements) == 12343
    again = json.loads(to_naturalproofs_json(built, splits))
    assert again == json.loads(lzma.decompress(path.read_bytes()))


def test_a_large_file_is_read_the_same_and_stays_on_disk(primer, exported, tmp_path, monkeypatch):
    usual = read(tmp_path, exported[1])
    monkeypatch.setattr(store, "LARGE", 0)
    draft = source("naturalproofs-json").read(tmp_path / "x.json", name="primer", rules="fixed")
    assert not isinstance(draft.statements, tuple)
    assert draft.statements == usual.statements
    assert draft.splits == usual.own_splits


def test_an_item_that_is_not_a_statement_is_named(exported, tmp_path):
    data = json.loads(exported[1])
    del data["dataset"]["definitions"][2]["label"]
    with pytest.raises(BadSchema, match="definition 2: Object missing required field `label`"):
        read(tmp_path, data)
