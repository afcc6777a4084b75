"""``generate`` on the bundled corpus."""

import json

import pytest

from naturalproofs.data import primer_folder
from support.command_line import call


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generate") / "primer"
    assert call("build", "latex", str(primer_folder()), "-o", str(folder))[0] == 0
    return folder


def test_sequences_are_measured_and_saved(corpus, tmp_path):
    output = tmp_path / "sequences.jsonl"
    code, out, err = call("generate", "bm25", str(corpus), "--format", "json", "-o", str(output))
    assert code == 0, err
    row = json.loads(out)
    assert row["label"] == "retrieve(ranker='bm25')"
    assert row["protocol"] == "clean"
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert len(lines) == row["queries"]
    assert all(set(line) == {"query", "predicted", "gold"} for line in lines)


def test_one_theorem_is_answered_without_its_own_proof(corpus):
    code, out, err = call("generate", "bm25", str(corpus), "--at", "thm:lagrange", "--protocol", "accessible")
    assert code == 0, err
    assert "of the" in out.splitlines()[-1]
    assert "thm:lagrange" not in out


def test_a_theorem_without_a_proof_is_answered_too(corpus):
    code, out, err = call(
        "generate", "bm25", str(corpus), "--at", "def:group", "--protocol", "accessible", "--format", "json"
    )
    assert code == 0, err
    assert json.loads(out)["gold"] == []


def test_an_unknown_label_is_an_error(corpus):
    code, _, err = call("generate", "bm25", str(corpus), "--at", "thm:nowhere")
    assert code == 1
    assert "no statement is called 'thm:nowhere'" in err
