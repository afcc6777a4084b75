"""Preparation, batches, the cache, losses and word features."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.errors import UnknownName
from naturalproofs.io.cache import evict
from naturalproofs.ranking.neural import cache
from naturalproofs.ranking.neural.batching import Ragged, by_length, shuffled
from naturalproofs.ranking.neural.cache import Store
from naturalproofs.ranking.neural.lexical import Lexical
from naturalproofs.ranking.neural.losses import masked_contrast, paired_contrast, set_divergence
from naturalproofs.ranking.neural.preparation import preparation
from naturalproofs.ranking.neural.wordpiece import build_vocabulary, small_tokeniser
from naturalproofs.records import Passage

LEMMA = Passage(
    "x:1", "theorem", "lemma-flat_base",
    "Let $f : X \\to \\mathop{\\mathrm{Spec}}(A)$ be \\emph{flat}.\n\\label{a} Then $H^i(X, \\mathcal{F})$ is finite,"
    " see [[Finite Group|finite groups]] and \\ref{b}.\n\\begin{enumerate}\n\\item $M \\otimes N$\n\\end{enumerate}",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("prose", "flat base. Spec flat. finite, see finite groups . otimes"),
        (
            "words",
            "flat base. Let f : X to Spec (A) be flat . Then H i(X, F ) is finite, see finite groups and . M otimes N",
        ),
    ],
)
def test_markup_is_taken_away(name, expected):
    assert preparation(name)(LEMMA) == expected


def test_the_papers_text_is_title_separator_contents():
    text = preparation("paper")(LEMMA)
    assert text.startswith("lemma-flat_base[SEP]Let $f : X")
    assert "see finite groups and \\ref{b}. \\begin" in text


def test_an_unknown_preparation_names_the_known():
    with pytest.raises(UnknownName, match="there are: words, prose"):
        preparation("nothing")


@given(st.lists(st.integers(1, 90), max_size=60), st.integers(1, 300))
def test_batches_of_like_length_hold_every_text_once(lengths, budget):
    batches = list(by_length(np.array(lengths, dtype=np.int64), budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget for batch in batches)


@given(st.lists(st.integers(1, 90), max_size=60), st.integers(1, 300), st.integers(0, 9), st.integers(1, 20))
def test_shuffled_batches_hold_every_item_once_and_repeat_by_seed(costs, budget, seed, most):
    array = np.array(costs, dtype=np.int64)
    batches = shuffled(array, budget, (seed, 1), most=most)
    assert sorted(row for batch in batches for row in batch) == list(range(len(costs)))
    assert all(len(batch) <= most and (len(batch) == 1 or array[batch].sum() <= budget) for batch in batches)
    again = shuffled(array, budget, (seed, 1), most=most)
    assert [batch.tolist() for batch in batches] == [batch.tolist() for batch in again]


def test_the_order_changes_with_the_epoch():
    costs = np.full(50, 10, dtype=np.int64)
    first, second = (shuffled(costs, 30, (0, epoch), most=9) for epoch in (0, 1))
    assert [b.tolist() for b in first] != [b.tolist() for b in second]


def ragged(*rows):
    return Ragged.of([np.array(row, dtype=np.float32) for row in rows], np.zeros(0, dtype=np.float32))


def test_what_is_known_is_not_computed_again(monkeypatch, tmp_path):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "SHARD", 2)
    asked = []

    def get(texts):
        def compute(rows):
            asked.extend(texts[row] for row in rows)
            return ragged(*([float(len(texts[row]))] * len(texts[row]) for row in rows))

        found = Store("some").get(texts, compute, np.zeros(0, dtype=np.float32))
        return [found[row].tolist() for row in range(len(found))]

    expected = [[1.0], [3.0] * 3, [1.0], [2.0] * 2]
    assert get(["a", "bbb", "a", "cc"]) == expected
    assert sorted(asked) == ["a", "bbb", "cc"]
    assert get(["a", "bbb", "a", "cc"]) == expected
    assert get(["dddd", "cc"]) == [[4.0] * 4, [2.0] * 2]
    assert sorted(asked) == ["a", "bbb", "cc", "dddd"]
    assert get([]) == []


def test_the_cache_stays_within_its_limit_and_survives_damage(monkeypatch, tmp_path):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path))
    for name in ("one", "two", "three"):
        Store(name).get([name], lambda _rows: ragged([0.0] * 1000), np.zeros(0, dtype=np.float32))
    shards = list(tmp_path.glob("neural/*/*.shard"))
    assert len(shards) == 3
    (shards[0] / "values.npy").write_bytes(b"damaged")
    name = shards[0].parent.name
    assert len(Store(name).get([name], lambda _rows: ragged([1.0]), np.zeros(0, dtype=np.float32))[0]) == 1
    evict(tmp_path.glob("neural/*/*.shard"), 5_000)
    assert len(list(tmp_path.glob("neural/*/*.shard"))) == 1


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "file"))
    assert Store("x").get(["a"], lambda _rows: ragged([7.0]), np.zeros(0, dtype=np.float32))[0].tolist() == [7.0]


def test_other_gold_references_are_no_negatives():
    scores = torch.tensor([[2.0, 3.0, 1.0, 9.0]])
    gold, ignored = torch.tensor([[True, True, False, False]]), torch.tensor([[False, False, False, True]])
    by_hand = -0.5 * sum(np.log(np.exp(s) / (np.exp(s) + np.exp(1.0))) for s in (2.0, 3.0))
    assert float(masked_contrast(scores, gold, ignored)) == pytest.approx(by_hand, rel=1e-5)


def test_the_papers_loss_counts_them_as_wrong():
    scores = torch.tensor([[2.0, 3.0], [0.0, 1.0]])
    by_hand = -(np.log(np.exp(2) / (np.exp(2) + np.exp(3))) + np.log(np.exp(1) / (1 + np.exp(1)))) / 2
    assert float(paired_contrast(scores)) == pytest.approx(by_hand, rel=1e-5)


def test_the_divergence_is_nothing_where_the_softmax_is_the_set():
    gold = torch.tensor([[True, False, True, False]])
    assert float(set_divergence(torch.where(gold, 50.0, 0.0), gold)) == pytest.approx(0, abs=1e-6)
    even = float(set_divergence(torch.zeros(1, 4), gold))
    assert even == pytest.approx(np.log(4) - np.log(2), rel=1e-5)
    own = torch.tensor([[False, True, False, False]])
    assert float(set_divergence(torch.zeros(1, 4), gold, own)) == pytest.approx(np.log(3) - np.log(2), rel=1e-5)


def test_a_small_vocabulary_reads_everything():
    texts = ["every group is a group", "a ring"]
    vocabulary = build_vocabulary(texts, 90)
    assert vocabulary[:4] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    assert "group" in vocabulary
    assert build_vocabulary(texts, 90) == vocabulary
    assert small_tokeniser(texts, 90).encode("a group ring q").tokens == ["[CLS]", "a", "group", "ring", "q", "[SEP]"]


def test_word_features_are_near_for_shared_words(few):
    lexical = Lexical.of(few.passages, 8, seed=0)
    rows = lexical.features([few.passages[0], few.passages[0], few.passages[5]])
    assert rows.shape == (3, 8)
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-5)
    assert rows[0] @ rows[2] < 0.99
    assert not Lexical.of((), 8, seed=0).features(few.passages).any()
    assert Lexical.of(few.passages[:2], 8, seed=0).features(few.passages).shape == (len(few.passages), 8)
