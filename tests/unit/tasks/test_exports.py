"""What every export keeps to: no proof in a query, the gold a set, ids that survive, outputs that are whole."""

import json
from urllib.parse import unquote

import pytest

from naturalproofs.benchmark.exports import FORMATS, Request, export
from naturalproofs.benchmark.exports.writers import card, queries_by_split
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import BadSchema, MissingExtra, OutputInTheWay, UnknownName
from naturalproofs.records import Mention, Proof, Split, Statement
from naturalproofs.tasks.dataset import plain_id
from naturalproofs.tasks.protocols import passage_text
from naturalproofs.tasks.splits import Splits, leaf_split, own_split, zero_shot_split

FOLDERS = ("beir", "trec", "huggingface")
FILES = ("naturalproofs-json", "graphml")
SECRET = "the secret of the proof"


@pytest.fixture
def small():
    """Two proofs of one theorem, a repeated citation, ids that would break plain files, and a proof to be hidden."""
    cited = ("w:A b", 'w:"C"', "w:A b", "w:100%")
    mentions = tuple(Mention(key, "ref", 1, key) for key in cited)
    statements = (
        Statement("w:A b", "definition", "A b", "A b", ("one", "\ttwo")),
        Statement('w:"C"', "other", '"C"', "", ("three",)),
        Statement("w:100%", "theorem", "100%", "", ("four",)),
        Statement(
            "w:Main theorem",
            "theorem",
            "Main theorem",
            "Main",
            ("Let $a < b$.", "", "Then $b > a$."),
            (),
            (Proof((SECRET,), mentions), Proof((SECRET,), mentions[:1])),
        ),
    )
    corpus = Corpus("w", statements, Provenance("test", "fixed", licence="CC BY-SA 3.0", title='A "wiki"'))
    test = Split((("w:Main theorem", 0), ("w:Main theorem", 1)))
    return corpus, Splits("own", Split((), ("w:Main theorem",)), Split(), test)


def write(name, small, output, **options):
    return export(name)(Request(*small, output, **options))


def all_files(folder):
    return {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*")) if p.is_file()}


def test_ids():
    nasty = 'a b\tc%d"e\u00a0é\u2028#\x07'
    assert plain_id(nasty).split() == [plain_id(nasty)]
    assert '"' not in plain_id(nasty)
    assert unquote(plain_id(nasty)) == nasty
    assert plain_id("stacks:lemma-a#0") == "stacks:lemma-a#0"
    assert plain_id("stacks:lemma-a#0", "stacks") == "lemma-a#0"
    assert plain_id("Définition:Éléments/1") == "Définition:Éléments/1"


def test_queries(small):
    corpus, splits = small
    first, second = queries_by_split(corpus, splits)["test"]
    assert (first.id, second.id) == ("w:Main theorem#0", "w:Main theorem#1")
    assert passage_text(first.theorem) == "Main\nLet $a < b$.\n\nThen $b > a$."
    assert first.gold == ("w:A b", 'w:"C"', "w:100%")
    assert first.sequence == ("w:A b", 'w:"C"', "w:A b", "w:100%")


@pytest.mark.parametrize("pair", [("w:nobody", 0), ("w:Main theorem", 2), ("w:Main theorem", -1)])
def test_a_split_that_contradicts_the_corpus(small, pair):
    corpus, _ = small
    with pytest.raises(BadSchema, match=f"proof {pair[1]} of {pair[0]}"):
        queries_by_split(corpus, own_split({"test": Split((pair,))}))


@pytest.mark.parametrize("name", ["beir", "trec"])
def test_no_proof_is_told(small, tmp_path, name):
    write(name, small, tmp_path / "out")
    for path in all_files(tmp_path / "out").values():
        assert SECRET not in path.read_text("utf-8")


def test_beir(small, tmp_path):
    told = write("beir", small, tmp_path / "out")
    assert told == "4 passages, 2 queries"
    assert list(all_files(tmp_path / "out")) == [
        "README.md", "corpus.jsonl", "export.json", "qrels/test.jsonl", "qrels/test.tsv", "queries.jsonl",
    ]  # fmt: skip
    assert (tmp_path / "out" / "qrels" / "test.tsv").read_text() == (
        "query-id\tcorpus-id\tscore\n"
        "Main%20theorem#0\tA%20b\t1\n"
        "Main%20theorem#0\t%22C%22\t1\n"
        "Main%20theorem#0\t100%25\t1\n"
        "Main%20theorem#1\tA%20b\t1\n"
    )
    documents = [json.loads(line) for line in (tmp_path / "out" / "corpus.jsonl").read_text().splitlines()]
    assert documents[0]["text"] == "one\n\ttwo"
    assert [document["metadata"]["absent_from"] for document in documents] == [[], [], [], ["train"]]


def test_trec(small, tmp_path):
    write("trec", small, tmp_path / "out")
    files = all_files(tmp_path / "out")
    assert list(files) == ["README.md", "export.json", "passages.tsv", "qrels.test.txt", "topics.test.tsv"]
    assert files["qrels.test.txt"].read_text().splitlines()[1] == "Main%20theorem#0 0 %22C%22 1"
    assert files["topics.test.tsv"].read_text().splitlines()[0] == ("Main%20theorem#0\tMain Let $a < b$. Then $b > a$.")


def test_trec_says_what_may_not_be_ranked(primer, tmp_path):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    write("trec", (primer, splits), tmp_path / "out")
    assert (tmp_path / "out" / "absent.train.txt").read_text().splitlines() == [
        one.removeprefix(f"{primer.name}:") for one in splits.train.absent
    ]
    assert not (tmp_path / "out" / "absent.test.txt").exists()


def test_a_split_without_examples_gets_no_file(primer, tmp_path):
    for name in FOLDERS:
        write(name, (primer, zero_shot_split(primer)), tmp_path / name)
    names = [key for name in FOLDERS for key in all_files(tmp_path / name)]
    assert not any("train" in name or "valid" in name or "dev" in name for name in names)


def test_the_head_of_the_card_is_quoted_and_names_the_licence(small):
    corpus, splits = small
    text = card(corpus, splits, [])
    assert 'pretty_name: "A \\"wiki\\""' in text
    assert "\nlicense: cc-by-sa-3.0\n" in text


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("GFDL-1.2", "gfdl"),
        ("GNU FDL", "other"),
        ("CC-BY-NC-SA-3.0", "cc-by-nc-sa-3.0"),
        ("MIT License", "mit"),
        ("P: CC BY-SA 4.0; S: GFDL", "other"),
        ("none stated", "unknown"),
        ("", "unknown"),
    ],
)
def test_licences(licence, expected):
    corpus = Corpus("x", (), Provenance("test", "fixed", licence=licence))
    assert f"\nlicense: {expected}\n" in card(corpus, Splits("own", Split(), Split(), Split()), [])


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_corpus_gives_the_same_bytes_and_may_be_written_again(small, tmp_path, name):
    output = tmp_path / "out"
    write(name, small, output)
    before = {key: path.read_bytes() for key, path in all_files(tmp_path).items()}
    write(name, small, output)
    assert {key: path.read_bytes() for key, path in all_files(tmp_path).items()} == before


