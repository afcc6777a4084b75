"""Batches of similar length, and the cache of encodings."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.io.cache import evict
from naturalproofs.ranking.neural import encode
from naturalproofs.ranking.neural.encode import Ragged, by_length, cached

CPU = torch.device("cpu")


@given(st.lists(st.integers(1, 90), max_size=60), st.integers(1, 300))
def test_batches_of_like_length_hold_every_text_once(lengths, budget):
    batches = list(by_length(np.array(lengths, dtype=np.int64), CPU, budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget for batch in batches)


def ragged(*rows):
    return Ragged.of([np.array(row, dtype=np.float32) for row in rows], np.zeros(0, dtype=np.float32))


def test_cached_texts_are_not_computed_again(monkeypatch, tmp_path):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path))
    monkeypatch.setattr(encode, "SHARD", 2)
    asked = []

    def get(texts):
        def compute(rows):
            asked.extend(texts[row] for row in rows)
            return ragged(*([float(len(texts[row]))] * len(texts[row]) for row in rows))

        found = cached("some", texts, compute, np.zeros(0, dtype=np.float32))
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
        cached(name, [name], lambda _rows: ragged([0.0] * 1000), np.zeros(0, dtype=np.float32))
    shards = list(tmp_path.glob("neural/*/*.shard"))
    assert len(shards) == 3
    (shards[0] / "values.npy").write_bytes(b"damaged")
    name = shards[0].parent.name
    assert len(cached(name, [name], lambda _rows: ragged([1.0]), np.zeros(0, dtype=np.float32))[0]) == 1
    evict(tmp_path.glob("neural/*/*.shard"), 4_000)
    assert len(list(tmp_path.glob("neural/*/*.shard"))) == 1


def test_a_cache_that_cannot_be_written_is_ignored(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "file"))
    assert cached("x", ["a"], lambda _rows: ragged([7.0]), np.zeros(0, dtype=np.float32))[0].tolist() == [7.0]
