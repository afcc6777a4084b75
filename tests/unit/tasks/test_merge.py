"""Merging: what went in comes out again, integers go on as in the original, and clashes are refused."""

import json
from dataclasses import replace

import pytest

from naturalproofs.benchmark.make import extract, extract_folder, load_folder, merge, merge_folders
from naturalproofs.benchmark.naturalproofs_json import to_naturalproofs_json
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus, Provenance, Resolution, Unresolved
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import BadSchema, NotGiven, OutputInTheWay, UnknownName
from naturalproofs.records import Diagnostic, InputFile, Mention, Place, Proof, Split, Statement
from naturalproofs.tasks.splits import Splits, check_no_leak, leaf_split


def contents(name, numbers, *, places=False, licence="", recipe="own"):
    """A corpus of a definition and theorems that each cite the statement before them."""
    statements = []
    for index, number in enumerate(numbers):
        before = f"{name}:{index - 1}"
        cited = (Mention(str(index - 1), "ref", 1, before),) if index else ()
        statements.append(
            Statement(
                id=f"{name}:{index}",
                kind="theorem" if index else "definition",
                label=str(index),
                title=f"{name} {index}",
                lines=("x",),
                proofs=(Proof(("y",), cited),) if index else (),
                place=Place(name, "c", "s", index) if places else None,
                published_id=number,
            )
        )
    corpus = Corpus(
        name,
        tuple(statements),
        Provenance(f"source-{name}", "fixed", licence=licence, split="own"),
        Resolution(len(numbers) - 1, len(numbers) - 1, {"statement": len(numbers) - 1}, {}),
        (InputFile("body.tex", 1, "0" * 64),),
        (Unresolved(f"{name}:1", "lost", "body.tex", 1, "undefined"),),
        (Diagnostic("body.tex", 1, 1, "warning", "rule", name),),
    )
    last = f"{name}:{len(numbers) - 1}"
    splits = Splits(
        recipe,
        train=Split(tuple((f"{name}:{i}", 0) for i in range(1, len(numbers) - 1)), (last,)),
        valid=Split(),
        test=Split(((last, 0),)),
    )
    return corpus, splits


@pytest.fixture
def wiki():
    return contents("P", [5, 0, 9], licence="CC BY-SA 4.0")


@pytest.fixture
def book():
    return contents("S", [None, None, None, None], places=True, licence="GFDL", recipe="leaf(seed=42)")


@pytest.fixture
def other():
    return contents("T", [None, None], places=True)


def test_ids_order_and_names(wiki, book):
    both = merge([wiki, book], "P+S")[0]
    assert both.name == "P+S"
    assert [s.id for s in both.statements] == ["P:0", "P:1", "P:2", "S:0", "S:1", "S:2", "S:3"]
    assert both.provenance.licence == "P: CC BY-SA 4.0; S: GFDL"
    assert both.provenance.source == "source-P + source-S"
    assert both.resolution.references == 5
    assert len(both.inputs) == 2


def test_published_integers_go_on_where_the_first_corpus_ends(wiki, book):
    """Max of the first plus one is added; a corpus without integers is numbered by kind, theorems first."""
    both = merge([wiki, book], "P+S")[0]
    assert [s.published_id for s in both.statements] == [5, 0, 9, 10 + 3, 10 + 0, 10 + 1, 10 + 2]


def test_positions_go_on_too(wiki, book, other):
    merged = merge([book, wiki, other], "all")[0]
    assert [s.place.position if s.place else None for s in merged.statements] == [0, 1, 2, 3, None, None, None, 4, 5]


def test_splits_are_joined_part_by_part(wiki, book):
    both, splits = merge([wiki, book], "P+S")
    assert splits.recipe == "own + leaf(seed=42)"
    assert splits.train.examples == (("P:1", 0), ("S:1", 0), ("S:2", 0))
    assert splits.train.absent == ("P:2", "S:3")
    assert splits.test.examples == (("P:2", 0), ("S:3", 0))
    check_no_leak(both, splits)


def test_each_comes_back_as_it_was(wiki, book, other):
    merged = merge([wiki, book, other], "all")
    assert [extract(*merged, name) for name in "PST"] == [wiki, book, other]