@pytest.mark.parametrize("name", FOLDERS)
def test_the_note_tells_where_it_comes_from(small, tmp_path, name):
    write(name, small, tmp_path / "out")
    about = json.loads((tmp_path / "out" / "export.json").read_text())
    assert (about["format"], about["corpus"], about["provenance"]["licence"]) == (name, "w", "CC BY-SA 3.0")
    assert sorted([*about["files"], "export.json"]) == list(all_files(tmp_path / "out"))


def spoil_by_adding(folder):
    (folder / "notes.txt").write_text("precious")


def spoil_by_changing(folder):
    with (folder / "export.json").open("rb") as stream:
        name = next(iter(json.load(stream)["files"]))
    with (folder / name).open("ab") as stream:
        stream.write(b"\n")


def spoil_by_foreign_note(folder):
    (folder / "export.json").write_text("{}")


@pytest.mark.parametrize("spoil", [spoil_by_adding, spoil_by_changing, spoil_by_foreign_note])
@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_that_somebody_changed_is_kept(small, tmp_path, name, spoil):
    write(name, small, tmp_path / "out")
    spoil(tmp_path / "out")
    before = {key: path.read_bytes() for key, path in all_files(tmp_path).items()}
    said = "not made by this command" if spoil is spoil_by_foreign_note else "added or changed since"
    with pytest.raises(OutputInTheWay, match=said):
        write(name, small, tmp_path / "out")
    assert {key: path.read_bytes() for key, path in all_files(tmp_path).items()} == before


def test_formats_do_not_replace_each_other(small, tmp_path):
    write("beir", small, tmp_path / "out")
    for name in FORMATS:
        if name != "beir":
            with pytest.raises(OutputInTheWay):
                write(name, small, tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("naturalproofs-json", '{"dataset": "squad", "version": 2}'),
        ("graphml", '<?xml version="1.0"?><graphml><key id="d0" for="node" attr.name="label" attr.type="string"/>'),
    ],
)
def test_a_file_of_another_program_is_kept(small, tmp_path, name, data):
    write(name, small, tmp_path / "out")
    write(name, small, tmp_path / "out")
    (tmp_path / "out").write_text(data)
    with pytest.raises(OutputInTheWay, match="not what a command wrote there"):
        write(name, small, tmp_path / "out")
    assert (tmp_path / "out").read_text() == data


@pytest.mark.parametrize("name", FOLDERS)
def test_a_failure_leaves_nothing(small, tmp_path, name):
    corpus, splits = small
    broken = Splits("own", Split(), Split(), Split((*splits.test.examples, ("w:nobody", 0))))
    with pytest.raises(BadSchema):
        write(name, (corpus, broken), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_parquet_without_its_library(small, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"\[parquet\]"):
        write("huggingface", small, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_unknown_formats():
    with pytest.raises(UnknownName, match="beir"):
        export("word")
