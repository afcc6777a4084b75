from dataclasses import replace

import pytest

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import check_corpus
from naturalproofs.errors import BadSchema, NotACorpus, OutputInTheWay, UnknownName
from naturalproofs.io.files import sha256_file
from naturalproofs.records import Mention


@pytest.fixture
def folder(primer, tmp_path):
    store.save(primer, tmp_path / "primer", splits=b"{}")
    return tmp_path / "primer"


def test_round_trip(primer, folder):
    again = store.load(folder)
    assert again.statements == primer.statements
    assert again.provenance == primer.provenance
    assert again.resolution == primer.resolution


def test_the_same_corpus_gives_the_same_bytes(primer, folder, tmp_path):
    store.save(primer, tmp_path / "again", splits=b"{}")
    for path in folder.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


def test_a_changed_file_is_noticed(folder):
    path = folder / store.STATEMENTS
    path.write_bytes(path.read_bytes().replace(b"group", b"grope", 1))
    with pytest.raises(NotACorpus, match="changed since it was written"):
        store.load(folder)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (store.MANIFEST, None, "not a corpus folder"),
        (store.MANIFEST, b"{", "damaged"),
        (store.MANIFEST, b'{"schema": 99}', "damaged"),
        (store.STATEMENTS, None, "missing"),
    ],
)
def test_broken_folders_are_told_apart(folder, name, data, message):
    if data is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(data)
    with pytest.raises(NotACorpus, match=message):
        store.load(folder)


def test_another_schema_is_refused(folder):
    path = folder / store.MANIFEST
    path.write_bytes(path.read_bytes().replace(b'"schema": 1', b'"schema": 7'))
    with pytest.raises(NotACorpus, match="schema 7"):
        store.load(folder)


def test_find_by_any_name(primer):
    assert primer.find("thm:lagrange") is primer.find("primer:thm:lagrange") is primer.find("Lagrange")


def test_find_suggests(primer):
    with pytest.raises(UnknownName, match="thm:lagrange"):
        primer.find("lagrang")


def test_invariants_are_checked(primer):
    broken = replace(primer.statements[0], mentions=(Mention("x", "ref", 1, "primer:nowhere"),))
    with pytest.raises(BadSchema, match="refers to primer:nowhere"):
        check_corpus(replace(primer, statements=(broken,)))
    with pytest.raises(BadSchema, match="share the id primer:"):
        check_corpus(replace(primer, statements=primer.statements[:1] * 2))


def test_a_stored_corpus_is_checked_when_it_is_loaded(primer, tmp_path):
    twice = replace(primer, statements=(*primer.statements, primer.statements[0]))
    store.save(twice, tmp_path / "twice", splits=b"{}")
    with pytest.raises(NotACorpus, match=r"two statements share the id .*; build the corpus again"):
        store.load(tmp_path / "twice")
    broken = replace(primer.statements[0], mentions=(Mention("x", "ref", 1, "primer:nowhere"),))
    store.save(replace(primer, statements=(broken, *primer.statements[1:])), tmp_path / "broken", splits=b"{}")
    with pytest.raises(NotACorpus, match="refers to primer:nowhere, which does not exist"):
        store.load(tmp_path / "broken")


def test_a_large_corpus_stays_on_disk_and_answers_the_same(primer, folder, monkeypatch):
    monkeypatch.setattr(store, "LARGE", 0)
    large = store.load(folder)
    assert not isinstance(large.statements, tuple)
    assert large.statements == primer.statements
    assert tuple(large.statements[3:5]) == tuple(primer.statements[3:5])
    assert large.links == primer.links
    assert dict(large.by_id) == dict(primer.by_id)
    assert dict(large.by_label) == dict(primer.by_label)
    for name in ("thm:lagrange", "primer:thm:lagrange", "Lagrange"):
        assert large.find(name) == primer.find(name)
    assert (
        store.content_hash(large) == store.content_hash(primer) == store.load_manifest(folder).files[store.STATEMENTS]
    )
    assert len(large.by_id) == len(large.statements) == len(primer.statements)


def test_a_damaged_line_of_a_large_corpus_is_named(primer, folder, monkeypatch):
    monkeypatch.setattr(store, "LARGE", 0)
    path = folder / store.STATEMENTS
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], b'{"id": 7}', *lines[3:]]))
    manifest = store.load_manifest(folder)
    monkeypatch.setitem(manifest.files, store.STATEMENTS, sha256_file(path))
    monkeypatch.setattr(store, "load_manifest", lambda _: manifest)
    with pytest.raises(NotACorpus, match=r"statements\.jsonl:3: not a valid record"):
        store.load(folder)


def test_a_large_corpus_may_be_replaced_while_it_is_open(primer, folder, monkeypatch):
    monkeypatch.setattr(store, "LARGE", 0)
    large = store.load(folder)
    store.save(replace(primer, statements=primer.statements[:1]), folder, splits=b"{}")
    assert large.statements[-1] == primer.statements[-1]


def test_another_program_s_manifest_does_not_make_a_corpus(primer, tmp_path):
    (tmp_path / store.MANIFEST).write_text('{"name": "my web app"}')
    (tmp_path / "notes.txt").write_text("mine")
    assert not store.is_corpus(tmp_path)
    with pytest.raises(OutputInTheWay, match="not made by this command"):
        store.save(primer, tmp_path, splits=b"{}")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_corpus_is_replaced_unless_it_holds_something_else(primer, folder):
    store.save(primer, folder, splits=b"{ }")
    assert (folder / store.SPLITS).read_bytes() == b"{ }"
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(OutputInTheWay, match=r"notes\.txt: added or changed"):
        store.save(primer, folder, splits=b"{}")
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / store.SPLITS).read_bytes() == b"{ }"


@pytest.mark.parametrize("data", [None, b"{", b'{"name": "my web app"}'])
def test_a_corpus_whose_manifest_is_damaged_is_called_one(folder, data):
    (folder / store.MANIFEST).unlink()
    if data is not None:
        (folder / store.MANIFEST).write_bytes(data)
    assert store.is_corpus(folder)