def test_merged_corpora_can_be_merged(wiki, book, other):
    for merged in (merge([merge([wiki, book], "a"), other], "b"), merge([other, merge([book, wiki], "a")], "b")):
        assert {part.name for part in merged[0].provenance.parts} == {"P", "S", "T"}
        assert [extract(*merged, name) for name in "PST"] == [wiki, book, other]
        numbers = [s.published_id for s in merged[0].statements]
        assert len(set(numbers)) == len(numbers)


def test_rules_of_the_paper_are_not_hidden(wiki, book):
    corpus, splits = book
    paper = replace(corpus, provenance=replace(corpus.provenance, rules="paper")), splits
    assert merge([wiki, book], "x")[0].provenance.rules == "fixed"
    assert merge([wiki, paper], "x")[0].provenance.rules == "paper"


def test_clashes_are_refused(wiki, book):
    with pytest.raises(BadSchema, match="two of the corpora are called 'P'"):
        merge([wiki, wiki], "x")
    renamed = replace(wiki[0], name="Q"), wiki[1]
    with pytest.raises(BadSchema, match="P and Q both have a statement P:0; build one of them under another --name"):
        merge([wiki, renamed], "x")
    with pytest.raises(BadSchema, match="published integer"):
        merge([contents("X", [1, None]), book], "x")
    with pytest.raises(BadSchema, match="published integer"):
        merge([contents("X", [1, 1]), book], "x")


def test_only_what_is_in_it_can_be_taken_out(wiki, book):
    with pytest.raises(UnknownName, match="it holds: P, S"):
        extract(*merge([wiki, book], "x"), "T")
    with pytest.raises(UnknownName, match="it was not merged"):
        extract(*wiki, "P")


def test_folders_come_back_byte_for_byte(primer, wiki, tmp_path):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    store.save(primer, tmp_path / "primer", splits=splits.to_json())
    store.save(wiki[0], tmp_path / "wiki", splits=wiki[1].to_json())
    manifest = merge_folders([tmp_path / "wiki", tmp_path / "primer"], tmp_path / "both")
    assert manifest.name == "P+primer"
    for folder, name in (("wiki", "P"), ("primer", "primer")):
        extract_folder(tmp_path / "both", tmp_path / "again", name)
        for file in (tmp_path / folder).iterdir():
            assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_the_merged_file_is_that_of_the_original(wiki, book):
    """In the paper's schema: lists one after the other, every integer of the second moved by the same offset."""
    both = merge([wiki, book], "P+S")
    one, two, joined = (json.loads(to_naturalproofs_json(*each, extras=False)) for each in (wiki, book, both))
    offset = 10

    def moved(item):
        return {
            key: value + offset if key == "id" else [v + offset for v in value] if key == "ref_ids" else value
            for key, value in item.items()
        } | ({"proofs": [moved(proof) for proof in item["proofs"]]} if "proofs" in item else {})

    for kind in ("theorems", "definitions", "others"):
        assert joined["dataset"][kind] == one["dataset"][kind] + [moved(item) for item in two["dataset"][kind]]
    for part in ("train", "valid", "test"):
        moved_pairs = [[number + offset, proof] for number, proof in two["splits"][part]["examples"]]
        assert joined["splits"][part]["examples"] == one["splits"][part]["examples"] + moved_pairs
        moved_refs = [number + offset for number in two["splits"][part]["ref_ids"]]
        assert joined["splits"][part]["ref_ids"] == one["splits"][part]["ref_ids"] + moved_refs


def test_outputs_are_looked_after(wiki, tmp_path):
    store.save(wiki[0], tmp_path / "wiki", splits=wiki[1].to_json())
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a").write_text("precious")
    with pytest.raises(OutputInTheWay):
        merge_folders([tmp_path / "wiki", tmp_path / "wiki"], tmp_path / "notes")
    with pytest.raises(NotGiven, match="at least two"):
        merge_folders([tmp_path / "wiki"], tmp_path / "out")
    assert load_folder(tmp_path / "wiki") == wiki
